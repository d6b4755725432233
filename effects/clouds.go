package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// cloudPrograms work on accounts of providers.
func cloudPrograms() map[string]program {
	return map[string]program{
		"aws":         {explainAWS},
		"awslocal":    {explainAWS},
		"gcloud":      gcloud.program(),
		"gsutil":      {explainGsutil},
		"bq":          {explainBigQuery},
		"az":          azure.program(),
		"doctl":       nounVerb.program(),
		"hcloud":      nounVerb.program(),
		"linode-cli":  nounVerb.program(),
		"oci":         nounVerb.program(),
		"ibmcloud":    nounVerb.program(),
		"scw":         nounVerb.program(),
		"exo":         nounVerb.program(),
		"civo":        nounVerb.program(),
		"vultr-cli":   nounVerb.program(),
		"openstack":   nounVerb.program(),
		"aliyun":      nounVerb.program(),
		"tccli":       nounVerb.program(),
		"yc":          nounVerb.program(),
		"flyctl":      fly.program(),
		"fly":         fly.program(),
		"heroku":      heroku.program(),
		"vercel":      vercel.program(),
		"netlify":     netlify.program(),
		"wrangler":    wrangler.program(),
		"firebase":    firebase.program(),
		"supabase":    supabase.program(),
		"railway":     railway.program(),
		"render":      nounVerb.program(),
		"cf":          cloudFoundry.program(),
		"eb":          beanstalk.program(),
		"copilot":     beanstalk.program(),
		"cloudflared": cloudflared.program(),
		"ecs-cli":     nounVerb.program(),
		"neonctl":     nounVerb.program(),
		"pscale":      nounVerb.program(),
		"turso":       nounVerb.program(),
		"cockroach":   nounVerb.program(),
		"confluent":   nounVerb.program(),
		"databricks":  nounVerb.program(),
		"snow":        nounVerb.program(),
		"mongocli":    nounVerb.program(),
		"atlas":       nounVerb.program(),
		"upstash":     nounVerb.program(),
		"amplify":     nounVerb.program(),
	}
}

// platformPrograms work on what companies offer besides machines.
func platformPrograms() map[string]program {
	return map[string]program{
		"pagerduty":   nounVerb.program(),
		"pd":          nounVerb.program(),
		"newrelic":    nounVerb.program(),
		"ldcli":       nounVerb.program(),
		"twilio":      nounVerb.program(),
		"datadog-ci":  nounVerb.program(),
		"dog":         nounVerb.program(),
		"grafana-cli": nounVerb.program(),
		"grafanactl":  nounVerb.program(),
		"mimirtool":   nounVerb.program(),
		"amtool":      nounVerb.program(),
		"auth0":       nounVerb.program(),
		"okta":        nounVerb.program(),
		"shopify":     nounVerb.program(),
		"contentful":  nounVerb.program(),
		"algolia":     nounVerb.program(),
		"temporal":    nounVerb.program(),
		"tctl":        nounVerb.program(),
		"kong":        nounVerb.program(),
		"deck":        deck.program(),
		"stripe":      stripe.program(),
		"sentry-cli":  sentry.program(),
	}
}

// nounVerb is for the many programs that name a kind of thing, or several words for
// one, and then a verb of a small common stock. Options in front of the verb have to
// have their values behind an equals sign, or to be among those everybody has.
var nounVerb = &service{
	kind: Cloud, bare: asks,
	spec: spec{
		short: "o:p:c:t:vqhj",
		long: "profile= region= project= output= format= context= config= json yaml verbose quiet debug no-color help version text access-token= token= api-key= zone= org= " +
			"organization= workspace= team= account= environment= env= compartment-id= query= region-id= no-headers all page= namespace= api-url= cloud= os-cloud=",
	},
	dry:     "--dry-run --dryrun",
	written: "--file --output-file --destination --dest-file",
	verbs: verbsOf(`
asks: version help status info whoami completion regions list ls describe show
account: login logout auth init signin signout
account auth: login logout
` + deeper(3, stockVerbs)),
	refine: refineNounVerb,
}

// stockVerbs are those that most command lines of providers have.
const stockVerbs = `
asks: list ls get show describe view info status logs search list-* get-* describe-* show-* history count events inspect versions usage metrics check exists
changes: create update set add edit apply deploy start stop restart reboot scale enable disable put patch import attach detach resize rename move copy restore run trigger resend ack acknowledge resolve pause resume create-* update-* set-* add-* patch-* put-*
destroys: delete rm remove destroy purge terminate revoke drop reset delete-* remove-* purge-* terminate-*
runs: ssh exec connect proxy console
`

// secretNouns are kinds of things that are read with their secrets.
var secretNouns = []string{"secret", "credential", "password", "kubeconfig", "token", "api-key", "apikey", "access-key", "connection-string", "ssh-key", "kubectl-config", "iam-key"}

// refineNounVerb takes the reading of secrets for what it is.
func refineNounVerb(r *request) act {
	if r.act == asks && anyWord(r.args, secretNouns) && !r.onlyLists() {
		return shares
	}
	return r.act
}

// onlyLists reports whether a verb gives the names of things: of keys it may be more.
func (r *request) onlyLists() bool {
	last := r.words()
	last = last[strings.LastIndexByte(last, ' ')+1:]
	return (last == "list" || last == "ls") && !anyWord(r.args, listedSecrets)
}

// listedSecrets are kinds of things whose list shows what they are.
var listedSecrets = []string{"key", "connection-string", "credential", "password", "setting"}

func indexAny(s string, parts []string) bool {
	for _, p := range parts {
		if indexFold(s, p) >= 0 {
			return true
		}
	}
	return false
}

// anyWord reports whether an operand or the name of an option has one of the parts.
func anyWord(words []shell.Word, parts []string) bool {
	for _, w := range words {
		if text, _ := w.Value(); text != "" && indexAny(text, parts) {
			return true
		}
	}
	return false
}

var fly = &service{
	kind: Cloud, bare: asks, spec: spec{short: "a:c:t:o:", long: "app= config= access-token= org= verbose debug json"}, verbs: verbsOf(`
asks: status logs version info doctor history checks releases services ping dig
asks apps|machine|machines|m|volumes|vol|regions|ips|certs|orgs|secrets|image|postgres|redis|platform|scale|services|releases|autoscale|mpg|storage|extensions: list ls show status info check
asks platform: regions vm-sizes
asks config: show validate display
asks: apps
changes: deploy launch restart resume suspend move scale
changes apps|machine|machines|m|volumes|vol|ips|certs|orgs|secrets|postgres|redis|config|storage|scale|autoscale|image|tokens: create run start stop restart update set unset clone extend fork add import allocate allocate-v4 allocate-v6 suspend resume move count vm memory attach detach failover save env deploy cordon uncordon
runs: ssh proxy console sftp wireguard
runs postgres|redis|mpg|ssh|machine: connect console proxy exec issue
destroys: destroy
destroys apps|machine|machines|m|volumes|vol|ips|certs|orgs|postgres|redis|mpg|storage|tokens|extensions: destroy delete remove rm release revoke kill
account: auth login logout
shares tokens: create list
`),
}

var heroku = &service{
	kind: Cloud, bare: asks, colons: true, spec: spec{short: "a:r:", long: "app= remote= team="}, verbs: verbsOf(`
asks: apps ps logs releases version status regions domains addons pipelines drains labs features certs buildpacks stack members teams access orgs spaces info
asks apps|ps|releases|domains|addons|pipelines|drains|labs|features|certs|buildpacks|spaces|teams|access|webhooks|builds|ci|reviewapps|autocomplete|plugins|keys|notifications|auth|local: info list output diff wait versions plans services whoami last docs
asks pg|redis|kafka: info diagnose locks ps outliers blocking bloat index-usage index-size table-size total-table-size seq-scans unused-indexes vacuum-stats long-running-queries connection-pooling-info wait maxmemory topics
asks pg backups: info schedules
asks pg: backups links
shares config: get
shares pg|redis: credentials psql-url
shares: config
shares pg credentials: url
shares auth: token
changes apps|ps|domains|addons|pipelines|drains|labs|features|certs|buildpacks|spaces|members|access|webhooks|builds|keys|ci|container|maintenance|config|git|local|stack|buildpack|releases|teams: create add set unset scale restart stop type resize attach detach rename transfer enable disable upgrade downgrade update promote rollback on off push release remote clone edit retry rerun open autoscale favorite join leave
changes pg|redis|kafka: promote attach copy push pull upgrade follow unfollow maintenance settings
changes pg backups: capture schedule restore unschedule download
runs: run console local
runs run: detached inside
runs pg|redis|ps: psql cli exec copy socks forward
runs: psql
destroys apps|domains|addons|pipelines|drains|certs|buildpacks|spaces|members|access|webhooks|keys|ci|container|config: destroy delete remove rm clear cancel
destroys pg|redis|kafka: reset kill killall destroy
destroys pg backups: delete cancel
destroys ps: kill
account: login logout
account auth: login logout 2fa
installs plugins: install uninstall link update
`),
}

var vercel = &service{
	kind: Cloud, bare: noAct, spec: spec{short: "t:S:A:Q:d", long: "token= scope= cwd= local-config= global-config= debug team= no-color"}, verbs: verbsOf(`
asks: list ls inspect logs whoami help version
asks project|projects|domains|dns|certs|alias|teams|secrets|env|integration|target|git|cache|rolling-release: ls list inspect
prepares: build
shares env: pull
shares: pull
changes: deploy promote redeploy rollback link init bisect
changes project|projects|domains|dns|certs|alias|teams|secrets|env|git|integration: add buy move transfer-in issue set switch invite connect update import
destroys: remove rm
destroys project|projects|domains|dns|certs|alias|secrets|env|integration|cache|git: rm remove disconnect purge
runs: dev
account: login logout
`),
}

var netlify = &service{
	kind: Cloud, bare: asks, colons: true, spec: spec{long: "auth= site= filter= debug"}, verbs: verbsOf(`
asks: status help version
asks sites|functions|blobs|addons|recipes|logs: list deploy function
prepares: build
shares env: get list
shares blobs: get
changes: deploy init link unlink switch watch api open
changes sites|functions|blobs|env|addons|recipes: create create-template set import clone unset
destroys sites|blobs|env|addons: delete unset
runs: dev serve
runs functions: invoke serve
account: login logout
`),
}

var wrangler = &service{
	kind: Cloud, bare: asks, colons: true, dry: "--dry-run", spec: spec{short: "c:e:", long: "config= env= cwd= experimental-json-config"}, quiet: "--outdir", verbs: verbsOf(`
asks: whoami docs version types tail deployments
asks deployments|versions|kv|r2|d1|queues|secret|pages|hyperdrive|vectorize|workflows|dispatch-namespace|mtls-certificate|pipelines|ai: list status view info
asks kv|r2|d1 namespace|bucket|key|object|migrations|insights|time-travel: list info
asks pages deployment|project|secret: list tail
shares kv key: get
shares r2 object: get
fetches d1: export
prepares: check
changes: deploy publish rollback triggers init generate
changes versions|kv|r2|d1|queues|secret|pages|hyperdrive|vectorize|workflows|dispatch-namespace: upload deploy create put bulk execute add update publish migrations trigger
changes kv|r2|d1 namespace|bucket|key|object|migrations|time-travel: create put apply restore
changes pages deployment|project|secret: create put bulk
runs: dev
runs pages: dev functions
destroys: delete
destroys kv|r2|d1|queues|secret|pages|hyperdrive|vectorize|workflows|dispatch-namespace|mtls-certificate: delete purge
destroys kv|r2|d1 namespace|bucket|key|object: delete
destroys pages deployment|project|secret: delete
account: login logout
`),
}

var firebase = &service{
	kind: Cloud, bare: asks, colons: true, dry: "--dry-run", spec: spec{short: "P:c:j", long: "project= config= account= json token= non-interactive interactive debug"}, verbs: verbsOf(`
asks: list help use version
asks database: list
asks projects|apps|hosting|functions|firestore|remoteconfig|ext|appdistribution|crashlytics: list get log sites info indexes rules versions
asks hosting|database|apps|appdistribution|functions|firestore|ext: channel instances sdkconfig testers groups secrets databases
shares functions: config
shares functions secrets: access get
shares database|auth: get export
changes: deploy init serve open
changes projects|apps|hosting|functions|firestore|database|remoteconfig|ext|auth|target|appdistribution|experiments: create addfirebase clone set update push rollback import apply install configure distribute restore enable disable
destroys hosting|functions|firestore|database|apps|ext|firestore: disable delete remove uninstall
runs: shell
runs emulators|functions: start exec shell
account: login logout
account login: ci add list use
`),
}

var supabase = &service{
	kind: Cloud, bare: asks, dry: "--dry-run", spec: spec{long: "workdir= debug experimental profile= network-id= create-ticket yes output="}, verbs: verbsOf(`
asks: status services version
asks projects|orgs|functions|secrets|migration|branches|storage|domains|backups|network-restrictions|ssl-enforcement|sso|snippets|vanity-subdomains|network-bans: list ls get show info
asks db: diff lint
asks inspect: db
shares projects: api-keys
prepares gen: types signing-key keys
changes: init start stop link unlink seed bootstrap
changes projects|orgs|functions|secrets|migration|branches|storage|domains|sso|db|config|network-restrictions|ssl-enforcement|backups: create deploy set unset new up repair squash fetch download serve cp mv pull push dump start update activate restore pause unpause enable disable
destroys: stop-all
destroys db|branches|functions|projects|storage|migration|secrets|sso|domains: reset delete rm remove unset down
runs: test
account: login logout
`),
}

var railway = &service{
	kind: Cloud, bare: asks, spec: spec{short: "s:e:p:", long: "service= environment= json project="}, verbs: verbsOf(`
asks: status logs whoami list version docs
shares: variables
changes: up deploy redeploy link unlink init add domain service environment volume scale restart
runs: run shell ssh connect dev
destroys: down delete
account: login logout
`),
}

var cloudFoundry = &service{
	kind: Cloud, bare: asks, verbs: verbsOf(`
asks: apps app a services service s marketplace m spaces space orgs org routes domains buildpacks stacks logs events target version quotas org-users space-users service-brokers plugins tasks check-route security-groups
shares: env e service-key oauth-token ssh-code
changes: push p start stop restart restage scale set-env unset-env create-service cs bind-service bs unbind-service us update-service create-space create-org map-route unmap-route create-route rename create-user set-org-role set-space-role rollback enable-ssh disable-ssh run-task rt
runs: ssh curl
destroys: delete d delete-service ds delete-space delete-org delete-route delete-orphaned-routes delete-user delete-domain purge-service-instance delete-service-key delete-buildpack
account: login l logout lo auth
installs: install-plugin uninstall-plugin
`),
}

var beanstalk = &service{
	kind: Cloud, bare: asks, spec: spec{short: "r:v", long: "region= profile= verbose debug quiet"}, verbs: verbsOf(`
asks: status health list events logs printenv platform
asks app|env|svc|job|pipeline|task: ls show status logs
changes: create deploy scale setenv swap upgrade clone config init use labs restore appversion abort
changes app|env|svc|job|pipeline|task: init deploy run upgrade override pause resume
runs: ssh
runs svc|task: exec
destroys: terminate
destroys app|env|svc|job|pipeline|task: delete
`),
}

var cloudflared = &service{
	kind: Send, bare: noAct, verbs: verbsOf(`
asks: version
asks tunnel: list info
changes tunnel: create route cleanup
runs tunnel: run
runs: access proxy-dns
destroys tunnel: delete
arranges service: install uninstall
account tunnel: login
account: login update
`),
}

var deck = &service{
	kind: Cloud, bare: asks, verbs: verbsOf(`
asks: ping diff validate version
asks gateway: ping diff validate
prepares file: lint convert render
shares: dump
shares gateway: dump
changes: sync
changes gateway: sync apply
destroys: reset
destroys gateway: reset
`),
}

var stripe = &service{
	kind: Cloud, bare: asks, spec: spec{long: "api-key= project-name= color= config= log-level="}, verbs: verbsOf(`
asks: version status resources samples
asks *: list retrieve search
asks logs: tail
asks: get
changes: post trigger fixtures
changes *: create update confirm capture pay finalize resend close attach
runs: listen serve
destroys: delete
destroys *: delete cancel void refund expire
account: login logout config
`),
}

var sentry = &service{
	kind: Cloud, bare: asks, spec: spec{short: "o:p:", long: "org= project= auth-token= url= log-level= quiet header="}, verbs: verbsOf(`
asks: info
asks releases|issues|projects|organizations|repos|monitors|events|deploys: list info propose-version
prepares sourcemaps: inject explain resolve
changes: send-event send-envelope upload-dif upload-dsym upload-proguard bash-hook
changes releases|issues|monitors|deploys: new finalize set-commits archive restore mute resolve unresolve run
uploads sourcemaps|debug-files|files|build|react-native|mobile-app: upload upload-sourcemaps
destroys releases|files: delete
account: login
installs: update uninstall
`),
}
