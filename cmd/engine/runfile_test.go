package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRunFileIsPrivateAndComesBack(t *testing.T) {
	dir := t.TempDir()
	want := running{
		PID: 7, StartedAt: "2026-05-04T08:12:00.000Z", Embedded: true,
		endpoint: endpoint{URL: "nats://127.0.0.1:4222", User: "u", Password: "p"},
	}
	if err := writeRunFile(dir, want); err != nil {
		t.Fatal(err)
	}
	if got := mode(t, filepath.Join(dir, runFileName)); got != 0o600 {
		t.Errorf("got mode %o, want 600", got)
	}
	got, err := readRunFile(dir)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(running{}, endpoint{})); err != nil || diff != "" {
		t.Errorf("got %v and (-want +got):\n%s", err, diff)
	}
	for range 2 { // it may be gone already
		if err := removeRunFile(dir); err != nil {
			t.Error(err)
		}
	}
	if _, err := readRunFile(dir); err == nil {
		t.Error("got no error without a file")
	}
}

// TestRunFileHasFlatMembers: other programs read it.
func TestRunFileHasFlatMembers(t *testing.T) {
	text, err := json.Marshal(running{PID: 7, endpoint: endpoint{URL: "nats://h"}})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"pid":7,"startedAt":"","embedded":false,"url":"nats://h"}`; string(text) != want {
		t.Errorf("got %s, want %s", text, want)
	}
}

func TestHalfARunFileIsNone(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, runFileName), []byte(`{"pid":7`), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err := readRunFile(dir); err == nil {
		t.Errorf("got %+v and no error", r)
	}
}
