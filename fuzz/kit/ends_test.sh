#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sanitized: "$BUILD"
# How runs of the kit end, which are several processes. One that is interrupted, all of them as by Ctrl-C or the first one
# alone, prints its table once, does not count the end as a crash, and leaves no process behind. And what the counters of a
# peer's own code hold after its runs.
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
# Who does not end when asked to is ended after ten seconds; the table comes even so.
KIT_CONTINUE=1 setsid "$build/fuzzers/kit_careless" -max_total_time=60 -artifact_prefix="$work/" >"$work/log" 2>&1 &
first=$!
tries=0
until ps -o comm= -s "$first" | tail -n +2 | grep -q '^kit_careless' || [ $tries -eq 100 ]; do
    sleep 0.2
    tries=$((tries + 1))
done
sleep 3
# Not the shell that libFuzzer starts it by, which nobody would end then.
for process in $(ps -o pid=,comm= -s "$first" | sed -n 's/ *kit_careless$//p'); do
    [ "$process" -eq "$first" ] || kill -s STOP "$process"
done
begun=$(date +%s)
kill -s INT "$first"
wait "$first"
status=$? took=$(($(date +%s) - begun))
[ $status -eq 130 ] && [ $took -ge 9 ] && [ $took -le 45 ] && [ "$(grep -c '^[1-9] disagreements; ' "$work/log")" -eq 1 ] &&
    ! grep -q kit/crashed "$work/log"
ok $? "a process that does not end: status $status after $took s"
sleep 1
! grep -qs "[/]${work#/}/" /proc/[0-9]*/cmdline
ok $? 'it is ended'
# Corpora are merged, and then it ends.
mkdir "$work/merged" "$work/seeds"
printf '\0\0\0\1\0\0\0\1\0\0\0\40\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0' >"$work/seeds/nomsg"
KIT_CONTINUE=1 timeout -s KILL 60 "$build/fuzzers/kit_careless" -merge=1 "$work/merged" "$work/seeds" >"$work/log" 2>&1
set -- "$work"/merged/*
[ $# -eq 1 ] && [ -f "$1" ]
ok $? 'a merge'

# ---- counters of a peer's own code ----

cat >"$work/counted.c" <<'EOF'
#include <stdlib.h>
__attribute__((noinline)) static void reached(volatile int *times)
{
    ++*times;
}
int main(int argc, char **argv)
{
    volatile int times = 0;
    for (int i = argc > 1 ? atoi(argv[1]) : 0; i > 0; i--)
        reached(&times);
    return 0;
}
EOF
# counted COMPILER FLAG: the least, the most and the sum of the counters after runs that reach a function 1, 1 and 300 times
counted() {
    rm -f "$work/counters" "$work/sums"
    $1 -O0 -fsanitize-coverage="$2" -c "$work/counted.c" -o "$work/counted.o" && $1 -c "fuzz/kit/counters.c" -o "$work/counters.o" &&
        $1 "$work/counted.o" "$work/counters.o" -o "$work/counted" && "$work/counted" 9
    ok $? "$2: without RPCRDMA_COVERAGE it runs all the same"
    for times in 1 1 300; do
        RPCRDMA_COVERAGE=$work/counters "$work/counted" $times
        od -An -v -tu1 -w1 -j16 "$work/counters" | awk '$1 { sum += $1; most = $1 > most ? $1 : most
            least = !least || $1 < least ? $1 : least } END { print least, most, sum }' >>"$work/sums"
    done
    [ "$(head -c 16 "$work/counters")" = rpcrdma-counters ] && [ "$(wc -c <"$work/counters")" -eq 65552 ]
    ok $? "$2: the file says what it is, and has its size"
    awk 'NR == 1 { good = $1 == 1 && $2 <= 2 && $3 >= 5; sum = $3 } NR == 2 { good = good && $1 == 2 && $3 == 2 * sum }
        END { exit !(good && $1 == 3 && $2 == 255) }' "$work/sums"
    ok $? "$2: each place is counted apart, on and on, up to 255"
}
counted clang trace-pc-guard
counted gcc trace-pc

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
