package client

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/internal/sealed"
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
	// opened is what a sealed one is used with, nil for one that is not sealed.
	opened *opened
}

// subject is where a command of this caller goes.
func (c credential) subject(command string) string {
	return api.Address{Role: c.role, Identity: c.name, Command: command}.Subject()
}

// inboxPrefix is what the credential may subscribe to.
func (c credential) inboxPrefix() string { return "_INBOX." + string(c.role) + "." + c.name }

// credential reads the configured one, without checking its signature: the server
// does.
func (c *Config) credential(ctx context.Context) (cred credential, err error) {
	text := c.Creds
	if c.CredsFile != "" {
		if text, err = os.ReadFile(c.CredsFile); err != nil {
			return credential{}, fmt.Errorf("client: read the credential: %w", err)
		}
	}
	if sealed.Is(text) {
		cred, err = c.unseal(ctx, text)
	} else {
		cred, err = parseCredential(text)
	}
	if err == nil {
		cred, err = c.settled(cred)
	}
	if err != nil {
		cred.opened.forget()
		return credential{}, fmt.Errorf("client: the credential %w", err)
	}
	return cred, nil
}

// settled is a credential with the role that it is used in.
func (c *Config) settled(cred credential) (credential, error) {
	if c.Role != "" {
		cred.role = c.Role
	}
	switch cred.role {
	case api.RoleAgent, api.RoleHost, api.RoleHuman, api.RoleSpawner, RoleAuditor:
		return cred, nil
	case "":
		return cred, errors.New("does not say what it is for: set Config.Role")
	default:
		return cred, errors.New("cannot be used: Config.Role is none of agent, host, human, spawner and auditor")
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
func (c *Config) option(cred credential) nats.Option {
	switch {
	case cred.opened != nil:
		return nats.UserJWT(cred.opened.jwt, cred.opened.sign)
	case c.CredsFile != "":
		return nats.UserCredentials(c.CredsFile)
	default:
		return nats.UserCredentialBytes(c.Creds)
	}
}
