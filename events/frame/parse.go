package frame

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/docket-engine/docket/events"
)

// Parse reads a message's headers. What they say of the body is checked by
// [Frame.Follow], and that they are an engine's by [Trusted.CheckFrame].
func Parse(headers map[string][]string, body []byte) (Frame, error) {
	p := Parser{Headers: headers}
	f := Frame{
		Index:  p.Number(HeaderFrame),
		Seq:    events.Seq(p.Number(HeaderSeq)),
		Count:  int(p.Number(HeaderCount)),
		Format: events.Format(p.Number(HeaderFormat)),
		Chain:  p.Chain(HeaderChain),
		Actor:  p.actor(),
		MsgID:  p.Text(HeaderMsgID),
		Types:  p.Text(HeaderTypes),
		Body:   body,
	}
	if _, ok := headers[HeaderHash]; ok {
		f.HeaderHash = p.Text(HeaderHash)
	}
	if _, ok := headers[HeaderSeed]; ok {
		f.Seed = p.seed()
	}
	if _, ok := headers[HeaderTrust]; ok {
		f.Trust = events.Trust(p.Text(HeaderTrust))
	}
	return f, p.Err
}

// Parser reads headers one by one, each of which has to be there exactly once, and
// keeps the first thing that is wrong.
type Parser struct {
	Headers map[string][]string
	Err     error
}

// Text is a header's value.
func (p *Parser) Text(name string) string {
	switch v := p.Headers[name]; {
	case len(v) == 1:
		return v[0]
	case p.Err == nil && len(v) == 0:
		p.Err = fmt.Errorf("its header %s is missing", name)
	case p.Err == nil:
		p.Err = fmt.Errorf("its header %s is there %d times", name, len(v))
	}
	return ""
}

func (p *Parser) fail(name, text string) {
	if p.Err == nil {
		p.Err = fmt.Errorf("its header %s does not parse: %.80q", name, text)
	}
}

// Number is a header's value where that is a count or a seq, in the one spelling
// that we write.
func (p *Parser) Number(name string) int64 {
	text := p.Text(name)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > events.MaxSafeInteger || strconv.FormatInt(n, 10) != text {
		p.fail(name, text)
		return 0
	}
	return n
}

// Chain is a header's value where that is a chain.
func (p *Parser) Chain(name string) events.Chain {
	text := p.Text(name)
	c, err := events.ParseChain(text)
	if err != nil {
		p.fail(name, text)
	}
	return c
}

// Escaped is a header's value where that is escaped as in URLs.
func (p *Parser) Escaped(name string) string {
	text := p.Text(name)
	out, err := url.PathUnescape(text)
	if err != nil {
		p.fail(name, text)
	}
	return out
}

func (p *Parser) actor() events.Actor {
	text := p.Text(HeaderActor)
	class, name, ok := strings.Cut(text, "/")
	class, classErr := url.PathUnescape(class)
	name, nameErr := url.PathUnescape(name)
	if !ok || classErr != nil || nameErr != nil {
		p.fail(HeaderActor, text)
	}
	return events.Actor{Class: class, Name: name}
}

func (p *Parser) seed() events.Seed {
	text := p.Text(HeaderSeed)
	parts := strings.Split(text, " ")
	if len(parts) != 3 && len(parts) != 4 {
		p.fail(HeaderSeed, text)
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
	if errors.Join(err, chainErr, importedErr) != nil || next < 0 || next > events.MaxSafeInteger || imported < 0 || imported > next || !KnownKind(kind) {
		p.fail(HeaderSeed, text)
	}
	return events.Seed{Kind: kind, Next: events.Seq(next), Chain: chain, Imported: events.Seq(imported)}
}

// KnownKind reports whether a seed can be of a kind.
func KnownKind(k events.SeedKind) bool {
	return k == events.SeedNone || k == events.SeedFork || k == events.SeedImport
}
