#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Run one suite of a list that test.sh has made, and print its counts, and how many of the list have ended. Its output,
# counts and processor time are files beside the list; what it puts into temporary files is removed. One that has not
# ended after a minute (SUITE_TELLS: seconds) is named, so that who waits knows for what.
#
# usage: suite.sh FOLDER NUMBER
set -u
work=$1 number=$2
out=$work/$number.out
tab=$(printf '\t')
line=$(sed -n "${number}p" "$work/list")
name=${line%%"$tab"*} line=${line#*"$tab"}
needs=${line%%"$tab"*} command=${line#*"$tab"}

missing=
for tool in $(echo "$needs" | tr ',' ' '); do
    command -v "$tool" >/dev/null 2>&1 || missing="$missing $tool"
done
TMPDIR=$(realpath "$work")/$number.tmp
export TMPDIR
mkdir "$TMPDIR"
(
    asleep=
    trap 'kill "$asleep" 2>/dev/null; exit' TERM
    sleep "${SUITE_TELLS:-60}" >/dev/null 2>&1 & # holds no pipe open when it is left behind
    asleep=$!
    wait "$asleep" && kill -0 $$ 2>/dev/null && printf '%-58s still running\n' "$name"
) &
tells=$!
echo "== $name" >"$out"
if [ -n "$missing" ]; then
    printf 'skip: no%s\n0 passed, 0 failed, 1 skipped\n' "$missing" >>"$out"
    status=0
else
    (eval "$command") >>"$out" 2>&1 </dev/null
    status=$?
fi
kill "$tells" 2>/dev/null
rm -rf "$TMPDIR"
# The second line: what children took, user and system.
times >"$work/$number.times" # not in a pipe: a shell of its own has other children
awk -v name="$name" -F '[ms ]+' 'NR == 2 { printf "%.2f\t%s\n", $1 * 60 + $2 + $3 * 60 + $4, name }' \
    "$work/$number.times" >"$work/$number.time"

counts=$(awk '
    /^[0-9]+%: Checks: / { gsub(/[^0-9 ]/, ""); p += $2 - $3 - $4; f += $3 + $4; n = 1 }
    /^[0-9]+ passed, [0-9]+ failed/ { p += $1; f += $3; s += $5; n = 1 }
    END { if (n) print p + 0, f + 0, s + 0 }' "$out")
# shellcheck disable=SC2086 # three numbers
set -- ${counts:-0 1 0}
if [ "$status" -ne 0 ] && [ "$2" -eq 0 ]; then
    set -- "$1" 1 "$3"
fi
# What CI does not have it has to get.
[ -z "${CI-}" ] || set -- "$1" $(($2 + $3)) 0
echo "$*" >"$work/$number.counts"
{
    printf '%-58s %6d passed %4d failed %4d skipped  %s\n' "$name" "$1" "$2" "$3" \
        "$(find "$work" -maxdepth 1 -name '*.counts' | wc -l)/$(wc -l <"$work/list")"
    if [ "$2" -gt 0 ]; then
        tail -n 40 "$out" | sed 's/^/    /'
    elif [ "$3" -gt 0 ]; then
        awk 'tolower($0) ~ /^skip/ && !said[$0]++ { print "    " $0 }' "$out"
    fi
} >"$work/$number.said"
cat "$work/$number.said" # at once: others print, too
