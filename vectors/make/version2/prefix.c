// SPDX-License-Identifier: BSD-3-Clause
/* -07: the prefix, the header types, and where a header ends. */
#include "vectors/make/version2/version2.h"

/* A table of its own: each type's smallest message. */
static const struct vector prefix_vectors[] = {
    {
        .id = "07-null-inline",
        .comment = "A NULL Call and its Reply, each in one Send. The header ends before the RPC "
                   "message, whose first word the XDR counts too.",
        .flags = "conforming near-miss",
        .near_miss = "7.2/xdr-encoded 6.1/type-defined 7.2/xid-equal 3.1.3/direction-of-type "
                     "4.3/one-send-at-first",
        .events = {EXCHANGE_07},
    },
    {
        .id = "07-prefix-of-12-octets",
        .comment = "The header type is missing. Too short for an answer: dropped.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> raw | 0x2f0c0001 2 33", "V:7/minimal-header@12 length:- discard"}},
    },
    {
        .id = "07-prefix-of-15-octets",
        .comment = "One octet short of the prefix. The text says 20, but the prefix that it "
                   "describes has 16.",
        .flags = "broken",
        .events = {EXCHANGE_07, {"> grant cut:15", "V:7/minimal-header@12 length:- discard"}},
    },
    {
        .id = "07-grant-of-16-octets",
        .comment = "A grant is a prefix and nothing else: the shortest message of version 2.",
        .flags = "near-miss",
        .near_miss = "7/minimal-header 6.3.2/grant-xid-zero 6.1/ends-with-header",
        .events = {EXCHANGE_07, {"< grant", NULL}},
    },
    {
        .id = "07-grant-of-20-octets",
        .comment = "A word after the prefix of a grant, perhaps for the 20 octets of section 7.",
        .flags = "broken",
        .events = {EXCHANGE_07, {"< grant | 0", "W:6.1/ends-with-header@16 process err-bad-xdr"}},
    },
    {
        .id = "07-grant-of-20-octets-refused",
        .comment = "Who cannot read the octets after a grant says so, with its XID.",
        .flags = "near-miss",
        .near_miss = "7/error-without-message",
        .events = {EXCHANGE_07,
                   {"> grant | 0", "W:6.1/ends-with-header@16 process err-bad-xdr"},
                   {"< error2:2 xid:0", "terminate"}},
    },
    {
        .id = "07-grant-with-xid",
        .comment = "A grant belongs to no transaction, and this one names one.",
        .flags = "broken",
        .events = {EXCHANGE_07, {"< grant xid:7", "V:6.3.2/grant-xid-zero@0 process"}},
    },
    {
        .id = "07-type-0",
        .comment = "RDMA_MSG of version 1, which version 2 of this draft does not have.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> type:0:0:0:0:0 | call", "V:6.1/type-defined@12 length:- err-inval-htype"}},
    },
    {
        .id = "07-type-1",
        .comment = "RDMA_NOMSG of version 1.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> type:1:0:0:0", "V:6.1/type-defined@12 length:- err-inval-htype"}},
    },
    {
        .id = "07-type-2",
        .comment = "RDMA_MSGP of version 1.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> type:2:0:0:0:0 | call", "V:6.1/type-defined@12 length:- err-inval-htype"}},
    },
    {
        .id = "07-type-3-is-no-done",
        .comment = "RDMA_DONE was dropped by receivers of version 1. In version 2 it is a type "
                   "that does not exist; 16 to 19 octets may also be dropped.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> type:3", "V:6.1/type-defined@12 length:- err-inval-htype discard"}},
    },
    {
        .id = "07-type-14",
        .comment = "The first type that the draft leaves to extensions. A sender may try whether "
                   "its peer knows one.",
        .flags = "broken",
        .events = {EXCHANGE_07, {"> type:14:0", "W:6.1/type-defined@12 length:- err-inval-htype"}},
    },
    {
        .id = "07-type-13-is-the-last",
        .comment = "A Reply, the highest type that is defined.",
        .flags = "near-miss",
        .near_miss = "6.1/type-defined",
        .events = {{"> call-inline | call", NULL}, {"< reply-inline | accepted", NULL}},
    },
    {
        .id = "07-type-ffffffff",
        .comment = "The highest number of a type. A table of types indexed by it reads elsewhere.",
        .flags = "broken hostile",
        .events = {EXCHANGE_07,
                   {"> type:0xffffffff:0", "W:6.1/type-defined@12 length:- err-inval-htype"}},
    },
    {
        .id = "07-inline-without-payload",
        .comment = "The header of a Call, and no RPC message: its first word belongs to the XDR.",
        .flags = "broken",
        .events = {EXCHANGE_07, {"> call-inline", "V:7.2/xdr-encoded@32 length:- err-bad-xdr"}},
    },
    {
        .id = "07-inline-of-3-octets",
        .comment = "Three octets of RPC message: less than its first word.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> call-inline | +3", "V:7.2/xdr-encoded@32 length:- err-bad-xdr"}},
    },
    {
        .id = "07-middle-without-payload",
        .comment = "A piece that brings nothing.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> call-middle:64", "V:7.2/xdr-encoded@20 length:- err-bad-xdr "
                                        "err-inval-cont"}},
    },
    {
        .id = "07-presence-word-2",
        .comment = "What says whether a Read list goes on is neither 0 nor 1.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> call-inline | call @20=2", "V:7.2/xdr-encoded@20 length:- err-bad-xdr"}},
    },
    {
        .id = "07-write-chunk-of-many-segments",
        .comment = "A Write chunk that claims 2^28 segments, in 64 octets.",
        .flags = "broken hostile",
        .events = {EXCHANGE_07,
                   {"> call-inline write: | call @28=0x10000000",
                    "V:7.2/xdr-encoded@28 length:- err-bad-xdr"}},
    },
    {
        .id = "07-reply-without-payload",
        .comment = "A Reply's header and nothing after it. A Requester does not answer it.",
        .flags = "broken to-requester",
        .events = {{"> call-inline | call", NULL},
                   {"< reply-inline", "V:7.2/xdr-encoded@20 length:- discard terminate"}},
    },
    {
        .id = "07-external-with-octets-after",
        .comment = "The Call is in its Call chunk, and four octets follow the header.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> call-external call:0:0xd1/48/0x5000 | *1",
                    "W:6.1/ends-with-header@60 process err-bad-xdr"}},
    },
    {
        .id = "07-error-with-octets-after",
        .comment = "BAD_XDR ends with its code.",
        .flags = "broken to-requester",
        .events = {{"> call-inline | call", NULL},
                   {"< error2:2 | 0", "W:6.1/ends-with-header@20 terminate discard"}},
    },
    {
        .id = "07-properties-with-octets-after",
        .comment = "A property message ends with its last property.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> connprop-final property:2:4096 | 0",
                    "W:6.1/ends-with-header@32 process err-bad-xdr"}},
    },
    {
        .id = "07-call-in-reply-type",
        .comment = "The RPC message is a Call, and the header type is that of a Reply.",
        .flags = "broken",
        .events = {{"> call-inline | call", NULL},
                   {"< reply-inline | call", "V:3.1.3/direction-of-type@24 err-bad-xdr discard"}},
    },
    {
        .id = "07-reply-in-call-type",
        .comment = "The RPC message is a Reply, and the header type is that of a Call.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> call-inline | accepted",
                    "V:3.1.3/direction-of-type@36 err-bad-xdr discard"}},
    },
    {
        .id = "07-xid-differs",
        .comment = "The RPC message has an XID of its own. In version 1 a receiver may ignore it.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> call-inline | call:7", "V:7.2/xid-equal@32 err-bad-xdr process"}},
    },
    {
        .id = "07-reply-twice",
        .comment = "The Call is answered, and then once more.",
        .flags = "broken to-requester",
        .events = {EXCHANGE_07,
                   {"< reply-inline | accepted", "V:3.1.3/reply-matches-call@0 discard"}},
    },
    {
        .id = "07-record-mark-before-call",
        .comment = "The record mark of a stream transport: last fragment, 40 octets.",
        .flags = "two-rules",
        .events = {EXCHANGE_07,
                   {"> call-inline | 0x80000028 call",
                    "V:7.2/xid-equal@32 V:3.1.3/message-type@36 discard err-bad-xdr"}},
    },
};

const struct vector_group v2_07_prefix = {
    GROUP("v2-07/prefix.json", prefix_vectors),
    .title = "Version 2, -07: prefix, types, where a header ends",
    DRAFT_07,
    .origin = "made",
    .reference = "draft-ietf-nfsv4-rpcrdma-version-two-07 sections 6 and 7",
};
