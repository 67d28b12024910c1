#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The kernel's NFS/RDMA client: it mounts from `rpcrdma serve` and reads, once for each case, until all have been seen.
# shellcheck source=packaging/kernel/selftest/common.sh
. "$(dirname "$0")/common.sh"

mount=$(mktemp -d) seen=$(mktemp) copy=$(mktemp)
looker=
leave() {
    [ -z "$looker" ] || kill "$looker" 2>/dev/null
    umount -l "$mount" 2>/dev/null
    rm -rf "$mount" "$seen" "$copy"
    undo_device
}
trap leave EXIT
trap 'exit 1' HUP INT TERM

device
modprobe nfsv3 2>/dev/null || :
grep -q nfs /proc/filesystems || skip 'no nfs'
# MOUNT is the machine's own: something has to listen at TCP port 20048 (hexadecimal 4E50, state 0A).
grep -Eqs ':4E50 [0-9A-F]+:0000 0A ' /proc/net/tcp /proc/net/tcp6 ||
    skip 'no MOUNT at port 20048: rpc.mountd --port 20048, with /export in exports'
# Many a mount fails; what could be read is said to `serve`.
while sleep 0.2; do
    mount -i -t nfs "$address:/export" "$mount" -o "addr=$address,vers=3,mountport=20048,mountproto=tcp,nolock" \
        -o soft,timeo=50,retrans=1,proto=rdma,port=20051 2>/dev/null || continue
    ls "$mount" >/dev/null && cat "$mount/file" >"$copy" 2>/dev/null && cksum "$copy" >>"$seen"
    df "$mount" >/dev/null
    umount "$mount"
done &
looker=$!
[ ! -e /dev/kmsg ] || set -- --log /dev/kmsg
judge client serve "$@" --same --skip 'reverse-*' --timeout 15 --read "$seen" "$address:20051"
