#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check:
# The example of README.md, taken out of it: it compiles as it is, and receives all vectors right.
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

# build SOURCE PROGRAM: a testee around the function receive()
build() {
    echo '#include "codec/tests/readme_main.h"' | cat "$1" - >"$tmp/testee.c"
    "$CC" -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror \
        ${SANITIZE:+-fsanitize="$SANITIZE" -fno-sanitize-recover=all} -I. -Icodec/include \
        -I"$BUILD/gen" "$tmp/testee.c" "$BUILD/librpcrdma.a" -o "$2" 2>&1
}

awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md >"$tmp/readme.c"
verdict 'the example compiles' "$(build "$tmp/readme.c" "$tmp/testee")"
echo 'int main() { rpcrdma1_header header; return receive(&header, "", 0, RPCRDMA_REQUESTER) != DROP; }' |
    cat "$tmp/readme.c" - >"$tmp/readme.cc"
verdict 'the example compiles as C++17' "$(g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
    -Icodec/include -I"$BUILD/gen" "$tmp/readme.cc" 2>&1)"
"$BUILD/rpcrdma" vectors --testee "$tmp/testee" vectors >"$tmp/out" 2>&1
status=$?
verdict 'all vectors pass' "$([ "$status" -eq 0 ] || tail -n 20 "$tmp/out")"

# Each test of the example is needed: without it some vector fails.
for without in 'length < RPCRDMA1_HEADER_MIN || ' ' || prefix.procedure == RPCRDMA1_ERROR' \
    'prefix.version != RPCRDMA_VERSION_1' 'prefix.procedure == RPCRDMA1_DONE' \
    ' && rpcrdma1_is_message(header, role, length - (size_t)octets)'; do
    case $without in
    *'||'* | *'&&'*) instead='' ;;
    *) instead=false ;;
    esac
    WITHOUT=$without INSTEAD=$instead awk '
        BEGIN { without = ENVIRON["WITHOUT"] }
        (i = index($0, without)) {
            $0 = substr($0, 1, i - 1) ENVIRON["INSTEAD"] substr($0, i + length(without)) }
        { print }' "$tmp/readme.c" >"$tmp/less.c"
    verdict "without $without a vector fails" "$(cmp -s "$tmp/readme.c" "$tmp/less.c" && echo 'not there'
        build "$tmp/less.c" "$tmp/less"
        "$BUILD/rpcrdma" vectors --testee "$tmp/less" vectors >/dev/null 2>&1 && echo 'all pass')"
done

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
