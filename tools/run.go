package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/docket-engine/docket/tools/program"
)

// The parent's patience with the process, beside the program's own time.
const (
	readyWithin = 20 * time.Second // to start and to give up what it must not have
	timeGrace   = 2 * time.Second  // the process ends a program itself, and says so
)

// run is the parent's side of one run. It belongs to the goroutine of loop; the
// goroutines of calls send it what they come to.
type run struct {
	programRun
	bound   map[string]Schema
	process *process
	cancel  context.CancelFunc // of the calls
	started chan startedCall
	settled chan settledCall
	clock   *clock

	ready     bool
	submitted int         // the number of the last call
	lane      []InnerCall // submitted, not started
	starting  bool        // one call is before the gate
	running   int         // calls whose end is awaited

	out    strings.Builder // what the program printed
	over   bool            // the result stands; what was started is drained
	result Result
}

type startedCall struct {
	number  int
	running Running
	err     error
}

type settledCall struct {
	number int
	result InnerResult
}

// loop is the whole run. Nothing that it started outlives it.
func (r *run) loop(ctx context.Context) {
	for !r.over || r.starting || r.running > 0 {
		messages, done := r.process.messages, ctx.Done()
		if r.over {
			messages, done = nil, nil
		}
		select {
		case m, open := <-messages:
			r.receive(ctx, m, open)
		case s := <-r.started:
			r.onStarted(ctx, s)
		case s := <-r.settled:
			r.onSettled(s)
		case <-done:
			r.abort(CodeAborted, "cancelled")
		case <-r.clock.up():
			r.abort(CodeTimeout, r.lateness())
		}
		r.clock.run(!r.over && !r.starting && r.running == 0)
	}
	r.clock.run(false)
	r.process.end()
}

func (r *run) lateness() string {
	if !r.ready {
		return fmt.Sprintf("the program's process was not ready within %s", readyWithin)
	}
	return fmt.Sprintf("the program took more than %s", r.limits.Time)
}

// receive takes a message of the process. The process is not trusted: a message
// out of place ends the run.
func (r *run) receive(ctx context.Context, m received, open bool) {
	switch {
	case !open:
		r.abort(CodeLost, "the program's process has ended: "+r.process.lastWords())
	case errors.Is(m.err, program.ErrProtocol):
		r.abort(CodeProtocol, m.err.Error())
	case m.err != nil:
		r.abort(CodeLost, "the program's process has ended: "+r.process.lastWords())
	case m.message.Ready != nil:
		r.onReady()
	case !r.ready:
		r.abort(CodeProtocol, "the program's process spoke before it was ready")
	case m.message.Call != nil:
		r.onCall(ctx, *m.message.Call)
	case m.message.Output != nil:
		r.onOutput(m.message.Output.Text)
	case m.message.End != nil:
		r.onEnd(*m.message.End)
	}
}

func (r *run) onReady() {
	if r.ready {
		r.abort(CodeProtocol, "the program's process was ready twice")
		return
	}
	r.ready = true
	names := sortedKeys(r.bound)
	r.process.send(program.ToProgram{Start: &program.Start{
		Code: r.code, Tools: names, TimeMS: r.limits.Time.Milliseconds(),
		Memory: r.limits.Memory, Output: r.limits.Output, Calls: r.limits.Calls,
	}})
	r.clock.reset(r.limits.Time + timeGrace)
}

func (r *run) onOutput(text string) {
	if r.out.Len()+len(text) > r.limits.Output {
		r.abort(CodeProtocol, "the program's process sent more output than it may")
		return
	}
	r.out.WriteString(text)
}

// onCall queues a call, and starts it at once if no other is before the gate.
func (r *run) onCall(ctx context.Context, c program.Call) {
	bound, known := r.bound[c.Name]
	switch {
	case c.Number != r.submitted+1:
		r.abort(CodeProtocol, fmt.Sprintf("call %d came after call %d", c.Number, r.submitted))
	case c.Number > r.limits.Calls:
		r.abort(CodeProtocol, fmt.Sprintf("call %d is over the limit", c.Number))
	case !known:
		r.abort(CodeProtocol, fmt.Sprintf("call %d is of %q, which the program is not bound to", c.Number, c.Name))
	case len(c.Arguments) > program.ArgumentsLimit || !c.Arguments.IsValid():
		r.abort(CodeProtocol, fmt.Sprintf("the arguments of call %d are too long or no JSON", c.Number))
	default:
		r.submitted = c.Number
		r.lane = append(r.lane, InnerCall{Number: c.Number, Name: c.Name, Arguments: c.Arguments, Schema: bound.clone()})
		r.startNext(ctx)
	}
}

// startNext starts the first call of the lane, unless one is before the gate.
func (r *run) startNext(ctx context.Context) {
	if r.over || r.starting || len(r.lane) == 0 {
		return
	}
	call := r.lane[0]
	r.lane = r.lane[1:]
	r.starting = true
	go func() {
		running, err := r.caller.Start(ctx, call)
		if err == nil && running == nil {
			err = errors.New("the caller gave neither a call nor an error")
		}
		r.started <- startedCall{call.Number, running, err}
	}()
}

// onStarted waits for a started call's end in a goroutine of its own, also when
// the run is over, and starts the next one.
func (r *run) onStarted(ctx context.Context, s startedCall) {
	r.starting = false
	if s.err != nil {
		if !r.over && ctx.Err() != nil {
			r.abort(CodeAborted, "cancelled")
		}
		r.abort(CodeCaller, fmt.Sprintf("call %d could not be started: %s", s.number, s.err))
		return
	}
	r.running++
	go func() { r.settled <- settledCall{s.number, s.running.Wait()} }()
	r.startNext(ctx)
}

// innerLimit is how long the text of a call may be that a program gets.
const innerLimit = 256 << 10

func (r *run) onSettled(s settledCall) {
	r.running--
	if r.over {
		return
	}
	text := s.result.Text
	if s.result.IsError {
		text = s.result.Message
	}
	r.process.send(program.ToProgram{Settle: &program.Settle{
		Number: s.number, IsError: s.result.IsError, Text: bounded(text, innerLimit),
	}})
}

// onEnd is the program's own end. Calls that were started go on to theirs; those
// in the lane are forgotten.
func (r *run) onEnd(e program.End) {
	if e.Dropped > 0 {
		fmt.Fprintf(&r.out, "\n[… %d bytes of output were over the limit …]\n", e.Dropped)
	}
	switch e.Kind {
	case program.EndReturned:
		r.finish(Result{Text: r.text(e.Text)})
	case program.EndThrew:
		r.finish(failure(CodeRunFailed, r.text(e.Text)))
	case program.EndTime:
		r.abort(CodeTimeout, e.Text)
	case program.EndMemory:
		r.abort(CodeMemory, e.Text)
	default:
		r.abort(CodeProtocol, fmt.Sprintf("the program's process ended in a way that is not known: %q", e.Kind))
	}
}

// text is what the program printed and then what it came to.
func (r *run) text(last string) string {
	printed := strings.TrimSuffix(r.out.String(), "\n")
	switch {
	case printed == "":
		return bounded(last, r.limits.Output)
	case last == "":
		return bounded(printed, r.limits.Output+textNote)
	}
	return bounded(printed+"\n"+last, r.limits.Output+textNote)
}

// textNote is room for the note about what was cut.
const textNote = 256

// abort ends a run that went wrong, and its calls with it.
func (r *run) abort(code Code, what string) {
	if r.over {
		return
	}
	r.finish(failure(code, r.text(what)))
	r.cancel()
}

// finish lets the result stand. The process has nothing more to say.
func (r *run) finish(result Result) {
	if r.over {
		return
	}
	r.over, r.result, r.lane = true, result, nil
	r.process.kill()
}
