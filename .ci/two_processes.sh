#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# two_processes.sh RPCRDMA: `probe` and the reference Responder as two processes on this machine, over RoCEv2 and over
# iWARP in user space; what went over the wire is captured, and `check` judges the Responder by it. Where soft-RoCE
# has the port of RoCEv2, iWARP alone.
set -u

status=0
packets=$(mktemp -d) || exit 1
trap 'rm -rf "$packets"' EXIT
for address in roce://127.0.0.15 iwarp://127.0.0.15:20049; do
    file=$packets/${address%%:*}.pcapng
    "$1" respond "$address" &
    peer=$!
    sleep 0.2
    if kill -0 $peer 2>/dev/null; then
        "$1" probe --capture "$file" "$address" || status=$?
        kill $peer 2>/dev/null || status=1
    fi
    wait $peer
    case $?-$address in
    130-*)
        # The probe breaks rules on purpose; and what an RDMA Read of the Responder's brings is the probe's as well.
        "$1" check --json "$file" >"$packets/said"
        [ $? -le 1 ] || status=1
        grep '^{"kind":"event".*"from":"server"' "$packets/said" | grep -v '"type":"rdma-read"' >"$packets/server"
        replies=$(grep -c '"direction":"reply"' "$packets/server")
        wrong=$(grep -c '"severity":"violation"' "$packets/server")
        echo "check of the capture: $replies Replies of the Responder, $wrong violations by it"
        if [ "$replies" -lt 100 ] || [ "$wrong" -gt 0 ]; then status=1; fi
        ;;
    4-roce*) ;;
    *) status=1 ;;
    esac
done
exit $status
