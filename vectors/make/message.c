// SPDX-License-Identifier: BSD-3-Clause
/*
 * The RPC message after the transport header, as far as this transport has to know it. After a
 * header without chunks it begins at 28: XID, message type (32), then in a Call the RPC version
 * (36), the credential's flavor and length (52, 56), its body, and the same of the verifier.
 */
#include "vectors/make/vectors.h"

#define CALL "> msg | call"
#define OTHER_XID(at) "V:4.2.1/xid-equal@" #at " process err-chunk"
#define OTHER_XID_REPLY(at) "V:4.2.1/xid-equal@" #at " process discard"
#define LAYOUT(at) "V:4/rpc-layout@" #at " process discard err-chunk garbage-args"
#define LAYOUT_REPLY(at) "V:4/rpc-layout@" #at " process discard"
#define NO_PAYLOAD(at) "V:4.2.4/msg-has-payload@" #at " discard err-chunk"
#define NO_WORDS(at) "V:3.4.4.4/payload-whole-words@" #at " process discard err-chunk garbage-args"
#define NO_WORDS_REPLY(at) "V:3.4.4.4/payload-whole-words@" #at " process discard"
/* A Call up to its credential, of an unknown flavor. */
#define CALL_WITH_CREDENTIAL "> msg | 0x2f0c0001 0 2 0x20008166 1 1 99 "

static const struct vector message_vectors[] = {
    /* ---- is there a payload ---- */
    {
        .id = "msg-without-payload",
        .comment = "The header is good, and nothing follows it. One Responder drops it, this one "
                   "answers by ERR_CHUNK.",
        .flags = "broken",
        .events = {{"> msg", NO_PAYLOAD(28)},
                   {"< error:chunk", "length:20 terminate"},
                   {"> msg xid:2 | call", NULL},
                   {"< msg xid:2 | accepted", NULL}},
    },
    {
        .id = "msg-with-three-octets-of-payload",
        .comment = "Three octets are no XID.",
        .flags = "broken hostile",
        .events = {{"> msg | +3", NO_PAYLOAD(28)}},
    },
    {
        .id = "msg-without-payload-after-lists",
        .comment = "Arguments are in a Read chunk, results would go to a Write chunk, and there is "
                   "no Call.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/8/0x1000 write:0xb1/64/0x3000", NO_PAYLOAD(76)}},
    },
    {
        .id = "reply-without-payload",
        .comment = "The same to a Requester; it drops it and goes on waiting.",
        .flags = "broken to-requester",
        .events = {{CALL, NULL},
                   {"< msg", "V:4.2.4/msg-has-payload@28 discard"},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "msg-with-nothing-but-xid",
        .comment = "Four octets are a payload, though no RPC message.",
        .flags = "broken near-miss hostile",
        .near_miss = "4.2.4/msg-has-payload 3.4.4.4/payload-whole-words 4.2.1/xid-equal",
        .events = {{"> msg | 0x2f0c0001", LAYOUT(32)}},
    },
    /* ---- whole words ---- */
    {
        .id = "call-of-42-octets",
        .comment = "Two octets after a Call: fill octets of an item are missing, or it has too "
                   "many.",
        .flags = "broken",
        .events = {{"> msg | call +2", NO_WORDS(28)}},
    },
    {
        .id = "call-of-47-octets",
        .comment = "An opaque of three octets without its fill octet.",
        .flags = "broken",
        .events = {{"> msg | call 3 octets:3", NO_WORDS(28)}},
    },
    {
        .id = "call-of-unaligned-length-after-read-chunk",
        .comment = "The item left without its padding, and took none of the next item along: what "
                   "stays must be whole words.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/5/0x1000 | call 5 +3", NO_WORDS(52)}},
    },
    {
        .id = "reply-of-27-octets",
        .comment = "The same in a Reply.",
        .flags = "broken to-requester",
        .events = {{CALL, NULL}, {"< msg | accepted +3", NO_WORDS_REPLY(28)}},
    },
    {
        .id = "call-of-48-octets",
        .comment = "An opaque of three octets and its fill octet.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.4.4/payload-whole-words",
        .events = {{"> msg | call item:3 4", NULL}, {"< msg | accepted item:1", NULL}},
    },
    {
        .id = "call-of-aligned-length-after-unaligned-read-chunk",
        .comment = "The item took its padding away; the next one stays.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.4.4/payload-whole-words",
        .events = {{"> msg read:44:0xa1/5/0x1000 | call 5 9", NULL},
                   {"< rdma-read:0xa1:0x1000 | octets:5", ""},
                   {"< msg | accepted", NULL}},
    },
    /* ---- XIDs ---- */
    {
        .id = "call-with-other-xid",
        .comment = "Header and Call name two XIDs. A Responder may go by the header's.",
        .flags = "broken two-readings",
        .events = {{"> msg | call:0x2f0c0002", OTHER_XID(28)}},
    },
    {
        .id = "call-with-xid-of-other-octet-order",
        .comment = "The same XID, its octets turned round in the Call alone.",
        .flags = "broken two-readings",
        .events = {{"> msg | call:0x01000c2f", OTHER_XID(28)}},
    },
    {
        .id = "call-with-xid-of-zero",
        .comment = "The header has an XID, the Call has none set.",
        .flags = "broken two-readings",
        .events = {{"> msg | call:0", OTHER_XID(28)}},
    },
    {
        .id = "call-with-other-xid-after-lists",
        .comment = "The Call follows two lists, at 76.",
        .flags = "broken two-readings",
        .events = {{"> msg read:44:0xa1/8/0x1000 write:0xb1/64/0x3000 | call:0x2f0c0002 8",
                    OTHER_XID(76)}},
    },
    {
        .id = "reply-with-other-xid",
        .comment = "The header answers the Call, the RPC message another one.",
        .flags = "broken two-readings to-requester",
        .events = {{CALL, NULL}, {"< msg | accepted:0x2f0c0002", OTHER_XID_REPLY(28)}},
    },
    {
        .id = "long-call-with-other-xid",
        .comment = "The Responder learns it when it has read the Call.",
        .flags = "broken two-readings",
        .events = {{"> nomsg read:0:0xa1/40/0x1000", NULL},
                   {"< rdma-read:0xa1:0x1000 | call:0x2f0c0002", "V:4.2.1/xid-equal@0"}},
    },
    {
        .id = "xid-of-all-ones-in-both",
        .comment = "No XID is set apart, 4294967295 no more than 0.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.1/xid-equal",
        .events = {{"> msg xid:0xffffffff | call", NULL},
                   {"< msg xid:0xffffffff | accepted", NULL}},
    },
    {
        .id = "record-mark-before-call",
        .comment = "The record mark of a stream transport: last fragment, 40 octets. Every word "
                   "after it has moved, and the XID is taken for a message type. Who does not "
                   "compare XIDs may drop it.",
        .flags = "two-rules",
        .events = {{"> msg | 0x80000028 call",
                    "V:4.2.1/xid-equal@28 V:2.2.2/message-type@32 discard err-chunk"}},
    },
    {
        .id = "record-mark-of-fragment-before-reply",
        .comment = "The same before a Reply of 24 octets, of a fragment that is not the last.",
        .flags = "two-rules to-requester",
        .events = {{CALL, NULL},
                   {"< msg | 24 accepted", "V:4.2.1/xid-equal@28 V:2.2.2/message-type@32 discard"}},
    },
    /* ---- message type ---- */
    {
        .id = "message-type-of-two-after-write-list",
        .comment = "A Call is 0 and a Reply 1. It is the second word after the lists.",
        .flags = "broken",
        .events = {{"> msg write:0xb1/64/0x3000 | call @56=2",
                    "V:2.2.2/message-type@56 discard err-chunk"}},
    },
    {
        .id = "message-type-of-all-ones",
        .comment = "4294967295: -1 is not less than 2 in every language.",
        .flags = "broken hostile",
        .events = {{"> msg | call @32=0xffffffff", "V:2.2.2/message-type@32 discard err-chunk"}},
    },
    {
        .id = "message-type-in-wrong-octet-order",
        .comment = "A Reply whose 1 has its octets turned round.",
        .flags = "broken to-requester",
        .events = {{CALL, NULL},
                   {"< msg | accepted @32=0x01000000", "V:2.2.2/message-type@32 discard"},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "message-type-of-two-in-long-call",
        .comment = "The Responder learns it when it has read the Call.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa1/40/0x1000", NULL},
                   {"< rdma-read:0xa1:0x1000 | call @4=2", "V:2.2.2/message-type@4"}},
    },
    {
        .id = "long-call-that-is-a-reply",
        .comment = "The Position Zero Read chunk holds an RPC Reply.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa1/40/0x1000", NULL},
                   {"< rdma-read:0xa1:0x1000 | accepted *4", "V:2.2.2/message-type@4"}},
    },
    {
        .id = "message-types-of-long-call-and-long-reply",
        .comment = "0 in the memory of the one, 1 in that of the other.",
        .flags = "conforming near-miss",
        .near_miss = "2.2.2/message-type 4/rpc-layout 4.2.1/xid-equal",
        .events = {{"> nomsg read:0:0xa1/40/0x1000 reply:0xc1/100/0x4000", NULL},
                   {"< rdma-read:0xa1:0x1000 | call @4=0", ""},
                   {"< rdma-write:0xc1:0x4000 | accepted @4=1", ""},
                   {"< nomsg reply:0xc1/24/0x4000", NULL}},
    },
    /* ---- the RPC header of a Call ---- */
    {
        .id = "call-of-rpc-version-three",
        .comment = "RPC has a version of its own, and it is 2. RPC can tell (RPC_MISMATCH).",
        .flags = "broken",
        .events = {{"> msg | call @36=3", LAYOUT(36)}},
    },
    {
        .id = "call-ends-after-rpc-version",
        .comment = "The program number is missing.",
        .flags = "broken hostile",
        .events = {{"> msg | call cut:40", LAYOUT(40)}},
    },
    {
        .id = "call-ends-inside-verifier",
        .comment = "36 octets: the length of the verifier is missing.",
        .flags = "broken hostile",
        .events = {{"> msg | call cut:64", LAYOUT(64)}},
    },
    {
        .id = "credential-of-401-octets",
        .comment = "One octet more than a credential may have; it is all there.",
        .flags = "broken hostile",
        .events = {{CALL_WITH_CREDENTIAL "401 *101 0 0", LAYOUT(56)}},
    },
    {
        .id = "credential-of-all-ones",
        .comment = "4294967295 octets, which are 4294967296 with padding, or none.",
        .flags = "broken hostile",
        .events = {{CALL_WITH_CREDENTIAL "0xffffffff 0 0", LAYOUT(56)}},
    },
    {
        .id = "credential-longer-than-call",
        .comment = "A credential of 400 octets in a Call that ends after 8 of them.",
        .flags = "broken hostile",
        .events = {{CALL_WITH_CREDENTIAL "400 0 0", LAYOUT(56)}},
    },
    {
        .id = "verifier-of-401-octets",
        .comment = "The credential is empty, the verifier too long.",
        .flags = "broken hostile",
        .events = {{CALL_WITH_CREDENTIAL "0 99 401 *101", LAYOUT(64)}},
    },
    {
        .id = "long-call-of-rpc-version-one",
        .comment = "The Responder learns it when it has read the Call.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa1/40/0x1000", NULL},
                   {"< rdma-read:0xa1:0x1000 | call @8=1", "V:4/rpc-layout@8"}},
    },
    {
        .id = "credential-and-verifier-of-400-octets",
        .comment = "Both are as long as they may be, and of unknown flavors.",
        .flags = "conforming near-miss",
        .near_miss = "4/rpc-layout",
        .events = {{CALL_WITH_CREDENTIAL "400 *100 98 400 *100", NULL},
                   {"< msg | 0x2f0c0001 1 1 1 2", NULL}},
    },
    {
        .id = "credential-of-unaligned-length",
        .comment = "A credential of 5 octets has 3 fill octets; the arguments begin at 48.",
        .flags = "conforming near-miss",
        .near_miss = "4/rpc-layout 3.4.2/position-in-rpc-header",
        .events = {{"> msg read:48:0xa1/4/0x1000 | 0x2f0c0001 0 2 0x20008166 1 1 99 5 item:5 0 0 9",
                    "process"}},
    },
    /* ---- the RPC header of a Reply ---- */
    {
        .id = "reply-neither-accepted-nor-denied",
        .comment = "A Reply is accepted (0) or denied (1); 2 is nothing.",
        .flags = "broken to-requester",
        .events = {{CALL, NULL}, {"< msg | 0x2f0c0001 1 2 0 0 0", LAYOUT_REPLY(36)}},
    },
    {
        .id = "reply-accepted-with-status-six",
        .comment = "SYSTEM_ERR is 5, and nothing comes after it.",
        .flags = "broken to-requester",
        .events = {{CALL, NULL}, {"< msg | accepted @48=6", LAYOUT_REPLY(48)}},
    },
    {
        .id = "reply-denied-for-reason-two",
        .comment = "A Call is denied for its RPC version (0) or its credential (1).",
        .flags = "broken to-requester",
        .events = {{CALL, NULL}, {"< msg | 0x2f0c0001 1 1 2 0 0", LAYOUT_REPLY(40)}},
    },
    {
        .id = "reply-denied-for-unknown-credential-error",
        .comment = "The last error of a credential that has a number is 18.",
        .flags = "broken to-requester",
        .events = {{CALL, NULL}, {"< msg | 0x2f0c0001 1 1 1 19", LAYOUT_REPLY(44)}},
    },
    {
        .id = "reply-with-verifier-of-all-ones",
        .comment = "A verifier of 4294967295 octets.",
        .flags = "broken hostile to-requester",
        .events = {{CALL, NULL}, {"< msg | accepted @44=0xffffffff", LAYOUT_REPLY(44)}},
    },
    {
        .id = "reply-of-versions-without-the-highest",
        .comment = "PROG_MISMATCH names the lowest version and ends.",
        .flags = "broken hostile to-requester",
        .events = {{CALL, NULL}, {"< msg | 0x2f0c0001 1 0 0 0 2 1", LAYOUT_REPLY(56)}},
    },
    {
        .id = "reply-ends-after-message-type",
        .comment = "Eight octets: an XID, and that it is a Reply.",
        .flags = "broken hostile to-requester",
        .events = {{CALL, NULL}, {"< msg | accepted cut:36", LAYOUT_REPLY(36)}},
    },
    {
        .id = "reply-of-every-kind",
        .comment = "All ways to refuse a Call are Replies to this transport: program, version, "
                   "procedure, arguments, system, RPC version, credential.",
        .flags = "conforming near-miss",
        .near_miss = "4/rpc-layout",
        .events = {{CALL, NULL},
                   {"< msg | 0x2f0c0001 1 0 0 0 1", NULL},
                   {"> msg xid:2 | call", NULL},
                   {"< msg xid:2 | 2 1 0 0 0 2 3 4", NULL},
                   {"> msg xid:3 | call", NULL},
                   {"< msg xid:3 | 3 1 0 0 0 3", NULL},
                   {"> msg xid:4 | call", NULL},
                   {"< msg xid:4 | 4 1 0 0 0 4", NULL},
                   {"> msg xid:5 | call", NULL},
                   {"< msg xid:5 | 5 1 0 0 0 5", NULL},
                   {"> msg xid:6 | call", NULL},
                   {"< msg xid:6 | 6 1 1 0 2 2", NULL},
                   {"> msg xid:7 | call", NULL},
                   {"< msg xid:7 | 7 1 1 1 18", NULL}},
    },
    {
        .id = "reply-with-verifier-of-400-octets",
        .comment = "As long as a verifier may be.",
        .flags = "conforming near-miss",
        .near_miss = "4/rpc-layout",
        .events = {{CALL, NULL}, {"< msg | 0x2f0c0001 1 0 99 400 *100 0", NULL}},
    },
    /* ---- credits, which every message has ---- */
    {
        .id = "call-asks-for-no-credit",
        .comment = "Nothing forbids it, but nothing more can be sent then.",
        .flags = "remarkable",
        .events = {{"> msg credit:0 | call", "N:3.3.1/request-of-zero@8 process"}},
    },
    {
        .id = "reply-with-result-grants-no-credit",
        .comment = "A Responder must grant one credit at least, whatever else it does right.",
        .flags = "broken to-requester",
        .events = {{"> msg write:0xb1/64/0x3000 | call", NULL},
                   {"< rdma-write:0xb1:0x3000 | 1 2", ""},
                   {"< msg credit:0 write:0xb1/8/0x3000 | accepted 8",
                    "V:3.3.1/grant-not-zero@8 process discard"}},
    },
    {
        .id = "denied-call-grants-no-credit",
        .comment = "Denied or not, a Reply grants.",
        .flags = "broken to-requester",
        .events = {{CALL, NULL},
                   {"< msg credit:0 | 0x2f0c0001 1 1 1 1",
                    "V:3.3.1/grant-not-zero@8 process discard"}},
    },
    {
        .id = "replies-grant-one-credit",
        .comment = "The least that may be granted, and asked for: one Call after the other.",
        .flags = "conforming near-miss",
        .near_miss = "3.3.1/grant-not-zero 3.3.1/request-of-zero",
        .events = {{"> msg credit:1 | call", NULL},
                   {"< msg credit:1 | accepted", NULL},
                   {"> msg xid:2 credit:1 | call", NULL},
                   {"< msg xid:2 credit:1 | accepted", NULL}},
    },
};

const struct vector_group message = {
    GROUP("message.json", message_vectors),
    .title = "The RPC message after the header",
    .origin = "made",
    .reference = "RFC 8166 sections 2.2.2, 3.3.1, 3.4.4.4, 4.2.1 and 4.2.4, RFC 5531 section 9",
};
