#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Build Debian packages from the archive of `make dist`: lay it and debian/ into a scratch tree and run
# dpkg-buildpackage.
#
# usage: deb.sh OUT DIST VERSION [OPTION]...     options of dpkg-buildpackage
set -eu
out=$1 dist=$2 version=$3 tree=$1/rpcrdma-$3
shift 3
rm -rf "$out"
mkdir -p "$out"
cp "$dist/rpcrdma-$version.tar.gz" "$out/rpcrdma_$version.orig.tar.gz"
tar -C "$out" -xzf "$out/rpcrdma_$version.orig.tar.gz"
cp -R "$tree/packaging/debian" "$tree/debian"
mv "$tree/debian/changelog.in" "$tree/debian/changelog"
sed -i "s,@VERSION@,$version,; s|@DATE@|$(date -R -u -d "@$(cat "$tree/.dist-date")")|" "$tree/debian/changelog"
(cd "$tree" && dpkg-buildpackage -us -uc "$@")
ls -l "$out"/*.deb
