package events_test

import (
	"crypto/sha256"
	"strings"
	"testing"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

// The values are part of the storage format: they must never change.
func TestTheChainIsWhatItWas(t *testing.T) {
	const (
		start = "88fd388edebc841b" // of "docket session log, chain 1"
		two   = "055fd0645b65cdf9" // behind "a" and "b"
	)
	c := events.ChainStart()
	if want := events.Chain(sha256.Sum256([]byte("docket session log, chain 1"))); c != want || !strings.HasPrefix(c.String(), start) {
		t.Errorf("got %s, want %s (%s…)", c, want, start)
	}
	c = c.Next([]byte("a"))
	c = c.Next([]byte("b"))
	if !strings.HasPrefix(c.String(), two) {
		t.Errorf("got %s, want %s…", c, two)
	}
}

func TestEachLineMakesTheNextChain(t *testing.T) {
	records := []events.Record{
		eventstest.Record(t, 0, events.PermissionPreset{Preset: "a"}),
		eventstest.Record(t, 1, events.PermissionPreset{Preset: "b"}),
	}
	one := events.ChainStart().Over(records[0])
	if got, want := one.Over(records[1]), events.ChainStart().Over(records...); got != want {
		t.Errorf("got %s in two steps, %s in one", got, want)
	}
	if got := events.ChainStart().Over(); got != events.ChainStart() {
		t.Errorf("got %s over nothing, want the start", got)
	}
	if one == events.ChainStart() || one == events.ChainStart().Over(records[1]) {
		t.Error("got one chain for different logs")
	}
	joined := append(append([]byte{}, records[0].Line...), records[1].Line...)
	if events.ChainStart().Next(joined) == events.ChainStart().Over(records...) {
		t.Error("got one chain for two records and for their text as one")
	}
}

func TestAChainIsParsedFromItsText(t *testing.T) {
	want := events.ChainStart()
	if got, err := events.ParseChain(want.String()); err != nil || got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	for name, text := range map[string]string{
		"nothing":        "",
		"too short":      want.String()[2:],
		"too long":       want.String() + "00",
		"an odd length":  want.String()[1:],
		"other letters":  strings.Replace(want.String(), want.String()[:1], "g", 1),
		"space around":   " " + want.String(),
		"upper case":     strings.ToUpper(want.String()),
		"letters beyond": strings.Replace(want.String(), want.String()[:2], "é", 1),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := events.ParseChain(text)
			wantField(t, err, "chain")
		})
	}
}
