package secrets_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/effects/secrets"
)

// planted is a secret with what stands around it so that it is known for one.
type planted struct {
	secret, text string
}

// anyShape is a secret with a shape of its own, of letters drawn by lot.
func anyShape(t *rapid.T) string {
	body := func(set string, n int) string {
		var b strings.Builder
		for b.Len() < n {
			b.WriteByte(set[rapid.IntRange(0, len(set)-1).Draw(t, "letter")])
		}
		return b.String()
	}
	const small, capital, digits = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
	const all = small + capital + digits
	chance := func(n int) string { return "a1B2" + body(all, n) + "Zx90KmQw7uYtReLk" }
	switch rapid.IntRange(0, 14).Draw(t, "shape") {
	case 0:
		return "AK" + "IA" + body(capital+digits, 16)
	case 1:
		return rapid.SampledFrom([]string{"ghp", "gho", "ghu", "ghs", "ghr", "github_pat"}).Draw(t, "github") + "_" + chance(20)
	case 2:
		return "gl" + "pat-" + chance(10)
	case 3:
		return "xo" + rapid.SampledFrom([]string{"xa-", "xb-", "xp-", "xs-"}).Draw(t, "slack") + "123456789-" + chance(4)
	case 4:
		return "AI" + "za" + chance(17)
	case 5:
		return rapid.SampledFrom([]string{"sk_live", "rk_live", "whsec"}).Draw(t, "stripe") + "_" + chance(12)
	case 6:
		return "np" + "m_" + chance(20)
	case 7:
		return "s" + "k-" + rapid.SampledFrom([]string{"", "proj-", "ant-api03-"}).Draw(t, "model") + chance(24)
	case 8:
		return "h" + "f_" + chance(18)
	case 9:
		return "hv" + "s." + chance(18)
	case 10:
		return "S" + rapid.SampledFrom([]string{"U", "A", "O"}).Draw(t, "seed") + "ABCDEFGH234567" + body(capital+"234567", 42)
	case 11:
		return "ey" + "J" + chance(10) + ".ey" + "J" + chance(10) + "." + chance(10)
	case 12:
		return "py" + "pi-" + chance(40)
	case 13:
		return "12345678" + ":AA" + chance(13)
	default:
		return "-----BEGIN " + "RSA PRIVATE KEY-----\n" + chance(44) + "\n" + chance(44) + "\n-----END " + "RSA PRIVATE KEY-----"
	}
}

// anyPassword is one that only its place gives away. It is long enough to be told
// from the words of a type, and has what shells and JSON escape.
func anyPassword(t *rapid.T) string {
	return rapid.StringMatching(`[a-z]{2}[0-9][A-Za-z0-9!@#%^*_+.?~-]{5,20}[0-9]`).Draw(t, "password")
}

// inShell is a shell's text that holds a secret, quoted in any way.
func inShell(t *rapid.T) planted {
	if rapid.Bool().Draw(t, "by place") {
		s := anyPassword(t)
		frame := rapid.SampledFrom([]string{
			"mysql --password='%s' db", `DB_PASSWORD="%s" make`, "PGPASSWORD='%s' psql -h db", "tool --api-key '%s' run", `tool --client-secret="%s"`, "curl -H 'X-Api-Key: %s' h",
			`curl -H "Authorization: Bearer %s" h`, "curl -d '{\"password\":\"%s\"}' h", "curl -d \"{\\\"password\\\":\\\"%s\\\"}\" h", "export API_TOKEN='%s'\nmake", "psql 'host=db password=%s'",
			"cat <<EOF > .env\nDB_PASSWORD=%s\nEOF", "python -c 'api_key = \"%s\"'", "echo 'password: %s' > f", "kubectl create secret generic x --from-literal=password='%s'",
		}).Draw(t, "frame")
		return planted{secret: s, text: fmt.Sprintf(frame, s)}
	}
	s := anyShape(t)
	written := rapid.SampledFrom([]string{s, "'" + s + "'", `"` + s + `"`, s[:2] + "''" + s[2:], s[:3] + `"` + s[3:] + `"`, "$'" + strings.ReplaceAll(s, "\n", `\n`) + "'", `\` + s}).Draw(t, "quoted")
	frame := rapid.SampledFrom([]string{"echo %s", "curl -H %s h", "x=%s make", "git clone https://%s@example.com/r", "a && b --c=%s | d", "cat <<'E'\n%s\nE", "f(%s)", "[ %s = y ]"}).Draw(t, "frame")
	if i := strings.IndexByte(s, ':'); i > 0 {
		s = s[i+1:] // a bot's number is its public name
	}
	return planted{secret: s, text: fmt.Sprintf(frame, written)}
}

// inURL is an address that holds a password, as it is or with percent signs.
func inURL(t *rapid.T) planted {
	s := anyPassword(t)
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; strings.IndexByte("@#%?+/&", c) >= 0 || rapid.Bool().Draw(t, "escaped") {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	frame := rapid.SampledFrom([]string{"postgres://app:%s@db/app", "https://u:%s@example.com/x?y=1", "https://example.com/?access_token=%s&x=1", "https://example.com/?q=1&api_key=%s#top", "amqp://u:%s@h:5672/v"}).Draw(t, "frame")
	return planted{secret: s, text: fmt.Sprintf(frame, b.String())}
}

// inBasic is user and password as a header has them.
func inBasic(t *rapid.T) planted {
	s := base64.StdEncoding.EncodeToString([]byte("me:" + anyPassword(t)))
	return planted{secret: s, text: fmt.Sprintf(rapid.SampledFrom([]string{"Authorization: Basic %s", "curl -H 'Authorization: Basic %s' h", `{"auth":"%s"}`, "x Basic %s"}).Draw(t, "frame"), s)}
}

func anyPlanted(t *rapid.T) planted {
	return rapid.OneOf(rapid.Custom(inShell), rapid.Custom(inURL), rapid.Custom(inBasic)).Draw(t, "planted")
}

// anyWords are harmless ones around it.
func anyWords(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "go test ./...\n", "see the docs: ", "x = 1\n", "{}", "\\n", "密码 ", "echo \"don't\"\n", "100% "}).Draw(t, "words")
}

// anyJSON is a value with a text somewhere in it, whose letters are escaped at will.
func anyJSON(t *rapid.T, text string, depth int) string {
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
		return escapedJSON(t, text)
	}
	inner := anyJSON(t, text, depth-1)
	switch rapid.IntRange(0, 3).Draw(t, "shape") {
	case 0:
		return `[1,` + inner + `,"x"]`
	case 1:
		return `{"a":"b","command":` + inner + `,"z":[]}`
	case 2:
		return ` { "content" : ` + inner + ` } `
	default:
		return escapedJSON(t, inner)
	}
}

func escapedJSON(t *rapid.T, text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r < 0x20 || r == '"' || r == '\\' || r < 0x80 && rapid.IntRange(0, 9).Draw(t, "escape") == 0:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func TestAPlantedSecretNeverSurvives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPlanted(t)
		text := anyWords(t) + p.text + anyWords(t)
		out, _, _ := secrets.Text(text)
		if piece := exposes(out, p.secret); piece != "" {
			t.Fatalf("%q is shown as %q with %q", text, out, piece)
		}
		again, _, _ := secrets.Text(out)
		if again != out {
			t.Fatalf("%q becomes %q", out, again)
		}
	})
}

func TestAPlantedSecretNeverSurvivesInJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPlanted(t)
		in := anyJSON(t, anyWords(t)+p.text+anyWords(t), 3)
		limits := secrets.Limits{String: rapid.IntRange(10, 2000).Draw(t, "string"), Depth: rapid.IntRange(1, 5).Draw(t, "depth"), Array: 2, Keys: 2, Bulk: rapid.Bool().Draw(t, "bulk")}
		out, r := secrets.JSON(jsontext.Value(in), limits)
		if piece := exposes(string(out), p.secret); piece != "" {
			t.Fatalf("%s is shown as %s with %q", in, out, piece)
		}
		if again, _ := secrets.JSON(out, limits); string(again) != string(out) {
			t.Fatalf("%s becomes %s (%+v)", out, again, r)
		}
	})
}

// fragments are what texts are made of that are hard to read right.
var fragments = []string{
	"password", "token", "=", ":", " ", "\"", "'", "`", "\\", "\n", "$(", "${", ")", "}", "[", "]", "{", "@", "://", "/", "?", "&", "#", "--", "-----BEGIN ", "PRIVATE KEY-----", "-----END ", "Authorization", "Bearer ",
	"%41", "\\u0041", "\xff", "é", "：", ghp, "hunter2x9", ",", ";", "|", "[redacted: password]", "[cut: 3 characters]", "eyJ", ".", "sk-", "AKIA", "x", "0", "+", "\u200b", "user", "https", "cookie",
}

func TestRedactionOfWhatWasRedactedChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(fragments), 0, 24).Draw(t, "fragments"), "")
		checkText(t, text)
	})
}

type failer interface{ Fatalf(string, ...any) }

// checkText holds what is true of every text.
func checkText(t failer, text string) {
	out, spans, undisclosable := secrets.Text(text)
	if again, _, _ := secrets.Text(out); again != out {
		t.Fatalf("%q is shown as %q and then as %q", text, out, again)
	}
	if undisclosable != (out == secrets.Undisclosable.Marker()) && text != out {
		t.Fatalf("%q is shown as %q, undisclosable %v", text, out, undisclosable)
	}
	if (len(spans) == 0) != (out == text) && !undisclosable {
		t.Fatalf("%q is shown as %q with %v", text, out, spans)
	}
	at := 0
	for _, s := range spans {
		if s.Start < at || s.End <= s.Start || s.End > len(text) {
			t.Fatalf("%q has the places %v", text, spans)
		}
		at = s.End
	}
	if utf8.ValidString(text) && !utf8.ValidString(out) {
		t.Fatalf("%q is shown as %q", text, out)
	}
}

func FuzzText(f *testing.F) {
	for _, s := range fragments {
		f.Add(s)
	}
	f.Add("curl -H \"Authorization: Bearer " + ghp + "\" https://u:p@h/?token=x")
	f.Add(pem)
	f.Fuzz(func(t *testing.T, text string) { checkText(t, text) })
}

func FuzzJSON(f *testing.F) {
	f.Add(`{"a":[1,{"password":"x"}],"content":"y"}`, 3, 2)
	f.Add(`["--token","x"]`, 30, 9)
	f.Fuzz(func(t *testing.T, text string, length, count int) {
		limits := secrets.Limits{String: length % 100, Array: count % 9, Keys: count % 7, Depth: count % 5, Bulk: count%2 == 0}
		out, r := secrets.JSON(jsontext.Value(text), limits)
		if !out.IsValid() {
			t.Fatalf("%q becomes %q", text, out)
		}
		if again, _ := secrets.JSON(out, limits); string(again) != string(out) {
			t.Fatalf("%q is shown as %q and then as %q (%+v)", text, out, again, r)
		}
	})
}

func FuzzPosition(f *testing.F) {
	f.Add("curl", "-u me:x -H a:b")
	f.Add("openssl", "-pass pass:x")
	f.Fuzz(func(t *testing.T, program, line string) {
		args := strings.Split(line, " ")
		for _, p := range secrets.Position(program, args) {
			if p.Argument < 0 || p.Argument >= len(args) || p.Start < 0 || p.Start >= p.End || p.End > len(args[p.Argument]) {
				t.Fatalf("%s %q: %v", program, args, p)
			}
		}
		secrets.Path(line)
		secrets.Name(line)
		secrets.Assigned(program, line)
	})
}
