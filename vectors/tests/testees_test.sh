#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma"
# The testees to copy from, each over all vectors: in Rust, in Go, and Wireshark's dissector under its
# list of expected failures. What cannot be compiled or run here is skipped.
#
# usage: testees_test.sh PATH_TO_RPCRDMA
set -u

[ $# -eq 1 ] || { echo "usage: $0 PATH_TO_RPCRDMA" >&2; exit 2; }
rpcrdma=$1
vectors=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

# ask WHAT OPTION...: no failure, and no legal Send refused.
ask() {
    what=$1
    shift
    "$rpcrdma" vectors --timeout 60 "$@" "$vectors" >"$work/out" 2>&1
    status=$?
    if [ "$status" -eq 0 ] && grep -q '^legal Sends refused: 0 of' "$work/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what: status $status"
        head -n 30 "$work/out"
    fi
}
skip() {
    skipped=$((skipped + 1))
    echo "skip: $1"
}

if command -v rustc >/dev/null; then
    # As its first lines say.
    how=$(sed -n 's/^\/\/! \(rustc .*\) testee\.rs &&.*/\1/p' "$vectors/testees/testee.rs")
    # shellcheck disable=SC2086 # options, by blanks
    if ${how:-false} -D warnings -o "$work/rust" "$vectors/testees/testee.rs"; then
        ask 'in Rust' --testee "$work/rust"
        ask 'in Rust, with context' --context --testee "$work/rust"
    else
        failed=$((failed + 1))
    fi
else
    skip 'no rustc'
fi
if command -v go >/dev/null; then
    if HOME=$work GOCACHE=$work/cache GO111MODULE=off go build -o "$work/go" "$vectors/testees/testee.go"; then
        ask 'in Go' --testee "$work/go"
    else
        failed=$((failed + 1))
    fi
else
    skip 'no go'
fi
if command -v tshark >/dev/null; then
    ask 'tshark' --decode --testee "python3 $vectors/testees/tshark.py" \
        --known "$vectors/testees/tshark.known"
else
    skip 'no tshark'
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
