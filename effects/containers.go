package effects

// containerPrograms work on containers of this machine, or of one that it is told to.
func containerPrograms() map[string]program {
	return map[string]program{
		"docker":         docker.program(),
		"docker-compose": compose.program(),
		"podman":         docker.program(),
		"podman-compose": compose.program(),
		"nerdctl":        docker.program(),
		"crictl":         crictl.program(),
		"ctr":            ctr.program(),
		"skopeo":         skopeo.program(),
		"lxc":            lxc.program(),
		"incus":          lxc.program(),
		"buildah":        buildah.program(),
		"hadolint":       {explainLinter},
		"dive":           {explainLinter},
	}
}

const dockerVerbs = `
asks: ps images logs inspect version info top stats port diff events history search --version
asks config: ls list
asks container|image|volume|network|context|node|service|stack|secret|plugin|pod|machine|manifest|swarm: ls list inspect ps history
asks container: logs top stats port diff wait exists
asks image: history exists tree
asks service|pod: logs top stats
asks system: df info events version
asks builder: ls inspect
asks buildx: ls inspect du version
asks buildx history: ls inspect logs
asks buildx imagetools: inspect
changes buildx imagetools: create
asks trust: inspect
asks context: show
asks scout: quickview cves compare
asks compose: ps images ls logs config top port version events stats convert
asks machine: info
fetches: pull
fetches image: pull
fetches compose: pull
prepares: build
prepares image: build
prepares builder: build
prepares compose: build
prepares buildx: build bake
special: run create exec cp
special container: run create exec cp
special compose: run exec cp up
changes: start stop restart pause unpause rename update tag commit wait attach init unshare mount unmount umount play generate kube healthcheck auto-update
changes container: start stop restart pause unpause rename update commit attach checkpoint restore export
changes image: tag load import mount unmount
changes: load import
changes volume|network|context|secret|config|swarm|service|node|plugin|stack|pod|machine|manifest: create update connect disconnect use import init join leave unlock promote demote scale rollback deploy start stop restart enable disable set annotate add push install upgrade ca unlock-key join-token
changes compose: start stop restart pause unpause create scale watch attach wait publish
changes buildx: create use stop
destroys: rm rmi kill
destroys container|image|volume|network|builder|buildx|system|context|node|service|stack|secret|config|plugin|pod|machine|manifest|compose: rm prune remove reset kill down
destroys pod: kill
destroys container: kill cleanup
destroys system: migrate renumber
uploads: push
uploads image: push
uploads compose: push
uploads context: export
uploads trust: sign
special: save export
special image: save
runs system: connection service
runs machine: ssh
runs context: run
runs swarm: unlock-key
shares swarm: unlock-key join-token
shares config: inspect
account: login logout
`

const composeVerbs = `
asks: ps images ls logs config top port version events stats convert --version
fetches: pull
prepares: build
special: run exec cp up
changes: start stop restart pause unpause create scale watch attach wait publish
destroys: rm kill down
uploads: push
`

var dockerGlobals = spec{
	short: "H:c:l:Dv",
	long:  "host= context= config= log-level= debug tls tlsverify tlscacert= tlscert= tlskey= connection= url= root= namespace= file= project-name= project-directory= profile= env-file= ansi= progress= parallel= compatibility all-resources version address= cgroup-manager= remote",
}

var docker = &service{
	kind: Cluster, helps: true, verbs: verbsOf(dockerVerbs),
	spec:    spec{short: dockerGlobals.short + "f:p:n:a:", long: dockerGlobals.long},
	dry:     "--dry-run --print --check",
	quiet:   "--no-cache --force-rm --rm --push-by-digest --cache-from --cache-to --security-opt",
	written: "--iidfile --metadata-file --cidfile",
	run:     "--allow --ssh --privileged",
	bare:    asks,
	specials: map[string]func(*request) bool{
		"run": runContainer, "create": runContainer, "container run": runContainer, "container create": runContainer,
		"exec": execContainer, "container exec": execContainer, "compose exec": execContainer, "compose run": runContainer, "compose up": composeUp,
		"cp": copyContainer, "container cp": copyContainer, "compose cp": copyContainer,
		"save": saveImage, "export": saveImage, "image save": saveImage,
	},
	refine: refineDocker,
}

var compose = &service{
	kind: Cluster, helps: true, verbs: verbsOf(composeVerbs), spec: docker.spec, dry: "--dry-run", quiet: docker.quiet, bare: asks,
	specials: map[string]func(*request) bool{"exec": execContainer, "run": runContainer, "up": composeUp, "cp": copyContainer},
	refine:   refineDocker,
}

var buildah = &service{
	kind: Cluster, bare: asks, verbs: verbsOf(`
asks: images containers info inspect version
fetches: pull
prepares: bud build from
changes: add copy config commit tag rename mount umount unmount run
destroys: rm rmi prune
uploads: push
account: login logout
`),
}

var crictl = &service{
	kind: Cluster, bare: asks, spec: spec{short: "r:i:t:c:D", long: "runtime-endpoint= image-endpoint= timeout= config= debug"}, verbs: verbsOf(`
asks: ps pods images img logs inspect inspecti inspectp imagefsinfo info stats statsp version config events
fetches: pull
runs: exec attach port-forward run runp
changes: create start update update-runtime-config checkpoint
destroys: stop stopp rm rmp rmi
`),
}

var ctr = &service{
	kind: Cluster, bare: asks, spec: spec{short: "a:n:", long: "address= namespace= timeout= connect-timeout= debug"}, verbs: verbsOf(`
asks: version
asks c|container|containers|i|image|images|t|task|tasks|ns|namespace|namespaces|snapshot|snapshots|content|leases|plugins|plugin: ls list info usage metrics ps check
fetches images|image|i: pull
runs t|task|tasks: exec attach start
runs: run
changes c|container|containers|i|image|images|t|task|tasks|ns|namespace|namespaces|snapshot|snapshots|content|leases: create label tag import mount unpack pause resume
uploads images|image|i: push export
destroys c|container|containers|i|image|images|t|task|tasks|ns|namespace|namespaces|snapshot|snapshots|content|leases: rm delete del remove kill prune
`),
}

var skopeo = &service{
	kind: Cluster, bare: asks, spec: spec{long: "debug policy= registries.d= tmpdir= command-timeout= insecure-policy override-arch= override-os="}, verbs: verbsOf(`
asks: inspect list-tags manifest-digest
changes: copy sync standalone-sign standalone-verify
destroys: delete
account: login logout
`),
}

var lxc = &service{
	kind: Cluster, bare: asks, spec: spec{short: "qv", long: "debug force-local project= quiet verbose"}, verbs: verbsOf(`
asks: list ls info version monitor
asks image|network|profile|project|storage|remote|cluster|config|snapshot|operation|warning: list ls show info get
runs: exec shell console
changes: launch init start stop restart pause copy move rename snapshot restore publish import rebuild
changes image|network|profile|project|storage|remote|cluster|config: create set edit add unset copy attach detach import switch device assign rename refresh export
uploads: export
uploads file: push
changes file: pull edit create mount
destroys: delete rm
destroys image|network|profile|project|storage|remote|cluster|config|file|snapshot: delete rm remove
`),
}

// explainLinter is a program that only looks at files it is given.
func explainLinter(in *invocation) bool {
	for _, w := range in.args {
		text, known := w.Value()
		if !known || loud(text) {
			return false
		}
		if text != "" && text[0] != '-' {
			in.touches(Read, w)
		}
	}
	return true
}

// explainAsks is a program that only asks a service.
func explainAsks(in *invocation) bool {
	for _, w := range in.args {
		if text, known := w.Value(); known && loud(text) {
			return false
		}
	}
	in.say("service-asked", in.span(in.Span), in.name)
	return true
}
