#!/usr/bin/env bash
# lint.sh runs every lint, goes on after one that fails, and fails if any did.
set -uo pipefail
cd "$(dirname "$0")/.."

tool() { go tool -modfile=tools.mod "$@"; }

# gofumpt names the files that it would change and exits 0 all the same.
format() {
	local files
	files=$(tool gofumpt -l .) || return 1
	[ -z "$files" ] && return
	echo "$files"
	echo "these files are not formatted; gofumpt -w would mend them"
	return 1
}

shell_syntax() {
	local script
	for script in scripts/*.sh .ci/run; do
		bash -n "$script" || return 1
	done
}

failed=()
lint() {
	local name=$1 start=$SECONDS
	shift
	echo "lint: $name"
	"$@" || failed+=("$name")
	[ $((SECONDS - start)) -lt 10 ] || echo "      took $((SECONDS - start)) s"
}

lint "format" format
lint "shell syntax" shell_syntax
lint "vet" go vet ./...
lint "modernizers" go fix -diff ./...
lint "staticcheck" tool staticcheck -checks all ./...
# A default clause must not hide a forgotten event, so it does not count.
lint "complete switches" tool go-check-sumtype -default-signifies-exhaustive=false ./...

if [ ${#failed[@]} -gt 0 ]; then
	printf 'lint: %s failed\n' "${failed[@]}" >&2
	exit 1
fi
echo "lint: all pass"
