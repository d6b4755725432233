package main

import (
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/bus"
)

// endpoint is where a NATS server is and what it asks for.
type endpoint struct {
	URL      string `json:"url"`
	User     string `json:"user,omitempty"`
	Password string `json:"password,omitempty"`
	Creds    string `json:"creds,omitempty"`

	// Inbox is the prefix of inboxes, if it is another than the usual.
	Inbox string `json:"inboxPrefix,omitempty"`

	secret []byte // what the file Creds holds, if it was read already
}

// connect goes on trying for good where a connection is lost, as a cluster wants
// it, unless an option says otherwise.
func connect(e endpoint, more ...nats.Option) (*nats.Conn, error) {
	opts := []nats.Option{nats.Name("docket"), nats.MaxReconnects(-1), nats.Timeout(5 * time.Second)}
	if e.User != "" {
		opts = append(opts, nats.UserInfo(e.User, e.Password))
	}
	switch {
	case e.secret != nil:
		opts = append(opts, nats.UserCredentialBytes(e.secret))
	case e.Creds != "":
		opts = append(opts, nats.UserCredentials(e.Creds))
	}
	if e.Inbox != "" {
		opts = append(opts, nats.CustomInboxPrefix(e.Inbox))
	}
	nc, err := nats.Connect(e.URL, append(opts, more...)...)
	if err != nil {
		return nil, fmt.Errorf("connect to NATS at %s: %w", redacted(e.URL), err)
	}
	return nc, nil
}

// connect reads the endpoint's credentials file first: it may be sealed, and it says
// which inbox its bearer may use.
func (a *app) connect(e endpoint, more ...nats.Option) (*nats.Conn, error) {
	e, err := a.withCredential(e)
	if err != nil {
		return nil, fmt.Errorf("connect to NATS at %s: %w", redacted(e.URL), err)
	}
	return connect(e, more...)
}

func (a *app) withCredential(e endpoint) (_ endpoint, err error) {
	if e.Creds == "" {
		return e, nil
	}
	if e.secret, err = a.credential(e.Creds); err != nil {
		return e, err
	}
	if c, err := bus.ReadCredential(e.secret); err == nil && e.Inbox == "" { // else it is another operator's
		e.Inbox = c.InboxPrefix()
	}
	return e, nil
}

// observed logs what goes wrong on a connection. Without it the library writes to
// standard error itself.
func observed(log *slog.Logger) nats.Option {
	return nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { log.Warn("nats", "error", err) })
}

// patient says that a connection is lost, and when it is there again.
func patient(log *slog.Logger) nats.Option {
	return func(o *nats.Options) error {
		o.DisconnectedErrCB = func(_ *nats.Conn, err error) {
			if err != nil { // nil if it was closed
				log.Warn("the connection to NATS is lost", "error", err)
			}
		}
		o.ReconnectedCB = func(*nats.Conn) { log.Warn("the connection to NATS is there again") }
		return nil
	}
}

// checkURLs reports whether text is what --nats takes. The error does not repeat
// it: it may hold a password.
func checkURLs(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		u, err := parseURL(part)
		if err != nil || u.Hostname() == "" {
			return usagef("--nats must be a URL such as nats://host:4222, or several with commas between them")
		}
	}
	return nil
}

// parseURL takes host:port for a URL, as the client library does.
func parseURL(text string) (*url.URL, error) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "://") {
		text = "nats://" + text
	}
	return url.Parse(text)
}

// redacted is what may be shown of URLs: no password, and no user where it is the
// token.
func redacted(urls string) string {
	parts := strings.Split(urls, ",")
	for i, part := range parts {
		u, err := parseURL(part)
		switch {
		case err != nil:
			parts[i] = "(not a URL)"
			continue
		case u.User == nil:
		default:
			u.User = hidden(u.User)
		}
		parts[i] = u.String()
	}
	return strings.Join(parts, ",")
}

func hidden(user *url.Userinfo) *url.Userinfo {
	if _, hasPassword := user.Password(); hasPassword {
		return url.UserPassword(user.Username(), "xxxxx")
	}
	return url.User("xxxxx")
}
