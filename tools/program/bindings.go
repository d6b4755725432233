package program

import (
	"fmt"
	"strings"

	"github.com/dop251/goja"
)

// install puts console and tools into the program's world. Neither can be
// replaced or changed; both are objects of the program's, with native functions.
func (m *machine) install() {
	out := m.vm.NewObject()
	for _, name := range []string{"log", "info", "debug", "warn", "error"} {
		m.define(out, name, m.vm.ToValue(m.print))
	}
	bound := m.vm.CreateObject(nil) // no prototype: no names but those of tools
	for _, name := range m.start.Tools {
		m.define(bound, name, m.vm.ToValue(m.callOf(name)))
	}
	for name, object := range map[string]*goja.Object{"console": out, "tools": bound} {
		m.natives.freeze(object)
		m.define(m.vm.GlobalObject(), name, object)
	}
}

// define makes a property that is there for good. It cannot fail on objects that
// nobody else has seen.
func (m *machine) define(o *goja.Object, name string, value goja.Value) {
	if function, ok := value.(*goja.Object); ok {
		m.natives.freeze(function)
	}
	if err := o.DefineDataProperty(name, value, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_TRUE); err != nil {
		panic(err)
	}
}

// print is console.log and its like.
func (m *machine) print(call goja.FunctionCall) goja.Value {
	var line strings.Builder
	for i, value := range call.Arguments {
		if i > 0 {
			line.WriteString(" ")
		}
		line.WriteString(m.natives.show(value))
	}
	if err := m.console.write(line.String() + "\n"); err != nil {
		m.fail(err)
	}
	return goja.Undefined()
}

// fail stops a program whose parent cannot be spoken to any more.
func (m *machine) fail(err error) {
	m.broken = err
	m.vm.Interrupt("broken")
}

// callOf is tools.NAME: it submits a call and gives the promise of its end.
// Arguments that are no JSON reject it, and then nothing was submitted.
func (m *machine) callOf(name string) func(goja.FunctionCall) goja.Value {
	return func(call goja.FunctionCall) goja.Value {
		promise, resolve, reject := m.vm.NewPromise()
		arguments, err := m.arguments(call)
		if err != nil {
			reason, failed := m.natives.newTypeError(fmt.Sprintf("tools.%s: %s", name, err))
			if failed == nil {
				failed = reject(reason)
			}
			if failed != nil {
				panic(failed)
			}
			return m.vm.ToValue(promise)
		}
		m.submitted++
		m.waiting[m.submitted] = waiting{resolve, reject}
		sent := m.answers.Write(FromProgram{Call: &Call{Number: m.submitted, Name: name, Arguments: arguments}})
		if sent != nil {
			m.fail(sent)
		}
		return m.vm.ToValue(promise)
	}
}

// arguments are a call's, as JSON.
func (m *machine) arguments(call goja.FunctionCall) ([]byte, error) {
	switch {
	case len(call.Arguments) != 1:
		return nil, fmt.Errorf("want one object of arguments, got %d values", len(call.Arguments))
	case m.submitted >= m.start.Calls:
		return nil, fmt.Errorf("a program may make %d calls", m.start.Calls)
	}
	return m.natives.encode(call.Arguments[0])
}
