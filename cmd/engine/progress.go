package main

import (
	"fmt"

	"github.com/schollz/progressbar/v3"

	"github.com/docket-engine/docket/engine"
)

// progress shows long work on a terminal and is silent elsewhere. It gives nil,
// which an engine takes for nobody, where there is nothing to show.
func (a *app) progress(what string) (engine.Observer, func()) {
	if a.json || !terminal(a.stderr) {
		return nil, func() {}
	}
	var bar *progressbar.ProgressBar
	var stage engine.Stage
	end := func() {
		if bar != nil {
			_ = bar.Exit() // only the terminal is affected
		}
	}
	return func(p engine.Progress) {
		if bar == nil || p.Stage != stage {
			end()
			stage = p.Stage
			bar = a.bar(fmt.Sprintf("%s: %s", what, stage), p)
		}
		_ = bar.Set64(p.Done) // only the terminal is affected
	}, end
}

func (a *app) bar(what string, p engine.Progress) *progressbar.ProgressBar {
	total := p.Total
	if total <= 0 {
		total = -1
	}
	opts := []progressbar.Option{
		progressbar.OptionSetWriter(a.stderr), progressbar.OptionSetDescription(plain(what, 40)),
		progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(lockPoll), progressbar.OptionSetWidth(30),
	}
	if p.Stage == engine.StageCheck {
		opts = append(opts, progressbar.OptionShowBytes(true))
	} else {
		opts = append(opts, progressbar.OptionShowCount())
	}
	return progressbar.NewOptions64(total, opts...)
}
