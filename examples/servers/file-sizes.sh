#!/bin/sh
# Makes folders 8KiB, 16KiB, ... 32MiB below FOLDER, each with 32 files of that size, named by numbers from 0. What is there stays.
# Usage: file-sizes.sh FOLDER
set -eu
umask 022
kib=8
while [ "$kib" -le 32768 ]; do
    name=${kib}KiB
    [ "$kib" -lt 1024 ] || name=$((kib / 1024))MiB
    mkdir -p "$1/$name"
    number=0
    while [ "$number" -lt 32 ]; do
        [ -f "$1/$name/$number" ] || truncate -s "${kib}K" "$1/$name/$number"
        number=$((number + 1))
    done
    kib=$((kib * 2))
done
