package main

import (
	"bufio"
	"bytes"
	"io"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/jetstream"
)

// engineProcess is a running `engine serve`, and a client of it in this process.
type engineProcess struct {
	t    *testing.T
	cmd  *exec.Cmd
	logs *spoken // on standard error
	nc   *nats.Conn
	log  *jetstream.Log
}

// spoken is what a process has said so far, also while it runs.
type spoken struct {
	mu   sync.Mutex // guards text
	text bytes.Buffer
}

func (s *spoken) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *spoken) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// start serves the directory and connects as any other process of this user
// does.
func (s *crashStore) start(fsync jetstream.Fsync) *engineProcess {
	s.t.Helper()
	p, ready := s.launch(fsync)
	if _, err := bufio.NewReader(ready).ReadSlice('\n'); err != nil {
		p.kill()
		s.t.Fatalf("serve did not begin: %v\n%s", err, p.logs)
	}
	running, err := readRunFile(s.dir)
	if err != nil {
		s.t.Fatal(err)
	}
	if p.nc, err = connect(running.endpoint); err != nil {
		s.t.Fatal(err)
	}
	p.nc.SetErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}) // the process is going to be killed
	keys, err := loadKeys(s.dir)
	if err != nil {
		s.t.Fatal(err)
	}
	anchors, err := jetstream.LoadAnchors(filepath.Join(s.dir, anchorsFile), keys)
	if err != nil {
		s.t.Fatal(err)
	}
	if p.log, err = jetstream.NewLog(jetstream.LogConfig{Conn: p.nc, Keys: keys, Anchors: anchors}); err != nil {
		s.t.Fatal(err)
	}
	return p
}

// launch starts the process. It says one line when it is ready.
func (s *crashStore) launch(fsync jetstream.Fsync) (*engineProcess, io.Reader) {
	s.t.Helper()
	p := &engineProcess{t: s.t, logs: &spoken{}}
	p.cmd = exec.CommandContext(s.t.Context(), s.binary, "--dir", s.dir, "--fsync", fsync.String(), "--json", "serve")
	p.cmd.Stderr = p.logs
	ready, err := p.cmd.StdoutPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return p, ready
}

// killStarting kills a process while it recovers the store.
func (s *crashStore) killStarting(after time.Duration) {
	s.t.Helper()
	p, _ := s.launch(jetstream.FsyncAlways)
	timer := time.NewTimer(after)
	defer timer.Stop()
	<-timer.C
	p.kill()
}

// kill ends the process as a crash does.
func (p *engineProcess) kill() {
	p.t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		p.t.Errorf("kill serve: %v\n%s", err, p.logs)
	}
	_ = p.cmd.Wait() // says that it was killed
}

// terminate asks the process to end, and wants it to do so in good order.
func (p *engineProcess) terminate() {
	p.t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Errorf("terminate serve: %v", err)
	}
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("serve ended with %v, want exit code 0\n%s", err, p.logs)
	}
}

// closeLog ends the client of a process that has ended.
func (p *engineProcess) closeLog() {
	p.t.Helper()
	p.nc.Close() // so that no seal waits for an answer
	if err := p.log.Close(p.t.Context()); err != nil {
		p.t.Errorf("close the log: %v", err)
	}
}

// stop ends the client and then the process, both in good order.
func (p *engineProcess) stop() {
	p.t.Helper()
	if err := p.log.Close(p.t.Context()); err != nil {
		p.t.Errorf("close the log: %v", err)
	}
	p.nc.Close()
	p.terminate()
}
