package main

import (
	"strings"
	"testing"
)

// FuzzParseContext cannot stand here, where a server is imported, so that the cases
// that count are listed.
func TestAContextIsReadStrictly(t *testing.T) {
	good := map[string]endpoint{
		`{"url":"nats://h"}`: {URL: "nats://h"},
		`{"url":"nats://h","user":"u","password":"p","nkey":""}`:    {URL: "nats://h", User: "u", Password: "p"},
		`{"url":"nats://h","creds":"~/my.creds","tls_first":false}`: {URL: "nats://h", Creds: "/home/me/my.creds"},
		`{"url":"nats://h","creds":"/c","inbox_prefix":"_INBOX.auditor.ann","windows_ca_certs_match":null}`: {
			URL: "nats://h", Creds: "/c", Inbox: "_INBOX.auditor.ann",
		},
	}
	for text, want := range good {
		got, err := parseContext([]byte(text), "/home/me")
		if err != nil || got.URL != want.URL || got.User != want.User || got.Password != want.Password || got.Creds != want.Creds || got.Inbox != want.Inbox {
			t.Errorf("%s: got %+v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		``: "no NATS context", `[]`: "no NATS context", `{"url":7}`: "no NATS context",
		`{"url":"nats://h","url":"nats://h"}`: "no NATS context", `{"url":"nats://h"}x`: "no NATS context",
		`{}`: "no url", `{"url":"nats://"}`: "url is none", `{"url":"nats://h","password":"geheim"}`: "without a user",
		`{"url":"nats://h","token":"geheim"}`: "sets token", `{"url":"nats://h","tls_first":true}`: "sets tls_first",
		`{"url":"nats://h","user":"u","creds":"/c"}`: "both creds and a user", `{"url":"nats://h","creds":"c"}`: "absolute",
		`{"url":"nats://h","geheim\u001b":"x"}`: "not supported", strings.Repeat(" ", contextLimit+1): "bytes",
	} {
		if got, err := parseContext([]byte(text), "/home/me"); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), `"geheim"`) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%.60s: got %+v, %v, want %q", text, got, err, want)
		}
	}
}
