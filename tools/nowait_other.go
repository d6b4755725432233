//go:build !unix

package tools

// openNoWait is for what only Unix has.
const openNoWait = 0
