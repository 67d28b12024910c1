# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=dash
# Part of the guest's init, with `make live PEER=`: a peer of the user's in place of Linux's. Its
# folder is /peer; functions and $address are those of init.
ADDRESS=${address:?}
export ADDRESS
soak=$(cat /soak)

# The content of a file, or nothing.
content() {
    cat "/peer/$1" 2>/dev/null
}

# Started, and started again by the probe when it died.
write_restart() {
    cat >/peer/restart <<'END'
#!/bin/sh
kill -9 "-$(cat /run/peer.pid)" 2>/dev/null
rm -f /run/peer.status
cd /peer || exit 1
setsid sh -c 'sh ./start; echo $? >/run/peer.status' >>/peer/log/start.log 2>&1 3>&- </dev/null &
echo $! >/run/peer.pid
END
    # Of the cores, which are large, the first.
    cat >/core <<'END'
#!/bin/sh
[ ! -f /run/core ] || exit 0
: >/run/core
exec /bin/busybox gzip >"/peer/log/core.$1.$2.gz"
END
    chmod 755 /core
}
started() {
    case $options in
    *--draft*) alive=v2-null ;;
    *) alive=smallest-call ;;
    esac
    began=$(cut -d. -f1 /proc/uptime)
    sh /peer/restart
    tries=0
    # shellcheck disable=SC2086 # words
    while [ "$tries" -lt 60 ]; do
        timeout -s KILL 20 /rpcrdma probe $options --case "$alive" "$address" >/tmp/out 2>&1
        [ $? -ge 2 ] || break # it answers, well or not
        # A script may leave a daemon behind, but not fail.
        [ "$(cat /run/peer.status 2>/dev/null || echo 0)" -eq 0 ] || return 1
        tries=$((tries + 1))
        sleep 0.5
    done
    # How long it takes to come back, when it has died.
    took=$(($(cut -d. -f1 /proc/uptime) - began))
    [ "$tries" -lt 60 ]
}
# The options of random conversations: random.options, or what of the probe's chooses no cases.
random_options() {
    content random.options || echo "$options" | sed -E 's/--(case|skip|from|rule)[= ][^ ]*//g'
}
begin() {
    mkdir -p /peer/log
    echo '|/core %e %p' >/proc/sys/kernel/core_pattern
    ulimit -c unlimited
    name=$(content name || echo peer)
    options=$(content probe.options)
    for module in $(content modules); do
        must "module-$module" modprobe "$module"
    done
    [ -f /peer/start ] || return
    step start
    write_restart
    started
    status=$?
    text=$(tail -n 1 /tmp/out)
    # Why it is not there, the script may have said.
    [ "$status" -eq 0 ] || { cat /tmp/out /peer/log/start.log && text="$text; start: $(tail -n 1 /peer/log/start.log)"; }
    result start "$status" "$text"
    [ "$status" -eq 0 ] || finish
}

# probed NAME ARGUMENT...
probed() {
    part=$1
    shift
    step "$part"
    # shellcheck disable=SC2046,SC2086 # words
    limited /rpcrdma probe --wait $((5 + 3 * took)) $options $(known "$part") --restart 'sh /peer/restart' --log /peer/log/start.log \
        --name "$name" --json "/tmp/$part.json" "$@" "$address" >"/tmp/$part.out" 2>&1
    ended "$part" $?
}
# attended COMMAND LISTEN: the client runs as long as the command lives, and again and again.
attended() {
    sleep 0.5
    while kill -0 "$1" 2>/dev/null; do
        (cd /peer && PORT=$2 timeout -s KILL 60 sh ./client) >>/peer/log/client.log 2>&1 3>&-
    done
    wait "$1"
}
served() {
    step serve
    # shellcheck disable=SC2046 # words
    limited /rpcrdma serve $(content serve.options) $(known serve) --timeout 15 \
        --name "$name" --json /tmp/serve.json "$address:20051" >/tmp/serve.out 2>&1 3>&- &
    attended $! 20051
    ended serve $?
}
proxied() {
    step proxy
    # shellcheck disable=SC2046 # words
    /rpcrdma proxy $(content proxy.options) $(known proxy) --json /tmp/proxy.json \
        --capture /peer/log/proxy.pcap "$address:20050" "$address:20049" >/tmp/proxy.out 2>&1 3>&- &
    proxy=$!
    sleep 0.5
    (cd /peer && PORT=20050 timeout -s KILL 120 sh ./client) >>/peer/log/client.log 2>&1 3>&-
    result client $? "$(tail -n 1 /peer/log/client.log)"
    kill -TERM "$proxy"
    wait "$proxy"
    ended proxy $?
}

suite() {
    if [ "$soak" -gt 0 ] && [ -f /peer/start ]; then
        limit=$((limit + soak))
        options=$(random_options)
        probed random "--random=$(date +%s)" --seconds "$soak" --record /tmp/found.json
        report found /tmp/found.json
        return
    fi
    if [ -f /peer/start ]; then
        probed probe
        options=$(random_options)
        probed random --random=1 --seconds 10
    fi
    if [ -f /peer/client ]; then
        served
        [ ! -f /peer/start ] || proxied
    fi
    dmesg >/peer/log/dmesg
}
