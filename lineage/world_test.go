package lineage_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/presets"
)

// world is some sessions that spawn, fork and write to each other, as an engine
// would let them.
type world struct {
	tb       rapid.TB
	sessions map[events.SessionID]*session
	order    []events.SessionID
	made     int
}

// session is one log with its folds.
type session struct {
	w         *world
	header    events.Header
	validator *events.Validator
	state     *lineage.State
	presets   presets.State
	events    []events.Envelope
}

func newWorld(tb rapid.TB) *world {
	return &world{tb: tb, sessions: map[events.SessionID]*session{}}
}

func (w *world) create(h events.Header) *session {
	s := &session{w: w, header: h, validator: events.NewValidator(h), state: &lineage.State{}}
	if w.sessions[h.ID] == nil {
		w.order = append(w.order, h.ID)
	}
	w.sessions[h.ID] = s
	return s
}

func (w *world) id(kind string) string {
	w.made++
	return fmt.Sprintf("%s-%d", kind, w.made)
}

func (s *session) kin() lineage.Kin { return lineage.Kin{Header: s.header, State: s.state} }

func (s *session) add(es ...events.Envelope) {
	s.w.tb.Helper()
	if err := s.validator.Apply(es...); err != nil {
		s.w.tb.Fatalf("session %s: not a valid log: %v", s.header.ID, err)
	}
	for _, e := range es {
		s.state.Apply(e)
		s.presets.Apply(e)
		s.events = append(s.events, e)
	}
}

// append puts drafts behind the log as one frame.
func (s *session) append(drafts ...events.Draft) []events.Envelope {
	s.w.tb.Helper()
	var es []events.Envelope
	for i, d := range drafts {
		next := s.validator.Next() + events.Seq(i)
		e, err := d.At(next, eventstest.Epoch+int64(next))
		if err != nil {
			s.w.tb.Fatalf("draft %s: %v", d.Event.Type(), err)
		}
		es = append(es, e)
	}
	s.add(es...)
	return es
}

// put appends one event, with the sources that it cites.
func (s *session) put(ev events.Event, sources ...events.Seq) {
	s.w.tb.Helper()
	s.append(events.Draft{Event: ev, Sources: sources})
}

// spawn makes a child as an engine does: the fact, the seed, the frame.
func (s *session) spawn(d lineage.Delegation, pins ...events.Draft) (*session, lineage.Birth, error) {
	s.w.tb.Helper()
	b, err := lineage.Spawn(s.kin(), d)
	if err != nil {
		return nil, b, err
	}
	s.append(b.Catalogue...)
	if there := s.w.sessions[b.Header.ID]; there != nil && b.Stored(there.state) {
		return there, b, nil
	}
	child := s.w.create(b.Header)
	if b.Prefix > 0 {
		child.seed(s, b.Prefix)
	}
	child.append(b.Frame(pins)...)
	return child, b, nil
}

// seed copies the beginning of the parent's log, and ends it.
func (s *session) seed(parent *session, count events.Seq) {
	s.w.tb.Helper()
	records, _ := planFork(s.w.tb, eventstest.Records(s.w.tb, parent.events...), count)
	for _, r := range records {
		es, err := r.Decode()
		if err != nil {
			s.w.tb.Fatal(err)
		}
		s.add(es...)
	}
}

// line puts one line of a history on the log.
func (s *session) line(text string) {
	s.w.tb.Helper()
	word, rest, _ := strings.Cut(text, " ")
	first, after, _ := strings.Cut(rest, " ")
	turn, step, _ := s.validator.OpenStep()
	do := map[string]func(){
		"":      func() {},
		"empty": func() {},
		"turn":  func() { s.put(events.TurnStart{Turn: turn + 1}) },
		"turn-end": func() {
			s.put(events.TurnEnd{Turn: turn, Reason: events.TurnEndReason{Kind: events.EndCompleted}})
		},
		"step":     func() { s.put(events.StepStart{Turn: turn, Step: step + 1}) },
		"step-end": func() { s.put(events.StepEnd{Turn: turn, Step: step}) },
		"system":   func() { s.put(events.SystemMessage{Turn: turn, Step: step, Message: s.message("system", rest)}) },
		"user":     func() { s.put(s.user(events.SourceUser, rest)) },
		"from":     func() { s.put(s.user(first, after)) },
		"agent":    func() { s.put(s.agent(events.SessionID(first), after, nil)) },
		"proven": func() {
			s.put(s.agent(events.SessionID(first), after, &events.ParentProof{Seq: 1, RecordHash: "00"}))
		},
		"call": func() {
			tool, arguments := toolOf(after)
			s.put(events.ToolCall{Turn: turn, Step: step, CallID: first, Name: tool, Arguments: &arguments})
		},
		"inner": func() {
			tool, arguments := toolOf(after)
			s.put(events.PTCDispatchStart{RootCallID: "run", ParentCallID: "run", SubCallID: first, Name: tool, Arguments: []byte(arguments)})
		},
		"dispatch": func() { s.put(dispatched(first)) },
		"unreviewed": func() {
			d := dispatched(first)
			d.VerdictSeq, d.PresetSeq = nil, d.VerdictSeq
			s.put(d)
		},
		"result": func() { s.put(resultOf(turn, step, first, nil), s.callSeq(first)) },
		"failed": func() {
			s.put(resultOf(turn, step, first, &events.ToolError{Name: "ToolError", Code: "FAILED"}), s.callSeq(first))
		},
		"descriptor": func() { s.put(descriptorOf(first, after)) },
		"preset":     func() { s.put(events.PermissionPreset{Preset: first}) },
		"sandbox":    func() { s.put(events.SandboxMode{Mode: first}) },
		"approval":   func() { s.put(events.ApprovalPolicy{Policy: first}) },
		"route": func() {
			s.put(events.RequestHeader{Reason: "initial", Header: events.RequestConfiguration{Config: events.RequestConfig{Provider: first, Model: after}}})
		},
		"compact":  func() { s.compact() },
		"end-seed": func() { s.put(events.EndSeed{}) },
	}[word]
	if do == nil {
		s.w.tb.Fatalf("no line %q", text)
	}
	do()
}

func (s *session) user(kind, text string) events.UserMessage {
	return events.UserMessage{ID: s.w.id("m"), Role: "user", Source: events.Source{Kind: kind}, Content: []events.Block{events.TextBlock(text)}}
}

func (s *session) agent(sender events.SessionID, text string, proof *events.ParentProof) events.AgentMessage {
	return events.AgentMessage{
		ID: s.w.id("m"), Role: "user", SenderSessionID: sender, Form: lineage.FormRelay,
		Content: []events.Block{events.TextBlock(text)}, Parent: proof,
	}
}

func (s *session) message(role, text string) events.Message {
	return events.Message{ID: s.w.id("m"), Role: role, Content: []events.Block{events.TextBlock(text)}}
}

// compact replaces the whole surface by a checkpoint.
func (s *session) compact() {
	nodes := slices.Clone(s.validator.Surface().Nodes())
	s.append(events.Draft{
		Event:   events.UserMessage{ID: s.w.id("m"), Role: "user", Source: events.Source{Kind: events.SourceCheckpoint, CompactionID: "c"}, Content: []events.Block{}},
		Surface: events.SurfaceReplace(nodes[0], nodes[len(nodes)-1]), Sources: nodes,
	})
}

func dispatched(callID string) events.ToolDispatched {
	verdict := events.Seq(0)
	return events.ToolDispatched{CallID: callID, VerdictSeq: &verdict, ArgumentHash: "00", Mode: events.ModeReadOnly, Nonce: "n", ExpiresAt: 1}
}

// toolOf takes the tool's name off a call's line; without one it is task.
func toolOf(text string) (tool, arguments string) {
	if tool, arguments, named := strings.Cut(text, " {"); named && tool != "" && !strings.HasPrefix(text, "{") {
		return tool, "{" + arguments
	}
	return "task", text
}

func (s *session) callSeq(id string) events.Seq {
	for _, e := range slices.Backward(s.events) {
		if c, is := e.Event.(events.ToolCall); is && c.CallID == id {
			return e.Seq
		}
	}
	return 0
}

func resultOf(turn, step int, id string, failure *events.ToolError) events.ToolResult {
	return events.ToolResult{Turn: turn, Step: step, Error: failure, Message: events.Message{
		ID: "result-" + id, Role: "tool", Source: &events.Source{Kind: events.SourceTool, CallID: id}, Content: []events.Block{}, IsError: failure != nil,
	}}
}

func descriptorOf(mode, label string) events.SubagentDescriptor {
	return events.SubagentDescriptor{Version: 3, Mode: mode, Provider: lineage.ProviderSpawn, Label: label}
}

func sha256hex(text []byte) string {
	d := sha256.Sum256(text)
	return hex.EncodeToString(d[:])
}
