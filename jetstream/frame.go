package jetstream

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/events"
)

// The headers of a frame. All but the first are signed by the last, together
// with the subject and the append id.
const (
	headerMsgID = "Nats-Msg-Id" // <session>/<seq>/<append id>

	headerFormat = "Docket-Format" // storage version of the records
	headerFrame  = "Docket-Frame"  // ordinal in its session; 0 is the header frame
	headerSeq    = "Docket-Seq"    // of the first event
	headerCount  = "Docket-Count"  // events
	headerTrust  = "Docket-Trust"  // the level of trust that the engine was on
	headerTypes  = "Docket-Types"  // distinct types, in the order of the records
	headerActor  = "Docket-Actor"  // <class>/<name>, both escaped as in URLs
	headerChain  = "Docket-Chain"  // behind the last record, hex
	headerHash   = "Docket-Header-Hash"
	headerSeed   = "Docket-Seed" // <kind> <next> <chain>, on the header frame
	headerSig    = "Docket-Sig"

	signedPrefix = "Docket-"
	typeHeader   = "session/header"
	noKind       = "none"   // of a seed
	typesLimit   = 16 << 10 // longer lists are cut, headers have 64 KiB in all
)

// frame is one stored message of a session's log: the header line (frame 0), or
// the records of one append.
type frame struct {
	index    int64
	seq      events.Seq
	count    int
	format   events.Format
	chain    events.Chain
	actor    events.Actor
	appendID string // as in the header Nats-Msg-Id
	seed     events.Seed
	// hash is that of the header line, on the header frame and on the one behind it,
	// so that neither goes with another; "" elsewhere.
	hash  string
	types string
	trust events.Trust // "" for none
	body  []byte
	// stream is the message's sequence in its stream, 0 before it is stored.
	stream uint64
}

func (f frame) end() events.Seq { return f.seq + events.Seq(f.count) }

// position is the place behind a frame.
func (f frame) position() position {
	return position{next: f.end(), chain: f.chain, index: f.index, stream: f.stream, trust: f.trust}
}

// position is a place in a log between two frames.
type position struct {
	next   events.Seq
	chain  events.Chain
	index  int64        // of the frame before it
	stream uint64       // sequence of the frame before it
	trust  events.Trust // of the frame before it
}

// newFrame puts records behind a position.
func newFrame(at position, id events.SessionID, a events.Append) frame {
	f := frame{
		index: at.index + 1, seq: a.Next, format: a.Records[0].Format, actor: a.Actor,
		appendID: msgID(id, a.Next, a.ID), types: typesOf(a.Records),
	}
	for _, r := range a.Records {
		f.count += r.Count
	}
	f.chain, f.body = at.chain.Over(a.Records...), events.Join(a.Records)
	return f
}

// newHeaderFrame is the first frame of a session.
func newHeaderFrame(c events.Creation) frame {
	return frame{
		format: c.Header.Version, chain: events.ChainStart(), actor: c.Actor, appendID: string(c.Header.ID) + "/header/" + string(c.ID),
		seed: c.Seed, hash: hashLine(c.Header.Line), types: typeHeader, body: c.Header.Line,
	}
}

// msgID names an append for the server's window of duplicates. The place is part
// of it: the same id elsewhere is another append.
func msgID(id events.SessionID, next events.Seq, a events.AppendID) string {
	return string(id) + "/" + strconv.FormatInt(int64(next), 10) + "/" + string(a)
}

func hashLine(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}

// typesOf lists the distinct types of records as they are stored.
func typesOf(records []events.Record) string {
	if len(records) == 1 { // most frames
		if t := escapeType(string(records[0].Type())); len(t) <= typesLimit {
			return t
		}
		return ""
	}
	var b strings.Builder
	var seen []events.Type
	for _, r := range records {
		t := r.Type()
		if slices.Contains(seen, t) {
			continue
		}
		seen = append(seen, t)
		text := escapeType(string(t))
		if b.Len()+len(text) > typesLimit {
			break
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(text)
	}
	return b.String()
}

// escapeType makes a type fit for a list in a header, whatever it is: an imported
// line may call itself anything, and the client library changes what a header
// cannot hold, behind the signature's back.
func escapeType(t string) string {
	if strings.IndexFunc(t, mustEscape) < 0 {
		return t
	}
	var b strings.Builder
	for i := range len(t) {
		if mustEscape(rune(t[i])) {
			fmt.Fprintf(&b, "%%%02X", t[i])
		} else {
			b.WriteByte(t[i])
		}
	}
	return b.String()
}

// firstType is the type of the frame's first event, as its list says.
func (f frame) firstType() events.Type {
	first, _, _ := strings.Cut(f.types, ",")
	if t, err := url.PathUnescape(first); err == nil {
		return events.Type(t)
	}
	return events.Type(first)
}

func mustEscape(r rune) bool { return r <= ' ' || r >= 0x7f || r == ',' || r == '%' }

// field is one header of a frame.
type field struct{ name, value string }

// fields adds the headers that are signed, in the order of their names.
func (f frame) fields(fields []field) []field {
	fields = append(fields,
		field{headerActor, formatActor(f.actor)},
		field{headerChain, f.chain.String()},
		field{headerCount, strconv.Itoa(f.count)},
		field{headerFormat, strconv.Itoa(int(f.format))},
		field{headerFrame, strconv.FormatInt(f.index, 10)},
	)
	if f.hash != "" {
		fields = append(fields, field{headerHash, f.hash})
	}
	if f.seed != (events.Seed{}) {
		fields = append(fields, field{headerSeed, formatSeed(f.seed)})
	}
	fields = append(fields, field{headerSeq, strconv.FormatInt(int64(f.seq), 10)})
	if f.trust != "" {
		fields = append(fields, field{headerTrust, string(f.trust)})
	}
	return append(fields, field{headerTypes, f.types})
}

// appendPayload adds what a frame's signature is over: its subject, its append id and all
// its Docket headers but the signature, by name. The chain among them stands for
// the records. Header values cannot hold line breaks.
func appendPayload(b []byte, subject, appendID string, fields []field) []byte {
	b = append(b, "docket frame 1\n"...)
	b = append(append(b, subject...), '\n')
	b = append(b, appendID...)
	for _, header := range fields {
		b = append(append(b, '\n'), header.name...)
		b = append(append(b, ": "...), header.value...)
	}
	return b
}

// signedPayload is the payload that a message shows.
func signedPayload(subject string, h nats.Header) []byte {
	fields := make([]field, 0, len(h))
	for name, values := range h {
		if strings.HasPrefix(name, signedPrefix) && name != headerSig {
			fields = append(fields, field{name, strings.Join(values, "")})
		}
	}
	slices.SortFunc(fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	return appendPayload(make([]byte, 0, 512), subject, h.Get(headerMsgID), fields)
}

func formatActor(a events.Actor) string {
	return url.PathEscape(a.Class) + "/" + url.PathEscape(a.Name)
}

func formatSeed(s events.Seed) string {
	text := cmp.Or(string(s.Kind), noKind) + " " + strconv.FormatInt(int64(s.Next), 10) + " " + s.Chain.String()
	if s.Imported != 0 {
		text += " " + strconv.FormatInt(int64(s.Imported), 10)
	}
	return text
}
