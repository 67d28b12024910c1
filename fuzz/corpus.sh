#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Make the corpora anew: seeds out of the vectors and the recorded traffic, what fuzzing found since
# (GROWN), and what is in fuzz/corpus, each minimised to what adds coverage. Files named found-*
# are regressions and stay as they are.
#
# usage: corpus.sh BUILD GROWN TARGET...       (needs editcap, of wireshark-common, and jq)
set -eu

build=$1 grown=$2
shift 2
seeds=$build/fuzz/from-files
rm -rf "$seeds"
mkdir -p "$seeds/decode1" "$seeds/decode2" "$seeds/rpc" "$seeds/private_data" "$seeds/check" "$seeds/check2" \
    "$seeds/capture" "$seeds/vectors" "$seeds/xdrgen" "$seeds/session" "$seeds/roce" "$seeds/iwarp" "$seeds/trace"

# Unquoted where it is a list.
captures=$(find vectors -name '*.pcap' -o -name '*.pcapng')
vectors=$(find vectors -name '*.json' ! -name '*.schema.json')
# shellcheck disable=SC2086
"$build/fuzz/seeds" "$seeds" $captures $vectors

slice=0
for file in $captures; do
    for first in 1 25 60 120 200 400; do
        slice=$((slice + 1))
        editcap -r -F pcap -s 300 "$file" "$seeds/capture/$slice.pcap" "$first-$((first + 14))"
    done
    editcap -r -F pcapng -s 200 "$file" "$seeds/capture/$slice.pcapng" 1-12
done
# A short test of each kind of event in each file, without what only people read, and one with it:
# the reader of vectors sees all there is. The schema names the kinds.
kinds=$(jq -r '."$defs".event.properties | del(.from) | keys[], "settings"' vectors/vector.schema.json)
slim='del(.source) | .notes = {} | .tests |= map(del(.flags, .nearMiss) | .comment = "")'
for file in vectors/*.json; do
    case $file in *.schema.json) continue ;; esac
    name=${file##*/}
    for kind in $kinds; do
        jq -c --arg kind "$kind" "$slim"' | .tests |= ([.[] |
            select(has($kind) or any(.events[]; has($kind)))] | sort_by(tojson | length) | .[0:1])' \
            "$file" >"$seeds/vectors/$kind-$name"
    done
    jq '.tests |= .[-1:]' "$file" >"$seeds/vectors/last-$name"
done
find gen/tests spec "$build/spec" -name '*.x' -size -12k -exec cp {} "$seeds/xdrgen/" \;
awk -v to="$seeds/xdrgen/" '/^==> .* <==$/ { out = to $2; next } { print >out }' gen/tests/bad.specs

for target in "$@"; do
    work=$grown/$target corpus=$build/fuzz/corpus/$target merged=$build/fuzz/merged/$target
    mkdir -p "$work" "$merged"
    sh fuzz/corpus_files.sh unpack "fuzz/corpus/$target.hex" "$corpus"
    case $target in
    check) longest=1200 ;;
    capture | vectors) longest=4096 ;;
    *) longest=1000 ;;
    esac
    rm -f "$merged"/*
    "$build/fuzzers/$target" -set_cover_merge=1 -use_counters=0 -max_len="$longest" \
        "$merged" "$corpus" "$seeds/$target" "$work" \
        >"$build/fuzz/merge-$target.log" 2>&1
    find "$corpus" -type f ! -name 'found-*' -delete
    cp "$merged"/* "$corpus/"
    sh fuzz/corpus_files.sh pack "$corpus" >"fuzz/corpus/$target.hex"
    printf '%-14s %4d files\n' "$target" "$(find "$corpus" -type f | wc -l)"
done
