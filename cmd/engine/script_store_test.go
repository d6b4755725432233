package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/nats-io/jwt/v2"
	natsjs "github.com/nats-io/nats.go/jetstream"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
)

func scriptCut(ts *testscript.TestScript, neg bool, args []string) {
	ok := !neg && (len(args) == 2 && args[0] == "import" || len(args) == 3 && args[0] == "fork")
	wantArgs(ts, ok, "cut import FILE, or cut fork SESSION ID")
	a := &app{world: world{stdout: io.Discard, stderr: io.Discard, getenv: ts.Getenv}, dir: ts.Getenv("STATE"), replicas: 1}
	err := a.with(context.Background(), "test", readWrite, func(ctx context.Context, s *store) error {
		if args[0] == "fork" {
			_, err := engine.Fork(ctx, cutLog{s.log}, engine.ForkRequest{
				Source: events.SessionID(args[1]), Child: events.SessionID(args[2]), Actor: actor(), Now: 1_800_000_000_000,
			})
			return err
		}
		name := ts.MkAbs(args[1])
		_, err := engine.Import(ctx, cutLog{s.log}, engine.ImportRequest{Actor: actor(), File: engine.File{
			Name: name, Open: func() (io.ReadCloser, error) { return os.Open(name) },
		}})
		return err
	})
	if !errors.Is(err, errCut) {
		ts.Fatalf("got %v, want the cut", err)
	}
}

func scriptNATS(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, !neg && (len(args) == 1 || len(args) == 2 && args[1] == "creds"), "nats NAME [creds]")
	s, err := startNATS(ts.MkAbs(args[0]), len(args) == 2)
	ts.Check(err)
	ts.Defer(s.stop)
	ts.Setenv(args[0]+"_URL", s.url)
	ts.Setenv(args[0]+"_BARE", fmt.Sprintf("nats://%s", s.address))
	ts.Setenv(args[0]+"_CREDS", s.creds)
}

// scriptStream makes a stream that is not what a log needs.
func scriptStream(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, !neg && len(args) == 2, "stream NAME STREAM")
	nc, err := connect(endpoint{URL: ts.Getenv(args[0] + "_URL")})
	ts.Check(err)
	defer nc.Close()
	js, err := natsjs.New(nc)
	ts.Check(err)
	_, err = js.CreateStream(context.Background(), natsjs.StreamConfig{Name: args[1], Subjects: []string{"session.>"}, Discard: natsjs.DiscardOld})
	ts.Check(err)
}

// scriptStreams finds the folder in which the account of the logs has its streams.
func scriptStreams(ts *testscript.TestScript, neg bool, args []string) {
	wantArgs(ts, !neg && len(args) == 2, "streams NAME DIR")
	dir, err := streamsIn(ts.MkAbs(args[1]))
	ts.Check(err)
	ts.Setenv(args[0], dir)
}

// streamsIn is where the log's streams are below a state directory.
func streamsIn(dir string) (string, error) {
	found, err := filepath.Glob(filepath.Join(dir, "jetstream", "*", "streams", "SNAPSHOTS"))
	if err == nil && len(found) != 1 {
		err = fmt.Errorf("%s has the streams of %d accounts, want one", dir, len(found))
	}
	if err != nil {
		return "", err
	}
	return filepath.Dir(found[0]), nil
}

// seedIn is the secret of a credentials file.
func seedIn(ts *testscript.TestScript, file string) string {
	text, err := os.ReadFile(file)
	ts.Check(err)
	pair, err := jwt.ParseDecoratedUserNKey(text)
	ts.Check(err)
	seed, err := pair.Seed()
	ts.Check(err)
	return string(seed)
}
