#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Build Debian packages: lay the sources and debian/ into a scratch tree and run dpkg-buildpackage.
#
# usage: deb.sh OUT VERSION URL MAINTAINER [OPTION]...     options of dpkg-buildpackage
set -eu
out=$1 version=$2 tree=$1/rpcrdma-$2 url=$3 maintainer=$4
shift 4
rm -rf "$out"
mkdir -p "$tree"
sh .ci/files.sh | tar -cf - -T - | tar -C "$tree" -xf -
sh .ci/files.sh >"$tree/MANIFEST"
date=$(git log -1 --format=%cD 2>/dev/null || date -R -d "@$(cat .dist-date)")
tar -C "$out" --sort=name --owner=0 --group=0 --numeric-owner --mtime="$date" -cf - "rpcrdma-$version" |
    gzip -9n >"$out/rpcrdma_$version.orig.tar.gz"
cp -R packaging/debian "$tree/debian"
mv "$tree/debian/changelog.in" "$tree/debian/changelog"
sed -i "s,@VERSION@,$version,; s|@DATE@|$date|" "$tree/debian/changelog"
sh packaging/address.sh "$tree/debian" "$url" "$maintainer"
(cd "$tree" && dpkg-buildpackage -us -uc "$@")
ls -l "$out"/*.deb
