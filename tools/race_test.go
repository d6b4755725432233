//go:build race

package tools_test

// underRace says that the race detector maps several bytes for each of the
// program's, so that the limit of the address space is met first.
const underRace = true
