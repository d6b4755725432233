package bus

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
)

// The classes of those who may be on the bus. Host and spawner share an account with
// agents; the key that issued their credential tells them apart.
const (
	Human    = "human"
	Agent    = "agent"
	Host     = "host"
	Spawner  = "spawner"
	Reviewer = "reviewer"
	Auditor  = "auditor"
	Engine   = "engine"
	Admin    = "admin"
	Mirror   = "mirror" // makes the auditors' mirrors, and nothing else
)

// Caller is who a command came from, as the server and the engine's own table
// establish it.
type Caller struct {
	Class string // Human, Agent, Host, Spawner or Reviewer
	Name  string // the user, session, installation, spawner or reviewer

	// Ceiling is the preset that sessions of a host or spawner never exceed.
	Ceiling string
	// Owner is whom a host or spawner makes sessions for.
	Owner string
	// Confines says that the caller's executor confines what it runs.
	Confines bool
}

// ErrUnidentified is matched by every error of [Table.Establish].
var ErrUnidentified = errors.New("the caller cannot be told")

// Table is what the engine knows of accounts: which key issues credentials of which
// class, and in which account. The zero Table knows nobody.
type Table struct {
	classes map[issuer]string
}

type issuer struct{ account, key string }

// Add says that a key issues credentials of a class in an account.
func (t *Table) Add(account, key, class string) {
	if t.classes == nil {
		t.classes = map[issuer]string{}
	}
	t.classes[issuer{account, key}] = class
}

const (
	identityHeader = "Nats-Request-Info"
	identityLimit  = 64 << 10
	clientKind     = "Client" // as opposed to a leafnode, which stands for everybody behind it

	// SubjectPrefix begins the subject of every command: then come the class, the
	// name, and the command.
	SubjectPrefix = "docket.v1."
)

// identity is what the server says of a caller. What the client chooses itself (user,
// name, host) is left out, and so is the JWT, which belongs in no log.
type identity struct {
	Account string   `json:"acc"`
	Service string   `json:"svc"`
	Issuer  string   `json:"issuer_key"`
	Name    string   `json:"name_tag"`
	Tags    []string `json:"tags"`
	Kind    string   `json:"kind"`
}

// Establish says who sent a command that arrived on a subject, from what the server
// wrote into its header at the import of the service. Account and issuing key give
// the class, the signed name gives the actor, and both must be the subject's.
//
// It relies on nobody in the engine's own account being able to publish on the
// subject: a header that was written there looks the same.
func (t Table) Establish(h nats.Header, subject string) (Caller, error) {
	caller, err := t.establish(h, subject)
	if err != nil {
		return Caller{}, fmt.Errorf("%w: %w", ErrUnidentified, err)
	}
	return caller, nil
}

func (t Table) establish(h nats.Header, subject string) (Caller, error) {
	class, name, err := splitSubject(subject)
	if err != nil {
		return Caller{}, err
	}
	text, err := identityText(h)
	if err != nil {
		return Caller{}, err
	}
	var id identity
	if err := json.Unmarshal([]byte(text), &id); err != nil {
		return Caller{}, errors.New(identityHeader + " is not what a server writes") // its text may hold a credential
	}
	if err := t.check(id, class, name); err != nil {
		return Caller{}, err
	}
	caller := Caller{Class: class, Name: name}
	return caller, caller.readTags(id.Tags)
}

// check compares what the server says with what the subject claims.
func (t Table) check(id identity, class, name string) error {
	switch known := t.classes[issuer{id.Account, id.Issuer}]; {
	case id.Account == "":
		return errors.New("the server does not say which account")
	case id.Issuer == "" || id.Name == "":
		return errors.New("the server does not share who it is: the import of the service lacks share")
	case id.Kind != clientKind:
		return fmt.Errorf("it is no client's own connection but of the kind %q", id.Kind)
	case id.Service != "":
		return errors.New("it came through another account")
	case known == "":
		return errors.New("the key that issued its credential is not known in that account")
	case known != class:
		return fmt.Errorf("its class is %s, the subject is of %s", known, class)
	case id.Name != name:
		return fmt.Errorf("its name is %q, the subject is of %q", id.Name, name)
	default:
		return nil
	}
}

// identityText is the one header in question. One that differs in case is somebody's
// attempt.
func identityText(h nats.Header) (string, error) {
	found := ""
	for key, values := range h {
		switch {
		case !strings.EqualFold(key, identityHeader):
			continue
		case key != identityHeader || len(values) != 1 || found != "":
			return "", errors.New("there is more than one " + identityHeader + ", or it is misspelt")
		case len(values[0]) > identityLimit:
			return "", fmt.Errorf("%s has %d bytes, more than %d", identityHeader, len(values[0]), identityLimit)
		}
		found = values[0]
	}
	if found == "" {
		return "", errors.New("there is no " + identityHeader + ": the command came from within the account")
	}
	return found, nil
}

// splitSubject takes docket.v1.CLASS.NAME.COMMAND apart; a command has at least one
// token.
func splitSubject(subject string) (class, name string, err error) {
	rest, ours := strings.CutPrefix(subject, SubjectPrefix)
	tokens := strings.Split(rest, ".")
	if !ours || len(tokens) < 3 {
		return "", "", errors.New("the subject is of no command")
	}
	for _, token := range tokens {
		if CheckName(token) != nil {
			return "", "", errors.New("the subject has a token that is no name")
		}
	}
	switch tokens[0] {
	case Human, Agent, Host, Spawner, Reviewer:
		return tokens[0], tokens[1], nil
	default:
		return "", "", fmt.Errorf("nobody calls as %q", tokens[0])
	}
}

const maxName = 128

// CheckName reports whether a name can be that of a credential: what a session id is,
// too, one token of a subject and never a wildcard.
func CheckName(name string) error {
	good := name != "" && len(name) <= maxName
	for i := range len(name) {
		c := name[i]
		good = good && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-')
	}
	if !good {
		return fmt.Errorf("a name has 1 to %d letters, digits, _ and -, and %.140q has not", maxName, name)
	}
	return nil
}

// The tags of a credential. The server keeps them in lower case.
const (
	ceilingTag  = "ceiling:"
	ownerTag    = "owner:"
	confinesTag = "confines:yes"
	classTag    = "class:" // for clients; nobody is believed by it
)

// readTags takes each tag at most once.
func (c *Caller) readTags(tags []string) error {
	for _, tag := range tags {
		var err error
		if value, is := strings.CutPrefix(tag, ceilingTag); is {
			err = setOnce(&c.Ceiling, value)
		} else if value, is := strings.CutPrefix(tag, ownerTag); is {
			err = setOnce(&c.Owner, value)
		} else if tag == confinesTag {
			c.Confines = true
		}
		if err != nil {
			return err
		}
	}
	if (c.Class == Host || c.Class == Spawner) && c.Ceiling == "" {
		return fmt.Errorf("the credential of a %s names no ceiling", c.Class)
	}
	return nil
}

func setOnce(field *string, value string) error {
	if *field != "" || CheckName(value) != nil {
		return errors.New("a tag of its credential stands twice, or has no value")
	}
	*field = value
	return nil
}
