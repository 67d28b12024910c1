# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=dash
# Part of the guest's init, with `make live WIRE=yes`: the kernel against roce:// or iwarp:// at the other end of the network, in
# place of the suite. WIRE='STEP...' takes some of its steps:
#
# verdicts: probe over verbs and in user space; run.sh compares them case by case
# vectors: what was recorded of other servers is sent
# serve: the kernel's client against the reference Responder in user space
# proxy: files of 64 MiB through the proxy over verbs, then through that in user space, which may take three times as long
# lossy: random conversations over a bad wire, for SOAK seconds (60) at 1 % and as long at 10 %
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
    echo rfc8797/4.1/plain-send-without-support >/known/user-proxy.known
    began=$(cut -d. -f1 /proc/uptime)
    proxied proxy
    between=$(cut -d. -f1 /proc/uptime)
    by_user_space
    proxied user-proxy
    by_verbs
    took=$(($(cut -d. -f1 /proc/uptime) - between))
    result times "$((took > 3 * (between - began)))" "the same in user space: $took s, over verbs $((between - began)) s"
}
# bad_wire RATE: the same conversations as in the suite come first, so that its list holds.
bad_wire() {
    step "lossy-$1"
    words="loss=$1%,duplicate=$1%,reorder=$1%,seed=$1"
    [ "${device:?}" = rxe ] || words="shuffle=$1%,die=$1%,seed=$1"
    by_user_space
    # shellcheck disable=SC2046,SC2086 # words
    $inside /rpcrdma probe $(cat /probe.options) --log /dev/kmsg --random=1 --seconds "$soak" $(known random) --wire "$words" \
        --record "/tmp/lossy-$1.vectors" --name "$linux server, random" --json "/tmp/lossy-$1.json" "$scheme$address" >"/tmp/lossy-$1.out" 2>&1
    ended "lossy-$1" $? "; $words"
    by_verbs
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
