package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
)

// writers append side by side, each to a session of its own.
const writers = 4

// load appends until it is killed. The file that it writes is on another disk
// than the store, and a line is written when its append was acknowledged: it says
// "<session> <seq behind the append>".
func load(ctx context.Context, dir, acked string, keys jetstream.Keys) error {
	nc, err := connect(dir)
	if err != nil {
		return err
	}
	defer nc.Close()
	log, err := jetstream.NewLog(jetstream.LogConfig{Conn: nc, Keys: keys})
	if err != nil {
		return err
	}
	file, err := os.Create(acked)
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	errs := make(chan error, writers)
	for n := range writers {
		wg.Go(func() { errs <- appendTo(ctx, log, events.SessionID(fmt.Sprintf("powercut-%d", n)), file) })
	}
	wg.Wait()
	close(errs)
	for e := range errs {
		err = errors.Join(err, e)
	}
	return errors.Join(err, file.Close())
}

func appendTo(ctx context.Context, log *jetstream.Log, id events.SessionID, acked *os.File) error {
	header, err := events.NewHeader(events.Header{ID: id, CreatedAt: 1, CWD: "/workspace"})
	if err != nil {
		return err
	}
	if err := log.Create(ctx, events.Creation{ID: "create", Actor: loader(), Header: header}); err != nil {
		return err
	}
	text := strings.Repeat("x", 400)
	for next := events.Seq(0); ; {
		e, err := events.NewEnvelope(next, int64(next), events.PermissionPreset{Preset: text})
		if err != nil {
			return err
		}
		r, err := events.NewRecord(e)
		if err != nil {
			return err
		}
		next, err = log.Append(ctx, id, events.Append{ID: events.AppendID(fmt.Sprint("a", next)), Next: next, Actor: loader(), Records: []events.Record{r}})
		if err != nil {
			return err
		}
		// One write for a whole line: the process is killed between lines.
		if _, err := fmt.Fprintf(acked, "%s %d\n", id, next); err != nil {
			return err
		}
	}
}

func loader() events.Actor { return events.Actor{Class: "engine", Name: "powercut"} }
