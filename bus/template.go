package bus

import (
	"slices"
	"strings"
	"time"

	"github.com/nats-io/jwt/v2"

	"github.com/docket-engine/docket/api"
)

// The accounts of an engine's bus. The system's is the server's own.
const (
	SystemAccount = "SYS"
	EngineAccount = "ENGINE"
	HumanAccount  = "HUMAN"
	AgentAccount  = "AGENT"
	ReviewAccount = "REVIEW"
	AuditAccount  = "AUDIT"
)

const (
	// nameTemplate is filled in by the server with the signed name of a user.
	nameTemplate = "{{name()}}"

	// ReviewPrefix begins the subject on which a reviewer is asked.
	ReviewPrefix = SubjectPrefix + "review."

	// ControlPrefix begins the subjects by which the processes of one engine talk.
	// They stay within its account.
	ControlPrefix = "docket.engine."

	// ReplyWindow is how long after a request the servers carry its replies over from
	// one account to another. Whoever waits longer asks again, by the id of the call.
	ReplyWindow = 10 * time.Minute

	// maxSubs is how many subscriptions a connection may have that is not an engine's.
	maxSubs = 1000

	// A reviewer may say this often that it still works, and for this long.
	reviewReplies = 1000
	reviewWindow  = 15 * time.Minute
)

// Class is what credentials of one class may do on the bus. The word {{name()}} in a
// subject stands for the credential's own name.
type Class struct {
	Name      string
	Account   string
	Publish   []string // subjects that may be published on, and no others
	Subscribe []string // subjects that may be subscribed to, and no others
	Replies   bool     // may answer requests that it has received

	// Lifetime is how long a credential is good for unless its request says otherwise;
	// zero is for ever.
	Lifetime time.Duration
}

// InboxPrefix is what the inboxes of a credential begin with; a client is told it by
// its option of that name.
func InboxPrefix(class, name string) string { return "_INBOX." + class + "." + name }

// Classes are all classes with what they may do.
func Classes() []Class {
	return []Class{
		choosing(),
		commanding(Agent, AgentAccount, 24*time.Hour),
		commanding(Host, AgentAccount, 0),
		commanding(Spawner, AgentAccount, 0),
		reviewing(),
		auditing(),
		{Name: Engine, Account: EngineAccount, Publish: enginePublish(), Subscribe: []string{">"}},
		{Name: Admin, Account: EngineAccount, Publish: adminPublish(), Subscribe: []string{">"}, Lifetime: time.Hour},
		{Name: Mirror, Account: AuditAccount, Publish: mirrorPublish(), Subscribe: ownInbox(Mirror)},
	}
}

// ClassNamed finds a class.
func ClassNamed(name string) (Class, bool) {
	for _, c := range Classes() {
		if c.Name == name {
			return c, true
		}
	}
	return Class{}, false
}

func ownInbox(class string) []string { return []string{InboxPrefix(class, nameTemplate) + ".>"} }

func ownCommands(class string) string { return SubjectPrefix + class + "." + nameTemplate + ".>" }

// commanding is a class that sends commands under its own name and hears the answers.
func commanding(class, account string, lifetime time.Duration) Class {
	return Class{
		Name: class, Account: account, Lifetime: lifetime,
		Publish: []string{ownCommands(class)}, Subscribe: ownInbox(class),
	}
}

// choosing also hears when there is something else to choose from.
func choosing() Class {
	c := commanding(Human, HumanAccount, 0)
	c.Subscribe = append(c.Subscribe, api.CatalogueSubject)
	return c
}

// reviewing hears the requests to the reviewer of its name and answers those alone:
// it has no subject on which it could give a verdict unasked.
func reviewing() Class {
	c := commanding(Reviewer, ReviewAccount, 0)
	c.Subscribe = append(c.Subscribe, ReviewPrefix+nameTemplate)
	c.Replies = true
	return c
}

// auditing reads the mirrors, and makes the consumers that reading needs.
func auditing() Class {
	return Class{
		Name: Auditor, Account: AuditAccount, Subscribe: ownInbox(Auditor),
		Publish: requests(
			"INFO",
			"STREAM.NAMES", "STREAM.LIST", "STREAM.INFO.*", "STREAM.MSG.GET.*",
			"DIRECT.GET.*", "DIRECT.GET.*.>",
			"CONSUMER.CREATE.*", "CONSUMER.CREATE.*.>", "CONSUMER.DELETE.*.*",
			"CONSUMER.NAMES.*", "CONSUMER.LIST.*", "CONSUMER.INFO.*.*", "CONSUMER.MSG.NEXT.*.*",
		),
	}
}

// enginePublish is what an engine writes. No command's subject is among it, so that
// nobody in its account can pretend to be a caller, and nothing that changes a stream
// or takes a message away.
func enginePublish() []string {
	return append(requests(
		"INFO",
		"STREAM.CREATE.*", "STREAM.NAMES", "STREAM.LIST", "STREAM.INFO.*", "STREAM.MSG.GET.*",
		"DIRECT.GET.*", "DIRECT.GET.*.>",
		"CONSUMER.CREATE.*", "CONSUMER.CREATE.*.>", "CONSUMER.DELETE.*.*",
		"CONSUMER.NAMES.*", "CONSUMER.LIST.*", "CONSUMER.INFO.*.*", "CONSUMER.MSG.NEXT.*.*",
	),
		"session.>", "project.>", "audit.>", "snapshot.>",
		ReviewPrefix+"*", api.CatalogueSubject, ControlPrefix+">", "$SRV.>", "$SYS.REQ.USER.INFO", // which says who one is
		"_INBOX.>", "_R_.>", "$JS.ACK.>", "$JS.FC.>",
	)
}

// adminPublish can change streams, and still not speak for a caller or write a log.
func adminPublish() []string { return []string{"$JS.API.>", "$SRV.>", "_INBOX.>", ControlPrefix + ">"} }

func mirrorPublish() []string {
	return requests("INFO", "STREAM.CREATE.*", "STREAM.NAMES", "STREAM.INFO.*")
}

func requests(names ...string) []string {
	subjects := make([]string, len(names))
	for i, name := range names {
		subjects[i] = "$JS.API." + name
	}
	return subjects
}

// scope is the template of a class as a scoped signing key carries it.
func (c Class) scope(key string) *jwt.UserScope {
	s := jwt.NewUserScope()
	s.Key, s.Role, s.Description = key, c.Name, "credentials of the class "+c.Name
	s.Template.Pub.Allow = slices.Clone(c.Publish)
	s.Template.Sub.Allow = slices.Clone(c.Subscribe)
	if c.Account != EngineAccount {
		s.Template.Subs = maxSubs
	}
	if c.Replies {
		s.Template.Resp = &jwt.ResponsePermission{MaxMsgs: reviewReplies, Expires: reviewWindow}
	}
	// No leafnode: it would stand for whoever is behind it. No websocket or MQTT either:
	// nobody asked for them.
	s.Template.AllowedConnectionTypes = jwt.StringList{jwt.ConnectionTypeStandard, jwt.ConnectionTypeInProcess}
	return s
}

// filled puts a name where the server would.
func filled(subject, name string) string { return strings.ReplaceAll(subject, nameTemplate, name) }
