#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma"
# Real traffic, vectors/recorded/*.pcap, of Linux peers and, by version 2, of our own: every Send
# found, as tshark finds them; what is judged of them; and nothing else.
#
# usage: traffic_test.sh RPCRDMA
# Environment: CAPTURES, a folder with more captures, if there is one.
set -u

rpcrdma=${1:?usage: traffic_test.sh RPCRDMA}
recorded=vectors/recorded
passed=0 failed=0 skipped=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# same NAME WANT GOT
same() {
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'not ok: %s\n  want: %s\n  got:  %s\n' "$1" "$2" "$3"
    fi
}

skip() {
    skipped=$((skipped + 1))
    echo "skip: $1: $2"
}

# count FILE PATTERN: events of the capture that have all of the pattern
count() {
    grep -cE "$2" "$tmp/$1.json"
}

# ours NAME WHAT WANT PATTERN
ours() {
    same "$1: $2" "$3" "$(count "$1" "$4")"
}

for name in linux-6.1-nfs42 linux-6.1-errors linux-6.1-work-roce linux-6.1-work-iwarp \
    reference-version-2-07 reference-version-2-04; do
    "$rpcrdma" check --json "$recorded/$name.pcap" | grep '^{"kind":"event"' >"$tmp/$name.json"
done

# The counts of the recorder (vectors/recorded/README.md).
nfs=linux-6.1-nfs42 errors=linux-6.1-errors
ours $nfs Sends 700 '"type":"send"'
ours $nfs 'Calls from the client' 350 '"from":"client".*"direction":"call"'
ours $nfs 'Replies from the server' 350 '"from":"server".*"direction":"reply"'
ours $nfs RDMA_MSG 628 '"procedure":"RDMA_MSG"'
ours $nfs RDMA_NOMSG 72 '"procedure":"RDMA_NOMSG"'
ours $nfs 'private data' 2 '"type":"private-data"'
ours $errors Sends 151 '"type":"send"'
ours $errors RDMA_ERROR 19 '"procedure":"RDMA_ERROR"'
ours $errors RDMA_NOMSG 6 '"procedure":"RDMA_NOMSG"'
ours $errors RDMA_DONE 2 '"procedure":"RDMA_DONE"'
ours $errors RDMA_MSGP 2 '"procedure":"RDMA_MSGP"'
same "$errors: connections" 42 \
    "$(sed -n 's/.*"connection":"\([^"]*\)".*/\1/p' "$tmp/$errors.json" | sort -u | wc -l)"

# What the peers do wrong, and nothing else: no false accusation, nothing missed.
"$rpcrdma" check --known "$recorded/$nfs.known" "$recorded/$nfs.pcap" >"$tmp/known.out" 2>&1
same "$nfs: just the expected failures" 0 $?
same "$nfs: the four READs with room for padding" '630 640 650 722' \
    "$(grep 'room-for-padding' "$tmp/$nfs.json" | sed 's/.*"frame":\([0-9]*\),"from":.*/\1/' | xargs)"
same "$nfs: each Send With Invalidate" 70 "$(count $nfs 'plain-send-without-support')"
jq -r 'select(.kind == "event" and (.findings | length) > 0) |
    "\(.frame) \(.from) \([.findings[] | "\(.severity):\(.rule)"] | join(" "))"' \
    "$tmp/$errors.json" | sort -n >"$tmp/findings" # an end that was in doubt comes last
[ "${SUMS-}" != write ] || cp "$tmp/findings" conformance/tests/data/$errors.findings
if diff conformance/tests/data/$errors.findings "$tmp/findings"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "not ok: $errors: the findings, frame by frame"
fi

# The same work over RoCE and over iWARP: the same Sends, and the same findings.
roce=linux-6.1-work-roce iwarp=linux-6.1-work-iwarp
"$rpcrdma" check --known "$recorded/linux-6.1-work.known" "$recorded/$roce.pcap" \
    "$recorded/$iwarp.pcap" >"$tmp/known.out" 2>&1
same "$roce and $iwarp: just the expected failures" 0 $?
for name in $roce $iwarp; do
    ours "$name" Sends 346 '"type":"send"'
    ours "$name" 'RDMA Writes' 39 '"type":"rdma-write"'
    ours "$name" 'private data' 4 '"type":"private-data"'
    ours "$name" disconnects 2 '"type":"disconnect"'
    ours "$name" 'each Send With Invalidate' 30 'plain-send-without-support'
    jq -r 'select(.type == "send") | "\(.from) \(.procedure) \(.direction) \(.headerLength) " +
        "\([.findings[].rule] | join(","))"' "$tmp/$name.json" | sort | uniq -c >"$tmp/$name.sends"
done
same 'what is found over RoCE and over iWARP' "$(cat "$tmp/$roce.sends")" "$(cat "$tmp/$iwarp.sends")"

# Version 2, by our own peers, whose Requester counts its Sends: all are judged by the right draft,
# whether it is named or not, and nothing is found.
v7=reference-version-2-07 v4=reference-version-2-04
ours $v7 'Sends of the Requester' 169 '"type":"send".*"from":"client"'
ours $v7 'Sends of the Responder' 173 '"type":"send".*"from":"server"'
ours $v7 'pieces of Calls' 2 '"procedure":"RDMA2_CALL_MIDDLE"'
ours $v7 'pieces of Replies' 6 '"procedure":"RDMA2_REPLY_MIDDLE"'
ours $v7 'Replies in a chunk' 6 '"procedure":"RDMA2_REPLY_EXTERNAL"'
ours $v4 'Sends of the Requester' 154 '"type":"send".*"from":"client"'
ours $v4 'Sends of the Responder' 154 '"type":"send".*"from":"server"'
ours $v4 'messages in a chunk' 58 '"procedure":"RDMA2_NOMSG"'
for name in $v7 $v4; do
    draft=${name##*-}
    for option in auto "$draft"; do
        "$rpcrdma" check --draft "$option" "$recorded/$name.pcap" >"$tmp/out" 2>&1
        same "$name: nothing is found, --draft $option" 0 $?
        same "$name: judged by -$draft, --draft $option" 1 "$(grep -c "judged by draft -$draft" "$tmp/out")"
    done
done

# Another eye: tshark, as far as it shows version 1 messages.
if command -v tshark >/dev/null; then
    theirs() {
        tshark -r "$recorded/$1.pcap" -Y "$2" -T fields -e frame.number 2>/dev/null | wc -l
    }
    # The other capture has messages that tshark cannot decode and does not show.
    same 'RDMA_MSG as tshark' "$(theirs $nfs 'rpcordma.msg_type==0')" \
        "$(count $nfs '"procedure":"RDMA_MSG"')"
    same 'RDMA_NOMSG as tshark' "$(theirs $nfs 'rpcordma.msg_type==1')" \
        "$(count $nfs '"procedure":"RDMA_NOMSG"')"
    same 'RDMA_NOMSG with errors as tshark' "$(theirs $errors 'rpcordma.msg_type==1')" \
        "$(count $errors '"procedure":"RDMA_NOMSG"')"
    for name in $nfs $errors; do
        same "$name: RDMA Reads as tshark sees their last responses" \
            "$(theirs "$name" 'infiniband.bth.opcode==15 || infiniband.bth.opcode==16')" \
            "$(count "$name" '"type":"rdma-read"')"
        same "$name: RDMA Writes as tshark sees them begin" \
            "$(theirs "$name" 'infiniband.bth.opcode==6 || infiniband.bth.opcode==10')" \
            "$(count "$name" '"type":"rdma-write"')"
        same "$name: Sends as tshark sees their last packets" \
            "$(theirs "$name" 'infiniband.bth.opcode==2 || infiniband.bth.opcode==4 ||
                infiniband.bth.opcode==22 || infiniband.bth.opcode==23')" \
            "$(count "$name" '"type":"send"')"
    done
    for name in $v7 $v4; do # some packets were sent again
        same "$name: Sends as tshark sees their last packets" \
            "$(tshark -r "$recorded/$name.pcap" -Y 'infiniband.bth.opcode==2 ||
                infiniband.bth.opcode==4' -T fields -e ip.src -e infiniband.bth.psn 2>/dev/null |
                sort -u | wc -l)" "$(count "$name" '"type":"send"')"
    done
    # Messages and octets. An RDMA Write of no length is how the client says that it is ready.
    "$rpcrdma" decode --json "$recorded/$iwarp.pcap" |
        jq -r 'select(.kind | test("^(send|rdma-read|rdma-write)$")) | "\(.kind) \(.length)"' |
        awk '{ n[$1]++; octets[$1] += $2 } END { for (kind in n) print kind, n[kind], octets[kind] }' |
        sort >"$tmp/ours"
    tshark -r "$recorded/$iwarp.pcap" -Y iwarp_rdma.opcode -T fields -e iwarp_rdma.opcode \
        -e iwarp_ddp.last_flag -e iwarp_mpa.ulpdulength 2>/dev/null | awk '
        {
            count = split($1, opcode, ",")
            split($2, last, ",")
            split($3, length_of, ",")
            for (i = 1; i <= count; i++) {
                kind = "send"
                if (opcode[i] == "0x00")
                    kind = "rdma-write"
                if (opcode[i] == "0x01" || opcode[i] == "0x02")
                    kind = "rdma-read"
                content = length_of[i] - (opcode[i] == "0x00" || opcode[i] == "0x02" ? 14 : 18)
                if (opcode[i] != "0x01")
                    octets[kind] += content
                if (opcode[i] != "0x02" && content > 0)
                    messages[kind] += last[i]
            }
        }
        END { for (kind in messages) print kind, messages[kind], octets[kind] }' | sort >"$tmp/theirs"
    same "$iwarp: messages and octets as tshark" "$(cat "$tmp/theirs")" "$(cat "$tmp/ours")"
else
    skip 'comparison with tshark' 'tshark is not installed'
fi

# More captures: whatever is in them must be read to the end and judged the same twice.
if [ -n "${CAPTURES:-}" ]; then
    for file in "$CAPTURES"/*.pcap; do
        "$rpcrdma" check --json "$file" >"$tmp/1" 2>"$tmp/err"
        [ $? -le 1 ]
        same "$(basename "$file") is read to its end" 0 $?
        "$rpcrdma" check --json "$file" >"$tmp/2" 2>/dev/null
        same "$(basename "$file") is judged the same twice" '' "$(cmp "$tmp/1" "$tmp/2")"
    done
else
    echo 'CAPTURES names no folder of more captures'
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
