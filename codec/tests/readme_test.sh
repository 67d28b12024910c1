#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check:
# The examples of README.md, taken out of it: they compile as they are, and receive all vectors right;
# each test of the receivers in them is needed.
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

awk -f codec/tests/example.awk README.md >"$tmp/example.c"
verdict 'the example is three lines' "$([ "$(wc -l <"$tmp/example.c")" -eq 8 ] || cat "$tmp/example.c")"
awk -v version2=1 -f codec/tests/example.awk README.md >"$tmp/example.c"
verdict 'that of version 2 as well' "$([ "$(wc -l <"$tmp/example.c")" -eq 25 ] || cat "$tmp/example.c")"

# build INCLUDES SOURCES PROGRAM: a testee around the example
build() {
    echo '#include "codec/tests/readme_main.h"' | cat "$tmp/example.c" - >"$tmp/testee.c"
    # shellcheck disable=SC2086 # lists
    "$CC" -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror \
        ${SANITIZE:+-fsanitize="$SANITIZE" -fno-sanitize-recover=all} $1 -I. -Icodec/include \
        -I"$BUILD/gen" "$tmp/testee.c" $2 "$BUILD/librpcrdma.a" -o "$3" 2>&1
}
# run PROGRAM [OPTION]...
run() {
    program=$1
    shift
    "$BUILD/rpcrdma" vectors --testee "$program" "$@" vectors >"$tmp/out" 2>&1
}

verdict 'the example compiles' "$(build '' '' "$tmp/testee")"
echo 'int main() { return receive("", 0, RPCRDMA_REQUESTER) != RPCRDMA1_DISCARD; }' |
    cat "$tmp/example.c" - >"$tmp/readme.cc"
verdict 'the example compiles as C++17' "$(g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
    -Icodec/include -I"$BUILD/gen" "$tmp/readme.cc" 2>&1)"
run "$tmp/testee"
status=$?
verdict 'all vectors pass' "$([ "$status" -eq 0 ] || tail -n 20 "$tmp/out")"
verdict 'those of version 2 are asked' "$(grep 'does not speak' "$tmp/out")"
# shellcheck disable=SC2016 # the quotes of the page
limits=$(sed -nE 's/.*`(&\(struct rpcrdma1_limits\)\{[^}]*\})`.*/\1/p' README.md)
sed "s/role, NULL/role, $(printf '%s' "$limits" | sed 's/&/\\&/')/" "$tmp/example.c" >"$tmp/limited.c" &&
    mv "$tmp/limited.c" "$tmp/example.c"
verdict 'its limits compile' "$(grep -q 'read_list = 16' "$tmp/example.c" || echo 'they are not there'
    build '' '' "$tmp/testee")"
run "$tmp/testee"
status=$?
verdict 'a Send beyond the limits is refused' "$([ "$status" -eq 1 ] || tail -n 20 "$tmp/out")"
sed -i 's/role, &(struct[^}]*}/role, NULL/' "$tmp/example.c"

# Each test of the receiver is needed: without it some vector fails.
mkdir -p "$tmp/changed/rpcrdma"
without() { # FILE TEST INSTEAD
    rm -f "$tmp"/changed/rpcrdma/* "$tmp"/changed/*.c
    case $1 in
    *.h) copy=$tmp/changed/rpcrdma/${1##*/} ;;
    *) copy=$tmp/changed/${1##*/} ;;
    esac
    WITHOUT=$2 INSTEAD=$3 awk '
        BEGIN { without = ENVIRON["WITHOUT"] }
        (i = index($0, without)) {
            $0 = substr($0, 1, i - 1) ENVIRON["INSTEAD"] substr($0, i + length(without)) }
        { print }' "$1" >"$copy"
    sources=
    for source in receive.c receive2.c; do
        [ ! -f "$tmp/changed/$source" ] || sources=$tmp/changed/$source
    done
    verdict "without $2 a vector fails" "$(cmp -s "$1" "$copy" && echo 'not there'
        build "-I$tmp/changed" "${sources:-codec/receive.c}" "$tmp/less"
        run "$tmp/less" && echo 'all pass')"
}
without codec/receive.c 'length < RPCRDMA1_HEADER_MIN && ' 'false && '
without codec/receive.c 'is_error && receiver != RPCRDMA_REQUESTER' 'false'
without codec/receive.c '!is_error && prefix->version != RPCRDMA_VERSION_1' 'false'
without codec/receive.c ' && procedure == RPCRDMA1_DONE' ' && procedure == 9'
without codec/receive.c 'receiver == RPCRDMA_REQUESTER || is_silent' '(int)receiver == 9 || is_silent'
without codec/receive.c 'code == RPCRDMA1_E_ERROR ||' ''
without codec/receive.c 'code == RPCRDMA1_E_RUNT ||' ''
without codec/include/rpcrdma/rpcrdma.h \
    'if (decoded >= 0 && rpcrdma1_is_message(header, receiver, length - (size_t)decoded))' 'if (decoded >= 0)'
without codec/receive.c 'has_call && read.position < before' 'has_call && before == 1'
without codec/receive2.c 'length < RPCRDMA_PREFIX_LENGTH' 'false'
without codec/receive2.c 'prefix->procedure != ERROR && prefix->version != RPCRDMA_VERSION_2' 'false'
without codec/receive2.c 'fault_of_message(message, length, error);' 'fault_of_message(message, length, error) > 0;'
without codec/receive2.c '!is_control(draft, type)' '!is_control(draft, type + 10)'

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
