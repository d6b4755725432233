package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/internal/atomicfile"
)

const (
	integrationsFile = "integrations.json"
	maxIntegrations  = 64 << 10 // in bytes
)

// integrationsText is the file's own form.
type integrationsText struct {
	Installed []string `json:"installed"`
}

// readIntegrations are the integrations that are installed in a state directory, in
// the order of their installation. Without the file there are none. One that cannot
// be believed refuses: a session must not be on a review that nobody installed, nor
// be without one that somebody did.
func readIntegrations(dir string) ([]string, error) {
	if dir == "" {
		return nil, nil // there is no state directory
	}
	path := filepath.Join(dir, integrationsFile)
	text, err := readIntegrationsFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	if err == nil {
		names, err = parseIntegrations(text)
	}
	if err != nil {
		return nil, fmt.Errorf("read which integrations are installed in %s: %w", path, err)
	}
	return names, nil
}

// readIntegrationsFile reads a file that only its owner may write.
func readIntegrationsFile(path string) ([]byte, error) {
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
		return nil, errors.New("it is no regular file")
	case state.Mode().Perm()&0o022 != 0:
		return nil, fmt.Errorf("it can be written by others (%s): make it private with chmod 600", state.Mode().Perm())
	case state.Size() > maxIntegrations:
		return nil, fmt.Errorf("it is larger than %d bytes", maxIntegrations)
	}
	return io.ReadAll(io.LimitReader(file, maxIntegrations))
}

// parseIntegrations reads the file strictly: one member, names that there are, each
// once.
func parseIntegrations(text []byte) ([]string, error) {
	var parsed integrationsText
	if err := json.Unmarshal(text, &parsed, json.RejectUnknownMembers(true)); err != nil {
		return nil, err
	}
	if parsed.Installed == nil {
		return nil, &events.FieldError{Field: "installed", Rule: "must be a list of names"}
	}
	for i, name := range parsed.Installed {
		field := fmt.Sprintf("installed.%d", i)
		if _, ok := shippedIntegration(name); !ok {
			return nil, &events.FieldError{Field: field, Rule: fmt.Sprintf("names no integration that there is: %q", name)}
		}
		if slices.Contains(parsed.Installed[:i], name) {
			return nil, &events.FieldError{Field: field, Rule: fmt.Sprintf("names %s a second time", name)}
		}
	}
	return parsed.Installed, nil
}

// writeIntegrations replaces the file at once, and makes it private.
func writeIntegrations(dir string, names []string) error {
	if names == nil {
		names = []string{}
	}
	text, err := json.Marshal(integrationsText{Installed: names})
	if err == nil {
		err = atomicfile.Replace(filepath.Join(dir, integrationsFile), append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", integrationsFile, err)
	}
	return nil
}
