package engine

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
	"github.com/docket-engine/docket/presets"
	"github.com/docket-engine/docket/projections"
)

const (
	// permitLife is how long a permit is valid (design section 6, stage 7).
	permitLife = 30 * time.Second
	// recordTimeout bounds what is still written of a call whose caller is gone.
	recordTimeout = 30 * time.Second
)

// GateConfig says what a [Gate] works with.
type GateConfig struct {
	Engine *Engine // required
	// Registry has the presets that are installed; required. Integrations with a
	// reviewer are added by [Gate.Install].
	Registry *presets.Registry
	// Tail tells of people's answers, also those that came in through another engine;
	// required.
	Tail events.Tail
	// Instance names this engine among those on the log; required.
	Instance string
	// Key signs permits; required.
	Key ed25519.PrivateKey
	// Audit keeps how reviews came about; nil for nobody.
	Audit events.Audit

	// Evidence says which files of this machine a call would execute, or delete as the
	// session's own, and what is in them; nil for calls that run elsewhere. It is asked
	// before a review. The executor compares ([permit.Permit.CheckFiles]).
	Evidence func(PendingCall) []events.ExecutedFile

	// Checks are asked in order once a call has passed its review: the first that
	// does not allow ends it. Guards come last; see [Guard].
	Checks []Check
	Guards []Guard
	// Forbids is a guard that is asked when a call is admitted, so that nobody is asked
	// about what it refuses, and again at the end; nil for none. See [Own].
	Forbids Guard
	// Programs are the runners of programs, whose outer calls are not reviewed.
	Programs []Program
	// Answerers may answer a question in a person's stead.
	Answerers []approvals.Answerer
	// Wait is how long a question stays open; default [approvals.DefaultWait].
	Wait time.Duration
	// Reached reports whether a person can be reached who could answer for the
	// session; nil for always. A headless session that nobody can be reached for
	// does not wait.
	Reached func(*projections.Session) bool
	// Elsewhere reports whether another engine has a call under way, which is on the
	// log and has no answer yet: it is then left to that one, with [ErrElsewhere]. Nil
	// for never: whatever is not under way here is taken over.
	Elsewhere func(ctx context.Context, session events.SessionID, call string) bool
	// Failed is told of what went wrong without concerning a call's outcome, such as
	// an audit record that could not be written; nil for nobody.
	Failed func(error)
}

func (c *GateConfig) validate() error {
	for name, missing := range map[string]bool{
		"Engine": c.Engine == nil, "Registry": c.Registry == nil, "Tail": c.Tail == nil, "Instance": c.Instance == "",
		"Key": len(c.Key) != ed25519.PrivateKeySize,
	} {
		if missing {
			return fmt.Errorf("engine: GateConfig.%s is missing", name)
		}
	}
	if c.Wait < 0 {
		return fmt.Errorf("engine: GateConfig.Wait is negative: %s", c.Wait)
	}
	if c.Wait == 0 {
		c.Wait = approvals.DefaultWait
	}
	if c.Reached == nil {
		c.Reached = func(*projections.Session) bool { return true }
	}
	if c.Elsewhere == nil {
		c.Elsewhere = func(context.Context, events.SessionID, string) bool { return false }
	}
	if c.Failed == nil {
		c.Failed = func(error) {}
	}
	return nil
}

// Gate is the one way for a call to its body (design section 6): call, review,
// approval, dispatch, and nothing else. Whatever ends before the last of them is
// a refusal, whose result is on the log. Its methods are safe for concurrent use.
type Gate struct {
	cfg    GateConfig
	engine *Engine

	work    sync.WaitGroup // calls under way; added to under mu
	records *recorder
	local   *permit.LocalKey // of this process alone

	mu        sync.Mutex // guards what follows; never held while calling out
	closing   bool       // the process shuts down: no call is admitted
	installed map[string]*installed
	active    map[callKey]*operation
	lanes     map[events.SessionID]*lane
}

// DispatchKey is what executors check permits with.
func (g *Gate) DispatchKey() ed25519.PublicKey {
	return ed25519.PublicKey(g.cfg.Key[ed25519.PrivateKeySize-ed25519.PublicKeySize:])
}

// NewGate makes a Gate.
func NewGate(cfg GateConfig) (*Gate, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	if cfg.Forbids != nil {
		cfg.Guards = append([]Guard{cfg.Forbids}, cfg.Guards...)
	}
	g := &Gate{
		cfg: cfg, engine: cfg.Engine, local: permit.NewLocalKey(),
		installed: map[string]*installed{}, active: map[callKey]*operation{}, lanes: map[events.SessionID]*lane{},
	}
	g.records = &recorder{gate: g}
	return g, nil
}

// Executor makes an executor for bodies in this process, which call through
// [Gate.Start] and [Gate.Run]. It takes permits of this gate alone, sealed with a
// key that never leaves the process in the place of a signature.
func (g *Gate) Executor() *permit.Executor { return g.local.Executor() }

// ErrShutdown says that the gate admits no more calls, since its process ends.
var ErrShutdown = errors.New("the engine is shutting down")

// ErrElsewhere says that another engine has the call under way; see
// [GateConfig].Elsewhere.
var ErrElsewhere = errors.New("another engine has the call under way")

// enter counts a call in, unless the gate closes.
func (g *Gate) enter() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closing {
		return fmt.Errorf("engine: %w", ErrShutdown)
	}
	g.work.Add(1)
	return nil
}

// callKey tells the calls apart that are under way. A session has one open step,
// and in it an id is one call.
type callKey struct {
	session events.SessionID
	call    string
}

// join gives the operation on a call that is under way, or begins one.
func (g *Gate) join(op *operation) (under *operation, first bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if other, ok := g.active[op.key()]; ok {
		return other, false
	}
	g.active[op.key()] = op
	return op, true
}

// finish publishes what an operation came to.
func (g *Gate) finish(op *operation, a Answer, err error) {
	g.mu.Lock()
	delete(g.active, op.key())
	g.mu.Unlock()
	op.answer, op.err = a, err
	close(op.done)
}

// lane is the order of a session's calls: the next one starts when the one before
// is dispatched or refused, so that reviews of siblings never overlap (reference
// 4).
type lane struct {
	turn  chan struct{} // holds one value while a call is in it
	users int           // guarded by the gate's mu
}

// take waits for the session's lane.
func (g *Gate) take(ctx context.Context, id events.SessionID) (leave func(), err error) {
	g.mu.Lock()
	l, ok := g.lanes[id]
	if !ok {
		l = &lane{turn: make(chan struct{}, 1)}
		g.lanes[id] = l
	}
	l.users++
	g.mu.Unlock()
	drop := func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if l.users--; l.users == 0 {
			delete(g.lanes, id)
		}
	}
	select {
	case l.turn <- struct{}{}:
		return func() { <-l.turn; drop() }, nil
	case <-ctx.Done():
		drop()
		return nil, ctx.Err()
	}
}
