package bus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
	"github.com/nats-io/nkeys"

	"github.com/docket-engine/docket/internal/atomicfile"
	"github.com/docket-engine/docket/jetstream"
)

const (
	operatorName   = "operator"
	operatorSigner = "operator.signing"
	seedSuffix     = ".nk"
	tokenSuffix    = ".jwt"
	engineCreds    = "engine.creds"
	mirrorCreds    = "mirror.creds"
)

// OwnName is what the engine's own credentials are called.
const OwnName = "local"

// Authority holds the keys of an operator, its accounts and their classes, and issues
// credentials. It is one folder: seeds (NAME.nk) and JWTs (NAME.jwt) as the tools of
// NATS read and write them, what was issued, and the engine's own credentials.
//
// Its methods are safe for concurrent use, also by several processes: they hold a lock
// on the folder while they write.
type Authority struct {
	dir     string
	streams []string
	seeds   map[string]nkeys.KeyPair // by file name without its suffix; not changed after it is opened
	keys    map[string]string        // public keys, likewise
}

// ErrKeyMissing says that a key has gone that a JWT still names. It is not made anew:
// whatever trusts the old one would not trust the new one.
var ErrKeyMissing = errors.New("a key is missing")

// OpenAuthority reads the folder, and makes what is not there yet: everything at the
// first time, the rest if that was cut short, and the JWTs if what they are to say has
// changed since. No key is ever replaced.
func OpenAuthority(dir string) (*Authority, error) {
	if err := privateDir(dir); err != nil {
		return nil, fmt.Errorf("bus: make the folder of keys: %w", err)
	}
	streams, err := MirroredStreams(jetstream.Layout{})
	if err != nil {
		return nil, err
	}
	a := &Authority{dir: dir, streams: streams, seeds: map[string]nkeys.KeyPair{}, keys: map[string]string{}}
	err = a.locked(func() error {
		if err := a.openSeeds(); err != nil {
			return err
		}
		if err := a.writeTokens(); err != nil {
			return err
		}
		return errors.Join(a.ownCreds(engineCreds, Engine), a.ownCreds(mirrorCreds, Mirror))
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}

// privateDir makes a folder that only its owner may enter, or refuses one that others
// may.
func privateDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return private(dir)
}

// private refuses what others than the owner can read.
func private(path string) error {
	stat, err := os.Stat(path)
	if err == nil && stat.Mode().Perm()&0o077 != 0 {
		err = fmt.Errorf("%s can be read by others (%s): make it private with chmod go=", path, stat.Mode().Perm())
	}
	return err
}

// locked runs do while no other process writes in the folder.
func (a *Authority) locked(do func() error) error {
	lock := flock.New(filepath.Join(a.dir, "bus.lock"), flock.SetPermissions(0o600))
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("bus: lock %s: %w", a.dir, err)
	}
	return errors.Join(do(), lock.Unlock())
}

// seedKind is how a key pair of a file is made, and what letter its seed has.
type seedKind struct {
	name   string
	create func() (nkeys.KeyPair, error)
}

// seedKinds are all keys of the folder.
func seedKinds() []seedKind {
	kinds := []seedKind{
		{operatorName, nkeys.CreateOperator},
		{operatorSigner, nkeys.CreateOperator},
		{SystemAccount, nkeys.CreateAccount},
	}
	for _, acc := range accounts(nil) {
		kinds = append(kinds, seedKind{acc.name, nkeys.CreateAccount})
	}
	for _, class := range Classes() {
		kinds = append(kinds, seedKind{signer(class), nkeys.CreateAccount})
	}
	return kinds
}

// signer names the key that issues credentials of a class.
func signer(class Class) string { return class.Account + "." + class.Name }

// openSeeds reads the keys. One that is not there is made, unless a JWT names it.
func (a *Authority) openSeeds() error {
	named, err := a.namedKeys()
	if err != nil {
		return err
	}
	for _, kind := range seedKinds() {
		pair, err := a.readSeed(kind.name)
		if errors.Is(err, fs.ErrNotExist) {
			if key := named[kind.name]; key != "" {
				return fmt.Errorf("bus: %w: %s holds no %s%s, which is the key %s: put it back", ErrKeyMissing, a.dir, kind.name, seedSuffix, key)
			}
			pair, err = a.makeSeed(kind)
		}
		if err == nil {
			a.seeds[kind.name] = pair
			a.keys[kind.name], err = pair.PublicKey()
		}
		if err != nil {
			return fmt.Errorf("bus: key %s: %w", kind.name, err)
		}
		if key := named[kind.name]; key != "" && key != a.keys[kind.name] {
			return fmt.Errorf("bus: %w: %s%s is another key than %s, which its JWT names: put that back", ErrKeyMissing, kind.name, seedSuffix, key)
		}
	}
	return nil
}

func (a *Authority) path(name string) string { return filepath.Join(a.dir, name) }

func (a *Authority) readSeed(name string) (nkeys.KeyPair, error) {
	path := a.path(name + seedSuffix)
	if err := private(path); err != nil {
		return nil, err
	}
	seed, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	pair, err := nkeys.ParseDecoratedNKey(seed)
	clear(seed)
	if err != nil {
		return nil, fmt.Errorf("%s holds no key", path) // never what it holds
	}
	return pair, nil
}

func (a *Authority) makeSeed(kind seedKind) (nkeys.KeyPair, error) {
	pair, err := kind.create()
	if err != nil {
		return nil, err
	}
	seed, err := pair.Seed()
	if err != nil {
		return nil, err
	}
	return pair, atomicfile.Replace(a.path(kind.name+seedSuffix), append(seed, '\n'))
}

// public is a key by the name of its file.
func (a *Authority) public(name string) string { return a.keys[name] }

// Dir is the folder.
func (a *Authority) Dir() string { return a.dir }

// EngineCreds is the file by which this machine's own commands reach the engine's
// account, and MirrorCreds the one that makes the auditors' mirrors.
func (a *Authority) EngineCreds() string { return a.path(engineCreds) }

// MirrorCreds is the credentials file of whoever makes the mirrors.
func (a *Authority) MirrorCreds() string { return a.path(mirrorCreds) }

// ownCreds issues the engine's own credential of a class, once.
func (a *Authority) ownCreds(file, class string) error {
	switch err := private(a.path(file)); {
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	c, err := a.issue(Request{Class: class, Name: OwnName})
	if err != nil {
		return err
	}
	return atomicfile.Replace(a.path(file), c.Text)
}

// PublicKey is that of an account, "" if there is none of that name.
func (a *Authority) PublicKey(account string) string { return a.keys[account] }
