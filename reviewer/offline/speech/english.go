package speech

func english() *Language {
	return &Language{
		Code: "en", Name: "English", Traits: Traits{SubjectFirst: true}, Frequent: commonEnglish,
		Kinds: map[string]string{
			"tests":    "test|tests|test file|test files|test suite|tests folder|test folder|specs|spec files|unit tests|integration tests|test code|fixtures",
			"docs":     "docs|doc files|documentation|the readme|docs folder|manual|the guide|guides",
			"settings": "config|configs|configuration|config file|config files|config folder|settings|settings file|configuration files|configuration file",
			"sources":  "source files|source code|sources|the source",
		},
		Actions: englishActions, Refusals: englishRefusals(), Orders: englishOrders(),
	}
}

var englishActions = map[string]Action{
	"use": {Orders: "use|call|run|invoke", Names: "using|use of|usage of|calls to", Links: "with|on|for|to|argument|arguments"},
	"read": {
		Orders: "read|open|show|view|inspect|print|cat|take a look at|look at|look into|check|display", Done: "read|opened|viewed|looked at|inspected",
		Names: "reading|opening|viewing|looking at|inspecting|peeking at|reads", Wide: "access|peek at|peek into|look inside|browse",
	},
	"change": {
		Orders: "write|edit|change|modify|update|create|overwrite|add|adjust|rewrite|write to|touch|alter",
		Done:   "written|edited|changed|modified|updated|overwritten|adjusted|rewritten|touched|altered|written to|reformatted|moved|renamed|refactored|tampered with",
		Names:  "diff|diffs|editing|edits|edit|changing|changes|change|modifying|modifications|modification|touching|altering|alterations|writing|writes|writing to|updating|updates|rewriting|overwriting|refactoring|refactorings|renaming|renames|moving|formatting|reformatting|file changes|code changes|file edits|tampering|patching|patches|implementation work",
		Wide:   "mess with|mess around with|mess up|fiddle with|tinker with|tamper with|play with|meddle with|patch|amend|refactor|rename|move|reformat|format|rewrite|save|save to|apply|lay a finger on|put your hands on|mutate|clobber|implement|fix|work on|introduce|insert|replace|swap|restructure|reorganize|reorganise|migrate|convert|clean up|tidy up|improve|polish|bump|revert|make|put|set|undo|modernize|optimize|mess|messing with|messing|disturb|write code|write any code|start coding|change code|alter|convert",
	},
	"create": {
		Orders: "create new files|generate", Done: "created|generated",
		Names: "new files|new file|any new files|any new file|creating|new folders|new documents|additional files|extra files|generating files",
		Wide:  "create any new files|create new|add new files|create files|create additional files|create a new file|create extra files|add files|add any files|create a file|make new files",
	},
	"delete": {
		Orders: "delete|remove|rm|erase|unlink|get rid of|drop|trash|bin|ditch|wipe|throw away|throw out|nuke|kill off|discard|clean up|scrap|purge|dispose of|approve the deletion of|i approve the deletion of|proceed with the deletion of|go ahead with the deletion of|proceed with deleting|i'm ok with deleting|i'm okay with deleting|i'm fine with deleting|i'm fine with you deleting|i'm ok with you deleting|i'm okay with you deleting|i am fine with you deleting|i am ok with deleting|go ahead with deleting|i approve deleting|take out|zap|clear out|clear",
		Done:   "deleted|removed|erased|unlinked|dropped|trashed|wiped|thrown away|thrown out|discarded|scrapped|purged|got rid of|gotten rid of|binned|ditched|nuked|cleaned up|destroyed|lost",
		Names:  "deleting|deletion|deletions|removing|removal|removals|erasing|wiping|dropping|purging|cleaning up|cleanup|deletes|throwing away|discarding", Wide: "destroy|clean|wip*|lose|blow away|kill",
	},
	"run": {
		Orders: "run|execute|launch", Done: "run|executed|launched", Names: "running|execution|executing|commands|command|shell|the shell|shell commands|terminal|the terminal|terminal commands|scripts",
		Wide: "start|fire up|invoke|spin up",
	},
	"test":   {Orders: "run the tests|run tests|test|run all tests|run the test suite|run the unit tests", Names: "testing|test runs", Done: "tested"},
	"build":  {Orders: "build|compile|run the build", Names: "building|compiling|builds", Done: "built|compiled"},
	"commit": {Orders: "commit|check in|git commit", Done: "committed", Names: "uncommitted|unstaged|committing|commits|a commit|commit", Wide: "commit*|git commit|stage|git add|stash|tag"},
	"branch": {Wide: "create any branches|create a branch|create branches|create a new branch|create new branches|create any new branches|create any branch|switch branches|change branches|switch to another branch|switch branch|branch off|leave the branch", Names: "new branches|new branch|creating branches|branching"},
	"push":   {Orders: "push|git push|push up", Done: "pushed", Names: "unpushed|pushing|pushes|force push|force pushing|force pushes", Wide: "force push|upload|ship", Links: "to|onto|into|up to"},
	"install": {
		Orders: "install|add|npm install|pip install|pull in", Done: "installed|added", Names: "installing|installs|installation|dependency|dependencies|new packages|packages|new dependencies|new dependency|a new dependency|package|library|libraries|new libraries|third party packages|upgrades|adding dependencies|adding packages",
		Wide:  "upgrade|npm install|pip install|add dependencies|add packages|add any dependencies|add new dependencies|add any new dependencies|add a dependency|add a new dependency|bring in|pull in|add libraries",
		Links: "with|using|via|from|through",
	},
	"publish": {Orders: "publish|release", Done: "published|released", Names: "publishing|releasing|publication|releases|a release", Wide: "upload|cut a release|tag a release"},
	"deploy":  {Orders: "deploy|roll out", Done: "deployed|rolled out", Names: "deploying|deployment|deployments|deploys|rollout|rollouts", Wide: "ship|go live"},
	"send": {
		Orders: "send|upload|copy|transfer", Done: "sent|uploaded|copied|shared|transferred|posted", Names: "sending|uploading|uploads|sharing|posting|network|the network|internet|the internet|online|network access|network calls|network requests|external requests|emails|requests to",
		Wide: "post|share|send out|email|mail|network|internet|online|leak|expose", Links: "to|with|onto|into",
	},
	"fetch":    {Orders: "", Done: "downloaded|fetched", Names: "stay offline|work offline|remain offline|downloading|downloads|fetching|network|the network|internet|the internet|online|network access|network calls|network requests|external requests|web access|curl|wget", Wide: "download|fetch|network|internet|online|curl|wget|browse the web|go online|hit the network|access the network|access the internet"},
	"remove":   {Orders: "delete|remove|drop|destroy|uninstall|tear down|take down|get rid of|kill", Done: "gone|deleted|removed|dropped|destroyed|uninstalled|torn down|taken down", Names: "dropping|destroying|uninstalling", Wide: "uninstall|destroy|wip*|purg*"},
	"halt":     {Orders: "stop|shut down|shut off|bring down|halt|turn off", Done: "stopped|shut down|turned off|halted", Names: "stopping|shutting down|shutdown", Wide: "shut down|take down|stop the"},
	"start":    {Orders: "start|start up|bring up|launch|turn on|boot|spin up", Done: "started|launched", Names: "starting|launching", Wide: "start the"},
	"restart":  {Orders: "restart|reboot|bounce|reload|cycle", Done: "restarted|rebooted|bounced|reloaded", Names: "restarting|restarts|rebooting|a restart", Wide: "restart*|reboot*"},
	"kill":     {Orders: "kill|terminate|end|stop|shut down|force quit|quit", Done: "killed|terminated|ended|stopped", Names: "killing|terminating|signals", Wide: "kill*|terminat*|signal"},
	"merge":    {Orders: "merge", Done: "merged", Names: "merging|merges", Wide: "merg*"},
	"close":    {Orders: "close", Done: "closed", Names: "closing", Wide: "clos*"},
	"rebase":   {Orders: "rebase", Done: "rebased", Names: "rebasing|rebases", Wide: "rebas*", Links: "on|onto"},
	"truncate": {Orders: "truncate|empty|clear out|clear", Done: "truncated|emptied|cleared", Names: "truncating|emptying", Wide: "truncat*"},
	"rewrite":  {Names: "force|history|the history|force push|force pushing|rewriting history|amending", Wide: "rebas*|rewrite history|force push|force*|amend|squash|reset"},
	"operate":  {Names: "database|the database|databases|cloud|cluster|the cluster|production|prod|services|servers|containers|migrations|the server|the production database", Wide: "deploy*|migrate|provision"},
	"work": {
		Orders: "fix|refactor|tidy up|clean up|improve|implement|finish|complete|review|format|document|update|check|verify|debug|rename|move|rewrite|simplify|extract|port|polish|do|make|look at|look into|work on|handle|start with|continue with|regenerate|rebuild|stage|git add|save|keep going with",
	},
}
