package lineage

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage/delegation"
)

// The providers of children: one begins empty, the other with its parent's log.
const (
	ProviderSpawn = "spawn"
	ProviderFork  = "fork"
)

// MaxChildren is how many children a session may have where nothing else is said.
const MaxChildren = 256

// descriptorVersion is the one that is written.
const descriptorVersion = 3

// Delegation asks for a child.
type Delegation struct {
	// SpawnID makes the spawn repeatable: the same id is the same child.
	SpawnID   string
	ChildID   events.SessionID
	CreatedAt int64 // Unix ms

	Mode     string // one of the Child constants of events
	Provider string // spawn or fork
	Label    string // required for a continuable child
	// Route is by which the child's model is asked; the zero Route is the parent's.
	Route       Route
	Persona     jsontext.Value
	ToolFilter  *events.ToolFilter
	AgentPreset string // "" is the parent's

	Prompt   string
	PromptID string // of the message
	// CallID is the parent's call that spawns. The prompt is the parent's
	// instruction if the call was dispatched, is one of a tool that starts agents, and
	// has just this prompt (package delegation); else it is a fact.
	CallID string
	// MustProve says that the parent is under review: a prompt that no call proves
	// makes no child then ([CodeUnproven]).
	MustProve bool
	// System is the child's system prompt, if it is known already: it must stand
	// before the prompt. SystemID is its message's id.
	System   []events.Block
	SystemID string

	// Captured is what [Capture] took when the spawn was asked for.
	Captured Captured

	MaxDepth    int64 // 0 is MaxDepth
	MaxChildren int   // 0 is MaxChildren
}

// Birth is all that makes a child. First the catalogue is appended to the
// parent's log, then the child is created under its header, seeded with a fork of
// the first Prefix events of the parent, and given its first frame. Cut short
// anywhere, the same delegation goes on with the same child.
type Birth struct {
	Header events.Header
	// Prefix is how many events of the parent's log the child begins with; 0 for
	// an unseeded child.
	Prefix events.Seq
	// Catalogue is the creation fact, for the parent's log; empty where it stands
	// there already.
	Catalogue []events.Draft
	// Verified says that the prompt is the parent's instruction, and not a fact.
	Verified bool
	Route    Route // by which the child's model is asked

	setup, opening []events.Draft
}

// Frame is the child's first frame, the whole of it one append: what was
// captured, what its publication pins (see presets.Pin; nil for nothing), and
// descriptor and prompt. So no other message comes before the prompt, and no log
// has one of the two alone (design section 6). The order is the reference's
// (section 6): a continuable child's descriptor comes first of all, a one-shot
// child's when its turn has started.
func (b Birth) Frame(pins []events.Draft) []events.Draft {
	frame := append([]events.Draft{}, b.setup...)
	frame = append(frame, pins...)
	return append(frame, b.opening...)
}

// Stored reports whether the child has its first frame already.
func (b Birth) Stored(child *State) bool {
	_, has := child.Descriptor()
	return has
}

// Setup is the part of the frame that the child's publication is judged by.
func (b Birth) Setup() []events.Draft { return b.setup }

// Spawn decides a child of parent (reference 6). It is one child for each spawn
// id: asked again it gives the same, without a second catalogue entry, and
// refuses with [CodeSpawnReused] what is not the same.
func Spawn(parent Kin, d Delegation) (Birth, error) {
	if err := d.check(); err != nil {
		return Birth{}, err
	}
	if known, ok := parent.State.Spawned(d.SpawnID); ok {
		return d.again(parent, known)
	}
	if d.Route == (Route{}) {
		d.Route = parent.State.Route
	}
	descriptor, err := d.descriptor()
	if err != nil {
		return Birth{}, err
	}
	if _, taken := parent.State.Child(d.ChildID); taken {
		return Birth{}, events.Refuse(CodeSpawnReused, "childId", "%s is the child of another spawn", d.ChildID)
	}
	if limit := orDefault(d.MaxChildren, MaxChildren); parent.State.OwnChildren() >= limit {
		return Birth{}, events.Refuse(CodeChildren, "parent", "%s has %d children, which is as many as it may have", parent.Header.ID, limit)
	}
	unproven := d.prove(parent)
	if d.MustProve && unproven != nil {
		return Birth{}, unproven
	}
	b, err := d.birth(parent, descriptor, parent.State.LastTurn, unproven == nil)
	if err != nil {
		return Birth{}, err
	}
	b.Catalogue, err = d.catalogue(b, descriptor)
	return b, err
}

// prove says what keeps the prompt from being what a call of the parent hands over.
// A call that has made a child makes no other one.
func (d Delegation) prove(parent Kin) error {
	call, err := parent.proven(delegation.Spawns, d.CallID, "prompt", d.Prompt)
	if err == nil && call.Used != nil {
		return events.Refuse(CodeUnproven, "callId", "%q has made %s already", d.CallID, call.Used.ChildID)
	}
	return err
}

// again gives the child that the spawn id made already, with what was captured
// then. It needs no call: that it had one is on the log. A fact that was imported
// proves nothing, and makes no child where a proof is asked for.
func (d Delegation) again(parent Kin, known Entry) (Birth, error) {
	var recorded events.SubagentDescriptor
	if err := json.Unmarshal(known.Descriptor, &recorded); err == nil && d.Route == (Route{}) {
		d.Route = Route{recorded.AgentProvider, recorded.AgentModel, recorded.AgentReasoningEffort}
	}
	descriptor, err := d.descriptor()
	if err != nil {
		return Birth{}, err
	}
	if known.Spawn.PromptHash != digest([]byte(d.Prompt)) || !sameJSON(known.Descriptor, describe(descriptor)) {
		return Birth{}, events.Refuse(CodeSpawnReused, "spawnId", "%s made %s with another prompt or descriptor", d.SpawnID, known.ChildID)
	}
	d.ChildID, d.CreatedAt, d.Captured = known.ChildID, known.Spawn.CreatedAt, known.Spawn.Captured
	if d.Route == (Route{}) {
		d.Route = parent.State.Route // a one-shot child keeps none
	}
	imported := known.Seq < parent.Imported
	if d.MustProve && imported {
		return Birth{}, events.Refuse(CodeImported, "spawnId", "%s is of an imported log: nobody here has seen its call", d.SpawnID)
	}
	b, err := d.birth(parent, descriptor, known.Before, known.CallID != "" && !imported)
	if err != nil {
		return Birth{}, err
	}
	if HeaderHash(b.Header) != known.HeaderHash {
		return Birth{}, events.Refuse(CodeSpawnReused, "spawnId", "%s made %s with another header", d.SpawnID, known.ChildID)
	}
	return b, nil
}

func (d Delegation) check() error {
	if d.SpawnID == "" {
		return events.Refuse(CodeMissing, "spawnId", "must not be empty")
	}
	if d.PromptID == "" {
		return events.Refuse(CodeMissing, "promptId", "must not be empty")
	}
	if d.Provider != ProviderSpawn && d.Provider != ProviderFork {
		return events.Refuse(CodeDescriptor, "provider", "must be %s or %s, is %q", ProviderSpawn, ProviderFork, d.Provider)
	}
	if len(d.System) > 0 && d.SystemID == "" {
		return events.Refuse(CodeMissing, "systemId", "must not be empty")
	}
	return checkText("prompt", d.Prompt)
}

// descriptor says what kind of child it is. Only a continuable one keeps its
// composition there, since only it is opened again.
func (d Delegation) descriptor() (events.SubagentDescriptor, error) {
	desc := events.SubagentDescriptor{Version: descriptorVersion, Mode: d.Mode, Provider: d.Provider, Label: d.Label}
	if d.Mode == events.ChildContinuable {
		desc.AgentProvider, desc.AgentModel, desc.AgentReasoningEffort = d.Route.Provider, d.Route.Model, d.Route.ReasoningEffort
		desc.Persona, desc.ToolFilter = d.Persona, d.ToolFilter
	}
	_, err := events.NewEnvelope(0, 0, desc)
	return desc, refuseField(CodeDescriptor, err)
}

// birth plans the child's own part. before is the last turn that had ended in
// the parent when the child was first asked for.
func (d Delegation) birth(parent Kin, descriptor events.SubagentDescriptor, before *TurnMark, held bool) (Birth, error) {
	b := Birth{Verified: held, Route: d.Route}
	turn := 1
	if d.Provider == ProviderFork && before != nil {
		b.Prefix, turn = before.Seq+1, before.Turn+1
	}
	var err error
	b.Header, err = ChildHeader(parent.Header, Child{
		ID: d.ChildID, CreatedAt: d.CreatedAt, Seeded: b.Prefix > 0, AgentPreset: d.AgentPreset, MaxDepth: d.MaxDepth,
	})
	if err != nil {
		return Birth{}, err
	}
	told := events.Drafts(descriptor)
	overrides := Overrides(d.Captured)
	open := append(events.Drafts(events.StepStart{Turn: turn, Step: 1}), d.messages(parent.Header.ID, turn, held)...)
	start := events.Drafts(events.TurnStart{Turn: turn})
	if d.Mode == events.ChildContinuable {
		b.setup, b.opening = append(told, overrides...), append(start, open...)
	} else {
		b.setup, b.opening = overrides, append(append(start, told...), open...)
	}
	return b, nil
}

// messages are what the child's first step begins with. A prompt that no
// dispatched call proves is a message of the parent without proof, since it must
// not have the source of a person or of a prompt (reference 8, items 2 to 4).
func (d Delegation) messages(parent events.SessionID, turn int, held bool) []events.Draft {
	var out []events.Event
	if len(d.System) > 0 {
		out = append(out, events.SystemMessage{Turn: turn, Step: 1, Message: events.Message{ID: d.SystemID, Role: "system", Content: d.System}})
	}
	if held {
		out = append(out, events.UserMessage{
			ID: d.PromptID, Role: "user", Source: events.Source{Kind: events.SourceUser}, Content: []events.Block{events.TextBlock(d.Prompt)},
		})
	} else {
		out = append(out, events.AgentMessage{
			ID: d.PromptID, Role: "user", SenderSessionID: parent, Form: FormRelay, Content: letter("parent", parent, d.Prompt),
		})
	}
	return events.Drafts(out...)
}

// catalogue is the creation fact (reference 8, item 2). It names the call only if
// the call proves the prompt, and uses the call up.
func (d Delegation) catalogue(b Birth, descriptor events.SubagentDescriptor) ([]events.Draft, error) {
	own, err := json.Marshal(SpawnFact{d.SpawnID, digest([]byte(d.Prompt)), d.CreatedAt, d.Captured})
	if err != nil {
		return nil, events.Refuse(CodeText, "spawnId", "must be valid UTF-8")
	}
	fact := events.SubagentCatalog{ChildID: b.Header.ID, Descriptor: describe(descriptor), ChildHeaderHash: HeaderHash(b.Header), Unknown: own}
	if b.Verified {
		fact.CallID = d.CallID
	}
	return events.Drafts(fact), nil
}

func orDefault(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}
