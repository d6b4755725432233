package auto

import (
	"strings"
	"testing"
)

// TestPolicyShowsAnswersThatAreRead: what the policy gives as examples is what the
// parser accepts, a line each.
func TestPolicyShowsAnswersThatAreRead(t *testing.T) {
	shown := 0
	for line := range strings.Lines(policy) {
		example, isExample := strings.CutPrefix(strings.TrimSpace(line), "`{")
		if !isExample {
			continue
		}
		shown++
		if _, err := parseAnswer("{" + strings.TrimSuffix(example, "`")); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	if shown != 4 {
		t.Errorf("got %d examples, want 4", shown)
	}
}
