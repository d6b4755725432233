package events

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// AncestorHead is where the log of one of a child's ancestors ended when a call of the
// child was put on the record: what its people had said up to there was shown to the
// call's reviewer (reference 8, item 12).
type AncestorHead struct {
	Session SessionID `json:"session"`
	Next    Seq       `json:"next"`
	Chain   string    `json:"chain"` // there, hex
	Unknown Unknown   `json:",embed"`
}

// Head is the head without the session's name.
func (a AncestorHead) Head() (Head, error) {
	chain, err := ParseChain(a.Chain)
	return Head{Next: a.Next, Chain: chain}, err
}

func checkAncestors(heads []AncestorHead) error {
	seen := make(map[SessionID]bool, len(heads))
	for i, a := range heads {
		err := memberID("session", a.Session)
		if err == nil && seen[a.Session] {
			err = fieldf("session", "must not be there twice")
		}
		seen[a.Session] = true
		if err == nil {
			err = safeSeq("next", a.Next)
		}
		if err == nil {
			_, err = ParseChain(a.Chain)
		}
		if err != nil {
			return within("ancestors."+strconv.Itoa(i), err)
		}
	}
	return nil
}

// plainAncestors copies heads that have no unknown members.
func plainAncestors(heads []AncestorHead) (own []AncestorHead, plain bool) {
	if len(heads) == 0 {
		return nil, heads == nil
	}
	return slices.Clone(heads), !slices.ContainsFunc(heads, func(a AncestorHead) bool { return a.Unknown != nil })
}

// maxRoute bounds the name of a route in bytes.
const maxRoute = 1024

// RouteNamed reports whether a text names a route, as provider/model.
func RouteNamed(text string) bool {
	provider, model, cut := strings.Cut(text, "/")
	return cut && provider != "" && model != "" && len(text) <= maxRoute && utf8.ValidString(text)
}

func checkRoute(route string) error {
	if route != "" && !RouteNamed(route) {
		return fieldf("route", "must be PROVIDER/MODEL, or absent where nobody was asked")
	}
	return nil
}
