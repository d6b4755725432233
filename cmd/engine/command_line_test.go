package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/approvals"
)

// A line that is pasted is the words that it was made of, whatever they hold: a real
// shell says so.
func TestALineToPasteIsItsWordsToAShell(t *testing.T) {
	for _, word := range []string{
		"c1$(touch x)", "a`b`", "it's", `"q"`, "a b", "", "-n", "--hash", "a;b", "a&b", "*", "~", "#x", "a\nb", "!x", "{a,b}", "$HOME", `\`, "é", "a=b", "<x", "x>y", "|", "(x)",
	} {
		a := &app{world: world{getenv: func(string) string { return "" }}, dir: "/srv/my state"}
		line := a.commandLine([]string{"approve", "answer"}, []string{"--hash", "0123"}, "s1", word, "once")
		got, err := exec.Command("sh", "-c", `engine() { for w; do printf '%s\0' "$w"; done; }; `+line).Output()
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		want := []string{"approve", "answer", "--dir", "/srv/my state", "--hash", "0123"}
		if strings.HasPrefix(word, "-") {
			want = append(want, "--")
		}
		want = append(want, "s1", word, "once")
		if diff := cmp.Diff(want, strings.Split(strings.TrimSuffix(string(got), "\x00"), "\x00")); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", line, diff)
		}
	}
}

func TestTheBeginningOfAnIDAndOfAHashIsEnoughWhereItFitsOne(t *testing.T) {
	one, two := strings.Repeat("ab", 32), strings.Repeat("cd", 32)
	asked := []approvals.Question{{ID: "approval-1-1-aaaa", Hash: one}, {ID: "approval-1-1-aabb", Hash: two}, {ID: "approval-1", Hash: two}}
	for name, tt := range map[string]struct{ id, hash, wantID, wantHash string }{
		"whole":                      {"approval-1-1-aaaa", one, "approval-1-1-aaaa", one},
		"a beginning":                {"approval-1-1-aaa", one[:8], "approval-1-1-aaaa", one},
		"one that is another's":      {"approval-1-1-aaa", two[:8], "approval-1-1-aaaa", two[:8]},
		"of the shortened hash":      {"approval-1-1-aaa", approvals.ShortHash(one)[:10], "approval-1-1-aaaa", approvals.ShortHash(one)},
		"too short a hash":           {"approval-1-1-aaa", one[:7], "approval-1-1-aaaa", one[:7]},
		"whole, and a beginning too": {"approval-1", two, "approval-1", two},
		"none":                       {"x", one, "x", one},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := completed(approvals.Answer{ID: tt.id, Hash: tt.hash}, asked)
			if err != nil || got.ID != tt.wantID || got.Hash != tt.wantHash {
				t.Errorf("got %s %s, %v, want %s %s", got.ID, got.Hash, err, tt.wantID, tt.wantHash)
			}
		})
	}
	if _, err := completed(approvals.Answer{ID: "approval-1-1", Hash: one}, asked); !isUsage(err) {
		t.Errorf("two fit: got %v, want a usage error", err)
	}
}
