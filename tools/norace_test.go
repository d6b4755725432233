//go:build !race

package tools_test

const underRace = false
