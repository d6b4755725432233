package main

import (
	"errors"
	"strconv"
)

// number is a flag of a whole number from 0, which may not be given.
type number struct {
	n     int64
	given bool
}

// String is the default that the help shows: none unless there is one.
func (f *number) String() string {
	if f.n == 0 {
		return ""
	}
	return strconv.FormatInt(f.n, 10)
}

// Set reads the flag.
func (f *number) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return errors.New("it must be a whole number from 0")
	}
	f.n, f.given = n, true
	return nil
}

// Type names the value in a command's help.
func (*number) Type() string { return "n" }
