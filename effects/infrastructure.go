package effects

import "strings"

// infrastructurePrograms build, change and tear down what other programs run on.
func infrastructurePrograms() map[string]program {
	return map[string]program{
		"terraform":         terraform.program(),
		"tofu":              terraform.program(),
		"terragrunt":        terragrunt.program(),
		"terraform-docs":    {explainLinter},
		"tflint":            {explainLinter},
		"pulumi":            pulumi.program(),
		"cdk":               cdk.program(),
		"cdktf":             cdk.program(),
		"sam":               sam.program(),
		"serverless":        serverless.program(),
		"sls":               serverless.program(),
		"packer":            packer.program(),
		"vagrant":           vagrant.program(),
		"ansible":           {explainAnsible},
		"ansible-playbook":  {explainAnsible},
		"ansible-pull":      {explainAnsible},
		"ansible-vault":     ansibleVault.program(),
		"ansible-galaxy":    ansibleGalaxy.program(),
		"ansible-inventory": {explainAsks},
		"ansible-doc":       {explainAsks},
		"ansible-lint":      {explainLinter},
		"salt":              {explainRemoteAdmin},
		"salt-call":         {explainRemoteAdmin},
		"salt-ssh":          {explainRemoteAdmin},
		"salt-run":          {explainRemoteAdmin},
		"puppet":            puppet.program(),
		"knife":             knife.program(),
		"chef-client":       {explainRemoteAdmin},
		"bolt":              {explainRemoteAdmin},
		"pssh":              {explainRemoteAdmin},
		"pdsh":              {explainRemoteAdmin},
		"clush":             {explainRemoteAdmin},
		"crossplane":        crossplane.program(),
		"aws-vault":         awsVault.program(),
	}
}

var terraform = &service{
	kind: Cloud, helps: true, bare: asks,
	spec:    spec{oneDash: true, long: "chdir= version help"},
	quiet:   "-lock -refresh -refresh-only -destroy -replace -upgrade -reconfigure -detailed-exitcode -write -check -update",
	written: "-out -generate-config-out",
	run:     "-plugin-dir",
	verbs: verbsOf(`
asks: version show output graph providers metadata modules
asks providers: schema
prepares providers: lock
changes providers: mirror
asks state: list show
asks workspace: list show
prepares: fmt validate get init plan
prepares workspace: select
shares state: pull
changes: apply import taint untaint refresh test query
changes state: mv push replace-provider
changes workspace: new
runs: console
destroys: destroy force-unlock
destroys state: rm
destroys workspace: delete
account: login logout
`),
	refine: refineTerraform,
}

// refineTerraform looks at options that change what a verb does.
func refineTerraform(r *request) act {
	for _, w := range r.rest {
		text, known := w.Value()
		if !known {
			continue
		}
		text = strings.TrimPrefix(text, "-")
		switch {
		case r.verb == "init" && (strings.HasPrefix(text, "-migrate-state") || strings.HasPrefix(text, "-force-copy") || strings.HasPrefix(text, "migrate-state") || strings.HasPrefix(text, "force-copy")):
			return changes
		case r.verb == "init" && (strings.HasPrefix(text, "from-module") || strings.HasPrefix(text, "-from-module")):
			return fetches
		case (r.verb == "apply" || r.verb == "run-all apply") && strings.TrimPrefix(text, "-") == "destroy":
			return destroys
		}
	}
	return r.act
}

var terragrunt = &service{
	kind: Cloud, bare: asks,
	spec:  spec{oneDash: true, long: "terragrunt-config= terragrunt-working-dir= terragrunt-non-interactive working-dir= config= non-interactive log-level= terragrunt-log-level= chdir= no-color all"},
	quiet: terraform.quiet, written: terraform.written,
	verbs: verbsOf(`
asks: version show output graph providers graph-dependencies output-module-groups terragrunt-info find list
asks state|run-all|workspace: list show output
prepares: fmt validate get init plan hclfmt validate-inputs render-json
prepares run-all|plan-all|hcl: validate plan init fmt
changes: apply import taint untaint refresh apply-all
changes run-all|state|workspace: apply import mv push new select refresh
shares state: pull
destroys: destroy force-unlock destroy-all
destroys run-all|state|workspace: destroy rm delete
runs: console run exec
`),
	refine: refineTerraform,
}

var pulumi = &service{
	kind: Cloud, helps: true, bare: asks,
	spec: spec{short: "C:s:v:", long: "cwd= stack= verbose= color= non-interactive emoji logtostderr logflow tracing= disable-integrity-checking fully-qualify-stack-names"},
	verbs: verbsOf(`
asks: about version logs whoami console
asks stack: ls history output graph
asks plugin|org|policy|schema|package|state|deployment: ls get-default get-schema check
prepares: preview
shares stack: export
shares config: get
changes: up update refresh import cancel watch new install convert
changes stack: init select rename tag change-secrets-provider import unselect
changes config: set cp set-all refresh rm rm-all
changes state: rename move edit upgrade repair protect unprotect
installs plugin: install rm
destroys: destroy down
destroys stack: rm
destroys state: delete
account: login logout
shares env: get open
changes env: set edit init rm
`),
	refine: func(r *request) act {
		for _, w := range r.rest {
			if text, _ := w.Value(); text == "--show-secrets" {
				return shares
			}
		}
		return r.act
	},
}

var cdk = &service{
	kind: Cloud, bare: asks, spec: spec{short: "a:c:v", long: "app= context= profile= verbose debug output= region= stack="}, run: "-a --app --exec", verbs: verbsOf(`
asks: list ls diff metadata doctor docs notices version
prepares: synth synthesize synthesise get
changes: deploy bootstrap import watch migrate rollback context acknowledge ack refactor init
destroys: destroy gc
`),
}

var sam = &service{
	kind: Cloud, bare: asks, verbs: verbsOf(`
asks: logs list traces docs
prepares: validate build package
changes: deploy sync init publish pipeline
runs: local remote
destroys: delete
`),
}

var serverless = &service{
	kind: Cloud, bare: asks, spec: spec{short: "s:r:", long: "stage= region= aws-profile= config="}, verbs: verbsOf(`
asks: info logs metrics print help doctor diagnostics
asks deploy: list
prepares: package
changes: deploy create install rollback slstats
runs: invoke dev
installs plugin: install uninstall
destroys: remove
account: login logout
`),
}

var packer = &service{
	kind: Cloud, bare: asks, spec: spec{oneDash: true, long: "machine-readable version"}, quiet: "-write -check -diff", verbs: verbsOf(`
asks: version inspect
prepares: fmt validate fix
changes: build init hcl2_upgrade
runs: console
installs plugins: install remove
asks plugins: installed required
`),
}

var vagrant = &service{
	kind: Cluster, bare: asks, verbs: verbsOf(`
asks: status global-status version port ssh-config validate
asks box|plugin|snapshot: list outdated
changes: up halt suspend resume reload provision init package
changes box|snapshot: add update save restore push pop repackage
runs: ssh winrm rdp powershell upload share cloud push
destroys: destroy
destroys box|snapshot: remove delete prune
installs plugin: install uninstall update repair
account: login
`),
}

var puppet = &service{
	kind: Cluster, bare: asks, verbs: verbsOf(`
asks: facts lookup describe doc help
asks parser: validate dump
asks module|config: list print search
changes: apply agent device resource
changes module|config: install uninstall upgrade set
`),
}

var knife = &service{
	kind: Cluster, bare: asks, verbs: verbsOf(`
asks node|client|role|environment|cookbook|user|org|status: list show
asks: status search diff list
shares data: bag
changes node|client|role|environment|cookbook|user|org: create edit from run_list bulk
changes: upload download bootstrap
runs: ssh exec winrm
destroys node|client|role|environment|cookbook|user|org: delete
destroys: delete
`),
}

var crossplane = &service{
	kind: Cluster, bare: asks, verbs: verbsOf(`
asks: version trace render
asks beta: trace render validate top
prepares xpkg: build
changes xpkg: install update push init
`),
}

var ansibleVault = &service{
	kind: Cloud, bare: asks, verbs: verbsOf(`
shares: view decrypt
changes: encrypt encrypt_string edit create rekey
`),
}

var ansibleGalaxy = &service{
	kind: Install, bare: asks, verbs: verbsOf(`
asks: list
asks collection|role: list verify info search
prepares collection|role: build init
installs: install
installs collection|role: install download remove
uploads collection|role: publish import
destroys role: delete
`),
}

var awsVault = &service{
	kind: Cloud, bare: asks, verbs: verbsOf(`
asks: list ls
shares: export
runs: exec
account: login add remove rotate clear
`),
}

// explainAnsible runs tasks on other machines, unless it only says what they are.
func explainAnsible(in *invocation) bool {
	for i, w := range in.args {
		switch text, _ := w.Value(); text {
		case "--syntax-check", "--list-tasks", "--list-hosts", "--list-tags":
			if i == 0 || !mayTake(in.args[i-1]) {
				in.say("service-asked", in.span(w.Span), text)
				return true
			}
		case "--check", "-C": // it still connects, and modules may not heed it
			in.note(noted{Effect: Effect{Kind: Execute, Certain: in.Certain, Span: in.span(w.Span)}})
		}
	}
	return explainRemoteAdmin(in)
}

// explainRemoteAdmin runs what it is given on other machines.
func explainRemoteAdmin(in *invocation) bool {
	in.does(Execute, in.name, in.Span)
	in.say("runs-remote", in.span(in.Span), in.name)
	return true
}
