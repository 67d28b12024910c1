#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Test of the proof: each of its checks fails on a register that is broken in that way only.
#
# usage: prove-test.sh
set -eu

register=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

verdict() {
    if [ "$1" = "$2" ]; then
        passed=$((passed + 1))
        echo "ok   $3"
    else
        failed=$((failed + 1))
        echo "FAIL $3"
        echo "     expected: $2"
        echo "     got:      $1"
    fi
}

fresh() {
    rm -rf "$work/register"
    mkdir "$work/register"
    cp "$register"/*.tsv "$register"/*.awk "$register"/prove.sh "$work/register"
}

# failures [TEXTDIR]: the checks that fail, on one line; "none" where none does.
failures() {
    sh "$work/register/prove.sh" "$@" >"$work/out" 2>&1 && status=0 || status=$?
    list=$(sed -n 's/^FAIL //p' "$work/out" | tr '\n' ';')
    case $status in
    0) echo "none$list" ;;
    1) echo "$list" ;;
    *) echo "status $status" ;;
    esac
}

# broken FILE SCRIPT FAILURES WHAT: the sed SCRIPT on FILE makes just these checks fail.
broken() {
    fresh
    sed "$2" "$register/$1" >"$work/register/$1"
    if cmp -s "$register/$1" "$work/register/$1"; then
        verdict 'the file as it was' 'a change of the file' "$4"
        return
    fi
    verdict "$(failures)" "$3" "$4"
}

tab=$(printf '\t')
columns='every row has all its columns;'
ids='ids are well-formed and unique;'
words='each column keeps to its words;'
levels='keyword, level and verdict agree;'
passive='passive rules have a verdict, a scope and a reaction;'
held='rules said to hold others are passive;'
keywords='one row for each keyword of each section;'
multiple='^rfc8166\/3.4.5\/position-multiple-of-four'

fresh
verdict "$(failures)" none 'the register as it is'
broken rfc8797.tsv "/identifier-searched/s/${tab}[^${tab}]*\$//" "$columns" 'a column is missing'
broken rfc8797.tsv '/identifier-searched/s/$/ /' "$columns" 'a blank at the end'
broken rfc8797.tsv '1s/role/rule/' "$columns" 'a column has another name'
broken rfc8797.tsv 's/identifier-searched/identifier_searched/' "$ids" 'a malformed id'
broken rfc8797.tsv 's/\/identifier-searched/\/content-checked/' "$ids" 'an id twice'
broken rfc8797.tsv 's/^rfc8797\(.5.2.identifier\)/rfc8166\1/' "$ids" \
    'an id of another document'
broken rfc8166.tsv "/$multiple/s/requester/caller/" "$words" 'an unknown role'
broken rfc8166.tsv "/$multiple/s/err-chunk,/err-chunks,/" "$words" 'an unknown reaction'
broken rfc8166.tsv "/$multiple/s/passive,responder/passive,responder,responder/" "$words" \
    'a test named twice'
broken rfc8166.tsv "/$multiple/s/must/should/" "$levels" 'a MUST of level should'
broken rfc8166.tsv "/$multiple/s/violation/note/" "$levels" 'a MUST that is but a note'
broken rfc8166.tsv "/$multiple/s/passive,//" "$passive" 'a verdict without a passive test'
broken rfc8166.tsv "/$multiple/s/header/internal/" "$passive" 'a passive rule that cannot be seen'
broken rfc8166.tsv '/^rfc8166.3.2.no-other-framing/s/xid-equal/xid-same/' "$held" \
    'held by a rule that does not exist'
broken rfc8166.tsv '/^rfc8166.3.2.no-other-framing/s/4.2.1.xid-equal/4.3.absent-lists/' "$held" \
    'held by a row that is not a passive rule'
broken rfc8166.tsv "/$multiple/d" "$keywords" 'a MUST without a row'
broken rfc8166.tsv "/$multiple/{p;s/multiple/divisor/;}" "$keywords" 'a MUST with two rows'
broken rfc8166.tsv '/^rfc8166.3.5.2.reduction-optional/s/3.5.2/3.5.1/' "$keywords" \
    'a MAY in another section'
broken excluded.tsv '/4.1.1/d' "$keywords" 'a keyword no longer left out'
broken excluded.tsv "/4.1.1/s/${tab}[^${tab}]*\$/$tab/" "$keywords" 'left out without a reason'

# The checks that read the texts, on a made-up one: one section, and the words of one row in it.
fresh
mkdir "$work/texts"
for document in rfc8166 rfc8167 rfc8267 rfc8797; do
    printf '1.  Introduction\n\n   Nobody MUST\n   NOT read this.\n' >"$work/texts/$document.txt"
done
printf 'document\tsection\tkeyword\toccurrences\n' >"$work/counts"
for document in rfc8166 rfc8167 rfc8267 rfc8797; do
    printf '%s\t1\tMUST NOT\t1\n' "$document" >>"$work/counts"
done
cp "$work/counts" "$work/register/keywords.tsv"
sections='rfc8166: every section exists;rfc8167: every section exists;rfc8267: every section exists;rfc8797: every section exists;'
verdict "$(failures "$work/texts")" "$keywords$sections" 'the counts of another text'
cp "$register/keywords.tsv" "$work/register/keywords.tsv"
verdict "$(failures "$work/texts")" "keywords.tsv is what the texts have;$sections" \
    'a text with other keywords'
row=$(sed -n "/$multiple/s/.*$tab//p" "$register/rfc8166.tsv")
printf '%s\n' "before it $row" 'and in another line: four   octets, F6-AB-0E' '18, identify the' \
    >>"$work/texts/rfc8166.txt"
cp "$work/texts/rfc8166.txt" "$work/texts/rfc8797.txt"
cp "$work/counts" "$work/register/keywords.tsv"
quoted=$(failures "$work/texts" | tr ';' '\n' | grep -c 'no six words' || true)
verdict "$quoted" 2 'words of the text in a row, also across lines'

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
