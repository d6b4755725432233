package api

import (
	"fmt"
	"strings"
)

// Prefix is what all subjects of this version of the interface begin with. Another
// version is another prefix, so that both can be served at once.
const Prefix = "docket.v1"

// Role is what a caller is, as the second part of its subjects.
type Role string

// The roles that send commands (design section 5).
const (
	RoleHuman   Role = "human"
	RoleAgent   Role = "agent"
	RoleHost    Role = "host"
	RoleSpawner Role = "spawner"
)

// Roles are those that send commands.
func Roles() []Role { return []Role{RoleHuman, RoleAgent, RoleHost, RoleSpawner} }

// Address is what a subject says: docket.v1.<role>.<identity>.<command>.
type Address struct {
	Role Role
	// Identity is the caller's name: of an agent its session's id.
	Identity string
	// Command is an endpoint's name, such as turn.start.
	Command string
}

// Subject is where an address's requests go. The identity must be one: see
// [CheckIdentity].
func (a Address) Subject() string {
	return Prefix + "." + string(a.Role) + "." + a.Identity + "." + a.Command
}

// Pattern matches the subjects of all callers of a role for one command.
func Pattern(role Role, command string) string {
	return Address{Role: role, Identity: "*", Command: command}.Subject()
}

// ParseSubject reads a subject. One with a wildcard, or of another version, is
// refused.
func ParseSubject(subject string) (Address, error) {
	rest, ok := strings.CutPrefix(subject, Prefix+".")
	parts := strings.SplitN(rest, ".", 3)
	if !ok || len(parts) != 3 {
		return Address{}, fmt.Errorf("api: the subject is not %s.<role>.<identity>.<command>", Prefix)
	}
	a := Address{Role: Role(parts[0]), Identity: parts[1], Command: parts[2]}
	if err := CheckIdentity(a.Identity); err != nil {
		return Address{}, fmt.Errorf("api: the subject's identity %w", err)
	}
	if a.Command == "" || strings.ContainsAny(a.Command, "*> \t\r\n") || strings.HasPrefix(a.Command, ".") || strings.HasSuffix(a.Command, ".") || strings.Contains(a.Command, "..") {
		return Address{}, fmt.Errorf("api: the subject's command is none")
	}
	return a, nil
}

// maxIdentity is the longest name of a caller, in bytes.
const maxIdentity = 128

// CheckIdentity reports why a text cannot be a caller's name: it becomes a token of
// subjects, so that a dot or a wildcard in it would be somebody else's.
func CheckIdentity(name string) error {
	if len(name) == 0 || len(name) > maxIdentity {
		return fmt.Errorf("must have 1 to %d characters, has %d", maxIdentity, len(name))
	}
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return fmt.Errorf("must be of A-Z, a-z, 0-9, _ and -")
		}
	}
	return nil
}

// CatalogueSubject is where engines say that what sessions can be on has changed. The
// messages say nothing else: what it is now is asked for.
const CatalogueSubject = Prefix + ".catalogue"
