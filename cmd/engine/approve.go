package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/projections"
)

func (a *app) approveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "approve",
		Short: "List the questions that wait for a person, and answer them",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usagef("approve: say what to do: list, answer, grants or revoke")
		},
	}
	cmd.AddCommand(a.approveListCommand(), a.approveAnswerCommand(), a.grantsCommand(), a.revokeCommand())
	return cmd
}

// waitingQuestion is a question with the session that asks it.
type waitingQuestion struct {
	Session events.SessionID `json:"session"`
	approvals.View
	asked string // the question's id as it is, which the view escapes
}

type approveListOptions struct {
	open bool
}

func (a *app) approveListCommand() *cobra.Command {
	var opts approveListOptions
	cmd := &cobra.Command{
		Use:   "list [SESSION]",
		Short: "List open questions, of one session or of all",
		Args:  atMost("SESSION"),
		RunE: func(cmd *cobra.Command, argv []string) error {
			only, err := optionalSession(argv)
			if err != nil {
				return err
			}
			return a.with(cmd.Context(), "approve list", readOnly, func(ctx context.Context, s *store) error {
				return a.listQuestions(ctx, s, only, opts)
			})
		},
	}
	cmd.Flags().BoolVar(&opts.open, "open", false, "show long arguments whole, which allowing them needs")
	return cmd
}

func (a *app) listQuestions(ctx context.Context, s *store, only events.SessionID, opts approveListOptions) error {
	ids := []events.SessionID{only}
	if only == "" {
		var err error
		if ids, err = sortedSessions(ctx, s.log); err != nil {
			return err
		}
	}
	found := []waitingQuestion{}
	for _, id := range ids {
		questions, err := s.questions(ctx, id, opts.open)
		if err != nil {
			return err
		}
		found = append(found, questions...)
	}
	return a.print(found, func(p *printer) { a.showQuestions(p, found) })
}

func (a *app) showQuestions(p *printer, found []waitingQuestion) {
	if len(found) == 0 {
		p.line("No question waits.")
	}
	for i, q := range found {
		if i > 0 {
			p.line("")
		}
		p.line("%sanswer with one of", q.Text())
		for _, reply := range q.replies() {
			p.line("  %s", a.commandLine([]string{"approve", "answer"}, []string{"--hash", q.Hash[:min(len(q.Hash), shownHash)]}, string(q.Session), q.asked, string(reply)))
		}
	}
}

// shownHash is how many digits of a hash are shown where one is to be typed.
const shownHash = 16

// replies are the answers that the question takes.
func (q waitingQuestion) replies() []approvals.ReplyKind {
	if q.Always == "" {
		return []approvals.ReplyKind{approvals.ReplyOnce, approvals.ReplyReject}
	}
	return []approvals.ReplyKind{approvals.ReplyOnce, approvals.ReplyAlways, approvals.ReplyReject}
}

// questions are the open ones of a session, as a person is to see them. A session
// that is not complete or corrupt has none that could be answered.
func (s *store) questions(ctx context.Context, id events.SessionID, open bool) ([]waitingQuestion, error) {
	path, err := s.lineagePath(ctx, id)
	if err != nil {
		return nil, err
	}
	c, err := catalogue(s.dir)
	if err != nil {
		return nil, err
	}
	var out []waitingQuestion
	err = s.see(ctx, id, func(session *projections.Session) error {
		mode := c.Effective(session.Presets).Sandbox
		for _, q := range session.Approvals.Questions() {
			d := approvals.Display{Question: q, Path: path, CWD: session.Header().CWD, Mode: mode, SessionMode: mode, Arguments: callArguments(session, q.CallID)}
			out = append(out, waitingQuestion{Session: id, View: approvals.Render(d, open), asked: q.ID})
		}
		return nil
	})
	if errors.Is(err, events.ErrCorrupt) || errors.Is(err, events.ErrSeedIncomplete) {
		return nil, nil
	}
	return out, err
}

// callArguments are those of a call of the open step.
func callArguments(s *projections.Session, id string) jsontext.Value {
	if call, _ := s.Calls.Find(id); call != nil {
		return jsontext.Value(call.Arguments)
	}
	if call, _ := s.Calls.FindInner(id); call != nil {
		return jsontext.Value(call.Arguments)
	}
	return nil
}

// lineagePath leads from the root session to one of its descendants. Parents that
// are not stored end it.
func (s *store) lineagePath(ctx context.Context, id events.SessionID) ([]events.SessionID, error) {
	path := []events.SessionID{id}
	seen := map[events.SessionID]bool{id: true}
	for {
		o, err := s.log.Open(ctx, path[0])
		switch {
		case errors.Is(err, events.ErrNotFound) && len(path) > 1:
			return path, nil
		case errors.Is(err, events.ErrCorrupt):
			return path, nil
		case err != nil:
			return nil, err
		}
		parent := o.Header.ParentSession
		if parent == "" || seen[parent] {
			return path, nil
		}
		seen[parent] = true
		path = append([]events.SessionID{parent}, path...)
	}
}

type answerOptions struct {
	hash, note, file string
}

func (a *app) approveAnswerCommand() *cobra.Command {
	var opts answerOptions
	cmd := &cobra.Command{
		Use:   "answer SESSION (QUESTION once|always|reject --hash HASH | --file FILE)",
		Short: "Answer questions",
		Long: `Answer settles a question. The hash is that of what was shown by 'engine approve
list': an answer about anything else is refused, and so is an allow of arguments
that were not shown whole (--open). Of the question's id and of the hash the
beginning is enough, if it fits one: 8 digits of a hash at least.

--file answers several at once, all or none:
{"answers":[{"id":"…","reply":"once","hash":"…","feedback":"…"}]}`,
		RunE: func(cmd *cobra.Command, argv []string) error {
			id, answers, err := a.answers(argv, opts)
			if err != nil {
				return err
			}
			return a.with(cmd.Context(), "approve answer", readWrite, func(ctx context.Context, s *store) error {
				return a.answer(ctx, s, id, answers)
			})
		},
	}
	cmd.Flags().StringVar(&opts.hash, "hash", "", "hash of what was shown")
	cmd.Flags().StringVar(&opts.note, "note", "", "what the agent is to know")
	cmd.Flags().StringVar(&opts.file, "file", "", "file with answers, - for standard input")
	return cmd
}

// answers reads what the command line says.
func (a *app) answers(argv []string, opts answerOptions) (events.SessionID, []approvals.Answer, error) {
	want := 3
	if opts.file != "" {
		want = 1
	}
	if len(argv) != want {
		return "", nil, usagef("approve answer: name the session, the question and once, always or reject; or the session and --file")
	}
	id, err := sessionID(argv[0])
	if err != nil {
		return "", nil, err
	}
	if opts.file != "" {
		text, err := a.readFile(opts.file)
		if err != nil {
			return "", nil, err
		}
		answers, err := approvals.ParseAnswers(text, actor().Name)
		return id, answers, err
	}
	reply := approvals.Reply{Kind: approvals.ReplyKind(argv[2]), Feedback: strings.TrimSpace(opts.note)}
	return id, []approvals.Answer{{ID: argv[1], Reply: reply, Hash: opts.hash, By: actor().Name}}, nil
}

const maxAnswersFile = 1 << 20

func (a *app) readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(io.LimitReader(bufio.NewReader(a.stdin), maxAnswersFile))
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, maxAnswersFile))
	return text, errors.Join(err, f.Close())
}

// answered is what became of questions.
type answered struct {
	Session events.SessionID   `json:"session"`
	Results []approvals.Result `json:"results"`
	// Granted is what is allowed for good in the session's project from now on.
	Granted []string `json:"granted,omitempty"`
}

func (a *app) answer(ctx context.Context, s *store, id events.SessionID, answers []approvals.Answer) error {
	asked, cwd, err := s.openQuestions(ctx, id)
	if err != nil {
		return err
	}
	for i := range answers {
		if answers[i], err = completed(answers[i], asked); err != nil {
			return err
		}
	}
	done, err := s.do(ctx, id, engine.AnswerApprovals{Answers: answers})
	if err != nil {
		return err
	}
	r := answered{Session: id, Results: []approvals.Result{}}
	if r.Granted, err = s.lasting(ctx, cwd, asked, answers); err != nil {
		return err
	}
	for _, e := range done.Events {
		if d, ok := e.Event.(events.ApprovalDecided); ok {
			r.Results = append(r.Results, approvals.Result{ID: d.ID, Outcome: d.Outcome})
		}
	}
	return a.print(r, func(p *printer) {
		for _, one := range r.Results {
			p.line("%s: %s", plain(one.ID, 140), one.Outcome)
		}
		for _, g := range r.Granted {
			p.line("allowed for good in %s: %s", plain(cwd, 200), approvals.Escape(g))
		}
	})
}
