package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
)

// printer writes for people. It keeps the first error, so that a full disk or a
// closed pipe is not taken for success.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// table writes rows in columns; the first row is the head.
func (p *printer) table(rows [][]string) {
	var text strings.Builder // takes everything
	t := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	_ = t.Flush()
	for line := range strings.Lines(text.String()) {
		p.line("%s", strings.TrimRight(line, " \n"))
	}
}

// print gives a result as JSON for scripts, or as text for people.
func (a *app) print(result any, text func(*printer)) error {
	if a.json {
		return a.printJSON(result)
	}
	p := printer{w: a.stdout}
	text(&p)
	return printed(p.err)
}

func (a *app) printJSON(result any) error {
	enc := json.NewEncoder(a.stdout)
	enc.SetEscapeHTML(false)
	return printed(enc.Encode(result))
}

func printed(err error) error {
	if err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return nil
}

// utc is a time for scripts.
func utc(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func utcMs(ms int64) string { return utc(time.UnixMilli(ms)) }

// local is a time for people.
func local(ms int64) string { return time.UnixMilli(ms).Local().Format("2006-01-02 15:04:05") }

// plain makes foreign text safe for one line of a terminal, and short: control,
// bidirectional and zero-width characters are shown, not sent.
func plain(s string, limit int) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n == limit {
			b.WriteRune('…')
			break
		}
		n++
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			b.WriteRune(' ')
		case unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp):
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// printable is plain for a message of ours, whole and with its lines, since what it
// quotes may be foreign.
func printable(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = plain(line, -1)
	}
	return strings.Join(lines, "\n")
}
