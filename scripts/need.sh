#!/usr/bin/env bash
# need.sh COMMAND… makes sure that each command exists. What Debian packages is
# installed when it is missing and we may; everything else is named and refused.
set -euo pipefail

package_of() {
	case $1 in
	gcc) echo "gcc libc6-dev" ;;
	make) echo make ;;
	mkfs.ext4) echo e2fsprogs ;;
	losetup) echo mount ;;
	esac
}

PATH=$PATH:/usr/sbin:/sbin
packages=()
for command in "$@"; do
	command -v "$command" >/dev/null && continue
	package=$(package_of "$command")
	if [ -z "$package" ]; then
		echo "need: $command is missing; go.mod says which version of Go the module wants" >&2
		exit 1
	fi
	# shellcheck disable=SC2206 # one command may need several packages
	packages+=($package)
done
[ ${#packages[@]} -gt 0 ] || exit 0

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo -n)
echo "need: installing ${packages[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${packages[@]}"
