package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/offline"
)

func TestSettingsGiveRoutes(t *testing.T) {
	got, err := parseSettings([]byte(`{"routes":[
		{"provider":"p","model":"m/1","api":"chat-completions","baseUrl":"https://host.example/v1","keyEnv":"P_KEY","reviews":true},
		{"provider":"p","model":"m/2","api":"responses","baseUrl":"http://127.0.0.1:8080","keyFile":"p.key","contextWindow":1000,
		 "temperature":"none","limits":{"idle":"90s","total":"1h30m","bytes":2048}},
		{"provider":"far","model":"m","api":"responses","baseUrl":"http://host.example","insecure":true},
		{"provider":"here","model":"m","api":"responses","baseUrl":"http://[::1]:1/","keyFile":"/etc/key"},
		{"provider":"here","model":"n","api":"responses","baseUrl":"http://localhost"},
		{"provider":"builtin","model":"policy","reviews":true}]}`), "/state")
	if err != nil {
		t.Fatal(err)
	}
	want := []reviewer.Route{
		{Provider: "p", Model: "m/1", API: reviewer.APICompletions, BaseURL: "https://host.example/v1", KeyEnv: "P_KEY", Reviews: true},
		{
			Provider: "p", Model: "m/2", API: reviewer.APIResponses, BaseURL: "http://127.0.0.1:8080", KeyFile: "/state/p.key", ContextWindow: 1000,
			NoTemperature: true, Limits: reviewer.Limits{Idle: 90 * time.Second, Total: 90 * time.Minute, Bytes: 2048},
		},
		{Provider: "far", Model: "m", API: reviewer.APIResponses, BaseURL: "http://host.example"},
		{Provider: "here", Model: "m", API: reviewer.APIResponses, BaseURL: "http://[::1]:1/", KeyFile: "/etc/key"},
		{Provider: "here", Model: "n", API: reviewer.APIResponses, BaseURL: "http://localhost"},
		offline.Route(),
	}
	if diff := cmp.Diff(want, got.routes.Listed); diff != "" {
		t.Error(diff)
	}
	for _, nothing := range []string{`{}`, `{"routes":[]}`} {
		if got, err := parseSettings([]byte(nothing), "/state"); err != nil || len(got.routes.Listed) != 0 {
			t.Errorf("%s: got %v, %v", nothing, got, err)
		}
	}
}

func TestTheSettingsInTheDocumentsAreSettings(t *testing.T) {
	page, err := os.ReadFile("../../docs/reviews.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(page), "```json\n")
	example, _, found := strings.Cut(example, "```")
	if got, err := parseSettings([]byte(example), "/state"); !found || err != nil || len(got.routes.Listed) != 1 || !got.routes.Listed[0].Reviews {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestTheBuiltinRouteIsTheOfflineReviewers(t *testing.T) {
	if diff := cmp.Diff(offline.Route(), reviewer.BuiltinRoute()); diff != "" {
		t.Error(diff)
	}
}

// goodRoute is a route to which a test changes one member; an empty text removes it.
func goodRoute(member, value string) string {
	members := map[string]string{
		"provider": `"p"`, "model": `"m"`, "api": `"responses"`, "baseUrl": `"https://host.example/v1"`, "reviews": `true`,
	}
	members[member] = value
	var text []string
	for name, value := range members {
		if value != "" {
			text = append(text, fmt.Sprintf("%q:%s", name, value))
		}
	}
	return "{" + strings.Join(text, ",") + "}"
}

func TestAFaultInTheSettingsIsOneErrorThatNamesItsField(t *testing.T) {
	route := func(member, value string) string { return `{"routes":[` + goodRoute(member, value) + `]}` }
	long := `"` + strings.Repeat("x", 300) + `"`
	for name, c := range map[string]struct{ text, field, says string }{
		"nothing":                        {"", "value", "not JSON"},
		"no object":                      {`[]`, "value", "wrong type"},
		"null":                           {`null`, "value", "null"},
		"something behind":               {`{} {}`, "value", "not JSON"},
		"a broken file":                  {`{"routes":[`, "routes", "not JSON"},
		"bytes that are not UTF-8":       {"{\"routes\":\"\xff\"}", "", "not JSON"},
		"a member that is unknown":       {`{"route":[]}`, "route", "not a setting"},
		"a member twice":                 {`{"routes":[],"routes":[]}`, "routes", "twice"},
		"a member in upper case":         {`{"Routes":[]}`, "Routes", "not a setting"},
		"routes that are no array":       {`{"routes":{}}`, "routes", "wrong type"},
		"a route that is no object":      {`{"routes":["p/m"]}`, "routes.0", "wrong type"},
		"a route that is null":           {`{"routes":[null]}`, "routes.0", "null"},
		"an unknown member of a route":   {route("apiKey", `"sk-secret"`), "routes.0.apiKey", "not a setting"},
		"a member of a route twice":      {`{"routes":[{"model":"a","model":"b"}]}`, "routes.0.model", "twice"},
		"a null member":                  {route("keyEnv", `null`), "routes.0.keyEnv", "null"},
		"no provider":                    {route("provider", ""), "routes.0.provider", "missing"},
		"an empty model":                 {route("model", `""`), "routes.0.model", "missing"},
		"a number as the model":          {route("model", `4`), "routes.0.model", "wrong type"},
		"a slash in the provider":        {route("provider", `"a/b"`), "routes.0.provider", "slash"},
		"a blank in the model":           {route("model", `"a b"`), "routes.0.model", "one word"},
		"a control character":            {route("model", `"a\u0007"`), "routes.0.model", "printable"},
		"a long name":                    {route("model", long), "routes.0.model", "256"},
		"the builtin provider":           {route("provider", `"builtin"`), "routes.0.provider", "builtin/policy"},
		"no API":                         {route("api", ""), "routes.0.api", "chat-completions or responses"},
		"the builtin API":                {route("api", `"builtin"`), "routes.0.api", "must be"},
		"no base URL":                    {route("baseUrl", ""), "routes.0.baseUrl", "missing"},
		"a path as the base URL":         {route("baseUrl", `"/v1"`), "routes.0.baseUrl", "absolute"},
		"a base URL that is none":        {route("baseUrl", `"https://a b"`), "routes.0.baseUrl", "absolute"},
		"a base URL without a host":      {route("baseUrl", `"https:///v1"`), "routes.0.baseUrl", "absolute"},
		"another scheme":                 {route("baseUrl", `"ftp://host"`), "routes.0.baseUrl", "https://"},
		"a password in the base URL":     {route("baseUrl", `"https://u:sk-secret@host"`), "routes.0.baseUrl", "no password"},
		"a query in the base URL":        {route("baseUrl", `"https://host/?key=sk-secret"`), "routes.0.baseUrl", "no query"},
		"a fragment in the base URL":     {route("baseUrl", `"https://host/#a"`), "routes.0.baseUrl", "fragment"},
		"http to another machine":        {route("baseUrl", `"http://host.example"`), "routes.0.baseUrl", "insecure"},
		"http to an address":             {route("baseUrl", `"http://10.0.0.1"`), "routes.0.baseUrl", "insecure"},
		"http to a name like localhost":  {route("baseUrl", `"http://localhost.example"`), "routes.0.baseUrl", "insecure"},
		"a key as the variable":          {route("keyEnv", `"sk-secret"`), "routes.0.keyEnv", "not a key"},
		"two places of the key":          {`{"routes":[{"provider":"p","model":"m","api":"responses","baseUrl":"https://h","keyEnv":"A","keyFile":"b"}]}`, "routes.0.keyFile", "together with keyEnv"},
		"a window of nothing":            {route("contextWindow", `0`), "routes.0.contextWindow", "above 0"},
		"half a token":                   {route("contextWindow", `1.5`), "routes.0.contextWindow", "wrong type"},
		"a window as a text":             {route("contextWindow", `"1000"`), "routes.0.contextWindow", "wrong type"},
		"a number as the temperature":    {route("temperature", `1`), "routes.0.temperature", "wrong type"},
		"another temperature":            {route("temperature", `"0"`), "routes.0.temperature", "none"},
		"an unknown limit":               {route("limits", `{"tokens":1}`), "routes.0.limits.tokens", "not a setting"},
		"a limit without a unit":         {route("limits", `{"idle":"60"}`), "routes.0.limits.idle", "such as 90s"},
		"a limit as a number":            {route("limits", `{"total":60}`), "routes.0.limits.total", "wrong type"},
		"a limit that is too short":      {route("limits", `{"idle":"1ms"}`), "routes.0.limits.idle", "from 1s"},
		"a limit that is too long":       {route("limits", `{"total":"48h"}`), "routes.0.limits.total", "24h"},
		"no bytes":                       {route("limits", `{"bytes":0}`), "routes.0.limits.bytes", "from 1"},
		"too many bytes":                 {route("limits", `{"bytes":1000000000}`), "routes.0.limits.bytes", "67108864"},
		"reviews as a text":              {route("reviews", `"yes"`), "routes.0.reviews", "wrong type"},
		"the same route twice":           {`{"routes":[` + goodRoute("reviews", "true") + `,` + goodRoute("reviews", "false") + `]}`, "routes.1.model", "same route as routes.0"},
		"the builtin route with more":    {`{"routes":[{"provider":"builtin","model":"policy","keyEnv":"A"}]}`, "routes.0.model", "only reviews"},
		"the builtin route over HTTP":    {`{"routes":[{"provider":"builtin","model":"policy","api":"responses"}]}`, "routes.0.api", "builtin"},
		"the second route is the faulty": {`{"routes":[` + goodRoute("reviews", "true") + `,{}]}`, "routes.1.provider", "missing"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parseSettings([]byte(c.text), "/state")
			f, ok := errors.AsType[*events.FieldError](err)
			if !ok || c.field != "" && f.Field != c.field || !strings.Contains(f.Rule, c.says) || strings.Contains(err.Error(), "sk-secret") {
				t.Errorf("got %v, want %s with %q", err, c.field, c.says)
			}
			if len(got.routes.Listed) != 0 {
				t.Errorf("routes came with the error: %v", got)
			}
		})
	}
}

func TestSettingsThatAreNotThereAreTheBuiltinRoute(t *testing.T) {
	a := &app{dir: t.TempDir()}
	s, err := a.readSettings()
	if err != nil {
		t.Fatal(err)
	}
	if route, err := s.routes.For(reviewer.RouteName{Provider: "p", Model: "m"}, nil); err != nil || route.Name() != "builtin/policy" {
		t.Errorf("got %v, %v", route, err)
	}
}

func TestASettingsFileThatCannotBeTrustedIsRefused(t *testing.T) {
	dir := t.TempDir()
	write := func(text string, mode os.FileMode) {
		t.Helper()
		path := filepath.Join(dir, settingsFile)
		if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		text string
		mode os.FileMode
		says string
	}{
		"everybody may write it": {`{}`, 0o602, "chmod 600"},
		"it is larger than any":  {`{"routes":"` + strings.Repeat("x", maxSettings) + `"}`, 0o600, "larger than"},
		"it has a fault":         {`{"rotues":[]}`, 0o600, "rotues is not a setting"},
	} {
		write(c.text, c.mode)
		if _, err := (&app{dir: dir}).readSettings(); err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: got %v, want %q", name, err, c.says)
		}
	}
	for name, a := range map[string]*app{
		"a file that is named and not there": {dir: dir, settings: filepath.Join(dir, "none.json")},
		"a folder":                           {dir: dir, settings: dir},
		"no state directory":                 {},
	} {
		if _, err := a.readSettings(); err == nil {
			t.Errorf("%s: settings were read", name)
		}
	}
}

// judge is a real server that says what a test wrote, to whoever brings the key.
func judge(t *testing.T, finish string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer key-for-tests" {
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprintf(w, `{"error":{"code":"invalid_api_key","message":"not %s"}}`, r.Header.Get("Authorization"))
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"reasoning":"so"}}]}`+"\n\n"+`data: {"choices":[{"index":0,"delta":{"content":"{\"risk\":\"low\",\"decision\":\"allow\"}"}}]}`+"\n\n")
		fmt.Fprintf(w, `data: {"choices":[{"index":0,"delta":{},"finish_reason":%q}]}`+"\n\ndata: [DONE]\n\n", finish)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestARouteCanBeChecked(t *testing.T) {
	home := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(home, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file("good.key", "key-for-tests\n")
	file("bad.key", "key-of-somebody\n")
	route := func(model, url, key string) string {
		return fmt.Sprintf(`{"provider":"p","model":%q,"api":"chat-completions","baseUrl":%q,"keyFile":%q,"reviews":true}`, model, url, key)
	}
	settings := file("s.json", `{"routes":[`+strings.Join([]string{
		route("good", judge(t, "stop"), "good.key"), route("cut", judge(t, "length"), "good.key"),
		route("locked", judge(t, "stop"), "bad.key"), route("keyless", judge(t, "stop"), "none.key"),
	}, ",")+`]}`)
	check := func(args ...string) ran {
		return runIn(t.Context(), home, append([]string{"route", "check", "--settings", settings}, args...)...)
	}

	r := check("p/good", "--json")
	var found routeCheck
	if err := json.Unmarshal([]byte(r.out), &found); err != nil || r.code != exitOK {
		t.Fatalf("got %+v, %v", r, err)
	}
	if found.Answer != reviewer.Allow || found.Reasoning != 2 || !found.Reviews || found.Route != "p/good" {
		t.Errorf("got %+v", found)
	}
	if r := check("p/good"); r.code != exitOK || !strings.Contains(r.out, "allow") || strings.Contains(r.out+r.err, "key-for") {
		t.Errorf("got %+v", r)
	}
	for name, c := range map[string]struct {
		code int
		says string
	}{
		"p/cut":          {exitReview, "max-tokens"},
		"p/locked":       {exitReview, "HTTP status 401"},
		"p/keyless":      {exitReview, "KEY_UNUSABLE"},
		"p/other":        {exitFailed, "list no route p/other"},
		"builtin/policy": {exitUsage, "no model"},
		"p":              {exitUsage, "PROVIDER/MODEL"},
	} {
		if r := check(name); r.code != c.code || !strings.Contains(r.err, c.says) || strings.Contains(r.err, "key-of") || r.out != "" {
			t.Errorf("%s: got %+v, want %d and %q", name, r, c.code, c.says)
		}
	}
}

func TestAPromptGoesToTheModelOfItsRoute(t *testing.T) {
	a := &app{world: world{getenv: func(name string) string { return map[string]string{"K": "key-for-tests"}[name] }}}
	m, err := a.reviewModel(bodiesAtClients)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	last := func(r reviewer.Route) reviewer.Finish {
		var finish reviewer.Finish
		for chunk, err := range m.Stream(t.Context(), reviewer.Prompt{Route: r, User: "not a request"}) {
			if err != nil {
				t.Fatal(err)
			}
			finish, _ = chunk.(reviewer.Finish)
		}
		return finish
	}
	if f := last(reviewer.BuiltinRoute()); f.Kind != reviewer.FinishError || f.Code != "PROMPT_NOT_UNDERSTOOD" {
		t.Errorf("the offline reviewer said %+v", f)
	}
	http := reviewer.Route{Provider: "p", Model: "m", API: reviewer.APICompletions, BaseURL: judge(t, "stop"), KeyEnv: "K"}
	if f := last(http); f.Kind != reviewer.FinishStop {
		t.Errorf("the server said %+v", f)
	}
}
