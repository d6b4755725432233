package approvals

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
)

// maxShown bounds the arguments that are shown without being opened, in
// characters after escaping; as many as keptAtEnds stay at each end.
const (
	maxShown   = 2000
	keptAtEnds = 900
)

// maxLines bounds reason and reviewer's text until the question is opened, so
// that neither pushes the call out of sight; each line has at most maxShown
// characters.
const maxLines = 40

// Display is what a person is to be shown of a question. A child's question is
// shown to the people of its root session.
type Display struct {
	Question Question
	// Path leads from the root session to the one that asks.
	Path      []events.SessionID
	Arguments jsontext.Value
	CWD       string
	// Mode is the one that the call would run in, SessionMode what the session has.
	Mode, SessionMode string
	// Reviewer and ReviewerText are who reviewed the call, and what it said; "" where
	// nobody did.
	Reviewer, ReviewerText string
}

// View is a question as a person sees it: escaped, and shortened unless opened.
type View struct {
	ID        string             `json:"id"`
	Path      []events.SessionID `json:"path"`
	Tool      string             `json:"tool"`
	Arguments string             `json:"arguments"`
	// LeftOut is how many characters are missing from the middle of the arguments.
	LeftOut     int      `json:"leftOut,omitzero"`
	Tail        string   `json:"tail,omitzero"` // what follows them
	CWD         string   `json:"cwd"`
	Mode        string   `json:"mode"`
	SessionMode string   `json:"sessionMode"`
	Reason      []string `json:"reason,omitzero"` // lines
	// Reviewer is whose words ReviewerText are.
	Reviewer     string   `json:"reviewer,omitzero"`
	ReviewerText []string `json:"reviewerText,omitzero"` // lines
	// TextCut says that lines of these two are missing or cut.
	TextCut bool `json:"textCut,omitzero"`
	// Always is exactly what an "always" would cover, "" where there is none.
	Always    string `json:"always,omitzero"`
	Widening  bool   `json:"widening,omitzero"`
	Failure   bool   `json:"failure,omitzero"`
	Protected bool   `json:"protected,omitzero"`
	// Hash is what an answer to this view carries: while something is left out it is
	// good for a rejection only.
	Hash string `json:"hash"`
}

// Render makes the view of a question. opened shows the arguments whole, which an
// allow of long ones needs.
func Render(d Display, opened bool) View {
	q := d.Question
	v := View{
		ID: Escape(q.ID), Path: d.Path, Tool: Escape(q.Tool), CWD: Escape(d.CWD), Mode: Escape(d.Mode), SessionMode: Escape(d.SessionMode),
		Always: Escape(q.Pattern), Widening: q.Widening, Failure: q.Failure, Protected: q.Protected, Hash: q.Hash,
		Arguments: Escape(shownArguments(d.Arguments)),
	}
	if reason := ownReason(q.Reason, d.ReviewerText); reason != "" {
		v.Reason = lines(reason)
	}
	if d.ReviewerText != "" {
		v.Reviewer, v.ReviewerText = Escape(d.Reviewer), lines(d.ReviewerText)
	}
	if !opened {
		v.shorten()
	}
	return v
}

// ownReason is a question's reason without the reviewer's words at its end, which
// are shown as the reviewer's.
func ownReason(reason, reviewer string) string {
	own, quoted := strings.CutSuffix(reason, reviewer)
	if reviewer == "" || !quoted {
		return reason
	}
	return strings.TrimRight(own, ": \n")
}

// shownArguments are the arguments as they are hashed, so that what an escape
// sequence of JSON hides is seen as what it is.
func shownArguments(v jsontext.Value) string {
	c, err := canonical(v)
	if err != nil {
		return string(v)
	}
	return string(c)
}

func (v *View) shorten() {
	v.Reason, v.ReviewerText = v.cut(v.Reason), v.cut(v.ReviewerText)
	runes := []rune(v.Arguments)
	if len(runes) <= maxShown {
		return
	}
	v.LeftOut = len(runes) - 2*keptAtEnds
	v.Arguments, v.Tail = string(runes[:keptAtEnds]), string(runes[len(runes)-keptAtEnds:])
	if v.Hash != "" {
		v.Hash = ShortHash(v.Hash)
	}
}

// cut bounds the lines of a text.
func (v *View) cut(text []string) []string {
	if len(text) > maxLines {
		text, v.TextCut = text[:maxLines], true
	}
	for i, line := range text {
		if runes := []rune(line); len(runes) > maxShown {
			text[i], v.TextCut = string(runes[:maxShown]), true
		}
	}
	return text
}

// Text lays the view out for a terminal. Every line of foreign text begins with
// a bar, so that it cannot pass for one of ours.
func (v View) Text() string {
	var b strings.Builder
	field := func(name, value string) { fmt.Fprintf(&b, "%-10s%s\n", name, value) }
	field("question", v.ID)
	field("session", v.path())
	field("tool", v.Tool)
	field("folder", v.CWD)
	field("mode", v.mode())
	b.WriteString("arguments\n")
	bar(&b, v.Arguments)
	if v.LeftOut > 0 {
		fmt.Fprintf(&b, "  … %d characters are left out here; open the question to allow it …\n", v.LeftOut)
		bar(&b, v.Tail)
	}
	if len(v.Reason) > 0 {
		b.WriteString("reason\n")
		bar(&b, v.Reason...)
	}
	if len(v.ReviewerText) > 0 {
		fmt.Fprintf(&b, "the reviewer says (its words, not a fact)\n  | by %s\n", v.Reviewer)
		bar(&b, v.ReviewerText...)
	}
	if v.TextCut {
		b.WriteString("  … more was said; open the question to read it …\n")
	}
	if v.Failure {
		b.WriteString("the review of this call failed: nobody has judged it\n")
	}
	if v.Protected {
		b.WriteString("the call touches a protected resource\n")
	}
	if v.Always != "" {
		b.WriteString("always would allow, in this project, exactly\n")
		bar(&b, v.Always)
	}
	return b.String()
}

func (v View) path() string {
	ids := make([]string, 0, len(v.Path))
	for _, id := range v.Path {
		ids = append(ids, Escape(string(id)))
	}
	return strings.Join(ids, " > ")
}

func (v View) mode() string {
	if v.Widening {
		return v.Mode + ", wider than the session's " + v.SessionMode
	}
	return v.Mode
}

func bar(b *strings.Builder, text ...string) {
	for _, line := range text {
		fmt.Fprintf(b, "  | %s\n", line)
	}
}
