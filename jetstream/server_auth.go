package jetstream

import (
	"crypto/subtle"

	"github.com/nats-io/nats-server/v2/server"
)

// A credential is what every client of an embedded server must present, those
// in this process included. It is checked here because the server wants a
// password hashed, or else warns its operator, and this one never leaves memory.
type credential struct{ user, password string }

// Check implements the server's Authentication. It takes the same time for
// every wrong answer of the same length.
func (c credential) Check(client server.ClientAuthentication) bool {
	got := client.GetOpts()
	user := subtle.ConstantTimeCompare([]byte(got.Username), []byte(c.user))
	password := subtle.ConstantTimeCompare([]byte(got.Password), []byte(c.password))
	return user&password == 1
}
