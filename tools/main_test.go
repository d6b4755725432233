package tools_test

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/docket-engine/docket/tools"
)

// TestMain makes this binary the process of a program as well, and fails when a
// test leaves a goroutine behind.
func TestMain(m *testing.M) {
	if handled, code := tools.ProgramMain(os.Args[1:]); handled {
		os.Exit(code)
	}
	if code := os.Getenv(parentVariable); code != "" {
		os.Exit(parentMain(code))
	}
	code := m.Run()
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}
