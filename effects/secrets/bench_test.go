package secrets_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/effects/secrets"
)

// ordinary is 1 KiB of what agents send most: commands, code and words.
var ordinary = strings.Repeat(`cd /workspace/demo && go test ./... -run 'TestParser' -count=1 2>&1 | tail -n 20
The parser keeps a table of names, and each name has one rule: see docs for the order.
for _, item := range list { if item.Name == "main" { total += item.Size } }
git commit -m "parser: keep the order of rules" && git push origin feature/parser
`, 4)[:1024]

func BenchmarkText(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"command", "git commit -m 'fix the parser' && go test ./..."},
		{"1 KiB", ordinary},
		{"1 KiB of prose", strings.Repeat("The reviewer reads what the call would do and answers in one word. ", 16)[:1024]},
		{"1 KiB with a secret", ordinary + " --token " + ghp},
		{"1 KiB with escapes", ordinary[:1000] + `\u0041 \"x\" %20`},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				secrets.Text(c.text)
			}
		})
	}
}

// BenchmarkHostile doubles texts that make a careless scanner read everything again
// from each of their places: twice the text must take twice the time.
func BenchmarkHostile(b *testing.B) {
	for _, piece := range []string{
		"eyJ", "ghp_", "SG.", "S", "AKIA", "token=", "token=$(", "password=\"", "password='$A", "token=${A}", "password=foo[", "-----BEGIN ", "://a:", "https://u:p@", "Authorization: ", "token: $A ", "\\u005c", "%25",
		"token=`a ", "\"password\":[", "password=$A\"", "?token=$A#", "a''b", "S\"U", "=", ":", "--token ", "密码：", "\\", "password 'x(", "Bearer ", "{\"a\":", "[", "password: $A\n", "\"token=$A 'token=$B ", "password=a(",
	} {
		for _, size := range []int{1 << 19, 1 << 20} {
			text := strings.Repeat(piece, size/len(piece))
			b.Run(piece+"/"+map[int]string{1 << 19: "half", 1 << 20: "whole"}[size], func(b *testing.B) {
				for b.Loop() {
					secrets.Text(text)
				}
			})
		}
	}
}

func BenchmarkPath(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		secrets.Path("/workspace/demo/src/components/Button.tsx")
	}
}

func BenchmarkPosition(b *testing.B) {
	args := []string{"-X", "POST", "-H", "Accept: application/json", "-d", "{}", "https://example.com/items"}
	b.ReportAllocs()
	for b.Loop() {
		secrets.Position("curl", args)
	}
}

func BenchmarkJSON(b *testing.B) {
	v := jsontext.Value(`{"command":"go test ./... && git commit -m 'keep the order'","cwd":"/workspace/demo","env":{"CI":"1","PGPASSWORD":"hunter2"},"timeout":30}`)
	b.ReportAllocs()
	for b.Loop() {
		secrets.JSON(v, secrets.Limits{})
	}
}
