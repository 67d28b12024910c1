#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma"
# needs: tshark
# Every Send of the vectors whose header decodes, told by tshark's dissector and by our decoder:
# XID, version, credits, procedure, and the words of every segment, in order, are the same.
#
# usage: dissector_test.sh PATH_TO_RPCRDMA
set -u

[ $# -eq 1 ] || { echo "usage: $0 PATH_TO_RPCRDMA" >&2; exit 2; }
here=$(dirname "$0")
vectors=$here/..
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
# Procedures and errors by the numbers that tshark prints.
# shellcheck disable=SC2016 # jq's own
ours='
def leaf: .path | split(".") | last;
def each($name): [.fields[] | select(leaf == $name) | .value | tostring] | join(",");
select(.kind == "send" and .headerLength != null and .header.rdma_vers == 1) |
[.header.rdma_xid, 1, .header.rdma_credit,
 ({RDMA_MSG: 0, RDMA_NOMSG: 1, RDMA_MSGP: 2, RDMA_DONE: 3, RDMA_ERROR: 4}[.header.rdma_body.proc]),
 each("position"), each("handle"), each("length"), each("offset")] | map(tostring) | join("|")'

# Numbers, however they are written, in decimal.
numbers() {
    python3 -c '
import sys
for line in sys.stdin:
    columns = line.rstrip("\n").split("|")
    print(" | ".join(",".join(str(int(word, 0)) for word in c.split(",") if word) for c in columns))
'
}

# The Sends of all files in one capture: tshark is slow to start. `which` has file, test and event of each.
: >"$dir/octets"
for file in "$vectors"/*.json "$vectors"/recorded/*.json; do
    case $file in *.schema.json) continue ;; esac
    name=${file##*/}
    "$1" decode --json "$file" >"$dir/decoded" 2>/dev/null
    jq -r "$ours" "$dir/decoded" >>"$dir/words"
    # The octets of the same Sends: by test and event.
    jq -r 'select(.kind == "send" and .headerLength != null and .header.rdma_vers == 1) |
        "\(.test) \(.event)"' "$dir/decoded" >"$dir/wanted"
    sed "s|^|$name |" "$dir/wanted" >>"$dir/which"
    echo "$name" >>"$dir/names"
    jq -r '.tests[] | .id as $id | .events | to_entries[] | select(.value.send) |
        "\($id) \(.key) \(.value.send | gsub("[ \n]"; ""))"' "$file" |
        awk 'FNR == NR { wanted[$1, $2]; next } ($1, $2) in wanted { print $3 }' "$dir/wanted" - >>"$dir/octets"
done
numbers <"$dir/words" >"$dir/ours"
python3 "$here/frames.py" <"$dir/octets" >"$dir/frames.pcap"
tshark -r "$dir/frames.pcap" -T fields -E separator='|' -e rpcordma.xid -e rpcordma.version \
    -e rpcordma.flow_control -e rpcordma.msg_type -e rpcordma.position -e rpcordma.rdma_handle \
    -e rpcordma.rdma_length -e rpcordma.rdma_offset 2>/dev/null |
    numbers >"$dir/theirs"

while read -r name; do
    # What tshark does not take for RPC-over-RDMA it says nothing of: an empty line.
    awk -v theirs="$dir/theirs" -v which="$dir/which" -v name="$name" '
        { read = (getline it <theirs); getline id <which }
        index(id, name " ") != 1 { next }
        { sends++; sub(/^[^ ]* /, "", id) }
        read <= 0 { print name ": " id ": a Send that tshark lacks"; other++; next }
        it ~ /^[ |]*$/ { silent++; next }
        it == $0 { same++; next }
        { print name ": " id ":\n    tshark: " it "\n    ours:   " $0; other++ }
        END { printf "%s: %d Sends, %d the same, %d not recognised\n", name, sends, same, silent
              exit other > 0 }' "$dir/ours" >"$dir/said"
    good=$?
    cat "$dir/said"
    if [ "$good" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    tail -n 1 "$dir/said" >>"$dir/sums"
done <"$dir/names"
# A dissector that recognised nothing would agree with anything.
if awk '{ sends += $2; same += $4 } END { exit !(sends > 0 && same > sends * 0.8) }' "$dir/sums"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo 'tshark recognised too few'
fi
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
