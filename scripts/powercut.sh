#!/usr/bin/env bash
# powercut.sh [SECONDS] shows what a power cut takes, for each setting of --fsync.
# A store lies on an ext4 file system in a file. Under load its processes are
# stopped, the file is copied as it is on the disk, without a sync, and the copy is
# mounted and looked at: what the kernel had not written is what a cut takes.
#
# It needs root, for loop devices and mounts. It fails if --fsync=always lost
# anything that was acknowledged, or left a log that does not verify.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-8}
if [ "$(id -u)" != 0 ]; then
	echo 'powercut: needs root, for loop devices and mounts' >&2
	exit 1
fi
if ! losetup -f >/dev/null 2>&1; then
	echo 'powercut: there is no free loop device here (losetup -f)' >&2
	exit 1
fi

work=$(mktemp -d)
serve= load= loops=()

cleanup() {
	for pid in $load $serve; do
		kill -KILL "$pid" 2>/dev/null || true
	done
	wait 2>/dev/null || true
	for dir in "$work"/store "$work"/left; do
		if mountpoint -q "$dir" 2>/dev/null; then umount -l "$dir" || true; fi
	done
	for loop in "${loops[@]}"; do
		losetup -d "$loop" 2>/dev/null || true
	done
	rm -rf "$work"
}
trap cleanup EXIT

attach() { # attach IMAGE DIR
	local loop
	loop=$(losetup --show -f "$1")
	loops+=("$loop")
	mkdir -p "$2"
	mount "$loop" "$2"
	mounted=$loop
}

detach() { # detach DIR LOOP
	umount "$1"
	losetup -d "$2"
}

echo 'powercut: building'
go build -trimpath -o "$work/engine" ./cmd/engine
go build -trimpath -o "$work/powercut" ./internal/powercut

cut_at() { # cut_at FSYNC: prints one row
	local fsync=$1 image=$work/disk.img copy=$work/copy.img acked=$work/acked original
	rm -f "$image" "$copy" "$acked"
	truncate -s 1G "$image"
	mkfs.ext4 -q -F "$image"
	attach "$image" "$work/store"
	original=$mounted
	"$work/engine" --dir "$work/store/state" serve --fsync "$fsync" >"$work/serve.log" 2>&1 &
	serve=$!
	for _ in $(seq 100); do
		if [ -e "$work/store/state/run.json" ]; then break; fi
		sleep 0.1
	done
	"$work/powercut" load "$work/store/state" "$acked" >"$work/load.log" 2>&1 &
	load=$!
	sleep "$seconds"

	# The cut: nobody writes any more, and nothing is synced.
	kill -STOP "$load" "$serve"
	cp --sparse=always "$image" "$copy"
	kill -KILL "$load" "$serve"
	wait "$load" "$serve" 2>/dev/null || true
	load= serve=
	detach "$work/store" "$original"

	attach "$copy" "$work/left"
	local left=$mounted result
	if [ -e "$work/left/state/keys/engine.key" ]; then
		result=$("$work/powercut" check "$work/left/state" "$acked")
	else
		result='{"acknowledged":0,"lost":0,"sessions":0,"gone":0,"corrupt":["the key is gone"],"whole":false}'
	fi
	detach "$work/left" "$left"
	row "$fsync" "$result"
}

field() { sed -n "s/.*\"$2\":\([^,}]*\).*/\1/p" <<<"$1"; }

row() { # row FSYNC JSON
	local corrupt='no'
	if ! grep -q '"corrupt":\[\]' <<<"$2"; then corrupt='YES'; fi
	printf '%-8s %14s %8s %8s %8s %8s\n' "$1" "$(field "$2" acknowledged)" "$(field "$2" lost)" "$(field "$2" gone)" "$corrupt" "$(field "$2" whole)"
	if [ "$1" = always ] && { [ "$(field "$2" lost)" != 0 ] || [ "$corrupt" = YES ] || [ "$(field "$2" whole)" != true ] || [ "$(field "$2" acknowledged)" = 0 ]; }; then
		failed=1
		echo "$2" >&2
	fi
}

failed=0
echo "powercut: a cut after ${seconds}s of load, for each setting"
printf '%-8s %14s %8s %8s %8s %8s\n' fsync acknowledged lost gone corrupt whole
for fsync in always 250ms 1s 10s; do
	cut_at "$fsync"
done
if [ "$failed" != 0 ]; then
	echo 'powercut: --fsync=always lost what was acknowledged' >&2
	exit 1
fi
echo 'powercut: lost are acknowledged events; gone are sessions of which nothing is left; whole says that'
echo 'the streams have no holes and reach as far as their anchors. --fsync=always lost nothing.'
