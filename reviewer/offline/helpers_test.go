package offline

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/effects"
	"github.com/docket-engine/docket/reviewer"
)

// known is what is known of the machine of the tests.
var known = Config{
	Home: "/home/dev", Platform: "linux",
	Engine: effects.Engine{Programs: []string{"engine"}, Paths: []string{"/var/lib/docket"}, Variables: []string{"DOCKET_*"}},
}

// scene is a prompt in the making.
type scene struct {
	cwd          string
	instructions []any
	history      []any
	pending      any
	beside       logged
}

func newScene() *scene {
	return &scene{cwd: "/workspace/demo", instructions: []any{}, history: []any{}}
}

func textBlocks(text string) []any { return []any{map[string]any{"type": "text", "text": text}} }

func (s *scene) said(role role, source, text string) *scene {
	s.history = append(s.history, map[string]any{
		"kind": kindMessage, "role": role, "source": map[string]any{"kind": source}, "content": textBlocks(text),
	})
	return s
}

func (s *scene) human(text string) *scene { return s.said(roleHuman, "user", text) }

func (s *scene) fact(text string) *scene { return s.said(roleFact, "plugin", text) }

func (s *scene) checkpoint(text string) *scene {
	return s.said(roleCheckpoint, "compact-checkpoint", text)
}

func (s *scene) parent(text string) *scene {
	s.history = append(s.history, map[string]any{
		"kind": kindAgent, "role": roleParent, "source": map[string]any{"kind": kindAgent, "senderSessionId": "p1"}, "content": textBlocks(text),
	})
	return s
}

// ancestor is what was said in a session that this one descends from.
func (s *scene) ancestor(session, from, text string) *scene {
	return s.above(map[string]any{"kind": "ancestor", "sessionId": session, "seq": 1, "from": from}, text)
}

// ancestorInherited is what a person said to the session that an ancestor is a fork of.
func (s *scene) ancestorInherited(session, text string) *scene {
	return s.above(map[string]any{"kind": "ancestor", "sessionId": session, "seq": 1, "from": "person", "inherited": true}, text)
}

func (s *scene) above(source map[string]any, text string) *scene {
	s.instructions = append(s.instructions, map[string]any{"kind": kindMessage, "role": roleConstraint, "source": source, "content": textBlocks(text)})
	return s
}

// kept is a block of a checkpoint that holds somebody's words.
func (s *scene) kept(from, text string) *scene {
	s.history = append(s.history, map[string]any{
		"kind": kindMessage, "role": roleCheckpoint, "source": map[string]any{"kind": "compact-checkpoint"},
		"content": []any{map[string]any{"type": "text", "text": text, "kept": map[string]any{"seq": 1, "from": from}}},
	})
	return s
}

// keptPiece is a block of a checkpoint that holds a piece of a person's words.
func (s *scene) keptPiece(text string) *scene {
	s.history = append(s.history, map[string]any{
		"kind": kindMessage, "role": roleCheckpoint, "source": map[string]any{"kind": "compact-checkpoint"},
		"content": []any{map[string]any{
			"type": "text", "text": text,
			"kept": map[string]any{"seq": 1, "from": "person", "rest": map[string]any{"sha256": strings.Repeat("0", 64), "bytes": 9}},
		}},
	})
	return s
}

func (s *scene) constraint(text string) *scene {
	s.instructions = append(s.instructions, map[string]any{
		"kind": kindMessage, "role": roleConstraint, "source": map[string]any{"kind": "agent-instructions"}, "content": textBlocks(text),
	})
	return s
}

func (s *scene) called(name, arguments string) *scene {
	s.history = append(s.history, map[string]any{"kind": kindCall, "role": roleFact, "mode": "native", "name": name, "arguments": arguments})
	return s
}

// asks sets the pending call, with a schema that has the arguments' members.
func (s *scene) asks(tool, arguments string) *scene {
	properties := map[string]any{}
	if shape, ok := shipped(tool); ok {
		for _, name := range append(shape.required, shape.optional...) {
			properties[name] = map[string]any{}
		}
	}
	s.pending = map[string]any{
		"mode": "native", "name": tool, "description": "a tool", "arguments": jsontext.Value(arguments),
		"parameters": map[string]any{"type": "object", "properties": properties},
	}
	return s
}

// shell sets a pending command.
func (s *scene) shell(command string) *scene { return s.asks("shell", object("command", command)) }

func object(name, value string) string {
	text, err := json.Marshal(map[string]string{name: value})
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (s *scene) prompt(tb testing.TB) string {
	tb.Helper()
	var b strings.Builder
	for i, section := range []struct {
		label string
		value any
	}{
		{"ENVIRONMENT", map[string]any{"cwd": s.cwd}},
		{"PROJECT_INSTRUCTIONS", s.instructions},
		{"FILTERED_HISTORY", s.history},
		{"PENDING_ACTION", s.pending},
	} {
		text, err := json.Marshal(section.value, jsontext.WithIndent("  "), json.Deterministic(true))
		if err != nil {
			tb.Fatal(err)
		}
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(section.label + "\n\n" + string(text))
	}
	return b.String()
}

func (s *scene) judged(tb testing.TB) verdict {
	tb.Helper()
	r, err := parseRequest(s.prompt(tb))
	if err != nil {
		tb.Fatalf("the scene is no request: %v", err)
	}
	s.beside.tell(tb, &r)
	r.facts = known.facts(r.cwd)
	return judge(r)
}

// stream collects an answer.
func stream(tb testing.TB, user string) (text string, end reviewer.Finish) {
	tb.Helper()
	for chunk, err := range New(known).Stream(tb.Context(), reviewer.Prompt{Route: Route(), System: "policy", User: user}) {
		if err != nil {
			tb.Fatalf("got %v, want no error", err)
		}
		switch c := chunk.(type) {
		case reviewer.Delta:
			text += c.Text
		case reviewer.Finish:
			end = c
		}
	}
	return text, end
}

func wantRule(t *testing.T, s *scene, want string) {
	t.Helper()
	if got := s.judged(t); got.rule != want {
		t.Errorf("got %s by %s (%s), want %s", got.decision, got.rule, got.words, want)
	}
}
