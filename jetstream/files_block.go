package jetstream

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/docket-engine/docket/jetstream/blocks"
)

// otherBlock is what is wrong with a block that is whole, and another one.
const otherBlock = "it is none of the records that were there when it was looked at last"

// fileBlock is what one block holds.
type fileBlock struct {
	messages []filed
	last     uint64 // the last sequence, also of messages that are gone
	gaps     []blockGap
	sha256   string
}

// readBlock notes the messages of a block, and the places that are damaged. An end
// that was not written whole is neither.
func readBlock(b blocks.Block, text []byte) *fileBlock {
	sum := sha256.Sum256(text)
	out := &fileBlock{sha256: hex.EncodeToString(sum[:])}
	gone := map[uint64]bool{}
	var gap *blocks.Damage
	for r, err := range blocks.ReadOn(text, b.Stream, b.Index) {
		if err == nil && !r.Gone {
			err = sound(b, r)
		}
		if damage, is := errors.AsType[*blocks.Damage](err); is {
			if gap == nil {
				gap = damage
			}
			continue
		}
		if gap != nil {
			out.gap(b, gap, text[gap.Offset:r.Offset])
			gap = nil
		}
		out.last = max(out.last, r.Sequence)
		if r.Gone {
			gone[r.Sequence] = true
			continue
		}
		out.messages = append(out.messages, filed{seq: r.Sequence, subject: r.Subject, block: b, from: r.Offset, end: r.End})
	}
	if gap != nil && (!gap.Torn || !b.Last) {
		out.gap(b, gap, text[gap.Offset:])
	}
	out.messages = slices.DeleteFunc(out.messages, func(m filed) bool { return gone[m.seq] })
	return out
}

func (o *fileBlock) gap(b blocks.Block, d *blocks.Damage, bytes []byte) {
	o.gaps = append(o.gaps, blockGap{
		BlockDamage: BlockDamage{Stream: b.Stream, Block: b.Path, Byte: d.Offset, Problem: d.Problem},
		bytes:       slices.Clone(bytes),
	})
}

// sound is [soundRecord] as a damage.
func sound(b blocks.Block, r blocks.Record) error {
	if problem := soundRecord(b.Stream, r); problem != "" {
		return &blocks.Damage{Offset: r.Offset, Problem: problem}
	}
	return nil
}

// holdsSubject reports whether the bytes of damaged records have a subject where a
// record has its own: behind its length, or where the first record has it. That a
// message speaks of it does not count.
func holdsSubject(text []byte, subject string) bool {
	for at, from := 0, 0; ; from = at + 1 {
		i := bytes.Index(text[from:], []byte(subject))
		if i < 0 {
			return false
		}
		at = from + i
		end := text[at+len(subject):]
		if len(end) > 0 && isIDByte(end[0]) && at >= 2 && int(binary.LittleEndian.Uint16(text[at-2:])) != len(subject) {
			continue
		}
		if at == subjectAt || at >= 2 && int(binary.LittleEndian.Uint16(text[at-2:])) == len(subject) {
			return true
		}
	}
}

// subjectAt is where a record has its subject.
const subjectAt = 22

func isIDByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// damagedHere says that a damage may be of a session.
func damagedHere(d BlockDamage) string {
	return fmt.Sprintf("a record that names this session cannot be read: %s", d)
}
