#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/xdrgen"
# The back end of xdrgen, beside the codecs that codec_test.c holds to their octets: what it makes
# compiles without a warning, and what it cannot make it refuses, in words and at the right place.
# Usage: back_test.sh XDRGEN. Environment: CC.
set -u

xdrgen=$1
: "${CC:=cc}"
root=$(CDPATH='' cd -- "$(dirname "$0")/../.." && pwd) || exit 1
passed=0 failed=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# verdict NAME PROBLEM: passes if there is no problem
verdict() {
    if [ -z "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'not ok: %s\n%s\n' "$1" "$2"
    fi
}

# generate FILE [OPTION]...: into $tmp/out.[ch]
generate() {
    file=$1
    shift
    "$xdrgen" --prefix=t_ --const-prefix=T_ --include=out.h --header="$tmp/out.h" \
        --source="$tmp/out.c" --tables="$tmp/tables.c" "$@" "$file" 2>&1
}

# refuses LINE:COLUMN TEXT XDR [OPTION]...: one error, there, that begins so; nothing written
refuses() {
    place=$1 words=$2 xdr=$3
    shift 3
    printf '%s\n' "$xdr" >"$tmp/bad.x"
    rm -f "$tmp/out.h" "$tmp/out.c"
    said=$(generate "$tmp/bad.x" "$@")
    status=$?
    problem=
    case $said in
    "$tmp/bad.x:$place: error: $words"*) [ "$status" -eq 1 ] || problem="exit status $status" ;;
    *) problem=$said ;;
    esac
    [ ! -e "$tmp/out.c" ] || problem="$problem; wrote a source"
    verdict "refuses: $xdr $*" "$problem"
}

# compiles NAME FILE [OPTION]...
compiles() {
    name=$1
    shift
    problem=$(generate "$@" && "$CC" -std=c11 -pedantic -Wall -Wextra -Werror -Wshadow -Wconversion \
        -Wno-sign-conversion -Wstrict-prototypes -Wmissing-prototypes -I"$tmp" -I"$root/codec" \
        -I"$root/codec/include" -fsyntax-only "$tmp/out.c" 2>&1 || echo "exit status $?")
    verdict "compiles: $name" "$problem"
}

refuses 1:42 'a linked list can only be used' 'struct l { int x; l *next; }; struct r { l one; };'
refuses 1:41 'an array of elements that take' 'struct r { int none[0]; }; struct s { r many<>; };'
refuses 1:8 'a linked list can only be used' 'struct l { int x; l *next; };' --root=l
refuses 1:16 'an array of no elements' 'struct r { int none[0]; };'
refuses 1:19 'an array of no elements' 'struct r { opaque none[0]; };'
refuses 1:8 'this takes more than' 'struct r { opaque a[0x7ffffffc]; opaque b[0x7ffffffc]; };'
refuses 1:18 'arrays of floating-point' 'struct r { float many<>; };'
refuses 1:32 'arrays of floating-point' 'typedef double d; struct r { d many[3]; };'
refuses 1:17 'optional data of a base' 'struct r { int *maybe; };'
refuses 1:39 'optional data of a base' 'typedef hyper h; struct r { int x; h *maybe; };'
refuses 1:8 'a struct that holds nothing' 'struct r { void; };'
refuses 1:8 'a struct that holds nothing' 'struct r { r *next; };'
refuses 1:16 'this takes more than' 'struct r { int many[0x20000000]; };'
refuses 1:19 'optional data of a base' 'struct r { float *maybe; };'
refuses 1:20 'optional data of a base' 'struct r { double *maybe; };'

refuses 2:7 'two offsets with one name' 'enum e { A = 1, B = 2 }; union u switch (e k) { case A: int x; default: void; };
union v switch (e l) { case A: int y; case B: u both; };' --offsets --root=v

printf '%s\n' 'struct r { int x; };' >"$tmp/root.x"
for type in s x; do
    rm -f "$tmp/out.c"
    said=$(generate "$tmp/root.x" --root=r --root=$type)
    verdict "no type $type" "$([ "$said" = "xdrgen: $tmp/root.x defines no type '$type'" ] && [ ! -e "$tmp/out.c" ] ||
        echo "$said")"
done

for options in '' --inline --reduced --offsets; do
    for file in codec_own codec good/lexical good/nesting good/order good/program good/shortest golden/shapes; do
        # shellcheck disable=SC2086 # no option or one
        compiles "$file.x $options" "$root/gen/tests/$file.x" $options
    done
done
for options in '' --inline --reduced --offsets; do
    # shellcheck disable=SC2086 # no option or one
    compiles "golden/places.x $options" "$root/gen/tests/golden/places.x" --strip=x_ --const-strip=X_ --root=x_all \
        --names="$root/gen/tests/golden/places.names" $options
done
printf '%s\n' 'typedef bool yes; typedef hyper big; enum c { A = 1 }; typedef c cc; typedef opaque five[5];' \
    'typedef five fives<>; typedef string s<4>; typedef quadruple huge;' \
    'struct r { yes one; yes many<>; yes two[2]; huge q; big bs<>; big b2[2]; cc *d; cc ds<>; void;' \
    '    cc d2[2]; five *f; fives g; five t[2]; s *u; s us<>; fives *v; void; };' \
    'union u switch (yes k) { case TRUE: yes x; case FALSE: huge y; };' \
    'union v switch (cc k) { case A: cc x<>; }; struct top { r a; u b; v d; u *e; v f<>; };' \
    >"$tmp/typedefs.x"
compiles 'typedefs in every place' "$tmp/typedefs.x" --root=top

# Structs of the same fields may have one name in C, and then are one type.
printf '%s\n' 'one both' 'two both' >"$tmp/names"
xdr='struct one { int a; opaque b<7>; }; struct two { int a; opaque b<7>; };
union u switch (int x) { case 1: one first; case 2: two second; };'
printf '%s\n' "$xdr" >"$tmp/same.x"
compiles 'two structs, one type' "$tmp/same.x" --root=u --names="$tmp/names"
verdict 'one type is declared once and used twice' \
    "$(awk '/struct t_both \{/ { n++ } /struct t_both (first|second);/ { m++ } { text = text $0 "\n" }
        END { if (n != 1 || m != 2) print text }' "$tmp/out.h")"
for other in 'int a; opaque b<8>;' 'int a; opaque b<6>;' 'int a; string b<7>;' 'int c; opaque b<7>;' 'int a;' \
    'unsigned int a; opaque b<7>;' 'int a; opaque b[7];' 'int a; opaque b<7>; int c;' 'int a; opaque b<>;'; do
    refuses 1:44 'another type with other fields' "struct one { int a; opaque b<7>; }; struct two { $other };" \
        --names="$tmp/names"
    refuses 2:8 'another type with other fields' "struct two { $other };
struct one { int a; opaque b<7>; };" --names="$tmp/names"
done
for two in 'union one switch (int a) { case 1: int b; };|union two switch (int a) { case 1: int b; };|2:7' \
    'enum one { A = 1 };|enum two { B = 1 };|2:6' 'typedef opaque one<7>;|typedef opaque two<7>;|2:16' \
    'struct one { int a; one *b; };|struct two { int a; two *b; };|2:8' \
    'struct one { int a; one *b; };|struct two { int a; one *b; };|2:8'; do
    refuses "${two##*|}" 'another type with other fields' "$(printf '%s' "${two%|*}" | tr '|' '\n')" --names="$tmp/names"
done

refuses 1:43 'another type with other fields' 'struct one { int a; opaque b<7>; }; union two switch (int b) { case 1: one c; };' \
    --names="$tmp/names"
refuses 1:53 'another type with other fields' 'union one switch (int b) { case 1: int c; }; struct two { int a; };' \
    --names="$tmp/names"
refuses 1:39 'optional data of a base' 'union u switch (int x) { case 1: int *maybe; };'
refuses 1:39 'optional data of a base' 'union u switch (int x) { case 1: int *maybe; }; struct r { u one; };' --root=r

printf '%s\n' '# two names' 'one both' ' never again # not there' >"$tmp/slips"
printf '%s\n' 'struct one { int a; };' >"$tmp/slip.x"
said=$(generate "$tmp/slip.x" --names="$tmp/slips")
case $said in
*"$tmp/slips:3:1: error: expected two names"*) verdict 'a line that is not two names' '' ;;
*) verdict 'a line that is not two names' "said: $said" ;;
esac
# slip LINE NAME...: of these names, each renamed in a line of its own, that one does not occur
slip() {
    line=$1
    shift
    printf '%s again\n' "$@" >"$tmp/slips"
    said=$(generate "$tmp/slip.x" --names="$tmp/slips")
    name=$(sed -n "${line}s/ .*//p" "$tmp/slips")
    problem=
    [ "$said" = "$tmp/slips:$line:1: error: the specification has no such name to rename: '$name'" ] || problem="said: $said"
    verdict "a name that does not occur: $*" "$problem"
}
slip 1 never
slip 1 never one
slip 2 one never

# What users read: no function that nobody calls, no long line, no line of a file they do not have.
# clean NAME FILE [OPTION]...
clean() {
    name=$1
    shift
    generate "$@" >/dev/null
    verdict "$name: no line above 100 columns" "$(awk 'length > 100' "$tmp/out.h" "$tmp/out.c" "$tmp/tables.c")"
    verdict "$name: no trailing blanks, no two empty lines" \
        "$(awk '/[ \t]$/ || (FNR > 1 && $0 == "" && last == "") { print FILENAME ":" FNR } { last = $0 }' \
            "$tmp/out.h" "$tmp/out.c" "$tmp/tables.c")"
    verdict "$name: every static function is called" "$(awk '
        { n = split($0, word, /[^A-Za-z0-9_]+/); for (i = 1; i <= n; i++) seen[word[i]]++ }
        /^(static|RPCRDMA_XDR_[GP]UTTER) / && /\(/ {
            sub(/\(.*/, ""); sub(/.*[ *]/, ""); functions[$0] = 1 }
        END { for (f in functions) if (seen[f] < 2) print f }' "$tmp/out.c")"
    verdict "$name: nothing is marked unused" "$(grep -n unused "$tmp/out.h" "$tmp/out.c")"
    verdict "$name: no line numbers" "$(grep -nE '\.x:[0-9]|/\* [0-9]+' "$tmp/out.h" "$tmp/out.c" "$tmp/tables.c")"
    verdict "$name: no sum with 0, nothing dereferenced for nothing" \
        "$(grep -nE ' \+ 0\b|\(\*v\)\.|&\*|^ *\} else if .*\{$' "$tmp/out.c" | awk '
            / else if / { split($0, a, ":"); getline next_line; if (next_line ~ /\} else/) print; next } { print }')"
}

# Without nesting.x: one of its names alone fills a line.
for file in codec_own codec good/lexical good/order good/program good/shortest; do
    clean "$file.x" "$root/gen/tests/$file.x"
    clean "$file.x --inline" "$root/gen/tests/$file.x" --inline
done

printf '%s\n' '/*' ' * Copyright (c) 1999 Somebody' ' */' '/* Not this one. */' 'const A = 1; /* one */' \
    '/* Things (Section 4.5) */' 'struct r { int a; /* the first */ };' 'struct s { int b; };' \
    '/* RFC 9999 section 7, again */' 'struct u { r a; s b; };' 'struct v { u c; };' >"$tmp/titled.x"
generate "$tmp/titled.x" --root=v --title='RFC 1' --banner='// first
// second'
for line in '// first' '// second' ' * Copyright (c) 1999 Somebody' '#define T_A 1 /* one */' \
    '/* RFC 1 section 4.5: struct r */' '    int32_t a; /* the first */' '/* RFC 1 section 4.5: struct s */' \
    '/* RFC 9999 section 7: struct u */' '/* RFC 1 section 4.5: struct v */'; do
    verdict "the header says: $line" "$(grep -qxF "$line" "$tmp/out.h" || cat "$tmp/out.h")"
done
verdict 'a comment that is not the notice is not copied' "$(grep 'Not this one' "$tmp/out.h")"
verdict 'the banner comes first' "$(head -n 3 "$tmp/out.c" | tr '\n' '|' | grep -v '^// first|// second|/\*|$')"

# Without a banner or a title: what made it, of which file; a notice in the first line; a void field has no place.
mkdir "$tmp/folder"
printf '%s\n' '/* Copyright (c) 2001 Somebody */' '/* Another. */' \
    'struct r { int a; void; int b; };' 'struct s { r one; };' >"$tmp/folder/first.x"
problem=$(generate "$tmp/folder/first.x" --root=s --offsets)
for line in '/* Made by xdrgen from first.x: do not edit. */' '/* Copyright (c) 2001 Somebody */' \
    '/* first.x: struct r */' '    T_AT_ONE_A = 0,' '    T_AT_ONE_B = 4,' '    T_SIZE = 8,'; do
    verdict "untitled, the header says: $line" "$problem$(grep -qxF "$line" "$tmp/out.h" || cat "$tmp/out.h")"
done
verdict 'untitled: three offsets' "$(grep -cE '^    T_[A-Z_]+ = [0-9]+,$' "$tmp/out.h" | grep -vx 3)"

# A notice may end where its text does: what follows is laid out as ever.
printf '%s\n' '/* Copyright (c) 2001 Somebody,' ' * and others. */' 'struct r { int a; };' >"$tmp/folder/first.x"
problem=$(generate "$tmp/folder/first.x" --root=r)
for line in ' * and others. */' '    int32_t a;'; do
    verdict "after a notice, the header says: $line" "$problem$(grep -qxF "$line" "$tmp/out.h" || cat "$tmp/out.h")"
done

# What the first definition leaves open has a limit as well, and what it is made of is all declared.
printf '%s\n' 'struct r { opaque a<>; int b<>; };' >"$tmp/folder/first.x"
problem=$(generate "$tmp/folder/first.x" --root=r)
for line in '    uint32_t r_a;' '    uint32_t r_b;' 'struct t_r {' 'struct t_limits {'; do
    verdict "of the first definition the header says: $line" "$problem$(grep -qF "$line" "$tmp/out.h" || cat "$tmp/out.h")"
done

printf '%s\n' 'struct l { int a; l *next; };' 'struct r { opaque a<>; l *b; };' >"$tmp/folder/first.x"
problem=$(generate "$tmp/folder/first.x" --root=r)
verdict 'limits of a list and of octets, and no other' "$problem$(sed -n '/^struct t_limits {/,/^}/p' "$tmp/out.h" |
    grep 'uint32_t' | grep -v ' r_a;\| l;')"

# A notice may be indented, and a note may have any letters.
note=$(printf 'caf\303\251')
printf '%s\n' '  /* Copyright (c) 2001 Somebody */' "struct r { int a; /* $note */" 'int b; };' >"$tmp/folder/first.x"
problem=$(generate "$tmp/folder/first.x" --root=r)
for line in '/* Copyright (c) 2001 Somebody */' "    int32_t a; /* $note */"; do
    verdict "indented and accented, the header says: $line" "$problem$(grep -qxF "$line" "$tmp/out.h" || cat "$tmp/out.h")"
done

# A notice that ends in the line of the first definition would bring that line along.
printf '%s\n' '/* Copyright (c) 2001 Somebody' '*/ struct r { int a; };' >"$tmp/late.x"
problem=$(generate "$tmp/late.x" --root=r)
verdict 'no definition is taken for a notice' "$problem$(grep 'Somebody\|int a' "$tmp/out.h")"

# A prefix that a specification gives all its constants is not said twice; a name that is nothing
# else stays, and so does one with a name of its own.
printf '%s\n' 'const X_ONE = 1; const X_ = 2; const X_FIVE = 5; enum e { X_TWO = 3, OTHER = 4, X_THREE = 5 };' \
    'struct X_r { e a; };' >"$tmp/strip.x"
printf '%s\n' 'X_THREE X_DREI' 'X_FIVE FUENF' >"$tmp/names"
problem=$(generate "$tmp/strip.x" --root=X_r --const-strip=X_ --names="$tmp/names")
for line in '#define T_ONE 1' '#define T_FUENF 5' '#define T_X_ 2' '    T_TWO = 3,' '    T_OTHER = 4,' '    T_X_DREI = 5,' 'struct t_X_r {'; do
    verdict "--const-strip: $line" "$problem$(grep -qxF "$line" "$tmp/out.h" || cat "$tmp/out.h")"
done

# offsets NAME XDR OPTIONS NAME=VALUE...: exactly these constants
offsets() {
    name=$1 xdr=$2 options=$3
    shift 3
    printf '%s\n' "$xdr" >"$tmp/offsets.x"
    # shellcheck disable=SC2086 # a list of options
    problem=$(generate "$tmp/offsets.x" --offsets $options)
    printf '%s\n' "$@" | sort >"$tmp/expected"
    sed -nE 's/^    ([A-Z0-9_]+_(AT|SIZE)(_[A-Z_0-9]+)?) = ([0-9]+),$/\1=\4/p' "$tmp/out.h" | sort >"$tmp/seen"
    verdict "offsets: $name" "$problem$(diff "$tmp/expected" "$tmp/seen")"
}

offsets 'fixed, nested, and up to the first field of variable size' \
    'struct pair { int low; hyper high; }; struct r { pair one; opaque id[5]; int few<>; int after; };' \
    --root=r T_AT_ONE_LOW=0 T_AT_ONE_HIGH=4 T_AT_ID=12 T_AT_FEW=20 T_SIZE_MIN=28
offsets 'entries, elements and optional data count from their own start' \
    'struct e { int a; int b; }; struct l { int x; string s<>; l *next; }; struct m { e one; m *next; };
     struct r { l *long; m *more; e many<>; e *maybe; };' --root=r T_AT_LONG=0 T_SIZE_MIN=16 \
    T_L_ENTRY_AT_X=4 T_L_ENTRY_AT_S=8 T_L_ENTRY_SIZE_MIN=12 T_M_ENTRY_AT_A=4 T_M_ENTRY_AT_B=8 \
    T_M_ENTRY_SIZE=12 T_E_AT_A=0 T_E_AT_B=4 T_E_SIZE=8
offsets 'after a discriminant by the name of its value; what follows the union counts as well' \
    'enum e { A = 1, B = 2, C = 3 }; struct s { hyper h; int i; };
     union u switch (e which) { case A: s one; case B: int two; default: void; };
     struct r { int first; u body; int last; };' '--root=r' T_AT_FIRST=0 T_AT_WHICH=4 T_SIZE_MIN=12 \
    T_A_AT_H=8 T_A_AT_I=16 T_A_AT_LAST=20 T_A_SIZE=24 T_B_AT_TWO=8 T_B_AT_LAST=12 T_B_SIZE=16
offsets 'two roots have names of their own' \
    'struct one { int a; }; struct two { int b; };' '--root=one --root=two --strip=t' \
    T_ONE_AT_A=0 T_ONE_SIZE=4 T_WO_AT_B=0 T_WO_SIZE=4

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
