package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/docket-engine/docket/internal/atomicfile"
)

const runFileName = "run.json"

// running is how other processes of the same user reach a running serve.
type running struct {
	PID       int    `json:"pid"`
	StartedAt string `json:"startedAt"` // RFC 3339, UTC
	// Embedded says that the server ends with the process.
	Embedded bool `json:"embedded"`
	// Apart says that agents cannot reach the state directory.
	Apart bool `json:"apart,omitempty"`
	// Settings is the digest of the settings that reviews go by, "" where none are known;
	// Remote says that reviewers in other processes judge.
	Settings string `json:"settings,omitempty"`
	Remote   bool   `json:"remoteReviews,omitempty"`
	endpoint
}

func writeRunFile(dir string, r running) error {
	text, err := json.Marshal(r)
	if err == nil {
		err = atomicfile.Replace(filepath.Join(dir, runFileName), append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", runFileName, err)
	}
	return nil
}

func readRunFile(dir string) (running, error) {
	var r running
	text, err := os.ReadFile(filepath.Join(dir, runFileName))
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	return r, err
}

func removeRunFile(dir string) error { return removeFile(filepath.Join(dir, runFileName)) }
