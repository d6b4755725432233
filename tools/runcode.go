package tools

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/tools/program"
)

// Limits bound one run of a program. Zero is the default.
type Limits struct {
	// Time is how long the program itself may take; default 60 s. What its calls
	// take, reviews and questions to a human among it, does not count.
	Time time.Duration
	// Memory is how many bytes the program's values may take; default 256 MiB. The
	// process may map four times as much on top of what it has mapped at its start.
	Memory int64
	Output int // bytes of text; default 64 KiB
	Calls  int // default 256
}

func (l Limits) orDefault() Limits {
	if l.Time == 0 {
		l.Time = time.Minute
	}
	if l.Memory == 0 {
		l.Memory = 256 << 20
	}
	if l.Output == 0 {
		l.Output = textLimit
	}
	if l.Calls == 0 {
		l.Calls = 256
	}
	return l
}

// codeLimit is how long a program may be, in bytes.
const codeLimit = 256 << 10

// ProgramMain is the process that runs a program, if the arguments (without the
// executable's name) say that this is one. A command that offers run_code calls it
// before anything else, and exits with the code if it was handled.
func ProgramMain(args []string) (handled bool, code int) {
	if !program.IsProgram(args) {
		return false, 0
	}
	return true, program.Main(args)
}

// RunCode is the tool that runs a JavaScript program, whose calls of other tools
// go through [Env.Caller].
func RunCode(l Limits) Tool {
	l = l.orDefault()
	params := []param{{name: "code", typ: typeText, required: true, description: "The program: the body of an async JavaScript function."}}
	return Tool{
		Name: RunCodeName,
		Description: "Runs a JavaScript program that calls other tools. The code is the body of an async function: " +
			"await works everywhere, and `return value` gives the result. `await tools.NAME({…})` calls the tool of that name " +
			"with those arguments and gives its text; if the call fails or is refused it throws an Error with the reason, which can be caught. " +
			"console.log prints into the result. Calls start in the order in which they are made, and may overlap: use Promise.all. " +
			"There is nothing else: no require or import, no files, no network, no timers. " +
			fmt.Sprintf("Limits: %s of the program's own time, %d calls, %d KiB of output.", l.Time, l.Calls, l.Output>>10),
		Parameters: schema(params...),
		Run: func(ctx context.Context, env Env, args jsontext.Value) Result {
			a, err := parse(RunCodeName, args, params)
			if err != nil {
				return failure(CodeInvalidArguments, err.Error())
			}
			code := a.texts["code"]
			switch {
			case len(code) > codeLimit:
				return failure(CodeInvalidArguments, fmt.Sprintf("code has %d bytes, %d are the most", len(code), codeLimit))
			case env.Caller == nil:
				return failure(CodeNotStarted, "there is nothing here that a program's calls could go through")
			case program.IsProgram(os.Args[1:]):
				// The command forgot to call ProgramMain. To start it again would
				// never end.
				return failure(CodeNotStarted, "this process was started to run a program, and does not know how to")
			}
			command, err := thisProgram()
			if err != nil {
				return failure(CodeNotStarted, "the program's process could not be started: "+err.Error())
			}
			return runProgram(ctx, command, programRun{env.Caller, l, code})
		},
	}
}

// bindings are the frozen definitions of what a program may call. Two of one name
// would leave open which one is meant.
func bindings(caller Caller) (map[string]Schema, error) {
	bound := map[string]Schema{}
	for _, s := range caller.Bindings() {
		if s.Name == RunCodeName {
			continue
		}
		if _, twice := bound[s.Name]; twice || s.Name == "" {
			return nil, fmt.Errorf("there are two tools, or one without a name, where the program would be bound to %q", s.Name)
		}
		bound[s.Name] = s.clone()
	}
	return bound, nil
}

// programRun is what is run.
type programRun struct {
	caller Caller
	limits Limits
	code   string
}

// runProgram starts the process, and returns when it has ended and all calls that
// were started have.
func runProgram(ctx context.Context, command []string, what programRun) Result {
	if ctx.Err() != nil {
		return failure(CodeAborted, "cancelled before the program started")
	}
	bound, err := bindings(what.caller)
	if err != nil {
		return failure(CodeNotStarted, err.Error())
	}
	p, err := startProcess(command, what.limits.Calls+1) // the program, and the end of each call
	if err != nil {
		return failure(CodeNotStarted, "the program's process could not be started: "+err.Error())
	}
	runCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{
		programRun: what, bound: bound, process: p, cancel: cancel,
		started: make(chan startedCall), settled: make(chan settledCall),
		clock: newClock(readyWithin),
	}
	r.loop(runCtx)
	if ctx.Err() != nil && !r.result.IsError {
		return failure(CodeAborted, r.text("cancelled while its calls ended"))
	}
	return r.result
}
