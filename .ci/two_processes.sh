#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# two_processes.sh RPCRDMA: `probe` and the reference Responder as two processes on this machine, over RoCEv2 and over
# iWARP in user space. Where soft-RoCE has the port of RoCEv2, iWARP alone.
set -u

status=0
for address in roce://127.0.0.15 iwarp://127.0.0.15:20049; do
    "$1" respond "$address" &
    peer=$!
    sleep 0.2
    if kill -0 $peer 2>/dev/null; then
        "$1" probe "$address" || status=$?
        kill $peer 2>/dev/null || status=1
    fi
    wait $peer
    case $?-$address in
    130-* | 4-roce*) ;;
    *) status=1 ;;
    esac
done
exit $status
