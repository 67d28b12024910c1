# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# run by: mutants_test.sh, fuzz/kit/mutants_test.sh
# A testee on our own codec with three faults that its owner knows of, and twelve mutants of it with one
# fault more: for the tests that no list of expected failures hides one. Sourced; the script calls
# mutants after it has a function `mutant NAME FILE SCRIPT`, and finish at its end.
#
# usage: . mutants.sh; ...; mutants; finish

: "${BUILD:=build}"
root=$PWD # tests are run in the top folder
build=$(realpath "$BUILD")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

verdict() {
    about=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $about"
        [ ! -f "$work/out" ] || tail -n 12 "$work/out" | sed 's/^/    /'
    fi
}

finish() {
    echo "$passed passed, $failed failed, 0 skipped"
    [ "$failed" -eq 0 ]
}

# The codec and the testee, to be changed; the headers that are copied come before the tree's.
fresh() {
    rm -rf "$work/tree"
    mkdir -p "$work/tree/rpcrdma"
    cp "$root/codec/include/rpcrdma/xdr_runtime.h" "$root/codec/include/rpcrdma/rpcrdma.h" "$work/tree/rpcrdma/"
    cp "$root/codec/xdr.c" "$root/codec/copy.c" "$root/codec/receive.c" "$build/gen/rpcrdma1.c" "$work/tree/"
    cp "$root/vectors/testees/lines.h" "$root/vectors/testees/librpcrdma.c" "$work/tree/"
}

# change FILE SCRIPT: it has to change something.
change() {
    sed "$2" "$work/tree/$1" >"$work/changed"
    if cmp -s "$work/changed" "$work/tree/$1"; then
        verdict "$1: this changes something: $2" false
    fi
    cp "$work/changed" "$work/tree/$1"
}

# Three faults that their owner knows of.
depart() {
    change rpcrdma/rpcrdma.h 's/\*is_aligned && read.position % 4 == 0/true/'
    change receive.c 's/(code == RPCRDMA1_E_PROCEDURE && procedure == RPCRDMA1_DONE)/code == RPCRDMA1_E_PROCEDURE/'
    change rpcrdma/rpcrdma.h 's/is_nomsg ? octets > 0 : /is_nomsg ? 1 : /; s/is_nomsg ? used : /is_nomsg ? 1 : /'
}

# What lists them by classes, as small as it can be.
cat >"$work/classes" <<'END'
rfc8166/3.4.5/position-multiple-of-four wrong-answer
rfc8166/4.6.1/msgp-not-sent wrong-answer
rfc8166/4.2.4/nomsg-holds-payload wrong-answer
rfc8166/4.2.4/nomsg-list-present wrong-answer
END

header=rpcrdma/xdr_runtime.h receiver=rpcrdma/rpcrdma.h
# Calls `mutant NAME FILE SCRIPT` for each.
mutants() {
    # Bounds and counts.
    mutant 'no bound for a presence word' $header \
        '/get_presence(/,/^}/s/RPCRDMA_XDR_UNLIKELY(rpcrdma_xdr_left(in, p) < 4)/0/'
    mutant 'no bound for an array' $header '/get_array(/,/^}/s/RPCRDMA_XDR_UNLIKELY(all > left)/0/'
    mutant 'a product of 32 bits' $header '/get_array(/,/^}/s/uint64_t all = (uint64_t)n \* size/uint64_t all = (uint32_t)(n * size)/'
    mutant 'an array may be one segment too long' $header \
        '/get_array(/,/^}/s/all > left)/all > left + 16)/'
    mutant 'a presence word of two' $header \
        '/get_presence(/,/^}/s/RPCRDMA_XDR_UNLIKELY(word != rpcrdma_xdr_raw_one())/0/'
    mutant 'entries skipped beyond the end' $header \
        '/skip_entries(/,/^}/s/>= 4 \* stride/>= 2 * stride/'
    # What is answered.
    mutant 'every Call with a Write list refused' $receiver \
        's/^    uint64_t octets = rpcrdma1_position_zero(&lists/    if (lists->rdma_writes.count > 0) return false;\n&/'
    mutant 'a Read list dropped' $receiver \
        's/^        return decoded;/        return decoded - 24 * (rpcrdma1_chunks(header) ? rpcrdma1_chunks(header)->rdma_reads.count : 0);/'
    mutant 'a Reply with a Reply chunk dropped' $receiver \
        's/^    if (receiver == RPCRDMA_REQUESTER) {/&\n        if (lists->rdma_reply.present) return false;/'
    mutant 'RDMA_DONE answered' receive.c \
        's/code == RPCRDMA1_E_PROCEDURE;/code == RPCRDMA1_E_PROCEDURE \&\& procedure == 2;/'
    mutant 'a crash on one vector' librpcrdma.c \
        's/^    ptrdiff_t end = rpcrdma1_receive/    if (length >= 8 \&\& rpcrdma_xdr_load32(octets + 4) == 0x01000000u) abort();\n&/'
    mutant 'silence at one vector' librpcrdma.c \
        's/^    ptrdiff_t end = rpcrdma1_receive/    if (length >= 8 \&\& rpcrdma_xdr_load32(octets + 4) == 0x01000000u) for (;;) getc(stdin);\n&/'
}
