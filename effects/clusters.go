package effects

import "strings"

// clusterPrograms work on clusters, and on what runs there.
func clusterPrograms() map[string]program {
	return map[string]program{
		"kubectl":     kubectl.program(),
		"k":           kubectl.program(),
		"oc":          kubectl.program(),
		"microk8s":    microk8s.program(),
		"helm":        helm.program(),
		"helmfile":    helmfile.program(),
		"kustomize":   kustomize.program(),
		"argocd":      argocd.program(),
		"argo":        argo.program(),
		"flux":        flux.program(),
		"istioctl":    istioctl.program(),
		"linkerd":     istioctl.program(),
		"minikube":    minikube.program(),
		"kind":        kind.program(),
		"k3d":         kind.program(),
		"velero":      velero.program(),
		"nomad":       nomad.program(),
		"consul":      consul.program(),
		"etcdctl":     etcdctl.program(),
		"eksctl":      eksctl.program(),
		"kops":        eksctl.program(),
		"kubeadm":     kubeadm.program(),
		"kubectx":     contexts.program(),
		"kubens":      contexts.program(),
		"stern":       {explainAsks},
		"skaffold":    skaffold.program(),
		"kubeconform": {explainLinter},
		"kubeval":     {explainLinter},
	}
}

var kubectl = &service{
	kind: Cluster, helps: true, bare: asks, dry: "--dry-run",
	spec: spec{
		short: "n:s:v:A",
		long: "namespace= context= cluster= user= server= kubeconfig= token= as= as-group= as-uid= request-timeout= v= certificate-authority= client-certificate= client-key= " +
			"insecure-skip-tls-verify tls-server-name= cache-dir= match-server-version password= username= profile= profile-output= all-namespaces log-file= logtostderr warnings-as-errors",
	},
	quiet: "--show-managed-fields --server-print --field-manager --force-conflicts",
	run:   "--raw",
	verbs: verbsOf(`
asks: get describe logs top explain diff events version api-resources api-versions cluster-info wait options completion status whoami projects
asks rollout: status history
asks auth: can-i whoami
asks config: view current-context get-contexts get-clusters get-users
asks plugin: list
asks certificate: list
prepares: kustomize
changes: apply create replace patch edit scale autoscale cordon uncordon label annotate expose taint set run new-app new-project start-build tag import-image
changes rollout: restart undo pause resume latest retry cancel
changes apply: view-last-applied set-last-applied edit-last-applied
changes certificate: approve deny
changes auth: reconcile
changes config: set set-context set-cluster set-credentials use-context use rename-context unset
changes adm: policy cordon uncordon taint upgrade certificate groups new-project prune drain
destroys: delete drain
destroys config: delete-context delete-cluster delete-user
runs: exec attach port-forward proxy debug rsh ssh
special: cp rsync
account: login logout
`),
	refine:   refineKubectl,
	specials: map[string]func(*request) bool{"cp": copyContainer, "rsync": copyContainer},
}

// refineKubectl tells secrets from other objects.
func refineKubectl(r *request) act {
	if r.act != asks {
		return r.act
	}
	secret, output := false, false
	for _, w := range r.rest {
		text, known := w.Value()
		if !known {
			text = w.Prefix()
		}
		switch {
		case text != "" && text[0] == '-':
			output = output || strings.HasPrefix(text, "-o") || strings.HasPrefix(text, "--output") || strings.HasPrefix(text, "--template")
			if strings.HasPrefix(text, "--raw") && r.verb == "config view" {
				return shares
			}
		default:
			secret = secret || namesSecret(text)
		}
	}
	if secret && output && r.verb != "explain" && r.verb != "wait" {
		return shares
	}
	return r.act
}

// namesSecret reports whether kinds of objects are named, and secrets are among them.
func namesSecret(text string) bool {
	for kind := range strings.SplitSeq(text, ",") {
		kind, _, _ = strings.Cut(kind, "/")
		kind, _, _ = strings.Cut(kind, ".")
		if kind = strings.ToLower(kind); kind == "secret" || kind == "secrets" || kind == "all-secrets" {
			return true
		}
	}
	return false
}

var helm = &service{
	kind: Cluster, helps: true, bare: asks, dry: "--dry-run",
	spec:    spec{short: "n:", long: "namespace= kube-context= kubeconfig= kube-apiserver= kube-token= kube-as-user= debug registry-config= repository-cache= repository-config= burst-limit= kube-ca-file= kube-insecure-skip-tls-verify"},
	quiet:   "--set --set-string --set-file --set-json --set-literal --create-namespace --install --force --update-strategy --atomic --cleanup-on-fail --dependency-update --no-hooks --skip-schema-validation",
	written: "--output-dir -d --destination --untardir",
	run:     "--post-renderer --post-renderer-args",
	verbs: verbsOf(`
asks: list ls status history version env verify completion
asks get: all hooks manifest metadata notes values
asks show|inspect: all chart crds readme values
asks repo: list ls
asks search: repo hub
asks plugin: list ls
asks dependency|dep: list ls
asks diff: upgrade release revision rollback
prepares: template lint package create
prepares dependency|dep: build update up
fetches: pull fetch
changes: install upgrade rollback
changes repo: add update remove rm index
runs: test
destroys: uninstall delete del un
uploads: push
installs plugin: install update uninstall add rm
account registry: login logout
shares secrets: decrypt view dec
changes secrets: encrypt edit enc
`),
}

var helmfile = &service{
	kind: Cluster, bare: asks,
	spec: spec{short: "f:e:l:n:q", long: "file= environment= selector= namespace= log-level= kube-context= state-values-set= state-values-file= quiet no-color color debug helm-binary= chart="},
	verbs: verbsOf(`
asks: list diff status version
prepares: template lint build deps fetch
changes: apply sync repos cache
runs: test
destroys: destroy delete
`),
}

var kustomize = &service{
	kind: Cluster, bare: asks, written: "-o --output", run: "--enable-exec --enable-alpha-plugins --network", verbs: verbsOf(`
asks: version
prepares: build localize
prepares cfg: cat count grep tree
changes: create
changes edit: add set remove fix
`),
}

var argocd = &service{
	kind: Cluster, bare: asks, dry: "--dry-run",
	spec: spec{long: "server= auth-token= insecure grpc-web grpc-web-root-path= config= core plaintext server-crt= argocd-context= loglevel= logformat= header= port-forward port-forward-namespace="},
	verbs: verbsOf(`
asks: version context
asks app|appset|project|proj|cluster|repo|repocreds|account|cert|gpg: list get diff history logs manifests resources wait get-user-info can-i
changes app|appset|project|proj|cluster|repo|repocreds|account|cert|gpg: create set unset sync patch patch-resource edit add rollback rotate-auth update-password generate-token add-source remove-source
changes project|proj: add-source add-destination add-role remove-source remove-destination allow-cluster-resource deny-cluster-resource
runs app: actions
destroys app: delete delete-resource terminate-op
destroys appset|project|proj|cluster|repo|repocreds|account|cert|gpg: delete rm delete-token
runs: admin
account: login logout relogin
`),
}

var argo = &service{
	kind: Cluster, bare: asks, spec: spec{short: "n:", long: "namespace= context= kubeconfig="}, verbs: verbsOf(`
asks: list get logs lint version watch wait
asks template|cron|cluster-template|archive: list get lint
changes: submit resubmit retry resume suspend node
changes template|cron|cluster-template: create update suspend resume
destroys: delete stop terminate
destroys template|cron|cluster-template|archive: delete
`),
}

var flux = &service{
	kind: Cluster, bare: asks, spec: spec{short: "n:", long: "namespace= context= kubeconfig= timeout= verbose"}, verbs: verbsOf(`
asks: check get logs stats tree trace events version diff completion
asks build: kustomization artifact
asks list: artifacts artifact
asks export: source kustomization helmrelease alert image receiver
changes: reconcile suspend resume create bootstrap install push tag
destroys: delete uninstall
`),
}

var istioctl = &service{
	kind: Cluster, bare: asks, dry: "--dry-run", spec: spec{short: "n:i:", long: "namespace= context= kubeconfig= istioNamespace= linkerd-namespace= vklog= verbose"}, verbs: verbsOf(`
asks: version analyze proxy-status ps verify-install validate check stat edges routes tap top diagnostics identity completion
asks proxy-config|pc: all bootstrap cluster endpoint listener log route rootca ecds
asks x|experimental: describe precheck authz metrics wait
asks manifest|profile: generate list dump diff
prepares: kube-inject inject
shares proxy-config|pc: secret
changes: install upgrade tag
changes manifest: install
runs: dashboard bug-report admin viz
destroys: uninstall
`),
}

var minikube = &service{
	kind: Cluster, bare: asks, spec: spec{short: "p:v:", long: "profile= alsologtostderr v= bootstrapper="}, verbs: verbsOf(`
asks: status version logs ip profile update-check
asks addons|image|node|profile: list ls
asks config: view get
asks service: list
changes: start stop pause unpause mount update-context cp
changes addons|image|node|config: enable disable configure load build pull add start stop set unset tag
destroys: delete
destroys image|node: rm delete
runs: ssh kubectl tunnel dashboard service docker-env
`),
}

var kind = &service{
	kind: Cluster, bare: asks, spec: spec{short: "v:q", long: "verbosity= quiet"}, verbs: verbsOf(`
asks: version
asks get: clusters nodes
asks cluster|node|registry|image: list ls
shares get|kubeconfig: kubeconfig get
changes create|load|build: cluster docker-image image-archive node-image
changes cluster|node|registry|image|kubeconfig: create start stop import edit merge
changes export: kubeconfig logs
destroys delete: cluster clusters
destroys cluster|node|registry: delete
`),
}

var velero = &service{
	kind: Cluster, bare: asks, spec: spec{short: "n:", long: "namespace= kubecontext= kubeconfig= features="}, verbs: verbsOf(`
asks: version get describe client
asks backup|restore|schedule|plugin|backup-location|snapshot-location|repo|snapshot: get describe logs
changes: create install set
changes backup|restore|schedule|plugin|backup-location|snapshot-location|repo: create add set pause unpause download remove
destroys: delete uninstall
destroys backup|restore|schedule|backup-location|snapshot-location|snapshot|plugin|repo: delete
`),
}

var nomad = &service{
	kind: Cluster, bare: asks, spec: spec{oneDash: true, long: "address= region= namespace= token= ca-cert= client-cert= client-key= tls-server-name= tls-skip-verify no-color"}, verbs: verbsOf(`
asks: status logs version ui plan validate inspect monitor agent-info
asks job: status plan inspect validate history deployments allocs eval-list
asks node|alloc|deployment|eval|namespace|acl|volume|system|server|quota|service|scaling|var|operator: status list info logs fs members read
prepares: fmt
prepares job: init
changes: run init
changes job: run dispatch periodic promote revert scale start restart action
changes node|deployment|namespace|volume|system|quota|server|var|operator: apply drain eligibility promote resume pause unblock register create attach set put init lock join
runs: exec agent
runs alloc: exec
destroys: stop
destroys job|alloc|node|namespace|deployment|volume|system|quota|service|var|eval|operator: stop purge delete fail detach deregister gc reconcile force-leave
changes alloc: restart signal
changes acl: bootstrap policy token role
`),
}

var consul = &service{
	kind: Cluster, bare: asks, spec: spec{oneDash: true, long: "http-addr= token= token-file= ca-file= datacenter= namespace= partition= stale"}, verbs: verbsOf(`
asks: members info version validate monitor rtt
asks catalog: datacenters nodes services
asks config: list read
asks intention: list get check match
asks acl|namespace|partition|peering|snapshot|resource: list read inspect
shares kv: get export
changes kv|config|intention|acl|namespace|partition|peering|services|connect|snapshot|keyring|operator|login|tls: put write create update register import set-config save restore bootstrap raft autopilot ca
changes: join maint reload event
runs: exec lock watch agent debug
destroys kv|config|intention|acl|namespace|partition|peering|services: delete deregister
destroys: leave force-leave
account: login logout
`),
}

var etcdctl = &service{
	kind: Cluster, bare: asks, spec: spec{short: "w:", long: "endpoints= cacert= cert= key= user= password= write-out= command-timeout= dial-timeout= debug hex insecure-skip-tls-verify insecure-transport"}, verbs: verbsOf(`
asks: version
asks endpoint|member|alarm|user|role|snapshot|lease|auth: health status hashkv list get timetolive
shares: get watch
changes: put txn compaction defrag move-leader lock elect migrate make-mirror check
changes member|user|role|snapshot|lease|auth|alarm: add update promote grant-role grant-permission passwd save restore grant keep-alive enable
destroys: del
destroys member|user|role|alarm|lease|auth: remove delete revoke revoke-role revoke-permission disarm disable
`),
}

var eksctl = &service{
	kind: Cluster, bare: asks, dry: "--dry-run", spec: spec{short: "v:", long: "verbose= color= profile= region= state= name= config="}, verbs: verbsOf(`
asks: version info get validate
shares export: kubeconfig kubecfg
changes: create update upgrade scale enable set unset drain associate disassociate register deregister toolbox rolling-update replace edit export promote anywhere utils
destroys: delete
`),
}

var kubeadm = &service{
	kind: Cluster, bare: asks, verbs: verbsOf(`
asks: version
asks config: print
asks certs: check-expiration
asks upgrade: plan diff
asks token: list
changes: init join
changes config|certs|upgrade|token|kubeconfig: migrate renew apply node create generate user pull
destroys: reset
destroys token: delete
`),
}

var contexts = &service{kind: Cluster, bare: asks, verbs: verbsOf(``)}

var skaffold = &service{
	kind: Cluster, bare: asks, verbs: verbsOf(`
asks: version diagnose schema
prepares: render fix init
prepares: build
changes: run dev deploy apply debug
destroys: delete
runs: exec verify test
`),
}

var microk8s = &service{
	kind: Cluster, bare: asks, verbs: verbsOf(`
asks: status version inspect
asks kubectl: get describe logs top version
changes: start stop enable disable reset
shares: config
`),
}
