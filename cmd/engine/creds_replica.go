package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/internal/atomicfile"
)

// replicaCreds is the credential that another engine connects with, in its directory.
const replicaCreds = "engine.creds"

func (a *app) credsReplicaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "replica NAME DIR",
		Short: "Make a state directory for another engine on the same server",
		Long: `Replica makes DIR, which must not exist, with what an engine on another machine needs
to serve the same sessions from the same NATS server: the keys that logs and permits
are signed with, the accounts with their keys, which integrations are installed, the
settings, and a credential that is called NAME. Key files that the settings name are
not copied, nor are logs, which are on the server, and anchors, which each keeps of
its own.

Take DIR there in a way that keeps it secret, since whoever has it can be anybody.
There: 'engine serve --dir DIR --nats URL --creds DIR/engine.creds'. Make and revoke
credentials on one machine from then on: the other does not hear of it.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("creds replica: give a name and a directory, not %d arguments", len(args))
			}
			if err := bus.CheckName(args[0]); err != nil {
				return usageError{err}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.replica(args[0], args[1]) },
	}
}

// replicaView is a state directory for another engine.
type replicaView struct {
	Name  string `json:"name"`
	Dir   string `json:"dir"`
	Creds string `json:"creds"`
}

func (a *app) replica(name, dir string) error {
	authority, err := a.foundAuthority()
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if exists(dir) {
		return fmt.Errorf("%s exists, and nothing is written over it", dir)
	}
	// Under another name until it is whole.
	part := dir + ".part-" + rand.Text()
	if err := a.fillReplica(authority, name, part); err != nil {
		return errors.Join(fmt.Errorf("make a state directory for another engine: %w", err), os.RemoveAll(part))
	}
	if err := os.Rename(part, dir); err != nil {
		return errors.Join(err, os.RemoveAll(part))
	}
	if err := atomicfile.Sync(filepath.Dir(dir)); err != nil {
		return err
	}
	v := replicaView{Name: name, Dir: dir, Creds: filepath.Join(dir, replicaCreds)}
	return a.print(v, func(p *printer) {
		p.line("%s is the state directory of the engine %s. It holds every key: keep it secret on its way.", v.Dir, v.Name)
		p.line("There: engine serve --dir %s --nats URL --creds %s", v.Dir, v.Creds)
	})
}

// fillReplica writes what an engine needs that this one has.
func (a *app) fillReplica(authority *bus.Authority, name, dir string) error {
	if _, err := dispatchKey(a.dir); err != nil { // makes it where no call was dispatched yet
		return err
	}
	if _, err := readPrivate(filepath.Join(a.dir, keysDir, keyFile)); err != nil {
		return fmt.Errorf("the key that logs are signed with: %w; 'engine serve' makes it at its first start", err)
	}
	for _, folder := range []string{dir, filepath.Join(dir, keysDir)} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			return err
		}
	}
	public, err := filepath.Glob(filepath.Join(a.dir, keysDir, "*.pub"))
	if err != nil {
		return err
	}
	files := []string{filepath.Join(keysDir, keyFile), filepath.Join(keysDir, dispatchFile)}
	for _, path := range public {
		files = append(files, filepath.Join(keysDir, filepath.Base(path)))
	}
	for _, file := range append(files, integrationsFile, settingsFile) {
		text, err := os.ReadFile(filepath.Join(a.dir, file))
		if errors.Is(err, fs.ErrNotExist) && (file == integrationsFile || file == settingsFile) {
			continue
		}
		if err == nil {
			err = atomicfile.Replace(filepath.Join(dir, file), text)
		}
		if err != nil {
			return err
		}
	}
	// The credential first: what was issued is copied with the rest.
	c, err := authority.Issue(bus.Request{Class: bus.Engine, Name: name})
	if err == nil {
		err = writeNew(filepath.Join(dir, replicaCreds), c.Text)
	}
	if err != nil {
		return err
	}
	return authority.Copy(filepath.Join(dir, busDir))
}
