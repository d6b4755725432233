// Package effects finds out what a tool call would do, without running it (design
// section 8): which files, hosts, processes and services it would touch, and how. It
// answers with effects, each with the place in the call's text that it rests on, and
// with the rules that speak about them: allow, deny or needs-review.
//
// It is pure: the same call and facts give the same answer, in bounded time. What it
// does not understand is needs-review, never allow.
package effects
