package bus

import (
	"context"
	"fmt"
	"strings"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/jetstream"
)

const (
	// mirrorAPI and mirrorDeliver are what a mirror in AUDIT calls the engine's
	// JetStream, and where it gets what is stored there.
	mirrorAPI     = "docket.mirror.API"
	mirrorDeliver = "deliver.audit"
)

// account is one of the bus's accounts: what it has, gives and takes.
type account struct {
	name    string
	streams bool // it may have streams
	exports []link
	imports []link
}

// link is a service, or a stream of messages, that one account gives to another one.
type link struct {
	subject  string
	from, to string // accounts
	local    string // what the importer calls it; the subject itself if empty
	messages bool   // no service
	lasting  bool   // has more than one reply
}

// links are all ways from one account into another.
func links(streams []string) []link {
	commands := func(class, from string) link {
		return link{subject: SubjectPrefix + class + ".>", from: EngineAccount, to: from, lasting: true}
	}
	all := []link{
		commands(Human, HumanAccount),
		commands(Agent, AgentAccount), commands(Host, AgentAccount), commands(Spawner, AgentAccount),
		commands(Reviewer, ReviewAccount),
		{subject: ReviewPrefix + "*", from: ReviewAccount, to: EngineAccount, lasting: true},
		{subject: api.CatalogueSubject, from: EngineAccount, to: HumanAccount, messages: true},
		{subject: mirrorDeliver + ".>", from: EngineAccount, to: AuditAccount, messages: true},
	}
	for _, stream := range streams {
		create := "CONSUMER.CREATE." + stream
		all = append(all,
			link{subject: "$JS.API." + create, local: mirrorAPI + "." + create, from: EngineAccount, to: AuditAccount},
			link{subject: "$JS.API." + create + ".>", local: mirrorAPI + "." + create + ".>", from: EngineAccount, to: AuditAccount},
			link{subject: "$JS.FC." + stream + ".>", from: EngineAccount, to: AuditAccount},
			link{subject: "$JS.FC.*.*." + stream + ".>", from: EngineAccount, to: AuditAccount}, // the newer form
		)
	}
	return all
}

// MirroredStreams are the streams that auditors have mirrors of: all that hold logs.
// A snapshot is no evidence.
func MirroredStreams(layout jetstream.Layout) ([]string, error) {
	mirrors, err := layout.Mirrors(mirrorAPI, mirrorDeliver)
	names := make([]string, len(mirrors))
	for i, m := range mirrors {
		names[i] = m.Name
	}
	return names, err
}

// accounts are those that have users, in the order in which they are made.
func accounts(streams []string) []account {
	all := []account{
		{name: EngineAccount, streams: true},
		{name: HumanAccount},
		{name: AgentAccount},
		{name: ReviewAccount},
		{name: AuditAccount, streams: true},
	}
	for _, l := range links(streams) {
		for i := range all {
			if all[i].name == l.from {
				all[i].exports = append(all[i].exports, l)
			}
			if all[i].name == l.to {
				all[i].imports = append(all[i].imports, l)
			}
		}
	}
	return all
}

// claims are what the JWT of an account says; revocations are kept from the one
// before.
func (a *Authority) claims(acc account, revoked jwt.RevocationList) (*jwt.AccountClaims, error) {
	c := jwt.NewAccountClaims(a.public(acc.name))
	c.Name, c.Revocations = acc.name, revoked
	c.Limits.LeafNodeConn = 0 // behind a leafnode nobody can tell who calls
	c.Limits.DisallowBearer = true
	if acc.streams {
		c.Limits.JetStreamLimits = jwt.JetStreamLimits{
			DiskStorage: jwt.NoLimit, MemoryStorage: jwt.NoLimit, Streams: jwt.NoLimit, Consumer: jwt.NoLimit,
		}
	}
	for _, class := range Classes() {
		if class.Account == acc.name {
			c.SigningKeys.AddScopedSigner(class.scope(a.public(signer(class))))
		}
	}
	for _, l := range acc.exports {
		c.Exports.Add(l.export())
	}
	for _, l := range acc.imports {
		i, err := a.imported(l)
		if err != nil {
			return nil, err
		}
		c.Imports.Add(i)
	}
	results := jwt.CreateValidationResults()
	c.Validate(results)
	if errs := results.Errors(); len(errs) > 0 {
		return nil, fmt.Errorf("bus: account %s: %w", acc.name, errs[0])
	}
	return c, nil
}

func (l link) kind() jwt.ExportType {
	if l.messages {
		return jwt.Stream
	}
	return jwt.Service
}

// name tells the links of an account apart: it is for people.
func (l link) name() string { return strings.ToLower(l.from+"-"+l.to) + " " + l.subject }

// export is a private one: an account imports it with a token that names it.
func (l link) export() *jwt.Export {
	e := &jwt.Export{Name: l.name(), Subject: jwt.Subject(l.subject), Type: l.kind(), TokenReq: true}
	if l.lasting {
		e.ResponseType = jwt.ResponseTypeStream
		e.ResponseThreshold = ReplyWindow
		if l.from == ReviewAccount {
			e.ResponseThreshold = reviewWindow
		}
	}
	return e
}

// imported takes a link in, with the token that the exporting account has signed. A
// service shares who calls.
func (a *Authority) imported(l link) (*jwt.Import, error) {
	token := jwt.NewActivationClaims(a.public(l.to))
	token.Name, token.ImportType, token.ImportSubject = l.name(), l.kind(), jwt.Subject(l.subject)
	text, err := token.Encode(a.seeds[l.from])
	if err != nil {
		return nil, fmt.Errorf("bus: activation of %s: %w", l.name(), err)
	}
	return &jwt.Import{
		Name: l.name(), Subject: jwt.Subject(l.subject), Account: a.public(l.from), Token: text,
		Type: l.kind(), LocalSubject: jwt.RenamingSubject(l.local), Share: !l.messages,
	}, nil
}

// ProvisionMirrors makes the auditors' mirrors that are missing. The connection is one
// of the class [Mirror].
func ProvisionMirrors(ctx context.Context, nc *nats.Conn, layout jetstream.Layout) error {
	mirrors, err := layout.Mirrors(mirrorAPI, mirrorDeliver)
	if err != nil {
		return err
	}
	js, err := natsjs.New(nc)
	if err != nil {
		return err
	}
	_, err = jetstream.ProvisionMirrors(ctx, js, mirrors)
	return err
}

// MissingMirrors returns which of the mirrors are not there. The connection is one of
// the classes [Mirror] and [Auditor].
func MissingMirrors(ctx context.Context, nc *nats.Conn, layout jetstream.Layout) ([]string, error) {
	mirrors, err := layout.Mirrors(mirrorAPI, mirrorDeliver)
	if err != nil {
		return nil, err
	}
	js, err := natsjs.New(nc)
	if err != nil {
		return nil, err
	}
	return jetstream.MissingMirrors(ctx, js, mirrors)
}
