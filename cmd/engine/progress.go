package main

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/docket-engine/docket/engine"
)

// counted is what a check counts; all other stages count events.
type counted bool

const (
	countEvents counted = false
	countBytes  counted = true
)

// patience is how long work may take without a word.
const patience = 300 * time.Millisecond

// progress shows long work on a terminal and is silent elsewhere. It gives nil,
// which an engine takes for nobody, where there is nothing to show.
func (a *app) progress(what string, check counted) (engine.Observer, func()) {
	if a.json || !terminal(a.stderr) {
		return nil, func() {}
	}
	return a.bars(what, check)
}

// bars shows one bar for each stage, once the work takes longer than a moment.
func (a *app) bars(what string, check counted) (engine.Observer, func()) {
	var bar *progressbar.ProgressBar
	var stage engine.Stage
	begun := time.Now()
	end := func() {
		if bar != nil {
			_ = bar.Clear() // what comes next begins on a line of its own
			bar = nil
		}
	}
	return func(p engine.Progress) {
		if time.Since(begun) < patience {
			return
		}
		if bar == nil || p.Stage != stage {
			end()
			stage = p.Stage
			bar = a.bar(fmt.Sprintf("%s: %s", plain(what, 40), stage), p, check && stage == engine.StageCheck)
		}
		_ = bar.Set64(p.Done) // only the terminal is affected
	}, end
}

func (a *app) bar(what string, p engine.Progress, unit counted) *progressbar.ProgressBar {
	total := p.Total
	if total <= 0 {
		total = -1
	}
	opts := []progressbar.Option{
		progressbar.OptionSetWriter(a.stderr), progressbar.OptionSetDescription(what),
		progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(lockPoll), progressbar.OptionSetWidth(30),
		progressbar.OptionSetRenderBlankState(true),
	}
	if unit == countBytes {
		opts = append(opts, progressbar.OptionShowBytes(true))
	} else {
		opts = append(opts, progressbar.OptionShowCount())
	}
	return progressbar.NewOptions64(total, opts...)
}
