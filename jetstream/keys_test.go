package jetstream_test

import (
	"crypto/ed25519"
	"errors"
	"testing"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/jetstream"
)

func public(private ed25519.PrivateKey) ed25519.PublicKey {
	return private.Public().(ed25519.PublicKey)
}

// A verifier needs public keys alone.
func TestWhoHasNoSigningKeyReadsAndVerifiesAndWritesNothing(t *testing.T) {
	s := newStore(t)
	create(t, logOn(t, s.nc), "s1")
	fill(t, logOn(t, s.nc), "s1", 0, 3)
	keys, err := jetstream.TrustedKeys(public(testKey()))
	if err != nil {
		t.Fatal(err)
	}
	log := newLog(t, jetstream.LogConfig{Conn: s.nc, Keys: keys})
	wantNumbers(t, log, "s1", 3)
	if found := verified(t, log, "s1"); len(found) > 0 {
		t.Errorf("got %v, want nothing", found)
	}
	if _, err := log.Append(t.Context(), "s1", unit(t, "a", 3, "x")); !sameError(err, "there is no key to sign with") {
		t.Errorf("append: got %v, want that there is no key", err)
	}
	if err := log.Create(t.Context(), creation(t, "s2")); !sameError(err, "there is no key to sign with") {
		t.Errorf("create: got %v, want that there is no key", err)
	}
	if err := log.Save(t.Context(), snapshot(t, log, "s1", "state")); !sameError(err, "there is no key to sign with") {
		t.Errorf("save: got %v, want that there is no key", err)
	}
	wantNumbers(t, log, "s1", 3)
}

// Engines that trust each other write one log by turns, and an engine that has got
// a new key goes on behind its old one.
func TestEnginesThatTrustEachOtherShareALog(t *testing.T) {
	s := newStore(t)
	var logs []*jetstream.Log
	for _, k := range [][2]ed25519.PrivateKey{{testKey(), otherKey()}, {otherKey(), testKey()}} {
		keys, err := jetstream.NewKeys(k[0], public(k[1]))
		if err != nil {
			t.Fatal(err)
		}
		logs = append(logs, newLog(t, jetstream.LogConfig{Conn: s.nc, Keys: keys}))
	}
	create(t, logs[0], "s1")
	for i := range 6 {
		fill(t, logs[i%2], "s1", events.Seq(i), 1)
	}
	for _, log := range logs {
		eventstest.Check(t, log, "s1")
		if found := verified(t, log, "s1"); len(found) > 0 {
			t.Errorf("got %v, want nothing", found)
		}
	}
	alone := logOn(t, s.nc) // trusts the first one only
	wantSeqOf(t, alone, "s1", 1)
	if _, err := alone.Open(t.Context(), "s1"); !errors.Is(err, events.ErrCorrupt) {
		t.Errorf("open: got %v, want that the last frame is not trusted", err)
	}
}

func TestKeysOfAnotherLengthAreRefused(t *testing.T) {
	if _, err := jetstream.NewKeys(testKey()[:32]); err == nil {
		t.Error("got no error for half a private key")
	}
	if _, err := jetstream.NewKeys(testKey(), public(testKey())[:31]); err == nil {
		t.Error("got no error for a public key of 31 bytes")
	}
	if _, err := jetstream.TrustedKeys(nil); err == nil {
		t.Error("got no error for no key")
	}
}

// The zero Keys trust nobody, so that a log that was given none refuses all.
func TestTheZeroKeysTrustNobody(t *testing.T) {
	s := newStore(t)
	create(t, logOn(t, s.nc), "s1")
	_, err := newLog(t, jetstream.LogConfig{Conn: s.nc}).Open(t.Context(), "s1")
	wantCorrupt(t, err, "s1", 0)
}
