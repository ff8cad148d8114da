#!/usr/bin/env bash
# Makes a container image for several architectures out of unpacked archives, as a tar in the layout of OCI's image specification. Needs no
# root and no daemon; the same input gives the same bytes.
#
# Usage: image.sh TAR ARCHITECTURE=ARCHIVE=SYSROOT...     with VERSION, TIMESTAMP and HOME_URL as in release.sh
set -euo pipefail
export LC_ALL=C TZ=UTC
umask 022

tar=$1
shift
name=localhost/diperf:$VERSION
# Any number will do that is nobody else's.
user=65532
applets="awk basename cat chmod cp cut date dd df dirname du echo env expr false find free grep gunzip gzip head hostname httpd id kill ln
    ls mkdir mktemp mv nc nproc nslookup ping ps pwd readlink rm rmdir sed sh sleep sort stat tail tar tee test timeout top touch tr true
    uname uniq vi wc wget which xargs"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
layout=$work/layout
mkdir -p "$layout/blobs/sha256"

pack() {
    tar --create --file - --directory "$1" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="$TIMESTAMP" .
}

# Keeps a file as a blob; prints its descriptor.
blob() {
    local file=$1 type=$2 digest size
    digest=$(sha256sum "$file" | cut -d ' ' -f 1)
    size=$(stat -c %s "$file")
    mv "$file" "$layout/blobs/sha256/$digest"
    jq -nc --arg type "application/vnd.oci.image.$type" --arg digest "sha256:$digest" --argjson size "$size" \
        '{mediaType: $type, digest: $digest, size: $size}'
}

# Instead of a distribution: the C library, a shell, and folders that whoever it runs as may write to.
system() {
    local from=$1 to=$2 each
    mkdir -p "$to"/{bin,etc,home/diperf,tmp,work,usr/bin,usr/lib/locale}
    cp -R "$from/lib" "$to/lib"
    [ ! -e "$from/lib64" ] || cp -R "$from/lib64" "$to/lib64"
    (cd "$from" && cp -R --parents usr/lib/*/libstdc++.so.* usr/lib/locale/C.utf8 "$to")
    cp "$from/bin/busybox" "$to/bin/busybox"
    for each in $applets; do ln -s busybox "$to/bin/$each"; done
    ln -s /bin/busybox "$to/usr/bin/env"
    printf 'root:x:0:0:root:/root:/bin/sh\ndiperf:x:%s:%s::/home/diperf:/bin/sh\n' $user $user >"$to/etc/passwd"
    printf 'root:x:0:\ndiperf:x:%s:\n' $user >"$to/etc/group"
    echo 'hosts: files dns' >"$to/etc/nsswitch.conf"
    chmod 1777 "$to"/{home/diperf,tmp,work}
}

# Prints the descriptor of the image for an architecture.
image() {
    local architecture=$1 archive=$2 sysroot=$3 parts=$work/$1 part layers=() contents=()
    system "$sysroot/system" "$parts/1"
    mkdir -p "$parts/2/opt/diperf/lib" "$parts/3/opt" "$parts/3/usr/local/bin"
    cp -R "$archive" "$parts/3/opt/diperf"
    mv "$parts/3/opt/diperf/lib/runtime" "$parts/2/opt/diperf/lib/runtime"
    ln -s /opt/diperf/bin/diperf "$parts/3/usr/local/bin/diperf"
    for part in 1 2 3; do
        pack "$parts/$part" >"$work/layer"
        contents+=("sha256:$(sha256sum "$work/layer" | cut -d ' ' -f 1)")
        gzip -9n "$work/layer"
        layers+=("$(blob "$work/layer.gz" layer.v1.tar+gzip)")
    done
    rm -rf "$parts"
    # Nothing is kept for a next run, which would start without it, unless something is mounted at /cache.
    jq -nc --arg architecture "$architecture" --arg user $user --arg created "$TIMESTAMP" --arg version "$VERSION" --arg home "$HOME_URL" '
        {
            architecture: $architecture, os: "linux", created: $created,
            config: {
                User: "\($user):\($user)", WorkingDir: "/work", Entrypoint: ["diperf"], Cmd: ["--help"],
                Env: ["PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/home/diperf", "XDG_CACHE_HOME=/cache", "LANG=C.UTF-8"],
                Labels: ({
                    title: "DiPerF", description: "Measures a networked service the way its users meet it", version: $version,
                    licenses: "Apache-2.0", created: $created
                } + if $home == "" then {} else {url: $home, documentation: $home, source: $home} end
                    | with_entries(.key |= "org.opencontainers.image.\(.)"))
            },
            rootfs: {type: "layers", diff_ids: $ARGS.positional},
            history: [$ARGS.positional[] | {created: $created, created_by: "diperf"}]
        }' --args "${contents[@]}" >"$work/config"
    jq -nc --argjson config "$(blob "$work/config" config.v1+json)" --argjson layers "$(jq -sc . <<<"${layers[*]}")" \
        '{schemaVersion: 2, mediaType: "application/vnd.oci.image.manifest.v1+json", config: $config, layers: $layers}' >"$work/manifest"
    # What Docker reads that has no store of containerd's.
    jq -c --arg name "$name-$architecture" '{Config: .config.digest, RepoTags: [$name], Layers: [.layers[].digest]}
        | .Config |= sub("sha256:"; "blobs/sha256/") | .Layers[] |= sub("sha256:"; "blobs/sha256/")' "$work/manifest" >>"$work/docker"
    blob "$work/manifest" manifest.v1+json | jq -c --arg architecture "$architecture" '. + {platform: {architecture: $architecture, os: "linux"}}'
}

for each in "$@"; do
    IFS='=' read -r architecture archive sysroot <<<"$each"
    image "$architecture" "$archive" "$sysroot"
done >"$work/images"
jq -sc '{schemaVersion: 2, mediaType: "application/vnd.oci.image.index.v1+json", manifests: .}' "$work/images" >"$work/index"
# One entry, the index of all architectures, so that whoever loads it takes that of the machine.
blob "$work/index" index.v1+json | jq -c --arg name "$name" --arg version "$VERSION" '
    {schemaVersion: 2, mediaType: "application/vnd.oci.image.index.v1+json", manifests: [. + {annotations: {
        "io.containerd.image.name": $name, "org.opencontainers.image.ref.name": $version}}]}' >"$layout/index.json"
jq -sc . "$work/docker" >"$layout/manifest.json"
echo '{"imageLayoutVersion":"1.0.0"}' >"$layout/oci-layout"
pack "$layout" >"$tar"
