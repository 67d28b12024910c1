// SPDX-License-Identifier: BSD-3-Clause
/* XIDs in flight, and credits: how many Calls may wait. */
#include "vectors/make/vectors.h"

#define CALL(xid) "> msg xid:" #xid " | call"
#define REPLY(xid) "< msg xid:" #xid " | accepted"
#define GRANT(xid, credits) "< msg xid:" #xid " credit:" #credits " | accepted"
#define TOO_MANY "V:3.3.1/calls-within-grant process close"

static const struct vector credits_vectors[] = {
    /* ---- XIDs ---- */
    {
        .id = "request-of-one",
        .comment = "A Call that asks for one credit: the least that lets its sender go on.",
        .flags = "conforming near-miss",
        .near_miss = "3.3.1/request-of-zero",
        .events = {{"> msg credit:1 | call", NULL}, {"< msg credit:1 | accepted", NULL}},
    },
    {
        .id = "xid-of-a-longer-call",
        .comment = "Two Calls with one XID: the second has arguments that the first has not.",
        .flags = "broken",
        .events = {{CALL(7), NULL}, {"> msg xid:7 | call 1", "W:2.2.2/xid-unique@0 process"}},
    },
    {
        .id = "xid-of-another-procedure",
        .comment = "Two Calls with one XID, of different programs.",
        .flags = "broken",
        .events = {{CALL(7), NULL}, {"> msg xid:7 | nfs3:0", "W:2.2.2/xid-unique@0 process"}},
    },
    {
        .id = "call-sent-again",
        .comment = "The same Call twice is one Call, also for the credits.",
        .flags = "near-miss",
        .near_miss = "2.2.2/xid-unique 3.3.3/one-credit-at-first",
        .events = {{CALL(7), NULL}, {CALL(7), NULL}, {REPLY(7), NULL}},
    },
    /* ---- the first credit ---- */
    {
        .id = "two-calls-at-first",
        .comment = "Before anything has come back only one Call may wait.",
        .flags = "broken",
        .events = {{CALL(7), NULL}, {CALL(8), "V:3.3.3/one-credit-at-first process close"}},
    },
    {
        .id = "two-calls-after-reply",
        .comment = "The first Reply granted more.",
        .flags = "near-miss",
        .near_miss = "3.3.3/one-credit-at-first 3.3.3/valid-reply-first",
        .events = {{CALL(7), NULL},
                   {REPLY(7), NULL},
                   {CALL(8), NULL},
                   {CALL(9), NULL},
                   {REPLY(9), NULL},
                   {REPLY(8), NULL}},
    },
    {
        .id = "two-calls-after-error",
        .comment = "Nothing but an RDMA_ERROR has told of credits.",
        .flags = "broken two-readings",
        .events = {{CALL(7), NULL},
                   {"< error:chunk xid:7", "terminate"},
                   {CALL(8), NULL},
                   {CALL(9), "W:3.3.3/valid-reply-first process close"}},
    },
    {
        .id = "one-call-after-error",
        .comment = "One Call waits, as before the RDMA_ERROR.",
        .flags = "near-miss",
        .near_miss = "3.3.3/valid-reply-first 3.3.3/one-credit-at-first",
        .events = {{CALL(7), NULL}, {"< error:chunk xid:7", "terminate"}, {CALL(8), NULL}},
    },
    /* ---- the grant ---- */
    {
        .id = "third-call-of-two",
        .comment = "Two credits, three Calls.",
        .flags = "broken",
        .events = {{CALL(7), NULL},
                   {GRANT(7, 2), NULL},
                   {CALL(8), NULL},
                   {CALL(9), NULL},
                   {CALL(10), TOO_MANY}},
    },
    {
        .id = "two-calls-of-two",
        .comment = "Two credits, two Calls, and one of them twice.",
        .flags = "near-miss",
        .near_miss = "3.3.1/calls-within-grant",
        .events = {{CALL(7), NULL},
                   {GRANT(7, 2), NULL},
                   {CALL(8), NULL},
                   {CALL(9), NULL},
                   {CALL(9), NULL}},
    },
    {
        .id = "call-before-the-lower-grant-is-reached",
        .comment = "Three Calls waited when the grant fell to one; after two Replies one Call "
                   "waits, and a second is too many.",
        .flags = "broken",
        .events = {{CALL(7), NULL},
                   {GRANT(7, 3), NULL},
                   {CALL(8), NULL},
                   {CALL(9), NULL},
                   {CALL(10), NULL},
                   {GRANT(8, 1), NULL},
                   {GRANT(9, 1), NULL},
                   {CALL(11), TOO_MANY}},
    },
    {
        .id = "call-when-the-lower-grant-is-reached",
        .comment = "A lower grant takes no Call back, and a credit is free when all three are "
                   "answered.",
        .flags = "near-miss",
        .near_miss = "3.3.1/calls-within-grant",
        .events = {{CALL(7), NULL},
                   {GRANT(7, 3), NULL},
                   {CALL(8), NULL},
                   {CALL(9), NULL},
                   {CALL(10), NULL},
                   {GRANT(8, 1), NULL},
                   {GRANT(9, 1), NULL},
                   {GRANT(10, 1), NULL},
                   {CALL(11), NULL}},
    },
    {
        .id = "grant-in-an-error",
        .comment = "An RDMA_ERROR has a credit word as every header has.",
        .flags = "near-miss",
        .near_miss = "3.3.1/calls-within-grant",
        .events = {{CALL(7), NULL},
                   {GRANT(7, 1), NULL},
                   {CALL(8), NULL},
                   {"< error:chunk xid:8 credit:2", "terminate"},
                   {CALL(9), NULL},
                   {CALL(10), NULL}},
    },
    {
        .id = "grants-of-two-directions",
        .comment = "The server was granted one Call; what it grants itself is for the client.",
        .flags = "broken",
        .events = {{CALL(7), NULL},
                   {GRANT(7, 9), NULL},
                   {"< msg xid:7 | call", NULL},
                   {"> msg xid:7 credit:1 | accepted", NULL},
                   {"< msg xid:8 | call", NULL},
                   {"< msg xid:9 | call", TOO_MANY}},
    },
    /* ---- the request ---- */
    {
        .id = "more-calls-than-asked-for",
        .comment = "A second Call, in a header that asks for one credit.",
        .flags = "remarkable",
        .events = {{CALL(7), NULL},
                   {REPLY(7), NULL},
                   {CALL(8), NULL},
                   {"> msg xid:9 credit:1 | call", "N:3.3.1/calls-within-request@8 process"}},
    },
    {
        .id = "as-many-calls-as-asked-for",
        .comment = "A second Call, in a header that asks for two credits.",
        .flags = "near-miss",
        .near_miss = "3.3.1/calls-within-request",
        .events = {{CALL(7), NULL},
                   {REPLY(7), NULL},
                   {CALL(8), NULL},
                   {"> msg xid:9 credit:2 | call", NULL}},
    },
};

const struct vector_group credits = {
    GROUP("credits.json", credits_vectors),
    .title = "XIDs in flight and credits",
    .origin = "made",
    .reference = "RFC 8166 sections 2.2.2, 3.3.1 and 3.3.3, RFC 8167 section 4.1",
};
