#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma"
# The comparison of runs of `make live RUNS=`: equal runs are the same; a verdict that is planted into
# one of them, and one that is missing, are found by name; what may be either way is no difference.
#
# usage: compare_test.sh RPCRDMA
set -u

rpcrdma=$1
passed=0 failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

verdict() {
    name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $name"
        cat "$work/out"
    fi
}

# compares STATUS FILE...: the comparison of these ends so; what it says is in $work/out.
compares() {
    wanted=$1
    shift
    awk -v part=probe -f rxe-harness/vm/compare.awk "$work/known" "$@" >"$work/out"
    [ $? -eq "$wanted" ]
}
says() {
    grep -qF "$1" "$work/out"
}
# plant FILE TEST ENDING: the first run, with another ending of a test.
plant() {
    sed "/\"test\":\"$2\"/s/\"ending\":\"[^\"]*\"/\"ending\":\"$3\"/" "$work/1" >"$work/$1"
}

for run in 1 2 3; do
    "$rpcrdma" probe --case 'smallest-*' --case 'runt-*' --json "$work/$run" >"$work/out" ||
        { cat "$work/out" && exit 1; }
done
echo '# runt-nomsg is there' >"$work/known"
verdict 'several results are compared' test "$(grep -c '"kind":"result"' "$work/1")" -gt 5
verdict 'equal runs' compares 0 "$work/1" "$work/2" "$work/3"
verdict 'equal runs: nothing is said' test ! -s "$work/out"

plant planted runt-nomsg silent
verdict 'a planted verdict' compares 1 "$work/1" "$work/planted" "$work/3"
verdict 'a planted verdict, by name' says 'live: probe: runt-nomsg '
verdict 'a planted verdict: how often' says 'as-required 2 times, silent 1 times'
verdict 'a planted verdict: what is said of it' says '; silent: silence'

echo 'runt-nomsg silent,as-required' >"$work/known"
verdict 'known to be either' compares 0 "$work/1" "$work/planted" "$work/3"
verdict 'known to be either: said' says '(known)'

echo '#' >"$work/known"
plant tolerated runt-nomsg tolerated
verdict 'both are open' compares 0 "$work/1" "$work/tolerated"
verdict 'both are open: said' says '(both are open)'

plant limit runt-nomsg not-applicable
verdict 'a case that does not apply once' compares 1 "$work/1" "$work/limit"

grep -v '"test":"runt-nomsg"' "$work/1" >"$work/missing"
verdict 'a result that is missing' compares 1 "$work/1" "$work/missing" "$work/3"
verdict 'a result that is missing, by name' says 'no result 1 times'

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
