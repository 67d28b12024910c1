#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check:
# What the library promises about itself: its size, its stack, what it needs and what it exports.
# Environment: BUILD, CC, SANITIZE.
set -u

: "${BUILD:?}" "${CC:=cc}" "${SANITIZE=}"
passed=0 failed=0 skipped=0
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

skip() {
    skipped=$((skipped + 1))
    echo "skip: $1: $2"
}

objects=$BUILD/obj/codec made=$BUILD/obj/made
version1="$objects/xdr.o $objects/copy.o $made/rpcrdma1.o $made/rpc.o $made/gss.o
    $objects/rpc_header.o $objects/private_data.o"

codec=$(echo "$objects"/*.o)
# Of the library's objects those that are generated.
codecs=$(for object in $(ar t "$BUILD/librpcrdma.a"); do
    [ ! -f "$BUILD/gen/${object%.o}.c" ] || echo "${object%.o}"
done)
verdict 'the library has generated codecs' "$(echo "$codecs" | grep -qx rpcrdma1 || echo "only: $codecs")"
for name in $codecs; do
    codec="$codec $made/$name.o"
done
stacks=$(printf '%s' "$codec" | sed 's/\.o/.su/g')

# RFC 8166, RPC headers and private data: what a stack of version 1 takes in.
# Sanitizers add to it.
if [ -z "$SANITIZE" ]; then
    # shellcheck disable=SC2086 # a list of files
    text=$(size $version1 | awk 'NR > 1 { sum += $1 } END { print sum }')
    echo "text of the version 1 library: $text octets"
    verdict 'text of the version 1 library is below 24 KiB' \
        "$([ "$text" -lt 24576 ] || echo "$text octets")"
    # shellcheck disable=SC2086 # lists of files
    deepest=$(cat $stacks | sort -t "$(printf '\t')" -k2,2nr | head -n 1)
    echo "deepest stack: $deepest"
    # shellcheck disable=SC2086
    verdict 'no call takes 512 octets of stack' \
        "$(cat $stacks | awk -F '\t' '$2 >= 512 || $3 !~ /^static$|bounded/')"
    # shellcheck disable=SC2086
    ld -r -o "$tmp/all.o" $codec
    verdict 'nothing but memcpy and its kin is undefined' \
        "$(nm -u "$tmp/all.o" | grep -vwE 'U (memcpy|memmove|memset|memcmp)')"
fi

verdict 'the shared library exports its own names only' \
    "$(nm -D --defined-only "$BUILD/librpcrdma.so" | awk '{ print $3 }' |
        grep -vE '^rpcrdma[a-z0-9_]*@@LIBRPCRDMA_0$|^LIBRPCRDMA_0(@@LIBRPCRDMA_0)?$')"
verdict 'the checker exports its own names only' \
    "$(nm -D --defined-only "$BUILD/librpcrdma-check.so" | awk '{ print $3 }' |
        grep -vE '^rpcrdma_[a-z0-9_]*@@LIBRPCRDMA_CHECK_0$|^LIBRPCRDMA_CHECK_0')"

# The archives, too: what a program calls its own functions is its own business.
for archive in librpcrdma librpcrdma-check; do
    verdict "$archive.a has its own names only" \
        "$(nm -g --defined-only "$BUILD/$archive.a" | awk 'NF == 3 && $3 !~ /^rpcrdma/ { print $3 }')"
done

printf '%s\n' '#include <rpcrdma/check.h>' '#include <rpcrdma/rpcrdma.h>' \
    'int report(void), react(void), walk(void), allow(void), judge(void), xdr_note(void);' \
    'int report(void) { return 1; }' 'int react(void) { return 2; }' 'int walk(void) { return 3; }' \
    'int allow(void) { return 4; }' 'int judge(void) { return 5; }' 'int xdr_note(void) { return 6; }' \
    'static max_align_t memory[1 << 16];' \
    'int main(void) {' \
    '    struct rpcrdma_check_config config = {0};' \
    '    struct rpcrdma_judgement judgement;' \
    '    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_SEND};' \
    '    struct rpcrdma_check *check = rpcrdma_check_init(memory, sizeof memory, &config);' \
    '    if (check == 0) return 1;' \
    '    rpcrdma_check_event(check, &event, &judgement);' \
    '    return report() + react() + walk() + allow() + judge() + xdr_note() != 21; }' >"$tmp/own.c"
verdict 'a program with functions report, react, walk, allow links with both archives and runs' \
    "$("$CC" -std=c11 ${SANITIZE:+-fsanitize="$SANITIZE"} -Icodec/include -Iconformance/include \
        -I"$BUILD/gen" "$tmp/own.c" "$BUILD/librpcrdma-check.a" "$BUILD/librpcrdma.a" -o "$tmp/own" 2>&1 &&
        "$tmp/own" 2>&1 || echo "exit status $?")"

# functions HEADER...: what they declare, one name a line; only gcc lists functions
functions() {
    for header in "$@"; do
        echo "#include <rpcrdma/$(basename "$header")>"
    done >"$tmp/all.c"
    gcc -std=c11 -fsyntax-only -aux-info "$tmp/declared" -Icodec/include -Iconformance/include \
        -I"$BUILD/gen" "$tmp/all.c"
    sed -nE 's|^/\* ([^ ]*/)?rpcrdma/[^ ]* \*/ extern .*[ *]([A-Za-z0-9_]+) \(.*|\2|p' "$tmp/declared"
    # variables: the last word of each declarator
    cat "$@" | awk '/^RPCRDMA_API extern/ { rest = "" ; open = 1 }
        open { rest = rest $0 }
        open && /;/ { open = 0
            n = split(rest, declared, ",")
            for (i = 1; i <= n; i++) {
                sub(/\[.*|;.*/, "", declared[i])
                sub(/.*[ *]/, "", declared[i])
                print declared[i]
            } }'
}

# exported LIBRARY MINIMUM OTHERS HEADER...: whatever they declare, but for the names in the file
# OTHERS, the .so exports and the archive has
exported() {
    library=$1 minimum=$2 others=$3
    shift 3
    functions "$@" | sort -u | comm -23 - "$others" >"$tmp/names"
    nm -D --defined-only "$BUILD/$library.so" | sed 's/@.*//' | awk '{ print $3 }' | sort -u >"$tmp/so"
    nm -g --defined-only "$BUILD/$library.a" | awk 'NF == 3 { print $3 }' | sort -u >"$tmp/a"
    verdict "$library: its headers declare at least $minimum names" \
        "$([ "$(wc -l <"$tmp/names")" -ge "$minimum" ] || cat "$tmp/names")"
    verdict "$library.so exports all that its headers declare" "$(comm -23 "$tmp/names" "$tmp/so")"
    verdict "$library.so exports nothing else" \
        "$(grep -v '^LIBRPCRDMA_' "$tmp/so" | comm -13 "$tmp/names" -)"
    verdict "$library.a has all that its headers declare" "$(comm -23 "$tmp/names" "$tmp/a")"
}

generated=
for header in "$BUILD"/gen/rpcrdma/*.h; do
    [ "$(basename "$header")" = rules.h ] || generated="$generated $header"
done
# shellcheck disable=SC2086 # a list of headers
exported librpcrdma 63 /dev/null codec/include/rpcrdma/*.h $generated
mv "$tmp/names" "$tmp/codec"
exported librpcrdma-check 13 "$tmp/codec" conformance/include/rpcrdma/*.h \
    "$BUILD/gen/rpcrdma/rules.h"
verdict 'librpcrdma-check.so has no copy of a function of librpcrdma' \
    "$(nm --defined-only "$BUILD/librpcrdma-check.so" | awk '{ print $3 }' | sort | comm -12 - "$tmp/codec")"

# Generated files say under which licence, made by what, and keep the notice of the XDR's authors.
for file in "$BUILD"/gen/*.[ch] "$BUILD"/gen/*/*.[ch]; do
    verdict "$file has the banner" "$(head -n 2 "$file" | tr '\n' ' ' |
        grep -qE '^// SPDX-License-Identifier: BSD-3-Clause( AND \(BSD-3-Clause OR GPL-2.0-only\)| OR GPL-2.0-only)? /\* Made by [a-z_.]+ of rpcrdma [0-9.]+ from .*: do not edit\. \*/ $' ||
        head -n 2 "$file")"
done
for name in $codecs; do
    verdict "$name: generated code has no line above 100 columns" \
        "$(awk 'length > 100' "$BUILD/gen/rpcrdma/$name.h" "$BUILD/gen/$name.c")"
    verdict "$name: comments say which document and section a type comes from" \
        "$(grep -E '^/\* .*: (struct|union|enum|typedef) ' "$BUILD/gen/rpcrdma/$name.h" |
            grep -vE '^/\* (RFC [0-9]+|draft-[a-z0-9-]+)( section [0-9.]+)?: ')"
done
for name in $(echo "$codecs" | grep '^rpcrdma'); do
    for file in "rpcrdma/$name.h" "$name.c"; do
        verdict "$file keeps the notice of the IETF Trust" \
            "$(grep -q 'Copyright (c) .* IETF Trust' "$BUILD/gen/$file" &&
                grep -q 'POSSIBILITY OF SUCH DAMAGE' "$BUILD/gen/$file" || echo missing)"
    done
done

for header in codec/include/rpcrdma/*.h conformance/include/rpcrdma/*.h "$BUILD"/gen/rpcrdma/*.h; do
    name=$(basename "$header")
    echo "#include <rpcrdma/$name>" >"$tmp/use.c"
    cp "$tmp/use.c" "$tmp/use.cc"
    verdict "$name is complete in C11" "$("$CC" -std=c11 -pedantic -Wall -Wextra -Werror -fsyntax-only \
        -Icodec/include -Iconformance/include -I"$BUILD/gen" "$tmp/use.c" 2>&1)"
    for cxx in g++ clang++; do
        verdict "$name is complete in C++17 ($cxx)" "$($cxx -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion \
            -Wsign-conversion -Werror -fsyntax-only -Icodec/include -Iconformance/include -I"$BUILD/gen" "$tmp/use.cc" 2>&1)"
    done
done

# In other people's trees: freestanding, without a C library's headers but the compiler's own.
for file in codec/*.c "$BUILD"/gen/rpcrdma1.c; do
    verdict "$file is freestanding" "$("$CC" -std=c11 -ffreestanding -nostdlib -nostdinc \
        -isystem "$("$CC" -print-file-name=include)" -Icodec/include -I"$BUILD/gen" \
        -c "$file" -o "$tmp/free.o" 2>&1)"
done
if echo 'int main(void) { return 0; }' >"$tmp/m32.c" &&
    "$CC" -m32 -ffreestanding -c "$tmp/m32.c" -o "$tmp/m32.o" 2>/dev/null; then
    verdict 'the codec compiles for 32 bits' "$("$CC" -m32 -std=c11 -ffreestanding -nostdlib -nostdinc \
        -isystem "$("$CC" -print-file-name=include)" -Wall -Wextra -Werror -Icodec/include \
        -I"$BUILD/gen" -c "$BUILD/gen/rpcrdma1.c" -o "$tmp/free.o" 2>&1)"
else
    skip 'the codec compiles for 32 bits' "$CC has no -m32"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
