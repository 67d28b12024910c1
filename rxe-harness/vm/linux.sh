# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=dash
# Part of the guest's init: the kernel's NFS/RDMA server and client. Functions, $address and $run are
# those of init.
soak=$(cat /soak)
whole=64 # MiB of a file that goes by NFS in full

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
    # As long as lockd's time of grace lasts no delegation is given: 50 seconds without this, which is rounded up to a
    # multiple of nlm_timeout, at least 3. A line feed is refused.
    printf 3 >/sys/module/lockd/parameters/nlm_timeout
    printf 3 >/sys/module/lockd/parameters/nlm_grace_period
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
    inside="nsenter -t ${far:?} -n" here=${address%.*}.2 scheme=roce:// paced=
    # Without a pause a connection can end while the kernel is still accepting it.
    [ "${device:?}" = rxe ] || scheme=iwarp:// paced='--wire delay=20ms'
}

# The client against the reference Responder, which sends it something odd: a mount, a look and a
# file are one connection, and that one case. Many a mount fails; what could be read it says to serve.
write_look() {
    mkdir -p /odd
    cat >/look <<END
# What was ended by its limit has left its mount.
! grep -q ' /odd ' /proc/mounts || umount -f /odd || umount -l /odd
# By the kernel alone: mount.nfs takes an emulated machine longer to load than to run.
mount -i -t nfs $here:/export /odd -o addr=$here,vers=3,mountport=20048,mountproto=tcp,mountaddr=$address,nolock \\
    -o soft,timeo=50,retrans=1,proto=rdma,port=20051 || exit 1
# One after the other: what fails is seen by what is not called any more. Two Calls come after the Reply to a READ, also where
# all READs were sent at once: that one was taken is known by them.
ls /odd && cat /odd/file >/tmp/file && cksum /tmp/file >>/tmp/read && for time in 1 2; do df /odd; done
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
    for mib in 1 4 "$whole"; do
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
    limited $inside /rpcrdma serve $(cat /serve.options) --name "$linux client${scheme:+, $scheme}" --same --skip 'reverse-*,memory-read-*,read-several-*' \
        $(known serve) --timeout 60 --read /tmp/read --json /tmp/serve.json "$scheme$here:20051" >/tmp/serve.out 2>&1 &
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
    sleep 3 # lockd's time of grace
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
    limited $inside /rpcrdma probe $options $paced --log /dev/kmsg --nfs-file probe.data $(known probe) \
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
# For so long, other ones each time, or by the counters of a kernel that has them; what is found comes out as vectors, too.
soak() {
    step random
    dd if=/dev/zero of=/export/probe.data bs=1024 count=256 2>/dev/null
    guide=
    if [ -f /guided ]; then
        mount -t debugfs debugfs /sys/kernel/debug
        counters=$(find /sys/kernel/debug/gcov -type d -path '*/net/sunrpc/xprtrdma' | head -n 1)
        must counters test -n "$counters"
        guide=--coverage=$counters
    fi
    # shellcheck disable=SC2046,SC2086 # words
    /rpcrdma probe $(cat /probe.options) --log /dev/kmsg "--random=$(date +%s)" $guide --nfs-file probe.data \
        --seconds "$soak" $(known random) \
        --record /tmp/found.json --name "$linux server, random" --json /tmp/random.json "$address" \
        >/tmp/random.out 2>&1
    ended random $?
    report found /tmp/found.json
}
# What stands beside the endpoint, as distributions start it: NFS over TCP, too, and NSM.
around() {
    step around
    {
        rpc.statd --no-notify 3>&-
        echo 'tcp 2049' >/proc/fs/nfsd/portlist
    } >/tmp/out 2>&1 || cat /tmp/out
    # shellcheck disable=SC2046 # words
    limited /rpcrdma probe --around --log /dev/kmsg $(known around) --name "$linux server, around" \
        --json /tmp/around.json "$address" >/tmp/around.out 2>&1
    ended around $?
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
    unmet=$(sed -n '/"ending":"not-applicable"/{
        /two segments/!s/.*"test":"\([^"]*\)".*"actual":"\([^"]*\)".*/\1: \2;/p
    }' /tmp/serve.json | tr '\n' ' ')
    [ -z "$unmet" ] || status=4 text=", some not met by the client: $unmet"
    ended serve "$status" "$text; $(cat /tmp/serve.seconds) s"
    status=1
    [ ! -s /tmp/read ] || status=0
    result serve-data "$status" "read $(wc -l </tmp/read) times"
    [ "$status" -eq 0 ] || cat /tmp/looks
}

# mounted VERSION PORT: at /mnt, by RDMA, under $security if that is set.
mounted() {
    source=$here:/
    options=vers=$1,proto=rdma,port=$2,hard,timeo=${timeo:-100}${security:+,sec=$security}
    if [ "$1" = 3 ]; then
        options=$options,mountaddr=$address,mountport=20048,mountproto=tcp,nolock
        source=$here:/export
    fi
    mount.nfs "$source" /mnt -o "$options" || return 1
    grep ' /mnt nfs' /proc/mounts | grep "${security:+sec=$security,}" | grep 'proto=rdma' | grep -q "port=$2"
}
# The file is read until there is a delegation of it: a server gives none in its own time of grace, nor in that of lockd.
delegated() {
    tries=0
    until head -c 4096 "$1" >/dev/null && grep -q DELEG /proc/locks; do
        tries=$((tries + 1))
        [ "$tries" -lt 600 ] || return 1
        sleep 0.1
    done
}
# data VERSION PORT MIB: random octets there and, out of an empty cache, back.
data() {
    mounted "$1" "$2" || return 1
    # Made in the background from the start.
    while [ ! -f "/tmp/sum-$3" ]; do
        sleep 0.1
    done
    cp "/tmp/data-$3" "/mnt/data-$1" && sync && umount /mnt || return 1
    echo 3 >/proc/sys/vm/drop_caches
    mounted "$1" "$2" || return 1
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
        ${record:---record /tmp/proxy.vectors} \
        "$scheme$here:20050" "$scheme$address:20049" >"/tmp/$part.out" 2>&1 3>&- &
    proxy=$!
    mib=$whole
    [ "${run:?}" -eq 1 ] || mib=4
    mounts "$part-nfs" 20050 "$mib"
    kill -TERM "$proxy"
    wait "$proxy"
    ended "$part" $?
}

# shellcheck source=rxe-harness/vm/trace.sh
. /trace.sh

suite() {
    if [ ! -f /rpcrdma ]; then
        mounts nfs 20049 4
        return
    fi
    if [ -f /trace ]; then
        trace_suite
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
    # What it changes stays: once will do.
    [ "$run" -gt 1 ] || around
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
