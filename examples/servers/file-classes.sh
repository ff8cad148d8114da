#!/bin/sh
# Makes folders of 256 MiB each below FOLDER, for N clients with the same files each, named CLIENT-NUMBER: small-files (8 KiB to 4 MiB, sizes by two),
# medium-files (8 to 32 MiB, by two) and large-files (64 MiB). Usage: file-classes.sh FOLDER N
set -eu
umask 022
folder=$1
clients=$2
# Makes the files of one class, SUBFOLDER SIZES: each size in KiB in turn, until each client has its share; the last one fills it up.
class() {
    rm -rf "${folder:?}/$1"
    mkdir -p "$folder/$1"
    client=0
    while [ "$client" -lt "$clients" ]; do
        left=$((256 * 1024 / clients))
        number=0
        while [ "$left" -gt 0 ]; do
            for kib in $2; do
                [ "$kib" -le "$left" ] || kib=$left
                [ "$kib" -gt 0 ] || break
                truncate -s "${kib}K" "$folder/$1/$client-$number"
                left=$((left - kib))
                number=$((number + 1))
            done
        done
        client=$((client + 1))
    done
}
class small-files "8 16 32 64 128 256 512 1024 2048 4096"
class medium-files "8192 16384 32768"
class large-files "65536"
