#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sanitized: "$BUILD"
# The kit and a parser of version 2 that knows the XDR alone: the worked examples and what the XDR
# forbids are no disagreement, what only the text of a draft forbids is one, by name. And the receivers of our
# codec agree about all inputs of the corpora.
#
# usage: version2_test.sh BUILD
set -u

kit=$(realpath "$1/replayers/kit_version2")
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# give NAME HEX DISAGREEMENT ("": no disagreement)
give() {
    mkdir -p "$work/in"
    echo "$2" | python3 -c 'import sys
sys.stdout.buffer.write(bytes.fromhex(sys.stdin.read()))' >"$work/in/send"
    "$kit" "$work/in" >"$work/out" 2>&1
    said=$(sed -n 's/^disagreement: //p' "$work/out")
    if [ "$said" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1: '$said', not '$3'"
        tail -n 3 "$work/out"
    fi
}

while read -r name _ _ _ hex; do
    # The XDR has any error code, the draft no other than its own.
    case $name in 07-errors/6) give "$name" "$hex" rpcrdma2-07/7/error-code-defined ;; 07-*) give "$name" "$hex" '' ;; esac
done <"$root/codec/tests/data/version2.txt"
call='00000001 00000002 00000010 0000000a 00000000'
rpc='00000001 00000000 00000002 000186a3 00000003 00000000 00000000 00000000 00000000 00000000'
give 'a Write list that ends with the Send' "$call 00000000 00000001" ''
give 'Positions that fall' "$call
    00000001 00000070 000000a1 00000024 0000000000001000 00000001 00000028 000000a2 00000024 0000000000002000
    00000000 00000000 00000000 $rpc" rpcrdma2-07/4.5.1.1/positions-ascend
give 'a property of 2 octets' '00000001 00000002 00000010 00000007 00000001 00000001 00000002 10000000' \
    '' # who does not know the property passes over it
give 'no Call chunk' '00000001 00000002 00000010 00000008 00000000 00000000 00000000 00000000 00000000' \
    rpcrdma2-07/6.3.5/call-chunk-present
# What is expected hides nothing else that the same Send breaks.
both='00000001 00000002 00000010 00000008 00000000
    00000001 00000004 000000a0 00000024 0000000000003000 00000000
    00000001 00000070 000000a1 00000024 0000000000001000 00000001 00000028 000000a2 00000024 0000000000002000 00000000
    00000000 00000000'
export KIT_KNOWN="$work/known"
echo 'rpcrdma2-07/6.6.3/call-chunk-position-zero wrong-answer # is not looked at' >"$KIT_KNOWN"
give 'a Call chunk not at 0, as expected, and Positions that fall' "$both" rpcrdma2-07/4.5.1.1/positions-ascend
echo 'rpcrdma2-07/4.5.1.1/positions-ascend wrong-answer # nor these' >>"$KIT_KNOWN"
give 'both, as expected' "$both" ''
unset KIT_KNOWN
give 'both' "$both" rpcrdma2-07/6.6.3/call-chunk-position-zero

# A header of 32 octets; the XDR of -07 has the first word of the RPC message in it.
sound=$kit kit=$(realpath "$1/replayers/kit_line2")
for length in 28 32 36 40; do
    case $length in 3[26]) name= ;; *) name=kit/draft-07/header-length/responder/RDMA2_CALL_INLINE ;; esac
    export DRAFT=07 KIT_TESTEE="while read -r line; do echo accept $length; done"
    give "a header of 32 octets that is said to have $length" "$call 00000000 00000000 00000000 00000000 $rpc" "$name"
done
unset KIT_TESTEE
# Of all answers one is right where the Write list ends with the Send: code 2 of -07, whose type makes it a Call's.
for answer in 9 500 999 1000 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012 1100; do
    case $answer in 1002) name= ;; *) name=kit/draft-07/refuses/responder/RDMA2_CALL_INLINE ;; esac
    export ANSWER=$answer
    give "answer $answer to BAD_XDR" "$call 00000000 00000001" "$name"
done
unset ANSWER DRAFT
kit=$sound
# A Reply of -04 is a question for the Requester of -04, and for both ends of -07.
mkdir -p "$work/one"
printf '\0\0\0\1\0\0\0\2\0\0\0\20\0\0\0\0\0\0\0\1' >"$work/one/reply"
head -c 16 /dev/zero >>"$work/one/reply"
printf '\0\0\0\1\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >>"$work/one/reply"
KIT_CONTINUE=1 "$(dirname "$kit")/kit_receive" "$work/one" >"$work/out" 2>&1
if grep -q '; 5 questions' "$work/out"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAILED: a Reply of -04 is not asked of five receivers"
    tail -n 3 "$work/out"
fi

for corpus in decode1 decode2 check2; do
    sh "$root/fuzz/corpus_files.sh" unpack "$root/fuzz/corpus/$corpus.hex" "$work/$corpus"
    if "$(dirname "$kit")/kit_receive" "$work/$corpus" >"$work/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: receivers of the codec: $corpus"
        tail -n 3 "$work/out"
    fi
done

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
