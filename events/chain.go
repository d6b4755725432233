package events

import (
	"crypto/sha256"
	"encoding/hex"
)

// Chain is a running SHA-256 over a log's stored lines: it starts at a constant,
// so that a fork's copied prefix has its parent's values, and each line makes
// the next value. Two logs with one chain value have the same bytes before it.
type Chain [sha256.Size]byte

// ChainStart is the chain of an empty log.
func ChainStart() Chain { return sha256.Sum256([]byte("docket session log, chain 1")) }

// Next is the chain behind one more stored line.
func (c Chain) Next(line []byte) Chain {
	h := sha256.New()
	h.Write(c[:])
	h.Write(line)
	var next Chain
	h.Sum(next[:0])
	return next
}

// Over is the chain behind several records.
func (c Chain) Over(records ...Record) Chain {
	for _, r := range records {
		c = c.Next(r.Line)
	}
	return c
}

// String is the value in hex.
func (c Chain) String() string { return hex.EncodeToString(c[:]) }

// ParseChain reads what String writes, and no other spelling of it.
func ParseChain(s string) (Chain, error) {
	var c Chain
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(c) || hex.EncodeToString(b) != s {
		return Chain{}, fieldf("chain", "must be 64 hex digits in lower case")
	}
	copy(c[:], b)
	return c, nil
}
