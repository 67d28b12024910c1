#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The kernel's NFS/RDMA server: every case of `rpcrdma probe`, each with the kernel's log beside it. Where no server
# listens at port 20049, one without an export is started.
# shellcheck source=packaging/kernel/selftest/common.sh
. "$(dirname "$0")/common.sh"

nfsd=/proc/fs/nfsd
threads=
leave() {
    [ -z "$threads" ] || echo "$threads" >"$nfsd/threads"
    undo_device
}
trap leave EXIT
trap 'exit 1' HUP INT TERM

device
modprobe nfsd 2>/dev/null || :
[ -e "$nfsd/portlist" ] || mount -t nfsd nfsd "$nfsd" 2>/dev/null
[ -e "$nfsd/portlist" ] || skip 'no nfsd'
if ! grep -q 'rdma 20049' "$nfsd/portlist"; then
    # Left alone where another program has the port.
    ! rdma resource show cm_id 2>/dev/null | grep -Eq ' state LISTEN .* src-addr [^ ]*:20049( |$)' ||
        skip 'port 20049 is taken, not by nfsd'
    threads=$(cat "$nfsd/threads")
    echo 'rdma 20049' >"$nfsd/portlist" || skip 'nfsd takes no rdma'
    [ "$threads" -gt 0 ] || echo 4 >"$nfsd/threads" || skip 'nfsd does not start'
fi
[ ! -e /dev/kmsg ] || set -- --log /dev/kmsg
judge server probe "$@" "$address"
