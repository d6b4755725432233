package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/docket-engine/docket/events"
)

const (
	rowIdle        = "idle serve, resident"
	rowIdleRestart = "idle serve, resident, restarted"

	idleSessions = 1000
	idleEvents   = 20 // of each
	idleLimit    = 60 // MiB
	// settleTime is how long a server is left alone before it is looked at. Its
	// block caches last ten seconds.
	settleTime = 15 * time.Second
)

// idleGroup measures the memory of `engine serve`, the program itself, with a
// thousand sessions stored and nothing to do.
func idleGroup() group {
	return group{[]string{rowIdle, rowIdleRestart}, func(ctx context.Context, s *suite) (err error) {
		dir, err := os.MkdirTemp("", "docket-bench-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		s.progress.tell("build the engine")
		b := idleBench{binary: filepath.Join(dir, "engine"), dir: filepath.Join(dir, "state")}
		if out, err := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", b.binary, "github.com/docket-engine/docket/cmd/engine").CombinedOutput(); err != nil {
			return fmt.Errorf("build the engine: %w\n%s", err, out)
		}
		return s.idle(ctx, dir, b)
	}}
}

func (s *suite) idle(ctx context.Context, dir string, b idleBench) error {
	files, err := writeSessions(dir, s.size(idleSessions, idleSessions/10))
	if err != nil {
		return err
	}
	for _, row := range []string{rowIdle, rowIdleRestart} {
		resident, err := b.resident(ctx, func() error {
			if row == rowIdleRestart {
				return nil
			}
			s.progress.tell(fmt.Sprintf("import %d sessions", len(files)))
			return b.run(ctx, append([]string{"import"}, files...)...)
		}, func() { s.progress.tell(row + ": wait until it has settled") })
		if err != nil {
			return err
		}
		s.addResident(row, len(files), resident)
	}
	return nil
}

func (s *suite) addResident(name string, sessions int, mebibytesUsed float64) {
	if !s.wants(name) {
		return
	}
	s.add(row{
		Name: name, Unit: mebibytes, Ours: mebibytesUsed, Ratio: mebibytesUsed, Target: atMost(idleLimit),
		Note: fmt.Sprintf("%d sessions of %d events", sessions, idleEvents),
	})
}

// writeSessions makes session files.
func writeSessions(dir string, n int) ([]string, error) {
	records, err := conversation(idleEvents)
	if err != nil {
		return nil, err
	}
	files := make([]string, n)
	for i := range files {
		id := fmt.Sprintf("session-%d", i)
		file, err := text(events.SessionID(id), records)
		if err != nil {
			return nil, err
		}
		files[i] = filepath.Join(dir, id+".jsonl")
		if err := os.WriteFile(files[i], file, 0o600); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// idleBench is an engine and a state directory.
type idleBench struct{ binary, dir string }

// run runs one command.
func (b idleBench) run(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, b.binary, append([]string{"--dir", b.dir, "--fsync", defaultFsync.String()}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("engine %s: %w\n%s", args[0], err, lastLines(out))
	}
	return nil
}

func lastLines(out []byte) []byte { return out[max(0, len(out)-1000):] }

// resident serves the directory, has something done with it, and gives how much
// memory is resident when all is quiet.
func (b idleBench) resident(ctx context.Context, do func() error, waiting func()) (mib float64, err error) {
	cmd := exec.CommandContext(ctx, b.binary, "--dir", b.dir, "--fsync", defaultFsync.String(), "--json", "serve")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	defer func() {
		err = errors.Join(err, cmd.Process.Signal(syscall.SIGTERM), cmd.Wait())
	}()
	var ready struct{ PID int }
	if err := json.NewDecoder(out).Decode(&ready); err != nil {
		return 0, fmt.Errorf("serve did not begin: %w\n%s", err, &stderr)
	}
	if err := do(); err != nil {
		return 0, err
	}
	waiting()
	select {
	case <-time.After(settleTime):
		return residentOf(ready.PID)
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

// residentOf reads what Linux says of a process.
func residentOf(pid int) (mib float64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), "VmRSS:"); ok {
			kib, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 64)
			return kib / 1024, err
		}
	}
	return 0, errors.New("the process does not say how much memory is resident")
}
