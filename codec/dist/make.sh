#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The codec as a folder that another source tree can take in: sources, headers, build files for CMake
# and Meson, and all of it again as one rpcrdma.c with one rpcrdma.h.
#
# usage: make.sh GENERATED VERSION FOLDER CODEC...
set -eu

generated=$1 version=$2 folder=$3
shift 3
here=$(dirname "$0")
rm -rf "$folder"
mkdir -p "$folder/include/rpcrdma" "$folder/src" "$folder/amalgamation"
cp codec/include/rpcrdma/*.h "$folder/include/rpcrdma/"
cp codec/*.c "$folder/src/"
cp LICENSE "$folder/"
for codec in "$@"; do
    cp "$generated/rpcrdma/$codec.h" "$folder/include/rpcrdma/"
    cp "$generated/$codec.c" "$folder/src/"
done
for file in README.md CMakeLists.txt meson.build; do
    sources=$(cd "$folder" && echo src/*.c)
    quoted=$(cd "$folder" && printf "'%s', " src/*.c)
    sed "s|@VERSION@|$version|g; s|@SOURCES@|$sources|; s|@QUOTED_SOURCES@|${quoted%, }|" \
        "$here/$file.in" >"$folder/$file"
done
awk -v include="$folder/include" -v version="$version" -v out=header -f "$here/amalgamate.awk" \
    "$folder"/include/rpcrdma/*.h >"$folder/amalgamation/rpcrdma.h"
awk -v include="$folder/include" -v version="$version" -v out=source -f "$here/amalgamate.awk" \
    "$folder"/src/*.c >"$folder/amalgamation/rpcrdma.c"
