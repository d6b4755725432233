package bus

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nkeys"

	"github.com/docket-engine/docket/internal/atomicfile"
)

// IssuedDir is the part of an [Authority]'s folder that says what was issued.
const IssuedDir = "issued"

// Request asks for a credential.
type Request struct {
	Class, Name string

	// Lifetime is how long it is good for. Zero is the default of its class, which is
	// for ever for some; an agent's always expires.
	Lifetime time.Duration

	Ceiling  string // of a host or spawner: the preset that its sessions never exceed
	Owner    string // of a host or spawner: whom it makes sessions for
	Confines bool   // its executor confines what it runs
}

// Issued is what is known of a credential that was issued. It holds no secret.
type Issued struct {
	Class    string    `json:"class"`
	Name     string    `json:"name"`
	Key      string    `json:"key"` // the user's public key
	Issued   time.Time `json:"issued"`
	Expires  time.Time `json:"expires,omitzero"` // zero: never
	Revoked  time.Time `json:"revoked,omitzero"` // zero: it is not
	Ceiling  string    `json:"ceiling,omitempty"`
	Owner    string    `json:"owner,omitempty"`
	Confines bool      `json:"confines,omitempty"`
}

// Credential is one that was just issued. Nobody but its bearer keeps its text.
type Credential struct {
	Issued
	Text []byte // of a credentials file: JWT and seed
}

// maxLifetime is ten years: what lasts longer is meant for ever.
const maxLifetime = 10 * 365 * 24 * time.Hour

func (r *Request) validate() (Class, error) {
	class, ok := ClassNamed(r.Class)
	if !ok {
		return class, fmt.Errorf("bus: there is no class %q", r.Class)
	}
	if err := CheckName(r.Name); err != nil {
		return class, fmt.Errorf("bus: %w", err)
	}
	if r.Lifetime == 0 {
		r.Lifetime = class.Lifetime
	}
	if r.Lifetime < 0 || r.Lifetime > maxLifetime || r.Lifetime > 0 && r.Lifetime < time.Second {
		return class, fmt.Errorf("bus: the lifetime of a credential is %s, not a second to ten years", r.Lifetime)
	}
	ranked := r.Class == Host || r.Class == Spawner
	switch {
	case ranked && r.Ceiling == "":
		return class, fmt.Errorf("bus: the credential of a %s needs a ceiling", r.Class)
	case !ranked && r.Ceiling != "":
		return class, fmt.Errorf("bus: the credential of a %s has no ceiling", r.Class)
	case !ranked && r.Owner != "":
		return class, fmt.Errorf("bus: the credential of a %s names no owner", r.Class)
	}
	for field, value := range map[string]string{"ceiling": r.Ceiling, "owner": r.Owner} {
		if value != "" && (CheckName(value) != nil || value != strings.ToLower(value)) {
			return class, fmt.Errorf("bus: the %s %.140q of a credential must be a name in lower case", field, value)
		}
	}
	return class, nil
}

// tags also tell a client what its credential is for; the engine goes by who issued it.
func (r Request) tags() []string {
	tags := []string{classTag + r.Class}
	if r.Ceiling != "" {
		tags = append(tags, ceilingTag+r.Ceiling)
	}
	if r.Owner != "" {
		tags = append(tags, ownerTag+r.Owner)
	}
	if r.Confines {
		tags = append(tags, confinesTag)
	}
	return tags
}

// Issue makes a credential. What it may do is not in it but in its class's signing
// key, so that the bearer has no say in it.
func (a *Authority) Issue(r Request) (c Credential, err error) {
	err = a.locked(func() error {
		c, err = a.issue(r)
		return err
	})
	return c, err
}

func (a *Authority) issue(r Request) (Credential, error) {
	class, err := r.validate()
	if err != nil {
		return Credential{}, err
	}
	user, err := nkeys.CreateUser()
	if err != nil {
		return Credential{}, err
	}
	defer user.Wipe()
	key, err := user.PublicKey()
	if err != nil {
		return Credential{}, err
	}
	now := time.Now().Truncate(time.Second)
	c := Credential{Issued: Issued{
		Class: r.Class, Name: r.Name, Key: key, Issued: now.UTC(), Ceiling: r.Ceiling, Owner: r.Owner, Confines: r.Confines,
	}}
	claims := jwt.NewUserClaims(key)
	claims.SetScoped(true)
	claims.Name, claims.IssuerAccount = r.Name, a.public(class.Account)
	claims.Tags.Add(r.tags()...)
	if r.Lifetime > 0 {
		c.Expires = now.Add(r.Lifetime).UTC()
		claims.Expires = c.Expires.Unix()
	}
	token, err := claims.Encode(a.seeds[signer(class)])
	if err != nil {
		return Credential{}, fmt.Errorf("bus: sign a credential: %w", err)
	}
	seed, err := user.Seed()
	if err != nil {
		return Credential{}, err
	}
	if c.Text, err = jwt.FormatUserConfig(token, seed); err != nil {
		return Credential{}, fmt.Errorf("bus: write a credential: %w", err)
	}
	return c, a.remember(c.Issued)
}

// remember writes what is known of a credential, before anybody has it.
func (a *Authority) remember(i Issued) error {
	text, err := json.Marshal(i)
	if err == nil {
		err = privateDir(a.path(IssuedDir))
	}
	if err == nil {
		err = atomicfile.Replace(filepath.Join(a.path(IssuedDir), i.Key+".json"), text)
	}
	if err != nil {
		return fmt.Errorf("bus: remember a credential: %w", err)
	}
	return nil
}

// List returns what was issued and has not expired, by class, name and time.
func (a *Authority) List() (issued []Issued, err error) {
	err = a.locked(func() error {
		issued, err = listIssued(a.dir, time.Now(), true)
		return err
	})
	return issued, err
}

// ReadIssued is [Authority.List] for somebody who changes nothing in the folder.
func ReadIssued(dir string) ([]Issued, error) { return listIssued(dir, time.Now(), false) }

// listIssued leaves out what has expired, and may drop it: it opens nothing any more.
func listIssued(dir string, now time.Time, drop bool) ([]Issued, error) {
	paths, err := filepath.Glob(filepath.Join(dir, IssuedDir, "*.json"))
	if err != nil {
		return nil, err
	}
	var issued []Issued
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("bus: read what was issued: %w", err)
		}
		var i Issued
		if err := json.Unmarshal(text, &i, json.RejectUnknownMembers(true)); err != nil {
			return nil, fmt.Errorf("bus: %s is not what was written there", path)
		}
		if !i.Expires.IsZero() && i.Expires.Before(now) {
			if drop {
				if err := os.Remove(path); err != nil {
					return nil, fmt.Errorf("bus: forget what has expired: %w", err)
				}
			}
			continue
		}
		issued = append(issued, i)
	}
	slices.SortFunc(issued, func(x, y Issued) int {
		return strings.Compare(x.Class+" "+x.Name+" "+x.Key, y.Class+" "+y.Name+" "+y.Key)
	})
	return issued, nil
}

// ErrNotIssued says that there is no credential of that class and name to revoke.
var ErrNotIssued = errors.New("there is no such credential")

// Revoke takes back all credentials of a class and name that were issued so far. It
// returns how many; a server that serves the accounts has to be told [Authority.Tokens].
func (a *Authority) Revoke(class, name string) (revoked int, err error) {
	err = a.locked(func() error {
		revoked, err = a.revoke(class, name)
		return err
	})
	return revoked, err
}

func (a *Authority) revoke(class, name string) (int, error) {
	now := time.Now()
	issued, err := listIssued(a.dir, now, true)
	if err != nil {
		return 0, err
	}
	keys := map[string]time.Time{}
	var found []Issued
	for _, i := range issued {
		if i.Class == class && i.Name == name {
			keys[i.Key] = now
			found = append(found, i)
		}
	}
	if len(found) == 0 {
		return 0, fmt.Errorf("bus: %w: %s %s", ErrNotIssued, class, name)
	}
	// The account first: what is crossed out in the list must not open anything.
	of, _ := ClassNamed(class)
	for _, acc := range accounts(a.streams) {
		if acc.name == of.Account {
			if err := a.writeAccount(acc, keys); err != nil {
				return 0, err
			}
		}
	}
	for _, i := range found {
		if i.Revoked.IsZero() {
			i.Revoked = now.UTC()
			if err := a.remember(i); err != nil {
				return 0, err
			}
		}
	}
	return len(found), a.renewOwn(class, name)
}

// renewOwn makes a credential of the engine's own anew that was taken back. A serve
// that runs has to be started again.
func (a *Authority) renewOwn(class, name string) error {
	file := map[string]string{Engine: engineCreds, Mirror: mirrorCreds}[class]
	if file == "" || name != OwnName {
		return nil
	}
	if err := os.Remove(a.path(file)); err != nil {
		return fmt.Errorf("bus: renew the engine's own credential: %w", err)
	}
	return a.ownCreds(file, class)
}
