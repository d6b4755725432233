package jetstream

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/internal/atomicfile"
)

const (
	storeName = "jetstream" // chosen by nats-server
	lockName  = "jetstream.lock"

	// unbounded leaves the store's size to the disk and to the streams' own
	// limits. Zero would make the server measure the machine and refuse writes by
	// what it found there.
	unbounded = 1 << 62

	connectTimeout = 5 * time.Second
)

// ServerConfig says where and how an embedded [Server] stores data. The zero
// ServerConfig is not valid: Dir has no default, because data must never land
// by accident.
type ServerConfig struct {
	Dir   string // required; the store is its subdirectory "jetstream"
	Fsync Fsync  // default FsyncAlways

	// Listen opens a port for other processes. Without it the server is reached
	// by Connect alone.
	Listen bool
	Host   string // default 127.0.0.1
	Port   int    // default any free port

	// User and Password are required of every connection, also in process.
	// Both default to random values, which Credentials tells.
	User, Password string

	// Trust, instead of User and Password, gives the server accounts.
	Trust *Trust

	// Keys sign what was looked at before the server opens the directory, so that it need
	// not be read again. With the zero Keys it always is.
	Keys Keys
	// Anchors say how far a stream has to go, where it does not end with a whole record;
	// nil for none.
	Anchors *Anchors

	MaxStore int64        // bytes on disk for all streams; default no limit
	Log      *slog.Logger // default discards
}

func (c *ServerConfig) validate() error {
	if c.Dir == "" {
		return errors.New("jetstream: ServerConfig.Dir is empty")
	}
	if err := c.Fsync.validate(); err != nil {
		return err
	}
	if !c.Listen && (c.Host != "" || c.Port != 0) {
		return errors.New("jetstream: ServerConfig has a Host or Port but does not Listen")
	}
	if c.Port < 0 || c.Port > 65535 {
		return fmt.Errorf("jetstream: ServerConfig.Port is %d", c.Port)
	}
	if (c.User == "") != (c.Password == "") {
		return errors.New("jetstream: ServerConfig needs both User and Password, or neither")
	}
	if c.Trust != nil && c.User != "" {
		return errors.New("jetstream: ServerConfig has Trust as well as User and Password")
	}
	if c.MaxStore < 0 {
		return fmt.Errorf("jetstream: ServerConfig.MaxStore is negative: %d", c.MaxStore)
	}
	c.setDefaults()
	return nil
}

func (c *ServerConfig) setDefaults() {
	if c.Host == "" {
		c.Host = "127.0.0.1"
	}
	if c.Port == 0 {
		c.Port = server.RANDOM_PORT
	}
	if c.User == "" && c.Trust == nil {
		c.User, c.Password = "docket", rand.Text()
	}
	if c.MaxStore == 0 {
		c.MaxStore = unbounded
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
}

// options turns off whatever nobody asked for: monitoring, websocket, MQTT,
// leafnode, gateway and cluster listeners are all off by having no port.
func (c ServerConfig) options() (*server.Options, error) {
	opts := &server.Options{
		ServerName:             "docket",
		DontListen:             !c.Listen,
		Host:                   c.Host,
		Port:                   c.Port,
		NoSigs:                 true,
		JetStream:              true,
		DisableJetStreamBanner: true,
		StoreDir:               c.Dir,
		SyncAlways:             c.Fsync == FsyncAlways,
		SyncInterval:           c.Fsync.Interval(),
		JetStreamMaxMemory:     unbounded,
		JetStreamMaxStore:      c.MaxStore,
	}
	if c.Trust != nil {
		return opts, c.Trust.resolver(opts)
	}
	opts.CustomClientAuthentication = credential{user: c.User, password: c.Password}
	return opts, nil
}

// Server is a NATS server with JetStream in this process. Its methods are safe
// for concurrent use.
type Server struct {
	cfg   ServerConfig
	nats  *server.Server
	log   *serverLog
	lock  *flock.Flock
	close func() error // runs once
}

// StartServer starts a server on the data below cfg.Dir, and returns when the
// streams have been recovered and clients can connect. The directory is locked
// for as long as the server runs: a second server on it would destroy it.
//
// What the server would read is looked at before it does, since it cuts off what is
// damaged: then the error is a *[DamagedError], and nothing was changed.
//
// The context bounds the start alone. A large store that was not closed orderly
// takes seconds for each gigabyte to recover, so be generous. When the context
// ends first, the server stops in the background as soon as it can, and holds
// the lock until then.
func StartServer(ctx context.Context, cfg ServerConfig) (*Server, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	opts, err := cfg.options()
	if err != nil {
		return nil, err
	}
	if err := makeDir(cfg.Dir, atomicfile.Sync); err != nil {
		return nil, fmt.Errorf("jetstream: make the state directory: %w", err)
	}
	lock, err := lockDir(cfg.Dir)
	if err != nil {
		return nil, err
	}
	err = cfg.look(ctx)
	if err == nil {
		err = cfg.adopt()
	}
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	ns, err := server.NewServer(opts)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("jetstream: configure the server: %w", err), lock.Unlock())
	}
	s := &Server{cfg: cfg, nats: ns, log: &serverLog{log: cfg.Log}, lock: lock}
	s.close = sync.OnceValue(s.stop)
	ns.SetLogger(s.log, false, false) // never trace: traces hold message bodies
	if err := s.start(ctx); err != nil {
		return nil, fmt.Errorf("jetstream: start the server in %s: %w", cfg.Dir, err)
	}
	return s, nil
}

func lockDir(dir string) (*flock.Flock, error) {
	lock := flock.New(filepath.Join(dir, lockName))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("jetstream: lock %s: %w", dir, err)
	}
	if !locked {
		return nil, fmt.Errorf("jetstream: lock %s: %w", dir, ErrDirInUse)
	}
	return lock, nil
}

// ErrDirInUse is returned by [StartServer] when another server, most likely in
// another process, runs on the same directory.
var ErrDirInUse = errors.New("another server runs on this directory")

func (s *Server) start(ctx context.Context) error {
	started := make(chan struct{})
	go func() {
		defer close(started)
		s.nats.Start()
	}()
	select {
	case <-started:
	case <-ctx.Done():
		// Shutdown must not overtake Start.
		go func() {
			<-started
			_ = s.Close()
		}()
		return context.Cause(ctx)
	}
	// Start reports a failure to its log and nowhere else.
	err := s.log.failure()
	if err == nil && !s.nats.JetStreamEnabled() {
		err = errors.New("JetStream is not enabled")
	}
	if err != nil {
		return errors.Join(err, s.Close())
	}
	return nil
}

// Connect makes a connection inside this process, with the server's own
// credential. It reconnects until it is closed, which is the caller's duty.
// Options given here win over those of Connect.
func (s *Server) Connect(ctx context.Context, opts ...nats.Option) (*nats.Conn, error) {
	timeout := connectTimeout
	if deadline, ok := ctx.Deadline(); ok {
		timeout = min(timeout, time.Until(deadline))
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("jetstream: connect in process: %w", context.Cause(ctx))
	}
	own := []nats.Option{
		nats.InProcessServer(s.nats),
		s.cfg.credential(),
		nats.Name("docket"),
		nats.Timeout(timeout),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(100 * time.Millisecond),
	}
	nc, err := nats.Connect("", append(own, opts...)...)
	if err != nil {
		return nil, fmt.Errorf("jetstream: connect in process: %w", err)
	}
	return nc, nil
}

// Credentials are the user and the password that every connection needs; both are
// empty if the server has accounts instead.
func (s *Server) Credentials() (user, password string) { return s.cfg.User, s.cfg.Password }

// ClientURL is where other processes connect, without the credential; empty if
// the server does not listen.
func (s *Server) ClientURL() string {
	if !s.cfg.Listen {
		return ""
	}
	addr, ok := s.nats.Addr().(*net.TCPAddr)
	if !ok {
		return "" // closed
	}
	return "nats://" + net.JoinHostPort(s.cfg.Host, strconv.Itoa(addr.Port))
}

// Fsync is when the server forces what it acknowledges onto the disk.
func (s *Server) Fsync() Fsync { return s.cfg.Fsync }

// StoreDir is the directory that holds the streams.
func (s *Server) StoreDir() string { return filepath.Join(s.cfg.Dir, storeName) }

// MakeDurable forces everything that is stored onto the disk, with the
// directories that lead to it. Call it after [Provision] has made a stream and
// before the stream is used: the server leaves a new stream's directories to
// the operating system, and a power cut within half a minute would take the
// whole stream, with whatever was acknowledged in it.
func (s *Server) MakeDurable() error {
	if err := syncStore(s.cfg.Dir, atomicfile.Sync); err != nil {
		return fmt.Errorf("jetstream: make the store durable: %w", err)
	}
	return nil
}

// Close stops the server and returns when everything that it acknowledged is
// on the disk. Connections are dropped at once: close them first. Closing twice
// is harmless.
func (s *Server) Close() error { return s.close() }

func (s *Server) stop() error {
	s.nats.Shutdown()
	s.nats.WaitForShutdown()
	var err error
	if s.cfg.Fsync != FsyncAlways {
		// The server leaves what came after its last tick to the operating system.
		err = s.MakeDurable()
	}
	return errors.Join(err, s.lock.Unlock())
}
