// Package code finds out what a text of an interpreted language would do, without
// running it: the calls that touch files, processes, hosts, databases and the
// environment, with the targets that are written out, and the places where code is
// computed.
//
// It does not parse the languages. It splits a text into tokens and follows chains of
// names, members and calls through imports and plain assignments. A function that has
// an effect counts wherever it is mentioned, called or not; what is not known to be
// harmless is a problem. So a text is harmless only if each call, member and import in
// it is on a closed list.
package code
