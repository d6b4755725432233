package approvals_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/approvals"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/events/eventstest"
)

func project(t *testing.T, es ...events.Event) *approvals.Project {
	t.Helper()
	var p approvals.Project
	for i, e := range es {
		p.Apply(eventstest.Envelope(t, events.Seq(i), e))
		p = reloaded(t, p)
	}
	return &p
}

func TestAnAlwaysIsGrantedExactlyAsShownAndOnce(t *testing.T) {
	s, p := turn(t), project(t)
	q := ask(t, s, asking("q1"))
	always := approvals.Answer{ID: "q1", Hash: q.Hash, Reply: approvals.Reply{Kind: approvals.ReplyAlways}, By: "ann"}
	granted := approvals.GrantAlways(p, q, always, "g1")
	want := `project/grant {"grantId":"g1","tool":"bash","pattern":"run(\"make test\")","by":"ann"}` + "\n"
	if got := describe(t, granted); got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	e, err := granted[0].At(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	p.Apply(e)
	if again := approvals.GrantAlways(p, q, always, "g2"); again != nil {
		t.Errorf("got %s for what is granted already", describe(t, again))
	}
	once := always
	once.Kind = approvals.ReplyOnce
	stale := always
	stale.Hash = "x"
	widening := q
	widening.Pattern, widening.Widening = "", true
	for name, got := range map[string][]events.Draft{
		"once":       approvals.GrantAlways(project(t), q, once, "g"),
		"stale":      approvals.GrantAlways(project(t), q, stale, "g"),
		"a widening": approvals.GrantAlways(project(t), widening, always, "g"),
	} {
		if got != nil {
			t.Errorf("%s: got %s, want nothing", name, describe(t, got))
		}
	}
}

func TestAGrantCoversTheSameCallAndNothingElse(t *testing.T) {
	p := project(t, events.ProjectGrant{GrantID: "g1", Tool: "bash", Pattern: `run("make *")`, By: "ann"})
	same := approvals.Subject{Action: "run", Resources: []string{"make *"}}
	for name, tc := range map[string]struct {
		tool   string
		change func(*approvals.Subject)
		want   bool
	}{
		"the same":             {"bash", func(*approvals.Subject) {}, true},
		"another tool":         {"shell", func(*approvals.Subject) {}, false},
		"what a star could be": {"bash", func(s *approvals.Subject) { s.Resources = []string{"make clean"} }, false},
		"more resources":       {"bash", func(s *approvals.Subject) { s.Resources = []string{"make *", "x"} }, false},
		"another action":       {"bash", func(s *approvals.Subject) { s.Action = "push" }, false},
		"a widening":           {"bash", func(s *approvals.Subject) { s.Widening = true }, false},
		"a failed review":      {"bash", func(s *approvals.Subject) { s.Failure = true }, false},
		"protected since then": {"bash", func(s *approvals.Subject) { s.Protected = true }, false},
		"nothing known":        {"bash", func(s *approvals.Subject) { s.Resources = nil }, false},
	} {
		t.Run(name, func(t *testing.T) {
			call := same
			tc.change(&call)
			g, got := p.Covers(tc.tool, call)
			if got != tc.want || got && g.ID != "g1" {
				t.Errorf("got covered %v by %+v, want %v", got, g, tc.want)
			}
		})
	}
}

func TestAGrantIsTakenBackAndListsAreReplaced(t *testing.T) {
	p := project(t,
		events.ProjectGrant{GrantID: "g1", Tool: "bash", Pattern: "a", By: "ann"},
		events.ProjectGrant{GrantID: "g2", Tool: "bash", Pattern: "b", By: "bob"},
		events.ProjectSensitiveResources{Patterns: []string{"old"}},
		events.ProjectSensitiveResources{Patterns: []string{"secrets/"}},
		events.ProjectWriteSensitiveResources{Patterns: []string{".github/"}},
	)
	drafts, err := approvals.Revoke(p, "g1", "bob")
	if err != nil {
		t.Fatal(err)
	}
	e, err := drafts[0].At(5, 1)
	if err != nil {
		t.Fatal(err)
	}
	p.Apply(e)
	want := approvals.Project{
		Grants:    []approvals.ProjectGrant{{ID: "g2", Tool: "bash", Pattern: "b", By: "bob", Seq: 1}},
		Sensitive: []string{"secrets/"}, WriteSensitive: []string{".github/"},
	}
	if diff := cmp.Diff(want, *p); diff != "" {
		t.Errorf("got another project (-want +got):\n%s", diff)
	}
	if got := p.Grants[0].Text(); got != "Persistent grant: b" {
		t.Errorf("got %q", got)
	}
	_, err = approvals.Revoke(p, "g1", "bob")
	wantCode(t, err, approvals.CodeNoGrant)
	_, err = approvals.Revoke(p, "g2", "")
	wantCode(t, err, approvals.CodeNoPerson)
}

func TestNotesAreReadByTheAgent(t *testing.T) {
	content := []events.Block{events.TextBlock("done")}
	for name, tc := range map[string]struct {
		decided events.ApprovalDecided
		want    string // of the added block, "" for none
	}{
		"a person's note": {events.ApprovalDecided{Outcome: "allowed-once", By: "ann", Feedback: "only a"}, "User approved this tool call with feedback: only a"},
		"no note":         {events.ApprovalDecided{Outcome: "allowed-once", By: "ann"}, ""},
		"a blank note":    {events.ApprovalDecided{Outcome: "allowed-once", By: "ann", Feedback: " \n"}, ""},
		"a tier's note":   {events.ApprovalDecided{Outcome: "allowed-once", Feedback: approvals.NoteAggressive}, "This tool call was approved without a person: " + approvals.NoteAggressive},
		"a rejection":     {events.ApprovalDecided{Outcome: "rejected", By: "ann", Feedback: "no"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := approvals.WithNote(content, tc.decided)
			if tc.want == "" && len(got) != 1 || tc.want != "" && (len(got) != 2 || got[1].Text != tc.want) {
				t.Errorf("got %+v, want %q added", got, tc.want)
			}
		})
	}
}

func TestRefusalsHaveATextEach(t *testing.T) {
	for want, d := range map[string]events.ApprovalDecided{
		`The user rejected "bash"; its body was not executed.`:                                                                             {Outcome: "rejected", By: "ann"},
		`The user rejected "bash"; its body was not executed. The user says: use npm`:                                                      {Outcome: "rejected", By: "ann", Feedback: "use npm"},
		`Approval of "bash" was refused without asking anyone; its body was not executed.`:                                                 {Outcome: "rejected"},
		`Approval of "bash" was refused without asking anyone (passive mode, reject all escalated tool calls); its body was not executed.`: {Outcome: "rejected", Feedback: approvals.NotePassive},
		`The approval of "bash" was cancelled; its body was not executed.`:                                                                 {Outcome: "cancelled"},
		`Nobody was there to approve "bash"; its body was not executed.`:                                                                   {Outcome: "unavailable"},
	} {
		if got := approvals.RefusalText("bash", d); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestAStepsCommandsAreChecked(t *testing.T) {
	s := turn(t)
	for field, g := range map[string]events.GrantIssued{
		"callId":        {Tool: "bash", Mode: events.ModeDangerFullAccess, Justification: "x"},
		"tool":          {CallID: "c1", Mode: events.ModeDangerFullAccess, Justification: "x"},
		"justification": {CallID: "c1", Tool: "bash", Mode: events.ModeDangerFullAccess},
	} {
		_, err := approvals.IssueGrant(s, g)
		wantCode(t, err, approvals.CodeBadGrant)
		if err.(*events.Refusal).Field != field {
			t.Errorf("got %v, want the field %s", err, field)
		}
	}
	for name, change := range map[string]func(*approvals.Asking){
		"no tool":      func(a *approvals.Asking) { a.Shown.Tool = "" },
		"no action":    func(a *approvals.Asking) { a.Action = "" },
		"no mode":      func(a *approvals.Asking) { a.Shown.Mode = "" },
		"no arguments": func(a *approvals.Asking) { a.Shown.Arguments = nil },
	} {
		t.Run(name, func(t *testing.T) {
			a := asking("q1")
			change(&a)
			_, err := approvals.Ask(s, a)
			wantCode(t, err, approvals.CodeBadQuestion)
		})
	}
}
