package program

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/dop251/goja"
)

// callDepth bounds the program's recursion; one more ends it.
const callDepth = 4000

// machine runs one program. It belongs to one goroutine, but for the budget.
type machine struct {
	vm      *goja.Runtime
	start   Start
	answers *Writer[FromProgram]
	settled <-chan Settle
	budget  *budget
	console console
	natives natives

	submitted int
	waiting   map[int]waiting // by number: calls that have not ended
	unhandled []rejected      // rejected promises that nothing caught so far
	broken    error           // why nothing more can be sent
}

// waiting is what ends a call in the program.
type waiting struct {
	resolve, reject func(any) error
}

type rejected struct {
	promise *goja.Promise
	reason  goja.Value
}

func newMachine(start Start, answers *Writer[FromProgram], settled <-chan Settle) *machine {
	vm := goja.New()
	vm.SetMaxCallStackSize(callDepth)
	m := &machine{
		vm: vm, start: start, answers: answers, settled: settled,
		budget:  &budget{left: time.Duration(start.TimeMS) * time.Millisecond, interrupt: func() { vm.Interrupt("time") }},
		natives: captureNatives(vm),
		waiting: map[int]waiting{},
	}
	m.console = console{left: start.Output, answers: answers}
	vm.SetPromiseRejectionTracker(m.track)
	return m
}

// run runs the program to its end. Each path through it ends in one End.
func (m *machine) run() End {
	end := m.execute()
	end.Dropped = m.console.dropped
	if over := len(end.Text) - m.start.Output; over > 0 {
		end.Text, end.Dropped = validPrefix(end.Text, m.start.Output), end.Dropped+int64(over)
	}
	return end
}

func (m *machine) execute() End {
	// The newline keeps a comment in the last line from hiding what follows.
	compiled, err := goja.Compile("program.js", "(async function () {"+m.start.Code+"\n})()", false)
	if err != nil {
		return End{Kind: EndThrew, Text: err.Error()}
	}
	var promise *goja.Promise
	var thrown error
	m.budget.spend(func() {
		m.install()
		var value goja.Value
		if value, thrown = m.vm.RunProgram(compiled); thrown == nil {
			promise = asPromise(value)
		}
	})
	for {
		switch {
		case m.budget.over():
			return End{Kind: EndTime, Text: fmt.Sprintf("the program took more than %d ms of its own", m.start.TimeMS)}
		case m.broken != nil:
			return End{Kind: EndThrew, Text: m.broken.Error()}
		case thrown != nil:
			return m.threw(thrown)
		case promise == nil:
			return End{Kind: EndThrew, Text: "the program is no function body"}
		case promise.State() != goja.PromiseStatePending:
			return m.finished(promise)
		case len(m.waiting) == 0:
			return End{Kind: EndThrew, Text: "the program waits for a promise that nothing settles"}
		}
		settle := <-m.settled
		m.budget.spend(func() { thrown = m.settle(settle) })
	}
}

// asPromise is the promise that a value is, or nil. No other value is exported:
// that would run getters of the program.
func asPromise(value goja.Value) *goja.Promise {
	if value.ExportType() != reflect.TypeFor[*goja.Promise]() {
		return nil
	}
	promise, _ := value.Export().(*goja.Promise)
	return promise
}

// settle ends a call in the program, and runs what waited for it.
func (m *machine) settle(s Settle) error {
	w, ok := m.waiting[s.Number]
	if !ok {
		return fmt.Errorf("%w: call %d does not wait", ErrProtocol, s.Number)
	}
	delete(m.waiting, s.Number)
	if !s.IsError {
		return w.resolve(s.Text)
	}
	reason, err := m.natives.newError(s.Text)
	if err != nil {
		return err
	}
	return w.reject(reason)
}

// finished is the end of a program whose promise has settled.
func (m *machine) finished(promise *goja.Promise) End {
	end := End{Kind: EndReturned}
	m.budget.spend(func() {
		switch {
		case promise.State() == goja.PromiseStateRejected:
			end = End{Kind: EndThrew, Text: m.natives.thrown(m.vm, promise.Result())}
		case len(m.unhandled) > 0:
			end = End{Kind: EndThrew, Text: "nothing caught: " + m.natives.thrown(m.vm, m.unhandled[0].reason)}
		case !goja.IsUndefined(promise.Result()):
			end.Text = m.natives.safely(m.vm, func() string { return m.natives.show(promise.Result()) })
		}
	})
	if m.budget.over() {
		return End{Kind: EndTime, Text: fmt.Sprintf("the program took more than %d ms of its own", m.start.TimeMS)}
	}
	return end
}

// threw is the end of a program by an error that is not the program's promise's:
// the interpreter gave up.
func (m *machine) threw(err error) End {
	if exception, ok := errors.AsType[*goja.Exception](err); ok {
		return End{Kind: EndThrew, Text: m.natives.thrown(m.vm, exception.Value())}
	}
	if _, ok := errors.AsType[*goja.StackOverflowError](err); ok {
		return End{Kind: EndThrew, Text: fmt.Sprintf("RangeError: the program calls itself more than %d deep", callDepth)}
	}
	return End{Kind: EndThrew, Text: err.Error()}
}

// track keeps the rejected promises that nothing has caught.
func (m *machine) track(p *goja.Promise, op goja.PromiseRejectionOperation) {
	if op == goja.PromiseRejectionReject {
		m.unhandled = append(m.unhandled, rejected{p, p.Result()})
		return
	}
	m.unhandled = slices.DeleteFunc(m.unhandled, func(r rejected) bool { return r.promise == p })
}
