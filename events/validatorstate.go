package events

import (
	"encoding/hex"
	"maps"
	"slices"
)

// ValidatorState is a [Validator] as plain data, for snapshots of what is folded
// on top of it. It is read back by [RestoreValidator] of the same version alone.
type ValidatorState struct {
	Next      Seq            `json:"next"`
	Turn      int            `json:"turn"`
	Step      int            `json:"step"`
	TurnOpen  bool           `json:"turnOpen"`
	StepOpen  bool           `json:"stepOpen"`
	Calls     map[string]Seq `json:"calls"`
	Asked     []string       `json:"asked"`
	Tools     []ToolsState   `json:"tools"`
	Inherited Seq            `json:"inherited"`
	Surface   SurfaceState   `json:"surface"`
}

// ToolsState is the tools that a run of request headers defines.
type ToolsState struct {
	Seqs  []Seq    `json:"seqs"`
	Names []string `json:"names"`
}

// SurfaceState is a [Surface] as plain data.
type SurfaceState struct {
	Nodes      []Seq          `json:"nodes"`
	Results    map[Seq]string `json:"results"` // digests, hex
	System     bool           `json:"system"`
	Generation int            `json:"generation"`
}

// State is the validator as plain data.
func (v *Validator) State() ValidatorState {
	s := ValidatorState{
		Next: v.next, Turn: v.turn, Step: v.step, TurnOpen: v.turnOpen, StepOpen: v.stepOpen,
		Calls: maps.Clone(v.calls), Inherited: v.inherited,
		Surface: SurfaceState{Nodes: slices.Clone(v.surface.nodes), System: v.surface.system, Generation: v.surface.generation, Results: map[Seq]string{}},
	}
	for id := range v.asked {
		s.Asked = append(s.Asked, id)
	}
	slices.Sort(s.Asked)
	for seq, d := range v.surface.results {
		s.Surface.Results[seq] = hex.EncodeToString(d[:])
	}
	s.Tools = v.toolsState()
	return s
}

// toolsState puts the headers that define the same tools together.
func (v *Validator) toolsState() []ToolsState {
	seqs := make([]Seq, 0, len(v.tools))
	for seq := range v.tools {
		seqs = append(seqs, seq)
	}
	slices.Sort(seqs)
	var runs []ToolsState
	for _, seq := range seqs {
		if n := len(runs); n > 0 && slices.Equal(runs[n-1].Names, v.tools[seq]) {
			runs[n-1].Seqs = append(runs[n-1].Seqs, seq)
			continue
		}
		runs = append(runs, ToolsState{Seqs: []Seq{seq}, Names: v.tools[seq]})
	}
	return runs
}

// RestoreValidator is the inverse of State.
func RestoreValidator(h Header, s ValidatorState) (*Validator, error) {
	v := NewValidator(h)
	v.next, v.turn, v.step, v.turnOpen, v.stepOpen, v.inherited = s.Next, s.Turn, s.Step, s.TurnOpen, s.StepOpen, s.Inherited
	if s.Calls != nil {
		v.calls = s.Calls
	}
	for _, id := range s.Asked {
		v.asked[id] = true
	}
	for _, run := range s.Tools {
		for _, seq := range run.Seqs {
			v.tools[seq] = run.Names
		}
		v.lastTools = run.Names
	}
	v.surface = Surface{nodes: s.Surface.Nodes, system: s.Surface.System, generation: s.Surface.Generation, results: map[Seq]resultDigest{}}
	for seq, text := range s.Surface.Results {
		d, err := hex.DecodeString(text)
		if err != nil || len(d) != len(resultDigest{}) {
			return nil, fieldf("surface.results", "must be digests in hex")
		}
		v.surface.results[seq] = resultDigest(d)
	}
	return v, nil
}
