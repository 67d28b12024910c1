#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The kit over somebody's project, for action.yml, templates/rpcrdma.yml and .pre-commit-hooks.yaml: build the kit that
# this file belongs to, unless it is built, and run it in the current folder.
#
# usage: action.sh vectors|captures|fuzz          as the environment says
#        action.sh hook-captures FILE...          captures and Sends, without violations
#        action.sh hook-vectors FILE...           files of vectors, well formed, and as the checker judges
#
#   OUT            folder for the reports (rpcrdma-reports)
#   OPTIONS        further options of the command
#   KNOWN          list of expected failures; the file may be missing; auto: tests/rpcrdma.known, of captures and fuzz
#                  tests/rpcrdma-captures.known and tests/rpcrdma-fuzz.known, for each has names of its own
#   TESTEE, BUILD_TESTEE         vectors: the command that starts the testee; a command that builds it
#   CAPTURES, RECORD             captures: names or patterns; a command that records them
#   PARSER, PARSER_FLAGS         fuzz: the file with kit_parse(), with what it is compiled with ($TOP: the current folder);
#                                without PARSER the testee is fuzzed
#   SECONDS_A_RUN                fuzz: how long (60)
set -eu
kit=$(cd "$(dirname "$0")/.." && pwd)
rpcrdma=$kit/build/rpcrdma
: "${OUT:=rpcrdma-reports}" "${OPTIONS:=}" "${KNOWN:=}"
TOP=$PWD
export TOP

# quietly COMMAND...: what it says is shown where it fails
quietly() {
    log=$(mktemp)
    "$@" >"$log" 2>&1 || { status=$?; cat "$log" >&2; rm -f "$log"; return "$status"; }
    rm -f "$log"
}
make_kit() { quietly make -C "$kit" WERROR= -j"$(nproc)" "$@"; }
build() {
    [ ! -x "$rpcrdma" ] || return 0
    quietly sh "$kit/.ci/deps.sh" build
    make_kit DEPS=no build/rpcrdma
}
expected() { [ -z "$KNOWN" ] || [ ! -f "$KNOWN" ] || echo "--known $KNOWN"; }

vectors() {
    build
    [ -z "${BUILD_TESTEE:-}" ] || sh -c "$BUILD_TESTEE"
    # shellcheck disable=SC2046,SC2086 # options, by blanks
    "$rpcrdma" vectors --testee "$TESTEE" --output "$OUT" $(expected) $OPTIONS "$kit/vectors"
}

captures() {
    build
    [ -z "${RECORD:-}" ] || sh -c "$RECORD"
    # shellcheck disable=SC2046,SC2086 # options and patterns, by blanks
    "$rpcrdma" check --output "$OUT" $(expected) $OPTIONS $CAPTURES
}

fuzz() {
    quietly sh "$kit/.ci/deps.sh" gcc make mawk pkg-config libc6-dev clang llvm-@clang@ libclang-rt-@clang@-dev
    [ -z "${BUILD_TESTEE:-}" ] || sh -c "$BUILD_TESTEE"
    parser=${PARSER:-} flags=${PARSER_FLAGS:-}
    # What the user writes of $TOP is meant for the shell.
    flags=$(eval "echo \"$flags\"")
    make_kit DEPS=no BUILD="$kit/build/fuzzed" CC=clang SANITIZE=address,undefined EXTRA_CFLAGS=-fsanitize=fuzzer-no-link \
        KIT_PARSER="${parser:+$TOP/$parser}" KIT_PARSER_FLAGS="${parser:+$flags}" kit-parser
    mkdir -p "$OUT" "$kit/build/corpus"
    sh "$kit/fuzz/corpus_files.sh" unpack "$kit/fuzz/corpus/decode1.hex" "$kit/build/seeds"
    [ -z "$(expected)" ] || export KIT_KNOWN="$KNOWN"
    export KIT_CONTINUE=1 KIT_TESTEE="${TESTEE:-}"
    status=0
    # shellcheck disable=SC2086 # options, by blanks
    "$kit/build/fuzzed/fuzzers/kit_parser" -max_total_time="${SECONDS_A_RUN:-60}" $OPTIONS \
        -dict="$kit/build/fuzzed/fuzz/rpcrdma.dict" -artifact_prefix="$OUT/" -print_final_stats=1 \
        "$kit/build/corpus" "$kit/build/seeds" >"$OUT/report.txt" 2>&1 || status=$?
    tail -n 60 "$OUT/report.txt"
    return "$status"
}

[ $# -gt 0 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
what=$1
shift
case $KNOWN-$what in
auto-vectors) KNOWN=tests/rpcrdma.known ;;
auto-*) KNOWN=tests/rpcrdma-$what.known ;;
esac
case $what in
vectors | captures | fuzz) "$what" ;;
hook-captures) build && "$rpcrdma" check "$@" ;;
hook-vectors) build && "$rpcrdma" vectors --lint "$@" && "$rpcrdma" vectors "$@" ;;
*) echo "action: '$what' is none of vectors, captures, fuzz" >&2; exit 2 ;;
esac
