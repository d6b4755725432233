package bus

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/compaction"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/lineage"
	"github.com/docket-engine/docket/projections"
)

// do decides a request's command.
func (s *Service) do(ctx context.Context, q *request, c engine.Command, expect *events.Seq) (api.Done, error) {
	m := q.meta()
	m.Expect = expect
	done, err := s.cfg.Engine.Do(ctx, q.session, c, m)
	return doneOf(q, done), err
}

func doneOf(q *request, done engine.Done) api.Done {
	return api.Done{Session: q.session, Next: done.Next, Events: len(done.Events), Already: done.Already}
}

func (s *Service) turnStart(ctx context.Context, q *request, r api.TurnStart) (any, error) {
	return s.do(ctx, q, engine.StartTurn{}, r.Expect)
}

func (s *Service) turnEnd(ctx context.Context, q *request, r api.TurnEnd) (any, error) {
	reason := events.TurnEndReason{Kind: r.Reason.Kind}
	if r.Reason.By != "" || r.Reason.Text != "" {
		reason.Reason = &events.AbortReason{Kind: r.Reason.By, Text: r.Reason.Text}
	}
	if f := r.Reason.Failure; f != nil {
		reason.Failure = &events.Failure{Message: f.Message, Code: f.Code, Status: f.Status, RequestID: f.RequestID}
	}
	return s.do(ctx, q, engine.EndTurn{Reason: reason}, r.Expect)
}

func (s *Service) stepStart(ctx context.Context, q *request, r api.StepStart) (any, error) {
	return s.do(ctx, q, engine.StartStep{System: r.System, SystemID: r.SystemID}, r.Expect)
}

func (s *Service) stepEnd(ctx context.Context, q *request, r api.StepEnd) (any, error) {
	return s.do(ctx, q, engine.EndStep{}, r.Expect)
}

func (s *Service) requestSet(ctx context.Context, q *request, r api.RequestSet) (any, error) {
	header := events.RequestConfiguration{
		Config: events.RequestConfig{
			Provider: r.Provider, Model: r.Model, ReasoningEffort: r.ReasoningEffort, Temperature: r.Temperature, MaxTokens: r.MaxTokens, Stop: r.Stop,
		},
		AdapterDefaults: r.AdapterDefaults,
	}
	for _, t := range r.Tools {
		header.Tools = append(header.Tools, events.ToolDefinition{Name: t.Name, Description: t.Description, Parameters: t.Parameters})
	}
	return s.do(ctx, q, engine.SetRequest{Header: header, Reason: r.Reason, ContextWindow: r.ContextWindow}, r.Expect)
}

func (s *Service) messageAssistant(ctx context.Context, q *request, r api.AssistantMessage) (any, error) {
	return s.do(ctx, q, engine.AssistantMessage{
		MessageID: r.MessageID, Provider: r.Provider, Model: r.Model, Content: r.Content, Stream: r.Stream, Usage: r.Usage, Interrupted: r.Interrupted,
	}, r.Expect)
}

func (s *Service) messageContext(ctx context.Context, q *request, r api.ContextMessage) (any, error) {
	var source events.Source
	if err := json.Unmarshal(r.Source, &source); err != nil {
		return nil, refusal(api.CodeInvalid, "source", "must be an object with a kind")
	}
	return s.do(ctx, q, engine.ContextMessage{MessageID: r.MessageID, Source: source, Content: r.Content}, r.Expect)
}

func (s *Service) attemptFailed(ctx context.Context, q *request, r api.AttemptFailed) (any, error) {
	return s.do(ctx, q, engine.FailedAttempt{Stream: r.Stream}, r.Expect)
}

func (s *Service) restart(ctx context.Context, q *request, r api.Restart) (any, error) {
	return s.do(ctx, q, engine.Restart{}, r.Expect)
}

func (s *Service) settle(ctx context.Context, q *request, r api.Settle) (any, error) {
	settled := engine.Settlement{Session: q.session, CallID: r.CallID, Nonce: r.Nonce, Content: r.Content, IsError: r.IsError, Meta: r.Meta}
	if r.Error != nil {
		settled.Error = &events.ToolError{Name: r.Error.Name, Code: r.Error.Code}
	}
	settled.Artifacts, settled.Source = observed(r.Artifacts), events.SourceCaller
	if q.caller.Confines {
		settled.Source = events.SourceExecutor
	}
	m := q.meta()
	m.Expect = r.Expect
	done, err := s.cfg.Gate.Settle(ctx, settled, m)
	return doneOf(q, done), err
}

// observed is what an executor says of files, as the log has it.
func observed(reported []api.Artifact) (out []events.Artifact) {
	for _, a := range reported {
		seen := events.Artifact{
			Path: a.Path, Device: a.Device, Inode: a.Inode, BirthTime: a.BirthTime, Kind: a.Kind, Change: a.Change,
			SHA256: a.SHA256, Size: a.Size, ChangeTime: a.ChangeTime, ObservedAt: a.ObservedAt,
		}
		if b := a.Before; b != nil {
			seen.Before = &events.Replaced{Device: b.Device, Inode: b.Inode, BirthTime: b.BirthTime, SHA256: b.SHA256}
		}
		out = append(out, seen)
	}
	return out
}

func (s *Service) giveBack(ctx context.Context, q *request, r api.Return) (any, error) {
	m := q.meta()
	m.Expect = r.Expect
	done, err := s.cfg.Gate.Return(ctx, engine.Returned{Session: q.session, CallID: r.CallID, Proof: r.Proof, Cancelled: r.Cancelled}, m)
	return doneOf(q, done), err
}

// told is a summary that the agent's model made. The engine puts it behind its own.
type told struct{ compaction.Summary }

// Summarize gives the agent's text, whatever the range is.
func (t told) Summarize(context.Context, compaction.Input) (compaction.Summary, error) {
	return t.Summary, nil
}

func (s *Service) compact(ctx context.Context, q *request, r api.Compact) (any, error) {
	turn := 0
	if err := s.cfg.Engine.View(ctx, q.session, func(session *projections.Session) error {
		turn = session.Compaction.Turn
		return nil
	}); err != nil {
		return nil, err
	}
	m := q.meta()
	m.Expect = r.Expect
	req := engine.CompactRequest{
		Request:    compaction.Request{CompactionID: "compaction-" + string(m.ID), Turn: turn, Keep: compaction.Keep{Nodes: r.KeepEvents, Tokens: r.KeepTokens}},
		Summarizer: compaction.Extractive{}, MessageID: "checkpoint-" + string(m.ID), Meta: m,
	}
	if r.Summary != "" {
		req.Summarizer = told{compaction.Summary{Blocks: []events.Block{events.TextBlock(r.Summary)}, Provider: r.Provider, Model: r.Model}}
	}
	done, err := s.cfg.Engine.Compact(ctx, q.session, req)
	return api.Compacted{Session: q.session, Replaced: len(done.Range.Seqs), Tokens: done.Range.Tokens, Failure: done.Failure, Already: done.Already}, err
}

func (s *Service) spawn(ctx context.Context, q *request, r api.Spawn) (any, error) {
	if r.Credential && s.cfg.Issue == nil {
		return nil, refusal(api.CodeUnavailable, "credential", "this engine issues no credentials")
	}
	d := lineage.Delegation{
		SpawnID: r.SpawnID, ChildID: r.Child, CreatedAt: q.came.UnixMilli(), Mode: r.Mode, Provider: r.Provider, Label: r.Label, Persona: r.Persona,
		AgentPreset: r.AgentPreset, Prompt: r.Prompt, PromptID: r.PromptID, CallID: r.CallID, System: r.System, SystemID: r.SystemID,
		MaxChildren: s.cfg.Limits.Children,
	}
	if r.Route != nil {
		d.Route = lineage.Route{Provider: r.Route.Provider, Model: r.Route.Model, ReasoningEffort: r.Route.ReasoningEffort}
	}
	if r.Tools != nil {
		d.ToolFilter = &events.ToolFilter{Allow: r.Tools.Allow, Deny: r.Tools.Deny}
	}
	m := q.meta()
	m.Expect = r.Expect
	child, err := s.cfg.Gate.Spawn(ctx, q.session, engine.SpawnRequest{Delegation: d, Meta: m})
	if err != nil {
		return nil, err
	}
	out := api.Spawned{Child: child.Header.ID, Verified: child.Verified, Already: child.Already}
	if r.Credential {
		c, err := s.cfg.Issue(ctx, child.Header.ID)
		if err != nil {
			return nil, fmt.Errorf("issue the child's credential: %w", err)
		}
		out.Credential = &c
	}
	return out, nil
}

func (s *Service) sendMessage(ctx context.Context, q *request, r api.Send) (any, error) {
	m := q.meta()
	m.Expect = r.Expect
	done, err := s.cfg.Engine.Send(ctx, q.session, r.To, lineage.Letter{ID: r.MessageID, Text: r.Text, CallID: r.CallID}, m)
	return api.Done{Session: r.To, Next: done.Next, Events: len(done.Events), Already: done.Already}, err
}

func stringOf(v jsontext.Value) (text string, ok bool) {
	if v.Kind() != '"' {
		return "", false
	}
	return text, json.Unmarshal(v, &text) == nil
}
