package offline

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// delegates sets the pending call to one that starts a child.
func (s *scene) delegates(prompt string) *scene {
	s.pending = map[string]any{
		"mode": "native", "name": "task", "description": "hands a task to a child", "arguments": jsontext.Value(object("prompt", prompt)),
		"parameters": map[string]any{"type": "object", "properties": map[string]any{"prompt": map[string]any{}}},
	}
	return s
}

// A prompt is an order: what a person forbade is not handed on. What nobody forbade, and
// what is not understood, is judged at the child's calls.
func TestAnOrderThatAPersonForbadeIsNotHandedOn(t *testing.T) {
	for name, tt := range map[string]struct {
		scene  *scene
		prompt string
		want   string
	}{
		"nothing was said":                    {newScene(), "Delete notes.txt.", allow},
		"the very thing":                      {newScene().human("Do not change notes.txt."), "Change notes.txt.", deny},
		"in Chinese":                          {newScene().human("不要修改 notes.txt。"), "修改 notes.txt。", deny},
		"the very thing among others":         {newScene().human("Never delete anything."), "Read README.md. Then delete old.txt.", deny},
		"something else":                      {newScene().human("Do not change notes.txt."), "Change main.go.", allow},
		"a class":                             {newScene().human("Never push."), "Push main to origin.", deny},
		"by the project":                      {newScene().constraint("Never push."), "Push main to origin.", deny},
		"in an ancestor":                      {newScene().ancestor("p1", "person", "Do not change notes.txt."), "Change notes.txt.", deny},
		"before a compaction":                 {newScene().kept("person", "Do not change notes.txt."), "Change notes.txt.", deny},
		"and lifted it":                       {newScene().human("Do not change notes.txt.").human("I withdraw my earlier restriction."), "Change notes.txt.", allow},
		"a prompt that refuses the same":      {newScene().human("Do not change notes.txt."), "Do not change notes.txt. Fix main.go.", allow},
		"a prompt that cannot be read":        {newScene().human("Do not change notes.txt."), "notes.txt: αλλαγή", allow},
		"a prompt that looks at what is kept": {newScene().human("Do not change notes.txt."), "Read notes.txt.", allow},
	} {
		t.Run(name, func(t *testing.T) {
			wantDecision(t, tt.scene.delegates(tt.prompt), tt.want)
		})
	}
}
