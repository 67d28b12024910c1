# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=dash
# Part of the guest's init: `rpcrdma trace`. A step of the suite, and, with `make live TRACE=yes`, all of it in place of the
# suite. TRACE='STEP...' is some steps of it, each a function trace_STEP. Functions, $address, $device and $far are those of init
# and of linux.sh.

# siw is not ready for a Send that comes just as it has accepted (README).
user_scheme=roce paced=''
filter='udp port 4791'
[ "${device:?}" = rxe ] || { user_scheme=iwarp filter='tcp' paced='--wire delay=20ms --timeout 5'; }

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
# The Sends of a capture with their octets, and its RDMA operations with their ranges, one a line, as equal.awk takes them.
# sends FILE [OPTION...]
sends() {
    rm -f /tmp/done.json
    /rpcrdma check --all --record /tmp/done.json "$@" >/tmp/done.out 2>&1
    [ "$(grep -c '"comment"' /tmp/done.json)" = "$(sed -n 's/^[0-9]* files\{0,1\}, \([0-9]*\) .*/\1/p' /tmp/done.out)" ] ||
        { echo "of $1 not all connections are whole" && tail -n 30 /tmp/done.out && return 1; } >&2
    awk -F '"' -v OFS='\t' '$2 == "comment" { name = $4 }
        $6 == "send" { print name, $4, $8 ($10 == "invalidate" ? " invalidates" $11 : "") }
        $6 == "disconnect" { print name, "end" }' /tmp/done.json
}
# operations FILE [OPTION...]
operations() {
    /rpcrdma decode --json "$@" | awk -F '"' -v OFS='\t' '
        function value(key, text) {
            text = $0
            sub(".*\"" key "\":\"?", "", text)
            sub(/["},].*/, "", text)
            return text
        }
        $4 ~ /^rdma-/ { print value("connection"), "server", $4 " " value("handle") " " value("offset") " " value("length") + value("missing") }
        $4 == "send" && match($0, /"header":.*,"fields":/) { print value("connection"), "by", value("from") substr($0, RSTART, RLENGTH) }
        $4 == "disconnect" { print value("connection"), "end" }'
}
# equal NAME WHAT SIDE CAPTURE TRACE [OPTION...]: what the capture has is in the trace of this side, and the other way round,
# up to what equal.awk excuses; SIDE is - where that is nothing.
equal() {
    name=$1 what=$2 side=${3#-} some=$4 others=$5
    shift 5
    $what "$some" "$@" >/tmp/some && $what "$others" "$@" >/tmp/others &&
        awk -v name="$name" -v what="$what" -v side="$side" -f /equal.awk /tmp/some /tmp/others
}
# What check finds and counts, but for the numbers of frames.
findings() {
    /rpcrdma check --all "$@" | sed -n '/^findings/,/^disconnects/p' | sed 's/frame [0-9]*//g' | tr -s ' '
}
# begin_dump NAME: tcpdump records into NAME.pcap; its process is $dump.
begin_dump() {
    # shellcheck disable=SC2086 # words
    tcpdump -Z root -i near0 -w "/tmp/$1.pcap" -B 65536 -U $filter 2>/tmp/tcpdump.err 3>&- &
    dump=$!
    until grep -qs listening /tmp/tcpdump.err; do
        kill -0 "$dump" || { cat /tmp/tcpdump.err && return 1; }
        sleep 0.1
    done
}
end_dump() {
    sleep 1
    kill -TERM "$dump"
    wait "$dump"
    grep -q '^0 packets dropped' /tmp/tcpdump.err || { cat /tmp/tcpdump.err && return 1; }
}
# The server's side of what goes to a peer in user space, which tcpdump sees, too. watched OPTION...: of probe
watched() {
    begin_trace wire-sends --side server --sends-only --ring 16 || return 1
    one=$traced
    begin_trace wire-all --side server --ring 16 || return 1
    two=$traced
    begin_dump wire || return 1
    # shellcheck disable=SC2046,SC2086 # words
    timeout -s KILL "${limit:?}" nsenter -t "${far:?}" -n /rpcrdma probe $(cat /probe.options) $paced --nfs-file probe.data "$@" \
        "$user_scheme://${address:?}" >/tmp/traced.out 2>&1
    [ $? -lt 128 ] || { echo 'the probe did not end' && return 1; }
    end_dump && end_trace wire-sends "$one" && end_trace wire-all "$two" || return 1
    findings /tmp/wire.pcap >/tmp/wire.findings
    findings /tmp/wire-all.pcapng >/tmp/traced.findings
    sed -n 's/^\(RDMA [RW][a-z]*\)/\1/p' /tmp/traced.findings | tr '\n' ';'
}
wire() {
    watched --case 'nfs*' && equal tcpdump sends server /tmp/wire.pcap /tmp/wire-sends.pcapng &&
        diff /tmp/wire.findings /tmp/traced.findings && grep -q '^RDMA Writes' /tmp/wire.findings
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
# Both sides of NFS between client and server of this kernel, of which no capture of the interface sees anything.
# sides VERSION...
sides() {
    begin_trace client --side client --port 20049 --ring 16 || return 1
    one=$traced
    begin_trace server --side server --port 20049 --sends-only --ring 16 || return 1
    two=$traced
    begin_dump unseen || return 1
    for version; do
        data "$version" 20049 4 || return 1
    done
    end_dump && end_trace client "$one" && end_trace server "$two" || return 1
    grep '^[0-9]* packets\{0,1\} captured' /tmp/tcpdump.err
    grep -q '^0 packets captured' /tmp/tcpdump.err || return 1
    equal 'client and server' sends - /tmp/client.pcapng /tmp/server.pcapng && within /tmp/client.pcapng
}
trace_all() {
    mounted_tracefs && killed && wire && sides 4.2 3 && [ "$(probes)" -eq 0 ]
}
mounted_tracefs() {
    [ -f "$tracing/kprobe_events" ] || mount -t tracefs tracefs "$tracing"
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

# ---- all of it ----

# recalled VERSION: what the client has opened for reading is changed behind its back, so that the server calls it.
recalled() {
    echo first >"/export/recalled-$1"
    mounted "$1" 20050 && delegated "/mnt/recalled-$1" || return 1
    exec 5<"/mnt/recalled-$1"
    cat <&5 >/dev/null
    echo second >>"/export/recalled-$1"
    exec 5<&-
    umount /mnt
}
# callbacks FILE: each kind, how often it came, and was answered.
callbacks() {
    /rpcrdma stat --json --port 20050 "$1" |
        sed -n 's/.*"name":"\(NFS callback [^"]*\)".*"calls":\([0-9]*\),"replies":\([0-9]*\).*/\1: \2 Calls, \3 answered/p' | sort
}
# The kernel's client calls the kernel's server, by way of the proxy in another namespace: all of it passes the interface.
# The proxy has an address for each of the two, and tcpdump a capture.
trace_relayed() {
    far_address=${address%.*}.3
    nsenter -t "${far:?}" -n ip address add "$far_address/24" dev veth0
    begin_trace relayed-client --side client --port 20050 --ring 16 || return 1
    one=$traced
    begin_trace relayed-sends --side server --port 20049 --sends-only --ring 16 || return 1
    two=$traced
    begin_trace relayed-server --side server --port 20049 --ring 16 || return 1
    three=$traced
    begin_dump relayed || return 1
    nsenter -t "${far:?}" -n /rpcrdma proxy "$user_scheme://$far_address:20050" "$user_scheme://$address:20049" >/tmp/traced.out 2>&1 3>&- &
    proxy=$!
    sleep 0.5
    failed=
    here=$far_address
    for version in 4.2 4.1 4.0 3; do
        data "$version" 20050 1 || failed="$failed $version"
    done
    for version in 4.2 4.1; do
        recalled "$version" || failed="$failed recall-$version"
    done
    # shellcheck disable=SC2034 # of linux.sh
    here=$address
    end_dump
    dumped=$?
    kill -TERM "$proxy"
    wait "$proxy"
    end_trace relayed-client "$one" && end_trace relayed-sends "$two" && end_trace relayed-server "$three" && [ "$dumped" -eq 0 ] ||
        return 1
    [ -z "$failed" ] || { echo "failed:$failed" && cat /tmp/traced.out && return 1; }
    tcpdump -Z root -r /tmp/relayed.pcap -w /tmp/client.pcap host "$far_address" 2>/dev/null
    tcpdump -Z root -r /tmp/relayed.pcap -w /tmp/server.pcap not host "$far_address" 2>/dev/null
    equal 'client' sends client /tmp/client.pcap /tmp/relayed-client.pcapng --port 20050 &&
        equal 'server' sends server /tmp/server.pcap /tmp/relayed-sends.pcapng &&
        equal 'server' operations server /tmp/server.pcap /tmp/relayed-server.pcapng || return 1
    findings /tmp/server.pcap >/tmp/wire.findings
    findings /tmp/relayed-server.pcapng >/tmp/traced.findings
    diff /tmp/wire.findings /tmp/traced.findings || return 1
    callbacks /tmp/client.pcap >/tmp/wire.callbacks
    callbacks /tmp/relayed-client.pcapng >/tmp/traced.callbacks
    tr '\n' ';' </tmp/traced.callbacks
    cmp /tmp/wire.callbacks /tmp/traced.callbacks && grep -q 'CB_RECALL: 2 Calls, 2 answered' /tmp/traced.callbacks || return 1
    within /tmp/relayed-client.pcapng
}
trace_killed() {
    killed
}
# kinds CAPTURE: what check finds: in which events, of which side, how severe.
kinds() {
    /rpcrdma check --all --json "$1" | awk -F '"' '
        function value(text, key) {
            sub(".*\"" key "\":\"", "", text)
            sub(/".*/, "", text)
            return text
        }
        $4 == "event" {
            n = split($0, finding, /\{"rule":"/)
            for (i = 2; i <= n; i++)
                print value(finding[1], "type"), value(finding[1], "from"), value(finding[i], "severity"), \
                    substr(finding[i], 1, index(finding[i], "\"") - 1)
        }' | sort -u
}
# All cases without hazard: malformed messages, and what is answered. Many end their connection. On the wire alone
# is that an RDMA operation was refused, which the device handles; what is wrong in a Long Call, which is found at the server's Read
# of it; and that private data of iWARP are too short, for a trace pads them like RoCE's. What the server sends out of pages, as
# the 500 octets that are written and read in one COMPOUND, a trace has not.
trace_wire() {
    watched --skip inline-echo && equal tcpdump sends server /tmp/wire.pcap /tmp/wire-sends.pcapng &&
        equal tcpdump operations server /tmp/wire.pcap /tmp/wire-all.pcapng || return 1
    kinds /tmp/wire.pcap | sed '/^refused /d;/^rdma-read .*4\/rpc-layout/d;/8797\/4\/eight-octets/d' >/tmp/wire.rules
    kinds /tmp/wire-all.pcapng >/tmp/traced.rules
    echo "$(wc -l </tmp/traced.rules) kinds of findings"
    diff /tmp/wire.rules /tmp/traced.rules && [ -s /tmp/traced.rules ]
}
trace_unseen() {
    sides 4.2 4.1 4.0 3
}
# frames FILE: the octets of each, as check records nothing of a Send that was cut. Without the number of its packet: two traces
# may see two threads post in another order. Without connection management (opcode 0x64): the server learns of the last end when
# the first trace may be over. With the link's header, which tcpdump prints of a frame that was cut in any case.
frames() {
    tcpdump -Z root -r "$1" -n -xx 2>/dev/null | awk '
        function print_frame() {
            if (octets != "" && substr(octets, 85, 2) != "64")
                print substr(octets, 1, 102) substr(octets, 109)
            octets = ""
        }
        /^\t0x/ { sub(/.*: */, ""); gsub(/ /, ""); octets = octets $0; next }
        { print_frame() }
        END { print_frame() }'
}
# A part of each Send, and all of it, at once; at the server, which has received what the client sent out of several buffers.
trace_snap() {
    begin_trace part --side server --port 20049 --sends-only --snap 512 || return 1
    one=$traced
    begin_trace whole --side server --port 20049 --sends-only || return 1
    two=$traced
    data 4.2 20049 4 && mounted 3 20049 || return 1
    for size in 400 1000 2000 3500; do
        head -c "$size" /tmp/data-4 >"/mnt/of-$size"
    done
    umount /mnt
    end_trace part "$one" && end_trace whole "$two" || return 1
    frames /tmp/whole.pcapng >/tmp/whole.frames && frames /tmp/part.pcapng >/tmp/part.frames || return 1
    awk 'NR == FNR { left[$0]++; all++; next }
        left[$0] > 0 { left[$0]--; n++; next }
        { part[++cut] = $0 }
        END {
            least = 2 * (14 + 20 + 8 + 12 + 512) - 6
            for (i = 1; i <= cut; i++) {
                length_of = length(part[i])
                is_cut = 0
                for (whole in left)
                    if (!is_cut && left[whole] > 0 && length_of >= least && substr(whole, 1, length_of) == part[i])
                        is_cut = left[whole]--
                if (!is_cut && ++bad < 9)
                    print "not of a whole one: " part[i]
            }
            printf "%d and %d frames, %d are cut, %d wrong; ", all, n + cut, cut, bad
            exit bad || !cut || n + cut != all
        }' /tmp/whole.frames /tmp/part.frames || return 1
    grep 'cut' /tmp/part.err
    # Nothing is found in the part that is not in the whole.
    for each in part whole; do
        /rpcrdma check --all "/tmp/$each.pcapng" | sed -n 's/.*\[\(rfc[^]]*\)\]$/\1/p' | sort -u >"/tmp/$each.rules"
    done
    ! grep -vxFf /tmp/whole.rules /tmp/part.rules
}
# A signal at any moment is an end: the file is whole and has all Sends that the last line says, and no probe stays. Twice it
# writes into a pipe.
trace_interrupted() {
    mkfifo /tmp/pipe
    turns=0 all=0
    for signal in INT INT INT INT HUP INT INT INT INT TERM; do
        turns=$((turns + 1))
        rm -f /tmp/turn.pcapng
        : >/tmp/turn.err
        if [ $((turns % 5)) -eq 0 ]; then
            cat /tmp/pipe >/tmp/turn.pcapng 3>&- &
            reader=$!
            /rpcrdma trace --ring 16 >/tmp/pipe 2>/tmp/turn.err 3>&- &
        else
            reader=
            /rpcrdma trace --ring 16 --write /tmp/turn.pcapng 2>/tmp/turn.err 3>&- &
        fi
        traced=$!
        until grep -q watching /tmp/turn.err; do
            kill -0 "$traced" || { cat /tmp/turn.err && return 1; }
            sleep 0.1
        done
        data 3 20049 4 &
        copying=$!
        sleep "$(awk -v seed="$turns$(hundredths)" 'BEGIN { srand(seed); printf "%.2f", 2 * rand() }')"
        kill -s "$signal" "$traced"
        wait "$traced"
        status=$?
        [ -z "$reader" ] || wait "$reader"
        wait "$copying" || return 1
        said=$(sed -n 's/.* connections, \([0-9]*\) Sends.* lost: 0 records$/\1/p' /tmp/turn.err)
        /rpcrdma check --all /tmp/turn.pcapng >/tmp/turn.out 2>&1
        read_as=$?
        found=$(awk '/^all Sends/ { n = $NF } END { print n + 0 }' /tmp/turn.out)
        printf '%s: %s and %s Sends; ' "$signal" "$said" "$found"
        all=$((all + found))
        [ "$status" -eq 0 ] && [ "$read_as" -le 1 ] && [ "$said" = "$found" ] && [ "$(probes)" -eq 0 ] && continue
        echo "status $status"
        cat /tmp/turn.err
        return 1
    done
    [ "$all" -gt 0 ]
}
# What a stopped reader loses: as many records as the kernel counts, and a gap for each time.
trace_lost() {
    begin_trace lost --ring 1 || return 1
    kill -STOP "$traced"
    data 3 20049 4 || return 1
    overrun=$(cat "$tracing"/instances/rpcrdma-"$traced"/per_cpu/cpu*/stats | awk '/^(overrun|commit overrun|dropped events)/ { n += $NF } END { print n + 0 }')
    kill -CONT "$traced"
    kill -TERM "$traced"
    wait "$traced"
    said=$(sed -n 's/.*: \([0-9]*\) records found no room.*/\1/p' /tmp/lost.err)
    echo "lost by the kernel's count $overrun, said ${said:-0}"
    /rpcrdma check --all /tmp/lost.pcapng >/tmp/lost.out
    tail -n 2 /tmp/lost.out | tr '\n' ';'
    [ "$overrun" -gt 0 ] && [ "$overrun" = "$said" ] && grep -q ' 0 violations' /tmp/lost.out && grep -q 'not checked: [1-9][0-9]* lost' /tmp/lost.out
}

# The kernel's client with faults (registrations.sed): each is found, and nothing of the sound one.
trace_registrations() {
    fault_of=/sys/module/rpcrdma/parameters/fault
    before=0
    for each in 0 1 2 3; do
        begin_trace "fault-$each" --side client --port 20049 --ring 16 && echo "$each" >"$fault_of" || return 1
        data 3 20049 4 && end_trace "fault-$each" "$traced" || return 1
        echo 0 >"$fault_of"
        /rpcrdma check --all "/tmp/fault-$each.pcapng" >"/tmp/fault-$each.out"
        found=$(grep -c '\[rfc8166/4.4.1/memory-fenced\]$' "/tmp/fault-$each.out")
        echo "fault $each: $(sed -n 's/^registrations  *//p' "/tmp/fault-$each.out") registrations, $found RPCs over before;"
        case $each in
        0) [ "$found" -eq 0 ] ;;
        3) [ "$found" -gt 0 ] && [ "$found" -lt "$before" ] ;;
        *) [ "$found" -gt 0 ] ;;
        esac || { tail -n 30 "/tmp/fault-$each.out" && return 1; }
        ! grep -v '4.4.1/memory-fenced' "/tmp/fault-$each.out" | grep '\[rfc8166/\(3.4.5/memory\|4.4.1\|8.1\)' || return 1
        before=$found
    done
}

# copied MIB: written and read by NFS; hundredths of a second.
copied() {
    mounted 3 20049 || return 1
    t0=$(hundredths)
    dd if=/dev/zero of=/mnt/cost bs=1M count="$1" conv=fsync 2>/dev/null || return 1
    t1=$(hundredths)
    umount /mnt && mounted 3 20049 || return 1
    t2=$(hundredths)
    dd if=/mnt/cost of=/dev/null bs=1M 2>/dev/null || return 1
    t3=$(hundredths)
    rm /mnt/cost && umount /mnt || return 1
    took=$((t1 - t0 + t3 - t2))
}
hundredths() {
    cut -d' ' -f1 /proc/uptime | tr -d .
}
median() {
    echo "$@" | tr ' ' '\n' | grep . | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}
# Seven times without and with, by turns; a first one warms up.
trace_cost() {
    mib=$(cat /trace.mib)
    copied "$mib" || return 1
    alone='' traced_times='' ratios=''
    for _ in 1 2 3 4 5 6 7; do
        copied "$mib" || return 1
        before=$took
        begin_trace cost --ring 16 || return 1
        copied "$mib" || return 1
        kill -TERM "$traced"
        wait "$traced" || return 1
        alone="$alone $before"
        traced_times="$traced_times $took"
        ratios="$ratios $((100 * took / before))"
        sed -n 's/.*connections, //p;/found no room/p;/not fire/p' /tmp/cost.err | tr '\n' ' '
    done
    # shellcheck disable=SC2086 # words
    echo "$mib MiB; 1/100 s without:$alone (median $(median $alone)), with:$traced_times (median $(median $traced_times)); percent:$ratios (median $(median $ratios))"
}

# refused WORD COMMAND...: one line, with the word in it.
refused() {
    word=$1
    shift
    "$@" >/tmp/refused.out 2>/tmp/refused.err
    status=$?
    cat /tmp/refused.err
    [ "$status" -eq 3 ] && [ "$(wc -l </tmp/refused.err)" -eq 1 ] && grep -q "$word" /tmp/refused.err && [ ! -s /tmp/refused.out ]
}
# The last step: nothing can be watched after it.
trace_refused() {
    btf=/sys/kernel/btf
    echo 'nobody:x:65534:65534::/:/bin/sh' >>/etc/passwd
    trying='/rpcrdma trace --seconds 1 --write /tmp/refused.pcapng'
    refused 'only root' su nobody -c "$trying" || return 1
    mount -t tmpfs none "$btf"
    # shellcheck disable=SC2086 # words
    refused 'no type information' $trying || return 1
    umount "$btf"
    mount --bind "$btf/sunrpc" "$btf/rpcrdma"
    # shellcheck disable=SC2086 # words
    refused 'no function' $trying || return 1
    umount "$btf/rpcrdma"
    [ "$(probes)" -eq 0 ] || return 1
    mount -t securityfs securityfs /sys/kernel/security
    echo integrity >/sys/kernel/security/lockdown # as Secure Boot has it
    begin_trace integrity && end_trace integrity "$traced" || return 1
    echo confidentiality >/sys/kernel/security/lockdown
    # shellcheck disable=SC2086 # words
    refused 'locked down' $trying
}
trace_suite() {
    dd if=/dev/zero of=/export/probe.data bs=1024 count=256 2>/dev/null
    mounted_tracefs
    # shellcheck disable=SC2013 # words
    for one_of in $(cat /trace); do
        step "trace-$one_of"
        "trace_$one_of" >/tmp/trace.out 2>&1
        status=$?
        cat /tmp/trace.out
        # Out of the guest with it.
        [ "$status" -eq 0 ] || { mkdir -p /out && mv /tmp/*.pcap* /out; }
        result "trace-$one_of" "$status" "$(tr '\n' ' ' </tmp/trace.out | cut -c 1-900)"
    done
}
