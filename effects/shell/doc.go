// Package shell finds the commands that a POSIX shell or bash would run for a text,
// without running it: behind wrappers, in functions, aliases and substitutions, in
// texts that are made for another shell, with variables and folders as far as they
// are known. It says what would be run and what it cannot know. What that means is
// for others to say.
package shell
