package blocks_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/blocks"
)

const sessions = "SESSIONS_0_0"

// No bit of a block can flip unseen, and none that flips, also in the last record, is
// taken for what a killed writer leaves: a server would cut it off.
func TestEveryFlippedBitIsFound(t *testing.T) {
	for _, name := range []string{sessions, jetstream.AuditStream} {
		text, stream := block(t, name, `{"a":"one"}`, `{"b":"two"}`, `{"c":"three"}`)
		whole, err := records(text, stream)
		if err != nil || len(whole) != 3 {
			t.Fatalf("got %d records, %v, want three", len(whole), err)
		}
		for bit := range 8 * len(text) {
			flipped := bytes.Clone(text)
			flipped[bit/8] ^= 1 << (bit % 8)
			f := check(t.Context(), t, name, flipped, sound)
			if f.Damage == nil {
				t.Errorf("%s: bit %d: nothing is found (%s)", name, bit, field(text, whole, bit/8))
			} else if f.Damage.Torn {
				t.Errorf("%s: bit %d: taken for torn (%s): %v", name, bit, field(text, whole, bit/8), f.Damage)
			} else if r := recordAt(whole, bit/8); f.Damage.Offset != r.Offset {
				t.Errorf("%s: bit %d: found at byte %d, want %d", name, bit, f.Damage.Offset, r.Offset)
			}
		}
	}
}

// sound is what the engine knows of its own streams: a subject has no other bytes, and
// a message without headers is an object.
func sound(_ string, r blocks.Record) string {
	switch {
	case strings.ContainsAny(r.Subject, `{":`):
		return "a subject that is none"
	case r.Headers == nil && !bytes.HasPrefix(r.Data, []byte("{")):
		return "a message that is none"
	default:
		return ""
	}
}

func recordAt(all []blocks.Record, at int) blocks.Record {
	i := slices.IndexFunc(all, func(r blocks.Record) bool { return int64(at) < r.End })
	return all[i]
}

// field names what stands at a byte.
func field(text []byte, all []blocks.Record, at int) string {
	r := recordAt(all, at)
	in := at - int(r.Offset)
	subject := int(binary.LittleEndian.Uint16(text[r.Offset+20:]))
	switch {
	case in < 4:
		return "length"
	case in < 12:
		return "sequence"
	case in < 20:
		return "time"
	case in < 22:
		return "length of the subject"
	case in < 22+subject:
		return "subject"
	case int64(at) >= r.End-8:
		return "checksum"
	case r.Headers != nil && in < 22+subject+4:
		return "length of the headers"
	default:
		return "headers or message"
	}
}

func TestHowABlockEndsIsToldFromDamage(t *testing.T) {
	text, stream := block(t, sessions, "one", "two", "three", strings.Repeat("long ", 1000), "five")
	all, err := records(text, stream)
	if err != nil {
		t.Fatal(err)
	}
	last := int(all[4].Offset)
	zeroed := func(from, to int) []byte {
		out := bytes.Clone(text)
		clear(out[from:to])
		return out
	}
	for name, tt := range map[string]struct {
		text    []byte
		left    int // whole records before it
		damaged bool
		torn    bool
	}{
		"whole":                                 {text, 5, false, false},
		"empty":                                 {nil, 0, false, false},
		"cut between records":                   {text[:last], 4, false, false},
		"cut in the head of a record":           {text[:last+10], 4, true, true},
		"cut in its headers":                    {text[:last+60], 4, true, true},
		"cut in its checksum":                   {text[:len(text)-1], 4, true, true},
		"the end is zeros":                      {zeroed(last+50, len(text)), 4, true, true},
		"zeros behind it":                       {append(bytes.Clone(text), make([]byte, 4096)...), 5, true, true},
		"a few bytes behind it":                 {append(bytes.Clone(text), "abc"...), 5, true, true},
		"garbage behind it":                     {append(bytes.Clone(text), bytes.Repeat([]byte("garbage "), 512)...), 5, true, true},
		"zeros in the middle":                   {zeroed(int(all[1].Offset)+5, int(all[2].Offset)+5), 1, true, false},
		"the beginning is zeros":                {zeroed(0, 40), 0, true, false},
		"zeros inside of the last":              {zeroed(last+40, last+60), 4, true, false},
		"the last but one, and the last is cut": {zeroed(int(all[3].Offset)+200, int(all[3].Offset)+210)[:len(text)-3], 3, true, false},
		"a record is missing":                   {slices.Concat(text[:all[1].Offset], text[all[1].End:]), 4, false, false}, // who follows the frames finds it
		"a record is there twice":               {slices.Concat(text[:all[1].End], text[all[1].Offset:]), 2, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := check(t.Context(), t, stream, tt.text, nil)
			if (f.Damage != nil) != tt.damaged || tt.damaged && f.Damage.Torn != tt.torn {
				t.Errorf("got %+v, want damage %t, torn %t", f.Damage, tt.damaged, tt.torn)
			}
			if left := int(f.Latest); tt.left > 0 && name != "a record is missing" && left != tt.left {
				t.Errorf("got records up to %d, want up to %d", left, tt.left)
			}
		})
	}
}

func TestReadingGoesOnBehindADamage(t *testing.T) {
	text, stream := block(t, sessions, "one", "two", "three", "four")
	all, err := records(text, stream)
	if err != nil {
		t.Fatal(err)
	}
	text[all[1].Offset+1] ^= 4 // its length
	text[all[2].End-1] ^= 1
	var got []uint64
	var damages int
	for r, err := range blocks.ReadOn(text, stream, 1) {
		if _, is := errors.AsType[*blocks.Damage](err); is {
			damages++
			continue
		}
		got = append(got, r.Sequence)
	}
	if !slices.Equal(got, []uint64{1, 4}) || damages != 1 {
		t.Errorf("got %v with %d damages, want 1 and 4 with one between", got, damages)
	}
}

func TestAnotherBlocksRecordsAreNoneOfThisOne(t *testing.T) {
	text, stream := block(t, sessions, "one")
	for _, other := range []struct {
		stream string
		index  uint32
	}{{stream, 2}, {"SESSIONS_0_1", 1}} {
		for _, err := range blocks.Read(text, other.stream, other.index) {
			if err == nil {
				t.Errorf("a record of %s 1 is read as one of %v", stream, other)
			}
		}
	}
}

// What looks like many long records in one another takes no longer than its size says.
func TestTheTimeForABlockGrowsWithItsSizeAlone(t *testing.T) {
	var text []byte
	for len(text) < 8<<20 {
		head := make([]byte, 22)
		binary.LittleEndian.PutUint32(head, uint32(8<<20-len(text)))
		binary.LittleEndian.PutUint64(head[12:], uint64(time.Now().UnixNano()))
		text = append(text, head...)
	}
	text = text[:8<<20]
	began := time.Now()
	f := check(t.Context(), t, sessions, text, nil)
	if took := time.Since(began); f.Damage == nil || f.Damage.Torn || took > 30*time.Second {
		t.Errorf("got %v after %s, want damage that is not taken for torn, at once", f.Damage, took)
	}
}

func TestWhatIsNoBlockIsNotRead(t *testing.T) {
	root := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(root, "1.blk"), 0o700), os.Symlink("1.blk", filepath.Join(root, "2.blk"))); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"1.blk", "2.blk", "3.blk"} {
		if f, err := blocks.Check(t.Context(), root, blocks.Block{Path: path, Stream: sessions, Index: 1}, nil); err == nil {
			t.Errorf("%s: got %+v, want an error", path, f)
		}
	}
	if f := check(t.Context(), t, sessions, []byte("cmp\x01 and so on, for quite some bytes"), nil); f.Damage == nil || f.Damage.Torn {
		t.Errorf("compressed: got %+v, want damage", f.Damage)
	}
}

func FuzzRead(f *testing.F) {
	text, _ := block(f, sessions, "one", "two")
	f.Add(text)
	f.Add(text[:len(text)-3])
	f.Add(append(make([]byte, 100), text...))
	f.Add([]byte(strings.Repeat("\x1f\x00\x00\x00", 64)))
	f.Fuzz(func(t *testing.T, text []byte) {
		end, size := int64(0), 0
		for r, err := range blocks.ReadOn(text, sessions, 1) {
			if err != nil {
				continue
			}
			if r.Offset < end || r.End > int64(len(text)) || r.End <= r.Offset {
				t.Fatalf("a record from %d to %d of %d, behind %d", r.Offset, r.End, len(text), end)
			}
			end, size = r.End, size+len(r.Subject)+len(r.Headers)+len(r.Data)
		}
		if size > len(text) {
			t.Errorf("got %d bytes of %d", size, len(text))
		}
		for _, err := range blocks.Read(text, sessions, 1) {
			if err != nil {
				return
			}
		}
		if end != int64(len(text)) {
			t.Errorf("nothing is wrong, and %d of %d bytes were read", end, len(text))
		}
	})
}
