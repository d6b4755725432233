package main

import (
	"fmt"
	"os"

	"github.com/docket-engine/docket/jetstream"
)

// checkBlocks says what was found when the files of the store were read last: by what
// opened it, and since then by the serve that runs.
func (a *app) checkBlocks(e *examination) {
	const name = "blocks"
	keys, err := loadKeys(a.dir)
	if err != nil {
		e.skip(name, "the keys of the store cannot be read, with which the list of its files is signed")
		return
	}
	c := jetstream.CheckedBlocks(a.dir, keys)
	for _, d := range c.Damages {
		e.add(name, checkFault, d, "'engine verify --all' says which sessions are concerned; stop 'engine serve', then 'engine repair store' makes a new store of what is whole")
	}
	switch {
	case len(c.Damages) > 0:
	case c.Blocks == 0:
		e.ok(name, "none is full yet")
	case os.Geteuid() == 0:
		e.add(name, checkNote, fmt.Sprintf("%d full ones, all whole, the oldest look at one was at %s; that they are sealed does not hold for root", c.Blocks, local(c.Oldest.UnixMilli())),
			"run 'engine serve' as a user of its own")
	default:
		e.ok(name, "%d full ones, all whole, %d of them sealed; the oldest look at one was at %s", c.Blocks, c.Sealed, local(c.Oldest.UnixMilli()))
	}
}
