package bus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"github.com/docket-engine/docket/api"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/presets"
)

// ServiceName is what the service is called among those on the bus.
const ServiceName = "docket"

// queueGroup is shared by all engines: each request is served by one of them.
const queueGroup = "engine"

// ServiceConfig says what a [Service] works with. All but what says otherwise is
// required.
type ServiceConfig struct {
	Conn     *nats.Conn
	Engine   *engine.Engine
	Gate     *engine.Gate
	Registry *presets.Registry
	Log      events.Log
	Tail     events.Tail
	// Establish says who sent a request, from its header and subject alone.
	Establish func(nats.Header, string) (Caller, error)

	// Instance names this engine among those on the log; the gate's.
	Instance string

	// Projects keep what people allow for good; without them nobody can.
	Projects *engine.Projects
	// Issue makes a credential that is good for one session's agent; nil for none.
	Issue func(ctx context.Context, session events.SessionID) (api.Credential, error)
	// Room is how full the store is, from 0 to 1; nil where it has no limit.
	Room func(context.Context) (float64, error)
	// Version is the program's, three numbers; default 0.0.0.
	Version string
	Limits  Limits
	// Changed is called when the catalogue of an engine has changed, this one included;
	// nil for nobody. It must not wait.
	Changed func()
	// Logger is told of what went wrong, without bodies; default discards.
	Logger *slog.Logger
}

func (c *ServiceConfig) validate() error {
	for name, missing := range map[string]bool{
		"Conn": c.Conn == nil, "Engine": c.Engine == nil, "Gate": c.Gate == nil, "Registry": c.Registry == nil,
		"Log": c.Log == nil, "Tail": c.Tail == nil, "Establish": c.Establish == nil, "Instance": c.Instance == "",
	} {
		if missing {
			return fmt.Errorf("bus: ServiceConfig.%s is missing", name)
		}
	}
	if c.Version == "" {
		c.Version = "0.0.0"
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	c.Limits = c.Limits.withDefaults()
	return nil
}

// Service serves commands and queries over NATS. Several may serve the same
// sessions, in several processes: any of them serves any request.
type Service struct {
	cfg    ServiceConfig
	routes map[string]route
	ctx    context.Context // ends when the service has shut down
	end    context.CancelFunc
	micro  micro.Service
	silent func() // ends what is said and heard of the catalogue; nil before Start

	work   sync.WaitGroup // requests under way; added to under mu
	people chan struct{}  // a place for each request of a person under way
	others chan struct{}  // and of everybody else
	access *accessCache
	rates  *rates
	room   *room
	counts *counts
	tells  chan *nats.Msg // what is said about the requests in held
	deaf   chan struct{}  // closed when nothing comes any more
	idle   chan *request  // taken by who has served others

	mu      sync.Mutex // guards what follows; never held while calling out
	closing bool
	waiting map[string]int // requests that wait for a place, by pool
	held    map[string]*held
	open    map[events.SessionID]int // calls under way by session
	tails   map[string]int           // tails by caller
}

// NewService makes a service that does not serve yet.
func NewService(cfg ServiceConfig) (*Service, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	s := &Service{
		cfg: cfg, people: make(chan struct{}, cfg.Limits.Workers), others: make(chan struct{}, cfg.Limits.Workers),
		access: &accessCache{}, rates: newRates(cfg.Limits), room: &room{read: cfg.Room}, counts: &counts{},
		tells: make(chan *nats.Msg, heldWaiting), deaf: make(chan struct{}), idle: make(chan *request),
		waiting: map[string]int{}, held: map[string]*held{}, open: map[events.SessionID]int{}, tails: map[string]int{},
	}
	s.ctx, s.end = context.WithCancel(context.Background())
	s.routes = s.table()
	for _, e := range api.Endpoints() {
		if _, ok := s.routes[e.Command]; !ok {
			return nil, fmt.Errorf("bus: nothing serves %s", e.Command)
		}
	}
	return s, nil
}

// Start begins to serve.
func (s *Service) Start() error {
	m, err := micro.AddService(s.cfg.Conn, micro.Config{
		Name: ServiceName, Version: s.cfg.Version, Description: "Docket: sessions of agents, reviewed and on the record",
		QueueGroup: queueGroup, StatsHandler: func(e *micro.Endpoint) any { return s.counts.of(e.Name) },
		ErrorHandler: func(_ micro.Service, err *micro.NATSError) {
			s.cfg.Logger.Warn("the service's subscription failed", "error", err)
		},
	})
	if err != nil {
		return fmt.Errorf("bus: add the service: %w", err)
	}
	s.micro = m
	groups := map[api.Role]micro.Group{}
	for _, role := range api.Roles() {
		groups[role] = m.AddGroup(api.Prefix + "." + string(role) + ".*")
	}
	for _, e := range api.Endpoints() {
		if err := groups[e.Role].AddEndpoint(e.Name(), s.receiver(e), micro.WithEndpointSubject(e.Command), micro.WithEndpointMetadata(metadata(e))); err != nil {
			return errors.Join(fmt.Errorf("bus: add endpoint %s: %w", e.Name(), err), m.Stop())
		}
	}
	if err := s.announce(); err != nil {
		return errors.Join(err, m.Stop())
	}
	go s.heedTold()
	return s.cfg.Conn.FlushTimeout(flushTimeout) // from here on requests find it
}

// metadata is what a service's listing says of an endpoint.
func metadata(e api.Endpoint) map[string]string {
	return map[string]string{
		"summary": e.Summary, "request": "api/schemas/" + api.SchemaFile(e.Request), "reply": "api/schemas/" + api.SchemaFile(e.Reply),
	}
}

// Shutdown ends the service: requests that come are refused, the gate is shut
// down, tails end, and what is under way is answered. ctx bounds the wait.
func (s *Service) Shutdown(ctx context.Context) error {
	s.close()
	s.silence()
	var errs []error
	if s.micro != nil {
		errs = append(errs, s.micro.Stop())
	}
	errs = append(errs, s.cfg.Gate.Shutdown(ctx))
	s.endTails()
	done := make(chan struct{})
	go func() {
		s.work.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		errs = append(errs, fmt.Errorf("bus: shut down: requests are still under way: %w", ctx.Err()))
	}
	s.end()
	if s.cfg.Conn.IsConnected() { // else nobody is there to be answered
		errs = append(errs, s.cfg.Conn.FlushTimeout(flushTimeout))
	}
	return errors.Join(errs...)
}

const flushTimeout = 5 * time.Second

// close refuses requests from now on.
func (s *Service) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing = true
}

// enter counts a request in, unless the service closes.
func (s *Service) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return false
	}
	s.work.Add(1)
	return true
}
