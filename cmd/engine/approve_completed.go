package main

import (
	"strings"

	"github.com/docket-engine/docket/approvals"
)

// leastHash is how many digits of a hash an answer gives at least.
const leastHash = 8

// completed completes what an answer gives of a question's id, and of the hash of what was
// shown, where its beginning fits one question alone. What fits none stays as it is,
// and is refused as what it is.
func completed(a approvals.Answer, asked []approvals.Question) (approvals.Answer, error) {
	q, err := questionOf(a.ID, asked)
	if err != nil || q == nil {
		return a, err
	}
	a.ID = q.ID
	if len(a.Hash) < leastHash {
		return a, nil
	}
	for _, whole := range []string{q.Hash, approvals.ShortHash(q.Hash)} {
		if strings.HasPrefix(whole, a.Hash) {
			a.Hash = whole
			return a, nil
		}
	}
	return a, nil
}

// questionOf is the open question of an id, or the only one that begins so; nil for
// none.
func questionOf(id string, asked []approvals.Question) (*approvals.Question, error) {
	var found []*approvals.Question
	for i := range asked {
		switch {
		case asked[i].ID == id:
			return &asked[i], nil
		case id != "" && strings.HasPrefix(asked[i].ID, id):
			found = append(found, &asked[i])
		}
	}
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		return found[0], nil
	}
	return nil, usagef("approve answer: %s is the beginning of %d questions' ids: give more of it", plain(id, 80), len(found))
}
