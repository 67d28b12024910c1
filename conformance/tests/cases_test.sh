#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/rpcrdma"
# What an independent second look at the checker found, one file each: conforming traffic that was
# accused, faults that were missed, Sends that were lost. data/cases/expected.tsv says what
# `rpcrdma check` has to make of each.
#
# usage: [TABLE=FILE] [SHARED=FOLDER] cases_test.sh RPCRDMA
#
# TABLE is written: each file with what is expected and what was said. In SHARED, where they were
# first written down, there may be files that are not here.
set -u

rpcrdma=${1:?usage: cases_test.sh RPCRDMA}
cases=conformance/tests/data/cases
passed=0 failed=0
shared=${SHARED:-../shared/cases}
tmp=$(mktemp -d) || exit 1
table=${TABLE:-$tmp/table}
: >"$table"
trap 'rm -rf "$tmp"' EXIT

# Not mended yet: file and first word of the expectation. One that is met must not be here.
pending='
'

# There, packets were changed and their invariant CRCs were not; here they have right ones. How many octets differ.
other_crcs='
miss-chunk-never-written.pcap 48
swallowed-zero-grant-after-dreq.pcap 4
'

# Whether file $1, of $shared, is here: equal, but for its CRCs.
here() {
    cmp -s "$shared/$1" "$cases/$1" && return
    differ=$(cmp -l "$shared/$1" "$cases/$1") || [ -n "$differ" ] && echo "$other_crcs" | grep -qxF "$1 $(echo "$differ" | wc -l)"
}

# finding RULE PLACE: the event of that frame, or, where there are no frames, of that index, breaks
# the rule. "*": any event does.
finding() {
    case $2 in
    '*') place= ;;
    *) place="\"(frame|event)\":$2," ;; # before the findings, whose evidence has other frames
    esac
    grep -E "^\{\"kind\":\"event\"[^[]*$place" "$tmp/json" | grep -q "\"rule\":\"$1\""
}

# Whether the expectation is met by what was said of the file.
meets() {
    case $1 in
    clean)
        [ "$status" -eq 0 ] && grep -q '"violations":0,"warnings":0' "$tmp/json"
        ;;
    finding)
        finding "$2" "$3"
        ;;
    no) # the rule is named nowhere
        ! grep -q "\"rule\":\"$2\"" "$tmp/json"
        ;;
    sends)
        [ "$(grep -c '"type":"send"' "$tmp/json")" -eq "$2" ]
        ;;
    json)
        grep '"kind":"summary"' "$tmp/json" | grep -qE "$2"
        ;;
    status)
        [ "$status" -eq "$2" ]
        ;;
    not) # the word is not in the message
        ! grep -q "$2" "$tmp/message"
        ;;
    *)
        false
        ;;
    esac
}

# What was said, in a line.
said() {
    if grep -q '"kind":"summary"' "$tmp/json"; then
        grep '"kind":"summary"' "$tmp/json" |
            sed 's/.*"events":\([0-9]*\),"violations":\([0-9]*\),"warnings":\([0-9]*\),.*"lost":\([0-9]*\),.*/\1 events, \2 violations, \3 warnings, \4 lost/'
    else
        head -n 1 "$tmp/message"
    fi
}

judge() {
    "$rpcrdma" check --json "$cases/$1" >"$tmp/json" 2>"$tmp/message"
    status=$?
    # shellcheck disable=SC2086 # words
    if meets $2; then met=yes; else met=no; fi
    printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$met" "$(said)" >>"$table"
    due=yes
    echo "$pending" | grep -qxF "$1 ${2%% *}" && due=no
    if [ "$met" = "$due" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        if [ "$met" = yes ]; then
            echo "not ok: $1: $2 is met now: take it off the list of what is not mended yet"
        else
            printf 'not ok: %s (%s): %s\n' "$1" "$3" "$2"
            grep -v '"findings":\[\]' "$tmp/json" | cut -c1-300 | sed 's/^/    /'
            sed 's/^/    /' "$tmp/message"
        fi
    fi
}

tab=$(printf '\t')
set -f
while IFS=$tab read -r file expectation what; do
    case $file in
    '' | '#'*) continue ;;
    esac
    judge "$file" "$expectation" "$what"
done <"$cases/expected.tsv"
set +f

for path in "$cases"/*; do
    file=${path##*/}
    [ "$file" = expected.tsv ] && continue
    if grep -q "^$file$tab" "$cases/expected.tsv"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: nothing is expected of $file"
    fi
done

for path in "$shared"/*.*; do
    file=${path##*/}
    if [ "$file" = README.md ] || [ ! -f "$path" ]; then
        continue
    elif here "$file"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $path is another file here, or none"
    fi
done

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
