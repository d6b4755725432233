package main

import (
	"context"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/internal/atomicfile"
)

// exported is what was written.
type exported struct {
	ID     events.SessionID `json:"id"`
	File   string           `json:"file"`
	Events events.Seq       `json:"events"`
	Format events.Format    `json:"format"`
	Upcast bool             `json:"upcast,omitempty"`
}

type exportOptions struct {
	output       string
	format       string
	forReference bool
	compress     string
}

func (a *app) exportCommand() *cobra.Command {
	var opts exportOptions
	cmd := &cobra.Command{
		Use:   "export SESSION",
		Short: "Write a session as a file",
		Long: `Export writes a session's header and its stored lines, byte for byte, to standard
output or to a file. A log that goes on in format 4 behind an import of version 0
is written as version 4, and standard error says so.

With --json, what was written is told as JSON: on standard output if a file was
named, else on standard error.`,
		Args: one("SESSION"),
	}
	cmd.Flags().StringVarP(&opts.output, "output", "o", "-", "file to write, put in place when it is whole; - is standard output")
	cmd.Flags().StringVar(&opts.format, "format", "", "write this storage version: 4")
	cmd.Flags().BoolVar(&opts.forReference, "for-reference", false, "write version 4 for the reference harness: what it does not know is marked ignorable, messages of agents and reviewers are user messages")
	cmd.Flags().StringVar(&opts.compress, "compress", "", "gzip or zstd (default as the file's name ends)")
	cmd.PreRunE = func(*cobra.Command, []string) error { return opts.check() }
	cmd.RunE = a.onSession("export", readOnly, func(ctx context.Context, s *store, id events.SessionID) error {
		return a.export(ctx, s, id, opts)
	})
	return cmd
}

func (o *exportOptions) check() error {
	if o.format != "" && o.format != "4" {
		return usagef("--format must be 4, is %s", plain(o.format, 20))
	}
	switch filepath.Ext(o.output) {
	case ".gz":
		o.setCompression("gzip")
	case ".zst", ".zstd":
		o.setCompression("zstd")
	}
	if o.compress != "" && o.compress != "gzip" && o.compress != "zstd" {
		return usagef("--compress must be gzip or zstd, is %s", plain(o.compress, 20))
	}
	return nil
}

func (o *exportOptions) setCompression(c string) {
	if o.compress == "" {
		o.compress = c
	}
}

func (a *app) export(ctx context.Context, s *store, id events.SessionID, opts exportOptions) error {
	observer, end := a.progress("export "+string(id), countEvents)
	defer end()
	var done engine.Exported
	err := a.output(opts.output, func(w io.Writer) (err error) {
		done, err = engine.Export(ctx, s.log, id, w, engine.ExportOptions{
			Format4: opts.format == "4", ForReference: opts.forReference, Compression: engine.Compression(opts.compress), Observer: observer,
		})
		return err
	})
	if err != nil {
		return err
	}
	end()
	return a.exported(exported{ID: id, File: opts.output, Events: done.Events, Format: done.Header.Version, Upcast: done.Upcast})
}

// output writes to standard output, or to a file beside the one that is named,
// which it becomes when it is whole and on the disk.
func (a *app) output(name string, write func(io.Writer) error) error {
	if name == "-" {
		return write(a.stdout)
	}
	return atomicfile.Write(name, write)
}

// exported tells what was written: scripts on standard output, unless that is the
// file, and people where they look. What is plain from the file alone is not said
// in a pipe.
func (a *app) exported(e exported) error {
	switch {
	case a.json && e.File == "-":
		return printed(writeJSON(a.stderr, e))
	case a.json:
		return a.printJSON(e)
	case e.Upcast:
		a.notice("session %s was stored in version 0 and is written as version 4", e.ID)
	}
	if e.File != "-" && terminal(a.stderr) {
		a.notice("wrote %s: session %s, %d events", e.File, e.ID, e.Events)
	}
	return nil
}
