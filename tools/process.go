package tools

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/docket-engine/docket/tools/program"
)

// process is the process of one program, and the goroutines that speak with it.
type process struct {
	messages chan received // closed when it has nothing more to say
	outbox   chan program.ToProgram
	toEnd    chan struct{} // closed when nobody listens any more
	ended    chan struct{} // closed when it is reaped
	cmd      *exec.Cmd
	stderr   *headBuffer
	pipes    []*os.File // our ends
	parts    sync.WaitGroup
}

// received is a message, or why there is none.
type received struct {
	message program.FromProgram
	err     error
}

// thisProgram is the command by which the running executable is started again.
func thisProgram() ([]string, error) {
	path, err := program.Executable()
	return []string{path, os.Args[0], program.Marker}, err
}

// startProcess starts a command: its path, and then its arguments from the name on.
// The outbox holds what a run may have to say before the process reads it.
func startProcess(command []string, outbox int) (*process, error) {
	in, toProgram, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	fromProgram, out, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, in.Close(), toProgram.Close())
	}
	p := &process{
		messages: make(chan received), outbox: make(chan program.ToProgram, outbox),
		toEnd: make(chan struct{}), ended: make(chan struct{}), stderr: &headBuffer{limit: 2048},
		pipes: []*os.File{fromProgram, toProgram},
	}
	p.cmd = &exec.Cmd{
		Path: command[0], Args: command[1:], Env: []string{}, Dir: string(filepath.Separator),
		Stdin: in, Stdout: out, Stderr: p.stderr, SysProcAttr: withParent(),
		WaitDelay: drainFor,
	}
	begun := make(chan error)
	go p.own(begun, in, out)
	if err := <-begun; err != nil {
		return nil, errors.Join(err, p.closePipes())
	}
	p.parts.Go(func() { p.read(fromProgram) })
	p.parts.Go(func() { p.write(toProgram) })
	return p, nil
}

// own starts and reaps the process on one thread: the system ends it with the
// thread that started it.
func (p *process) own(begun chan<- error, files ...*os.File) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	for _, file := range files {
		_ = file.Close() // the process has its own
	}
	begun <- err
	if err == nil {
		_ = p.cmd.Wait() // how it ended is in its state
		close(p.ended)
	}
}

func (p *process) read(from *os.File) {
	defer close(p.messages)
	messages := program.NewReader[program.FromProgram](from)
	for {
		m, err := messages.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		select {
		case p.messages <- received{m, err}:
		case <-p.toEnd:
			return
		}
		if err != nil {
			return
		}
	}
}

func (p *process) write(to *os.File) {
	messages := program.NewWriter[program.ToProgram](to)
	for {
		select {
		case m := <-p.outbox:
			if messages.Write(m) != nil {
				return // it has ended, which the reader says
			}
		case <-p.toEnd:
			return
		}
	}
}

// send queues a message. It never blocks: the outbox is longer than a run.
func (p *process) send(m program.ToProgram) { p.outbox <- m }

// kill ends the process, whatever it does.
func (p *process) kill() { _ = p.cmd.Process.Kill() }

// end waits until nothing of the process is left.
func (p *process) end() {
	p.kill()
	close(p.toEnd)
	<-p.ended
	_ = p.closePipes() // so that nobody waits for what still holds the other ends
	p.parts.Wait()
}

func (p *process) closePipes() error {
	var err error
	for _, pipe := range p.pipes {
		err = errors.Join(err, pipe.Close())
	}
	return err
}

// lastWords are how the process ended, once it has.
func (p *process) lastWords() string {
	p.kill() // it has closed its pipe, which it never does
	<-p.ended
	words := p.cmd.ProcessState.String()
	if line, _, _ := strings.Cut(strings.TrimSpace(p.stderr.String()), "\n"); line != "" {
		words += ": " + line
	}
	return words
}

// headBuffer keeps the beginning of what is written to it.
type headBuffer struct {
	limit int
	kept  strings.Builder
}

func (b *headBuffer) Write(p []byte) (int, error) {
	b.kept.Write(p[:min(len(p), b.limit-b.kept.Len())])
	return len(p), nil
}

func (b *headBuffer) String() string { return strings.ToValidUTF8(b.kept.String(), "\uFFFD") }
