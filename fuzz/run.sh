#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Run each fuzz target for a while, from its corpus. What it finds new stays in BUILD/fuzz/grown, an
# input that breaks something in BUILD/fuzz/found: keep that one as README.md says.
#
# usage: run.sh BUILD SECONDS TARGET[:CORPUS]...
set -u

build=$1 seconds=$2
shift 2
found=$build/fuzz/found
status=0
mkdir -p "$found"
for name in "$@"; do
    target=${name%%:*} corpus=${name#*:}
    work=$build/fuzz/grown/$target log=$build/fuzz/$target.log
    mkdir -p "$work"
    sh fuzz/corpus_files.sh unpack "fuzz/corpus/$corpus.hex" "$build/fuzz/corpus/$corpus"
    # The codecs are small: all that there is to cover is covered, and weighing inputs by what they
    # cover takes half of the time.
    entropic=1
    case $target in decode1 | decode2 | oracle1 | oracle2 | oracle07 | message | rpc | private_data) entropic=0 ;; esac
    if "$build/fuzzers/$target" -max_total_time="$seconds" -dict="$build/fuzz/rpcrdma.dict" \
        -max_len=8192 -entropic=$entropic -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$found/$target-" "$work" "$build/fuzz/corpus/$corpus" >"$log" 2>&1; then
        verdict=passed
    else
        verdict=FOUND status=1
    fi
    awk -v target="$target" -v verdict="$verdict" '
        /stat::number_of_executed_units:/ { runs = $2 }
        /stat::average_exec_per_sec:/ { rate = $2 }
        / cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") cov = $(i + 1) }
        END { printf "%-14s %10d runs %8d a second %6d edges  %s\n", target, runs, rate, cov, verdict }
        ' "$log"
    [ "$verdict" = passed ] || grep -E 'not so:|^disagreement|SUMMARY|Test unit' "$log" | sed 's/^/    /'
done
exit "$status"
