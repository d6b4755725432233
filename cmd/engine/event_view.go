package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/docket-engine/docket/events"
)

// eventView is an event as scripts see it, in the current format's shape.
type eventView struct {
	Seq       events.Seq      `json:"seq"`
	Time      string          `json:"time"`
	Type      events.Type     `json:"type"`
	Data      json.RawMessage `json:"data"`
	Ignorable bool            `json:"ignorable,omitempty"`
	Surface   any             `json:"surfaceOp,omitempty"`
	Sources   []events.Seq    `json:"sourceEventSeqs,omitempty"`
}

// replaceView is a surface op that replaces a range.
type replaceView struct {
	Op       string     `json:"op"`
	StartSeq events.Seq `json:"startSeq"`
	EndSeq   events.Seq `json:"endSeq"`
}

func viewEvent(e events.Envelope) eventView {
	v := eventView{Seq: e.Seq, Time: utcMs(e.Time), Type: e.Type(), Data: json.RawMessage(e.Data), Ignorable: e.Ignorable, Sources: e.Sources}
	if e.Surface.Append() {
		v.Surface = "append"
	}
	if start, end, ok := e.Surface.Replace(); ok {
		v.Surface = replaceView{Op: "replace", StartSeq: start, EndSeq: end}
	}
	return v
}

const briefWidth = 72

// eventRow is an event in a table: seq, time, type, and what it is about.
func eventRow(e events.Envelope) []string {
	return []string{strconv.FormatInt(int64(e.Seq), 10), local(e.Time), string(e.Type()), plain(brief(e), briefWidth)}
}

// brief is what a person looks for in an event. It leaves out much.
func brief(e events.Envelope) string {
	switch ev := any(e.Event).(type) { // the few that have something to show
	case events.TurnStart:
		return fmt.Sprintf("turn %d", ev.Turn)
	case events.TurnEnd:
		return fmt.Sprintf("turn %d, %s", ev.Turn, ev.Reason.Kind)
	case events.StepStart:
		return fmt.Sprintf("turn %d step %d", ev.Turn, ev.Step)
	case events.StepEnd:
		return fmt.Sprintf("turn %d step %d", ev.Turn, ev.Step)
	case events.SystemMessage:
		return blocks(ev.Message.Content)
	case events.UserMessage:
		return ev.Source.Kind + ": " + blocks(ev.Content)
	case events.AgentMessage:
		return string(ev.SenderSessionID) + ": " + blocks(ev.Content)
	case events.AssistantMessage:
		return blocks(ev.Message.Content)
	case events.ToolCall:
		return ev.CallID + ": " + ev.Name + " " + *ev.Arguments
	case events.ToolResult:
		return ev.CallID() + ": " + blocks(ev.Message.Content)
	case events.PTCDispatchStart:
		return ev.SubCallID + ": " + ev.Name + " " + string(ev.Arguments)
	case events.PTCDispatch:
		return ev.SubCallID + ": " + blocks(ev.Content)
	case events.RequestHeader:
		return fmt.Sprintf("%s/%s, %d tools", ev.Header.Config.Provider, ev.Header.Config.Model, len(ev.Header.Tools))
	case events.SubagentDescriptor:
		return ev.Mode + " " + ev.Label
	case events.SubagentCatalog:
		return "session " + string(ev.ChildID)
	case events.CompactionSummary:
		return fmt.Sprintf("of %d events: %s", len(ev.ShadowedSeqs), blocks(ev.Summary))
	default:
		return briefOfPermissions(e.Event)
	}
}

// briefOfPermissions is brief for what reviewers and people say.
func briefOfPermissions(e events.Event) string {
	switch ev := any(e).(type) {
	case events.ReviewRequested:
		return ev.CallID + ": by " + ev.Reviewer
	case events.ReviewVerdict:
		return ev.CallID + ": " + ev.Outcome + " by " + judgeOf(ev)
	case events.ReviewRoute:
		return ev.Provider + "/" + ev.Model + " by " + ev.By
	case events.SessionAdopted:
		return "by " + ev.Owner
	case events.SessionMembers:
		return strings.Join(ev.Members, ", ")
	case events.ReviewNotice:
		return ev.Reviewer + ": " + blocks(ev.Content)
	case events.ToolDispatched:
		return ev.CallID + ": " + ev.Mode
	case events.PermissionPreset:
		return ev.Preset + headlessNote(ev.Headless)
	case events.SandboxMode:
		return ev.Mode
	case events.ApprovalPolicy:
		return ev.Policy
	case events.ApprovalAsked:
		return ev.CallID + ": " + ev.ToolName + ": " + ev.Reason
	case events.ApprovalDecided:
		return ev.Outcome
	default:
		return ""
	}
}

// judgeOf is the reviewer of a verdict, and the route that it asked, if it did.
func judgeOf(v events.ReviewVerdict) string {
	if v.Route == "" {
		return v.Reviewer
	}
	return v.Reviewer + " (" + v.Route + ")"
}

// blocks is the text of a message, or what else is in it.
func blocks(content []events.Block) string {
	parts := make([]string, 0, len(content))
	for _, b := range content {
		switch b.Type {
		case "text":
			parts = append(parts, b.Text)
		case "tool-call":
			parts = append(parts, "["+b.Name+"]")
		default:
			parts = append(parts, "["+b.Type+"]")
		}
	}
	return strings.Join(parts, " ")
}
