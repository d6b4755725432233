package effects

import "strings"

// serverPrograms steer servers, what they deliver and what watches them.
func serverPrograms() map[string]program {
	m := map[string]program{
		"mc":              minio.program(),
		"mcli":            minio.program(),
		"s3cmd":           storeTool.program(),
		"s5cmd":           storeTool.program(),
		"azcopy":          storeTool.program(),
		"b2":              storeTool.program(),
		"nginx":           {explainServer},
		"haproxy":         {explainServer},
		"apachectl":       {explainServer},
		"apache2ctl":      {explainServer},
		"httpd":           {explainServer},
		"caddy":           caddy.program(),
		"traefik":         caddy.program(),
		"varnishadm":      caddy.program(),
		"supervisorctl":   supervisor.program(),
		"pm2":             supervisor.program(),
		"monit":           supervisor.program(),
		"forever":         supervisor.program(),
		"nsupdate":        {explainSystemChange},
		"rndc":            {explainSystemChange},
		"pdnsutil":        {explainSystemChange},
		"unbound-control": {explainSystemChange},
		"promtool":        promtool.program(),
		"splunk":          splunk.program(),
		"atmos":           atmos.program(),
	}
	for name := range strings.FieldsSeq("fastly flarectl apigeecli apigee-cli braintree square mailgun postmark flipt unleash akamai bunny cloudinary hasura appwrite directus strapi sanity pocketbase fauna xata nile tinybird metabase airbyte dagster prefect airflow dbt-cloud sonar dt logz honeycomb checkly statuspage opsgenie victorops zuora recurly chargebee paddle lemonsqueezy mux plaid") {
		m[name] = nounVerb.program()
	}
	return m
}

var minio = &service{
	kind: Cloud, bare: asks, dry: "--dry-run --fake", spec: spec{short: "C:qh", long: "config-dir= quiet no-color json debug insecure"}, verbs: verbsOf(`
asks: ls stat cat head diff find tree du ping ready version
asks alias|version|tag|policy|event|ilm|encrypt|retention|legalhold|replicate|anonymous|quota|cors|license: list ls info get status get-json links
asks ilm rule|tier|restore: list ls info export
asks admin: info trace logs scanner prometheus
asks admin user|group|policy|bucket|config|service|kms|heal|accesskey: list ls info get history status
changes: cp mirror mb put pipe get share watch od sql support update
changes alias|version|tag|policy|event|ilm|encrypt|retention|legalhold|replicate|anonymous|quota|cors|license: set add enable suspend import edit update register restore export tier rule
changes ilm rule|tier: add edit import
changes admin: heal update
changes admin user|group|policy|bucket|config|service|kms|accesskey|replicate: add enable disable set create attach restart freeze unfreeze import update svcacct
destroys: rm rb mv undo
destroys alias|version|tag|policy|event|ilm|encrypt|retention|legalhold|replicate|anonymous|quota|cors: remove rm clear delete reset none
destroys ilm rule|tier: remove rm
destroys admin user|group|policy|bucket|config|service|accesskey|replicate: remove rm stop reset detach unset
destroys admin: decommission rebalance
`),
}

// storeTool are the verbs of several programs that copy to stores of objects.
var storeTool = &service{
	kind: Cloud, bare: asks, dry: "--dry-run", spec: spec{short: "c:", long: "config= profile= endpoint-url= access_key= secret_key= region= host= host-bucket= json log= numworkers= stat"}, verbs: verbsOf(`
asks: ls la du info head cat list ls-buckets version get-bucket get-file-info list-buckets list-file-names list-file-versions
asks jobs: list show
asks bucket|file|key|account: list get info ls
changes: cp copy put get mb make sync mv modify setacl setpolicy setlifecycle accesslog sign fixbucket multipart cors expire cfcreate cfmodify set-properties bench upload upload-file create-bucket update-bucket download-file benchmark
changes bucket|file: create update upload download copy-by-id hide
destroys: rm remove rb del delpolicy dellifecycle delcors abortmp delete-bucket delete-file-version cfdelete
destroys bucket|file|key: delete rm
account: login logout authorize-account clear-account
`),
}

// explainServer tests a server's configuration, or steers the server.
func explainServer(in *invocation) bool {
	if in.hasWord("-t", "-T", "configtest", "-v", "-V", "-vv", "-c", "-S", "-M") && !in.hasWord("-s", "-k", "-g", "-D", "-sf", "-st", "restart", "stop", "graceful", "start") && (in.name != "haproxy" || in.hasWord("-c", "-v", "-vv")) &&
		(in.name != "nginx" || in.hasWord("-t", "-T", "-v", "-V") && !in.hasWord("-c")) {
		in.say("service-asked", in.span(in.Span), in.name)
		return true
	}
	return explainSystemChange(in)
}

var caddy = &service{
	kind: Privilege, bare: noAct, verbs: verbsOf(`
asks: version validate list-modules environ build-info healthcheck status
prepares: fmt adapt
changes: start stop run reload trust untrust upgrade add-package remove-package file-server reverse-proxy respond param.set vcl.load vcl.use
destroys: ban vcl.discard
`),
}

var supervisor = &service{
	kind: Process, bare: noAct, spec: spec{short: "c:s:u:p:i:", long: "configuration= serverurl= username= password="}, verbs: verbsOf(`
asks: status list ls l jlist prettylist show info describe desc logs log tail pid avail version monit summary report id conf
changes: start stop restart reload update add remove signal reread save resurrect scale reset set unset shutdown startOrRestart gracefulReload monitor unmonitor
arranges: startup unstartup
destroys: delete del kill flush clear stopall killall fg
installs: install module:install uninstall
`),
}

var promtool = &service{
	kind: Cloud, bare: asks, verbs: verbsOf(`
asks check: config rules metrics web-config service-discovery healthy ready
asks test: rules
asks query: instant range series labels analyze
asks debug: metrics pprof all
asks tsdb: list analyze dump
changes tsdb: create-blocks-from bench
changes push: metrics
`),
}

var splunk = &service{
	kind: Cloud, bare: noAct, spec: spec{oneDash: true, long: "auth= uri= app="}, verbs: verbsOf(`
asks: status version list show search btool diag help display
changes: start restart stop add edit set enable disable reload import export install deploy apply bootstrap refresh rolling-restart
destroys: clean remove delete
account: login logout
`),
}

var atmos = &service{
	kind: Cloud, bare: asks, dry: "--dry-run", spec: spec{short: "s:", long: "stack= logs-level= logs-file= base-path= config= config-path="}, verbs: verbsOf(`
asks: version list docs about
asks describe: component stacks stack config affected dependents workflows
asks validate: component stacks schema
prepares terraform: plan validate fmt init output show providers generate workspace
asks terraform: version graph
changes terraform: apply deploy import taint untaint refresh state
destroys terraform: destroy clean force-unlock
changes helmfile: apply sync deploy
prepares helmfile: diff template lint
destroys helmfile: destroy
changes: workflow vendor
`),
}
