package main

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
)

func TestStateDirFollowsTheEnvironment(t *testing.T) {
	tests := map[string]struct {
		env  map[string]string
		want string
	}{
		"xdg":          {map[string]string{"XDG_STATE_HOME": "/state", "HOME": "/home/me"}, "/state/docket"},
		"relative xdg": {map[string]string{"XDG_STATE_HOME": "state", "HOME": "/home/me"}, "/home/me/.local/state/docket"},
		"home":         {map[string]string{"HOME": "/home/me"}, "/home/me/.local/state/docket"},
		"neither":      {nil, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := world{getenv: func(name string) string { return tt.env[name] }}
			if got := w.stateDir(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestErrorsHaveAnExitCodeAndAStableCode(t *testing.T) {
	wrap := func(err error) error { return fmt.Errorf("engine: do it: %w", err) }
	conflict := &events.ConflictError{Session: "s", Expected: 1, Actual: 2}
	tests := map[string]struct {
		err  error
		exit int
		code string
	}{
		"usage":       {usagef("no"), exitUsage, "usage"},
		"cancelled":   {wrap(context.Canceled), exitCancelled, "cancelled"},
		"deadline":    {wrap(context.DeadlineExceeded), exitFailed, "failed"},
		"not found":   {wrap(events.ErrNotFound), exitFailed, "not-found"},
		"corrupt":     {wrap(&events.CorruptError{Session: "s", Seq: 3, Err: errors.New("x")}), exitFailed, "corrupt"},
		"incomplete":  {wrap(events.ErrSeedIncomplete), exitFailed, "incomplete"},
		"exists":      {wrap(events.ErrExists), exitFailed, "exists"},
		"differs":     {wrap(&engine.DiffersError{Session: "s", Seq: -1, How: "x"}), exitFailed, "exists"},
		"conflict":    {wrap(conflict), exitFailed, "conflict"},
		"unknown":     {wrap(events.ErrOutcomeUnknown), exitFailed, "outcome-unknown"},
		"too large":   {wrap(events.ErrTooLarge), exitFailed, "too-large"},
		"in use":      {inUseError{dir: "/d", by: holder{PID: 7, Command: serveName}}, exitFailed, "in-use"},
		"stopped":     {wrap(errStopped), exitFailed, "stopped"},
		"no store":    {wrap(errNoStore), exitFailed, "no-store"},
		"not whole":   {wrap(errNotWhole), exitFailed, "not-whole"},
		"field":       {wrap(&events.FieldError{Field: "data.turn", Rule: "must be 1"}), exitFailed, "invalid"},
		"import":      {wrap(&engine.ImportError{File: "f", Line: 2, Seq: -1, Err: errors.New("x")}), exitFailed, "invalid"},
		"anything":    {errors.New("x"), exitFailed, "failed"},
		"joined":      {errors.Join(errors.New("x"), usagef("no")), exitUsage, "usage"},
		"silent":      {silentError{errors.New("x")}, exitFailed, "failed"},
		"both causes": {errors.Join(events.ErrOutcomeUnknown, context.Canceled), exitCancelled, "cancelled"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := exitCode(tt.err); got != tt.exit {
				t.Errorf("got exit code %d, want %d", got, tt.exit)
			}
			if got := errorCode(tt.err); got != tt.code {
				t.Errorf("got code %q, want %q", got, tt.code)
			}
		})
	}
}

func TestErrorRepliesNameThePlace(t *testing.T) {
	field := &events.FieldError{Field: "data.turn", Rule: "must be 1"}
	tests := map[string]struct {
		err  error
		want errorReply
	}{
		"field": {field, errorReply{Error: "data.turn must be 1", Code: "invalid", Field: "data.turn"}},
		"corrupt": {
			&events.CorruptError{Session: "s", Seq: 0, Type: "turn/end", Err: field},
			errorReply{Error: "session s is corrupt at seq 0 (turn/end): data.turn must be 1", Code: "corrupt", Field: "data.turn", Session: "s", Seq: new(events.Seq(0)), Type: "turn/end"},
		},
		"import": {
			&engine.ImportError{File: "f", Line: 3, Seq: 1, Type: "turn/end", Err: field},
			errorReply{Error: "f line 3 (turn/end, seq 1): data.turn must be 1", Code: "invalid", Field: "data.turn", Line: 3, Seq: new(events.Seq(1)), Type: "turn/end"},
		},
		"file": {
			&engine.ImportError{File: "f", Seq: -1, Err: errors.New("gzip: bad")},
			errorReply{Error: "f: gzip: bad", Code: "invalid"},
		},
		"our name": {errors.New("engine: load: x"), errorReply{Error: "load: x", Code: "failed"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, newErrorReply(tt.err)); diff != "" {
				t.Errorf("got another reply (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSilenceIsForWhatWasTold: an error that was joined to it is still told.
func TestSilenceIsForWhatWasTold(t *testing.T) {
	silent := silentError{errors.New("told")}
	for _, tt := range []struct {
		err  error
		want bool
	}{{nil, true}, {silent, true}, {errors.Join(silent, errors.New("the disk is full")), false}, {errors.New("x"), false}} {
		if got := toldAlready(tt.err); got != tt.want {
			t.Errorf("%v: got %v, want %v", tt.err, got, tt.want)
		}
	}
}

func TestCommandThatEndsEarlySaysWhyOnce(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	stopped, stop := context.WithCancelCause(t.Context())
	stop(errStopped)
	deep := fmt.Errorf("import: append: %w (last: %w)", events.ErrOutcomeUnknown, context.Canceled)
	tests := map[string]struct {
		ctx  context.Context
		err  error
		want string
	}{
		"no error":          {cancelled, nil, "<nil>"},
		"nothing cancelled": {t.Context(), errors.New("x"), "x"},
		"cancelled":         {cancelled, deep, "cancelled: context canceled"},
		"another error":     {cancelled, errors.New("x"), "x"},
		"stopped":           {stopped, errors.New("nats: connection closed"), "'engine serve' has stopped: nats: connection closed"},
		"stopped and said":  {stopped, errStopped, "'engine serve' has stopped"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := fmt.Sprint(settle(tt.ctx, tt.err)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
