package blocks

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"iter"
	"slices"

	"github.com/minio/highwayhash"
)

// A record is, in little endian: total length (4; its highest bit says that there are
// headers), sequence (8), time (8), length of the subject (2), subject, with headers
// their length (4) and they, the message, checksum (8).
const (
	recordHead  = 22
	checksum    = highwayhash.Size64
	leastRecord = recordHead + checksum
	hasHeaders  = uint32(1) << 31
	// mostRecord is what the server takes for the longest record.
	mostRecord = 32 << 20

	erased    = uint64(1) << 63
	tombstone = uint64(1) << 62
)

// MaxBlock is the size in bytes of the largest block that is read. The server begins
// another one at 8 MiB.
const MaxBlock = 64 << 20

// Record is a stored message as its block has it.
type Record struct {
	Sequence uint64
	Time     int64 // Unix ns
	Subject  string
	Headers  []byte // with the line that begins them; nil for none
	Data     []byte
	// Offset and End are where it begins in the block, and what comes behind it.
	Offset, End int64
	// Gone says that the record stands for a message that was removed: it holds none.
	Gone bool
}

// Damage is a place at which a block is not what was written.
type Damage struct {
	Offset  int64
	Problem string
	// Torn says that it ends as a block ends whose writer was killed, or lost its power:
	// nothing that was written whole stands behind that place. It is no proof of that.
	Torn bool
}

// Error is the place and the problem.
func (d *Damage) Error() string { return fmt.Sprintf("at byte %d: %s", d.Offset, d.Problem) }

// place is a block's bytes, and what their checksums go by.
type place struct {
	block []byte
	hash  hash.Hash
	sum   [checksum]byte // room for one
	// effort is how many bytes may still be hashed to find records behind a damage, so
	// that the time for a block is bounded by its size, whatever is in it.
	effort int
}

func newPlace(block []byte, stream string, index uint32) (*place, error) {
	key := sha256.Sum256(fmt.Appendf(nil, "%s-%d", stream, index))
	h, err := highwayhash.NewDigest64(key[:])
	if err != nil {
		return nil, err // a key of another length, which this is not
	}
	return &place{block: block, hash: h, effort: 4 * len(block)}, nil
}

// Read yields the records of a block of a stream in their order. What stops it is
// yielded last: a *[Damage].
func Read(block []byte, stream string, index uint32) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for r, err := range ReadOn(block, stream, index) {
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// ReadOn is [Read], and goes on behind a damage with the next record that is whole.
func ReadOn(block []byte, stream string, index uint32) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		if problem := unreadable(block); problem != "" {
			yield(Record{}, &Damage{Problem: problem})
			return
		}
		p, err := newPlace(block, stream, index)
		if err != nil {
			yield(Record{}, err)
			return
		}
		for at := 0; at < len(block); {
			r, problem := p.record(at)
			if problem == "" {
				if !yield(r, nil) {
					return
				}
				at = int(r.End)
				continue
			}
			next, found := p.next(at + 1)
			if !yield(Record{}, &Damage{Offset: int64(at), Problem: problem, Torn: !found && p.torn(at)}) || !found {
				return
			}
			at = next
		}
	}
}

func unreadable(block []byte) string {
	switch {
	case len(block) > MaxBlock:
		return fmt.Sprintf("a block of %d bytes is longer than any that a server writes", len(block))
	case bytes.HasPrefix(block, []byte("cmp\x01")):
		return "it is compressed, and no stream of ours is"
	default:
		return ""
	}
}

// record reads the record that begins at a place, or says what is wrong with it.
func (p *place) record(at int) (Record, string) {
	rest := p.block[at:]
	if len(rest) < leastRecord {
		return Record{}, fmt.Sprintf("%d bytes are too few for a record", len(rest))
	}
	length := binary.LittleEndian.Uint32(rest)
	headed := length&hasHeaders != 0
	length &^= hasHeaders
	subject := int(binary.LittleEndian.Uint16(rest[20:]))
	fixed := subject
	if headed {
		fixed += 4
	}
	switch {
	case length > mostRecord || int(length) > len(rest):
		return Record{}, fmt.Sprintf("a record says that it has %d bytes, and %d are left", length, len(rest))
	case int(length) < leastRecord+fixed:
		return Record{}, fmt.Sprintf("a record of %d bytes cannot hold a subject of %d", length, subject)
	}
	body := rest[recordHead : int(length)-checksum]
	if !p.sums(rest[:recordHead], body, subject, headed, rest[int(length)-checksum:length]) {
		return Record{}, "the checksum of a record is not that of its bytes"
	}
	headers, data := []byte(nil), body[subject:]
	if headed {
		if headers, data = split(data); headers == nil {
			return Record{}, "the headers of a record do not end where it says"
		}
	}
	seq := binary.LittleEndian.Uint64(rest[4:])
	return Record{
		Sequence: seq &^ (erased | tombstone), Time: int64(binary.LittleEndian.Uint64(rest[12:])),
		Subject: string(body[:subject]), Headers: headers, Data: data,
		Offset: int64(at), End: int64(at) + int64(length), Gone: seq&(erased|tombstone) != 0,
	}, ""
}

// split takes headers from a message. Their length is not in the checksum; but they
// end with the first line that is empty, so that no other length can be right.
func split(data []byte) (headers, rest []byte) {
	size := uint64(binary.LittleEndian.Uint32(data))
	data = data[4:]
	end := bytes.Index(data, []byte("\r\n\r\n"))
	if !bytes.HasPrefix(data, []byte("NATS/1.0")) || end < 0 || size != uint64(end+4) {
		return nil, nil
	}
	return data[:size:size], data[size:]
}

// sums compares a record's checksum: over sequence, time, subject, headers and
// message. The lengths are not in it.
func (p *place) sums(head, body []byte, subject int, headed bool, want []byte) bool {
	p.hash.Reset()
	p.hash.Write(head[4:20])
	p.hash.Write(body[:subject])
	if headed {
		subject += 4
	}
	p.hash.Write(body[subject:])
	return bytes.Equal(p.hash.Sum(p.sum[:0]), want)
}

// next finds the first whole record from a place on.
func (p *place) next(at int) (int, bool) {
	for ; at+leastRecord <= len(p.block); at++ {
		if !plausible(p.block[at:]) {
			continue
		}
		if p.effort -= int(binary.LittleEndian.Uint32(p.block[at:]) &^ hasHeaders); p.effort < 0 {
			return 0, false
		}
		if _, problem := p.record(at); problem == "" {
			return at, true
		}
	}
	return 0, false
}

// torn reports whether the last record of a block, which is not whole, ends as a killed
// writer or a lost power leaves it: before its end, or in zeros. One that is there in
// full length and says something else was changed later.
func (p *place) torn(at int) bool {
	if p.effort < 0 {
		return false
	}
	rest := p.block[at:]
	there := len(bytes.TrimRight(rest, "\x00"))
	if len(rest)-there < checksum {
		there = len(rest)
	}
	if there < recordHead {
		return true
	}
	length := binary.LittleEndian.Uint32(rest)
	if int(length&^hasHeaders) <= there {
		return false
	}
	// It may be the length alone that is wrong.
	mended := slices.Clone(rest)
	binary.LittleEndian.PutUint32(mended, uint32(len(rest))|length&hasHeaders)
	_, problem := (&place{block: mended, hash: p.hash}).record(0)
	return problem != ""
}

// latest is the time after which no record was written, in ns: it is in 2128.
const latest = int64(5e18)

// plausible reports whether a record may begin here, without a look at all of it:
// hashing what cannot be one would take a time that grows with the square of the size.
func plausible(rest []byte) bool {
	length := binary.LittleEndian.Uint32(rest) &^ hasHeaders
	at := int64(binary.LittleEndian.Uint64(rest[12:]))
	subject := int(binary.LittleEndian.Uint16(rest[20:]))
	if length < leastRecord || int64(length) > int64(len(rest)) || at < 0 || at > latest || leastRecord+subject > int(length) {
		return false
	}
	return bytes.IndexFunc(rest[recordHead:recordHead+subject], func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}
