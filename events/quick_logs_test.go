package events_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

func TestQuickReadsDrawnLogsAsTheStrictDecoderDoes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		for _, r := range eventstest.Valid(rt).Records() {
			events.CompareQuick(t, r.Line)
		}
	})
}

func TestQuickReadsRecordedLogsAsTheStrictDecoderDoes(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(sharedDir(t), "realdata", "dsh", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			events.CompareQuick(t, bytes.TrimSuffix(line, []byte("\n")))
		}
	}
}
