# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=dash
# Part of the guest's init: the kernel's NFS/RDMA server and client. Functions, $address and $run are
# those of init.
soak=$(cat /soak)

server() {
    mount -t nfsd nfsd /proc/fs/nfsd && mount -t tmpfs export /export || return 1
    # The helpers are daemons: they keep no descriptor of ours.
    rpcbind -w 3>&- || return 1
    : >/var/lib/nfs/etab
    : >/var/lib/nfs/rmtab
    exportfs -i -o rw,insecure,no_root_squash,no_subtree_check,async,fsid=0 '*:/export' || return 1
    rpc.mountd -p 20048 3>&- || return 1
    echo '-2 +3 +4 +4.1 +4.2' >/proc/fs/nfsd/versions
    echo 10 >/proc/fs/nfsd/nfsv4gracetime
    echo 10 >/proc/fs/nfsd/nfsv4leasetime
    echo 'rdma 20049' >/proc/fs/nfsd/portlist || return 1
    echo 4 >/proc/fs/nfsd/threads || return 1
    echo Y >/proc/fs/nfsd/v4_end_grace
    grep -q 'rdma 20049' /proc/fs/nfsd/portlist
}

# Where serve and proxy are: beside the kernel and over verbs, or at the other end of the network in user space.
# $inside runs them there, $here and $scheme are their address.
by_verbs() {
    inside='' here=${address:?} scheme=''
}
by_user_space() {
    inside="nsenter -t ${far:?} -n" here=${address%.*}.2 scheme=roce://
    [ "${device:?}" = rxe ] || scheme=iwarp://
}

# The client against the reference Responder, which sends it something odd: a mount, a look and a
# file are one connection, and that one case. Many a mount fails; what could be read it says to serve.
write_look() {
    mkdir -p /odd
    cat >/look <<END
# By the kernel alone: mount.nfs takes an emulated machine longer to load than to run.
mount -i -t nfs $here:/export /odd -o addr=$here,vers=3,mountport=20048,mountproto=tcp,mountaddr=$address,nolock \\
    -o soft,timeo=50,retrans=1,proto=rdma,port=20051 || exit 1
# One after the other: what fails is seen by what is not called any more.
ls /odd && cat /odd/file >/tmp/file && cksum /tmp/file >>/tmp/read && df /odd
umount /odd
END
}

begin() {
    linux="Linux $(uname -r)"
    step server
    server >/tmp/out 2>&1
    status=$?
    [ "$status" -eq 0 ] || cat /tmp/out
    result knfsd "$status" "$(head -n 1 /proc/fs/nfsd/portlist)"
    [ "$status" -eq 0 ] || finish
    by_verbs
    # What will be written by NFS.
    for mib in 4 64; do
        dd if=/dev/urandom "of=/tmp/data-$mib" bs=1M count="$mib" 2>/dev/null
        md5sum <"/tmp/data-$mib" >"/tmp/made" && mv /tmp/made "/tmp/sum-$mib"
    done 3>&- &
}

# Each part fails on what its list does not name, and where something of the list did not occur.
serve() {
    before=$(cut -d. -f1 /proc/uptime)
    write_look
    : >/tmp/read
    # shellcheck disable=SC2046,SC2086 # words
    limited $inside /rpcrdma serve $(cat /serve.options) --name "$linux client${scheme:+, $scheme}" --same --skip 'reverse-*' \
        $(known serve) --timeout 15 --read /tmp/read --json /tmp/serve.json "$scheme$here:20051" >/tmp/serve.out 2>&1 &
    serve=$!
    sleep 0.5
    while kill -0 "$serve" 2>/dev/null; do
        timeout -s KILL 60 sh /look >>/tmp/looks 2>&1
    done
    wait "$serve"
    echo $? >/tmp/serve.status
    echo $(($(cut -d. -f1 /proc/uptime) - before)) >/tmp/serve.seconds
}
probe() {
    options=$(cat /probe.options)
    dd if=/dev/zero of=/export/probe.data bs=1024 count=256 2>/dev/null
    # shellcheck disable=SC2046,SC2086 # words
    limited /rpcrdma probe $options --log /dev/kmsg --nfs-file probe.data $(known probe) \
        --name "$linux server" --json /tmp/probe.json "$address" >/tmp/probe.out 2>&1
}
# The same in user space, from another network: no case may end otherwise.
user_space() {
    step user-space
    by_user_space
    # shellcheck disable=SC2046,SC2086 # words
    limited $inside /rpcrdma probe $options --log /dev/kmsg --nfs-file probe.data $(known probe) \
        --name "$linux server, $scheme" --json /tmp/user-space.json "$scheme$address" >/tmp/user-space.out 2>&1
    ended user-space $?
    by_verbs
}
# Conversations nobody thought of.
random() {
    # shellcheck disable=SC2046,SC2086 # words
    limited /rpcrdma probe $options --log /dev/kmsg --random=1 --conversations 45 --seconds "$((${limit:?} - 20))" $(known random) \
        --name "$linux server, random" --json /tmp/random.json "$address" >/tmp/random.out 2>&1
    echo $? >/tmp/random.status
}
# For so long, other ones each time; what is found comes out as vectors, too.
soak() {
    step random
    # shellcheck disable=SC2046 # words
    /rpcrdma probe $(cat /probe.options) --log /dev/kmsg "--random=$(date +%s)" --seconds "$soak" $(known random) \
        --record /tmp/found.json --name "$linux server, random" --json /tmp/random.json "$address" \
        >/tmp/random.out 2>&1
    ended random $?
    report found /tmp/found.json
}
# What a server of this kind was recorded to do, it does again.
replay() {
    # shellcheck disable=SC2046,SC2086 # words
    limited $inside /rpcrdma probe --log /dev/kmsg --vectors /recorded $(known replay) \
        --name "$linux server, replay${scheme:+, $scheme}" --json /tmp/replay.json "$scheme$address" >/tmp/replay.out 2>&1
}
served() {
    # Here every case has to meet its Requester; but a page is one segment to it.
    status=$(cat /tmp/serve.status)
    text=
    if grep '^not applicable,' /tmp/serve.out | grep -qv 'two segments'; then
        status=4
        text=', some not met by the client'
    fi
    ended serve "$status" "$text; $(cat /tmp/serve.seconds) s"
    status=1
    [ ! -s /tmp/read ] || status=0
    result serve-data "$status" "read $(wc -l </tmp/read) times"
    [ "$status" -eq 0 ] || cat /tmp/looks
}

# data VERSION PORT MIB: random octets there and, out of an empty cache, back.
data() {
    source=$here:/
    options=vers=$1,proto=rdma,port=$2,hard,timeo=100
    if [ "$1" = 3 ]; then
        options=$options,mountaddr=$address,mountport=20048,mountproto=tcp,nolock
        source=$here:/export
    fi
    mount.nfs "$source" /mnt -o "$options" || return 1
    grep ' /mnt nfs' /proc/mounts | grep 'proto=rdma' | grep -q "port=$2" || return 1
    # Made in the background from the start.
    while [ ! -f "/tmp/sum-$3" ]; do
        sleep 0.1
    done
    cp "/tmp/data-$3" "/mnt/data-$1" && sync && umount /mnt || return 1
    echo 3 >/proc/sys/vm/drop_caches
    mount.nfs "$source" /mnt -o "$options" || return 1
    sent=$(cat "/tmp/sum-$3")
    # Both at once, for there are two processors.
    md5sum <"/export/data-$1" >/tmp/stored 3>&- &
    summing=$!
    back=$(md5sum <"/mnt/data-$1")
    wait "$summing"
    stored=$(cat /tmp/stored)
    rm -f "/mnt/data-$1"
    umount /mnt || return 1
    [ "$sent" = "$stored" ] || { echo 'what the server stored is not what was written' && return 1; }
    [ "$sent" = "$back" ] || { echo 'what was read is not what was written' && return 1; }
}
# mounts PREFIX PORT MIB: so much by versions 4.2 and 3, 4 MiB by those between
mounts() {
    for version in 4.2 4.1 4.0 3; do
        mib=$3
        case $version in 4.1 | 4.0) mib=4 ;; esac
        step "$1-$version"
        before=$(cut -d. -f1 /proc/uptime)
        data "$version" "$2" "$mib" >/tmp/out 2>&1
        status=$?
        text="$mib MiB written, read back, equal; $(($(cut -d. -f1 /proc/uptime) - before)) s"
        [ "$status" -eq 0 ] || { cat /tmp/out && text=$(tail -n 1 /tmp/out); }
        result "$1-$version" "$status" "$text"
        [ "$status" -eq 0 ] || umount -f /mnt 2>/dev/null
    done
}
# The same, with the proxy between client and server; it has the last word on what they sent. proxied PART
proxied() {
    part=$1
    # shellcheck disable=SC2046,SC2086 # words
    $inside /rpcrdma proxy --name "$linux, both${scheme:+, $scheme}" $(known "$part") --json "/tmp/$part.json" \
        --record /tmp/proxy.vectors \
        "$scheme$here:20050" "$scheme$address:20049" >"/tmp/$part.out" 2>&1 3>&- &
    proxy=$!
    mib=64
    [ "${run:?}" -eq 1 ] || mib=4
    mounts "$part-nfs" 20050 "$mib"
    kill -TERM "$proxy"
    wait "$proxy"
    ended "$part" $?
}

# ---- trace ----

tracing=/sys/kernel/tracing
# Probes of ours that are in the kernel.
probes() {
    grep -c ':rpcrdma_trace_' "$tracing/kprobe_events"
}
# begin_trace NAME OPTION...: it watches when this returns; its process is $traced.
begin_trace() {
    name=$1
    shift
    : >"/tmp/$name.err"
    /rpcrdma trace "$@" --write "/tmp/$name.pcapng" 2>"/tmp/$name.err" 3>&- &
    traced=$!
    until grep -q watching "/tmp/$name.err"; do
        kill -0 "$traced" || { cat "/tmp/$name.err" && return 1; }
        sleep 0.1
    done
}
# end_trace NAME PROCESS: nothing was lost.
end_trace() {
    kill -TERM "$2"
    wait "$2" && grep -q 'lost: 0 records' "/tmp/$1.err" && return
    cat "/tmp/$1.err"
    return 1
}
# What a run leaves that is killed, the next one takes away, and so it does with its own.
killed() {
    begin_trace killed || return 1
    kill -KILL "$traced"
    wait "$traced" 2>/dev/null
    left=$(probes)
    begin_trace next --side client || return 1
    during=$(probes)
    end_trace next "$traced" || return 1
    echo "probes left by SIGKILL $left, in the next run $during, after it $(probes)"
    [ "$left" -gt 10 ] && [ "$during" -gt 0 ] && [ "$during" -lt "$left" ] && [ "$(probes)" -eq 0 ] &&
        [ -z "$(ls "$tracing/instances")" ]
}
# The Sends of a capture with their octets, one a line.
sends() {
    rm -f /tmp/sends.json
    /rpcrdma check --all --record /tmp/sends.json "$1" >/tmp/sends.out 2>&1
    [ -f /tmp/sends.json ] || { cat /tmp/sends.out /tmp/traced.out >&2 && return 1; }
    sed -n '/"send":/{s/,"expect".*//;p}' /tmp/sends.json
}
# equal_sends NAME FILE OTHER: the same Sends are in both.
equal_sends() {
    sends "$2" >/tmp/some
    sends "$3" >/tmp/others
    awk -v name="$1" 'NR == FNR { have[$0]++; others++; next } { all++ } have[$0]-- > 0 { equal++ }
        END {
            printf "%s: %d and %d Sends, %d equal; ", name, all, others, equal
            exit !(all > 0 && all == equal && others == equal)
        }' /tmp/others /tmp/some
}
# What check finds and counts, but for the numbers of frames.
findings() {
    /rpcrdma check --all "$1" | sed -n '/^findings/,/^disconnects/p' | sed 's/frame [0-9]*//g' | tr -s ' '
}
# The server's side of what goes to a peer in user space: tcpdump has to have seen the same.
trace_wire() {
    filter='udp port 4791'
    [ "${device:?}" = rxe ] || filter='tcp port 20049'
    begin_trace wire-sends --side server --sends-only --ring 16 || return 1
    one=$traced
    begin_trace wire-all --side server --ring 16 || return 1
    two=$traced
    # shellcheck disable=SC2086 # words
    tcpdump -Z root -i near0 -w /tmp/wire.pcap -B 32768 -U $filter 2>/tmp/tcpdump.err 3>&- &
    dump=$!
    until grep -q listening /tmp/tcpdump.err; do
        kill -0 "$dump" || { cat /tmp/tcpdump.err && return 1; }
        sleep 0.1
    done
    # shellcheck disable=SC2046 # words
    timeout -s KILL 100 nsenter -t "${far:?}" -n /rpcrdma probe $(cat /probe.options) --nfs-file probe.data --case 'nfs*' \
        "${scheme:?}://$address" >/tmp/traced.out 2>&1
    sleep 1
    kill -TERM "$dump"
    wait "$dump"
    end_trace wire-sends "$one" && end_trace wire-all "$two" || return 1
    equal_sends tcpdump /tmp/wire.pcap /tmp/wire-sends.pcapng || return 1
    findings /tmp/wire.pcap >/tmp/wire.findings
    findings /tmp/wire-all.pcapng >/tmp/traced.findings
    sed -n 's/^\(RDMA [RW][a-z]*\)/\1/p' /tmp/traced.findings | tr '\n' ';'
    cmp -s /tmp/wire.findings /tmp/traced.findings && grep -q '^RDMA Writes' /tmp/wire.findings && return
    cat /tmp/wire.findings /tmp/traced.findings
    return 1
}
# within CAPTURE: what the client did with its memory is in it, and breaks nothing.
within() {
    /rpcrdma check --all "$1" >/tmp/within.out 2>&1
    for what in registrations invalidations completions; do
        sed -n "s/^$what  *\([0-9]*\)$/$what \1/p" /tmp/within.out
    done
    grep -q '^registrations' /tmp/within.out && grep -q '^completions' /tmp/within.out &&
        ! grep -q 'rfc8166/\(3.4.5/memory\|4.4.1\|8.1\)' /tmp/within.out && return
    cat /tmp/within.out /tmp/client.err
    return 1
}
# Both sides of NFS between client and server of this kernel, which no capture sees.
trace_sides() {
    begin_trace client --side client --port 20049 --ring 16 || return 1
    one=$traced
    begin_trace server --side server --port 20049 --sends-only --ring 16 || return 1
    two=$traced
    for version in 4.2 3; do
        data "$version" 20049 4 || return 1
    done
    end_trace client "$one" && end_trace server "$two" || return 1
    equal_sends 'client and server' /tmp/client.pcapng /tmp/server.pcapng && within /tmp/client.pcapng
}
trace_all() {
    scheme=roce
    [ "${device:?}" = rxe ] || scheme=iwarp
    mount -t tracefs tracefs "$tracing" && killed && trace_wire && trace_sides && [ "$(probes)" -eq 0 ]
}
# Once: the kernel does not change between runs.
traced() {
    [ "${run:?}" -eq 1 ] || return
    step trace
    if [ ! -f /sys/kernel/btf/vmlinux ]; then
        result trace 0 'not tried: this kernel has no description of its types (CONFIG_DEBUG_INFO_BTF)'
        return
    fi
    trace_all >/tmp/trace.out 2>&1
    status=$?
    [ "$status" -eq 0 ] || cat /tmp/trace.out
    result trace "$status" "$(tr '\n' ' ' </tmp/trace.out)"
}

suite() {
    if [ ! -f /rpcrdma ]; then
        mounts nfs 20049 4
        return
    fi
    if [ "$soak" -gt 0 ]; then
        soak
        return
    fi
    rm -f /tmp/looks /tmp/*.json
    step probe
    serve 3>&- &
    serving=$!
    probe
    ended probe $?
    user_space
    random 3>&- &
    random=$!
    step replay
    replay
    ended replay $?
    # The verdicts do not depend on the data: once will do.
    [ "$run" -gt 1 ] || mounts nfs 20049 4
    step random
    wait "$random"
    ended random "$(cat /tmp/random.status)"
    traced
    by_verbs
    proxied proxy
    step serve
    wait "$serving"
    served
}
