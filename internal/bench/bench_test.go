package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
)

// TestMain makes this binary the process of clients as well.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == errandArg {
		os.Exit(errandCode(context.Background(), os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func TestALayoutHoldsEachSessionWhole(t *testing.T) {
	sizes := slices.Repeat([]int{90}, 200)
	sizes[0], sizes[1] = 5000, 10
	for _, l := range []layout{randomLayout, localLayout} {
		t.Run(l.name, func(t *testing.T) {
			got := make([]int, len(sizes))
			active, most := map[uint16]bool{}, 0
			for _, session := range l.order(sizes, rand.New(rand.NewPCG(1, 2))) {
				got[session]++
				active[session] = true
				if got[session] == sizes[session] {
					delete(active, session)
				}
				most = max(most, len(active))
			}
			if diff := cmp.Diff(sizes, got); diff != "" {
				t.Errorf("messages of each session (-want +got):\n%s", diff)
			}
			if local := most <= activeAtOnce; local != (l.name == localLayout.name) {
				t.Errorf("got %d sessions active at once", most)
			}
		})
	}
}

func TestAConversationIsALogOfLinesOfOneSize(t *testing.T) {
	records, err := conversation(500)
	if err != nil {
		t.Fatal(err)
	}
	header, err := newHeader("s")
	if err != nil {
		t.Fatal(err)
	}
	v := events.NewValidator(header)
	for _, r := range records {
		if len(r.Line) != eventSize {
			t.Errorf("got %d bytes at %d, want %d", len(r.Line), r.Seq, eventSize)
		}
		if _, err := v.Record(r); err != nil {
			t.Fatalf("at %d: %v", r.Seq, err)
		}
	}
}

func TestATargetIsMetOrNot(t *testing.T) {
	tests := map[string]struct {
		target target
		ratio  float64
		want   *bool
	}{
		"at most":   {atMost(2), 2, new(true)},
		"too much":  {atMost(2), 2.01, new(false)},
		"at least":  {atLeast(0.6), 0.6, new(true)},
		"too few":   {atLeast(0.6), 0.59, new(false)},
		"none left": {target{None: true}, 0, new(true)},
		"one left":  {target{None: true}, 1, new(false)},
		"no target": {target{}, 9, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.target.met(tt.ratio)); diff != "" {
				t.Errorf("met (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAFigureKeepsThreeDigits(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.98765: "0.988", 43.21: "43.2", 12345: "12300", 2: "2"} {
		if got := number(x); got != want {
			t.Errorf("got %s for %v, want %s", got, x, want)
		}
	}
}

// The program runs; what it measures in a second says nothing. One row is of this
// process alone, and one of clients in another.
func TestARowIsMeasured(t *testing.T) {
	for _, name := range []string{rowAppendTen, rowBusCall} {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), []string{"-short", "-json", "-only", "^" + name + "$"}, &stdout, &stderr); code != 0 {
			t.Fatalf("got exit code %d\n%s", code, &stderr)
		}
		var rows []row
		if err := json.Unmarshal(stdout.Bytes(), &rows); err != nil {
			t.Fatal(err)
		}
		if len(rows) != 1 || rows[0].Name != name || rows[0].Ours <= 0 || rows[0].Raw <= 0 || rows[0].Met == nil {
			t.Errorf("got %+v, want the row that was asked for", rows)
		}
	}
}

func TestWrongArgumentsAreRefused(t *testing.T) {
	for _, args := range []string{"-only (", "-pairs 4", "now"} {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), strings.Fields(args), &stdout, &stderr); code != 2 || stderr.Len() == 0 {
			t.Errorf("got exit code %d for %s, want 2 and why", code, args)
		}
	}
}
