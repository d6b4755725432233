package jetstream_test

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// places are how a client reaches the server.
func places(b *testing.B, run func(*testing.B, *nats.Conn)) {
	b.Run("in process", func(b *testing.B) { run(b, newStore(b).nc) })
	b.Run("over TCP", func(b *testing.B) {
		nc := listening(b)
		provision(b, nc, 1)
		run(b, nc)
	})
}

// sized are the records of one append: events of about 500 bytes as stored.
func sized(tb testing.TB, next events.Seq, n int) []events.Record {
	tb.Helper()
	text := strings.Repeat("x", 420)
	records := make([]events.Record, n)
	for i := range records {
		records[i] = eventstest.Record(tb, next+events.Seq(i), events.PermissionPreset{Preset: text})
	}
	return records
}

// sizedAppends makes n appends that follow one another.
func sizedAppends(tb testing.TB, n, each int) []events.Append {
	tb.Helper()
	appends := make([]events.Append, n)
	for i := range appends {
		next := events.Seq(i * each)
		appends[i] = events.Append{ID: events.AppendID("a" + strconv.Itoa(i)), Next: next, Actor: writer, Records: sized(tb, next, each)}
	}
	return appends
}

// BenchmarkRaw is what JetStream itself needs: a message of an append's size with
// an id and a guard on its literal subject.
func BenchmarkRaw(b *testing.B) {
	places(b, func(b *testing.B, nc *nats.Conn) {
		js := streams(b, nc)
		body := sized(b, 0, 1)[0].Line
		last := uint64(0)
		for i := 0; b.Loop(); i++ {
			last = rawPublish(b, js, "session.0.0.raw", last, strconv.Itoa(i), body)
		}
	})
}

func rawPublish(b *testing.B, js natsjs.JetStream, subject string, last uint64, id string, body []byte) uint64 {
	m := &nats.Msg{Subject: subject, Data: body}
	ack, err := js.PublishMsg(b.Context(), m, natsjs.WithMsgID(id), natsjs.WithExpectLastSequencePerSubject(last))
	if err != nil {
		b.Fatal(err)
	}
	return ack.Sequence
}

func BenchmarkAppend(b *testing.B) {
	for _, each := range []int{1, 10} {
		made := sizedAppends(b, 2000, each)
		b.Run(fmt.Sprint("events=", each), func(b *testing.B) {
			places(b, func(b *testing.B, nc *nats.Conn) {
				log := logOn(b, nc)
				for i := 0; b.Loop(); i++ {
					appendNext(b, log, "s", i, made)
				}
			})
		})
	}
}

// appendNext does the i-th append of a writer: all that are made to one session,
// and then to another one.
func appendNext(b *testing.B, log events.Log, name string, i int, made []events.Append) {
	id := events.SessionID(fmt.Sprint(name, i/len(made)))
	if i%len(made) == 0 {
		create(b, log, id)
	}
	if _, err := log.Append(b.Context(), id, made[i%len(made)]); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkManyWriters has eight writers on sessions of their own.
func BenchmarkManyWriters(b *testing.B) {
	const writers = 8
	b.Run("raw", func(b *testing.B) {
		js := streams(b, newStore(b).nc)
		body := sized(b, 0, 1)[0].Line
		var n atomic.Int64
		b.SetParallelism(writers / 2)
		b.RunParallel(func(pb *testing.PB) {
			subject, last := fmt.Sprint("session.0.0.raw-", n.Add(1)), uint64(0)
			for i := 0; pb.Next(); i++ {
				last = rawPublish(b, js, subject, last, subject+strconv.Itoa(i), body)
			}
		})
	})
	made := sizedAppends(b, 2000, 1)
	b.Run("append", func(b *testing.B) {
		log := logOn(b, newStore(b).nc)
		var n atomic.Int64
		b.SetParallelism(writers / 2)
		b.RunParallel(func(pb *testing.PB) {
			name := fmt.Sprint("s", n.Add(1), "-")
			for i := 0; pb.Next(); i++ {
				appendNext(b, log, name, i, made)
			}
		})
	})
}

// BenchmarkRead reads a session whose frames lie together.
func BenchmarkRead(b *testing.B) {
	for _, frames := range []int{100, 1000, 10_000} {
		nc := newStore(b).nc
		writing := logOn(b, nc)
		id := create(b, writing, "s1")
		for _, a := range sizedAppends(b, frames, 1) {
			mustAppend(b, writing, id, a)
		}
		b.Run(fmt.Sprint("frames=", frames), func(b *testing.B) {
			b.Run("raw/ordered", func(b *testing.B) { benchOrdered(b, nc, id, frames) })
			b.Run("raw/fetch", func(b *testing.B) { benchFetch(b, nc, id, frames) })
			b.Run("log", func(b *testing.B) {
				for b.Loop() {
					n := 0
					for _, err := range logOn(b, nc).Read(b.Context(), id, 0) {
						if err != nil {
							b.Fatal(err)
						}
						n++
					}
					if n != frames {
						b.Fatalf("got %d records, want %d", n, frames)
					}
				}
			})
		})
	}
}

func benchOrdered(b *testing.B, nc *nats.Conn, id events.SessionID, frames int) {
	js := streams(b, nc)
	for b.Loop() {
		c, err := js.OrderedConsumer(b.Context(), sessions, natsjs.OrderedConsumerConfig{FilterSubjects: []string{subjectOf(id)}})
		if err != nil {
			b.Fatal(err)
		}
		it, err := c.Messages()
		if err != nil {
			b.Fatal(err)
		}
		for range frames + 1 {
			if _, err := it.Next(); err != nil {
				b.Fatal(err)
			}
		}
		it.Stop()
		if err := js.DeleteConsumer(b.Context(), sessions, c.CachedInfo().Name); err != nil {
			b.Fatal(err)
		}
	}
}

func benchFetch(b *testing.B, nc *nats.Conn, id events.SessionID, frames int) {
	js := streams(b, nc)
	for b.Loop() {
		c, err := js.CreateConsumer(b.Context(), sessions, natsjs.ConsumerConfig{FilterSubject: subjectOf(id), AckPolicy: natsjs.AckNonePolicy, MemoryStorage: true})
		if err != nil {
			b.Fatal(err)
		}
		for left := frames + 1; left > 0; {
			page := min(left, 1000)
			got, err := c.Fetch(page, natsjs.FetchMaxWait(5*time.Second))
			if err != nil {
				b.Fatal(err)
			}
			for range got.Messages() {
				left--
			}
		}
		if err := js.DeleteConsumer(b.Context(), sessions, c.CachedInfo().Name); err != nil {
			b.Fatal(err)
		}
	}
}
