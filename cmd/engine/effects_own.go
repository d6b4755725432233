package main

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docket-engine/docket/effects"
)

// effectsOwn are the engine's own things on this machine, which no reviewed call may touch:
// what is known of them without asking a running one. What cannot be read is left
// out, since a call is judged also where there is no store yet.
func (a *app) effectsOwn() effects.Engine {
	e := effects.Engine{
		Programs:  []string{"engine"},
		Variables: []string{"DOCKET_*"},
		Subjects:  []string{"docket", "$JS", "$SYS"},
		Processes: []int{os.Getpid()},
	}
	e.Paths = absolutePaths(a.dir, a.settings, a.creds, a.passphraseFile)
	if program, err := os.Executable(); err == nil {
		e.Paths = append(e.Paths, program)
		if name := strings.TrimSuffix(filepath.Base(program), ".exe"); name != e.Programs[0] {
			e.Programs = append(e.Programs, name)
		}
	}
	addresses := []string{a.nats}
	if a.dir != "" {
		if r, err := readRunFile(a.dir); err == nil {
			e.Processes = append(e.Processes, r.PID)
			e.Paths = append(e.Paths, absolutePaths(r.Creds)...)
			addresses = append(addresses, r.URL)
		}
	}
	for _, list := range addresses {
		for address := range strings.SplitSeq(list, ",") {
			if host := hostPort(address); host != "" && !slices.Contains(e.Hosts, host) {
				e.Hosts = append(e.Hosts, host)
			}
		}
	}
	a.ownKeys(&e)
	return e
}

// ownKeys adds where the keys of the models are that reviews ask.
func (a *app) ownKeys(e *effects.Engine) {
	s, err := a.readSettings()
	if err != nil {
		return
	}
	for _, r := range s.routes.Listed {
		if r.KeyEnv != "" {
			e.Variables = append(e.Variables, r.KeyEnv)
		}
		if r.KeyFile != "" {
			e.Paths = append(e.Paths, r.KeyFile)
		}
	}
}

// absolutePaths are the paths that are given at all, from the root.
func absolutePaths(names ...string) []string {
	var out []string
	for _, name := range names {
		if name == "" {
			continue
		}
		if name, err := filepath.Abs(name); err == nil {
			out = append(out, name)
		}
	}
	return out
}

// hostPort is where a NATS address leads, "" if it is none.
func hostPort(address string) string {
	address = strings.TrimSpace(address)
	if address != "" && !strings.Contains(address, "://") {
		address = "nats://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = "4222"
	}
	if host := u.Hostname(); strings.Contains(host, ":") {
		return "[" + host + "]:" + port
	}
	return u.Hostname() + ":" + port
}
