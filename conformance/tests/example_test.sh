#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check:
# The examples compile with nothing but the public headers and the two libraries, and run.
# Environment: BUILD, CC, SANITIZE.
set -u

: "${BUILD:?}" "${CC:=cc}" "${SANITIZE=}"
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

cat >"$tmp/expected" <<'EOF'
client sends XID 0x1234: process
client sends XID 0x1235: err-chunk
  violation rfc8166/4/xdr-encoded, octet 24, rdma_writes[0].target: 268435456 segments are more than the Send can hold
server sends XID 0x1235: terminate
EOF

# example KIND LIBRARY...: compiles with these and prints what it should
example() {
    kind=$1
    shift
    verdict "check_example compiles with $kind" "$("$CC" -std=c11 -Wall -Wextra -Werror \
        ${SANITIZE:+-fsanitize="$SANITIZE" -fno-sanitize-recover=all} \
        -Icodec/include -Iconformance/include -I"$BUILD/gen" conformance/examples/check_example.c \
        "$@" -o "$tmp/check_example" 2>&1)"
    verdict "check_example with $kind prints what it should" \
        "$(LD_LIBRARY_PATH="$BUILD" "$tmp/check_example" 2>&1 | diff "$tmp/expected" - 2>&1)"
}

example 'the archives' "$BUILD/librpcrdma-check.a" "$BUILD/librpcrdma.a"
example 'the shared libraries' -L"$BUILD" -lrpcrdma-check -lrpcrdma
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
