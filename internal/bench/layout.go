package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
)

const (
	layoutSessions = 1000
	activeAtOnce   = 64
)

// layout says how the frames of many sessions lie among each other: it gives for
// each message of a stream which session it is of. The measured sessions come
// first, with so many messages each; the others share the rest.
type layout struct {
	name  string
	order func(sizes []int, chance *rand.Rand) []uint16
}

var (
	// randomLayout is the worst: everything at all times.
	randomLayout = layout{"interleaved", interleaved}
	// localLayout is how sessions are used: a few are active, and then others.
	localLayout = layout{"local", local}
)

// interleaved draws the messages of all sessions at random.
func interleaved(sizes []int, chance *rand.Rand) []uint16 {
	var order []uint16
	for session, size := range sizes {
		order = append(order, slices.Repeat([]uint16{uint16(session)}, size)...)
	}
	chance.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

// local lets 64 sessions be active at once, each until its end. They take turns at
// random; one that is longer than its turns come takes more, so that it ends with
// the stream.
func local(sizes []int, chance *rand.Rand) []uint16 {
	left := slices.Clone(sizes)
	total := 0
	for _, size := range sizes {
		total += size
	}
	waiting := chance.Perm(len(sizes))
	long := slices.Index(sizes, slices.Max(sizes))
	waiting = slices.DeleteFunc(waiting, func(s int) bool { return s == long })
	active := waiting[:activeAtOnce-1]
	waiting = waiting[activeAtOnce-1:]
	order := make([]uint16, 0, total)
	for len(order) < total {
		session, slot := long, -1
		if left[long] == 0 || len(active) > 0 && chance.IntN(total-len(order)) >= left[long] {
			slot = chance.IntN(len(active))
			session = active[slot]
		}
		order = append(order, uint16(session))
		left[session]--
		switch {
		case left[session] > 0 || slot < 0:
		case len(waiting) > 0:
			active[slot], waiting = waiting[0], waiting[1:]
		default:
			active = slices.Delete(active, slot, slot+1)
		}
	}
	return order
}

// fill writes a stream of that layout: the template's sessions among others.
func (r *rig) fill(ctx context.Context, l layout, t *template, total int) error {
	sizes := make([]int, layoutSessions)
	rest := total
	for i, s := range t.sessions {
		sizes[i] = len(s.messages)
		rest -= sizes[i]
	}
	others := sizes[len(t.sessions):]
	for i := range others {
		others[i] = rest / len(others)
	}
	order := l.order(sizes, rand.New(rand.NewPCG(7, 11)))
	js, err := natsjs.New(r.nc, natsjs.WithPublishAsyncMaxPending(1000))
	if err != nil {
		return err
	}
	body := []byte(strings.Repeat("x", eventSize))
	next := make([]int, len(sizes))
	for _, session := range order {
		msg := &nats.Msg{Data: body}
		if int(session) < len(t.sessions) {
			msg = t.sessions[session].messages[next[session]]
			next[session]++
		} else {
			_, msg.Subject = place(filler(int(session)))
		}
		if _, err := js.PublishMsgAsync(msg, natsjs.WithStallWait(10*time.Second)); err != nil {
			return fmt.Errorf("fill the stream: %w", err)
		}
	}
	select {
	case <-js.PublishAsyncComplete():
		return r.wantMessages(ctx, len(order))
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// wantMessages wants the sessions' stream to hold so many.
func (r *rig) wantMessages(ctx context.Context, n int) error {
	name, _ := place("any")
	stream, err := r.js.Stream(ctx, name)
	if err == nil && stream.CachedInfo().State.Msgs != uint64(n) {
		err = fmt.Errorf("the stream holds %d messages, not the %d that were published", stream.CachedInfo().State.Msgs, n)
	}
	return err
}
