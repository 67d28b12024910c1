#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: ${SPEC_TEXTS:+"$SPEC_TEXTS"}
# Prove the register of requirements: sound in itself, and complete against the specifications.
#
# usage: prove.sh [TEXTDIR]
#
# TEXTDIR has the full texts (rfc8166.txt and so on, as the RFC Editor publishes them, and the drafts
# under their own names). Without it the register is checked against the counts in keywords.tsv,
# which were taken from them, and what needs the texts is not checked.
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
rfcs='rfc8166 rfc8167 rfc8267 rfc8797'
drafts='rpcrdma2-04 rpcrdma2-07'
documents="$rfcs $drafts"
passed=0 failed=0

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

# check WHAT NAME FILE...: run one check of prove.awk; an awk that fails is a fault.
check() {
    what=$1 name=$2
    shift 2
    report "$what" "$(awk -f "$here/words.awk" -f "$here/headings.awk" -f "$here/prove.awk" \
        -v check="$name" "$@" 2>&1 || echo "awk failed")"
}

# text_of DOCUMENT: its file; drafts have longer names than their registers.
text_of() {
    case $1 in
    rpcrdma2-*) echo "$texts"/draft-*-version-two-"${1#rpcrdma2-}.txt" ;;
    *) echo "$texts/$1.txt" ;;
    esac
}

recount() {
    set --
    for document in $documents; do
        set -- "$@" "$(text_of "$document")"
    done
    awk -f "$here/headings.awk" -f "$here/keywords.awk" "$@" 2>&1 | diff "$here/keywords.tsv" - || true
}

# The rules of version 2 that the checker's code names, as it names them.
in_code() {
    echo name # so that the list is not empty
    grep -rhoE 'RPCRDMA2_0[0-9]_[A-Z0-9_]+' "$here/../../conformance/check" | sort -u
}

set --
for document in $documents; do
    set -- "$@" "$here/$document.tsv"
done

check 'every row has all its columns' columns "$@"
check 'ids are well-formed and unique' ids "$@"
check 'each column keeps to its words' words "$@"
check 'keyword, level and severity agree' levels "$@"
check 'passive rules have a severity, a scope and a reaction' passive "$@"
check 'rules said to hold others are passive' held "$@"
check 'one row for each keyword of each section' keywords "$here/keywords.tsv" \
    "$here/excluded.tsv" "$@"
check 'shared.tsv has each passive rule of version 1, and rules that exist' shared \
    "$here/shared.tsv" "$@"
code=$(mktemp)
trap 'rm -f "$code"' EXIT
in_code >"$code"
check 'version 2 rules have code, or a line in shared.tsv or unjudged.tsv' judged "$code" \
    "$here/shared.tsv" "$here/unjudged.tsv" "$@"

if [ -n "$texts" ]; then
    report 'keywords.tsv is what the texts have' "$(recount)"
else
    echo 'no TEXTDIR: what needs the texts is not checked'
fi
for document in $documents; do
    for name in sections wording; do
        case $name in
        sections) what="$document: every section exists" ;;
        wording) what="$document: no six words in a row are the text's" ;;
        esac
        if [ -n "$texts" ]; then
            check "$what" "$name" "$(text_of "$document")" "$here/$document.tsv"
        fi
    done
done

for document in $drafts; do
    awk -F '\t' -v document="$document" 'FNR == 1 { file++; next }
        file == 1 && index($1, document "/") == 1 { count[$2 == "no vectors yet"]++ }
        file == 2 { passive += $7 != "-"; keywords += $2 !~ /^(lower-case|derived)$/; rows++ }
        END { print document ": " rows " rows, " keywords " of them keywords; " passive " passive, " \
              count[0] + 0 " of them not judged yet, " count[1] + 0 " more without vectors" }' \
        "$here/unjudged.tsv" "$here/$document.tsv"
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
