package blocks_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/blocks"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ours makes the streams of the engine on a new server.
func ours(tb testing.TB) (*jetstreamtest.Node, natsjs.JetStream) {
	tb.Helper()
	n := jetstreamtest.Server(tb)
	js := n.JetStream()
	if _, err := jetstream.Provision(tb.Context(), js, jetstream.Layout{}); err != nil {
		tb.Fatal(err)
	}
	return n, js
}

func put(tb testing.TB, js natsjs.JetStream, subject, body string, headed bool) {
	tb.Helper()
	m := &nats.Msg{Subject: subject, Data: []byte(body)}
	if headed {
		m.Header = nats.Header{"Docket-Format": {"4"}, "Docket-Chain": {strings.Repeat("ab", 32)}}
	}
	if _, err := js.PublishMsg(tb.Context(), m); err != nil {
		tb.Fatal(err)
	}
}

// message is what a server and its files have to agree on.
type message struct {
	Sequence uint64
	Time     int64
	Subject  string
	Headers  string
	Data     string
}

// served are the messages of a stream as the server has them.
func served(tb testing.TB, js natsjs.JetStream, name string) []message {
	tb.Helper()
	s, err := js.Stream(tb.Context(), name)
	if err != nil {
		tb.Fatal(err)
	}
	var out []message
	for seq := s.CachedInfo().State.FirstSeq; seq <= s.CachedInfo().State.LastSeq; seq++ {
		m, err := s.GetMsg(tb.Context(), seq)
		if err != nil {
			continue // it was removed
		}
		for _, added := range []string{"Nats-Sequence", "Nats-Stream", "Nats-Subject", "Nats-Time-Stamp"} {
			delete(m.Header, added) // by the answer
		}
		if len(m.Header) == 0 {
			m.Header = nil
		}
		out = append(out, message{m.Sequence, m.Time.UnixNano(), m.Subject, fmt.Sprint(m.Header), string(m.Data)})
	}
	return out
}

// filed are the messages of a stream as its files have them. The newest block is read
// as it is while the server runs.
func filed(tb testing.TB, root, name string) []message {
	tb.Helper()
	gone, all := map[uint64]bool{}, []message(nil)
	for _, b := range stream(tb, root, name).Blocks {
		text, _, err := blocks.Load(tb.Context(), root, b)
		if err != nil {
			tb.Fatal(err)
		}
		for r, err := range blocks.Read(text, b.Stream, b.Index) {
			if err != nil {
				tb.Fatalf("%s: %v", b.Path, err)
			}
			if r.Gone {
				gone[r.Sequence] = true
				continue
			}
			header, err := nats.DecodeHeadersMsg(r.Headers)
			if r.Headers != nil && err != nil {
				tb.Fatal(err)
			}
			all = append(all, message{r.Sequence, r.Time, r.Subject, fmt.Sprint(header), string(r.Data)})
		}
	}
	// A message that was the first of its block goes without a mark: of a stream that keeps
	// the newest of each subject, the newest counts.
	newest := map[string]uint64{}
	for _, m := range all {
		newest[m.Subject] = m.Sequence
		if name != jetstream.SnapshotsStream {
			newest[m.Subject] = 0
		}
	}
	var out []message
	for _, m := range all {
		if m.Sequence >= newest[m.Subject] && !gone[m.Sequence] {
			out = append(out, m)
		}
	}
	return out
}

func rootOf(n *jetstreamtest.Node) string { return filepath.Join(n.Dir(), "jetstream") }

func stream(tb testing.TB, root, name string) blocks.Stream {
	tb.Helper()
	all, err := blocks.Streams(root)
	if err != nil {
		tb.Fatal(err)
	}
	for _, s := range all {
		if s.Name == name {
			return s
		}
	}
	tb.Fatalf("no stream %s in %s", name, root)
	return blocks.Stream{}
}

// block is a block that a server wrote: five records, or as many as are given.
func block(tb testing.TB, name string, bodies ...string) (text []byte, stream string) {
	tb.Helper()
	n, js := ours(tb)
	for i, body := range bodies {
		switch name {
		case jetstream.AuditStream:
			put(tb, js, fmt.Sprint("audit.seal.s", i), body, false)
		default:
			put(tb, js, fmt.Sprint("session.0.0.s", i), body, true)
		}
	}
	n.Stop()
	text, err := os.ReadFile(n.Blocks(name)[0])
	if err != nil {
		tb.Fatal(err)
	}
	return text, name
}

// check looks at a block as the file of a store.
func check(ctx context.Context, tb testing.TB, name string, text []byte, sound blocks.Sound) blocks.Found {
	tb.Helper()
	root, b := tb.TempDir(), blocks.Block{Path: "1.blk", Stream: name, Index: 1, Last: true}
	if err := os.WriteFile(filepath.Join(root, b.Path), text, 0o400); err != nil {
		tb.Fatal(err)
	}
	f, err := blocks.Check(ctx, root, b, sound)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// records are those of a block, up to its first damage.
func records(text []byte, stream string) (all []blocks.Record, err error) {
	for r, err := range blocks.Read(text, stream, 1) {
		if err != nil {
			return all, err
		}
		all = append(all, r)
	}
	return all, nil
}
