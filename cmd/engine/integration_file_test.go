package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTheFileOfIntegrationsIsReadStrictly(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"nothing":            {``, "EOF"},
		"another type":       {`["auto"]`, "array"},
		"no list":            {`{}`, "installed must be a list"},
		"null":               {`{"installed":null}`, "installed must be a list"},
		"an unknown member":  {`{"installed":[],"x":1}`, "unknown object member"},
		"another case":       {`{"Installed":["auto"]}`, "unknown object member"},
		"the member twice":   {`{"installed":[],"installed":["auto"]}`, "duplicate object member"},
		"an unknown name":    {`{"installed":["other"]}`, "installed.0 names no integration"},
		"one without code":   {`{"installed":["guardian"]}`, "installed.0 names no integration"},
		"a name twice":       {`{"installed":["auto","auto"]}`, "installed.1 names auto a second time"},
		"no name":            {`{"installed":[1]}`, "number"},
		"two values":         {`{"installed":[]} {"installed":["auto"]}`, "invalid character"},
		"a lone surrogate":   {`{"installed":["\ud800"]}`, "surrogate"},
		"invalid UTF-8":      {"{\"installed\":[\"\xff\"]}", "UTF-8"},
		"something after it": {`{"installed":["auto"]}x`, "invalid character"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parseIntegrations([]byte(tc.text))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, %v; want an error with %q", got, err, tc.want)
			}
		})
	}
	if got, err := parseIntegrations([]byte(`{"installed":["auto"]}`)); err != nil || !slices.Equal(got, []string{"auto"}) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestTheFileOfIntegrationsMustBeARegularFileOfItsOwner(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, integrationsFile)
	if got, err := readIntegrations(dir); got != nil || err != nil {
		t.Errorf("got %v, %v without a file", got, err)
	}
	if err := writeIntegrations(dir, nil); err != nil {
		t.Fatal(err)
	}
	if got, err := readIntegrations(dir); len(got) > 0 || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if err := os.Chmod(path, 0o620); err != nil {
		t.Fatal(err)
	}
	if _, err := readIntegrations(dir); err == nil || !strings.Contains(err.Error(), "can be written by others") {
		t.Errorf("got %v", err)
	}
	if err := os.WriteFile(path, make([]byte, maxIntegrations+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readIntegrations(dir); err == nil || !strings.Contains(err.Error(), "is larger than") {
		t.Errorf("got %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := readIntegrations(dir); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("got %v", err)
	}
}
