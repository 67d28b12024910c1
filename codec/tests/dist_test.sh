#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once:
# The codec in another tree: what `make dist-codec` makes compiles without a warning, from its files
# and as one file, for other compilers, C libraries, word sizes and byte orders, and the example of
# README.md on top of it receives all vectors right.
# Environment: BUILD.
set -u

: "${BUILD:?}"
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

# has NAME TOOL: whether the tool is there
has() {
    command -v "$2" >/dev/null && return 0
    skipped=$((skipped + 1))
    echo "skip: $1: $2 is missing"
    return 1
}

verdict 'make dist-codec' "$(make -s --no-print-directory BUILD="$BUILD" dist-codec 2>&1 >"$tmp/make.log" ||
    cat "$tmp/make.log")"
dist=$(echo "$BUILD"/rpcrdma-codec-[0-9]*)
[ -d "$dist" ] || { echo "0 passed, 1 failed, 0 skipped"; exit 1; }

# The page lists each file, and no other.
(cd "$dist" && find . -type f | sed 's|^\./||' | sort) >"$tmp/files"
sed -n '/^| `/p' "$dist/README.md" | cut -d '|' -f 2 | tr ',' '\n' | sed 's/[ `]//g' | sort >"$tmp/listed"
verdict 'its README lists each file' "$(diff "$tmp/files" "$tmp/listed")"
verdict 'nothing is left to fill in' "$(grep -rnE '@[A-Z_]+@' "$dist")"
verdict 'each file names its licence' \
    "$(grep -rL 'SPDX-License-Identifier' "$dist" | grep -vE '/(LICENSE.*|README\.md)$')"

awk -f codec/tests/example.awk README.md >"$tmp/files.c"
echo '#include "codec/tests/readme_main.h"' >>"$tmp/files.c"
sed 's|<rpcrdma/rpcrdma.h>|"rpcrdma.h"|' "$tmp/files.c" >"$tmp/one.c"
strict='-std=c11 -O2 -Wall -Wextra -pedantic -Werror'

# receives NAME RUN: the testee passes all vectors
receives() {
    printf '#!/bin/sh\nexec %s "%s"\n' "$2" "$tmp/testee" >"$tmp/run"
    chmod +x "$tmp/run"
    "$BUILD/rpcrdma" vectors --testee "$tmp/run" vectors >"$tmp/out" 2>&1
    status=$?
    verdict "$1: all vectors pass" "$([ "$status" -eq 0 ] || tail -n 20 "$tmp/out")"
}

# compiler NAME TOOL COMMAND RUN
compiler() {
    has "$1" "$2" || return
    # shellcheck disable=SC2086 # lists of options
    verdict "$1: compiles" "$(cd "$dist" && for file in src/*.c; do
        $3 $strict -Iinclude -c "$file" -o "$tmp/$(basename "$file" .c).o" 2>&1
    done)"
    # shellcheck disable=SC2086
    verdict "$1: links" "$($3 $strict -D_POSIX_C_SOURCE=200809L -I. -I"$dist/include" "$tmp/files.c" \
        "$tmp"/*.o -o "$tmp/testee" 2>&1)"
    receives "$1" "$4"
    # shellcheck disable=SC2086
    verdict "$1: copies what it reads one by one" "$($3 $strict -I"$dist/include" codec/tests/copy_test.c \
        "$tmp"/*.o -o "$tmp/copy" 2>&1 && { $4 "$tmp/copy" >"$tmp/out" || cat "$tmp/out"; })"
    rm -f "$tmp"/*.o
    # shellcheck disable=SC2086
    verdict "$1: compiles as one file" "$($3 $strict -c "$dist/amalgamation/rpcrdma.c" -o "$tmp/one.o" 2>&1 &&
        $3 $strict -D_POSIX_C_SOURCE=200809L -I. -I"$dist/amalgamation" "$tmp/one.c" "$tmp/one.o" \
            -o "$tmp/testee" 2>&1)"
    receives "$1, one file" "$4"
    rm -f "$tmp"/*.o
}

# version1 NAME TOOL: the two files of version 1 alone, as kernels and others compile
version1() {
    has "$1" "$2" || return
    for standard in c11 gnu11 gnu99 gnu89; do
        verdict "$1: version 1 compiles as $standard" "$("$2" -std=$standard -O2 -ffreestanding -Wall -Wextra -Wshadow -Werror \
            -c "$dist/version1/rpcrdma.c" -o "$tmp/one.o" 2>&1)"
    done
    verdict "$1: version 1 needs nothing but memcpy and its kin" \
        "$(nm -u "$tmp/one.o" | grep -vwE 'U (memcpy|memmove|memset|memcmp)')"
    # shellcheck disable=SC2086 # a list of options
    verdict "$1: version 1 links" "$("$2" $strict -Wshadow -D_POSIX_C_SOURCE=200809L -I. -I"$dist/version1" "$tmp/one.c" \
        "$tmp/one.o" -o "$tmp/testee" 2>&1)"
    receives "$1, version 1" ''
    verdict "$1: times version 1 in user space" "$("$2" -std=c11 -O2 -Wall -Wextra -Wshadow -Werror -I"$dist/version1" \
        "$dist/kernel/user.c" "$tmp/one.o" -o "$tmp/rounds" 2>&1 &&
        printf '%s\n' "call $sound" call00 "reply ${sound%2f0c0001}" 'version' | "$tmp/rounds" 3 | grep -v \
            '^2 headers, 1 of them accepted, best of 3 rounds: [0-9]*\.[0-9][0-9] ns each$')"
    rm -f "$tmp"/*.o
}
sound=2f0c00010000000100000020000000000000000000000000000000002f0c0001
version1 gcc gcc
version1 clang clang
echo '#include "rpcrdma.h"' >"$tmp/use.cc"
for cxx in g++ clang++; do
    for header in version1 amalgamation; do
        has "$header in C++" "$cxx" && verdict "$cxx: the header of $header/ is clean" "$(for standard in c++11 c++20; do
            "$cxx" -std=$standard -fsyntax-only -Wall -Wextra -Wshadow -Wconversion -Werror \
                -I"$dist/$header" "$tmp/use.cc" 2>&1
        done)"
    done
done

# Kernels: no header of a C library is there, and those that are there are stood in for: what they define is what the
# kernels' own do. `make live CODEC=yes` builds it with Linux' own.
mkdir -p "$tmp/linux/linux" "$tmp/freebsd/sys"
cat >"$tmp/types" <<'EOF'
#pragma once
#define noinline __attribute__((__noinline__))
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef _Bool bool;
enum { false, true };
EOF
cp "$tmp/types" "$tmp/linux/linux/types.h"
cp "$tmp/types" "$tmp/freebsd/sys/types.h"
: >"$tmp/linux/linux/kernel.h"
printf '#define NULL ((void *)0)\n' | tee "$tmp/linux/linux/stddef.h" >"$tmp/freebsd/sys/stddef.h"
printf '#define %s\n' 'S32_MAX 0x7fffffff' 'S64_MAX 0x7fffffffffffffffLL' 'U32_MAX 0xffffffffU' \
    'LONG_MAX 0x7fffffffffffffffL' 'SIZE_MAX 0xffffffffffffffffUL' >"$tmp/linux/linux/limits.h"
printf '#define %s\n' 'INT32_MAX 0x7fffffff' 'INT64_MAX 0x7fffffffffffffffL' 'UINT32_MAX 0xffffffffU' \
    'PTRDIFF_MAX INT64_MAX' 'SIZE_MAX 0xffffffffffffffffUL' >"$tmp/freebsd/sys/stdint.h"
cat >"$tmp/linux/linux/string.h" <<'EOF'
void *memcpy(void *to, const void *from, __SIZE_TYPE__ size);
EOF
cp "$tmp/linux/linux/string.h" "$tmp/freebsd/sys/systm.h"
# kernel NAME TOOL DEFINE...
kernel() {
    name=$1 tool=$2
    shift 2
    has "a kernel such as $name" "$tool" && verdict "$tool: version 1 compiles in a kernel such as $name" "$("$tool" "$@" -nostdinc \
        "-I$tmp/$name" -std=gnu89 -O2 -ffreestanding -fno-builtin -mcmodel=kernel -fno-pie -mno-red-zone -mno-mmx -mno-sse -mno-sse2 \
        -Wall -Wextra -Wundef -Wvla -Wshadow -Wmissing-prototypes -Wframe-larger-than=1024 -Werror -c \
        "$dist/version1/rpcrdma.c" -o "$tmp/one.o" 2>&1)"
}
for tool in gcc clang; do
    kernel linux "$tool" -D__KERNEL__
    kernel freebsd "$tool" -U__linux__ -D__FreeBSD__=14 -D_KERNEL
done
rm -f "$tmp"/*.o

compiler gcc gcc gcc ''
compiler clang clang clang ''
if echo 'int main(void) { return 0; }' >"$tmp/m32.c" && ! gcc -m32 "$tmp/m32.c" -o "$tmp/m32" 2>/dev/null; then
    has '32 bits' 'gcc with -m32'
else
    compiler '32 bits' gcc 'gcc -m32' ''
fi
compiler musl musl-gcc 'musl-gcc -static' ''
if has 'big-endian s390x' qemu-s390x; then
    compiler 'big-endian s390x' s390x-linux-gnu-gcc 's390x-linux-gnu-gcc -static' qemu-s390x
fi

# logged COMMAND...: quiet, unless it fails
logged() {
    "$@" >"$tmp/log" 2>&1 || { cat "$tmp/log"; return 1; }
}

if has CMake cmake; then
    mkdir "$tmp/user"
    cat >"$tmp/user/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.13)
project(user C)
add_subdirectory($(cd "$dist" && pwd) codec)
add_executable(testee $tmp/files.c)
target_compile_definitions(testee PRIVATE _POSIX_C_SOURCE=200809L)
target_include_directories(testee PRIVATE $(pwd))
target_link_libraries(testee PRIVATE rpcrdma::rpcrdma)
EOF
    verdict 'CMake builds it in another project' "$(logged cmake -S "$tmp/user" -B "$tmp/cmake" &&
        logged cmake --build "$tmp/cmake" && cp "$tmp/cmake/testee" "$tmp/testee" 2>&1)"
    receives CMake ''
fi
if has Meson meson && has Meson ninja; then
    verdict 'Meson builds it' "$(logged meson setup "$tmp/meson" "$dist" --default-library=static &&
        logged ninja -C "$tmp/meson" &&
        logged gcc -std=c11 -D_POSIX_C_SOURCE=200809L -I. -I"$dist/include" "$tmp/files.c" \
            "$tmp/meson/librpcrdma.a" -o "$tmp/testee")"
    receives Meson ''
    mkdir -p "$tmp/mine/subprojects" && cp -r "$dist" "$tmp/mine/subprojects/"
    { echo "project('mine', 'c')"; sed -n 's/^ *\(rpcrdma = subproject(.*\)/\1/p' "$dist/README.md"; } >"$tmp/mine/meson.build"
    verdict 'Meson finds it in another project, as the page says' \
        "$(grep -q subproject "$tmp/mine/meson.build" || echo 'no such line'; logged meson setup "$tmp/mine/built" "$tmp/mine")"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
