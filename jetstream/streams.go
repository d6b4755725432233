package jetstream

import (
	"errors"
	"fmt"
	"time"

	natsjs "github.com/nats-io/nats.go/jetstream"
)

const (
	// duplicateWindow is not the memory for retries (that is the log itself), so
	// it stays short: each id in it costs memory and time at a restart.
	duplicateWindow = 2 * time.Minute

	// maxConsumers is what the server would choose by itself. It is explicit so
	// that a server with another default serves the same stream.
	maxConsumers = 1000

	unlimited   = -1
	maxReplicas = 5
)

// Layout says which streams there are. The zero Layout is valid: the default
// epoch, one replica, no limit on size.
type Layout struct {
	// Epochs are those whose sessions can be written or read; the default is
	// [DefaultEpoch] alone.
	Epochs []Epoch

	// Replicas is 1 (the default) on an embedded server and 3 on a cluster.
	Replicas int

	// MaxBytes limits each stream that holds a log; a full stream refuses new
	// messages and keeps the old. With zero, new streams have no limit, and
	// whatever limit an existing one has is accepted.
	MaxBytes int64
}

func (l *Layout) validate() error {
	if len(l.Epochs) == 0 {
		l.Epochs = []Epoch{DefaultEpoch()}
	}
	if l.Replicas == 0 {
		l.Replicas = 1
	}
	if l.Replicas < 1 || l.Replicas > maxReplicas {
		return fmt.Errorf("jetstream: Layout.Replicas is %d, not 1 to %d", l.Replicas, maxReplicas)
	}
	if l.MaxBytes < 0 {
		return fmt.Errorf("jetstream: Layout.MaxBytes is negative: %d", l.MaxBytes)
	}
	seen := make(map[string]bool, len(l.Epochs))
	var errs []error
	for _, e := range l.Epochs {
		errs = append(errs, e.validate())
		if seen[e.Name] {
			errs = append(errs, fmt.Errorf("jetstream: Layout has epoch %s twice", e.Name))
		}
		seen[e.Name] = true
	}
	return errors.Join(errs...)
}

// Streams are the configurations of all the layout's streams.
func (l Layout) Streams() ([]natsjs.StreamConfig, error) {
	if err := l.validate(); err != nil {
		return nil, err
	}
	var streams []natsjs.StreamConfig
	for _, e := range l.Epochs {
		for _, p := range e.Placements() {
			streams = append(streams, l.log(p.Stream(), p.Subjects()))
		}
	}
	return append(streams,
		l.log(ProjectsStream, projectPrefix+"*"),
		l.log(AuditStream, auditPrefix+">"),
		l.snapshots(),
	), nil
}

// log is a stream that never forgets: it refuses new messages rather than drop
// old ones, and neither its API nor a header in a message removes any. What is
// stored is republished, as a wake-up for those who follow. Schedules, message
// lifetimes, roll-ups, counters and asynchronous persistence stay off: each
// would let a publisher alter what is stored or lose what was acknowledged.
func (l Layout) log(name, subjects string) natsjs.StreamConfig {
	c := l.base(name, subjects)
	c.Discard = natsjs.DiscardNew
	if l.MaxBytes > 0 {
		c.MaxBytes = l.MaxBytes
	}
	// A source narrower than ">" of the same shape is refused by the server. Live is
	// a wake-up and never evidence, so that the headers are enough: bodies stay where
	// reading them is a matter of rights.
	c.RePublish = &natsjs.RePublish{Source: ">", Destination: LivePrefix + ">", HeadersOnly: true}
	return c
}

// snapshots keeps the newest snapshot of each session: the limit makes room
// for the next one although deletion is denied. Nobody follows snapshots, so
// they are not republished.
func (l Layout) snapshots() natsjs.StreamConfig {
	c := l.base(SnapshotsStream, snapshotPrefix+"*")
	c.Discard = natsjs.DiscardOld
	c.MaxMsgsPerSubject = 1
	return c
}

func (l Layout) base(name, subjects string) natsjs.StreamConfig {
	return natsjs.StreamConfig{
		Name:              name,
		Subjects:          []string{subjects},
		Storage:           natsjs.FileStorage,
		Retention:         natsjs.LimitsPolicy,
		Replicas:          l.Replicas,
		MaxConsumers:      maxConsumers,
		MaxMsgs:           unlimited,
		MaxBytes:          unlimited,
		MaxMsgsPerSubject: unlimited,
		MaxMsgSize:        unlimited,
		Duplicates:        duplicateWindow,
		AllowDirect:       true,
		DenyDelete:        true,
		DenyPurge:         true,
	}
}
