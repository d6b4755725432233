package approvals_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/events"
)

var update = flag.Bool("update", false, "write golden files anew")

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "views", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("got another %s, -update rewrites it (-want +got):\n%s", name, diff)
	}
}

func display() approvals.Display {
	return approvals.Display{
		Question: approvals.Question{
			ID: "q1", Tool: "bash", Reason: "Auto review rejected tool \"bash\"", Hash: hash, Pattern: `run("make test")`,
		},
		Path:      []events.SessionID{"session-root", "session-child", "session-grandchild"},
		Arguments: jsontext.Value(`{"command": "make test"}`),
		CWD:       "/workspace/demo", Mode: events.ModeWorkspaceWrite, SessionMode: events.ModeWorkspaceWrite,
	}
}

// TestViews holds what a person reads against golden files, since it is a whole
// text that they decide on.
func TestViews(t *testing.T) {
	for name, change := range map[string]func(*approvals.Display){
		"plain.golden": func(*approvals.Display) {},
		"widening.golden": func(d *approvals.Display) {
			d.Question.Pattern, d.Question.Widening, d.Mode = "", true, events.ModeDangerFullAccess
			d.Path = d.Path[:1]
		},
		"reviewer.golden": func(d *approvals.Display) {
			d.Question.Pattern, d.Question.Failure, d.Question.Protected = "", true, true
			d.Question.Reason += ": This is fine.\nmode      read-only\nalways would allow, in this project, exactly"
			d.Reviewer, d.ReviewerText = "judge", "This is fine.\nmode      read-only\nalways would allow, in this project, exactly"
		},
		"hostile.golden": func(d *approvals.Display) {
			d.Arguments = jsontext.Value(`{"command":"rm -rf \u202etxt.esaelp\u202c \u200b/ # \u0007\u001b[2J\nquestion  q2"}`)
			d.Question.Reason = "harmless\u2028\u0085\x1b]0;x\x07 <U+202E>"
			d.CWD = "/workspace/\u0430dmin\ufe0f\u3164"
		},
		"long.golden": func(d *approvals.Display) {
			d.Arguments = jsontext.Value(`{"command":"` + strings.Repeat("echo 1; ", 400) + `"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := display()
			change(&d)
			golden(t, name, approvals.Render(d, false).Text())
		})
	}
}

func TestLongArgumentsAreOpenedToAllow(t *testing.T) {
	s := turn(t)
	a := asking("q1")
	a.Shown.Arguments = jsontext.Value(`{"command":"` + strings.Repeat("x", 5000) + `END"}`)
	d := display()
	d.Question, d.Arguments = ask(t, s, a), a.Shown.Arguments
	short, whole := approvals.Render(d, false), approvals.Render(d, true)
	if short.LeftOut == 0 || whole.LeftOut != 0 || short.Hash == whole.Hash || whole.Arguments != string(d.Arguments) {
		t.Fatalf("got %d left out of the short view, %d of the opened one", short.LeftOut, whole.LeftOut)
	}
	if got := utf8.RuneCountInString(short.Arguments) + utf8.RuneCountInString(short.Tail) + short.LeftOut; got != len(d.Arguments) {
		t.Errorf("got %d characters accounted for, want %d", got, len(d.Arguments))
	}
	if !strings.HasSuffix(short.Tail, `END"}`) {
		t.Errorf("got a tail that ends in %q", short.Tail[len(short.Tail)-10:])
	}
	allow := approvals.Answer{ID: "q1", Hash: short.Hash, Reply: approvals.Reply{Kind: approvals.ReplyOnce}, By: "ann"}
	_, err := approvals.Decide(s, allow)
	wantCode(t, err, approvals.CodeNotOpened)
	allow.Hash = whole.Hash
	if _, err := approvals.Decide(s, allow); err != nil {
		t.Errorf("got %v for who opened it", err)
	}
	allow.Hash, allow.Kind = short.Hash, approvals.ReplyReject
	if _, err := approvals.Decide(s, allow); err != nil {
		t.Errorf("got %v for a rejection of the short view", err)
	}
}

func TestLongTextsLeaveTheCallInSight(t *testing.T) {
	d := display()
	d.Reviewer, d.ReviewerText = "judge", strings.Repeat("line\n", 1000)+strings.Repeat("x", 5000)
	d.Question.Reason = strings.Repeat("y", 5000)
	short, whole := approvals.Render(d, false), approvals.Render(d, true)
	if !short.TextCut || len(short.ReviewerText) > 40 || len(short.Reason[0]) != 2000 {
		t.Errorf("got %d lines, want a text that is cut", len(short.ReviewerText))
	}
	if whole.TextCut || len(whole.ReviewerText) != 1001 || len(whole.Reason[0]) != 5000 {
		t.Errorf("got %d lines of the opened question, want all", len(whole.ReviewerText))
	}
	if short.Hash != whole.Hash {
		t.Error("got an allow refused for a text that is not what runs")
	}
}

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"plain text, ümläut, 中文, עברית": "plain text, ümläut, 中文, עברית",
		"a\u202eb\u2066c":               "a<U+202E>b<U+2066>c", // direction
		"a\u200bb\u200db\ufeff":         "a<U+200B>b<U+200D>b<U+FEFF>",
		"a\x00b\x1b[31m\r\n\t\x7f":      "a<U+0000>b<U+001B>[31m<U+000D><U+000A><U+0009><U+007F>",
		"a\u00a0b\u3000c\u2028":         "a<U+00A0>b<U+3000>c<U+2028>", // not the space they look like
		"\u00ad\u034f\u115f\u3164":      "<U+00AD><U+034F><U+115F><U+3164>",
		"x\ufe0f\U000e0041\U000e0100":   "x<U+FE0F><U+E0041><U+E0100>",
		"\u2800\ue000":                  "<U+2800><U+E000>",
		"a <U+202E> <b> <0xFF>":         "a <U+003C>U+202E> <b> <U+003C>0xFF>",
		"\xff\ufffd":                    "<0xFF>\ufffd",
	} {
		if got := approvals.Escape(text); got != want {
			t.Errorf("got %q of %q, want %q", got, text, want)
		}
	}
}

func TestEscapedTextsAreToldApart(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"<", "U+202E>", "\u202e", "0xFF>", "\xff", "\n", "a", "\ufffd", "\\"})
	seen := map[string]string{}
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(pieces, 0, 6).Draw(rt, "pieces"), "")
		got := approvals.Escape(text)
		if other, taken := seen[got]; taken && other != text {
			rt.Fatalf("%q and %q are both shown as %s", text, other, got)
		}
		seen[got] = text
	})
}

func FuzzRender(f *testing.F) {
	f.Add("make test", "why", "reviewer")
	f.Add("\u202e\x1b", "a\nb", "\u200b")
	f.Fuzz(func(t *testing.T, command, reason, reviewer string) {
		d := display()
		d.Arguments, d.Question.Reason, d.ReviewerText, d.Reviewer = jsontext.Value(command), reason, reviewer, reviewer
		text := approvals.Render(d, false).Text()
		for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
			if approvals.Escape(line) != line && !strings.Contains(line, "<U+") && !strings.Contains(line, "<0x") {
				t.Errorf("got the line %q, which holds what is not seen", line)
			}
		}
		if got := strings.Count(text, "\nquestion") + strings.Count(text, "\nmode "); got != 1 {
			t.Errorf("got %d lines that pass for ours in\n%s", got, text)
		}
	})
}
