package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events"
)

// imported is what became of a file.
type imported struct {
	File    string           `json:"file"`
	ID      events.SessionID `json:"id,omitempty"`
	Events  events.Seq       `json:"events"`
	Already bool             `json:"already,omitempty"`
	Resumed bool             `json:"resumed,omitempty"`
	// Salvaged says what of a torn file was left out.
	Salvaged *salvaged   `json:"salvaged,omitempty"`
	Error    *errorReply `json:"error,omitempty"`
}

func (a *app) importCommand() *cobra.Command {
	salvage := false
	cmd := &cobra.Command{
		Use:   "import FILE…",
		Short: "Keep recorded sessions, byte for byte",
		Long: `Import keeps session files: a header line and one event a line, as plain text, gzip
or zstd; storage versions 0 and 4. Each file is checked whole before any of it is
stored: one that breaks a rule, or holds an event of an unknown type that is not
marked ignorable, is refused with line, seq and type, and the other files are
still imported.

The same file again changes nothing. An import that was cut short is finished by
the same import. With --json, each file is one JSON object a line.

--salvage is for a torn file: one whose last line was cut, or that ends in zeros or in a
packed stream that was cut off, or that an editor put a byte order mark or carriage
returns into. The lines before the first that breaks a rule are imported, and what is
left out is said. A file of another format is named as what it seems to be.

Exit code 0: every file is there now. 1: at least one was refused.`,
		Args: func(_ *cobra.Command, files []string) error {
			if len(files) == 0 {
				return errors.New("import: give at least one FILE")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			return a.with(cmd.Context(), "import", readWrite, func(ctx context.Context, s *store) error {
				return a.importAll(ctx, s, files, salvage)
			})
		},
	}
	cmd.Flags().BoolVar(&salvage, "salvage", false, "import a torn file up to its last good line")
	return cmd
}

// importAll goes on behind a file that is refused, and fails in the end.
func (a *app) importAll(ctx context.Context, s *store, files []string, salvage bool) error {
	refused := 0
	for _, name := range files {
		r, err := a.importFile(ctx, s, name, salvage)
		if err != nil && ctx.Err() != nil {
			return err
		}
		if err != nil {
			refused++
			r.Error = new(newErrorReply(err))
		}
		if err != nil && !a.json {
			a.notice("%s", message(err))
			continue
		}
		if err := a.print(r, func(p *printer) { p.imported(r) }); err != nil {
			return err
		}
	}
	if refused > 0 {
		return silentError{fmt.Errorf("%d of %d files were refused", refused, len(files))}
	}
	return nil
}

func (a *app) importFile(ctx context.Context, s *store, name string, salvage bool) (imported, error) {
	r := imported{File: name}
	info, err := os.Stat(name)
	if err == nil && info.IsDir() {
		err = &os.PathError{Op: "read", Path: name, Err: errors.New("it is a directory")}
	} else if err == nil && !info.Mode().IsRegular() { // opening a pipe would wait for its writer
		err = &os.PathError{Op: "read", Path: name, Err: errors.New("it is no regular file")}
	}
	if err != nil {
		return r, fmt.Errorf("import: %w", err)
	}
	observer, end := a.progress("import "+name, countBytes)
	defer end()
	var done engine.Imported
	if salvage {
		var left salvaged
		if done, left, err = a.salvage(ctx, s, name, observer); left.Line > 0 || left.Problem != "" || len(left.Mended) > 0 {
			r.Salvaged = &left
		}
	} else {
		done, err = engine.Import(ctx, s.log, engine.ImportRequest{
			File:  engine.File{Name: name, Size: info.Size(), Open: func() (io.ReadCloser, error) { return os.Open(name) }},
			Actor: actor(), Observer: observer,
		})
	}
	if err != nil {
		return r, namedForeign(name, err)
	}
	r.ID, r.Events, r.Already, r.Resumed = done.Header.ID, done.Events, done.AlreadyThere, done.Resumed
	return r, nil
}

func (p *printer) imported(r imported) {
	what := "imported"
	switch {
	case r.Already:
		what = "already there, nothing changed"
	case r.Resumed:
		what = "finished an import that was cut short"
	}
	p.line("%s: %s: session %s, %d events", plain(r.File, 200), what, r.ID, r.Events)
	if r.Salvaged == nil {
		return
	}
	for _, m := range r.Salvaged.Mended {
		p.line("  taken away: %s", m)
	}
	switch s := r.Salvaged; {
	case s.Line > 0:
		p.line("  left out: line %d and what is behind it, %d bytes: %s", s.Line, s.LeftOut, plain(s.Problem, 400))
	case s.Problem != "":
		p.line("  left out: what could not be read: %s", plain(s.Problem, 400))
	}
}
