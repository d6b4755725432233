package jetstream

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
)

// maxServerLine bounds what one line of the server's log may hold, because
// some quote what a client has sent.
const maxServerLine = 512

// serverLog hands the server's log to slog. Notices are for whoever debugs a
// server, so they arrive as Debug. Debug and trace lines, which can hold message
// bodies, are dropped.
type serverLog struct {
	log *slog.Logger

	mu    sync.Mutex // guards what follows
	fatal error      // the first fatal line
	// rehearsed counts the refusals of connections whose attempts are no attacks, by the
	// connection's name.
	rehearsed map[string]int
}

// Noticef implements the server's Logger.
func (l *serverLog) Noticef(format string, v ...any) {
	l.log.Debug("nats server", slog.String("detail", serverLine(format, v)))
}

// Warnf implements the server's Logger.
func (l *serverLog) Warnf(format string, v ...any) {
	l.log.Warn("nats server", slog.String("detail", serverLine(format, v)))
}

// Errorf implements the server's Logger.
func (l *serverLog) Errorf(format string, v ...any) {
	if line := serverLine(format, v); !l.rehearsal(line) {
		l.log.Error("nats server", slog.String("detail", line))
	}
}

// rehearsal counts a refusal that was to be expected. The line begins with who was
// refused: address, number, and in quotes the library and the connection's name.
func (l *serverLog) rehearsal(line string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name := range l.rehearsed {
		if strings.Contains(line, ":"+name+`" - `) && strings.Contains(line, " Violation - ") {
			l.rehearsed[name]++
			return true
		}
	}
	return false
}

// Fatalf implements the server's Logger. A server of its own would exit here;
// an embedded one goes on without the part that failed, so the line is kept
// for [StartServer] to return.
func (l *serverLog) Fatalf(format string, v ...any) {
	line := serverLine(format, v)
	l.log.Error("nats server failed", slog.String("detail", line))
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fatal == nil {
		l.fatal = errors.New(line)
	}
}

// Debugf implements the server's Logger.
func (l *serverLog) Debugf(string, ...any) {}

// Tracef implements the server's Logger.
func (l *serverLog) Tracef(string, ...any) {}

func (l *serverLog) failure() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fatal
}

func serverLine(format string, v []any) string {
	line := fmt.Sprintf(format, v...)
	if len(line) > maxServerLine {
		line = strings.ToValidUTF8(line[:maxServerLine], "") + "…"
	}
	return line
}

// minRehearsal is the shortest name of a connection whose refusals are expected: one
// that nobody guesses.
const minRehearsal = 20

// Rehearse takes refusals of permissions for connections of that name out of the log
// until end is called, and counts them instead. A client chooses its own name, so that
// this one must be known to nobody but who tries what it must not be able to do.
func (s *Server) Rehearse(name string) (end func() (refused int), err error) {
	if len(name) < minRehearsal || strings.ContainsFunc(name, notPlain) {
		return nil, fmt.Errorf("jetstream: the name of a rehearsal must have at least %d letters and digits", minRehearsal)
	}
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	if s.log.rehearsed == nil {
		s.log.rehearsed = map[string]int{}
	}
	s.log.rehearsed[name] = 0
	return func() int {
		s.log.mu.Lock()
		defer s.log.mu.Unlock()
		refused := s.log.rehearsed[name]
		delete(s.log.rehearsed, name)
		return refused
	}, nil
}

func notPlain(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
}
