#!/usr/bin/env bash
# powercut.sh [SETTING…] cuts the power of a store and looks what is left. For each
# --fsync setting (default always 250ms 1s 10s) a store lies on an ext4 file system
# on a loop device; under load its server is stopped, the image is copied without a
# sync, as it would be on the disk at a power cut, and the copy is mounted, opened
# and compared with what was acknowledged. It fails if `always` has lost anything.
# SECONDS_OF_LOAD and IMAGE_SIZE change how much is written.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:/sbin

settings=("$@")
[ $# -gt 0 ] || settings=(always always always 250ms 1s 10s)
seconds=${SECONDS_OF_LOAD:-}
size=${IMAGE_SIZE:-1G}

work=$(mktemp -d "${TMPDIR:-/tmp}/docket-powercut.XXXXXX")
engine=$work/engine
tool=$work/powercut
serve='' load=''
loops=()

say() { echo "powercut: $*" >&2; }

# clean_up is safe at any point: what is not there any more is not an error.
clean_up() {
	for pid in $load $serve; do
		kill -CONT "$pid" 2>/dev/null || true
		kill -KILL "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
	done
	for mounted in "$work/before" "$work/after"; do
		! mountpoint -q "$mounted" || umount "$mounted" || umount -l "$mounted" || true
	done
	for loop in "${loops[@]}"; do
		losetup -d "$loop" 2>/dev/null || true
	done
	rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# attach IMAGE makes a loop device of it and names it in $loop.
attach() {
	if ! loop=$(losetup --find --show "$1" 2>&1); then
		say "loop devices are not available here, and nothing was measured: $loop"
		exit 1
	fi
	loops+=("$loop")
}

detach() { losetup -d "$1" && loops=("${loops[@]/$1/}"); }

# copy_image copies the image as it is at one moment. The server is stopped, but
# the kernel may write to the disk meanwhile; then the copy is none of one moment,
# and is made again.
copy_image() {
	for _ in 1 2 3 4 5; do
		cp --sparse=always "$work/before.img" "$work/after.img"
		cmp -s "$work/before.img" "$work/after.img" && return
	done
	say "the image changed whenever it was copied"
	return 1
}

wait_for() {
	for _ in $(seq 200); do
		[ -s "$1" ] && return
		sleep 0.05
	done
	say "$1 did not appear"
	return 1
}

# load_time SETTING: long enough for what is lost to show.
load_time() {
	case $1 in
	10s) echo "${seconds:-27}" ;;
	*) echo "${seconds:-13}" ;;
	esac
}

# cut SETTING loses the power of a new store under load.
cut() {
	rm -f "$work"/*.img "$work/acks"
	truncate -s "$size" "$work/before.img"
	mkfs.ext4 -q "$work/before.img"
	attach "$work/before.img"
	local device=$loop
	mkdir -p "$work/before" "$work/after"
	mount "$device" "$work/before"

	"$engine" --dir "$work/before/state" --fsync "$1" serve >"$work/serve.log" 2>&1 &
	serve=$!
	wait_for "$work/before/state/run.json"
	"$tool" load -dir "$work/before/state" -acks "$work/acks" 2>"$work/load.log" &
	load=$!
	sleep "$(load_time "$1")"

	kill -STOP "$serve"
	copy_image
	kill -KILL "$serve" "$load"
	wait "$serve" "$load" 2>/dev/null || true
	serve='' load=''
	umount "$work/before"
	detach "$device"
}

# look SETTING says what the copy holds.
look() {
	attach "$work/after.img"
	local device=$loop status=0
	mount "$device" "$work/after"
	"$tool" check -dir "$work/after/state" -acks "$work/acks" -engine "$engine" -fsync "$1" >>"$work/table" || status=$?
	umount "$work/after"
	detach "$device"
	return $status
}

[ "$(id -u)" -eq 0 ] || {
	say "needs root, to mount file systems"
	exit 1
}
go build -o "$engine" ./cmd/engine
go build -o "$tool" ./internal/powercut
printf 'FSYNC\tACKNOWLEDGED\tLOST\tSESSIONS GONE\tOPENS TO WRITE\tVERIFY\n' >"$work/table"

failed=0
for setting in "${settings[@]}"; do
	say "--fsync=$setting, $(load_time "$setting") s of load"
	cut "$setting"
	status=0
	look "$setting" || status=$?
	case $setting-$status in
	*-0) ;;
	always-3) failed=1 ;;
	*-3) ;; # that setting may lose
	*) exit 1 ;;
	esac
done
column -t -s $'\t' "$work/table" 2>/dev/null || cat "$work/table"
[ $failed -eq 0 ] || say "--fsync=always has lost what it acknowledged, or left a log that does not verify"
exit $failed
