package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/effects"
)

// effectsOptions say which call is explained, and where it would be made.
type effectsOptions struct {
	cwd, workspace string
	tool, args     string
}

func (a *app) effectsCommand() *cobra.Command {
	var opts effectsOptions
	cmd := &cobra.Command{
		Use:   "effects [COMMAND]",
		Short: "Explain what a command or a tool call would do, without running it",
		Long: `Effects says what a shell command, or the call of another tool, would do: which files,
hosts, processes and services it touches, which rules speak about it and on which of
its words they rest. Nothing is run. What it does not understand needs a review.

Files are looked at, read-only, to follow links and to read scripts that the command
would run. COMMAND is one word for the shell that calls engine: put it in quotes, or
give - to read it from standard input.

Exit codes: 0 allowed; 3 denied; 4 somebody has to review it.`,
		Example: `  engine effects 'rm -rf build'
  engine effects 'make test' --cwd ~/project
  engine effects --tool write --args '{"path":".git/hooks/pre-commit","content":"..."}'
  engine effects rules              every rule there is
  engine effects corpus cases.jsonl score labelled cases`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.explainCall(args, opts) },
	}
	cmd.Flags().StringVar(&opts.cwd, "cwd", "", "folder that the call starts in (default: this one)")
	cmd.Flags().StringVar(&opts.workspace, "workspace", "", "the session's folder (default: the one of --cwd)")
	cmd.Flags().StringVar(&opts.tool, "tool", "", "name of another tool than the shell")
	cmd.Flags().StringVar(&opts.args, "args", "", "the tool's arguments, a JSON object")
	cmd.MarkFlagsRequiredTogether("tool", "args")
	cmd.AddCommand(a.effectsRulesCommand(), a.effectsCorpusCommand())
	return cmd
}

// explained is an analysis as scripts read it.
type explained struct {
	Tool      string         `json:"tool"`
	Arguments jsontext.Value `json:"arguments"`
	effects.Answer
}

func (a *app) explainCall(args []string, opts effectsOptions) error {
	call, err := a.effectsCall(args, opts)
	if err != nil {
		return err
	}
	facts, err := a.effectsFacts(opts)
	if err != nil {
		return err
	}
	answer := effects.Analyze(call, facts)
	if a.json {
		text, err := json.Marshal(explained{call.Tool, call.Arguments, answer}, jsontext.EscapeForHTML(false))
		if err == nil {
			_, err = a.stdout.Write(append(visibleJSON(text), '\n'))
		}
		if err = printed(err); err != nil {
			return err
		}
		return decided(answer.Decision)
	}
	t := effectsText{printer: printer{w: a.stdout}, coloured: terminal(a.stdout) && a.getenv("NO_COLOR") == ""}
	t.explain(call, answer)
	if err := printed(t.err); err != nil {
		return err
	}
	return decided(answer.Decision)
}

// decided gives a decision its exit code.
func decided(d effects.Decision) error {
	switch d {
	case effects.Allow:
		return nil
	case effects.Deny:
		return callEnded{code: exitDenied}
	default:
		return callEnded{code: exitReview}
	}
}

// effectsCall is the call that the command line names.
func (a *app) effectsCall(args []string, opts effectsOptions) (effects.Call, error) {
	switch {
	case opts.tool != "" && len(args) > 0:
		return effects.Call{}, usagef("effects: there is a COMMAND and a --tool: give one of them")
	case opts.tool != "":
		var object map[string]jsontext.Value
		if err := json.Unmarshal([]byte(opts.args), &object); err != nil || object == nil {
			return effects.Call{}, usagef("effects: --args must be a JSON object")
		}
		return effects.Call{Tool: opts.tool, Arguments: jsontext.Value(opts.args)}, nil
	case len(args) == 0:
		return effects.Call{}, usagef("effects: COMMAND is missing")
	}
	text := args[0]
	if text == "-" {
		read, err := io.ReadAll(io.LimitReader(a.stdin, maxEffectsInput+1))
		if err != nil {
			return effects.Call{}, fmt.Errorf("read the command from standard input: %w", err)
		}
		if len(read) > maxEffectsInput {
			return effects.Call{}, usagef("effects: the command on standard input is longer than %d bytes", maxEffectsInput)
		}
		text = string(read)
	}
	return commandCall(text)
}

// commandCall is the call of a shell command.
func commandCall(command string) (effects.Call, error) {
	arguments, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		return effects.Call{}, usagef("effects: COMMAND is not valid UTF-8")
	}
	return effects.Call{Tool: "shell", Arguments: arguments}, nil
}

// maxEffectsInput is more than the analyser reads, so that it says so itself.
const maxEffectsInput = 4 << 20

// effectsFacts are what is known of this machine.
func (a *app) effectsFacts(opts effectsOptions) (effects.Facts, error) {
	dir, err := filepath.Abs(opts.cwd)
	if err != nil {
		return effects.Facts{}, fmt.Errorf("find the folder: %w", err)
	}
	if at, err := os.Stat(dir); err != nil || !at.IsDir() {
		return effects.Facts{}, usagef("effects: --cwd %s is no folder", opts.cwd)
	}
	workspace := dir
	if opts.workspace != "" {
		if workspace, err = filepath.Abs(opts.workspace); err != nil {
			return effects.Facts{}, fmt.Errorf("find the workspace: %w", err)
		}
	}
	return effects.Facts{
		Workspace: workspace, Dir: dir, Home: a.getenv("HOME"), Platform: runtime.GOOS,
		Files: effects.OSFiles(workspace), Engine: a.effectsOwn(),
	}, nil
}
