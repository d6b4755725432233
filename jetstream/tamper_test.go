package jetstream_test

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
	"github.com/docket-engine/docket/events/frame"
	"github.com/docket-engine/docket/jetstream"
)

// frames are the stored messages of a session, the header frame first.
type frames []*nats.Msg

// The frames of a genuine log, by what they begin with.
const (
	atHeader = iota
	at0      // two events
	at2      // one
	at3      // two, the first of them a turn's start
	at5      // one, the turn's end
	frameCount
)

// genuine stores a session of frameCount frames, and gives their messages.
func genuine(t *testing.T, s store, id events.SessionID) frames {
	t.Helper()
	log := logOn(t, s.nc)
	create(t, log, id)
	mustAppend(t, log, id, unit(t, "a0", 0, "one", "two"))
	mustAppend(t, log, id, unit(t, "a2", 2, "three"))
	turn := unit(t, "a3", 3)
	turn.Records = eventstest.Records(t,
		eventstest.Envelope(t, 3, events.TurnStart{Turn: 1}), eventstest.Envelope(t, 4, events.PermissionPreset{Preset: "five"}))
	mustAppend(t, log, id, turn)
	end := unit(t, "a5", 5)
	end.Records = eventstest.Records(t, eventstest.Envelope(t, 5, events.TurnEnd{Turn: 1, Reason: events.TurnEndReason{Kind: events.EndCompleted}}))
	mustAppend(t, log, id, end)
	return framesOf(t, s, id)
}

func framesOf(t *testing.T, s store, id events.SessionID) frames {
	t.Helper()
	var out frames
	for _, m := range messagesOf(t, streams(t, s.nc), sessions, subjectOf(id)) {
		// The server's own headers come with the answer.
		maps.DeleteFunc(m.Header, func(name string, _ []string) bool {
			return strings.HasPrefix(name, "Nats-") && name != nats.MsgIdHdr
		})
		out = append(out, &nats.Msg{Subject: m.Subject, Header: m.Header, Data: m.Data})
	}
	return out
}

// rebuilt is a new store with the frames as they are given, as whoever has the
// writer's credential, or the store's files, can make it. It needs a bubble, in
// which the server forgets the ids that it has seen.
func rebuilt(t *testing.T, parts ...frames) store {
	t.Helper()
	s := newStore(t)
	s.add(t, parts...)
	return s
}

// add publishes frames around the log. It needs a bubble, too.
func (s store) add(t *testing.T, parts ...frames) {
	t.Helper()
	js := streams(t, s.nc)
	for _, m := range slices.Concat(parts...) {
		ack, err := js.PublishMsg(t.Context(), m)
		if err == nil && ack.Duplicate {
			time.Sleep(3 * time.Minute)
			ack, err = js.PublishMsg(t.Context(), m)
		}
		if err != nil || ack.Duplicate {
			t.Fatalf("publish a frame: got %v, %v", ack, err)
		}
	}
}

// with gives the frames with one of them changed.
func (f frames) with(i int, change func(*nats.Msg)) frames {
	out := slices.Clone(f)
	h := nats.Header{}
	for name, values := range f[i].Header {
		h[name] = slices.Clone(values)
	}
	out[i] = &nats.Msg{Subject: f[i].Subject, Header: h, Data: bytes.Clone(f[i].Data)}
	change(out[i])
	return out
}

// verified is what a verification finds wrong with the session, in order.
func verified(t *testing.T, log *jetstream.Log, id events.SessionID) []events.Finding {
	t.Helper()
	findings, err := log.VerifyStore(t.Context(), id)
	if err != nil {
		t.Fatalf("verify session %s: %v", id, err)
	}
	return slices.DeleteFunc(findings, func(f events.Finding) bool { return f.Kind == events.FindingUnproven })
}

// wantFound wants the first finding to be of that seq and type.
func wantFound(t *testing.T, log *jetstream.Log, id events.SessionID, seq events.Seq, typ events.Type) {
	t.Helper()
	found := verified(t, log, id)
	if len(found) == 0 {
		t.Error("got no finding, want one")
		return
	}
	want := events.Finding{Kind: events.FindingCorrupt, Seq: seq, Type: typ, Problem: found[0].Problem}
	if diff := cmp.Diff(want, found[0]); diff != "" {
		t.Errorf("first finding (-want +got):\n%s", diff)
	}
}

const (
	preset  = events.TypePermissionPreset
	turnEnd = events.TypeTurnEnd
)

func TestAGenuineLogIsFoundInOrder(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStore(t)
		f := genuine(t, s, "s1")
		log := logOn(t, rebuilt(t, f).nc)
		for _, l := range []*jetstream.Log{logOn(t, s.nc), log} {
			if found := verified(t, l, "s1"); len(found) > 0 {
				t.Errorf("got %v, want nothing", found)
			}
			eventstest.Check(t, l, "s1")
		}
	})
}

// What a message says of its own place is the server's to say.
func TestAFrameThatLiesAboutItsSequenceDeceivesNobody(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		f := genuine(t, newStore(t), "s1")
		for _, i := range []int{at2, at5} {
			s := rebuilt(t, f.with(i, func(m *nats.Msg) {
				m.Header.Set("Nats-Sequence", "5")
				m.Header.Set("Nats-Last-Sequence", "4")
				m.Header.Set("Nats-Subject", "session.0.0.other")
			}))
			eventstest.Check(t, logOn(t, s.nc), "s1")
			if found := verified(t, logOn(t, s.nc), "s1"); len(found) > 0 {
				t.Errorf("got %v, want nothing", found)
			}
		}
	})
}

// Each way has the seq and the type that a verification names first, and the seq
// at which a reader stops; -1 where a reader cannot see it, because it checks the
// signature of the last frame alone.
func TestWhateverIsDoneToALogIsFound(t *testing.T) {
	tests := map[string]struct {
		change func(one, two frames) frames
		seq    events.Seq
		typ    events.Type
		read   events.Seq
	}{
		"a body is changed": {func(f, _ frames) frames {
			return f.with(at2, func(m *nats.Msg) { m.Data = bytes.Replace(m.Data, []byte("three"), []byte("seven"), 1) })
		}, 2, preset, 2},
		"a body is changed in its spaces": {func(f, _ frames) frames {
			return f.with(at2, func(m *nats.Msg) { m.Data = append(m.Data, ' ') })
		}, 2, preset, 2},
		"a body is empty": {func(f, _ frames) frames {
			return f.with(at2, func(m *nats.Msg) { m.Data = nil })
		}, 2, preset, 2},
		"the last body is changed": {func(f, _ frames) frames {
			return f.with(at5, func(m *nats.Msg) { m.Data = bytes.Replace(m.Data, []byte("completed"), []byte("interrupted"), 1) })
		}, 5, turnEnd, 5},
		"the header line is changed": {func(f, _ frames) frames {
			return f.with(atHeader, func(m *nats.Msg) { m.Data = bytes.Replace(m.Data, []byte("demo"), []byte("evil"), 1) })
		}, 0, "session/header", 0},
		"two frames are swapped": {func(f, _ frames) frames {
			return frames{f[atHeader], f[at0], f[at3], f[at2], f[at5]}
		}, 2, "turn/start", 2},
		"a frame is missing": {func(f, _ frames) frames {
			return slices.Delete(slices.Clone(f), at2, at3)
		}, 2, "turn/start", 2},
		"the header frame is missing": {func(f, _ frames) frames { return f[at0:] }, 0, preset, 0},
		"a frame comes twice": {func(f, _ frames) frames {
			return frames{f[atHeader], f[at0], f[at2], f[at2], f[at3], f[at5]}
		}, 3, preset, 3},
		"an older frame is replayed at the end": {func(f, _ frames) frames {
			return slices.Concat(f, frames{f[at2]})
		}, 6, preset, 6},
		"the header frame is replayed at the end": {func(f, _ frames) frames {
			return slices.Concat(f, frames{f[atHeader]})
		}, 6, "session/header", 0},
		"a frame is another session's": {func(f, two frames) frames {
			return f.with(at2, func(m *nats.Msg) { m.Header, m.Data = two[at2].Header, two[at2].Data })
		}, 2, preset, -1},
		"the last frame is another session's": {func(f, two frames) frames {
			return f.with(at5, func(m *nats.Msg) { m.Header, m.Data = two[at5].Header, two[at5].Data })
		}, 5, turnEnd, 5},
		"the header frame is another session's": {func(f, two frames) frames {
			return f.with(atHeader, func(m *nats.Msg) { m.Header, m.Data = two[atHeader].Header, two[atHeader].Data })
		}, 0, "session/header", 0},
		"all is another session's": {func(f, two frames) frames {
			for i := range f {
				f = f.with(i, func(m *nats.Msg) { m.Header, m.Data = two[i].Header, two[i].Data })
			}
			return f
		}, 0, "session/header", 0},
		"a foreign message is in the middle": {func(f, _ frames) frames {
			return slices.Insert(slices.Clone(f), at3, &nats.Msg{Subject: f[0].Subject, Data: []byte("x")})
		}, 3, "", 3},
		"a foreign message looks like the end of an answer": {func(f, _ frames) frames {
			h := nats.Header{"Status": {"204"}, "Description": {"EOB"}, "Nats-Pending-Messages": {"0"}}
			return slices.Insert(slices.Clone(f), at3, &nats.Msg{Subject: f[0].Subject, Header: h})
		}, 3, "", 3},
		"a foreign message is at the end": {func(f, _ frames) frames {
			return append(slices.Clone(f), &nats.Msg{Subject: f[0].Subject, Data: []byte("x")})
		}, 6, "", 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				s := newStore(t)
				log := logOn(t, rebuilt(t, tt.change(genuine(t, s, "s1"), genuine(t, s, "s2"))).nc)
				wantFound(t, log, "s1", tt.seq, tt.typ)
				_, err := texts(t.Context(), log, "s1", 0)
				if tt.read < 0 {
					if err != nil {
						t.Errorf("read: got %v, want nothing", err)
					}
					return
				}
				wantCorrupt(t, err, "s1", tt.read)
			})
		})
	}
}

func TestEveryHeaderOfEveryFrameIsSigned(t *testing.T) {
	changes := map[string]func(h nats.Header, name string){
		"changed": func(h nats.Header, name string) { h[name] = []string{changed(h.Get(name))} },
		"removed": func(h nats.Header, name string) { h.Del(name) },
		"doubled": func(h nats.Header, name string) { h.Add(name, h.Get(name)) },
		"split":   func(h nats.Header, name string) { v := h.Get(name); h[name] = []string{v[:1], v[1:]} },
	}
	inBubble(t, func(t *testing.T) {
		source, target := newStore(t), newStore(t)
		for i, f := range genuine(t, source, "s1") {
			if i == at2 || i == at3 {
				continue // as at0
			}
			names := append(slices.Sorted(maps.Keys(f.Header)), "Docket-Other", "Docket-Seed", "Docket-Trust")
			for _, name := range names {
				for what, change := range changes {
					if len(f.Header[name]) == 0 && what != "changed" {
						continue
					}
					id := events.SessionID(fmt.Sprint("s-", i, "-", name, "-", what))
					changed := genuine(t, source, id).with(i, func(m *nats.Msg) { change(m.Header, name) })
					target.add(t, changed)
					wantHeaderFound(t, logOn(t, target.nc), id, i)
				}
			}
		}
	})
}

// wantHeaderFound wants a finding at a frame, and the log refused if it is one
// whose signature is checked whenever a log is opened.
func wantHeaderFound(t *testing.T, log *jetstream.Log, id events.SessionID, i int) {
	t.Helper()
	at := []events.Seq{0, 0, 2, 3, 5}[i]
	found := verified(t, log, id)
	if len(found) == 0 || found[0].Seq != at || found[0].Kind != events.FindingCorrupt {
		t.Errorf("%s: got %v, want a finding at %d", id, found, at)
	}
	if _, err := log.Open(t.Context(), id); !errors.Is(err, events.ErrCorrupt) && (i == atHeader || i == at5) {
		t.Errorf("%s: open: got %v, want a corrupt log", id, err)
	}
}

// changed is another value of the same shape.
func changed(value string) string {
	if value == "" {
		return "x"
	}
	last := value[len(value)-1]
	if last == '1' {
		return value[:len(value)-1] + "2"
	}
	return value[:len(value)-1] + "1"
}

// otherKey is a key that nobody trusts.
func otherKey() ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed([]byte("another key that is not trusted."))
}

// What is published around the engine, with the writer's credential, behind the
// last frame: chained as it should be, but not signed by a key that is trusted.
func TestAFramePublishedAroundTheEngineIsFoundAndRefused(t *testing.T) {
	for name, forge := range map[string]func(m *nats.Msg){
		"signed by another key": func(*nats.Msg) {},
		"not signed":            func(m *nats.Msg) { m.Header.Del("Docket-Sig") },
		"signed by another key under the name of ours": func(m *nats.Msg) {
			own := frame.KeyID(testKey().Public().(ed25519.PublicKey))
			sig := m.Header.Get("Docket-Sig")
			m.Header.Set("Docket-Sig", own+sig[len(own):])
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				s := newStore(t)
				f := genuine(t, s, "s1")
				s.add(t, frames{forged(t, f).with(frameCount, forge)[frameCount]})
				for _, log := range []*jetstream.Log{logOn(t, s.nc), logOn(t, rebuilt(t, framesOf(t, s, "s1")).nc)} {
					wantFound(t, log, "s1", 6, preset)
					_, err := log.Open(t.Context(), "s1")
					wantCorrupt(t, err, "s1", 6)
					_, err = texts(t.Context(), log, "s1", 0)
					wantCorrupt(t, err, "s1", 6)
					_, err = log.Append(t.Context(), "s1", unit(t, "next", 6, "next"))
					wantCorrupt(t, err, "s1", 6)
					if got := stored(t, s.nc, "s1"); got != frameCount+1 {
						t.Errorf("got %d frames, want that nothing was written behind the forged one", got)
					}
				}
			})
		})
	}
}

// forged gives the frames with one more behind them that another key signed.
func forged(t *testing.T, f frames) frames {
	t.Helper()
	keys, err := jetstream.NewKeys(otherKey(), testKey().Public().(ed25519.PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	s := rebuilt(t, f)
	mustAppend(t, newLog(t, jetstream.LogConfig{Conn: s.nc, Keys: keys}), "s1", unit(t, "forged", 6, "forged"))
	return framesOf(t, s, "s1")
}
