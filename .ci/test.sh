#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Run the tests of one build and count them. Test programs are the arguments; scripts are listed
# here. Environment: BUILD, CC, SANITIZE, RULE_TESTS (built to lose rules), FUZZ_CORPORA (targets with
# their corpora), FUZZ_KIT (not empty where the kit's examples are built). A test that is skipped says
# why, and is counted.
#
# Each test ends with Check's "N%: Checks: N, Failures: N, Errors: N" or with
# "N passed, N failed, N skipped". One that does neither has failed.
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
log=$BUILD/test.log
mkdir -p "$BUILD"
: >"$log"
passed=0 failed=0 skipped=0

# run NAME COMMAND [ARGUMENT]...
run() {
    name=$1
    shift
    "$@" >"$BUILD/test.out" 2>&1
    status=$?
    { echo "== $name"; cat "$BUILD/test.out"; } >>"$log"
    counts=$(awk '
        /^[0-9]+%: Checks: / { gsub(/[^0-9 ]/, ""); p += $2 - $3 - $4; f += $3 + $4; n = 1 }
        /^[0-9]+ passed, [0-9]+ failed/ { p += $1; f += $3; s += $5; n = 1 }
        END { if (n) print p + 0, f + 0, s + 0 }' "$BUILD/test.out")
    # shellcheck disable=SC2086 # three numbers
    set -- ${counts:-0 1 0}
    if [ "$status" -ne 0 ] && [ "$2" -eq 0 ]; then
        set -- "$1" 1 "$3"
    fi
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
    printf '%-46s %6d passed %4d failed %4d skipped\n' "$name" "$1" "$2" "$3"
    if [ "$2" -gt 0 ]; then
        tail -n 40 "$BUILD/test.out" | sed 's/^/    /'
    elif [ "$3" -gt 0 ]; then
        grep -i skip "$BUILD/test.out" | grep -v ' passed, ' | sed 's/^/    /'
    fi
}

for program in "$@"; do
    run "${program#"$BUILD"/tests/}" "$program"
done
run gen/tests/front_test.sh sh gen/tests/front_test.sh "$BUILD/xdrgen"
run gen/tests/back_test.sh sh gen/tests/back_test.sh "$BUILD/xdrgen"
run gen/tests/golden_test.sh sh gen/tests/golden_test.sh "$BUILD/xdrgen"
run conformance/tests/command/cmd_test.sh sh conformance/tests/command/cmd_test.sh "$BUILD/rpcrdma"
run conformance/tests/command/options_test.sh sh conformance/tests/command/options_test.sh "$BUILD/rpcrdma" "$BUILD/pages"
run conformance/tests/command/decode_test.sh sh conformance/tests/command/decode_test.sh "$BUILD/rpcrdma"
run conformance/tests/command/version2_test.py python3 -B conformance/tests/command/version2_test.py "$BUILD/rpcrdma"
run conformance/tests/command/reports_test.sh sh conformance/tests/command/reports_test.sh "$BUILD/rpcrdma"
run conformance/tests/command/annotate_test.sh sh conformance/tests/command/annotate_test.sh "$BUILD/rpcrdma"
run conformance/tests/cases_test.sh sh conformance/tests/cases_test.sh "$BUILD/rpcrdma"
run conformance/tests/command/evidence_test.sh sh conformance/tests/command/evidence_test.sh "$BUILD/rpcrdma"
run conformance/tests/traffic_test.sh sh conformance/tests/traffic_test.sh "$BUILD/rpcrdma"
captures=conformance/tests/capture
run $captures/links.py python3 -B $captures/links.py "$BUILD/rpcrdma" vectors/recorded/linux-6.1-errors.pcap
run $captures/transform.py python3 -B $captures/transform.py "$BUILD/rpcrdma" \
    vectors/recorded/linux-6.1-errors.pcap 100
run "$captures/transform.py, NFS" python3 -B $captures/transform.py "$BUILD/rpcrdma" \
    vectors/recorded/linux-6.1-nfs42.pcap 20
run "$captures/transform.py, version 2" python3 -B $captures/transform.py "$BUILD/rpcrdma" \
    vectors/recorded/reference-version-2-07.pcap 20 880210
run conformance/tests/vectors_test.sh sh conformance/tests/vectors_test.sh "$BUILD/rpcrdma"
run conformance/tests/testees/testee_test.sh sh conformance/tests/testees/testee_test.sh "$BUILD/rpcrdma"
run conformance/tests/testees/version2_test.sh sh conformance/tests/testees/version2_test.sh "$BUILD/rpcrdma" "$BUILD/testees"
run rxe-harness/tests/probe_test.sh sh rxe-harness/tests/probe_test.sh "$BUILD/rpcrdma"
run rxe-harness/tests/rules_test.sh sh rxe-harness/tests/rules_test.sh "$BUILD/rpcrdma"
run rxe-harness/tests/compare_test.sh sh rxe-harness/tests/compare_test.sh "$BUILD/rpcrdma"
run vectors/tests/tables_test.sh sh vectors/tests/tables_test.sh "$BUILD/vector_tables" "$BUILD/rpcrdma"
run vectors/tests/testees_test.sh sh vectors/tests/testees_test.sh "$BUILD/rpcrdma"
run packaging/tests/ci_test.sh sh packaging/tests/ci_test.sh "$BUILD/rpcrdma"
run vectors/tests/dissector_test.sh sh vectors/tests/dissector_test.sh "$BUILD/rpcrdma"
run vectors/tests/page_test.sh sh vectors/tests/page_test.sh "$BUILD/rpcrdma" "$BUILD/testees"
run codec/tests/library_test.sh sh codec/tests/library_test.sh
run codec/tests/readme_test.sh sh codec/tests/readme_test.sh
run conformance/tests/example_test.sh sh conformance/tests/example_test.sh
run conformance/tests/items_test.sh sh conformance/tests/items_test.sh "$BUILD/rpcrdma"
run conformance/tests/binding_example_test.sh sh conformance/tests/binding_example_test.sh
# shellcheck disable=SC2086 # a list of targets
run fuzz/replay_test.sh sh fuzz/replay_test.sh "$BUILD" ${FUZZ_CORPORA-}
run fuzz/kit/version2_test.sh sh fuzz/kit/version2_test.sh "$BUILD"
# Fuzzing needs clang and its sanitizers: once.
[ -z "${FUZZ_KIT-}" ] || run fuzz/kit/example_test.sh sh fuzz/kit/example_test.sh "$BUILD" 4
# What no compiler or sanitizer changes is tested once.
if [ -z "$SANITIZE" ]; then
    # shellcheck disable=SC2086 # a list of programs
    run conformance/tests/rules/mutants.sh sh conformance/tests/rules/mutants.sh ${RULE_TESTS-}
    run 'mutants.sh, by the vectors alone' sh conformance/tests/rules/mutants.sh \
        "$BUILD/mutants/rpcrdma vectors vectors"
    run conformance/tests/testees/mutants_test.sh sh conformance/tests/testees/mutants_test.sh \
        "$BUILD/rpcrdma"
    run codec/tests/dist_test.sh sh codec/tests/dist_test.sh
    run codec/tests/proof_test.sh sh codec/tests/proof_test.sh
    run spec/tests/extract_test.sh sh spec/tests/extract_test.sh
    run spec/tests/version2_credits.py python3 -B spec/tests/version2_credits.py
    run spec/requirements/prove.sh sh spec/requirements/prove.sh ${SPEC_TEXTS:+"$SPEC_TEXTS"}
    run spec/requirements/tests/prove-test.sh sh spec/requirements/tests/prove-test.sh
    run .ci/floors_test.sh sh .ci/floors_test.sh "$BUILD/floors"
    run .ci/style_test.sh sh .ci/style_test.sh
    run packaging/tests/install_test.sh sh packaging/tests/install_test.sh
    run .ci/tour_test.sh sh .ci/tour_test.sh "$BUILD/rpcrdma"
fi
rm -f "$BUILD/test.out"
echo "$passed $failed $skipped" >"$BUILD/test.counts"
echo "$CC${SANITIZE:+ with $SANITIZE}: $passed passed, $failed failed, $skipped skipped ($log)"
[ "$failed" -eq 0 ]
