package frame_test

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/events/frame"
)

const subject = "session.0.0.s1"

func key() ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
}

func trusted(tb testing.TB) frame.Trusted {
	tb.Helper()
	t, err := frame.NewTrusted(key().Public().(ed25519.PublicKey))
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// message is a frame as a store would give it.
type message struct {
	subject string
	headers map[string][]string
	body    []byte
}

func (m message) clone() message {
	headers := map[string][]string{}
	for name, values := range m.headers {
		headers[name] = slices.Clone(values)
	}
	return message{m.subject, headers, bytes.Clone(m.body)}
}

// written is a frame as the engine would store it.
func written(f frame.Frame) message {
	fields := f.AppendFields(nil)
	sig := ed25519.Sign(key(), frame.AppendSigned(nil, subject, f.MsgID, fields))
	m := message{subject, map[string][]string{
		frame.HeaderMsgID: {f.MsgID}, frame.HeaderSig: {frame.Signature(frame.KeyID(key().Public().(ed25519.PublicKey)), sig)},
	}, f.Body}
	for _, field := range fields {
		m.headers[field.Name] = []string{field.Value}
	}
	return m
}

// log is a session's header frame and two frames of records.
func log(tb testing.TB) []message {
	tb.Helper()
	header := eventstest.Header(tb, "s1", nil)
	first := frame.NewHeader(events.Creation{ID: "c", Actor: events.Actor{Class: "human", Name: "ann/b c"}, Header: header})
	first.Trust = "same-user"
	at := first.Position()
	out := []message{written(first)}
	for i, id := range []events.AppendID{"a", "b"} {
		records := eventstest.Records(tb, eventstest.Envelope(tb, events.Seq(2*i), events.PermissionPreset{Preset: "x"}),
			eventstest.Envelope(tb, events.Seq(2*i+1), events.PermissionPreset{Preset: "y"}))
		f := frame.New(at, "s1", events.Append{ID: id, Next: at.Next, Actor: events.Actor{Class: "engine", Name: "e"}, Records: records})
		if f.Index == 1 {
			f.HeaderHash = frame.HashLine(header.Line)
		}
		f.Trust = "same-user"
		out, at = append(out, written(f)), f.Position()
	}
	return out
}

// read takes messages for a log, as everybody who reads one does.
func read(t frame.Trusted, messages []message) (out []events.Record, err error) {
	at, header := frame.Start(), events.Header{}
	for _, m := range messages {
		f, err := frame.Parse(m.headers, m.body)
		if err == nil {
			err = t.CheckFrame(m.subject, m.headers)
		}
		if err != nil {
			return out, err
		}
		if at.Index < 0 {
			if header, err = f.SessionHeader(); err != nil {
				return out, err
			}
			at = f.Position()
			continue
		}
		records, err := f.Follow(at)
		if err == nil {
			err = f.Behind(header.Line)
		}
		if err != nil {
			return out, err
		}
		out, at = append(out, records...), f.Position()
	}
	return out, nil
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	records, err := read(trusted(t), log(t))
	if err != nil || len(records) != 4 || records[3].Append != "b" {
		t.Fatalf("got %d records, %v", len(records), err)
	}
	f, err := frame.Parse(log(t)[0].headers, nil)
	if want := (events.Actor{Class: "human", Name: "ann/b c"}); err != nil || f.Actor != want || f.Trust != "same-user" {
		t.Errorf("got %v, trust %q, %v, want %v", f.Actor, f.Trust, err, want)
	}
}

func TestAMessageThatIsNotAsItWasSignedIsRefused(t *testing.T) {
	for name, change := range map[string]func(m *message){
		"a header split in two":          func(m *message) { m.headers[frame.HeaderTrust] = []string{"same", "-user"} },
		"a header split off nothing":     func(m *message) { m.headers[frame.HeaderTrust] = []string{"same-user", ""} },
		"a header twice":                 func(m *message) { m.headers[frame.HeaderTrust] = []string{"same-user", "same-user"} },
		"a header without a value":       func(m *message) { m.headers[frame.HeaderTrust] = nil },
		"a header taken out":             func(m *message) { delete(m.headers, frame.HeaderTrust) },
		"a header in other cases beside": func(m *message) { m.headers["docket-trust"] = []string{"separate"} },
		"a header in other cases": func(m *message) {
			m.headers["DOCKET-TRUST"] = m.headers[frame.HeaderTrust]
			delete(m.headers, frame.HeaderTrust)
		},
		"a message id in other cases":      func(m *message) { m.headers["nats-msg-id"] = []string{"s1/0/z"} },
		"a header nobody signed":           func(m *message) { m.headers["Docket-More"] = []string{"x"} },
		"the message id twice":             func(m *message) { m.headers[frame.HeaderMsgID] = []string{"s1/0/a", "s1/0/a"} },
		"another message id":               func(m *message) { m.headers[frame.HeaderMsgID] = []string{"s1/0/z"} },
		"two signatures":                   func(m *message) { m.headers[frame.HeaderSig] = append(m.headers[frame.HeaderSig], "x y") },
		"no signature":                     func(m *message) { delete(m.headers, frame.HeaderSig) },
		"a signature with bits behind":     func(m *message) { m.headers[frame.HeaderSig][0] = behind(m.headers[frame.HeaderSig][0]) },
		"another subject":                  func(m *message) { m.subject = "session.0.0.s2" },
		"a number in another spelling":     func(m *message) { m.headers[frame.HeaderCount] = []string{"02"} },
		"a number with a sign":             func(m *message) { m.headers[frame.HeaderSeq] = []string{"+0"} },
		"another body":                     func(m *message) { m.body = bytes.Replace(m.body, []byte(`"x"`), []byte(`"z"`), 1) },
		"a body with a line more":          func(m *message) { m.body = append(m.body, "\n{}"...) },
		"a body cut off":                   func(m *message) { m.body = m.body[:bytes.IndexByte(m.body, '\n')] },
		"another list of types":            func(m *message) { m.headers[frame.HeaderTypes] = []string{"x"} },
		"a value that flows into the next": func(m *message) { m.headers[frame.HeaderTypes][0] += "\nDocket-Z: 1" },
	} {
		t.Run(name, func(t *testing.T) {
			all := log(t)
			m := all[1].clone()
			change(&m)
			all[1] = m
			if records, err := read(trusted(t), all); err == nil {
				t.Errorf("got %d records, want an error", len(records))
			}
		})
	}
}

// behind sets bits of a base64 text that no byte comes of.
func behind(signature string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	last := len(signature) - 1
	at := strings.IndexByte(alphabet, signature[last])
	return signature[:last] + string(alphabet[at^1])
}

func TestFramesAreReadInTheirOrderOrNotAtAll(t *testing.T) {
	whole := log(t)
	for name, order := range map[string][]int{"one left out": {0, 2}, "two exchanged": {0, 2, 1}, "one twice": {0, 1, 1, 2}, "no header": {1, 2}, "the header twice": {0, 0, 1}} {
		var all []message
		for _, i := range order {
			all = append(all, whole[i])
		}
		if records, err := read(trusted(t), all); err == nil {
			t.Errorf("%s: got %d records, want an error", name, len(records))
		}
	}
}

func TestRecordsBehindAnotherHeaderAreRefused(t *testing.T) {
	other := eventstest.Header(t, "s1", nil)
	other.CWD = "/elsewhere"
	other, err := events.NewHeader(other)
	if err != nil {
		t.Fatal(err)
	}
	all := log(t)
	first := frame.NewHeader(events.Creation{ID: "c", Actor: events.Actor{Class: "human", Name: "ann"}, Header: other})
	all[0] = written(first)
	if _, err := read(trusted(t), all); !errors.Is(err, frame.ErrOtherHeader) {
		t.Errorf("got %v, want %v", err, frame.ErrOtherHeader)
	}
}

func TestSignaturesOfOthersAreToldApart(t *testing.T) {
	m := log(t)[1]
	if err := (frame.Trusted{}).CheckFrame(m.subject, m.headers); !errors.Is(err, frame.ErrUntrusted) {
		t.Errorf("without keys: got %v, want %v", err, frame.ErrUntrusted)
	}
	forged := m.clone()
	forged.headers[frame.HeaderActor] = []string{"human/ann"}
	if err := trusted(t).CheckFrame(forged.subject, forged.headers); !errors.Is(err, frame.ErrForged) {
		t.Errorf("forged: got %v, want %v", err, frame.ErrForged)
	}
	if _, err := frame.NewTrusted(ed25519.PublicKey("short")); err == nil {
		t.Error("a short key is trusted")
	}
}

func TestASealIsOfItsSessionAndItsKey(t *testing.T) {
	s := events.SealRecord{Session: "s1", Seq: 3, Chain: events.ChainStart().String(), Time: 5}
	text, err := frame.SealText(s)
	if err != nil {
		t.Fatal(err)
	}
	sig := frame.Signature(frame.KeyID(key().Public().(ed25519.PublicKey)), ed25519.Sign(key(), text))
	stored := `{"session":"s1","seq":3,"chain":"` + s.Chain + `","time":5,"sig":"` + sig + `"}`
	if got, err := trusted(t).CheckSeal("s1", []byte(stored)); err != nil || got.Seq != 3 {
		t.Errorf("got %v, %v", got, err)
	}
	for name, text := range map[string]string{"another seq": strings.Replace(stored, `"seq":3`, `"seq":4`, 1), "no JSON": "{", "unsigned": `{"session":"s1"}`} {
		if _, err := trusted(t).CheckSeal("s1", []byte(text)); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if _, err := trusted(t).CheckSeal("s2", []byte(stored)); err == nil {
		t.Error("a seal of another session is taken")
	}
}

// FuzzAMutatedFrameIsRefusedOrTheSame: whatever is done to a stored message, it is
// refused, or what is read of it is what was stored.
func FuzzAMutatedFrameIsRefusedOrTheSame(f *testing.F) {
	f.Add(1, frame.HeaderTrust, "same", "-user", true, []byte(nil))
	f.Add(1, "docket-trust", "separate", "", false, []byte(nil))
	f.Add(0, frame.HeaderSeed, "none 0 ", "", false, []byte("{}"))
	f.Add(2, frame.HeaderCount, "2", "", false, []byte("{}\n{}"))
	whole := log(f)
	want, err := read(trusted(f), whole)
	if err != nil {
		f.Fatal(err)
	}
	keys := trusted(f)
	f.Fuzz(func(t *testing.T, at int, name, one, two string, split bool, body []byte) {
		all := slices.Clone(whole)
		at = min(max(at, 0), len(all)-1)
		m := all[at].clone()
		m.headers[name] = []string{one}
		if split {
			m.headers[name] = []string{one, two}
		}
		if body != nil {
			m.body = body
		}
		all[at] = m
		got, err := read(keys, all)
		if err != nil {
			return
		}
		same := maps.EqualFunc(ours(m.headers), ours(whole[at].headers), slices.Equal) && slices.EqualFunc(got, want, func(x, y events.Record) bool { return bytes.Equal(x.Line, y.Line) })
		if !same {
			t.Errorf("headers %q and body %q are taken for what was stored", m.headers, m.body)
		}
	})
}

// ours are the headers that a frame is made of.
func ours(headers map[string][]string) map[string][]string {
	out := maps.Clone(headers)
	maps.DeleteFunc(out, func(name string, _ []string) bool {
		return !strings.HasPrefix(strings.ToLower(name), "docket-") && !strings.EqualFold(name, frame.HeaderMsgID)
	})
	return out
}
