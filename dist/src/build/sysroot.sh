#!/usr/bin/env bash
# Unpacks what a run time of DiPerF's own is made of: the distribution's JDK and the libraries it wants, for one architecture,
# which need not be this machine's. Nothing is installed. Wants Debian's apt.
#
# Usage: sysroot.sh amd64|arm64 DIR
set -euo pipefail

architecture=$1
root=$2
packages=(
    openjdk-17-jre-headless openjdk-17-jdk-headless
    zlib1g libfreetype6 libharfbuzz0b libpng16-16 libbrotli1 libglib2.0-0 libgraphite2-3 libpcre2-8-0
    libjpeg62-turbo liblcms2-2 fonts-dejavu-core
)

if [ -e "$root/complete" ]; then
    exit 0
fi
command -v apt-get >/dev/null || {
    echo "sysroot: expected apt-get, which fetches the JDK for $architecture, got none" >&2
    exit 3
}
mkdir -p "$root"/{apt/lists/partial,debs,files}
root=$(cd "$root" && pwd)
: >"$root/apt/status"
apt=(apt-get -qq -o Dir::State="$root/apt" -o Dir::State::status="$root/apt/status" -o Dir::Cache="$root/apt"
    -o Dir::Etc::sourceparts="$root/apt/none" -o Dir::Etc::sourcelist="$root/apt/sources.list"
    -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o APT::Sandbox::User=root)
mirror=${DEBIAN_MIRROR:-http://deb.debian.org}
key=/usr/share/keyrings/debian-archive-keyring.gpg
cat >"$root/apt/sources.list" <<LIST
deb [signed-by=$key] $mirror/debian bookworm main
deb [signed-by=$key] $mirror/debian-security bookworm-security main
LIST
"${apt[@]}" update
cd "$root/debs"
"${apt[@]}" download "${packages[@]}"
for package in *.deb; do
    dpkg-deb --extract "$package" "$root/files"
    # Where the source of each is found, for the offer that the licences ask for.
    name=$(dpkg-deb --field "$package" Package)
    version=$(dpkg-deb --field "$package" Version)
    source=$(dpkg-deb --field "$package" Source)
    from=${source%% *}
    of=$(sed -n 's/.*(\(.*\)).*/\1/p' <<<"$source")
    printf '%s\t%s\t%s\t%s\n' "$name" "$version" "${from:-$name}" "${of:-$version}"
done | LC_ALL=C sort >"$root/packages.tsv"
touch "$root/complete"
