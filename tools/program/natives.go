package program

import (
	"errors"

	"github.com/dop251/goja"
)

// natives are functions and objects of the language, taken before the program
// runs. What the program does to the globals afterwards changes nothing here.
type natives struct {
	objectPrototype, arrayPrototype *goja.Object
	descriptor, stringify, frozen   goja.Callable
	error, typeError                goja.Callable
	indent                          goja.Value // of JSON that people read
	text                            func(string) goja.Value
}

// captureNatives takes them from a fresh world, where nothing can be missing.
func captureNatives(vm *goja.Runtime) natives {
	global := func(name string) *goja.Object { return vm.Get(name).ToObject(vm) }
	function := func(value goja.Value) goja.Callable {
		f, ok := goja.AssertFunction(value)
		if !ok {
			panic(errors.New("program: a function of the language is missing"))
		}
		return f
	}
	object := global("Object")
	return natives{
		objectPrototype: object.Get("prototype").ToObject(vm),
		arrayPrototype:  global("Array").Get("prototype").ToObject(vm),
		descriptor:      function(object.Get("getOwnPropertyDescriptor")),
		frozen:          function(object.Get("freeze")),
		stringify:       function(global("JSON").Get("stringify")),
		error:           function(global("Error")),
		typeError:       function(global("TypeError")),
		indent:          vm.ToValue("  "),
		text:            func(s string) goja.Value { return vm.ToValue(s) },
	}
}

// freeze freezes an object of ours, which cannot fail.
func (n natives) freeze(o *goja.Object) {
	if _, err := n.frozen(goja.Undefined(), o); err != nil {
		panic(err)
	}
}

func (n natives) newError(message string) (goja.Value, error) {
	return n.error(goja.Undefined(), n.text(message))
}

func (n natives) newTypeError(message string) (goja.Value, error) {
	return n.typeError(goja.Undefined(), n.text(message))
}
