#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sanitized: "$BUILD"
# How runs of the kit end, which are several processes. One that is interrupted, all of them as by Ctrl-C or the first one
# alone, prints its table once, does not count the end as a crash, and leaves no process behind.
#
# usage: ends_test.sh BUILD
set -u

build=$1 passed=0 failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

ok() {
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $2"
        tail -n 20 "$work/log"
    fi
}
# Who runs this under nohup ignores hangups; a run of its own does not.
hears='env --default-signal=HUP'
# run SIGNAL WHOM WHEN: WHOM is - for all processes; leaves the exit status of a run of a minute
run() {
    # shellcheck disable=SC2086 # words
    KIT_CONTINUE=1 setsid $hears "$build/fuzzers/kit_careless" -dict="$build/fuzz/rpcrdma.dict" -max_total_time="${4:-60}" \
        -artifact_prefix="$work/" >"$work/log" 2>&1 &
    first=$!
    sleep "$3"
    kill -s "$1" -- "$2$first"
    wait "$first"
}
interrupted() {
    run "$@"
    [ $? -eq 130 ] && [ "$(grep -c '^[1-9] disagreements; ' "$work/log")" -eq 1 ] && ! grep -q kit/crashed "$work/log" &&
        ! grep -qs "[/]${work#/}/" /proc/[0-9]*/cmdline
    ok $? "interrupted by $1 to $2$first"
}
interrupted INT - 4
interrupted INT - 7
interrupted TERM - 5
interrupted HUP '' 4
interrupted TERM '' 6
# Under nohup a hangup is none.
trap '' HUP
hears=
run HUP '' 2 6
[ $? -eq 1 ] && grep -q '^[1-9] disagreements; ' "$work/log"
ok $? 'a hangup that is ignored'
# Corpora are merged, and then it ends.
mkdir "$work/merged" "$work/seeds"
printf '\0\0\0\1\0\0\0\1\0\0\0\40\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0' >"$work/seeds/nomsg"
KIT_CONTINUE=1 timeout -s KILL 60 "$build/fuzzers/kit_careless" -merge=1 "$work/merged" "$work/seeds" >"$work/log" 2>&1
set -- "$work"/merged/*
[ $# -eq 1 ] && [ -f "$1" ]
ok $? 'a merge'

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
