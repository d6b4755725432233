package effects_test

import (
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/effects"
)

// FuzzWhatRuns tries texts of makefiles and scripts: nothing panics, each answer has a
// finding, and a script that is read is in the answer.
func FuzzWhatRuns(f *testing.F) {
	for _, text := range []string{
		"all: test\n\tgo test ./...\n", "X := $(shell ls)\n$(X): y\n\t@echo $@ $< $^\n", "%.o: %.c\n\tcc -c $<\ninclude x\n", "#!/bin/sh\nbash x.sh\n", "define x\n\tls\nendef\n$(eval $(x))\n", "a:b;c\\\n d\n\t-$(RM) *.o\n", "{\"scripts\":{\"a\":\"make\",\"prea\":\"ls\"}}", "A=$(A)\n", "s/a/b/e;1,2{w x\n}", "import os\nos.system('ls')\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		quoted, err := json.Marshal(text)
		if err != nil {
			return // invalid UTF-8, which no call can carry
		}
		facts := facts()
		facts.Files = onDisk{"/workspace/demo/Makefile": text, "/workspace/demo/x.sh": text, "/workspace/demo/package.json": text, "/workspace/demo/x.py": text}
		for _, command := range []string{`"make"`, `"make a; bash x.sh"`, `"npm run a && npm ci"`, `"python3 x.py; node x.py; awk -f x.py; ./x.sh"`} {
			a := effects.Analyze(effects.Call{Tool: "shell", Arguments: jsontext.Value(`{"command":` + command + `}`)}, facts)
			if len(a.Findings) == 0 || len(a.Files) == 0 {
				t.Errorf("%s: got %v", command, a)
			}
		}
		effects.Analyze(effects.Call{Tool: "shell", Arguments: jsontext.Value(`{"command":` + string(quoted) + `}`)}, facts)
	})
}
