package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"os"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
)

// defaultFsync is the setting of all measurements that do not say otherwise.
const defaultFsync = jetstream.Fsync(250 * time.Millisecond)

// rig is an embedded server on a directory of its own, with our streams.
type rig struct {
	dir    string
	server *jetstream.Server
	nc     *nats.Conn // in process
	js     natsjs.JetStream
	keys   jetstream.Keys
	conns  []*nats.Conn     // to close
	trust  *jetstream.Trust // nil for a user and a password
	stalls int              // measured
}

func newKeys() (jetstream.Keys, error) {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return jetstream.Keys{}, err
	}
	return jetstream.NewKeys(private)
}

func newRig(ctx context.Context, fsync jetstream.Fsync, keys jetstream.Keys) (r *rig, err error) {
	r = &rig{keys: keys}
	if r.dir, err = os.MkdirTemp("", "docket-bench-"); err != nil {
		return nil, err
	}
	if err := r.start(ctx, fsync); err != nil {
		return nil, errors.Join(err, r.close())
	}
	return r, nil
}

func (r *rig) start(ctx context.Context, fsync jetstream.Fsync) (err error) {
	if r.server, err = jetstream.StartServer(ctx, jetstream.ServerConfig{Dir: r.dir, Fsync: fsync, Listen: true, Trust: r.trust}); err != nil {
		return err
	}
	if r.nc, err = r.connect(ctx); err != nil {
		return err
	}
	if r.js, err = natsjs.New(r.nc); err != nil {
		return err
	}
	if _, err = jetstream.Provision(ctx, r.js, jetstream.Layout{}); err != nil {
		return err
	}
	return r.server.MakeDurable()
}

func (r *rig) close() error {
	for _, nc := range r.conns {
		nc.Close()
	}
	var err error
	if r.server != nil {
		err = r.server.Close()
	}
	return errors.Join(err, os.RemoveAll(r.dir))
}

// connect makes one more connection in this process.
func (r *rig) connect(ctx context.Context) (*nats.Conn, error) {
	nc, err := r.server.Connect(ctx)
	if err == nil {
		r.conns = append(r.conns, nc)
	}
	return nc, err
}

// dial makes a connection over TCP, as other processes do.
func (r *rig) dial() (*nats.Conn, error) {
	nc, err := nats.Connect(r.server.ClientURL(), nats.UserInfo(r.server.Credentials()))
	if err == nil {
		r.conns = append(r.conns, nc)
	}
	return nc, err
}

// log is a Log that has seen nothing yet.
func (r *rig) log(nc *nats.Conn) (*jetstream.Log, error) {
	return jetstream.NewLog(jetstream.LogConfig{Conn: nc, Keys: r.keys})
}

// with runs a measurement on a rig of its own.
func with(ctx context.Context, fsync jetstream.Fsync, do func(*rig) error) error {
	keys, err := newKeys()
	if err != nil {
		return err
	}
	return withKeys(ctx, fsync, keys, do)
}

func withKeys(ctx context.Context, fsync jetstream.Fsync, keys jetstream.Keys, do func(*rig) error) error {
	r, err := newRig(ctx, fsync, keys)
	if err != nil {
		return err
	}
	return errors.Join(do(r), r.close())
}

// place is where a session's frames are.
func place(id events.SessionID) (stream, subject string) {
	p := jetstream.DefaultEpoch().Place(string(id))
	return p.Stream(), p.Subject(string(id))
}

// since is the time from then to now, in a unit.
func since(then time.Time, unit time.Duration) float64 {
	return float64(time.Since(then)) / float64(unit)
}
