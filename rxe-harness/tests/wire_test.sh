#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/rpcrdma"
# needs: tshark
# `--wire`: what goes wrong by chance is named in each report, repeats by its seed, and is no fault of the peer's.
#
# usage: wire_test.sh PATH_TO_RPCRDMA

# shellcheck source=rxe-harness/tests/responder.sh
. "$(dirname "$0")/responder.sh"

roce=roce://127.0.0.19:$port iwarp=iwarp://127.0.0.19:$port

# ---- words ----

for command in probe serve respond request; do
    try 2 $command --wire los=1% "$roce"
    complains "there is no 'los'; the names are loss, duplicate"
    try 2 $command --wire loss=1 "$roce"
    complains "'loss' takes a rate such as 1%"
    try 2 $command --wire loss=1% "$iwarp"
    complains "'loss' is for roce://"
    try 2 $command --wire loss=1% verbs://127.0.0.1
    complains 'takes an ADDRESS of roce:// or iwarp://'
done
for command in probe serve; do
    try 2 $command --wire loss=1%
    complains 'takes an ADDRESS of roce:// or iwarp://'
done
try 2 serve --wire mtu=512 "$roce"
complains "'mtu' is for who connects"
try 2 request --wire mtu=513 "$roce"
complains "'mtu' takes 256, 512"
try 2 proxy --wire mtu=513 "$iwarp" "$roce"
complains "'mtu' takes 256, 512"
try 2 proxy --wire loss=1% "$roce" "$iwarp"
complains "'loss' is for roce://"
try 2 proxy --wire loss=1% verbs://127.0.0.1 verbs://127.0.0.2
complains 'takes an ADDRESS of roce:// or iwarp://'

# ---- reports ----

wire=loss=0.5%,delay=0.1ms,seed=7
answers --wire duplicate=1%,seed=3 "$roce"
holds responder 'wire: duplicate=1%,seed=3'
try 0 request --wire $wire --json r.json --junit r.xml --html r.html "$roce"
says "wire: $wire"
holds r.json "\"wire\":\"$wire\""
holds r.xml "<property name=\"wire\" value=\"$wire\"/>"
holds r.html "wire: <code>$wire</code>"
try 0 request --wire $wire --tap "$roce"
says "# wire: $wire"
try 0 vectors --merge --html again.html r.json
holds again.html "wire: <code>$wire</code>"
try 0 request --wire loss=0.5% "$roce"
says 'wire: loss=0.5%,seed='
kill $peer
wait $peer

# ---- a seed repeats: the same requests and data of ours, though a timer may have sent one more often ----

for run in 1 2; do
    answers --wire seed=99 "$roce"
    try 0 probe --wire loss=2%,duplicate=2%,damage=2%,reorder=2%,cut-read=20%,seed=21 --case 'pull-5-*' \
        --case 'pull-1023-*' --case long-call-8192-in-1 --capture wire$run.pcapng "$roce"
    kill $peer
    wait $peer
    tshark -r wire$run.pcapng -Y 'ip.dst==127.0.0.19 and infiniband.bth.opcode<17' -T fields -e udp.payload 2>err |
        sed 's/........$//' | sort -u >octets$run # without the check sum, which may have been damaged
done
verdict 'there are packets' test "$(wc -l <octets1)" -gt 20
verdict 'the same seed gives the same octets' cmp octets1 octets2

# ---- no fault of the peer's ----

while read -r address faults; do
    answers --draft 07 --wire "${faults%,mtu=*},seed=5" "$address"
    try 0 request --times 2 --wire "$faults,seed=6" "$address"
    try 0 request --nfs --draft 07 --longest 20001 --wire "$faults,seed=7" "$address"
    kill $peer
    wait $peer
done <<END
$roce loss=1%,duplicate=5%,reorder=5%,damage=0.5%
$roce rnr=20%
$roce shuffle=100%,no-ack=2%
$roce cut-read=10%,delay=0.1ms
$iwarp shuffle=100%,mtu=257
$iwarp delay=0.1ms
END

# `check` as well knows no order among RDMA Writes: they come before their Reply, and that is all (RFC 8166, 2.3.2).
for address in "$roce" "$iwarp"; do
    answers --wire shuffle=100%,seed=5 "$address"
    try 0 probe --case 'push-*' --case 'echo-*' --capture shuffled.pcapng "$address"
    kill $peer
    wait $peer
    "$rpcrdma" check --port "$port" --json shuffled.pcapng 2>err | grep '^{"kind":"event".*"from":"server"' >events
    verdict "Writes are seen over $address" test "$(grep -c '"type":"rdma-write"' events)" -gt 10
    verdict "and none is out of order" test "$(grep -v '"type":"rdma-read"' events | grep -c '"severity":"violation"')" -eq 0
done

# ---- planted: in a Responder, of its RDMA operations ----

# planted FAULT ADDRESS WIRE STATUS WORDS [RULE]: what `probe` says of it, and `check` of its capture.
planted() {
    answers --fault "$1" "$2"
    try "$4" probe ${3:+--wire "$3"} --case 'push-5-*' --case 'push-1023-*' --case calls-up-to-grant --capture fault.pcapng "$2"
    says "$5"
    says "${3:+wire: $3}"
    [ -z "${6:-}" ] || {
        "$rpcrdma" check --port "$port" fault.pcapng >out 2>err
        verdict "check of $1 over $2: $6" grep -q "$6" out
    }
    kill $peer
    wait $peer
}
wire=shuffle=100%,seed=7
for address in "$roce" "$iwarp"; do
    planted relies-on-write-order "$address" '' 0 '0 failed'
    planted relies-on-write-order "$address" $wire 1 'of the item is 0, not'
    # Where the case ends the connection before a Write has come, there is none.
    planted answers-before-its-writes-are-acknowledged "$address" $wire 1 'of the item is 0, not' \
        'rfc8166/3.5.2/writes-before-reply\|rfc8166/3.4.6/returned-length-written'
done
# Two peers of one machine need two addresses.
answers "roce://127.0.0.1:$port"
try 4 request "roce://127.0.0.1:$port"
complains 'a peer on this machine needs an address of its own'
kill $peer
wait $peer

# Data that comes after the Reply is charged to that, and not to the rule of the case.
for address in "$roce" "$iwarp"; do
    answers --fault answers-before-its-writes-are-acknowledged "$address"
    try 1 request "$address"
    verdict "request over $address names the octet, or the rule" grep -q 'octet 1 of 8192 is 0, not\|writes-before-reply' out
    "$rpcrdma" probe --case 'push-*' --case 'echo-*' --case 'nfs-read-*' --case 'reply-chunk-*' --all \
        --json late.json "$address" >out 2>err
    kill $peer
    wait $peer
    # Who is faster is a matter of chance: one may be charged to the rule of its case.
    verdict "late Writes over $address are charged to that" test \
        "$(grep '"ending":"wrong-answer"' late.json | grep -c '"rule":"rfc8166/3.5.2/writes-before-reply"')" -gt \
        "$(grep '"ending":"wrong-answer"' late.json | grep -vc '"rule":"rfc8166/3.5.2/writes-before-reply"')"
done

# A recording has what was seen: this Responder writes twice.
answers --fault relies-on-write-order "$roce"
try 0 probe --case push-5-in-1 --record written.json "$roce"
verdict 'the recording has both Writes' test "$(grep -c '"rdmaWrite": *{' written.json)" -eq 2
kill $peer
wait $peer
# Over RoCE an RNR NAK is waited out, a few times: where a busy peer needs longer, the rule is named.
late=rfc8166/3.3.1/receives-before-larger-grant
answers --fault posts-too-few-receives "$roce"
"$rpcrdma" probe --case calls-up-to-grant --capture fault.pcapng "$roce" >out 2>err
status=$?
case $status$(grep -o -m 1 "$late" out) in 0 | "1$late") status=good ;; esac
verdict 'posts-too-few-receives over RoCE: waited out, or named' test $status = good
"$rpcrdma" check --port "$port" fault.pcapng >out 2>err
verdict "check of posts-too-few-receives over RoCE: $late" grep -q $late out
kill $peer
wait $peer
planted posts-too-few-receives "$iwarp" '' 1 rfc8166/3.3.1/receives-before-larger-grant
# Nor is it accused of what its other cases are about.
answers --fault posts-too-few-receives "$iwarp"
"$rpcrdma" probe --case 'series-*' --case runts-in-a-row --case v2-first-fallback --json few.json "$iwarp" >out 2>err
verdict 'what finds no Receive is charged to that' test \
    "$(grep -E '"ending":"(wrong-answer|silent|closed)"' few.json | grep -c '"rule":"rfc8166/2.3.2/receives-posted"')" -ge 4
verdict 'and to nothing else' test \
    "$(grep -E '"ending":"(wrong-answer|silent|closed)"' few.json | grep -vc '"rule":"rfc8166/2.3.2/receives-posted"')" -eq 0
kill $peer
wait $peer

# Who dies in the midst of a message does not accuse the other side.
answers "$roce"
try 0 probe --wire die=100%,mtu=256,seed=4 --case 'inline-*' --case 'pull-5-*' --case 'echo-*' "$roce"
says 'our side died in the midst of a message'
kill $peer
wait $peer
answers "$iwarp"
try 0 probe --wire die=100%,seed=4 --case 'inline-*' --case 'echo-*' "$iwarp"
says 'our side died in the midst of a message'
kill $peer
wait $peer
try 2 respond --fault drop-reply "$iwarp"
finish
