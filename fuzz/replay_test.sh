#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sanitized: "$BUILD" $FUZZ_CORPORA
# Every input of the corpora, found ones among them, through its target. Each input is one test. And what a replayer takes
# for an input.
#
# usage: replay_test.sh BUILD TARGET[:CORPUS]...
set -u

build=$1
shift
[ $# -gt 0 ] || { echo 'replay_test.sh: no targets'; exit 2; }
passed=0 failed=0
for name in "$@"; do
    target=${name%%:*} packed=fuzz/corpus/${name#*:}.hex corpus=$build/fuzz/replayed/${name#*:}
    sh fuzz/corpus_files.sh unpack "$packed" "$corpus"
    count=$(wc -l <"$packed")
    if [ "$count" -eq 0 ]; then
        echo "not ok: $packed is empty"
        failed=$((failed + 1))
    elif output=$("$build/replayers/$target" "$corpus" 2>&1) &&
        [ "$output" = "$count inputs" ]; then
        passed=$((passed + count))
    else
        echo "not ok: $target; its last input and what it says:"
        REPLAY_NAMES=1 "$build/replayers/$target" "$corpus" 2>&1 | tail -n 30
        failed=$((failed + 1))
    fi
done

# ---- what is an input ----

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
printf '\0\0\0\1\0\0\0\1\0\0\0\40\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0' >"$work/nomsg"
export KIT_TESTEE='while read -r line; do echo unsupported; done'
line=$build/replayers/kit_line
ok() {
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $2"
        tail -n 5 "$work/log"
    fi
}
"$line" <"$work/nomsg" >"$work/log" 2>&1 && grep -qx '1 inputs' "$work/log"
ok $? 'standard input is an input'
KIT_CONTINUE=1 "$line" <"$work/nomsg" >"$work/log" 2>&1 && grep -q '; 2 questions,' "$work/log"
ok $? 'it is the Send that it is'
mkdir -p "$work/folder/within" && cp "$work/nomsg" "$work/folder/a" && cp "$work/nomsg" "$work/folder/within/b"
REPLAY_NAMES=1 "$line" "$work/folder" "$work/nomsg" >"$work/log" 2>&1 &&
    [ "$(grep -v inputs "$work/log" | tr '\n' ' ')" = "$work/folder/a $work/nomsg " ] && grep -qx '2 inputs' "$work/log"
ok $? 'of a folder its files are inputs, each is named before it runs, and what is in its folders is none'
KIT_CONTINUE=1 REPLAY_TIMES=3 "$line" "$work/nomsg" >"$work/log" 2>&1 &&
    grep -Eqx '1 inputs, [0-9]+ a second' "$work/log" && grep -q '; 6 questions,' "$work/log"
ok $? 'three times the same input'
! "$line" "$work/none-of-it" "$work/nomsg" >"$work/log" 2>&1 &&
    grep -qx "$work/none-of-it: cannot be opened" "$work/log" && grep -qx '1 inputs' "$work/log"
ok $? 'a file that is not there is a failure, and the next is read'

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
