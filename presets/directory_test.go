package presets_test

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/docket-engine/docket/presets"
)

var errGone = errors.New("the connection is gone")

// TestReadsPublishOnlyWhatCounts draws any order of reads that overlap, fail and
// come back late, against what the rules say must be seen.
func TestReadsPublishOnlyWhatCounts(t *testing.T) {
	c := table(t, nil).Catalogue()
	rapid.Check(t, func(rt *rapid.T) {
		var r presets.Reads
		type flight struct {
			read  presets.Read
			stale bool
		}
		var flights []flight
		age := func() {
			for i := range flights {
				flights[i].stale = true
			}
		}
		want, disposed := false, false
		for range rapid.IntRange(0, 30).Draw(rt, "steps") {
			switch rapid.SampledFrom([]string{"begin", "finish", "finish", "changed", "reset", "dispose"}).Draw(rt, "step") {
			case "begin":
				age()
				flights = append(flights, flight{read: r.Begin()})
			case "changed":
				age()
				r.Invalidate()
			case "reset":
				age()
				r.Reset()
				want = false
			case "dispose":
				if disposed = rapid.IntRange(0, 3).Draw(rt, "really") == 0 || disposed; disposed {
					r.Dispose()
					want = false
				}
			default:
				if len(flights) == 0 {
					continue
				}
				i := rapid.IntRange(0, len(flights)-1).Draw(rt, "which")
				got := rapid.SampledFrom([]string{"whole", "cut", "failed"}).Draw(rt, "as")
				brought, failure := c, error(nil)
				switch got {
				case "cut":
					brought.Options = nil
				case "failed":
					failure = errGone
				}
				counts := !flights[i].stale && !disposed
				if counts {
					want = got == "whole"
				}
				if r.Finish(flights[i].read, brought, failure) != counts {
					rt.Fatalf("got another answer than %v to whether the read counts", counts)
				}
			}
			if _, there := r.Current(); there != want {
				rt.Fatalf("got a catalogue: %v, want %v", there, want)
			}
		}
	})
}

// remote is a source that a test answers by hand.
type remote struct {
	order      []string
	changed    func()
	during     func() // while a read is under way
	answer     presets.Catalogue
	failure    error
	subscribed error
}

func (r *remote) Subscribe(changed func()) (func(), error) {
	r.order = append(r.order, "subscribe")
	r.changed = changed
	return func() { r.order = append(r.order, "cancel") }, r.subscribed
}

func (r *remote) Read(context.Context) (presets.Catalogue, error) {
	r.order = append(r.order, "read")
	answer, failure := r.answer, r.failure
	if r.during != nil {
		r.during()
	}
	return answer, failure
}

func open(t *testing.T, r *remote) *presets.Directory {
	t.Helper()
	r.answer = table(t, nil).Catalogue()
	d, err := presets.Open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func wantThere(t *testing.T, d *presets.Directory, want bool) {
	t.Helper()
	if _, there := d.Current(); there != want {
		t.Errorf("got a catalogue: %v, want %v", there, want)
	}
}

func wantStale(t *testing.T, d *presets.Directory, want bool) {
	t.Helper()
	select {
	case <-d.Stale():
		if !want {
			t.Error("got a read due, want none")
		}
	default:
		if want {
			t.Error("got no read due, want one")
		}
	}
}

func TestADirectorySubscribesBeforeItReads(t *testing.T) {
	r := &remote{}
	d := open(t, r)
	if len(r.order) != 2 || r.order[0] != "subscribe" || r.order[1] != "read" {
		t.Errorf("got %v, want subscribe, read", r.order)
	}
	wantThere(t, d, true)
	wantStale(t, d, false)
}

func TestAChangeDuringAReadMakesItStaleAndAskForAnother(t *testing.T) {
	r := &remote{}
	r.during = func() { r.changed(); r.changed() }
	d := open(t, r)
	wantThere(t, d, false)
	r.during = nil
	wantStale(t, d, true)
	wantStale(t, d, false)
	if err := d.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantThere(t, d, true)
}

func TestAChangeLeavesThePublishedOneUntilAReadWins(t *testing.T) {
	r := &remote{}
	d := open(t, r)
	r.changed()
	wantThere(t, d, true)
	r.failure = errGone
	if err := d.Refresh(t.Context()); !errors.Is(err, errGone) {
		t.Errorf("got %v, want the source's error", err)
	}
	wantThere(t, d, false)
	r.failure = nil
	if err := d.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantThere(t, d, true)
}

func TestAnIncompleteReadClears(t *testing.T) {
	r := &remote{}
	d := open(t, r)
	r.answer = presets.Catalogue{}
	wantCode(t, d.Refresh(t.Context()), presets.CodeIncomplete)
	wantThere(t, d, false)
}

func TestAResetClearsAndAReadOfTheOldConnectionNeverPublishes(t *testing.T) {
	r := &remote{}
	d := open(t, r)
	r.during = func() { d.Reset() }
	if err := d.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantThere(t, d, false)
	wantStale(t, d, true)
}

func TestADisposedDirectoryNeverPublishes(t *testing.T) {
	r := &remote{}
	d := open(t, r)
	r.during = func() { d.Dispose() }
	if err := d.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantThere(t, d, false)
	d.Dispose()
	if got := r.order[len(r.order)-1]; got != "cancel" || len(r.order) != 4 {
		t.Errorf("got %v, want one end of the subscription", r.order)
	}
	r.during = nil
	if err := d.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantThere(t, d, false)
}

func TestWithoutASubscriptionThereIsNoDirectory(t *testing.T) {
	if d, err := presets.Open(t.Context(), &remote{subscribed: errGone}); d != nil || !errors.Is(err, errGone) {
		t.Errorf("got %v, %v, want the source's error", d, err)
	}
}
