#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once:
# What `make live TRACE=` takes for equal (vm/equal.awk): what a capture or a trace has alone is excused where the end of the
# connection in the capture proves why, and nowhere else.
set -u

equal=rxe-harness/vm/equal.awk
AWK=${AWK:-awk}
passed=0 failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# file NAME MESSAGE...: a file of one connection of that name; c: from the client, s: from the server, end.
file() {
    name=$1
    shift
    for each; do
        case $each in
        c*) printf '%s\tclient\t%s\n' "$name" "${each#c}" ;;
        s*) printf '%s\tserver\t%s\n' "$name" "${each#s}" ;;
        *) printf '%s\tend\n' "$name" ;;
        esac
    done
}
# equals NAME STATUS SIDE SAYS: the comparison of capture and trace ends so, and says that.
equals() {
    $AWK -v name=it -v what=sends -v side="$3" -f "$equal" "$work/capture" "$work/trace" >"$work/out"
    if [ $? -eq "$2" ] && grep -qF -- "$4" "$work/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $1"
        cat "$work/out"
    fi
}

{ file A c00000001 s00000001 end && file B c00000002 s00000002; } >"$work/capture"
{ file y c00000002 s00000002 && file x c00000001 s00000001 end; } >"$work/trace"
equals 'the same' 0 server 'it: 4 and 4 sends, 4 equal'
equals 'the same of two traces' 0 '' '4 equal'

# At the end of a connection.
file A c00000001 s00000001 c00000002 c00000003 end >"$work/capture"
file x c00000001 s00000001 >"$work/trace"
equals 'not received any more' 0 server '2 in the capture alone, 0 in the trace'
equals 'of two traces nothing is excused' 1 '' '2 without a reason'
equals 'what the traced side sent is in its trace' 1 client 'only in the capture, client of A, 3 of 3'
file A c00000001 s00000001 end >"$work/capture"
file x c00000001 c00000002 s00000001 s00000002 >"$work/trace"
equals 'received, but on no wire' 1 server 'only in the trace, client of A, 2 of 2'
file x c00000001 s00000001 s00000002 >"$work/trace"
equals 'not sent any more' 0 server '0 in the capture alone, 1 in the trace'
file A c00000001 s00000001 'srdma-write 0 0x0 0' end >"$work/capture"
file x c00000001 s00000001 >"$work/trace"
equals 'the end of a queue' 0 server '1 in the capture alone, 0 in the trace'
equals 'the end of the queue of the other side' 0 client '1 in the capture alone'
sed -i '/end$/d' "$work/capture"
equals 'of a queue that goes on' 1 server 'server of A, 2 of 2, not ended: rdma-write 0 0x0 0'
file A c00000001 s00000001 'srdma-write 7 0x0 0' end >"$work/capture"
equals 'a Write of memory' 1 server 'server of A, 2 of 2: rdma-write 7 0x0 0'
file x c00000001 s00000001 s00000002 >"$work/trace"
file A c00000001 s00000001 end >"$work/capture"
equals 'the device of the other side sent it' 1 client 'only in the trace, server of A, 2 of 2'

# Elsewhere.
file A c00000001 s00000001 c00000002 >"$work/capture"
file x c00000001 s00000001 >"$work/trace"
equals 'it has not ended' 1 server 'client of A, 2 of 2, not ended: 00000002'
file A c00000001 c00000002 c00000003 s00000001 s00000003 end >"$work/capture"
file x c00000001 c00000003 s00000001 s00000003 >"$work/trace"
equals 'others were received after it' 1 server 'client of A, 2 of 3: 00000002'
file A c00000001 c00000002 s00000001 s00000002 end >"$work/capture"
file x c00000001 s00000001 s00000002 >"$work/trace"
equals 'it was answered' 1 server 'client of A, 2 of 2: 00000002'
file A c00000001 s00000001 s00000003 s00000004 s00000005 end >"$work/capture"
file x c00000001 s00000001 s00000002 s00000003 s00000004 s00000005 >"$work/trace"
equals 'each other thread was faster' 0 server '0 in the capture alone, 1 in the trace'
equals 'one of the other side, before others' 1 client 'only in the trace, server of A, 2 of 5'
file A c00000001 s00000001 s00000003 s00000004 s00000005 s00000006 end >"$work/capture"
file x c00000001 s00000001 s00000002 s00000003 s00000004 s00000005 s00000006 >"$work/trace"
equals 'more were sent after it than there are threads' 1 server 'server of A, 2 of 6: 00000002'
file A c00000001 c00000001 end >"$work/capture"
file x c00000001 c00000001 c00000001 >"$work/trace"
equals 'once more' 1 server 'only in the trace'
file A c00000001 s00000001 end >"$work/capture"
{ file x c00000001 s00000001 && file y c00000007; } >"$work/trace"
equals 'a connection that the capture has not' 1 server 'none that was captured, y, 1 of 1'
: >"$work/trace"
equals 'nothing at all' 1 server '0 equal'

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
