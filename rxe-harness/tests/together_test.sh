#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/rpcrdma"
# Two probes of one peer at once: neither finds a fault, as each alone does not, and the peer serves on. The file that some cases write is
# one for both, so that those are left out.
#
# usage: together_test.sh PATH_TO_RPCRDMA

# shellcheck source=rxe-harness/tests/responder.sh
. "$(dirname "$0")/responder.sh"

# probes_at_once CASES: both in one.out and two.out.
probes_at_once() {
    for name in one two; do
        "$rpcrdma" probe --timeout 5 --case "$1" --json $name.json "$address" >$name.out 2>$name.err &
        eval "$name=\$!"
    done
    # shellcheck disable=SC2154
    for pid in "$one" "$two"; do
        wait "$pid"
        verdict "a probe beside another one finds nothing ($1)" test $? -eq 0
    done
    verdict "both have the same cases" test \
        "$(grep -o '"test":"[^"]*"' one.json | sort -u | wc -l)" -eq "$(cat one.json two.json | grep -o '"test":"[^"]*"' | sort -u | wc -l)"
    verdict 'and more than five' test "$(grep -c '"ending":"as-required"' two.json)" -gt 5
}

# Over roce:// the port of a machine's address is one process's.
address=iwarp://127.0.0.19:$port
answers "$address"
# Sessions last for some Calls: it takes several rounds to find two of them at once.
for round in 1 2 3 4 5 6 7 8; do
    probes_at_once 'nfs41-*'
    verdict "round $round: nobody fails" test "$(cat one.out two.out | grep -c ', 0 failed')" -eq 2
done
probes_at_once 'pull-*,push-*,nfs-getattr-*,calls-up-to-grant'
try 0 request "$address"
kill $peer
wait $peer
finish
