package main

import (
	"strings"
	"testing"
)

func TestURLsAreShownWithoutTheirSecrets(t *testing.T) {
	for text, want := range map[string]string{
		"nats://host:4222":                    "nats://host:4222",
		"host:4222":                           "nats://host:4222",
		"tls://host":                          "tls://host",
		"nats://me:geheim@host":               "nats://me:xxxxx@host",
		"nats://geheim@host":                  "nats://xxxxx@host",
		"geheim@host":                         "nats://xxxxx@host",
		"nats://a:geheim@h1, nats://geheim@h": "nats://a:xxxxx@h1,nats://xxxxx@h",
		"nats://me:geheim@host:port":          "(not a URL)",
		"nats://me:ge%heim@host":              "(not a URL)",
		"nats://me:@host":                     "nats://me:xxxxx@host",
	} {
		if got := redacted(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestURLsAreCheckedWithoutRepeatingThem(t *testing.T) {
	for _, text := range []string{"nats://host", "host", "host:4222", "tls://me:geheim@host:4222", "nats://a,nats://b"} {
		if err := checkURLs(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"", "nats://", "nats://me:geheim@host:port", "nats://me:ge%heim@host", "nats://a,", "geheim@"} {
		if err := checkURLs(text); err == nil || !isUsage(err) || strings.Contains(err.Error(), "geheim") {
			t.Errorf("%q: got %v, want a usage error that does not repeat it", text, err)
		}
	}
}
