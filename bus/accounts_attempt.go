package bus

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/jetstream"
)

// Attempt is something on the bus that a credential must or must not be able to do.
// Trying it changes nothing, whoever is allowed to.
type Attempt struct {
	What      string
	Subject   string
	Subscribe bool // rather than publish
	Allowed   bool // by the class
}

// stranger is who others are in attempts: nobody's name.
const stranger = "somebody-else"

// Attempts are what a deployment is checked with, for a credential of a class and name.
func Attempts(class, name string) ([]Attempt, error) {
	c, ok := ClassNamed(class)
	if !ok {
		return nil, fmt.Errorf("bus: there is no class %q", class)
	}
	if err := CheckName(name); err != nil {
		return nil, fmt.Errorf("bus: %w", err)
	}
	all := append(publishAttempts(name), subscribeAttempts(class, name)...)
	for i, a := range all {
		patterns := c.Publish
		if a.Subscribe {
			patterns = c.Subscribe
		}
		all[i].Allowed = coveredByAny(patterns, name, a.Subject)
	}
	return all, nil
}

func publishAttempts(name string) []Attempt {
	var all []Attempt
	add := func(what string, subjects ...string) {
		for _, s := range subjects {
			all = append(all, Attempt{What: what, Subject: s})
		}
	}
	for _, class := range []string{Human, Agent, Host, Spawner, Reviewer} {
		add("send a command as "+class+" under its own name", SubjectPrefix+class+"."+name+".doctor.attempt")
		add("send a command as "+class+" under another name", SubjectPrefix+class+"."+stranger+".doctor.attempt")
	}
	add("write to a stream", "session.0.0.doctor-attempt", "project.doctor-attempt", "audit.doctor-attempt", "snapshot.doctor-attempt")
	add("pretend that something was stored", jetstream.LivePrefix+"session.0.0.doctor-attempt")
	add("give a reviewer a request", ReviewPrefix+stranger)
	add("answer somebody's request unasked", "_R_.doctor.attempt", InboxPrefix(Human, stranger)+".x", "_INBOX.x.y")
	for _, stream := range []string{"SESSIONS_0_0", jetstream.ProjectsStream, jetstream.AuditStream, jetstream.SnapshotsStream} {
		add("change a stream", "$JS.API.STREAM.UPDATE."+stream)
		add("delete or purge", "$JS.API.STREAM.DELETE."+stream, "$JS.API.STREAM.PURGE."+stream, "$JS.API.STREAM.MSG.DELETE."+stream)
		add("make a consumer", "$JS.API.CONSUMER.CREATE."+stream)
	}
	add("make a stream", "$JS.API.STREAM.CREATE.DOCTOR_ATTEMPT")
	add("list streams", "$JS.API.STREAM.NAMES")
	add("read the engine's streams past the mirror", mirrorAPI+".CONSUMER.CREATE.SESSIONS_0_0")
	add("steer a mirror", mirrorDeliver+".x", "$JS.FC.SESSIONS_0_0.x.y", "$JS.FC._.x.SESSIONS_0_0.y.z")
	add("tell an engine's processes what to do", ControlPrefix+"doctor-attempt")
	add("ask the system", "$SYS.REQ.SERVER.PING")
	return all
}

func subscribeAttempts(class, name string) []Attempt {
	var all []Attempt
	add := func(what, subject string) { all = append(all, Attempt{What: what, Subject: subject, Subscribe: true}) }
	add("hear the answers to itself", InboxPrefix(class, name)+".x")
	add("hear the answers to others", InboxPrefix(class, stranger)+".>")
	add("hear all answers", "_INBOX.>")
	add("hear answers on their way", "_R_.>")
	add("hear commands", SubjectPrefix+">")
	add("be asked as a reviewer of its own name", ReviewPrefix+name)
	add("be asked as another reviewer", ReviewPrefix+stranger)
	add("follow what is stored", jetstream.LivePrefix+">")
	add("hear what is published to a log", "session.>")
	add("hear everything", ">")
	return all
}

// coveredByAny reports whether a pattern of a class allows the whole of a subject.
func coveredByAny(patterns []string, name, subject string) bool {
	for _, p := range patterns {
		if covers(filled(p, name), subject) {
			return true
		}
	}
	return false
}

func covers(pattern, subject string) bool {
	want, got := strings.Split(pattern, "."), strings.Split(subject, ".")
	for i, token := range want {
		switch {
		case i >= len(got):
			return false
		case token == ">":
			return true
		case token == "*" && got[i] != ">":
		case token != got[i]:
			return false
		}
	}
	return len(want) == len(got)
}

// attemptBody is no request that a server would take, and attemptHeader keeps a stream
// from storing it.
const (
	attemptBody   = "an attempt"
	attemptStream = "doctor-attempt"
)

// Try makes an attempt and reports whether the server allowed it. The connection is
// used for nothing else meanwhile.
func (a Attempt) Try(nc *nats.Conn, patience time.Duration) (allowed bool, err error) {
	before := nc.LastError()
	if a.Subscribe {
		sub, err := nc.SubscribeSync(a.Subject)
		if err != nil {
			return false, fmt.Errorf("bus: try to %s: %w", a.What, err)
		}
		defer func() { _ = sub.Unsubscribe() }() // refused ones are gone
	} else {
		m := nats.NewMsg(a.Subject)
		m.Data = []byte(attemptBody)
		m.Header.Set("Nats-Expected-Stream", attemptStream)
		if err := nc.PublishMsg(m); err != nil {
			return false, fmt.Errorf("bus: try to %s: %w", a.What, err)
		}
	}
	if err := nc.FlushTimeout(patience); err != nil {
		return false, fmt.Errorf("bus: try to %s: %w", a.What, err)
	}
	// The server's refusal comes before its answer to the flush.
	after := nc.LastError()
	switch {
	case after == before:
		return true, nil
	case errors.Is(after, nats.ErrPermissionViolation):
		return false, nil
	default:
		return false, fmt.Errorf("bus: try to %s: %w", a.What, after)
	}
}
