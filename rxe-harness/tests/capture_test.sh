#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/rpcrdma"
# needs: tshark
# What `probe` and `serve` write by --capture over RoCEv2 and iWARP in user space: `check` finds in it what the peers
# did, both files of one conversation say the same, and tshark has no complaint.
#
# usage: capture_test.sh PATH_TO_RPCRDMA

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    echo "usage: $0 PATH_TO_RPCRDMA" >&2
    exit 2
fi
case $1 in
/*) rpcrdma=$1 ;;
*) rpcrdma=$PWD/$1 ;;
esac
dir=$(mktemp -d) || exit 1
peer=''
trap 'kill $peer 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir" || exit 1
passed=0 failed=0
port=$((21000 + $$ % 20000))

# verdict TEXT COMMAND...
verdict() {
    text=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $text"
        sed 's/^/    /' out err | head -n 20
    fi
}

# runs STATUS ARGUMENT...: the command ends with this status.
runs() {
    wanted=$1
    shift
    timeout 100 "$rpcrdma" "$@" >out 2>err
    test $? -eq "$wanted"
}

# answers ADDRESS: start a Responder in $peer, and wait until it listens.
answers() {
    : >responder
    "$rpcrdma" respond "$1" >responder 2>&1 &
    peer=$!
    tries=0
    until grep -q waiting responder || [ $((tries += 1)) -gt 100 ]; do
        sleep 0.1
    done
}

# no_complaint FILE FILTER: tshark sees these packets, and none that is not as it should be.
no_complaint() {
    tshark -r "$1" -Y "$2" >out 2>err && test -s out || return 1
    tshark -r "$1" -Y '_ws.malformed or _ws.expert.severity >= 0x600000' >out 2>err
    test ! -s out
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
        verdict "$command --capture $address: refused" runs 2 "$command" --capture kept $address
        verdict "$command --capture $address: why" grep -q 'roce:// or iwarp://' err
    done
done
verdict 'nobody there' runs 4 probe --timeout 0.2 --capture kept iwarp://127.0.0.1:$port
verdict 'an old file stays' grep -q before kept
verdict 'a folder that is not there' runs 3 probe --capture none/file iwarp://127.0.0.1:$port

# Over RoCE private data are filled up with zeros: none is cut off there.
reserved=rfc8797/4/reserved-bits-zero
while read -r address packets rules; do
    address=$address:$port
    answers "$address"
    verdict "probe $address" runs 0 probe --case 'private-data*' --case pull-1023-in-1 --capture file.pcapng "$address"
    kill $peer
    wait $peer
    runs 1 check --port "$port" --json file.pcapng
    verdict "$address: check names what the probe did" named "$rules"
    verdict "$address: the chunk was read" grep -q '"type":"rdma-read"' out
    verdict "$address: all of it" whole
    verdict "$address: tshark" no_complaint file.pcapng "$packets"

    # With an interrupt in the middle of its cases.
    "$rpcrdma" serve --timeout 20 --capture served.pcapng "$address" >said 2>&1 &
    peer=$!
    tries=0
    until "$rpcrdma" request --timeout 1 "$address" >out 2>err || [ $? -ne 4 ] || [ $((tries += 1)) -gt 100 ]; do
        sleep 0.1
    done
    "$rpcrdma" request --timeout 1 "$address" >out 2>err
    kill -INT $peer
    wait $peer
    cp said out
    verdict "serve $address: interrupted" grep -q interrupted said
    runs 1 check --port "$port" --json served.pcapng
    verdict "serve $address: an interrupt loses nothing" whole
    verdict "serve $address: what it answered" grep -q '"direction":"reply"' out
done <<EOF
roce://127.0.0.17 infiniband $reserved
iwarp://127.0.0.17 iwarp_ddp $reserved rfc8797/4/eight-octets
iwarp://[::1] iwarp_ddp $reserved rfc8797/4/eight-octets
EOF
echo "$passed passed, $failed failed, 0 skipped"
test $failed -eq 0
