package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/jetstream"
)

const (
	wantPayload = 1 << 20 // bytes: what a frame may need
	fullPercent = 90      // of a limit: from here on agents' commands are refused
	clockNote   = time.Second
	clockFault  = 10 * time.Second // a permit is good for 30 s
)

// oldest is the server that the rules of the bus were tried on. Older ones answer on
// subjects that the asker may not publish on.
const oldest = "2.15.3"

func (e *examination) version(of string) {
	is, known := versionOf(of)
	if least, _ := versionOf(oldest); !known || slices.Compare(is, least) < 0 {
		e.add("version", checkFault, fmt.Sprintf("nats-server %s is older than %s, which the rules of the bus were tried on", of, oldest), "update the server")
		return
	}
	e.ok("version", "nats-server %s", of)
}

// versionOf reads major, minor and patch; one that is not released yet counts as what
// it is going to be.
func versionOf(text string) ([]int, bool) {
	released, _, _ := strings.Cut(text, "-")
	parts := strings.Split(released, ".")
	numbers := make([]int, len(parts))
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return nil, false
		}
		numbers[i] = n
	}
	return numbers, len(numbers) == 3
}

func (e *examination) payload(most int64) {
	if most < wantPayload {
		e.add("payload", checkFault, fmt.Sprintf("the server takes messages of %d bytes at most, a frame of the log may have %d", most, wantPayload),
			"raise max_payload in the server's configuration")
		return
	}
	e.ok("payload", "messages of up to %d bytes", most)
}

// streams looks at JetStream as far as the credential may.
func (e *examination) streams(ctx context.Context, nc *nats.Conn, class string) {
	switch class {
	case "", bus.Engine, bus.Auditor, bus.Admin:
	default:
		e.skip("streams", "a credential of the class "+class+" does not see them, as it should not")
		e.skip("clock", "the server tells its time to engines and auditors alone")
		return
	}
	js, err := natsjs.New(nc)
	if err != nil {
		e.add("streams", checkFault, err.Error(), "")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, doctorPatience)
	defer cancel()
	if !e.jetstream(ctx, js) {
		return
	}
	e.settings(ctx, nc, js, class)
	e.capacity(ctx, js)
}

func (e *examination) jetstream(ctx context.Context, js natsjs.JetStream) bool {
	account, err := js.AccountInfo(ctx)
	if err != nil {
		remedy := "look at the server's log"
		if errors.Is(err, natsjs.ErrJetStreamNotEnabled) || errors.Is(err, natsjs.ErrJetStreamNotEnabledForAccount) {
			remedy = "switch JetStream on in the server's configuration, and for the account"
		}
		e.add("jetstream", checkFault, err.Error(), remedy)
		return false
	}
	if most := account.Limits.MaxStore; most > 0 && account.Store*100 >= uint64(most)*fullPercent {
		e.add("jetstream", checkFault, fmt.Sprintf("the account has used %d of %d bytes", account.Store, most), "raise the account's limit, or archive old epochs")
		return true
	}
	e.ok("jetstream", "%d streams, %d bytes", account.Streams, account.Store)
	return true
}

// settings compares the streams with what the log relies on.
func (e *examination) settings(ctx context.Context, nc *nats.Conn, js natsjs.JetStream, class string) {
	layout := jetstream.Layout{Replicas: e.replicas(ctx, js)}
	names, err := jetstream.Missing(ctx, js, layout)
	if class == bus.Auditor {
		names, err = bus.MissingMirrors(ctx, nc, layout)
	}
	switch {
	case err != nil:
		e.add("streams", checkFault, err.Error(), "a stream is never changed to fit: look what it holds, and let an admin edit it ('engine creds admin')")
	case len(names) > 0:
		e.add("streams", checkFault, "missing: "+strings.Join(names, ", "), "'engine serve' makes them")
	default:
		e.ok("streams", "all there, with the settings that the log relies on")
	}
}

// replicas is how many copies there are of the log: an operator's choice.
func (*examination) replicas(ctx context.Context, js natsjs.JetStream) int {
	stream, err := js.Stream(ctx, jetstream.AuditStream)
	if err != nil {
		return 1
	}
	return stream.CachedInfo().Config.Replicas
}

// capacity looks how full each stream is, and at the server's clock on the way.
func (e *examination) capacity(ctx context.Context, js natsjs.JetStream) {
	full, clock := true, time.Duration(0)
	streams := js.ListStreams(ctx)
	for s := range streams.Info() {
		if most := s.Config.MaxBytes; most > 0 && s.State.Bytes*100 >= uint64(most)*fullPercent {
			e.add("capacity", checkFault, fmt.Sprintf("%s has %d of %d bytes: agents' commands are refused, what is left is for humans, verdicts and settlements", s.Config.Name, s.State.Bytes, most),
				"begin a new epoch, or raise max_bytes as an admin")
			full = false
		}
		clock = max(clock, time.Until(s.TimeStamp).Abs())
	}
	if err := streams.Err(); err != nil {
		e.add("capacity", checkFault, err.Error(), "")
		return
	}
	if full {
		e.ok("capacity", "no stream is near its limit")
	}
	e.clock(clock)
}

// clock judges how far this machine's clock and the server's are apart; the way of the
// answer is in it.
func (e *examination) clock(apart time.Duration) {
	text := fmt.Sprintf("this machine's and the server's are at most %s apart", apart.Round(time.Millisecond))
	switch {
	case apart >= clockFault:
		e.add("clock", checkFault, text, "set both by NTP: permits last 30 s, and credentials expire")
	case apart >= clockNote:
		e.add("clock", checkNote, text, "set both by NTP")
	default:
		e.ok("clock", "%s", text)
	}
}
