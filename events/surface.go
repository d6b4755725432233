package events

import (
	"crypto/sha256"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Surface is the ordered list of the events that the model sees (reference 1.5).
// The zero value is an empty surface.
type Surface struct {
	nodes      []Seq                // a replacement makes a new slice, so that an older header stays what it was
	results    map[Seq]resultDigest // of the nodes that are tool/result
	system     bool                 // node 0 is a system/message
	generation int
}

// Nodes are the seqs of the visible events, in order. Nobody changes the slice;
// it is valid until the next event is applied.
func (s *Surface) Nodes() []Seq { return s.nodes }

// System reports whether node 0 is a system/message, which no compaction takes away.
func (s *Surface) System() bool { return s.system && len(s.nodes) > 0 }

// Generation counts the replacements so far: what was rendered under another
// generation may not be on the surface any more.
func (s *Surface) Generation() int { return s.generation }

// surfaceChange is a checked change that is still to be made.
type surfaceChange struct {
	seq         Seq
	first, last int // positions that are replaced
	replace     bool
	system      bool
	result      *resultDigest // of a tool/result
}

// resultDigest is of all of a tool/result but its content, which is what a
// replacement may change.
type resultDigest [sha256.Size]byte

func digestResult(r ToolResult) (*resultDigest, error) {
	r.Message.Content = nil
	rest, err := json.Marshal(r, jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true))
	if err != nil {
		return nil, within("data", jsonError(err))
	}
	return new(resultDigest(sha256.Sum256(rest))), nil
}

// plan checks what the event would do to the surface. It changes nothing.
func (s *Surface) plan(e Envelope) (surfaceChange, error) {
	change := surfaceChange{seq: e.Seq, system: e.Type() == TypeSystemMessage}
	if r, ok := e.Event.(ToolResult); ok {
		digest, err := digestResult(r)
		if err != nil {
			return change, err
		}
		change.result = digest
	}
	start, end, replace := e.Surface.Replace()
	if !replace {
		return change, nil
	}
	change.replace = true
	change.first, change.last = slices.Index(s.nodes, start), slices.Index(s.nodes, end)
	switch {
	case change.first < 0:
		return change, fieldf("surfaceOp.startSeq", "must be a visible event, %d is not", start)
	case change.last < 0:
		return change, fieldf("surfaceOp.endSeq", "must be a visible event, %d is not", end)
	case change.first > change.last:
		return change, fieldf("surfaceOp.startSeq", "must not stand behind endSeq on the surface")
	}
	if err := s.checkSystemNode(change); err != nil {
		return change, err
	}
	shadowed := s.nodes[change.first : change.last+1]
	if err := s.checkResult(change, shadowed); err != nil {
		return change, err
	}
	return change, coversShadowed(e.Sources, shadowed)
}

func (s *Surface) checkResult(c surfaceChange, shadowed []Seq) error {
	if c.result == nil {
		return nil
	}
	old, isResult := s.results[shadowed[0]]
	if len(shadowed) != 1 || !isResult {
		return fieldf("surfaceOp", "of a tool/result must replace exactly one visible tool/result")
	}
	if old != *c.result {
		return fieldf("data", "must be the replaced tool/result's but for the content of the message")
	}
	return nil
}

func (s *Surface) checkSystemNode(c surfaceChange) error {
	if !s.system || c.first != 0 {
		return nil
	}
	if !c.system || c.last != 0 {
		return fieldf("surfaceOp", "must not replace the system message at the head but by a system/message over it alone")
	}
	return nil
}

// coversShadowed checks that the sources name every event that is replaced.
func coversShadowed(sources, shadowed []Seq) error {
	cited := make(map[Seq]bool, len(sources))
	for _, s := range sources {
		cited[s] = true
	}
	for _, s := range shadowed {
		if !cited[s] {
			return fieldf("sourceEventSeqs", "must name every replaced event, %d is not there", s)
		}
	}
	return nil
}

// apply makes a planned change. Undoing is for the last change that was made.
func (s *Surface) apply(c surfaceChange, undo *undoing) {
	var before Surface
	if undo != nil {
		before = *s
	}
	var removed map[Seq]resultDigest
	if c.replace {
		removed = s.replace(c)
	} else {
		s.system = s.system || len(s.nodes) == 0 && c.system
		s.nodes = append(s.nodes, c.seq)
	}
	if s.results == nil {
		s.results = map[Seq]resultDigest{}
	}
	if c.result != nil {
		s.results[c.seq] = *c.result
	}
	if undo != nil {
		s.keep(before, c.seq, removed, undo)
	}
}

// keep lets a change be taken back.
func (s *Surface) keep(before Surface, seq Seq, removed map[Seq]resultDigest, undo *undoing) {
	*undo = append(*undo, func() {
		results := s.results
		*s = before
		s.results = results
		delete(results, seq)
		maps.Copy(results, removed)
	})
}

// replace puts the new node in the place of the range and gives the tool
// results that left the surface.
func (s *Surface) replace(c surfaceChange) (removed map[Seq]resultDigest) {
	removed = map[Seq]resultDigest{}
	for _, n := range s.nodes[c.first : c.last+1] {
		if d, isResult := s.results[n]; isResult {
			removed[n] = d
			delete(s.results, n)
		}
	}
	if c.first == 0 {
		s.system = c.system
	}
	s.nodes = slices.Concat(s.nodes[:c.first], []Seq{c.seq}, s.nodes[c.last+1:])
	s.generation++
	return removed
}
