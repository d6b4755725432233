package presets

import (
	"fmt"
	"slices"
	"sync"

	"github.com/docket-engine/docket/events"
)

// Registry is what is installed in this process. It is safe for concurrent use
// and starts no goroutines. What changes calls the subscribers, on the goroutine
// of the change.
type Registry struct {
	table  Table
	failed func(error) // told of what a subscriber did wrong; may be nil

	mu          sync.Mutex // guards what follows; never held while calling out
	installed   []installation
	complete    Catalogue // what is installed, made when it changes
	subscribers []subscriber
	subscribed  int // ids given out
}

// installation is an integration that is there, also while it closes.
type installation struct {
	Integration
	admit   Admit
	closing bool
}

type subscriber struct {
	id      int
	changed func()
}

// NewRegistry begins with the table alone. failed, which may be nil, is told when
// a subscriber panics: that never undoes a change, nor keeps the others from it.
func NewRegistry(t Table, failed func(error)) *Registry {
	return &Registry{table: t, failed: failed, complete: t.Catalogue()}
}

// Install adds an integration and its presets, once. admit is asked before a
// session is switched to one of them or published on one; nil admits all.
func (r *Registry) Install(i Integration, admit Admit) error {
	if err := r.install(i, admit); err != nil {
		return err
	}
	r.notify()
	return nil
}

func (r *Registry) install(i Integration, admit Admit) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.position(i.Name) >= 0 {
		return events.Refuse(CodeInstalled, "integration", "%s is installed already", i.Name)
	}
	if err := r.checkContribution(i); err != nil {
		return err
	}
	i.Presets = slices.Clone(i.Presets)
	r.set(append(slices.Clip(r.installed), installation{Integration: i, admit: admit}))
	return nil
}

func (r *Registry) checkContribution(i Integration) error {
	if i.Name == "" || len(i.Presets) == 0 {
		return events.Refuse(CodeBadPreset, "integration", "must have a name and presets")
	}
	taken := r.complete.Options
	for _, p := range i.Presets {
		if err := p.check("presets"); err != nil {
			return err
		}
		switch _, exists := find(taken, p.Name); {
		case p.Name == Custom || p.Name == Auto && i.Name != IntegrationAuto:
			return events.Refuse(CodeReservedPreset, "presets.name", "%s is reserved", p.Name)
		case exists:
			return events.Refuse(CodeDuplicatePreset, "presets.name", "%s is there already", p.Name)
		case p.Integration != i.Name:
			return events.Refuse(CodeBadPreset, "presets.integration", "of %s must be %s, is %q", p.Name, i.Name, p.Integration)
		}
		taken = append(slices.Clip(taken), p)
	}
	return nil
}

// Close ends the admission to an integration's presets: the first step of its
// removal, before its reviews are drained (reference 5.7 and 8, item 5). Its
// presets stay in the catalogue until [Registry.Remove].
func (r *Registry) Close(integration string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.position(integration)
	if at < 0 {
		return notInstalled(integration)
	}
	r.installed[at].closing = true
	return nil
}

// Remove takes an integration's presets out of the catalogue.
func (r *Registry) Remove(integration string) error {
	r.mu.Lock()
	at := r.position(integration)
	if at >= 0 {
		r.set(slices.Delete(slices.Clone(r.installed), at, at+1))
	}
	r.mu.Unlock()
	if at < 0 {
		return notInstalled(integration)
	}
	r.notify()
	return nil
}

func notInstalled(integration string) error {
	return events.Refuse(CodeNotInstalled, "integration", "%q is not installed", integration)
}

// Admit is the admission to a preset: refused while its integration closes or
// when it is gone, else what the integration says.
func (r *Registry) Admit(p Preset) error {
	if p.Integration == "" {
		return nil
	}
	r.mu.Lock()
	at := r.position(p.Integration)
	var of installation
	if at >= 0 {
		of = r.installed[at]
	}
	r.mu.Unlock()
	switch {
	case at < 0:
		return notInstalled(p.Integration)
	case of.closing:
		return events.Refuse(CodeClosing, "preset", "%s cannot be chosen, its integration %s is being removed", p.Name, p.Integration)
	case of.admit == nil:
		return nil
	default:
		return of.admit(p)
	}
}

// Catalogue is what is installed now, complete.
func (r *Registry) Catalogue() Catalogue {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.complete
}

// set changes what is installed.
func (r *Registry) set(installed []installation) {
	var contributed []Preset
	for _, i := range installed {
		contributed = append(contributed, i.Presets...)
	}
	r.installed, r.complete = installed, r.table.Catalogue(contributed...)
}

func (r *Registry) position(integration string) int {
	return slices.IndexFunc(r.installed, func(i installation) bool { return i.Name == integration })
}

// Subscribe calls changed, without saying how, after each change of the
// catalogue; what it is then is read by [Registry.Catalogue]. After cancel no
// later change is told.
func (r *Registry) Subscribe(changed func()) (cancel func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.subscribed++
	id := r.subscribed
	r.subscribers = append(slices.Clip(r.subscribers), subscriber{id, changed})
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.subscribers = slices.DeleteFunc(slices.Clone(r.subscribers), func(s subscriber) bool { return s.id == id })
	}
}

func (r *Registry) notify() {
	r.mu.Lock()
	subscribers := r.subscribers
	r.mu.Unlock()
	for _, s := range subscribers {
		r.tell(s)
	}
}

// tell contains what a subscriber does wrong.
func (r *Registry) tell(s subscriber) {
	defer func() {
		if p := recover(); p != nil && r.failed != nil {
			r.failed(fmt.Errorf("presets: a subscriber of the catalogue panicked: %v", p))
		}
	}()
	s.changed()
}
