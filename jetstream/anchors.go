package jetstream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/docket-engine/docket/events"
)

// Anchors are heads that are kept outside of the streams: what a chain cannot
// show, a cut tail, shows against them (design section 3). They are a file of
// signed lines, each what has grown since the line before. An anchor says that a
// log was at least this long; what came after the last line, it cannot say.
type Anchors struct {
	keys Keys

	mu      sync.Mutex // guards what follows; never held while calling out
	streams map[string]uint64
	heads   map[events.SessionID]anchoredHead
	// accepted are the lines by which an operator wrote anchors off. They stay.
	accepted [][]byte
}

type anchoredHead struct {
	next  events.Seq
	chain events.Chain
}

// anchorLine is one line of the file. Sig is over the line without it.
type anchorLine struct {
	Time    int64             `json:"time"` // Unix ms
	Streams map[string]uint64 `json:"streams,omitempty"`
	Heads   []anchorHead      `json:"heads,omitempty"`
	// Accepted marks a line that an operator wrote over the anchors before it,
	// after data was lost: they do not count any more.
	Accepted bool `json:"accepted,omitempty"`
	// Repaired says that the store was made anew since, and of what.
	Repaired *Repaired `json:"repaired,omitempty"`
	Sig      string    `json:"sig,omitempty"`
}

type anchorHead struct {
	Session events.SessionID `json:"session"`
	Next    events.Seq       `json:"next"`
	Chain   string           `json:"chain"`
}

// LoadAnchors reads the anchors in a file; a missing file holds none. A line
// that is not signed by a trusted key is an error, but a last line that was cut
// off by a crash is not.
func LoadAnchors(path string, keys Keys) (*Anchors, error) {
	a := &Anchors{keys: keys, streams: map[string]uint64{}, heads: map[events.SessionID]anchoredHead{}}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return a, nil
	}
	if err != nil {
		return nil, fmt.Errorf("jetstream: read anchors: %w", err)
	}
	for n := 1; len(text) > 0; n++ {
		line, rest, whole := bytes.Cut(text, []byte{'\n'})
		if !whole {
			break // a crash cut it off: it was never relied on
		}
		if err := a.load(line); err != nil {
			return nil, fmt.Errorf("jetstream: anchors %s, line %d: %w", filepath.Base(path), n, err)
		}
		text = rest
	}
	return a, nil
}

func (a *Anchors) load(text []byte) error {
	var line anchorLine
	if err := json.Unmarshal(text, &line); err != nil {
		return err
	}
	sig := line.Sig
	line.Sig = ""
	payload, err := line.payload()
	if err != nil {
		return err
	}
	if err := a.keys.verify(payload, sig); err != nil {
		return err
	}
	if line.Accepted {
		a.accepted = append(a.accepted, append(bytes.Clone(text), '\n'))
	}
	return a.add(line)
}

func (line anchorLine) payload() ([]byte, error) {
	text, err := json.Marshal(line)
	return append([]byte("docket anchors 1\n"), text...), err
}

// add takes over a line's heads.
func (a *Anchors) add(line anchorLine) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if line.Accepted {
		clear(a.streams)
		clear(a.heads)
	}
	for _, h := range line.Heads {
		chain, err := events.ParseChain(h.Chain)
		if err != nil {
			return err
		}
		if h.Next >= a.heads[h.Session].next {
			a.heads[h.Session] = anchoredHead{next: h.Next, chain: chain}
		}
	}
	for name, last := range line.Streams {
		a.streams[name] = max(a.streams[name], last)
	}
	return nil
}

// BehindError says that a stream or a session ends before its anchor: something
// that was acknowledged is not there any more.
type BehindError struct {
	What       string // "stream SESSIONS_0_0" or "session …"
	Have, Want uint64
}

// Error gives both ends.
func (e *BehindError) Error() string {
	return fmt.Sprintf("%s ends at %d, its anchor was made at %d: what was stored in between is lost", e.What, e.Have, e.Want)
}

// CheckStream compares a stream's last sequence with its anchor. The error is a
// *[BehindError].
func (a *Anchors) CheckStream(name string, last uint64) error {
	return checkBehindAnchor(name, last, a.stream(name))
}

func checkBehindAnchor(name string, last, anchor uint64) error {
	if last < anchor {
		return &BehindError{What: "stream " + name, Have: last, Want: anchor}
	}
	return nil
}

// stream is where a stream is anchored; 0 if it is not.
func (a *Anchors) stream(name string) uint64 {
	if a == nil {
		return 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.streams[name]
}

// head is where a session is anchored. Read it before the session, which may
// grow, and be anchored again, meanwhile.
func (a *Anchors) head(id events.SessionID) (anchoredHead, bool) {
	if a == nil {
		return anchoredHead{}, false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	h, ok := a.heads[id]
	return h, ok
}

// check compares a session's head with its anchor. The zero anchor is none.
func (h anchoredHead) check(id events.SessionID, head position) error {
	switch {
	case h == anchoredHead{}:
		return nil
	case head.next < h.next || head == (position{}):
		return &BehindError{What: "session " + string(id), Have: uint64(head.next), Want: uint64(h.next)}
	case head.next == h.next && head.chain != h.chain:
		return errors.New("its records are not the ones that were anchored")
	default:
		return nil
	}
}

// sessions is a copy of all heads.
func (a *Anchors) sessions() map[events.SessionID]anchoredHead {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return maps.Clone(a.heads)
}

// snapshot is all that is anchored, as one line.
func (a *Anchors) snapshot(now time.Time) anchorLine {
	a.mu.Lock()
	defer a.mu.Unlock()
	line := anchorLine{Time: now.UnixMilli(), Streams: make(map[string]uint64, len(a.streams))}
	maps.Copy(line.Streams, a.streams)
	for id, h := range a.heads {
		line.Heads = append(line.Heads, anchorHead{Session: id, Next: h.next, Chain: h.chain.String()})
	}
	return line
}
