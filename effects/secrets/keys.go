package secrets

// rank is how surely what follows a name is a secret.
type rank uint8

const (
	none   rank = iota
	weak        // auth, session, key: a secret if it looks like chance
	medium      // token, credential: unless it is a word or a number
	strong      // password, api key: whatever it is
)

// maxName bounds how far back a name is looked for.
const maxName = 64

// Name reports whether what is kept under a name (a variable, a member, a flag, a
// header) is to be taken for a secret: PGPASSWORD, apiKey, --client-secret, X-Auth-Token.
// Names of references to secrets (token_file, passwordPolicy) are not.
func Name(name string) bool { return rankOf(name) >= medium }

// part is what a word does in a name.
type part uint8

const (
	neutral  part = iota
	password      // strong alone
	opaque        // medium alone
	vague         // weak alone
	key           // weak alone, strong behind a holder
	holder        // whose key or token it is
	about         // says that the value is not the secret but something about it
	paging        // tokens of lists and of models
	counting      // the length of a password, the number of tokens
	open          // public keys, primary keys
	ident         // id: of a session, of a key, or the one in id_token
)

// rankOf takes a name apart where its case, or a sign, does, and never allocates.
func rankOf(name string) rank {
	if len(name) > maxName {
		name = name[len(name)-maxName:]
	}
	if !mayName(name) {
		return none
	}
	best, before := none, neutral
	var buf [maxName]byte
	for i := 0; i < len(name); {
		if name[i] < 0x80 && !alnum(name[i]) {
			i++
			continue
		}
		n, end := component(name, i, &buf)
		i = end
		p := partOf(buf[:n])
		switch p {
		case about:
			best = none
		case ident:
			switch before {
			case key:
				best = none // the id of an access key is shown everywhere
			case opaque:
				if name[end-n-1] == '-' {
					best = none // --secret-id names one
				}
			}
		case password:
			if best = strong; before == counting {
				best = none
			}
		case opaque:
			best = max(best, medium)
			if before == paging || before == counting {
				best = none
			} else if before == holder || before == ident || before == vague {
				best = strong
			}
		case key:
			switch before {
			case holder, opaque, vague:
				best = strong
			case open:
				best = none
			default:
				best = max(best, weak)
			}
		case vague:
			best = max(best, weak)
		}
		before = p
	}
	return best
}

// component copies one word of a name in small letters: up to a sign, or to where a
// small letter is followed by a capital.
func component(name string, i int, buf *[maxName]byte) (n, end int) {
	start := i
	for i < len(name) {
		c := name[i]
		if c < 0x80 && !alnum(c) {
			break
		}
		if i > start && is(c, upperBit) && (is(name[i-1], lowerBit|digitBit) || i+1 < len(name) && is(name[i-1], upperBit) && is(name[i+1], lowerBit)) {
			break
		}
		if digit(c) && i > start && letter(name[i-1]) || letter(c) && i > start && digit(name[i-1]) {
			break
		}
		buf[n] = lower(c)
		n++
		i++
	}
	return n, i
}

// mayName is a cheap look at whether a name has any of the words in it.
func mayName(name string) bool {
	if len(name) < 2 {
		return false
	}
	for i := range len(name) {
		switch lower(name[i]) {
		case 'p', 's', 't', 'k', 'c', 'a', 'j', 'o', 'b', 'd':
			return true
		}
		if name[i] >= 0x80 {
			return true
		}
	}
	return false
}

// partOf knows the words. A switch over strings is compiled to a search by length.
func partOf(w []byte) part {
	switch string(w) {
	case "password", "passwd", "passphrase", "passcode", "pwd", "pswd", "apikey", "secretkey", "accesskey", "privatekey", "authkey", "clientsecret",
		"accesstoken", "authtoken", "refreshtoken", "sessiontoken", "apitoken", "bearertoken", "authorization", "requirepass", "masterauth",
		"storepass", "keypass", "userpass", "passin", "passout", "sshpass", "psk", "otp", "totp", "connectionstring", "sessionkey", "mypass",
		"密码", "密钥", "凭据", "凭证", "令牌", "口令", "私钥":
		return password
	case "token", "tokens", "secret", "secrets", "credential", "credentials", "jwt", "bearer", "pin", "pass", "pw", "passwords",
		"sessionid", "sid", "csrf", "xsrf", "passkey", "mnemonic", "cookie", "cookies":
		return opaque
	case "auth", "session", "sess", "sig", "signature", "oauth", "creds", "cred", "seed":
		return vague
	case "key", "keys":
		return key
	case "api", "access", "private", "client", "account", "shared", "signing", "encryption", "encrypt", "decrypt", "decryption", "master", "ssh", "deploy",
		"storage", "license", "hmac", "aes", "app", "subscription", "consumer", "admin", "bot", "webhook",
		"refresh", "github", "gitlab", "gh", "slack", "npm", "openai", "anthropic", "stripe", "aws", "azure", "google", "gcp", "hf":
		return holder
	case "id":
		return ident
	case "public", "primary", "foreign", "partition", "sort", "unique", "index", "cache", "host", "pub":
		return open
	case "min", "max", "total", "num", "n", "number":
		return counting
	case "next", "page", "continuation", "prompt", "completion", "output", "input", "cached", "reasoning", "no", "with", "without", "sync",
		"continue", "starting", "pagination", "special", "eos", "bos", "pad", "stop", "cursor":
		return paging
	case "file", "files", "filename", "path", "paths", "dir", "directory", "folder", "name", "names", "url", "uri", "endpoint", "port", "type", "types", "kind", "ref",
		"arn", "expiry", "expires", "expiration", "ttl", "lifetime", "age", "length", "len", "size", "count", "limit", "policy", "field", "label", "hint", "placeholder",
		"pattern", "regex", "enabled", "disabled", "required", "reset", "stdin", "provider", "manager", "class", "format", "usage", "version", "ids", "fd", "command",
		"cmd", "method", "mode", "scope", "scopes", "at", "time", "rounds", "env", "var", "variable", "budget", "rate", "bucket", "status", "error", "check", "store",
		"window", "algorithm", "alg", "rotation", "manifest", "selector", "map", "source", "sources", "identifier", "attempts", "strength", "validator", "per",
		"exists", "present", "changed", "context", "config", "settings", "domain", "audience", "issuer", "percent", "sec", "ms", "in":
		return about
	}
	return joinedPart(w)
}

// joinedPart finds the words that names without any sign end in: pgpassword,
// mysecret, dbtoken.
func joinedPart(w []byte) part {
	if len(w) < 6 {
		return neutral
	}
	for _, end := range [...]string{"password", "passwd", "passphrase", "secret", "apikey", "secretkey", "accesskey", "privatekey", "密码", "密钥", "令牌", "口令"} {
		if len(w) > len(end) && string(w[len(w)-len(end):]) == end {
			return password
		}
	}
	for _, end := range [...]string{"token", "credentials", "sessionid"} {
		if len(w) > len(end) && string(w[len(w)-len(end):]) == end {
			return opaque
		}
	}
	return neutral
}

// kindOf is what a secret under a name is called.
func kindOf(name string) Kind {
	switch {
	case containsFold(name, "authorization"):
		return Authorization
	case containsFold(name, "cookie"):
		return Cookie
	case containsFold(name, "pass") || containsFold(name, "pwd") || containsFold(name, "pin"):
		return Password
	}
	return Credential
}

func containsFold(s, lowered string) bool {
	for i := 0; i+len(lowered) <= len(s); i++ {
		if equalFold(s[i:i+len(lowered)], lowered) {
			return true
		}
	}
	return false
}
