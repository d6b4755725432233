package tools_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/tools"
)

func TestAFileThatSomebodyElseChangedMeanwhileIsLeftAlone(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "f")
	write(t, path, "first")
	found, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func() error{
		"longer":   func() error { return os.WriteFile(path, []byte("changed"), 0o600) },
		"replaced": func() error { return os.Rename(path+".other", path) },
		"gone":     func() error { return os.Remove(path) },
		"a link":   func() error { return os.Symlink("f.other", path) },
	} {
		_ = os.Remove(path)
		write(t, path, "first")
		write(t, path+".other", "first")
		if name == "longer" {
			found, err = os.Lstat(path)
		}
		if name == "a link" {
			err = os.Remove(path)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := change(); err != nil {
			t.Fatal(err)
		}
		before := contents(t, folder)
		if got := tools.Replace(path, []byte("mine"), found); got.Code != tools.CodeConflict {
			t.Errorf("%s: got %q: %s", name, got.Code, got.Text)
		}
		if diff := cmp.Diff(before, contents(t, folder)); diff != "" {
			t.Errorf("%s: the folder (-want +got):\n%s", name, diff)
		}
	}
}

func TestAFileThatAppearedMeanwhileIsNotReplacedByANewOne(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "f"), "theirs")
	got := tools.Replace(filepath.Join(folder, "f"), []byte("mine"), nil)
	if got.Code != tools.CodeConflict {
		t.Errorf("got %q: %s", got.Code, got.Text)
	}
	if diff := cmp.Diff(map[string]string{"f": "theirs"}, contents(t, folder)); diff != "" {
		t.Errorf("the folder (-want +got):\n%s", diff)
	}
}

func TestEverySchemaIsAnObjectThatAllowsNoOtherArguments(t *testing.T) {
	for _, tool := range tools.Shipped().All() {
		var s struct {
			Type       string                    `json:"type"`
			Properties map[string]jsontext.Value `json:"properties"`
			Required   []string                  `json:"required"`
			Additional *bool                     `json:"additionalProperties"`
		}
		if err := json.Unmarshal(tool.Parameters, &s, json.RejectUnknownMembers(true)); err != nil {
			t.Errorf("%s: %v", tool.Name, err)
			continue
		}
		if s.Type != "object" || s.Additional == nil || *s.Additional || len(s.Properties) == 0 {
			t.Errorf("%s: %s", tool.Name, tool.Parameters)
		}
		for _, name := range s.Required {
			if s.Properties[name] == nil {
				t.Errorf("%s requires %q, which it does not have", tool.Name, name)
			}
		}
		if found, ok := tools.Shipped().Tool(tool.Name); !ok || found.Description != tool.Description {
			t.Errorf("%s is not found by its name", tool.Name)
		}
	}
	if _, ok := tools.Shipped().Tool("Read"); ok {
		t.Error("a tool is found by a name in another case")
	}
}

func TestASchemaThatIsHandedOutIsACopy(t *testing.T) {
	tool, _ := tools.Shipped().Tool("read")
	copy(tool.Schema().Parameters, "[false]")
	if tool.Parameters.Kind() != '{' {
		t.Error("the tool's own schema changed")
	}
}

func TestAnOutputIsKeptAtBothEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(2, 40).Draw(t, "half") * 2
		pieces := rapid.SliceOf(rapid.SliceOfN(rapid.ByteRange('a', 'z'), 0, 100)).Draw(t, "pieces")
		whole := string(bytes.Join(pieces, nil))
		want := whole
		if cut := len(whole) - limit; cut > 0 {
			want = whole[:limit/2] + fmt.Sprintf("\n[… %d bytes cut here …]\n", cut) + whole[len(whole)-limit/2:]
		}
		if got := tools.Cut(limit, pieces...); got != want {
			t.Errorf("written piece by piece: got %q, want %q", got, want)
		}
		if got := tools.Bounded(whole, limit); got != want {
			t.Errorf("cut at once: got %q, want %q", got, want)
		}
	})
}

func TestATextIsCutBetweenLetters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		limit := rapid.IntRange(0, 60).Draw(t, "limit")
		got := tools.Bounded(text, limit)
		if !utf8.ValidString(got) || strings.Count(got, "\uFFFD") != strings.Count(strings.ToValidUTF8(text, "\uFFFD"), "\uFFFD") && !strings.Contains(got, "cut here") {
			t.Errorf("got %q of %q", got, text)
		}
		if len(got) > limit && !strings.Contains(got, "bytes cut here") {
			t.Errorf("got %d bytes, want %d", len(got), limit)
		}
	})
}

// FuzzArguments wants bad arguments refused with a reason, and good ones to be
// what a lenient reader would make of them as well.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{
		`{"text":"a"}`, `{"text":"a","number":3,"flag":true}`, `{"text":"\ud800"}`, `{"text":"a","text":"b"}`, `{"Text":"a"}`,
		`{"text":1}`, `{"text":"a","number":1e1}`, `{"text":"a","number":11}`, `{"text":"a","more":1}`, `[]`, ``, `{"text":"a"}{}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, args []byte) {
		err := tools.CheckArguments(args)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without a reason")
			}
			return
		}
		var plain struct {
			Text   *string  `json:"text"`
			Number *float64 `json:"number"`
			Flag   *bool    `json:"flag"`
		}
		if err := json.Unmarshal(args, &plain, json.RejectUnknownMembers(true)); err != nil || plain.Text == nil {
			t.Fatalf("%q was taken, and is %v", args, err)
		}
		if n := plain.Number; n != nil && (*n != float64(int(*n)) || *n < 1 || *n > 10) {
			t.Errorf("%q was taken", args)
		}
	})
}
