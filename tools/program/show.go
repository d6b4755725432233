package program

import (
	"errors"

	"github.com/dop251/goja"
)

// show is a value as people read it: strings as they are, errors with where they
// come from, the rest as JSON where it can be. It is called from within the
// program's run, and throws what the program's own conversions throw.
func (n natives) show(value goja.Value) string {
	object, ok := value.(*goja.Object)
	if !ok {
		return value.String()
	}
	if object.ClassName() == "Error" {
		if stack := object.Get("stack"); stack != nil && goja.IsString(stack) {
			return stack.String()
		}
		return object.String()
	}
	if _, isFunction := goja.AssertFunction(object); isFunction {
		return "[function]"
	}
	shown, err := n.stringify(goja.Undefined(), object, goja.Null(), n.indent)
	if _, threw := errors.AsType[*goja.Exception](err); threw {
		return "[" + object.ClassName() + " that JSON cannot hold]"
	}
	if err != nil {
		panic(err) // the time is up, or the stack
	}
	return shown.String()
}

// thrown is what went wrong, as people read it.
func (n natives) thrown(vm *goja.Runtime, reason goja.Value) string {
	return n.safely(vm, func() string {
		if _, isObject := reason.(*goja.Object); isObject {
			return n.show(reason)
		}
		return "thrown: " + n.show(reason)
	})
}

// safely runs a conversion outside of the program's run. The program may have
// made it throw.
func (n natives) safely(vm *goja.Runtime, show func() string) (text string) {
	defer func() {
		if recover() != nil {
			text = "[a value that cannot be shown]"
		}
	}()
	if vm.Try(func() { text = show() }) != nil {
		return "[a value that cannot be shown]"
	}
	return text
}
