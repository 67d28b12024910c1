// SPDX-License-Identifier: BSD-3-Clause
/* RDMA_NOMSG: who holds the payload, how long it is, and that nothing follows the lists. */
#include "vectors/make/vectors.h"

#define LONG_CALL "> nomsg read:0:0xa1/40/0x1000"
#define HUGE_CHUNK "0xc1/0x80000000/0x4000,0xc2/0x80000000/0x5000"
#define REPLY_CALL "> msg reply:0xc1/100/0x4000,0xc2/100/0x5000 | call"
#define NO_HOLDER(at) "V:4.2.4/nomsg-holds-payload@" #at " err-chunk"
#define NO_REPLY_HOLDER(at) "V:4.2.4/nomsg-holds-payload@" #at " discard"
#define ODD_CALL(at)                                                                               \
    "V:3.5.3/special-chunk-whole-words@" #at " process discard err-chunk garbage-args"
#define ODD_REPLY(at) "V:3.5.3/special-chunk-whole-words@" #at " process discard"
#define SHORT_CALL "W:4.2.4/long-call-length@28 process discard err-chunk garbage-args"
#define SHORT_REPLY "W:4.2.4/long-reply-length@36 process discard"

static const struct vector nomsg_vectors[] = {
    /* ---- whole exchanges ---- */
    {
        .id = "long-call-of-40-octets",
        .comment = "The smallest Long Call: 40 octets in one segment, and a Short Reply.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.4/long-call-length 4.2.4/nomsg-list-present "
                     "4.2.4/nomsg-ends-with-lists",
        .events = {{LONG_CALL, "length:52 process"},
                   {"< rdma-read:0xa1:0x1000 | call", ""},
                   {"< msg | accepted", NULL}},
    },
    /* A Position Zero chunk and two others: the Positions tell which is which, not the order. */
    {
        .id = "long-call-chunks-zero-low-high",
        .comment = "Read chunks at Positions 0, 44, 56, in this order of the list.",
        .flags = "conforming",
        .events = {{"> nomsg read:0:0xa1/60/0x1000 read:44:0xa2/8/0x2000 read:56:0xa3/4/0x3000",
                    NULL}},
    },
    {
        .id = "long-call-chunks-zero-high-low",
        .comment = "Read chunks at Positions 0, 56, 44, in this order of the list.",
        .flags = "conforming",
        .events = {{"> nomsg read:0:0xa1/60/0x1000 read:56:0xa3/4/0x3000 read:44:0xa2/8/0x2000",
                    NULL}},
    },
    {
        .id = "long-call-chunks-low-zero-high",
        .comment = "Read chunks at Positions 44, 0, 56, in this order of the list.",
        .flags = "conforming",
        .events = {{"> nomsg read:44:0xa2/8/0x2000 read:0:0xa1/60/0x1000 read:56:0xa3/4/0x3000",
                    NULL}},
    },
    {
        .id = "long-call-chunks-low-high-zero",
        .comment = "Read chunks at Positions 44, 56, 0, in this order of the list.",
        .flags = "conforming",
        .events = {{"> nomsg read:44:0xa2/8/0x2000 read:56:0xa3/4/0x3000 read:0:0xa1/60/0x1000",
                    NULL}},
    },
    {
        .id = "long-call-chunks-high-zero-low",
        .comment = "Read chunks at Positions 56, 0, 44, in this order of the list.",
        .flags = "conforming",
        .events = {{"> nomsg read:56:0xa3/4/0x3000 read:0:0xa1/60/0x1000 read:44:0xa2/8/0x2000",
                    NULL}},
    },
    {
        .id = "long-call-chunks-high-low-zero",
        .comment = "Read chunks at Positions 56, 44, 0, in this order of the list.",
        .flags = "conforming",
        .events = {{"> nomsg read:56:0xa3/4/0x3000 read:44:0xa2/8/0x2000 read:0:0xa1/60/0x1000",
                    NULL}},
    },
    {
        .id = "long-reply-of-20-octets",
        .comment = "The smallest Long Reply: a Call denied for its credential.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.4/long-reply-length 4.2.4/nomsg-holds-payload",
        .events = {{REPLY_CALL, NULL},
                   {"< rdma-write:0xc1:0x4000 | 0x2f0c0001 1 1 1 1", ""},
                   {"< nomsg reply:0xc1/20/0x4000,0xc2/0/0x5000", "length:64 process"}},
    },
    {
        .id = "long-reply-of-4294967296-octets",
        .comment = "2147483648 octets twice are 4294967296, which is 0 in 32 bits: the chunk is "
                   "full, not unused.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.4/nomsg-holds-payload",
        .events = {{"> msg reply:" HUGE_CHUNK " | call", NULL},
                   {"< nomsg reply:" HUGE_CHUNK, "length:64 process"}},
    },
    {
        .id = "long-call-of-4294967296-octets",
        .comment = "A Position Zero chunk of 2147483648 octets twice, which are 0 in 32 bits: too "
                   "long for most, but not empty.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.4/nomsg-holds-payload",
        .events = {{"> nomsg read:0:" HUGE_CHUNK, "length:76 process err-chunk"}},
    },
    {
        .id = "long-call-with-empty-last-segment",
        .comment = "40 octets in the first segment, none in the second: the chunk has 40.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.4/nomsg-holds-payload",
        .events = {{"> nomsg read:0:0xa1/40/0x1000,0xa2/0/0x2000", "length:76 process"},
                   {"< rdma-read:0xa1:0x1000 | call", ""},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "long-call-with-segments-apart",
        .comment = "The Position Zero chunk is empty up to an entry of another chunk, and has the "
                   "Call after it: its segments belong together, wherever they are in the list.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.4/nomsg-holds-payload",
        .events = {{"> nomsg read:0:0xa1/0/0x1000 read:44:0xa2/8/0x2000 read:0:0xa3/44/0x3000",
                    NULL},
                   {"< rdma-read:0xa3:0x3000 | call 8", ""},
                   {"< rdma-read:0xa2:0x2000 | 1 2", ""},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "long-call-and-long-reply",
        .comment = "Both are long: the Call in two segments, neither of them of whole words, "
                   "the Reply over the edge of its first segment.",
        .flags = "conforming near-miss",
        .near_miss = "3.5.3/special-chunk-whole-words 4.3.3/reply-chunk-filled-in-order "
                     "4.2.1/xid-equal",
        .events = {{"> nomsg read:0:0xa1/33/0x1000,0xa2/15/0x2000 reply:0xc1/22/0x4000,"
                    "0xc2/100/0x5000",
                    "length:112 process"},
                   {"< rdma-read:0xa1:0x1000 | call octets:8 cut:33", ""},
                   {"< rdma-read:0xa2:0x2000 | +7 octets:8", ""},
                   {"< rdma-write:0xc1:0x4000 | accepted cut:22", ""},
                   {"< rdma-write:0xc2:0x5000 | +2 octets:8", ""},
                   {"< nomsg reply:0xc1/22/0x4000,0xc2/10/0x5000", "length:64 process"}},
    },
    {
        .id = "long-call-of-forty-segments",
        .comment = "Forty neighbours of one octet each, read in three pieces.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.4/long-call-length 4.2.4/nomsg-holds-payload",
        .events = {{"> nomsg read:0:40*0xa1/1/0x1000", "length:988 process"},
                   {"< rdma-read:0xa1:0x1000 | 0x2f0c0001 0 2 0x20008166", ""},
                   {"< rdma-read:0xa1:0x1010 | 1 1 0 0", ""},
                   {"< rdma-read:0xa1:0x1020 | 0 0", ""},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "long-call-with-reply-chunk-of-no-segments",
        .comment = "The Reply chunk offered beside the Position Zero chunk has no segments: the "
                   "Reply comes inline.",
        .flags = "remarkable",
        .events = {{"> nomsg read:0:0xa1/40/0x1000 reply:",
                    "N:4.3.3/reply-chunk-without-room@52 process"},
                   {"< rdma-read:0xa1:0x1000 | call", ""},
                   {"< msg reply: | accepted", NULL}},
    },
    {
        .id = "long-call-with-all-three-lists",
        .comment = "A Position Zero chunk, an argument of its own, a Write chunk and a Reply "
                   "chunk: one holds the Call, the others are what they always are.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.4/nomsg-holds-payload 4.2.4/nomsg-list-present "
                     "3.5.3/position-zero-in-msg",
        .events = {{"> nomsg read:0:0xa1/44/0x1000 read:44:0xa2/8/0x2000 write:0xb1/8/0x3000 "
                    "reply:0xc1/64/0x4000",
                    "length:120 process"},
                   {"< rdma-read:0xa1:0x1000 | call 8", ""},
                   {"< rdma-read:0xa2:0x2000 | 1 2", ""},
                   {"< rdma-write:0xb1:0x3000 | 3 4", ""},
                   {"< rdma-write:0xc1:0x4000 | accepted 8", ""},
                   {"< nomsg write:0xb1/8/0x3000 reply:0xc1/28/0x4000", "length:72 process"}},
    },
    {
        .id = "long-call-named-after-its-argument",
        .comment = "The Position Zero chunk need not be the first of the list.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.4/nomsg-holds-payload",
        .events = {{"> nomsg read:44:0xa2/8/0x2000 read:0:0xa1/44/0x1000", NULL},
                   {"< rdma-read:0xa1:0x1000 | call 8", ""},
                   {"< rdma-read:0xa2:0x2000 | 1 2", ""},
                   {"< msg | accepted", NULL}},
    },
    /* ---- no list at all ---- */
    {
        .id = "long-call-position-in-rpc-header",
        .comment = "Position 36: no RPC Call has a header that short.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa1/60/0x1000 read:36:0xa2/8/0x2000",
                    "V:3.4.2/position-in-rpc-header@44 err-chunk garbage-args"}},
    },
    {
        .id = "long-call-position-behind-shortest-header",
        .comment = "Position 40, where the arguments of a Call without credentials begin.",
        .flags = "near-miss",
        .near_miss = "3.4.2/position-in-rpc-header",
        .events = {{"> nomsg read:0:0xa1/60/0x1000 read:40:0xa2/8/0x2000", NULL}},
    },
    {
        .id = "nomsg-without-lists",
        .comment = "28 octets that decode, and say nothing. ERR_CHUNK, and the next Call is "
                   "served.",
        .flags = "broken",
        .events = {{"> nomsg", "V:4.2.4/nomsg-list-present@16 length:28 err-chunk"},
                   {"< error:chunk", "length:20 terminate"},
                   {"> nomsg xid:2 read:0:0xa1/40/0x1000", "length:52 process"},
                   {"< rdma-read:0xa1:0x1000 | call:2", ""},
                   {"< msg xid:2 | accepted", NULL}},
    },
    {
        .id = "nomsg-without-lists-from-server",
        .comment = "The Reply is nowhere: it is dropped, and the right one is taken.",
        .flags = "broken to-requester",
        .events = {{"> msg | call", NULL},
                   {"< nomsg", "V:4.2.4/nomsg-list-present@16 length:28 discard"},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "short-call-sent-as-nomsg",
        .comment = "A Short Call with the procedure of a Long one: no list, and octets where "
                   "nothing may follow.",
        .flags = "two-rules",
        .events = {{"> nomsg | call",
                    "V:4.2.4/nomsg-list-present@16 W:4.2.4/nomsg-ends-with-lists@28 length:28 "
                    "err-chunk"}},
    },
    {
        .id = "short-reply-sent-as-nomsg",
        .comment = "A Short Reply with the procedure of a Long one.",
        .flags = "two-rules to-requester",
        .events = {{"> msg | call", NULL},
                   {"< nomsg | accepted",
                    "V:4.2.4/nomsg-list-present@16 W:4.2.4/nomsg-ends-with-lists@28 length:28 "
                    "discard"}},
    },
    /* ---- lists that hold nothing ---- */
    {
        .id = "long-call-in-two-empty-segments",
        .comment = "A Position Zero chunk is there, of two segments and no octets.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa1/0/0x1000,0xa2/0/0x2000", NO_HOLDER(16)}},
    },
    {
        .id = "long-call-of-arguments-alone",
        .comment = "Two Read chunks, neither at Position Zero: pieces of a Call that is not there.",
        .flags = "broken",
        .events = {{"> nomsg read:44:0xa1/40/0x1000 read:88:0xa2/40/0x2000", NO_HOLDER(16)}},
    },
    {
        .id = "long-call-at-position-four",
        .comment = "All of a Call in one Read chunk, four octets too late.",
        .flags = "broken",
        .events = {{"> nomsg read:4:0xa1/40/0x1000", NO_HOLDER(16)}},
    },
    {
        .id = "nomsg-of-write-list-alone",
        .comment = "A Write list is for results, and holds neither Call nor Reply.",
        .flags = "broken",
        .events = {{"> nomsg write:0xb1/64/0x3000", NO_HOLDER(16)}},
    },
    {
        .id = "nomsg-of-arguments-and-reply-chunk",
        .comment =
            "As it has a Read list it is not a Reply, and without Position Zero it is not a Call.",
        .flags = "broken",
        .events = {{"> nomsg read:44:0xa1/40/0x1000 reply:0xc1/100/0x4000", NO_HOLDER(16)}},
    },
    {
        .id = "long-call-first-segment-empty",
        .comment = "The Call is in the second segment.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.4/nomsg-holds-payload",
        .events = {{"> nomsg read:0:0xa1/0/0x1000,0xa2/40/0x2000", NULL},
                   {"< rdma-read:0xa2:0x2000 | call", ""},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "long-reply-first-segment-empty",
        .comment =
            "The first segment of the Reply chunk was offered empty; the Reply is in the second.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.4/nomsg-holds-payload",
        .events = {{"> msg reply:0xc1/0/0x4000,0xc2/100/0x5000 | call", NULL},
                   {"< rdma-write:0xc2:0x5000 | accepted", ""},
                   {"< nomsg reply:0xc1/0/0x4000,0xc2/24/0x5000", NULL}},
    },
    {
        .id = "long-reply-of-nothing",
        .comment = "The Reply chunk comes back in an RDMA_NOMSG, unused.",
        .flags = "broken to-requester",
        .events = {{REPLY_CALL, NULL},
                   {"< nomsg reply:0xc1/0/0x4000,0xc2/0/0x5000", NO_REPLY_HOLDER(24)},
                   {"< msg reply:0xc1/0/0x4000,0xc2/0/0x5000 | accepted", NULL}},
    },
    {
        .id = "long-reply-in-write-chunk-and-none-in-reply-chunk",
        .comment = "The Write chunk has its result, the Reply chunk should have the rest.",
        .flags = "broken to-requester",
        .events = {{"> msg write:0xb1/64/0x1000 reply:0xc1/100/0x4000 | call", NULL},
                   {"< rdma-write:0xb1:0x1000 | 1 2", ""},
                   {"< nomsg write:0xb1/8/0x1000 reply:0xc1/0/0x4000", NO_REPLY_HOLDER(48)}},
    },
    {
        .id = "long-reply-in-write-chunk-and-reply-chunk",
        .comment = "The same, and the rest is there.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.4/nomsg-holds-payload",
        .events = {{"> msg write:0xb1/64/0x1000 reply:0xc1/100/0x4000 | call", NULL},
                   {"< rdma-write:0xb1:0x1000 | 1 2", ""},
                   {"< rdma-write:0xc1:0x4000 | accepted 8", ""},
                   {"< nomsg write:0xb1/8/0x1000 reply:0xc1/28/0x4000", NULL}},
    },
    /* ---- too little ---- */
    {
        .id = "long-call-of-4-octets",
        .comment = "An XID, and no Call after it.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa1/4/0x1000", SHORT_CALL}},
    },
    {
        .id = "long-call-of-36-octets",
        .comment = "The length of the verifier is missing, the last word of the smallest Call.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa1/20/0x1000,0xa2/16/0x2000", SHORT_CALL}},
    },
    {
        .id = "long-reply-of-4-octets",
        .comment = "An XID, and no Reply after it.",
        .flags = "broken to-requester",
        .events = {{REPLY_CALL, NULL}, {"< nomsg reply:0xc1/4/0x4000,0xc2/0/0x5000", SHORT_REPLY}},
    },
    {
        .id = "long-reply-of-16-octets",
        .comment = "One word short of the smallest Reply.",
        .flags = "broken to-requester",
        .events = {{REPLY_CALL, NULL}, {"< nomsg reply:0xc1/16/0x4000,0xc2/0/0x5000", SHORT_REPLY}},
    },
    /* ---- no whole words ---- */
    {
        .id = "long-call-of-41-octets",
        .comment = "The Position Zero chunk lacks the fill octets of its last item.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa1/41/0x1000", ODD_CALL(28)}},
    },
    {
        .id = "long-call-unaligned-by-its-second-segment",
        .comment = "40 octets and 3 more: the length of the chunk is odd, not of a segment.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa1/40/0x1000,0xa2/3/0x2000", ODD_CALL(28)}},
    },
    {
        .id = "long-call-unaligned-beside-its-argument",
        .comment = "The other chunk is of 3 octets, too; together they would be even. Only the "
                   "Position Zero chunk is asked for whole words.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa1/45/0x1000 read:44:0xa2/3/0x2000", ODD_CALL(28)}},
    },
    {
        .id = "long-call-aligned-beside-unaligned-argument",
        .comment = "The argument has 3 octets and no padding in its chunk.",
        .flags = "conforming near-miss",
        .near_miss = "3.5.3/special-chunk-whole-words",
        .events = {{"> nomsg read:0:0xa1/44/0x1000 read:44:0xa2/3/0x2000", NULL},
                   {"< rdma-read:0xa1:0x1000 | call 3", ""},
                   {"< rdma-read:0xa2:0x2000 | octets:3", ""},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "long-reply-of-26-octets",
        .comment = "A Long Reply without its last two fill octets.",
        .flags = "broken to-requester",
        .events = {{REPLY_CALL, NULL},
                   {"< nomsg reply:0xc1/26/0x4000,0xc2/0/0x5000", ODD_REPLY(36)}},
    },
    {
        .id = "long-reply-unaligned-by-its-second-segment",
        .comment = "The first segment is full, the second has one octet.",
        .flags = "broken to-requester",
        .events = {{REPLY_CALL, NULL},
                   {"< nomsg reply:0xc1/100/0x4000,0xc2/1/0x5000", ODD_REPLY(36)}},
    },
    {
        .id = "long-reply-aligned-beside-unaligned-result",
        .comment = "The Write chunk has exactly the 5 octets of its result, the Reply chunk whole "
                   "words.",
        .flags = "conforming near-miss",
        .near_miss = "3.5.3/special-chunk-whole-words",
        .events = {{"> msg write:0xb1/64/0x1000 reply:0xc1/100/0x4000 | call", NULL},
                   {"< rdma-write:0xb1:0x1000 | octets:5", ""},
                   {"< rdma-write:0xc1:0x4000 | accepted 5", ""},
                   {"< nomsg write:0xb1/5/0x1000 reply:0xc1/28/0x4000", NULL}},
    },
    /* ---- behind the lists ---- */
    {
        .id = "one-octet-after-long-call",
        .comment = "The Send of a Long Call ends with its lists. Who goes on is right.",
        .flags = "broken",
        .events = {{LONG_CALL " | +1",
                    "W:4.2.4/nomsg-ends-with-lists@52 length:52 process err-chunk"}},
    },
    {
        .id = "long-call-inline-as-well",
        .comment = "The Call is in its chunk, and after the lists once more.",
        .flags = "broken",
        .events = {{LONG_CALL " | call",
                    "W:4.2.4/nomsg-ends-with-lists@52 length:52 process err-chunk"},
                   {"< rdma-read:0xa1:0x1000 | call", ""},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "long-reply-inline-as-well",
        .comment = "The Reply is in its chunk, and after the lists once more.",
        .flags = "broken to-requester",
        .events = {{REPLY_CALL, NULL},
                   {"< rdma-write:0xc1:0x4000 | accepted", ""},
                   {"< nomsg reply:0xc1/24/0x4000,0xc2/0/0x5000 | accepted",
                    "W:4.2.4/nomsg-ends-with-lists@64 length:64 process discard"}},
    },
    /* ---- credits ---- */
    {
        .id = "long-call-asks-for-no-credit",
        .comment = "Legal in a Long Call as in a Short one, and as pointless.",
        .flags = "remarkable",
        .events = {{"> nomsg credit:0 read:0:0xa1/40/0x1000", "N:3.3.1/request-of-zero@8 process"}},
    },
    {
        .id = "long-reply-grants-no-credit",
        .comment = "A grant of nothing, in a Long Reply.",
        .flags = "broken to-requester",
        .events = {{REPLY_CALL, NULL},
                   {"< nomsg credit:0 reply:0xc1/24/0x4000,0xc2/0/0x5000",
                    "V:3.3.1/grant-not-zero@8 process discard"}},
    },
    {
        .id = "long-exchange-of-one-credit",
        .comment = "Long Call and Long Reply with one credit each.",
        .flags = "conforming near-miss",
        .near_miss = "3.3.1/request-of-zero 3.3.1/grant-not-zero",
        .events = {{"> nomsg credit:1 read:0:0xa1/40/0x1000 reply:0xc1/24/0x4000", NULL},
                   {"< rdma-read:0xa1:0x1000 | call", ""},
                   {"< rdma-write:0xc1:0x4000 | accepted", ""},
                   {"< nomsg credit:1 reply:0xc1/24/0x4000", NULL}},
    },
};

const struct vector_group nomsg = {
    GROUP("nomsg.json", nomsg_vectors),
    .title = "Long Calls and Long Replies",
    .origin = "made",
    .reference = "RFC 8166 sections 3.5.3 and 4.2.4",
};
