// SPDX-License-Identifier: BSD-3-Clause
/* -04: header, direction, invalidation, errors, the reverse direction. */
#include "vectors/make/version2/version2.h"

#define CALL                                                                                       \
    {                                                                                              \
        "> call-msg | call", NULL                                                                  \
    }
#define WRITE_CALL                                                                                 \
    {                                                                                              \
        "> call-msg write:0xb1/8192/0x3000 | call", NULL                                           \
    }
#define REPLY_CALL                                                                                 \
    {                                                                                              \
        "> call-msg reply:0xc1/8192/0x4000 | call", NULL                                           \
    }
#define NO_PROPERTIES                                                                              \
    {                                                                                              \
        "> connprop xid:9", NULL                                                                   \
    }

static const struct vector header_04_vectors[] = {
    {
        .id = "04-null",
        .comment = "A NULL Call and its Reply.",
        .flags = "conforming near-miss",
        .near_miss = "6.2/xdr-encoded 6.2/minimal-header 6.2.1/msg-has-payload "
                     "6.2.2/direction-of-message 6.2.4/procedure-defined",
        .events = {EXCHANGE_04},
    },
    {
        .id = "04-prefix-of-12-octets",
        .comment = "The procedure is missing. Too short for an answer: dropped.",
        .flags = "broken",
        .events = {EXCHANGE_04,
                   {"> raw | 0x2f0c0001 2 32", "V:6.2/minimal-header@12 length:- discard"}},
    },
    {
        .id = "04-prefix-of-15-octets",
        .comment = "One octet short of the four words that all messages begin with.",
        .flags = "broken",
        .events = {EXCHANGE_04, {"> call-msg cut:15", "V:6.2/minimal-header@12 length:- discard"}},
    },
    {
        .id = "04-msg-without-payload",
        .comment = "An RDMA2_MSG that ends with its header.",
        .flags = "broken",
        .events = {EXCHANGE_04, {"> call-msg", "V:6.2.1/msg-has-payload@36 err-bad-xdr discard"}},
    },
    {
        .id = "04-procedure-2",
        .comment = "RDMA_MSGP of version 1.",
        .flags = "broken",
        .events = {EXCHANGE_04,
                   {"> procedure:2:0:0:0:0:0 | call",
                    "V:6.2.4/procedure-defined@12 length:- err-invalid-proc"}},
    },
    {
        .id = "04-procedure-3",
        .comment = "RDMA_DONE of version 1.",
        .flags = "broken",
        .events = {EXCHANGE_04,
                   {"> procedure:3:0:0:0",
                    "V:6.2.4/procedure-defined@12 length:- err-invalid-proc"}},
    },
    {
        .id = "04-procedure-10",
        .comment = "The first number that has no procedure.",
        .flags = "broken",
        .events = {EXCHANGE_04,
                   {"> procedure:10:0:0:0",
                    "V:6.2.4/procedure-defined@12 length:- err-invalid-proc"}},
    },
    {
        .id = "04-procedure-9",
        .comment = "The last number that has one: a report of properties that changed.",
        .flags = "near-miss",
        .near_miss = "6.2.4/procedure-defined",
        .events = {EXCHANGE_04, {"> updprop xid:7 property:1:8192", NULL}},
    },
    {
        .id = "04-presence-word-2",
        .comment = "What says whether a Read list goes on is neither 0 nor 1.",
        .flags = "broken",
        .events = {EXCHANGE_04,
                   {"> call-msg | call @24=2", "V:6.2/xdr-encoded@24 length:- err-bad-xdr"}},
    },
    {
        .id = "04-odd-position-executed",
        .comment = "Position 42, and the server executes the Call.",
        .flags = "broken to-requester",
        .events = {EXCHANGE_04,
                   {"> call-msg read:42:0xa1/8/0x1000 | call",
                    "V:rfc8166/3.4.5/position-multiple-of-four@28 err-bad-xdr"},
                   {"< reply-msg | accepted", "V:6.2.4/bad-header-not-executed@12 process"}},
    },
    {
        .id = "04-odd-position-refused",
        .comment = "Position 42, and the server refuses the Call.",
        .flags = "near-miss to-requester",
        .near_miss = "6.2.4/bad-header-not-executed",
        .events = {EXCHANGE_04,
                   {"> call-msg read:42:0xa1/8/0x1000 | call",
                    "V:rfc8166/3.4.5/position-multiple-of-four@28 err-bad-xdr"},
                   {"< error4:2", "terminate"}},
    },
    {
        .id = "04-direction-2",
        .comment = "The direction is neither Call nor Reply.",
        .flags = "broken",
        .events = {EXCHANGE_04,
                   {"> call-msg direction:2 | call", "V:6.2/xdr-encoded@16 length:- err-bad-xdr"}},
    },
    {
        .id = "04-direction-of-reply-for-call",
        .comment = "The RPC message is a Call, and the header says Reply.",
        .flags = "broken",
        .events = {CALL,
                   {"< reply-msg | call",
                    "V:6.2.2/direction-of-message@40 err-bad-xdr process discard"}},
    },
    {
        .id = "04-nomsg-call-without-call-chunk",
        .comment = "A Special Format Call with a Reply chunk, and nothing that holds the Call.",
        .flags = "broken",
        .events = {EXCHANGE_04,
                   {"> call-nomsg reply:0xc1/64/0x4000",
                    "V:rfc8166/4.2.4/nomsg-holds-payload@32 err-bad-xdr"}},
    },
    {
        .id = "04-nomsg-without-lists",
        .comment = "A Special Format Call without any chunk.",
        .flags = "broken",
        .events = {EXCHANGE_04,
                   {"> call-nomsg", "V:rfc8166/4.2.4/nomsg-list-present@24 err-bad-xdr"}},
    },
    {
        .id = "04-reply-above-told-with-chunk",
        .comment = "4100 octets in one Send, to a client that told 4096 and offered a Reply chunk.",
        .flags = "broken",
        .events = {{"> connprop xid:9 property:1:4096", NULL},
                   {"< connprop xid:9 property:1:4096", NULL},
                   REPLY_CALL,
                   {"< reply-msg reply:0xc1/0/0x4000 | accepted octets:4020",
                    "V:rfc8166/3.5.3/reply-chunk-used process close"}},
    },
    {
        .id = "04-reply-as-told-with-chunk",
        .comment = "4096 octets in one Send, and a Reply chunk was there.",
        .flags = "near-miss",
        .near_miss = "rfc8166/3.5.3/reply-chunk-used",
        .events = {{"> connprop xid:9 property:1:4096", NULL},
                   {"< connprop xid:9 property:1:4096", NULL},
                   REPLY_CALL,
                   {"< reply-msg reply:0xc1/0/0x4000 | accepted octets:4016", NULL}},
    },
    {
        .id = "04-position-zero-in-msg",
        .comment = "The Call is inline, and a Read chunk of Position zero says that it is not. "
                   "Here the draft has no sentence against it.",
        .flags = "broken",
        .events = {EXCHANGE_04,
                   {"> call-msg read:0:0xa1/64/0x1000 | call",
                    "W:6.2/position-zero-in-msg@28 process err-bad-xdr garbage-args"}},
    },
    {
        .id = "04-position-of-40-in-msg",
        .comment = "The first Position that is right.",
        .flags = "near-miss",
        .near_miss = "6.2/position-zero-in-msg",
        .events = {EXCHANGE_04, {"> call-msg read:40:0xa1/64/0x1000 | call", NULL}},
    },
    {
        .id = "04-positions-fall",
        .comment = "The Read chunk of Position 104 is before that of 40, which only -07 forbids.",
        .flags = "conforming",
        .events = {EXCHANGE_04,
                   {"> call-msg read:104:0xa3/8/0x2000 read:40:0xa1/64/0x1000 | call", NULL}},
    },
    {
        .id = "04-reply-read-list-not-empty",
        .comment = "A Reply whose Read list has a chunk.",
        .flags = "broken to-requester",
        .events = {CALL,
                   {"< reply-msg read:40:0xa1/64/0x1000 | accepted",
                    "V:rfc8166/4.3.1/reply-read-list-empty@24 discard"}},
    },
    {
        .id = "04-optional-unknown",
        .comment = "An unknown optional type: no fault of the sender.",
        .flags = "conforming near-miss",
        .near_miss = "5.3/operation-as-option",
        .events = {EXCHANGE_04, {"> optional:0:99:5", "err-invalid-option"}},
    },
    {
        .id = "04-optional-property-operation",
        .comment = "A property operation as an optional type, by the numbers of section 5.3. The "
                   "XDR has procedures for it.",
        .flags = "remarkable",
        .events = {EXCHANGE_04,
                   {"> optional:0:1:4", "N:5.3/operation-as-option@20 process err-invalid-option"}},
    },
    {
        .id = "04-optional-bad-padding",
        .comment = "Five octets, and what pads them is not zero.",
        .flags = "broken",
        .events = {EXCHANGE_04,
                   {"> optional:0:99:5 @32=0x05000001",
                    "V:6.2/xdr-encoded@33 length:- err-bad-xdr err-invalid-option process"}},
    },
    {
        .id = "04-invalidate-offered",
        .comment = "The handle of the Write chunk may be invalidated, and is.",
        .flags = "conforming near-miss",
        .near_miss = "6.2.3/handle-offered 6.2.3/handle-of-call 6.2.3/plain-send "
                     "6.2.3/handle-in-reply",
        .events = {{"> call-msg inv:0xb1 write:0xb1/64/0x3000 | call", NULL},
                   {"< reply-msg invalidate:0xb1 write:0xb1/64/0x3000 | accepted", NULL}},
    },
    {
        .id = "04-invalidate-unknown-handle",
        .comment = "The handle that may be invalidated is none of those in the header.",
        .flags = "broken",
        .events = {{"> call-msg inv:0x99 write:0xb1/64/0x3000 | call",
                    "V:6.2.3/handle-offered@20 process err-bad-xdr"}},
    },
    {
        .id = "04-invalidate-another",
        .comment = "Handle 0xb1 may be invalidated; the Send invalidates 0xa1, which was offered, "
                   "too.",
        .flags = "broken to-requester",
        .events = {{"> call-msg inv:0xb1 read:40:0xa1/64/0x1000 write:0xb1/64/0x3000 | call", NULL},
                   {"< reply-msg invalidate:0xa1 write:0xb1/64/0x3000 | accepted",
                    "V:6.2.3/handle-of-call process close"}},
    },
    {
        .id = "04-invalidate-not-asked",
        .comment = "The Call names no handle.",
        .flags = "broken to-requester",
        .events = {{"> call-msg write:0xb1/64/0x3000 | call", NULL},
                   {"< reply-msg invalidate:0xb1 write:0xb1/64/0x3000 | accepted",
                    "V:6.2.3/plain-send process close"}},
    },
    {
        .id = "04-handle-in-reply",
        .comment = "The Reply names a handle; the word has a meaning in Calls alone.",
        .flags = "remarkable",
        .events = {{"> call-msg inv:0xb1 write:0xb1/64/0x3000 | call", NULL},
                   {"< reply-msg inv:0xb1 write:0xb1/64/0x3000 | accepted",
                    "N:6.2.3/handle-in-reply@20 process"}},
    },
    {
        .id = "04-reverse-inline",
        .comment = "A Call of the server without chunks: what every client takes that told "
                   "nothing else.",
        .flags = "conforming near-miss",
        .near_miss = "5.2.2/reverse-level rfc8167/6/peer-prepared",
        .events = {EXCHANGE_04,
                   {"< call-msg xid:7 | call", NULL},
                   {"> reply-msg xid:7 | accepted", NULL}},
    },
    {
        .id = "04-reverse-before-anything",
        .comment = "A Call of the server, from whose client nothing has come.",
        .flags = "broken",
        .events = {{"< call-msg | call", "W:rfc8167/6/peer-prepared process discard close"}},
    },
    {
        .id = "04-reverse-write-chunk",
        .comment = "A Call of the server with a Write chunk, and the client told nothing.",
        .flags = "broken",
        .events = {EXCHANGE_04,
                   {"< call-msg xid:7 write:0xb1/64/0x3000 | call",
                    "W:5.2.2/reverse-level process err-bad-xdr err-system err-read-chunks "
                    "err-write-chunks"}},
    },
    {
        .id = "04-reverse-general",
        .comment = "A Call of the server with a Write chunk, and the client told that it takes "
                   "those.",
        .flags = "near-miss",
        .near_miss = "5.2.2/reverse-level",
        .events = {{"> connprop xid:9 property:2:2", NULL},
                   {"< connprop xid:9 property:2:2", NULL},
                   EXCHANGE_04,
                   {"< call-msg xid:7 write:0xb1/64/0x3000 | call", NULL}},
    },
};

const struct vector_group v2_04_header = {
    GROUP("v2-04/header.json", header_04_vectors),
    .title = "Version 2, -04: header, direction, invalidation, reverse direction",
    DRAFT_04,
    .origin = "made",
    .reference = "draft-cel-nfsv4-rpcrdma-version-two-04 section 6.2",
};

static const struct vector errors_04_vectors[] = {
    {
        .id = "04-error-bad-xdr",
        .comment = "The shortest form: no number follows the code.",
        .flags = "near-miss to-requester",
        .near_miss = "6.2.4/error-xid 6.2.4/error-without-message 6.2/error-code-defined "
                     "6.2.1/error-without-payload 6.2.4/errors-from-responder",
        .events = {{"> call-msg | call @24=2", "V:6.2/xdr-encoded@24 length:- err-bad-xdr"},
                   {"< error4:2", "terminate"}},
    },
    {
        .id = "04-error-invalid-proc",
        .comment = "A procedure that the server does not know.",
        .flags = "aftermath to-requester",
        .events = {EXCHANGE_04,
                   {"> procedure:10:0:0:0 xid:7",
                    "V:6.2.4/procedure-defined@12 length:- err-invalid-proc"},
                   {"< error4:3 xid:7", "terminate"}},
    },
    {
        .id = "04-error-read-chunks",
        .comment = "The Call has a Read chunk, and the server takes none.",
        .flags = "near-miss to-requester",
        .near_miss = "6.2.4/read-maximum-exceeded",
        .events = {{"> call-msg read:40:0xa1/64/0x1000 | call", NULL},
                   {"< error4:4:0", "process terminate"}},
    },
    {
        .id = "04-error-read-chunks-below-maximum",
        .comment = "The Call has one Read chunk, and the server says that it takes five.",
        .flags = "broken to-requester",
        .events = {{"> call-msg read:40:0xa1/64/0x1000 | call", NULL},
                   {"< error4:4:5", "W:6.2.4/read-maximum-exceeded@20 terminate"}},
    },
    {
        .id = "04-error-write-chunks",
        .comment = "The Call has two Write chunks, and the server takes one.",
        .flags = "near-miss to-requester",
        .near_miss = "6.2.4/write-maximum-exceeded",
        .events = {{"> call-msg write:0xb1/64/0x3000 write:0xb2/64/0x3400 | call", NULL},
                   {"< error4:5:1", "process terminate"}},
    },
    {
        .id = "04-error-write-chunks-below-maximum",
        .comment = "The Call has one Write chunk, and the server says that it takes one.",
        .flags = "broken to-requester",
        .events = {WRITE_CALL, {"< error4:5:1", "W:6.2.4/write-maximum-exceeded@20 terminate"}},
    },
    {
        .id = "04-error-segments",
        .comment = "A Read chunk of three segments, and the server takes two.",
        .flags = "near-miss to-requester",
        .near_miss = "6.2.4/segment-maximum-exceeded",
        .events = {{"> call-msg read:40:3*0xa1/64/0x1000 | call", NULL},
                   {"< error4:6:2", "process terminate"}},
    },
    {
        .id = "04-error-segments-below-maximum",
        .comment = "A Read chunk of three segments, and the server says that it takes three.",
        .flags = "broken to-requester",
        .events = {{"> call-msg read:40:3*0xa1/64/0x1000 | call", NULL},
                   {"< error4:6:3", "W:6.2.4/segment-maximum-exceeded@20 terminate"}},
    },
    {
        .id = "04-error-write-resource",
        .comment = "The first Write chunk has 8192 octets, and 9000 are needed.",
        .flags = "near-miss to-requester",
        .near_miss = "6.2.4/chunk-index 6.2.4/write-length-needed",
        .events = {WRITE_CALL, {"< error4:7:1:9000", "process terminate"}},
    },
    {
        .id = "04-error-write-resource-index",
        .comment = "The second Write chunk of one.",
        .flags = "broken to-requester",
        .events = {WRITE_CALL, {"< error4:7:2:9000", "V:6.2.4/chunk-index@20 terminate"}},
    },
    {
        .id = "04-error-write-resource-enough",
        .comment = "The first Write chunk has 8192 octets, and 4096 are said to be needed.",
        .flags = "broken to-requester",
        .events = {WRITE_CALL, {"< error4:7:1:4096", "V:6.2.4/write-length-needed@24 terminate"}},
    },
    {
        .id = "04-error-reply-resource",
        .comment = "The Reply chunk has 8192 octets, and 12000 are needed.",
        .flags = "near-miss to-requester",
        .near_miss = "6.2.4/reply-length-needed",
        .events = {REPLY_CALL, {"< error4:8:12000", "process terminate"}},
    },
    {
        .id = "04-error-reply-resource-enough",
        .comment = "The Reply chunk has 8192 octets, and 8192 are said to be needed.",
        .flags = "broken to-requester",
        .events = {REPLY_CALL, {"< error4:8:8192", "W:6.2.4/reply-length-needed@20 terminate"}},
    },
    {
        .id = "04-error-invalid-option",
        .comment = "An optional type that the server does not know.",
        .flags = "conforming to-requester",
        .events = {EXCHANGE_04,
                   {"> optional:0:99:5 xid:7", "err-invalid-option"},
                   {"< error4:9 xid:7", "terminate"}},
    },
    {
        .id = "04-error-system",
        .comment = "The Call could not be served for a reason of the server's own.",
        .flags = "near-miss to-requester",
        .near_miss = "6.2.4/not-resent 6.2/error-code-defined",
        .events =
            {EXCHANGE_04, CALL, {"< error4:10", "terminate"}, {"> call-msg xid:2 | call", NULL}},
    },
    {
        .id = "04-resent-after-system",
        .comment = "The same Call again, which the client should have given up.",
        .flags = "broken",
        .events = {EXCHANGE_04,
                   CALL,
                   {"< error4:10", "terminate"},
                   {"> call-msg | call", "W:6.2.4/not-resent@0 process"}},
    },
    {
        .id = "04-error-code-77",
        .comment = "A code that the XDR does not have.",
        .flags = "broken to-requester",
        .events = {CALL, {"< error4:77", "V:6.2/error-code-defined@16 length:- discard"}},
    },
    {
        .id = "04-error-with-octets-after",
        .comment = "An error must not have a Payload stream.",
        .flags = "broken to-requester",
        .events = {CALL, {"< error4:2 | 0", "V:6.2.1/error-without-payload@20 terminate discard"}},
    },
    {
        .id = "04-error-for-rpc-xid",
        .comment = "The XID of the header and that of the RPC message differ, and the error has "
                   "the latter.",
        .flags = "broken to-requester",
        .events = {{"> call-msg | call:7", "V:rfc8166/4.2.1/xid-equal@36 err-bad-xdr process"},
                   {"< error4:2 xid:7", "V:6.2.4/error-xid@0 discard"}},
    },
    {
        .id = "04-error-for-nothing",
        .comment = "No message of this XID waits for an answer.",
        .flags = "broken to-requester",
        .events = {CALL, {"< error4:2 xid:7", "W:6.2.4/error-without-message@0 discard"}},
    },
    {
        .id = "04-client-refuses-reply",
        .comment = "A Requester drops a Reply that it cannot read; it does not answer it.",
        .flags = "broken",
        .events = {CALL,
                   {"< reply-msg | accepted @24=2", "V:6.2/xdr-encoded@24 length:- discard"},
                   {"> error4:2", "V:6.2.4/errors-from-responder@12 discard"}},
    },
    {
        .id = "04-client-refuses-properties",
        .comment = "Property messages have no roles: the client answers one of the server.",
        .flags = "near-miss",
        .near_miss = "6.2.4/errors-from-responder 6.2.4/error-without-message",
        .events =
            {EXCHANGE_04,
             {"< connprop xid:7 property:1:octets=2",
              "V:5.1.1/value-form@24 process err-bad-xdr err-invalid-option err-invalid-proc"},
             {"> error4:2 xid:7", "terminate"}},
    },
};

const struct vector_group v2_04_errors = {
    GROUP("v2-04/errors.json", errors_04_vectors),
    .title = "Version 2, -04: errors",
    DRAFT_04,
    .origin = "made",
    .reference = "draft-cel-nfsv4-rpcrdma-version-two-04 section 6.2.4",
};
