#!/usr/bin/env bash
# Makes the archives with a run time of their own, the container image, the deb, and Homebrew's formula. Called by the build (mvn -Prelease);
# the same input gives the same bytes.
#
#   VERSION          of DiPerF
#   HOME_URL         where the project is at home; may be empty
#   TIMESTAMP        that all files get, such as 2026-11-21T00:00:00Z
#   JAR              the controller's
#   PARTS            folder with plugins/, licenses/, sbom.json
#   OUT              folder for what is made
#   SYSROOTS         folder for what run times are made of, fetched where it is not there
#   ARCHITECTURES    any of amd64, arm64
#   ARTEFACTS        what is made besides jar and archives, any of image, deb, formula
#   JDK              whose jlink is used
set -euo pipefail
export LC_ALL=C TZ=UTC
umask 022

here=$(cd "$(dirname "$0")/.." && pwd)
root=$(cd "$here/../.." && pwd)
SOURCE_DATE_EPOCH=$(date -u -d "$TIMESTAMP" +%s)
export SOURCE_DATE_EPOCH HOME_URL=${HOME_URL:-}
work=$OUT/work
rm -rf "$work"
mkdir -p "$work"

# What jdeps finds, and what is found by name only: the curves of TLS and ssh, the kernel's view of the process, names of
# hosts and directories, character sets, and the compiler-free tools a user may want to attach.
modules=java.base,java.desktop,java.logging,java.management,java.naming,java.net.http,java.security.jgss,java.security.sasl
modules=$modules,java.sql,java.xml,jdk.attach,jdk.charsets,jdk.crypto.ec,jdk.httpserver,jdk.jcmd,jdk.jfr,jdk.management
modules=$modules,jdk.naming.dns,jdk.net,jdk.security.auth,jdk.security.jgss,jdk.unsupported,jdk.zipfs,java.instrument
modules=$modules,java.compiler,java.scripting,java.rmi,java.transaction.xa

say() { echo "release: $*"; }

fail() {
    echo "release: $*" >&2
    exit 1
}

modules_suffice() {
    local wanted each
    wanted=$("$JDK/bin/jdeps" --multi-release 17 --ignore-missing-deps --print-module-deps "$JAR")
    for each in ${wanted//,/ }; do
        [[ ,$modules, == *,$each,* ]] || fail "expected a run time with all modules that the jar uses, not there: $each"
    done
}

# The libraries that a run time wants and that no system without a desktop has, beside those that want them.
libraries() {
    local files=$1 runtime=$2 file needed found
    local todo=("$runtime"/lib/*.so "$runtime"/lib/server/*.so)
    while [ ${#todo[@]} -gt 0 ]; do
        file=${todo[0]}
        todo=("${todo[@]:1}")
        for needed in $(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
            case $needed in
                # The C and C++ libraries, which every system has that runs programs in them.
                libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | ld-linux* | libstdc++.so.* | libgcc_s.so.*)
                    continue
                    ;;
            esac
            [ -e "$runtime/lib/$needed" ] || [ -e "$runtime/lib/server/$needed" ] && continue
            found=$(find "$files/lib" "$files/usr/lib" -name "$needed" -not -path '*/jvm/*' 2>/dev/null | head -n 1)
            [ -n "$found" ] || fail "expected $needed, which ${file##*/} needs, got none in $files"
            cp -L "$found" "$runtime/lib/$needed"
            chmod 755 "$runtime/lib/$needed"
            # shellcheck disable=SC2016
            patchelf --set-rpath '$ORIGIN' "$runtime/lib/$needed"
            todo+=("$runtime/lib/$needed")
        done
    done
}

# Has a run time write its own classes as its JVM keeps them in memory. Which of the JVM's threads comes first decides some of the bytes, the more
# the busier the machine is: so on one processor, interpreted, at fixed addresses, and what comes out most often.
own_classes() {
    local runtime=$1 processor draft
    processor=$(taskset --cpu-list --pid $$ | sed 's/.*: *//; s/[,-].*//')
    draft=$(mktemp -d)
    for i in 1 2 3 4 5 6 7; do
        taskset --cpu-list "$processor" setarch --addr-no-randomize "$runtime/bin/java" -Xint -XX:+UnlockExperimentalVMOptions \
            -XX:hashCode=3 -XX:+UseSerialGC -XX:SharedArchiveFile="$draft/$i.jsa" -Xshare:dump >/dev/null
    done
    local most
    most=$(cd "$draft" && sha256sum -- *.jsa | sort | awk '{count[$1]++; file[$1] = $2}
        END {for (sum in count) if (count[sum] > most || count[sum] == most && sum < best) {most = count[sum]; best = sum} print file[best]}')
    mv "$draft/$most" "$runtime/lib/server/classes.jsa"
    chmod 644 "$runtime/lib/server/classes.jsa"
    rm -rf "$draft"
}

# Java finds its fonts by this file and asks no library for them.
fonts() {
    local files=$1 runtime=$2 name style
    mkdir -p "$runtime/lib/fonts"
    for name in DejaVuSans DejaVuSans-Bold DejaVuSansMono DejaVuSerif; do
        cp "$files/usr/share/fonts/truetype/dejavu/$name.ttf" "$runtime/lib/fonts/"
    done
    {
        echo version=1
        for style in plain bold italic bolditalic; do
            for name in serif sansserif monospaced dialog dialoginput; do
                case $name.$style in
                    serif.*) echo "$name.$style.latin-1=DejaVu Serif" ;;
                    monospaced.* | dialoginput.*) echo "$name.$style.latin-1=DejaVu Sans Mono" ;;
                    *.bold*) echo "$name.$style.latin-1=DejaVu Sans Bold" ;;
                    *) echo "$name.$style.latin-1=DejaVu Sans" ;;
                esac
            done
        done
        echo sequence.allfonts=latin-1
        echo 'filename.DejaVu_Sans=$JRE_LIB_FONTS/DejaVuSans.ttf'
        echo 'filename.DejaVu_Sans_Bold=$JRE_LIB_FONTS/DejaVuSans-Bold.ttf'
        echo 'filename.DejaVu_Sans_Mono=$JRE_LIB_FONTS/DejaVuSansMono.ttf'
        echo 'filename.DejaVu_Serif=$JRE_LIB_FONTS/DejaVuSerif.ttf'
    } >"$runtime/lib/fontconfig.properties"
}

# Licences of Debian's packages, and where their source is; standard input says what they are.
licences_of_packages() {
    local sysroot=$1 part=$2 folder=$3 package version source of
    mkdir -p "$folder"
    {
        cat
        echo
        while IFS=$'\t' read -r package version source of; do
            echo "$package $version: https://snapshot.debian.org/package/$source/$of/"
            cp -L "$sysroot/$part/usr/share/doc/$package/copyright" "$folder/$package.txt" 2>/dev/null ||
                cp -L "$sysroot/$part/usr/share/doc/$source/copyright" "$folder/$package.txt" 2>/dev/null ||
                [ "$package" = openjdk-17-jdk-headless ] || fail "expected the licence of $package, got none"
        done <"$sysroot/$part.tsv"
        echo
        echo 'Whoever got this may also ask the project for that source, for three years from its release, at the cost of'
        echo 'sending it.'
    } >"$folder/SOURCES"
}

# What every package has.
program() {
    local home=$1
    mkdir -p "$home/bin" "$home/lib" "$home/plugins"
    install -m 755 "$here/bin/diperf" "$home/bin/diperf"
    install -m 644 "$JAR" "$home/lib/diperf.jar"
    ln -s ../plugins "$home/lib/plugins"
    if [ -d "$PARTS/plugins" ]; then
        find "$PARTS/plugins" -name '*.jar' -exec install -m 644 -t "$home/plugins" {} +
    fi
}

# Fills in a text; lines that name the project's home go where it has none.
fill() {
    sed -e "s|@VERSION@|$VERSION|g" -e "${HOME_URL:+s|@HOME@|$HOME_URL|g}" -e '/@HOME@/d' "$1"
}

papers() {
    local folder=$1
    mkdir -p "$folder"
    fill "$here/README" >"$folder/README"
    install -m 644 "$root/LICENSE" "$folder/LICENSE"
    install -m 644 "$PARTS/sbom.json" "$folder/sbom.json"
    install -m 644 "$root/docs/SKILL.md" "$folder/SKILL.md"
    install -m 644 "$OUT/diperf.schema.json" "$folder/diperf.schema.json"
    cp -R "$PARTS/licenses" "$folder/licenses"
    # Of libraries that bring no text.
    find "$folder/licenses" -type d -empty -delete
}

completions() {
    "$JDK/bin/java" -XX:TieredStopAtLevel=1 -jar "$JAR" completion "$1" >"$2"
}

even() {
    find "$1" -type d -exec chmod 755 {} +
    find "$1" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
}

archive() {
    local architecture=$1 machine
    case $architecture in
        amd64) machine=x86_64 ;;
        arm64) machine=aarch64 ;;
        *) fail "expected amd64 or arm64, got $architecture" ;;
    esac
    local name=diperf-$VERSION-linux-$machine sysroot=$SYSROOTS/sysroot-$architecture
    local home=$work/$name
    say "$name"
    bash "$here/build/sysroot.sh" "$architecture" "$sysroot"
    program "$home"
    papers "$home"
    mkdir -p "$home/completions"
    for shell in bash zsh fish; do completions $shell "$home/completions/diperf.$shell"; done
    local jdk
    jdk=$(echo "$sysroot"/java/usr/lib/jvm/java-17-openjdk-*)
    "$JDK/bin/jlink" --module-path "$jdk/jmods" --add-modules "$modules" --strip-java-debug-attributes --no-man-pages \
        --no-header-files --output "$home/lib/runtime"
    # What opens windows and plays sounds.
    rm "$home"/lib/runtime/lib/lib{awt_xawt,jawt,splashscreen,jsound}.so
    libraries "$sysroot/java" "$home/lib/runtime"
    fonts "$sysroot/java" "$home/lib/runtime"
    licences_of_packages "$sysroot" java "$home/licenses/runtime" <<'TEXT'
The run time is OpenJDK 17 as Debian builds it, under the GNU General Public License, version 2, with the Classpath
Exception (legal/), linked anew by jlink; the libraries and fonts beside it are Debian's too, unchanged but for
the place where they look for each other. Their source, as Debian keeps it:
TEXT
    even "$home"
    # The run time's own classes as a JVM keeps them in memory; without it there can be no such archive of DiPerF's.
    if [ "$machine" = "$(uname -m)" ]; then
        own_classes "$home/lib/runtime"
    fi
    even "$home"
    tar --create --file - --directory "$work" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner \
        --mtime="@$SOURCE_DATE_EPOCH" "$name" | gzip -9n >"$OUT/$name.tar.gz"
    licences_of_packages "$sysroot" system "$home/licenses/system" <<'TEXT'
The C and C++ libraries and the shell of the image are Debian's, unchanged. Their source, as Debian keeps it:
TEXT
    images+=("$architecture=$home=$sysroot")
}

image() {
    say "diperf-$VERSION-image.tar"
    bash "$here/build/image.sh" "$OUT/diperf-$VERSION-image.tar" "${images[@]}"
}

# For Debian and its relatives, with the Java that they care for.
deb() {
    local version=${VERSION/-SNAPSHOT/~snapshot}
    local name=diperf_${version}_all
    local home=$work/$name
    say "$name.deb"
    program "$home/usr/lib/diperf"
    papers "$home/usr/share/doc/diperf"
    mv "$home/usr/share/doc/diperf/LICENSE" "$home/usr/share/doc/diperf/copyright"
    gzip -9nc "$root/CHANGELOG.md" >"$home/usr/share/doc/diperf/changelog.gz"
    mkdir -p "$home/usr/bin" "$home/usr/share/bash-completion/completions" "$home/usr/share/zsh/vendor-completions" \
        "$home/usr/share/fish/vendor_completions.d" "$home/DEBIAN"
    ln -s ../lib/diperf/bin/diperf "$home/usr/bin/diperf"
    completions bash "$home/usr/share/bash-completion/completions/diperf"
    install -m 644 "$here/deb/_diperf" "$home/usr/share/zsh/vendor-completions/_diperf"
    completions fish "$home/usr/share/fish/vendor_completions.d/diperf.fish"
    VERSION=$version fill "$here/deb/control" |
        sed "s/@SIZE@/$(du -sk --apparent-size "$home/usr" | cut -f1)/" >"$home/DEBIAN/control"
    (cd "$home" && find usr -type f | sort | xargs -d '\n' md5sum >DEBIAN/md5sums)
    even "$home"
    dpkg-deb --root-owner-group -Zxz --build "$home" "$OUT/$name.deb" >/dev/null
}

# A release is where GitHub, Gitea and Forgejo have it, or next to the formula.
formula() {
    # It names the archives of both.
    [ ${#images[@]} -eq 2 ] || return 0
    local from=${HOME_URL:+$HOME_URL/releases/download/v$VERSION}
    fill "$here/homebrew/diperf.rb" | sed -e "s|@FROM@|${from:-file://#{__dir__\}}|" \
        -e "s|@JAR@|$(sum "diperf-$VERSION.jar")|" \
        -e "s|@X86_64@|$(sum "diperf-$VERSION-linux-x86_64.tar.gz")|" \
        -e "s|@AARCH64@|$(sum "diperf-$VERSION-linux-aarch64.tar.gz")|" >"$OUT/diperf.rb"
}

sum() {
    sha256sum "$OUT/$1" | cut -d ' ' -f 1
}

for tool in readelf patchelf dpkg-deb jq; do
    command -v "$tool" >/dev/null || fail "expected $tool, got none. On Debian: apt-get install binutils patchelf dpkg jq"
done
modules_suffice
install -m 644 "$JAR" "$OUT/diperf-$VERSION.jar"
"$JDK/bin/java" -XX:TieredStopAtLevel=1 -jar "$JAR" schema >"$OUT/diperf.schema.json"
images=()
for each in $ARCHITECTURES; do archive "$each"; done
for each in ${ARTEFACTS:-}; do $each; done
rm -rf "$work"
(cd "$OUT" && shopt -s nullglob && sha256sum -- *.jar *.tar *.tar.gz *.deb *.rb diperf.schema.json >SHA256SUMS)
say "in $OUT:"
cat "$OUT/SHA256SUMS"
