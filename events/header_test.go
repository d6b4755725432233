package events_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
)

const goodHeader = `{"type":"session","version":4,"id":"s-1","createdAt":1,"cwd":"/w","parentSession":"p_1","isSeeded":true,"origin":"subagent","delegationDepth":2,"agentPreset":"standard"}`

func TestHeaderRules(t *testing.T) {
	change := strings.NewReplacer
	cases := map[string]struct {
		line  string
		field string // "" where the header is accepted
	}{
		"all members":                            {goodHeader, ""},
		"only the required ones":                 {`{"type":"session","version":4,"id":"s","createdAt":0,"isSeeded":false}`, ""},
		"format 0 needs no isSeeded":             {`{"type":"session","version":0,"id":"s","createdAt":0}`, ""},
		"format 4 does":                          {`{"type":"session","version":4,"id":"s","createdAt":0}`, "header.isSeeded"},
		"members of others are kept":             {change(`"cwd"`, `"x":{"y":1},"cwd"`).Replace(goodHeader), ""},
		"type must be session":                   {change(`"session"`, `"event"`).Replace(goodHeader), "header.type"},
		"version must be known":                  {change(`"version":4`, `"version":3`).Replace(goodHeader), "header.version"},
		"version must be a whole number":         {change(`"version":4`, `"version":"4"`).Replace(goodHeader), "header.version"},
		"id must not be missing":                 {change(`"id":"s-1",`, ``).Replace(goodHeader), "header.id"},
		"id must not be empty":                   {change(`"s-1"`, `""`).Replace(goodHeader), "header.id"},
		"id must not be a path":                  {change(`"s-1"`, `"../s"`).Replace(goodHeader), "header.id"},
		"id must not hold a dot":                 {change(`"s-1"`, `"s.1"`).Replace(goodHeader), "header.id"},
		"id must not hold a letter beyond ASCII": {change(`"s-1"`, `"é"`).Replace(goodHeader), "header.id"},
		"id may have 128 characters":             {change(`s-1`, strings.Repeat("s", 128)).Replace(goodHeader), ""},
		"id must not have 129":                   {change(`s-1`, strings.Repeat("s", 129)).Replace(goodHeader), "header.id"},
		"createdAt must not be negative":         {change(`"createdAt":1`, `"createdAt":-1`).Replace(goodHeader), "header.createdAt"},
		"createdAt may be 2^53-1":                {change(`"createdAt":1`, `"createdAt":9007199254740991`).Replace(goodHeader), ""},
		"createdAt must not be 2^53":             {change(`"createdAt":1`, `"createdAt":9007199254740992`).Replace(goodHeader), "header.createdAt"},
		"createdAt must not have a fraction":     {change(`"createdAt":1`, `"createdAt":1.5`).Replace(goodHeader), "header.createdAt"},
		"createdAt must not be missing":          {change(`"createdAt":1,`, ``).Replace(goodHeader), "header.createdAt"},
		"cwd must be absolute":                   {change(`"/w"`, `"w"`).Replace(goodHeader), "header.cwd"},
		"cwd must not be empty":                  {change(`"/w"`, `""`).Replace(goodHeader), "header.cwd"},
		"cwd may be a drive's":                   {change(`"/w"`, `"C:\\w"`).Replace(goodHeader), ""},
		"cwd may be a share's":                   {change(`"/w"`, `"\\\\host\\w"`).Replace(goodHeader), ""},
		"cwd must not be relative to a drive":    {change(`"/w"`, `"C:w"`).Replace(goodHeader), "header.cwd"},
		"cwd must be more than a drive":          {change(`"/w"`, `"C:"`).Replace(goodHeader), "header.cwd"},
		"cwd must be more than two bars":         {change(`"/w"`, `"\\\\"`).Replace(goodHeader), "header.cwd"},
		"cwd must be a string":                   {change(`"/w"`, `7`).Replace(goodHeader), "header.cwd"},
		"cwd must not be null":                   {change(`"/w"`, `null`).Replace(goodHeader), "header.cwd"},
		"parentSession must be an id":            {change(`"p_1"`, `"p 1"`).Replace(goodHeader), "header.parentSession"},
		"parentSession must not be empty":        {change(`"p_1"`, `""`).Replace(goodHeader), "header.parentSession"},
		"parentSession must not be null":         {change(`"p_1"`, `null`).Replace(goodHeader), "header.parentSession"},
		"isSeeded must be a boolean":             {change(`"isSeeded":true`, `"isSeeded":1`).Replace(goodHeader), "header.isSeeded"},
		"isSeeded must not be null":              {change(`"isSeeded":true`, `"isSeeded":null`).Replace(goodHeader), "header.isSeeded"},
		"origin must be subagent":                {change(`"subagent"`, `"human"`).Replace(goodHeader), "header.origin"},
		"origin must not be empty":               {change(`"subagent"`, `""`).Replace(goodHeader), "header.origin"},
		"delegationDepth must not be negative":   {change(`"delegationDepth":2`, `"delegationDepth":-2`).Replace(goodHeader), "header.delegationDepth"},
		"delegationDepth must be an integer":     {change(`"delegationDepth":2`, `"delegationDepth":2.5`).Replace(goodHeader), "header.delegationDepth"},
		"delegationDepth must not be null":       {change(`"delegationDepth":2`, `"delegationDepth":null`).Replace(goodHeader), "header.delegationDepth"},
		"agentPreset must be a string":           {change(`"standard"`, `[]`).Replace(goodHeader), "header.agentPreset"},
		"members must not repeat":                {change(`"cwd":"/w"`, `"cwd":"/w","cwd":"/v"`).Replace(goodHeader), "header.cwd"},
		"members of others must not repeat":      {change(`"cwd"`, `"x":{"y":1,"y":2},"cwd"`).Replace(goodHeader), "header.x.y"},
		"no negative zero":                       {change(`"cwd"`, `"x":-0,"cwd"`).Replace(goodHeader), "header.x"},
		"nothing behind the object":              {goodHeader + "{}", "header"},
		"an array is no header":                  {`[]`, "header"},
		"null is no header":                      {`null`, "header"},
		"nothing is no header":                   {``, "header"},
		"text is no header":                      {`session`, "header"},
		"no newline":                             {change(`,"cwd"`, ",\n\"cwd\"").Replace(goodHeader), "header"},
		"no lone surrogate":                      {change(`"/w"`, `"/\ud800"`).Replace(goodHeader), "header.cwd"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h, err := events.ParseHeader([]byte(c.line))
			wantField(t, err, c.field)
			if err == nil && string(h.Line) != c.line {
				t.Errorf("got line %s, want %s", h.Line, c.line)
			}
		})
	}
}

func TestHeaderDefaults(t *testing.T) {
	h, err := events.ParseHeader([]byte(`{"type":"session","version":0,"id":"s","createdAt":0}`))
	if err != nil || h.Seeded() || h.Depth() != 0 {
		t.Errorf("got seeded %v, depth %d, %v, want an unseeded root", h.Seeded(), h.Depth(), err)
	}
}

func TestNewHeaderWritesWhatParseHeaderReads(t *testing.T) {
	h, err := events.NewHeader(events.Header{
		ID: "s-1", CreatedAt: 1, CWD: "/w", ParentSession: "p_1", IsSeeded: new(true), Origin: events.OriginSubagent,
		DelegationDepth: new(int64(2)), AgentPreset: "standard",
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(goodHeader, string(h.Line)); diff != "" {
		t.Errorf("got another line than want (-want +got):\n%s", diff)
	}
	again, err := events.ParseHeader(h.Line)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(h, again); diff != "" {
		t.Errorf("got another header than want (-want +got):\n%s", diff)
	}
}

func TestNewHeaderAlwaysWritesSeededAndDepth(t *testing.T) {
	h, err := events.NewHeader(events.Header{ID: "s", CreatedAt: 1})
	const want = `{"type":"session","version":4,"id":"s","createdAt":1,"isSeeded":false,"delegationDepth":0}`
	if err != nil || string(h.Line) != want {
		t.Errorf("got %s, %v, want %s", h.Line, err, want)
	}
}

func TestNewHeaderRefusesWhatParseHeaderRefuses(t *testing.T) {
	cases := map[string]struct {
		header events.Header
		field  string
	}{
		"no id":                 {events.Header{CreatedAt: 1}, "header.id"},
		"a relative folder":     {events.Header{ID: "s", CWD: "w"}, "header.cwd"},
		"text that isn't UTF-8": {events.Header{ID: "s", CWD: "/\xff"}, "header.cwd"},
		"another origin":        {events.Header{ID: "s", Origin: "human"}, "header.origin"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := events.NewHeader(c.header)
			wantField(t, err, c.field)
		})
	}
}

func TestAHeaderDoesNotAliasItsLine(t *testing.T) {
	text := []byte(goodHeader)
	h, err := events.ParseHeader(text)
	if err != nil {
		t.Fatal(err)
	}
	clear(text)
	if string(h.Line) != goodHeader || h.AgentPreset != "standard" {
		t.Errorf("got %s after the caller's bytes changed", h.Line)
	}
}
