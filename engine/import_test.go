package engine_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

func TestRecordedSessionsAreImportedVerifiedAndExportedByteForByte(t *testing.T) {
	var log eventstest.Memory
	for name, text := range recordedFiles(t) {
		t.Run(name, func(t *testing.T) {
			done := importText(t, &log, text)
			if done.AlreadyThere || done.Resumed {
				t.Errorf("got %+v for a new session", done)
			}
			verified(t, &log, done.Header.ID)
			got, exported := exportText(t, &log, done.Header.ID, engine.ExportOptions{})
			if !bytes.Equal(got, text) || exported.Upcast || exported.Events != done.Events {
				t.Errorf("the export has %d bytes, the file %d; %+v", len(got), len(text), exported)
			}
			if again := importText(t, &log, text); !again.AlreadyThere || again.Events != done.Events {
				t.Errorf("got %+v for the same file, want that it is already there", again)
			}
			sameLines(t, linesOf(t, &log, done.Header.ID), strings.Split(strings.TrimSpace(string(text)), "\n")[1:])
		})
	}
}

func TestCompressedFilesAreTheSameSession(t *testing.T) {
	s := bigSession(t, "packed", 5)
	plain := text(s.Header, s.Records())
	gz := func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
	zs := func(w io.Writer) io.WriteCloser {
		enc, err := zstd.NewWriter(w)
		if err != nil {
			t.Fatal(err)
		}
		return enc
	}
	for name, packed := range map[string][]byte{
		"gzip":                   pack(t, gz, plain),
		"gzip of two members":    pack(t, gz, plain[:5000], plain[5000:]),
		"zstd":                   pack(t, zs, plain),
		"zstd of three frames":   pack(t, zs, plain[:len(s.Header.Line)+1], plain[len(s.Header.Line)+1:200_000], plain[200_000:]),
		"plain":                  plain,
		"without a last newline": bytes.TrimSuffix(plain, []byte("\n")),
	} {
		t.Run(name, func(t *testing.T) {
			var log eventstest.Memory
			importText(t, &log, packed)
			got, _ := exportText(t, &log, "packed", engine.ExportOptions{})
			if !bytes.Equal(got, plain) {
				t.Errorf("got a session of %d bytes, want %d", len(got), len(plain))
			}
			if again := importText(t, &log, plain); !again.AlreadyThere {
				t.Errorf("got %+v for the plain file, want that it is already there", again)
			}
			for _, c := range []engine.Compression{engine.Gzip, engine.Zstd} {
				packed, _ := exportText(t, &log, "packed", engine.ExportOptions{Compression: c})
				if again := importText(t, &log, packed); !again.AlreadyThere || len(packed) > len(plain)/2 {
					t.Errorf("got %+v for an export as %s of %d bytes, want that it is already there", again, c, len(packed))
				}
			}
		})
	}
}

func pack(t *testing.T, writer func(io.Writer) io.WriteCloser, parts ...[]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, p := range parts {
		w := writer(&out)
		if _, err := w.Write(p); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

const (
	headerLine = `{"type":"session","version":4,"id":"s","createdAt":1,"cwd":"/w","isSeeded":false,"delegationDepth":0}`
	turnLine   = `{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}`
	endLine    = `{"type":"turn/end","seq":1,"time":1,"data":{"turn":1,"reason":{"kind":"completed"}}}`
)

func lines(l ...string) []byte { return []byte(strings.Join(l, "\n") + "\n") }

func TestAFileThatIsNotValidIsRefusedWhole(t *testing.T) {
	long := `{"type":"todo/write","seq":1,"time":1,"data":{"text":"` + strings.Repeat("x", 1000) + `"}}`
	for name, c := range map[string]struct {
		text []byte
		want string
	}{
		"empty":                   {nil, "session.jsonl line 1: the file is empty, it has no header line"},
		"no header":               {lines(turnLine), `session.jsonl line 1: header.createdAt is missing`},
		"another version":         {lines(strings.Replace(headerLine, ":4", ":3", 1)), "session.jsonl line 1: header.version must be 0 or 4, is 3"},
		"an id that is no name":   {lines(strings.Replace(headerLine, `"s"`, `"a/b"`, 1)), "session.jsonl line 1: header.id must be of A-Z, a-z, 0-9, _ and -, has '/'"},
		"unknown type":            {lines(headerLine, turnLine, `{"type":"some/thing","seq":1,"time":1,"data":{}}`), `session.jsonl line 3 (some/thing, seq 1): seq 1 has the unknown type "some/thing", which is not marked ignorable`},
		"gap":                     {lines(headerLine, turnLine, strings.Replace(endLine, `"seq":1`, `"seq":2`, 1)), "session.jsonl line 3 (turn/end, seq 2): seq must be 1, is 2"},
		"rule":                    {lines(headerLine, turnLine, strings.Replace(turnLine, `"seq":0`, `"seq":1`, 1)), "session.jsonl line 3 (turn/start, seq 1): data.turn must not start: turn 1 is still open"},
		"not JSON":                {lines(headerLine, turnLine, "{"), "session.jsonl line 3: value is not strict JSON: it does not parse"},
		"a member twice":          {lines(headerLine, `{"type":"turn/start","seq":0,"time":1,"time":2,"data":{"turn":1}}`), `session.jsonl line 2 (turn/start, seq 0): time is not strict JSON: duplicate object member name`},
		"carriage return":         {lines(headerLine, turnLine+"\r", endLine), "session.jsonl line 2: the line ends in a carriage return: the file was converted and is not what was stored"},
		"carriage return, header": {lines(headerLine+"\r", turnLine), "session.jsonl line 1: the line ends in a carriage return: the file was converted and is not what was stored"},
		"blank line":              {lines(headerLine, turnLine, "", endLine), "session.jsonl line 3: the line is blank"},
		"blank last line":         {lines(headerLine, turnLine, endLine, " "), "session.jsonl line 4: the line is blank"},
		"too long":                {lines(headerLine, turnLine, long), "session.jsonl line 3: the line and its newline are more than 500 bytes: append is too large"},
		"too long, no newline":    {[]byte(headerLine + "\n" + strings.Repeat("x", 2<<20)), "session.jsonl line 2: the line and its newline are more than 500 bytes: append is too large"},
		"seeded without an end":   {lines(strings.Replace(headerLine, "false", "true", 1), turnLine), "session.jsonl (seq 1): the header says that the log is seeded, but no session/end-seed with inherited ends the inherited events"},
		"cut gzip":                {pack(t, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, lines(headerLine, turnLine))[:60], "session.jsonl line 1: read: unexpected EOF"},
		"gzip that is none":       {[]byte{0x1f, 0x8b, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "session.jsonl: gzip: gzip: invalid header"},
		"more than may be packed": {pack(t, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, lines(headerLine, turnLine, endLine), bytes.Repeat([]byte("x"), 5000)), "session.jsonl line 4: read: the file unpacks to more than 4000 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			var log eventstest.Memory
			_, err := engine.Import(t.Context(), &log, engine.ImportRequest{File: file(c.text), Actor: human, Limits: engine.Limits{Line: 500, Text: 4000}})
			if _, ok := errors.AsType[*engine.ImportError](err); !ok || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
			for id := range log.Sessions(t.Context()) {
				t.Errorf("session %s is stored", id)
			}
		})
	}
}

func TestAnotherFileOfThatSessionIsRefused(t *testing.T) {
	stored := lines(headerLine, turnLine, endLine)
	turn2 := `{"type":"turn/start","seq":2,"time":1,"data":{"turn":2}}`
	for name, c := range map[string]struct {
		text []byte
		seq  events.Seq
		how  string
	}{
		"header":  {lines(strings.Replace(headerLine, "/w", "/v", 1), turnLine, endLine), -1, "its header is "},
		"event":   {lines(headerLine, turnLine, strings.Replace(endLine, `"time":1`, `"time":2`, 1)), 1, "seq 1 is a turn/end of 84 bytes, time 1 here and a turn/end of 84 bytes, time 2 there"},
		"longer":  {lines(headerLine, turnLine, endLine, turn2), 2, "it ends at seq 2, where the file goes on to 3"},
		"spacing": {lines(headerLine, turnLine, endLine+" "), 1, "seq 1 is a turn/end of 84 bytes, time 1 here and a turn/end of 85 bytes, time 1 there"},
	} {
		t.Run(name, func(t *testing.T) {
			var log eventstest.Memory
			importText(t, &log, stored)
			before := linesOf(t, &log, "s")
			_, err := engine.Import(t.Context(), &log, engine.ImportRequest{File: file(c.text), Actor: human})
			differs, ok := errors.AsType[*engine.DiffersError](err)
			if !ok || !errors.Is(err, events.ErrExists) || differs.Seq != c.seq || !strings.HasPrefix(differs.How, c.how) {
				t.Errorf("got %v, want a difference at seq %d: %s", err, c.seq, c.how)
			}
			sameLines(t, linesOf(t, &log, "s"), before)
		})
	}
}

func TestASessionThatWentOnIsAlreadyThere(t *testing.T) {
	var log eventstest.Memory
	stored := lines(headerLine, turnLine, endLine)
	importText(t, &log, stored)
	s, err := engine.Load(t.Context(), &log, "s")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), "next", human, 5, events.TurnStart{Turn: 2}); err != nil {
		t.Fatal(err)
	}
	if again := importText(t, &log, stored); !again.AlreadyThere || again.Events != 2 {
		t.Errorf("got %+v for what the session began with, want that it is already there", again)
	}
	whole, _ := exportText(t, &log, "s", engine.ExportOptions{})
	if again := importText(t, &log, whole); !again.AlreadyThere || again.Events != 3 {
		t.Errorf("got %+v for the export of the session, want that it is already there", again)
	}
}

func TestASessionThatWasMadeHereIsAlreadyThere(t *testing.T) {
	var log eventstest.Memory
	s := bigSession(t, "native", 3)
	create(t, &log, s.Header, s.Records()...)
	if got := importText(t, &log, text(s.Header, s.Records())); !got.AlreadyThere {
		t.Errorf("got %+v, want that it is already there", got)
	}
	if got := importText(t, &log, text(s.Header, s.Records()[:2])); !got.AlreadyThere {
		t.Errorf("got %+v for its beginning, want that it is already there", got)
	}
}

func TestALineOfTheLargestSizeIsImported(t *testing.T) {
	var log eventstest.Memory
	title := func(n int) string {
		l := `{"type":"session/title","seq":0,"time":1,"data":{"title":""}}`
		return strings.Replace(l, `""`, `"`+strings.Repeat("x", n-len(l))+`"`, 1)
	}
	const largest = 960<<10 - len("\n")
	importText(t, &log, lines(headerLine, title(largest)))
	verified(t, &log, "s")
	if _, err := engine.Import(t.Context(), &log, engine.ImportRequest{File: file(lines(headerLine, title(largest+1)))}); !errors.Is(err, events.ErrTooLarge) {
		t.Errorf("got %v, want that the line is too large", err)
	}
}

func TestAFileWithAHeaderAloneIsAnEmptySession(t *testing.T) {
	var log eventstest.Memory
	for range 2 {
		if got := importText(t, &log, lines(headerLine)); got.Events != 0 {
			t.Errorf("got %+v", got)
		}
	}
	verified(t, &log, "s")
}

// TestAnImportThatWasCutShortIsFinishedByTheSameImport cuts it behind each of
// its appends, with the last one stored or not, with the seed in memory or read
// again.
func TestAnImportThatWasCutShortIsFinishedByTheSameImport(t *testing.T) {
	s := bigSession(t, "cut", 7)
	whole := text(s.Header, s.Records())
	for _, c := range []struct {
		kept int
		lost bool
	}{{}, {lost: true}, {kept: 1}, {kept: 300_000, lost: true}} {
		for n := range 5 {
			t.Run(fmt.Sprintf("kept %d, lost %t, %d appends", c.kept, c.lost, n), func(t *testing.T) {
				var memory eventstest.Memory
				req := engine.ImportRequest{File: file(whole), Actor: human, Limits: engine.Limits{Kept: c.kept}}
				_, err := engine.Import(t.Context(), &cutLog{Log: &memory, n: n, lost: c.lost}, req)
				finished := n == 4 || n == 3 && c.lost
				if (err == nil) != (n == 4) || err != nil && !errors.Is(err, errCut) {
					t.Fatalf("got %v behind %d appends", err, n)
				}
				if _, err := engine.Load(t.Context(), &memory, "cut"); errors.Is(err, events.ErrSeedIncomplete) == finished {
					t.Errorf("load: got %v", err)
				}
				done, err := engine.Import(t.Context(), &memory, req)
				if err != nil || done.AlreadyThere != finished || done.Resumed == finished {
					t.Fatalf("got %+v, %v", done, err)
				}
				got, _ := exportText(t, &memory, "cut", engine.ExportOptions{})
				if !bytes.Equal(got, whole) {
					t.Error("the session is not that of the file")
				}
				verified(t, &memory, "cut")
			})
		}
	}
}

func TestAnotherFileDoesNotFinishAnImport(t *testing.T) {
	s := bigSession(t, "cut", 7)
	for name, c := range map[string]struct {
		other []byte
		seq   events.Seq
	}{
		"shorter":       {text(s.Header, s.Records()[:6]), -1},
		"another event": {bytes.Replace(text(s.Header, s.Records()), []byte("text text"), []byte("text-text"), 1), 2},
	} {
		t.Run(name, func(t *testing.T) {
			var memory eventstest.Memory
			whole := engine.ImportRequest{File: file(text(s.Header, s.Records())), Actor: human}
			if _, err := engine.Import(t.Context(), &cutLog{Log: &memory, n: 2}, whole); !errors.Is(err, errCut) {
				t.Fatal(err)
			}
			_, err := engine.Import(t.Context(), &memory, engine.ImportRequest{File: file(c.other), Actor: human})
			differs, ok := errors.AsType[*engine.DiffersError](err)
			if !ok || differs.Seq != c.seq {
				t.Errorf("got %v, want a difference at seq %d", err, c.seq)
			}
			if _, err := engine.Import(t.Context(), &memory, whole); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAFileThatChangesWhileItIsImportedIsNoticed(t *testing.T) {
	s := bigSession(t, "s", 7)
	first := text(s.Header, s.Records())
	for name, second := range map[string][]byte{
		"another event": append(bytes.Clone(first[:len(first)-200_000]), bytes.Replace(first[len(first)-200_000:], []byte("text text"), []byte("text-text"), 1)...),
		"shorter":       text(s.Header, s.Records()[:6]),
	} {
		t.Run(name, func(t *testing.T) {
			opened := 0
			changing := engine.File{Name: "f", Open: func() (io.ReadCloser, error) {
				if opened++; opened == 1 {
					return io.NopCloser(bytes.NewReader(first)), nil
				}
				return io.NopCloser(bytes.NewReader(second)), nil
			}}
			var log eventstest.Memory
			_, err := engine.Import(t.Context(), &log, engine.ImportRequest{File: changing, Actor: human, Limits: engine.Limits{Kept: 1}})
			if err == nil || !strings.Contains(err.Error(), "it has changed in between") {
				t.Errorf("got %v, want that the file has changed", err)
			}
			if _, err := engine.Load(t.Context(), &log, "s"); !errors.Is(err, events.ErrSeedIncomplete) {
				t.Errorf("got %v, want an incomplete seed", err)
			}
		})
	}
}

func TestImportedLogsAreTheValidOnes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := eventstest.Valid(rt)
		var log eventstest.Memory
		done := importText(rt, &log, text(s.Header, s.Records()))
		if done.Events != s.Next() {
			rt.Fatalf("got %d events, want %d", done.Events, s.Next())
		}
		eventstest.Check(t, &log, s.Header.ID)
		got, _ := exportText(rt, &log, s.Header.ID, engine.ExportOptions{})
		if !bytes.Equal(got, text(s.Header, s.Records())) {
			rt.Fatal("the export is not the file")
		}
	})
}

func TestImportTellsHowFarItIs(t *testing.T) {
	s := bigSession(t, "s", 7)
	whole := text(s.Header, s.Records())
	var last engine.Progress
	stages := map[engine.Stage]int64{}
	var log eventstest.Memory
	_, err := engine.Import(t.Context(), &log, engine.ImportRequest{File: file(whole), Actor: human, Observer: func(p engine.Progress) {
		if p.Stage == last.Stage && p.Done < last.Done {
			t.Errorf("%v is behind %v", p, last)
		}
		last = p
		stages[p.Stage] = p.Done - p.Total
	}})
	if err != nil || len(stages) != 2 || stages[engine.StageCheck] != 0 || stages[engine.StageStore] != 0 {
		t.Errorf("got %v, %v, want that both stages are whole", stages, err)
	}
}
