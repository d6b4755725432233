package program

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// What both sides hold each other to.
const (
	ArgumentsLimit = 1 << 20 // of one call, bytes of JSON
	lineLimit      = 8 << 20
)

// ToProgram is a message to the process: exactly one member is there.
type ToProgram struct {
	Start  *Start  `json:"start,omitzero"`
	Settle *Settle `json:"settle,omitzero"`
}

// Start is the program and its limits, the first message.
type Start struct {
	Code   string   `json:"code"`
	Tools  []string `json:"tools"`  // the names that it is bound to
	TimeMS int64    `json:"timeMs"` // that the program itself may take, not its calls
	Memory int64    `json:"memory"` // bytes of live values
	Output int      `json:"output"` // bytes of text
	Calls  int      `json:"calls"`
}

// Settle is how a call ended.
type Settle struct {
	Number  int    `json:"number"`
	IsError bool   `json:"isError"`
	Text    string `json:"text"` // of an error: the exception's message
}

// FromProgram is a message of the process: exactly one member is there.
type FromProgram struct {
	Ready  *Ready  `json:"ready,omitzero"`
	Call   *Call   `json:"call,omitzero"`
	Output *Output `json:"output,omitzero"`
	End    *End    `json:"end,omitzero"`
}

// Ready is the first message: the process has given up what it does not need.
type Ready struct{}

// Call is a call that the program makes. Numbers count from 1.
type Call struct {
	Number    int            `json:"number"`
	Name      string         `json:"name"`
	Arguments jsontext.Value `json:"arguments"`
}

// Output is a piece of what the program printed.
type Output struct {
	Text string `json:"text"`
}

// End is the last message.
type End struct {
	Kind EndKind `json:"kind"`
	Text string  `json:"text"` // the value, or what went wrong
	// Dropped is how many bytes of output were over the limit.
	Dropped int64 `json:"dropped"`
}

// EndKind is how a program ended.
type EndKind string

// The ends of a program.
const (
	EndReturned EndKind = "returned"
	EndThrew    EndKind = "threw" // an exception that nothing caught
	EndTime     EndKind = "time"
	EndMemory   EndKind = "memory"
)

// ErrProtocol says that the other side sent what is no message.
var ErrProtocol = errors.New("program: protocol broken")

// ErrCutOff says that the other side ended in the middle of a message.
var ErrCutOff = errors.New("program: the pipe ended within a message")

// Reader reads messages of one kind. It belongs to one goroutine.
type Reader[M any] struct{ lines *bufio.Scanner }

// NewReader reads messages from r.
func NewReader[M any](r io.Reader) *Reader[M] {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 4096), lineLimit)
	lines.Split(wholeLines)
	return &Reader[M]{lines}
}

// wholeLines gives lines that have their end. What the other side did not finish
// is no message.
func wholeLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return 0, nil, ErrCutOff
	}
	return 0, nil, nil
}

// Read gives the next message. The error is io.EOF at the end, [ErrCutOff],
// [ErrProtocol], or the pipe's.
func (r *Reader[M]) Read() (M, error) {
	var none M
	if !r.lines.Scan() {
		switch err := r.lines.Err(); {
		case err == nil:
			return none, io.EOF
		case errors.Is(err, bufio.ErrTooLong):
			return none, fmt.Errorf("%w: a message has more than %d bytes", ErrProtocol, lineLimit)
		default:
			return none, err
		}
	}
	m, err := decode[M](r.lines.Bytes())
	if err != nil {
		return none, fmt.Errorf("%w: %w", ErrProtocol, err)
	}
	return m, nil
}

// decode reads one message, which has exactly one member, and that one is not null.
func decode[M any](line []byte) (M, error) {
	var none, m M
	var members map[string]jsontext.Value
	if err := json.Unmarshal(line, &members); err != nil {
		return none, err
	}
	if len(members) != 1 {
		return none, fmt.Errorf("a message has %d members", len(members))
	}
	for name, value := range members {
		if value.Kind() != '{' {
			return none, fmt.Errorf("%q is not an object", name)
		}
	}
	if err := json.Unmarshal(line, &m, json.RejectUnknownMembers(true)); err != nil {
		return none, err
	}
	return m, nil
}

// Writer writes messages. It is safe for concurrent use.
type Writer[M any] struct {
	mu  sync.Mutex // held while a message is written, so that none is torn
	out io.Writer
}

// NewWriter writes messages to w.
func NewWriter[M any](w io.Writer) *Writer[M] { return &Writer[M]{out: w} }

// Write writes one message.
func (w *Writer[M]) Write(m M) error {
	line, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("program: encode a message: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err = w.out.Write(append(line, '\n'))
	return err
}
