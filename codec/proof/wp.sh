#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Prove with Frama-C's WP the contracts that xdrgen makes, and those of the runtime: decoders end and
# take no more than they were given, places of errors and all that a view points at lie within the
# octets, iterators stay there, encoders stay within their room and write as many octets as sizers
# say. Copies with a fault are refused.
#
# usage: wp.sh [--mutants] PROOF CODEC...
#
# PROOF has the annotated sources and headers (make prove WP=1 makes them). --mutants: only those.
set -u

only=
if [ "${1-}" = --mutants ]; then
    only=mutants
    shift
fi
proof=$1
shift
here=$(cd "$(dirname "$0")" && pwd) || exit 2
root=${here%/codec/proof}
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0 sum=0
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
    grep -oE "(^|[ *])$2\\(" "$1" | tr -d ' *(' | sort -u | paste -sd, -
}

# wp CODEC FOLDER LOG FUNCTIONS OPTION...
wp() {
    codec=$1 folder=$2 log=$3 names=$4
    shift 4
    frama-c -machdep gcc_x86_64 -c11 -cpp-extra-args="-I$folder/include -I$root/codec/include \
-DRPCRDMA_API= -include $here/wp_stubs.h" "$folder/$codec.c" -wp -wp-rte -wp-prover cvc4 \
        -wp-fct "$names" "$@" >"$log" 2>&1
}

# goals LOG: "PROVED ALL"
goals() {
    sed -nE 's/^\[wp\] Proved goals: +([0-9]+) \/ ([0-9]+)$/\1 \2/p' "$1"
}

# left LOG FUNCTIONS: those of the functions that have goals not proved, with commas
left() {
    grep -oE 'Goal typed_[A-Za-z0-9_]+ : (Timeout|Unknown|Failed|Stepout)' "$1" |
        awk -v names="$2" 'BEGIN { n = split(names, name, ",") }
            { best = ""
              for (i = 1; i <= n; i++)
                  if (index($2, "typed_" name[i] "_") == 1 && length(name[i]) > length(best))
                      best = name[i]
              if (!seen[best]++) print best }' | paste -sd, -
}

# proved NAME CODEC FUNCTIONS: all their goals; what is left over is tried case by case, with time
proved() {
    name=$1 codec=$2 names=$3 first=$tmp/$1.log again='' cases=0
    wp "$codec" "$tmp/$codec" "$first" "$names" -wp-par 1 -wp-timeout 5
    # shellcheck disable=SC2046 # two numbers
    set -- $(goals "$first")
    if [ "${2:-0}" -gt 0 ] && [ "$1" -lt "$2" ]; then
        again=$(left "$first" "$names")
        wp "$codec" "$tmp/$codec" "$first.again" "$again" -wp-par 1 -wp-timeout 60 -wp-split
        cases=$(goals "$first.again" | sed -n 's/^\([1-9][0-9]*\) \1$/\1/p')
    fi
    count=$(echo "$names" | tr ',' '\n' | grep -c .)
    if [ "${2:-0}" -gt 0 ] && [ -n "$cases" ]; then
        printf 'proved %-20s %3s functions, %4s goals%s\n' "$name" "$count" "$2" \
            "${again:+; $(echo "$again" | tr ',' '\n' | grep -c .) of the functions case by case, $cases goals}"
        return
    fi
    printf 'not proved: %s: %s of %s goals, then %s\n' "$name" "${1:-none}" "${2:-none}" \
        "$(goals "$first.again" 2>/dev/null)"
    cat "$first" "$first.again" 2>/dev/null |
        grep -E '(User Error|Goal .*: (Timeout|Unknown|Failed|Stepout))' | tail -n 12
}

# ---- every function, two codecs at a time ----

runtime() {
    headers=$tmp/$1/include/rpcrdma
    proved runtime "$1" \
        "$(functions "$headers/xdr_runtime.h" \
            '(get_rpcrdma_xdr_bool|rpcrdma_xdr_(bad|short|at|at_index|bad_value|value_at|value_at_index|round|over|pad_is_zero|skip_entries|get_presence|get_count|get_array|get_opaque|size_items|put_octets|put_opaque))'),$(functions "$headers/xdr.h" 'rpcrdma_xdr_(load32|load64|store32|store64|iter)')"
}

whole() {
    source=$tmp/$1/$1.c
    names=$(functions "$source" '((get|size|put)_[a-z0-9_]+|rpcrdma[a-z0-9_]+_(decode|decode_slowly|decode_complete|size|encode|encode_slowly))')
    iterators=$(functions "$tmp/$1/include/rpcrdma/$1.h" 'rpcrdma[a-z0-9_]+_(next|iter)')
    proved "$1" "$1" "$names${iterators:+,$iterators}"
}

if [ -z "$only" ]; then
    for codec in "$@"; do
        prepare "$codec" "$tmp/$codec"
    done
    runtime "$1" >"$tmp/runtime.said"
    for codec in "$@"; do
        whole "$codec" >"$tmp/$codec.said" &
        [ -z "${other-}" ] || wait "$other"
        other=$!
    done
    wait
    for name in runtime "$@"; do
        cat "$tmp/$name.said"
        case $(cat "$tmp/$name.said") in
        proved*) passed=$((passed + 1)) ;;
        *) failed=$((failed + 1)) ;;
        esac
        sum=$((sum + $(goals "$tmp/$name.log" | cut -d' ' -f2)))
    done
fi

# ---- mutants: with a fault, a goal that is not proved ----

# refused NAME CODEC FUNCTION FILE SED
refused() {
    rm -rf "$tmp/mutant"
    prepare "$2" "$tmp/mutant"
    sed "$5" "$tmp/mutant/$4" >"$tmp/changed"
    if cmp -s "$tmp/changed" "$tmp/mutant/$4"; then
        failed=$((failed + 1))
        echo "mutant $1: nothing to change"
        return
    fi
    mv "$tmp/changed" "$tmp/mutant/$4"
    wp "$2" "$tmp/mutant" "$tmp/log" "$3" -wp-par 2 -wp-split -wp-timeout 5
    # shellcheck disable=SC2046 # two numbers
    set -- "$1" $(goals "$tmp/log")
    if [ "${3:-0}" -gt 0 ] && [ "$2" -lt "$3" ]; then
        passed=$((passed + 1))
        printf 'refused %-41s %3s of %3s goals, not %s\n' "$1" "$2" "$3" \
            "$(sed -nE 's/.*Goal typed_([A-Za-z0-9_]+) : (Timeout|Unknown|Failed|Stepout).*/\1/p' "$tmp/log" | head -n 1)"
    else
        failed=$((failed + 1))
        echo "mutant $1: not refused$(sed -nE 's/.*User Error(.*)/: error\1/p' "$tmp/log" | head -n 1)"
    fi
}

runtime=include/rpcrdma/xdr_runtime.h
refused 'array without its count word' rpcrdma1 rpcrdma_xdr_get_array $runtime \
    '/rpcrdma_xdr_get_array(/,/^}/s/    left -= 4;//'
refused 'octets of an array in 32 bits' rpcrdma1 rpcrdma_xdr_get_array $runtime \
    '/rpcrdma_xdr_get_array(/,/^}/s/(uint64_t)n \* size/n * size/'
refused 'entries skipped are miscounted' rpcrdma1 rpcrdma_xdr_skip_entries $runtime \
    '/rpcrdma_xdr_skip_entries(/,/^}/s/n += 4;/n += 5;/'
refused 'list with an octet too many' rpcrdma1 get_rpcrdma1_read_list rpcrdma1.c \
    '/get_rpcrdma1_read_list(/,/^}/s/(uint32_t)(p - v->wire)/(uint32_t)(p + 1 - v->wire)/'
refused 'list stored without room for its end' rpcrdma1 put_rpcrdma1_read_list rpcrdma1.c \
    '/put_rpcrdma1_read_list(/,/^}/s/ \* 24 + after + 4 >/ * 24 + after >/'
refused 'segments stored beyond 32 bits' rpcrdma1 put_rpcrdma1_write_chunk rpcrdma1.c \
    '/put_rpcrdma1_write_chunk(/,/^}/s/(uint64_t)v->target.count \* 16/v->target.count * 16u/'
refused 'sizer without a presence word' rpcrdma1 size_rpcrdma1_write_list rpcrdma1.c \
    '/size_rpcrdma1_write_list(/,/^}/s/(&items\[i\]) + 4;/(\&items[i]);/'
refused 'iterator that reads too far' rpcrdma1 rpcrdma1_read_list_next include/rpcrdma/rpcrdma1.h \
    '/read_list_next(/,/^}/s/iter->p + 16)/iter->p + 20)/'
refused 'iterator without end' rpcrdma1 rpcrdma1_read_list_next include/rpcrdma/rpcrdma1.h \
    '/read_list_next(/,/^}/s/    iter->left--;//'
refused 'padding of an opaque beyond the octets' rpc rpcrdma_xdr_get_opaque $runtime \
    '/rpcrdma_xdr_get_opaque(/,/^}/s/octets > left/v->length > left/'
refused 'opaque stored without room for padding' gss put_rpcrdma_gss_cred gss.c \
    '/put_rpcrdma_gss_cred(/,/^}/s/rpcrdma_xdr_round(v->handle.length) + after/v->handle.length + after/'
refused 'arm of a union not counted' rpc size_rpcrdma_rpc_rejected_reply rpc.c \
    '/size_rpcrdma_rpc_rejected_reply(/,/^}/s/total += 8;/total += 4;/'
refused 'part decoded into the place of another' rpc get_rpcrdma_rpc_call_body rpc.c \
    '/get_rpcrdma_rpc_call_body(/,/^}/s/&v->verf/\&v->cred/'
refused 'array of properties counted wrong' rpcrdma2_07 get_rpcrdma2_07_propset rpcrdma2_07.c \
    '/get_rpcrdma2_07_propset(/,/^}/s/(uint32_t)(p - v->/(uint32_t)(4 + p - v->/'

echo "$sum goals, $(($(date +%s) - start)) s, $(frama-c -version), $(cvc4 --version | head -n 1)"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
