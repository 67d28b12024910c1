// SPDX-License-Identifier: BSD-3-Clause
/* Calls from the server to the client. */
#include "vectors/make/vectors.h"

#define CALL "> msg | call"
#define REVERSE_CALL "< msg | call"
#define REVERSE_REPLY "> msg | accepted"
#define SENDS_ERROR "V:4.2.4/requester-sends-no-error@12 discard"

static const struct vector reverse_direction_vectors[] = {
    {
        .id = "reverse-call-first",
        .comment = "The server calls before its client ever did.",
        .flags = "broken",
        .events = {{REVERSE_CALL, "W:rfc8167/6/peer-prepared process discard close"}},
    },
    {
        .id = "reverse-call-after-call",
        .comment = "The client has called, and both use one XID.",
        .flags = "near-miss",
        .near_miss = "rfc8167/6/peer-prepared 2.2.2/xid-unique",
        .events =
            {{CALL, NULL}, {REVERSE_CALL, NULL}, {REVERSE_REPLY, NULL}, {"< msg | accepted", NULL}},
    },
    {
        .id = "reverse-call-first-agreed",
        .comment = "The settings say that both sides agreed on reverse Calls.",
        .flags = "near-miss",
        .near_miss = "rfc8167/6/peer-prepared",
        .settings = "reverse",
        .events = {{REVERSE_CALL, NULL}, {REVERSE_REPLY, NULL}},
    },
    {
        .id = "error-from-pure-requester",
        .comment = "A client that was never called answers a broken Reply by RDMA_ERROR.",
        .flags = "aftermath",
        .events = {{CALL, NULL},
                   {"< msg @12=5 | accepted", "V:4.5.2/procedure-defined@12 length:- discard"},
                   {"> error:chunk", SENDS_ERROR}},
    },
    {
        .id = "error-to-reverse-call",
        .comment = "A client that was called is a Responder too.",
        .flags = "near-miss",
        .near_miss = "4.2.4/requester-sends-no-error",
        .events = {{CALL, NULL},
                   {"< msg xid:8 | call", NULL},
                   {"> error:chunk xid:8", "terminate"}},
    },
    {
        .id = "lower-grant-in-error",
        .comment = "Calls go one way only: the credit word of an RDMA_ERROR is a grant.",
        .flags = "broken",
        .events = {{CALL, NULL},
                   {"< msg credit:2 | accepted", NULL},
                   {"> msg xid:8 | call", NULL},
                   {"< error:chunk xid:8 credit:1", "terminate"},
                   {"> msg xid:9 | call", NULL},
                   {"> msg xid:10 | call", "V:3.3.1/calls-within-grant process close"}},
    },
    {
        .id = "lower-grant-in-error-after-reverse-call",
        .comment = "Calls go both ways: that word could be a request, and is ignored (RFC 8167 "
                   "section 4.1).",
        .flags = "near-miss",
        .near_miss = "3.3.1/calls-within-grant",
        .events = {{CALL, NULL},
                   {"< msg credit:2 | accepted", NULL},
                   {REVERSE_CALL, NULL},
                   {REVERSE_REPLY, NULL},
                   {"> msg xid:8 | call", NULL},
                   {"< error:chunk xid:8 credit:1", "terminate"},
                   {"> msg xid:9 | call", NULL},
                   {"> msg xid:10 | call", NULL}},
    },
    {
        .id = "two-reverse-calls-at-first",
        .comment = "The first credit of this direction is one as well.",
        .flags = "broken",
        .events = {{CALL, NULL},
                   {"< msg xid:8 | call", NULL},
                   {"< msg xid:9 | call", "V:3.3.3/one-credit-at-first process close"}},
    },
    {
        .id = "reverse-reply-to-no-call",
        .comment = "The XID is one of the client's own Calls: Replies are checked against Calls of "
                   "the other direction only.",
        .flags = "broken",
        .events = {{CALL, NULL},
                   {"< msg xid:8 | call", NULL},
                   {REVERSE_REPLY, "V:2.2.2/reply-matches-call@0 discard"}},
    },
};

const struct vector_group reverse_direction = {
    GROUP("reverse-direction.json", reverse_direction_vectors),
    .title = "Calls from the server to the client",
    .origin = "made",
    .reference = "RFC 8167 sections 2.4, 4.1 and 6, RFC 8166 section 4.2.4",
};
