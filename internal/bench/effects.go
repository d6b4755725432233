package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/effects"
)

const (
	rowEffectsMedian = "effects of a shell command, p50"
	rowEffectsTail   = "effects of a shell command, p99"
	rowEffectsLength = "effects of a text twice as long"

	budgetMedian = 15.0  // µs
	budgetTail   = 500.0 // µs
)

// agentCommands are such as agents run all day.
var agentCommands = []string{
	"ls -la", "cat README.md", "git status --short", "git diff HEAD~1 -- src/main.go", "git log --oneline -20", `git add -A && git commit -m "fix: handle nil"`, "git checkout -b feature/x", "git push origin main",
	`grep -rn "TODO" src`, "rg -n parseConfig -g '*.ts'", "find . -name '*.go' -not -path './vendor/*' | head -50", "sed -n 1,120p main.go", "sed -i 's/foo/bar/g' src/a.go", "awk -F, 'NR>1 {sum += $3} END {print sum}' data.csv", "sort data.txt | uniq -c | sort -rn | head", "jq -r '.items[] | .name' data.json",
	"mkdir -p src/lib && touch src/lib/x.go", "cp a.go b.go", "mv src/a.go src/b.go", "rm notes.txt", "rm -rf build", "chmod +x scripts/run.sh",
	"go build ./... && go vet ./...", "go test ./... -run TestX -count=1 2>&1 | tail -40", "cargo test -- --nocapture", "npm ci", "npm run lint -- --fix", "npm install left-pad", "npx tsc --noEmit", "pytest -x -q tests/test_a.py::test_b", "python3 -m pytest -k foo", `python3 -c 'import json,sys; print(json.load(sys.stdin)["x"])'`, "pip install -r requirements.txt", "make -j4 test",
	"docker ps -a", "docker compose logs web", "kubectl get pods -n web", "kubectl delete pod web-1", "terraform plan", "aws s3 ls s3://bucket", "psql -c 'SELECT count(*) FROM users'", "curl -s https://example.com/api", `curl -X POST -d '{"a":1}' https://example.com/api`,
	"cd src && go test .", `for f in *.go; do wc -l "$f"; done`, "if [ -f go.mod ]; then go list -m; fi", "export NODE_ENV=test; npm test", "cat > notes.txt <<'EOF'\none\ntwo\nEOF", "echo $HOME", "ps aux | grep node", "kill 4711", "sudo apt-get install -y jq", "tar -xzf lib.tgz -C vendor", "ssh db.example.com uptime", "bash -c 'ls && pwd'",
}

// effectsGroup measures what it takes to say what a command would do, against a
// budget, and that it grows with the text alone.
func effectsGroup() group {
	return group{[]string{rowEffectsMedian, rowEffectsTail, rowEffectsLength}, func(ctx context.Context, s *suite) error {
		rounds := s.size(200, 20)
		for _, r := range []struct {
			name   string
			at     float64
			budget float64
		}{{rowEffectsMedian, 0.5, budgetMedian}, {rowEffectsTail, 0.99, budgetTail}} {
			err := s.compare(ctx, comparison{
				name: r.name, unit: micros, target: atMost(1),
				note: fmt.Sprintf("%d kinds of commands, no file is looked up, %.0f allocations each; raw is the budget", len(agentCommands), effectsAllocations()),
				ours: func(context.Context) (float64, error) { return effectsTime(rounds, r.at) },
				raw:  func(context.Context) (float64, error) { return r.budget, nil },
			})
			if err != nil {
				return err
			}
		}
		return s.effectsLength(ctx, rounds)
	}}
}

// effectsLength compares a text of one command again and again with half of it.
func (s *suite) effectsLength(ctx context.Context, rounds int) error {
	of := func(times int) measure {
		call := shellCall(strings.Repeat("go vet ./... && cat a.go; ", times))
		return func(context.Context) (float64, error) {
			return medianTime(rounds, func(int) error {
				effects.Analyze(call, projectFacts)
				return nil
			})
		}
	}
	return s.compare(ctx, comparison{
		name: rowEffectsLength, unit: micros, target: atMost(2.4),
		note: "p50; 100 lists of commands against 50", ours: of(100), raw: of(50),
	})
}

var projectFacts = effects.Facts{Workspace: "/workspace/demo", Home: "/home/dev"}

func shellCall(command string) effects.Call {
	arguments, _ := json.Marshal(map[string]string{"command": command}) // a string always can be
	return effects.Call{Tool: "shell", Arguments: jsontext.Value(arguments)}
}

// effectsTime gives a quantile of the time that one command takes, in µs.
func effectsTime(rounds int, at float64) (float64, error) {
	calls := make([]effects.Call, len(agentCommands))
	for i, c := range agentCommands {
		calls[i] = shellCall(c)
	}
	times := make([]float64, 0, rounds*len(calls))
	for range rounds {
		for _, c := range calls {
			begun := time.Now()
			effects.Analyze(c, projectFacts)
			times = append(times, float64(time.Since(begun))/float64(time.Microsecond))
		}
	}
	slices.Sort(times)
	return times[int(at*float64(len(times)-1))], nil
}

// effectsAllocations is how many allocations one command makes on the average.
func effectsAllocations() float64 {
	effects.Analyze(shellCall("ls"), projectFacts)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, c := range agentCommands {
		effects.Analyze(shellCall(c), projectFacts)
	}
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / float64(len(agentCommands))
}
