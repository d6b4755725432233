package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/events"
)

// Projects keeps what lasts beyond a session: the grants of a project's people and
// its sensitive resources, each project with a log of its own (design section 4).
type Projects struct {
	log events.Log
}

// NewProjects keeps them in a log of projects.
func NewProjects(log events.Log) *Projects { return &Projects{log: log} }

// ProjectID names the project of a folder. Paths are compared as they are written,
// but for dots and doubled slashes.
func ProjectID(cwd string) events.SessionID {
	sum := sha256.Sum256([]byte(path.Clean(cwd)))
	return events.SessionID("project-" + hex.EncodeToString(sum[:16]))
}

// projectPrefix is of the types that a project's log holds, and no others.
const projectPrefix = "project/"

// View folds a project's log. A project without a log has nothing.
func (p *Projects) View(ctx context.Context, cwd string) (approvals.Project, error) {
	state, _, err := p.fold(ctx, cwd)
	return state, err
}

func (p *Projects) fold(ctx context.Context, cwd string) (state approvals.Project, next events.Seq, err error) {
	id := ProjectID(cwd)
	for r, err := range p.log.Read(ctx, id, 0) {
		if errors.Is(err, events.ErrNotFound) {
			return state, 0, nil
		}
		if err != nil {
			return state, 0, fmt.Errorf("engine: project %s: %w", cwd, err)
		}
		decoded, err := r.Decode()
		if err == nil && !strings.HasPrefix(string(r.Type()), projectPrefix) {
			err = fmt.Errorf("a %s does not belong into a project's log", r.Type())
		}
		if err != nil {
			return state, 0, fmt.Errorf("engine: project %s: %w", cwd, &events.CorruptError{Session: id, Seq: r.Seq, Type: r.Type(), Err: err})
		}
		for _, e := range decoded {
			state.Apply(e)
		}
		next = r.End()
	}
	return state, next, nil
}

// Do decides on a project's state and appends what it comes to, on the project's
// log, which it begins if there is none.
func (p *Projects) Do(ctx context.Context, cwd string, m Meta, decide func(*approvals.Project) ([]events.Draft, error)) error {
	for attempt := 1; ; attempt++ {
		err := p.try(ctx, cwd, m, decide)
		if err == nil || !errors.Is(err, events.ErrConflict) || attempt == raceAttempts {
			return err
		}
	}
}

func (p *Projects) try(ctx context.Context, cwd string, m Meta, decide func(*approvals.Project) ([]events.Draft, error)) error {
	state, next, err := p.fold(ctx, cwd)
	if err != nil {
		return err
	}
	drafts, err := decide(&state)
	if err != nil || len(drafts) == 0 {
		return err
	}
	if err := p.create(ctx, cwd, m); err != nil {
		return err
	}
	a := events.Append{ID: m.ID, Next: next, Actor: m.Actor}
	for i, d := range drafts {
		if !strings.HasPrefix(string(d.Event.Type()), projectPrefix) {
			return fmt.Errorf("engine: project %s: %w", cwd, invalid("type", "a %s does not belong into a project's log", d.Event.Type()))
		}
		e, err := d.At(next+events.Seq(i), m.Now)
		if err != nil {
			return fmt.Errorf("engine: project %s: %w", cwd, refused(err))
		}
		r, err := events.NewRecord(e)
		if err != nil {
			return fmt.Errorf("engine: project %s: %w", cwd, refused(err))
		}
		a.Records = append(a.Records, r)
	}
	if _, err = p.log.Append(ctx, ProjectID(cwd), a); err != nil {
		return fmt.Errorf("engine: project %s: %w", cwd, err)
	}
	return nil
}

// create begins the project's log, unless somebody has. Its header depends on the
// folder alone, so that whoever begins it begins the same.
func (p *Projects) create(ctx context.Context, cwd string, m Meta) error {
	header, err := events.NewHeader(events.Header{ID: ProjectID(cwd), CWD: path.Clean(cwd)})
	if err == nil {
		err = p.log.Create(ctx, events.Creation{ID: "project", Actor: m.Actor, Header: header})
	}
	if err != nil {
		return fmt.Errorf("engine: project %s: %w", cwd, err)
	}
	return nil
}
