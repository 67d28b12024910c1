// SPDX-License-Identifier: BSD-3-Clause
/* The chunk lists as strict XDR: presence words, counts, ends. */
#include "vectors/make/vectors.h"

#define XDR(at) "V:4/xdr-encoded@" #at " length:- err-chunk"
#define XDR_REPLY(at) "V:4/xdr-encoded@" #at " length:- discard"
/* Two Read chunks, two Write chunks and a Reply chunk; its words are at 16, 40, 64 (Read list),
 * 68, 92, 100 (Write list) and 104 (Reply chunk). */
#define ALL_LISTS                                                                                  \
    "> msg read:44:0xa1/8/0x1000 read:56:0xa2/4/0x2000 write:0xb1/64/0x3000 write: "               \
    "reply:0xc1/4096/0x4000 | call 8 4"
/* A Read segment, and the words of its list. */
#define ONE_READ "> msg read:44:0xa1/8/0x1000 | call 8"
#define ONE_WRITE "> msg write:0xb1/64/0x3000 | call 64"
#define ONE_REPLY "> msg reply:0xc1/4096/0x4000 | call"

static const struct vector vectors[] = {
    {
        .id = "all-three-lists",
        .comment = "Two Read chunks, a Write chunk, an empty Write chunk and a Reply chunk in one "
                   "RDMA_MSG.",
        .flags = "conforming near-miss",
        .near_miss = "4/xdr-encoded",
        .events = {{ALL_LISTS, "length:128 process"}},
    },
    /* ---- presence words ---- */
    {
        .id = "read-list-presence-of-two",
        .comment = "The word that begins the Read list is 2. A decoder that takes every word but "
                   "0 for a yes does not see it.",
        .flags = "broken",
        .events = {{ONE_READ " @16=2", XDR(16)}},
    },
    {
        .id = "read-list-presence-of-all-ones",
        .comment = "The word that begins the Read list is 4294967295, true in many an API.",
        .flags = "broken hostile",
        .events = {{ONE_READ " @16=0xffffffff", XDR(16)}},
    },
    {
        .id = "read-list-end-of-two",
        .comment = "The word after the last entry of the Read list is 2.",
        .flags = "broken",
        .events = {{ONE_READ " @40=2", XDR(40)}},
    },
    {
        .id = "write-list-presence-of-two",
        .comment = "The word that begins the Write list is 2.",
        .flags = "broken",
        .events = {{ONE_WRITE " @20=2", XDR(20)}},
    },
    {
        .id = "second-write-chunk-presence-of-two",
        .comment = "The word between two Write chunks is 2: who takes it for a yes reads a header "
                   "that is good in all else.",
        .flags = "broken",
        .events = {{ALL_LISTS " @92=2", XDR(92)}},
    },
    {
        .id = "write-list-end-of-256",
        .comment = "The word after the last Write chunk is 256: who looks at its last octet "
                   "alone reads 0.",
        .flags = "broken hostile",
        .events = {{ONE_WRITE " @44=256", XDR(44)}},
    },
    {
        .id = "reply-chunk-presence-of-two",
        .comment = "The word before the Reply chunk is 2.",
        .flags = "broken",
        .events = {{ONE_REPLY " @24=2", XDR(24)}},
    },
    {
        .id = "reply-chunk-presence-of-sign-bit",
        .comment = "The word before the Reply chunk is 2147483648: absent, if taken for negative.",
        .flags = "broken hostile",
        .events = {{ONE_REPLY " @24=0x80000000", XDR(24)}},
    },
    {
        .id = "presence-of-two-in-reply",
        .comment = "A Reply whose Write list begins with the word 2 is dropped.",
        .flags = "broken to-requester",
        .events = {{ONE_WRITE, NULL},
                   {"< msg write:0xb1/8/0x3000 | accepted 8 @20=2", XDR_REPLY(20)}},
    },
    /* ---- counts ---- */
    {
        .id = "write-chunk-count-one-too-many",
        .comment = "Two segments are counted, and the octets for one and a half are there.",
        .flags = "broken",
        .events = {{"> msg write:0xb1/64/0x3000 @24=2", XDR(24)}},
    },
    {
        .id = "write-chunk-count-wraps-to-zero",
        .comment = "268435456 segments of 16 octets are 0 octets in 32 bits.",
        .flags = "broken hostile",
        .events = {{ONE_WRITE " @24=0x10000000", XDR(24)}},
    },
    {
        .id = "write-chunk-count-wraps-to-one",
        .comment = "268435457 segments are 16 octets in 32 bits: just what is there.",
        .flags = "broken hostile",
        .events = {{ONE_WRITE " @24=0x10000001", XDR(24)}},
    },
    {
        .id = "write-chunk-count-below-the-wrap",
        .comment = "268435455 segments: the product fits 32 bits, but 4 GiB are reserved by who "
                   "believes it.",
        .flags = "broken hostile",
        .events = {{ONE_WRITE " @24=0x0fffffff", XDR(24)}},
    },
    {
        .id = "write-chunk-count-of-all-ones",
        .comment = "4294967295 segments, or -1.",
        .flags = "broken hostile",
        .events = {{ONE_WRITE " @24=0xffffffff", XDR(24)}},
    },
    {
        .id = "second-write-chunk-count-wraps",
        .comment = "The first Write chunk is good, the count of the second wraps.",
        .flags = "broken hostile",
        .events = {{"> msg write:0xb1/64/0x3000 write:0xb2/64/0x3800 | call 64 64 @48=0x20000001",
                    XDR(48)}},
    },
    {
        .id = "reply-chunk-count-wraps-to-one",
        .comment = "The count of the Reply chunk wraps.",
        .flags = "broken hostile",
        .events = {{ONE_REPLY " @28=0x10000001", XDR(28)}},
    },
    {
        .id = "reply-chunk-count-in-answer-wraps",
        .comment = "The count of a returned Reply chunk wraps: the Requester drops it.",
        .flags = "broken hostile to-requester",
        .events = {{ONE_REPLY, NULL},
                   {"< nomsg reply:0xc1/64/0x4000 @28=0x10000001", XDR_REPLY(28)}},
    },
    {
        .id = "write-chunk-covers-payload",
        .comment = "A count of 3 takes the rest of the lists and the RPC header for segments, and "
                   "leaves no room for the end of the list.",
        .flags = "broken hostile",
        .events = {{"> msg write:0xb1/64/0x3000 | call @24=5", XDR(24)}},
    },
    /* ---- ends ---- */
    {
        .id = "read-list-ends-in-first-entry",
        .comment = "28 octets, enough for an answer, but the Read list has begun: it ends in its "
                   "first entry.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/8/0x1000 cut:28", XDR(28)}},
    },
    {
        .id = "read-list-ends-inside-offset",
        .comment = "The Send ends between the halves of a 64-bit offset.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/8/0x1000 cut:36", XDR(32)}},
    },
    {
        .id = "read-list-without-end",
        .comment = "The Send ends where the word after an entry should say whether another one "
                   "follows.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/8/0x1000 cut:40", XDR(40)}},
    },
    {
        .id = "read-list-announces-entry-at-the-end",
        .comment = "The last word of the Send promises another entry.",
        .flags = "broken hostile",
        .events = {{"> msg read:44:0xa1/8/0x1000 @40=1 cut:44", XDR(44)}},
    },
    {
        .id = "read-list-runs-through-the-send",
        .comment = "Forty entries in a row and no end: each costs a recursive decoder a frame.",
        .flags = "broken hostile",
        .events = {{"> msg read:44:40*0xa1/8/0x1000 cut:976", XDR(976)}},
    },
    {
        .id = "write-list-missing",
        .comment = "The Send ends after a Read list.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/8/0x1000 cut:44", XDR(44)}},
    },
    {
        .id = "write-chunk-without-count",
        .comment = "The Send ends after the word that announces a Write chunk.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/8/0x1000 write: cut:48", XDR(48)}},
    },
    {
        .id = "write-list-ends-in-segment",
        .comment = "The Send ends inside the only segment of a Write chunk.",
        .flags = "broken",
        .events = {{"> msg write:0xb1/64/0x3000 cut:40", XDR(24)}},
    },
    {
        .id = "write-list-without-end",
        .comment = "The Send ends after the last segment of a Write chunk.",
        .flags = "broken",
        .events = {{"> msg write:0xb1/64/0x3000 cut:44", XDR(44)}},
    },
    {
        .id = "reply-chunk-word-missing",
        .comment = "The Send ends after a Write list.",
        .flags = "broken",
        .events = {{"> msg write:0xb1/64/0x3000 cut:48", XDR(48)}},
    },
    {
        .id = "reply-chunk-without-count",
        .comment = "28 octets; the last word announces a Reply chunk.",
        .flags = "broken",
        .events = {{"> msg reply:0xc1/4096/0x4000 cut:28", XDR(28)}},
    },
    {
        .id = "reply-chunk-ends-in-segment",
        .comment = "The Send ends inside the segment of the Reply chunk.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa1/40/0x1000 reply:0xc1/4096/0x4000 cut:64", XDR(52)}},
    },
    {
        .id = "header-ends-with-partial-word",
        .comment = "Two octets of a word are no word.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/8/0x1000 cut:42", XDR(40)}},
    },
    {
        .id = "reply-ends-in-write-list",
        .comment = "A Reply that ends inside its Write list is dropped.",
        .flags = "broken to-requester",
        .events = {{ONE_WRITE, NULL},
                   {"< msg write:0xb1/8/0x3000 cut:32", XDR_REPLY(24)},
                   {"< msg write:0xb1/8/0x3000 | accepted 8", NULL}},
    },
};

const struct vector_group header_xdr = {
    GROUP("header-xdr.json", vectors),
    .title = "Strict XDR in the chunk lists",
    .origin = "made",
    .reference = "RFC 8166 sections 4 and 4.5.2, RFC 4506 sections 4.3, 4.4 and 4.19",
};
