package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

var gcloud = &service{
	kind: Cloud, helps: true, bare: asks,
	spec: spec{
		short: "q",
		long: "project= account= configuration= format= quiet verbosity= billing-project= impersonate-service-account= region= zone= filter= limit= location= cluster= log-http " +
			"flatten= access-token-file= user-output-enabled= trace-token= instance= database= service= organization= folder= page-size= sort-by= flags-file=",
	},
	quiet: "--no-user-output-enabled",
	run:   "--flags-file",
	verbs: verbsOf(`
asks: info version help topic cheat-sheet survey feedback
` + deeper(4, stockVerbs) + deeper(4, `
asks: read tail print-settings get-value lint list-usable locations operations get-iam-policy get-server-config describe-* test-iam-permissions analyze-* lookup validate diff
changes: submit cancel promote set-iam-policy add-iam-policy-binding remove-iam-policy-binding replace rollback suspend migrate failover clone export publish pull execute call invoke rolling-action
changes: get-credentials activate configure-docker unset
destroys: undelete abandon-instances recreate-instances clear detach-subnet
runs: scp start-iap-tunnel port-forward interactive
`) + `
asks config: list get-value get
asks config configurations: list describe
changes config: set unset
changes config configurations: activate create delete rename
asks projects: describe list get-iam-policy get-ancestors
asks auth: list describe
shares auth: print-access-token print-identity-token
shares auth application-default: print-access-token
account auth: login logout revoke activate-service-account configure-docker
account auth application-default: login revoke set-quota-project
account: init
shares secrets versions: access
shares kms: decrypt
installs components: install remove update reinstall restore
asks components: list
changes app: deploy
special storage: cp mv rsync rm ls cat du hash sign-url
changes builds: submit
changes run: deploy
changes functions: deploy
runs alpha|beta: interactive
`),
	specials: map[string]func(*request) bool{
		"storage cp": storageCopy, "storage mv": storageCopy, "storage rsync": storageCopy, "storage rm": storageDelete,
		"storage ls": storageAsk, "storage du": storageAsk, "storage hash": storageAsk, "storage cat": storageAsk, "storage sign-url": storageShare,
	},
	refine: refineNounVerb,
}

// storageCopy copies between this machine and a store of objects: what goes there is
// sent and changes the store, what comes is written.
func storageCopy(r *request) bool {
	if r.rehearsed() || strings.HasSuffix(r.verb, "rsync") && r.hasOption("-n", "--dry-run") {
		r.say("service-asked", r.point(), r.verb)
		return true
	}
	places := r.operandsOf(r.rest)
	if len(places) < 2 {
		return false
	}
	to := places[len(places)-1]
	moves := strings.HasSuffix(r.verb, "mv") || r.hasOption("--delete", "-d", "--delete-unmatched-destination-objects")
	for _, from := range places[:len(places)-1] {
		switch {
		case isRemoteObject(from):
			if strings.HasSuffix(r.verb, "mv") {
				r.storageChanged(from, true)
			}
		default:
			r.touches(Read, from)
			if strings.HasSuffix(r.verb, "mv") {
				r.touchesAll(Delete, from, true)
			}
		}
	}
	switch {
	case isRemoteObject(to):
		r.storageChanged(to, moves)
		if !isRemoteObject(places[0]) {
			r.note(noted{Effect: Effect{Kind: Send, Target: to.Prefix(), Certain: r.Certain, Span: r.span(to.Span)}})
		}
	default:
		r.say("network-fetch", r.span(r.Span), "")
		r.writesUnlessDash(to)
		if moves && !strings.HasSuffix(r.verb, "mv") {
			r.touchesAll(Delete, to, true)
		}
	}
	return true
}

func storageDelete(r *request) bool {
	if r.rehearsed() {
		r.say("service-asked", r.point(), r.verb)
		return true
	}
	r.storageChanged(shell.Word{Parts: []shell.Part{{Text: r.object()}}, Span: r.Span}, true)
	return true
}

func storageAsk(r *request) bool {
	r.say("service-asked", r.point(), r.verb)
	return r.optionsKnown(asks)
}

// storageShare makes an address that opens an object for everybody who has it.
func storageShare(r *request) bool {
	r.note(noted{Effect: r.effect(Cloud)})
	return true
}

func (r *request) storageChanged(w shell.Word, destroyed bool) {
	r.note(noted{Effect: Effect{Kind: Cloud, Target: w.Prefix(), Certain: r.Certain, Span: r.span(w.Span)}})
	if destroyed {
		r.say("service-destroys", r.span(w.Span), w.Prefix())
	}
}

// isRemoteObject reports whether a word names an object of a store, for certain.
func isRemoteObject(w shell.Word) bool {
	for _, scheme := range []string{"s3://", "gs://", "azure://", "az://", "oss://", "b2://", "r2://"} {
		if strings.HasPrefix(w.Prefix(), scheme) {
			return true
		}
	}
	return false
}

// hasOption reports whether an option is there, alone or with a value.
func (r *request) hasOption(names ...string) bool {
	for _, w := range r.rest {
		text, _ := w.Value()
		name, value, _ := strings.Cut(text, "=")
		for _, n := range names {
			if name == n && value != "false" {
				return true
			}
		}
	}
	return false
}

// operandsOf are words that are no options. Values of options that stand apart count
// as well: a word too many only stops.
func (r *request) operandsOf(words []shell.Word) []shell.Word {
	out := make([]shell.Word, 0, len(words))
	for i := 0; i < len(words); i++ {
		text, known := words[i].Value()
		if known && len(text) > 1 && text[0] == '-' {
			if listed(storageValues, text) {
				i++
			}
			continue
		}
		out = append(out, words[i])
	}
	return out
}

// storageValues are options of stores whose value is the next word.
const storageValues = "--profile --region --exclude --include --acl --storage-class --cache-control --content-type --endpoint-url --output --sse --sse-kms-key-id " +
	"--metadata --page-size --expires-in --project --grants --content-encoding --content-disposition --content-language --expires --request-payer --source-region -x -h -o -L -j -z --account --billing-project"

var gsutil = &service{
	kind: Cloud, bare: asks, spec: spec{short: "h:o:u:i:mqDd", long: "no-color"}, verbs: verbsOf(`
asks: version ls stat du hash help cat
asks acl|defacl|iam|lifecycle|cors|logging|versioning|label|ubla|notification|requesterpays|retention|pap|rpo|kms|web|defstorageclass|bucketpolicyonly: get list
changes: mb compose setmeta rewrite config update test
changes acl|defacl|iam|lifecycle|cors|logging|versioning|label|ubla|notification|requesterpays|retention|pap|rpo|kms|web|defstorageclass|bucketpolicyonly: set ch create clear lock watchbucket stopchannel temp release event encryption authorize serviceaccount
destroys: rb
shares: signurl hmac
special: cp mv rsync rm
`),
	specials: map[string]func(*request) bool{"cp": storageCopy, "mv": storageCopy, "rsync": storageCopy, "rm": storageDelete},
}

func explainGsutil(in *invocation) bool { return gsutil.explain(in) }

var bigQuery = &service{
	kind: Database, bare: asks,
	spec: spec{short: "q", long: "project_id= dataset_id= location= format= quiet headless apilog= api= job_id= synchronous_mode= nosync credential_file= bigqueryrc= max_rows_per_request= use_legacy_sql= debug_mode"},
	verbs: verbsOf(`
asks: ls show head version help info wait get-iam-policy
special: query
changes: mk load cp insert update extract init partition add-iam-policy-binding remove-iam-policy-binding set-iam-policy truncate
destroys: rm cancel
runs: shell
`),
	specials: map[string]func(*request) bool{"query": queryBigQuery},
}

func explainBigQuery(in *invocation) bool { return bigQuery.explain(in) }

// queryBigQuery runs the statements that are its operand.
func queryBigQuery(r *request) bool {
	if r.hasOption("--dry_run") {
		r.say("service-asked", r.point(), r.verb)
		return true
	}
	if r.hasOption("--destination_table", "--replace", "--append_table", "--destination_schema", "--schedule") {
		return false
	}
	given := false
	for _, w := range r.rest {
		if text, known := w.Value(); !known || text == "" || text[0] != '-' {
			r.statements(w, anyStatements)
			given = true
		}
	}
	if !given {
		r.statementsFromInput(anyStatements)
	}
	return true
}
