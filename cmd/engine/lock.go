package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/docket-engine/docket/internal/atomicfile"
)

const lockPoll = 100 * time.Millisecond

// holder says who has a state directory.
type holder struct {
	PID     int    `json:"pid"`
	Command string `json:"command"`
}

func (h holder) String() string {
	if h.PID == 0 {
		return "another process"
	}
	return fmt.Sprintf("process %d (engine %s)", h.PID, h.Command)
}

const serveName = "serve"

// dirLock is the right to open a state directory. It ends with the process,
// however that ends.
type dirLock struct {
	lock *flock.Flock
	path string
}

// tryLock takes the directory if nobody has it. Otherwise it says who does.
func tryLock(dir, command string) (*dirLock, holder, error) {
	l := &dirLock{lock: flock.New(filepath.Join(dir, "engine.lock"), flock.SetPermissions(0o600)), path: filepath.Join(dir, "holder.json")}
	locked, err := l.lock.TryLock()
	if err != nil {
		return nil, holder{}, fmt.Errorf("lock the state directory: %w", err)
	}
	if !locked {
		return nil, readHolder(l.path), l.lock.Close()
	}
	text, err := json.Marshal(holder{PID: os.Getpid(), Command: command})
	if err == nil {
		err = removeFile(l.path) // of one that was killed: what stands there must not be believed for long
	}
	if err == nil {
		err = atomicfile.Replace(l.path, text)
	}
	if err != nil {
		return nil, holder{}, errors.Join(fmt.Errorf("lock the state directory: %w", err), l.lock.Unlock())
	}
	return l, holder{}, nil
}

// release gives the directory back.
func (l *dirLock) release() error {
	return errors.Join(removeFile(l.path), l.lock.Unlock())
}

// removeFile does not mind if there is none.
func removeFile(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// readHolder is the zero holder while the holder is just starting or ending.
func readHolder(path string) holder {
	var h holder
	text, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(text, &h) != nil {
		return holder{}
	}
	return h
}

// pollUntil calls try now and then until it says that it is done.
func pollUntil(ctx context.Context, try func() (done bool, err error)) error {
	tick := time.NewTicker(lockPoll)
	defer tick.Stop()
	for {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if done, err := try(); done || err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
