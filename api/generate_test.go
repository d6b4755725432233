package api_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/events"
)

var update = flag.Bool("update", false, "rewrite what is generated: schemas, the AsyncAPI document")

// wireTypes are all requests and replies, and the error.
func wireTypes() []reflect.Type {
	all := []reflect.Type{reflect.TypeFor[api.Error](), reflect.TypeFor[api.Accepted](), reflect.TypeFor[api.Events]()}
	for _, e := range api.Endpoints() {
		for _, t := range []reflect.Type{e.Request, e.Reply} {
			if !slices.Contains(all, t) {
				all = append(all, t)
			}
		}
	}
	return all
}

// schemaOf generates a type's schema.
func schemaOf(t *testing.T, typ reflect.Type) []byte {
	t.Helper()
	zero := 0.0
	s, err := jsonschema.ForType(typ, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[jsontext.Value]():   {},
		reflect.TypeFor[[]byte]():           {Type: "string", ContentEncoding: "base64"},
		reflect.TypeFor[events.SessionID](): {Type: "string", Pattern: "^[A-Za-z0-9_-]{1,128}$"},
		reflect.TypeFor[events.Seq]():       {Type: "integer", Minimum: &zero},
		reflect.TypeFor[events.Block](): {
			Type: "object", Required: []string{"type"},
			Properties: map[string]*jsonschema.Schema{
				"type": {Type: "string", Description: "text, reasoning, tool-call, image or another kind"},
				"text": {Type: "string", Description: "of text and reasoning"}, "id": {Type: "string", Description: "of a tool-call"},
				"name": {Type: "string", Description: "of a tool-call"}, "arguments": {Type: "string", Description: "of a tool-call, as the model wrote them"},
			},
		},
	}})
	if err != nil {
		t.Fatalf("%s: %v", typ, err)
	}
	s.Schema, s.Title = "https://json-schema.org/draft/2020-12/schema", typ.Name()
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

// TestTheSchemasAreTheTypes: each request and reply has its schema checked in, and
// there is no other file.
func TestTheSchemasAreTheTypes(t *testing.T) {
	want := map[string]bool{}
	for _, typ := range wireTypes() {
		name := filepath.Join("schemas", api.SchemaFile(typ))
		want[name] = true
		generated(t, name, schemaOf(t, typ))
	}
	files, err := filepath.Glob("schemas/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if !want[name] {
			t.Errorf("%s is the schema of no type", name)
		}
	}
}

// generated compares a file with what is generated, or writes it.
func generated(t *testing.T, name string, text []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil || !bytes.Equal(got, text) {
		t.Errorf("%s is not what the types generate (go test ./api -update): %v\n%s", name, err, cmp.Diff(string(got), string(text)))
	}
}

// TestSchemasDescribeEveryMember: who reads a schema needs no code beside it.
func TestSchemasDescribeEveryMember(t *testing.T) {
	for _, typ := range wireTypes() {
		var s jsonschema.Schema
		if err := json.Unmarshal(schemaOf(t, typ), &s); err != nil {
			t.Fatal(err)
		}
		for name, member := range s.Properties {
			if member.Description == "" && member.Type != "object" {
				t.Errorf("%s.%s has no description", typ.Name(), name)
			}
		}
	}
}

func TestTheAsyncAPIDocumentIsTheEndpoints(t *testing.T) {
	generated(t, "../docs/asyncapi.yaml", []byte(asyncAPI()))
}

// asyncAPI writes the document: a channel for each endpoint, with its messages.
func asyncAPI() string {
	var out strings.Builder
	out.WriteString("# Generated from package api: go test ./api -update. Do not edit.\n")
	out.WriteString("asyncapi: 3.0.0\ninfo:\n  title: Docket engine\n  version: 1.0.0\n  license: {name: Apache-2.0}\n")
	out.WriteString("defaultContentType: application/json\nservers:\n  nats: {host: 'localhost:4222', protocol: nats}\nchannels:\n")
	for _, e := range api.Endpoints() {
		fmt.Fprintf(&out, "  %s:\n    address: %s\n", e.Name(), api.Address{Role: e.Role, Identity: "{identity}", Command: e.Command}.Subject())
		out.WriteString("    parameters:\n      identity: {description: the caller's own name}\n    messages:\n")
		fmt.Fprintf(&out, "      request: {$ref: '#/components/messages/%s'}\n", e.Request.Name())
	}
	out.WriteString("  replies:\n    address: null\n    messages:\n")
	for _, typ := range wireTypes() {
		if isReply(typ) {
			fmt.Fprintf(&out, "      %s: {$ref: '#/components/messages/%s'}\n", typ.Name(), typ.Name())
		}
	}
	out.WriteString("operations:\n")
	for _, e := range api.Endpoints() {
		fmt.Fprintf(&out, "  %s:\n    action: receive\n    summary: %s\n    channel: {$ref: '#/channels/%s'}\n", e.Name(), quoted(e.Summary), e.Name())
		out.WriteString("    reply:\n      channel: {$ref: '#/channels/replies'}\n      messages:\n")
		for _, name := range replies(e) {
			fmt.Fprintf(&out, "        - {$ref: '#/channels/replies/messages/%s'}\n", name)
		}
	}
	out.WriteString("components:\n  messages:\n")
	for _, typ := range wireTypes() {
		fmt.Fprintf(&out, "    %s:\n      payload: {$ref: '../api/schemas/%s'}\n", typ.Name(), api.SchemaFile(typ))
	}
	return out.String()
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func replies(e api.Endpoint) []string {
	names := []string{e.Reply.Name()}
	if e.Long {
		names = append(names, "Accepted")
	}
	if e.Command == "tail" {
		names = append(names, "Events")
	}
	return append(names, "Error")
}

func isReply(typ reflect.Type) bool {
	for _, e := range api.Endpoints() {
		if slices.Contains(replies(e), typ.Name()) {
			return true
		}
	}
	return false
}

// TestTheDocumentListsEveryEndpointAndCode: docs/bus-api.md holds the tables.
func TestTheDocumentListsEveryEndpointAndCode(t *testing.T) {
	text, err := os.ReadFile("../docs/bus-api.md")
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	want.WriteString("| role | command | request | reply | what it does |\n|---|---|---|---|---|\n")
	for _, e := range api.Endpoints() {
		fmt.Fprintf(&want, "| %s | `%s` | `%s` | `%s` | %s |\n", e.Role, e.Command, e.Request.Name(), e.Reply.Name(), e.Summary)
	}
	if *update {
		before, rest, _ := strings.Cut(string(text), "| role | command |")
		_, after, _ := strings.Cut(rest, "\n\n")
		text = []byte(before + want.String() + "\n" + after)
		if err := os.WriteFile("../docs/bus-api.md", text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(string(text), want.String()) {
		t.Errorf("docs/bus-api.md does not list the endpoints as they are (go test ./api -update):\n%s", want.String())
	}
	for _, code := range api.Codes() {
		if !strings.Contains(string(text), "\n| `"+string(code)+"` | ") {
			t.Errorf("docs/bus-api.md does not say what %s is", code)
		}
	}
}
