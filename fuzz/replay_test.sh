#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sanitized: "$BUILD" $FUZZ_CORPORA
# Every input of the corpora, found ones among them, through its target. Each input is one test.
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
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
