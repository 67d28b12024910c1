#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Prove with Frama-C's WP the contracts that xdrgen makes, and those of the runtime: decoders end and
# take no more than they were given, places of errors and of lists lie within the octets, encoders
# stay within their room and write as many octets as sizers say. Copies with a fault are refused.
#
# usage: wp.sh PROOF [CODEC]...
#
# PROOF has the annotated sources and headers (make prove WP=1 makes them); without CODECs version 1
# is proved.
set -u

proof=$1
shift
[ $# -gt 0 ] || set -- rpcrdma1
here=$(cd "$(dirname "$0")" && pwd) || exit 2
root=${here%/codec/proof}
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0 all=0
start=$(date +%s)
export WHY3CONFIG="$tmp/why3.conf"
why3 -C "$WHY3CONFIG" config detect >/dev/null 2>&1
grep -q CVC4 "$WHY3CONFIG" || { echo 'wp: why3 finds no CVC4' >&2; exit 2; }

# What is changed besides: buffers and limits have their types, which WP follows better than `void *`.
typed='s/const void \*buf/const uint8_t *buf/g; s/void \*buf/uint8_t *buf/g; s/(uint8_t \*)buf/buf/g'

# prepare CODEC FOLDER
prepare() {
    mkdir -p "$2/include/rpcrdma"
    sed "$typed" "$proof/$1.h" >"$2/include/rpcrdma/$1.h"
    limits=$(sed -nE 's/^struct ([a-z0-9_]+_limits) \{$/\1/p' "$proof/$1.h")
    awk -f "$here/insert.awk" "$here/runtime.acsl" "$root/codec/include/rpcrdma/xdr.h" \
        >"$2/include/rpcrdma/xdr.h"
    awk -f "$here/insert.awk" "$here/runtime.acsl" "$root/codec/include/rpcrdma/xdr_runtime.h" |
        sed "s/const void \*limits;/const struct $limits *limits;/" >"$2/include/rpcrdma/xdr_runtime.h"
    sed "$typed; s|#include <rpcrdma/xdr_runtime.h>|#include <rpcrdma/$1.h>\n&|" "$proof/$1.c" >"$2/$1.c"
}

# functions FILE PATTERN: those that it defines, with commas
functions() {
    grep -oE "(^|[ *])$2\(" "$1" | tr -d ' *(' | sort -u | paste -sd, -
}

# wp CODEC FOLDER LOG FUNCTIONS OPTION...
wp() {
    codec=$1 folder=$2 log=$3 names=$4
    shift 4
    nice frama-c -machdep gcc_x86_64 -c11 -cpp-extra-args="-I$folder/include -I$root/codec/include \
-DRPCRDMA_API= -include $here/wp_stubs.h" "$folder/$codec.c" -wp -wp-rte -wp-prover cvc4 -wp-par 2 \
        -wp-timeout 20 -wp-fct "$names" "$@" >"$log" 2>&1
}

# goals LOG: "PROVED ALL"
goals() {
    sed -nE 's/^\[wp\] Proved goals: +([0-9]+) \/ ([0-9]+)$/\1 \2/p' "$1"
}

# proved NAME CODEC FUNCTIONS
proved() {
    name=$1 codec=$2 names=$3
    wp "$codec" "$tmp/$codec" "$tmp/log" "$names" -wp-split # case by case, where paths are many
    # shellcheck disable=SC2046 # two numbers
    set -- $(goals "$tmp/log")
    if [ "${1:-0}" -gt 0 ] && [ "$1" = "$2" ]; then
        passed=$((passed + 1)) all=$((all + $2))
        printf 'proved %-52s %s goals\n' "$name" "$2"
    else
        failed=$((failed + 1))
        printf 'not proved: %s: %s of %s goals\n' "$name" "${1:-none}" "${2:-none}"
        grep -E '(User Error|Goal .*: (Timeout|Unknown|Failed|Stepout))' "$tmp/log" | head -n 12
    fi
}

# ---- every function ----

proved 'runtime' rpcrdma1 \
    "$(prepare rpcrdma1 "$tmp/rpcrdma1"; functions "$tmp/rpcrdma1/include/rpcrdma/xdr_runtime.h" \
        'rpcrdma_xdr_(bad|short|at|at_index|bad_value|value_at|value_at_index|round|over|skip_entries|get_presence|get_count|get_array|size_items)')"
for codec in "$@"; do
    [ -d "$tmp/$codec" ] || prepare "$codec" "$tmp/$codec"
    source=$tmp/$codec/$codec.c
    for function in $(functions "$source" '(get|size|put)_[a-z0-9_]+' | tr ',' ' '); do
        proved "$function" "$codec" "$function"
    done
    proved "$codec: calls" "$codec" "$(functions "$source" 'rpcrdma[a-z0-9_]+_(decode|decode_slowly|decode_complete|size|encode|encode_slowly)')"
    proved "$codec: iterators" "$codec" "$(functions "$tmp/$codec/include/rpcrdma/$codec.h" 'rpcrdma[a-z0-9_]+_next')"
done

# ---- mutants: with a fault, a goal that is not proved ----

# refused NAME FUNCTION FILE SED
refused() {
    rm -rf "$tmp/mutant"
    prepare rpcrdma1 "$tmp/mutant"
    sed "$4" "$tmp/mutant/$3" >"$tmp/changed"
    if cmp -s "$tmp/changed" "$tmp/mutant/$3"; then
        failed=$((failed + 1))
        echo "mutant $1: nothing to change"
        return
    fi
    mv "$tmp/changed" "$tmp/mutant/$3"
    wp rpcrdma1 "$tmp/mutant" "$tmp/log" "$2" -wp-split -wp-timeout 5
    # shellcheck disable=SC2046 # two numbers
    set -- "$1" $(goals "$tmp/log")
    if [ "${3:-0}" -gt 0 ] && [ "$2" -lt "$3" ]; then
        passed=$((passed + 1))
        printf 'refused %-51s %s of %s goals\n' "$1" "$2" "$3"
    else
        failed=$((failed + 1))
        echo "mutant $1: not refused"
    fi
}

runtime=include/rpcrdma/xdr_runtime.h
refused 'array without its count word' rpcrdma_xdr_get_array $runtime \
    '/rpcrdma_xdr_get_array(/,/^}/s/    left -= 4;//'
refused 'octets of an array in 32 bits' rpcrdma_xdr_get_array $runtime \
    '/rpcrdma_xdr_get_array(/,/^}/s/(uint64_t)n \* size/n * size/'
refused 'entries skipped are miscounted' rpcrdma_xdr_skip_entries $runtime \
    '/rpcrdma_xdr_skip_entries(/,/^}/s/n += 4;/n += 5;/'
refused 'list with an octet too many' get_rpcrdma1_read_list rpcrdma1.c \
    '/get_rpcrdma1_read_list(/,/^}/s/(uint32_t)(p - v->wire)/(uint32_t)(p + 1 - v->wire)/'
refused 'list stored without room for its end' put_rpcrdma1_read_list rpcrdma1.c \
    '/put_rpcrdma1_read_list(/,/^}/s/ \* 24 + after + 4 >/ * 24 + after >/'
refused 'segments stored beyond 32 bits' put_rpcrdma1_write_chunk rpcrdma1.c \
    '/put_rpcrdma1_write_chunk(/,/^}/s/(uint64_t)v->target.count \* 16/v->target.count * 16u/'
refused 'sizer without a presence word' size_rpcrdma1_write_list rpcrdma1.c \
    '/size_rpcrdma1_write_list(/,/^}/s/(&items\[i\]) + 4;/(\&items[i]);/'
refused 'iterator that reads too far' rpcrdma1_read_list_next include/rpcrdma/rpcrdma1.h \
    '/read_list_next(/,/^}/s/iter->p + 16)/iter->p + 20)/'
refused 'iterator without end' rpcrdma1_read_list_next include/rpcrdma/rpcrdma1.h \
    '/read_list_next(/,/^}/s/    iter->left--;//'

echo "$all goals, $(($(date +%s) - start)) s, $(frama-c -version), $(cvc4 --version | head -n 1)"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
