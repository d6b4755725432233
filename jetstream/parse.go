package jetstream

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/events"
)

// stored is a message as it is in the stream.
type stored struct {
	subject string
	stream  uint64
	header  nats.Header
	data    []byte
}

// parseFrame reads a message's headers. What they say of the body is checked by
// follow, and that they are the engine's by checkSignature.
func parseFrame(m stored) (frame, error) {
	p := headerParser{header: m.header}
	f := frame{
		index:    p.number(headerFrame),
		seq:      events.Seq(p.number(headerSeq)),
		count:    int(p.number(headerCount)),
		format:   events.Format(p.number(headerFormat)),
		chain:    p.chain(headerChain),
		actor:    p.actor(),
		appendID: p.text(headerMsgID),
		types:    p.text(headerTypes),
		body:     m.data,
		stream:   m.stream,
	}
	if _, ok := m.header[headerHash]; ok {
		f.hash = p.text(headerHash)
	}
	if _, ok := m.header[headerSeed]; ok {
		f.seed = p.seed()
	}
	if _, ok := m.header[headerTrust]; ok {
		f.trust = events.Trust(p.text(headerTrust))
	}
	return f, p.err
}

// headerParser keeps the first thing that is wrong.
type headerParser struct {
	header nats.Header
	err    error
}

func (p *headerParser) text(name string) string {
	switch v := p.header[name]; {
	case len(v) == 1:
		return v[0]
	case p.err == nil && len(v) == 0:
		p.err = fmt.Errorf("its header %s is missing", name)
	case p.err == nil:
		p.err = fmt.Errorf("its header %s is there %d times", name, len(v))
	}
	return ""
}

func (p *headerParser) fail(name, text string) {
	if p.err == nil {
		p.err = fmt.Errorf("its header %s does not parse: %.80q", name, text)
	}
}

func (p *headerParser) number(name string) int64 {
	text := p.text(name)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > events.MaxSafeInteger {
		p.fail(name, text)
		return 0
	}
	return n
}

func (p *headerParser) chain(name string) events.Chain {
	text := p.text(name)
	c, err := events.ParseChain(text)
	if err != nil {
		p.fail(name, text)
	}
	return c
}

func (p *headerParser) escaped(name string) string {
	text := p.text(name)
	out, err := url.PathUnescape(text)
	if err != nil {
		p.fail(name, text)
	}
	return out
}

func (p *headerParser) actor() events.Actor {
	text := p.text(headerActor)
	class, name, ok := strings.Cut(text, "/")
	class, classErr := url.PathUnescape(class)
	name, nameErr := url.PathUnescape(name)
	if !ok || classErr != nil || nameErr != nil {
		p.fail(headerActor, text)
	}
	return events.Actor{Class: class, Name: name}
}

func (p *headerParser) seed() events.Seed {
	text := p.text(headerSeed)
	parts := strings.Split(text, " ")
	if len(parts) != 3 && len(parts) != 4 {
		p.fail(headerSeed, text)
		return events.Seed{}
	}
	imported, importedErr := int64(0), error(nil)
	if len(parts) == 4 {
		imported, importedErr = strconv.ParseInt(parts[3], 10, 64)
	}
	next, err := strconv.ParseInt(parts[1], 10, 64)
	chain, chainErr := events.ParseChain(parts[2])
	kind := events.SeedKind(parts[0])
	if kind == noKind {
		kind = events.SeedNone
	}
	if errors.Join(err, chainErr, importedErr) != nil || next < 0 || imported < 0 || imported > next || !knownKind(kind) {
		p.fail(headerSeed, text)
	}
	return events.Seed{Kind: kind, Next: events.Seq(next), Chain: chain, Imported: events.Seq(imported)}
}

func knownKind(k events.SeedKind) bool {
	return k == events.SeedNone || k == events.SeedFork || k == events.SeedImport
}

// checkSignature reports whether the engine wrote the message's headers for its
// subject.
func checkSignature(m stored, keys Keys) error {
	var sig string
	if v := m.header[headerSig]; len(v) == 1 {
		sig = v[0]
	}
	return keys.verify(signedPayload(m.subject, m.header), sig)
}

// sessionHeader reads the header line of frame 0.
func (f frame) sessionHeader() (events.Header, error) {
	if f.index != 0 || f.types != typeHeader || f.count != 0 || f.chain != events.ChainStart() {
		return events.Header{}, errors.New("the first frame is not a session header")
	}
	if f.hash != hashLine(f.body) {
		return events.Header{}, errors.New("the session header is not the one that its frame was signed for")
	}
	h, err := events.ParseHeader(f.body)
	if err == nil && h.Version != f.format {
		err = fmt.Errorf("the session header says version %d, its frame %d", h.Version, f.format)
	}
	return h, err
}

// follow checks that the frame stands right behind a position and that its body
// is what its headers say, and gives the records.
func (f frame) follow(at position) ([]events.Record, error) {
	switch {
	case f.index != at.index+1:
		return nil, fmt.Errorf("frame %d follows frame %d", f.index, at.index)
	case f.seq != at.next:
		return nil, fmt.Errorf("the frame begins at seq %d, the one before it ends at %d", f.seq, at.next)
	}
	records, err := f.records(at.chain)
	if err != nil {
		return nil, err
	}
	if f.chain != at.chain.Over(records...) {
		return nil, errors.New("the records are not the ones that were appended: the chain breaks")
	}
	if f.types != typesOf(records) {
		return nil, errors.New("the frame's list of types is not that of its records")
	}
	return records, nil
}

// records splits the body into its lines, behind a chain.
func (f frame) records(before events.Chain) ([]events.Record, error) {
	records, err := events.Split(f.format, f.body, before)
	if err != nil {
		return nil, err
	}
	next, origin := f.seq, appendOf(f.appendID)
	for i := range records {
		r := &records[i]
		if r.Seq != next {
			return nil, fmt.Errorf("a record says seq %d in the place of %d", r.Seq, next)
		}
		next, r.Append = r.End(), origin
	}
	if next != f.end() {
		return nil, fmt.Errorf("the frame says %d events and holds %d", f.count, next-f.seq)
	}
	return records, nil
}

// appendOf takes the append id out of a message id, <session>/<seq>/<append id>.
func appendOf(msgID string) events.AppendID {
	parts := strings.SplitN(msgID, "/", 3)
	return events.AppendID(parts[len(parts)-1])
}
