package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
)

// found is what a cut left.
type found struct {
	Acknowledged int64    `json:"acknowledged"` // events, in all sessions
	Lost         int64    `json:"lost"`
	Sessions     int      `json:"sessions"`
	Gone         int      `json:"gone"` // sessions of which nothing is left
	Corrupt      []string `json:"corrupt"`
	// Whole says that the streams have no holes and reach as far as their anchors.
	Whole bool `json:"whole"`
}

// check opens the store and compares it with what was acknowledged.
func check(ctx context.Context, dir, acked string, keys jetstream.Keys) error {
	want, err := readAcked(acked)
	if err != nil {
		return err
	}
	anchors, err := jetstream.LoadAnchors(filepath.Join(dir, "anchors.jsonl"), keys)
	if err != nil {
		return err
	}
	server, err := jetstream.StartServer(ctx, jetstream.ServerConfig{Dir: dir})
	if err != nil {
		return err
	}
	f, err := compare(ctx, server, jetstream.LogConfig{Keys: keys, Anchors: anchors}, want)
	if err := errors.Join(err, server.Close()); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(f)
}

func compare(ctx context.Context, server *jetstream.Server, cfg jetstream.LogConfig, want map[events.SessionID]events.Seq) (found, error) {
	nc, err := server.Connect(ctx)
	if err != nil {
		return found{}, err
	}
	defer nc.Close()
	js, err := natsjs.New(nc)
	if err != nil {
		return found{}, err
	}
	if _, err := jetstream.Provision(ctx, js, jetstream.Layout{}); err != nil { // a cut may have taken the streams
		return found{}, err
	}
	cfg.Conn = nc
	log, err := jetstream.NewLog(cfg)
	if err != nil {
		return found{}, err
	}
	f := found{Sessions: len(want), Corrupt: []string{}}
	for id, next := range want {
		if err := f.session(ctx, log, id, next); err != nil {
			return found{}, err
		}
	}
	findings, err := log.CheckStreams(ctx)
	f.Whole = len(findings) == 0
	slices.Sort(f.Corrupt)
	return f, errors.Join(err, log.Close(ctx))
}

func (f *found) session(ctx context.Context, log *jetstream.Log, id events.SessionID, next events.Seq) error {
	f.Acknowledged += int64(next)
	report, err := engine.Verify(ctx, log, log, id, nil)
	switch {
	case errors.Is(err, events.ErrNotFound):
		f.Gone++
		f.Lost += int64(next)
		return nil
	case err != nil:
		return err
	}
	f.Lost += max(0, int64(next-report.Events))
	if bad, any := report.FirstBad(); any {
		f.Corrupt = append(f.Corrupt, fmt.Sprintf("%s: %s", id, bad))
	}
	return nil
}

// readAcked gives how far each session was acknowledged. The file may end in half
// a line, as the process was killed.
func readAcked(name string) (map[events.SessionID]events.Seq, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	want := map[events.SessionID]events.Seq{}
	scan := bufio.NewScanner(file)
	for scan.Scan() {
		var id events.SessionID
		var next events.Seq
		if n, err := fmt.Sscanf(scan.Text(), "%s %d", &id, &next); err == nil && n == 2 {
			want[id] = max(want[id], next)
		}
	}
	return want, errors.Join(scan.Err(), file.Close())
}
