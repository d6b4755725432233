#!/usr/bin/env bash
# fuzz.sh runs every fuzz target of the repository for FUZZTIME (default 5s).
set -euo pipefail
cd "$(dirname "$0")/.."

fuzztime=${FUZZTIME:-5s}
output=$(mktemp)
trap 'rm -f "$output"' EXIT

run() { go test -run='^$' -fuzz="^$2\$" -fuzztime="$fuzztime" "./$1" 2>&1 | tee "$output"; }

# The fuzzing engine now and then reports its own time limit as a failure. That
# one is tried again; a failing input never is.
timed_out() {
	grep -q 'context deadline exceeded' "$output" && ! grep -q 'Failing input written' "$output"
}

targets=$(grep -rnoE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]+' . |
	sed -E 's|^\./(.*)/[^/]+:[0-9]+:func (.*)$|\1 \2|' | sort -u) || true
if [ -z "$targets" ]; then
	echo "fuzz: no target found, though the module has parsers" >&2
	exit 1
fi

while read -r package target; do
	echo "fuzz: $package $target for $fuzztime"
	run "$package" "$target" </dev/null && continue
	timed_out || exit 1
	run "$package" "$target" </dev/null
done <<<"$targets"
