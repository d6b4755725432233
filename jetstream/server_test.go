package jetstream_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/jetstream"
	"github.com/docket-engine/docket/jetstream/jetstreamtest"
)

func inBubble(t *testing.T, f func(*testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

func start(t testing.TB, cfg jetstream.ServerConfig) *jetstream.Server {
	t.Helper()
	if cfg.Dir == "" {
		cfg.Dir = t.TempDir()
	}
	s, err := jetstream.StartServer(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func TestAServerConfigThatCannotBeIsRefused(t *testing.T) {
	dir := t.TempDir()
	tests := map[string]struct {
		cfg  jetstream.ServerConfig
		want string
	}{
		"no directory":       {jetstream.ServerConfig{}, "Dir is empty"},
		"fsync too rare":     {jetstream.ServerConfig{Dir: dir, Fsync: jetstream.Fsync(time.Hour)}, "fsync interval 1h0m0s"},
		"port without need":  {jetstream.ServerConfig{Dir: dir, Port: 4222}, "does not Listen"},
		"impossible port":    {jetstream.ServerConfig{Dir: dir, Listen: true, Port: 70000}, "Port is 70000"},
		"user only":          {jetstream.ServerConfig{Dir: dir, User: "u"}, "both User and Password"},
		"password only":      {jetstream.ServerConfig{Dir: dir, Password: "p"}, "both User and Password"},
		"negative MaxStore":  {jetstream.ServerConfig{Dir: dir, MaxStore: -1}, "MaxStore is negative"},
		"a file for a store": {jetstream.ServerConfig{Dir: fileForStore(t)}, "not a directory"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s, err := jetstream.StartServer(t.Context(), tt.cfg)
			if !sameError(err, tt.want) || s != nil {
				t.Errorf("got %v, %v, want %q", s, err, tt.want)
			}
		})
	}
}

func fileForStore(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "jetstream"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestAServerThatCannotListenSaysSo(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	_, err = jetstream.StartServer(t.Context(), jetstream.ServerConfig{Dir: t.TempDir(), Listen: true, Port: port})
	if !sameError(err, "address already in use") {
		t.Errorf("got %v", err)
	}
}

func TestADirectoryHasOneServer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "state")
	first := start(t, jetstream.ServerConfig{Dir: dir})
	if _, err := jetstream.StartServer(t.Context(), jetstream.ServerConfig{Dir: dir}); !errors.Is(err, jetstream.ErrDirInUse) {
		t.Errorf("second server: got %v, want ErrDirInUse", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	start(t, jetstream.ServerConfig{Dir: dir})
}

func TestAServerOutlivesItsRestart(t *testing.T) {
	for name, fsync := range map[string]jetstream.Fsync{
		"always":   jetstream.FsyncAlways,
		"interval": jetstream.Fsync(time.Minute),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for round := range uint64(3) {
				s := start(t, jetstream.ServerConfig{Dir: dir, Fsync: fsync})
				js := connect(t, s)
				if _, err := jetstream.Provision(t.Context(), js, jetstream.Layout{}); err != nil {
					t.Fatal(err)
				}
				if ack := publish(t, js, "session.0.0.s1", "body"); ack.Sequence != round+1 {
					t.Errorf("round %d stores at %d", round, ack.Sequence)
				}
				js.Conn().Close()
				if err := errors.Join(s.Close(), s.Close()); err != nil {
					t.Errorf("close: %v", err)
				}
			}
		})
	}
}

func connect(t *testing.T, s *jetstream.Server) natsjs.JetStream {
	t.Helper()
	nc, err := s.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := natsjs.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

func TestEveryConnectionNeedsTheCredential(t *testing.T) {
	s := start(t, jetstream.ServerConfig{Listen: true})
	user, password := s.Credentials()
	if !strings.HasPrefix(s.ClientURL(), "nats://127.0.0.1:") || password == "" {
		t.Fatalf("got %s with password %q", s.ClientURL(), password)
	}
	tests := map[string]struct {
		url  string
		opts []nats.Option
		want error
	}{
		"good":                 {s.ClientURL(), []nats.Option{nats.UserInfo(user, password)}, nil},
		"anonymous":            {s.ClientURL(), nil, nats.ErrAuthorization},
		"wrong password":       {s.ClientURL(), []nats.Option{nats.UserInfo(user, password+"x")}, nats.ErrAuthorization},
		"wrong user":           {s.ClientURL(), []nats.Option{nats.UserInfo("x", password)}, nats.ErrAuthorization},
		"the system account":   {s.ClientURL(), []nats.Option{nats.UserInfo("sys", password)}, nats.ErrAuthorization},
		"a token for a secret": {s.ClientURL(), []nats.Option{nats.Token(password)}, nats.ErrAuthorization},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			nc, err := nats.Connect(tt.url, tt.opts...)
			if !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if err == nil {
				nc.Close()
			}
		})
	}
}

// The refusal itself gets stuck in the pipe until a timeout of ten seconds.
func TestAConnectionInProcessNeedsTheCredentialToo(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := start(t, jetstream.ServerConfig{})
		connect(t, s)
		for name, opt := range map[string]nats.Option{
			"anonymous":      nats.UserInfo("", ""),
			"wrong password": nats.UserInfo("docket", "x"),
		} {
			nc, err := s.Connect(t.Context(), opt)
			if err == nil {
				t.Errorf("%s: connected", name)
				nc.Close()
			}
		}
	})
}

func TestCredentialsAreRandomUnlessGiven(t *testing.T) {
	password := func(cfg jetstream.ServerConfig) string {
		_, p := start(t, cfg).Credentials()
		return p
	}
	if a, b := password(jetstream.ServerConfig{}), password(jetstream.ServerConfig{}); a == b || len(a) < 20 {
		t.Errorf("got %q and %q", a, b)
	}
	if got := password(jetstream.ServerConfig{User: "u", Password: "given"}); got != "given" {
		t.Errorf("got %q", got)
	}
}

func TestAServerThatDoesNotListenHasNoURL(t *testing.T) {
	if got := start(t, jetstream.ServerConfig{}).ClientURL(); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestAStartThatTakesTooLongIsGivenUp(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("no more patience")
	cancel(cause)
	dir := t.TempDir()
	// The start may win the race against a context that has ended.
	if s, err := jetstream.StartServer(ctx, jetstream.ServerConfig{Dir: dir}); err == nil {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	} else if !errors.Is(err, cause) {
		t.Errorf("got %v, want %v", err, cause)
	}
	awaitFree(t, dir)
}

// awaitFree returns when no server holds the directory any more.
func awaitFree(t *testing.T, dir string) {
	t.Helper()
	deadline := time.After(10 * time.Second)
	for {
		s, err := jetstream.StartServer(t.Context(), jetstream.ServerConfig{Dir: dir})
		if err == nil {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			return
		}
		select {
		case <-deadline:
			t.Fatalf("the directory is still in use: %v", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func TestAConnectionKeepsToItsContext(t *testing.T) {
	s := start(t, jetstream.ServerConfig{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Connect(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func TestTheServersLogIsQuietAndHoldsNoBodies(t *testing.T) {
	var all, loud bytes.Buffer
	debug := &slog.HandlerOptions{Level: slog.LevelDebug}
	log := slog.New(slog.NewMultiHandler(slog.NewTextHandler(&all, debug), slog.NewTextHandler(&loud, nil)))
	s := start(t, jetstream.ServerConfig{Log: log})
	js := connect(t, s)
	if _, err := jetstream.Provision(t.Context(), js, jetstream.Layout{}); err != nil {
		t.Fatal(err)
	}
	publish(t, js, "session.0.0.s1", "the body")
	js.Conn().Close()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	_, password := s.Credentials()
	if loud.Len() > 0 {
		t.Errorf("at Info and above:\n%s", &loud)
	}
	if !strings.Contains(all.String(), "Server is ready") {
		t.Errorf("nothing about the start in:\n%s", &all)
	}
	for _, secret := range []string{"the body", password} {
		if strings.Contains(all.String(), secret) {
			t.Errorf("%q is in the log:\n%s", secret, &all)
		}
	}
}

func TestAnEmbeddedServerWorksInFakeTime(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		n := jetstreamtest.Server(t)
		js := n.JetStream()
		if _, err := jetstream.Provision(t.Context(), js, jetstream.Layout{}); err != nil {
			t.Fatal(err)
		}
		publish(t, js, "session.0.0.s1", "body")
		c, err := js.CreateConsumer(t.Context(), "SESSIONS_0_0", natsjs.ConsumerConfig{AckWait: 30 * time.Second, AckPolicy: natsjs.AckExplicitPolicy})
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		for i := range 3 {
			msg, err := c.Next(natsjs.FetchMaxWait(time.Minute))
			if err != nil {
				t.Fatal(err)
			}
			// It is delivered at once and again each time that an ack is missed.
			if got, want := time.Since(begun), time.Duration(i)*30*time.Second; got.Round(time.Second) != want {
				t.Errorf("delivery %d of %s after %s, want %s", i, msg.Subject(), got, want)
			}
		}
		n.Stop()
		n.Start()
		if ack := publish(t, n.JetStream(), "session.0.0.s1", "body"); ack.Sequence != 2 {
			t.Errorf("after a restart: got sequence %d, want 2", ack.Sequence)
		}
	})
}
