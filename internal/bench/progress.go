package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress says on a terminal what is being measured, and nothing elsewhere.
type progress struct {
	bar *progressbar.ProgressBar // nil if nobody looks
}

func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return &progress{}
	}
	return &progress{bar: progressbar.NewOptions(-1,
		progressbar.OptionSetWriter(w), progressbar.OptionClearOnFinish(), progressbar.OptionSetElapsedTime(true),
		progressbar.OptionSpinnerType(14), progressbar.OptionThrottle(100*time.Millisecond),
	)}
}

// tell says what is being done now. What cannot be shown is not worth an error.
func (p *progress) tell(what string) {
	if p.bar != nil {
		p.bar.Describe(what)
		_ = p.bar.Add(1)
	}
}

func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
