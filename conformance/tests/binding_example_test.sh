#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check:
# The example binding: its XDR compiles, it compiles with the public headers and the two libraries,
# and its messages are judged as it says. Environment: BUILD, CC, SANITIZE.
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
PUT, data at Position 52 in a Read chunk: good
PUT, its name in a Read chunk: bad
  violation rfc8166/6.1/only-eligible-reduced: no item at Position 44 is eligible
GET of 8 octets, with a Write chunk: good
the Reply, with 4 octets inline: bad
  violation rfc8166/4.3.2/eligible-result-pushed: a result of 4 octets is inline, though rdma_writes[0] has room
EOF

verdict 'blob.x compiles' "$("$BUILD/xdrgen" --reduced --prefix=blob_ --root=put_args \
    --root=get_args --root=get_res --include=blob.h --header="$tmp/blob.h" --source="$tmp/blob.c" \
    conformance/examples/blob.x 2>&1)"
verdict 'binding_example compiles' "$("$CC" -std=c11 -Wall -Wextra -Werror \
    ${SANITIZE:+-fsanitize="$SANITIZE" -fno-sanitize-recover=all} \
    -Icodec/include -Iconformance/include -I"$BUILD/gen" -I"$tmp" \
    conformance/examples/binding_example.c "$tmp/blob.c" \
    "$BUILD/librpcrdma-check.a" "$BUILD/librpcrdma.a" -o "$tmp/binding_example" 2>&1)"
verdict 'binding_example prints what it should' \
    "$("$tmp/binding_example" 2>&1 | diff "$tmp/expected" - 2>&1)"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
