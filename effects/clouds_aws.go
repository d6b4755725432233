package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// awsSpec are the options that may stand anywhere, as far as they may stand in front.
var awsSpec = spec{long: "profile= region= output= query= endpoint-url= color= no-cli-pager no-paginate no-verify-ssl no-sign-request debug ca-bundle= cli-read-timeout= cli-connect-timeout= " +
	"cli-binary-format= cli-auto-prompt no-cli-auto-prompt v2-debug version"}

// aws is there for its options; its verbs are told by their form.
var aws = &service{kind: Cloud, spec: awsSpec, dry: "--dryrun --dry-run", quiet: "--no-cli-pager --include-deleted", bare: asks, verbs: verbsOf(``)}

// explainAWS reads a service, an operation, and what it is given.
func explainAWS(in *invocation) bool {
	r := request{invocation: in, service: aws}
	kind, next := r.awsWord(0)
	operation, after := r.awsWord(next)
	if kind == "" || operation == "" {
		a := aws.bareAct(in.args)
		if kind == "help" || a == asks {
			in.say("service-asked", in.span(in.Span), kind)
			return true
		}
		return false
	}
	r.verb, r.rest = kind+" "+operation, in.args[after:]
	r.at = shell.Span{Start: in.args[next-1].Span.Start, End: in.args[after-1].Span.End}
	if words := r.operandsOf(r.rest); operation == "help" || len(words) == 1 && isWord(words[0], "help") && len(r.rest) == 1 {
		in.say("service-asked", r.point(), r.verb)
		return true
	}
	switch kind {
	case "s3":
		return r.awsStorage(operation)
	case "configure", "sso", "login", "logout":
		return r.awsAccount(kind, operation)
	}
	return r.perform(r.awsAct(kind, operation))
}

func isWord(w shell.Word, text string) bool {
	v, known := w.Value()
	return known && v == text
}

// awsWord finds the next word that is no option, and the place behind it.
func (r *request) awsWord(i int) (string, int) {
	for ; i < len(r.args); i++ {
		text, known := r.args[i].Value()
		if !known {
			return "", i
		}
		if len(text) > 1 && text[0] == '-' {
			last, ok := aws.skip(r.args, i)
			if !ok {
				return "", i
			}
			i = last
			continue
		}
		return text, i + 1
	}
	return "", i
}

// awsSecrets are operations that give out secrets.
const awsSecrets = "get-secret-value batch-get-secret-value get-session-token get-federation-token assume-role assume-role-with-saml assume-role-with-web-identity get-login-password " +
	"get-login get-authorization-token decrypt generate-data-key generate-data-key-pair get-password-data get-random-password generate-db-auth-token get-cluster-credentials get-token get-role-credentials " +
	"get-cluster-credentials-with-iam get-credentials-for-identity get-open-id-token export-environment get-instance-access-details get-relational-database-master-user-password get-api-keys"

// awsStarts are how operations begin that only ask.
var awsStarts = []string{"describe-", "list-", "get-", "head-", "lookup-", "batch-get-", "search", "filter-", "wait", "validate-", "simulate-", "estimate-", "detect-", "preview-", "scan", "query", "tail", "view-"}

// awsAsks are operations that only ask, and begin in another way.
const awsAsks = "ls history help discover-instances select-object-content check-domain-availability check-dns-availability check-if-phone-number-is-opted-out decode-authorization-message transact-get-items "

// awsAct tells what an operation does by how it is called.
func (r *request) awsAct(kind, operation string) act {
	switch {
	case listed(awsSecrets, operation):
		return shares
	case kind == "ssm" && strings.HasPrefix(operation, "get-parameter"):
		if r.hasOption("--with-decryption") {
			return shares
		}
		return asks
	case operation == "update-kubeconfig":
		return changes
	case operation == "start-session" || operation == "execute-command" || operation == "ssh" || operation == "send-command" || operation == "send-ssh-public-key":
		return runs
	case kind == "eks" && operation == "get-token", kind == "iam" && operation == "get-ssh-public-key":
		return asks
	case kind == "lambda" && operation == "invoke":
		return changes
	case listed(awsAsks, operation):
		return r.awsReads(kind, operation)
	}
	for _, start := range awsStarts {
		if strings.HasPrefix(operation, start) {
			return r.awsReads(kind, operation)
		}
	}
	for _, start := range []string{"delete-", "terminate-", "purge-", "remove-", "deregister-", "batch-delete-", "destroy-", "reset-", "revoke-", "schedule-key-deletion", "release-", "cancel-", "unsubscribe", "disable-", "force-delete"} {
		if strings.HasPrefix(operation, start) {
			return destroys
		}
	}
	return changes
}

// awsReads looks at a reading operation's operands: some of them write what they get
// to a file that is named.
func (r *request) awsReads(kind, operation string) act {
	for i, w := range r.rest {
		text, known := w.Value()
		if known && (text == "--cli-input-json" || text == "--cli-input-yaml" || strings.HasPrefix(text, "--cli-input-")) {
			return noAct
		}
		if (strings.HasPrefix(operation, "get-") || operation == "select-object-content") && known && len(text) > 0 && text[0] != '-' && i > 0 && !mayTake(r.rest[i-1]) {
			r.writesUnlessDash(w)
		}
	}
	if kind == "secretsmanager" && strings.HasPrefix(operation, "get-secret") {
		return shares
	}
	return asks
}

// awsStorage are the verbs of aws s3.
func (r *request) awsStorage(operation string) bool {
	switch operation {
	case "ls":
		return r.perform(asks)
	case "cp", "mv", "sync":
		return storageCopy(r)
	case "rm", "rb":
		return storageDelete(r)
	case "presign":
		return storageShare(r)
	case "mb", "website":
		return r.perform(changes)
	default:
		return false
	}
}

func (r *request) awsAccount(kind, operation string) bool {
	switch {
	case kind == "configure" && (operation == "list" || operation == "list-profiles"):
		return r.perform(asks)
	case kind == "configure" && (operation == "get" || operation == "export-credentials"):
		return r.perform(shares)
	default:
		return r.perform(speaksFor)
	}
}
