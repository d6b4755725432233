package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
	"github.com/docket-engine/docket/effects/sql"
)

// databasePrograms are clients of databases.
func databasePrograms() map[string]program {
	return map[string]program{
		"psql":              psqlClient.program(),
		"pgcli":             psqlClient.program(),
		"mysql":             mysqlClient.program(),
		"mariadb":           mysqlClient.program(),
		"mycli":             mysqlClient.program(),
		"sqlite3":           sqliteClient.program(),
		"sqlite":            sqliteClient.program(),
		"litecli":           sqliteClient.program(),
		"duckdb":            duckClient.program(),
		"clickhouse-client": clickhouseClient.program(),
		"cqlsh":             cqlClient.program(),
		"sqlcmd":            sqlcmdClient.program(),
		"usql":              usqlClient.program(),
		"snowsql":           usqlClient.program(),
		"trino":             trinoClient.program(),
		"presto":            trinoClient.program(),
		"spark-sql":         hiveClient.program(),
		"hive":              hiveClient.program(),
		"beeline":           hiveClient.program(),
		"impala-shell":      hiveClient.program(),
		"sqlplus":           plusClient.program(),
		"mongosh":           mongoClient.program(),
		"mongo":             mongoClient.program(),
		"redis-cli":         {explainRedis},
		"valkey-cli":        {explainRedis},
		"keydb-cli":         {explainRedis},
		"pg_dump":           {explainDatabaseDump},
		"pg_dumpall":        {explainDatabaseDump},
		"mysqldump":         {explainDatabaseDump},
		"mariadb-dump":      {explainDatabaseDump},
		"mongodump":         {explainDatabaseDump},
		"mongoexport":       {explainDatabaseDump},
		"pg_restore":        {explainRestore},
		"pg_isready":        {explainAsks},
		"createdb":          {explainDatabaseChange},
		"createuser":        {explainDatabaseChange},
		"dropdb":            {explainDatabaseLoss},
		"dropuser":          {explainDatabaseLoss},
		"vacuumdb":          {explainDatabaseChange},
		"reindexdb":         {explainDatabaseChange},
		"clusterdb":         {explainDatabaseChange},
		"pgbench":           {explainDatabaseChange},
		"initdb":            {explainDatabaseChange},
		"pg_ctl":            {explainDatabaseChange},
		"pg_ctlcluster":     {explainDatabaseChange},
		"pg_dropcluster":    {explainDatabaseLoss},
		"pg_resetwal":       {explainDatabaseLoss},
		"pg_basebackup":     {explainDatabaseChange},
		"pg_upgrade":        {explainDatabaseChange},
		"mysqlimport":       {explainDatabaseChange},
		"mysqlcheck":        {explainDatabaseChange},
		"mongorestore":      {explainDatabaseChange},
		"mongoimport":       {explainDatabaseChange},
		"mysqladmin":        mysqlAdmin.program(),
		"mariadb-admin":     mysqlAdmin.program(),
		"influx":            influx.program(),
	}
}

var psqlClient = &client{
	spec: spec{
		short: "aAbc:d:eEf:F:h:HlL:no:p:P:qR:sStT:U:v:VwWxXz01",
		long: "command= dbname= file= list set= variable= version no-psqlrc single-transaction echo-all no-align echo-errors echo-queries echo-hidden field-separator= html log-file= output= pset= quiet record-separator= " +
			"single-step single-line tuples-only table-attr= expanded field-separator-zero record-separator-zero host= port= username= no-password password csv no-readline help=?",
	},
	read: postgresStatements, told: "c command", files: "f file", written: "o output L log-file", asks: "l list V version", words: -1,
}

var mysqlClient = &client{
	spec: spec{
		short: "AabBcCD:e:EfGh:HijLnNop::P:qrsS:tTu:UvVwWX",
		long: "execute= database= host= port= user= password=? socket= batch silent table raw skip-column-names column-names vertical xml html force no-auto-rehash auto-rehash init-command= ssl-mode= ssl-ca= ssl-cert= ssl-key= ssl=? skip-ssl " +
			"default-character-set= protocol= connect-timeout= defaults-file= defaults-extra-file= defaults-group-suffix= no-defaults login-path= safe-updates quick unbuffered delimiter= pager= tee= version help verbose local-infile=? one-database comments " +
			"compress reconnect skip-reconnect max-allowed-packet= binary-mode wait show-warnings ssl-verify-server-cert get-server-public-key",
	},
	read: mysqlStatements, told: "e execute init-command", written: "tee", asks: "V version help", run: "pager delimiter", words: -1,
}

var sqliteClient = &client{
	spec: spec{
		oneDash: true,
		long: "bail batch box cmd= column csv echo header noheader html init= interactive json line list markdown memtrace mmap= newline= nofollow nullvalue= quote readonly safe separator= stats table tabs version vfs= append ascii " +
			"deserialize maxsize= lookaside= pagecache= sorterref= A",
	},
	read: sqliteStatements, told: "cmd", files: "init", asks: "version", run: "A unsafe-testing", words: 1, data: true,
}

var duckClient = &client{
	spec: spec{
		oneDash: true,
		long:    "c= s= f= init= cmd= bail batch box column csv echo header noheader html interactive json jsonlines line list markdown newline= nullvalue= no-stdin quote readonly separator= stats table ascii version unsigned ui",
	},
	read: anyStatements, told: "c s cmd", files: "f init", asks: "version", run: "ui unsigned", words: 1, data: true,
}

var clickhouseClient = &client{
	spec: spec{
		short: "h:u:q:d:nmtEf:s",
		long: "host= port= user= password= query= queries-file= database= multiquery multiline format= time stacktrace secure config-file= vertical output-format= max_threads= ask-password progress echo input-format= " +
			"send_timeout= receive_timeout= connect_timeout= param_id= max_memory_usage= max_execution_time= version",
	},
	read: anyStatements, told: "q query", files: "queries-file", asks: "version", words: -1,
}

var cqlClient = &client{
	spec: spec{short: "e:f:u:p:k:C", long: "execute= file= username= password= keyspace= ssl no-color color encoding= cqlshrc= request-timeout= connect-timeout= debug tty version"},
	read: anyStatements, told: "e execute", files: "f file", asks: "version", words: -1,
}

var sqlcmdClient = &client{
	spec: spec{short: "S:U:P:d:Q:q:i:o:EClbh:s:W:w:N::t:r::I:y:Y:V:v:G", long: "server= database= query= version user-name= password="},
	read: serverStatements, told: "Q q query", files: "i", written: "o", asks: "version", words: -1,
}

var usqlClient = &client{
	spec: spec{
		short: "c:f:o:vXWwqAtxJCHa:d:u:p:r:h:s:",
		long:  "command= file= out= variable= set= no-rc password no-password csv json quiet accountname= username= dbname= schemaname= warehouse= rolename= query= filename= host= connection= version",
	},
	read: anyStatements, told: "c command query", files: "f file filename", written: "o out", asks: "version", words: -1,
}

var trinoClient = &client{
	spec: spec{short: "f:", long: "execute= file= server= catalog= schema= user= password output-format= session= source= debug insecure version timezone= keystore-path= truststore-path="},
	read: anyStatements, told: "execute", files: "f file", asks: "version", words: -1,
}

var hiveClient = &client{
	spec: spec{short: "e:f:u:n:p:d:S:i:q:B:o:k", long: "hiveconf= hivevar= database= outputformat= silent=? showHeader= query= query_file= conf= master= verbose version impalad="},
	read: anyStatements, told: "e q query", files: "f i query_file", written: "o", asks: "version", words: -1,
}

var plusClient = &client{
	spec: spec{short: "SLVM:R:", long: "silent"}, read: anyStatements, asks: "V", words: -1,
}

var mongoClient = &client{
	spec: spec{
		short: "u:p:h:f:",
		long: "eval= file= host= port= username= password=? authenticationDatabase= authenticationMechanism= quiet norc nodb shell json=? tls ssl tlsCAFile= tlsCertificateKeyFile= tlsAllowInvalidCertificates " +
			"version help verbose apiVersion= retryWrites= build-info",
	},
	read: sql.Mongo, told: "eval", files: "f file", asks: "version help build-info", words: -1,
}

var mysqlAdmin = &service{
	kind: Database, bare: asks,
	spec: spec{short: "h:u:p::P:S:rvi:c:sw::", long: "host= user= password=? port= socket= defaults-file= defaults-extra-file= protocol= silent verbose wait=? sleep= count= ssl-mode= relative"},
	verbs: verbsOf(`
asks: status extended-status ping processlist variables version
changes: create flush-hosts flush-logs flush-status flush-tables flush-threads flush-privileges refresh reload start-slave stop-slave start-replica stop-replica password debug
destroys: drop shutdown kill
`),
}

var influx = &service{
	kind: Database, bare: noAct, spec: spec{short: "o:t:", long: "host= token= org= active-config= skip-verify username= password= database="}, verbs: verbsOf(`
asks: ping version
asks bucket|org|user|task|telegrafs|dashboards|stacks|v1: list ls find
changes: write apply setup restore
changes bucket|org|user|task|telegrafs|auth|config|secret|stacks|v1: create update set  run retry-failed members password
shares auth: list
fetches: backup
destroys: delete
destroys bucket|org|user|task|telegrafs|auth|config|secret|stacks: delete rm remove
`),
}

// explainDatabaseDump writes out what a database has.
func explainDatabaseDump(in *invocation) bool {
	for i, w := range in.args {
		text, _ := w.Value()
		name, value, cut := strings.Cut(text, "=")
		switch {
		case listed("--delete-master-logs --delete-source-logs --flush-logs --flush-privileges -F --init-command --master-data --dump-slave", name):
			return false
		case !listed("-f --file --result-file -r -o --out --archive --tab", name):
			if in.name == "pg_dump" && strings.HasPrefix(text, "-f") && len(text) > 2 {
				in.writesUnlessDash(shell.Word{Parts: []shell.Part{{Text: text[2:]}}, Span: w.Span})
			}
		case cut:
			in.writesUnlessDash(shell.Word{Parts: []shell.Part{{Text: value}}, Span: w.Span})
		case i+1 < len(in.args) && name != "--archive" && (name != "-r" || in.name == "mysqldump"):
			in.writesUnlessDash(in.args[i+1])
		}
		if !w.Known() && len(w.Prefix()) > 1 && w.Prefix()[0] == '-' && strings.Contains(w.Prefix(), "f") && !strings.Contains(w.Prefix(), "=") {
			return false
		}
	}
	in.say("database-asked", in.span(in.Span), in.name)
	return true
}

// explainRestore writes a dump into a database, or shows what is in it.
func explainRestore(in *invocation) bool {
	o := spec{
		short: "acCd:ef:F:h:I:j:lL:n:N:Op:P:RsS:t:T:U:vVwWx1",
		long: "data-only clean create dbname= exit-on-error file= format= host= index= jobs= list use-list= schema= exclude-schema= no-owner port= function= schema-only superuser= table= trigger= username= verbose " +
			"no-privileges no-acl single-transaction if-exists no-comments role= section= no-password password version help no-publications no-subscriptions disable-triggers no-data-for-failed-tables no-tablespaces strict-names",
	}.read(in.args)
	if out, ok := o.get("f", "file"); ok {
		in.writesUnlessDash(out.value)
	}
	for _, w := range o.operands {
		in.touches(Read, w)
	}
	if o.has("l", "list") || !o.has("d", "dbname") {
		in.say("database-asked", in.span(in.Span), in.name)
		return o.understood()
	}
	in.does(Database, in.name, in.Span)
	if o.has("c", "clean") {
		in.say("database-destroys", in.span(in.Span), in.name)
	}
	return o.understood()
}

func explainDatabaseChange(in *invocation) bool {
	in.does(Database, joinVerb(in.name, lastPrefix(in.args)), in.Span)
	return true
}

func explainDatabaseLoss(in *invocation) bool {
	in.say("database-destroys", in.span(in.Span), lastPrefix(in.args))
	return explainDatabaseChange(in)
}

var redisSpec = spec{
	short: "h:p:a:u:n:s:t:r:i:xXcd:D:e32", first: true,
	long: "raw no-raw csv json quoted-json tls cacert= cert= key= user= pass= askpass no-auth-warning scan pattern= quoted-pattern= count= bigkeys memkeys hotkeys stat latency latency-history latency-dist intrinsic-latency= " +
		"eval= rdb= functions-rdb= pipe pipe-timeout= cluster verbose lru-test= replica version help sni= insecure tls-ciphers= show-pushes=",
}

// explainRedis reads a command behind the options, or commands from the input.
func explainRedis(in *invocation) bool {
	o := redisSpec.read(in.args)
	if o.strange != nil {
		return false
	}
	for _, name := range [...]string{"rdb", "functions-rdb"} {
		if out, ok := o.get(name); ok {
			in.writesUnlessDash(out.value)
			in.say("database-asked", in.span(out.span), name)
			return true
		}
	}
	switch {
	case o.has("eval", "pipe", "lru-test", "replica", "X"):
		in.say("statements-unknown", in.span(in.Span), in.name)
		return true
	case o.has("cluster"):
		return in.redisCluster(o.operands)
	case o.has("scan", "bigkeys", "memkeys", "hotkeys", "stat", "latency", "latency-history", "latency-dist", "intrinsic-latency", "version", "help") && len(o.operands) == 0:
		in.say("database-asked", in.span(in.Span), in.name)
		return true
	case len(o.operands) == 0:
		return in.statementsFromInput(sql.Redis)
	}
	words := make([]string, 0, len(o.operands))
	for i, w := range o.operands {
		text, known := w.Value()
		if !known && i == 0 {
			in.say("statements-unknown", in.span(w.Span), wordText(w))
			return true
		}
		if !known {
			text = "?"
		}
		words = append(words, text)
	}
	in.told([]sql.Statement{sql.RedisCommand(words)}, in.Span)
	return true
}

func (in *invocation) redisCluster(words []shell.Word) bool {
	if len(words) == 0 {
		return false
	}
	if verb, _ := words[0].Value(); verb == "info" || verb == "check" || verb == "help" {
		in.say("database-asked", in.span(in.Span), verb)
		return !in.hasWord("--cluster-fix-with-unreachable-masters")
	}
	in.does(Database, "redis cluster "+words[0].Prefix(), in.Span)
	return true
}
