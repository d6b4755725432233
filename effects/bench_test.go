package effects_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/effects"
)

// typical are commands as agents run them, of all kinds.
const typical = `ls -la
cat README.md
git status --short
git diff HEAD~1 -- src/main.go
git log --oneline -20
git add -A && git commit -m "fix: handle nil"
git checkout -b feature/x
git push origin main
grep -rn "TODO" src
rg -n parseConfig -g '*.ts'
find . -name '*.go' -not -path './vendor/*' | head -50
sed -n 1,120p main.go
sed -i 's/foo/bar/g' src/a.go
awk -F, 'NR>1 {sum += $3} END {print sum}' data.csv
sort data.txt | uniq -c | sort -rn | head
jq -r '.items[] | select(.a > 1) | .name' data.json
mkdir -p src/lib && touch src/lib/x.go
cp a.go b.go
mv src/a.go src/b.go
rm notes.txt
rm -rf build
chmod +x scripts/run.sh
go build ./... && go vet ./...
go test ./... -run TestX -count=1 2>&1 | tail -40
gofmt -l .
cargo test -- --nocapture
npm ci
npm test
npm run lint -- --fix
npm install left-pad
pnpm -r build
npx tsc --noEmit
pytest -x -q tests/test_a.py::test_b
python3 -m pytest -k foo
python3 -c 'import json,sys; print(json.load(sys.stdin)["x"])'
node -e 'console.log(1 + 1)'
pip install -r requirements.txt
make -j4 test
docker ps -a
docker compose logs web
kubectl get pods -n web
kubectl delete pod web-1
terraform plan
aws s3 ls s3://bucket
psql -c 'SELECT count(*) FROM users'
curl -s https://example.com/api
curl -X POST -d '{"a":1}' https://example.com/api
cd src && go test .
for f in *.go; do wc -l "$f"; done
if [ -f go.mod ]; then go list -m; fi
export NODE_ENV=test; npm test
cat > notes.txt <<'EOF'
a
EOF
echo $HOME
env | grep -i path
ps aux | grep node
kill 4711
sudo apt-get install -y jq
tar -xzf lib.tgz -C vendor
ssh db.example.com uptime
bash -c 'ls && pwd'`

// typicalCalls are calls of the typical commands.
func typicalCalls(tb testing.TB) []effects.Call {
	text := strings.ReplaceAll(typical, "'EOF'\na\nEOF", "'EOF'\x00a\x00EOF")
	var calls []effects.Call
	for line := range strings.Lines(text) {
		command := strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\x00", "\n")
		arguments, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			tb.Fatal(err)
		}
		calls = append(calls, effects.Call{Tool: "shell", Arguments: jsontext.Value(arguments)})
	}
	return calls
}

// BenchmarkAnalyze measures each typical command in turn; an operation is one command.
func BenchmarkAnalyze(b *testing.B) {
	calls, f := typicalCalls(b), facts()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		effects.Analyze(calls[i%len(calls)], f)
	}
}

// TestTheWorkGrowsWithTheText: a command twice as long makes about twice the effects
// and allocations, not four times.
func TestTheWorkGrowsWithTheText(t *testing.T) {
	for name, piece := range map[string]string{
		"commands": "cat a.go; ", "files": "", "code": "",
	} {
		t.Run(name, func(t *testing.T) {
			text := func(n int) effects.Call {
				command := strings.Repeat(piece, n)
				switch name {
				case "files":
					command = "cat" + strings.Repeat(" a.go", n)
				case "code":
					command = "python3 -c '" + strings.Repeat("print(1)\n", n) + "'"
				}
				arguments, _ := json.Marshal(map[string]string{"command": command})
				return effects.Call{Tool: "shell", Arguments: jsontext.Value(arguments)}
			}
			work := func(n int) float64 {
				call, f := text(n), facts()
				return testing.AllocsPerRun(3, func() { effects.Analyze(call, f) })
			}
			if once, twice := work(100), work(200); twice > 2.5*once {
				t.Errorf("got %.0f allocations for twice of what makes %.0f", twice, once)
			}
		})
	}
}
