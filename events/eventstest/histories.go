package eventstest

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/events"
)

// Valid draws a valid log of the current format: turns and steps, messages,
// calls with what reviews and people say of them, inner calls, presets,
// compactions, seeds, unknown events that may be ignored. Every type that a
// session's log may hold comes up sometimes. The last turn may be open, as after
// a crash.
func Valid(rt *rapid.T) *Script {
	d := &drawer{rt: rt, Script: NewScript(rt, drawHeader(rt))}
	if d.Header.Seeded() {
		d.seed()
	}
	d.anywhere()
	for range rapid.IntRange(0, 3).Draw(rt, "turns") {
		d.drawTurn()
		d.maybe("compaction", d.compact)
		d.anywhere()
	}
	if d.chance("open tail") {
		d.StartTurn()
		d.maybe("open step", func() { d.StartStep(); d.input() })
	}
	return d.Script
}

// drawer draws the parts of a log.
type drawer struct {
	*Script
	rt *rapid.T
}

func (d *drawer) chance(what string) bool { return rapid.Bool().Draw(d.rt, what) }

func (d *drawer) maybe(what string, do func()) {
	if d.chance(what) {
		do()
	}
}

func (d *drawer) text() string { return rapid.StringN(0, 20, -1).Draw(d.rt, "text") }

func (d *drawer) oneOf(what string, of ...string) string {
	return rapid.SampledFrom(of).Draw(d.rt, what)
}

func drawHeader(rt *rapid.T) events.Header {
	return Header(rt, "session-drawn", func(h *events.Header) {
		seeded, depth := rapid.Bool().Draw(rt, "seeded"), rapid.Int64Range(0, 3).Draw(rt, "depth")
		h.IsSeeded, h.DelegationDepth = &seeded, &depth
		if seeded || depth > 0 {
			h.ParentSession = "session-parent"
		}
		if depth > 0 && !seeded {
			h.Origin = events.OriginSubagent
		}
	})
}

// seed draws an inherited prefix, whose last turn the fork may have cut: then it
// closes what it found open.
func (d *drawer) seed() {
	open := false
	if d.chance("inherited turn") {
		d.drawTurn()
	}
	if d.chance("cut inside a turn") {
		open = true
		d.StartTurn()
		d.StartStep()
		d.input()
		d.Assistant("", events.ToolCallBlock("cut-1", "bash", "{}"), events.ToolCallBlock("cut-2", "bash", "{}"))
		d.Call("cut-1", "bash", "{}")
	}
	d.Add(events.EndSeed{Inherited: true, ParentChain: events.ChainStart().String()})
	if open {
		d.Failed("cut-1", events.CodeOutcomeUnknown)
		d.Failed("cut-2", events.CodeNotStarted)
		d.EndStep()
		d.EndTurn(events.EndForked)
	}
}

// anywhere draws events that may stand at any place.
func (d *drawer) anywhere() {
	choices := []func(){
		func() { d.Add(events.PermissionPreset{Preset: d.oneOf("preset", "auto", "workspace-write")}) },
		func() { d.Add(events.SandboxMode{Mode: events.ModeReadOnly, Source: events.SourceDelegation}) },
		func() { d.Add(events.SandboxMode{Mode: events.ModeDangerFullAccess}) },
		func() { d.Add(events.ApprovalPolicy{Policy: d.oneOf("policy", events.PolicyAsk, events.PolicyNever)}) },
		func() { d.Add(events.ApprovalTier{Tier: d.oneOf("tier", "aggressive", "standard", "passive")}) },
		func() { d.Add(events.ReviewRoute{Provider: "p", Model: d.oneOf("model", "m", "m2"), By: "human"}) },
		func() { d.Add(events.SessionAdopted{Owner: d.oneOf("owner", "ada", "bob"), By: "human"}) },
		func() { d.Add(events.SessionMembers{Members: []string{d.oneOf("member", "ada", "bob")}, By: "human"}) },
		func() { d.Add(drawDescriptor(d.rt)) },
		func() {
			d.Add(events.SubagentCatalog{ChildID: "session-child", CallID: "call-1", ChildHeaderHash: "00", Descriptor: jsontext.Value(`{"version":3}`)})
		},
		func() { d.Add(events.EndSeed{}) },
		func() { d.Opaque("todo/write", `{"todos":[{"text":"x","done":false}]}`) },
		func() { d.Opaque("someone/else", `{"n":[1,null,{"deep":true}]}`) },
		d.inbox,
		d.failedCompaction,
	}
	for range rapid.IntRange(0, 2).Draw(d.rt, "events between") {
		choices[rapid.IntRange(0, len(choices)-1).Draw(d.rt, "which")]()
	}
}

func drawDescriptor(rt *rapid.T) events.SubagentDescriptor {
	if rapid.Bool().Draw(rt, "one-shot") {
		return events.SubagentDescriptor{Version: 3, Mode: events.ChildOneShot, Provider: "p"}
	}
	return events.SubagentDescriptor{
		Version: 3, Mode: events.ChildContinuable, Provider: "p", Label: "researcher", AgentModel: "m",
		ToolFilter: &events.ToolFilter{Allow: []string{"read"}, Deny: []string{"bash"}},
	}
}

func (d *drawer) drawTurn() {
	d.StartTurn()
	for range rapid.IntRange(0, 3).Draw(d.rt, "steps") {
		d.anywhere()
		d.drawStep()
	}
	d.maybe("compaction", d.compact)
	d.maybe("pruning", d.prune)
	d.Add(events.TurnEnd{Turn: d.turn, Reason: d.endReason()})
	d.turnOpen = false
}

func (d *drawer) endReason() events.TurnEndReason {
	r := events.TurnEndReason{Kind: d.oneOf("end", events.EndCompleted, events.EndAborted, events.EndBlocked, events.EndError, events.EndMaxTokens, events.EndInterrupted)}
	switch r.Kind {
	case events.EndAborted:
		r.Reason = &events.AbortReason{Kind: d.oneOf("aborted by", "user", "parent", "disposed", "legacy")}
		if d.chance("by a hook") {
			r.Reason = &events.AbortReason{Kind: "hook", Text: d.text()}
		}
	case events.EndError:
		r.Failure = &events.Failure{Message: d.text(), Code: "HTTP_500", Status: 500, ProviderRetryAfterMs: 1.5, RequestID: "r"}
	}
	return r
}

// compact replaces what stands behind the system message, up to a place where
// every call has its result.
func (d *drawer) compact() {
	from := 0
	if len(d.surface) > 0 && d.typeAt(d.surface[0]) == events.TypeSystemMessage {
		from = 1
	}
	var ends []int
	for i := from; i < len(d.surface); i++ {
		if i+1 == len(d.surface) || d.typeAt(d.surface[i+1]) != events.TypeToolResult {
			ends = append(ends, i)
		}
	}
	if len(ends) == 0 {
		return
	}
	d.Compact(d.surface[from], d.surface[rapid.SampledFrom(ends).Draw(d.rt, "up to")], d.text())
}

// inbox puts a message into a queue, or takes it out again.
func (d *drawer) inbox() {
	e := events.InboxSpliced{Target: d.oneOf("target", events.InboxNextStep, events.InboxNextTurn), Inserted: []events.UserMessage{}}
	if d.chance("claimed") {
		e.RemovedCount = 1
	} else {
		e.Inserted = append(e.Inserted, d.userMessage(events.Source{Kind: events.SourceUser}, d.text()))
	}
	d.Add(e)
}

func (d *drawer) failedCompaction() {
	id := d.ID("compaction")
	d.Add(events.CompactionStart{CompactionID: id, SourceCommandID: "command-1", Turn: d.turnOrNull()})
	d.Add(events.CompactionEnd{CompactionID: id, SourceCommandID: "command-1", Turn: d.turnOrNull(), Error: new(d.text())})
}

// prune shortens a result that is still visible.
func (d *drawer) prune() {
	visible := slices.DeleteFunc(d.Surface(), func(seq events.Seq) bool { return d.typeAt(seq) != events.TypeToolResult })
	if len(visible) == 0 {
		return
	}
	at := rapid.SampledFrom(visible).Draw(d.rt, "prune")
	pruned := d.Add(events.CompactionPrune{
		ShadowedRange: events.SeqRange{Start: at, End: at}, ShadowedSeqs: []events.Seq{at}, ShadowedTokenCount: jsontext.Value("5"),
	})
	r := d.Events[at].Event.(events.ToolResult)
	r.Message.Content = []events.Block{events.TextBlock(fmt.Sprintf("[%d left out]", at))}
	d.Replace(r, at, at, pruned)
}

func (d *drawer) typeAt(seq events.Seq) events.Type { return d.Events[seq].Type() }
