package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/reviewer"
)

const (
	settingsFile = "settings.json"
	maxSettings  = 1 << 20 // in bytes
)

// settings are what a person sets once for a state directory. The zero settings have
// no model: reviews go to the builtin route.
type settings struct {
	routes reviewer.Routes
	// digest is the SHA-256 of the file's text, hex; that of nothing where there is none.
	digest string
}

// readSettings reads the file that --settings names, or else the state directory's,
// which need not be there. The first fault refuses the whole file: a route that is
// not what was meant must not judge.
func (a *app) readSettings() (settings, error) {
	path, named := a.settings, a.settings != ""
	switch {
	case a.serving != nil:
		return *a.serving, nil
	case !named && a.dir == "":
		return settings{}, errors.New("read the settings: there is no state directory: give --dir or --settings")
	case !named:
		path = filepath.Join(a.dir, settingsFile)
	}
	path, err := filepath.Abs(path) // key files are found beside it, wherever the process goes
	if err != nil {
		return settings{}, fmt.Errorf("read the settings: %w", err)
	}
	text, err := readSettingsFile(path)
	if !named && errors.Is(err, fs.ErrNotExist) {
		return settings{digest: textDigest(nil)}, nil
	}
	if err != nil {
		return settings{}, fmt.Errorf("read the settings: %w", err)
	}
	s, err := parseSettings(text, filepath.Dir(path))
	if err != nil {
		return settings{}, fmt.Errorf("the settings in %s: %w", path, err)
	}
	s.digest = textDigest(text)
	return s, nil
}

// readSettingsFile reads a file that only those may write who may write the state
// directory: whoever writes it chooses the judge.
func readSettingsFile(path string) ([]byte, error) {
	if state, err := os.Stat(path); err == nil && !state.Mode().IsRegular() { // opening a pipe would wait
		return nil, fmt.Errorf("%s is no regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	state, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !state.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	case state.Mode().Perm()&0o002 != 0:
		return nil, fmt.Errorf("%s can be written by everybody (%s): make it private with chmod 600", path, state.Mode().Perm())
	}
	text, err := io.ReadAll(io.LimitReader(file, maxSettings+1))
	if err == nil && len(text) > maxSettings {
		err = fmt.Errorf("%s is larger than %d bytes", path, maxSettings)
	}
	return text, err
}

// settingsText is the file's own form.
type settingsText struct {
	Routes []routeText `json:"routes"`
}

// parseSettings reads settings strictly. A key file's path is relative to dir. The
// error is about one field, and never quotes what could be a key in a wrong place.
func parseSettings(text []byte, dir string) (settings, error) {
	if err := refuseNulls(text); err != nil {
		return settings{}, err
	}
	var parsed settingsText
	if err := json.Unmarshal(text, &parsed, json.RejectUnknownMembers(true)); err != nil {
		return settings{}, settingsError(err)
	}
	var s settings
	seen := make(map[reviewer.RouteName]int)
	for i, one := range parsed.Routes {
		route, err := one.route(dir)
		if err == nil {
			if first, again := seen[route.RouteName()]; again {
				err = fieldf("model", "names the same route as routes.%d", first)
			}
		}
		if err != nil {
			return settings{}, below(fmt.Sprintf("routes.%d", i), err)
		}
		seen[route.RouteName()] = i
		s.routes.Listed = append(s.routes.Listed, route)
	}
	return s, nil
}

// refuseNulls finds what the decoder would take for a member that is not there.
func refuseNulls(text []byte) error {
	dec := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		token, err := dec.ReadToken()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return settingsError(err)
		case token.Kind() == jsontext.KindNull:
			return fieldf(dotted(dec.StackPointer()), "must not be null")
		}
	}
}

// settingsError names the field that a decoder stopped at.
func settingsError(err error) error {
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return fieldf(dotted(syntax.JSONPointer), "is given twice")
		}
		return fieldf(dotted(syntax.JSONPointer), "is not JSON, from byte %d on", syntax.ByteOffset)
	}
	semantic, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return fieldf("value", "is not JSON")
	}
	field := dotted(semantic.JSONPointer)
	if errors.Is(err, json.ErrUnknownName) {
		return fieldf(field, "is not a setting")
	}
	return fieldf(field, "has the wrong type: it is %s", kindName(semantic.JSONKind))
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case jsontext.KindTrue, jsontext.KindFalse:
		return "a boolean"
	case jsontext.KindString:
		return "a string"
	case jsontext.KindNumber:
		return "a number of another kind, or not the number that is asked for"
	case jsontext.KindBeginObject:
		return "an object"
	case jsontext.KindBeginArray:
		return "an array"
	default:
		return "something else"
	}
}

// dotted writes a pointer as the path that people read: routes.0.baseUrl.
func dotted(pointer jsontext.Pointer) string {
	path := strings.Join(slices.Collect(pointer.Tokens()), ".")
	if path == "" {
		return "value"
	}
	return path
}

func fieldf(field, rule string, args ...any) error {
	return &events.FieldError{Field: field, Rule: fmt.Sprintf(rule, args...)}
}

// below puts a field's path below the outer one's.
func below(outer string, err error) error {
	if f, ok := errors.AsType[*events.FieldError](err); ok {
		return &events.FieldError{Field: outer + "." + f.Field, Rule: f.Rule}
	}
	return err
}
