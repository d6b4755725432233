package model

import (
	"fmt"
	"io"
	"net/url"
	"os"
	"regexp"
	"strings"

	"github.com/docket-engine/docket/reviewer"
)

// maxKeyFile is far above any key, and far below a file that is none.
const maxKeyFile = 64 << 10

// key is a route's secret, empty for a route without one. It prints as nothing.
type key struct{ secret string }

// String keeps the secret out of whatever is printed.
func (k key) String() string { return "[key]" }

// GoString is [key.String].
func (k key) GoString() string { return k.String() }

// readKey reads the route's key where the route says that it is. It is read at each
// request, so that a new one counts at once and none is kept. The failure names the
// place and says nothing of what is there.
func readKey(route reviewer.Route, environment func(string) string) (key, error) {
	switch {
	case route.KeyEnv != "" && route.KeyFile != "":
		return key{}, ErrKey.With("the route %s has both keyEnv and keyFile", route.Name())
	case route.KeyEnv != "":
		return usable(environment(route.KeyEnv), fmt.Sprintf("the environment variable %s", route.KeyEnv))
	case route.KeyFile != "":
		text, err := readPrivate(route.KeyFile)
		if err != nil {
			return key{}, err
		}
		return usable(text, fmt.Sprintf("the file %s", route.KeyFile))
	}
	return key{}, nil
}

// usable takes what is one word of ASCII: nothing else goes into a header as it is.
func usable(text, place string) (key, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return key{}, ErrKey.With("%s holds no key", place)
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return key{}, ErrKey.With("%s holds no key: a key is one word of printable ASCII", place)
	}
	return key{secret: text}, nil
}

// readPrivate reads a file that its owner alone can read. What is checked is the file
// that is open, whatever its name stands for by then.
func readPrivate(path string) (string, error) {
	if state, err := os.Stat(path); err == nil && !state.Mode().IsRegular() { // opening a pipe would wait
		return "", ErrKey.With("the key file %s is no regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", ErrKey.With("the key file cannot be read: %v", err)
	}
	defer file.Close()
	state, err := file.Stat()
	switch {
	case err != nil:
		return "", ErrKey.With("the key file cannot be read: %v", err)
	case !state.Mode().IsRegular():
		return "", ErrKey.With("the key file %s is no regular file", path)
	case state.Mode().Perm()&0o077 != 0:
		return "", ErrKey.With("the key file %s can be read by others (%s): make it private with chmod 600", path, state.Mode().Perm())
	}
	text, err := io.ReadAll(io.LimitReader(file, maxKeyFile+1))
	switch {
	case err != nil:
		return "", ErrKey.With("the key file cannot be read: %v", err)
	case len(text) > maxKeyFile:
		return "", ErrKey.With("the key file %s is larger than %d bytes", path, maxKeyFile)
	}
	return string(text), nil
}

// masked is a word that somebody made partly unreadable, as providers do with keys
// that they refuse: its ends are still those of the key.
var masked = regexp.MustCompile(`[^\s"']*(\*{3,}|•{3,})[^\s"']*|[^\s"'.…]+(\.{3,}|…)[^\s"'.…]+`)

// minPiece is how many bytes in a row of the key are a piece of it and no chance.
const minPiece = 8

// scrub takes the key, and what may be left of it, out of somebody else's text: the key
// as it is or as it stands in an address, any piece of it, and a word of which a part is
// masked.
func (k key) scrub(text string) string {
	if k.secret == "" {
		return text
	}
	for _, form := range []string{k.secret, url.QueryEscape(k.secret), url.PathEscape(k.secret)} {
		text = strings.ReplaceAll(text, form, "[key]")
	}
	return masked.ReplaceAllString(k.scrubPieces(text), "[key]")
}

func (k key) scrubPieces(text string) string {
	if len(k.secret) < minPiece {
		return text
	}
	pieces := make(map[string]bool)
	for i := range len(k.secret) - minPiece + 1 {
		pieces[k.secret[i:i+minPiece]] = true
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		end := i
		for at := i; at+minPiece <= len(text) && pieces[text[at:at+minPiece]]; at++ {
			end = at + minPiece
		}
		if end == i {
			b.WriteByte(text[i])
			i++
			continue
		}
		b.WriteString("[key]")
		i = end
	}
	return b.String()
}
