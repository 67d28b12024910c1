#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/rpcrdma"
# The reference peers as two processes, `rpcrdma respond` and `request`, without an RDMA device; and
# what `request` says where a proxy between them injects faults.
#
# usage: peers_test.sh PATH_TO_RPCRDMA

# shellcheck source=rxe-harness/tests/responder.sh
. "$(dirname "$0")/responder.sh"

# ends STATUS PROCESS: it ends with this status.
ends() {
    wait "$2"
    [ $? -eq "$1" ]
}

for scheme in iwarp roce; do
    address=$scheme://127.0.0.14:$port
    for draft in '' 04 07; do
        # shellcheck disable=SC2086 # no draft is no word
        {
            answers ${draft:+--draft $draft --call-back 3} --connections 3 "$address"
            try 0 request ${draft:+--draft $draft} --times 2 --json named "$address"
            verdict "$address: two results" grep -q ': 2 results, 0 failed' out
            for number in 1 2; do
                verdict "$address: they have numbers" grep -q "\"test\":\"calls-$number\"" named
            done
            try 0 request ${draft:+--draft $draft --nfs --longest 20001} --json named "$address"
            [ -z "$draft" ] || verdict "$address: one of NFS" grep -q '"test":"nfs-1"' named
        }
        verdict "respond ${draft:-version 1} ends after three connections" ends 0 $peer
    done
    for draft in 04 07; do # in user space memory can be invalidated
        answers --draft $draft "$address"
        try 0 probe --draft $draft --program 0x20008167 --case 'v2-invalidate*' "$address"
        says_not 'not applicable'
        # Its example is a Call of NFS, which this peer knows better than the vector.
        try 1 probe --draft $draft --case "$draft-example-chunks-invalidate" "$address"
        says 'not applicable, 1: '
        kill $peer
        wait $peer
    done
    answers "$address" # of version 1: what refuses version 2 is spoken to by version 1
    try 0 request --draft 07 "$address"
    try 4 respond "$address" # port 4791 is taken
    [ "$scheme" = iwarp ] || complains 'cannot use UDP port 4791: Address already in use'
    kill $peer
    verdict "respond $address: a signal ends it" ends 130 $peer
done

# fault=WORDS: of the proxy, in the third message of the server; and the words, mostly a rule, that name it.
server=iwarp://127.0.0.1:$port proxy=iwarp://127.0.0.1:$((port + 1))
answers "$server"
for fault in 'drop-reply=Call 3, FETCH with a Reply chunk, XID 0x7e570003: silence' \
    xid-reply=rfc8166/2.2.2/reply-matches-call cut-reply=rfc8166/4.5/minimal-header \
    version-reply=rfc8166/4.2.2/version-one grant-zero=rfc8166/3.3.1/grant-not-zero; do
    "$rpcrdma" proxy --fault "${fault%%=*}:3" --connections 1 --timeout 10 "$proxy" "$server" >relay 2>&1 &
    relay=$!
    reaches --timeout 0.3 "$proxy"
    verdict "${fault%%=*}: the Requester says so" grep -q '1 failed\|wrong answer' out
    verdict "${fault%%=*}: by ${fault#*=}" grep -q "${fault#*=}" out
    wait $relay
done
# Who is interrupted while it waits for a Reply accuses nobody of silence.
: >relay
"$rpcrdma" proxy --fault drop-reply:3 --connections 1 --timeout 20 "$proxy" "$server" >relay 2>&1 &
relay=$!
asks='' tries=0
until grep -q injected relay || [ $((tries += 1)) -gt 300 ]; do
    kill -0 "$asks" 2>/dev/null || { # there was no proxy yet
        "$rpcrdma" request --timeout 30 "$proxy" >out 2>err &
        asks=$!
    }
    sleep 0.1
done
kill "$asks"
wait "$asks" $relay
verdict 'an interrupted request: not run' grep -qx 'the Responder: 1 result, 0 failed; interrupted' out
# A server that cannot be reached is named.
"$rpcrdma" proxy --timeout 3 "$proxy" iwarp://127.0.0.1:1 >relay 2>&1 &
relay=$!
while kill -0 $relay 2>/dev/null; do
    "$rpcrdma" request --timeout 0.3 "$proxy" >out 2>err
done
verdict 'the proxy says who cannot be reached' grep -qx 'rpcrdma: iwarp://127.0.0.1:1: cannot connect: Connection refused' relay
# The number of a client of today is put for the recorded one, and not for words of the RPC header that are the same.
try 0 probe --case 'nfs41-exchange-id*' --record recorded.json "$server"
try 0 probe --vectors recorded.json "$server"
verdict 'small names of clients are replayed' grep -q '^as required *1[0-9] ' out
# Cases of NFS, by a Responder whose files all connections share.
try 0 probe --nfs-file written --case 'nfs*' "$server"
says_not 'not applicable'
# Two servers: nothing is said of sound ones; and where one commits a fault it is found, and said which.
fault=iwarp://127.0.0.14:$((port + 2))
"$rpcrdma" respond --fault relies-on-write-order "$fault" >relay 2>&1 &
relay=$!
reaches --timeout 0.3 "$fault"
try 0 probe --random=7 --conversations 42 --against loopback: "$server"
verdict 'two sound servers do the same' grep -q "$server: 14 results, 0 failed" out
try 1 probe --random=7 --conversations 14 --against "$fault" "$server"
verdict 'the other commits a fault' grep -q 'rfc8166/4.2.1/xid-equal' out
verdict 'and it is that one' grep -q 'in what the other does' out
try 1 probe --random=7 --conversations 14 --against "$server" "$fault"
verdict 'and here the peer' grep -q 'in what the peer does' out
try 0 probe --random=7 --conversations 14 --against "$fault" "$fault"
verdict 'what both do is not told' grep -q "14 results, 0 failed" out
kill $peer $relay
wait $peer $relay

# Over iWARP no word comes back of a Write: what ends the connection says that the memory was not there.
for scheme in iwarp roce; do
    address=$scheme://127.0.0.14:$port
    "$rpcrdma" serve --timeout 5 --case memory-written-after-reply "$address" >relay 2>&1 &
    relay=$!
    for _ in 1 2 3 4 5 6 7 8; do
        kill -0 $relay 2>/dev/null && "$rpcrdma" request --timeout 5 --times 2 "$address" >out 2>err
    done
    verdict "$scheme: who fences its memory is not accused" ends 0 $relay
done

try 4 request --timeout 0.5 "$server"
try 4 request iwarp://255.255.255.255
complains 'cannot connect: Network is unreachable'
try 2 request
try 2 request --nfs "$server"
try 2 request --longest 1048577 "$server"
try 2 request "$server" "$server"
try 2 respond
try 4 respond iwarp://192.0.2.1 # of another machine
finish
