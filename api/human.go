package api

import (
	"github.com/docket-engine/docket/events"
)

// MessageSend is what a person says. It enters what the model sees with the next
// step.
type MessageSend struct {
	Command
	MessageID string         `json:"messageId" jsonschema:"id of the message, fresh"`
	Content   []events.Block `json:"content" jsonschema:"what the person says, in blocks"`
	Queue     bool           `json:"queue,omitzero" jsonschema:"wait for a turn of its own; else it steers an open turn"`
	TimeZone  string         `json:"timeZone,omitzero" jsonschema:"the person's, by its IANA name"`
}

func (r MessageSend) check() *Error {
	return firstOf(r.Command.check(), nonEmpty("messageId", r.MessageID))
}

// PresetSet switches a session to a preset.
type PresetSet struct {
	Command
	Preset   string `json:"preset" jsonschema:"one of the catalogue's options"`
	Headless bool   `json:"headless,omitzero" jsonschema:"no person is in front of the session"`
}

// PresetCatalog asks what sessions can be on.
type PresetCatalog struct{}

// Catalog is what sessions can be on now: complete.
type Catalog struct {
	Options []Preset `json:"options" jsonschema:"what a session can be switched to"`
	Default string   `json:"default" jsonschema:"what new sessions begin on"`
}

// Preset is a named bundle of sandbox mode, approval policy and reviewer.
type Preset struct {
	Name         string `json:"name" jsonschema:"as preset.set takes it"`
	DisplayName  string `json:"displayName,omitzero" jsonschema:"for people"`
	Description  string `json:"description,omitzero" jsonschema:"for people"`
	Sandbox      string `json:"sandbox" jsonschema:"the mode that it sets"`
	Approval     string `json:"approval" jsonschema:"ask or never"`
	Reviewer     string `json:"reviewer,omitzero" jsonschema:"who is asked"`
	Integration  string `json:"integration,omitzero" jsonschema:"the review system that it comes with"`
	Experimental bool   `json:"experimental,omitzero" jsonschema:"it may change"`
}

// PolicySet says whether people are asked in the session.
type PolicySet struct {
	Command
	Policy string `json:"policy" jsonschema:"ask or never"`
}

// TierSet says how readily a judge asks a person.
type TierSet struct {
	Command
	Tier string `json:"tier" jsonschema:"aggressive, standard or passive"`
}

// ApprovalsList lists open questions: of one session, or of all that are the
// caller's.
type ApprovalsList struct {
	Query
	// Open shows long arguments whole, which allowing them needs.
	Open bool `json:"open,omitzero" jsonschema:"show long arguments whole, which allowing them needs"`
}

// Approvals are the open questions.
type Approvals struct {
	Questions []Question `json:"questions" jsonschema:"in the order in which they were asked, session by session"`
	// Cut says that there are more than fit into a reply.
	Cut bool `json:"cut,omitzero" jsonschema:"there are more: ask session by session"`
}

// Question is one that waits, as a person is to see it: escaped, and shortened
// unless opened.
type Question struct {
	Session      events.SessionID   `json:"session" jsonschema:"that asks"`
	ID           string             `json:"id" jsonschema:"of the question"`
	Path         []events.SessionID `json:"path" jsonschema:"from the root session to the one that asks"`
	Tool         string             `json:"tool" jsonschema:"of the call"`
	Arguments    string             `json:"arguments" jsonschema:"of the call, escaped"`
	LeftOut      int                `json:"leftOut,omitzero" jsonschema:"how many characters are missing from the arguments' middle"`
	Tail         string             `json:"tail,omitzero" jsonschema:"what follows them"`
	CWD          string             `json:"cwd" jsonschema:"the session's folder"`
	Mode         string             `json:"mode" jsonschema:"that the call would run in"`
	SessionMode  string             `json:"sessionMode" jsonschema:"that the session has"`
	Reason       []string           `json:"reason,omitzero" jsonschema:"lines"`
	Reviewer     string             `json:"reviewer,omitzero" jsonschema:"whose words reviewerText are"`
	ReviewerText []string           `json:"reviewerText,omitzero" jsonschema:"lines"`
	TextCut      bool               `json:"textCut,omitzero" jsonschema:"lines of these two are missing or cut"`
	Always       string             `json:"always,omitzero" jsonschema:"exactly what an always would cover"`
	Widening     bool               `json:"widening,omitzero" jsonschema:"in a mode wider than the session's"`
	Failure      bool               `json:"failure,omitzero" jsonschema:"the review failed"`
	Protected    bool               `json:"protected,omitzero" jsonschema:"touches a sensitive resource"`
	Hash         string             `json:"hash" jsonschema:"what an answer to this view carries; while something is left out it is good for a rejection only"`
}

// ApprovalsAnswer answers questions of one session, all or none.
type ApprovalsAnswer struct {
	Command
	Answers []Reply `json:"answers" jsonschema:"at least one"`
}

// Reply is a person's answer to one question.
type Reply struct {
	ID       string `json:"id" jsonschema:"of the question"`
	Reply    string `json:"reply" jsonschema:"once, always or reject"`
	Hash     string `json:"hash" jsonschema:"of what was shown"`
	Feedback string `json:"feedback,omitzero" jsonschema:"what the agent is to know"`
}

func (r ApprovalsAnswer) check() *Error {
	if err := r.Command.check(); err != nil {
		return err
	}
	if len(r.Answers) == 0 {
		return invalid("answers", "must not be empty")
	}
	return nil
}

// Answered is the reply to ApprovalsAnswer.
type Answered struct {
	Session events.SessionID `json:"session" jsonschema:"the session"`
	Results []Outcome        `json:"results" jsonschema:"for each answer"`
	// Granted is what is allowed for good in the session's project from now on.
	Granted []string `json:"granted,omitzero" jsonschema:"what is allowed for good in the session's project from now on"`
	Already bool     `json:"already,omitzero" jsonschema:"the command of this id was done before; results are not told again"`
}

// Outcome is what became of a question.
type Outcome struct {
	ID      string `json:"id" jsonschema:"of the question"`
	Outcome string `json:"outcome" jsonschema:"allowed-once, rejected, cancelled or unavailable"`
}

// RouteAllow lets a route serve the session's reviews beside the one that it began
// with.
type RouteAllow struct {
	Command
	Provider string `json:"provider" jsonschema:"of the route"`
	Model    string `json:"model" jsonschema:"of the route"`
}
