#!/usr/bin/env bash
# Unpacks what a run time of DiPerF's own is made of, the distribution's JDK and the libraries it wants, into DIR/java, and what an image has
# instead of a distribution into DIR/system, for one architecture, which need not be this machine's. Nothing is installed. Wants Debian's apt.
#
# Usage: sysroot.sh amd64|arm64 DIR
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
architecture=$1
root=$2
java=(
    openjdk-17-jre-headless openjdk-17-jdk-headless
    zlib1g libfreetype6 libharfbuzz0b libpng16-16 libbrotli1 libglib2.0-0 libgraphite2-3 libpcre2-8-0
    libjpeg62-turbo liblcms2-2 fonts-dejavu-core
)
system=(libc6 gcc-12-base libgcc-s1 libstdc++6 libc-bin busybox-static)

if [ -e "$root/complete" ]; then
    exit 0
fi
command -v apt-get >/dev/null || {
    echo "sysroot: expected apt-get, which fetches the JDK for $architecture, got none" >&2
    exit 3
}
mkdir -p "$root"/{apt/lists/partial,java,system}
root=$(cd "$root" && pwd)
: >"$root/apt/status"
apt=(apt-get -qq -o Dir::State="$root/apt" -o Dir::State::status="$root/apt/status" -o Dir::Cache="$root/apt"
    -o Dir::Etc::sourceparts="$root/apt/none" -o Dir::Etc::sourcelist="$root/apt/sources.list"
    -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o APT::Sandbox::User=root)
main=$(bash "$here/mirror.sh" bookworm)
security=$(bash "$here/mirror.sh" bookworm-security)
key=/usr/share/keyrings/debian-archive-keyring.gpg
cat >"$root/apt/sources.list" <<LIST
deb [signed-by=$key] $main bookworm main
deb [signed-by=$key] $security bookworm-security main
LIST
"${apt[@]}" update

unpack() {
    local to=$1 package name version source from of
    shift
    mkdir "$root/debs"
    (cd "$root/debs" && "${apt[@]}" download "$@")
    for package in "$root"/debs/*.deb; do
        dpkg-deb --extract "$package" "$root/$to"
        # Where the source of each is found, for the offer that the licences ask for.
        name=$(dpkg-deb --field "$package" Package)
        version=$(dpkg-deb --field "$package" Version)
        source=$(dpkg-deb --field "$package" Source)
        from=${source%% *}
        of=$(sed -n 's/.*(\(.*\)).*/\1/p' <<<"$source")
        printf '%s\t%s\t%s\t%s\n' "$name" "$version" "${from:-$name}" "${of:-$version}"
    done | LC_ALL=C sort >"$root/$to.tsv"
    rm -r "$root/debs"
}

unpack java "${java[@]}"
unpack system "${system[@]}"
touch "$root/complete"
