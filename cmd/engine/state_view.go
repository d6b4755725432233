package main

import (
	"fmt"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
)

// stateView is what a session is folded to, as far as a person asks.
type stateView struct {
	Preset    string             `json:"preset"`
	Recorded  string             `json:"recorded,omitempty"` // by the log, if it is another one
	Refused   string             `json:"refused,omitempty"`  // why no call is admitted, if its preset is not installed
	Headless  bool               `json:"headless,omitempty"` // no person is in front of it
	Sandbox   string             `json:"sandbox"`
	Approval  string             `json:"approval"`
	Tier      string             `json:"tier,omitempty"`
	Model     string             `json:"model,omitempty"` // provider/model
	OpenTurn  int                `json:"openTurn,omitempty"`
	OpenStep  int                `json:"openStep,omitempty"`
	Running   []string           `json:"running"`   // calls of the open step without a result
	Questions []string           `json:"questions"` // open ones
	Waiting   int                `json:"waiting"`   // messages in the inbox
	Visible   int                `json:"visible"`   // events on the surface
	Tokens    int64              `json:"tokens"`    // of them, by estimate
	Compact   string             `json:"compaction,omitempty"`
	Counts    projections.Counts `json:"counts"`
}

func viewState(c presets.Catalogue, s *projections.Session) stateView {
	effective := c.Effective(s.Presets)
	v := stateView{
		Preset: c.Current(s.Presets), Sandbox: effective.Sandbox, Approval: effective.Approval, Tier: s.Approvals.Tier,
		Running: []string{}, Questions: []string{}, Waiting: len(s.Inbox.NextStep) + len(s.Inbox.NextTurn),
		Visible: len(s.Surface().Nodes()), Tokens: s.Compaction.Tokens(), Counts: s.Counts,
	}
	if v.Headless = s.Presets.Headless; s.Presets.Preset != v.Preset {
		v.Recorded = s.Presets.Preset
	}
	v.Refused = refusedPreset(c, s.Presets)
	if h := s.Request.Header; h != nil {
		v.Model = h.Config.Provider + "/" + h.Config.Model
	}
	if turn, open := s.OpenTurn(); open {
		v.OpenTurn = turn
	}
	if _, step, open := s.OpenStep(); open {
		v.OpenStep = step
	}
	for _, q := range s.Approvals.Questions() {
		v.Questions = append(v.Questions, q.ID)
	}
	v.Running = append(v.Running, openCalls(s.Calls.Open)...)
	if held := s.Compaction.Held(); held != nil {
		v.Compact = held.CompactionID
	}
	return v
}

// openCalls are the calls of a step that have no result.
func openCalls(step *projections.StepCalls) []string {
	if step == nil {
		return nil
	}
	var ids []string
	for _, c := range step.Native {
		if c.Settled == nil {
			ids = append(ids, c.ID)
		}
	}
	for _, c := range step.Inner {
		if c.Settled == nil {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// rows are what a person reads of the state.
func (v stateView) rows() [][]string {
	rows := [][]string{
		{"preset", fmt.Sprintf("%s (sandbox %s, approval %s%s)", plain(v.Preset, 80), v.Sandbox, v.Approval, headlessNote(v.Headless))},
	}
	if v.Recorded != "" {
		rows = append(rows, []string{"recorded", plain(v.Recorded, 80)})
	}
	if v.Refused != "" {
		rows = append(rows, []string{"refused", plain(v.Refused, 400)})
	}
	rows = append(rows, [][]string{
		{"model", orDash(plain(v.Model, 120))},
		{"so far", fmt.Sprintf("%d turns, %d steps, %d calls, %d failed", v.Counts.Turns, v.Counts.Steps, v.Counts.Calls+v.Counts.Inner, v.Counts.Failed)},
		{"visible", fmt.Sprintf("%d events, about %d tokens", v.Visible, v.Tokens)},
	}...)
	if v.OpenTurn > 0 {
		open := fmt.Sprintf("turn %d", v.OpenTurn)
		if v.OpenStep > 0 {
			open += fmt.Sprintf(", step %d", v.OpenStep)
		}
		rows = append(rows, []string{"open", open})
	}
	for _, id := range v.Running {
		rows = append(rows, []string{"running", "call " + plain(id, 80)})
	}
	for _, id := range v.Questions {
		rows = append(rows, []string{"question", plain(id, 80)})
	}
	if v.Waiting > 0 {
		rows = append(rows, []string{"inbox", fmt.Sprintf("%d messages wait", v.Waiting)})
	}
	for _, o := range []string{events.VerdictAllow, events.VerdictDeny, events.VerdictFailure, events.VerdictCancelled} {
		if n := v.Counts.Verdicts[o]; n > 0 {
			rows = append(rows, []string{"verdicts", fmt.Sprintf("%d %s", n, o)})
		}
	}
	return rows
}
