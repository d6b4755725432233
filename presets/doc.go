// Package presets says what a session is allowed to do by default: which presets
// there are, which one a session is on, and what a switch writes.
//
// # Invariants
//
//   - Everything but [Registry] and [Directory] is a pure function of values.
//   - What a session is on is derived from its log and a [Catalogue], and never
//     from what else is installed: installing and removing writes no events.
//   - A reader has a catalogue that is complete, or none.
//   - A session whose recorded preset is not installed is not published, and its
//     log stays as it is ([Pin]).
//
// Start reading at [Catalogue.Current], which derives the preset, then at [Set]
// and [Pin], the two decisions.
package presets
