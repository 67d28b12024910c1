// SPDX-License-Identifier: BSD-3-Clause
/*
 * Write chunks and the Reply chunk: what a Call may offer, and what a Short Reply may say of its
 * Reply chunk. The first Write chunk has its segments from 28 on, and so has a Reply chunk after
 * two empty lists 32; the length stands 4 octets into a segment, the offset 8.
 */
#include "vectors/make/vectors.h"

#define TWICE(at) "N:3.4.3/result-memory-once@" #at " process"
#define NO_ROOM(at) "N:3.4.6/write-chunk-without-room@" #at " process"
#define NO_REPLY_ROOM(at) "N:4.3.3/reply-chunk-without-room@" #at " process"
#define NO_MEMORY(at) "W:3.4.3/segment-within-address-space@" #at " process err-chunk close"
#define USED(at) "V:4.3.3/short-reply-leaves-chunk-unused@" #at " discard"
#define HUGE_CHUNK "0xc1/0x80000000/0x4000,0xc2/0x80000000/0x5000"
#define HUGE_CALL "> msg reply:" HUGE_CHUNK " | call"
#define REPLY_CALL "> msg reply:0xc1/100/0x4000,0xc2/100/0x5000 | call"

static const struct vector chunks_write_vectors[] = {
    /* ---- lists ---- */
    {
        .id = "write-list-of-twenty-empty-chunks",
        .comment = "Twenty Write chunks without a segment: 8 octets each, and all of them come "
                   "back.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.6/write-chunk-without-room 4/xdr-encoded",
        .events = {{"> msg write: write: write: write: write: write: write: write: write: write: "
                    "write: write: write: write: write: write: write: write: write: write: | call",
                    "length:188 process"},
                   {"< msg write: write: write: write: write: write: write: write: write: write: "
                    "write: write: write: write: write: write: write: write: write: write: | "
                    "accepted",
                    "length:188 process"}},
    },
    {
        .id = "write-chunk-of-fifty-segments",
        .comment = "Fifty neighbours of 64 octets; the result fills nine and a half.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.3/result-memory-once 4/xdr-encoded",
        .events = {{"> msg write:50*0xb1/64/0x1000 | call", "length:836 process"},
                   {"< rdma-write:0xb1:0x1000 | octets:608", ""},
                   {"< msg write:9*0xb1/64/0x1000,0xb1/32/0x1240,0xb1/0/0x1280,0xb1/0/0x12c0,"
                    "0xb1/0/0x1300,0xb1/0/0x1340,0xb1/0/0x1380,0xb1/0/0x13c0,0xb1/0/0x1400,"
                    "0xb1/0/0x1440,0xb1/0/0x1480,0xb1/0/0x14c0,0xb1/0/0x1500,0xb1/0/0x1540,"
                    "0xb1/0/0x1580,0xb1/0/0x15c0,0xb1/0/0x1600,0xb1/0/0x1640,0xb1/0/0x1680,"
                    "0xb1/0/0x16c0,0xb1/0/0x1700,0xb1/0/0x1740,0xb1/0/0x1780,0xb1/0/0x17c0,"
                    "0xb1/0/0x1800,0xb1/0/0x1840,0xb1/0/0x1880,0xb1/0/0x18c0,0xb1/0/0x1900,"
                    "0xb1/0/0x1940,0xb1/0/0x1980,0xb1/0/0x19c0,0xb1/0/0x1a00,0xb1/0/0x1a40,"
                    "0xb1/0/0x1a80,0xb1/0/0x1ac0,0xb1/0/0x1b00,0xb1/0/0x1b40,0xb1/0/0x1b80,"
                    "0xb1/0/0x1bc0,0xb1/0/0x1c00,0xb1/0/0x1c40 | accepted 608",
                    "length:836 process"}},
    },
    {
        .id = "write-chunk-between-empty-ones",
        .comment = "Of three results the second alone is to come by RDMA Write.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.6/write-chunk-without-room 4.3.2.3/empty-chunk-returned-empty",
        .events = {{"> msg write: write:0xb1/64/0x1000 write: | call", "length:68 process"},
                   {"< rdma-write:0xb1:0x1000 | 1 2", ""},
                   {"< msg write: write:0xb1/8/0x1000 write: | accepted 1 7 8 1 9",
                    "length:68 process"}},
    },
    /* ---- the same memory ---- */
    {
        .id = "write-chunks-share-one-octet",
        .comment = "The last octet of the first Write chunk is the first of the second.",
        .flags = "remarkable",
        .events = {{"> msg write:0xb1/64/0x1000 write:0xb1/64/0x103f | call", TWICE(52)}},
    },
    {
        .id = "write-chunk-names-segment-twice",
        .comment = "A chunk of twice the same 64 octets: a longer result runs over its beginning.",
        .flags = "remarkable",
        .events = {{"> msg write:0xb1/64/0x1000,0xb1/64/0x1000 | call", TWICE(44)}},
    },
    {
        .id = "later-segment-covers-earlier-one",
        .comment = "The second segment begins before the first and ends after it.",
        .flags = "remarkable",
        .events = {{"> msg write:0xb1/16/0x1010 write:0xb1/64/0x1000 | call", TWICE(52)}},
    },
    {
        .id = "reply-chunk-in-memory-of-write-chunk",
        .comment = "Who writes the Reply last destroys the result.",
        .flags = "remarkable",
        .events = {{"> msg write:0xb1/64/0x1000 reply:0xb1/100/0x1020 | call", TWICE(56)}},
    },
    {
        .id = "write-chunks-side-by-side",
        .comment = "Where one ends the other one begins.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.3/result-memory-once",
        .events = {{"> msg write:0xb1/64/0x1000 write:0xb1/64/0x1040 | call", NULL}},
    },
    {
        .id = "write-chunks-of-two-handles",
        .comment = "The same offsets of two handles are different memory.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.3/result-memory-once",
        .events = {{"> msg write:0xb1/64/0x1000 write:0xb2/64/0x1000 reply:0xb3/64/0x1000 | call",
                    NULL}},
    },
    {
        .id = "result-goes-where-argument-came-from",
        .comment = "A Read chunk and a Write chunk of the same memory: read first, written later.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.3/result-memory-once",
        .events = {{"> msg read:44:0xa1/8/0x1000 write:0xa1/8/0x1000 | call 8", NULL},
                   {"< rdma-read:0xa1:0x1000 | 1 2", ""},
                   {"< rdma-write:0xa1:0x1000 | 3 4", ""},
                   {"< msg write:0xa1/8/0x1000 | accepted 8", NULL}},
    },
    {
        .id = "empty-segment-inside-another",
        .comment = "A segment of no octets shares none.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.3/result-memory-once 3.4.6/write-chunk-without-room",
        .events = {{"> msg write:0xb1/64/0x1000,0xb1/0/0x1020,0xb1/64/0x1040 | call", NULL}},
    },
    {
        .id = "last-octet-of-memory-and-first",
        .comment = "The last octet of the address space and the first: only by arithmetic that "
                   "wraps are they neighbours.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.3/result-memory-once 3.4.3/segment-within-address-space",
        .events = {{"> msg write:0xb1/1/0xffffffffffffffff write:0xb1/1/0 | call", NULL}},
    },
    /* ---- no room ---- */
    {
        .id = "write-chunk-of-one-empty-segment",
        .comment = "Only a result of no octets fits.",
        .flags = "remarkable",
        .events = {{"> msg write:0xb1/0/0x1000 | call", NO_ROOM(32)},
                   {"< msg write:0xb1/0/0x1000 | accepted", NULL}},
    },
    {
        .id = "second-write-chunk-without-room",
        .comment = "The first chunk has room, the second has two segments and none.",
        .flags = "remarkable",
        .events = {{"> msg write:0xb1/64/0x1000 write:0xb2/0/0x2000,0xb3/0/0x3000 | call",
                    NO_ROOM(56)}},
    },
    {
        .id = "write-chunk-with-room-for-one-octet",
        .comment = "Behind two empty segments there is room for one octet.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.6/write-chunk-without-room",
        .events = {{"> msg write:0xb1/0/0x1000,0xb2/0/0x2000,0xb3/1/0x3000 | call", NULL},
                   {"< rdma-write:0xb3:0x3000 | octets:1", ""},
                   {"< msg write:0xb1/0/0x1000,0xb2/0/0x2000,0xb3/1/0x3000 | accepted 1", NULL}},
    },
    {
        .id = "reply-chunk-of-no-segments-after-write-chunk",
        .comment = "A Reply chunk is offered and has no segments. It comes back as it is.",
        .flags = "remarkable",
        .events = {{"> msg write:0xb1/64/0x1000 reply: | call", NO_REPLY_ROOM(52)},
                   {"< msg write:0xb1/0/0x1000 reply: | accepted", "length:56 process"}},
    },
    {
        .id = "reply-chunk-of-empty-segments",
        .comment = "Two segments, and room for nothing.",
        .flags = "remarkable",
        .events = {{"> msg reply:0xc1/0/0x4000,0xc2/0/0x5000 | call", NO_REPLY_ROOM(36)}},
    },
    {
        .id = "reply-chunk-after-write-chunk-without-room",
        .comment = "Both kinds of chunk, both useless: both are reported.",
        .flags = "remarkable two-rules",
        .events = {{"> msg write:0xb1/0/0x1000 reply:0xc1/0/0x4000 | call",
                    "N:3.4.6/write-chunk-without-room@32 N:4.3.3/reply-chunk-without-room@60 "
                    "process"}},
    },
    {
        .id = "reply-chunk-with-room-after-empty-segment",
        .comment = "The second segment has room for one octet: too little for any Reply, but not "
                   "none.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.3/reply-chunk-without-room",
        .events = {{"> msg reply:0xc1/0/0x4000,0xc2/1/0x5000 | call", NULL}},
    },
    {
        .id = "write-chunk-of-more-than-four-gib",
        .comment = "Sixteen segments of 268435456 octets: nothing limits a Write chunk, and 32 "
                   "bits see no room.",
        .flags = "conforming near-miss hostile",
        .near_miss = "3.4.6/write-chunk-without-room 3.4.4/read-chunk-length-32-bit",
        .events = {{"> msg write:16*0xb1/0x10000000/0 | call", NULL}},
    },
    {
        .id = "reply-chunk-of-more-than-four-gib",
        .comment = "The same as a Reply chunk.",
        .flags = "conforming near-miss hostile",
        .near_miss = "4.3.3/reply-chunk-without-room 3.4.4/read-chunk-length-32-bit",
        .events = {{"> msg reply:16*0xc1/0x10000000/0 | call", NULL}},
    },
    /* ---- memory ---- */
    {
        .id = "write-segment-exceeds-address-space",
        .comment = "Two octets from the last one on.",
        .flags = "broken hostile",
        .events = {{"> msg write:0xb1/2/0xffffffffffffffff | call", NO_MEMORY(36)}},
    },
    {
        .id = "second-write-chunk-exceeds-address-space",
        .comment = "Offset and length make 2 to the 64th and one more.",
        .flags = "broken hostile",
        .events = {{"> msg write:0xb1/64/0x1000 write:0xb2/0xffffffff/0xffffffff00000002 | call",
                    NO_MEMORY(60)}},
    },
    {
        .id = "reply-segment-exceeds-address-space",
        .comment = "The Reply chunk lies astride the end of memory.",
        .flags = "broken hostile",
        .events = {{"> msg reply:0xc1/4096/0xfffffffffffff800 | call", NO_MEMORY(40)}},
    },
    {
        .id = "returned-segment-exceeds-address-space",
        .comment = "The Call offered such a segment, and the Reply says that it was filled.",
        .flags = "aftermath hostile to-requester",
        .events = {{"> msg write:0xb1/8/0xfffffffffffffffc | call", NO_MEMORY(36)},
                   {"< msg write:0xb1/8/0xfffffffffffffffc | accepted 8",
                    "W:3.4.3/segment-within-address-space@36 process discard"}},
    },
    {
        .id = "returned-segment-stays-in-address-space",
        .comment = "The same, but only four octets were needed, and these are there.",
        .flags = "aftermath near-miss",
        .near_miss = "3.4.6/segment-count-copied",
        .events = {{"> msg write:0xb1/8/0xfffffffffffffffc | call", NO_MEMORY(36)},
                   {"< rdma-write:0xb1:0xfffffffffffffffc | 7", ""},
                   {"< msg write:0xb1/4/0xfffffffffffffffc | accepted 4", NULL}},
    },
    {
        .id = "write-and-reply-segments-end-with-address-space",
        .comment = "Both chunks end with the very last octet.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.3/segment-within-address-space",
        .events = {{"> msg write:0xb1/8/0xfffffffffffffff8 reply:0xc1/4096/0xfffffffffffff000 | "
                    "call",
                    NULL}},
    },
    {
        .id = "empty-segment-at-last-octet",
        .comment = "No octets at all, from the last one on.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.3/segment-within-address-space",
        .events = {{"> msg write:0xb1/64/0x1000,0xb2/0/0xffffffffffffffff | call", NULL}},
    },
    /* ---- the Reply chunk of a Short Reply ---- */
    {
        .id = "short-reply-names-octets-in-chunk",
        .comment = "The Reply is inline, and its Reply chunk says that 24 octets went there.",
        .flags = "broken to-requester",
        .events = {{REPLY_CALL, NULL},
                   {"< msg reply:0xc1/24/0x4000,0xc2/0/0x5000 | accepted", USED(36)}},
    },
    {
        .id = "short-reply-names-one-octet-in-chunk",
        .comment = "A single octet is enough for a contradiction.",
        .flags = "broken to-requester",
        .events = {{REPLY_CALL, NULL},
                   {"< msg reply:0xc1/1/0x4000,0xc2/0/0x5000 | accepted", USED(36)}},
    },
    {
        .id = "short-reply-names-octets-in-seventeenth-segment",
        .comment = "Sixteen segments have nothing, the last has 24 octets. Its Call was not seen.",
        .flags = "broken to-requester",
        .settings = "mid",
        .events = {{"< msg reply:16*0xc1/0/0x4000,0xc2/24/0x5000 | accepted", USED(36)}},
    },
    {
        .id = "short-reply-returns-lengths-of-call",
        .comment = "The Reply chunk as the Call has it, lengths and all: who copies it unseen says "
                   "that it is full.",
        .flags = "broken to-requester",
        .events = {{REPLY_CALL, NULL},
                   {"< msg reply:0xc1/100/0x4000,0xc2/100/0x5000 | accepted", USED(36)}},
    },
    {
        .id = "short-reply-names-4294967296-octets-in-chunk",
        .comment = "2147483648 octets twice are 4294967296, which is 0 in 32 bits: the chunk is "
                   "full, not unused.",
        .flags = "broken to-requester",
        .events = {{HUGE_CALL, NULL}, {"< msg reply:" HUGE_CHUNK " | accepted", USED(36)}},
    },
    {
        .id = "write-chunk-of-4294967296-octets-returned",
        .comment = "A result of 2147483648 octets twice, which are 0 in 32 bits.",
        .flags = "conforming",
        .events = {{"> msg write:" HUGE_CHUNK " | call", NULL},
                   {"< msg write:" HUGE_CHUNK " | accepted 0xffffffff", NULL}},
    },
    {
        .id = "short-reply-sent-twice-over",
        .comment = "The Reply goes into the chunk and inline as well.",
        .flags = "broken to-requester",
        .events = {{REPLY_CALL, NULL},
                   {"< rdma-write:0xc1:0x4000 | accepted", ""},
                   {"< msg reply:0xc1/24/0x4000,0xc2/0/0x5000 | accepted", USED(36)}},
    },
    {
        .id = "short-reply-with-write-chunk-and-octets-in-reply-chunk",
        .comment = "The Write chunk is right, the Reply chunk is not.",
        .flags = "broken to-requester",
        .events = {{"> msg write:0xb1/64/0x1000 reply:0xc1/100/0x4000 | call", NULL},
                   {"< rdma-write:0xb1:0x1000 | 1 2", ""},
                   {"< msg write:0xb1/8/0x1000 reply:0xc1/8/0x4000 | accepted 8", USED(60)}},
    },
    {
        .id = "short-reply-returns-chunk-unused",
        .comment = "Both segments come back without an octet.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.3/short-reply-leaves-chunk-unused 4.3.3/reply-chunk-copied",
        .events = {{REPLY_CALL, NULL},
                   {"< msg reply:0xc1/0/0x4000,0xc2/0/0x5000 | accepted", "length:64 process"}},
    },
    {
        .id = "short-reply-with-write-chunk-and-unused-reply-chunk",
        .comment = "The result is in the Write chunk, the rest inline, the Reply chunk unused.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.3/short-reply-leaves-chunk-unused",
        .events = {{"> msg write:0xb1/64/0x1000 reply:0xc1/100/0x4000 | call", NULL},
                   {"< rdma-write:0xb1:0x1000 | 1 2", ""},
                   {"< msg write:0xb1/8/0x1000 reply:0xc1/0/0x4000 | accepted 8", NULL}},
    },
};

const struct vector_group chunks_write = {
    GROUP("chunks-write.json", chunks_write_vectors),
    .title = "Write chunks and the Reply chunk",
    .origin = "made",
    .reference = "RFC 8166 sections 3.4.3, 3.4.6, 4.3.2 and 4.3.3",
};
