package jetstreamtest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// operation is one unit of the client protocol: a line, and what belongs to it.
type operation struct {
	Passing
	message bool
	line    []byte   // whole, of an operation that is no message
	words   []string // of a message's line, without the sizes
}

// sizes is how many words of a message's line are sizes, by its first word.
func sizes(name string) int {
	switch name {
	case "PUB", "MSG":
		return 1
	case "HPUB", "HMSG":
		return 2
	default:
		return 0
	}
}

// readOperation reads the next unit of either direction.
func readOperation(in *bufio.Reader) (operation, error) {
	line, err := in.ReadBytes('\n')
	if err != nil {
		return operation{}, err
	}
	words := strings.Fields(string(line))
	if len(words) == 0 || sizes(strings.ToUpper(words[0])) == 0 {
		return operation{line: line}, nil
	}
	return readMessage(in, words)
}

func readMessage(in *bufio.Reader, words []string) (operation, error) {
	words[0] = strings.ToUpper(words[0])
	n := sizes(words[0])
	if len(words) < 2+n {
		return operation{}, fmt.Errorf("operation %v is too short", words)
	}
	total, err := strconv.Atoi(words[len(words)-1])
	if err != nil {
		return operation{}, err
	}
	header := 0
	if n == 2 {
		if header, err = strconv.Atoi(words[len(words)-2]); err != nil {
			return operation{}, err
		}
	}
	body := make([]byte, total+len("\r\n"))
	if _, err := io.ReadFull(in, body); err != nil {
		return operation{}, err
	}
	op := operation{message: true, words: words[:len(words)-n]}
	op.Subject, op.Header, op.Data = words[1], body[:header:header], body[header:total]
	// PUB <subject> [reply], MSG <subject> <sid> [reply]
	if fixed := map[bool]int{true: 2, false: 3}[strings.HasSuffix(words[0], "PUB")]; len(op.words) > fixed {
		op.Reply = op.words[fixed]
	}
	return op, nil
}

// write gives the operation to the other end; the writer keeps its errors.
func (op operation) write(out *bufio.Writer) {
	if !op.message {
		_, _ = out.Write(op.line)
		return
	}
	words := slices.Clone(op.words)
	words[1] = op.Subject
	if sizes(words[0]) == 2 {
		words = append(words, strconv.Itoa(len(op.Header)))
	}
	words = append(words, strconv.Itoa(len(op.Header)+len(op.Data)))
	_, _ = out.WriteString(strings.Join(words, " ") + "\r\n")
	_, _ = out.Write(bytes.Join([][]byte{op.Header, op.Data, []byte("\r\n")}, nil))
}
