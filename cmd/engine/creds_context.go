package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/bus"
)

// natsContext is what a NATS context says of where a server is. Others are settings
// that this program does not follow; one that is set is an error, so that nobody
// connects otherwise than they think.
type natsContext struct {
	URL         string `json:"url"`
	User        string `json:"user"`
	Password    string `json:"password"`
	Creds       string `json:"creds"`
	InboxPrefix string `json:"inbox_prefix"`

	Description string `json:"description"`
	ColorScheme string `json:"color_scheme"`

	Others map[string]jsontext.Value `json:",embed"`
}

// contextLimit is in bytes.
const contextLimit = 64 << 10

// readContext reads a context that the nats command has written.
func (w world) readContext(name string) (endpoint, error) {
	if err := bus.CheckName(name); err != nil { // it becomes a file name
		return endpoint{}, usagef("--context: %v", err)
	}
	dir := w.getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(w.getenv("HOME"), ".config")
	}
	path := filepath.Join(dir, "nats", "context", name+".json")
	text, err := os.ReadFile(path)
	if err != nil {
		return endpoint{}, fmt.Errorf("--context %s: %w", name, err)
	}
	e, err := parseContext(text, w.getenv("HOME"))
	if err != nil {
		return endpoint{}, fmt.Errorf("%s: %w", path, err)
	}
	return e, nil
}

// parseContext repeats nothing of the text in its errors but the names of members.
func parseContext(text []byte, home string) (endpoint, error) {
	var c natsContext
	if len(text) > contextLimit {
		return endpoint{}, fmt.Errorf("it has %d bytes, more than %d", len(text), contextLimit)
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return endpoint{}, fmt.Errorf("it is no NATS context")
	}
	var set []string
	for name, value := range c.Others {
		if !slices.Contains([]string{`""`, "false", "null", "[]", "{}", "0"}, string(value)) {
			set = append(set, name)
		}
	}
	slices.Sort(set)
	switch {
	case len(set) > 0:
		return endpoint{}, fmt.Errorf("it sets %s, which is not supported: a context may have url, creds, user and password", printable(strings.Join(set, ", ")))
	case c.URL == "":
		return endpoint{}, fmt.Errorf("it has no url")
	case c.Password != "" && c.User == "":
		return endpoint{}, fmt.Errorf("it has a password without a user")
	case c.Creds != "" && c.User != "":
		return endpoint{}, fmt.Errorf("it has both creds and a user")
	}
	if rest, is := strings.CutPrefix(c.Creds, "~/"); is {
		c.Creds = filepath.Join(home, rest)
	}
	if c.Creds != "" && !filepath.IsAbs(c.Creds) {
		return endpoint{}, fmt.Errorf("its creds must be an absolute path")
	}
	if err := checkURLs(c.URL); err != nil {
		return endpoint{}, fmt.Errorf("its url is none")
	}
	return endpoint{URL: c.URL, User: c.User, Password: c.Password, Creds: c.Creds, Inbox: c.InboxPrefix}, nil
}

// useContext takes the place of --nats and --creds.
func (a *app) useContext(given func(string) bool) error {
	if given("nats") || given("creds") {
		return usagef("--context says what --nats and --creds say: give one or the other")
	}
	e, err := a.readContext(a.context)
	if err != nil {
		return err
	}
	a.nats, a.user, a.password, a.creds, a.inbox = e.URL, e.User, e.Password, e.Creds, e.Inbox
	return nil
}
