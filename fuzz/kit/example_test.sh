#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The worked examples of the kit. The faults planted in careless.c are found by name, each within a
# minute of an empty corpus, and nothing else is said of it; of the rpcgen codec nothing beyond
# rpcgen.known; a parser in another process is judged alike, and one that ends is found out.
#
# usage: example_test.sh BUILD [SECONDS]
set -u

build=$1 seconds=${2:-10}
kit=fuzz/kit dict=$build/fuzz/rpcrdma.dict
passed=0 failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

ok() {
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $2"
        [ ! -f "$work/log" ] || tail -n 20 "$work/log"
    fi
}

# fuzz PARSER SECONDS KNOWN: with an empty corpus, counting disagreements
fuzz() {
    rm -rf "${work:?}/$1"
    mkdir -p "$work/$1"
    KIT_KNOWN=$3 KIT_CONTINUE=1 "$build/fuzzers/kit_$1" -dict="$dict" -max_total_time="$2" \
        -max_len=512 -artifact_prefix="$work/" "$work/$1" >"$work/log" 2>&1
}

begun=$(date +%s)
faults=$(grep -v '^#' "$kit/careless.known" | sed 's/ .*//')
KIT_UNTIL=$(echo "$faults" | wc -l)
export KIT_UNTIL
fuzz careless 60 ''
ok $? 'the careless parser is fuzzed'
for fault in $faults; do
    grep -qF "$fault " "$work/log"
    ok $? "the careless parser's fault is found: $fault"
done
echo "all faults of the careless parser after $(($(date +%s) - begun)) s"
unset KIT_UNTIL
! fuzz careless 2 '' && grep -q '^5 disagreements' "$work/log"
ok $? 'disagreements that are counted are a failure in the end'

for parser in careless rpcgen; do
    fuzz "$parser" "$seconds" "$kit/$parser.known" && ! grep -q '^[0-9]* disagreements' "$work/log"
    ok $? "nothing is said of $parser beyond its list"
done

# In another process; without KIT_CONTINUE the first disagreement ends the run and is kept.
printf '\0\0\0\1\0\0\0\1\0\0\0\40\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0' >"$work/nomsg"
! KIT_TESTEE=$build/fuzz/testee "$build/replayers/kit_line" "$work/nomsg" >"$work/log" 2>&1 &&
    grep -q '^disagreement: rfc8166/4.2.4/nomsg-list-present' "$work/log"
ok $? 'the same parser in another process is found out'
KIT_KNOWN=$kit/careless.known KIT_TESTEE=$build/fuzz/testee \
    "$build/replayers/kit_line" "$work/nomsg" >"$work/log" 2>&1
ok $? 'a known disagreement is passed over'
! KIT_TESTEE='read -r line; exit 1' "$build/replayers/kit_line" "$work/nomsg" >"$work/log" 2>&1 &&
    grep -q 'the testee has ended' "$work/log"
ok $? 'a parser that ends is found out'
! KIT_TIMEOUT=1 KIT_TESTEE='sleep 3' "$build/replayers/kit_line" "$work/nomsg" >"$work/log" 2>&1 &&
    grep -q 'the testee hangs' "$work/log"
ok $? 'a parser that hangs is found out'
echo 'no rule' >"$work/bad.known"
KIT_KNOWN=$work/bad.known "$build/replayers/kit_careless" "$work/nomsg" >"$work/log" 2>&1
[ $? -eq 2 ]
ok $? 'a list that is none is refused'

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
