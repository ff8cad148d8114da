#!/usr/bin/env bash
# Prints where a suite of Debian is fetched from: what apt's own sources say, or what DEBIAN_MIRROR names, such as http://HOST.
#
# Usage: mirror.sh bookworm|bookworm-security
set -euo pipefail

suite=$1
if [ -n "${DEBIAN_MIRROR:-}" ]; then
    case $suite in
        *-security) echo "$DEBIAN_MIRROR/debian-security" ;;
        *) echo "$DEBIAN_MIRROR/debian" ;;
    esac
    exit
fi
# shellcheck disable=SC2016
found=$(apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
    awk -v suite="$suite" '$1 == suite && !found {found = $2} END {print found}')
[ -n "$found" ] || {
    echo "mirror: expected $suite in apt's sources, got none; set DEBIAN_MIRROR=http://HOST, which has /debian and /debian-security" >&2
    exit 3
}
echo "$found"
