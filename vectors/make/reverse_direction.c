// SPDX-License-Identifier: BSD-3-Clause
/* Calls from the server to the client. */
#include "vectors/make/vectors.h"

#define CALL "> msg | call"
#define REVERSE_CALL "< msg | call"
#define REVERSE_REPLY "> msg | accepted"
#define BOTH_CALLED                                                                                \
    {CALL, NULL}, {REVERSE_CALL, NULL},                                                            \
    {                                                                                              \
        REVERSE_REPLY, NULL                                                                        \
    }
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
    {
        .id = "reverse-call-of-version-three",
        .comment = "Calls went both ways in version 1.",
        .flags = "broken",
        .events = {BOTH_CALLED,
                   {"< msg vers:3 xid:8 | call:8",
                    "V:4.2.2/version-one@4 length:- discard err-vers"}},
    },
    {
        .id = "reverse-call-with-other-xid",
        .comment = "Header and RPC Call of the server name two XIDs.",
        .flags = "broken two-readings",
        .events = {BOTH_CALLED, {"< msg xid:8 | call:9", "V:4.2.1/xid-equal@28 process err-chunk"}},
    },
    {
        .id = "reverse-call-with-message-type-of-two",
        .comment = "A Call of the server, but for its message type.",
        .flags = "broken",
        .events = {BOTH_CALLED,
                   {"< msg xid:8 | call:8 @32=2", "V:2.2.2/message-type@32 discard err-chunk"}},
    },
    {
        .id = "reverse-reply-of-version-two",
        .comment = "The server called in version 1. By its version word this could also be a Call "
                   "that offers version 2.",
        .flags = "remarkable",
        .events = {{CALL, NULL},
                   {REVERSE_CALL, NULL},
                   {"> msg vers:2 | accepted",
                    "N:7/later-version-offered@4 length:- discard err-vers"}},
    },
    {
        .id = "reverse-reply-of-version-three",
        .comment = "The server called in version 1.",
        .flags = "broken",
        .events = {{CALL, NULL},
                   {REVERSE_CALL, NULL},
                   {"> msg vers:3 | accepted", "V:4.2.2/version-one@4 length:- discard err-vers"}},
    },
    {
        .id = "reverse-reply-to-version-three",
        .comment = "A version that nobody speaks here, and the client answers it in its own.",
        .flags = "aftermath to-requester",
        .events = {BOTH_CALLED,
                   {"< msg vers:3 xid:8 | call:8",
                    "V:4.2.2/version-one@4 length:- discard err-vers"},
                   {"> msg xid:8 | accepted:8", "V:4.5.1/unsupported-version-answered@4 discard"}},
    },
    {
        .id = "reverse-reply-with-other-xid",
        .comment = "The header answers the Call of the server, the RPC message another one.",
        .flags = "broken two-readings to-requester",
        .events = {{CALL, NULL},
                   {REVERSE_CALL, NULL},
                   {"> msg | accepted:8", "V:4.2.1/xid-equal@28 process discard"}},
    },
    {
        .id = "reverse-reply-with-message-type-of-two",
        .comment = "A Reply to the server, but for its message type.",
        .flags = "broken",
        .events = {{CALL, NULL},
                   {REVERSE_CALL, NULL},
                   {"> msg | accepted @32=2", "V:2.2.2/message-type@32 discard err-chunk"}},
    },
};

const struct vector_group reverse_direction = {
    GROUP("reverse-direction.json", reverse_direction_vectors),
    .title = "Calls from the server to the client",
    .origin = "made",
    .reference = "RFC 8167 sections 2.4, 4.1 and 6, RFC 8166 section 4.2.4",
};
