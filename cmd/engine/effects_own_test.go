package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestTheEnginesOwnThingsAreKnown from what lies in its folder, without asking a
// running one.
func TestTheEnginesOwnThingsAreKnown(t *testing.T) {
	dir := t.TempDir()
	key := filepath.Join(dir, "model.key")
	settings := `{"routes":[{"provider":"p","model":"m","api":"chat-completions","baseUrl":"https://models.example.com/v1","keyFile":"model.key","reviews":true},
		{"provider":"p","model":"n","api":"chat-completions","baseUrl":"https://models.example.com/v1","keyEnv":"MODEL_KEY"}]}`
	if err := os.WriteFile(filepath.Join(dir, settingsFile), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writeRunFile(dir, running{PID: 4711, endpoint: endpoint{URL: "nats://127.0.0.1:43210", Creds: filepath.Join(dir, "serve.creds")}}); err != nil {
		t.Fatal(err)
	}
	a := &app{dir: dir, nats: "nats.example.com,tls://[fd00::1]:4333"}
	own := a.effectsOwn()
	for what, got := range map[string]struct{ list, want []string }{
		"programs":  {own.Programs, []string{"engine"}},
		"paths":     {own.Paths, []string{dir, key, filepath.Join(dir, "serve.creds")}},
		"hosts":     {own.Hosts, []string{"127.0.0.1:43210", "nats.example.com:4222", "[fd00::1]:4333"}},
		"variables": {own.Variables, []string{"DOCKET_*", "MODEL_KEY"}},
		"subjects":  {own.Subjects, []string{"docket"}},
	} {
		for _, want := range got.want {
			if !slices.Contains(got.list, want) {
				t.Errorf("%s: got %v, want %s among them", what, got.list, want)
			}
		}
	}
	if !slices.Contains(own.Processes, 4711) || !slices.Contains(own.Processes, os.Getpid()) {
		t.Errorf("got the processes %v", own.Processes)
	}
}

// TestWhereThereIsNoEngine its program is known all the same.
func TestWhereThereIsNoEngine(t *testing.T) {
	own := (&app{}).effectsOwn()
	if !slices.Contains(own.Programs, "engine") || len(own.Hosts) != 0 {
		t.Errorf("got %+v", own)
	}
}
