#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compare the shared libraries with those of the last tag. Status 1: something that callers rely on has
# changed.
#
# usage: abi.sh BUILD
set -eu
build=$1
tag=$(git describe --tags --abbrev=0 2>/dev/null) || {
    echo 'abi: there is no tag yet, so there is nothing to compare with'
    exit 0
}
old=$build/abi/$tag
if [ ! -e "$old/build/librpcrdma.so" ]; then
    mkdir -p "$old"
    git archive "$tag" | tar -C "$old" -xf -
    make -C "$old" DEPS=no BUILD=build build/librpcrdma.so build/librpcrdma-check.so >/dev/null
fi
for library in librpcrdma librpcrdma-check; do
    # 4: the interface changed; 8: incompatibly.
    status=0
    abidiff --headers-dir1 "$old/codec/include" --headers-dir2 codec/include \
        "$old/build/$library.so" "$build/$library.so" || status=$?
    [ $((status & 8)) -eq 0 ] || { echo "abi: $library breaks its callers since $tag"; exit 1; }
done
echo "abi: compatible with $tag"
