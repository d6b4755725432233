package secrets

// class tells bytes apart.
type class uint16

const (
	upperBit class = 1 << iota
	lowerBit
	digitBit
	wordBit    // what tokens are made of: letters, digits, _ and -
	nameBit    // what names of settings are made of: word bytes, dots and all that is not ASCII
	triggerBit // where a secret may show itself
	spaceBit
	lastBit // with what names end that may stand a space before their secret: password, token, secret, key, pass
	endBit  // what ends an unquoted word in a shell, or in JSON
)

// classes is a table, filled once: a byte loop is as fast as its test.
var classes = classTable()

func classTable() (t [256]class) {
	for b := range 256 {
		c := byte(b)
		switch {
		case c >= 'A' && c <= 'Z':
			t[b] = upperBit | wordBit | nameBit
		case c >= 'a' && c <= 'z':
			t[b] = lowerBit | wordBit | nameBit
		case c >= '0' && c <= '9':
			t[b] = digitBit | wordBit | nameBit
		case c == '_' || c == '-':
			t[b] = wordBit | nameBit
		case c == '.' || c >= 0x80:
			t[b] = nameBit
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			t[b] = spaceBit | endBit
		}
	}
	for _, c := range []byte(";&|<>()\x00") {
		t[c] |= endBit
	}
	// 0x9A is the last byte of a full-width colon; 0xC2, 0xE2 and 0xEF begin characters
	// that cannot be seen.
	for _, c := range []byte("_-.:=,ASJBb \t\x9A\\%\"'\xC2\xE2\xEF") {
		t[c] |= triggerBit
	}
	for _, c := range []byte("dntysDNTYS") {
		t[c] |= lastBit
	}
	for c := range 0x20 {
		if t[c]&spaceBit == 0 {
			t[c] |= triggerBit
		}
	}
	return t
}

func is(c byte, bits class) bool { return classes[c]&bits != 0 }

func digit(c byte) bool  { return classes[c]&digitBit != 0 }
func letter(c byte) bool { return classes[c]&(upperBit|lowerBit) != 0 }
func alnum(c byte) bool  { return classes[c]&(upperBit|lowerBit|digitBit) != 0 }
func word(c byte) bool   { return classes[c]&wordBit != 0 }
func space(c byte) bool  { return classes[c]&spaceBit != 0 }
func blank(c byte) bool  { return c == ' ' || c == '\t' }
func quote(c byte) bool  { return c == '"' || c == '\'' || c == '`' }

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func hex(c byte) bool { return digit(c) || lower(c) >= 'a' && lower(c) <= 'f' }

func base64Byte(c byte) bool {
	return alnum(c) || c == '+' || c == '/' || c == '=' || c == '-' || c == '_'
}

func base32Byte(c byte) bool { return is(c, upperBit) || c >= '2' && c <= '7' }

// run is where the bytes of a kind that begin at i end.
func run(s string, i int, of func(byte) bool) int {
	for i < len(s) && of(s[i]) {
		i++
	}
	return i
}

// makeup counts what a text is made of.
type makeup struct {
	digits, uppers, lowers, others int
	longest                        int // run of letters and digits that has both
	letters                        int // longest run of letters and digits
	distinct                       int
}

// makeupOf looks at no more than the first 256 bytes.
func makeupOf(s string) (m makeup) {
	var seen [4]uint64
	start, digits, letters := 0, false, false
	s = s[:min(len(s), 256)]
	for i := range len(s) {
		c := s[i]
		if bit := uint64(1) << (c & 63); seen[c>>6]&bit == 0 {
			seen[c>>6] |= bit
			m.distinct++
		}
		switch {
		case digit(c):
			m.digits, digits = m.digits+1, true
		case is(c, upperBit):
			m.uppers, letters = m.uppers+1, true
		case is(c, lowerBit):
			m.lowers, letters = m.lowers+1, true
		default:
			m.others++
			start, digits, letters = i+1, false, false
			continue
		}
		m.letters = max(m.letters, i+1-start)
		if digits && letters {
			m.longest = max(m.longest, i+1-start)
		}
	}
	return m
}

func equalFold(a, lowered string) bool {
	if len(a) != len(lowered) {
		return false
	}
	for i := range len(a) {
		if lower(a[i]) != lowered[i] {
			return false
		}
	}
	return true
}

func hasPrefixFold(s, lowered string) bool {
	return len(s) >= len(lowered) && equalFold(s[:len(lowered)], lowered)
}
