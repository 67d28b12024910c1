#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once:
# Test of the proof: each of its checks fails on a register that is broken in that way only.
#
# usage: prove-test.sh
set -eu

register=$(cd "$(dirname "$0")/.." && pwd)
code=$register/../../conformance/check
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# As in the tree: the register, and the code of the checker, whose rules the proof looks up.
copy=$work/spec/requirements
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
    rm -rf "$work/spec" "$work/conformance"
    mkdir -p "$copy" "$work/conformance"
    cp "$register"/*.tsv "$register"/*.awk "$register"/prove.sh "$copy"
    cp -r "$code" "$work/conformance/check"
}

# failures [TEXTDIR]: the checks that fail, on one line; "none" where none does.
failures() {
    sh "$copy/prove.sh" "$@" >"$work/out" 2>&1 && status=0 || status=$?
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
    sed "$2" "$register/$1" >"$copy/$1"
    if cmp -s "$register/$1" "$copy/$1"; then
        verdict 'the file as it was' 'a change of the file' "$4"
        return
    fi
    verdict "$(failures)" "$3" "$4"
}

tab=$(printf '\t')
columns='every row has all its columns;'
ids='ids are well-formed and unique;'
words='each column keeps to its words;'
levels='keyword, level and severity agree;'
passive='passive rules have a severity, a scope and a reaction;'
held='rules said to hold others are passive;'
keywords='one row for each keyword of each section;'
shared='shared.tsv has each passive rule of version 1, and rules that exist;'
judged='version 2 rules have code, or a line in shared.tsv or unjudged.tsv;'
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
broken rfc8166.tsv "/$multiple/s/passive,//" "$passive" 'a severity without a passive test'
broken rfc8166.tsv "/$multiple/s/header/internal/" "$passive" 'a passive rule that cannot be seen'
broken rfc8166.tsv '/^rfc8166.3.2.no-other-framing/s/xid-equal/xid-same/' "$held" \
    'held by a rule that does not exist'
broken rfc8166.tsv '/^rfc8166.3.2.no-other-framing/s/4.2.1.xid-equal/4.3.absent-lists/' "$held" \
    'held by a row that is not a passive rule'
broken rfc8166.tsv "/$multiple/d" "$keywords$shared" 'a MUST without a row'
broken rfc8166.tsv "/$multiple/{p;s/multiple/divisor/;}" "$keywords$shared" 'a MUST with two rows'
broken rfc8166.tsv '/^rfc8166.3.5.2.reduction-optional/s/3.5.2/3.5.1/' "$keywords" \
    'a MAY in another section'
broken excluded.tsv '/4.1.1/d' "$keywords" 'a keyword no longer left out'
broken excluded.tsv "/4.1.1/s/${tab}[^${tab}]*\$/$tab/" "$keywords" 'left out without a reason'

broken rpcrdma2-07.tsv '/^rpcrdma2-07.7.1.3.refused-type-not-used/d' "$keywords" \
    'a MUST of a draft without a row'
broken rpcrdma2-04.tsv '/^rpcrdma2-04.7.1.answered/s/7.3.replies-keep-version/7.3.version-kept/' "$held" \
    'a row of a draft held by a rule that does not exist'
broken shared.tsv '/^rfc8166.3.4.5.position-multiple-of-four/d' "$shared$judged" \
    'a rule of version 1 of which nothing is said'
broken shared.tsv '/position-multiple-of-four/s/4.5.1.position/4.5.2.position/' "$shared$judged" \
    'shared under an id that does not exist'
broken shared.tsv "/position-multiple-of-four/s/${tab}=${tab}/${tab}rfc8166\/4\/xdr-encoded${tab}/" "$shared" \
    'shared under an id of another document'
broken shared.tsv "/^rfc8166.4.xdr-encoded/s/^rfc8166.4.xdr-encoded/rfc8166\/4.3\/absent-lists/" "$shared" \
    'shared, but not a passive rule'
broken unjudged.tsv "1arpcrdma2-07/4.2.1/sends-within-limits${tab}no code yet" "$judged" \
    'unjudged, but not a rule'

# A rule of version 2 that has no code is listed, one that has code is not.
unlisted() {
    fresh
    sed "/$2/d" "$register/unjudged.tsv" >"$copy/unjudged.tsv"
    find "$work/conformance" -name '*.c' -exec sed -i "s/$1/RPCRDMA_RULE/g" {} +
    verdict "$(failures)" "$judged" "$3"
}
unlisted RPCRDMA2_07_4_2_1_SENDS_WITHIN_LIMIT rpcrdma2-07.4.2.1.sends-within-limit \
    'neither code nor a line'
fresh
printf 'rpcrdma2-07/4.2.1/sends-within-limit\tno code yet\n' >>"$copy/unjudged.tsv"
echo 'RPCRDMA2_07_4_2_1_SENDS_WITHIN_LIMIT' >"$work/conformance/check/more.c"
verdict "$(failures)" "$judged" 'code and a line'

# The checks that read the texts, on a made-up one: one section, and the words of one row in it.
fresh
mkdir "$work/texts"
documents='rfc8166 rfc8167 rfc8267 rfc8797 rpcrdma2-04 rpcrdma2-07'
for document in $documents; do
    name=$(echo "$document" | sed 's/^rpcrdma2-/draft-version-two-/; s/^draft-/&made-up-/')
    printf '1.  Introduction\n\n   Nobody MUST\n   NOT read this.\n' >"$work/texts/$name.txt"
done
printf 'document\tsection\tkeyword\toccurrences\n' >"$work/counts"
for document in $documents; do
    printf '%s\t1\tMUST NOT\t1\n' "$document" >>"$work/counts"
done
cp "$work/counts" "$copy/keywords.tsv"
# shellcheck disable=SC2086 # a list of words
sections=$(printf '%s: every section exists;' $documents)
verdict "$(failures "$work/texts")" "$keywords$sections" 'the counts of another text'
cp "$register/keywords.tsv" "$copy/keywords.tsv"
verdict "$(failures "$work/texts")" "keywords.tsv is what the texts have;$sections" \
    'a text with other keywords'
row=$(sed -n "/$multiple/s/.*$tab//p" "$register/rfc8166.tsv")
printf '%s\n' "before it $row" 'and in another line: four   octets, F6-AB-0E' '18, identify the' \
    >>"$work/texts/rfc8166.txt"
cp "$work/texts/rfc8166.txt" "$work/texts/rfc8797.txt"
cp "$work/counts" "$copy/keywords.tsv"
quoted=$(failures "$work/texts" | tr ';' '\n' | grep -c 'no six words' || true)
verdict "$quoted" 2 'words of the text in a row, also across lines'

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
