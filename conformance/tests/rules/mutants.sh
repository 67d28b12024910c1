#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: $RULE_TESTS
# once: "$BUILD/mutants/rpcrdma vectors"
# Mutation test of the checker: take out each passive rule in turn and see that some test fails.
#
# usage: mutants.sh COMMAND...
#
# The commands are tests of rules, or "rpcrdma vectors", which is run with each file of vectors, linked with mutant.c:
# their checker does not know the rule that the environment variable RPCRDMA_TEST_MUTANT names, and writes down those
# that are broken. A command in which a rule is never broken cannot miss it, and is not run for it.
set -u

[ $# -gt 0 ] || { echo 'usage: mutants.sh COMMAND...' >&2; exit 2; }
register=$(dirname "$0")/../../../spec/requirements
passed=0 failed=0 skipped=0
# One process for all tests of a program, and no more failures than the first.
CK_FORK=no
export CK_FORK
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

for command in "$@"; do
    case $command in
    *' vectors') find vectors -name '*.json' ! -name '*schema.json' | sed "s|^|$command |" ;;
    *) echo "$command" ;;
    esac
done >"$work/commands"

verdict() {
    if [ "$1" = good ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $2"
    fi
}

# Without any mutation: the rules that are broken, and where.
while IFS= read -r command; do
    # shellcheck disable=SC2086 # words of a command
    RPCRDMA_TEST_BROKEN=$work/broken $command >"$work/out" 2>&1 && good=good || good=bad
    verdict "$good" "$command fails without any mutation"
    [ ! -f "$work/broken" ] || sed "s|\$|\t$command|" "$work/broken" >>"$work/where"
    rm -f "$work/broken"
done <"$work/commands"
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
export RPCRDMA_TEST_MUTANT
for rule in $rules; do
    RPCRDMA_TEST_MUTANT=${rule%@*}
    case "${rule#*@} $*" in
    binding*binding* | binding*vectors*) ;;
    binding*)
        skipped=$((skipped + 1))
        continue
        ;;
    esac
    awk -F '\t' -v rule="$RPCRDMA_TEST_MUTANT" '$1 == rule { print $2 }' "$work/where" >"$work/list"
    good=bad
    while IFS= read -r command; do
        # shellcheck disable=SC2086
        $command >/dev/null 2>&1 || { good=good; break; }
    done <"$work/list"
    verdict "$good" "no test misses $RPCRDMA_TEST_MUTANT"
done
[ "$skipped" -eq 0 ] || echo "skip: rules of scope binding: no test of bindings was given"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
