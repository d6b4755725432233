package main

import (
	"path/filepath"
	"strings"

	"github.com/docket-engine/docket/engine"
)

// programName is what the command is called, whatever its file is.
const programName = "engine"

// controlCommands are those that calls must not run: they act for a person, or make
// what acts for one. The others only tell something, or play.
func controlCommands() []string {
	return []string{
		"anchor", "approve", "call", "creds", "export", "import", "integration", "preset", "repair", "request", "reviewer", "route", "serve", "session", "verify",
	}
}

// secretFiles are the files that the command line names: whoever reads them can act as
// who gave them.
func (a *app) secretFiles() []string {
	var files []string
	for _, file := range []string{a.creds, a.passphraseFile} {
		if abs, err := filepath.Abs(file); file != "" && err == nil {
			files = append(files, abs)
		}
	}
	return files
}

// own is what belongs to this engine: the state directory, the credentials that it was
// given, and the server that it is connected to.
func (s *store) own() engine.Own {
	o := engine.Own{Program: programName, Commands: controlCommands(), Home: s.home}
	for _, path := range append([]string{s.dir}, s.secrets...) {
		o.Paths = append(o.Paths, path)
		if real, err := filepath.EvalSymlinks(path); err == nil && real != path {
			o.Paths = append(o.Paths, real)
		}
	}
	var urls []string
	if s.nc != nil {
		urls = s.nc.Servers()
	}
	if s.server != nil { // to which the connection is in the process
		urls = []string{s.server.ClientURL()}
	}
	for _, text := range urls {
		if u, err := parseURL(text); err == nil && u.Host != "" {
			host := u.Host
			if u.Port() == "" {
				host = strings.TrimSuffix(host, ":") + ":4222"
			}
			o.Addresses = append(o.Addresses, host)
		}
	}
	return o
}
