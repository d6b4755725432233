package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
	"unicode/utf16"
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

func (a *app) printJSON(result any) error { return printed(writeJSON(a.stdout, result)) }

// writeJSON writes a value on a line of its own.
func writeJSON(w io.Writer, value any) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(visibleJSON(text.Bytes()))
	return err
}

// visibleJSON writes what a terminal would act on, or hide, as an escape of JSON: the
// value stays what it is. Outside of strings JSON has none of it.
func visibleJSON(text []byte) []byte {
	if bytes.IndexFunc(text, unseen) < 0 {
		return text
	}
	var b bytes.Buffer
	for _, r := range string(text) {
		switch {
		case !unseen(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, "\\u%04x\\u%04x", high, low)
		default:
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.Bytes()
}

// unseen reports whether a character is a control, changes the direction of others, or
// has no width. The line breaks of JSON's own layout are seen.
func unseen(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp))
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
		case unseen(r):
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
