package bus

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/jwt/v2"
)

// errNotOurs says that a credential is none that an [Authority] has issued.
var errNotOurs = errors.New("the credential names no class: it was not issued by an engine")

// ReadCredential says what a credentials file claims to be: its class and name, which
// give the inbox that its bearer may use. It is checked by the server alone.
func ReadCredential(text []byte) (Issued, error) {
	token, err := jwt.ParseDecoratedJWT(text)
	if err != nil {
		return Issued{}, errors.New("bus: it is no credentials file") // never what it holds
	}
	claims, err := jwt.DecodeUserClaims(token)
	if err != nil {
		return Issued{}, errors.New("bus: the credentials file holds no JWT of a user")
	}
	i := Issued{Name: claims.Name, Key: claims.Subject, Issued: time.Unix(claims.IssuedAt, 0).UTC()}
	if claims.Expires != 0 {
		i.Expires = time.Unix(claims.Expires, 0).UTC()
	}
	var c Caller
	for _, tag := range claims.Tags {
		if class, is := strings.CutPrefix(tag, classTag); is {
			i.Class, c.Class = class, class
		}
	}
	if _, known := ClassNamed(i.Class); !known || CheckName(i.Name) != nil {
		return Issued{}, fmt.Errorf("bus: %w", errNotOurs)
	}
	if err := c.readTags(claims.Tags); err != nil {
		return Issued{}, fmt.Errorf("bus: %w", err)
	}
	i.Ceiling, i.Owner, i.Confines = c.Ceiling, c.Owner, c.Confines
	return i, nil
}

// Issues reports whether a credentials file is of a class of this authority's. The
// signature is the server's to check.
func (a *Authority) Issues(text []byte, class string) bool {
	token, err := jwt.ParseDecoratedJWT(text)
	if err != nil {
		return false
	}
	claims, err := jwt.DecodeUserClaims(token)
	of, known := ClassNamed(class)
	return err == nil && known && claims.Issuer == a.public(signer(of)) && claims.IssuerAccount == a.public(of.Account)
}

// InboxPrefix is what the inboxes of the credential begin with.
func (i Issued) InboxPrefix() string { return InboxPrefix(i.Class, i.Name) }
