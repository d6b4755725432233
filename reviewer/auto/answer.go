package auto

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/reviewer"
)

// What can be wrong with an answer, in the order in which it is looked for. None of
// it is a denial. The details never quote the answer, which is not kept.
var (
	ErrAnswerNotJSON        = &reviewer.Failure{Class: reviewer.ClassMalformed, Code: "ANSWER_NOT_JSON"}
	ErrAnswerNotObject      = &reviewer.Failure{Class: reviewer.ClassMalformed, Code: "ANSWER_NOT_OBJECT"}
	ErrAnswerMemberRepeated = &reviewer.Failure{Class: reviewer.ClassMalformed, Code: "ANSWER_MEMBER_REPEATED"}
	ErrAnswerShape          = &reviewer.Failure{Class: reviewer.ClassMalformed, Code: "ANSWER_SHAPE"}
)

// parseAnswer reads a model's whole answer: one JSON object in one of six shapes,
// and nothing around it but JSON's white space (reference 5.5). What it cannot read
// is a failure.
func parseAnswer(text string) (reviewer.Verdict, error) {
	value, err := oneValue(text)
	if err != nil {
		return reviewer.Verdict{}, err
	}
	if value.Kind() != jsontext.KindBeginObject {
		return reviewer.Verdict{}, ErrAnswerNotObject.With("the answer is a JSON value and no object")
	}
	members, err := membersOf(value)
	if err != nil {
		return reviewer.Verdict{}, err
	}
	return verdictOf(members)
}

// lenient lets lone surrogates pass in escapes, which a reason may hold, and leaves
// repeated members to membersOf, which names them.
func lenient() jsontext.Options {
	return json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}

// oneValue is the text's only JSON value. The text's own bytes must be UTF-8,
// whatever the escapes in it stand for.
func oneValue(text string) (jsontext.Value, error) {
	if !utf8.ValidString(text) {
		return nil, ErrAnswerNotJSON.With("the answer is not UTF-8")
	}
	dec := jsontext.NewDecoder(strings.NewReader(text), lenient())
	value, err := dec.ReadValue()
	if err != nil {
		return nil, ErrAnswerNotJSON.With("the answer is no JSON value: it breaks off or goes wrong at byte %d", dec.InputOffset())
	}
	value = value.Clone()
	if _, err := dec.ReadToken(); err != io.EOF {
		return nil, ErrAnswerNotJSON.With("something follows the answer's JSON value, at byte %d", dec.InputOffset())
	}
	return value, nil
}

// membersOf takes a valid object apart. Names are compared as they read, not as
// they are spelled: an escape in a name hides nothing.
func membersOf(object jsontext.Value) (map[string]jsontext.Value, error) {
	dec := jsontext.NewDecoder(strings.NewReader(string(object)), lenient())
	if _, err := dec.ReadToken(); err != nil {
		return nil, ErrAnswerNotJSON.Because(err)
	}
	members := make(map[string]jsontext.Value)
	for dec.PeekKind() == jsontext.KindString {
		token, err := dec.ReadToken()
		if err != nil {
			return nil, ErrAnswerNotJSON.Because(err)
		}
		name := token.String()
		value, err := dec.ReadValue()
		if err != nil {
			return nil, ErrAnswerNotJSON.Because(err)
		}
		if _, again := members[name]; again {
			return nil, ErrAnswerMemberRepeated.With("the answer has a member more than once")
		}
		members[name] = value.Clone()
	}
	return members, nil
}

// verdictOf accepts low and medium with allow, medium and high with deny, and a
// reason with a denial alone. The risk is for this check only and is not kept.
func verdictOf(members map[string]jsontext.Value) (reviewer.Verdict, error) {
	for name := range members {
		if name != "risk" && name != "decision" && name != "reason" {
			return reviewer.Verdict{}, ErrAnswerShape.With("the answer has a member beside risk, decision and reason")
		}
	}
	risk, decision := word(members["risk"]), word(members["decision"])
	reason, reasoned := members["reason"]
	switch {
	case risk != "low" && risk != "medium" && risk != "high":
		return reviewer.Verdict{}, ErrAnswerShape.With("risk is missing, or is none of low, medium and high")
	case decision != "allow" && decision != "deny":
		return reviewer.Verdict{}, ErrAnswerShape.With("decision is missing, or is neither allow nor deny")
	case risk == "low" && decision == "deny", risk == "high" && decision == "allow":
		return reviewer.Verdict{}, ErrAnswerShape.With("risk %s does not go with decision %s", risk, decision)
	case reasoned && decision == "allow":
		return reviewer.Verdict{}, ErrAnswerShape.With("a reason goes with a denial only")
	case reasoned && reason.Kind() != jsontext.KindString:
		return reviewer.Verdict{}, ErrAnswerShape.With("the reason is no string")
	case decision == "allow":
		return reviewer.Verdict{Outcome: reviewer.Allow}, nil
	}
	return reviewer.Verdict{Outcome: reviewer.Deny, Reason: reason}, nil
}

// word reads a JSON string, and what is none as the empty one, which is no word of
// the protocol.
func word(value jsontext.Value) string {
	if value.Kind() != jsontext.KindString {
		return ""
	}
	text, err := jsontext.AppendUnquote(nil, value)
	if err != nil { // a lone surrogate: no word has one
		return ""
	}
	return string(text)
}
