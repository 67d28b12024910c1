#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma"
# `rpcrdma decode` names what its Sends are about and what their chunks hold. Each chunk of the
# recorded traffic has its operation and item.
#
# usage: items_test.sh RPCRDMA
set -u

rpcrdma=$1
capture=vectors/recorded/linux-6.1-nfs42.pcap
passed=0 failed=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# verdict NAME EXPECTED GOT
verdict() {
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'not ok: %s\n  expected: %s\n  got:      %s\n' "$1" "$2" "$3"
    fi
}

"$rpcrdma" decode "$capture" >"$tmp/text" || exit 1
"$rpcrdma" decode --json "$capture" >"$tmp/json" || exit 1

# The lines between the heading of the frame's Send and its table, joined by slashes.
about() {
    awk -v frame=":frame $1:" '
        index($0, frame) { on = 1; next }
        on && /^ *offset / { exit }
        on { printf "%s%s", sep, $0; sep = " / " }' "$tmp/text"
}

verdict 'a link that is out' \
    'NFS version 4 COMPOUND: SEQUENCE, PUTFH, CREATE, GETFH, GETATTR / Read chunk at Position 152: CREATE link, 3900 octets' \
    "$(about "$(sed -n 's/.*"frame":\([0-9]*\),.*"item":"CREATE link","length":3900.*/\1/p' "$tmp/json")")"
verdict 'a READ' \
    'NFS version 4 COMPOUND: SEQUENCE, PUTFH, READ / Write chunk 0: READ data, room for 4103 octets' \
    "$(about 630)"
verdict 'the Reply to it' \
    'Reply to NFS version 4 COMPOUND: SEQUENCE, PUTFH, READ / Write chunk 0: READ data, 4099 octets' \
    "$(about 637)"

# items KIND FROM: how many chunks of the kind hold which item
items() {
    grep "\"from\":\"$2\"" "$tmp/json" | grep -o "{\"kind\":\"$1\"[^}]*}" |
        sed 's/.*"item":"*\([^",]*\).*/\1/' | sort | uniq -c | awk '{ $1 = $1; printf "%s%s", sep, $0; sep = ", " }'
}
verdict 'Read chunks of Calls' '2 CREATE link, 4 RPC message, 11 WRITE data' "$(items read client)"
verdict 'Write chunks of Calls' '16 READ data' "$(items write client)"
verdict 'Write chunks of Replies' '16 READ data' "$(items write server)"
verdict 'Read chunks of Replies' '' "$(items read server)"
verdict 'Reply chunks of Calls' '68 RPC message' "$(items reply client)"

verdict 'Calls whose arguments are elsewhere have no program' 4 \
    "$(grep '"from":"client"' "$tmp/json" | grep -c '"upper":null')"
verdict 'operations of RFC 8276 in Calls' 16 \
    "$(grep -cE '^NFS version 4 COMPOUND: .*, (GET|SET|LIST|REMOVE)XATTRS?$' "$tmp/text")"
verdict 'operations that are not known' 0 \
    "$(grep -c '^NFS version 4 COMPOUND: .*, \.\.\.$' "$tmp/text")"

# A Call without its item, by itself: WRITE of 4 octets, and what a damaged list leaves.
header='00000007 00000001 00000020 00000000'
call='00000007 00000000 00000002 000186a3 00000003 00000007 00000000 00000000 00000000 00000000'
write='00000004 66696c65 00000000 00000000 00000004 00000000 00000004'
reads='00000001 00000044 0000000a 00000004 00000000 00000000'
echo "$header $reads 00000000 00000000 00000000 $call $write" >"$tmp/write.hex"
"$rpcrdma" decode "$tmp/write.hex" >"$tmp/text"
verdict 'a WRITE of version 3' \
    'NFS version 3 WRITE / Read chunk at Position 68: WRITE data, 4 octets' \
    "$(sed -n '2,3p' "$tmp/text" | awk '{ printf "%s%s", sep, $0; sep = " / " }')"
echo "$header 00000001 00000044 0000000a" >"$tmp/cut.hex"
"$rpcrdma" decode --json "$tmp/cut.hex" >"$tmp/json"
verdict 'a list that ends too soon' 1 "$(grep -c '"upper":null,"chunks":\[\]}$' "$tmp/json")"

# RPCSEC_GSS hides arguments and results, but in service 1: a READ of version 3 of 4 octets, and a Reply that says the same of
# its Write chunk. about_gss PROCEDURE SERVICE
about_gss() {
    list='00000000 00000001 00000001 0000000b 00000004 00000000 00000000 00000000 00000000'
    call="00000007 00000000 00000002 000186a3 00000003 00000006 00000006 00000014 00000001 $1 00000001 $2 00000000"
    read='00000006 00000000 00000004 66696c65 00000000 00000000 00000004'
    reply='00000007 00000001 00000000 00000006 00000000 00000000 00000000 00000000 00000004 00000001 00000004'
    printf '{"schema":"rpcrdma-vectors-v1","protocol":"rpcrdma1","title":"t","tests":[{"id":"t","comment":"c","events":[%s,%s]}]}' \
        "{\"from\":\"client\",\"send\":\"$header $list $call $read\"}" \
        "{\"from\":\"server\",\"send\":\"$header $list $reply\"}" >"$tmp/gss.json"
    "$rpcrdma" decode "$tmp/gss.json" | awk '/NFS version/ { on = 1 } /^ *offset / { on = 0 } on { printf "%s%s", sep, $0; sep = " / " }'
}
verdict 'RPCSEC_GSS that authenticates' \
    'NFS version 3 READ / Write chunk 0: READ data, room for 4 octets / Reply to NFS version 3 READ / Write chunk 0: READ data, 4 octets' \
    "$(about_gss 00000000 00000001)"
for hidden in '00000000 00000002' '00000000 00000003' '00000000 00000005' '00000003 00000001'; do
    # shellcheck disable=SC2086 # words
    verdict "RPCSEC_GSS, procedure and service $hidden" \
        'NFS version 3 READ / Write chunk 0: room for 4 octets / Reply to NFS version 3 READ / Write chunk 0: 4 octets' \
        "$(about_gss $hidden)"
done

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
