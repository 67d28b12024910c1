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
# Exits 0 if all is proved and each copy refused; 1 if not, with the name of each goal that is open;
# 2 where a tool is missing.
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
for tool in frama-c why3 cvc4; do
    command -v "$tool" >/dev/null || { echo "wp: $tool is missing" >&2; exit 2; }
done
export WHY3CONFIG="$tmp/why3.conf"
why3 -C "$WHY3CONFIG" config detect >/dev/null 2>&1
grep -q CVC4 "$WHY3CONFIG" || { echo 'wp: why3 finds no CVC4' >&2; exit 2; }

# What is changed besides: buffers and limits have their types, which WP follows better than `void *`.
typed='s/const void \*buf/const uint8_t *buf/g; s/void \*buf/uint8_t *buf/g; s/(\(const \)*uint8_t \*)buf/buf/g
    s/const void \*octets/const uint8_t *octets/g'

# prepare CODEC FOLDER; of the codec `receive`, which is written by hand, version 1 is a part. Decoders put both arms of a
# union that have one type into one place, the first of them; WP takes members of a union for different places.
prepare() {
    if [ "$1" = receive2 ]; then
        prepare receive "$2"
        for header in rpcrdma2_04 rpcrdma2_07; do
            sed "$typed" "$proof/$header.h" >"$2/include/rpcrdma/$header.h"
        done
        awk -f "$here/insert.awk" "$here/receive2.acsl" "$root/codec/include/rpcrdma/message.h" |
            sed "$typed; s/_array set, /_array first, /" >"$2/include/rpcrdma/message.h"
        { echo '#include "receive.c"' &&
            awk -f "$here/insert.awk" "$here/receive2.acsl" "$root/codec/receive2.c" |
                sed "$typed; s/properties\\.set/properties.first/"; } >"$2/receive2.c"
        return
    fi
    if [ "$1" = receive ]; then
        prepare rpcrdma1 "$2"
        awk -f "$here/insert.awk" "$here/receive.acsl" "$root/codec/include/rpcrdma/rpcrdma.h" |
            sed "$typed; s/rdma_nomsg/rdma_msg/g" >"$2/include/rpcrdma/rpcrdma.h"
        { echo '#include "rpcrdma1.c"' &&
            awk -f "$here/insert.awk" "$here/receive.acsl" "$root/codec/receive.c" | sed "$typed"; } >"$2/receive.c"
        return
    fi
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

# wp STAGE CODEC FOLDER LOG FUNCTIONS: what this run has proved before is not proved again. What limits
# are meant are CVC4's own steps, which are the same on any machine, busy or not: the first settle nearly
# all goals, in seconds; the others can take minutes a goal. The time is by the clock, for the worst: of
# a goal that is false, CVC4 may count no steps at all.
wp() (
    case $1 in
    fault) limits='-wp-steps 1000000 -wp-timeout 120' ;;
    first) limits='-wp-steps 1000000 -wp-timeout 3600' ;;
    more) limits='-wp-steps 4000000 -wp-timeout 3600' ;;
    cases) limits='-wp-steps 4000000 -wp-timeout 3600 -wp-split' ;;
    esac
    # shellcheck disable=SC2086 # options
    frama-c -machdep gcc_x86_64 -c11 -cpp-extra-args="-I$3/include -I$root/codec/include \
-DRPCRDMA_API= -include $here/wp_stubs.h" "$3/$2.c" -wp -wp-rte -wp-prover cvc4 -wp-par 1 \
        -wp-cache update -wp-cache-dir "$tmp/cache" -wp-fct "$5" $limits >"$4" 2>&1 &
    while grep VmHWM "/proc/$!/status" >>"$4.memory" 2>/dev/null; do
        sleep 1
    done
    wait
)

# goals LOG: "PROVED ALL"
goals() {
    sed -nE 's/^\[wp\] Proved goals: +([0-9]+) \/ ([0-9]+)$/\1 \2/p' "$1"
}

# is_all LOG: whether there are goals, and all are proved
is_all() {
    goals "$1" | grep -q '^\([1-9][0-9]*\) \1$'
}

# open LOG: the goals that are not proved, and why
open() {
    sed -nE 's/.*Goal typed_([A-Za-z0-9_]+) : (Timeout|Unknown|Failed|Step limit|Stepout).*/\1: \2/p' "$1"
    sed -nE 's/.*(User Error.*)/\1/p' "$1"
}

# left LOG FUNCTIONS: those of the functions that have goals not proved, with commas
left() {
    open "$1" | awk -v names="$2" 'BEGIN { n = split(names, name, ",") }
        { best = ""
          for (i = 1; i <= n; i++)
              if (index($1, name[i] "_") == 1 && length(name[i]) > length(best))
                  best = name[i]
          if (!seen[best]++) print best }' | paste -sd, -
}

count() {
    echo "$1" | tr ',' '\n' | grep -c .
}

# proved NAME CODEC FUNCTIONS: all their goals; those left over with more steps, then case by case
proved() {
    name=$1 names=$3 folder=$tmp/$2 log=$tmp/$1.log begun=$(date +%s) how=''
    wp first "$2" "$folder" "$log" "$names"
    again=$(left "$log" "$names")
    if [ "$again" ]; then
        how="; $(open "$log" | grep -c .) of them with more steps"
        wp more "$2" "$folder" "$log.more" "$again"
        again=$(left "$log.more" "$again")
        log=$log.more
    fi
    if [ "$again" ]; then
        how="$how, $(count "$again") of the functions case by case"
        wp cases "$2" "$folder" "$log.cases" "$again"
        log=$log.cases
    fi
    took="$(($(date +%s) - begun)) s, $(sed 's/[^0-9]//g' "$tmp/$name".log*.memory | sort -n | tail -n 1) KiB"
    # shellcheck disable=SC2046 # two numbers
    set -- $(goals "$tmp/$name.log")
    if [ "${2:-0}" -gt 0 ] && is_all "$log"; then
        printf 'proved %-20s %3s functions, %4s goals%s; %s\n' "$name" "$(count "$names")" "$2" "$how" "$took"
        return
    fi
    printf 'not proved: %s: %s of %s goals at first%s; %s\n' "$name" "${1:-none}" "${2:-none}" "$how" "$took"
    open "$log" | sed 's/^/    open: /'
}

# ---- every function, two codecs at a time ----

runtime() {
    headers=$tmp/$1/include/rpcrdma
    proved runtime "$1" \
        "$(functions "$headers/xdr_runtime.h" \
            '(get_rpcrdma_xdr_bool|rpcrdma_xdr_(bad|short|at|at_index|bad_value|value_at|value_at_index|round|over|pad_is_zero|skip_entries|get_presence|get_count|get_array|get_opaque|size_items|put_octets|put_opaque))'),$(functions "$headers/xdr.h" 'rpcrdma_xdr_(failed|load32|load64|store32|store64|iterate)')"
}

whole() {
    source=$tmp/$1/$1.c
    names=$(functions "$source" '((get|size|put)_[a-z0-9_]+|rpcrdma[a-z0-9_]+_(decode|decode_slowly|decode_complete|size|encode|encode_slowly))')
    iterators=$(functions "$tmp/$1/include/rpcrdma/$1.h" 'rpcrdma[a-z0-9_]+_(next|iter)')
    proved "$1" "$1" "$names${iterators:+,$iterators}"
}

receive() {
    proved receive receive "$(functions "$tmp/receive/include/rpcrdma/rpcrdma.h" \
        '(rpcrdma_prefix_load|rpcrdma1_(chunks|segments_length|position_zero|lists_are_message|is_message|receive))'),$(functions \
        "$root/codec/receive.c" '(name_of|note_[a-z]+|look_at_[a-z_]+|fault_of_[a-z]+|reason|answer|rpcrdma_refuse_lists|rpcrdma1_refuse)')"
}

receive2() {
    proved receive2 receive2 "$(functions "$tmp/receive2/include/rpcrdma/message.h" \
        'rpcrdma(2_receive|_protocol_is_draft|_property_array_iter)'),$(functions \
        "$root/codec/receive2.c" '(is_07|is_defined|is_control|has_[a-z_0-9]+|role_of|name_of_set|fault_of_[a-z]+|first_list|note2|reason2|answer2|reads_are_good07|holds_call07|rpcrdma2_(is_message|refuse)|rpcrdma_error_encode)')"
}

# worker CODEC...: those that the other one has not begun
worker() {
    for job in "$@"; do
        mkdir "$tmp/$job.begun" 2>/dev/null || continue
        case $job in
        runtime) runtime "$any" ;;
        receive | receive2) "$job" ;;
        *) whole "$job" ;;
        esac >"$tmp/$job.said"
        cat "$tmp/$job.said"
    done
}

mkdir "$tmp/cache"
any=$1
for codec in "$@" receive receive2; do
    prepare "$codec" "$tmp/$codec"
done
if [ -z "$only" ]; then
    # The largest first.
    # shellcheck disable=SC2046 # a list of codecs
    set -- $(cd "$proof" && for codec in "$@"; do wc -c "$codec.c"; done | sort -rn |
        sed 's/.* //; s/\.c$//') receive receive2 runtime
    worker "$@" &
    worker "$@"
    wait
    for name in "$@"; do
        case $(cat "$tmp/$name.said") in
        proved*) passed=$((passed + 1)) ;;
        *) failed=$((failed + 1)) ;;
        esac
        all=$(goals "$tmp/$name.log" | cut -d' ' -f2)
        sum=$((sum + ${all:-0}))
    done
    echo "$sum goals, $(($(date +%s) - start)) s"
fi

# ---- mutants: with a fault, a goal that is not proved, of a function that is proved without it ----

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
    [ -d "$tmp/$2" ] || prepare "$2" "$tmp/$2"
    wp fault "$2" "$tmp/$2" "$tmp/sound" "$3"
    wp fault "$2" "$tmp/mutant" "$tmp/log" "$3"
    # shellcheck disable=SC2046 # two numbers
    set -- "$1" $(goals "$tmp/log")
    if ! is_all "$tmp/sound"; then
        failed=$((failed + 1))
        echo "mutant $1: not proved without the fault: $(open "$tmp/sound" | head -n 1)"
    elif [ "${3:-0}" -gt 0 ] && [ "$2" -lt "$3" ]; then
        passed=$((passed + 1))
        printf 'refused %-41s %3s of %3s goals, not %s\n' "$1" "$2" "$3" "$(open "$tmp/log" | head -n 1)"
    else
        failed=$((failed + 1))
        echo "mutant $1: not refused: $(open "$tmp/log" | head -n 1)"
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
refused 'lists of a header that has none' receive reason receive.c \
    '/^static int reason(/,/^}/s/rpcrdma1_chunks(header) == NULL/false/'
refused 'a Requester that answers' receive answer receive.c '/ answer(/,/^}/s/receiver == RPCRDMA_REQUESTER ||//'
refused 'view left as it was for an error to send' receive rpcrdma1_refuse receive.c \
    '/^ptrdiff_t rpcrdma1_refuse(/,/^}/s/header->rdma_body.proc = RPCRDMA1_ERROR;//'
refused 'lists of what did not decode' receive2 reason2 receive2.c \
    '/^static int reason2(/,/^}/s/rpcrdma_xdr_failed(decoded) ? (int)decoded : //'
refused 'a runt that is answered' receive2 answer2 receive2.c '/ answer2(/,/^}/s/code == RPCRDMA1_E_RUNT ||//'
refused 'message that is no error to send' receive2 rpcrdma2_refuse receive2.c \
    '/^ptrdiff_t rpcrdma2_refuse(/,/^}/s/message->error.code = answered;//'
refused 'error without room for its values' receive2 rpcrdma_error_encode receive2.c \
    '/rpcrdma_error_encode(/,/^}/s/length < size/length < AT_ERROR + XDR_UNIT/'

echo "$(($(date +%s) - start)) s, $(frama-c -version), $(cvc4 --version | head -n 1)"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
