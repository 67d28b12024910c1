#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma"
# needs: git flock
# What `make live` makes of a guest's results, with a program in the place of QEMU that says what a guest would: `git bisect`
# blames a commit for a failure, and not for a run in which nothing was judged.
#
# usage: live_test.sh PATH_TO_RPCRDMA
# Environment: BUILD.
set -u
: "${BUILD:?}"
rpcrdma=$1
kit=$PWD
passed=0 failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

verdict() {
    name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $name"
        tail -n 20 "$work/out"
    fi
}
says() { grep -qE "$1" "$work/out"; }
not() { ! "$@"; }

# ---- run.sh ----

mkdir -p "$work/bin" "$work/guest/root"
cat >"$work/bin/qemu-system-x86_64" <<'END'
#!/bin/sh
cat "$GUEST/told" >>"$GUEST/results"
cat "$GUEST/console" >>"$GUEST/console.log"
[ ! -e "$GUEST/next" ] || mv "$GUEST/next" "$GUEST/told"
[ ! -e "$GUEST/once" ] || { rm "$GUEST/once" && : >"$GUEST/console"; }
[ ! -e "$GUEST/stays" ] || exec sleep 30
END
chmod +x "$work/bin/qemu-system-x86_64"
echo 1 >"$work/guest/root/runs"
echo 0 >"$work/guest/root/soak"
echo rxe >"$work/guest/root/device"
: >"$work/guest/console"
{
    echo 'STEP boot 1.0 1.0'
    for part in rxe0 knfsd nfs-4.2 nfs-4.1 nfs-4.0 nfs-3 kernel; do
        echo "RESULT $part ok status 0"
    done
    printf '%s\n' 'STEP end 2.0 1.0' DONE
} >"$work/whole"
# ends STATUS OUTCOME [SED-COMMAND]: such a guest, with other results
ends() {
    sed "${3:-}" "$work/whole" >"$work/guest/told"
    echo "${limit:-20}" >"$work/guest/limit"
    PATH=$work/bin:$PATH GUEST=$work/guest LIVE_OUTCOME=$work/outcome LIVE_EMULATED=yes \
        sh rxe-harness/vm/run.sh "$work/guest" "$rpcrdma" >"$work/out" 2>&1
    [ $? -eq "$1" ] && [ "$(cat "$work/outcome")" = "$2" ]
}
early="/nfs-3/,\$d"
verdict 'all is well' ends 0 passed
verdict 'a part has failed' ends 1 failed 's/nfs-3 ok status 0/nfs-3 failed status 1: read back otherwise/'
verdict 'a part was ended by its limit' ends 1 'not judged' 's/nfs-3 ok status 0/nfs-3 failed status 143: interrupted/'
verdict 'a guest without a device' ends 1 'not judged' 's/rxe0 ok/rxe0 failed/'
verdict 'a guest that ends early' ends 1 'not judged' "$early"
echo 'BUG: unable to handle page fault' >"$work/guest/console"
verdict 'a guest that crashes' ends 1 failed "$early"
: >"$work/guest/console"
: >"$work/guest/stays"
limit=1
verdict 'a guest that is killed at its limit' ends 1 'not judged' "s/^STEP boot/STEP probe/; $early"
verdict 'where it was, and what gives it more time' says '^guest +late +killed at its limit of 1 s, in probe; LIVE_LIMIT='
verdict 'why the rest is missing' says '^nfs-3 +missing +the time was over'
verdict 'it is not said to hang' not says hung

# An emulated processor that stops in `trace`, in one boot and in each.
rm "$work/guest/stays"
traced="s/^STEP boot/STEP trace/; $early"
limit=20
echo 'watchdog: BUG: soft lockup - CPU#0 stuck for 48s! [rpcrdma:1723]' >"$work/guest/console"
verdict 'a processor that stops in each boot' ends 1 failed "$traced"
verdict 'is a crash' says '^guest +crashed +.*soft lockup'
: >"$work/guest/once"
cp "$work/whole" "$work/guest/next"
verdict 'one that stops in the first boot alone' ends 0 passed "$traced"
verdict 'that is said, with the line' says '^live: a processor of the emulated machine stopped: watchdog: BUG: soft lockup - CPU#0'
verdict 'and its console kept' grep -q 'soft lockup' "$work/guest/console.first"
echo 'Oops: int3: 0000 [#1] PREEMPT SMP' >"$work/guest/console"
: >"$work/guest/once"
cp "$work/whole" "$work/guest/next"
verdict 'a breakpoint that is not there' ends 0 passed "$traced"
echo 'watchdog: BUG: soft lockup - CPU#0 stuck for 48s! [nfsd:1723]' >"$work/guest/console"
: >"$work/guest/once"
cp "$work/whole" "$work/guest/next"
verdict 'one that stops in another step is a crash' ends 1 failed "$early"
rm -f "$work/guest/next"
echo 'BUG: unable to handle page fault' >"$work/guest/console"
: >"$work/guest/once"
cp "$work/whole" "$work/guest/next"
verdict 'another crash is not tried again' ends 1 failed "$early"
: >"$work/guest/console"

# ---- bisect.sh ----

printf '%s\n' '#!/bin/sh' "cp '$work/stub' \"\$LIVE_OUTCOME\"" 'exit 2' >"$work/bin/make"
chmod +x "$work/bin/make"
# bisects STATUS OUTCOME
bisects() {
    echo "$2" >"$work/stub"
    PATH=$work/bin:$PATH sh rxe-harness/vm/bisect.sh >"$work/out" 2>&1
    [ $? -eq "$1" ]
}
verdict 'a good commit' bisects 0 passed
verdict 'a bad commit' bisects 1 failed
verdict 'a commit of which nothing was judged' bisects 125 'not judged'
verdict 'and one whose guest was not started' bisects 125 ''

mkdir "$work/tree"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
git -C "$work/tree" init -q
for commit in 1 2 3 4; do
    git -C "$work/tree" -c user.name=x -c user.email=x@example.org commit -q --allow-empty -m "$commit"
done
bisect() {
    cd "$work/tree" && git bisect start HEAD HEAD~3 &&
        git bisect run sh "$kit/rxe-harness/vm/bisect.sh" BUILD="$BUILD" -o "$BUILD/rpcrdma" -o deps-live
}
(bisect) >"$work/out" 2>&1
verdict 'a tree that is no kernel is no bad commit' not says 'is the first bad commit'
verdict 'what is wrong with it is said before a download' says "KERNEL=$work/tree: no package, no built tree of a kernel"
verdict 'nothing is downloaded for it' not says 'live: downloading'

# ---- two at once, and two kernels ----

mkdir -p "$BUILD/live"
exec 8>"$BUILD/live/lock"
flock -n 8
refused() { ! make --no-print-directory "$@" >"$work/out" 2>&1 8>&-; }
verdict 'a second one in the same folder is refused' refused live BUILD="$BUILD" KERNEL="$work/tree" -o "$BUILD/rpcrdma" -o deps-live
verdict 'and says so' says 'another make live works in'
exec 8>&-
verdict 'a comparison of nothing is refused' refused live-compare BUILD="$BUILD"
verdict 'and says what it takes' says 'live-compare takes BASE= and KERNEL='
verdict 'a folder without a peer is refused' refused live BUILD="$BUILD" PEER="$work/none" -o "$BUILD/rpcrdma" -o deps-live
verdict 'before a download' says "PEER=$work/none: no start, and no client"
verdict 'a tree that is not there is refused' refused kernel BUILD="$BUILD" TREE="$work/none" -o deps-kernel
verdict 'and says which' says "TREE=$work/none: no such folder"
rmdir "$BUILD/kernel" 2>/dev/null

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
