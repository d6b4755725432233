// Package delegation says which tools hand words to another session, and in which
// member of their arguments. It is one closed table: a tool that is not in it hands
// over nothing, whatever it is given.
//
// # Invariants
//
//   - A tool is told by its exact name, and its text is one whole member of the
//     arguments: no part of it, nothing inside of another member, no list.
//   - A tool either starts an agent or tells one something, never both.
//
// Start reading at [Tools], then at [Read].
package delegation

import (
	"maps"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Kind is what a tool of delegation does with its text.
type Kind string

// The kinds of such tools.
const (
	Spawns Kind = "spawns" // starts an agent, whose prompt the text is
	Tells  Kind = "tells"  // tells an agent something that runs already
)

// Tool is a tool that hands words to another session.
type Tool struct {
	Kind Kind
	Text string // the member that holds the words
	// Others are the members that it may have beside it.
	Others []string
}

// options are members that start agents in no other way. What lifts checks, or starts
// an agent elsewhere, is none of them: effects looks at it.
const options = "description subagent_type agent_type model reasoning_effort run_in_background resume name task_name fork_turns fork_context team_name"

// table is Docket's own tool and those of the agents that are widely used, as they
// were recorded or as their makers describe them.
var table = map[string]Tool{
	"task":          {Spawns, "prompt", fields(options)}, // Docket, opencode
	"Task":          {Spawns, "prompt", fields(options)}, // Claude Code, before Agent
	"Agent":         {Spawns, "prompt", fields(options)}, // Claude Code
	"agent":         {Spawns, "prompt", fields(options)}, // Qwen Code
	"subagent":      {Spawns, "prompt", fields(options)}, // dsh
	"subagent_fork": {Spawns, "prompt", fields(options)}, // dsh
	"spawn_agent":   {Spawns, "message", fields(options)},
	"invoke_agent":  {Spawns, "prompt", fields("agent_name")}, // Gemini CLI

	"send_message":  {Tells, "message", fields("subagent_id target agent_id")}, // dsh, Codex
	"followup_task": {Tells, "message", fields("target agent_id subagent_id")}, // Codex
	"send_input":    {Tells, "message", fields("id target interrupt")},         // Codex, before send_message
	"SendMessage":   {Tells, "message", fields("to summary")},                  // Claude Code
}

func fields(text string) []string { return strings.Fields(text) }

// Tools gives the table, by the tools' names.
func Tools() map[string]Tool { return maps.Clone(table) }

// Read gives what a call hands over. ok is false for a call of another tool, and for
// one whose text is not there as one string: what can be read in two ways holds none.
func Read(name string, arguments []byte) (kind Kind, text string, ok bool) {
	t, known := table[name]
	if !known {
		return "", "", false
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(arguments, &members); err != nil {
		return "", "", false
	}
	for member := range members {
		if member != t.Text && strings.EqualFold(member, t.Text) {
			return "", "", false
		}
	}
	if members[t.Text].Kind() != '"' || json.Unmarshal(members[t.Text], &text) != nil {
		return "", "", false
	}
	return t.Kind, text, true
}
