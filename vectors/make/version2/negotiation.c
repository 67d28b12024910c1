// SPDX-License-Identifier: BSD-3-Clause
/* Both drafts: how client and server come to a version, and what keeps it. */
#include "vectors/make/version2/version2.h"

#define OFFER                                                                                      \
    {                                                                                              \
        "> call-inline | call", NULL                                                               \
    }
#define REFUSAL                                                                                    \
    {                                                                                              \
        "< error2:1:1:1 credit:32", "terminate"                                                    \
    }

static const struct vector negotiation_07_vectors[] = {
    {
        .id = "07-falls-back",
        .comment = "The server speaks version 1 and refuses; the client goes on in version 1.",
        .flags = "conforming near-miss",
        .near_miss = "7.1.1/refused-version-not-used 7.1.1/version-range-ordered "
                     "7.1.1/version-range-excludes-failed 7/error-version 7/error-xid "
                     "4.3.3/client-version 4.3.3/server-version",
        .events = {OFFER, REFUSAL, {"> msg xid:2 | call", NULL}, {"< msg xid:2 | accepted", NULL}},
    },
    {
        .id = "07-falls-back-with-the-same-xid",
        .comment = "The refused Call was never taken, so its XID is free.",
        .flags = "conforming",
        .events = {OFFER, REFUSAL, {"> msg | call", NULL}, {"< msg | accepted", NULL}},
    },
    {
        .id = "07-refusal-grants-nothing",
        .comment = "The credit word of ERR_VERS means nothing: its version is 2, and who wrote it "
                   "counts as version 1 does.",
        .flags = "conforming",
        .events = {OFFER,
                   {"< error2:1:1:1 credit:0", "terminate"},
                   {"> msg xid:2 | call", NULL},
                   {"< msg xid:2 | accepted", NULL}},
    },
    {
        .id = "07-refusal-in-version-1",
        .comment = "The version word of the error is 1: servers after RFC 5666 write that. RFC "
                   "8166 has it repeat what it answers.",
        .flags = "broken to-requester",
        .events = {OFFER,
                   {"< error2:1:1:1 vers:1 credit:32",
                    "V:rfc8166/4.5/error-version@4 terminate discard"}},
    },
    {
        .id = "07-refusal-of-nothing",
        .comment = "No Send of this XID waits for an answer.",
        .flags = "broken to-requester",
        .events = {OFFER,
                   {"< error2:1:1:1 xid:7 credit:32", "W:7/error-without-message@0 discard"}},
    },
    {
        .id = "07-range-with-the-refused-version",
        .comment = "Version 2 is refused, and the range of what is known ends with 2.",
        .flags = "broken to-requester",
        .events = {OFFER,
                   {"< error2:1:1:2 credit:32",
                    "V:7.1.1/version-range-excludes-failed@20 terminate"}},
    },
    {
        .id = "07-range-around-the-refused-version",
        .comment = "From 1 to 3: a server that knows 1 and 3 but not 2 can say no better.",
        .flags = "broken to-requester",
        .events = {OFFER,
                   {"< error2:1:1:3 credit:32",
                    "W:7.1.1/version-range-excludes-failed@20 terminate"}},
    },
    {
        .id = "07-range-that-falls",
        .comment = "The lowest version is 5, the highest 3.",
        .flags = "broken to-requester",
        .events = {OFFER,
                   {"< error2:1:5:3 credit:32", "V:7.1.1/version-range-ordered@20 terminate"}},
    },
    {
        .id = "07-goes-on-outside-the-range",
        .comment = "The server knows version 1 only, and the client offers version 2 again.",
        .flags = "broken",
        .events = {OFFER,
                   REFUSAL,
                   {"> call-inline xid:2 | call",
                    "V:7.1.1/refused-version-not-used@4 length:- err-vers"}},
    },
    {
        .id = "07-version-3-is-offered",
        .comment = "A client of a later version meets a server of version 2 and comes down to it.",
        .flags = "conforming near-miss",
        .near_miss = "7.1.1/refused-version-not-used 7/error-version "
                     "7.1.1/unsupported-version-answered",
        .events = {{"> call-inline vers:3 | call",
                    "V:rfc8166/4.2.2/version-one@4 length:- err-vers"},
                   {"< error2:1:2:2 vers:3 credit:33", "terminate"},
                   {"> call-inline xid:2 | call", NULL},
                   {"< reply-inline xid:2 | accepted", NULL}},
    },
    {
        .id = "07-error-in-another-version",
        .comment = "The Call has version 3, and the error that answers it version 2.",
        .flags = "broken to-requester",
        .events = {{"> call-inline vers:3 | call",
                    "V:rfc8166/4.2.2/version-one@4 length:- err-vers"},
                   {"< error2:1:2:2 credit:33", "V:7/error-version@4 terminate discard"}},
    },
    {
        .id = "07-later-version-executed",
        .comment = "The server does not know version 3, and answers by a Reply in version 2.",
        .flags = "broken to-requester",
        .events = {{"> call-inline vers:3 | call",
                    "V:rfc8166/4.2.2/version-one@4 length:- err-vers"},
                   {"< reply-inline | accepted",
                    "V:7.1.1/unsupported-version-answered@4 discard terminate"}},
    },
    {
        .id = "07-first-send-of-1024",
        .comment = "As long as a client may begin: a server of version 1 has room for it.",
        .flags = "near-miss",
        .near_miss = "4.3/first-send-of-1024",
        .events = {{"> call-inline | call octets:952", NULL}},
    },
    {
        .id = "07-first-send-of-1028",
        .comment = "A server of version 1 may have no room for it.",
        .flags = "broken",
        .events = {{"> call-inline | call octets:956", "V:4.3/first-send-of-1024 process close"}},
    },
    {
        .id = "07-second-send-of-4096",
        .comment = "The server has answered in version 2, whose Sends have 4096 octets at most.",
        .flags = "near-miss",
        .near_miss = "4.3/first-send-of-1024 4.2.2/send-within-default "
                     "5.2.2/send-within-receive-size",
        .events = {EXCHANGE_07, {"> call-inline | call octets:4024", NULL}},
    },
    {
        .id = "07-first-send-of-20",
        .comment = "No property at all, in 20 octets: a server of version 1 drops what is shorter "
                   "than 28.",
        .flags = "remarkable",
        .events = {{"> connprop-final", "N:4.3/first-send-of-28 process"}},
    },
    {
        .id = "07-first-send-of-28",
        .comment = "One property without a value: 28 octets, which a server of version 1 answers.",
        .flags = "near-miss",
        .near_miss = "4.3/first-send-of-28",
        .events = {{"> connprop-final property:2", NULL}},
    },
    {
        .id = "07-first-send-is-piece",
        .comment = "The client may send once until it has received something: the rest of this "
                   "Call waits for a grant.",
        .flags = "remarkable",
        .events = {{"> call-middle:12 | call part:0:28", "N:4.3/first-send-is-piece process"}},
    },
    {
        .id = "07-second-send-is-piece",
        .comment = "A piece after the first exchange: the next may follow at once.",
        .flags = "near-miss",
        .near_miss = "4.3/first-send-is-piece 6.3.6/call-continues 6.3.6/call-remaining",
        .events = {EXCHANGE_07,
                   {"> call-middle:12 | call part:0:28", NULL},
                   {"> call-inline | call part:28:12", NULL}},
    },
    {
        .id = "07-first-send-is-reply",
        .comment = "A client begins with a Reply to nothing.",
        .flags = "broken",
        .events = {{"> reply-inline | accepted", "V:3.1.3/reply-matches-call@0 discard"}},
    },
    {
        .id = "07-server-first",
        .comment = "A server sends before it knows which version the client speaks.",
        .flags = "broken",
        .events = {{"< connprop-final property:2:4096",
                    "W:4.3.3/server-waits process discard close"}},
    },
    {
        .id = "07-server-second",
        .comment = "The server tells its properties before it answers the Call.",
        .flags = "near-miss",
        .near_miss = "4.3.3/server-waits",
        .events = {OFFER, {"< connprop-final property:2:4096", NULL}},
    },
    {
        .id = "07-server-changes-version",
        .comment = "The Call has version 2, and its Reply version 1.",
        .flags = "broken to-requester",
        .events = {OFFER, {"< msg | accepted", "V:4.3.3/server-version@4 length:- discard"}},
    },
    {
        .id = "07-client-changes-version",
        .comment = "After an exchange in version 2 a Call in version 1.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> msg xid:2 | call",
                    "V:4.3.3/client-version@4 length:- err-vers-mismatch err-vers"}},
    },
    {
        .id = "07-mismatch-answered",
        .comment = "The error says that the version is known, but not that of the connection. It "
                   "repeats version 1, which has no such code.",
        .flags = "aftermath near-miss",
        .near_miss = "7/error-version 4.3.3/server-version",
        .events = {EXCHANGE_07,
                   {"> msg xid:2 | call",
                    "V:4.3.3/client-version@4 length:- err-vers-mismatch err-vers"},
                   {"< error2:11 xid:2 vers:1 credit:34", "terminate discard"}},
    },
    {
        .id = "07-refused-version-sent-again",
        .comment = "The same, and the client goes on in version 1.",
        .flags = "aftermath",
        .events = {EXCHANGE_07,
                   {"> msg xid:2 | call",
                    "V:4.3.3/client-version@4 length:- err-vers-mismatch err-vers"},
                   {"< error2:11 xid:2 vers:1 credit:34", "terminate discard"},
                   {"> msg xid:3 | call",
                    "V:4.3.3/client-version@4 length:- err-vers-mismatch err-vers"}},
    },
    {
        .id = "07-version-3-after-an-exchange",
        .comment = "The version is settled, and the client tries a later one.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> call-inline xid:2 vers:3 | call",
                    "V:4.3.3/client-version@4 length:- err-vers-mismatch err-vers"}},
    },
    {
        .id = "07-version-2-after-version-1",
        .comment = "The version is settled as 1, and a Call comes in version 2.",
        .flags = "broken",
        .events = {{"> msg | call", NULL},
                   {"< msg | accepted", NULL},
                   {"> call-inline xid:2 | call",
                    "V:rfc8166/4.2.2/version-one@4 length:- err-vers"}},
    },
    {
        .id = "07-two-sends-at-first",
        .comment = "The client sends again before it has received anything.",
        .flags = "broken",
        .events = {OFFER, {"> call-inline xid:2 | call", "W:4.3/one-send-at-first process close"}},
    },
    {
        .id = "07-three-sends-at-first",
        .comment = "Before anything was received the limit is one Send; this is the third.",
        .flags = "broken",
        .events = {OFFER,
                   {"> call-inline xid:2 | call", "W:4.3/one-send-at-first process close"},
                   {"> call-inline xid:3 | call", "V:4.2.1/sends-within-limit process close"}},
    },
    {
        .id = "07-bare-rpc-call",
        .comment = "An RPC Call without a transport header: its message type is where the version "
                   "is looked for.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> raw | call:7",
                    "V:4.3.3/client-version@4 length:- err-vers-mismatch err-vers"}},
    },
    {
        .id = "07-refused-then-closed",
        .comment = "The client that cannot speak version 1 gives up.",
        .flags = "conforming",
        .events = {OFFER, REFUSAL, {"> disconnect", NULL}},
    },
    {
        .id = "07-refused-then-1028",
        .comment = "After the refusal the client is where it was at the start, in version 1.",
        .flags = "remarkable",
        .events = {OFFER,
                   REFUSAL,
                   {"> msg xid:2 | call octets:960",
                    "N:rfc8166/3.3.3/send-above-default process close"}},
    },
};

const struct vector_group v2_07_negotiation = {
    GROUP("v2-07/negotiation.json", negotiation_07_vectors),
    .title = "Version 2, -07: version negotiation",
    DRAFT_07,
    .origin = "made",
    .reference = "draft-ietf-nfsv4-rpcrdma-version-two-07 section 4.3",
};

#define OFFER_04                                                                                   \
    {                                                                                              \
        "> call-msg | call", NULL                                                                  \
    }

static const struct vector negotiation_04_vectors[] = {
    {
        .id = "04-falls-back",
        .comment = "The server speaks version 1 and refuses; the client goes on in version 1.",
        .flags = "conforming near-miss",
        .near_miss = "7.2/refused-version-not-used 6.2.4/version-range-ordered "
                     "6.2.4/version-range-excludes-failed 6.2.4/error-version 6.2.4/error-xid "
                     "7.2/unsupported-version-answered",
        .events = {OFFER_04,
                   {"< error4:1:1:1", "terminate"},
                   {"> msg xid:2 | call", NULL},
                   {"< msg xid:2 | accepted", NULL}},
    },
    {
        .id = "04-version-3-is-offered",
        .comment = "A client of a later version meets a server of version 2.",
        .flags = "conforming",
        .events = {{"> call-msg vers:3 | call", "V:rfc8166/4.2.2/version-one@4 length:- err-vers"},
                   {"< error4:1:2:2 vers:3", "terminate"},
                   {"> call-msg xid:2 | call", NULL},
                   {"< reply-msg xid:2 | accepted", NULL}},
    },
    {
        .id = "04-goes-on-outside-the-range",
        .comment = "The server knows version 1 only, and the client offers version 2 again.",
        .flags = "broken",
        .events = {OFFER_04,
                   {"< error4:1:1:1", "terminate"},
                   {"> call-msg xid:2 | call",
                    "W:7.2/refused-version-not-used@4 length:- err-vers"}},
    },
    {
        .id = "04-range-with-the-refused-version",
        .comment = "Version 2 is refused, and the range of what is known ends with 2.",
        .flags = "broken to-requester",
        .events = {OFFER_04,
                   {"< error4:1:1:2", "V:6.2.4/version-range-excludes-failed@20 terminate"}},
    },
    {
        .id = "04-range-that-falls",
        .comment = "The lowest version is 5, the highest 3.",
        .flags = "broken to-requester",
        .events = {OFFER_04, {"< error4:1:5:3", "V:6.2.4/version-range-ordered@20 terminate"}},
    },
    {
        .id = "04-error-in-another-version",
        .comment = "The Call has version 3, and the error that answers it version 2.",
        .flags = "broken to-requester",
        .events = {{"> call-msg vers:3 | call", "V:rfc8166/4.2.2/version-one@4 length:- err-vers"},
                   {"< error4:1:2:2", "V:6.2.4/error-version@4 terminate discard"}},
    },
    {
        .id = "04-later-version-executed",
        .comment = "The server does not know version 3, and answers by a Reply in version 2.",
        .flags = "broken to-requester",
        .events = {{"> call-msg vers:3 | call", "V:rfc8166/4.2.2/version-one@4 length:- err-vers"},
                   {"< reply-msg | accepted",
                    "V:7.2/unsupported-version-answered@4 discard terminate"}},
    },
    {
        .id = "04-server-changes-version",
        .comment = "The Call has version 2, and its Reply version 1.",
        .flags = "broken to-requester",
        .events = {OFFER_04, {"< msg | accepted", "V:7.3/replies-keep-version@4 length:- discard"}},
    },
    {
        .id = "04-server-keeps-version",
        .comment = "The Reply has the version of its Call.",
        .flags = "near-miss",
        .near_miss = "7.3/replies-keep-version",
        .events = {EXCHANGE_04},
    },
    {
        .id = "04-first-send-of-1024",
        .comment = "As long as a client should begin.",
        .flags = "near-miss",
        .near_miss = "7/first-send-of-1024",
        .events = {{"> call-msg | call octets:948", NULL}},
    },
    {
        .id = "04-first-send-of-1028",
        .comment = "A server of version 1 may have no room for it.",
        .flags = "broken",
        .events = {{"> call-msg | call octets:952", "W:7/first-send-of-1024 process close"}},
    },
    {
        .id = "04-first-send-of-24",
        .comment = "No property, in 24 octets: a server of version 1 drops what is shorter than "
                   "28.",
        .flags = "remarkable",
        .events = {{"> connprop",
                    "N:7/first-send-of-28 process err-invalid-proc err-invalid-option"}},
    },
    {
        .id = "04-first-send-of-28",
        .comment = "An empty set of properties, and one word of those that do not change.",
        .flags = "near-miss",
        .near_miss = "7/first-send-of-28",
        .events = {{"> connprop unchanging:0", NULL}},
    },
    {
        .id = "04-two-calls-at-first",
        .comment = "A second Call before anything but an error came back.",
        .flags = "broken",
        .events = {OFFER_04, {"> call-msg xid:2 | call", "V:7/one-message-at-first process close"}},
    },
    {
        .id = "04-second-call-after-reply",
        .comment = "A second and a third Call after the first Reply.",
        .flags = "near-miss",
        .near_miss = "7/one-message-at-first",
        .events = {EXCHANGE_04,
                   {"> call-msg xid:2 | call", NULL},
                   {"> call-msg xid:3 | call", NULL}},
    },
    {
        .id = "04-send-of-4096",
        .comment = "Who told no buffer size has 4096 octets.",
        .flags = "near-miss",
        .near_miss = "2.3/send-above-default 2.3/send-within-threshold",
        .events = {EXCHANGE_04, {"> call-msg | call octets:4020", NULL}},
    },
    {
        .id = "04-send-of-4100",
        .comment = "One word more than a peer takes that told nothing.",
        .flags = "broken",
        .events = {EXCHANGE_04,
                   {"> call-msg | call octets:4024", "V:2.3/send-above-default process close"}},
    },
    {
        .id = "04-send-of-8192-told",
        .comment = "The server told a buffer of 8192 octets.",
        .flags = "near-miss",
        .near_miss = "2.3/send-above-default 2.3/send-within-threshold",
        .events = {EXCHANGE_04,
                   {"< connprop xid:9 property:1:8192", NULL},
                   {"> call-msg | call octets:8116", NULL}},
    },
    {
        .id = "04-send-above-told",
        .comment = "The server told a buffer of 8192 octets, and this is longer.",
        .flags = "broken",
        .events = {EXCHANGE_04,
                   {"< connprop xid:9 property:1:8192", NULL},
                   {"> call-msg | call octets:8120", "V:2.3/send-within-threshold process close"}},
    },
    {
        .id = "04-send-within-private-data",
        .comment = "Private data of RFC 8797 told of 8192 octets, which the draft leaves room for.",
        .flags = "near-miss",
        .near_miss = "2.3/send-above-default",
        .events = {{"> private-data | 0xf6ab0e18 0x01010707", NULL},
                   {"< private-data | 0xf6ab0e18 0x01010707", NULL},
                   EXCHANGE_04,
                   {"> call-msg | call octets:8116", NULL}},
    },
};

const struct vector_group v2_04_negotiation = {
    GROUP("v2-04/negotiation.json", negotiation_04_vectors),
    .title = "Version 2, -04: version negotiation, and how long a Send may be",
    DRAFT_04,
    .origin = "made",
    .reference = "draft-cel-nfsv4-rpcrdma-version-two-04 sections 2.3 and 7",
};
