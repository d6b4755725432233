package effects

// judge says what is to be said of an effect by itself: where its target lies, and
// what may be done there. What a program does besides is its recogniser's to say.
func (a *analysis) judge(e noted) {
	if rule := a.ruleOf(e); rule != "" {
		a.say(rule, e.Span, e.Target)
	}
}

func (a *analysis) ruleOf(e noted) string {
	switch e.Kind {
	case Read:
		return a.readRule(e)
	case Write, Create, Configure:
		return a.writeRule(e)
	case Delete:
		return a.deleteRule(e)
	case SecretRead:
		return "secret-read"
	case Send:
		return "network-send"
	case Receive:
		return "network-fetch"
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
	case e.names:
	case where == inCredentials || sensitive(e.Target):
		return "secret-read"
	case e.broad:
		return "read-everything"
	}
	switch where {
	case workspaceItself:
		if e.Target == a.paths.workspace {
			return "read-in-project"
		}
	case inWorkspace, inTemp, inDevice:
		return "read-in-project"
	}
	if isPublic(e.Target) {
		return "read-public"
	}
	return "read-outside"
}

func (a *analysis) writeRule(e noted) string {
	if e.Target == "" {
		return "write-computed"
	}
	where := a.paths.area(e.Target)
	switch where {
	case inEngine:
		return "engine-touched"
	case inDevice:
		return ""
	case atRoot, inSystem:
		return "write-system"
	case inHomeItself:
		return "write-home"
	case inCredentials:
		return "write-credentials"
	}
	switch {
	case e.Kind == Configure || runsLater(e.Target) && !e.rights:
		return "runs-later"
	case isMetadata(e.Target):
		return "write-metadata"
	case sensitive(e.Target):
		return "write-secret"
	case e.broad:
		return "write-pattern"
	case where == inWorkspace || where == inTemp || where == workspaceItself && e.Target == a.paths.workspace:
		return "write-in-project"
	default:
		return "write-outside"
	}
}

func (a *analysis) deleteRule(e noted) string {
	if e.Target == "" {
		return "delete-computed"
	}
	where := a.paths.area(e.Target)
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
	case a.paths.holdsEngine(e.Target):
		return "engine-touched"
	case e.moved:
		return a.moveRule(e, where)
	case e.empty && where == inWorkspace && !isMetadata(e.Target):
		return "delete-empty"
	case isMetadata(e.Target):
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

// moveRule is about what is moved away, and was not refused for where it lies.
func (a *analysis) moveRule(e noted, where area) string {
	switch {
	case isMetadata(e.Target):
		return "delete-metadata"
	case where == inWorkspace || where == inTemp || where == workspaceItself:
		return "moved"
	default:
		return "moved-away"
	}
}
