#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma"
# Every rule that only a live peer can break has its cases in rules.tsv, or a reason why it has none;
# and what it names exists. A rule that looking on decides in part can have cases, too.
#
# usage: rules_test.sh RPCRDMA
set -u

rpcrdma=$1
table=rxe-harness/commands/rules.tsv
passed=0 failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

verdict() {
    name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $name"
    fi
}

for command in probe serve; do
    "$rpcrdma" "$command" --list | sed -n 's/^\([a-z0-9][^ ]*\).*/\1/p' >"$work/$command"
    verdict "$command has cases" test -s "$work/$command"
done
"$rpcrdma" probe --around --list | sed -n 's/^\(around-[^ ]*\).*/\1/p' >>"$work/probe"
"$rpcrdma" probe --list --json "$work/results" >"$work/out"
verdict 'probe lists what its cases break' test -s "$work/results"

# Registers name peers by what is tested: a Responder is probed, a Requester served.
awk -F '\t' '$1 ~ /^rfc/ && $9 !~ /^none/ {
    kind = $9 ~ /passive/ ? "passive" : "live"
    if ($9 ~ /responder/) print kind "\t" $1 "\tprobe"
    if ($9 ~ /requester/) print kind "\t" $1 "\tserve"
}' spec/requirements/rfc*.tsv >"$work/marked"
grep -v '^#' "$table" | cut -f 1,2 | sort >"$work/listed"
sed -n 's/^live\t//p' "$work/marked" | sort | comm -23 - "$work/listed" >"$work/missing"
cut -f 2- "$work/marked" | sort | comm -13 - "$work/listed" >"$work/surplus"
sort "$work/missing" "$work/surplus" >"$work/wrong"
verdict 'the table has the rules that are marked, and no other' diff /dev/null "$work/wrong"

exists() {
    case $2 in
    breaks:*) grep -q "\"rule\":\"${2#breaks:}\",\"breaks\":true" "$work/results" ;;
    *'*') grep -q "^${2%\*}" "$work/$1" ;;
    *) grep -qx "$2" "$work/$1" ;;
    esac
}
grep -v '^#' "$table" >"$work/rows"
tab=$(printf '\t')
while IFS=$tab read -r rule command cases reason; do
    if [ "$cases" = - ]; then
        verdict "$rule, $command: a reason" test -n "$reason"
        continue
    fi
    verdict "$rule, $command: no reason beside cases" test -z "$reason"
    for each in $(echo "$cases" | tr ',' ' '); do
        verdict "$rule: $command has $each" exists "$command" "$each"
    done
done <"$work/rows"

"$rpcrdma" rules rfc8166/4.5/short-message-discarded >"$work/out"
verdict 'rules names live cases' grep -q '^    serve     empty-send, runt-reply' "$work/out"

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
