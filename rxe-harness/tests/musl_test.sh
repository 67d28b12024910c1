#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD"
# needs: musl-gcc
# The transports in user space, and the readers of packets that they use, want nothing of a C library that is glibc's
# alone. They are compiled and not linked: libpcap, of which they need headers, there is for glibc.
#
# usage: musl_test.sh BUILD

if [ $# -ne 1 ] || [ ! -d "$1/gen" ]; then
    echo "usage: $0 BUILD" >&2
    exit 2
fi
build=$(realpath "$1")
cd "$(dirname "$0")/../.." || exit 1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
headers=$(pkg-config --variable=includedir libpcap)
ln -s "$headers/pcap" "$headers/pcap.h" "$dir" || exit 1
passed=0 failed=0
for file in rxe-harness/transport/user/*.c rxe-harness/transport/roce/*.c rxe-harness/transport/iwarp/*.c \
    rxe-harness/transport/address.c conformance/base/clock.c conformance/input/frame/*.c conformance/input/iwarp/*.c; do
    if musl-gcc -std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -Wall -Wextra -Werror -I. -Icodec/include \
        -Iconformance/include -I"$build/gen" -isystem "$dir" -fsyntax-only "$file" >"$dir/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $file" >&2
        head -n 10 "$dir/out" >&2
    fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
