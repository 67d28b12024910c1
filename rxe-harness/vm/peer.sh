# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=dash
# Part of the guest's init, with `make live PEER=`: a peer of the user's in place of Linux's. Its
# folder is /peer; functions and $address are those of init.
ADDRESS=${address:?}
export ADDRESS
mkdir -p /peer/log
echo '/peer/log/core.%e.%p' >/proc/sys/kernel/core_pattern
ulimit -c unlimited

# The content of a file, or nothing.
content() {
    cat "/peer/$1" 2>/dev/null
}
known() {
    [ ! -f "/peer/$1.known" ] || echo "--known /peer/$1.known"
}
for module in $(content modules); do
    must "module-$module" modprobe "$module"
done

# Started, and started again by the probe when it died.
cat >/peer/restart <<'END'
#!/bin/sh
kill -9 "$(cat /run/peer.pid)" 2>/dev/null
cd /peer || exit 1
setsid sh ./start >>/peer/log/start.log 2>&1 3>&- </dev/null &
echo $! >/run/peer.pid
END
options=$(content probe.options)
# probed NAME SECONDS ARGUMENT...: run the probe; its last line is the remark.
probed() {
    name=$1
    limit=$2
    shift 2
    say "STEP $name"
    # shellcheck disable=SC2046,SC2086 # words
    timeout -s KILL "$limit" /rpcrdma probe $options $(known "$name") --restart 'sh /peer/restart' \
        --name "$(content name || echo peer)" --json "/tmp/$name.json" "$@" "$address" >/tmp/out 2>&1
    status=$?
    cat /tmp/out
    report "$name" "/tmp/$name.json"
    result "$name" "$status" "status $status: $(tail -n 1 /tmp/out)"
}
begin() {
    sh /peer/restart
    tries=0
    # shellcheck disable=SC2086 # words
    while [ "$tries" -lt 60 ]; do
        timeout -s KILL 20 /rpcrdma probe $options --case smallest-call "$address" >/tmp/out 2>&1
        [ $? -ge 2 ] || return 0 # it answers, well or not
        tries=$((tries + 1))
        sleep 0.5
    done
    return 1
}
if [ -f /peer/start ]; then
    say 'STEP start'
    begin
    status=$?
    [ "$status" -eq 0 ] || cat /tmp/out /peer/log/start.log
    result start "$status" "$(tail -n 1 /tmp/out)"
    [ "$status" -eq 0 ] || finish
    probed probe 300
    probed random 120 --random=1 --seconds 10
fi

# attended COMMAND LISTEN: the client runs as long as the command lives, and again and again.
attended() {
    sleep 0.5
    while kill -0 "$1" 2>/dev/null; do
        (cd /peer && PORT=$2 timeout -s KILL 60 sh ./client) >>/peer/log/client.log 2>&1 3>&-
    done
    wait "$1"
}
if [ -f /peer/client ]; then
    say 'STEP serve'
    # shellcheck disable=SC2046 # words
    timeout -s KILL 300 /rpcrdma serve $(content serve.options) $(known serve) --timeout 15 \
        --name "$(content name || echo peer)" --json /tmp/serve.json "$address:20051" \
        >/tmp/serve.out 2>&1 3>&- &
    attended $! 20051
    status=$?
    cat /tmp/serve.out
    report serve /tmp/serve.json
    result serve "$status" "status $status: $(tail -n 1 /tmp/serve.out)"
fi
if [ -f /peer/start ] && [ -f /peer/client ]; then
    say 'STEP proxy'
    # shellcheck disable=SC2046 # words
    /rpcrdma proxy $(content proxy.options) $(known proxy) --json /tmp/proxy.json \
        --capture /peer/log/proxy.pcap "$address:20050" "$address:20049" >/tmp/proxy.out 2>&1 3>&- &
    proxy=$!
    sleep 0.5
    (cd /peer && PORT=20050 timeout -s KILL 120 sh ./client) >>/peer/log/client.log 2>&1 3>&-
    result client $? "$(tail -n 1 /peer/log/client.log)"
    kill -TERM "$proxy"
    wait "$proxy"
    status=$?
    cat /tmp/proxy.out
    report proxy /tmp/proxy.json
    result proxy "$status" "status $status: $(tail -n 1 /tmp/proxy.out)"
fi
dmesg >/peer/log/dmesg
finish
