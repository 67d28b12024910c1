// SPDX-License-Identifier: BSD-3-Clause
/* -07: errors, what they answer, and the numbers in them. */
#include "vectors/make/version2/version2.h"

#define CALL                                                                                       \
    {                                                                                              \
        "> call-inline | call", NULL                                                               \
    }
#define READ_CALL                                                                                  \
    {                                                                                              \
        "> call-inline read:40:0xa1/64/0x1000 | call", NULL                                        \
    }
#define WRITE_CALL                                                                                 \
    {                                                                                              \
        "> call-inline write:0xb1/8192/0x3000 | call", NULL                                        \
    }
#define REPLY_CALL                                                                                 \
    {                                                                                              \
        "> call-inline reply:0xc1/8192/0x4000 | call", NULL                                        \
    }

static const struct vector errors_07_vectors[] = {
    {
        .id = "07-error-bad-xdr",
        .comment = "The shortest form: no number follows the code.",
        .flags = "near-miss to-requester",
        .near_miss = "7/error-xid 7/error-without-message 7/error-code-defined 7/error-version "
                     "7.1.1/errors-from-responder",
        .events = {{"> call-inline | call @20=2", "V:7.2/xdr-encoded@20 length:- err-bad-xdr"},
                   {"< error2:2", "terminate"}},
    },
    {
        .id = "07-error-bad-propval",
        .comment = "A Receive Buffer Size of two octets is refused.",
        .flags = "aftermath to-requester",
        .events = {EXCHANGE_07,
                   {"> connprop-final property:2:octets=2",
                    "V:5.1/value-form@24 process err-bad-propval"},
                   {"< error2:3", "terminate"}},
    },
    {
        .id = "07-error-inval-htype",
        .comment = "A type that the server does not know.",
        .flags = "near-miss to-requester",
        .near_miss = "6.1/defined-type-refused 7.1.3/refused-type-not-used",
        .events = {EXCHANGE_07,
                   {"> type:20:0 xid:7", "W:6.1/type-defined@12 length:- err-inval-htype"},
                   {"< error2:4 xid:7", "terminate"},
                   {"> call-inline | call", NULL}},
    },
    {
        .id = "07-refused-type-again",
        .comment = "The server has refused this type, and it comes again.",
        .flags = "broken",
        .events =
            {EXCHANGE_07,
             {"> type:20:0 xid:7", "W:6.1/type-defined@12 length:- err-inval-htype"},
             {"< error2:4 xid:7", "terminate"},
             {"> type:20:0 xid:8",
              "V:7.1.3/refused-type-not-used@12 W:6.1/type-defined@12 length:- err-inval-htype"}},
    },
    {
        .id = "07-error-inval-htype-for-call",
        .comment = "The answer to an RDMA2_CALL_INLINE, which everybody supports.",
        .flags = "broken to-requester",
        .events = {CALL, {"< error2:4", "W:6.1/defined-type-refused@16 terminate"}},
    },
    {
        .id = "07-error-read-chunks",
        .comment = "The Call has a Read chunk, and the server takes none.",
        .flags = "near-miss to-requester",
        .near_miss = "7.3.1/read-maximum-exceeded 7.3/chunk-of-error",
        .events = {READ_CALL, {"< error2:6:0", "process terminate"}},
    },
    {
        .id = "07-error-read-chunks-below-maximum",
        .comment = "The Call has one Read chunk, and the server says that it takes five.",
        .flags = "broken to-requester",
        .events = {READ_CALL, {"< error2:6:5", "W:7.3.1/read-maximum-exceeded@20 terminate"}},
    },
    {
        .id = "07-error-read-chunks-without",
        .comment = "The Call has no Read chunk.",
        .flags = "broken to-requester",
        .events = {CALL, {"< error2:6:0", "W:7.3/chunk-of-error@16 terminate"}},
    },
    {
        .id = "07-error-write-chunks",
        .comment = "The Call has two Write chunks, and the server takes one.",
        .flags = "near-miss to-requester",
        .near_miss = "7.3.2/write-maximum-exceeded 7.3/chunk-of-error",
        .events = {{"> call-inline write:0xb1/64/0x3000 write:0xb2/64/0x3400 | call", NULL},
                   {"< error2:7:1", "process terminate"}},
    },
    {
        .id = "07-error-write-chunks-below-maximum",
        .comment = "The Call has two Write chunks, and the server says that it takes two.",
        .flags = "broken to-requester",
        .events = {{"> call-inline write:0xb1/64/0x3000 write:0xb2/64/0x3400 | call", NULL},
                   {"< error2:7:2", "W:7.3.2/write-maximum-exceeded@20 terminate"}},
    },
    {
        .id = "07-error-write-chunks-without",
        .comment = "The Call has no Write chunk, and the server says that it takes five.",
        .flags = "broken to-requester",
        .events = {CALL, {"< error2:7:5", "W:7.3/chunk-of-error@16 terminate"}},
    },
    {
        .id = "07-error-write-chunks-and-none",
        .comment = "The Call has no Write chunk, and the server takes none: it has no place for "
                   "the results.",
        .flags = "near-miss to-requester",
        .near_miss = "7.3/chunk-of-error",
        .events = {CALL, {"< error2:7:0", "process terminate"}},
    },
    {
        .id = "07-error-segments",
        .comment = "A Read chunk of three segments, and the server takes two.",
        .flags = "near-miss to-requester",
        .near_miss = "7.3.3/segment-maximum-exceeded 7.3/chunk-of-error",
        .events = {{"> call-inline read:40:3*0xa1/64/0x1000 | call", NULL},
                   {"< error2:8:2", "process terminate"}},
    },
    {
        .id = "07-error-segments-below-maximum",
        .comment = "A Read chunk of three segments, and the server says that it takes three.",
        .flags = "broken to-requester",
        .events = {{"> call-inline read:40:3*0xa1/64/0x1000 | call", NULL},
                   {"< error2:8:3", "W:7.3.3/segment-maximum-exceeded@20 terminate"}},
    },
    {
        .id = "07-error-segments-without",
        .comment = "The Call has no chunk at all.",
        .flags = "broken to-requester",
        .events = {CALL, {"< error2:8:16", "W:7.3/chunk-of-error@16 terminate"}},
    },
    {
        .id = "07-error-write-resource",
        .comment = "The first Write chunk has 8192 octets, and 9000 are needed.",
        .flags = "near-miss to-requester",
        .near_miss = "7.3.4/chunk-index 7.3.4/length-needed",
        .events = {WRITE_CALL, {"< error2:9:1:9000", "process terminate"}},
    },
    {
        .id = "07-error-write-resource-index",
        .comment = "The third Write chunk of two.",
        .flags = "broken to-requester",
        .events = {{"> call-inline write:0xb1/64/0x3000 write:0xb2/64/0x3400 | call", NULL},
                   {"< error2:9:3:9000", "V:7.3.4/chunk-index@20 terminate"}},
    },
    {
        .id = "07-error-write-resource-enough",
        .comment = "The first Write chunk has 8192 octets, and 4096 are said to be needed.",
        .flags = "broken to-requester",
        .events = {WRITE_CALL, {"< error2:9:1:4096", "V:7.3.4/length-needed@24 terminate"}},
    },
    {
        .id = "07-error-write-resource-unknown",
        .comment = "Neither which chunk nor how much is known.",
        .flags = "near-miss to-requester",
        .near_miss = "7.3.4/chunk-index 7.3.4/length-needed",
        .events = {WRITE_CALL, {"< error2:9:0:0", "process terminate"}},
    },
    {
        .id = "07-error-reply-resource",
        .comment = "The Reply chunk has 8192 octets, and 12000 are needed.",
        .flags = "near-miss to-requester",
        .near_miss = "7.3.5/length-needed",
        .events = {REPLY_CALL, {"< error2:10:12000", "process terminate"}},
    },
    {
        .id = "07-error-reply-resource-enough",
        .comment = "The Reply chunk has 8192 octets, and 8192 are said to be needed.",
        .flags = "broken to-requester",
        .events = {REPLY_CALL, {"< error2:10:8192", "W:7.3.5/length-needed@20 terminate"}},
    },
    {
        .id = "07-error-reply-resource-without-chunk",
        .comment = "No Reply chunk was offered, and how much is needed is not known.",
        .flags = "near-miss to-requester",
        .near_miss = "7.3.5/length-needed",
        .events = {CALL, {"< error2:10:0", "process terminate"}},
    },
    {
        .id = "07-error-system",
        .comment = "The Call could not be served for a reason of the server's own.",
        .flags = "near-miss to-requester",
        .near_miss = "7.4.1/not-resent 7/error-code-defined",
        .events = {CALL, {"< error2:100", "terminate"}, {"> call-inline xid:2 | call", NULL}},
    },
    {
        .id = "07-resent-after-system",
        .comment = "The same Call again, which the client should have given up.",
        .flags = "broken",
        .events = {CALL,
                   {"< error2:100", "terminate"},
                   {"> call-inline | call", "W:7.4.1/not-resent@0 process"}},
    },
    {
        .id = "07-other-call-after-system",
        .comment = "Another Call, of another procedure, takes the XID of the one that was given "
                   "up: no Call that waits has it.",
        .flags = "near-miss",
        .near_miss = "7.4.1/not-resent 3.1.3/xid-unique",
        .events = {CALL, {"< error2:100", "terminate"}, {"> call-inline | call @52=9", NULL}},
    },
    {
        .id = "07-resent-after-write-resource",
        .comment = "The same Call again, with a larger Write chunk: that is what the error is for.",
        .flags = "near-miss",
        .near_miss = "7.4.1/not-resent 3.1.3/xid-unique",
        .events = {WRITE_CALL,
                   {"< error2:9:1:9000", "process terminate"},
                   {"> call-inline write:0xb1/9000/0x3000 | call", NULL},
                   {"< reply-inline write:0xb1/9000/0x3000 | accepted", NULL}},
    },
    {
        .id = "07-error-code-77",
        .comment = "A code that an extension may define. It is dropped, and the Call waits on.",
        .flags = "remarkable to-requester",
        .events = {CALL,
                   {"< error2:77", "N:7/error-code-defined@16 discard"},
                   {"< reply-inline | accepted", NULL}},
    },
    {
        .id = "07-error-write-chunks-of-20-octets",
        .comment = "WRITE_CHUNKS without its maximum.",
        .flags = "broken to-requester",
        .events = {WRITE_CALL, {"< error2:7", "V:7.2/xdr-encoded@20 length:- discard"}},
    },
    {
        .id = "07-error-for-rpc-xid",
        .comment = "The XID of the header and that of the RPC message differ, and the error has "
                   "the latter.",
        .flags = "broken to-requester",
        .events = {{"> call-inline | call:7", "V:7.2/xid-equal@32 err-bad-xdr process"},
                   {"< error2:2 xid:7", "V:7/error-xid@0 discard"}},
    },
    {
        .id = "07-error-for-nothing",
        .comment = "No message of this XID waits for an answer.",
        .flags = "broken to-requester",
        .events = {CALL, {"< error2:2 xid:7", "W:7/error-without-message@0 discard"}},
    },
    {
        .id = "07-error-answers-error",
        .comment = "Errors are not answered, or they would never end.",
        .flags = "broken",
        .events = {{"> call-inline | call @20=2", "V:7.2/xdr-encoded@20 length:- err-bad-xdr"},
                   {"< error2:2", "terminate"},
                   {"> error2:2", "W:7/error-without-message@0 discard"}},
    },
    {
        .id = "07-client-refuses-reply",
        .comment = "A Requester drops a Reply that it cannot read; it does not answer it.",
        .flags = "broken",
        .events = {CALL,
                   {"< reply-inline", "V:7.2/xdr-encoded@20 length:- discard terminate"},
                   {"> error2:2", "W:7.1.1/errors-from-responder@12 discard"}},
    },
    {
        .id = "07-client-refuses-continuation",
        .comment = "A Requester does answer a Reply whose pieces are mixed with another.",
        .flags = "aftermath near-miss",
        .near_miss = "7.1.1/errors-from-responder",
        .events = {EXCHANGE_07,
                   CALL,
                   {"> call-inline xid:2 | call", NULL},
                   {"< reply-middle:8 | accepted 1 2 3 4 part:0:32", NULL},
                   {"< reply-inline xid:2 | accepted",
                    "V:4.1/pieces-not-mixed@0 err-inval-cont discard"},
                   {"> error2:5 xid:2", "discard"}},
    },
};

const struct vector_group v2_07_errors = {
    GROUP("v2-07/errors.json", errors_07_vectors),
    .title = "Version 2, -07: errors",
    DRAFT_07,
    .origin = "made",
    .reference = "draft-ietf-nfsv4-rpcrdma-version-two-07 section 7",
};
