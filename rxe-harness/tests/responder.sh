# SPDX-License-Identifier: BSD-3-Clause
# run by: the tests beside it
# shellcheck shell=sh
# What tests share that have `rpcrdma respond` as a process of its own: sourced with the test's arguments, as
# command.sh, which comes with it. Its address ends with $port.

# Port 4791 of an address is one process's: where that can be, these tests have a network of their own.
if [ -z "${OWN_NETWORK:-}" ] && unshare -Urn ip link set lo up 2>/dev/null; then
    export OWN_NETWORK=yes
    exec unshare -Urn sh -c 'ip link set lo up && exec sh "$@"' sh "$0" "$@"
fi

# shellcheck source=conformance/tests/command/command.sh
. "$(dirname "$0")/../../conformance/tests/command/command.sh"
peer='' relay=''
trap 'kill $peer $relay 2>/dev/null; rm -rf "$dir"' EXIT
# shellcheck disable=SC2034 # for the test
port=$((21100 + $$ % 20000))

# answers ARGUMENT...: start a Responder in $peer, and wait until it listens.
answers() {
    : >responder
    "$rpcrdma" respond "$@" >responder 2>&1 &
    peer=$!
    tries=0
    until grep -q waiting responder || [ $((tries += 1)) -gt 100 ]; do
        sleep 0.1
    done
}

# reaches ARGUMENT...: run `request`, again and again while there is no peer yet.
reaches() {
    tries=0
    until "$rpcrdma" request "$@" >out 2>err || [ $? -ne 4 ] || [ $((tries += 1)) -gt 100 ]; do
        sleep 0.1
    done
}
