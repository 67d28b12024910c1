#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma"
# What `rpcrdma check` says besides the finding itself: the messages that prove it, the table by
# rule, what could not be checked; and the filters and statuses that go with it.
#
# usage: evidence_test.sh PATH_TO_RPCRDMA

# shellcheck source=conformance/tests/command/command.sh
. "$(dirname "$0")/command.sh"
cp "$recorded/linux-6.1-nfs42.pcap" nfs.pcap
cp "$recorded/linux-6.1-errors.pcap" errors.pcap
invalidate=rfc8797/4.1/plain-send-without-support
padding=rfc8166/3.4.6.2/room-for-padding

# ---- the first findings of each rule, and the table ----

try 1 check nfs.pcap
counts 3 "\\[$invalidate\\]"
counts 3 "\\[$padding\\]"
says "      70  violation  server  frame 45    frame 2240  $invalidate"
says "       4  warning    client  frame 630   frame 722   $padding"
says 'at fault: the server, 192.168.77.1: 70 violations of 1 rule'
says '68 more of these were not printed above'
try 1 check --all nfs.pcap
counts 70 "\\[$invalidate\\]"
says_not 'not printed above'
try 1 check --all --rule $invalidate nfs.pcap errors.pcap
says "      70  violation  server  nfs.pcap:frame 45    nfs.pcap:frame 2240  $invalidate"
try 1 check --json nfs.pcap
asks '[.[] | select(.kind == "event") | .findings[] | select(.rule == "'$invalidate'")] | length == 70'
asks '.[-1].rules | map(select(.rule == "'$invalidate'")) | .[0].count == 70 and .[0].from == "server"
    and .[0].first.frame == 45 and .[0].last.frame == 2240 and .[0].severity == "violation"'

# ---- who is at fault, in text, page and JSON ----

try 1 check --html fault.html errors.pcap
fault='the client, 192.168.77.2: 25 violations of 16 rules; the server, 192.168.77.1: 5 violations of 3 rules'
says "at fault: $fault"
verdict 'the page says so' grep -qF "<p><b>At fault:</b> $fault</p>" fault.html
try 0 check --rule rfc8166/3.3.1/grant-not-zero --html fault.html nfs.pcap
says_not 'at fault'
verdict 'a page without findings names no side' not grep -q 'At fault' fault.html
echo "$invalidate server *" >fault.known
try 0 check --known fault.known --html fault.html nfs.pcap
says ', 70 expected by fault.known'
verdict 'the page names the list' grep -qF ', 70 expected by <code>fault.known</code></p>' fault.html
try 0 check --known fault.known --json nfs.pcap
asks '.[-1] | .violations == 0 and .expected == 70'
try 1 check --json nfs.pcap
asks '.[-1] | has("expected") | not'

# ---- connections that there is nothing to say of ----

try 0 check --rule rfc8166/3.3.1/grant-not-zero nfs.pcap
says_not 'connection 192'
lines=$(wc -l <out)
verdict 'prints nothing but the totals' test "$lines" -le 12

# ---- evidence ----

try 1 check --rule $invalidate nfs.pcap
says 'time: 2026-11-20T22:55:19.746387000Z'
says 'call: Call in frame 42, 0.020186 s before'
says 'upper-layer: Reply to NFS version 4 COMPOUND: EXCHANGE_ID' # of a Long Reply, by its Call
says 'private-data: client: RPC-over-RDMA format version 1, R=1, sends up to 4096'
says 'private-data: server: RPC-over-RDMA format version 1, R=0, sends up to 4096'
says '(frame 35)'
says '(frame 36)'
says 'see: https://www.rfc-editor.org/rfc/rfc8797#section-4.1'
try 0 check --rule $padding nfs.pcap
says_not 'at fault'
says 'upper-layer: NFS version 4 COMPOUND: SEQUENCE, PUTFH, READ'
try 1 check --json --rule $invalidate nfs.pcap
asks 'map(select(.frame == 45)) | .[0].time == "2026-11-20T22:55:19.746387000Z" and
    (.[0].findings[0] | .section == "https://www.rfc-editor.org/rfc/rfc8797#section-4.1" and
    (.evidence | map(select(.what == "call")) | .[0].frame == 42) and
    (.evidence | map(select(.what == "private-data") | .frame) == [35, 36]))'

# Three Calls at one credit, each with the Call before it unanswered; a fourth with a used XID.
call() {
    printf '%08x000000010000000100000000000000000000000000000000' "$1"
    printf '%08x0000000000000002000186a300000004%08x00000000000000000000000000000000' "$1" "$2"
}
reply() {
    printf '%08x000000010000000100000000000000000000000000000000' "$1"
    printf '%08x0000000100000000000000000000000000000000' "$1"
}
cat >credits.json <<END
{"schema": "rpcrdma-vectors-v1", "protocol": "rpcrdma1", "title": "t", "tests": [
  {"id": "credits", "comment": "c", "events": [
    {"from": "client", "send": "$(call 1 0)"},
    {"from": "server", "send": "$(reply 1)"},
    {"from": "client", "send": "$(call 2 0)"},
    {"from": "client", "send": "$(call 3 0)"},
    {"from": "client", "send": "$(call 3 1)"}]},
  {"id": "first", "comment": "c", "events": [
    {"from": "client", "send": "$(call 1 0)"},
    {"from": "client", "send": "$(call 2 0)"}]}]}
END
try 1 check --rule rfc8166/3.3.1/calls-within-grant credits.json
says 'credits.json:credits:event 3: violation: '
says 'grant: 1 granted by the server in event 1 of credits'
says 'waiting: Calls of the client that wait for an answer: event 2 of credits'
says_not 'event 0 of credits'
try 0 check --rule rfc8166/2.2.2/xid-unique credits.json
says 'earlier-call: Call in event 3 of credits'
try 1 check --rule rfc8166/3.3.3/one-credit-at-first credits.json
says 'grant: no grant by the server was seen: one credit'
says 'that wait for an answer: event 0 of first'

# Many Calls wait: all of them are counted, the oldest named.
{
    echo '{"schema": "rpcrdma-vectors-v1", "protocol": "rpcrdma1", "title": "t", "tests": ['
    echo '  {"id": "many", "comment": "c", "events": ['
    echo "    {\"from\": \"client\", \"send\": \"$(call 1 0)\"},"
    echo "    {\"from\": \"server\", \"send\": \"$(reply 1)\"}"
    for xid in $(seq 2 31); do
        echo "    , {\"from\": \"client\", \"send\": \"$(call "$xid" 0)\"}"
    done
    echo '  ]}]}'
} >many.json
try 1 check --all --rule rfc8166/3.3.1/calls-within-grant many.json
counts 29 '^many.json:many:event [0-9]*: violation: '
tr -s '\n ' ' ' <out >out.line
holds out.line 'wait for an answer: event 2 of many, event 3 of many, event 4 of many, event 5 of many and 25 more'

# An RDMA Write into memory that no Call offers.
cat >write.json <<END
{"schema": "rpcrdma-vectors-v1", "protocol": "rpcrdma1", "title": "t", "tests": [
  {"id": "write", "comment": "c", "events": [
    {"from": "client", "send": "$(call 1 0)"},
    {"from": "server", "rdmaWrite": {"handle": 7, "offset": "0x0", "data": "00000000"}}]}]}
END
try 1 check write.json
says 'write.json:write:event 1: '
says 'waiting: Calls of the client that wait for an answer: event 0 of write'
# Memory that the client refuses serves its own Calls.
cat >refused.json <<END
{"schema": "rpcrdma-vectors-v1", "protocol": "rpcrdma1", "title": "t", "tests": [
  {"id": "refused", "comment": "c", "events": [
    {"from": "client", "send": "$(printf '%08x' 1 1 32 0 1 40 10 100 0 1000 0 0 0 1 0 2 100003 4 0 0 0 0 0)"},
    {"from": "client", "refused": {"operation": "read", "handle": 10, "offset": "0x3e8", "length": 100}}]}]}
END
try 0 check refused.json
says 'refused.json:refused:event 1: '
says 'waiting: Calls of the client that wait for an answer: event 0 of refused'
try 1 check --json credits.json
asks 'map(.findings? // [] | .[] | select(.rule == "rfc8166/3.3.1/calls-within-grant")) | .[0].evidence |
    map(select(.what == "grant")) | .[0].event == 1 and .[0].frame == null'

# ---- filters ----

try 0 check --side client nfs.pcap
counts 3 "\\[$padding\\]"
says_not "$invalidate"
try 1 check --side server nfs.pcap
says "$invalidate"
says_not "$padding"
try 2 check --side server credits.json credits.json --connection first
complains 'there is no event of the server'
try 2 check --connection 1.2.3.4:0x1-1.2.3.4:0x2 nfs.pcap
complains "no connection is named '1.2.3.4:0x1-1.2.3.4:0x2'; there are 192.168.77.2:0x11-192.168.77.1:0x11"
try 3 check --connection first nowhere credits.json
try 1 check --connection 192.168.77.2:0x37-192.168.77.1:0x37 errors.pcap
says '1 file, 1 connection, '

# ---- which findings make the status 1 ----

try 0 check --rule $padding nfs.pcap
try 1 check --rule $padding --fail-on warning nfs.pcap
try 1 check --rule $padding --fail-on note nfs.pcap
try 0 check --rule rfc8166/4.3.2/write-list-not-needed --fail-on warning errors.pcap
try 1 check --rule rfc8166/4.3.2/write-list-not-needed --fail-on note errors.pcap
try 2 check --fail-on error nfs.pcap
complains "takes violation, warning or note, not 'error'"

# ---- what could not be checked ----

# without_frame N FILE: the little-endian pcap FILE without its frame N.
# clipped OCTETS FILE: of each frame no more than that.
cat >pcap.py <<'END'
import struct, sys
what, number, name = sys.argv[1], int(sys.argv[2]), sys.argv[3]
data = open(name, "rb").read()
out, at, frame = data[:24], 24, 0
while at + 16 <= len(data):
    seconds, fraction, size, wire = struct.unpack_from("<IIII", data, at)
    octets = data[at + 16:at + 16 + size]
    at += 16 + size
    frame += 1
    if what == "without" and frame == number:
        continue
    if what == "clipped":
        octets = octets[:number]
    out += struct.pack("<IIII", seconds, fraction, len(octets), wire) + octets
sys.stdout.buffer.write(out)
END
python3 pcap.py without 45 nfs.pcap >gap.pcap
python3 pcap.py clipped 300 nfs.pcap >clipped.pcap
connection=192.168.77.2:0x11-192.168.77.1:0x11
try 0 check --rule rfc8166/3.3.1/grant-not-zero gap.pcap
says "connection $connection"
says '    1 message could not be checked: packets are missing (frame '
says '; not checked: 1 lost'
try 1 check --rule rfc8166/3.3.1/grant-not-zero --strict gap.pcap
try 0 check --rule rfc8166/3.3.1/grant-not-zero --strict nfs.pcap
says_not 'not checked'
# What is missing of a connection that was not asked for.
try 0 check --rule rfc8166/3.3.1/grant-not-zero --strict --connection 192.168.77.2:0x13 gap.pcap errors.pcap
says_not 'not checked'
try 0 check --json --rule rfc8166/3.3.1/grant-not-zero gap.pcap
asks '.[-1] | .lost == 1 and .cut == 0 and .unread == 0 and (.missed[0] | .kind == "lost" and
    .count == 1 and .connection == "'$connection'" and .reason == "packets are missing" and .frame > 0)'
try 1 check --json --strict --rule rfc8166/3.3.1/grant-not-zero gap.pcap
try 0 check --rule rfc8166/3.3.1/grant-not-zero clipped.pcap
says 'messages could be checked in part only: the capture has only their beginnings; tcpdump and dumpcap record all with -s 0 (first: frame '
try 0 check --json --rule rfc8166/3.3.1/grant-not-zero clipped.pcap
asks '.[-1] | .cut > 100 and .lost == 0'
try 1 check --strict --rule rfc8166/3.3.1/grant-not-zero clipped.pcap

# A connection with nothing else seen: the first packets of two Sends.
cat >lone.py <<'END'
import struct
def frame(psn, opcode):
    payload = struct.pack(">IIII", 7, 1, 32, 0) + b"\0" * 1008
    bth = struct.pack(">BBHII", opcode, 0, 0xffff, 0x11, psn)
    udp = struct.pack(">HHHH", 49152, 4791, 8 + len(bth) + len(payload) + 4, 0) + bth + payload + b"\0" * 4
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0, b"\xc0\0\2\1", b"\xc0\0\2\2")
    return b"\2\0\0\0\0\1\2\0\0\0\0\2\x08\0" + ip + udp
out = struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1)
for number, (psn, opcode) in enumerate(((1, 0), (5, 0))):
    octets = frame(psn, opcode)
    out += struct.pack("<IIII", 1, number, len(octets), len(octets)) + octets
open("lone.pcap", "wb").write(out)
END
python3 lone.py
try 1 check --all-qp lone.pcap
says 'connection 192.0.2.1:?-192.0.2.2:0x11: '
says ' messages could not be checked: packets are missing (first: frame 2)'
complains 'nothing was checked'

# ---- a bit that was lost on the way ----

# The type of a Call's header, frame 105, becomes 4: the invariant CRC says that nobody sent that.
roce=$recorded/linux-6.1-work-roce.pcap
try 1 check --all "$roce"
sed -n 's/.*: violation: .*\[/[/p' out | sort >unharmed
{ head -c 18397 "$roce" && printf '\004' && tail -c +18399 "$roce"; } >harmed.pcap
try 1 check --all harmed.pcap
says '1 frame could not be read: RDMA packets whose invariant CRC is wrong (frame 105)'
sed -n 's/.*: violation: .*\[/[/p' out | sort >harmed
verdict 'no peer is accused by it' cmp harmed unharmed
# Where no CRC is right, as in captures that were made without, none is looked at. The first would be right with another
# identification of its IPv4 header, as one of 65,536 is by chance.
python3 - "$roce" <<'END' >without.pcap
import struct, sys
octets = bytearray(open(sys.argv[1], 'rb').read())
at = 24
while at < len(octets):
    size, = struct.unpack_from('<I', octets, at + 8)
    frame = at + 16
    if octets[frame + 23] == 17:
        end = frame + 14 + struct.unpack_from('>H', octets, frame + 16)[0]
        if at == 24:
            octets[frame + 19] ^= 1
        else:
            octets[end - 4:end] = b'none'
    at = frame + size
sys.stdout.buffer.write(octets)
END
try 1 check --all without.pcap
says_not 'invariant CRC'
sed -n 's/.*: violation: .*\[/[/p' out | sort >without
verdict 'all are read' cmp without unharmed

finish
