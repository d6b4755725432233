package main

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
)

// viewed is a session in memory as a review sees it, and what folds to it.
type viewed struct {
	session *projections.Session
	history *projections.History
	last    events.Envelope
	turn    int
	made    int // ids
	err     error
}

// view makes a session of about so many events, steps with a call each, the last of
// which is pending. With visible, compactions leave about so many nodes.
func view(size, visible int) (reviewer.View, reviewer.Call, error) {
	header, err := newHeader("viewed")
	if err != nil {
		return reviewer.View{}, reviewer.Call{}, err
	}
	v := &viewed{session: projections.NewSession(header), history: projections.NewHistory()}
	for v.err == nil && v.session.Next() < events.Seq(size) {
		v.step()
		v.put(events.Draft{Sources: []events.Seq{v.last.Seq}, Event: events.ToolResult{Turn: v.turn, Step: 1, Message: events.Message{
			ID: v.id("result"), Role: "tool", Source: &events.Source{Kind: events.SourceTool, CallID: fmt.Sprint("call-", v.turn)},
			Content: []events.Block{events.TextBlock(strings.Repeat("what the tool said ", 20))},
		}}})
		v.add(events.StepEnd{Turn: v.turn, Step: 1})
		v.add(events.TurnEnd{Turn: v.turn, Reason: events.TurnEndReason{Kind: events.EndCompleted}})
		if n := len(v.nodes()); visible > 0 && n >= 2*visible {
			v.compact(n - visible)
		}
	}
	if n := len(v.nodes()); v.err == nil && visible > 0 && n > visible {
		v.compact(n - visible + 3) // what the last step adds
	}
	v.step()
	if v.err != nil {
		return reviewer.View{}, reviewer.Call{}, v.err
	}
	c, err := auto.CallAt(v.session, v.last, nil)
	return reviewer.View{Session: v.session, History: v.history}, c, err
}

func (v *viewed) nodes() []events.Seq { return v.session.Surface().Nodes() }

func (v *viewed) id(kind string) string {
	v.made++
	return fmt.Sprint(kind, "-", v.made)
}

// step begins a turn, up to its call.
func (v *viewed) step() {
	v.turn++
	call := fmt.Sprint("call-", v.turn)
	v.add(events.TurnStart{Turn: v.turn})
	v.add(events.StepStart{Turn: v.turn, Step: 1})
	v.add(events.UserMessage{
		ID: v.id("user"), Role: "user", Source: events.Source{Kind: events.SourceUser},
		Content: []events.Block{events.TextBlock("Please look at the next package and say whether its tests pass, in a sentence or two.")},
	})
	if v.turn == 1 {
		v.add(events.RequestHeader{Header: callHeader(), Reason: "initial"})
	}
	v.add(events.AssistantMessage{
		Turn: v.turn, Step: 1, Stream: jsontext.Value("[]"), Message: events.Message{
			ID: v.id("said"), Role: "assistant", Source: &events.Source{Raw: jsontext.Value(`{"kind":"model","provider":"p","model":"m"}`)},
			Content: []events.Block{events.TextBlock("I will run them."), events.ToolCallBlock(call, callTool, callArguments)},
		},
	})
	v.add(events.ToolCall{Turn: v.turn, Step: 1, CallID: call, Name: callTool, Arguments: new(callArguments)})
}

// compact puts a checkpoint in the place of the first nodes.
func (v *viewed) compact(n int) {
	id, gone := v.id("compaction"), append([]events.Seq{}, v.nodes()[:n]...)
	first, last := gone[0], gone[n-1]
	begun := v.add(events.CompactionStart{CompactionID: id, Turn: jsontext.Value("null")})
	summary := []events.Block{events.TextBlock("What was done so far: the tests of the packages before this one pass.")}
	told := v.add(events.CompactionSummary{
		CompactionID: id, Summary: summary, ShadowedRange: events.SeqRange{Start: first, End: last}, ShadowedSeqs: gone,
		ShadowedTokenCount: jsontext.Value("10"), Provider: "p", Model: "m",
	})
	checkpoint := events.UserMessage{
		ID: v.id("checkpoint"), Role: "user", Source: events.Source{Kind: events.SourceCheckpoint, CompactionID: id}, Content: summary,
	}
	v.put(events.Draft{Event: checkpoint, Surface: events.SurfaceReplace(first, last), Sources: append([]events.Seq{begun, told}, gone...)})
	v.add(events.CompactionEnd{CompactionID: id, Turn: jsontext.Value("null")})
}

func (v *viewed) add(ev events.Event) events.Seq { return v.put(events.Draft{Event: ev}) }

func (v *viewed) put(d events.Draft) events.Seq {
	if v.err != nil {
		return 0
	}
	seq := v.session.Next()
	e, err := d.At(seq, epochMs+int64(seq))
	if err == nil {
		err = v.session.Apply(e)
	}
	if err != nil {
		v.err = fmt.Errorf("event %d, %s: %w", seq, d.Event.Type(), err)
		return 0
	}
	v.history.Apply(v.session, e)
	v.last = e
	return seq
}
