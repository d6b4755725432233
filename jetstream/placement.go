package jetstream

import (
	"fmt"
	"hash/fnv"
	"regexp"
	"strconv"
	"strings"
)

// The streams beside those of the session logs, and what stands before the
// subject of a stored message when its stream republishes it.
const (
	ProjectsStream  = "PROJECTS"
	AuditStream     = "AUDIT"
	SnapshotsStream = "SNAPSHOTS"
	LivePrefix      = "live."
)

const (
	defaultEpoch   = "0"
	sessionPrefix  = "session."
	projectPrefix  = "project."
	auditPrefix    = "audit."
	snapshotPrefix = "snapshot."
	maxShards      = 1024
)

var epochName = regexp.MustCompile(`^[A-Za-z0-9-]{1,32}$`)

// Epoch is a period of time whose sessions share a set of streams. Its number
// of shards is fixed when its first stream is made: a session never moves, and
// more shards are had by starting another epoch.
type Epoch struct {
	Name   string // letters, digits and dashes: it is a subject token
	Shards int
}

// DefaultEpoch is the epoch "0" with one shard. Ids that hold no time live in
// it for good, whatever epochs are added.
func DefaultEpoch() Epoch { return Epoch{Name: defaultEpoch, Shards: 1} }

func (e Epoch) validate() error {
	if !epochName.MatchString(e.Name) {
		return fmt.Errorf("jetstream: epoch name %q is not 1 to 32 letters, digits or dashes", e.Name)
	}
	if e.Shards < 1 || e.Shards > maxShards {
		return fmt.Errorf("jetstream: epoch %s has %d shards, not 1 to %d", e.Name, e.Shards, maxShards)
	}
	return nil
}

// Place says where the session id lives: a pure function of the id and the
// epoch, so that finding a session needs no lookup table. The shard is the
// FNV-1a-32 hash of the id modulo the number of shards, which is also what the
// server's partition() mapping computes.
func (e Epoch) Place(id string) Placement {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id)) // a hash never fails to write
	return Placement{Epoch: e.Name, Shard: int(h.Sum32() % uint32(e.Shards))}
}

// Placements are all the places of the epoch, in the order of their shards.
func (e Epoch) Placements() []Placement {
	ps := make([]Placement, e.Shards)
	for i := range ps {
		ps[i] = Placement{Epoch: e.Name, Shard: i}
	}
	return ps
}

// Placement is one shard of one epoch: the stream that holds a session's log.
type Placement struct {
	Epoch string
	Shard int
}

// Stream is the name of the placement's stream: "SESSIONS_0_0".
func (p Placement) Stream() string { return "SESSIONS_" + p.Epoch + "_" + strconv.Itoa(p.Shard) }

// Subject is the one literal subject of a session's log. The id is trusted to
// be a valid session id, since it becomes a subject token.
func (p Placement) Subject(id string) string { return p.prefix() + id }

// Subjects matches the subjects of all sessions that live here.
func (p Placement) Subjects() string { return p.prefix() + "*" }

// ID undoes Subject. It is false for a subject that does not belong here.
func (p Placement) ID(subject string) (string, bool) {
	id, ok := strings.CutPrefix(subject, p.prefix())
	if !ok || id == "" || strings.ContainsAny(id, ".*> \t\r\n") {
		return "", false
	}
	return id, true
}

func (p Placement) prefix() string {
	return sessionPrefix + p.Epoch + "." + strconv.Itoa(p.Shard) + "."
}

// ProjectSubject is the literal subject of a project's log.
func ProjectSubject(id string) string { return projectPrefix + id }

// SnapshotSubject is the literal subject of a session's snapshots.
func SnapshotSubject(id string) string { return snapshotPrefix + id }

// LiveSubject is where a message stored on subject is republished.
func LiveSubject(subject string) string { return LivePrefix + subject }
