#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma"
# A list of expected failures hides no regression: a testee on our own codec with three deliberate
# faults has such a list; twelve mutants of it, each with one fault more, all fail under it.
#
# usage: mutants_test.sh PATH_TO_RPCRDMA
set -u

: "${CC:=cc}"
# Many crash; where is not asked.
ASAN_OPTIONS=symbolize=0
export ASAN_OPTIONS
rpcrdma=$(realpath "$1")
. conformance/tests/testees/mutants.sh

compile() {
    (cd "$work/tree" && $CC -std=c11 -O0 -fsanitize=address -w -I. -I"$root/codec/include" \
        -I"$build/gen" librpcrdma.c receive.c rpcrdma1.c xdr.c copy.c -o "$work/testee")
}

run() { # STATUS WHAT OPTION...
    wanted=$1 about=$2
    shift 2
    "$rpcrdma" vectors --timeout 20 --testee "$work/testee" "$@" "$root/vectors" >"$work/out" 2>&1
    got=$?
    verdict "$about: status $wanted, not $got" test "$got" -eq "$wanted"
}

fresh
compile
run 0 'the testee without faults'
depart
compile
run 1 'three faults, a list is written' --write-known "$work/known"
run 0 'the list covers them' --known "$work/known"
run 0 'classes cover them' --known "$work/classes"

# mutant NAME FILE SCRIPT; those of the codec, which are about XDR, also under the classes
mutant() {
    fresh
    depart
    change "$2" "$3"
    compile
    run 1 "$1, under the list" --known "$work/known"
    [ "$2" = "$header" ] || return 0
    run 1 "$1, under the classes" --known "$work/classes"
}

mutants
finish
