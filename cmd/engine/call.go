package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/tools"
)

type callOptions struct {
	args, say, route string
	yes              bool
	wait             time.Duration
}

func (a *app) callCommand() *cobra.Command {
	var opts callOptions
	cmd := &cobra.Command{
		Use:   "call SESSION TOOL",
		Short: "Make one call of a shipped tool, through the gate",
		Long: `Call makes one call as the session's agent would: a model's message asks for it, the
gate reviews it by the session's preset, a person is asked where they have to be, and
only then does the tool run, in the session's folder. A turn and a step are opened
where none is open, and ended again. Which tool it is and what it is given is recorded
as the agent's, also where --yes or a person then allows it.

A question is answered from another terminal, which needs a running 'engine serve':
'engine approve list' and 'engine approve answer'. --yes answers it with once.

Exit codes: 0 the tool ran; 1 it ran and failed, or the call could not be made;
2 the command line cannot be meant; 3 the call was denied; 4 its review failed or
could not be had, or nothing confines it to the session's mode; 5 it was cancelled;
6 nobody answered its question.`,
		Example: `  engine call SESSION read --args '{"path":"notes.txt"}'
  engine call SESSION shell --args '{"command":"rm notes.txt"}' --say 'Delete notes.txt.'`,
		Args: exactly("SESSION", "TOOL"),
		RunE: func(cmd *cobra.Command, argv []string) error {
			id, err := sessionID(argv[0])
			if err != nil {
				return err
			}
			c, err := a.newCall(id, argv[1], opts)
			if err != nil {
				return err
			}
			return a.call(cmd.Context(), c)
		},
	}
	cmd.Flags().StringVar(&opts.args, "args", "{}", "the call's arguments, a JSON object; - for standard input")
	cmd.Flags().StringVar(&opts.say, "say", "", "what a person says before the call")
	cmd.Flags().StringVar(&opts.route, "route", "", "the agent's PROVIDER/MODEL (default the session's, or builtin/policy)")
	cmd.Flags().BoolVar(&opts.yes, "yes", false, "answer the call's question, if it has one, with once")
	cmd.Flags().DurationVar(&opts.wait, "wait", approvals.DefaultWait, "how long a question waits for an answer")
	return cmd
}

// newCall checks what the command line says before anything is opened.
func (a *app) newCall(id events.SessionID, tool string, opts callOptions) (*oneCall, error) {
	c := &oneCall{app: a, session: id, tool: tool, say: opts.say, yes: opts.yes, wait: opts.wait, arguments: opts.args}
	if _, ok := tools.Shipped().Tool(tool); !ok {
		return nil, usagef("call: there is no tool %q; there are: %s", plain(tool, 80), strings.Join(toolNames(), ", "))
	}
	if opts.args == "-" {
		text, err := a.readFile("-")
		if err != nil {
			return nil, fmt.Errorf("read the arguments: %w", err)
		}
		c.arguments = string(text)
	}
	if v := jsontext.Value(c.arguments); !v.IsValid() || v.Kind() != '{' {
		return nil, usagef("call: --args must be one JSON object, strict: no member twice, no invalid UTF-8")
	}
	if opts.wait <= 0 {
		return nil, usagef("call: --wait must be longer than nothing, is %s", opts.wait)
	}
	if opts.route != "" {
		route, err := reviewer.ParseRouteName(opts.route)
		if err != nil {
			return nil, usageError{err}
		}
		c.route = &route
	}
	return c, nil
}

func toolNames() []string {
	var names []string
	for _, t := range tools.Shipped().All() {
		names = append(names, t.Name)
	}
	return names
}

// call makes the call, and tells what became of it once the store is closed.
func (a *app) call(ctx context.Context, c *oneCall) error {
	if err := a.with(ctx, "call", readWrite, c.through); err != nil {
		return err
	}
	if err := a.print(c.view, func(p *printer) { p.line("%s", c.view.shown(terminal(a.stdout))) }); err != nil {
		return err
	}
	if code := c.view.exitCode(); code != exitOK {
		return callEnded{code: code, text: c.view.Text}
	}
	return nil
}

// through takes the call through the gate of the opened store.
func (c *oneCall) through(ctx context.Context, s *store) error {
	o, done, err := c.app.judging(s.dir, bodiesHere)
	if err != nil {
		return err
	}
	defer done()
	apart, err := c.app.judgingBeside(ctx, s, &o)
	if err != nil {
		return err
	}
	defer apart()
	o.answerers, o.wait, o.reached = []approvals.Answerer{c.answer}, c.wait, c.reached
	g, err := s.openGate(o)
	if err != nil {
		return err
	}
	return errors.Join(c.make(ctx, s, g), g.close(ctx))
}

// judging is how the gate of one command judges: by the integrations that are
// installed when the store is open, and the routes of the settings. done is called
// behind the last review.
func (a *app) judging(dir string, where bodies) (o gateOptions, done func(), err error) {
	set, err := a.readSettings()
	if err != nil {
		return gateOptions{}, nil, err
	}
	if o.integrations, err = readIntegrations(dir); err != nil {
		return gateOptions{}, nil, err
	}
	model, err := a.reviewModel(where)
	if err != nil {
		return gateOptions{}, nil, err
	}
	o.model, o.routes, o.bodies, o.settings = model, set.routes, where, set.digest
	return o, model.Close, nil
}

// oneCall is a call on its way.
type oneCall struct {
	app       *app
	session   events.SessionID
	tool      string
	arguments string
	say       string
	route     *reviewer.RouteName // nil for the session's
	yes       bool
	wait      time.Duration

	store *store // set before the gate has anything to ask
	gate  *gated
	view  calledView
}

// place is where the call is made.
type place struct {
	header     events.Header
	headless   bool
	preset     string // the recorded one
	route      reviewer.RouteName
	turn, step bool  // is open
	adopt      error // that nobody has adopted an imported one, else nil
}

func (c *oneCall) look(ctx context.Context) (place, error) {
	var at place
	err := c.gate.engine.View(ctx, c.session, func(s *projections.Session) error {
		at = place{
			header: s.Header(), headless: s.Presets.Headless, preset: s.Presets.Preset, route: reviewer.BuiltinName(), adopt: engine.Adopted(s),
		}
		if h := s.Request.Header; h != nil {
			at.route = reviewer.RouteName{Provider: h.Config.Provider, Model: h.Config.Model}
		}
		_, at.turn = s.OpenTurn()
		_, _, at.step = s.OpenStep()
		return nil
	})
	if c.route != nil {
		at.route = *c.route
	}
	return at, err
}

// make makes the call on the opened store.
func (c *oneCall) make(ctx context.Context, s *store, g *gated) error {
	c.store, c.gate = s, g
	at, err := c.look(ctx)
	if err != nil {
		return err
	}
	m, err := meta()
	if err != nil {
		return err
	}
	if at.step && c.say != "" {
		return errors.New("a step of the session is open, and a message would wait for the next one: call without --say")
	}
	if at.adopt != nil {
		return at.adopt // before a person's word or a turn is put on its log
	}
	if _, err := g.gate.Publish(ctx, c.session, engine.Publish{Headless: at.headless}, m); err != nil {
		return presetRemedy(at.preset, err)
	}
	ran, id, err := c.run(ctx, at)
	if err != nil {
		return fmt.Errorf("the call could not be made: %w", err)
	}
	c.view = newCalledView(c, id, ran)
	return nil
}
