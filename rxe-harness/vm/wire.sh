# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=dash
# Part of the guest's init, with `make live WIRE=yes`: the kernel against roce:// or iwarp:// at the other end of the network, in
# place of the suite. WIRE='STEP...' takes some of its steps:
#
# verdicts: probe over verbs and in user space; run.sh compares them case by case
# vectors: what was recorded of other servers is sent
# serve: the kernel's client against the reference Responder in user space
# proxy: files of 64 MiB through the proxy over verbs, then through that in user space, which may take three times as long
# lossy: random conversations over a bad wire, for SOAK seconds (60) at 1 % and as long at 10 %; then the same over verbs
#
# Functions, $address and $device are those of init and of linux.sh.

# shellcheck source=rxe-harness/vm/linux.sh
. /linux.sh

verdicts() {
    step probe
    probe
    ended probe $?
    user_space
}
vectors() {
    step replay
    by_user_space
    replay
    ended replay $?
    by_verbs
}
served_in_user_space() {
    step serve
    by_user_space
    serve
    served
    by_verbs
}
# The proxy both ways. In user space its memory can be invalidated by the server, so that it does not hide from Linux's
# that the client's may be; that one makes use of it, though it does not announce that it can.
proxies() {
    echo 'rfc8797/4.1/plain-send-without-support server *' >/known/user-proxy.known
    began=$(cut -d. -f1 /proc/uptime)
    proxied proxy
    between=$(cut -d. -f1 /proc/uptime)
    by_user_space
    proxied user-proxy
    by_verbs
    took=$(($(cut -d. -f1 /proc/uptime) - between))
    result times "$((took > 3 * (between - began)))" "the same in user space: $took s, over verbs $((between - began)) s"
}
# What random conversations found, without remarks.
found() {
    sed 's/ *#.*//; /^$/d' "$1" 2>/dev/null | sort
}
# bad_wire RATE: no conversation may end otherwise than over verbs, which loses nothing. So long ones find more than is
# listed of the first 45.
bad_wire() {
    step "lossy-$1"
    words="loss=$1%,duplicate=$1%,reorder=$1%,seed=$1"
    [ "${device:?}" = rxe ] || words="shuffle=$1%,delay=${1}ms,seed=$1"
    options="$(cat /probe.options) --log /dev/kmsg --random=1"
    rm -f /tmp/found.*
    by_user_space
    # shellcheck disable=SC2086 # words
    ${inside:-} /rpcrdma probe $options --seconds "$soak" --wire "$words" --write-known /tmp/found.bad \
        --name "${linux:?} server, random, $words" --json "/tmp/lossy-$1.json" "${scheme:-}${address:?}" >"/tmp/lossy-$1.out" 2>&1
    status=$?
    conversations=$(sed -n 's/.*: \([0-9]*\) conversations of.*/\1/p' "/tmp/lossy-$1.out")
    by_verbs
    # shellcheck disable=SC2086 # words
    /rpcrdma probe $options --seconds 3000 --conversations "$conversations" --write-known /tmp/found.good \
        --json /tmp/good.json "$address" >/tmp/good.out 2>&1
    cat "/tmp/lossy-$1.out" /tmp/good.out
    found /tmp/found.good >/tmp/found.one
    found /tmp/found.bad >/tmp/found.two
    ! cmp -s /tmp/found.one /tmp/found.two || [ "$status" -gt 1 ] || [ -z "$conversations" ] || status=0
    # Less than the same conversations over verbs is no comparison.
    again=$(sed -n 's/.*: \([0-9]*\) conversations of.*/\1/p' /tmp/good.out)
    [ "$again" = "$conversations" ] || status=1
    # The guest's diff knows the unified form alone.
    other=$(diff -U 0 /tmp/found.one /tmp/found.two |
        sed -n '1,2d; s/^-/over verbs alone: /p; s/^+/here alone: /p' | tr '\n' ';')
    report "lossy-$1" "/tmp/lossy-$1.json"
    result "lossy-$1" "$status" "$words: $conversations conversations, over verbs $again; $(wc -l </tmp/found.two) findings, ${other:-the same}: $(tail -n 1 "/tmp/lossy-$1.out")"
}
lossy() {
    [ "$soak" -gt 0 ] || soak=60
    bad_wire 1
    bad_wire 10
}

suite() {
    steps=$(cat /wire)
    [ "$steps" != yes ] || steps='verdicts vectors serve proxy lossy'
    rm -f /tmp/looks /tmp/*.json
    for part in $steps; do
        case $part in
        serve) served_in_user_space ;;
        proxy) proxies ;;
        *) "$part" ;;
        esac
    done
}
