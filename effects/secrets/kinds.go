package secrets

import "strings"

// Kind says what a secret is, and never a part of it.
type Kind string

// The kinds of secrets.
const (
	PrivateKey    Kind = "private key"
	JWT           Kind = "jwt"
	AWSKey        Kind = "aws key"
	GitHubToken   Kind = "github token"
	GitLabToken   Kind = "gitlab token"
	SlackToken    Kind = "slack token"
	GoogleKey     Kind = "google key"
	StripeKey     Kind = "stripe key"
	NPMToken      Kind = "npm token"
	ModelKey      Kind = "model provider key" // OpenAI, Anthropic and those that copy their shape
	HuggingFace   Kind = "hugging face token"
	PyPIToken     Kind = "pypi token"
	DigitalOcean  Kind = "digitalocean token"
	SendGridKey   Kind = "sendgrid key"
	TwilioKey     Kind = "twilio key"
	VaultToken    Kind = "vault token"
	TelegramBot   Kind = "telegram bot token"
	NATSSeed      Kind = "nats seed"
	AgeKey        Kind = "age key"
	Password      Kind = "password"
	Credential    Kind = "credential" // under a name that says so
	Authorization Kind = "authorization"
	Cookie        Kind = "cookie"
	Undisclosable Kind = "undisclosable" // the whole text
)

const (
	markerStart = "[redacted: "
	cutStart    = "[cut: "
)

// Marker is what stands where a secret was.
func (k Kind) Marker() string { return markerStart + string(k) + "]" }

// kindNamed gives the kind of a marker's words.
func kindNamed(words string) (Kind, bool) {
	switch k := Kind(words); k {
	case PrivateKey, JWT, AWSKey, GitHubToken, GitLabToken, SlackToken, GoogleKey, StripeKey, NPMToken, ModelKey, HuggingFace, PyPIToken,
		DigitalOcean, SendGridKey, TwilioKey, VaultToken, TelegramBot, NATSSeed, AgeKey, Password, Credential, Authorization, Cookie, Undisclosable:
		return k, true
	}
	return "", false
}

// markerLen is the length of the marker that a text begins with, or 0. Only what this
// package writes is one: other words in brackets may be a secret.
func markerLen(s string) int {
	end := strings.IndexByte(s[:min(len(s), 64)], ']')
	if end < 0 {
		return 0
	}
	if strings.HasPrefix(s, markerStart) {
		if _, ok := kindNamed(s[len(markerStart):end]); ok {
			return end + 1
		}
		return 0
	}
	if strings.HasPrefix(s, cutStart) && isCut(s[len(cutStart):end]) {
		return end + 1
	}
	return 0
}

func isMarker(s string) bool { return s != "" && markerLen(s) == len(s) }

// isCut recognises "12 characters", as cutMarker writes it.
func isCut(words string) bool {
	number, unit, ok := strings.Cut(words, " ")
	if !ok || number == "" || len(number) > 19 {
		return false
	}
	for i := range len(number) {
		if !digit(number[i]) {
			return false
		}
	}
	return unit == unitCharacters || unit == unitItems || unit == unitMembers
}

// Span is a secret's place: byte offsets, End exclusive.
type Span struct {
	Start, End int
	Kind       Kind
}
