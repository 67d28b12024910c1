#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sanitized: "$BUILD/xdrgen"
#
# The front end of xdrgen: what it accepts, what it refuses, and in which words.
#
#   front_test.sh XDRGEN
#
# good/*.x must pass in silence. Each specification of bad.txt has one fault, and standard error must say of it what
# stands there and no more. Hostile files, too large or too strange to keep, are made here.

if [ $# -ne 1 ]; then
    echo "usage: $0 XDRGEN" >&2
    exit 2
fi
case $1 in
    */*) xdrgen=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") ;;
    *) xdrgen=$(command -v "$1") ;;
esac
if [ ! -x "$xdrgen" ]; then
    echo "$0: $1 cannot be run" >&2
    exit 2
fi
cd "$(dirname "$0")" || exit 2
tests=$(pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM

passed=0
failed=0
skipped=0

pass() {
    passed=$((passed + 1))
}

fail() {
    failed=$((failed + 1))
    echo "FAILED $*"
}

# Run on a file of the current directory. Leaves the exit status in $status.
check() {
    "$xdrgen" --check-only "$1" >"$work/out" 2>"$work/err"
    status=$?
}

# accepts NAME FILE: exit status 0 and not a word
accepts() {
    check "$2"
    if [ "$status" -eq 0 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ]; then
        pass
    else
        fail "$1: exit status $status, should be accepted"
        sed 's/^/    /' "$work/err"
    fi
}

# refuses NAME FILE LINE: exit status 1, nothing on standard output, LINE first on standard error
refuses() {
    check "$2"
    if [ "$status" -eq 1 ] && [ ! -s "$work/out" ] &&
        [ "$(sed -n 1p "$work/err")" = "$3" ]; then
        pass
    else
        fail "$1: exit status $status, should be 1 and: $3"
        sed 's/^/    /' "$work/err"
    fi
}

# repeat COUNT TEXT
repeat() {
    awk -v count="$1" -v text="$2" 'BEGIN { for (i = 0; i < count; i++) printf "%s", text }'
}

kept_files() {
    cd "$tests/good" || exit 2
    for file in *.x; do
        accepts "good/$file" "$file"
    done
    mkdir "$work/bad" && cd "$work/bad" || exit 2
    awk '
        /^== / { file = $2 ".x"; next }
        /^--$/ { file = file ".expected"; next }
        file != "" && !/^$/ { print >file }' "$tests/bad.txt"
    for file in *.x; do
        check "$file"
        if [ "$status" -eq 1 ] && [ ! -s "$work/out" ] && cmp -s "$work/err" "$file.expected"; then
            pass
        else
            fail "bad.txt: $file: exit status $status, and:"
            diff "$file.expected" "$work/err" | sed 's/^/    /'
        fi
    done
}

# RFC 4506 section 6.4 (1). With a letter more, each is a name.
keywords() {
    for word in bool case const default double quadruple enum float hyper int opaque string \
        struct switch typedef union unsigned void; do
        echo "struct $word { int a; };" >keyword.x
        refuses "keyword $word" keyword.x "keyword.x:1:8: error: expected a name, found '$word'"
        echo "struct ${word}s { int ${word}_; };" >keyword.x
        accepts "name ${word}s" keyword.x
    done
}

ends_of_file() {
    : >empty.x
    refuses "empty file" empty.x 'empty.x:1:1: error: no definitions'
    printf 'const A = 1;' >open.x
    accepts "no newline at the end" open.x
    printf 'const A = 1' >open.x
    refuses "end in a definition" open.x \
        "open.x:1:12: error: expected ';', found the end of the file"
    printf 'const A = 1;\n\n/' >open.x
    refuses "end in half a comment" open.x "open.x:3:1: error: expected a definition, found '/'"
    printf 'const A = 1;\n/*/' >open.x
    refuses "a comment that is its own end" open.x 'open.x:2:1: error: comment does not end'
    printf 'const A = 1;\n%%' >open.x
    accepts "end in a line passed through" open.x
    printf 'struct a {\r\n\tint b;\r\n};\r\n' >crlf.x
    accepts "lines that end in CR LF" crlf.x
    printf 'struct a {\r\n\tint b\r\n};\r\n' >crlf.x
    refuses "a fault in lines that end in CR LF" crlf.x \
        "crlf.x:3:1: error: expected ';', found '}'"
    if grep "$(printf '\r')" "$work/err" >"$work/out"; then
        fail "CR is shown as part of a line"
    else
        pass
    fi
}

no_text() {
    printf 'const A = 1;\n/* \000 */\n' >nul.x
    refuses "NUL in a comment" nul.x 'nul.x:2:4: error: NUL octet: this is not text'
    printf '\000' >nul.x
    refuses "nothing but NUL" nul.x 'nul.x:1:1: error: NUL octet: this is not text'
    printf '\377\376c\n' >high.x
    refuses "octets outside ASCII" high.x "high.x:1:1: error: expected a definition, found '\\xff'"
    printf 'const A = 1; \033[2J\n' >escape.x
    refuses "an escape sequence" escape.x \
        "escape.x:1:14: error: expected a definition, found '\\x1b'"
    if grep "$(printf '\033')" "$work/err" >"$work/out"; then
        fail "an escape sequence of the source reaches the terminal"
    else
        pass
    fi
}

no_file() {
    check nowhere.x
    if [ "$status" -eq 1 ] && grep '^nowhere\.x: error: ' "$work/err" >/dev/null; then
        pass
    else
        fail "a file that is not there: exit status $status"
    fi
    mkdir -p directory.x
    check directory.x
    if [ "$status" -eq 1 ] && grep '^directory\.x: error: ' "$work/err" >/dev/null; then
        pass
    else
        fail "a directory: exit status $status"
    fi
}

full_disk() {
    "$xdrgen" --header=/dev/full "$tests/good/shortest.x" 2>"$work/err"
    status=$?
    if [ "$status" -eq 3 ] && grep '^xdrgen: /dev/full: ' "$work/err" >/dev/null; then
        pass
    else
        fail "a disk that is full: exit status $status: $(cat "$work/err")"
    fi
}

# Each limit, and one more.
limits() {
    echo "const $(repeat 255 n) = 1;" >name.x
    accepts "a name of 255 octets" name.x
    echo "const n$(repeat 255 n) = 1;" >name.x
    refuses "a name of 256 octets" name.x 'name.x:1:7: error: name is longer than 255 octets'

    { printf 'const A = 1;' && repeat 4194292 ' '; } >size.x
    accepts "a file of 4 MiB" size.x
    printf ' ' >>size.x
    refuses "a file of 4 MiB and an octet" size.x 'size.x: error: longer than 4194304 octets'

    echo "const A = 0$(repeat 100000 0)7;" >zeros.x
    accepts "a number of 100002 digits" zeros.x
    echo "const A = 1$(repeat 100000 0);" >zeros.x
    refuses "a number of 100001 digits, all of which count" zeros.x \
        'zeros.x:1:11: error: number does not fit 64 bits'
    echo "const A $(repeat 100000 0);" >zeros.x
    refuses "a long number in a wrong place" zeros.x \
        "zeros.x:1:9: error: expected '=', found '$(repeat 37 0)...'"
}

# What is proportional to the input must not be so with the square of it, nor on the stack.
large_files() {
    repeat 104857 "$(repeat 1000 a)" >long.x
    refuses "a line of 100 MB" long.x 'long.x: error: longer than 4194304 octets'

    { printf 'struct a { ' && repeat 100000 'struct { '; } >deep.x
    refuses "100000 types in each other" deep.x \
        'deep.x:1:291: error: types are nested deeper than 32'

    awk 'BEGIN { for (i = 0; i < 60000; i++) printf "typedef t%d t%d;\n", i + 1, i
                 print "typedef int t60000;\nunion u switch (t0 d) { case 1: void; };" }' >chain.x
    accepts "60000 typedefs of each other" chain.x
    sed 's/^typedef int t60000;$/typedef t0 t60000;/' chain.x >circle.x
    refuses "60000 typedefs in a circle" circle.x \
        "circle.x:60001:9: error: 't0' contains itself without end"

    awk 'BEGIN { print "struct a {"; for (i = 0; i < 100000; i++) printf "int f%d;\n", i
                 print "};" }' >fields.x
    accepts "100000 fields" fields.x
    sed 's/^};$/int f0; };/' fields.x >again.x
    refuses "100001 fields, one twice" again.x "again.x:100002:5: error: 'f0' is already defined"

    awk 'BEGIN { printf "enum e { E = 0"; for (i = 1; i < 60000; i++) printf ", E%d = %d\n", i, i
                 print "};\nunion u switch (e d) {"
                 for (i = 0; i < 60000; i++) printf "case %d:\n", i
                 print "void; };" }' >labels.x
    accepts "60000 enumerators and labels" labels.x
}

# What is named by a typedef or its keyword counts, and nothing that is named by the compiler.
definitions() {
    printf '%s\n' 'typedef struct { int a; } plain; typedef enum { RED = 1 } color;' 'const SIZE = 1;' \
        'struct outer { struct { int b; } inner; color *other; };' 'typedef plain plains<SIZE>;' >counted.x
    said=$("$xdrgen" --count counted.x | tr '\n' ' ')
    if [ "$said" = 'const 1 enum 1 struct 2 union 0 typedef 1 ' ]; then
        pass
    else
        fail "definitions are counted: $said"
    fi
}

# Whatever line a file breaks off after, the answer is yes or no.
broken_off() {
    for file in "$tests"/good/*.x; do
        lines=$(awk 'END { print NR }' "$file")
        line=1
        wrong=
        while [ "$line" -lt "$lines" ]; do
            sed "${line}q" "$file" >broken.x
            check broken.x
            case $status in
                0) [ ! -s "$work/err" ] || wrong="$wrong $line" ;;
                1) grep '^broken\.x:[0-9]*:[0-9]*: error: ' "$work/err" >/dev/null ||
                    wrong="$wrong $line" ;;
                *) wrong="$wrong $line" ;;
            esac
            line=$((line + 1))
        done
        if [ -z "$wrong" ]; then
            pass
        else
            fail "good/$(basename "$file") broken off after line:$wrong"
        fi
    done
}

kept_files
mkdir "$work/made" && cd "$work/made" || exit 2
keywords
ends_of_file
no_text
no_file
full_disk
limits
large_files
definitions
broken_off
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
