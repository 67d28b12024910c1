# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# What both tests share: KTAP, a device, how they end.
#
#   RPCRDMA          the command (rpcrdma)
#   RPCRDMA_DRIVER   rxe or siw (rxe), where the machine has no RDMA device
#   RPCRDMA_OUTPUT   a folder for reports and recordings, or nothing
#   RPCRDMA_KNOWN    a list of expected failures, a folder with server.known and client.known, or nothing
#   RPCRDMA_OPTIONS  further options of the command, quoted as in a shell
#   RPCRDMA_SERVER_OPTIONS, RPCRDMA_CLIENT_OPTIONS  those of one of the tests
ksft_skip=4
: "${RPCRDMA:=rpcrdma}" "${RPCRDMA_DRIVER:=rxe}" "${RPCRDMA_OUTPUT:=}" "${RPCRDMA_KNOWN:=}" "${RPCRDMA_OPTIONS:=}"
: "${RPCRDMA_SERVER_OPTIONS:=}" "${RPCRDMA_CLIENT_OPTIONS:=}"

skip() {
    echo 'TAP version 13'
    echo "1..0 # SKIP $1"
    exit "$ksft_skip"
}

command -v "$RPCRDMA" >/dev/null || skip 'no command rpcrdma'
[ "$(id -u)" -eq 0 ] || skip 'needs root'

made=
# An address that an RDMA device has: of one that is there, or of a soft one over a link of its own.
device() {
    address=${RPCRDMA_ADDRESS:-}
    [ -z "$address" ] || return 0
    command -v rdma >/dev/null || skip 'no command rdma (iproute2)'
    netdev=$(rdma link show 2>/dev/null | sed -n 's/.*state ACTIVE.* netdev \([^ ]*\).*/\1/p' | head -n 1)
    if [ -z "$netdev" ]; then
        netdev=rpcrdma0 address=192.0.2.1
        modprobe "rdma_$RPCRDMA_DRIVER" 2>/dev/null || modprobe "$RPCRDMA_DRIVER" 2>/dev/null || :
        ip link add "$netdev" type veth || skip 'no virtual link'
        made=$netdev
        ip link set "$netdev" up mtu 9000
        ip address add "$address/24" dev "$netdev"
        rdma link add rpcrdma_test type "$RPCRDMA_DRIVER" netdev "$netdev" || skip "no $RPCRDMA_DRIVER"
    fi
    address=$(ip -o -4 address show dev "$netdev" | sed -n 's,.* inet \([0-9.]*\).*,\1,p' | head -n 1)
    [ -n "$address" ] || skip "$netdev has no address"
    modprobe rdma_ucm 2>/dev/null || :
    modprobe rpcrdma 2>/dev/null || :
}
undo_device() {
    [ -n "$made" ] || return 0
    rdma link delete rpcrdma_test 2>/dev/null
    ip link delete "$made" 2>/dev/null
}

# judge NAME COMMAND OPERAND...: run it, and end as kselftest has it
judge() {
    name=$1
    shift
    status=0
    [ -z "$RPCRDMA_OUTPUT" ] || mkdir -p "$RPCRDMA_OUTPUT"
    known=$RPCRDMA_KNOWN
    [ ! -d "$known" ] || known=$known/$name.known
    [ ! -f "$known" ] || [ ! -s "$known" ] || set -- "$@" --known "$known"
    case $name in
    server) own=$RPCRDMA_SERVER_OPTIONS ;;
    *) own=$RPCRDMA_CLIENT_OPTIONS ;;
    esac
    eval "set -- \"\$@\" $RPCRDMA_OPTIONS $own"
    "$RPCRDMA" "$@" --tap=13 --name "Linux $(uname -r)" \
        ${RPCRDMA_OUTPUT:+--output "$RPCRDMA_OUTPUT/$name"} || status=$?
    case $status in
    0) exit 0 ;;
    # 4 is its "no peer could be reached"; here that is no reason to skip.
    *) echo "# rpcrdma $*: exit status $status" && exit 1 ;;
    esac
}
