package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/presets"
)

// TestDecide runs testdata/decide: given a log, when this command, then these
// events or that refusal.
//
//	given name=NAME               the beginning of a log, for what follows in the file
//	decide [from=NAME] [child] [imported]
//
// Under both stand the lines of a log: an event as its type, its data and marks
// ("replaces FIRST..LAST", "cites SEQ,SEQ", "ignorable"), or "do" and a command.
// Under decide come the commands that are tried, each with "> " and each on a log
// of its own. A command is its name and its members as JSON. With child the
// session is a child by its header; with imported its events were imported.
// LONG(n) in a line stands for n letters, HASH for the hash of the question that
// is asked first.
//
// Each command is done by an engine, so that what is decided is also held against
// the rules of the log; and a refusal leaves the log byte for byte what it was.
func TestDecide(t *testing.T) {
	datadriven.Walk(t, filepath.Join("testdata", "decide"), func(t *testing.T, path string) {
		given := map[string]string{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			before := ""
			if d.HasArg("from") {
				var name string
				d.ScanArgs(t, "from", &name)
				before = given[name]
			}
			if d.Cmd == "given" {
				var name string
				d.ScanArgs(t, "name", &name)
				given[name] = before + d.Input + "\n"
				story{t: t}.begin(given[name], d)
				return "ok"
			}
			var log, out strings.Builder
			for line := range strings.SplitSeq(d.Input, "\n") {
				if tried, ok := strings.CutPrefix(line, "> "); ok {
					out.WriteString(story{t: t}.begin(before+log.String(), d).try(tried))
				} else {
					log.WriteString(line + "\n")
				}
			}
			return out.String()
		})
	})
}

// story is one log and the engine that works on it.
type story struct {
	t *testing.T
	w *workshop
}

func (st story) begin(log string, d *datadriven.TestData) story {
	st.t.Helper()
	lines := strings.Split(strings.TrimSpace(log), "\n")
	h := eventstest.Header(st.t, "work", func(h *events.Header) {
		if d.HasArg("child") {
			h.Origin, h.ParentSession, h.DelegationDepth = events.OriginSubagent, "parent", new(int64(1))
		}
	})
	created := events.Creation{ID: "create", Header: h}
	if d.HasArg("imported") {
		created.Seed = events.Seed{Kind: events.SeedImport, Next: imported(lines)}
	}
	m := &eventstest.Memory{}
	if err := m.Create(st.t.Context(), created); err != nil {
		st.t.Fatal(err)
	}
	st.w = &workshop{log: m, id: h.ID}
	var err error
	if st.w.engine, err = engine.New(engine.Config{Log: m}); err != nil {
		st.t.Fatal(err)
	}
	for _, line := range lines {
		st.line(line, d.HasArg("imported"))
	}
	return st
}

// imported is how many lines of an imported history are the import's: what an engine
// did came behind it.
func imported(lines []string) (n events.Seq) {
	for _, line := range lines {
		if !strings.HasPrefix(line, "do ") {
			n++
		}
	}
	return n
}

// line puts one line of a history on the log.
func (st story) line(text string, seeding bool) {
	st.t.Helper()
	if text == "" || strings.HasPrefix(text, "#") {
		return
	}
	if c, ok := strings.CutPrefix(text, "do "); ok {
		st.w.do(st.t, st.command(c))
		return
	}
	o, err := st.w.log.Open(st.t.Context(), st.w.id)
	if err != nil {
		st.t.Fatal(err)
	}
	r := eventstest.Line(st.t, events.Format4, storedLine(st.t, o.Head.Next, st.expand(text)))
	if _, err := r.Decode(); err != nil {
		st.t.Fatalf("%s: %v", text, err)
	}
	st.w.n++
	a := events.Append{ID: events.AppendID(fmt.Sprint("given-", st.w.n)), Next: o.Head.Next, Records: []events.Record{r}, Seeding: seeding}
	if _, err := st.w.log.Append(st.t.Context(), st.w.id, a); err != nil {
		st.t.Fatalf("%s: %v", text, err)
	}
}

// storedLine writes an event of a history as its stored line.
func storedLine(t *testing.T, seq events.Seq, line string) string {
	t.Helper()
	name, rest, _ := strings.Cut(line, " ")
	end := strings.LastIndex(rest, "}")
	if end < 0 {
		t.Fatalf("no data in %q", line)
	}
	marks := ""
	op := `"append"`
	for words := strings.Fields(rest[end+1:]); len(words) > 0; words = words[1:] {
		switch words[0] {
		case "ignorable":
			marks += `,"ignorable":true`
			continue
		case "replaces":
			first, last, _ := strings.Cut(words[1], "..")
			op = fmt.Sprintf(`{"op":"replace","startSeq":%s,"endSeq":%s}`, first, last)
		case "cites":
			marks += fmt.Sprintf(`,"sourceEventSeqs":[%s]`, words[1])
		default:
			t.Fatalf("no mark %q", words[0])
		}
		words = words[1:]
	}
	if events.Type(name).Surface() {
		marks = `,"surfaceOp":` + op + marks
	}
	return fmt.Sprintf(`{"type":%q,"seq":%d,"time":%d,"data":%s%s}`, name, seq, 1000*(seq+1), rest[:end+1], marks)
}

// try does a command and tells what came of it.
func (st story) try(text string) string {
	st.t.Helper()
	before := st.w.lines(st.t)
	head := "> " + text + "\n"
	done, err := st.w.engine.Do(context.Background(), st.w.id, st.command(text), st.w.meta())
	switch refusal, refused := errors.AsType[*events.Refusal](err); {
	case refused:
		if diff := cmp.Diff(before, st.w.lines(st.t)); diff != "" {
			st.t.Errorf("%s: a refused command changed the log:\n%s", text, diff)
		}
		return fmt.Sprintf("%srefused %s, field %q: %s\n", head, refusal.Code, refusal.Field, refusal.Text)
	case err != nil:
		return fmt.Sprintf("%serror: %v\n", head, err)
	case len(done.Events) == 0:
		return head + "nothing\n"
	}
	eventstest.Check(st.t, st.w.log, st.w.id)
	return head + told(done.Events)
}

var (
	manyLetters = regexp.MustCompile("(x{20})x{200,}")
	long        = regexp.MustCompile(`LONG\((\d+)\)`)
)

func told(es []events.Envelope) string {
	var out strings.Builder
	for _, e := range es {
		fmt.Fprintf(&out, "%d %s %s", e.Seq, e.Type(), manyLetters.ReplaceAll(e.Data, []byte("$1…")))
		if first, last, ok := e.Surface.Replace(); ok {
			fmt.Fprintf(&out, " replaces %d..%d", first, last)
		}
		if e.Sources != nil {
			fmt.Fprintf(&out, " cites %v", e.Sources)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// expand writes out what stands for something else.
func (st story) expand(text string) string {
	text = long.ReplaceAllStringFunc(text, func(long string) string {
		var n int
		if _, err := fmt.Sscanf(long, "LONG(%d)", &n); err != nil {
			st.t.Fatal(err)
		}
		return strings.Repeat("x", n)
	})
	if !strings.Contains(text, "HASH") {
		return text
	}
	for _, e := range eventstest.Check(st.t, st.w.log, st.w.id) {
		if asked, ok := e.Event.(events.ApprovalAsked); ok {
			return strings.ReplaceAll(text, "HASH", asked.Shown.Hash)
		}
	}
	st.t.Fatalf("no question is asked for %s", text)
	return ""
}

func (st story) command(text string) engine.Command {
	st.t.Helper()
	name, members, _ := strings.Cut(st.expand(text), " ")
	c, err := parsers()[name](st.t, []byte(members))
	if err != nil {
		st.t.Fatalf("%s: %v", text, err)
	}
	if f, ok := c.(engine.FinishCompaction); ok { // it is given what it replaces
		f.Messages = eventstest.Check(st.t, st.w.log, st.w.id)
		return f
	}
	return c
}

type parser func(t *testing.T, members []byte) (engine.Command, error)

// parse reads a command's members; upper and lower case are the same.
func parse[C engine.Command](_ *testing.T, members []byte) (engine.Command, error) {
	var c C
	err := json.Unmarshal(members, &c, json.MatchCaseInsensitiveNames(true), jsontext.AllowInvalidUTF8(true))
	return c, err
}

// parsers are the commands by their names. Those of presets get a catalogue with
// the integration auto, which is not admitted where the line says closing.
func parsers() map[string]parser {
	return map[string]parser{
		"StartTurn": parse[engine.StartTurn], "EndTurn": parse[engine.EndTurn], "StartStep": parse[engine.StartStep], "EndStep": parse[engine.EndStep],
		"EndSession": parse[engine.EndSession], "Restart": parse[engine.Restart],
		"UserMessage": parse[engine.UserMessage], "ContextMessage": parse[engine.ContextMessage], "SystemMessage": parse[engine.SystemMessage],
		"AssistantMessage": parse[engine.AssistantMessage], "FailedAttempt": parse[engine.FailedAttempt], "SetRequest": parse[engine.SetRequest],
		"StartCall": parse[engine.StartCall], "Dispatch": parse[engine.Dispatch], "RecordVerdict": parse[engine.RecordVerdict], "SettleCall": parse[engine.SettleCall],
		"StartInner": parse[engine.StartInner], "SettleInner": parse[engine.SettleInner],
		"SetTier": parse[engine.SetTier], "AllowRoute": parse[engine.AllowRoute], "SetPolicy": parse[engine.SetPolicy], "AskApproval": parse[engine.AskApproval],
		"AnswerApprovals": parse[engine.AnswerApprovals], "ConcludeApproval": parse[engine.ConcludeApproval], "IssueGrant": parse[engine.IssueGrant],
		"StartCompaction": parse[engine.StartCompaction], "FinishCompaction": parse[engine.FinishCompaction], "FailCompaction": parse[engine.FailCompaction],
		"PruneResult": parse[engine.PruneResult], "AdoptSession": parse[engine.AdoptSession], "SetMembers": parse[engine.SetMembers],
		"Publish": func(t *testing.T, members []byte) (engine.Command, error) {
			var c struct {
				UserDefault string
				With        bool // the integration
				Closing     bool
			}
			err := json.Unmarshal(members, &c, json.MatchCaseInsensitiveNames(true))
			return engine.Publish{Catalogue: storyCatalogue(t, c.With), UserDefault: c.UserDefault, Admit: admitUnless(c.Closing)}, err
		},
		"SetPreset": func(t *testing.T, members []byte) (engine.Command, error) {
			var c struct {
				Preset        string
				With, Closing bool
			}
			err := json.Unmarshal(members, &c, json.MatchCaseInsensitiveNames(true))
			return engine.SetPreset{Catalogue: storyCatalogue(t, c.With), Preset: c.Preset, Admit: admitUnless(c.Closing)}, err
		},
	}
}

func storyCatalogue(t *testing.T, integration bool) presets.Catalogue {
	t.Helper()
	if integration {
		return baseCatalogue(t, presets.AutoIntegration().Presets...)
	}
	return baseCatalogue(t)
}

func admitUnless(closing bool) presets.Admit {
	return func(presets.Preset) error {
		if closing {
			return events.Refuse(presets.CodeClosing, "preset", "the integration is being removed")
		}
		return nil
	}
}

// TestEveryCommandHasHistories finds a command without a history in which it is
// refused and one in which it is not.
func TestEveryCommandHasHistories(t *testing.T) {
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var histories strings.Builder
	files, err := filepath.Glob(filepath.Join("testdata", "decide", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		histories.Write(text)
	}
	decides := regexp.MustCompile(`(?m)^func \((?:c )?([A-Z]\w+)\) decide\(`)
	for _, f := range sources {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range decides.FindAllStringSubmatch(string(text), -1) {
			for what, then := range map[string]string{"refused": "refused ", "allowed": `(\d|nothing)`} {
				if m[1] == "Restart" && what == "refused" {
					continue // whatever a log is like, it can be taken up
				}
				if !regexp.MustCompile(`(?m)^> ` + m[1] + ` .*\n` + then).MatchString(histories.String()) {
					t.Errorf("%s is never %s in testdata/decide", m[1], what)
				}
			}
		}
	}
}
