package secrets

import "strconv"

const (
	unitCharacters = "characters"
	unitItems      = "items"
	unitMembers    = "members"
)

// cutMarker says how much was left out.
func cutMarker(n int, unit string) string { return cutStart + strconv.Itoa(n) + " " + unit + "]" }
