#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Build RPM packages from the archive of `make dist`. Where Debian's packages are installed and not Fedora's, the names of
# what it builds with say nothing.
#
# usage: rpm.sh OUT DIST URL MAINTAINER
set -eu
out=$1 dist=$2
rm -rf "$out"
mkdir -p "$out/SOURCES" "$out/SPECS"
cp "$dist"/rpcrdma-[0-9]*.tar.gz "$out/SOURCES/"
cp packaging/rpm/rpcrdma.spec "$out/SPECS/"
sh packaging/address.sh "$out/SPECS" "$3" "$4"
# The flags are those of Fedora's macro, where it is not.
if rpm -q gcc >/dev/null 2>&1; then
    set --
else
    set -- --nodeps --define 'build_ldflags -Wl,-z,relro -Wl,-z,now'
fi
rpmbuild -ba --define "_topdir $(realpath "$out")" "$@" "$out/SPECS/rpcrdma.spec"
find "$out" -name '*.rpm' -exec ls -l {} +
