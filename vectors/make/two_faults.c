// SPDX-License-Identifier: BSD-3-Clause
/* Sends with two faults: both are reported, and the stricter of them decides what a receiver may
 * do. */
#include "vectors/make/vectors.h"

static const struct vector two_faults_vectors[] = {
    {
        .id = "misaligned-position-and-other-xid",
        .comment = "Position 42, and an RPC message with an XID of its own. Who need not compare "
                   "XIDs still must not go on.",
        .flags = "two-rules",
        .events = {{"> msg read:42:0xa1/8/0x1000 | call:7 8",
                    "V:3.4.5/position-multiple-of-four@20 V:4.2.1/xid-equal@52 err-chunk"}},
    },
    {
        .id = "misaligned-position-and-rpc-version-3",
        .comment = "Position 42, and a version of RPC that nobody speaks.",
        .flags = "two-rules",
        .events = {{"> msg read:42:0xa1/8/0x1000 | call 8 @60=3",
                    "V:3.4.5/position-multiple-of-four@20 V:4/rpc-layout@60 err-chunk"}},
    },
    {
        .id = "twenty-octets-between-header-and-message",
        .comment = "Twenty octets of nothing are between the header of 48 octets and the RPC "
                   "message, which is looked for where they are. The first field that is wrong is "
                   "named.",
        .flags = "two-rules",
        .events = {{"> msg reply:0xc1/4096/0x4000 | *5 call",
                    "V:4.2.1/xid-equal@48 V:4/rpc-layout@56 length:48 process discard err-chunk "
                    "garbage-args"}},
    },
    {
        .id = "garbage-args-without-chunks",
        .comment = "GARBAGE_ARGS is a Reply as any other: the chunks of its Call are missing.",
        .flags = "two-rules to-requester",
        .events = {{"> msg write:0xb1/64/0x3000 reply:0xc1/4096/0x4000 | call 9 9 9", NULL},
                   {"< msg | 0x2f0c0001 1 0 0 0 4",
                    "V:3.4.6/segment-count-copied@20 V:4.3.3/reply-chunk-copied@24 discard"}},
    },
    {
        .id = "other-reply-chunk-and-out-of-order",
        .comment = "A Reply chunk with another handle, whose second segment is used before the "
                   "first is full.",
        .flags = "two-rules to-requester",
        .events = {{"> msg reply:0xc1/100/0,0xc2/100/0 | call", NULL},
                   {"< nomsg reply:0xc3/96/0,0xc2/4/0",
                    "V:4.3.3/reply-chunk-copied@32 W:4.3.3/reply-chunk-filled-in-order@52 "
                    "discard"}},
    },
    {
        .id = "write-list-missing-and-invalidate",
        .comment = "The Write list does not come back, and the Send invalidates a handle of which "
                   "is unknown.",
        .flags = "two-rules to-requester",
        .events = {{"> msg write:0xb1/64/0 | call", NULL},
                   {"< msg invalidate:0xdd | accepted",
                    "V:3.4.6/segment-count-copied@20 "
                    "V:rfc8797/4.1/invalidate-own-transaction discard close"}},
    },
};

const struct vector_group two_faults = {
    GROUP("two-faults.json", two_faults_vectors),
    .title = "Two faults in one Send",
    .origin = "made",
    .reference = "RFC 8166 section 4.5",
};
