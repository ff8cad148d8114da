#!/bin/sh
# Makes folders 8KiB, 16KiB, ... 64MiB below FOLDER, each with files 0, 1, 2, ... of that size: 64 of them, or 64 MiB where that is less.
# Usage: file-sizes.sh FOLDER
set -eu
umask 022
kib=8
while [ "$kib" -le 65536 ]; do
    name=${kib}KiB
    [ "$kib" -lt 1024 ] || name=$((kib / 1024))MiB
    mkdir -p "$1/$name"
    count=$((65536 / kib))
    [ "$count" -le 64 ] || count=64
    number=0
    while [ "$number" -lt "$count" ]; do
        truncate -s "${kib}K" "$1/$name/$number"
        number=$((number + 1))
    done
    kib=$((kib * 2))
done
