#!/usr/bin/env bash
# Makes the archives with a run time of their own, and the deb. Called by the build (mvn -Prelease); the same input gives
# the same bytes.
#
#   VERSION          of DiPerF
#   TIMESTAMP        that all files get, such as 2026-11-21T00:00:00Z
#   JAR              the controller's
#   PARTS            folder with plugins/, licenses/, sbom.json
#   OUT              folder for what is made
#   SYSROOTS         folder for what run times are made of, fetched where it is not there
#   ARCHITECTURES    any of amd64, arm64
#   JDK              whose jlink is used
set -euo pipefail
export LC_ALL=C TZ=UTC

here=$(cd "$(dirname "$0")/.." && pwd)
root=$(cd "$here/../.." && pwd)
SOURCE_DATE_EPOCH=$(date -u -d "$TIMESTAMP" +%s)
export SOURCE_DATE_EPOCH
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

# Licences of what is not in the jar, and where its source is.
licences_of_run_time() {
    local sysroot=$1 folder=$2 package version source of
    mkdir -p "$folder"
    {
        echo 'The run time is OpenJDK 17 as Debian builds it, under the GNU General Public License, version 2, with the Classpath'
        echo 'Exception (legal/), linked anew by jlink; the libraries and fonts beside it are Debian'"'"'s too, unchanged but for'
        echo 'the place where they look for each other. Their source, as Debian keeps it:'
        echo
        while IFS=$'\t' read -r package version source of; do
            echo "$package $version: https://snapshot.debian.org/package/$source/$of/"
            cp -L "$sysroot/files/usr/share/doc/$package/copyright" "$folder/$package.txt" 2>/dev/null ||
                cp -L "$sysroot/files/usr/share/doc/$source/copyright" "$folder/$package.txt" 2>/dev/null ||
                [ "$package" = openjdk-17-jdk-headless ] || fail "expected the licence of $package, got none"
        done <"$sysroot/packages.tsv"
        echo
        echo 'Whoever got this archive may also ask the project for that source, for three years from its release, at the cost of'
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

papers() {
    local folder=$1
    mkdir -p "$folder"
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
    local architecture=$1 machine runner=()
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
    jdk=$(echo "$sysroot"/files/usr/lib/jvm/java-17-openjdk-*)
    "$JDK/bin/jlink" --module-path "$jdk/jmods" --add-modules "$modules" --strip-java-debug-attributes --no-man-pages \
        --no-header-files --output "$home/lib/runtime"
    # What opens windows and plays sounds.
    rm "$home"/lib/runtime/lib/lib{awt_xawt,jawt,splashscreen,jsound}.so
    libraries "$sysroot/files" "$home/lib/runtime"
    fonts "$sysroot/files" "$home/lib/runtime"
    licences_of_run_time "$sysroot" "$home/licenses/runtime"
    even "$home"
    # The run time's own classes as a JVM keeps them in memory; without it there can be no such archive of DiPerF's.
    if [ "$machine" = "$(uname -m)" ]; then
        own_classes "$home/lib/runtime"
    fi
    even "$home"
    tar --create --file - --directory "$work" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner \
        --mtime="@$SOURCE_DATE_EPOCH" "$name" | gzip -9n >"$OUT/$name.tar.gz"
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
    sed -e "s/@VERSION@/$version/" -e "s/@SIZE@/$(du -sk --apparent-size "$home/usr" | cut -f1)/" "$here/deb/control" \
        >"$home/DEBIAN/control"
    (cd "$home" && find usr -type f | sort | xargs -d '\n' md5sum >DEBIAN/md5sums)
    even "$home"
    dpkg-deb --root-owner-group -Zxz --build "$home" "$OUT/$name.deb" >/dev/null
}

for tool in readelf patchelf dpkg-deb; do
    command -v "$tool" >/dev/null || fail "expected $tool, got none. On Debian: apt-get install binutils patchelf dpkg"
done
modules_suffice
install -m 644 "$JAR" "$OUT/diperf-$VERSION.jar"
"$JDK/bin/java" -XX:TieredStopAtLevel=1 -jar "$JAR" schema >"$OUT/diperf.schema.json"
for each in $ARCHITECTURES; do archive "$each"; done
deb
rm -rf "$work"
(cd "$OUT" && sha256sum -- *.jar *.tar.gz *.deb diperf.schema.json >SHA256SUMS)
say "in $OUT:"
cat "$OUT/SHA256SUMS"
