// SPDX-License-Identifier: BSD-3-Clause
/* -04: transport properties, told, requested, and reported. */
#include "vectors/make/version2/version2.h"

#define ASK_TWO                                                                                    \
    {                                                                                              \
        "< reqprop xid:7 property:1:16384 property:2:2", NULL                                      \
    }
#define CLIENT_8192                                                                                \
    {                                                                                              \
        "> connprop xid:1 property:1:8192", NULL                                                   \
    }
#define CLIENT_8192_AND_GENERAL                                                                    \
    {                                                                                              \
        "> connprop xid:1 property:1:8192 property:2:2", NULL                                      \
    }
#define SERVER_4096                                                                                \
    {                                                                                              \
        "< connprop xid:2 property:1:4096", NULL                                                   \
    }

static const struct vector properties_04_vectors[] = {
    {
        .id = "04-connprop",
        .comment = "Both sides tell their properties at the start.",
        .flags = "conforming near-miss",
        .near_miss = "5.1.1/value-form 5.1.1/value-too-long",
        .events = {CLIENT_8192_AND_GENERAL, SERVER_4096},
    },
    {
        .id = "04-value-of-2-octets",
        .comment = "A Receive Buffer Size of two octets, padded.",
        .flags = "broken",
        .events =
            {EXCHANGE_04,
             {"> connprop xid:1 property:1:octets=2",
              "V:5.1.1/value-form@24 process err-bad-xdr err-invalid-option err-invalid-proc"}},
    },
    {
        .id = "04-value-of-8-octets",
        .comment = "A Receive Buffer Size of eight octets: its type ends after four.",
        .flags = "broken",
        .events = {EXCHANGE_04,
                   {"> connprop xid:1 property:1:octets=8 @28=8192",
                    "W:5.1.1/value-too-long@24 process err-bad-xdr err-invalid-option "
                    "err-invalid-proc"}},
    },
    {
        .id = "04-reverse-support-of-3",
        .comment = "Support for the reverse direction is an enum of three values.",
        .flags = "broken",
        .events =
            {EXCHANGE_04,
             {"> connprop xid:1 property:2:3",
              "V:5.1.1/value-form@28 process err-bad-xdr err-invalid-option err-invalid-proc"}},
    },
    {
        .id = "04-reverse-support-of-2",
        .comment = "The highest level that is defined.",
        .flags = "near-miss",
        .near_miss = "5.1.1/value-form",
        .events = {EXCHANGE_04, {"> connprop xid:1 property:2:2", NULL}},
    },
    {
        .id = "04-empty-value",
        .comment = "No value means the default.",
        .flags = "near-miss",
        .near_miss = "5.1.1/value-form",
        .events = {EXCHANGE_04, {"> connprop xid:1 property:1", NULL}},
    },
    {
        .id = "04-properties-beyond-the-message",
        .comment = "2^32-1 properties in 24 octets.",
        .flags = "broken hostile",
        .events = {EXCHANGE_04,
                   {"> connprop xid:1 @16=0xffffffff",
                    "V:6.2/xdr-encoded@16 length:- err-bad-xdr err-invalid-option err-invalid-proc "
                    "discard"}},
    },
    {
        .id = "04-response-cut-off",
        .comment = "A response that ends in its lists: what answers a request is not answered.",
        .flags = "broken",
        .events = {CLIENT_8192_AND_GENERAL,
                   ASK_TWO,
                   {"> resprop xid:7 done:1 cut:20",
                    "V:6.2/xdr-encoded@16 length:- err-bad-xdr discard"}},
    },
    {
        .id = "04-request-answered",
        .comment = "Two values are asked for: one is set, the other rejected.",
        .flags = "conforming near-miss",
        .near_miss = "5.3.3/response-matches 5.3.3/other-was-requested 5.3.3/subsets-apart "
                     "5.3.3/subsets-cover 5.3.1/left-out-not-requested",
        .events = {CLIENT_8192_AND_GENERAL, ASK_TWO, {"> resprop xid:7 done:1 rejected:2", NULL}},
    },
    {
        .id = "04-subset-from-the-other-end",
        .comment = "Member 0 as the highest bit of the word: which end bit 0 is the draft does not "
                   "say.",
        .flags = "two-readings near-miss",
        .near_miss = "5.3.3/subsets-cover",
        .events = {CLIENT_8192,
                   {"< reqprop xid:7 property:1:16384", NULL},
                   {"> resprop xid:7 rejected:0x80000000", NULL}},
    },
    {
        .id = "04-response-overlaps",
        .comment = "The first value is set and rejected at once.",
        .flags = "broken",
        .events = {CLIENT_8192_AND_GENERAL,
                   ASK_TWO,
                   {"> resprop xid:7 done:3 rejected:1", "V:5.3.3/subsets-apart process"}},
    },
    {
        .id = "04-response-with-a-gap",
        .comment = "Of the second value nothing is said.",
        .flags = "broken",
        .events = {CLIENT_8192_AND_GENERAL,
                   ASK_TWO,
                   {"> resprop xid:7 done:1", "W:5.3.3/subsets-cover process"}},
    },
    {
        .id = "04-response-of-nothing",
        .comment = "The bits stand for nothing that was asked for, whichever end is bit 0.",
        .flags = "broken",
        .events = {CLIENT_8192_AND_GENERAL,
                   {"< reqprop xid:7 property:1:16384", NULL},
                   {"> resprop xid:7 done:0x01010000", "W:5.3.3/subsets-cover process"}},
    },
    {
        .id = "04-response-with-another",
        .comment = "Both values are set, and a third comes that nobody asked for.",
        .flags = "broken",
        .events = {CLIENT_8192_AND_GENERAL,
                   ASK_TWO,
                   {"> resprop xid:7 done:3 other:9:5", "V:5.3.3/other-was-requested process"}},
    },
    {
        .id = "04-response-without-request",
        .comment = "Nothing was asked for.",
        .flags = "broken",
        .events = {CLIENT_8192,
                   SERVER_4096,
                   {"> resprop xid:7 done:1", "W:5.3.3/response-matches@0 process discard"}},
    },
    {
        .id = "04-constant-changes",
        .comment =
            "CONNPROP says that both properties are constant, whichever end of the word bit 0 is.",
        .flags = "broken",
        .events = {{"> connprop xid:1 property:1:8192 property:2:2 unchanging:0xffffffff", NULL},
                   SERVER_4096,
                   {"> updprop xid:3 property:1:16384",
                    "W:5.3.1/constant-kept@28 process err-invalid-proc err-invalid-option"}},
    },
    {
        .id = "04-constant-by-low-end-changes",
        .comment = "The first of two properties is constant: the bit stands for nothing from the "
                   "other end of the word.",
        .flags = "broken",
        .events = {{"> connprop xid:1 property:1:8192 property:2:2 unchanging:1", NULL},
                   SERVER_4096,
                   {"> updprop xid:3 property:1:16384",
                    "W:5.3.1/constant-kept@28 process err-invalid-proc err-invalid-option"}},
    },
    {
        .id = "04-other-than-constant-changes",
        .comment = "The second of two properties is constant, by the high end of the word.",
        .flags = "near-miss",
        .near_miss = "5.3.1/constant-kept",
        .events = {{"> connprop xid:1 property:1:8192 property:2:2 unchanging:0x40000000", NULL},
                   SERVER_4096,
                   {"> updprop xid:3 property:1:16384", NULL}},
    },
    {
        .id = "04-variable-changes",
        .comment = "No property is constant.",
        .flags = "near-miss",
        .near_miss = "5.3.1/constant-kept 5.3.1/left-out-kept",
        .events = {{"> connprop xid:1 property:1:8192 property:2:2 unchanging:0", NULL},
                   SERVER_4096,
                   {"> updprop xid:3 property:1:16384", NULL}},
    },
    {
        .id = "04-left-out-changes",
        .comment = "Support for the reverse direction was left out at the start, so it cannot "
                   "change.",
        .flags = "broken",
        .events = {CLIENT_8192,
                   SERVER_4096,
                   {"> updprop xid:3 property:2:2",
                    "W:5.3.1/left-out-kept@28 process err-invalid-proc err-invalid-option"}},
    },
    {
        .id = "04-left-out-requested",
        .comment = "The server asks for a property that the client left out.",
        .flags = "broken",
        .events =
            {CLIENT_8192,
             SERVER_4096,
             {"< reqprop xid:7 property:2:2",
              "W:5.3.1/left-out-not-requested@28 process err-invalid-proc err-invalid-option"}},
    },
    {
        .id = "04-size-shrinks",
        .comment = "The Receive Buffer Size falls, and nobody asked for it.",
        .flags = "broken",
        .events = {CLIENT_8192,
                   SERVER_4096,
                   {"> updprop xid:3 property:1:4096",
                    "W:5.2.1/size-shrinks-unasked@28 process err-invalid-proc err-invalid-option"}},
    },
    {
        .id = "04-size-shrinks-as-asked",
        .comment = "The Receive Buffer Size falls, as the server asked.",
        .flags = "near-miss",
        .near_miss = "5.2.1/size-shrinks-unasked",
        .events = {CLIENT_8192,
                   SERVER_4096,
                   {"< reqprop xid:7 property:1:4096", NULL},
                   {"> resprop xid:7 done:1", NULL},
                   {"> updprop xid:3 property:1:4096", NULL}},
    },
    {
        .id = "04-size-grows",
        .comment = "The Receive Buffer Size rises, which needs no request.",
        .flags = "near-miss",
        .near_miss = "5.2.1/size-shrinks-unasked",
        .events = {CLIENT_8192, SERVER_4096, {"> updprop xid:3 property:1:16384", NULL}},
    },
    {
        .id = "04-asked-size-not-kept",
        .comment = "The server has asked for 4096 octets, and sends 8192 before the answer.",
        .flags = "broken",
        .events = {CLIENT_8192,
                   SERVER_4096,
                   {"> call-msg | call", NULL},
                   {"< reqprop xid:7 property:1:4096", NULL},
                   {"< reply-msg | accepted octets:8132", "W:5.2.1/asked-size-kept process"}},
    },
    {
        .id = "04-asked-size-kept",
        .comment = "The server has asked for 4096 octets, and sends as many.",
        .flags = "near-miss",
        .near_miss = "5.2.1/asked-size-kept",
        .events = {CLIENT_8192,
                   SERVER_4096,
                   {"> call-msg | call", NULL},
                   {"< reqprop xid:7 property:1:4096", NULL},
                   {"< reply-msg | accepted octets:4036", NULL}},
    },
    {
        .id = "04-asked-size-refused",
        .comment = "The client has refused to have less than 8192 octets, so the server may send "
                   "them.",
        .flags = "near-miss",
        .near_miss = "5.2.1/asked-size-kept",
        .events = {CLIENT_8192,
                   SERVER_4096,
                   {"> call-msg | call", NULL},
                   {"< reqprop xid:7 property:1:4096", NULL},
                   {"> resprop xid:7 rejected:1", NULL},
                   {"< reply-msg | accepted octets:8132", NULL}},
    },
    {
        .id = "04-request-refused-by-procedure",
        .comment = "The client knows no requests: that is as if all of it were rejected.",
        .flags = "near-miss",
        .near_miss = "5.2.1/asked-size-kept",
        .events = {CLIENT_8192,
                   SERVER_4096,
                   {"> call-msg | call", NULL},
                   {"< reqprop xid:7 property:1:4096", NULL},
                   {"> error4:3 xid:7", "terminate"},
                   {"< reply-msg | accepted octets:8132", NULL}},
    },
    {
        .id = "04-done-raises-the-level",
        .comment = "The client was asked to take Calls of all forms, and does.",
        .flags = "near-miss",
        .near_miss = "5.2.2/reverse-level",
        .events = {{"> connprop xid:1 property:1:8192 property:2:1", NULL},
                   SERVER_4096,
                   {"< reqprop xid:7 property:2:2", NULL},
                   {"> resprop xid:7 done:1", NULL},
                   {"< call-msg xid:8 write:0xb1/64/0x3000 | call", NULL}},
    },
    {
        .id = "04-done-lowers-the-level",
        .comment = "The client was asked to take no chunks, and takes none, by the other end of "
                   "the word.",
        .flags = "broken",
        .events = {CLIENT_8192_AND_GENERAL,
                   SERVER_4096,
                   {"< reqprop xid:7 property:2:1", NULL},
                   {"> resprop xid:7 done:0x80000000", NULL},
                   {"< call-msg xid:8 write:0xb1/64/0x3000 | call",
                    "W:5.2.2/reverse-level@12 process err-bad-xdr err-system err-read-chunks "
                    "err-write-chunks"}},
    },
    {
        .id = "04-done-of-nothing",
        .comment = "The bits stand for no member of the request by either end: the level may be "
                   "what was asked for.",
        .flags = "near-miss",
        .near_miss = "5.2.2/reverse-level",
        .events = {{"> connprop xid:1 property:1:8192 property:2:1", NULL},
                   SERVER_4096,
                   {"< reqprop xid:7 property:2:2", NULL},
                   {"> resprop xid:7 done:3", NULL},
                   {"< call-msg xid:8 write:0xb1/64/0x3000 | call", NULL}},
    },
    {
        .id = "04-level-falls-on-the-way",
        .comment = "The client takes no chunks any more, which the server does not know yet.",
        .flags = "near-miss",
        .near_miss = "5.2.2/reverse-level",
        .settings = "captured",
        .events = {CLIENT_8192_AND_GENERAL,
                   SERVER_4096,
                   {"> call-msg xid:3 | call", NULL},
                   {"< reply-msg xid:3 | accepted", NULL},
                   {"> updprop xid:4 property:2:1", NULL},
                   {"< call-msg xid:8 write:0xb1/64/0x3000 | call", NULL}},
    },
    {
        .id = "04-level-fell-before",
        .comment = "The same, and the server has answered what came after it.",
        .flags = "broken",
        .settings = "captured",
        .events = {CLIENT_8192_AND_GENERAL,
                   SERVER_4096,
                   {"> updprop xid:4 property:2:1", NULL},
                   {"> call-msg xid:3 | call", NULL},
                   {"< reply-msg xid:3 | accepted", NULL},
                   {"< call-msg xid:8 write:0xb1/64/0x3000 | call",
                    "W:5.2.2/reverse-level@12 process err-bad-xdr err-system err-read-chunks "
                    "err-write-chunks"}},
    },
    {
        .id = "04-response-to-unseen-request",
        .comment = "What the client was asked for came before what was seen; it has another value "
                   "now.",
        .flags = "near-miss",
        .near_miss = "2.3/send-within-threshold",
        .settings = "mid",
        .events = {{"> updprop xid:3 property:1:8192", NULL},
                   {"< reply-msg xid:2 | accepted:2", NULL},
                   {"> resprop xid:7 other:1:16380", NULL},
                   {"> call-msg | call", NULL},
                   {"< reply-msg | accepted octets:12000", NULL}},
    },
    {
        .id = "04-done-of-unseen-request",
        .comment = "The same, and it was done as asked.",
        .flags = "near-miss",
        .near_miss = "2.3/send-within-threshold",
        .settings = "mid",
        .events = {{"> updprop xid:3 property:1:8192", NULL},
                   {"< reply-msg xid:2 | accepted:2", NULL},
                   {"> resprop xid:7 done:1", NULL},
                   {"> call-msg | call", NULL},
                   {"< reply-msg | accepted octets:12000", NULL}},
    },
};

const struct vector_group v2_04_properties = {
    GROUP("v2-04/properties.json", properties_04_vectors),
    .title = "Version 2, -04: transport properties",
    DRAFT_04,
    .origin = "made",
    .reference = "draft-cel-nfsv4-rpcrdma-version-two-04 section 5",
};
