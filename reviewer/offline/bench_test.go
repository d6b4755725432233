package offline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docket-engine/docket/reviewer"
)

// A prompt of a megabyte, much of it words of people.
func BenchmarkAnswer(b *testing.B) {
	s := newScene().called("write", made)
	for i := range 1000 {
		s.human(fmt.Sprintf("Look at part %d. Do not touch part-%d.md; it is not ready. %s", i, i, strings.Repeat("Words and words. ", 20)))
		s.called("shell", object("command", "go test ./... "+strings.Repeat("a", 300)))
	}
	for name, command := range map[string]string{"one path": "cat a.go", "many paths": "cat" + strings.Repeat(" a.go", 60), "removal": "rm old.txt", "too many paths": "touch" + strings.Repeat(" a.go", 60) + many(2000)} {
		user := s.shell(command).prompt(b)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(user)))
			for b.Loop() {
				policy{config: known}.answer(reviewer.Prompt{User: user})
			}
		})
	}
}

// many are the names of n files.
func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " dir-%d/file-%d.md", i, i)
	}
	return b.String()
}
