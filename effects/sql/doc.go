// Package sql says what a text of database statements would do, without a database:
// which statements read, which write, drop, grant, reach files or start programs. It
// splits the text as the client program does that would be fed with it, and looks at
// each statement's words; mongo scripts and redis commands have readers of their own.
//
// It does not parse expressions. Words that change something count wherever they
// stand outside of quotes and comments, functions that are not known to be pure make a
// statement unknown, and so does whatever the dialects read differently.
package sql
