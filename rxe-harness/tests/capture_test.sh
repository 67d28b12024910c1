#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/rpcrdma"
# needs: tshark
# What `probe` and `serve` write by --capture over RoCEv2 and iWARP in user space: `check` finds in it what the peers
# did, both files of one conversation say the same, and tshark has no complaint.
#
# usage: capture_test.sh PATH_TO_RPCRDMA

# shellcheck source=rxe-harness/tests/responder.sh
. "$(dirname "$0")/responder.sh"

# no_complaint FILE FILTER: tshark sees these packets, and none that is not as it should be.
no_complaint() {
    tshark -r "$1" -Y "$2" >out 2>err && test -s out || return 1
    tshark -r "$1" -Y '_ws.malformed or _ws.expert.severity >= 0x600000' >out 2>err
    test ! -s out
}

# opened FILE: of TCP's first segments none acknowledges anything, and each second one has the number after the first.
opened() {
    tshark -r "$1" -Y 'tcp.flags.syn == 1' -T fields -e tcp.flags.ack -e tcp.seq_raw -e tcp.ack_raw >out 2>err || return 1
    awk '{ if ($1 == 0) { first = $2; bad += $3 != 0; count++ } else bad += $3 != (first + 1) % 4294967296 }
        END { exit !(count > 0 && bad == 0) }' out
}

# named RULES: the report has these findings, and no other violations.
named() {
    grep -o '"rule":"[^"]*","severity":"violation"' out | sort -u | cut -d'"' -f4 | sort >violated
    for rule in $1; do echo "$rule"; done | sort | cmp -s - violated
}

# whole: nothing was lost, and all openings are there.
whole() {
    grep -q '"procedure":"RDMA_MSG"' out && ! grep -q '"incomplete":"' out &&
        grep -q '"lost":0,"cut":0,"unread":0,"unopened":0,"oneSided":0' out
}

# A file from before: it stays where nothing goes over the wire.
echo before >kept
for address in '' loopback: verbs://127.0.0.1 127.0.0.1; do
    # shellcheck disable=SC2086 # no address is no word
    for command in probe serve; do
        try 2 "$command" --capture kept $address
        complains 'roce:// or iwarp://'
    done
done
try 4 probe --timeout 0.2 --capture kept "iwarp://127.0.0.1:$port" # no peer
holds kept before
try 3 probe --capture none/file "iwarp://127.0.0.1:$port"

# Over RoCE private data are filled up with zeros: none is cut off there.
reserved=rfc8797/4/reserved-bits-zero
while read -r address packets rules; do
    address=$address:$port
    answers "$address"
    try 0 probe --case 'private-data*' --case pull-1023-in-1 --capture file.pcapng "$address"
    kill $peer
    wait $peer
    try 1 check --port "$port" --json file.pcapng
    verdict "check names what the probe did" named "$rules"
    verdict "the chunk was read" grep -q '"type":"rdma-read"' out
    verdict "all of it" whole
    verdict "tshark" no_complaint file.pcapng "$packets"
    case $address in iwarp*) verdict "TCP is opened as it should be" opened file.pcapng ;; esac

    # With an interrupt in the middle of its cases.
    "$rpcrdma" serve --timeout 20 --capture served.pcapng "$address" >said 2>&1 &
    peer=$!
    reaches --timeout 10 "$address"
    "$rpcrdma" request --timeout 10 "$address" >out 2>err
    kill -INT $peer
    wait $peer
    holds said interrupted
    try 1 check --port "$port" --json served.pcapng
    verdict "serve: an interrupt loses nothing" whole
    verdict "serve: what it answered" grep -q '"direction":"reply"' out
done <<EOF
roce://127.0.0.17 infiniband $reserved
iwarp://127.0.0.17 iwarp_ddp $reserved rfc8797/4/eight-octets
iwarp://[::1] iwarp_ddp $reserved rfc8797/4/eight-octets
EOF
finish
