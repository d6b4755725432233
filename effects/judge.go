package effects

// judge says what is to be said of an effect by itself: where its target lies, and
// what may be done there. What a program does besides is its recogniser's to say.
func (a *analysis) judge(e noted) {
	if rule := a.ruleOf(e); rule != "" {
		a.say(rule, e.Span, e.Target)
	}
}

func (a *analysis) ruleOf(e noted) string {
	if e.rule != "" {
		return e.rule
	}
	switch e.Kind {
	case Read:
		return a.readRule(e)
	case Write, Create, Configure:
		return a.writeRule(e)
	case Delete:
		return a.deleteRule(e)
	case SecretRead:
		return "secret-read"
	case Send, Receive:
		return a.networkRule(e)
	case Process:
		return "process-ended"
	case Privilege:
		return "privilege"
	case VCSLocal:
		return "vcs-local"
	case VCSRemote:
		return "vcs-remote"
	case HistoryRewrite:
		return "history-rewritten"
	case Database:
		return "database-changed"
	case Cloud:
		return "cloud-changed"
	case Cluster:
		return "cluster-changed"
	case Install:
		return "package-installed"
	default: // Execute: whoever found it says what is run
		return ""
	}
}

func (a *analysis) readRule(e noted) string {
	if e.Target == "" {
		return "read-computed"
	}
	where := a.paths.area(e.Target)
	switch {
	case where == inEngine:
		return "engine-touched"
	case e.device:
		return "path-strange"
	case !e.names && (where == inCredentials || sensitive(e.Target)):
		return "secret-read"
	case !e.names && (e.pattern || e.recursive) && a.paths.holdsEngine(e.Target):
		return "engine-named"
	case !e.names && e.broad:
		return "read-everything"
	case where == inWorkspace, where == inTemp, where == inDevice, e.Target == a.paths.project:
		return "read-in-project"
	case isPublic(e.Target):
		return "read-public"
	default:
		return "read-outside"
	}
}

func (a *analysis) writeRule(e noted) string {
	if e.Target == "" {
		return "write-computed"
	}
	where := a.paths.area(e.Target)
	switch {
	case where == inEngine, (e.pattern || e.recursive) && a.paths.holdsEngine(e.Target):
		return "engine-touched"
	case e.device:
		return "path-device"
	case where == inDevice:
		return ""
	case isTemporary(e.Target):
		return "write-in-project" // into it: nothing takes the place of a folder in use
	case where == atRoot, where == inSystem:
		return "write-system"
	case where == inHomeItself && e.Target != a.paths.project:
		return "write-home"
	case where == inCredentials:
		return "write-credentials"
	case isTrail(e.Target):
		return "trail-hidden"
	case e.Kind == Configure, !e.rights && !e.folder && a.configures(e.Target):
		return "runs-later"
	case !e.folder && isMetadata(a.paths.within(e.Target)):
		return "write-metadata"
	case sensitive(e.Target):
		return "write-secret"
	case e.broad:
		return "write-pattern"
	case where == inWorkspace, where == inTemp, e.Target == a.paths.project:
		return "write-in-project"
	default:
		return "write-outside"
	}
}

func (a *analysis) deleteRule(e noted) string {
	switch {
	case e.Target == "" && e.piped:
		return "delete-piped"
	case e.Target == "":
		return "delete-computed"
	}
	where := a.paths.area(e.Target)
	if rule := a.deleteGuard(e, where); rule != "" {
		return rule
	}
	switch {
	case e.moved:
		return a.moveRule(e, where)
	case e.empty && where == inWorkspace && !e.unsure && !isMetadata(a.paths.within(e.Target)):
		return "delete-empty"
	case e.unsure:
		return "delete-unsure"
	case e.piped:
		return "delete-piped"
	case e.nested:
		return "delete-nested"
	case isMetadata(a.paths.within(e.Target)):
		return "delete-metadata"
	case e.pattern:
		return "delete-pattern"
	case a.created(e.Target):
		return "delete-created"
	case where == inTemp:
		return "delete-in-temp"
	case where == inWorkspace:
		return "delete-unproven"
	default:
		return "delete-outside"
	}
}

// deleteGuard is the rule about what is never deleted.
func (a *analysis) deleteGuard(e noted, where area) string {
	switch where {
	case inEngine:
		return "engine-touched"
	case atRoot:
		return "delete-root"
	case inHomeItself:
		return "delete-home"
	case inSystem, inDevice:
		return "delete-system"
	case inCredentials:
		return "delete-credentials"
	case workspaceItself:
		if !e.pattern || e.Target != a.paths.workspace {
			return "delete-workspace"
		}
	}
	switch {
	case e.device:
		return "path-device"
	case isTemporary(e.Target) && !e.pattern:
		return "delete-system"
	case isTrail(e.Target):
		return "trail-hidden"
	case a.paths.holdsEngine(e.Target):
		return "engine-touched"
	default:
		return ""
	}
}

// moveRule is about what is moved away, and was not refused for where it lies.
func (a *analysis) moveRule(e noted, where area) string {
	switch {
	case isMetadata(a.paths.within(e.Target)):
		return "delete-metadata"
	case where == inWorkspace || where == inTemp || where == workspaceItself:
		return "moved"
	default:
		return "moved-away"
	}
}
