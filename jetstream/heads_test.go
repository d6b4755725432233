package jetstream

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
)

func at(next events.Seq) position {
	return position{next: next, index: int64(next), stream: uint64(next) + 1}
}

func TestTheSessionsThatWereUsedLastAreRemembered(t *testing.T) {
	c := newSessionCache(3)
	for i := range 3 {
		c.put(events.SessionID(fmt.Sprint(i)), session{head: at(1)})
	}
	c.get("0")
	c.put("1", session{head: at(2)})
	c.put("3", session{head: at(1)})
	var got []events.SessionID
	for _, id := range []events.SessionID{"0", "1", "2", "3"} {
		if _, ok := c.get(id); ok {
			got = append(got, id)
		}
	}
	if diff := cmp.Diff([]events.SessionID{"0", "1", "3"}, got); diff != "" {
		t.Errorf("remembered (-want +got):\n%s", diff)
	}
	if len(c.byID) != 3 || c.order.Len() != 3 {
		t.Errorf("got %d and %d, want 3", len(c.byID), c.order.Len())
	}
}

func TestARememberedHeadNeverGoesBackwards(t *testing.T) {
	c := newSessionCache(1)
	for _, next := range []events.Seq{3, 5, 4, 1, 5} {
		c.put("s", session{head: at(next)})
	}
	if s, _ := c.get("s"); s.head != at(5) {
		t.Errorf("got %v, want 5", s.head)
	}
}

// A reader of the tail begins at the last remembered place before it.
func TestAReadBeginsAtTheLastPlaceBeforeIt(t *testing.T) {
	c := newSessionCache(1)
	for next := range events.Seq(2 * recentPositions) {
		c.put("s", session{head: at(next), first: at(0)})
	}
	s, _ := c.get("s")
	if len(s.recent) != recentPositions {
		t.Errorf("got %d places, want %d", len(s.recent), recentPositions)
	}
	c.prime("s", at(2))
	c.prime("s", at(2))
	c.prime("other", at(2)) // is not there
	held := s
	s, _ = c.get("s")
	for from, want := range map[events.Seq]events.Seq{0: 0, 1: 0, 2: 2, 7: 2, 8: 8, 15: 15, 99: 15} {
		if got := s.before(from); got != at(want) {
			t.Errorf("before %d: got %v, want %d", from, got, want)
		}
	}
	if got := held.before(7); got != at(0) {
		t.Errorf("got %v, want that what a reader holds does not change", got)
	}
}

// TestWhatAReaderHoldsDoesNotChange: neither when frames come, nor when the session
// was forgotten meanwhile and two who still hold it go on from there.
func TestWhatAReaderHoldsDoesNotChange(t *testing.T) {
	c := newSessionCache(1)
	type look struct{ held, want []position }
	var looks []look
	for next := range events.Seq(4 * recentPositions) {
		c.put("s", session{head: at(next)})
		s, _ := c.get("s")
		looks = append(looks, look{s.recent, slices.Clone(s.recent)})
	}
	held, _ := c.get("s")
	for _, next := range []events.Seq{100, 200} {
		c.put("other", session{head: at(1)}) // forgets s
		again := held
		again.head = at(next)
		c.put("s", again)
		s, _ := c.get("s")
		looks = append(looks, look{s.recent, slices.Clone(s.recent)})
		if last := s.recent[len(s.recent)-1]; last != at(next) {
			t.Errorf("got %v remembered last, want %d", last, next)
		}
	}
	for i, l := range looks {
		if !slices.Equal(l.held, l.want) {
			t.Errorf("look %d: got %v, want what was seen then, %v", i, l.held, l.want)
		}
	}
}
