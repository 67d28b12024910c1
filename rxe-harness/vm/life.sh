# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=dash
# Part of the guest's init, with `make live LIFE=yes`: what happens to servers, clients and devices in the life of a machine,
# in the middle of a file of 16 MiB. Each step has to end in time with the file whole, on the server and read back, and the
# kernel may not complain. Functions, $address and $device are those of init and of linux.sh.

# shellcheck source=rxe-harness/vm/linux.sh
. /linux.sh

patience=60 # seconds for what an action has interrupted
steps=0
worse=0
hanging=

# The copy is there in part: it is being written.
under_way() {
    tries=0
    until [ "$(stat -c %s /export/life 2>/dev/null || echo 0)" -gt 1000000 ]; do
        tries=$((tries + 1))
        [ "$tries" -lt 200 ] || return 1
        sleep 0.1
    done
}
# in_time SECONDS PROCESS: it ends in time, and well.
in_time() {
    tries=0
    while kill -0 "$2" 2>/dev/null; do
        tries=$((tries + 1))
        [ "$tries" -lt $(($1 * 10)) ] || return 1
        sleep 0.1
    done
    wait "$2"
}
# Where in the kernel those are who wait for NFS.
hangs() {
    for stack in /proc/[0-9]*/stack; do
        grep -q 'nfs_\|rpc_\|svc_' "$stack" 2>/dev/null || continue
        ! grep -q 'svc_recv\|nfs41_callback\|rpc_async' "$stack" || continue
        printf '%s in %s; ' "$(cat "${stack%/stack}/comm")" "$(sed -n 's/^\[<0>\] \([^+]*\).*/\1/p' "$stack" | head -n 4 | tr '\n' ' ')"
    done
}
attach() { # VERSION PORT
    source=$address:/
    options=vers=$1,proto=rdma,port=$2,hard,timeo=50
    if [ "$1" = 3 ]; then
        options=$options,mountport=20048,mountproto=tcp,nolock
        source=$address:/export
    fi
    timeout -s KILL 60 mount.nfs "$source" /mnt -o "$options"
}

# ---- what happens ----

server_restarted() {
    echo 0 >/proc/fs/nfsd/threads
    sleep 2
    echo 'rdma 20049' >/proc/fs/nfsd/portlist
    echo 4 >/proc/fs/nfsd/threads
}
link_down() {
    ip link set near0 down
    sleep 3
    ip link set near0 up
}
address_gone() {
    ip address del "$address/24" dev near0
    sleep 2
    ip address add "$address/24" dev near0
}
device_gone() {
    rdma link delete "${device:?}0"
    sleep 2
    rdma link add "${device}0" type "$device" netdev near0
}
# A reader that is killed, and what it had asked for comes all the same.
reader_killed() {
    for _ in 1 2 3; do
        echo 3 >/proc/sys/vm/drop_caches
        cat /mnt/life >/dev/null 2>&1 3>&- &
        reader=$!
        sleep 0.2
        kill -9 "$reader"
        wait "$reader" || true # killed
    done
}
nothing() {
    :
}

# ---- a step ----

# played VERSION PORT ACTION: what is wrong, or nothing
played() {
    attach "$1" "$2" || { echo 'no mount' && return; }
    { cp /tmp/data-16 /mnt/life && sync; } >/dev/null 2>&1 3>&- &
    copy=$!
    under_way || { echo 'nothing was written in 20 s' && return; }
    "$3" || { echo "$3: status $?" && return; }
    in_time "$patience" "$copy" || { echo "the copy did not end in $patience s, or failed; hanging: $(hangs)" && return; }
    [ "$(md5sum </export/life)" = "$(cat /tmp/sum-16)" ] || { echo 'what the server stored is not what was written' && return; }
    echo 3 >/proc/sys/vm/drop_caches
    timeout -s KILL "$patience" md5sum </mnt/life >/tmp/back 2>/dev/null 3>&- &
    in_time "$patience" $! || { echo "it could not be read back in $patience s" && return; }
    cmp -s /tmp/back /tmp/sum-16 || { echo 'what was read is not what was written' && return; }
    timeout -s KILL 30 umount /mnt || echo 'umount failed'
}
# A delegation is recalled while its client goes: eight times, at other moments, each of another file, for one that was just
# recalled is not given again.
crossed() {
    for moment in 0 0.02 0.05 0.1 0.15 0.2 0.3 0.5; do
        echo "$moment" >"/export/life$moment"
        attach "$1" 20049 || { echo 'no mount' && return; }
        delegated "/mnt/life$moment" || { echo 'no delegation that could be recalled' && umount /mnt && return; }
        { : >>"/export/life$moment"; } 3>&- &
        recalled=$!
        sleep "$moment"
        timeout -s KILL 30 umount /mnt || { echo "umount failed, $moment s after the recall; hanging: $(hangs)" && return; }
        in_time 20 "$recalled" || { echo "not given back in 20 s, $moment s after the recall; hanging: $(hangs)" && return; }
    done
}
# life NAME VERSION COMMAND...
life() {
    step "life-$1-$2"
    echo "rpcrdma: life-$1-$2" >/dev/kmsg
    rm -f /export/life
    began=$(cut -d. -f1 /proc/uptime)
    before=$(crashed)
    about=$1-$2
    shift 2
    wrong=$("$@" 2>/tmp/life.err)
    after=$(crashed)
    [ "$after" = "$before" ] || wrong=${wrong:+$wrong; }$after
    steps=$((steps + 1))
    status=0
    [ -z "$wrong" ] || { status=1 && worse=$((worse + 1)) && cat /tmp/life.err; }
    case $wrong in *hang*) hanging="after life-$about something still hangs, and the rest is not run" ;; esac
    result "life-$about" "$status" "${wrong:-whole}; $(($(cut -d. -f1 /proc/uptime) - began)) s"
}
# A Reply that the client does not get: it asks again, on this connection or on a new one.
lost_reply() {
    /rpcrdma proxy --fault drop-reply:40 --timeout 600 "$address:20050" "$address:20049" >/tmp/proxy.out 2>&1 3>&- &
    proxy=$!
    sleep 0.5
    life lost-reply "$1" played "$1" 20050 nothing
    kill -TERM "$proxy"
    wait "$proxy"
    grep -q 'drop-reply' /tmp/proxy.out || tail -n 3 /tmp/proxy.out
}

suite() {
    dd if=/dev/urandom of=/tmp/data-16 bs=1M count=16 2>/dev/null
    md5sum </tmp/data-16 >/tmp/sum-16
    happenings=$(cat /life)
    echo 30 >/proc/sys/kernel/hung_task_timeout_secs
    # What may hang comes last.
    [ "$happenings" != yes ] || happenings='nothing server-restarted reader-killed lost-reply callback-crossed device-gone address-gone link-down'
    for happens in $happenings; do
        for version in 3 4.0 4.2; do
            [ -z "$hanging" ] || break
            case $happens in
            lost-reply) [ ! -f /rpcrdma ] || lost_reply "$version" ;;
            callback-crossed) [ "$version" != 4.2 ] || life "$happens" "$version" crossed "$version" ;;
            *) life "$happens" "$version" played "$version" 20049 "$(echo "$happens" | tr - _)" ;;
            esac
        done
    done
    result life "$((worse > 0))" "$steps steps, $worse failed${hanging:+; $hanging}"
}
