package blocks

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"iter"

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

// Damage is the first place at which a block is not what was written.
type Damage struct {
	Offset  int64
	Problem string
	// Torn says that nothing stands behind that place which could have been written
	// whole: as a block ends whose writer was killed. It is no proof of that.
	Torn bool
}

// Error is the place and the problem.
func (d *Damage) Error() string { return fmt.Sprintf("at byte %d: %s", d.Offset, d.Problem) }

// keyOf is the key of a block's checksums.
func keyOf(stream string, index uint32) [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%s-%d", stream, index))
}

// Read yields the records of a block of a stream in their order. What stops it is
// yielded last: a *[Damage].
func Read(block []byte, stream string, index uint32) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		if len(block) > MaxBlock {
			yield(Record{}, &Damage{Problem: fmt.Sprintf("a block of %d bytes is longer than any that a server writes", len(block))})
			return
		}
		if bytes.HasPrefix(block, []byte("cmp\x01")) {
			yield(Record{}, &Damage{Problem: "it is compressed, and no stream of ours is"})
			return
		}
		for at := 0; at < len(block); {
			r, problem := record(block, at, stream, index)
			if problem != "" {
				yield(Record{}, &Damage{Offset: int64(at), Problem: problem, Torn: !anyBehind(block, at+1, stream, index)})
				return
			}
			if !yield(r, nil) {
				return
			}
			at = int(r.End)
		}
	}
}

// record reads the record that begins at a place, or says what is wrong with it.
func record(block []byte, at int, stream string, index uint32) (Record, string) {
	rest := block[at:]
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
	headers, data := []byte(nil), body[subject:]
	if headed {
		size := int64(binary.LittleEndian.Uint32(data))
		if data = data[4:]; size > int64(len(data)) {
			return Record{}, fmt.Sprintf("a record of %d bytes cannot hold headers of %d", length, size)
		}
		headers, data = data[:size:size], data[size:]
	}
	if sum := sumOf(rest[:recordHead], body, subject, headed, keyOf(stream, index)); !bytes.Equal(sum, rest[int(length)-checksum:length]) {
		return Record{}, "the checksum of a record is not that of its bytes"
	}
	seq := binary.LittleEndian.Uint64(rest[4:])
	return Record{
		Sequence: seq &^ (erased | tombstone), Time: int64(binary.LittleEndian.Uint64(rest[12:])),
		Subject: string(body[:subject]), Headers: headers, Data: data,
		Offset: int64(at), End: int64(at) + int64(length), Gone: seq&(erased|tombstone) != 0,
	}, ""
}

// sumOf is a record's checksum: over sequence, time, subject, headers and message. The
// lengths are not in it.
func sumOf(head, body []byte, subject int, headed bool, key [sha256.Size]byte) []byte {
	h, err := highwayhash.NewDigest64(key[:])
	if err != nil {
		return nil // a key of another length, which this is not
	}
	h.Write(head[4:20])
	h.Write(body[:subject])
	if headed {
		subject += 4
	}
	h.Write(body[subject:])
	return h.Sum(nil)
}

// anyBehind reports whether a whole record begins at some place from at on: then what
// is broken before it was not the last that was written.
func anyBehind(block []byte, at int, stream string, index uint32) bool {
	for ; at+leastRecord <= len(block); at++ {
		if !plausible(block[at:]) {
			continue
		}
		if _, problem := record(block, at, stream, index); problem == "" {
			return true
		}
	}
	return false
}

// The times between which records were written, in ns: from 2001 to 2128.
const earliest, latest = int64(1e18), int64(5e18)

// plausible reports whether a record may begin here, without a look at all of it:
// hashing what cannot be one would take a time that grows with the square of the size.
func plausible(rest []byte) bool {
	length := binary.LittleEndian.Uint32(rest) &^ hasHeaders
	at := int64(binary.LittleEndian.Uint64(rest[12:]))
	subject := int(binary.LittleEndian.Uint16(rest[20:]))
	if length < leastRecord || int64(length) > int64(len(rest)) || at < earliest || at > latest || recordHead+subject > len(rest) {
		return false
	}
	return bytes.IndexFunc(rest[recordHead:recordHead+subject], func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}
