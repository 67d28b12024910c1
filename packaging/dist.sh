#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Lay out what the archives of a release hold: the sources with the generated codec, and the vectors
# with an index.
#
# usage: dist.sh BUILD OUT VERSION DATE URL MAINTAINER
set -eu
build=$1 out=$2 version=$3 date=$4 url=$5 maintainer=$6
sources=$out/rpcrdma-$version vectors=$out/rpcrdma-vectors-$version
mkdir -p "$sources" "$vectors/recorded" "$vectors/v2-04" "$vectors/v2-07"

sh .ci/files.sh | tar -cf - -T - | tar -C "$sources" -xf -
sh .ci/files.sh >"$sources/MANIFEST"
echo "$date" >"$sources/.dist-date"
sh packaging/address.sh "$sources" "$url" "$maintainer"
# To be read, and to be compiled without the generator; a build makes its own.
mkdir -p "$sources/generated/rpcrdma"
cp "$build"/gen/rpcrdma/*.h "$sources/generated/rpcrdma/"
for object in $(ar t "$build/librpcrdma.a"); do
    source=$build/gen/${object%.o}.c
    [ ! -f "$source" ] || cp "$source" "$sources/generated/"
done

cp vectors/*.json vectors/README.md LICENSE "$vectors/"
cp vectors/recorded/* "$vectors/recorded/"
cp vectors/v2-04/*.json "$vectors/v2-04/"
cp vectors/v2-07/*.json "$vectors/v2-07/"
python3 packaging/vector_index.py "$build/rpcrdma" "$vectors"
