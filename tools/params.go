package tools

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// argsLimit is how long a call's arguments may be, in bytes.
const argsLimit = 8 << 20

// paramType is the JSON type of a parameter.
type paramType string

const (
	typeText    paramType = "string"
	typeInteger paramType = "integer"
	typeBool    paramType = "boolean"
)

// param is one argument of a tool. The schema that a model sees and the check
// that its arguments go through are both made from it.
type param struct {
	name        string
	typ         paramType
	description string
	required    bool
	least, most int64 // of an integer; both zero is no bound
}

// schema is the JSON Schema of arguments. The order of the members is fixed.
func schema(params ...param) jsontext.Value {
	type property struct {
		Type        paramType `json:"type"`
		Description string    `json:"description"`
		Minimum     *int64    `json:"minimum,omitzero"`
		Maximum     *int64    `json:"maximum,omitzero"`
	}
	var properties strings.Builder
	required := []string{}
	for i, p := range params {
		prop := property{Type: p.typ, Description: p.description}
		if p.least != 0 || p.most != 0 {
			prop.Minimum, prop.Maximum = &p.least, &p.most
		}
		if i > 0 {
			properties.WriteByte(',')
		}
		properties.Write(mustJSON(p.name))
		properties.WriteByte(':')
		properties.Write(mustJSON(prop))
		if p.required {
			required = append(required, p.name)
		}
	}
	return jsontext.Value(fmt.Sprintf(`{"type":"object","properties":{%s},"required":%s,"additionalProperties":false}`,
		properties.String(), mustJSON(required)))
}

// mustJSON encodes a value that always can be.
func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // a bug of this package: only plain values are given
	}
	return b
}

// arguments are checked: those that are there have their type.
type arguments struct {
	texts    map[string]string
	integers map[string]int64
	bools    map[string]bool
}

// parse checks a call's arguments. The error names the argument and the rule.
func parse(tool string, args jsontext.Value, params []param) (arguments, error) {
	parsed := arguments{texts: map[string]string{}, integers: map[string]int64{}, bools: map[string]bool{}}
	if len(args) > argsLimit {
		return arguments{}, fmt.Errorf("the arguments have %d bytes, %d are the most", len(args), argsLimit)
	}
	if kind := args.Kind(); kind != '{' {
		return arguments{}, fmt.Errorf("the arguments are %s, want an object", kindName(kind))
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(args, &members); err != nil {
		return arguments{}, fmt.Errorf("the arguments are not JSON: %w", err)
	}
	names := make([]string, 0, len(params))
	for _, p := range params {
		names = append(names, p.name)
	}
	for _, name := range sortedKeys(members) {
		if !slices.Contains(names, name) {
			return arguments{}, fmt.Errorf("%q is not an argument of %s, which has: %s", name, tool, strings.Join(names, ", "))
		}
	}
	for _, p := range params {
		value, there := members[p.name]
		switch {
		case !there && p.required:
			return arguments{}, fmt.Errorf("%s is missing", p.name)
		case !there:
			continue
		}
		if err := parsed.add(p, value); err != nil {
			return arguments{}, err
		}
	}
	return parsed, nil
}

func (a arguments) add(p param, value jsontext.Value) error {
	wrong := fmt.Errorf("%s is %s, want %s", p.name, kindName(value.Kind()), typeNames[p.typ])
	switch p.typ {
	case typeText:
		var text string
		if value.Kind() != '"' || json.Unmarshal(value, &text) != nil {
			return wrong
		}
		a.texts[p.name] = text
	case typeBool:
		if value.Kind() != 't' && value.Kind() != 'f' {
			return wrong
		}
		a.bools[p.name] = value.Kind() == 't'
	case typeInteger:
		var number float64
		if value.Kind() != '0' || json.Unmarshal(value, &number) != nil {
			return wrong
		}
		if number != math.Trunc(number) || math.Abs(number) > 1<<53 {
			return fmt.Errorf("%s is %s, want a whole number", p.name, value)
		}
		n := int64(number)
		if (p.least != 0 || p.most != 0) && (n < p.least || n > p.most) {
			return fmt.Errorf("%s is %d, want %d to %d", p.name, n, p.least, p.most)
		}
		a.integers[p.name] = n
	}
	return nil
}

// integer is an argument, or what stands for it where it is absent.
func (a arguments) integer(name string, absent int64) int64 {
	if n, there := a.integers[name]; there {
		return n
	}
	return absent
}

// typeNames are the types in words.
var typeNames = map[paramType]string{typeText: "a string", typeInteger: "a whole number", typeBool: "true or false"}

func kindName(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '{':
		return "an object"
	case '[':
		return "an array"
	}
	return "no JSON value"
}
