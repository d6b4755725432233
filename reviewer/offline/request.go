package offline

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/effects"
	"github.com/docket-engine/docket/reviewer"
)

// request is a prompt's four sections as they were read.
type request struct {
	cwd          string
	facts        effects.Facts // of the machine, and of the session's folder
	instructions []entry       // PROJECT_INSTRUCTIONS
	history      []entry       // FILTERED_HISTORY
	pending      action
	said         []heard // of everybody whose word counts, read once

	record   *reviewer.Record // what the log says beside the prompt, nil for nothing
	identity Identity         // nil where files are not seen
	past     *past            // what the history's calls did, once it is asked for
}

type environment struct {
	CWD *string `json:"cwd"`
}

// entry is one of a history's or of the project's instructions.
type entry struct {
	Kind    string         `json:"kind"`
	Role    role           `json:"role"`
	Source  jsontext.Value `json:"source"`
	Content []block        `json:"content"`
	// Of a tool call:
	Mode      string  `json:"mode"`
	Name      string  `json:"name"`
	Arguments *string `json:"arguments"`
}

// role is what an entry's text may do.
type role string

const (
	roleHuman      role = "human-instruction"
	roleParent     role = "direct-parent-instruction"
	roleCheckpoint role = "checkpoint"
	roleFact       role = "fact"
	roleConstraint role = "constraint"
)

const (
	kindMessage = "user-message"
	kindAgent   = "agent-message"
	kindNotice  = "review-notice"
	kindCall    = "tool-call"
)

// block is one block of content. Only text is looked at.
type block struct {
	Type    string                    `json:"type"`
	Text    *string                   `json:"text"`
	Unknown map[string]jsontext.Value `json:",embed"`
}

// action is the call under review.
type action struct {
	Mode        string         `json:"mode"`
	Name        string         `json:"name"`
	Description *string        `json:"description"`
	Parameters  jsontext.Value `json:"parameters"`
	Arguments   jsontext.Value `json:"arguments"`
}

// parseRequest reads the sections in their order: a label, a blank line, one JSON
// value, with a blank line between two sections. Nothing else may be there.
func parseRequest(text string) (request, error) {
	var env environment
	var r request
	rest := text
	for i, section := range []struct {
		label string
		into  any
	}{
		{"ENVIRONMENT", &env},
		{"PROJECT_INSTRUCTIONS", &r.instructions},
		{"FILTERED_HISTORY", &r.history},
		{"PENDING_ACTION", &r.pending},
	} {
		if i > 0 {
			var blank bool
			if rest, blank = strings.CutPrefix(rest, "\n\n"); !blank {
				return request{}, fmt.Errorf("no blank line stands before %s", section.label)
			}
		}
		var err error
		if rest, err = parseSection(rest, section.label, section.into); err != nil {
			return request{}, err
		}
	}
	if rest != "" && rest != "\n" {
		return request{}, errors.New("there is text behind PENDING_ACTION")
	}
	if env.CWD == nil || !path.IsAbs(*env.CWD) {
		return request{}, errors.New("ENVIRONMENT: cwd must be an absolute path")
	}
	r.cwd = path.Clean(*env.CWD)
	return r, r.check()
}

func parseSection(text, label string, into any) (rest string, err error) {
	text, ok := strings.CutPrefix(text, label+"\n\n")
	if !ok {
		return "", fmt.Errorf("%s and a blank line are expected", label)
	}
	dec := jsontext.NewDecoder(strings.NewReader(text))
	value, err := dec.ReadValue()
	if err != nil {
		return "", fmt.Errorf("%s: %w", label, err)
	}
	if err := json.Unmarshal(value, into, json.RejectUnknownMembers(true)); err != nil {
		return "", fmt.Errorf("%s: %w", label, err)
	}
	return text[dec.InputOffset():], nil
}

func (r request) check() error {
	for i, e := range r.instructions {
		if e.Kind != kindMessage || e.Role != roleConstraint || len(e.Content) == 0 || e.Arguments != nil || e.Mode != "" || e.Name != "" {
			return fmt.Errorf("PROJECT_INSTRUCTIONS: entry %d is not a constraint", i)
		}
		if err := checkBlocks(e.Content); err != nil {
			return fmt.Errorf("PROJECT_INSTRUCTIONS: entry %d: %w", i, err)
		}
	}
	for i, e := range r.history {
		if err := e.check(); err != nil {
			return fmt.Errorf("FILTERED_HISTORY: entry %d: %w", i, err)
		}
	}
	return r.pending.check()
}

func (e entry) check() error {
	switch e.Kind {
	case kindCall:
		if e.Role != roleFact || !knownMode(e.Mode) || e.Name == "" || e.Arguments == nil || e.Source != nil || e.Content != nil {
			return errors.New("is not a tool call")
		}
		return nil
	case kindMessage, kindAgent, kindNotice:
		if e.Mode != "" || e.Name != "" || e.Arguments != nil || len(e.Content) != 1 {
			return errors.New("is not a message of one block")
		}
	default:
		return fmt.Errorf("has the kind %.40q", e.Kind)
	}
	if err := checkBlocks(e.Content); err != nil {
		return err
	}
	return e.checkRole()
}

// checkRole holds an entry's role against its source: the two are made of the
// same event, and authority needs both.
func (e entry) checkRole() error {
	var source struct {
		Kind    string                    `json:"kind"`
		Unknown map[string]jsontext.Value `json:",embed"`
	}
	if err := json.Unmarshal(e.Source, &source); err != nil {
		return fmt.Errorf("source: %w", err)
	}
	instructs := e.Role == roleHuman || e.Role == roleParent
	switch {
	case instructs && e.Content[0].Type != "text":
		return fmt.Errorf("is a block of %.40q, which cannot be a %s", e.Content[0].Type, e.Role)
	case e.Role == roleHuman && (e.Kind != kindMessage || source.Kind != "user"):
		return fmt.Errorf("is a %s from %.40q", e.Role, source.Kind)
	case e.Role == roleParent && (e.Kind == kindMessage) != (source.Kind == "user"):
		return fmt.Errorf("is a %s from %.40q", e.Role, source.Kind)
	case e.Role != roleFact && e.Kind == kindNotice, e.Role == roleCheckpoint && e.Kind != kindMessage:
		return fmt.Errorf("is a %s that is a %s", e.Kind, e.Role)
	case !instructs && e.Role != roleCheckpoint && e.Role != roleFact:
		return fmt.Errorf("has the role %.40q", e.Role)
	}
	return nil
}

func checkBlocks(blocks []block) error {
	for _, b := range blocks {
		if b.Type == "" || b.Type == "text" && b.Text == nil {
			return errors.New("has a block without a type, or a text without text")
		}
	}
	return nil
}

func (a action) check() error {
	if !knownMode(a.Mode) || a.Name == "" || a.Description == nil || a.Parameters.Kind() != '{' || a.Arguments == nil {
		return errors.New("PENDING_ACTION: mode, name, description, parameters and arguments must be there")
	}
	return nil
}

func knownMode(mode string) bool { return mode == "native" || mode == "ptc-inner" }

// ofAncestor reads whose words an entry of PROJECT_INSTRUCTIONS is that comes from an
// ancestor of the session: a person's, or the project's.
func (e entry) ofAncestor() (said ancestorSource, is bool) {
	if json.Unmarshal(e.Source, &said) != nil || said.Kind != "ancestor" || said.SessionID == "" {
		return ancestorSource{}, false
	}
	return said, true
}

// ancestorSource is where an ancestor's words were said, and by whom.
type ancestorSource struct {
	Kind      string `json:"kind"`
	SessionID string `json:"sessionId"`
	Seq       int64  `json:"seq"`
	Time      int64  `json:"time"` // Unix ms
	From      string `json:"from"`
	// Inherited says that it was said to the session that the ancestor is a fork of.
	Inherited bool `json:"inherited"`
}

// keptRole is the role of a checkpoint's block: what it keeps of somebody's words, word
// for word, is theirs, as far as it is against something or lifts it.
func (e entry) keptRole() role {
	var kept struct {
		From string         `json:"from"`
		Rest jsontext.Value `json:"rest"`
	}
	mark, has := e.Content[0].Unknown["kept"]
	switch {
	case !has || json.Unmarshal(mark, &kept) != nil || kept.Rest != nil: // a piece lifts nothing
	case kept.From == "person":
		return roleKept
	case kept.From == "parent":
		return roleKeptParent
	}
	return roleCheckpoint
}

// text is an entry's text, empty where it is something else.
func (e entry) text() string {
	var b strings.Builder
	for _, c := range e.Content {
		if c.Type == "text" {
			b.WriteString(*c.Text)
			b.WriteByte('\n')
		}
	}
	return b.String()
}
