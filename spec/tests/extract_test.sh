#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once:
# Tests of extract.sh, repair.sh and the XDR they make.
#
# usage: [SPEC_TEXTS=DIR] extract_test.sh
#
# DIR holds the full texts of the specifications under the names of the excerpts. Prints a line for
# each test and at the end "N passed, N failed, N skipped"; exit status 0 when none failed.

set -u
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd) || exit 2
spec=${here%/*}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM

passed=0
failed=0
skipped=0

pass() {
    passed=$((passed + 1))
    echo "ok - $1"
}

fail() {
    failed=$((failed + 1))
    echo "not ok - $1"
}

skip() {
    skipped=$((skipped + 1))
    echo "skip - $1: $2"
}

# check NAME COMMAND...: the command has to succeed.
check() {
    check_name=$1
    shift
    if "$@"; then pass "$check_name"; else fail "$check_name"; fi
}

# refuses NAME STATUS MESSAGE COMMAND...: the command has to end with STATUS, say one line that
# holds MESSAGE, and print nothing. It reads $work/in.
refuses() {
    refuses_name=$1 refuses_status=$2 refuses_message=$3
    shift 3
    "$@" <"$work/in" >"$work/out" 2>"$work/err"
    refuses_got=$?
    if [ "$refuses_got" -eq "$refuses_status" ] && [ ! -s "$work/out" ] &&
        [ "$(wc -l <"$work/err")" -eq 1 ] && grep -qF -e "$refuses_message" "$work/err"; then
        pass "$refuses_name"
    else
        fail "$refuses_name (status $refuses_got)"
        sed 's/^/# /' "$work/err"
    fi
}

# FILE TEXT: the XDR files with errata and the excerpts they come from, as the Makefile has them.
specifications() {
    sed -n 's|^spec/text-\([^ ]*\) *:= spec/\(.*\)\.txt$|\1 \2|p' "$here/../../Makefile"
}

counts() {
    awk -v file="$1" -v stage="$2" '$1 == file && $2 == stage { $1 = $2 = ""; print substr($0, 3) }' \
        "$here/declarations.txt"
}

# as_counted FILE STAGE X
as_counted() {
    as_counted_want=$(counts "$1" "$2")
    as_counted_got=$(awk -f "$here/count.awk" "$3")
    [ -n "$as_counted_want" ] && [ "$as_counted_got" = "$as_counted_want" ]
}

# none_lost BEFORE AFTER: every name defined before is defined, as the same thing, after.
none_lost() {
    awk -v names=1 -f "$here/count.awk" "$1" >"$work/before"
    awk -v names=1 -f "$here/count.awk" "$2" |
        awk 'NR == FNR { kept[$0] = 1; next } !($0 in kept) { print "# lost: " $0; lost = 1 }
             END { exit lost }' - "$work/before"
}

only_marked_lines() {
    ! grep -v -e '^#' -e '^$' -e '^ *///' "$1"
}

no_marker() {
    ! grep -n '^ *///' "$1"
}

has_licence() {
    for phrase in 'Copyright (c)' 'Redistribution and use in source and binary forms' \
        'Redistributions of source code must retain' 'Redistributions in binary form must' \
        'Neither the name of Internet Society' 'THIS SOFTWARE IS PROVIDED BY' 'POSSIBILITY OF SUCH'; do
        grep -qF "$phrase" "$1" || return 1
    done
}

# keeps_rfc4506 X: none of the forms that grep can see and the errata remove; rpcgen and the XDR
# compiler see the others. Comments do not count.
keeps_rfc4506() {
    ! sed -e 's?/\*.*\*/??' "$1" | grep -n -e '^%' -e '^ *const  *[a-z0-9_]*  *[A-Za-z]' \
        -e '^  *struct  *[a-z0-9_]*  *[*a-z]' -e '^  *enum  *[a-z0-9_]*  *[*a-z]'
}

test_specification() {
    file=$1 text=$2
    raw=$work/$file.raw
    check "$text.txt: only marked lines" only_marked_lines "$spec/$text.txt"
    "$spec/extract.sh" "$spec/$text.txt" >"$raw"
    check "$text.txt: is extracted" [ -s "$raw" ]
    check "$file: no marker left" no_marker "$raw"
    check "$file: holds its licence" has_licence "$raw"
    check "$file: declarations as printed" as_counted "$file" printed "$raw"
    if [ -z "${SPEC_TEXTS:-}" ]; then
        echo "SPEC_TEXTS is not set: $file is not compared with the full text"
    else
        "$spec/extract.sh" "$SPEC_TEXTS/$text.txt" >"$work/full"
        check "$file: same from the full text" cmp "$raw" "$work/full"
    fi
    check "$file: errata apply" \
        sh -c "'$spec/repair.sh' '$spec/$file.errata' <'$raw' >'$work/$file.x'"
    check "$file: licence kept" has_licence "$work/$file.x"
    check "$file: declarations after repair" as_counted "$file" repaired "$work/$file.x"
    check "$file: no declaration lost" none_lost "$raw" "$work/$file.x"
    check "$file: lines keep their numbers" [ "$(wc -l <"$raw")" -eq "$(wc -l <"$work/$file.x")" ]
    check "$file: keeps to RFC 4506" keeps_rfc4506 "$work/$file.x"
    if keeps_rfc4506 "$raw" >"$work/out"; then
        fail "$file: does not keep to RFC 4506 as printed"
    else
        pass "$file: does not keep to RFC 4506 as printed"
    fi
}

# Each edit by itself, to a file that has it already and to a file that it is not for.
test_edits() {
    file=$1
    other=rfc8166
    [ "$file" != rfc8166 ] || other=rfc7863
    sed -n 's/^edit //p' "$spec/$file.errata" >"$work/edits"
    check "$file: has edits" [ -s "$work/edits" ]
    while read -r edit; do
        awk -v edit="$edit" 'BEGIN { RS = "" } $1 == "edit" && $2 == edit' \
            "$spec/$file.errata" >"$work/one.errata"
        cp "$work/$file.x" "$work/in"
        refuses "$file: $edit: not twice" 1 "edit $edit:" "$spec/repair.sh" "$work/one.errata"
        cp "$work/$other.raw" "$work/in"
        refuses "$file: $edit: not to $other" 1 "edit $edit:" "$spec/repair.sh" "$work/one.errata"
    done <"$work/edits"
}

# Every errata file to every other specification.
test_wrong_files() {
    specifications | while read -r file text; do echo "$file"; done >"$work/files"
    while read -r errata; do
        while read -r file; do
            [ "$errata" != "$file" ] || continue
            cp "$work/$file.raw" "$work/in"
            refuses "$errata.errata: not to $file" 1 "edit " "$spec/repair.sh" "$spec/$errata.errata"
        done <"$work/files"
    done <"$work/files"
}

# extracts NAME INPUT OUTPUT, both for printf.
extracts() {
    # shellcheck disable=SC2059 # these are formats
    printf "$2" >"$work/text"
    # shellcheck disable=SC2059
    printf "$3" >"$work/want"
    "$spec/extract.sh" "$work/text" >"$work/out"
    check "extract: $1" cmp "$work/want" "$work/out"
}

test_extract() {
    extracts "no blank before the marker" 'a\n/// b\nc\n' 'b\n'
    extracts "one blank" ' /// b\n' 'b\n'
    extracts "many blanks, indentation kept" '       ///    b\n' '   b\n'
    extracts "nothing after the marker" '   ///\n   /// \n' '\n\n'
    extracts "no blank after the marker" '///b\n' 'b\n'
    extracts "a marker inside a line" 'grep /// x\n   /// "///"\n' '"///"\n'
    extracts "page furniture dropped" '/// a\n\n\f\nRFC 1   2\n\n/// b\n' 'a\nb\n'
    extracts "lines ended as on the network" '/// a\r\n///\r\n' 'a\n\n'
    extracts "last line not ended" '/// a\n/// b' 'a\nb\n'
    : >"$work/in"
    printf 'no marker\n' >"$work/text"
    : >"$work/empty"
    refuses "extract: no marked line" 1 'no line marked ///' "$spec/extract.sh" "$work/text"
    refuses "extract: an empty file" 1 'no line marked ///' "$spec/extract.sh" "$work/empty"
    refuses "extract: no such file" 1 'cannot be read' "$spec/extract.sh" "$work/none"
    refuses "extract: a folder" 1 'cannot be read' "$spec/extract.sh" "$work"
    refuses "extract: no argument" 2 'usage' "$spec/extract.sh"
    refuses "extract: two arguments" 2 'usage' "$spec/extract.sh" "$work/text" "$work/text"
}

# repairs NAME ERRATA WANT: both for printf; the input is the lines a, b, a, "c c".
repairs() {
    # shellcheck disable=SC2059 # these are formats
    printf "$2" >"$work/errata"
    # shellcheck disable=SC2059
    printf "$3" >"$work/want"
    printf 'a\nb\na\nc c\n' | "$spec/repair.sh" "$work/errata" >"$work/out"
    check "repair: $1" cmp "$work/want" "$work/out"
}

# rejects NAME ERRATA MESSAGE: the same input; nothing is printed.
rejects() {
    # shellcheck disable=SC2059 # this is a format
    printf "$2" >"$work/errata"
    printf 'a\nb\na\nc c\n' >"$work/in"
    refuses "repair: $1" 1 "$3" "$spec/repair.sh" "$work/errata"
}

test_repair() {
    repairs "a line changed" 'edit x\nwhy w\n-b\n+B\n' 'a\nB\na\nc c\n'
    repairs "a line removed" 'edit x\nwhy w\n=a\n-b\n' 'a\na\nc c\n'
    repairs "a line put in" 'edit x\nwhy w\n=a\n+n\n=b\n' 'a\nn\nb\na\nc c\n'
    repairs "a line moved" 'edit x\nwhy w\n-b\n=a\n+b\n' 'a\na\nb\nc c\n'
    repairs "an empty line put in" 'edit x\nwhy w\n-b\n+\n+b b\n' 'a\n\nb b\na\nc c\n'
    repairs "text changed" 'edit x\nwhy w\ntext 2 "c" "d\\&"\n' 'a\nb\na\nd\\& d\\&\n'
    repairs "text removed" 'edit x\nwhy w\ntext 1 " c" ""\n' 'a\nb\na\nc\n'
    repairs "edits in their order" '# t\n\nedit x\nwhy w\n-b\n+e\n\nedit y\nwhy w\ntext 1 "e" "f"\n' \
        'a\nf\na\nc c\n'
    repairs "the end of the file" 'edit x\nwhy w\nwhy v\n-c c\n+d\n+e\n' 'a\nb\na\nd\ne\n'

    rejects "text not there" 'edit x\nwhy w\n-z\n+y\n' 'edit x: its text is there 0 times, not 1'
    rejects "a line there twice" 'edit x\nwhy w\n-a\n+y\n' 'edit x: its text is there 2 times, not 1'
    rejects "a line only in part" 'edit x\nwhy w\n-c\n+y\n' 'edit x: its text is there 0 times'
    rejects "past the end" 'edit x\nwhy w\n=c c\n-\n' 'edit x: its text is there 0 times'
    rejects "text less often" 'edit x\nwhy w\ntext 3 "c" "d"\n' 'edit x: its text is there 2 times, not 3'
    rejects "text more often" 'edit x\nwhy w\ntext 1 "c" "d"\n' 'edit x: its text is there 2 times, not 1'
    rejects "text taken literally" 'edit x\nwhy w\ntext 2 "." "d"\n' 'edit x: its text is there 0 times'
    rejects "text still there" 'edit x\nwhy w\ntext 2 "c" "cd"\n' 'edit x: its text is still there'
    rejects "lines still there" 'edit x\nwhy w\n+n\n=b\n' 'edit x: its text is still there'
    rejects "a later edit wrong" 'edit x\nwhy w\n-b\n+e\n\nedit y\nwhy w\n-b\n+e\n' 'edit y: its text'

    rejects "no edit" '# nothing\n' 'holds no edit'
    rejects "no reason" 'edit x\n-b\n+e\n' 'edit x: gives no reason'
    rejects "an empty reason" 'edit x\nwhy \n-b\n+e\n' ':2: expected why'
    rejects "no action" 'edit x\nwhy w\n' 'edit x: changes nothing'
    rejects "nothing but context" 'edit x\nwhy w\n=b\n' 'edit x: changes nothing'
    rejects "no place" 'edit x\nwhy w\n+n\n' 'edit x: says not where'
    rejects "two texts" 'edit x\nwhy w\ntext 2 "c" "d"\ntext 1 "b" "e"\n' ':4: edit x: one action only'
    rejects "text and lines" 'edit x\nwhy w\ntext 2 "c" "d"\n-b\n' ':4: edit x: one action only'
    rejects "lines and text" 'edit x\nwhy w\n-b\ntext 2 "c" "d"\n' ':4: edit x: one action only'
    rejects "times zero" 'edit x\nwhy w\ntext 0 "z" "d"\n' ':3: edit x: expected: text TIMES'
    rejects "no times" 'edit x\nwhy w\ntext "c" "d"\n' ':3: edit x: expected: text TIMES'
    rejects "text not quoted" 'edit x\nwhy w\ntext 2 c d\n' ':3: edit x: expected: text TIMES'
    rejects "empty old text" 'edit x\nwhy w\ntext 2 "" "d"\n' ':3: edit x: expected: text TIMES'
    rejects "an unknown word" 'edit x\nwhy w\nreplace b\n' ':3: expected why'
    rejects "lines outside an edit" 'why w\n' ':1: expected: edit NAME'
    rejects "two edits run together" 'edit x\nwhy w\n-b\n+e\nedit y\n' ':5: an empty line ends an edit'
    rejects "one name for two edits" 'edit x\nwhy w\n-b\n\nedit x\nwhy w\n-c c\n' ':5: edit x: named twice'
    rejects "a name with a blank" 'edit x y\nwhy w\n-b\n' ':1: an edit is named'
    refuses "repair: no such errata" 1 'cannot be read' "$spec/repair.sh" "$work/none"
    refuses "repair: a folder as errata" 1 'cannot be read' "$spec/repair.sh" "$work"
    refuses "repair: no argument" 2 'usage' "$spec/repair.sh"
}

# The files that are written by hand; that of the test program is no specification.
made() {
    for file in "$spec"/*.x; do
        name=$(basename "$file" .x)
        [ "$name" = testprog ] || echo "$name"
    done
}

test_made() {
    for file in $(made); do
        cp "$spec/$file.x" "$work/$file.x"
        check "$file.x: names its licence" \
            grep -qxE '/\* SPDX-License-Identifier: BSD-3-Clause( OR GPL-2.0-only)? \*/' <<X
$(sed 1q "$spec/$file.x")
X
        check "$file.x: declarations" as_counted "$file" made "$spec/$file.x"
        check "$file.x: keeps to RFC 4506" keeps_rfc4506 "$spec/$file.x"
    done
}

rpcgen_accepts() {
    (cd "$work/c" && cp "$1" in.x && rm -f in.h in.c && rpcgen -C -h -o in.h in.x &&
        rpcgen -C -c -o in.c in.x && [ -s in.h ] && [ -s in.c ])
}

# The headers of libtirpc stand in for <rpc/rpc.h>, which declares some of the same names.
compiles() {
    rpcgen_accepts "$1" && (cd "$work/c" && "${CC:-cc}" -w -I/usr/include/tirpc -D_TIRPC_RPC_H \
        -include rpc/types.h -include rpc/xdr.h -DCLIENT=void -DSVCXPRT=void -c -o in.o in.c)
}

test_rpcgen() {
    mkdir "$work/c"
    tirpc=no
    echo '#include <rpc/xdr.h>' >"$work/c/probe.c"
    "${CC:-cc}" -I/usr/include/tirpc -c -o "$work/c/probe.o" "$work/c/probe.c" 2>/dev/null && tirpc=yes
    for file in $(sed 's/ .*//' "$work/specifications") $(made); do
        if ! command -v rpcgen >/dev/null; then
            skip "$file: rpcgen accepts it" "no rpcgen"
            skip "$file: its C compiles" "no rpcgen"
            continue
        fi
        check "$file: rpcgen accepts it" rpcgen_accepts "$work/$file.x"
        if [ "$tirpc" = yes ]; then
            check "$file: its C compiles" compiles "$work/$file.x"
        else
            skip "$file: its C compiles" "no libtirpc headers"
        fi
    done
}

test_extract
test_repair
specifications >"$work/specifications"
while read -r file text; do
    test_specification "$file" "$text"
done <"$work/specifications"
[ "$(wc -l <"$work/specifications")" -ge 4 ] || fail 'the Makefile names the excerpts'
while read -r file text; do
    test_edits "$file"
done <"$work/specifications"
test_wrong_files
test_made
test_rpcgen

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
