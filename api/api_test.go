package api_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/docket-engine/docket/api"
)

func TestARequestIsDecodedStrictly(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		field string
		code  api.Code
	}{
		"good":                     {`{"id":"c1","callId":"a","nonce":"n","content":[{"type":"text","text":"x"}]}`, "", ""},
		"null in a free value":     {`{"id":"c1","callId":"a","nonce":"n","content":[],"meta":{"a":null}}`, "", ""},
		"not JSON":                 {`{"id":`, "", api.CodeInvalid},
		"no object":                {`[]`, "", api.CodeInvalid},
		"two values":               {`{"id":"c1"} {}`, "", api.CodeInvalid},
		"unknown member":           {`{"id":"c1","callId":"a","nonce":"n","content":[],"surfaceOp":"append"}`, "surfaceOp", api.CodeInvalid},
		"member in another case":   {`{"ID":"c1","callId":"a","nonce":"n","content":[]}`, "ID", api.CodeInvalid},
		"repeated member":          {`{"id":"c1","id":"c2","callId":"a","nonce":"n","content":[]}`, "id", api.CodeInvalid},
		"repeated member within":   {`{"id":"c1","callId":"a","nonce":"n","content":[{"type":"text","text":"x","text":"y"}]}`, "content.0.text", api.CodeInvalid},
		"missing member":           {`{"id":"c1","callId":"a","content":[]}`, "nonce", api.CodeInvalid},
		"missing member within":    {`{"id":"c1","callId":"a","nonce":"n","content":[],"artifacts":[{"path":"/a","device":1,"inode":2,"birthTime":3}]}`, "artifacts.0.kind", api.CodeInvalid},
		"null":                     {`{"id":"c1","callId":null,"nonce":"n","content":[]}`, "callId", api.CodeInvalid},
		"null within":              {`{"id":"c1","callId":"a","nonce":"n","content":[],"error":{"name":null,"code":"X"}}`, "error.name", api.CodeInvalid},
		"wrong type":               {`{"id":"c1","callId":7,"nonce":"n","content":[]}`, "callId", api.CodeInvalid},
		"wrong type within":        {`{"id":"c1","callId":"a","nonce":"n","content":[],"artifacts":[{"path":"/a","device":"x","inode":2,"birthTime":3,"kind":"file"}]}`, "artifacts.0.device", api.CodeInvalid},
		"block without its type":   {`{"id":"c1","callId":"a","nonce":"n","content":[{"text":"x"}]}`, "content.0.type", api.CodeInvalid},
		"invalid UTF-8":            {"{\"id\":\"c1\",\"callId\":\"\xff\",\"nonce\":\"n\",\"content\":[]}", "callId", api.CodeInvalid},
		"id with a dot":            {`{"id":"c.1","callId":"a","nonce":"n","content":[]}`, "id", api.CodeInvalid},
		"id too long":              {`{"id":"` + strings.Repeat("x", 65) + `","callId":"a","nonce":"n","content":[]}`, "id", api.CodeInvalid},
		"session that is none":     {`{"id":"c1","session":"a.b","callId":"a","nonce":"n","content":[]}`, "session", api.CodeInvalid},
		"too large":                {`{"id":"c1","callId":"` + strings.Repeat("x", api.MaxRequest) + `"}`, "", api.CodeTooLarge},
		"an executor's own reason": {`{"id":"c1","callId":"a","nonce":"n","content":[],"isError":true,"error":{"name":"E","code":"C","reason":"\"x\""}}`, "error.reason", api.CodeInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := api.Decode[api.Settle]([]byte(c.text))
			switch {
			case c.code == "" && err != nil:
				t.Errorf("got %+v, want no error", err)
			case c.code != "" && (err == nil || err.Code != c.code || err.Field != c.field && name != "not JSON" && name != "two values"):
				t.Errorf("got %+v, want %s of %q", err, c.code, c.field)
			}
		})
	}
}

// TestAnErrorQuotesNoValue: it may be a secret in a wrong place.
func TestAnErrorQuotesNoValue(t *testing.T) {
	for _, text := range []string{
		`{"id":"sk-secret sk-secret"}`, `{"id":["sk-secret"]}`, `{"id":"c","callId":"a","nonce":"n","content":["sk-secret"]}`, `{"id":"c","callId":sk-secret}`,
		`{"id":"c","callId":"a","nonce":"n","content":[{"type":"tool-call","id":"sk-secret"}]}`, `{"id":"c","session":"sk-secret!"}`,
	} {
		if _, err := api.Decode[api.Settle]([]byte(text)); err == nil || strings.Contains(err.Error(), "sk-secret") {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

func TestASubjectIsReadBack(t *testing.T) {
	for _, e := range api.Endpoints() {
		a := api.Address{Role: e.Role, Identity: "me-1", Command: e.Command}
		if got, err := api.ParseSubject(a.Subject()); err != nil || got != a {
			t.Errorf("%s: got %+v, %v", a.Subject(), got, err)
		}
	}
	for _, bad := range []string{
		"", "docket.v1", "docket.v1.agent.s", "docket.v2.agent.s.read", "docket.v1.agent.*.read", "docket.v1.agent.>", "docket.v1.agent..read",
		"docket.v1.agent.s.read.", "docket.v1.agent.s.re*d", "docket.v1.agent.s read", "live.docket.v1.agent.s.read", "docket.v1.agent.s..read",
	} {
		if a, err := api.ParseSubject(bad); err == nil {
			t.Errorf("%q: got %+v, want an error", bad, a)
		}
	}
}

func TestEndpointsAreDifferentAndDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range api.Endpoints() {
		if seen[e.Name()] || e.Summary == "" {
			t.Errorf("%s is there twice, or has no summary", e.Name())
		}
		seen[e.Name()] = true
		if _, has := e.Request.FieldByName("ID"); has != e.Writes {
			t.Errorf("%s: got an id %t, want %t: what writes can be repeated", e.Name(), has, e.Writes)
		}
		if _, err := api.Schema(e.Request); err != nil {
			t.Error(err)
		}
		if _, err := api.Schema(e.Reply); err != nil {
			t.Error(err)
		}
	}
}

// TestAgentsSendNoSurfaceOps: what is visible is the engine's to decide.
func TestAgentsSendNoSurfaceOps(t *testing.T) {
	for _, e := range api.Endpoints() {
		text, err := api.Schema(e.Request)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("surfaceOp")) {
			t.Errorf("%s takes a surfaceOp", e.Name())
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"id":"c1","callId":"a","nonce":"n","content":[{"type":"text","text":"x"}],"artifacts":[{"path":"/a","device":1,"inode":2,"birthTime":3,"kind":"file"}]}`))
	f.Add([]byte(`{"id":null,"error":{}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := api.Decode[api.Settle](text)
		if err == nil && (r.ID == "" || r.CallID == "" || r.Nonce == "" || r.Content == nil) {
			t.Errorf("got %+v of %q, want its members", r, text)
		}
		if err != nil && (err.Code == "" || err.Message == "") {
			t.Errorf("got the error %+v", err)
		}
	})
}

func FuzzParseSubject(f *testing.F) {
	f.Add("docket.v1.agent.s.turn.start")
	f.Fuzz(func(t *testing.T, subject string) {
		a, err := api.ParseSubject(subject)
		if err == nil && (a.Subject() != subject || strings.ContainsAny(subject, "*> ")) {
			t.Errorf("got %+v of %q", a, subject)
		}
	})
}
