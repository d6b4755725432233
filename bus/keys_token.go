package bus

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"time"

	"github.com/nats-io/jwt/v2"

	"github.com/docket-engine/docket/internal/atomicfile"
	"github.com/docket-engine/docket/jetstream"
)

// token reads a JWT of the folder, "" if there is none.
func (a *Authority) token(name string) (string, error) {
	text, err := os.ReadFile(a.path(name + tokenSuffix))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}

// accountToken decodes the JWT of an account, nil if there is none.
func (a *Authority) accountToken(name string) (*jwt.AccountClaims, error) {
	text, err := a.token(name)
	if err != nil || text == "" {
		return nil, err
	}
	claims, err := jwt.DecodeAccountClaims(text)
	if err != nil {
		return nil, fmt.Errorf("bus: %s%s: %w", name, tokenSuffix, err)
	}
	return claims, nil
}

// namedKeys are the public keys that the folder's JWTs name, by the name of their file.
func (a *Authority) namedKeys() (map[string]string, error) {
	named := map[string]string{}
	text, err := a.token(operatorName)
	if err != nil {
		return nil, err
	}
	if text != "" {
		operator, err := jwt.DecodeOperatorClaims(text)
		if err != nil || len(operator.SigningKeys) != 1 {
			return nil, fmt.Errorf("bus: %s%s is not what was written there", operatorName, tokenSuffix)
		}
		named[operatorName], named[operatorSigner] = operator.Subject, operator.SigningKeys[0]
	}
	for _, name := range allAccounts() {
		claims, err := a.accountToken(name)
		if err != nil {
			return nil, err
		}
		if claims == nil {
			continue
		}
		named[name] = claims.Subject
		for key, scope := range claims.SigningKeys {
			if s, ok := scope.(*jwt.UserScope); ok {
				named[name+"."+s.Role] = key
			}
		}
	}
	return named, nil
}

// allAccounts names them, the system's first.
func allAccounts() []string {
	names := []string{SystemAccount}
	for _, acc := range accounts(nil) {
		names = append(names, acc.name)
	}
	return names
}

// writeTokens writes the JWTs that are not there or do not say what they should.
func (a *Authority) writeTokens() error {
	operator := jwt.NewOperatorClaims(a.public(operatorName))
	operator.Name, operator.SystemAccount = "docket", a.public(SystemAccount)
	operator.SigningKeys.Add(a.public(operatorSigner))
	operator.StrictSigningKeyUsage = true // an account's own key issues no user
	if err := a.writeToken(operatorName, operator, operatorName); err != nil {
		return err
	}
	system := jwt.NewAccountClaims(a.public(SystemAccount))
	system.Name = SystemAccount
	if err := a.writeToken(SystemAccount, system, operatorSigner); err != nil {
		return err
	}
	for _, acc := range accounts(a.streams) {
		if err := a.writeAccount(acc, nil); err != nil {
			return err
		}
	}
	return nil
}

// writeAccount writes an account's JWT with the revocations that it has already, and
// more of them.
func (a *Authority) writeAccount(acc account, more map[string]time.Time) error {
	before, err := a.accountToken(acc.name)
	if err != nil {
		return err
	}
	revoked := jwt.RevocationList{}
	if before != nil {
		maps.Copy(revoked, before.Revocations)
	}
	for key, at := range more {
		revoked.Revoke(key, at)
	}
	if len(revoked) == 0 {
		revoked = nil
	}
	claims, err := a.claims(acc, revoked)
	if err != nil {
		return err
	}
	return a.writeToken(acc.name, claims, operatorSigner)
}

// writeToken signs claims, unless what stands there says the same.
func (a *Authority) writeToken(name string, claims jwt.Claims, signer string) error {
	text, err := claims.Encode(a.seeds[signer])
	if err != nil {
		return fmt.Errorf("bus: sign %s: %w", name, err)
	}
	old, err := a.token(name)
	if err != nil {
		return err
	}
	if old != "" && sayTheSame(old, text) {
		return nil
	}
	return atomicfile.Replace(a.path(name+tokenSuffix), []byte(text))
}

// sayTheSame compares two JWTs but for when they were issued, which is in the tokens
// of their imports, too.
func sayTheSame(a, b string) bool {
	x, errX := timeless(a)
	y, errY := timeless(b)
	return errX == nil && errY == nil && x == y
}

func timeless(token string) (string, error) {
	claims, err := jwt.Decode(token)
	if err != nil {
		return "", err
	}
	claims.Claims().ID, claims.Claims().IssuedAt = "", 0
	if acc, ok := claims.(*jwt.AccountClaims); ok {
		for _, i := range acc.Imports {
			if i.Token, err = timeless(i.Token); err != nil {
				return "", err
			}
		}
	}
	text, err := json.Marshal(claims)
	return string(text), err
}

// Tokens are the JWTs of all accounts by public key.
func (a *Authority) Tokens() (map[string]string, error) {
	tokens := map[string]string{}
	for _, name := range allAccounts() {
		text, err := a.token(name)
		if err != nil {
			return nil, fmt.Errorf("bus: read the accounts: %w", err)
		}
		tokens[a.public(name)] = text
	}
	return tokens, nil
}

// Trust is what an embedded server needs to serve these accounts.
func (a *Authority) Trust() (*jetstream.Trust, error) {
	tokens, err := a.Tokens()
	if err != nil {
		return nil, err
	}
	operator, err := a.token(operatorName)
	if err != nil {
		return nil, fmt.Errorf("bus: read the operator: %w", err)
	}
	creds, err := os.ReadFile(a.EngineCreds())
	if err != nil {
		return nil, fmt.Errorf("bus: read the engine's own credential: %w", err)
	}
	return &jetstream.Trust{
		Operator: operator, System: a.public(SystemAccount), Accounts: tokens,
		Home: a.public(EngineAccount), Creds: creds,
	}, nil
}

// Table is what [Table.Establish] looks callers up in.
func (a *Authority) Table() Table {
	var t Table
	for _, class := range Classes() {
		t.Add(a.public(class.Account), a.public(signer(class)), class.Name)
	}
	return t
}

// Accounts are what the JWTs of the accounts say, by name.
func (a *Authority) Accounts() (map[string]*jwt.AccountClaims, error) {
	all := map[string]*jwt.AccountClaims{}
	for _, name := range allAccounts() {
		claims, err := a.accountToken(name)
		if err != nil {
			return nil, err
		}
		if claims == nil {
			return nil, fmt.Errorf("bus: there is no JWT of the account %s", name)
		}
		all[name] = claims
	}
	return all, nil
}
