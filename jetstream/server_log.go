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

	mu    sync.Mutex
	fatal error // the first fatal line; guarded by mu
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
	l.log.Error("nats server", slog.String("detail", serverLine(format, v)))
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
