package main

import (
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
)

const (
	sessions = 8
	pace     = time.Millisecond // between two appends to a session
)

var actor = events.Actor{Class: "engine", Name: "powercut"}

// load appends to some sessions at once until the server does not answer any more,
// or it is told to end. What was acknowledged is noted outside of the disk that
// loses its power: a line for each append, with its session and where that ends.
func load(ctx context.Context, o options) error {
	log, err := open(o.dir)
	if err != nil {
		return err
	}
	acks, err := os.OpenFile(o.acks, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	errs := make([]error, sessions)
	var wg sync.WaitGroup
	for i := range sessions {
		wg.Go(func() {
			w := writer{log: log, id: events.SessionID(fmt.Sprint("cut-", i)), acks: acks}
			errs[i] = w.run(ctx)
		})
	}
	wg.Wait()
	return errors.Join(append(errs, acks.Close())...)
}

// open reaches the running server as any process of this user does.
func open(dir string) (*jetstream.Log, error) {
	text, err := os.ReadFile(filepath.Join(dir, "run.json"))
	if err != nil {
		return nil, err
	}
	var running struct{ URL, User, Password string }
	if err := json.Unmarshal(text, &running); err != nil {
		return nil, err
	}
	nc, err := nats.Connect(running.URL, nats.UserInfo(running.User, running.Password), nats.NoReconnect())
	if err != nil {
		return nil, err
	}
	private, err := readKey(filepath.Join(dir, "keys", "engine.key"))
	if err != nil {
		return nil, err
	}
	keys, err := jetstream.NewKeys(private)
	if err != nil {
		return nil, err
	}
	return jetstream.NewLog(jetstream.LogConfig{Conn: nc, Keys: keys})
}

func readKey(path string) (ed25519.PrivateKey, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s holds no PEM", path)
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	private, ok := key.(ed25519.PrivateKey)
	if err != nil || !ok {
		return nil, fmt.Errorf("%s holds no Ed25519 key", path)
	}
	return private, nil
}

// writer appends to one session.
type writer struct {
	log  events.Log
	id   events.SessionID
	acks *os.File
	next events.Seq
}

// run appends a turn after the other. An append that fails is the end, which is
// what this is for.
func (w *writer) run(ctx context.Context) error {
	header, err := events.NewHeader(events.Header{ID: w.id, CreatedAt: time.Now().UnixMilli(), CWD: "/workspace/cut"})
	if err != nil {
		return err
	}
	if err := w.log.Create(ctx, events.Creation{ID: "create", Actor: actor, Header: header}); err != nil {
		return err
	}
	tick := time.NewTicker(pace)
	defer tick.Stop()
	for n := 0; ; n++ {
		record, err := record(w.next, n)
		if err != nil {
			return err
		}
		next, err := w.log.Append(ctx, w.id, events.Append{ID: events.AppendID(fmt.Sprint("a", n)), Next: w.next, Actor: actor, Records: []events.Record{record}})
		if err != nil {
			return nil
		}
		w.next = next
		if _, err := fmt.Fprintf(w.acks, "%s %d\n", w.id, next); err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// record is the n-th event of a log: turns of a start, a message of some 500 bytes
// in a step, and an end, so that seals are written too.
func record(seq events.Seq, n int) (events.Record, error) {
	const perTurn = 5
	turn := n/perTurn + 1
	var event events.Event
	switch n % perTurn {
	case 0:
		event = events.TurnStart{Turn: turn}
	case 1:
		event = events.StepStart{Turn: turn, Step: 1}
	case 2:
		event = events.UserMessage{
			ID: fmt.Sprint("message-", n), Role: "user", Source: events.Source{Kind: events.SourceUser},
			Content: []events.Block{events.TextBlock(strings.Repeat("The lights may go out. ", 20))},
		}
	case 3:
		event = events.StepEnd{Turn: turn, Step: 1}
	default:
		event = events.TurnEnd{Turn: turn, Reason: events.TurnEndReason{Kind: events.EndCompleted}}
	}
	e, err := events.NewEnvelope(seq, time.Now().UnixMilli(), event)
	if err != nil {
		return events.Record{}, err
	}
	return events.NewRecord(e)
}
