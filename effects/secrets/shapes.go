package secrets

import "strings"

// shape is a token that says by its beginning what it is.
type shape struct {
	kind   Kind
	prefix string
	body   func(byte) bool
	least  int // bytes of the body
	// bounded prefixes are too common to begin within a word, and what follows them has
	// to look like chance.
	bounded bool
}

func alnumUnder(c byte) bool { return alnum(c) || c == '_' }
func wordDot(c byte) bool    { return word(c) || c == '.' }

// The shapes by the byte on which the scanner looks for them: the last one of the
// prefix.
var (
	underscoreShapes = []shape{
		{GitHubToken, "ghp_", alnumUnder, 16, false},
		{GitHubToken, "gho_", alnumUnder, 16, false},
		{GitHubToken, "ghu_", alnumUnder, 16, false},
		{GitHubToken, "ghs_", wordDot, 16, false},
		{GitHubToken, "ghr_", alnumUnder, 16, false},
		{GitHubToken, "github_pat_", alnumUnder, 16, false},
		{StripeKey, "sk_live_", alnumUnder, 10, false},
		{StripeKey, "rk_live_", alnumUnder, 10, false},
		{StripeKey, "sk_test_", alnumUnder, 10, false},
		{StripeKey, "rk_test_", alnumUnder, 10, false},
		{StripeKey, "whsec_", base64Byte, 16, false},
		{NPMToken, "npm_", alnum, 30, true},
		{HuggingFace, "hf_", alnum, 20, true},
		{HuggingFace, "api_org_", alnum, 20, true},
		{DigitalOcean, "dop_v1_", hex, 32, false},
		{DigitalOcean, "doo_v1_", hex, 32, false},
		{DigitalOcean, "dor_v1_", hex, 32, false},
		{ModelKey, "gsk_", alnum, 20, true},
		{ModelKey, "r8_", alnum, 30, true},
	}
	dashShapes = []shape{
		{GitLabToken, "glpat-", wordDot, 16, false},
		{GitLabToken, "gldt-", wordDot, 16, false},
		{GitLabToken, "glrt-", wordDot, 16, false},
		{GitLabToken, "glptt-", wordDot, 16, false},
		{GitLabToken, "glcbt-", wordDot, 16, false},
		{GitLabToken, "glsoat-", wordDot, 16, false},
		{GitLabToken, "glft-", wordDot, 16, false},
		{GitLabToken, "glimt-", wordDot, 16, false},
		{GitLabToken, "glagent-", wordDot, 16, false},
		{GitLabToken, "gloas-", wordDot, 16, false},
		{GitLabToken, "glffct-", wordDot, 16, false},
		{GitLabToken, "GR1348941", word, 16, false},
		{SlackToken, "xoxa-", word, 10, false},
		{SlackToken, "xoxb-", word, 10, false},
		{SlackToken, "xoxe-", word, 10, false},
		{SlackToken, "xoxp-", word, 10, false},
		{SlackToken, "xoxr-", word, 10, false},
		{SlackToken, "xoxs-", word, 10, false},
		{SlackToken, "xoxc-", word, 10, false},
		{SlackToken, "xoxd-", word, 10, false},
		{SlackToken, "xoxe.xoxp-", word, 10, false},
		{SlackToken, "xapp-", word, 10, false},
		{ModelKey, "sk-", word, 20, true},
		{ModelKey, "xai-", word, 20, true},
		{PyPIToken, "pypi-", word, 16, true},
		{AgeKey, "AGE-SECRET-KEY-", alnum, 16, false},
	}
	dotShapes = []shape{
		{GoogleKey, "ya29.", wordDot, 16, false},
		{SendGridKey, "SG.", wordDot, 32, true},
		{VaultToken, "hvs.", word, 20, true},
		{VaultToken, "hvb.", word, 20, true},
		{VaultToken, "hvr.", word, 20, true},
	}
)

// maxToken is longer than any token that has a shape of its own.
const maxToken = 256

// shapeAt tries the shapes whose prefix ends at i.
func (x *scanner) shapeAt(i int, shapes []shape) int {
	s := x.s
	for k := range shapes {
		p := shapes[k].prefix
		at := i + 1 - len(p)
		if at < 0 || s[at] != p[0] || s[at:i+1] != p {
			continue
		}
		if shapes[k].bounded && at > 0 && word(s[at-1]) {
			continue
		}
		if p[len(p)-1] == '.' && run(s[:min(len(s), i+17)], i+1, word) < i+17 {
			continue // the first part of all of them is longer
		}
		// What is longer than any token is judged by its beginning: many beginnings in one
		// long run must not each read all of it.
		limited := s[:min(len(s), i+1+maxToken)]
		end := run(limited, i+1, shapes[k].body)
		body := strings.TrimRight(s[i+1:end], ".") // of a sentence
		if len(body) < shapes[k].least {
			continue
		}
		m := makeupOf(body)
		if len(body) < maxToken && masked(body) || shapes[k].bounded && m.letters < 20 && (m.longest < 16 || m.distinct < 8) {
			continue // ghp_xxxxxxxx, or words with dashes
		}
		end = i + 1 + len(body)
		if len(body) == maxToken {
			end = run(s, end, shapes[k].body)
		}
		return x.found(at, end, shapes[k].kind)
	}
	return i + 1
}

// upperShape finds those that begin with a capital and have no sign within: i is the
// place of an A or S.
func (x *scanner) upperShape(i int) int {
	s := x.s
	if i+1 >= len(s) {
		return i + 1
	}
	rest := s[i:]
	switch s[i+1] {
	case 'K', 'S', 'B', 'C':
		if strings.HasPrefix(rest, "AKIA") || strings.HasPrefix(rest, "ASIA") || strings.HasPrefix(rest, "ABIA") || strings.HasPrefix(rest, "ACCA") {
			if end := run(s, i+4, func(c byte) bool { return is(c, upperBit|digitBit) }); end-i >= 20 {
				return x.awsPair(i, end)
			}
		}
		if strings.HasPrefix(rest, "SK") && (i == 0 || !word(s[i-1])) {
			if end := run(s, i+2, hex); end-i == 34 && (end == len(s) || !word(s[end])) {
				return x.found(i, end, TwilioKey)
			}
		}
		return x.natsSeed(i)
	case 'I':
		if strings.HasPrefix(rest, "AIza") {
			if end := run(s, i+4, word); end-i >= 34 {
				return x.found(i, end, GoogleKey)
			}
		}
		return i + 1
	}
	return x.natsSeed(i)
}

// natsSeed is S, the kind of account, and 56 bytes of base32; a little less or more
// is one that was cut or runs into others.
func (x *scanner) natsSeed(i int) int {
	s := x.s
	if s[i] != 'S' || i > 0 && base32Byte(s[i-1]) || strings.IndexByte("UAOCNPX", s[i+1]) < 0 {
		return i + 1
	}
	end := run(s, i, base32Byte)
	if m := makeupOf(s[i:end]); end-i < 48 || m.distinct < 8 || m.digits == 0 {
		return i + 1
	}
	return x.found(i, end, NATSSeed)
}

// awsPair takes the secret that stands next to a key's id along.
func (x *scanner) awsPair(start, end int) int {
	x.found(start, end, AWSKey)
	s := x.s
	for i := end; i < len(s) && i < end+64; {
		if !base64Byte(s[i]) || i > 0 && base64Byte(s[i-1]) {
			i++
			continue
		}
		stop := i
		for stop < len(s) && stop-i < 48 && base64Byte(s[stop]) && s[stop] != '=' {
			stop++
		}
		if m := makeupOf(s[i:stop]); stop-i == 40 && m.uppers > 0 && m.lowers > 0 && m.distinct >= 12 {
			x.found(i, stop, AWSKey)
			return stop
		}
		i = max(stop, i+1)
	}
	return end
}

// jwt is at a J: three parts, of which the first is a JSON object in base64.
func (x *scanner) jwt(i int) int {
	s := x.s
	if i < 2 || s[i-2] != 'e' || s[i-1] != 'y' {
		return i + 1
	}
	first := x.wordEnd(i)
	if first-i < 8 || first >= len(s) || s[first] != '.' {
		return i + 1
	}
	end := run(s, first+1, word)
	if end-first < 9 {
		return i + 1
	}
	for parts := 2; parts < 5 && end+1 < len(s) && s[end] == '.' && word(s[end+1]); parts++ {
		end = run(s, end+1, word)
	}
	return x.found(i-2, end, JWT)
}

// wordEnd is where the word around i ends. It is kept, so that many beginnings within
// one word cost no more than one.
func (x *scanner) wordEnd(i int) int {
	if i < x.wordFrom || i >= x.wordTo {
		x.wordFrom, x.wordTo = i, run(x.s, i, word)
	}
	return x.wordTo
}

// telegram is at the colon of 123456789:AA….
func (x *scanner) telegram(i int) (int, bool) {
	s, start := x.s, i
	for start > 0 && digit(s[start-1]) && i-start < 12 {
		start--
	}
	if i-start < 8 || i-start > 10 {
		return 0, false
	}
	end := i + 1
	for end < len(s) && word(s[end]) && end-i < 64 {
		end++
	}
	if end-i-1 < 33 || makeupOf(s[i+1:end]).distinct < 12 {
		return 0, false
	}
	return x.found(start, end, TelegramBot), true
}
