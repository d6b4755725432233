package jetstream

import (
	"context"
	"fmt"
	"iter"
	"strconv"

	"github.com/nats-io/nats.go"
)

// direct reads pages of batched direct gets, each of exactly what is left:
// asking for more makes the server search to the end of the stream.
func (l *Log) direct(ctx context.Context, a address, at, head position) iter.Seq2[stored, error] {
	return func(yield func(stored, error) bool) {
		in, err := openInbox(l.nc, l.nc.NewInbox(), 2*directFrames)
		if err != nil {
			yield(stored{}, fmt.Errorf("read by direct gets: %w", err))
			return
		}
		defer in.close()
		for at.stream < head.stream {
			before := at.stream
			page := min(directFrames, max(1, head.index-at.index))
			request := fmt.Appendf(nil, `{"seq":%d,"next_by_subj":%q,"batch":%d,"max_bytes":%d}`, at.stream+1, a.subject, page, directBytes)
			for m, err := range directGet(ctx, in, l.api+"DIRECT.GET."+a.stream, request) {
				if err == nil && m.stream > head.stream {
					err = errIncomplete
				}
				if err != nil {
					yield(stored{}, fmt.Errorf("read by direct gets: %w", err))
					return
				}
				at.stream, at.index = m.stream, at.index+1
				if !yield(m, nil) || at.stream == head.stream {
					return
				}
			}
			if at.stream == before {
				return // the page was empty: the caller sees that something is missing
			}
		}
	}
}

// directGet yields one page. Each answer names the one before it, so that what
// is lost on the way shows.
func directGet(ctx context.Context, in *inbox, subject string, request []byte) iter.Seq2[stored, error] {
	return func(yield func(stored, error) bool) {
		last, err := uint64(0), in.ask(subject, request)
		for err == nil {
			var m *nats.Msg
			if m, err = in.receive(ctx); err != nil {
				break
			}
			before, beforeErr := strconv.ParseUint(said(m.Header, "Nats-Last-Sequence"), 10, 64)
			if beforeErr != nil || before != last {
				err = fmt.Errorf("%w: %s", errIncomplete, m.Header.Get("Status"))
				break
			}
			sequence := said(m.Header, "Nats-Sequence")
			if sequence == "" {
				return // the end of the page
			}
			if last, err = strconv.ParseUint(sequence, 10, 64); err != nil {
				break
			}
			if !yield(stored{subject: said(m.Header, "Nats-Subject"), stream: last, header: m.Header, data: m.Data}, nil) {
				return
			}
		}
		yield(stored{}, err)
	}
}

// said is what the server says in a header of an answer. It comes behind what the
// stored message may say of itself under the same name.
func said(h nats.Header, name string) string {
	values := h[name]
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1]
}
