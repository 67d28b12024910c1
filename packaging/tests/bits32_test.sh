#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once:
# All that the libraries and the command are made of compiles for a machine of 32 bits, without a warning: there size_t
# and ptrdiff_t do not take what 64 bits do. Environment: BUILD.
set -u

: "${BUILD:?}"
passed=0 failed=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

if ! printf '#include <stdio.h>\n' | gcc -m32 -fsyntax-only -xc - 2>/dev/null; then
    echo 'skipped: gcc has no -m32, or no headers for it'
    echo '0 passed, 0 failed, 1 skipped'
    exit 0
fi
folder=/usr/include/$(gcc -print-multiarch)
for part in codec conformance rxe-harness; do
    find "$part" -name '*.c' ! -path '*/tests/*' ! -path '*/examples/*' ! -path '*/proof/*' ! -path '*/kernel/*' \
        ! -path '*/guest/*' ! -path '*/bench/*' >"$tmp/files"
    # Libraries have their headers beside those of this machine.
    # shellcheck disable=SC2046 # several names
    if gcc -m32 -std=c11 -fsyntax-only -D_DEFAULT_SOURCE -D_FILE_OFFSET_BITS=64 -D_POSIX_C_SOURCE=200809L -DRPCRDMA_KIT_VERSION='"0"' \
        -Wall -Wextra -Wconversion -Wno-sign-conversion -Werror -I. -Icodec/include -Iconformance/include -I"$BUILD/gen" \
        -isystem "$folder" $(cat "$tmp/files") 2>"$tmp/said"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $part compiles for 32 bits"
        grep -E 'error|warning' "$tmp/said" | head -20
    fi
    [ "$(wc -l <"$tmp/files")" -gt 10 ] || { failed=$((failed + 1)); echo "FAILED: $part has files"; }
done
# What reads folders and files does so with numbers of 64 bits.
flags=$(env -u MAKEFLAGS make -n -B V=1 BUILD="$BUILD" "$BUILD/obj/conformance/run/corpus.o" | grep -e '-c conformance/run/corpus.c' | grep -o -e '-D_[^ ]*')
# shellcheck disable=SC2086 # several words
if printf '#include <sys/types.h>\n_Static_assert(sizeof(off_t) == 8, "");\n' | gcc -m32 $flags -fsyntax-only -xc - 2>/dev/null; then
    passed=$((passed + 1))
else
    failed=$((failed + 1)) && echo "FAILED: large files on a machine of 32 bits: $flags"
fi
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
