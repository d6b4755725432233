//go:build !linux

package main

// landlock is Linux's.
func landlock() int { return 0 }
