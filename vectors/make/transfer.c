// SPDX-License-Identifier: BSD-3-Clause
/* RDMA Reads and Writes: where, when and how much they move. */
#include "vectors/make/vectors.h"

#define REPLY "< msg | accepted"
/* 100 octets of an argument at 1000 of handle 0xa. */
#define READ_CALL "> msg read:40:0xa/100/1000 | call"
/* Room of 100 and 50 octets, side by side under handle 0xb. */
#define WRITE_CALL "> msg write:0xb/100/1000,0xb/50/1100 | call"
#define REPLY_CALL "> msg reply:0xc/100/0 | call"
#define OUTSIDE "V:4.5.3/within-offered-memory"

static const struct vector transfer_vectors[] = {
    /* ---- where ---- */
    {
        .id = "read-one-octet-too-many",
        .comment = "The RDMA Read goes one octet past the end of the segment.",
        .flags = "broken",
        .events = {{READ_CALL, NULL}, {"< rdma-read:0xa:1000 | octets:101", OUTSIDE}},
    },
    {
        .id = "read-begins-one-octet-early",
        .comment = "The RDMA Read begins one octet before the segment.",
        .flags = "broken",
        .events = {{READ_CALL, NULL}, {"< rdma-read:0xa:999 | octets:2", OUTSIDE}},
    },
    {
        .id = "read-for-a-message-not-understood",
        .comment = "A presence word of 2 is a fault of the Call. A Responder that took it knows "
                   "the memory that it offers.",
        .flags = "aftermath near-miss",
        .near_miss = "4.5.3/within-offered-memory",
        .events = {{READ_CALL, NULL},
                   {"> msg xid:8 read:40:0xf/100/1000 @16=2 | call",
                    "V:4/xdr-encoded@16 length:- err-chunk"},
                   {"< rdma-read:0xf:1000 | octets:100", NULL}},
    },
    {
        .id = "read-for-a-refused-message",
        .comment = "The same message, which was answered by ERR_CHUNK before.",
        .flags = "broken",
        .events = {{READ_CALL, NULL},
                   {"> msg xid:8 read:40:0xf/100/1000 @16=2 | call",
                    "V:4/xdr-encoded@16 length:- err-chunk"},
                   {"< error:chunk xid:8", "terminate"},
                   {"< rdma-read:0xf:1000 | octets:100", OUTSIDE}},
    },
    {
        .id = "read-of-whole-segment",
        .comment = "From its first octet to its last.",
        .flags = "near-miss",
        .near_miss = "4.5.3/within-offered-memory 3.4.5.1/reads-before-reply",
        .events = {{READ_CALL, NULL}, {"< rdma-read:0xa:1000 | octets:100", NULL}, {REPLY, NULL}},
    },
    {
        .id = "read-of-last-octet",
        .comment = "One octet, the last one of the segment.",
        .flags = "near-miss",
        .near_miss = "4.5.3/within-offered-memory",
        .events = {{READ_CALL, NULL}, {"< rdma-read:0xa:1099 | octets:1", NULL}},
    },
    {
        .id = "read-of-unknown-handle",
        .comment = "The offset is right, nobody offered the handle.",
        .flags = "broken",
        .events = {{READ_CALL, NULL}, {"< rdma-read:0xf:1000 | octets:1", OUTSIDE}},
    },
    {
        .id = "write-to-read-chunk",
        .comment = "Memory to be read is not there to be written.",
        .flags = "broken",
        .events = {{READ_CALL, NULL}, {"< rdma-write:0xa:1000 | octets:1", OUTSIDE}},
    },
    {
        .id = "read-of-write-chunk",
        .comment = "Memory to be written is not there to be read.",
        .flags = "broken",
        .events = {{WRITE_CALL, NULL}, {"< rdma-read:0xb:1000 | octets:1", OUTSIDE}},
    },
    {
        .id = "write-past-neighbouring-segments",
        .comment = "One octet past the end of the second of two neighbours.",
        .flags = "broken",
        .events = {{WRITE_CALL, NULL}, {"< rdma-write:0xb:1050 | octets:101", OUTSIDE}},
    },
    {
        .id = "write-over-neighbouring-segments",
        .comment = "One RDMA Write fills two segments that lie side by side under one handle.",
        .flags = "near-miss",
        .near_miss = "4.5.3/within-offered-memory 3.4.6/returned-length-written",
        .events = {{WRITE_CALL, NULL},
                   {"< rdma-write:0xb:1000 | octets:150", NULL},
                   {"< msg write:0xb/100/1000,0xb/50/1100 | accepted", NULL}},
    },
    {
        .id = "read-that-wraps-around",
        .comment = "It begins at the last octet of the address space and goes on at the first.",
        .flags = "broken hostile",
        .events = {{READ_CALL, NULL}, {"< rdma-read:0xa:0xffffffffffffffff | octets:2", OUTSIDE}},
    },
    {
        .id = "read-of-last-octet-of-all",
        .comment = "A segment of one octet at the end of the address space.",
        .flags = "near-miss",
        .near_miss = "4.5.3/within-offered-memory",
        .events = {{"> msg read:40:0xa/1/0xffffffffffffffff | call", NULL},
                   {"< rdma-read:0xa:0xffffffffffffffff | octets:1", NULL}},
    },
    {
        .id = "client-reads",
        .comment = "A Requester begins an RDMA Read.",
        .flags = "broken",
        .events = {{READ_CALL, NULL},
                   {"> rdma-read:0xa:1000 | octets:1", "V:4.5.3/only-responder-initiates"}},
    },
    {
        .id = "client-writes-before-anything",
        .comment = "An RDMA Write is the first thing that the client does.",
        .flags = "broken",
        .events = {{"> rdma-write:0xa:1000 | octets:1", "V:4.5.3/only-responder-initiates"}},
    },
    {
        .id = "server-reads-and-writes",
        .comment = "Both RDMA operations are the Responder's.",
        .flags = "near-miss",
        .near_miss = "4.5.3/only-responder-initiates",
        .events = {{"> msg read:40:0xa/8/0 write:0xb/8/0 | call", NULL},
                   {"< rdma-read:0xa:0 | octets:8", NULL},
                   {"< rdma-write:0xb:0 | octets:8", NULL},
                   {"< msg write:0xb/8/0 | accepted", NULL}},
    },
    /* ---- when ---- */
    {
        .id = "read-after-reply",
        .comment = "The Reply ended the use of the Read chunk.",
        .flags = "broken",
        .events = {{READ_CALL, NULL},
                   {REPLY, NULL},
                   {"< rdma-read:0xa:1000 | octets:100", "V:3.4.5.1/reads-before-reply"}},
    },
    {
        .id = "read-of-memory-offered-again",
        .comment = "After the Reply another Call offers the same memory.",
        .flags = "near-miss",
        .near_miss = "3.4.5.1/reads-before-reply",
        .events = {{READ_CALL, NULL},
                   {REPLY, NULL},
                   {"> msg xid:2 read:40:0xa/100/1000 | call", NULL},
                   {"< rdma-read:0xa:1000 | octets:100", NULL}},
    },
    {
        .id = "write-after-reply",
        .comment = "The result is pushed after the Reply that announces it.",
        .flags = "broken",
        .events = {{WRITE_CALL, NULL},
                   {"< msg write:0xb/4/1000,0xb/0/1100 | accepted", NULL},
                   {"< rdma-write:0xb:1000 | octets:4", "V:3.5.2/writes-before-reply"}},
    },
    {
        .id = "reply-chunk-written-after-nomsg",
        .comment = "The Long Reply comes after the RDMA_NOMSG that announces it.",
        .flags = "broken",
        .events = {{REPLY_CALL, NULL},
                   {"< nomsg reply:0xc/24/0", NULL},
                   {"< rdma-write:0xc:0 | accepted", "V:3.5.2/writes-before-reply"}},
    },
    {
        .id = "write-before-reply",
        .comment = "The push comes first.",
        .flags = "near-miss",
        .near_miss = "3.5.2/writes-before-reply 3.4.6/returned-length-written",
        .events = {{WRITE_CALL, NULL},
                   {"< rdma-write:0xb:1000 | octets:4", NULL},
                   {"< msg write:0xb/4/1000,0xb/0/1100 | accepted", NULL}},
    },
    /* ---- how much ---- */
    {
        .id = "fewer-octets-than-returned-length",
        .comment = "Ten octets went, the Reply speaks of twelve.",
        .flags = "broken",
        .events = {{WRITE_CALL, NULL},
                   {"< rdma-write:0xb:1000 | octets:10", NULL},
                   {"< msg write:0xb/12/1000,0xb/0/1100 | accepted",
                    "W:3.4.6/returned-length-written@24 process"}},
    },
    {
        .id = "more-octets-than-returned-length",
        .comment = "Thirteen octets went, and the Reply speaks of nine: more than padding.",
        .flags = "broken",
        .events = {{WRITE_CALL, NULL},
                   {"< rdma-write:0xb:1000 | octets:13", NULL},
                   {"< msg write:0xb/9/1000,0xb/0/1100 | accepted",
                    "W:3.4.6/returned-length-written@24 process"}},
    },
    {
        .id = "two-writes-make-returned-length",
        .comment = "Ten octets and two.",
        .flags = "near-miss",
        .near_miss = "3.4.6/returned-length-written",
        .events = {{WRITE_CALL, NULL},
                   {"< rdma-write:0xb:1000 | octets:10", NULL},
                   {"< rdma-write:0xb:1010 | octets:2", NULL},
                   {"< msg write:0xb/12/1000,0xb/0/1100 | accepted", NULL}},
    },
    {
        .id = "written-but-reported-unused",
        .comment = "An unused chunk may hold anything.",
        .flags = "near-miss",
        .near_miss = "3.4.6/returned-length-written",
        .events = {{WRITE_CALL, NULL},
                   {"< rdma-write:0xb:1000 | octets:120", NULL},
                   {"< msg write:0xb/0/1000,0xb/0/1100 | accepted", NULL}},
    },
    {
        .id = "padding-written",
        .comment = "Nine octets and their three fill octets.",
        .flags = "broken",
        .events = {{WRITE_CALL, NULL},
                   {"< rdma-write:0xb:1000 | item:9", NULL},
                   {"< msg write:0xb/9/1000,0xb/0/1100 | accepted",
                    "V:3.4.6.2/padding-not-written@24 process"}},
    },
    {
        .id = "nine-octets-without-padding",
        .comment = "Nine octets went and nothing else.",
        .flags = "near-miss",
        .near_miss = "3.4.6.2/padding-not-written",
        .events = {{WRITE_CALL, NULL},
                   {"< rdma-write:0xb:1000 | octets:9", NULL},
                   {"< msg write:0xb/9/1000,0xb/0/1100 | accepted", NULL}},
    },
    {
        .id = "call-fetched-in-part",
        .comment = "96 of 100 octets, and a Reply of success. A Responder that knows the Call by "
                   "its XID can give the answer that it has kept.",
        .flags = "broken",
        .events = {{READ_CALL, NULL},
                   {"< rdma-read:0xa:1000 | octets:96", NULL},
                   {REPLY, "N:3.5.2/answered-before-fetched process"}},
    },
    {
        .id = "call-fetched-but-for-padding",
        .comment = "What is left can be the padding of the argument.",
        .flags = "near-miss",
        .near_miss = "3.5.2/answered-before-fetched",
        .events = {{READ_CALL, NULL}, {"< rdma-read:0xa:1000 | octets:97", NULL}, {REPLY, NULL}},
    },
    {
        .id = "forty-neighbours-in-one-read",
        .comment = "Forty neighbouring segments of one octet each, read in one piece.",
        .flags = "conforming near-miss",
        .near_miss = "4.5.3/within-offered-memory",
        .events = {{"> nomsg read:0:40*0xa1/1/0x1000", NULL},
                   {"< rdma-read:0xa1:0x1000 | call", ""},
                   {"< msg | accepted", NULL}},
    },
};

const struct vector_group transfer = {
    GROUP("transfer.json", transfer_vectors),
    .title = "RDMA Reads and Writes",
    .origin = "made",
    .reference = "RFC 8166 sections 3.4.5.1, 3.4.6, 3.5.2 and 4.5.3",
};
