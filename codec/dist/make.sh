#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The codec as a folder that another source tree can take in: sources, headers, build files for CMake
# and Meson, and all of it again as one rpcrdma.c with one rpcrdma.h; the same of version 1 alone.
#
# usage: make.sh GENERATED VERSION FOLDER CODEC...
set -eu

generated=$1 version=$2 folder=$3
shift 3
here=$(dirname "$0")
rm -rf "$folder"
mkdir -p "$folder/include/rpcrdma" "$folder/src"
cp codec/include/rpcrdma/*.h "$folder/include/rpcrdma/"
cp codec/*.c "$folder/src/"
cp LICENSE codec/LICENSE.GPL-2.0 "$folder/"
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

# amalgamate FOLDER HEADERS SOURCES: one rpcrdma.h and one rpcrdma.c of them
amalgamate() {
    mkdir "$folder/$1"
    # shellcheck disable=SC2086 # lists of files
    awk -v include="$folder/include" -v version="$version" -v out=header -f "$here/amalgamate.awk" $2 \
        >"$folder/$1/rpcrdma.h"
    # shellcheck disable=SC2086
    awk -v include="$folder/include" -v version="$version" -v out=source -f "$here/amalgamate.awk" $3 \
        >"$folder/$1/rpcrdma.c"
}

amalgamate amalgamation "$(echo "$folder"/include/rpcrdma/*.h)" "$(echo "$folder"/src/*.c)"
mkdir "$folder/kernel"
cp codec/kernel/* "$folder/kernel/"
# What needs no header of others is version 1's.
headers=$folder/include/rpcrdma
amalgamate version1 "$headers/rpcrdma.h $headers/private_data.h" \
    "$(grep -LE '^#include <rpcrdma/(message|rpc|rpc_header|gss|rpcrdma2_[0-9]+)\.h>' "$folder"/src/*.c)"
