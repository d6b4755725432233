package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// versionReply says what was built.
type versionReply struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  args(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			v := buildVersion()
			return a.print(v, func(p *printer) { p.line("engine %s %s (%s, %s)", v.Version, v.Commit, v.Go, v.Platform) })
		},
	}
}

func buildVersion() versionReply {
	v := versionReply{Version: "devel", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if build.Main.Version != "" {
		v.Version = build.Main.Version
	}
	for _, s := range build.Settings {
		if s.Key == "vcs.revision" {
			v.Commit = s.Value[:min(12, len(s.Value))]
		}
	}
	return v
}
