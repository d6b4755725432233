package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestForeignTextIsSafeForATerminal(t *testing.T) {
	tests := map[string]struct {
		text  string
		limit int
		want  string
	}{
		"plain":           {"héllo, 世界", 20, "héllo, 世界"},
		"lines":           {"a\nb\tc\r\nd", 20, "a b c  d"},
		"escape":          {"\x1b[2J\x1b]0;title\x07", -1, `\u001b[2J\u001b]0;title\u0007`},
		"c1":              {"a\u009b2Jb", -1, `a\u009b2Jb`},
		"delete":          {"a\x7fb\x00", -1, `a\u007fb\u0000`},
		"bidi":            {"a\u202eb\u2066c\u200fd", -1, `a\u202eb\u2066c\u200fd`},
		"zero width":      {"a\u200bb\u200dc\ufeffd\u00ade", -1, `a\u200bb\u200dc\ufeffd\u00ade`},
		"line separators": {"a\u2028b\u2029c", -1, `a\u2028b\u2029c`},
		"tags":            {"a\U000e0041b", -1, `a\ue0041b`},
		"invalid":         {"a\xffb", -1, "a\ufffdb"},
		"cut":             {"abcdef", 3, "abc…"},
		"not cut":         {"abc", 3, "abc"},
		"cut by runes":    {"世界世界", 2, "世界…"},
		"no limit":        {strings.Repeat("x", 500), -1, strings.Repeat("x", 500)},
		"empty":           {"", 5, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := plain(tt.text, tt.limit); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestMessagesKeepTheirLines(t *testing.T) {
	if got, want := printable("one\x1b\ntwo\u202e\n"), "one\\u001b\ntwo\\u202e\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTablesHaveNothingBehindTheirLastColumn(t *testing.T) {
	var out bytes.Buffer
	p := printer{w: &out}
	p.table([][]string{{"SEQ", "TYPE", ""}, {"0", "turn/start", "turn 1"}, {"10", "x", ""}})
	if got, want := out.String(), "SEQ  TYPE\n0    turn/start  turn 1\n10   x\n"; got != want {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}

func TestPrinterKeepsTheFirstError(t *testing.T) {
	p := printer{w: brokenPipe{}}
	p.line("one")
	p.table([][]string{{"a"}})
	p.line("two")
	if !errors.Is(p.err, errBrokenPipe) {
		t.Errorf("got %v, want the write's error", p.err)
	}
}

func TestTimesAreInUTCForScripts(t *testing.T) {
	at := time.Date(2026, 5, 4, 1, 2, 3, 4_000_000, time.FixedZone("", 9*60*60))
	if got, want := utc(at), "2026-05-03T16:02:03.004Z"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := utcMs(at.UnixMilli()), "2026-05-03T16:02:03.004Z"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNumbersAreWholeFromZero(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "7": 7, "9007199254740991": 1<<53 - 1} {
		var n number
		if err := n.Set(text); err != nil || n.n != want || !n.given {
			t.Errorf("%s: got %+v, %v", text, n, err)
		}
	}
	for _, text := range []string{"", "-1", "1.5", "x", "1e3", "99999999999999999999"} {
		n := number{n: 3}
		if err := n.Set(text); err == nil || n.given || n.n != 3 {
			t.Errorf("%q: got %+v and no error", text, n)
		}
	}
	if got := (&number{n: 10}).String(); got != "10" {
		t.Errorf("got the default %q, want 10", got)
	}
	if got := (&number{}).String(); got != "" {
		t.Errorf("got the default %q, want none", got)
	}
}

// What a terminal would act on, or not show, is an escape of JSON, and the value stays
// what it is.
func TestJSONShowsWhatATerminalWouldActOn(t *testing.T) {
	for text, want := range map[string]string{
		"plain é 语": `"plain é 语"`, "\x1b[2J": `"\u001b[2J"`, "\u009b2J": `"\u009b2J"`, "a\u202eb": `"a\u202eb"`, "a\u200bb": `"a\u200bb"`,
		"\u2066x\u2069": `"\u2066x\u2069"`, "\x7f": `"\u007f"`, "\U000e0041": `"\udb40\udc41"`, "<&>": `"<&>"`, "a\u2028b": `"a\u2028b"`,
	} {
		var b bytes.Buffer
		if err := writeJSON(&b, text); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSuffix(b.String(), "\n"); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
		var back string
		if err := json.Unmarshal(b.Bytes(), &back); err != nil || back != text {
			t.Errorf("%q is read back as %q, %v", text, back, err)
		}
	}
}
