package events

import (
	"strconv"
)

// SessionID names a session: 1 to 128 of the characters A-Z, a-z, 0-9, '_' and
// '-', because it becomes a subject token and a file name.
type SessionID string

// Seq is the position of an event in its session's log, from 0 without gaps.
// As the position of a log it is the number of events, which is the seq that
// the next event will get.
type Seq int64

// AppendID makes an append repeatable: the same id at the same place is the
// same append. 1 to 128 printable ASCII characters without spaces.
type AppendID string

// MaxSafeInteger is the largest integer that every reader of the format holds
// exactly (2^53-1).
const MaxSafeInteger = 1<<53 - 1

const maxIDLength = 128

// Check reports what is wrong with the id, as a *[FieldError].
func (id SessionID) Check() error {
	if len(id) == 0 || len(id) > maxIDLength {
		return fieldf("id", "must have 1 to 128 characters, has %d", len(id))
	}
	for i := range len(id) {
		if !isIDByte(id[i]) {
			return fieldf("id", "must be of A-Z, a-z, 0-9, _ and -, has %s", strconv.QuoteRune(rune(id[i])))
		}
	}
	return nil
}

func isIDByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// Check reports what is wrong with the id, as a *[FieldError].
func (id AppendID) Check() error {
	if len(id) == 0 || len(id) > maxIDLength {
		return fieldf("append id", "must have 1 to 128 characters, has %d", len(id))
	}
	for i := range len(id) {
		if id[i] <= ' ' || id[i] > '~' {
			return fieldf("append id", "must be printable ASCII without spaces, has %s", strconv.QuoteRune(rune(id[i])))
		}
	}
	return nil
}

// Format is the storage version whose rules a stored line follows.
type Format int

const (
	// Format0 is the reference's first format: packed chunk rows, older names,
	// message bodies of a different shape. It is only ever imported.
	Format0 Format = 0
	// Format4 is the reference's current format, and the one that we write.
	Format4 Format = 4
)

// Check reports whether the format is one that this package can read.
func (f Format) Check() error {
	if f != Format0 && f != Format4 {
		return fieldf("version", "must be 0 or 4, is %d", int(f))
	}
	return nil
}
