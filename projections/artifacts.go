package projections

import (
	"slices"

	"github.com/docket-engine/docket/events"
)

// artifactsKept is how many files a session is known to have made, at most: the oldest
// are forgotten, and are then nobody's.
const artifactsKept = 256

// Artifacts are the files that the session made and has since left as they are known,
// by what an executor observed that is trusted: one in the engine's own process, or one
// that confines. It is the session's own: a fork made nothing, nor did a child or an
// import, and a checkpoint takes nothing away.
type Artifacts struct {
	Made []events.Artifact `json:"made,omitempty"` // the latest last; one a path
}

// Find gives what the session left at a path, if it made that.
func (a *Artifacts) Find(path string) (events.Artifact, bool) {
	i := a.at(path)
	if i < 0 {
		return events.Artifact{}, false
	}
	return a.Made[i], true
}

func (a *Artifacts) at(path string) int {
	return slices.IndexFunc(a.Made, func(m events.Artifact) bool { return m.Path == path })
}

// Apply folds an event that the Validator has accepted.
func (a *Artifacts) Apply(e events.Envelope) {
	switch ev := any(e.Event).(type) {
	case events.EndSeed:
		if ev.Inherited {
			a.Made = nil
		}
	case events.ArtifactObserved:
		trusted := ev.Source == events.SourceEngine || ev.Source == events.SourceExecutor
		for _, seen := range ev.Artifacts {
			a.observed(seen, trusted)
		}
	}
}

// observed: what was made where nothing was is the session's, and so is what it made
// of its own; what it put in the place of anything else is not. Whoever says that a
// file has changed is believed that it is not what was left.
func (a *Artifacts) observed(seen events.Artifact, trusted bool) {
	i := a.at(seen.Path)
	own := seen.Change == events.ArtifactCreated || seen.Change == "" ||
		seen.Change == events.ArtifactChanged && i >= 0 && wasOwn(a.Made[i], seen.Before)
	if i >= 0 {
		a.Made = slices.Delete(a.Made, i, i+1)
	}
	if !trusted || !own || seen.Kind != events.ArtifactFile || seen.SHA256 == "" || seen.BirthTime == 0 {
		return
	}
	if len(a.Made) >= artifactsKept {
		a.Made = slices.Delete(a.Made, 0, len(a.Made)-artifactsKept+1)
	}
	seen.Before, seen.Unknown = nil, nil
	a.Made = append(a.Made, seen)
}

// wasOwn reports whether what was changed is what the session had left.
func wasOwn(left events.Artifact, before *events.Replaced) bool {
	return before != nil && before.Device == left.Device && before.Inode == left.Inode && before.BirthTime == left.BirthTime && before.SHA256 == left.SHA256
}
