#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh DIR RPCRDMA: boot the guest, show its results; 0 only if all are as expected, and, where the
# suite ran several times, verdicts were the same each time. What the peers did is in DIR/report.html.
# DIR/limit has the guest's time in seconds; in the environment are WRITE_KNOWN, a folder for the lists that it makes,
# LIVE_EMULATED, not empty where KVM is not to be used, LIVE_OUTCOME a file that it writes one of these into: passed; failed;
# not judged, where nothing failed but the run is not whole, for time was short or the guest did not start.
set -u

dir=$1
rpcrdma=$2
here=$(dirname "$0")
runs=$(cat "$dir/root/runs")
soak=$(cat "$dir/root/soak")
limit=$(cat "$dir/limit")
peer=$dir/root/peer
expected="$(cat "$dir/root/device")0 knfsd nfs-4.2 nfs-4.1 nfs-4.0 nfs-3 kernel"
drive=
if [ -d "$peer" ]; then
    expected="$(cat "$dir/root/device")0 kernel"
    [ ! -f "$peer/start" ] || expected="$expected start probe random"
    [ ! -f "$peer/client" ] || expected="$expected serve"
    [ ! -f "$peer/start" ] || [ ! -f "$peer/client" ] || expected="$expected client proxy"
    rm -rf "$dir/log" "$dir/log.img"
    truncate -s 512M "$dir/log.img"
    drive="-drive file=$dir/log.img,format=raw,if=virtio"
elif [ -f "$dir/root/rpcrdma" ]; then
    expected="$expected probe user-space around replay random trace proxy-nfs-4.2 proxy-nfs-4.1 proxy-nfs-4.0 proxy-nfs-3 proxy serve serve-data"
else
    echo 'live: the command is built without verbs: it can neither probe nor relay between'
fi

device=$(cat "$dir/root/device")
[ ! -f "$dir/root/life.sh" ] || expected="${device}0 knfsd life kernel"
[ ! -f "$dir/root/trace" ] || expected="${device}0 knfsd $(sed 's/[^ ][^ ]*/trace-&/g' "$dir/root/trace") kernel"
[ "$soak" -eq 0 ] || expected="${device}0 random kernel"
if [ -f "$dir/root/wire.sh" ]; then
    expected="${device}0 knfsd kernel"
    steps=$(cat "$dir/root/wire")
    [ "$steps" != yes ] || steps='verdicts vectors serve proxy lossy'
    for part in $steps; do
        case $part in
        verdicts) expected="$expected probe user-space" ;;
        vectors) expected="$expected replay" ;;
        serve) expected="$expected serve serve-data" ;;
        proxy) expected="$expected proxy-nfs-4.2 proxy-nfs-3 proxy user-proxy-nfs-4.2 user-proxy-nfs-3 user-proxy times" ;;
        lossy) expected="$expected lossy-1 lossy-10" ;;
        *) expected="$expected $part" ;; # which the guest does not come to
        esac
    done
fi
if [ -f "$dir/root/gss.sh" ]; then
    expected="${device}0 knfsd kerberos"
    services=$(cat "$dir/root/gss")
    for part in $services; do
        expected="$expected $part-nfs-4.2 $part-nfs-4.1 $part-nfs-4.0 $part-nfs-3 $part $part-chunks"
    done
    expected="$expected kernel"
fi
[ ! -f "$dir/root/codec.sh" ] || expected="${device}0 answers codec kernel"
memory=${LIVE_MEMORY:-$(cat "$peer/memory" 2>/dev/null || echo 1024)}
# A /dev/kvm that opens proves nothing: it can be a software KVM that hangs stock kernels.
accel='-accel tcg,thread=multi'
# Emulated, string instructions that move octets one by one and carry-less products cost more than
# what kernels do without them, and each change of page tables throws translations away.
cpu=max,-erms,-pclmulqdq
# A processor that is not scheduled for ten ticks has, to the kernel, no timer.
boot='mitigations=off no_timer_check'
if [ -z "${LIVE_EMULATED:-}" ] && grep -qE '^flags.* (vmx|svm)( |$)' /proc/cpuinfo && [ -w /dev/kvm ]; then
    accel='-accel kvm'
    cpu=max
    boot=
fi
began=$(date +%s)
rm -f "$dir/console.first"
# run_guest: from the start to the end, with what it says on the way; $late, if its limit ended it: the time was short, or
# something in it hangs. The console and crash.words know which.
run_guest() {
    rm -rf "$dir/out" "$dir/out.base64" "$dir/console.log" "$dir/results" "$dir/reports" "$dir"/*.json "$dir/known"
    : >"$dir/results"
    : >"$dir/console.log"
    # shellcheck disable=SC2086 # one word an option
    timeout -k 5 "$limit" qemu-system-x86_64 $accel -cpu "$cpu" -m "$memory" -smp 2 $drive -display none \
        -nodefaults -no-reboot -monitor none -net none -kernel "$dir/vmlinuz" -initrd "$dir/initrd" \
        -append "console=ttyS0 panic=-1 quiet kasan_multi_shot 8250.nr_uarts=4 $boot" -serial "file:$dir/console.log" \
        -serial "file:$dir/results" -serial "file:$dir/reports" </dev/null &
    qemu=$!
    trap 'kill "$qemu" 2>/dev/null' EXIT
    trap 'exit 130' INT TERM
    shown=0
    while :; do
        alive=yes
        kill -0 "$qemu" 2>/dev/null || alive=no
        lines=$(wc -l <"$dir/results")
        if [ "$lines" -gt "$shown" ]; then
            sed -n "$((shown + 1)),${lines}s/^STEP \([^ ]*\).*/live: $(($(date +%s) - began)) s: \1/p" "$dir/results"
            shown=$lines
        fi
        [ "$alive" = yes ] || break
        sleep 0.3
    done
    wait "$qemu"
    status=$?
    trap - EXIT
    late=
    { [ "$status" -ne 124 ] && [ "$status" -ne 137 ]; } || late=yes
}
run_guest
# Seen under emulation while kprobes come and go: a processor stands still, or meets a breakpoint that is not there. It may
# still have code that the other one has changed.
case $accel$(sed -n 's/^STEP \([^ ]*\).*/ \1/p' "$dir/results" | sed -n '$p') in
*tcg*\ trace*)
    grep -q '^DONE$' "$dir/results" || stopped=$(grep -a -m 1 -e 'soft lockup - CPU' -e 'int3: 0000 \[#1\]' "$dir/console.log")
    ;;
esac
if [ -n "${stopped:-}" ]; then
    mv "$dir/console.log" "$dir/console.first"
    echo "live: a processor of the emulated machine stopped: $stopped"
    echo "live: the guest is started once more, to see whether it comes again; the first console: $dir/console.first"
    run_guest
fi

if [ -d "$peer" ]; then
    tar -xf "$dir/log.img" -C "$dir" 2>/dev/null && echo "live: logs and cores: $dir/log"
    rm -f "$dir/log.img"
fi

failed=0
unjudged=0
printf '%-14s %-8s %s\n' what ending remark
bad() {
    printf '%-14s %-8s %s\n' "$1" "$2" "$3"
    failed=1
}
# What says nothing about the peer.
unjudged() {
    printf '%-14s %-8s %s\n' "$1" "$2" "$3"
    unjudged=1
}
for name in $expected; do
    # The last of those that failed, or else the last.
    sed -n "s/^RESULT $name //p" "$dir/results" >"$dir/lines"
    line=$(grep -v '^ok' "$dir/lines" | sed -n '$p')
    [ -n "$line" ] || line=$(sed -n '$p' "$dir/lines")
    case $line in
    ok*) printf '%-14s %-8s %s\n' "$name" ok "${line#ok }" ;;
    '') unjudged "$name" missing "${late:+the time was over: }the guest did not come this far" ;;
    # Ended when its own part of the time was over.
    'failed status 124'* | 'failed status 130'* | 'failed status 137'* | 'failed status 143'*)
        unjudged "$name" failed "${line#* }" ;;
    *)
        # Without a device there is no peer to judge.
        [ "$name" = "${device}0" ] && row=unjudged || row=bad
        $row "$name" "${line%% *}" "${line#* }"
        ;;
    esac
done
# Each report into a file of its own: probe.json of the first run, probe-2.json of the second. The lists into known/.
mkdir -p "$dir/known"
[ ! -f "$dir/reports" ] || awk -v dir="$dir" '
    /^OUT$/ { file = dir "/out.base64"; next }
    /^LIST [a-z-]+$/ { file = dir "/known/" $2 ".known"; next }
    /^REPORT [a-z0-9-]+ [0-9]+$/ { file = dir "/" $2 ($3 > 1 ? "-" $3 : "") ".json"; next }
    file { print >file }' "$dir/reports"

# Files out of the guest.
if [ -s "$dir/out.base64" ]; then
    mkdir -p "$dir/out"
    base64 -d "$dir/out.base64" | tar -xz -C "$dir/out" || unjudged out failed "cut: $dir/out.base64"
    rm "$dir/out.base64"
    echo "live: files: $dir/out"
    [ ! -d "$dir/out/gcov" ] || sh "$here/coverage.sh" "$dir/out"
fi

# What a module of the codec has answered, judged as if it were asked here, in the same order; a testee is started again
# after the first questions.
if [ -f "$dir/root/codec.sh" ]; then
    cat >"$dir/replay" <<'EOF'
exec 3<"$1" 4<"$2"
while read -r line; do
    answer=fail
    while read -r asked <&3 && read -r answer <&4 && [ "$asked" != "$line" ]; do
        answer=fail
    done
    echo "$answer"
done
EOF
    judged=$("$rpcrdma" vectors --testee "sh $dir/replay $dir/root/lines $dir/out/answers" "$here/../../vectors" 2>&1)
    status=$?
    echo "$judged"
    [ "$status" -eq 0 ] || bad vectors failed "status $status"
fi

# What is new, and what is gone, against the lists.
for name in probe user-space around random replay serve proxy user-proxy lossy-1 lossy-10; do
    for file in "$dir/$name.json" "$dir/$name"-[0-9]*.json; do
        [ ! -s "$file" ] || [ -f "$dir/root/write-known" ] || awk -v part="$name" -f "$here/new.awk" "$file"
    done
done
sed -n "s/^rpcrdma: .*known.\([a-z]*\)\.known: expected failure '\(.*\)' did not occur.*/live: \1: gone: \2/p" \
    "$dir/console.log" | tr -d '\r' | sort -u

# Whether the runs agree. compare PART [OTHER]: with those of OTHER as well, whose list it goes by.
compare() {
    known=$dir/root/known/${2:-$1}.known
    [ ! -f "$dir/root/write-known" ] || known=$dir/known/${2:-$1}.known
    part=$1
    parts=$*
    set --
    for other in $parts; do
        run=1
        while [ "$run" -le "$runs" ]; do
            file=$dir/$other.json
            [ "$run" -eq 1 ] || file=$dir/$other-$run.json
            [ -s "$file" ] || { unjudged "$part" missing "no report of run $run of $other" && return; }
            set -- "$@" "$file"
            run=$((run + 1))
        done
    done
    # Never empty, for awk counts files by their first lines.
    echo '#' | cat - "$known" >"$dir/compared.known" 2>/dev/null
    awk -v part="$part" -f "$here/compare.awk" "$dir/compared.known" "$@" >"$dir/differences"
    status=$?
    cat "$dir/differences"
    if [ "$status" -eq 0 ]; then
        printf '%-14s %-8s %s\n' "$part" same "$(grep -c '"kind":"result"' "$1") verdicts in $# runs: $parts"
    else
        bad "$part" differs "from run to run: $(wc -l <"$dir/differences") verdicts"
    fi
}
# No case may end otherwise in user space than over verbs.
[ ! -f "$dir/user-space.json" ] || compare user-space probe
if [ "$runs" -gt 1 ]; then
    for name in probe random replay serve proxy; do
        [ ! -f "$dir/$name.json" ] || compare "$name"
    done
fi
if [ -n "${WRITE_KNOWN:-}" ]; then
    for name in probe around random replay serve proxy; do
        case " $expected " in
        *" $name "*) [ -f "$dir/known/$name.known" ] || unjudged "$name" missing 'no list of it' ;;
        esac
    done
    if mkdir -p "$WRITE_KNOWN" && rm -f "$WRITE_KNOWN"/*.known &&
        cp "$dir/known"/*.known "$dir/root"/*.options "$WRITE_KNOWN/"; then
        echo "live: lists: $WRITE_KNOWN"
    else
        unjudged lists failed "$WRITE_KNOWN"
    fi
fi

set --
for name in probe user-space around random replay proxy user-proxy serve lossy-1 lossy-10; do
    [ ! -s "$dir/$name.json" ] || set -- "$@" "$dir/$name.json"
done
if [ $# -gt 0 ]; then
    "$rpcrdma" vectors --merge --tap --html "$dir/report.html" "$@" >"$dir/report.tap" ||
        unjudged report failed 'the reports cannot be read'
    echo "live: all reports: $dir/report.html, $dir/report.tap"
fi
# Whatever else went wrong; an end that is not DONE; a crash that the guest could not tell.
sed -n 's/^RESULT \([^ ]*\) \([^ ]*\) */\1 \2 /p' "$dir/results" >"$dir/endings"
while read -r name ending text; do
    case " $expected " in
    *" $name "*) ;;
    *)
        if [ "$ending" = ok ]; then
            printf '%-14s %-8s %s\n' "$name" ok "$text"
        else
            bad "$name" "$ending" "$text"
        fi
        ;;
    esac
done <"$dir/endings"
if ! grep -q '^DONE$' "$dir/results"; then
    if [ -n "$late" ]; then
        step=$(sed -n 's/^STEP \([^ ]*\).*/\1/p' "$dir/results" | sed -n '$p')
        unjudged guest late "killed at its limit of $limit s, ${step:+in }${step:-before its first step}; LIVE_LIMIT=SECONDS gives it more"
    else
        unjudged guest died "QEMU ended with status $status"
    fi
fi
trace=$(awk -f "$here/crashed.awk" "$here/crash.words" "$dir/console.log")
[ -z "$trace" ] || bad guest crashed "$trace"
# Where the time went, by the guest's clock, and how busy its processors were.
awk '
    function close_stage() {
        seconds = $(NF - 1) - at
        if (!(stage in spent))
            order[++stages] = stage
        spent[stage] += seconds
        busy[stage] += 2 * seconds - ($NF - idle)
    }
    /^STEP / {
        if (stage)
            close_stage()
        stage = $2
        at = $(NF - 1)
        idle = $NF
    }
    END {
        printf "live: seconds (and how busy):"
        for (i = 1; i <= stages; i++) {
            stage = order[i]
            printf " %s %.1f", stage, spent[stage]
            if (spent[stage] > 0)
                printf " (%d %%)", 100 * busy[stage] / (2 * spent[stage])
        }
        print ""
    }' "$dir/results"
echo "live: $(($(date +%s) - began)) s in the guest; console: $dir/console.log"
outcome=passed
[ "$unjudged" -eq 0 ] || outcome='not judged'
[ "$failed" -eq 0 ] || outcome=failed
[ -z "${LIVE_OUTCOME:-}" ] || echo "$outcome" >"$LIVE_OUTCOME"
[ "$outcome" = passed ]
