package effects_test

import (
	"testing"

	"github.com/docket-engine/docket/effects"
)

func TestBuildsAndTestsOfTheProjectAreAllowed(t *testing.T) {
	wantDecisions(t, effects.Allow, `
		go build ./...
		go build -o out/app ./cmd/app
		go build -o /tmp/app ./cmd/app
		go test ./... -run TestX -count=1 -race -coverprofile=cover.out
		go test -bench=. -benchmem ./internal/x
		go vet ./...
		go mod tidy
		go list -m all
		go env GOPATH
		go doc fmt.Println
		go generate ./...
		go tool cover -func=cover.out
		gofmt -l -w .
		golangci-lint run ./...
		cargo build --release
		cargo test -p core -- --nocapture
		cargo +nightly clippy --all-targets
		npm ci
		npm install
		npm test -- --watch=false
		npm run build
		npm run test:unit
		yarn install --frozen-lockfile
		yarn build
		pnpm install --frozen-lockfile
		pnpm -r build
		pnpm --filter web test
		bun test
		npx --no-install tsc --noEmit
		tsc --noEmit -p tsconfig.json
		eslint src --ext .ts --fix
		prettier --check .
		vitest run src/a.test.ts
		pytest -x -q tests/test_a.py::test_b
		python -m pytest -k foo
		python3 -m unittest discover
		python3 -m venv .venv
		python3 -m json.tool data.json
		.venv/bin/pytest -q
		node_modules/.bin/eslint .
		./gradlew test --info
		ruff check --fix .
		mypy src
		pip list`)
}

func TestPackagesThatTheProjectNamesAndOtherToolchainsAreAllowed(t *testing.T) {
	wantDecisions(t, effects.Allow, `
		pip install -r requirements.txt
		pip install -e .
		uv sync
		uv pip list
		poetry install
		make
		make -j4 test
		make build VERSION=1.2
		just test
		cmake -S . -B build -DCMAKE_BUILD_TYPE=Debug
		cmake --build build -j 4
		ninja -C build
		mvn -q test
		dotnet build
		bundle install
		bundle exec rspec
		composer install
		mix test
		swift build
		zig build
		gcc -O2 -o out/a a.c
		shellcheck scripts/a.sh
		bash -n scripts/a.sh
		python3 -c 'print(sum(range(10)))'
		python3 -c 'import json; print(json.load(open("a.json"))["x"])'
		node -e 'console.log(1 + 1)'
		awk -F, '{s += $3} END {print s}' data.csv
		perl -pe 's/a/b/' notes.txt`)
}

func TestWhatBringsOrPublishesPackagesIsReviewed(t *testing.T) {
	wantDecisions(t, effects.Review, `
		npm install left-pad
		npm i -g typescript
		npm uninstall left-pad
		npm update
		npm publish
		npm audit fix
		npm config set registry https://example.com
		npm pkg set scripts.test=x
		npm run deploy
		npm run release:prod
		yarn add left-pad
		yarn global add x
		pnpm add x
		bun add x
		pip install requests
		pip install -r https://example.com/r.txt
		pip install --index-url https://example.com x
		pip install git+https://example.com/a.git
		pip uninstall -y requests
		uv add x
		uv tool install x
		poetry add x
		poetry publish
		pipx install x
		conda install x
		go get example.com/a@latest
		go install example.com/a@latest
		go env -w GOFLAGS=-mod=mod
		cargo install x
		cargo add x
		cargo publish
		gem install x
		gem push x.gem
		composer require x/y
		brew install x
		apt install x
		apt-get -y install x
		apk add x
		pacman -S x
		dotnet add package X
		twine upload dist/a
		make deploy
		make install
		just release
		cargo run
		go run ./cmd/app
		go clean -modcache
		mvn deploy
		gradle publish
		rustup default nightly
		nvm install 22
		cp a.sh b.sh && ./b.sh
		python3 script.py
		node server.js`)
}
