#!/usr/bin/env bash
# run.sh [DIR] plays the demo, which has a directory of its own, and then serves a
# store in DIR (default .docket). A new one starts with the sample sessions of
# fixtures/sessions.
set -euo pipefail
cd "$(dirname "$0")/.."

dir=${1:-.docket}
engine=bin/engine

"$engine" demo
echo

if [ ! -e "$dir" ]; then
	shopt -s nullglob
	for session in fixtures/sessions/*.jsonl; do
		"$engine" --dir "$dir" import "$session"
	done
fi

cat <<HINT

The store is in $dir. In a second terminal, try:
  $engine --dir $dir session list
  $engine --dir $dir session show demo-plain
  $engine --dir $dir session tree
  $engine --dir $dir session create --id mine
  $engine --dir $dir preset set mine read-only
  $engine --dir $dir approve list
  $engine --dir $dir verify --all
Ctrl-C stops the server; the sessions stay. rm -r $dir starts afresh.

HINT
exec "$engine" --dir "$dir" serve
