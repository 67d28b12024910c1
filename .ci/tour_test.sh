#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test: "$BUILD/rpcrdma"
# The tour in the README: each of its commands runs and ends with the status that is said there.
#
# usage: tour_test.sh PATH_TO_RPCRDMA
set -u
rpcrdma=$1
passed=0 failed=0 skipped=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

awk '/^## / { tour = /^## A tour/ } tour && /^    build\/rpcrdma / { print substr($0, 5) }' README.md >"$work/commands"
while IFS= read -r line; do
    case $line in
    *"'python3 "*)
        if ! command -v python3 >/dev/null; then
            skipped=$((skipped + 1))
            echo "skip: no python3: $line"
            continue
        fi
        ;;
    esac
    wanted=$(echo "$line" | sed -n 's/.*# exit status \([0-9]*\)$/\1/p')
    sh -c "exec ${rpcrdma}${line#build/rpcrdma}" >"$work/out" 2>&1 </dev/null
    status=$?
    if [ "$status" -eq "${wanted:-0}" ] && [ -s "$work/out" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'not ok: status %s: %s\n' "$status" "$line"
        tail -n 5 "$work/out"
    fi
done <"$work/commands"
[ "$passed" -ge 5 ] || { failed=$((failed + 1)); echo 'not ok: the tour has fewer than five commands'; }
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
