package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/docket-engine/docket/bus"
	"github.com/docket-engine/docket/internal/atomicfile"
	"github.com/docket-engine/docket/internal/sealed"
)

const sealedSuffix = ".sealed"

func (a *app) credsSealCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "seal FILE",
		Short: "Encrypt a credentials file with a passphrase",
		Long: `Seal writes FILE.sealed, which opens with a passphrase alone, and removes FILE. A
command that gets it by --creds asks for the passphrase, on the terminal or from
--passphrase-file. What runs under your user and does not know it cannot act as you.`,
		Args: one("FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return a.seal(args[0]) },
	}
}

// sealedView is where a sealed credential is.
type sealedView struct {
	File string `json:"file"`
}

func (a *app) seal(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if _, err := bus.ReadCredential(text); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	passphrase, err := a.newPassphrase()
	if err != nil {
		return err
	}
	box, err := sealed.Seal(text, passphrase)
	if err != nil {
		return err
	}
	out := path + sealedSuffix
	if exists(out) {
		return fmt.Errorf("%s exists", out)
	}
	if err := atomicfile.Replace(out, box); err != nil {
		return fmt.Errorf("write the sealed credential: %w", err)
	}
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("remove the credential that is sealed now: %w", err)
	}
	return a.print(sealedView{out}, func(p *printer) { p.line("%s opens with the passphrase alone; %s is removed.", out, path) })
}

// newPassphrase asks twice on a terminal.
func (a *app) newPassphrase() ([]byte, error) {
	first, err := a.passphrase("New passphrase: ")
	if err != nil || a.passphraseFile != "" {
		return first, err
	}
	again, err := a.passphrase("The same again: ")
	if err == nil && !bytes.Equal(first, again) {
		err = errors.New("the two passphrases differ")
	}
	return first, err
}

// passphrase is what the file holds in its first line, or what a person types.
func (a *app) passphrase(prompt string) ([]byte, error) {
	if a.passphraseFile != "" {
		text, err := os.ReadFile(a.passphraseFile)
		if err != nil {
			return nil, err
		}
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if len(bytes.TrimSpace(rest)) > 0 {
			return nil, fmt.Errorf("%s has more than one line", a.passphraseFile)
		}
		return bytes.TrimSuffix(line, []byte("\r")), nil
	}
	f, ok := a.stdin.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil, errors.New("the credential is sealed, or to be: a passphrase is asked for on a terminal, or read from --passphrase-file")
	}
	fmt.Fprint(a.stderr, prompt)
	text, err := term.ReadPassword(int(f.Fd()))
	fmt.Fprintln(a.stderr)
	return text, err
}

// credential reads a credentials file, and unseals it if it has to.
func (a *app) credential(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil || !sealed.Is(text) {
		return text, err
	}
	passphrase, err := a.passphrase("Passphrase of " + path + ": ")
	if err != nil {
		return nil, err
	}
	if text, err = sealed.Open(text, passphrase); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}
