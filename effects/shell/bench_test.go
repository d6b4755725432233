package shell

import "testing"

// typical are commands as agents give them.
var typical = []string{
	`git status`,
	`ls -la | head`,
	`cd /src/app && go test ./...`,
	`git add -A && git commit -m "fix the parser"`,
	`grep -rn "func main" --include=*.go . | head -20`,
	`cat package.json`,
	`npm run build 2>&1 | tail -40`,
	`find . -name "*.go" -not -path "./vendor/*" | xargs wc -l | sort -n | tail -5`,
	`sed -n '1,80p' internal/server/server.go`,
	`mkdir -p build/out && cp -r assets build/out/`,
	`rm -rf node_modules && npm ci`,
	`python3 -m pytest tests/unit -x -q`,
	"cat > main.go <<'EOF'\npackage main\n\nfunc main() { println(\"hello\") }\nEOF",
	`for f in a b c; do echo "$f"; done`,
	`docker ps --format '{{.Names}}'`,
	`curl -s http://localhost:8080/health | jq .status`,
	`kubectl get pods -n default -o wide`,
	`export FOO=bar; echo $FOO`,
	`test -f go.mod && echo yes || echo no`,
	`make -j8 test`,
	`tar czf out.tgz dist/`,
	`git log --oneline -10`,
	`git diff HEAD~1 -- src/main.rs`,
	`cargo build --release`,
	`which python3`,
	`echo "done" >> log.txt`,
	`ps aux | grep node | grep -v grep | awk '{print $2}'`,
	`timeout 60 ./run.sh --fast`,
	`bash -c 'cd x && make'`,
	`X=$(git rev-parse HEAD); echo $X`,
	`if [ -d dist ]; then rm -r dist; fi`,
	`chmod +x scripts/*.sh`,
	`pip install -r requirements.txt`,
	`head -c 100 file.bin | xxd`,
	`diff <(sort a.txt) <(sort b.txt)`,
	`npx tsc --noEmit -p tsconfig.json`,
	`du -sh * | sort -h`,
	`touch a.txt b.txt`,
	`wc -l src/**/*.ts`,
	`sudo apt-get update`,
}

func BenchmarkRead(b *testing.B) {
	b.ReportAllocs()
	for i := range b.N {
		Read(typical[i%len(typical)], testEnv)
	}
}

func BenchmarkReadSimple(b *testing.B) {
	b.ReportAllocs()
	for i := range b.N {
		Read(typical[i%2], testEnv)
	}
}
