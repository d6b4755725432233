package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/bus"
)

// doctorPatience is for each question to a server.
const doctorPatience = 5 * time.Second

// The outcomes of a check.
const (
	checkOK      = "ok"
	checkNote    = "note"    // worth knowing, and nothing is wrong
	checkFault   = "fault"   // something is wrong
	checkSkipped = "skipped" // it cannot be told
)

// check is one thing that was looked at.
type check struct {
	Name    string `json:"name"`
	Outcome string `json:"outcome"`
	Text    string `json:"text"`
	Remedy  string `json:"remedy,omitempty"`
}

// examination is what the doctor has found.
type examination struct {
	OK     bool    `json:"ok"`
	Trust  string  `json:"trust"`
	Checks []check `json:"checks"`
}

func (e *examination) add(name, outcome, text, remedy string) {
	e.Checks = append(e.Checks, check{name, outcome, text, remedy})
	if outcome == checkFault {
		e.OK = false
	}
}

func (e *examination) ok(name, format string, args ...any) {
	e.add(name, checkOK, fmt.Sprintf(format, args...), "")
}

func (e *examination) skip(name, why string) { e.add(name, checkSkipped, why, "") }

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check an installation, and say what to do about each fault",
		Long: `Doctor looks at the server that it is told, or else at the running 'engine serve' of
the state directory: the connection, JetStream, the streams and their settings, limits,
the clock, and what the credential can do that it should not, and the other way round.
It also says what the kernel can confine, and which trust level this user's processes
are on. It changes nothing. Run it as the user that your agents run as, with their
credential, to see what they could do.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context()) },
	}
}

// errUnwell says that the doctor has found a fault.
var errUnwell = errors.New("something is wrong")

func (a *app) doctor(ctx context.Context) error {
	e := &examination{OK: true}
	a.checkFiles(e)
	a.checkBlocks(e)
	a.checkServer(ctx, e)
	checkKernel(e)
	a.checkTrust(e)
	if err := a.print(e, func(p *printer) { p.examination(e) }); err != nil {
		return err
	}
	if !e.OK {
		return silentError{errUnwell}
	}
	return nil
}

func (p *printer) examination(e *examination) {
	for _, c := range e.Checks {
		p.line("%-8s %s: %s", c.Outcome, c.Name, printable(c.Text))
		if c.Remedy != "" {
			p.line("         %s", printable(c.Remedy))
		}
	}
	if e.OK {
		p.line("Nothing is wrong.")
	}
}

// checkServer looks at everything that needs a connection.
func (a *app) checkServer(ctx context.Context, e *examination) {
	const name = "connection"
	where, ok := a.examined(e)
	if !ok {
		return
	}
	where, err := a.withCredential(where)
	if err != nil {
		e.add(name, checkFault, err.Error(), "give another file to --creds")
		return
	}
	who, err := bus.ReadCredential(where.secret)
	ours := err == nil
	if ours {
		e.credential(who, time.Now())
	} else {
		e.skip("credential", "it was not issued by an engine, so that nothing is known of what it should do")
	}
	quiet := nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}) // refusals are what is looked for
	rehearsal, ended := a.rehearse(ctx)
	defer ended()
	nc, err := connect(where, quiet, nats.NoReconnect(), nats.Name(rehearsal))
	if err != nil {
		e.add(name, checkFault, err.Error(), connectionRemedy(err))
		return
	}
	defer nc.Close()
	rtt, err := nc.RTT()
	if err != nil {
		e.add(name, checkFault, err.Error(), "look at the server's log")
		return
	}
	e.ok(name, "%s at %s, nats-server %s, %s there and back", nc.ConnectedServerName(), redacted(nc.ConnectedUrl()), nc.ConnectedServerVersion(), rtt.Round(10*time.Microsecond))
	e.version(nc.ConnectedServerVersion())
	e.payload(nc.MaxPayload())
	if ours {
		e.permissions(nc, who)
	}
	e.streams(ctx, nc, who.Class)
}

// examined is the server to look at: the one that was named, or else the one that runs.
func (a *app) examined(e *examination) (endpoint, bool) {
	if a.nats != "" {
		return a.external(), true
	}
	r, err := readRunFile(a.dir)
	if err != nil {
		e.add("connection", checkFault, fmt.Sprintf("no 'engine serve' can be reached through %s", a.dir),
			"start 'engine serve', or name a server with --nats and --creds")
		return endpoint{}, false
	}
	return r.endpoint, true
}

func connectionRemedy(err error) string {
	switch {
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), errors.Is(err, nats.ErrAuthRevoked):
		return "the server does not take this credential: make a new one with 'engine creds', or give the server the present accounts with 'engine creds template'"
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrTimeout):
		return "nothing answers there: look whether the server runs, and at --nats"
	default:
		return "look at --nats, and whether the server runs"
	}
}

// credential says who is looked at, and whether it is still good.
func (e *examination) credential(who bus.Issued, now time.Time) {
	const name = "credential"
	switch {
	case who.Expires.IsZero():
		e.ok(name, "%s %s, for ever", who.Class, who.Name)
	case who.Expires.Before(now):
		e.add(name, checkFault, fmt.Sprintf("%s %s has expired at %s", who.Class, who.Name, local(who.Expires.UnixMilli())),
			fmt.Sprintf("make another one: 'engine creds %s %s'", who.Class, who.Name))
	default:
		e.ok(name, "%s %s, until %s", who.Class, who.Name, local(who.Expires.UnixMilli()))
	}
}

// permissions tries everything that its class should be able to do, and what it should
// not.
func (e *examination) permissions(nc *nats.Conn, who bus.Issued) {
	const name = "permissions"
	attempts, err := bus.Attempts(who.Class, who.Name)
	if err != nil {
		e.add(name, checkFault, err.Error(), "")
		return
	}
	good := true
	for _, a := range attempts {
		allowed, err := a.Try(nc, doctorPatience)
		verb := "publishing on"
		if a.Subscribe {
			verb = "subscribing to"
		}
		what := fmt.Sprintf("%s by %s %s", a.What, verb, a.Subject)
		const remedy = "the server has other accounts than this engine: 'engine creds template' prints them"
		switch {
		case err != nil:
			e.add(name, checkFault, err.Error(), "look at the server's log")
			return
		case allowed && !a.Allowed:
			e.add(name, checkFault, fmt.Sprintf("it can %s, and must not", what), remedy)
		case !allowed && a.Allowed:
			e.add(name, checkFault, fmt.Sprintf("it cannot %s, and should", what), remedy)
		default:
			continue
		}
		good = false
	}
	if good {
		e.ok(name, "%d attempts, each with the outcome that its class should have", len(attempts))
	}
}
