package bus_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
)

// Where a process that is a reviewer finds its server and its credential.
const (
	processURL   = "DOCKET_TEST_REVIEWER_URL"
	processCreds = "DOCKET_TEST_REVIEWER_CREDS"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(processURL); url != "" {
		fmt.Fprintln(os.Stderr, reviewerProcess(url, os.Getenv(processCreds)))
		os.Exit(1)
	}
	// A server that is closed while it sets a mirror up waits for an answer, up to 30 s.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("github.com/nats-io/nats-server/v2/server.(*stream).setupMirrorConsumer.func3"))
}

// reviewerProcess is a reviewer whose model is asked and never answers. It ends when it
// is killed.
func reviewerProcess(url, creds string) error {
	nc, err := nats.Connect(url, nats.UserCredentials(creds), nats.CustomInboxPrefix(bus.InboxPrefix(bus.Reviewer, auto.Name)))
	if err != nil {
		return err
	}
	m := answering("")
	m.answer = func(ctx context.Context) (string, error) {
		fmt.Println("asked")
		<-ctx.Done()
		return "", ctx.Err()
	}
	s, err := bus.NewReviewService(bus.ReviewServiceConfig{Conn: nc, Reviewer: auto.New(auto.Config{Model: m}), Beat: 50 * time.Millisecond})
	if err == nil {
		err = s.Start()
	}
	if err != nil {
		return err
	}
	fmt.Println("there")
	select {}
}

// TestAReviewerThatIsKilledIsLost in the middle of a review; the next call finds
// nobody, and another reviewer is asked about the one behind it, and about that alone.
func TestAReviewerThatIsKilledIsLost(t *testing.T) {
	a := newApart(t, 500*time.Millisecond)
	r, _ := a.serve(allows), a.serve(allows)
	creds := t.TempDir() + "/reviewer.creds"
	must(t, os.WriteFile(creds, a.bus.Credential(bus.Reviewer, auto.Name).Text, 0o600))
	p := exec.Command(os.Args[0])
	p.Env = append(os.Environ(), processURL+"="+a.bus.URL, processCreds+"="+creds)
	p.Stderr = os.Stderr
	out, err := p.StdoutPipe()
	must(t, err)
	must(t, p.Start())
	t.Cleanup(func() { _ = p.Process.Kill() }) // it may be killed already
	lines := bufio.NewScanner(out)
	says := func(want string) {
		t.Helper()
		if !lines.Scan() || lines.Text() != want {
			t.Fatalf("got %q from the process, want %q: %v", lines.Text(), want, lines.Err())
		}
	}
	says("there")
	agent, x := a.begun("c1", "c2", "c3"), a.executor()
	k := agent.call(x, "work", "c1")
	says("asked")
	must(t, p.Process.Kill())
	if err := p.Wait(); err == nil {
		t.Error("the process ended by itself")
	}
	if got := k.answer(); got.Refused == nil || got.Refused.Kind != string(engine.Failed) {
		t.Errorf("got %+v, want a failure", got)
	}
	r.wantFailure("c1", reviewer.ClassLost, "REVIEWER_LOST")
	agent.call(x, "work", "c2").answer()
	r.wantFailure("c2", reviewer.ClassUnavailable, "REVIEWER_UNAVAILABLE")
	m := answering(modelAllows)
	a.join(m)
	settled(t, agent, "c3", agent.call(x, "work", "c3"))
	if n := m.times.Load(); n != 1 {
		t.Errorf("the other reviewer was asked %d times", n)
	}
}
