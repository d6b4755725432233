package api

import (
	"embed"
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"
)

// schemas are generated from the types, and a test holds them against those.
//
//go:embed schemas/*.json
var schemas embed.FS

// Schema is the JSON Schema of one of the interface's types.
func Schema(t reflect.Type) (jsontext.Value, error) {
	text, err := schemas.ReadFile("schemas/" + SchemaFile(t))
	if err != nil {
		return nil, fmt.Errorf("api: there is no schema of %s", t.Name())
	}
	return jsontext.Value(text), nil
}

// SchemaFile is the name of a type's file in api/schemas.
func SchemaFile(t reflect.Type) string { return t.Name() + ".json" }
