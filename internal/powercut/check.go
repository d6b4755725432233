package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/docket-engine/docket/events"
)

// check compares what is left of a store with what was acknowledged, and prints a
// row of the table. It reports whether something is lost, or wrong.
func check(ctx context.Context, o options, stdout io.Writer) (lost bool, err error) {
	acked, err := readAcks(o.acks)
	if err != nil {
		return false, err
	}
	left, err := sessionsOf(ctx, o)
	if err != nil {
		return false, err
	}
	r := row{fsync: o.fsync}
	for id, next := range acked {
		r.acked += next
		r.lost += max(0, next-left[id])
		if _, ok := left[id]; !ok {
			r.gone++
		}
	}
	if err := r.verify(ctx, o); err != nil {
		return false, err
	}
	r.writable = o.run(ctx, nil, "session", "create", "--id", "after-the-cut") == nil
	fmt.Fprintln(stdout, r)
	return r.lost > 0 || r.wrong > 0 || !r.writable, nil
}

// row is what became of a store.
type row struct {
	fsync       string
	acked, lost events.Seq
	gone        int // sessions
	wrong       int // what verify finds wrong
	first       string
	unproven    int // what it cannot prove
	writable    bool
}

// String gives the cells, between tabs.
func (r row) String() string {
	verdict, writable := "all well", "yes"
	if r.wrong > 0 {
		verdict = fmt.Sprintf("%d wrong (%s)", r.wrong, r.first)
	}
	if !r.writable {
		writable = "refused"
	}
	return fmt.Sprintf("%s\t%d\t%d\t%d\t%s\t%s, %d unproven", r.fsync, r.acked, r.lost, r.gone, writable, verdict, r.unproven)
}

// readAcks gives how far each session was acknowledged. The last line may be cut.
func readAcks(path string) (map[events.SessionID]events.Seq, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	acked := map[events.SessionID]events.Seq{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		var id events.SessionID
		var next events.Seq
		if _, err := fmt.Sscan(lines.Text(), &id, &next); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", path, lines.Text(), err)
		}
		acked[id] = max(acked[id], next)
	}
	if len(acked) < sessions {
		return nil, fmt.Errorf("only %d sessions were acknowledged: there was no load", len(acked))
	}
	return acked, lines.Err()
}

// sessionsOf gives how many events each session has. It is what the last frame
// says: that the others are there is verify's to say.
func sessionsOf(ctx context.Context, o options) (map[events.SessionID]events.Seq, error) {
	var listed []struct {
		ID     events.SessionID `json:"id"`
		Events events.Seq       `json:"events"`
	}
	if err := o.run(ctx, &listed, "session", "list"); err != nil {
		return nil, err
	}
	left := map[events.SessionID]events.Seq{}
	for _, s := range listed {
		left[s.ID] = s.Events
	}
	return left, nil
}

// verify asks the engine, which ends with 1 if something is wrong.
func (r *row) verify(ctx context.Context, o options) error {
	out, err := o.command(ctx, "verify", "--all")
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var v struct {
			Findings []struct {
				Kind    events.FindingKind `json:"kind"`
				Problem string             `json:"problem"`
			} `json:"findings"`
		}
		switch decodeErr := dec.Decode(&v); {
		case errors.Is(decodeErr, io.EOF) && err != nil && r.wrong == 0:
			return err // it says that something is wrong, and not what
		case errors.Is(decodeErr, io.EOF):
			return nil
		case decodeErr != nil:
			return fmt.Errorf("engine verify: %w: %s", decodeErr, out)
		}
		for _, f := range v.Findings {
			if f.Kind == events.FindingUnproven {
				r.unproven++
			} else if r.wrong++; r.wrong == 1 {
				r.first = f.Problem
			}
		}
	}
}

// run runs an engine command and decodes what it prints into a value that is not
// nil.
func (o options) run(ctx context.Context, into any, args ...string) error {
	out, err := o.command(ctx, args...)
	if err != nil || into == nil {
		return err
	}
	return json.Unmarshal(out, into)
}

func (o options) command(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, o.engine, append([]string{"--dir", o.dir, "--json"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("engine %s: %w: %s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return out, err
}
