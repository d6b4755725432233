package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/bus"
)

// TestTheDoctorsAttemptsAreOneLineOfServesLog, with the engine's credential and with
// others, and what somebody else tries meanwhile and afterwards is there in full.
func TestTheDoctorsAttemptsAreOneLineOfServesLog(t *testing.T) {
	home := t.TempDir()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan ran, 1)
	go func() { ended <- runIn(ctx, home, "serve", "--verbose") }()
	patience, cancel := context.WithTimeout(t.Context(), scriptPatience)
	defer cancel()
	var served running
	if err := pollUntil(patience, func() (_ bool, err error) {
		served, err = readRunFile(stateOf(home))
		return err == nil, nil
	}); err != nil {
		t.Fatal(err)
	}
	creds := filepath.Join(home, "agent.creds")
	if r := runIn(t.Context(), home, "creds", "agent", "s1", "--out", creds); r.code != exitOK {
		t.Fatalf("got %+v", r)
	}
	// It has a name like the doctor's, which helps nobody who does not know that one.
	nc, err := nats.Connect(served.URL, nats.UserCredentials(creds), nats.Name("AAAAAAAAAAAAAAAAAAAAAAAAAA"),
		nats.CustomInboxPrefix("_INBOX.agent.s1"), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	attack := func(subject string) {
		t.Helper()
		if allowed, err := (bus.Attempt{What: "attack", Subject: subject}).Try(nc, 10*time.Second); allowed || err != nil {
			t.Errorf("got %v, %v, want a refusal", allowed, err)
		}
	}
	// An agent has no leave to have its own refusals counted away.
	attack(rehearsalBegins)
	for _, args := range [][]string{nil, {"--nats", served.URL, "--creds", creds}} {
		if _, r, _ := examine(t, home, args...); r.code != exitOK {
			t.Errorf("got %+v", r)
		}
	}
	attack("session.0.0.attacked")
	stop()
	r := <-ended
	var violations []string
	lines := 0
	for line := range strings.Lines(r.err) {
		switch {
		case strings.Contains(line, "Violation"):
			violations = append(violations, line)
		case strings.Contains(line, "'engine doctor' tried") && !strings.Contains(line, "refused=0"):
			lines++
		}
	}
	if len(violations) != 2 || !strings.Contains(violations[0], rehearsalBegins) || !strings.Contains(violations[1], "session.0.0.attacked") {
		t.Errorf("got the violations %q, want the two attacks", violations)
	}
	if lines != 2 {
		t.Errorf("got %d lines of the doctor's, want two:\n%s", lines, r.err)
	}
}
