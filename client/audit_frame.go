package client

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
)

// The headers of a stored message, as docs/storage.md has them.
const (
	headerFormat = "Docket-Format"
	headerFrame  = "Docket-Frame"
	headerSeq    = "Docket-Seq"
	headerCount  = "Docket-Count"
	headerActor  = "Docket-Actor"
	headerTrust  = "Docket-Trust"
	headerChain  = "Docket-Chain"
	headerHash   = "Docket-Header-Hash"
	headerSig    = "Docket-Sig"
	headerPrefix = "Docket-"
	headerID     = "Nats-Msg-Id"
)

// keyID names a public key in signatures.
func keyID(k ed25519.PublicKey) string {
	sum := sha256.Sum256(k)
	return hex.EncodeToString(sum[:8])
}

// frame is what a stored message says of itself.
type frame struct {
	index, seq, count int64
	format            events.Format
	chain             events.Chain
	actor             events.Actor
	hash              string
	trust             events.Trust
}

// parseFrame reads the headers of a message.
func parseFrame(h nats.Header) (frame, error) {
	var f frame
	var format int64
	for name, into := range map[string]*int64{headerFrame: &f.index, headerSeq: &f.seq, headerCount: &f.count, headerFormat: &format} {
		n, err := strconv.ParseInt(only(h, name), 10, 64)
		if err != nil || n < 0 || n > events.MaxSafeInteger {
			return f, fmt.Errorf("its header %s does not parse", name)
		}
		*into = n
	}
	f.format, f.hash, f.trust = events.Format(format), only(h, headerHash), events.Trust(only(h, headerTrust))
	chain, err := events.ParseChain(only(h, headerChain))
	if err != nil {
		return f, fmt.Errorf("its header %s does not parse", headerChain)
	}
	f.chain = chain
	class, name, ok := strings.Cut(only(h, headerActor), "/")
	class, errClass := url.PathUnescape(class)
	name, errName := url.PathUnescape(name)
	if !ok || errClass != nil || errName != nil {
		return f, fmt.Errorf("its header %s does not parse", headerActor)
	}
	f.actor = events.Actor{Class: class, Name: name}
	return f, nil
}

// only is the value of a header that is there once, else nothing.
func only(h nats.Header, name string) string {
	if v := h[name]; len(v) == 1 {
		return v[0]
	}
	return ""
}

// checkSignature reports whether an engine wrote the headers for this subject.
func (a *Audit) checkSignature(subject string, h nats.Header) error {
	text := []byte("docket frame 1\n" + subject + "\n" + only(h, headerID))
	var names []string
	for name := range h {
		if strings.HasPrefix(name, headerPrefix) && name != headerSig {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		text = append(text, "\n"+name+": "+strings.Join(h[name], "")...)
	}
	return a.checkSigned(text, only(h, headerSig))
}

// checkSigned checks a signature of the form "<key id> <base64>".
func (a *Audit) checkSigned(text []byte, signature string) error {
	if signature == "" {
		return errors.New("it is not signed")
	}
	id, encoded, _ := strings.Cut(signature, " ")
	key, trusted := a.keys[id]
	if !trusted {
		return errors.New("it is signed by a key that is not trusted")
	}
	sig, err := base64.RawStdEncoding.DecodeString(encoded)
	if err != nil || !ed25519.Verify(key, text, sig) {
		return errors.New("its signature is wrong")
	}
	return nil
}

// auditedLog checks a session's messages one behind the other.
type auditedLog struct {
	audit  *Audit
	id     events.SessionID
	frames int64 // so far
	next   events.Seq
	chain  events.Chain
	hash   string // of the header line
}

// take checks a message and gives its records, none for the header.
func (l *auditedLog) take(m *jetstream.RawStreamMsg) ([]Entry, error) {
	fail := func(err error) error {
		return &events.CorruptError{Session: l.id, Seq: l.next, Err: fmt.Errorf("the message at sequence %d: %w", m.Sequence, err)}
	}
	f, err := parseFrame(m.Header)
	if err == nil {
		err = l.audit.checkSignature(m.Subject, m.Header)
	}
	if err == nil && (f.index != l.frames || events.Seq(f.seq) != l.next) {
		err = fmt.Errorf("frame %d at seq %d stands in the place of frame %d at seq %d", f.index, f.seq, l.frames, l.next)
	}
	if err != nil {
		return nil, fail(err)
	}
	l.frames++
	if f.index == 0 {
		if err := l.begin(f, m.Data); err != nil {
			return nil, fail(err)
		}
		return nil, nil
	}
	entries, err := l.records(f, m)
	if err != nil {
		return nil, fail(err)
	}
	return entries, nil
}

// begin takes the header, which the next frame names.
func (l *auditedLog) begin(f frame, line []byte) error {
	sum := sha256.Sum256(line)
	l.hash, l.chain = hex.EncodeToString(sum[:]), events.ChainStart()
	h, err := events.ParseHeader(line)
	switch {
	case err != nil:
		return err
	case h.ID != l.id:
		return fmt.Errorf("it is the header of session %s", h.ID)
	case f.hash != l.hash || f.chain != l.chain || f.count != 0:
		return errors.New("it is not the header that was signed")
	}
	return nil
}

func (l *auditedLog) records(f frame, m *jetstream.RawStreamMsg) ([]Entry, error) {
	records, err := events.Split(f.format, m.Data, l.chain)
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, len(records))
	next := l.next
	for i, r := range records {
		if r.Seq != next {
			return nil, fmt.Errorf("a record says seq %d in the place of %d", r.Seq, next)
		}
		next = r.End()
		entries[i] = Entry{Record: r, Actor: f.actor, Trust: f.trust, Stream: streamOf(m.Subject), Sequence: m.Sequence}
	}
	l.chain = l.chain.Over(records...)
	switch {
	case int64(next-l.next) != f.count:
		return nil, fmt.Errorf("it says %d events and holds %d", f.count, next-l.next)
	case l.chain != f.chain:
		return nil, errors.New("the records are not the ones that were stored: the chain breaks")
	case f.index == 1 && f.hash != l.hash:
		return nil, errors.New("it was stored behind another header")
	}
	l.next = next
	return entries, nil
}

// streamOf is the stream of a session's subject.
func streamOf(subject string) string {
	parts := strings.Split(strings.TrimPrefix(subject, sessionPrefix), ".")
	if len(parts) != 3 {
		return ""
	}
	return sessionStreams + parts[0] + "_" + parts[1]
}
