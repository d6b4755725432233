package effects_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/effects"
)

// TestBeyondABoundNothingIsAllowed, and what is never done stays so.
func TestBeyondABoundNothingIsAllowed(t *testing.T) {
	var files, commands, members strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&files, " f%d", i)
		fmt.Fprintf(&commands, "frobnicate %d\n", i)
		fmt.Fprintf(&members, `"m%d":"x",`, i)
	}
	for name, c := range map[string]struct {
		tool, arguments string
		decision        effects.Decision
	}{
		"many files":                       {"shell", `{"command":` + quotedJSON("cat"+files.String()) + `}`, effects.Review},
		"many files and a denied one":      {"shell", `{"command":` + quotedJSON("cat"+files.String()+"; rm -rf /") + `}`, effects.Deny},
		"many files, one of the engine's":  {"shell", `{"command":` + quotedJSON("cat"+files.String()+" /var/lib/docket/keys") + `}`, effects.Deny},
		"many findings":                    {"shell", `{"command":` + quotedJSON(strings.Repeat("frobnicate; ", 400)) + `}`, effects.Review},
		"many findings and a denied one":   {"shell", `{"command":` + quotedJSON(strings.Repeat("frobnicate; ", 400)+"rm -rf /") + `}`, effects.Deny},
		"many commands":                    {"shell", `{"command":` + quotedJSON(commands.String()) + `}`, effects.Review},
		"a long text":                      {"shell", `{"command":` + quotedJSON(strings.Repeat("echo a; ", 1<<18)) + `}`, effects.Review},
		"a long word":                      {"shell", `{"command":` + quotedJSON("frobnicate "+strings.Repeat("a", 1<<20)) + `}`, effects.Review},
		"deep JSON":                        {"mcp__a__delete", strings.Repeat(`{"a":`, 9000) + `"/"` + strings.Repeat("}", 9000), effects.Deny},
		"deeper JSON than any":             {"mcp__a__delete", strings.Repeat(`[`, 100_000), effects.Review},
		"many members":                     {"mcp__a__delete", `{` + members.String() + `"x":"/"}`, effects.Deny},
		"a script in a script in a script": {"write", `{"path":"a.sh","content":` + quotedJSON(nestedPatch(12)) + `}`, effects.Allow},
		"a patch of many files":            {"apply_patch", `{"command":` + quotedJSON("*** Begin Patch\n"+strings.Repeat("*** Add File: a\n+b\n", 2000)+"*** End Patch\n") + `}`, effects.Review},
		"more arguments than any tool's":   {"write", `{"path":"a","content":"` + strings.Repeat("a", 5<<20) + `"}`, effects.Review},
	} {
		t.Run(name, func(t *testing.T) {
			a := effects.Analyze(effects.Call{Tool: c.tool, Arguments: jsontext.Value(c.arguments)}, facts())
			if strictness(a.Decision) < strictness(c.decision) {
				t.Errorf("got %s, want at least %s; %d findings", a.Decision, c.decision, len(a.Findings))
			}
			if len(a.Findings) > 1000 || len(a.Effects) > 5000 {
				t.Errorf("got %d findings and %d effects", len(a.Findings), len(a.Effects))
			}
		})
	}
}

// nestedPatch is a script that applies a patch that adds a script, and so on.
func nestedPatch(depth int) string {
	text := "frobnicate"
	for range depth {
		text = "apply_patch <<'X'\n*** Begin Patch\n*** Add File: a.sh\n+" + strings.ReplaceAll(text, "\n", "\n+") + "\n*** End Patch\nX"
	}
	return text
}
