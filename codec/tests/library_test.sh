#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
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
version1="$objects/xdr.o $made/rpcrdma1.o $made/rpc.o $made/gss.o
    $objects/rpc_header.o $objects/private_data.o"

codec=$(echo "$objects"/*.o)
for name in rpcrdma1 rpcrdma2_04 rpcrdma2_07 rpc gss; do
    codec="$codec $made/$name.o"
done
stacks=$(printf '%s' "$codec" | sed 's/\.o/.su/g')

# RFC 8166, RPC headers and private data: what a stack of version 1 takes in.
if [ -n "$SANITIZE" ]; then
    skip 'text of the version 1 library' 'sanitizers add to it'
    skip 'stack of a call' 'sanitizers add to it'
    skip 'undefined symbols' 'sanitizers add some'
else
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
        "$(cat $stacks | awk -F '\t' '$2 >= 512 || $3 != "static"')"
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

for name in rpcrdma_check_init rpcrdma_check_event rpcrdma_finding_text rpcrdma_requirements; do
    verdict "the checker exports $name" \
        "$(nm -D --defined-only "$BUILD/librpcrdma-check.so" | grep -q " $name@" || echo missing)"
done

for header in codec/include/rpcrdma/*.h conformance/include/rpcrdma/*.h "$BUILD"/gen/rpcrdma/*.h; do
    name=$(basename "$header")
    echo "#include <rpcrdma/$name>" >"$tmp/use.c"
    cp "$tmp/use.c" "$tmp/use.cc"
    verdict "$name stands alone in C11" "$("$CC" -std=c11 -pedantic -Wall -Wextra -Werror -fsyntax-only \
        -Icodec/include -Iconformance/include -I"$BUILD/gen" "$tmp/use.c" 2>&1)"
    verdict "$name stands alone in C++" "$(g++ -std=c++11 -Wall -Wextra -Werror -fsyntax-only \
        -Icodec/include -Iconformance/include -I"$BUILD/gen" "$tmp/use.cc" 2>&1)"
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
