package effects_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/effects"
)

// TestPatchesAreJudgedFileByFile, by what they do to each.
func TestPatchesAreJudgedFileByFile(t *testing.T) {
	envelope := func(body string) string { return "*** Begin Patch\n" + body + "*** End Patch\n" }
	for _, c := range []struct {
		name, text string
		decision   effects.Decision
		rules      string
	}{
		{"adds a file", envelope("*** Add File: src/a.go\n+package a\n"), effects.Allow, "write-in-project"},
		{"changes a file", envelope("*** Update File: src/a.go\n@@\n a\n-b\n+c\n"), effects.Allow, "write-in-project"},
		{"changes two", envelope("*** Update File: a.go\n@@ func\n-b\n+c\n*** Update File: b.go\n@@\n+c\n"), effects.Allow, "write-in-project"},
		{"moves a file", envelope("*** Update File: a.go\n*** Move to: b.go\n@@\n-b\n+c\n"), effects.Allow, "moved"},
		{"deletes a file", envelope("*** Delete File: a.go\n"), effects.Review, "delete-unproven"},
		{"deletes two", envelope("*** Delete File: a.go\n*** Delete File: b.go\n"), effects.Deny, "delete-many"},
		{"adds a hook", envelope("*** Add File: .git/hooks/pre-commit\n+x\n"), effects.Review, "runs-later"},
		{"changes the system", envelope("*** Update File: /etc/hosts\n@@\n+c\n"), effects.Deny, "write-system"},
		{"moves out of the project", envelope("*** Update File: a.go\n*** Move to: ../../etc/cron.d/a\n@@\n+c\n"), effects.Deny, "write-system"},
		{"touches the engine", envelope("*** Add File: /var/lib/docket/keys\n+x\n"), effects.Deny, "engine-touched"},
		{"adds a script that would destroy", envelope("*** Add File: a.sh\n+rm -rf /\n"), effects.Review, "script-denied"},
		{"has heads among its content", envelope("*** Add File: a.md\n+*** Delete File: b.go\n"), effects.Allow, "write-in-project"},
		{"does not end", "*** Begin Patch\n*** Add File: a.go\n+x\n", effects.Review, "patch-unparsable"},
		{"goes on behind its end", envelope("*** Add File: a.go\n+x\n") + "*** Delete File: b\n", effects.Review, "patch-unparsable"},
		{"has a head that nobody knows", envelope("*** Run: rm\n"), effects.Review, "patch-unparsable"},
		{"is empty", "", effects.Review, "patch-unparsable"},
		{"is a unified diff", "--- a/a.go\n+++ b/a.go\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n", effects.Allow, "write-in-project"},
		{"is a diff of git", "diff --git a/a.go b/a.go\nindex 1..2 100644\n--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n-b\n+c\n", effects.Allow, "write-in-project"},
		{"is a diff that adds a hook", "--- /dev/null\n+++ b/.husky/pre-commit\n@@ -0,0 +1 @@\n+x\n", effects.Review, "runs-later"},
		{"is a diff that deletes", "--- a/a.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n", effects.Review, "delete-unproven"},
		{"is a diff with a head among its content", "--- a/a.sql\n+++ b/a.sql\n@@ -1,2 +1,2 @@\n--- /etc/hosts\n+++ x\n a\n", effects.Allow, "write-in-project"},
		{"is a diff that is longer than it says", "--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n-b\n+c\n+d\n", effects.Review, "patch-unparsable"},
		{"is a diff that makes a link", "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n", effects.Review, "patch-unparsable"},
		{"is a diff of two names", "--- a.go\n+++ /etc/hosts\n@@ -1 +1 @@\n-b\n+c\n", effects.Deny, "write-system"},
		{"is prose", "please delete everything", effects.Review, "patch-unparsable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := answered(t, facts(), "apply_patch", "command", c.text)
			if a.Decision != c.decision || !slices.Contains(ruleIDs(a), c.rules) {
				t.Errorf("got %s by %v, want %s by %s", a.Decision, ruleIDs(a), c.decision, c.rules)
			}
		})
	}
}

// FuzzPatch: whatever is not read to its end is looked at by somebody.
func FuzzPatch(f *testing.F) {
	f.Add("*** Begin Patch\n*** Update File: a.go\n*** Move to: b.go\n@@\n-b\n+c\n*** End Patch\n")
	f.Add("diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n")
	f.Add("rename from a\nrename to b\n@@ -1 +1 @@\n")
	f.Fuzz(func(t *testing.T, text string) {
		arguments, err := json.Marshal(map[string]string{"command": text})
		if err != nil {
			return // no text that a call could have
		}
		a := effects.Analyze(effects.Call{Tool: "apply_patch", Arguments: jsontext.Value(arguments)}, facts())
		if a.Decision == effects.Allow && len(a.Effects) == 0 {
			t.Error("allowed without an effect")
		}
		for _, guarded := range []string{"File: /etc/", "+++ /etc/", "rename to /etc/"} {
			if strings.HasPrefix(text, "*** "+guarded) && a.Decision == effects.Allow {
				t.Error("allowed")
			}
		}
	})
}
