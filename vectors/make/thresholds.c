// SPDX-License-Identifier: BSD-3-Clause
/* Inline thresholds: how long a Send may be, and what to do with what is longer. */
#include "vectors/make/vectors.h"

#define CALL "> msg | call"
/* RDMA_MSG with 28 octets of header and 24 of an RPC Reply before its results. */
#define REPLY_OF_1024 "< msg | accepted octets:972"
#define REPLY_OF_1028 "< msg | accepted octets:976"
/* 4096 octets to send, 8192 to receive. */
#define PRIVATE "private-data | 0xf6ab0e18 0x01010307"
#define REPLY_CHUNK_CALL "> msg reply:0xa/5000/0 | call"

static const struct vector thresholds_vectors[] = {
    {
        .id = "reply-above-default",
        .comment = "1028 octets, and nothing seen allows more than 1024.",
        .flags = "remarkable",
        .events = {{CALL, NULL}, {REPLY_OF_1028, "N:3.3.3/send-above-default process close"}},
    },
    {
        .id = "reply-of-default",
        .comment = "1024 octets, the header among them.",
        .flags = "near-miss",
        .near_miss = "3.3.3/send-above-default",
        .events = {{CALL, NULL}, {REPLY_OF_1024, NULL}},
    },
    {
        .id = "reply-of-1028-agreed",
        .comment = "Both sides have told of larger buffers.",
        .flags = "near-miss",
        .near_miss = "3.3.3/send-above-default 4.2.4/send-within-threshold",
        .events = {{"> " PRIVATE, NULL}, {"< " PRIVATE, NULL}, {CALL, NULL}, {REPLY_OF_1028, NULL}},
    },
    {
        .id = "reply-above-threshold-set",
        .comment = "The threshold is known to be 1024, and the Send is one word longer.",
        .flags = "broken",
        .settings = "s2c:1024",
        .events = {{CALL, NULL}, {REPLY_OF_1028, "V:4.2.4/send-within-threshold process close"}},
    },
    {
        .id = "reply-of-threshold-set",
        .comment = "The threshold is 1024, and this is as long.",
        .flags = "near-miss",
        .near_miss = "4.2.4/send-within-threshold",
        .settings = "s2c:1024",
        .events = {{CALL, NULL}, {REPLY_OF_1024, NULL}},
    },
    {
        .id = "call-above-agreed-threshold",
        .comment = "The client sends 4096 octets at most, though the server would take 8192.",
        .flags = "broken",
        .events = {{"> " PRIVATE, NULL},
                   {"< " PRIVATE, NULL},
                   {"> msg | call octets:4032", "V:4.2.4/send-within-threshold process close"}},
    },
    {
        .id = "call-of-agreed-threshold",
        .comment = "4096 octets.",
        .flags = "near-miss",
        .near_miss = "4.2.4/send-within-threshold",
        .events = {{"> " PRIVATE, NULL}, {"< " PRIVATE, NULL}, {"> msg | call octets:4028", NULL}},
    },
    {
        .id = "long-reply-sent-inline",
        .comment = "One word too long for the Send, and the Call offered a Reply chunk.",
        .flags = "broken",
        .settings = "s2c:1024",
        .events = {{REPLY_CHUNK_CALL, NULL},
                   {"< msg reply:0xa/0/0 | accepted octets:956",
                    "V:3.5.3/reply-chunk-used process close"}},
    },
    {
        .id = "short-reply-of-threshold",
        .comment = "48 octets of header and 976 of the Reply just fit.",
        .flags = "near-miss",
        .near_miss = "3.5.3/reply-chunk-used 4.2.4/send-within-threshold",
        .settings = "s2c:1024",
        .events = {{REPLY_CHUNK_CALL, NULL}, {"< msg reply:0xa/0/0 | accepted octets:952", NULL}},
    },
    {
        .id = "long-reply-in-reply-chunk",
        .comment = "4096 octets go through the Reply chunk.",
        .flags = "near-miss",
        .near_miss = "3.5.3/reply-chunk-used",
        .settings = "s2c:1024",
        .events = {{REPLY_CHUNK_CALL, NULL},
                   {"< rdma-write:0xa:0 | accepted octets:4072", NULL},
                   {"< nomsg reply:0xa/4096/0", NULL}},
    },
};

const struct vector_group thresholds = {
    GROUP("thresholds.json", thresholds_vectors),
    .title = "Inline thresholds",
    .origin = "made",
    .reference = "RFC 8166 sections 3.3.3, 3.5.3 and 4.2.4, RFC 8797 section 4.2",
};
