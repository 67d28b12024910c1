#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Run the tests of one build, several at a time, and count them.
#
# usage: test.sh quick|all PROGRAM...
#
# Test programs are the arguments; the Makefile leaves out those whose source says "// once" or "// sanitized".
# Scripts are found: each that is called *_test.sh or *_test.py, or is in a folder tests/, says in its first lines how it
# is run. A script may be run several times.
#
#   # test: ARGUMENTS         by `make test`, and by `make check` with each compiler
#   # check: ARGUMENTS        by `make check` with each compiler: a compiler or a sanitizer may change what is tested
#   # once: ARGUMENTS         by `make check` without sanitizers: they change nothing
#   # sanitized: ARGUMENTS    by `make check` with clang and sanitizers only
#   # run by: WHO             another test or another command of make takes it
#   # needs: TOOL...          what the script cannot do without (beside what builds the command)
#
# ARGUMENTS are words of the shell; they may name what the environment has: BUILD, CC, SANITIZE, RULE_TESTS (built to
# lose rules), FUZZ_CORPORA (targets with their corpora), SPEC_TEXTS, CAPTURES. JOBS: how many at a time.
#
# Each test ends with Check's "N%: Checks: N, Failures: N, Errors: N" or with "N passed, N failed, N skipped". One that
# does neither has failed. A test is skipped for want of a tool, says so, and is counted; where CI is set it has failed.
# LEFT_OUT: programs that were not built for want of a tool.
set -u

: "${BUILD:?}" "${CC:?}" "${SANITIZE=}"
# The folder of full specifications and larger captures that the developers have; users do not.
shared=../shared
[ -d "$shared/spec" ] && export SPEC_TEXTS="$shared/spec"
[ -d "$shared/captures" ] && export CAPTURES="$shared/captures"
export BUILD CC SANITIZE
# Tests that call make are not part of the make that runs them.
unset MAKEFLAGS MFLAGS MAKELEVEL
# A time limit ends a test that hangs; how fast the machine is decides nothing.
CK_TIMEOUT_MULTIPLIER=${CK_TIMEOUT_MULTIPLIER:-60}
export CK_TIMEOUT_MULTIPLIER
# The kernel clears each page that AddressSanitizer maps anew for its shadow of large memory: half of the time of some
# tests. What is freed stays poisoned for 16 MB.
ASAN_OPTIONS=clear_shadow_mmap_threshold=1073741824:quarantine_size_mb=16${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export ASAN_OPTIONS

mode=$1
shift
case $mode:$SANITIZE:$CC in
quick:*) kinds='test' ;;
all::*) kinds='test|check|once' ;;
all:*clang*) kinds='test|check|sanitized' ;;
all:*) kinds='test|check' ;;
*) echo "usage: $0 quick|all PROGRAM..." >&2; exit 2 ;;
esac
log=$BUILD/test.log work=$BUILD/test times=$BUILD/test.times
rm -rf "$work"
mkdir -p "$work"

# The suites, one a line: name, tools, command; those that took longest the last time first.
suites() {
    for program in "$@"; do
        printf '%s\t\t%s\n' "${program#"$BUILD"/tests/}" "$program"
    done
    for program in ${LEFT_OUT-}; do
        printf '%s\trpcgen,libtirpc\t%s\n' "${program#"$BUILD"/tests/}" false
    done
    # shellcheck disable=SC2016 # awk's
    find .ci codec conformance fuzz gen packaging python rxe-harness spec vectors -type f \( -name '*.sh' -o -name '*.py' \) |
        sort | xargs awk -v kinds="^($kinds)\$" '
            function end() {
                if (name == "")
                    return
                if (count == 0 && name ~ /(_test\.(sh|py)|\/tests\/.*)$/)
                    printf "%s\t\techo \"no line in it says how it is run: see .ci/test.sh\"; false\n", name
                for (i = 1; i <= count; i++)
                    if (kind[i] ~ kinds)
                        printf "%s\t%s\t%s %s %s\n", name (count > 1 ? ", " i : ""), needs,
                            name ~ /py$/ ? "python3 -B" : "sh", name, args[i]
            }
            FNR == 1 { end(); name = FILENAME; count = 0; needs = name ~ /py$/ ? "python3" : "" }
            FNR > 30 { nextfile }
            /^# (test|check|once|sanitized|run by):/ {
                kind[++count] = substr($0, 3, index($0, ":") - 3)
                args[count] = substr($0, index($0, ":") + 2)
            }
            /^# needs:/ { for (i = 3; i <= NF; i++) needs = needs (needs == "" ? "" : ",") $i }
            END { end() }'
}
touch "$times"
suites "$@" | awk -F '\t' 'FILENAME != "-" { took[$2] = $1; next } { print took[$1] + 0 "\t" $0 }' "$times" - |
    sort -s -t "$(printf '\t')" -k 1,1nr | cut -f 2- >"$work/list"

passed=0 failed=0 skipped=0
sums() {
    cat "$work"/*.out >"$log" 2>/dev/null
    # shellcheck disable=SC2046 # three numbers
    set -- $(cat "$work"/*.counts 2>/dev/null | awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0 }')
    passed=$1 failed=$2 skipped=$3
    echo "$passed $failed $skipped" >"$BUILD/test.counts"
}
# Some of what runs has a process group of its own.
descendants() {
    ps -e -o pid= -o ppid= | awk -v top="$1" '
        { parent[$1] = $2 }
        END { for (pid in parent) for (p = pid; p in parent; p = parent[p]) if (parent[p] == top) { print pid; break } }'
}
interrupted() {
    trap '' INT TERM HUP
    # shellcheck disable=SC2046 # a list
    kill -TERM "$runner" $(descendants "$runner") 2>/dev/null
    wait "$runner"
    sums
    echo "$CC${SANITIZE:+ with $SANITIZE}: interrupted; $passed passed, $failed failed, $skipped skipped ($log)"
    exit 130
}

# A process group of their own: an interrupt at the terminal comes to this script alone, which prints the sums.
set -m 2>/dev/null
(awk '{ print NR }' "$work/list" | xargs -n 1 -P "${JOBS:-$(nproc)}" sh .ci/suite.sh "$work") &
runner=$!
set +m
trap interrupted INT TERM HUP
wait "$runner"
sums
cat "$work"/*.time | sort -rn >"$times"
echo "the dearest of $(wc -l <"$work/list") suites, seconds of processor time of $(awk '{ t += $1 } END { printf "%.0f", t }' "$times"):"
awk -F '\t' 'NR <= 10 { printf "%8.1f  %s\n", $1, $2 }' "$times"
# Once more, in few lines: who has only the end of a log reads there what failed.
awk '$2 > 0 { sub(/counts$/, "said", FILENAME); print FILENAME }' "$work"/*.counts | while read -r said; do
    echo "failed: $(head -n 1 "$said")"
    { grep -E 'not ok|:[FE]:|ERROR: ' "$said" || tail -n 5 "$said"; } | head -n 5 | cut -c 1-300
done
echo "$CC${SANITIZE:+ with $SANITIZE}: $passed passed, $failed failed, $skipped skipped ($log)"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
