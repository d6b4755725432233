package main

import (
	"flag"
	"fmt"
	"os"
	"testing"
	_ "time/tzdata" // scripts look at local times, also where no zones are installed

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"

	"github.com/docket-engine/docket/tools"
)

var update = flag.Bool("update", false, "let the scripts expect what the program does now")

// TestMain makes this binary the engine command as well, for scripts, and the
// process of an agent's program.
func TestMain(m *testing.M) {
	if handled, code := tools.ProgramMain(os.Args[1:]); handled {
		os.Exit(code)
	}
	testscript.Main(leakless{m}, map[string]func(){"engine": main})
}

// leakless fails when a test leaves a goroutine behind.
type leakless struct{ m *testing.M }

func (l leakless) Run() int {
	if code := l.m.Run(); code != 0 {
		return code
	}
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
