package effects

import "strings"

// messagingPrograms work on queues, topics and what is in them, and on what builds
// and deploys.
func messagingPrograms() map[string]program {
	m := map[string]program{
		"nats":                 nats.program(),
		"nsc":                  nsc.program(),
		"rabbitmqctl":          rabbit.program(),
		"rabbitmqadmin":        rabbitAdmin.program(),
		"rabbitmq-diagnostics": {explainAsks},
		"pulsar-admin":         nounVerb.program(),
		"rpk":                  redpanda.program(),
		"kcat":                 {explainKcat},
		"kafkacat":             {explainKcat},
		"mosquitto_pub":        {explainPublish},
		"mosquitto_sub":        {explainAsks},
		"circleci":             circle.program(),
		"gitlab-runner":        runner.program(),
		"buildkite-agent":      buildkite.program(),
		"bk":                   nounVerb.program(),
		"drone":                nounVerb.program(),
		"woodpecker-cli":       nounVerb.program(),
		"tkn":                  nounVerb.program(),
		"act":                  {explainAct},
		"jenkins-cli":          jenkins.program(),
		"java":                 {explainJava},
	}
	for name, s := range kafkaTools {
		m[name], m[name+".sh"] = s, s
	}
	return m
}

var kafkaTools = map[string]program{
	"kafka-topics":                    {explainKafka},
	"kafka-consumer-groups":           {explainKafka},
	"kafka-acls":                      {explainKafka},
	"kafka-configs":                   {explainKafka},
	"kafka-delete-records":            {explainKafka},
	"kafka-broker-api-versions":       {explainKafka},
	"kafka-console-consumer":          {explainKafka},
	"kafka-console-producer":          {explainKafka},
	"kafka-reassign-partitions":       {explainKafka},
	"kafka-leader-election":           {explainKafka},
	"kafka-log-dirs":                  {explainKafka},
	"kafka-get-offsets":               {explainKafka},
	"kafka-storage":                   {explainKafka},
	"kafka-streams-application-reset": {explainKafka},
	"kafka-metadata-quorum":           {explainKafka},
	"kafka-features":                  {explainKafka},
	"kafka-dump-log":                  {explainKafka},
	"kafka-cluster":                   {explainKafka},
	"kafka-transactions":              {explainKafka},
}

// explainKafka reads the action among the options.
func explainKafka(in *invocation) bool {
	asked := false
	for _, w := range in.args {
		text, known := w.Value()
		if !known {
			continue
		}
		switch text {
		case "--delete", "--remove", "--delete-config", "--delete-offsets", "--offset-json-file":
			in.does(Cluster, in.name+" "+text, w.Span)
			in.say("service-destroys", in.span(w.Span), text)
			asked = true
		case "--create", "--alter", "--add", "--execute", "--reset-offsets", "--add-config", "--producer-property", "--election-type", "--topics":
			in.does(Cluster, in.name+" "+text, w.Span)
			asked = true
		case "--list", "--describe", "--version", "--verify", "--generate":
			asked = true
		}
	}
	switch in.name {
	case "kafka-broker-api-versions", "kafka-broker-api-versions.sh", "kafka-get-offsets", "kafka-get-offsets.sh", "kafka-console-consumer", "kafka-console-consumer.sh", "kafka-dump-log":
		return !in.hasWord("--consumer-property", "--formatter", "--consumer.config", "--deep-iteration-class", "--value-decoder-class", "--key-decoder-class")
	}
	return asked
}

// explainKcat produces with -P; without a mode it depends on the terminal.
func explainKcat(in *invocation) bool {
	if in.hasWord("-L", "-C", "-Q") && !in.hasWord("-P") {
		in.say("service-asked", in.span(in.Span), in.name)
		return true
	}
	return false
}

func explainPublish(in *invocation) bool {
	in.does(Send, in.name, in.Span)
	return true
}

var nats = &service{
	kind: Cluster, bare: asks,
	spec: spec{short: "s:", long: "server= user= password= creds= nkey= tlscert= tlskey= tlsca= timeout= context= socks-proxy= js-api-prefix= js-event-prefix= js-domain= inbox-prefix= connection-name= trace no-context token= domain= color="},
	verbs: verbsOf(`
asks: rtt latency
asks stream|str|st|s|consumer|con|obs|bucket|kv|object|obj|context|ctx|account|a|server|srv|micro|errors|err|events: list ls info i status report view find state subjects nodes ping history watch graph lookup search stats cluster-report show current lsl
asks server|srv report: jetstream connections accounts health gateways leafnodes
asks server|srv request|req: jetstream connections variables subscriptions routes gateways leafnodes accounts account profile
asks server|srv check: connection stream jetstream server kv consumer meta
shares kv|object|obj: get
shares stream|str|st|s: get
asks: sub events traffic schema
changes stream|str|st|s|consumer|con|obs|bucket|kv|object|obj|context|ctx|account|a|server|srv: add create edit copy cp put update restore backup seal next sub pause resume import save select raft cluster unpin gaps balance tls config revert
changes: publish pub request req reply bench
destroys stream|str|st|s|consumer|con|obs|bucket|kv|object|obj|context|ctx|account|a|server|srv: rm delete del remove purge rmm cluster-down prune truncate kill
runs: service micro
account: auth login
`),
}

var nsc = &service{
	kind: Cluster, bare: asks, verbs: verbsOf(`
asks: describe validate env
asks list: keys operators accounts users
shares: generate
shares generate: creds nkey
changes: add edit init pull push import reissue restore
destroys: delete revocations
`),
}

var rabbit = &service{
	kind: Cluster, bare: asks, spec: spec{short: "n:p:t:ql", long: "node= vhost= timeout= quiet longnames formatter= silent"}, verbs: verbsOf(`
asks: status list_users list_vhosts list_queues list_exchanges list_bindings list_connections list_channels list_consumers list_permissions list_user_permissions list_topic_permissions list_parameters list_policies list_global_parameters list_feature_flags cluster_status node_health_check ping version report environment list_operator_policies list_vhost_limits list_user_limits
changes: add_user add_vhost set_permissions set_user_tags change_password set_policy set_parameter start_app join_cluster sync_queue set_cluster_name enable_feature_flag restart_vhost await_startup set_vhost_limits set_operator_policy import_definitions rename_cluster_node
shares: export_definitions authenticate_user
runs: eval eval_file remote_shell
destroys: delete_user delete_vhost delete_queue purge_queue clear_permissions clear_policy clear_password clear_parameter stop_app stop reset force_reset forget_cluster_node close_connection close_all_connections shutdown cancel_sync_queue clear_vhost_limits force_boot
`),
}

var rabbitAdmin = &service{
	kind: Cluster, bare: asks, spec: spec{short: "H:P:u:p:V:f:d:sN:c:", long: "host= port= username= password= vhost= format= depth= ssl node= config= path-prefix="}, verbs: verbsOf(`
asks: list show
shares: export get
changes: declare publish import
destroys: delete close purge
`),
}

var redpanda = &service{
	kind: Cluster, bare: asks, spec: spec{short: "X:v", long: "brokers= config= profile= verbose user= password="}, verbs: verbsOf(`
asks: version
asks topic|group|cluster|acl|broker|security|registry|transform|profile|plugin: list describe info health metadata logdirs current
asks topic: consume
changes topic|group|cluster|acl|security|registry|transform|profile: create alter-config add-partitions produce seek config set edit use deploy
runs: redpanda container debug
destroys topic|group|acl|security|registry|transform|profile: delete trim-prefix trim offset-delete
account cloud: login logout
`),
}

var circle = &service{
	kind: Cloud, bare: asks, spec: spec{long: "host= token= endpoint= skip-update-check debug"}, verbs: verbsOf(`
asks: diagnostic version info
asks config: validate process
asks orb: list info source validate list-categories process
asks context|namespace|pipeline|runner|project|follow|policy|dlc: list show diff test eval decide logs
asks project secret: list
changes orb|context|namespace|pipeline|runner|project|policy: create publish add-to-category remove-from-category unlist store-secret run trigger init push pack settings set
changes project secret: create
runs local: execute
destroys orb|context|namespace|pipeline|runner|project|dlc: delete remove-secret purge
account: setup
installs: update
`),
}

var runner = &service{
	kind: Cloud, bare: asks, spec: spec{short: "c:l:", long: "config= log-level= debug log-format="}, verbs: verbsOf(`
asks: list verify status help --version
changes: register start stop restart reset-token
arranges: install uninstall
runs: exec run run-single
destroys: unregister cache-clean
`),
}

var buildkite = &service{
	kind: Cloud, bare: asks, verbs: verbsOf(`
asks meta-data: get exists keys
asks artifact: search shasum
fetches artifact: download
changes meta-data|annotation|pipeline|step: set upload update remove
changes: annotate
uploads artifact: upload
shares secret: get
shares oidc: request-token
runs: start bootstrap
destroys: stop
`),
}

var jenkins = &service{
	kind: Cloud, bare: asks, spec: spec{short: "s:i:", oneDash: true, long: "s= auth= webSocket ssh http i= noCertificateCheck noKeyAuth user= logger= strictHostKey"}, verbs: verbsOf(`
asks: list-jobs list-plugins list-views list-changes list-nodes list-credentials list-credentials-context-providers list-credentials-providers who-am-i version session-id get-node get-view get-gradle console help
asks:  list-domains
shares: get-job get-credentials-as-xml get-credentials-domain-as-xml list-credentials-as-xml get-credentials
changes: build create-job copy-job update-job enable-job disable-job create-node update-node connect-node online-node create-view update-view create-credentials-by-xml update-credentials-by-xml install-plugin enable-plugin set-build-description set-build-display-name keep-build add-job-to-view reload-configuration reload-job import-credentials-as-xml cancel-quiet-down
runs: groovy groovysh
destroys: delete-job delete-node delete-view delete-builds delete-credentials delete-credentials-domain disconnect-node offline-node remove-job-from-view stop-builds clear-queue shutdown safe-shutdown restart safe-restart quiet-down disable-plugin
`),
}

// explainAct runs the project's workflows in containers.
func explainAct(in *invocation) bool {
	if in.hasWord("-l", "--list", "-n", "--dryrun", "--graph") {
		in.say("service-asked", in.span(in.Span), in.name)
		return len(in.args) < 6
	}
	in.does(Cluster, "act", in.Span)
	return true
}

// explainJava knows one program that is started by it.
func explainJava(in *invocation) bool {
	for i, w := range in.args {
		text, known := w.Value()
		if !known || i > 0 && text != "-jar" && !isWord(in.args[i-1], "-jar") && text != "" && text[0] != '-' {
			break
		}
		if strings.HasPrefix(text, "-javaagent") || strings.HasPrefix(text, "-agent") || text == "-cp" || text == "-classpath" || strings.HasPrefix(text, "-XX:On") || strings.HasPrefix(text, "@") {
			break
		}
		if i > 0 && isWord(in.args[i-1], "-jar") {
			if base(text) != "jenkins-cli.jar" {
				break
			}
			inner := *in
			inner.name, inner.args = "jenkins-cli", in.args[i+1:]
			return jenkins.explain(&inner)
		}
	}
	return explainForeign(in)
}
