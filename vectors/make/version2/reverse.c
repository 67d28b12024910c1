// SPDX-License-Identifier: BSD-3-Clause
/* -07: Calls of the server. */
#include "vectors/make/version2/version2.h"

#define READY(level)                                                                               \
    EXCHANGE_07,                                                                                   \
    {                                                                                              \
        "> connprop-final xid:9 property:5:" level, NULL                                           \
    }

static const struct vector reverse_07_vectors[] = {
    {
        .id = "07-reverse-simple",
        .comment = "The client told that it takes simple Calls.",
        .flags = "conforming near-miss",
        .near_miss = "4.6.3/peer-refused 4.6.3/peer-prepared 4.6.4/reverse-level "
                     "4.6.4/reverse-reply-chunk",
        .events = {READY("1"),
                   {"< call-inline xid:7 | call", NULL},
                   {"> reply-inline xid:7 | accepted", NULL}},
    },
    {
        .id = "07-reverse-refused",
        .comment = "The client told that it takes no Calls.",
        .flags = "broken",
        .events = {READY("0"),
                   {"< call-inline xid:7 | call",
                    "V:4.6.3/peer-refused process discard close err-system err-inval-htype"}},
    },
    {
        .id = "07-reverse-not-told",
        .comment = "The client told nothing. The default is that it takes none, but the upper "
                   "layer may have agreed.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"< call-inline xid:7 | call",
                    "W:4.6.3/peer-prepared process discard close err-system err-inval-htype"}},
    },
    {
        .id = "07-reverse-agreed",
        .comment = "The upper layer has agreed.",
        .flags = "near-miss",
        .near_miss = "4.6.3/peer-prepared",
        .settings = "reverse",
        .events = {EXCHANGE_07,
                   {"< call-inline xid:7 | call", NULL},
                   {"> reply-inline xid:7 | accepted", NULL}},
    },
    {
        .id = "07-reverse-pieces-to-simple",
        .comment = "A Call in pieces, to a client that takes simple Calls.",
        .flags = "broken",
        .events = {READY("1"),
                   {"< call-middle:12 xid:7 | call part:0:28",
                    "V:4.6.4/reverse-level@12 process err-system err-inval-htype err-inval-cont"}},
    },
    {
        .id = "07-reverse-pieces-to-continued",
        .comment = "A Call in pieces, to a client that takes continued ones.",
        .flags = "near-miss",
        .near_miss = "4.6.4/reverse-level",
        .events = {READY("2"),
                   {"< call-middle:12 xid:7 | call part:0:28", NULL},
                   {"< call-inline xid:7 | call part:28:12", NULL},
                   {"> reply-inline xid:7 | accepted", NULL}},
    },
    {
        .id = "07-reverse-level-falls-amid-a-call",
        .comment = "The client takes continued Calls when the first piece is sent, and none at "
                   "the last: nothing else may come before that.",
        .flags = "conforming near-miss",
        .near_miss = "4.6.3/peer-refused 4.6.4/reverse-level",
        .events = {EXCHANGE_07,
                   {"> connprop-middle xid:9 property:5:2", NULL},
                   {"< call-middle:12 xid:7 | call part:0:28", NULL},
                   {"> connprop-final xid:9 property:5:0", "N:5.1/property-twice@28 process"},
                   {"< call-inline xid:7 | call part:28:12", NULL}},
    },
    {
        .id = "07-reverse-call-after-the-level-fell",
        .comment = "The same, and another Call.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> connprop-middle xid:9 property:5:2", NULL},
                   {"< call-middle:12 xid:7 | call part:0:28", NULL},
                   {"> connprop-final xid:9 property:5:0", "N:5.1/property-twice@28 process"},
                   {"< call-inline xid:7 | call part:28:12", NULL},
                   {"< call-inline xid:8 | call",
                    "V:4.6.3/peer-refused process discard close err-system err-inval-htype"}},
    },
    {
        .id = "07-reverse-chunks-in-the-last-piece",
        .comment = "A Call in pieces, with a Write chunk in the last: the client takes no chunks.",
        .flags = "broken",
        .events = {READY("2"),
                   {"< call-middle:12 xid:7 | call part:0:28", NULL},
                   {"< call-inline xid:7 write:0xb1/64/0x3000 | call part:28:12",
                    "V:4.6.4/reverse-level@12 process err-read-chunks err-write-chunks "
                    "err-segments err-reply-resource err-system err-inval-htype"}},
    },
    {
        .id = "07-reverse-write-chunk-to-continued",
        .comment = "A Call with a Write chunk, to a client that takes no chunks.",
        .flags = "broken",
        .events = {READY("2"),
                   {"< call-inline xid:7 write:0xb1/64/0x3000 | call",
                    "V:4.6.4/reverse-level@12 process err-read-chunks err-write-chunks "
                    "err-segments err-reply-resource err-system err-inval-htype"}},
    },
    {
        .id = "07-reverse-external-to-continued",
        .comment = "A Call in a Call chunk, to a client that takes no chunks.",
        .flags = "broken",
        .events = {READY("2"),
                   {"< call-external xid:7 call:0:0xd1/48/0x5000",
                    "V:4.6.4/reverse-level@12 process err-read-chunks err-write-chunks "
                    "err-segments err-reply-resource err-system err-inval-htype"}},
    },
    {
        .id = "07-reverse-reply-chunk-to-simple",
        .comment = "A Call with a Reply chunk, which may or may not count as a data item chunk.",
        .flags = "two-readings",
        .events = {READY("1"),
                   {"< call-inline xid:7 reply:0xc1/64/0x4000 | call",
                    "W:4.6.4/reverse-reply-chunk process err-reply-resource err-write-chunks "
                    "err-system err-read-chunks err-segments"}},
    },
    {
        .id = "07-reverse-general",
        .comment = "The client takes Calls of all forms.",
        .flags = "conforming near-miss",
        .near_miss = "4.6.4/reverse-level 4.6.4/reverse-reply-chunk",
        .events = {READY("3"),
                   {"< call-inline xid:7 read:40:0xa1/64/0x1000 reply:0xc1/64/0x4000 | call", NULL},
                   {"> reply-inline xid:7 | accepted", NULL},
                   {"< call-external xid:8 call:0:0xd1/48/0x5000", NULL},
                   {"> reply-inline xid:8 | accepted", NULL}},
    },
    {
        .id = "07-reverse-amid-a-reply",
        .comment = "The server is in the middle of a Reply, and begins a Call.",
        .flags = "broken",
        .events = {READY("1"),
                   {"> call-inline | call", NULL},
                   {"< reply-middle:8 | accepted 1 2 part:0:24", NULL},
                   {"< call-inline xid:7 | call", "V:6.3.9/reply-continues@12 err-inval-cont"}},
    },
    {
        .id = "07-reverse-same-xid",
        .comment = "Both sides have a Call of the same XID; the error could answer either.",
        .flags = "conforming",
        .events = {READY("1"),
                   {"> call-inline | call", NULL},
                   {"< call-inline | call", NULL},
                   {"< error2:100", "terminate"},
                   {"> reply-inline | accepted", NULL}},
    },
    {
        .id = "07-reverse-call-refused-by-any-error",
        .comment = "A client without chunks has no error of its own for them: any of five will do.",
        .flags = "conforming near-miss",
        .near_miss = "7.3/chunk-of-error 6.1/defined-type-refused",
        .events = {READY("1"),
                   {"< call-inline xid:7 | call", NULL},
                   {"> error2:8:0 xid:7", "terminate process"},
                   {"< call-inline xid:8 | call", NULL},
                   {"> error2:4 xid:8", "terminate"}},
    },
    {
        .id = "07-reverse-call-xid-differs",
        .comment = "Header and RPC Call of the server name two XIDs.",
        .flags = "broken",
        .events = {READY("1"),
                   {"< call-inline xid:7 | call:8", "V:7.2/xid-equal@32 err-bad-xdr process"}},
    },
    {
        .id = "07-reverse-call-of-version-1",
        .comment = "The server calls in version 1.",
        .flags = "broken to-requester",
        .events = {READY("1"), {"< msg xid:7 | call", "V:4.3.3/server-version@4 length:- discard"}},
    },
    {
        .id = "07-reverse-xid-twice",
        .comment = "Two Calls of the server have one XID.",
        .flags = "broken",
        .events = {READY("1"),
                   {"< call-inline xid:7 | call", NULL},
                   {"< call-inline xid:7 | call 8", "W:3.1.3/xid-unique@0 process"}},
    },
    {
        .id = "07-reverse-reply-xid-differs",
        .comment = "The header answers the Call of the server, the RPC message another one.",
        .flags = "broken to-requester",
        .events = {READY("1"),
                   {"< call-inline xid:7 | call", NULL},
                   {"> reply-inline xid:7 | accepted:8", "V:7.2/xid-equal@20 discard process"}},
    },
    {
        .id = "07-reverse-reply-of-version-1",
        .comment = "The client answers in version 1.",
        .flags = "broken",
        .events = {READY("1"),
                   {"< call-inline xid:7 | call", NULL},
                   {"> msg xid:7 | accepted",
                    "V:4.3.3/client-version@4 length:- discard err-vers-mismatch err-vers"}},
    },
};

const struct vector_group v2_07_reverse = {
    GROUP("v2-07/reverse-direction.json", reverse_07_vectors),
    .title = "Version 2, -07: the reverse direction",
    DRAFT_07,
    .origin = "made",
    .reference = "draft-ietf-nfsv4-rpcrdma-version-two-07 section 4.6",
};
