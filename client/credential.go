package client

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/docket-engine/docket/api"
)

// RoleAuditor reads the auditors' mirror and sends no commands.
const RoleAuditor api.Role = "auditor"

// classTag begins the tag by which a credential says what it is for. Nobody trusts
// it: the server and the engine go by who issued the credential.
const classTag = "class:"

// credential is what a credential says of itself.
type credential struct {
	role api.Role
	name string
}

// subject is where a command of this caller goes.
func (c credential) subject(command string) string {
	return api.Address{Role: c.role, Identity: c.name, Command: command}.Subject()
}

// inboxPrefix is what the credential may subscribe to.
func (c credential) inboxPrefix() string { return "_INBOX." + string(c.role) + "." + c.name }

// credential reads the configured one, without checking its signature: the server
// does.
func (c *Config) credential() (credential, error) {
	text := c.Creds
	if c.CredsFile != "" {
		var err error
		if text, err = os.ReadFile(c.CredsFile); err != nil {
			return credential{}, fmt.Errorf("client: read the credential: %w", err)
		}
	}
	cred, err := parseCredential(text)
	if err != nil {
		return credential{}, fmt.Errorf("client: the credential %w", err)
	}
	if c.Role != "" {
		cred.role = c.Role
	}
	switch cred.role {
	case api.RoleAgent, api.RoleHost, api.RoleHuman, api.RoleSpawner, RoleAuditor:
		return cred, nil
	case "":
		return credential{}, errors.New("client: the credential does not say what it is for: set Config.Role")
	default:
		return credential{}, errors.New("client: Config.Role is none of agent, host, human, spawner and auditor")
	}
}

// parseCredential takes a credentials file apart. Its errors quote none of it.
func parseCredential(text []byte) (credential, error) {
	token, err := nkeys.ParseDecoratedJWT(text)
	if err != nil {
		return credential{}, errors.New("holds no JWT")
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return credential{}, errors.New("holds no JWT")
	}
	body, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return credential{}, errors.New("holds no JWT")
	}
	var claims struct {
		Name string `json:"name"`
		NATS struct {
			Tags []string `json:"tags"`
		} `json:"nats"`
	}
	if err := json.Unmarshal(body, &claims); err != nil {
		return credential{}, errors.New("holds no JWT")
	}
	if err := api.CheckIdentity(claims.Name); err != nil {
		return credential{}, fmt.Errorf("has a name that %w", err)
	}
	c := credential{name: claims.Name}
	for _, tag := range claims.NATS.Tags {
		if role, is := strings.CutPrefix(tag, classTag); is {
			c.role = api.Role(role)
		}
	}
	return c, nil
}

// option makes a connection use the credential.
func (c *Config) option() nats.Option {
	if c.CredsFile != "" {
		return nats.UserCredentials(c.CredsFile)
	}
	return nats.UserCredentialBytes(c.Creds)
}
