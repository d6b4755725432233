package program

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf16"

	"github.com/dop251/goja"
	"github.com/go-json-experiment/json/jsontext"
)

// depthLimit is how deep arguments may nest.
const depthLimit = 100

// encode is a value as JSON that loses nothing: what JSON.stringify would drop,
// change or convert is an error instead, and no code of the program runs. Each
// property is read once.
func (n natives) encode(value goja.Value) ([]byte, error) {
	e := encoder{natives: n}
	if err := e.add("arguments", value); err != nil {
		return nil, err
	}
	if len(e.out) > ArgumentsLimit {
		return nil, errTooLong
	}
	return e.out, nil
}

var errTooLong = fmt.Errorf("the arguments have more than %d bytes", ArgumentsLimit)

// encoder holds the text so far, and the objects around the current one, by which
// a cycle is found.
type encoder struct {
	natives
	out    []byte
	around []*goja.Object
}

func (e *encoder) add(at string, value goja.Value) error {
	switch {
	case len(e.out) > ArgumentsLimit:
		return errTooLong
	case value == nil || goja.IsUndefined(value):
		return fmt.Errorf("%s is undefined, which is no JSON", at)
	case goja.IsNull(value):
		e.out = append(e.out, "null"...)
		return nil
	case goja.IsString(value):
		return e.addText(at, value)
	case goja.IsNumber(value):
		return e.addNumber(at, value)
	case goja.IsBigInt(value):
		return fmt.Errorf("%s is a BigInt, which is no JSON", at)
	}
	switch v := value.(type) {
	case *goja.Object:
		return e.addObject(at, v)
	case *goja.Symbol:
		return fmt.Errorf("%s is a symbol, which is no JSON", at)
	}
	if b, ok := value.Export().(bool); ok {
		e.out = strconv.AppendBool(e.out, b)
		return nil
	}
	return fmt.Errorf("%s is no JSON", at)
}

func (e *encoder) addNumber(at string, value goja.Value) error {
	number := value.ToFloat()
	switch {
	case math.IsNaN(number), math.IsInf(number, 0):
		return fmt.Errorf("%s is %s, which is no JSON", at, value)
	case number == 0 && math.Signbit(number):
		return fmt.Errorf("%s is -0, which JSON does not keep", at)
	}
	e.out = append(e.out, value.String()...)
	return nil
}

func (e *encoder) addText(at string, value goja.Value) error {
	s, ok := value.(goja.String)
	switch {
	case ok && s.Length() > ArgumentsLimit:
		return errTooLong
	case !ok || loneSurrogate(s):
		return fmt.Errorf("%s has half a surrogate pair, which is no text", at)
	}
	var err error
	e.out, err = jsontext.AppendQuote(e.out, s.String())
	return err
}

func loneSurrogate(s goja.String) bool {
	for i := 0; i < s.Length(); i++ {
		unit := rune(s.CharAt(i))
		if !utf16.IsSurrogate(unit) {
			continue
		}
		if i+1 >= s.Length() || utf16.DecodeRune(unit, rune(s.CharAt(i+1))) == '\uFFFD' {
			return true
		}
		i++
	}
	return false
}

// proxy is the type of what runs code of the program for each look at it.
var proxy = reflect.TypeFor[goja.Proxy]()

// addObject adds a plain object or array. Everything else has a meaning that its
// properties do not carry.
func (e *encoder) addObject(at string, o *goja.Object) error {
	if o.ExportType() == proxy {
		return fmt.Errorf("%s is a proxy, which is no JSON", at)
	}
	if _, ok := goja.AssertFunction(o); ok {
		return fmt.Errorf("%s is a function, which is no JSON", at)
	}
	switch {
	case slices.Contains(e.around, o):
		return fmt.Errorf("%s is an object within itself", at)
	case len(e.around) >= depthLimit:
		return fmt.Errorf("%s is more than %d deep", at, depthLimit)
	case len(o.Symbols()) > 0:
		return fmt.Errorf("%s has a symbol among its properties", at)
	}
	e.around = append(e.around, o)
	defer func() { e.around = e.around[:len(e.around)-1] }()
	prototype := o.Prototype()
	switch {
	case o.ClassName() == "Array" && prototype == e.arrayPrototype:
		return e.addArray(at, o)
	case o.ClassName() == "Object" && (prototype == nil || prototype == e.objectPrototype):
		return e.addMembers(at, o)
	}
	return fmt.Errorf("%s is an object of a kind of its own (%s), which is no JSON", at, o.ClassName())
}

func (e *encoder) addArray(at string, o *goja.Object) error {
	length, err := e.property(o, "length")
	if err != nil {
		return err
	}
	n := length.ToInteger()
	if n > ArgumentsLimit {
		return fmt.Errorf("%s has %d elements", at, n)
	}
	e.out = append(e.out, '[')
	for i := range n {
		element, err := e.property(o, strconv.FormatInt(i, 10))
		if err != nil {
			return fmt.Errorf("%s[%d] %w", at, i, err)
		}
		if i > 0 {
			e.out = append(e.out, ',')
		}
		if err := e.add(fmt.Sprintf("%s[%d]", at, i), element); err != nil {
			return err
		}
	}
	if extra := int64(len(o.GetOwnPropertyNames())) - n - 1; extra > 0 { // length is one
		return fmt.Errorf("%s is an array with properties", at)
	}
	e.out = append(e.out, ']')
	return nil
}

func (e *encoder) addMembers(at string, o *goja.Object) error {
	e.out = append(e.out, '{')
	for i, name := range o.GetOwnPropertyNames() {
		member, err := e.property(o, name)
		if err != nil {
			return fmt.Errorf("%s.%s %w", at, name, err)
		}
		if i > 0 {
			e.out = append(e.out, ',')
		}
		if e.out, err = jsontext.AppendQuote(e.out, name); err != nil {
			return fmt.Errorf("%s.%s: %w", at, name, err)
		}
		e.out = append(e.out, ':')
		if err := e.add(at+"."+name, member); err != nil {
			return err
		}
	}
	e.out = append(e.out, '}')
	return nil
}

var (
	errAbsent   = errors.New("is not there")
	errAccessor = errors.New("is a getter or hidden, which is no JSON")
)

// property reads an own, visible data property, without running a getter. A
// prototype that the program has changed is not asked: own names win.
func (e *encoder) property(o *goja.Object, name string) (goja.Value, error) {
	described, err := e.descriptor(goja.Undefined(), o, e.text(name))
	if err != nil {
		return nil, err
	}
	d, ok := described.(*goja.Object)
	if !ok {
		return nil, errAbsent
	}
	if !slices.Contains(d.Keys(), "value") || name != "length" && !d.Get("enumerable").ToBoolean() {
		return nil, errAccessor
	}
	return d.Get("value"), nil
}
