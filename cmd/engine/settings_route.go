package main

import (
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/docket-engine/docket/reviewer"
)

// The bounds of what a route may be set to.
const (
	maxRouteName = 256 // bytes of a provider's or a model's name
	minLimit     = time.Second
	maxIdle      = time.Hour
	maxTotal     = 24 * time.Hour
	maxText      = 64 << 20 // bytes of an answer
)

// routeText is a route as settings.json has it.
type routeText struct {
	Provider      string       `json:"provider"`
	Model         string       `json:"model"`
	API           reviewer.API `json:"api"`
	BaseURL       string       `json:"baseUrl"`
	KeyEnv        string       `json:"keyEnv"`
	KeyFile       string       `json:"keyFile"`
	ContextWindow *int64       `json:"contextWindow"`
	Temperature   *string      `json:"temperature"`
	Limits        limitsText   `json:"limits"`
	Reviews       bool         `json:"reviews"`
	Insecure      bool         `json:"insecure"`
}

type limitsText struct {
	Idle  *string `json:"idle"`
	Total *string `json:"total"`
	Bytes *int64  `json:"bytes"`
}

// route checks what was set, and gives the route.
func (t routeText) route(dir string) (reviewer.Route, error) {
	r := reviewer.Route{
		Provider: t.Provider, Model: t.Model, API: t.API, BaseURL: t.BaseURL,
		KeyEnv: t.KeyEnv, KeyFile: t.KeyFile, NoTemperature: t.Temperature != nil, Reviews: t.Reviews,
	}
	if t.ContextWindow != nil {
		r.ContextWindow = *t.ContextWindow
	}
	checks := []func() error{t.checkNames, t.checkAPI, t.checkURL, t.checkKey, t.checkNumbers, func() error { return t.Limits.set(&r.Limits) }}
	if r.RouteName() == reviewer.BuiltinName() {
		checks = []func() error{t.checkBuiltin}
		r.API = reviewer.APIBuiltin
	}
	for _, check := range checks {
		if err := check(); err != nil {
			return reviewer.Route{}, err
		}
	}
	if r.KeyFile != "" && !filepath.IsAbs(r.KeyFile) {
		r.KeyFile = filepath.Join(dir, r.KeyFile)
	}
	return r, nil
}

// checkBuiltin lets the builtin route be listed, and nothing be set for it.
func (t routeText) checkBuiltin() error {
	if t.API != "" && t.API != reviewer.APIBuiltin {
		return fieldf("api", "must be %s for %s, or left out", reviewer.APIBuiltin, reviewer.BuiltinName())
	}
	bare := routeText{Provider: t.Provider, Model: t.Model, API: t.API, Reviews: t.Reviews}
	if t != bare {
		return fieldf("model", "is %s, for which only reviews can be set", reviewer.BuiltinName())
	}
	return nil
}

func (t routeText) checkNames() error {
	for _, one := range []struct{ field, name string }{{"provider", t.Provider}, {"model", t.Model}} {
		switch {
		case one.name == "":
			return fieldf(one.field, "is missing")
		case len(one.name) > maxRouteName:
			return fieldf(one.field, "must have at most %d bytes", maxRouteName)
		case strings.ContainsFunc(one.name, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }):
			return fieldf(one.field, "must be one word of printable characters")
		}
	}
	switch {
	case strings.Contains(t.Provider, "/"):
		return fieldf("provider", "must have no slash: a route is named PROVIDER/MODEL")
	case t.Provider == reviewer.BuiltinName().Provider:
		return fieldf("provider", "must not be %s, which is for %s", t.Provider, reviewer.BuiltinName())
	}
	return nil
}

func (t routeText) checkAPI() error {
	if t.API != reviewer.APICompletions && t.API != reviewer.APIResponses {
		return fieldf("api", "must be %s or %s", reviewer.APICompletions, reviewer.APIResponses)
	}
	return nil
}

// checkURL wants an address that a key may be sent to, and that says nothing else.
func (t routeText) checkURL() error {
	if t.BaseURL == "" {
		return fieldf("baseUrl", "is missing")
	}
	base, err := url.Parse(t.BaseURL)
	switch {
	case err != nil || base.Hostname() == "" || base.Opaque != "":
		return fieldf("baseUrl", "must be an absolute URL: https://HOST/PATH")
	case base.Scheme != "https" && base.Scheme != "http":
		return fieldf("baseUrl", "must begin with https:// or http://")
	case base.User != nil:
		return fieldf("baseUrl", "must hold no user and no password: a key goes into keyEnv or keyFile")
	case base.RawQuery != "" || base.ForceQuery || base.Fragment != "":
		return fieldf("baseUrl", "must have no query and no fragment")
	case base.Scheme == "http" && !isLoopback(base.Hostname()) && !t.Insecure:
		return fieldf("baseUrl", "must begin with https://: by http, the session and the key can be read on the way. If that is meant, set insecure to true")
	}
	return nil
}

// isLoopback goes by the address or by the one name that always is this machine.
func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// checkKey wants one place of the key at most. It quotes nothing: a key in the place
// of its place is a likely mistake.
func (t routeText) checkKey() error {
	switch {
	case t.KeyEnv != "" && t.KeyFile != "":
		return fieldf("keyFile", "must not be given together with keyEnv")
	case t.KeyEnv != "" && !variableName.MatchString(t.KeyEnv):
		return fieldf("keyEnv", "must be the name of an environment variable, not a key")
	}
	return nil
}

func (t routeText) checkNumbers() error {
	switch {
	case t.ContextWindow != nil && *t.ContextWindow <= 0:
		return fieldf("contextWindow", "must be a number of tokens above 0")
	case t.Temperature != nil && *t.Temperature != "none":
		return fieldf("temperature", "must be none, or left out for 0")
	}
	return nil
}

// set reads the limits that are given.
func (t limitsText) set(limits *reviewer.Limits) error {
	for _, one := range []struct {
		field  string
		text   *string
		most   time.Duration
		target *time.Duration
	}{
		{"limits.idle", t.Idle, maxIdle, &limits.Idle},
		{"limits.total", t.Total, maxTotal, &limits.Total},
	} {
		if one.text == nil {
			continue
		}
		d, err := time.ParseDuration(*one.text)
		if err != nil || d < minLimit || d > one.most {
			return fieldf(one.field, "must be a time from %s to %s, such as 90s", minLimit, one.most)
		}
		*one.target = d
	}
	if t.Bytes != nil {
		if *t.Bytes <= 0 || *t.Bytes > maxText {
			return fieldf("limits.bytes", "must be a number of bytes from 1 to %d", maxText)
		}
		limits.Bytes = *t.Bytes
	}
	return nil
}
