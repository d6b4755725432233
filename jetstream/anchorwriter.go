package jetstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/frame"
	"github.com/docket-engine/docket/internal/atomicfile"
)

// anchorInterval is how often anchors are written while logs grow.
const anchorInterval = time.Second

// AnchorConfig says where anchors are kept and what is anchored.
type AnchorConfig struct {
	Path    string // required
	Conn    *nats.Conn
	Keys    Keys // with a private key
	Anchors *Anchors
	// Settle is how long a head waits before it is anchored: as long as the store
	// may take to have it on the disk, since an anchor that outlives its log would
	// cry wolf after a power cut. Zero for a store that syncs before it acknowledges.
	Settle time.Duration
	Logger *slog.Logger
}

// AnchorWriter follows all session logs and keeps their heads in a file. It
// sees what every process appends, since it follows the streams; each head that
// it writes is one that the engine signed.
type AnchorWriter struct {
	cfg  AnchorConfig
	file *os.File
	sub  *nats.Subscription

	mu    sync.Mutex // guards waiting; never held while calling out
	fresh generation
	ripe  []generation // heads that wait for Settle to pass, the oldest first
}

// generation is what grew within one interval.
type generation struct {
	since time.Time
	heads map[string]stored // by subject
}

// StartAnchors opens the file and begins to follow: whatever the connection's server
// stores once it has returned is anchored, whoever appends it. What the file says is
// rewritten as one line, once, so that it does not grow with each start; losses
// that were accepted stay on record.
func StartAnchors(ctx context.Context, cfg AnchorConfig) (*AnchorWriter, error) {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	w := &AnchorWriter{cfg: cfg, fresh: generation{heads: map[string]stored{}}}
	if err := w.compact(); err != nil {
		return nil, fmt.Errorf("jetstream: write anchors: %w", err)
	}
	var err error
	if w.file, err = os.OpenFile(cfg.Path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600); err != nil {
		return nil, fmt.Errorf("jetstream: open anchors: %w", err)
	}
	if err := w.follow(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("jetstream: follow session logs: %w", err), w.file.Close())
	}
	return w, nil
}

// follow subscribes, and returns when the server knows of it.
func (w *AnchorWriter) follow(ctx context.Context) (err error) {
	w.sub, err = w.cfg.Conn.Subscribe(LivePrefix+sessionPrefix+">", w.noteLive)
	if err != nil {
		return err
	}
	// A flood of appends must not be held up: what is missed is anchored by the
	// next frame of its session.
	if err = w.sub.SetPendingLimits(1<<16, 64<<20); err == nil {
		err = heard(ctx, w.cfg.Conn)
	}
	if err != nil {
		return errors.Join(err, w.sub.Unsubscribe())
	}
	return nil
}

// heard returns when the server has taken in everything that was sent on the
// connection so far: it answers a request behind it. Which answer does not matter,
// nor that there is nobody who gives one.
func heard(ctx context.Context, nc *nats.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	_, err := nc.RequestWithContext(ctx, natsjs.DefaultAPIPrefix+"INFO", nil)
	if errors.Is(err, nats.ErrNoResponders) {
		return nil
	}
	return err
}

// noteLive remembers the last frame of each session. Its signature is checked
// when it is written: once for many.
func (w *AnchorWriter) noteLive(m *nats.Msg) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.fresh.heads) == 0 {
		w.fresh.since = time.Now()
	}
	w.fresh.heads[m.Subject[len(LivePrefix):]] = stored{subject: m.Subject[len(LivePrefix):], header: m.Header}
}

// Run writes anchors until the context ends. The caller closes afterwards.
func (w *AnchorWriter) Run(ctx context.Context) error {
	tick := time.NewTicker(anchorInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case now := <-tick.C:
			if err := w.flush(w.take(now)); err != nil {
				return err
			}
		}
	}
}

// Stop ends the following: what was acknowledged before is still taken in. Call
// it before the connection is closed.
func (w *AnchorWriter) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	done := make(chan struct{})
	w.sub.SetClosedHandler(func(string) { close(done) })
	// The answer to the flush comes behind everything that was republished before.
	if err := errors.Join(w.cfg.Conn.FlushWithContext(ctx), w.sub.Drain()); err != nil {
		return fmt.Errorf("jetstream: stop anchoring: %w", err)
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("jetstream: stop anchoring: %w", context.Cause(ctx))
	}
}

// Close writes what is left and closes the file. Call it after Stop, when the
// store has everything on the disk.
func (w *AnchorWriter) Close() error {
	return errors.Join(w.flush(w.take(time.Time{})), w.file.Close())
}

// take gives the heads that have settled by now; all of them at time zero.
func (w *AnchorWriter) take(now time.Time) map[string]stored {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.fresh.heads) > 0 {
		w.ripe = append(w.ripe, w.fresh)
		w.fresh = generation{heads: map[string]stored{}}
	}
	settled := map[string]stored{}
	for len(w.ripe) > 0 && (now.IsZero() || now.Sub(w.ripe[0].since) >= w.cfg.Settle+anchorInterval || w.cfg.Settle == 0) {
		maps.Copy(settled, w.ripe[0].heads)
		w.ripe = w.ripe[1:]
	}
	return settled
}

// flush appends one line for the heads and forces it onto the disk.
func (w *AnchorWriter) flush(heads map[string]stored) error {
	line := anchorLine{Time: time.Now().UnixMilli(), Streams: map[string]uint64{}}
	for subject, m := range heads {
		if err := w.anchor(&line, subject, m); err != nil {
			w.cfg.Logger.Warn("a frame was not anchored", "subject", subject, "error", err)
		}
	}
	if len(line.Heads) == 0 {
		return nil
	}
	text, err := w.sign(line)
	if err != nil {
		return fmt.Errorf("jetstream: sign anchors: %w", err)
	}
	if _, err := w.file.Write(text); err != nil {
		return fmt.Errorf("jetstream: write anchors: %w", err)
	}
	if err := w.file.Sync(); err != nil {
		return fmt.Errorf("jetstream: write anchors: %w", err)
	}
	return w.cfg.Anchors.add(line)
}

// anchor adds the head that a live frame shows, if the engine signed it.
func (w *AnchorWriter) anchor(line *anchorLine, subject string, m stored) error {
	if err := checkSignature(m, w.cfg.Keys); err != nil {
		return err
	}
	f, err := parseFrame(m)
	if err != nil {
		return err
	}
	p := frame.Parser{Headers: m.header}
	stream, sequence := p.Text("Nats-Stream"), uint64(p.Number("Nats-Sequence"))
	if p.Err != nil {
		return p.Err
	}
	id, ok := placedID(stream, subject)
	if !ok {
		return fmt.Errorf("stream %s does not hold it", stream)
	}
	line.Heads = append(line.Heads, anchorHead{Session: id, Next: f.End(), Chain: f.Chain.String()})
	line.Streams[stream] = max(line.Streams[stream], sequence)
	return nil
}

func (w *AnchorWriter) sign(line anchorLine) ([]byte, error) {
	payload, err := line.payload()
	if err != nil {
		return nil, err
	}
	if line.Sig, err = w.cfg.Keys.sign(payload); err != nil {
		return nil, err
	}
	text, err := json.Marshal(line)
	return append(text, '\n'), err
}

// compact rewrites the file and puts it in place at once.
func (w *AnchorWriter) compact() error {
	if _, err := os.Stat(w.cfg.Path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	text, err := w.sign(w.cfg.Anchors.snapshot(time.Now()))
	if err != nil {
		return err
	}
	return atomicfile.Replace(w.cfg.Path, bytes.Join(append(slices.Clone(w.cfg.Anchors.accepted), text), nil))
}

// AcceptLoss writes over the anchors of a store that has lost data for good:
// what they say does not count any more. Only an operator may decide that.
func AcceptLoss(path string, keys Keys, now time.Time) error {
	w := &AnchorWriter{cfg: AnchorConfig{Keys: keys}}
	text, err := w.sign(anchorLine{Time: now.UnixMilli(), Accepted: true})
	if err != nil {
		return fmt.Errorf("jetstream: accept the loss: %w", err)
	}
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("jetstream: accept the loss: %w", err)
	}
	old = old[:bytes.LastIndexByte(old, '\n')+1] // without a line that a crash cut off
	if err := atomicfile.Replace(path, append(old, text...)); err != nil {
		return fmt.Errorf("jetstream: accept the loss: %w", err)
	}
	return nil
}

// placedID undoes a placement's stream and subject.
func placedID(stream, subject string) (events.SessionID, bool) {
	p, ok := parsePlacement(subject)
	if !ok || p.Stream() != stream {
		return "", false
	}
	id, ok := p.ID(subject)
	return events.SessionID(id), ok
}

func parsePlacement(subject string) (Placement, bool) {
	parts := strings.Split(subject, ".")
	if len(parts) != 4 || parts[0]+"." != sessionPrefix {
		return Placement{}, false
	}
	shard, err := strconv.Atoi(parts[2])
	return Placement{Epoch: parts[1], Shard: shard}, err == nil
}
