#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Take over what is made out of the sources and kept in the tree: the vectors' recordings, the findings
# in a recorded capture, and the sums. `make accept` has made the vectors before.
#
# usage: accept.sh BUILD PROGRAM...
#
# The programs are tests that compare with a list of sums.
set -eu
build=$1
shift
export SUMS=write

for file in vectors/recorded/*.json; do
    name=${file%.json}
    (cd "${name%/*}" && "$OLDPWD/$build/rpcrdma" check --record "${name##*/}.json" "${name##*/}.pcap") >/dev/null || [ $? -eq 1 ]
done
sh conformance/tests/traffic_test.sh "$build/rpcrdma" >/dev/null || true # what else it says is for make check
for program in "$@"; do
    "$program" >"$build/accept.out" 2>&1 || { cat "$build/accept.out"; exit 1; }
done
rm -f "$build/accept.out"
git diff --stat
