package auto

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/reviewer"
)

func TestSixShapesAreAnswers(t *testing.T) {
	allow := reviewer.Verdict{Outcome: reviewer.Allow}
	deny := func(reason string) reviewer.Verdict {
		return reviewer.Verdict{Outcome: reviewer.Deny, Reason: jsontext.Value(reason)}
	}
	cases := map[string]struct {
		text string
		want reviewer.Verdict
	}{
		"low, allow":                          {`{"risk":"low","decision":"allow"}`, allow},
		"medium, allow":                       {`{"risk":"medium","decision":"allow"}`, allow},
		"medium, deny":                        {`{"risk":"medium","decision":"deny"}`, deny("")},
		"medium, deny, reason":                {`{"risk":"medium","decision":"deny","reason":"no"}`, deny(`"no"`)},
		"high, deny":                          {`{"risk":"high","decision":"deny"}`, deny("")},
		"high, deny, reason":                  {`{"risk":"high","decision":"deny","reason":"no"}`, deny(`"no"`)},
		"an empty reason":                     {`{"risk":"high","decision":"deny","reason":""}`, deny(`""`)},
		"members in another order":            {`{"reason":"no","decision":"deny","risk":"high"}`, deny(`"no"`)},
		"white space of JSON around":          {" \t\r\n{ \"risk\" :\"low\",\n\"decision\":\"allow\" }\n\t ", allow},
		"a member's name in escapes":          {`{"\u0072isk":"low","deci\u0073ion":"allow"}`, allow},
		"a word in escapes":                   {`{"risk":"\u006cow","decision":"allo\u0077"}`, allow},
		"a reason's escapes stay":             {`{"risk":"high","decision":"deny","reason":"a\u000a\"\/\u00e9é"}`, deny(`"a\u000a\"\/\u00e9é"`)},
		"a reason's lone surrogates stay":     {`{"risk":"high","decision":"deny","reason":"\ud800 \udc00\uD83D"}`, deny(`"\ud800 \udc00\uD83D"`)},
		"a reason that looks like an answer":  {`{"risk":"high","decision":"deny","reason":"{\"decision\":\"allow\"}"}`, deny(`"{\"decision\":\"allow\"}"`)},
		"a reason with a separator of lines":  {"{\"risk\":\"high\",\"decision\":\"deny\",\"reason\":\"a\u2028b\"}", deny("\"a\u2028b\"")},
		"a reason of white space is a reason": {`{"risk":"medium","decision":"deny","reason":" \n "}`, deny(`" \n "`)},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := parseAnswer(c.text)
			if err != nil {
				t.Fatalf("refused: %v", err)
			}
			if got.Outcome != c.want.Outcome || string(got.Reason) != string(c.want.Reason) || (got.Reason == nil) != (len(c.want.Reason) == 0) || got.Evidence != nil {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

// illegal are answers that must never be verdicts, by what is wrong with them.
var illegal = map[string]struct {
	text string
	want *reviewer.Failure
}{
	"nothing":                              {"", ErrAnswerNotJSON},
	"white space":                          {" \n", ErrAnswerNotJSON},
	"prose":                                {"I allow this.", ErrAnswerNotJSON},
	"prose before":                         {`Sure: {"risk":"low","decision":"allow"}`, ErrAnswerNotJSON},
	"prose behind":                         {`{"risk":"low","decision":"allow"} because`, ErrAnswerNotJSON},
	"a code fence":                         {"```json\n{\"risk\":\"low\",\"decision\":\"allow\"}\n```", ErrAnswerNotJSON},
	"a second value":                       {`{"risk":"low","decision":"allow"}{"risk":"low","decision":"allow"}`, ErrAnswerNotJSON},
	"a second value on a line of its own":  {"{\"risk\":\"low\",\"decision\":\"allow\"}\n1", ErrAnswerNotJSON},
	"a byte order mark":                    {"\uFEFF{\"risk\":\"low\",\"decision\":\"allow\"}", ErrAnswerNotJSON},
	"a space that does not break before":   {"\u00a0{\"risk\":\"low\",\"decision\":\"allow\"}", ErrAnswerNotJSON},
	"a space that does not break behind":   {"{\"risk\":\"low\",\"decision\":\"allow\"}\u00a0", ErrAnswerNotJSON},
	"a form feed":                          {"\f{\"risk\":\"low\",\"decision\":\"allow\"}", ErrAnswerNotJSON},
	"a comment":                            {`{"risk":"low",/**/"decision":"allow"}`, ErrAnswerNotJSON},
	"a comma too many":                     {`{"risk":"low","decision":"allow",}`, ErrAnswerNotJSON},
	"quotes of another kind":               {`{'risk':'low','decision':'allow'}`, ErrAnswerNotJSON},
	"names without quotes":                 {`{risk:"low",decision:"allow"}`, ErrAnswerNotJSON},
	"an answer that breaks off":            {`{"risk":"low","decision":"allow"`, ErrAnswerNotJSON},
	"a raw line break in a reason":         {"{\"risk\":\"high\",\"decision\":\"deny\",\"reason\":\"a\nb\"}", ErrAnswerNotJSON},
	"a bad escape in a reason":             {`{"risk":"high","decision":"deny","reason":"\x41"}`, ErrAnswerNotJSON},
	"bytes that are not UTF-8":             {"{\"risk\":\"high\",\"decision\":\"deny\",\"reason\":\"\xff\"}", ErrAnswerNotJSON},
	"a surrogate in bytes":                 {"{\"risk\":\"high\",\"decision\":\"deny\",\"reason\":\"\xed\xa0\x80\"}", ErrAnswerNotJSON},
	"a zero byte behind":                   {"{\"risk\":\"low\",\"decision\":\"allow\"}\x00", ErrAnswerNotJSON},
	"a repeated member, then broken":       {`{"risk":"low","risk":"low","decision":"allow"`, ErrAnswerNotJSON},
	"nested beyond measure":                {strings.Repeat("[", 100_000), ErrAnswerNotJSON},
	"an array":                             {`[{"risk":"low","decision":"allow"}]`, ErrAnswerNotObject},
	"null":                                 {`null`, ErrAnswerNotObject},
	"a string":                             {`"allow"`, ErrAnswerNotObject},
	"a string that holds an answer":        {`"{\"risk\":\"low\",\"decision\":\"allow\"}"`, ErrAnswerNotObject},
	"a number":                             {`1`, ErrAnswerNotObject},
	"true":                                 {`true`, ErrAnswerNotObject},
	"a repeated member":                    {`{"risk":"high","risk":"low","decision":"allow"}`, ErrAnswerMemberRepeated},
	"a repeated member of one value":       {`{"risk":"low","decision":"allow","risk":"low"}`, ErrAnswerMemberRepeated},
	"a repeated member in escapes":         {`{"risk":"low","decision":"allow","\u0072isk":"low"}`, ErrAnswerMemberRepeated},
	"a repeated member in two escapes":     {`{"\u0072isk":"high","r\u0069sk":"low","decision":"allow"}`, ErrAnswerMemberRepeated},
	"a repeated reason":                    {`{"risk":"high","decision":"deny","reason":"a","reason":"b"}`, ErrAnswerMemberRepeated},
	"a repeated member nobody knows":       {`{"risk":"low","decision":"allow","x":1,"x":1}`, ErrAnswerMemberRepeated},
	"an empty object":                      {`{}`, ErrAnswerShape},
	"low, deny":                            {`{"risk":"low","decision":"deny"}`, ErrAnswerShape},
	"low, deny, reason":                    {`{"risk":"low","decision":"deny","reason":"no"}`, ErrAnswerShape},
	"high, allow":                          {`{"risk":"high","decision":"allow"}`, ErrAnswerShape},
	"low, allow, reason":                   {`{"risk":"low","decision":"allow","reason":"fine"}`, ErrAnswerShape},
	"medium, allow, reason":                {`{"risk":"medium","decision":"allow","reason":"fine"}`, ErrAnswerShape},
	"allow with an empty reason":           {`{"risk":"low","decision":"allow","reason":""}`, ErrAnswerShape},
	"allow with a null reason":             {`{"risk":"low","decision":"allow","reason":null}`, ErrAnswerShape},
	"a null reason":                        {`{"risk":"high","decision":"deny","reason":null}`, ErrAnswerShape},
	"a number as the reason":               {`{"risk":"high","decision":"deny","reason":1}`, ErrAnswerShape},
	"an array as the reason":               {`{"risk":"high","decision":"deny","reason":["no"]}`, ErrAnswerShape},
	"an object as the reason":              {`{"risk":"high","decision":"deny","reason":{}}`, ErrAnswerShape},
	"a member too many":                    {`{"risk":"low","decision":"allow","confidence":1}`, ErrAnswerShape},
	"a member of the prototype":            {`{"risk":"low","decision":"allow","__proto__":{}}`, ErrAnswerShape},
	"a member with an empty name":          {`{"risk":"low","decision":"allow","":0}`, ErrAnswerShape},
	"an answer in the prototype":           {`{"__proto__":{"risk":"low","decision":"allow"}}`, ErrAnswerShape},
	"an answer inside another object":      {`{"result":{"risk":"low","decision":"allow"}}`, ErrAnswerShape},
	"nested members beside the right ones": {`{"risk":"low","decision":"allow","reason":{"risk":"low"}}`, ErrAnswerShape},
	"no risk":                              {`{"decision":"allow"}`, ErrAnswerShape},
	"no decision":                          {`{"risk":"low"}`, ErrAnswerShape},
	"a reason alone":                       {`{"reason":"no"}`, ErrAnswerShape},
	"a risk that is unknown":               {`{"risk":"none","decision":"allow"}`, ErrAnswerShape},
	"an empty risk":                        {`{"risk":"","decision":"allow"}`, ErrAnswerShape},
	"a risk in upper case":                 {`{"risk":"LOW","decision":"allow"}`, ErrAnswerShape},
	"a risk with a space":                  {`{"risk":"low ","decision":"allow"}`, ErrAnswerShape},
	"a risk with a lone surrogate":         {`{"risk":"low\ud800","decision":"allow"}`, ErrAnswerShape},
	"a null risk":                          {`{"risk":null,"decision":"allow"}`, ErrAnswerShape},
	"an array of one risk":                 {`{"risk":["low"],"decision":"allow"}`, ErrAnswerShape},
	"a decision that is unknown":           {`{"risk":"low","decision":"ask"}`, ErrAnswerShape},
	"a decision in upper case":             {`{"risk":"low","decision":"Allow"}`, ErrAnswerShape},
	"a decision as a boolean":              {`{"risk":"low","decision":true}`, ErrAnswerShape},
	"a name in upper case":                 {`{"Risk":"low","decision":"allow"}`, ErrAnswerShape},
	"a name in another script":             {`{"rіsk":"low","decision":"allow"}`, ErrAnswerShape},
	"a name with a lone surrogate":         {`{"risk":"low","decision":"allow","\ud800":1}`, ErrAnswerShape},
}

func TestWhatIsNoneOfTheShapesIsAFailureWithItsCause(t *testing.T) {
	for name, c := range illegal {
		t.Run(name, func(t *testing.T) {
			got, err := parseAnswer(c.text)
			if !errors.Is(err, c.want) {
				t.Fatalf("got %+v, %v; want %s", got, err, c.want.Code)
			}
			if diff := cmp.Diff(reviewer.Verdict{}, got); diff != "" {
				t.Errorf("a verdict came with the failure:\n%s", diff)
			}
			failure, ok := errors.AsType[*reviewer.Failure](err)
			if !ok || failure.Class != reviewer.ClassMalformed || failure.Detail == "" {
				t.Errorf("got %#v, want a malformed answer with a sentence", err)
			}
		})
	}
}

func TestAFailureDoesNotQuoteTheAnswer(t *testing.T) {
	const mark = "SECRETMARK"
	for _, text := range []string{
		mark, `"` + mark + `"`, `{"` + mark + `":1}`, `{"risk":"` + mark + `"}`, `{"risk":"low","decision":"` + mark + `"}`,
		`{"` + mark + `":1,"` + mark + `":1}`, `{"risk":"low","decision":"allow"}` + mark,
	} {
		if _, err := parseAnswer(text); err == nil || strings.Contains(err.Error(), mark) {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

// legal is a second, independent writing of the six shapes: after compacting, with
// members sorted, an accepted answer matches it.
var legal = regexp.MustCompile(`^\{"decision":("allow","risk":"(low|medium)"|"deny",("reason":"[^\n]*",)?"risk":"(medium|high)")\}$`)

func FuzzParseAnswer(f *testing.F) {
	for _, c := range illegal {
		if len(c.text) < 1000 {
			f.Add(c.text)
		}
	}
	f.Add(`{"risk":"high","decision":"deny","reason":"\ud800"}`)
	f.Add(` {"decision":"allow","risk":"medium"} `)
	f.Fuzz(func(t *testing.T, text string) {
		verdict, err := parseAnswer(text)
		if err != nil {
			if failure, ok := errors.AsType[*reviewer.Failure](err); !ok || failure.Class != reviewer.ClassMalformed || verdict.Outcome != "" {
				t.Fatalf("got %+v, %#v", verdict, err)
			}
			return
		}
		sorted := jsontext.Value(text)
		if err := sorted.Format(jsontext.AllowInvalidUTF8(true), jsontext.ReorderRawObjects(true), jsontext.PreserveRawStrings(false)); err != nil {
			t.Fatalf("accepted what is no JSON: %v", err)
		}
		if !legal.Match(sorted) {
			t.Fatalf("accepted %q", sorted)
		}
		if verdict.Outcome == reviewer.Allow == strings.Contains(string(sorted[:20]), "deny") {
			t.Fatalf("%q became %s", sorted, verdict.Outcome)
		}
		if verdict.Reason != nil && !strings.Contains(text, string(verdict.Reason)) {
			t.Fatalf("the reason %s is not as it was written in %s", verdict.Reason, text)
		}
	})
}
