#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/rpcrdma"
# The reference peers as two processes, `rpcrdma respond` and `request`, without an RDMA device; and
# what `request` says where a proxy between them injects faults.
#
# usage: peers_test.sh PATH_TO_RPCRDMA

if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    echo "usage: $0 PATH_TO_RPCRDMA" >&2
    exit 2
fi
case $1 in
/*) rpcrdma=$1 ;;
*) rpcrdma=$PWD/$1 ;;
esac
dir=$(mktemp -d) || exit 1
peer='' relay=''
trap 'kill $peer $relay 2>/dev/null; rm -rf "$dir"' EXIT
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

# answers ARGUMENT...: start a Responder in $peer, and wait until it listens.
answers() {
    "$rpcrdma" respond "$@" >responder 2>&1 &
    peer=$!
    tries=0
    until grep -q waiting responder || [ $((tries += 1)) -gt 100 ]; do
        sleep 0.1
    done
}

# ends STATUS PROCESS: it ends with this status.
ends() {
    wait "$2"
    [ $? -eq "$1" ]
}

# asks STATUS ARGUMENT...
asks() {
    wanted=$1
    shift
    "$rpcrdma" request "$@" >out 2>err
    verdict "request $*: exits with $wanted" test $? -eq "$wanted"
}

for scheme in iwarp roce; do
    address=$scheme://127.0.0.14:$port
    for draft in '' 04 07; do
        # shellcheck disable=SC2086 # no draft is no word
        {
            answers ${draft:+--draft $draft --call-back 3} --connections 3 "$address"
            asks 0 ${draft:+--draft $draft} --times 2 "$address"
            verdict "$address: two results" grep -q ': 2 results, 0 failed' out
            asks 0 ${draft:+--draft $draft --nfs --longest 20001} "$address"
        }
        verdict "respond ${draft:-version 1} ends after three connections" ends 0 $peer
    done
    answers "$address" # of version 1: what refuses version 2 is spoken to by version 1
    asks 0 --draft 07 "$address"
    kill $peer
    verdict "respond $address: a signal ends it" ends 130 $peer
done

# fault=RULE: the proxy's fault in the third message of the server, and the rule that is named.
server=iwarp://127.0.0.1:$port proxy=iwarp://127.0.0.1:$((port + 1))
answers "$server"
for fault in drop-reply= xid-reply=rfc8166/2.2.2/reply-matches-call cut-reply=rfc8166/4.5/minimal-header \
    version-reply=rfc8166/4.2.2/version-one grant-zero=rfc8166/3.3.1/grant-not-zero; do
    "$rpcrdma" proxy --fault "${fault%%=*}:3" --connections 1 --timeout 10 "$proxy" "$server" >relay 2>&1 &
    relay=$!
    tries=0
    until "$rpcrdma" request --timeout 0.3 "$proxy" >out 2>err || [ $? -ne 4 ] ||
        [ $((tries += 1)) -gt 50 ]; do
        sleep 0.1
    done
    verdict "${fault%%=*}: the Requester says so" grep -q '1 failed\|wrong answer' out
    verdict "${fault%%=*}: by its rule ${fault#*=}" grep -q "${fault#*=}" out
    wait $relay
done
kill $peer
wait $peer

asks 4 --timeout 0.5 "$server"
asks 2
asks 2 --nfs "$server"
asks 2 --longest 1048577 "$server"
asks 2 "$server" "$server"
"$rpcrdma" respond >out 2>err
verdict 'respond needs an address' test $? -eq 2
"$rpcrdma" respond iwarp://192.0.2.1 >out 2>err
verdict 'respond on an address of another machine' test $? -eq 4

echo "$passed passed, $failed failed, 0 skipped"
test $failed -eq 0
