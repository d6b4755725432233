package events_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

const (
	presetData = `{"preset":"auto"}`
	userData   = `{"id":"m","role":"user","source":{"kind":"user"},"content":[]}`
)

func TestEnvelopeRules(t *testing.T) {
	preset := func(more ...string) string { return line("permission/preset", presetData, more...) }
	user := func(more ...string) string { return line("user/message", userData, more...) }
	cases := map[string]struct {
		line  string
		field string
	}{
		"the required members":             {preset(), ""},
		"all members":                      {user(`,"ignorable":true`, `,"surfaceOp":{"op":"replace","startSeq":1,"endSeq":2}`, `,"sourceEventSeqs":[1,2]`), ""},
		"in any order":                     {`{"data":{"preset":"auto"},"time":7,"seq":5,"type":"permission/preset"}`, ""},
		"and no others":                    {preset(`,"sig":"x"`), "sig"},
		"names are compared byte for byte": {`{"type":"permission/preset","seq":5,"time":7,"Data":{}}`, "Data"},
		"type must not be missing":         {`{"seq":5,"time":7,"data":{}}`, "type"},
		"type must not be empty":           {line("", `{}`), "type"},
		"type must be a string":            {`{"type":7,"seq":5,"time":7,"data":{}}`, "type"},
		"seq must not be missing":          {`{"type":"permission/preset","time":7,"data":{"preset":"a"}}`, "seq"},
		"seq must not be negative":         {`{"type":"permission/preset","seq":-1,"time":7,"data":{"preset":"a"}}`, "seq"},
		"seq may be 2^53-1":                {`{"type":"permission/preset","seq":9007199254740991,"time":7,"data":{"preset":"a"}}`, ""},
		"seq must not be 2^53":             {`{"type":"permission/preset","seq":9007199254740992,"time":7,"data":{"preset":"a"}}`, "seq"},
		"seq must not have a fraction":     {`{"type":"permission/preset","seq":1.5,"time":7,"data":{"preset":"a"}}`, "seq"},
		"seq must not be null":             {`{"type":"permission/preset","seq":null,"time":7,"data":{"preset":"a"}}`, "seq"},
		"seq must not be a string":         {`{"type":"permission/preset","seq":"5","time":7,"data":{"preset":"a"}}`, "seq"},
		"time must not be missing":         {`{"type":"permission/preset","seq":5,"data":{"preset":"a"}}`, "time"},
		"time must not be negative":        {`{"type":"permission/preset","seq":5,"time":-7,"data":{"preset":"a"}}`, "time"},
		"time must not be beyond a double": {`{"type":"permission/preset","seq":5,"time":9007199254740992,"data":{"preset":"a"}}`, "time"},
		"time must not be a date":          {`{"type":"permission/preset","seq":5,"time":"2026-01-01","data":{"preset":"a"}}`, "time"},
		"data must not be missing":         {`{"type":"permission/preset","seq":5,"time":7}`, "data"},
		"data must not be null":            {line("permission/preset", `null`), "data"},
		"data must be an object":           {line("permission/preset", `["auto"]`), "data"},
		"ignorable must be true":           {preset(`,"ignorable":false`), "ignorable"},
		"ignorable must not be null":       {preset(`,"ignorable":null`), "ignorable"},
		"ignorable must be a boolean":      {preset(`,"ignorable":1`), "ignorable"},
		"an append":                        {user(`,"surfaceOp":"append"`), ""},
		"surfaceOp must be append":         {user(`,"surfaceOp":"prepend"`), "surfaceOp"},
		"surfaceOp must not be null":       {user(`,"surfaceOp":null`), "surfaceOp"},
		"surfaceOp must not be a number":   {user(`,"surfaceOp":0`), "surfaceOp"},
		"an op must be replace":            {user(`,"surfaceOp":{"op":"append","startSeq":1,"endSeq":2}`), "surfaceOp"},
		"an op must have a start":          {user(`,"surfaceOp":{"op":"replace","endSeq":2}`), "surfaceOp"},
		"an op must have an end":           {user(`,"surfaceOp":{"op":"replace","startSeq":2}`), "surfaceOp"},
		"an op must not have more":         {user(`,"surfaceOp":{"op":"replace","startSeq":1,"endSeq":2,"x":1}`), "surfaceOp.x"},
		"an op has the names of format 4":  {user(`,"surfaceOp":{"op":"replace","start":1,"end":2}`), "surfaceOp.start"},
		"an op's start is a seq":           {user(`,"surfaceOp":{"op":"replace","startSeq":-1,"endSeq":2}`), "surfaceOp.startSeq"},
		"an op's end is a seq":             {user(`,"surfaceOp":{"op":"replace","startSeq":1,"endSeq":"2"}`), "surfaceOp.endSeq"},
		"an op's end is not null":          {user(`,"surfaceOp":{"op":"replace","startSeq":1,"endSeq":null}`), "surfaceOp.endSeq"},
		"an op's start may stand behind":   {user(`,"surfaceOp":{"op":"replace","startSeq":4,"endSeq":2}`), ""}, // numerically; see the surface
		"sources":                          {user(`,"sourceEventSeqs":[0,4]`), ""},
		"sources must not be empty":        {user(`,"sourceEventSeqs":[]`), "sourceEventSeqs"},
		"sources must be an array":         {user(`,"sourceEventSeqs":4`), "sourceEventSeqs"},
		"sources must not be null":         {user(`,"sourceEventSeqs":null`), "sourceEventSeqs"},
		"a source must be a number":        {user(`,"sourceEventSeqs":[4,"3"]`), "sourceEventSeqs.1"},
		"a source must not be null":        {user(`,"sourceEventSeqs":[4,null]`), "sourceEventSeqs.1"},
		"a source must be whole":           {user(`,"sourceEventSeqs":[1.5]`), "sourceEventSeqs.0"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := decode(events.Format4, c.line)
			wantField(t, err, c.field)
		})
	}
}

// TestJSONRules puts what is wrong deep into a message of a kind that no rule
// here knows anything of.
func TestJSONRules(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	const in = "data.x.y"
	cases := map[string]struct {
		value string
		field string
	}{
		"any value":                      {`{"a":[1,-1.5e3,true,false,null,"\u00e9é\ud83d\ude00"]}`, ""},
		"duplicate members":              {`{"a":1,"a":1}`, in + ".a"},
		"escaped duplicate members":      {`{"a":1,"\u0061":1}`, in + ".a"},
		"duplicate members in an array":  {`[{"a":{"b":1,"b":2}}]`, in + ".0.a.b"},
		"members that differ in case":    {`{"a":1,"A":1}`, ""},
		"a lone high surrogate":          {`"\ud83d"`, in},
		"a lone low surrogate":           {`"\ude00"`, in},
		"surrogates in the wrong order":  {`"\ude00\ud83d"`, in},
		"a member named by a surrogate":  {`{"\ud83d":1}`, in},
		"bytes that are not UTF-8":       {"\"\xff\"", in},
		"an overlong encoding":           {"\"\xc0\xaf\"", in},
		"an encoded surrogate":           {"\"\xed\xa0\x80\"", in},
		"negative zero":                  {`-0`, in},
		"negative zero behind space":     {"[1, -0]", in + ".1"},
		"an overflow behind tabs":        {"[1,\t\t1e999]", in + ".1"},
		"negative zero with a fraction":  {`[1,-0.0]`, in + ".1"},
		"negative zero with an exponent": {`{"a":-0e7}`, in + ".a"},
		"negative zero by underflow":     {`-1e-400`, in},
		"zero by underflow":              {`1e-400`, ""},
		"a number near zero":             {`-0.5`, ""},
		"the largest double":             {`1.7976931348623157e308`, ""},
		"a number beyond it":             {`1e309`, in},
		"a negative one":                 {`[-1E400]`, in + ".0"},
		"many digits":                    {strings.Repeat("9", 308), ""},
		"too many digits":                {strings.Repeat("9", 310), in},
		"text that looks like one":       {`"-0 1e999 [[[ :-0"`, ""},
		"a leading zero":                 {`01`, in},
		"a leading plus":                 {`+1`, in},
		"not a number":                   {`NaN`, in},
		"infinity":                       {`-Infinity`, in},
		"undefined":                      {`undefined`, in},
		"a comment":                      {`1/*x*/`, in},
		"a trailing comma":               {`[1,]`, in},
		"a control character":            {"\"\x01\"", in},
		"an escape that is none":         {`"\x"`, in},
		"nesting up to the limit":        {deep(509), ""}, // three levels are around it
		"nesting beyond it":              {deep(510), in + strings.Repeat(".0", 509)},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for typ, data := range map[string]string{
				"permission/preset": `{"preset":"auto","x":{"y":%s}}`, // a type with members of its own
				"todo/write":        `{"x":{"y":%s}}`,                 // one that is known by name
			} {
				_, err := decode(events.Format4, line(typ, fmt.Sprintf(data, c.value)))
				wantField(t, err, clipped(err, c.field))
			}
			value := fmt.Sprintf(`{"data":{"x":{"y":%s}}}`, c.value)
			wantField(t, events.CheckJSON([]byte(value)), clipped(events.CheckJSON([]byte(value)), c.field))
		})
	}
}

// clipped allows a syntax error to be reported at a value or at the one around
// it: where it begins to be wrong is the parser's to say.
func clipped(err error, want string) string {
	f, ok := errors.AsType[*events.FieldError](err)
	if ok && want != "" && strings.Contains(f.Rule, "strict JSON") && (strings.HasPrefix(want, f.Field) || strings.HasPrefix(f.Field, want)) {
		return f.Field
	}
	return want
}

func TestNumbersByThemselves(t *testing.T) {
	for text, good := range map[string]bool{
		"0": true, "-1": true, "1e2": true, "-1.5": true, " 7\n": true,
		"-0": false, " -0.0": false, "\r\n-0": false, "1e999": false, "\t-1e999 ": false,
	} {
		field := "value"
		if good {
			field = ""
		}
		wantField(t, events.CheckJSON([]byte(text)), field)
	}
}

func TestALineHoldsOneValue(t *testing.T) {
	good := line("permission/preset", presetData)
	cases := map[string]struct{ line, field string }{
		"space around it":        {" \t" + good + " \r", ""},
		"nothing":                {"", "value"},
		"space alone":            {"  ", "value"},
		"two values":             {good + good, "value"},
		"a comma behind it":      {good + ",", "value"},
		"half a value":           {good[:len(good)-1], "value"},
		"an array":               {"[" + good + "]", "seq"},
		"a newline":              {strings.Replace(good, ",", ",\n", 1), "line"},
		"a byte order mark":      {"\ufeff" + good, "value"},
		"a NUL behind it":        {good + "\x00", "value"},
		"UTF-16":                 {"\xff\xfe{\x00}\x00", "value"},
		"a separator of records": {"\x1e" + good, "value"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := decode(events.Format4, c.line)
			wantField(t, err, c.field)
		})
	}
}

func TestAnUnknownTypeIsRefusedByItsSeqAndType(t *testing.T) {
	_, err := decode(events.Format4, line("someone/else", `{"turn":1}`))
	unknown, ok := errors.AsType[*events.UnknownTypeError](err)
	if !ok {
		t.Fatalf("got %v, want an unknown type", err)
	}
	if diff := cmp.Diff(events.UnknownTypeError{Seq: 5, Type: "someone/else"}, *unknown); diff != "" {
		t.Errorf("got another error than want (-want +got):\n%s", diff)
	}
	if got, want := err.Error(), `seq 5 has the unknown type "someone/else", which is not marked ignorable`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAnUnknownIgnorableEventIsKept(t *testing.T) {
	text := line("someone/else", `{"turn":"not a number","x":[1.0,null]}`, `,"ignorable":true`, `,"surfaceOp":"append"`, `,"sourceEventSeqs":[3]`)
	e := mustDecode(t, events.Format4, text)
	if got, want := e.Event, (events.Opaque{Name: "someone/else"}); got != want {
		t.Errorf("got event %#v, want %#v", got, want)
	}
	if again, err := events.NewRecord(e); err != nil || string(again.Line) != text {
		t.Errorf("got %s, %v, want %s", again.Line, err, text)
	}
}

func TestAnIgnorableEventOfAKnownTypeIsStillChecked(t *testing.T) {
	_, err := decode(events.Format4, line("turn/start", `{"turn":0}`, `,"ignorable":true`))
	wantField(t, err, "data.turn")
}

// Chunks are format 0's; the current format has no such event.
func TestAChunkIsUnknownInFormat4(t *testing.T) {
	text := line("assistant/chunk", `{"turn":1,"step":1,"chunk":{}}`)
	if _, err := decode(events.Format0, text); err != nil {
		t.Error(err)
	}
	if _, err := decode(events.Format4, text); !isUnknown(err) {
		t.Errorf("got %v, want an unknown type", err)
	}
	packed := `{"type":"text-chunks","seq0":5,"time0":7,"data":{"turn":1,"step":1,"index":0,"dt":[],"texts":["a"]}}`
	_, err := decode(events.Format4, packed)
	wantField(t, err, "seq")
}

// A first look finds the name and the seq wherever and however they are written.
func TestAFirstLookFindsTypeAndSeq(t *testing.T) {
	for text, want := range map[string]events.Record{
		`{"type":"turn/start","seq":12,"time":1,"data":{}}`:                   {Seq: 12, Count: 1},
		`{"type":"turn\/start","seq":12,"time":1,"data":{}}`:                  {Seq: 12, Count: 1},
		`{"type":"turn/start","seq": 12,"time":1,"data":{}}`:                  {Seq: 12, Count: 1},
		`{"data":{"seq":3,"type":"x"},"seq":12,"time":1,"type":"turn/start"}`: {Seq: 12, Count: 1},
		`{"\u0073eq":12,"\u0074ype":"turn/start"}`:                            {Seq: 12, Count: 1},
		`{"type":"turn/start","seq":9007199254740991,"time":1,"data":{}}`:     {Seq: 9007199254740991, Count: 1},
	} {
		got := eventstest.Line(t, events.Format4, text)
		if got.Seq != want.Seq || got.Count != want.Count || got.Type() != "turn/start" {
			t.Errorf("got %s, %d events from %d for %s", got.Type(), got.Count, got.Seq, text)
		}
	}
	for _, seq := range []string{`1.5`, `1e3`, `-1`, `-0`, `"1"`, `null`, `[1]`, `9007199254740992`, `99999999999999999999`, `true`} {
		for _, text := range []string{`{"type":"turn/start","seq":` + seq + `,"time":1}`, `{"seq":` + seq + `}`} {
			_, err := events.ParseRecord(events.Format4, []byte(text))
			wantField(t, err, "seq")
		}
		_, err := events.ParseRecord(events.Format0, []byte(`{"type":"text-chunks","seq0":`+seq+`}`))
		wantField(t, err, "seq0")
	}
}

// A record that somebody made by hand is not read by the rules of another format.
func TestAPackedRowIsNoneInFormat4(t *testing.T) {
	r := events.Record{Format: events.Format4, Seq: 5, Count: 4, Line: []byte(textRow)}
	if _, err := r.Decode(); err == nil {
		t.Error("got events from a packed row in the current format")
	}
}

func isUnknown(err error) bool {
	_, ok := errors.AsType[*events.UnknownTypeError](err)
	return ok
}
