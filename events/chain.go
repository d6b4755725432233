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

// shortLink is how many bytes of chain and line are put in one piece on the stack
// to be hashed: nearly every line.
const shortLink = 1 << 10

// Next is the chain behind one more stored line.
func (c Chain) Next(line []byte) Chain {
	if size := len(c) + len(line); size <= shortLink {
		var short [shortLink]byte
		copy(short[copy(short[:], c[:]):], line)
		return sha256.Sum256(short[:size])
	}
	h := sha256.New()
	h.Write(c[:])
	h.Write(line)
	var next Chain
	h.Sum(next[:0])
	return next
}

// Over is the chain behind several records. One that was split from a body and
// has this chain before it is not hashed again.
func (c Chain) Over(records ...Record) Chain {
	for _, r := range records {
		if p := r.known(); p != nil && r.in.chainBefore(r.part) == c {
			c = p.chain
		} else {
			c = c.Next(r.Line)
		}
	}
	return c
}

// String is the value in hex.
func (c Chain) String() string { return hex.EncodeToString(c[:]) }

// ParseChain reads what String writes, and no other spelling of it.
func ParseChain(s string) (Chain, error) {
	var c Chain
	if len(s) != hex.EncodedLen(len(c)) {
		return Chain{}, errNoChain()
	}
	for i := range c {
		high, low := nibble(s[2*i]), nibble(s[2*i+1])
		if high|low > 0xf {
			return Chain{}, errNoChain()
		}
		c[i] = high<<4 | low
	}
	return c, nil
}

func errNoChain() error { return fieldf("chain", "must be 64 hex digits in lower case") }

// nibble is the value of a hex digit, or more than any has.
func nibble(digit byte) byte {
	switch {
	case '0' <= digit && digit <= '9':
		return digit - '0'
	case 'a' <= digit && digit <= 'f':
		return digit - 'a' + 10
	default:
		return 0xff
	}
}
