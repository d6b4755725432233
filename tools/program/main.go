package program

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

// Marker is the first argument of a process that runs a program.
const Marker = "__program"

// second is the argument after it in the second stage.
const second = "confined"

// The exit codes of a process that cannot do its work. One that does is killed.
const (
	exitUnready  = 3 // it could not give up what it must not have
	exitProtocol = 4
	exitParent   = 5 // the parent is gone
)

// IsProgram says whether arguments, without the executable's name, are those of a
// process that runs a program.
func IsProgram(args []string) bool { return len(args) > 0 && args[0] == Marker }

// Main is such a process. In the first stage it does what holds for one thread
// only, and starts itself again in its place, so that it holds for all.
func Main(args []string) (code int) {
	if len(args) == 1 {
		if err := reexec(); err != nil {
			fmt.Fprintln(os.Stderr, "program:", err)
			return exitUnready
		}
	} else if len(args) != 2 || args[1] != second {
		fmt.Fprintln(os.Stderr, "program: this is no command: a run of a program starts it for itself")
		return exitUnready
	}
	return serve(os.Stdin, os.Stdout)
}

// serve speaks the protocol until the program has ended.
func serve(in io.Reader, out io.Writer) int {
	os.Clearenv()
	runtime.GOMAXPROCS(processors)
	time.Local = time.UTC // the zone is the machine's business, and a file
	messages := NewReader[ToProgram](in)
	answers := NewWriter[FromProgram](out)
	if err := answers.Write(FromProgram{Ready: &Ready{}}); err != nil {
		return exitParent
	}
	first, err := messages.Read()
	if err != nil || first.Start == nil {
		return exitProtocol
	}
	if err := confine(limitsOf(*first.Start)); err != nil {
		fmt.Fprintln(os.Stderr, "program:", err)
		return exitUnready
	}
	debug.SetMemoryLimit(first.Start.Memory / 4 * 3)
	debug.SetMaxStack(stackLimit)
	// Room for the end of each call: who reads the pipe never waits for the program.
	settled := make(chan Settle, first.Start.Calls)
	go receive(messages, settled)
	go watchMemory(first.Start.Memory, func() {
		_ = answers.Write(FromProgram{End: &End{Kind: EndMemory, Text: fmt.Sprintf("the program held more than %d bytes", first.Start.Memory)}})
		select {} // the parent ends the process
	})
	m := newMachine(*first.Start, answers, settled)
	end := m.run()
	if err := answers.Write(FromProgram{End: &end}); err != nil {
		return exitParent
	}
	select {} // the parent ends the process
}

// processors is how many a program may use at once: its own, and one to collect
// what it dropped.
const processors = 2

// stackLimit is how deep the interpreter itself may recurse, in bytes: far less
// than the address space, so that it is the stack that is named when it is short.
const stackLimit = 128 << 20

// receive hands on how calls ended. When the parent is gone, so is the process,
// whatever the program does just then.
func receive(messages *Reader[ToProgram], settled chan<- Settle) {
	for {
		m, err := messages.Read()
		switch {
		case errors.Is(err, ErrProtocol) || err == nil && m.Settle == nil:
			os.Exit(exitProtocol)
		case err != nil:
			os.Exit(exitParent)
		}
		settled <- *m.Settle
	}
}

// limits are what the system holds the process to.
type limits struct {
	addressSpace uint64 // bytes, beside what the process has mapped already
	cpuSeconds   uint64
}

// limitsOf leaves room above the program's own limits, which say what was the
// matter. These are the walls behind them.
func limitsOf(s Start) limits {
	return limits{
		addressSpace: uint64(4 * s.Memory),
		cpuSeconds:   processors*uint64(s.TimeMS/1000) + 5,
	}
}
