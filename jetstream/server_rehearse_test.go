package jetstream_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/docket-engine/docket/jetstream"
)

func TestARehearsalNeedsANameThatNobodyGuesses(t *testing.T) {
	s := start(t, jetstream.ServerConfig{Log: slog.New(slog.NewTextHandler(&bytes.Buffer{}, nil))})
	for _, name := range []string{"", "doctor", strings.Repeat("a", 19), strings.Repeat(`"`, 26), "with space with space with"} {
		if end, err := s.Rehearse(name); err == nil || end != nil {
			t.Errorf("%q is taken", name)
		}
	}
	end, err := s.Rehearse(strings.Repeat("A", 26))
	if err != nil || end() != 0 || end() != 0 {
		t.Errorf("got %v, want that nothing was refused", err)
	}
}
