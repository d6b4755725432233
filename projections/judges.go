package projections

import (
	"slices"
	"strings"

	"github.com/docket-engine/docket/events"
)

// Judges are who has judged a session's calls: so that nobody else does it unnoticed.
type Judges struct {
	// Routes are those that allowed or denied, each once, in the order of the log.
	Routes []JudgingRoute `json:"routes,omitempty"`
	// Reviewers are by preset, the one whose verdict came first since the preset was
	// set last.
	Reviewers []JudgingReviewer `json:"reviewers,omitempty"`
}

// JudgingRoute is a route that has judged.
type JudgingRoute struct {
	RequestRoute
	Seq events.Seq `json:"seq"` // of the last such verdict
}

// JudgingReviewer is who reviews for a preset.
type JudgingReviewer struct {
	Preset   string     `json:"preset"`
	Reviewer string     `json:"reviewer"`
	Seq      events.Seq `json:"seq"`
}

// judgesKept bounds how many routes are remembered. One is enough to know that a model
// has judged.
const judgesKept = 16

// Apply folds an event that the Validator has accepted.
func (j *Judges) Apply(e events.Envelope) {
	switch ev := any(e.Event).(type) {
	case events.ReviewVerdict:
		if ev.Outcome != events.VerdictAllow && ev.Outcome != events.VerdictDeny {
			return // nobody has judged
		}
		if provider, model, named := strings.Cut(ev.Route, "/"); named {
			j.judged(JudgingRoute{RequestRoute{provider, model}, e.Seq})
		}
		if _, known := j.Reviewer(ev.Preset); !known {
			j.Reviewers = append(j.Reviewers, JudgingReviewer{ev.Preset, ev.Reviewer, e.Seq})
		}
	case events.PermissionPreset: // whoever sets it takes the reviewer that stands behind it now
		j.Reviewers = slices.DeleteFunc(j.Reviewers, func(r JudgingReviewer) bool { return r.Preset == ev.Preset })
	}
}

func (j *Judges) judged(route JudgingRoute) {
	i := slices.IndexFunc(j.Routes, func(r JudgingRoute) bool { return r.RequestRoute == route.RequestRoute })
	switch {
	case i >= 0:
		j.Routes[i].Seq = route.Seq
	case len(j.Routes) < judgesKept:
		j.Routes = append(j.Routes, route)
	}
}

// Reviewer is who has judged under a preset, and whether anybody has.
func (j *Judges) Reviewer(preset string) (name string, known bool) {
	i := slices.IndexFunc(j.Reviewers, func(r JudgingReviewer) bool { return r.Preset == preset })
	if i < 0 {
		return "", false
	}
	return j.Reviewers[i].Reviewer, true
}

// JudgedBy are who has judged here, without what an import says of it, which was never
// checked. The copy stays what it is.
func (s *Session) JudgedBy() Judges {
	var own Judges
	for _, r := range s.Judges.Routes {
		if r.Seq >= s.Imported {
			own.Routes = append(own.Routes, r)
		}
	}
	for _, r := range s.Judges.Reviewers {
		if r.Seq >= s.Imported {
			own.Reviewers = append(own.Reviewers, r)
		}
	}
	return own
}
