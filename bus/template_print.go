package bus

import (
	"fmt"
	"strings"
)

// ServerConfig is a configuration for a NATS server that is not ours: it trusts the
// operator and knows the accounts. It holds no secret. It changes whenever an account
// does, with each revocation for one.
func (a *Authority) ServerConfig() (string, error) {
	operator, err := a.token(operatorName)
	if err != nil {
		return "", fmt.Errorf("bus: read the operator: %w", err)
	}
	var b strings.Builder
	b.WriteString("# Accounts of Docket for nats-server. It holds no secret.\n")
	b.WriteString("# JetStream is switched on beside it: jetstream { store_dir: ..., sync_interval: always }\n#\n")
	a.describe(&b)
	fmt.Fprintf(&b, "\noperator: %s\nsystem_account: %s\nresolver: MEMORY\nresolver_preload: {\n", operator, a.public(SystemAccount))
	for _, name := range allAccounts() {
		text, err := a.token(name)
		if err != nil {
			return "", fmt.Errorf("bus: read the accounts: %w", err)
		}
		fmt.Fprintf(&b, "  # %s\n  %s: %s\n", name, a.public(name), text)
	}
	b.WriteString("}\n")
	return b.String(), nil
}

// describe says in comments what the JWTs say.
func (a *Authority) describe(b *strings.Builder) {
	for _, acc := range accounts(a.streams) {
		fmt.Fprintf(b, "# account %s", acc.name)
		if acc.streams {
			b.WriteString(", with JetStream")
		}
		b.WriteString("\n")
		for _, l := range acc.exports {
			fmt.Fprintf(b, "#   exports the %s %s to %s\n", l.word(), l.subject, l.to)
		}
		for _, l := range acc.imports {
			fmt.Fprintf(b, "#   imports the %s %s from %s%s\n", l.word(), l.subject, l.from, l.as())
		}
		for _, class := range Classes() {
			if class.Account == acc.name {
				describeClass(b, class)
			}
		}
	}
}

func describeClass(b *strings.Builder, c Class) {
	fmt.Fprintf(b, "#   class %s\n", c.Name)
	for _, s := range c.Publish {
		fmt.Fprintf(b, "#     may publish on %s\n", s)
	}
	for _, s := range c.Subscribe {
		fmt.Fprintf(b, "#     may subscribe to %s\n", s)
	}
	if c.Replies {
		b.WriteString("#     may answer what it is asked\n")
	}
}

func (l link) word() string {
	if l.messages {
		return "stream"
	}
	return "service"
}

func (l link) as() string {
	share := ""
	if !l.messages {
		share = " (share: true)"
	}
	if l.local != "" {
		return " as " + l.local + share
	}
	return share
}

// ToolCommands are the commands by which nsc takes the operator and its accounts over
// from this folder, keys and all. They repeat no key.
func (a *Authority) ToolCommands() string {
	var b strings.Builder
	b.WriteString("# The same operator and accounts for nsc, with the keys in its own store.\n")
	fmt.Fprintf(&b, "nsc add operator --url %q\n", a.path(operatorName+tokenSuffix))
	fmt.Fprintf(&b, "nsc import keys --dir %q\n", a.dir)
	for _, name := range allAccounts() {
		fmt.Fprintf(&b, "nsc import account --file %q\n", a.path(name+tokenSuffix))
	}
	b.WriteString("nsc push --all   # to a server with a resolver that takes them\n")
	return b.String()
}
