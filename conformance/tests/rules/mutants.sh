#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: $RULE_TESTS
# once: "$BUILD/mutants/rpcrdma vectors vectors"
# Mutation test of the checker: take out each passive rule in turn and see that some test fails.
#
# usage: mutants.sh COMMAND...
#
# The commands are tests of rules, or the run of the vectors, linked with mutant.c: their checker does
# not know the rule that the environment variable RPCRDMA_TEST_MUTANT names.
set -u

[ $# -gt 0 ] || { echo 'usage: mutants.sh COMMAND...' >&2; exit 2; }
register=$(dirname "$0")/../../../spec/requirements
passed=0 failed=0 skipped=0
# One process for all tests of a program, and no more failures than the first.
CK_FORK=no
export CK_FORK
list=$(mktemp) || exit 1
trap 'rm -f "$list"' EXIT

# likely COMMAND...: what is likely to miss the rule, a command a line: of the tests those whose source names it, and
# the vectors of the files that name it; by others it is not missed.
likely() {
    constant=$(echo "RPCRDMA_$RPCRDMA_TEST_MUTANT" | tr 'a-z/.-' 'A-Z___')
    for command in "$@"; do
        case $command in
        *' vectors vectors')
            files=$(grep -rlF --include='*.json' "\"$RPCRDMA_TEST_MUTANT\"" vectors | tr '\n' ' ')
            [ -z "$files" ] || echo "${command% vectors} $files"
            ;;
        *) grep -qws "$constant" "${command#*/mutants/}.c" && echo "$command" ;;
        esac
    done
}

# fails COMMAND...: some command fails, as long as RPCRDMA_TEST_MUTANT is what it is
fails() {
    for command in "$@"; do
        # shellcheck disable=SC2086 # words of a command
        $command >/dev/null 2>&1 || return 0
    done
    return 1
}

verdict() {
    if [ "$1" = good ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $2"
    fi
}

RPCRDMA_TEST_MUTANT=no/such/rule
export RPCRDMA_TEST_MUTANT
if fails "$@"; then
    verdict bad 'the tests fail without any mutation'
else
    verdict good
fi
# What is not judged yet cannot be missed; nor, by the vectors alone, what has none.
case "$*" in
*vectors*) lacking='code|tests|vectors' ;;
*) lacking='code|tests' ;;
esac
rules=$(awk -F '\t' -v lacking="^no ($lacking) yet\$" '
    FILENAME ~ /unjudged/ { reason[$1] = $2; next }
    FNR > 1 && $7 != "-" && reason[$1] !~ lacking { print $1 "@" $6 }' \
    "$register"/unjudged.tsv "$register"/rfc*.tsv "$register"/rpcrdma2-*.tsv)
[ -n "$rules" ] || verdict bad 'there are no rules'
for rule in $rules; do
    RPCRDMA_TEST_MUTANT=${rule%@*}
    case "${rule#*@} $*" in
    binding*binding* | binding*vectors*) ;;
    binding*)
        skipped=$((skipped + 1))
        continue
        ;;
    esac
    likely "$@" >"$list"
    missed=no
    while IFS= read -r command; do
        fails "$command" && missed=yes && break
    done <"$list"
    if [ $missed = yes ] || fails "$@"; then
        verdict good
    else
        verdict bad "no test misses $RPCRDMA_TEST_MUTANT"
    fi
done
[ "$skipped" -eq 0 ] || echo "skip: rules of scope binding: no test of bindings was given"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
