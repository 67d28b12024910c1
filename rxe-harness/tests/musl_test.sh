#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD"
# needs: musl-gcc
# The transports in user space, and the readers of packets that they use, want nothing of a C library that is glibc's
# alone: with musl they are compiled, linked with their tests, and run. Of libpcap they need the numbers of link types, a
# header; the command needs libjansson and libpcap, which there are for glibc. libcheck as well: a header of a few lines
# stands for it.
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
verdict() {
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1" >&2
        head -n 10 "$dir/out" >&2
    fi
}

cat >"$dir/check.h" <<'END'
#include <stdint.h>
#ifndef CHECK_H
#define CHECK_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define START_TEST(name) static void name(int _i)
#define END_TEST
#define ck_assert(is) ((is) ? (void)0 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #is), exit(1)))
#define ck_assert_msg(is, ...) ck_assert(is)
#define ck_assert_int_eq(a, b) ck_assert((intmax_t)(a) == (intmax_t)(b))
#define ck_assert_int_ge(a, b) ck_assert((intmax_t)(a) >= (intmax_t)(b))
#define ck_assert_int_gt(a, b) ck_assert((intmax_t)(a) > (intmax_t)(b))
#define ck_assert_uint_eq(a, b) ck_assert((uintmax_t)(a) == (uintmax_t)(b))
#define ck_assert_uint_ge(a, b) ck_assert((uintmax_t)(a) >= (uintmax_t)(b))
#define ck_assert_uint_le(a, b) ck_assert((uintmax_t)(a) <= (uintmax_t)(b))
#define ck_assert_uint_gt(a, b) ck_assert((uintmax_t)(a) > (uintmax_t)(b))
#define ck_assert_ptr_null(a) ck_assert((a) == NULL)
#define ck_assert_ptr_nonnull(a) ck_assert((a) != NULL)
#define ck_assert_str_eq(a, b) ck_assert(strcmp(a, b) == 0)
#define ck_assert_mem_eq(a, b, size) ck_assert((size) == 0 || memcmp(a, b, size) == 0)
typedef int Suite, TCase, SRunner;
enum { CK_ENV };
static int nothing, done;
#define suite_create(name) (&nothing)
#define tcase_create(name) (&nothing)
#define tcase_set_timeout(test, seconds) (void)(test)
#define tcase_add_test(test, name) (name(0), done++)
#define tcase_add_loop_test(test, name, from, to) \
    for (int i = (from); i < (int)(to); i++) \
        name(i), done++
#define suite_add_tcase(suite, test) (void)(test)
#define srunner_create(suite) (suite)
#define srunner_run_all(runner, how) printf("%d checks\n", done)
#define srunner_ntests_failed(runner) (*(runner))
#define srunner_free(runner) (void)(runner)
#endif
END

# Over iWARP the same by fewer tests, for its own are with the checker, which reads JSON.
cat >"$dir/iwarp.c" <<'END'
#include "rxe-harness/tests/support/links/link_stage.h"
#include "rxe-harness/transport/iwarp/iwarp.h"

int main(void)
{
    link_stage_opens = transport_iwarp;
    open_links("127.0.0.33");
    for (size_t length = 0; length <= LINK_RECEIVE; length += 1500)
        send_and_compare(length);
    move_and_compare();
    close_all();
    return 0;
}
END

# built NAME FILE [OPTION]...: a file of ours, without a warning
built() {
    name=$1
    shift
    musl-gcc -std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -O1 -pthread -Wall -Wextra -Werror \
        -Wno-unused-parameter -Wno-unused-variable -I. -Icodec/include -Iconformance/include -I"$build/gen" \
        -isystem "$dir" "$@" >"$dir/out" 2>&1
    verdict "$name" $?
}
for file in rxe-harness/transport/user/*.c rxe-harness/transport/roce/*.c rxe-harness/transport/iwarp/*.c \
    rxe-harness/transport/address.c conformance/base/clock.c conformance/input/frame/*.c conformance/input/iwarp/*.c conformance/input/buffer/*.c \
    rxe-harness/tests/support/links/link_stage.c; do
    built "$file" -c -o "$dir/$(echo "$file" | tr / _).o" "$file"
done
ar -rc "$dir/all.a" "$dir"/*.o
for test in rxe-harness/tests/transport/roce_test.c "$dir/iwarp.c"; do
    built "$test is linked" -static -o "$dir/test" "$test" "$dir/all.a"
    timeout 120 "$dir/test" >"$dir/out" 2>&1
    verdict "$test runs" $?
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
