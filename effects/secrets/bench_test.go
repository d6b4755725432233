package secrets_test

import (
	"strings"
	"testing"

	"github.com/docket-engine/docket/effects/secrets"
)

// ordinary is 1 KiB of what agents send most: commands, code and words.
var ordinary = strings.Repeat(`cd /workspace/demo && go test ./... -run 'TestParser' -count=1 2>&1 | tail -n 20
The parser keeps a table of names, and each name has one rule: see docs for the order.
for _, item := range list { if item.Name == "main" { total += item.Size } }
git commit -m "parser: keep the order of rules" && git push origin feature/parser
`, 4)[:1024]

func BenchmarkText(b *testing.B) {
	for name, text := range map[string]string{"ordinary 1 KiB": ordinary, "one secret": ordinary + " --token " + ghp, "command": "git commit -m 'fix the parser' && go test ./..."} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				secrets.Text(text)
			}
		})
	}
}
