package client_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docket-engine/docket/client"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/reviewer"
)

// TestAScriptThatChangedSinceItsReviewDoesNotRun at a client either: its permit says
// what the file was.
func TestAScriptThatChangedSinceItsReviewDoesNotRun(t *testing.T) {
	for what, text := range map[string]string{"changed": "echo adieu\n", "the same": "echo hello\n"} {
		t.Run(what, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "build.sh")
			write := func(text string) { must(t, os.WriteFile(name, []byte(text), 0o600)) }
			write("echo hello\n")
			sum := sha256.Sum256([]byte("echo hello\n"))
			y := newYard(t, func(w *world) {
				w.evidence = func(engine.PendingCall) []events.ExecutedFile {
					return []events.ExecutedFile{{Path: name, SHA256: hex.EncodeToString(sum[:]), Size: int64(len("echo hello\n"))}}
				}
			})
			s := y.session(y.human("ana"), presets.Auto)
			y.judge.says(func(ctx context.Context, c reviewer.Call) (reviewer.Verdict, error) {
				write(text)
				return allows(ctx, c)
			})
			bodies := 0
			ran, err := s.Run(t.Context(), wants(t, s, "a")[0], func(_ context.Context, p permit.Permit) client.Result {
				bodies++
				return client.Text("done")
			})
			must(t, err)
			changed := what == "changed"
			if (bodies == 0) != changed || ran.Result == nil || ran.Result.IsError != changed {
				t.Errorf("got %d bodies and %+v", bodies, ran.Result)
			}
			if changed && (ran.Result.Error == nil || ran.Result.Error.Code != engine.CodeFileChanged || !strings.Contains(ran.Text(), name)) {
				t.Errorf("got %+v, %q, want %s and the file's name", ran.Result.Error, ran.Text(), engine.CodeFileChanged)
			}
			if err := ran.Err(); errors.Is(err, client.ErrDenied) {
				t.Errorf("got %v: nobody denied it", err)
			}
		})
	}
}
