package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/bus"
)

func (a *app) credsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "creds",
		Short: "Make, list, seal and revoke credentials for the bus",
		Long: `Creds makes the credentials by which humans, agents and others reach the engine over
NATS. What a credential may do is fixed by its class and not in the file; what it is
called is signed. The keys are in the state directory (bus), and who has them can make
any credential.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usagef("creds: say what to do: human, agent, auditor, spawner, host, reviewer, engine, admin, list, revoke, seal, template or replica")
		},
	}
	for _, issue := range []issueCommand{
		{bus.Human, "NAME", "a human: messages, presets, tiers, approvals"},
		{bus.Agent, "SESSION", "an agent: one session's own commands; for a day unless --expires says otherwise"},
		{bus.Auditor, "NAME", "an auditor: reads copies of the logs, and writes nothing"},
		{bus.Spawner, "NAME", "a spawner: makes sessions up to a ceiling"},
		{bus.Host, "NAME", "a host's installation: relays prompts and calls of sessions that it made"},
		{bus.Reviewer, "NAME", "a reviewer in another process: answers what it is asked"},
		{bus.Engine, "NAME", "another engine on the same streams"},
		{bus.Admin, "NAME", "an admin of the streams; for an hour unless --expires says otherwise"},
	} {
		cmd.AddCommand(a.issueCommand(issue))
	}
	cmd.AddCommand(a.credsListCommand(), a.credsRevokeCommand(), a.credsSealCommand(), a.credsTemplateCommand(), a.credsReplicaCommand())
	return cmd
}

// issueCommand is how credentials of one class are made.
type issueCommand struct{ class, arg, what string }

// defaultCeiling is the narrowest preset: whoever wants more says so.
const defaultCeiling = "read-only"

func (a *app) issueCommand(c issueCommand) *cobra.Command {
	r := bus.Request{Class: c.class}
	out := ""
	cmd := &cobra.Command{
		Use:   c.class + " " + c.arg,
		Short: "Make a credential of " + c.what,
		Args:  one(c.arg),
		PreRunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("expires") && r.Lifetime < time.Second {
				return usagef("--expires must be at least a second, such as 12h")
			}
			if err := bus.CheckName(args[0]); err != nil {
				return usageError{err}
			}
			r.Name = args[0]
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return a.issue(cmd.Context(), r, out) },
	}
	f := cmd.Flags()
	f.DurationVar(&r.Lifetime, "expires", 0, "how long it is good for, such as 12h (default "+lifetimeOf(c.class)+")")
	f.StringVarP(&out, "out", "o", "", `file to write, "-" for standard output (default CLASS.NAME.creds in the state directory)`)
	if c.class == bus.Spawner || c.class == bus.Host {
		f.StringVar(&r.Ceiling, "ceiling", defaultCeiling, "preset that its sessions never exceed")
	}
	if c.class == bus.Agent || c.class == bus.Host {
		f.BoolVar(&r.Confines, "confines", false, "its executor confines every body that it runs")
	}
	if c.class == bus.Spawner || c.class == bus.Host {
		f.StringVar(&r.Owner, "owner", "", "human whom its sessions belong to")
	}
	return cmd
}

func lifetimeOf(class string) string {
	if c, ok := bus.ClassNamed(class); ok && c.Lifetime > 0 {
		return c.Lifetime.String()
	}
	return "for ever"
}

// credsView is a credential without its secret.
type credsView struct {
	Class   string `json:"class"`
	Name    string `json:"name"`
	Key     string `json:"key"`
	Issued  string `json:"issued"`
	Expires string `json:"expires,omitempty"`
	Revoked string `json:"revoked,omitempty"`
	Ceiling string `json:"ceiling,omitempty"`
	Owner   string `json:"owner,omitempty"`
	File    string `json:"file,omitempty"`
	Inbox   string `json:"inboxPrefix"`
}

func viewCreds(i bus.Issued) credsView {
	v := credsView{
		Class: i.Class, Name: i.Name, Key: i.Key, Issued: utc(i.Issued), Ceiling: i.Ceiling, Owner: i.Owner, Inbox: i.InboxPrefix(),
	}
	if !i.Expires.IsZero() {
		v.Expires = utc(i.Expires)
	}
	if !i.Revoked.IsZero() {
		v.Revoked = utc(i.Revoked)
	}
	return v
}

// openAuthority opens the keys of the state directory, which it makes.
func (a *app) openAuthority() (*bus.Authority, error) {
	if err := a.findDir(readWrite); err != nil {
		return nil, err
	}
	return bus.OpenAuthority(filepath.Join(a.dir, busDir))
}

// foundAuthority opens the keys of a state directory that has some.
func (a *app) foundAuthority() (*bus.Authority, error) {
	if a.dir == "" || !exists(filepath.Join(a.dir, busDir)) {
		return nil, fmt.Errorf("%w of keys in %s: 'engine serve' and 'engine creds human NAME' make one", errNoStore, a.dir)
	}
	return a.openAuthority()
}

func (a *app) issue(ctx context.Context, r bus.Request, out string) error {
	authority, err := a.openAuthority()
	if err != nil {
		return err
	}
	if out == "" {
		out = filepath.Join(authority.Dir(), r.Class+"."+r.Name+".creds")
	}
	if out != "-" && exists(out) {
		return fmt.Errorf("%s exists: 'engine creds revoke %s %s' takes the old one back, and --out names another file", out, r.Class, r.Name)
	}
	c, err := authority.Issue(r)
	if err != nil {
		return err
	}
	if out == "-" {
		_, err = a.stdout.Write(c.Text)
		err = printed(err)
	} else if err = writeNew(out, c.Text); err != nil {
		err = fmt.Errorf("write the credential: %w", err)
	}
	if err == nil && r.Class == bus.Auditor { // whose copies a running serve makes now
		err = a.tellServe(ctx)
	}
	if err != nil || out == "-" {
		return err
	}
	v := viewCreds(c.Issued)
	v.File = out
	return a.print(v, func(p *printer) {
		p.line("%s is the credential of %s %s.", out, c.Class, c.Name)
		if !c.Expires.IsZero() {
			p.line("It is good until %s.", local(c.Expires.UnixMilli()))
		}
		if r.Class == bus.Auditor {
			p.line("With it: nats --creds %s --inbox-prefix %s stream ls", out, c.InboxPrefix())
		}
	})
}

// writeNew writes a private file that must not exist.
func writeNew(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

func (a *app) credsListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the credentials that were made and have not expired",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			authority, err := a.foundAuthority()
			if err != nil {
				return err
			}
			issued, err := authority.List()
			if err != nil {
				return err
			}
			views := make([]credsView, len(issued))
			for i := range issued {
				views[i] = viewCreds(issued[i])
			}
			return a.print(views, func(p *printer) { p.creds(issued) })
		},
	}
}

func (p *printer) creds(issued []bus.Issued) {
	rows := [][]string{{"CLASS", "NAME", "ISSUED", "EXPIRES", "NOTE"}}
	for _, i := range issued {
		expires, notes := "never", []string{}
		if !i.Expires.IsZero() {
			expires = local(i.Expires.UnixMilli())
		}
		if !i.Revoked.IsZero() {
			notes = append(notes, "revoked")
		}
		if i.Ceiling != "" {
			notes = append(notes, "up to "+i.Ceiling)
		}
		if i.Owner != "" {
			notes = append(notes, "for "+i.Owner)
		}
		rows = append(rows, []string{i.Class, i.Name, local(i.Issued.UnixMilli()), expires, strings.Join(notes, ", ")})
	}
	p.table(rows)
}
