#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check: "$BUILD/rpcrdma"
# needs: editcap
# `rpcrdma decode`: its filters, and what is printed of events that are not Sends.
#
# usage: decode_test.sh PATH_TO_RPCRDMA

# shellcheck source=conformance/tests/command/command.sh
. "$(dirname "$0")/command.sh"
cp "$recorded/linux-6.1-nfs42.pcap" nfs.pcap
head_line='^nfs.pcap:frame [0-9]*: '

# ---- all of a capture: what check sees is what decode prints ----

try 0 decode nfs.pcap
counts 700 "${head_line}Send of "
counts 2 "${head_line}private data of "
counts 30 "${head_line}RDMA Read of "
counts 132 "${head_line}RDMA Write of "
counts 1 "${head_line}disconnect from "
try 0 decode --json nfs.pcap
"$rpcrdma" check --json nfs.pcap | jq -r 'select(.kind == "event") | "\(.frame) \(.type) \(.from)"' >events
jq -r '"\(.frame) \(.kind) \(.from)"' out >decoded
verdict 'has the events of check' cmp events decoded
asks 'map(select(.kind == "rdma-write")) | all(.handle > 0 and (.offset | startswith("0x")) and .length > 0)'

what='octets of RDMA Writes that were not captured'
editcap -s 120 nfs.pcap cut.pcap
octets='map(select(.kind == "rdma-write") | .length + (.missing // 0)) | add'
verdict 'complete the others' test "$(jq -s "$octets" out)" -eq \
    "$("$rpcrdma" decode --json cut.pcap | tee cut | jq -s "$octets")"
verdict 'are counted' grep -q '"length":50,.*"missing":50}' cut

# ---- private data ----

try 0 decode --frame 35-36 nfs.pcap
says 'frame 35: private data of 56 octets: RPC-over-RDMA format version 1, R=1, sends up to 4096 octets, receives up to 4096; from client'
says 'frame 36: private data of 196 octets: RPC-over-RDMA format version 1, R=0'
says '    f6ab0e18 01010303 00000000'
counts 2 "$head_line"
try 0 decode --json --frame 36 nfs.pcap
asks 'length == 1 and .[0].message.remoteInvalidation == false and .[0].message.sendSize == 4096 and
    (.[0].octets | startswith("f6ab0e1801000303")) and (.[0].octets | length) == 392'
cat >private.json <<'END'
{"schema": "rpcrdma-vectors-v1", "protocol": "rpcrdma1", "title": "t", "tests": [
  {"id": "other", "comment": "c", "events": [{"from": "client", "privateData": "01020304"}]},
  {"id": "short", "comment": "c", "events": [{"from": "client", "privateData": "f6ab0e1801"}]},
  {"id": "version", "comment": "c", "events": [{"from": "client", "privateData": "f6ab0e1802000303"}]},
  {"id": "none", "comment": "c", "events": [{"from": "server", "privateData": ""}]}]}
END
try 0 decode private.json
says 'private.json:other:event 0: private data of 4 octets: no RPC-over-RDMA message in 4 octets'
says 'an RPC-over-RDMA message at octet 0 that is cut off'
says 'an RPC-over-RDMA message of unknown format version 2'
says 'private data of 0 octets: no RPC-over-RDMA message in 0 octets; from server'
try 0 decode --json private.json
asks 'length == 4 and all(.[]; .kind == "private-data" and .message == null)'
cat >sizes.json <<'END'
{"schema": "rpcrdma-vectors-v1", "protocol": "rpcrdma1", "title": "t", "tests": [
  {"id": "sizes", "comment": "c", "events": [{"from": "client", "privateData": "00f6ab0e1801010103"}]}]}
END
try 0 decode sizes.json
says 'R=1, sends up to 2048 octets, receives up to 4096; from client'
try 0 decode --json sizes.json
asks '.[0].message == {offset: 1, version: 1, remoteInvalidation: true, sendSize: 2048, receiveSize: 4096}'

# ---- what was not seen ----

cat >gap.json <<'END'
{"schema": "rpcrdma-vectors-v1", "protocol": "rpcrdma1", "title": "t", "tests": [
  {"id": "lost", "comment": "c", "events": [{"from": "client", "privateData": "01020304"},
    {"from": "client", "gap": "a Call was lost"}, {"from": "server", "privateData": "01020304"}]}]}
END
try 0 decode gap.json
says 'gap.json:lost:event 1: shows that something before it was not seen, in either direction'
try 0 decode --json gap.json
asks '.[1] == {"kind": "gap", "file": "gap.json", "test": "lost", "event": 1}'
cp "$recorded/../../conformance/tests/data/cases/json-silent-about-loss.pcap" loss.pcap
try 0 decode --json loss.pcap
asks 'map(.kind) == ["send", "send", "gap", "send", "send"]'
shown=$(jq 'select(.kind == "gap") | .frame' out)
what='the frame that shows the gap'
verdict 'is the one that check names' test "$shown" -eq "$("$rpcrdma" check --json loss.pcap | tail -n 1 |
    jq '.missed[] | select(.kind == "lost") | .frame')"
try 0 decode --json --frame "$shown" loss.pcap
asks 'map(.kind) == ["gap"]'

# ---- what is neither a Send nor a transfer ----

cat >other.json <<'END'
{"schema": "rpcrdma-vectors-v1", "protocol": "rpcrdma1", "title": "t", "tests": [
  {"id": "o", "comment": "c", "events": [
    {"from": "client", "registered": {"access": "read", "handle": 7, "offset": "0x10", "length": 12}},
    {"from": "client", "registered": {"access": "write", "handle": 8, "offset": "0x10", "length": 12}},
    {"from": "server", "registered": {"access": "both", "handle": 9, "offset": "0x0", "length": 1}},
    {"from": "client", "refused": {"operation": "read", "handle": 7, "offset": "0x10", "length": 12}},
    {"from": "client", "refused": {"operation": "write", "handle": 8, "offset": "0x1f", "length": 3}},
    {"from": "server", "notReady": 3},
    {"from": "server", "atomic": {"handle": 8, "offset": "0x10", "data": "0000000000000001"}},
    {"from": "client", "invalidated": 7}, {"from": "client", "completed": 11}, {"from": "server", "gap": "x"},
    {"from": "server", "disconnect": true}]}]}
END
try 0 decode other.json
grep . out | sed 's/^other.json:o:event //' >said
cat >wanted <<'END'
0: registration (read) of 12 octets, handle 0x00000007, offset 0x10 from client
1: registration (write) of 12 octets, handle 0x00000008, offset 0x10 from client
2: registration (both) of 1 octets, handle 0x00000009, offset 0x0 from server
3: refused RDMA Read of 12 octets, handle 0x00000007, offset 0x10 from client
4: refused RDMA Write of 3 octets, handle 0x00000008, offset 0x1f from client
5: RNR NAK: no receive buffer for a Send from server
6: atomic operation, handle 0x00000008, offset 0x10 from server
7: invalidation, handle 0x00000007 from client
8: completion, XID 0x0000000b from client
9: shows that something before it was not seen, in either direction
10: disconnect from server
END
verdict 'says what each is' cmp said wanted
try 0 decode --json other.json
jq -c 'del(.file, .test, .event)' out >said
cat >wanted <<'END'
{"kind":"registered","from":"client","length":12,"handle":7,"offset":"0x10","access":"read"}
{"kind":"registered","from":"client","length":12,"handle":8,"offset":"0x10","access":"write"}
{"kind":"registered","from":"server","length":1,"handle":9,"offset":"0x0","access":"both"}
{"kind":"refused","from":"client","length":12,"handle":7,"offset":"0x10","operation":"read"}
{"kind":"refused","from":"client","length":3,"handle":8,"offset":"0x1f","operation":"write"}
{"kind":"not-ready","from":"server","length":0}
{"kind":"atomic","from":"server","length":8,"handle":8,"offset":"0x10"}
{"kind":"invalidated","from":"client","length":0,"handle":7}
{"kind":"completed","from":"client","length":0,"xid":11}
{"kind":"gap"}
{"kind":"disconnect","from":"server","length":0}
END
verdict 'has what each is' cmp said wanted
asks 'map(.event) == [range(11)] and all(.[]; .file == "other.json" and .test == "o")'
try 0 decode --ladder other.json
sed -n 's/^ event [0-9]* *|//p' out | sed 's/ *|*$//; s/ *\.*>*$//; s/=*$//; s/^<*[.=]* *//; s/^ *//; s/ $//' >said
cat >wanted <<'END'
client registers 12 octets, 0x00000007
client registers 12 octets, 0x00000008
server registers 1 octets, 0x00000009
refused: RDMA Read 12 octets, 0x00000007
refused: RDMA Write 3 octets, 0x00000008
not ready: no receive buffer
atomic, 0x00000008
client invalidates 0x00000007
client: RPC 0x0000000b is over
something was not seen
disconnect
END
verdict 'has a row for each' cmp said wanted
says '^ warning: rfc8166/4.5.3/only-read-and-write'

# ---- a frame that completes nothing ----

try 2 decode --frame 46 nfs.pcap
complains 'no message or operation ends in this frame: it is an acknowledgement; the nearest that do are frame 45 (send from server) and frame 48 (send from client)'
try 2 decode --ladder --frame 1-3 nfs.pcap
complains 'ends in these frames; the nearest that does is frame 35 (private-data from client)'
try 2 decode --frame 9999 nfs.pcap
complains 'the capture has 2501 frames'
lines err 2

# ---- filters ----

try 0 decode --frame 42 nfs.pcap
counts 1 "$head_line"
says 'NFS version 4 COMPOUND: EXCHANGE_ID'
try 0 decode --frame 45 nfs.pcap
says 'Reply to NFS version 4 COMPOUND' # its Call was read, though not printed
try 0 decode --xid 0x316fb858 nfs.pcap
counts 2 "${head_line}Send of "
counts 2 "$head_line"
try 0 decode --xid 829405272 nfs.pcap
counts 2 "${head_line}Send of "
try 0 decode --rule rfc8166/3.4.6.2/room-for-padding nfs.pcap
counts 4 "$head_line"
counts 4 '^>      32  '
says '^^^^^^^^ the Write chunk has room for 4103 octets, padding included; the result has up to 4099'
try 0 decode --rule rfc8166/3.4.6.2/room-for-padding --frame 640 nfs.pcap
counts 1 "$head_line"
try 0 decode --connection 192.168.77.2:0x11-192.168.77.1:0x11 --frame 38-40 nfs.pcap
counts 2 "$head_line"
try 0 decode --connection short private.json
says 'private.json:short'
says_not 'private.json:other'

# ---- filters that nothing matches, and that are no filters ----

for filter in '--xid 1' '--connection nobody' '--rule rfc8166/4.6.2/done-not-sent' \
    '--frame 42 --xid 1'; do
    # shellcheck disable=SC2086 # words are to be split
    try 2 decode $filter nfs.pcap
    complains 'nothing in the files matches the filters'
    verdict 'prints nothing' test ! -s out
done
try 3 decode --xid 1 nowhere nfs.pcap
for wrong in frame=0 frame=x frame=5-4 frame=5- frame=-5 frame=5-6x xid=x xid=-1 xid=0x100000000 xid= rule=rfc9999; do
    try 2 decode "--$wrong" nfs.pcap
    verdict 'complains in two lines' test "$(wc -l <err)" -eq 2
done

finish
