#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Prove the register of requirements: sound in itself, and complete against the specifications.
#
# usage: prove.sh [TEXTDIR]
#
# TEXTDIR has the full texts (rfc8166.txt and so on, as the RFC Editor publishes them). Without it
# the register is checked against the counts in keywords.tsv, which were taken from them, and the
# checks that need the texts are skipped.
#
# Exit status: 0 nothing failed, 1 something did, 2 wrong usage.
set -eu
export LC_ALL=C

if [ $# -gt 1 ]; then
    echo "usage: $0 [TEXTDIR]" >&2
    exit 2
fi
if [ $# -eq 1 ] && [ ! -d "$1" ]; then
    echo "$0: no such folder: $1" >&2
    exit 2
fi

here=$(dirname "$0")
texts=${1:-}
documents='rfc8166 rfc8167 rfc8267 rfc8797'
passed=0 failed=0 skipped=0

# report WHAT FAULTS: FAULTS is what a check printed, empty where all is well.
report() {
    if [ -z "$2" ]; then
        echo "ok   $1"
        passed=$((passed + 1))
    else
        echo "FAIL $1"
        printf '%s\n' "$2" | sed 's/^/     /'
        failed=$((failed + 1))
    fi
}

skip() {
    echo "skip $1: $2"
    skipped=$((skipped + 1))
}

# check WHAT NAME FILE...: run one check of prove.awk; an awk that fails is a fault.
check() {
    what=$1 name=$2
    shift 2
    report "$what" "$(awk -f "$here/words.awk" -f "$here/prove.awk" -v check="$name" "$@" 2>&1 || echo "awk failed")"
}

recount() {
    set --
    for document in $documents; do
        set -- "$@" "$texts/$document.txt"
    done
    awk -f "$here/keywords.awk" "$@" 2>&1 | diff "$here/keywords.tsv" - || true
}

set --
for document in $documents; do
    set -- "$@" "$here/$document.tsv"
done

check 'every row has all its columns' columns "$@"
check 'ids are well-formed and unique' ids "$@"
check 'each column keeps to its words' words "$@"
check 'keyword, level and verdict agree' levels "$@"
check 'passive rules have a verdict, a scope and a reaction' passive "$@"
check 'rules said to hold others are passive' held "$@"
check 'one row for each keyword of each section' keywords "$here/keywords.tsv" \
    "$here/excluded.tsv" "$@"

if [ -n "$texts" ]; then
    report 'keywords.tsv is what the texts have' "$(recount)"
else
    skip 'keywords.tsv is what the texts have' 'no TEXTDIR'
fi
for document in $documents; do
    for name in sections wording; do
        case $name in
        sections) what="$document: every section exists" ;;
        wording) what="$document: no six words in a row are the text's" ;;
        esac
        if [ -n "$texts" ]; then
            check "$what" "$name" "$texts/$document.txt" "$here/$document.tsv"
        else
            skip "$what" 'no TEXTDIR'
        fi
    done
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
