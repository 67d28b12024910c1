#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run by: make fuzz-kit
# As conformance/tests/testees/mutants_test.sh, with the same list of expected failures: the kit reports each
# mutant, and of the parser with the three faults of the list nothing.
#
# usage: mutants_test.sh BUILD      (of clang, with sanitizers)
set -u

BUILD=$1
. conformance/tests/testees/mutants.sh

# The testee's judgement as kit_parse().
cat >"$work/parser.c" <<'EOF'
#include "kit.h"
#define main testee
#include "librpcrdma.c"
struct kit_answer kit_parse(const uint8_t *octets, size_t length, bool is_reply)
{
    static const enum kit_kind kinds[] = {KIT_DISCARD, KIT_ERR_VERS, KIT_ERR_CHUNK};
    long answer = judge(octets, length, is_reply);
    return answer < 0 ? (struct kit_answer){kinds[-1 - answer], 0} : (struct kit_answer){KIT_ACCEPT, (size_t)answer};
}
EOF

compile() {
    tree=$work/tree
    CCACHE_DISABLE=1 make --no-print-directory -s DEPS=no BUILD="$BUILD" CC=clang SANITIZE=address,undefined \
        EXTRA_CFLAGS=-fsanitize=fuzzer-no-link KIT_PARSER="$work/parser.c" KIT_PARSER_FLAGS="-std=c11 -w \
        -I$tree -Icodec/include -I$build/gen $tree/receive.c $tree/rpcrdma1.c $tree/xdr.c $tree/copy.c" kit-parser \
        >"$work/out" 2>&1 || verdict 'it compiles' false
}

# fuzz RUNS [KNOWN]: from the corpus, until the first disagreement or crash
fuzz() {
    rm -rf "$work/corpus" && mkdir "$work/corpus"
    sh fuzz/corpus_files.sh unpack fuzz/corpus/decode1.hex "$work/seeds"
    KIT_KNOWN=${2-} "$build/fuzzers/kit_parser" -runs="$1" -timeout=5 -max_len=512 \
        -artifact_prefix="$work/" "$work/corpus" "$work/seeds" >"$work/out" 2>&1 </dev/null
}

mutant() {
    fresh
    depart
    change "$2" "$3"
    compile
    ! fuzz 2000000 "$work/classes"
    verdict "$1 is found under the list" test $? -eq 0
    verdict "$1 is named" grep -qE '^disagreement: |^==[0-9]+== ?ERROR: |runtime error: ' "$work/out"
}

fresh
compile
fuzz 100000
verdict 'nothing is reported of the parser without faults' test $? -eq 0
depart
compile
! fuzz 2000000
verdict 'three faults are found' test $? -eq 0
fuzz 100000 "$work/classes"
verdict 'nothing is reported of what is listed' test $? -eq 0
mutants
finish
