package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/jetstream"
)

const (
	eventSize = 500 // bytes of a stored line
	steps     = 10  // of a turn
	epochMs   = 1_800_000_000_000

	// hole is where a line is filled up to its size.
	hole = "\x00"
)

var actor = events.Actor{Class: "engine", Name: "bench"}

// script writes the lines of a log.
type script struct {
	next    int // seq
	records []events.Record
	err     error // the first one
}

// conversation gives the records of a log whose turns have ten steps with a call
// each: start, message, call, result, end.
func conversation(size int) ([]events.Record, error) {
	s := script{records: make([]events.Record, 0, size+5*steps)}
	for turn := 1; len(s.records) < size && s.err == nil; turn++ {
		s.turn(turn)
	}
	if s.err != nil {
		return nil, s.err
	}
	return s.records[:size], nil
}

// messages gives records none of which ends a turn: what users say.
func messages(from, n int) ([]events.Record, error) {
	s := script{next: from, records: make([]events.Record, 0, n)}
	for range n {
		s.user()
	}
	return s.records, s.err
}

func (s *script) turn(turn int) {
	s.line("turn/start", fmt.Sprintf(`"turn":%d,"note":"%s"`, turn, hole), "")
	for step := 1; step <= steps; step++ {
		at, call := fmt.Sprintf(`"turn":%d,"step":%d`, turn, step), fmt.Sprintf("call-%d-%d", turn, step)
		s.line("step/start", at+`,"note":"`+hole+`"`, "")
		if step == 1 {
			s.user()
		}
		s.assistant(at, call)
		s.line("tool/call", at+fmt.Sprintf(`,"callId":"%s","name":"bash","arguments":"{\"command\":\"make test %s\"}"`, call, hole), "")
		s.result(at, call)
		s.line("step/end", at+`,"note":"`+hole+`"`, "")
	}
	s.line("turn/end", fmt.Sprintf(`"turn":%d,"reason":{"kind":"completed"},"note":"%s"`, turn, hole), "")
}

func (s *script) user() {
	data := fmt.Sprintf(`"id":"user-%d","role":"user","source":{"kind":"user"},"content":[{"type":"text","text":"%s"}]`, s.next, hole)
	s.line("user/message", data, `,"surfaceOp":"append"`)
}

func (s *script) assistant(at, call string) {
	data := fmt.Sprintf(`%s,"message":{"id":"a-%s","role":"assistant","source":{"kind":"model","provider":"p","model":"m"},"content":[{"type":"text","text":"%s"},`+
		`{"type":"tool-call","id":"%s","name":"bash","arguments":"{\"command\":\"make test\"}"}]},"stream":[]`, at, call, hole, call)
	s.line("assistant/message", data, `,"surfaceOp":"append"`)
}

// result cites its call, which is the event before it.
func (s *script) result(at, call string) {
	data := fmt.Sprintf(`%s,"message":{"id":"r-%s","role":"tool","source":{"kind":"tool","callId":"%s"},"content":[{"type":"text","text":"%s"}],"isError":false}`,
		at, call, call, hole)
	s.line("tool/result", data, fmt.Sprintf(`,"surfaceOp":"append","sourceEventSeqs":[%d]`, s.next-1))
}

// line puts an event whose line is as long as all others.
func (s *script) line(name, data, rest string) {
	form := fmt.Sprintf(`{"type":"%s","seq":%d,"time":%d,"data":{%s}%s}`, name, s.next, epochMs+s.next, data, rest)
	fill := strings.Repeat("All of the tests pass. ", eventSize/20)[:max(1, eventSize-len(form)+1)]
	r, err := events.ParseRecord(events.Format4, []byte(strings.Replace(form, hole, fill, 1)))
	if err == nil {
		_, err = r.Decode()
	}
	if err != nil && s.err == nil {
		s.err = fmt.Errorf("event %d, %s: %w", s.next, name, err)
	}
	s.records, s.next = append(s.records, r), s.next+1
}

func newHeader(id events.SessionID) (events.Header, error) {
	return events.NewHeader(events.Header{ID: id, CreatedAt: epochMs, CWD: "/workspace/bench"})
}

// create stores an empty session.
func create(ctx context.Context, log events.Log, id events.SessionID) error {
	h, err := newHeader(id)
	if err != nil {
		return err
	}
	return log.Create(ctx, events.Creation{ID: "create", Actor: actor, Header: h})
}

// appendAll makes a session with one record a frame.
func appendAll(ctx context.Context, log *jetstream.Log, id events.SessionID, records []events.Record) error {
	if err := create(ctx, log, id); err != nil {
		return err
	}
	for i, r := range records {
		if _, err := log.Append(ctx, id, events.Append{ID: appendID(i), Next: r.Seq, Actor: actor, Records: records[i : i+1]}); err != nil {
			return err
		}
	}
	return nil
}

func appendID(i int) events.AppendID { return events.AppendID(fmt.Sprint("a", i)) }

// text is a session file.
func text(id events.SessionID, records []events.Record) ([]byte, error) {
	h, err := newHeader(id)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Write(h.Line)
	b.WriteByte('\n')
	for _, r := range records {
		b.Write(r.Line)
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}
