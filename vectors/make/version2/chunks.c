// SPDX-License-Identifier: BSD-3-Clause
/* -07: chunk lists of Calls and Replies, and what invalidates memory. */
#include "vectors/make/version2/version2.h"

#define CALL                                                                                       \
    {                                                                                              \
        "> call-inline | call", NULL                                                               \
    }
#define REPLY_CALL                                                                                 \
    {                                                                                              \
        "> call-inline reply:0xc1/8192/0x4000 | call", NULL                                        \
    }

static const struct vector chunks_07_vectors[] = {
    {
        .id = "07-positions-ascend",
        .comment = "Two Read chunks, the first in two segments: Positions 40, 40, 112.",
        .flags = "conforming near-miss",
        .near_miss = "4.5.1.1/positions-ascend 4.5.1/position-in-bounds 4.5.1.1/chunks-overlap",
        .events = {EXCHANGE_07,
                   {"> call-inline read:40:2*0xa1/36/0x1000 read:112:0xa3/8/0x2000 | call", NULL}},
    },
    {
        .id = "07-positions-fall",
        .comment = "The Read chunk of Position 104 is before that of 40. Version 1 does not mind.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> call-inline read:104:0xa3/8/0x2000 read:40:0xa1/64/0x1000 | call",
                    "V:4.5.1.1/positions-ascend@48 err-bad-xdr"}},
    },
    {
        .id = "07-malformed-call-executed",
        .comment =
            "A Write chunk that claims 2^28 segments, and the server executes the Call. Only "
            "an error may answer it.",
        .flags = "broken to-requester",
        .events = {EXCHANGE_07,
                   {"> call-inline write: | call @28=0x10000000",
                    "V:7.2/xdr-encoded@28 length:- err-bad-xdr"},
                   {"< reply-inline | accepted", "V:7.2.1/bad-header-not-executed@12 process"}},
    },
    {
        .id = "07-malformed-call-refused",
        .comment = "The server refuses that Call.",
        .flags = "near-miss to-requester",
        .near_miss = "7.2.1/bad-header-not-executed",
        .events = {EXCHANGE_07,
                   {"> call-inline write: | call @28=0x10000000",
                    "V:7.2/xdr-encoded@28 length:- err-bad-xdr"},
                   {"< error2:2", "terminate"}},
    },
    {
        .id = "07-positions-return",
        .comment = "Positions 40, 104, 40: a chunk whose segments are apart.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> call-inline read:40:0xa1/32/0x1000 read:104:0xa3/8/0x2000 "
                    "read:40:0xa2/32/0x1800 | call",
                    "V:4.5.1.1/positions-ascend@72 err-bad-xdr"}},
    },
    {
        .id = "07-read-chunk-of-four-gib",
        .comment = "A Read chunk of two segments has 2^32 octets, more than its length can say.",
        .flags = "two-rules",
        .events = {EXCHANGE_07,
                   {"> call-inline read:40:0xa1/4294967295/0,0xa2/1/0 | call",
                    "W:4.5.1/read-chunk-length-32-bit@32 N:5.2.3/segment-above-default@32 process "
                    "err-bad-xdr garbage-args"}},
    },
    {
        .id = "07-read-chunk-of-four-gib-less-one",
        .comment = "A Read chunk of 2^32-1 octets. A server need not fetch that much.",
        .flags = "remarkable near-miss",
        .near_miss = "4.5.1/read-chunk-length-32-bit",
        .events = {EXCHANGE_07,
                   {"> call-inline read:40:0xa1/4294967294/0,0xa2/1/0 | call",
                    "N:5.2.3/segment-above-default@32 process err-bad-xdr"}},
    },
    {
        .id = "07-position-zero-inline",
        .comment = "The Call is inline, and a Read chunk of Position zero says that it is not.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> call-inline read:0:0xa1/64/0x1000 | call",
                    "V:6.3.7/position-zero-in-call@24 err-bad-xdr garbage-args"}},
    },
    {
        .id = "07-position-after-the-rpc-header",
        .comment = "The first Position that is right: the RPC header has 40 octets.",
        .flags = "near-miss",
        .near_miss = "6.3.7/position-zero-in-call 4.4.2/position-in-rpc-header",
        .events = {EXCHANGE_07, {"> call-inline read:40:0xa1/64/0x1000 | call", NULL}},
    },
    {
        .id = "07-call-external",
        .comment = "The Call is in its Call chunk, of two segments, with a data item chunk beside "
                   "it.",
        .flags = "conforming near-miss",
        .near_miss = "6.3.5/call-chunk-present 6.3.5/items-not-at-zero "
                     "6.6.3/call-chunk-position-zero 6.3.5/call-chunk-holds-payload "
                     "6.1/ends-with-header",
        .events = {EXCHANGE_07,
                   {"> call-external call:0:0xd1/4096/0x50000,0xd2/1000/0x60000 "
                    "read:4000:0xa1/512/0x1000",
                    NULL}},
    },
    {
        .id = "07-call-chunk-absent",
        .comment = "An RDMA2_CALL_EXTERNAL whose list of the Call chunk is empty.",
        .flags = "broken",
        .events = {EXCHANGE_07, {"> call-external", "V:6.3.5/call-chunk-present@20 err-bad-xdr"}},
    },
    {
        .id = "07-call-chunk-in-the-read-list",
        .comment = "The Call chunk is where version 1 has it: at Position zero of the Read list.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> call-external read:0:0xd1/48/0x5000",
                    "V:6.3.5/call-chunk-present@20 err-bad-xdr"}},
    },
    {
        .id = "07-items-at-zero",
        .comment = "A Call chunk, and a data item chunk that is at Position zero, too.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> call-external call:0:0xd1/48/0x5000 read:0:0xa1/64/0x1000",
                    "V:6.3.5/items-not-at-zero@52 err-bad-xdr garbage-args"}},
    },
    {
        .id = "07-call-chunk-position-4",
        .comment = "The entry of the Call chunk says Position 4.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> call-external call:4:0xd1/48/0x5000",
                    "V:6.6.3/call-chunk-position-zero@24 err-bad-xdr"}},
    },
    {
        .id = "07-call-chunk-of-nothing",
        .comment = "A Call chunk of one segment without octets.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> call-external call:0:0xd1/0/0x5000",
                    "V:6.3.5/call-chunk-holds-payload@20 err-bad-xdr garbage-args"}},
    },
    {
        .id = "07-call-chunk-of-42-octets",
        .comment = "An RPC message is whole words.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> call-external call:0:0xd1/42/0x5000",
                    "V:4.5.3/body-chunk-whole-words@32 process discard err-bad-xdr garbage-args"}},
    },
    {
        .id = "07-call-chunk-of-36-octets",
        .comment = "The shortest RPC Call has 40 octets.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> call-external call:0:0xd1/36/0x5000",
                    "W:6.3.5/special-call-length@32 process err-bad-xdr garbage-args"}},
    },
    {
        .id = "07-call-chunk-of-40-octets",
        .comment = "The shortest RPC Call.",
        .flags = "near-miss",
        .near_miss = "6.3.5/special-call-length 4.5.3/body-chunk-whole-words",
        .events = {EXCHANGE_07, {"> call-external call:0:0xd1/40/0x5000", NULL}},
    },
    {
        .id = "07-item-after-the-call-chunk",
        .comment = "The Call chunk has 100 octets, and a data item is at Position 4096.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   {"> call-external call:0:0xd1/100/0x5000 read:4096:0xa1/64/0x1000",
                    "V:4.5.1/position-in-bounds@52 err-bad-xdr garbage-args"}},
    },
    {
        .id = "07-reply-chunk-not-mentioned",
        .comment = "A Reply that fits one Send says nothing of the Reply chunk: RDMA2_REPLY_INLINE "
                   "has no place for it.",
        .flags = "conforming near-miss",
        .near_miss = "6.6.3/reply-chunk-used",
        .events = {REPLY_CALL, {"< reply-inline | accepted", NULL}},
    },
    {
        .id = "07-reply-external",
        .comment = "60 octets of Reply in the Reply chunk.",
        .flags = "conforming near-miss",
        .near_miss = "6.3.8/reply-chunk-present 6.3.8/reply-chunk-holds-payload "
                     "6.3.8/special-reply-length 4.5.2.2/reply-chunk-copied",
        .events = {REPLY_CALL, {"< reply-external reply:0xc1/60/0x4000", NULL}},
    },
    {
        .id = "07-reply-external-without-chunk",
        .comment = "The Reply is elsewhere, and where is not said.",
        .flags = "broken to-requester",
        .events = {REPLY_CALL,
                   {"< reply-external", "V:6.3.8/reply-chunk-present@20 discard terminate"}},
    },
    {
        .id = "07-reply-external-of-no-segments",
        .comment = "A Reply chunk without a segment holds nothing.",
        .flags = "broken to-requester",
        .events = {{"> call-inline reply: | call", "N:4.5.2.2/reply-chunk-without-room@32 process"},
                   {"< reply-external reply:",
                    "V:6.3.8/reply-chunk-holds-payload@20 discard terminate"}},
    },
    {
        .id = "07-reply-external-of-nothing",
        .comment = "The Reply chunk returns no octets.",
        .flags = "broken to-requester",
        .events = {REPLY_CALL,
                   {"< reply-external reply:0xc1/0/0x4000",
                    "V:6.3.8/reply-chunk-holds-payload@20 discard terminate"}},
    },
    {
        .id = "07-reply-external-of-16-octets",
        .comment = "The shortest RPC Reply has 20 octets.",
        .flags = "broken to-requester",
        .events = {REPLY_CALL,
                   {"< reply-external reply:0xc1/16/0x4000",
                    "W:6.3.8/special-reply-length@32 process discard"}},
    },
    {
        .id = "07-reply-external-not-offered",
        .comment = "The Call has no Reply chunk.",
        .flags = "broken to-requester",
        .events = {CALL,
                   {"< reply-external reply:0xc1/60/0x4000",
                    "V:4/memory-from-requester@20 discard terminate"}},
    },
    {
        .id = "07-unused-chunk-keeps-its-segments",
        .comment = "A Write chunk that was not needed comes back with its segments, each of length "
                   "0.",
        .flags = "near-miss",
        .near_miss = "4.5.2.1/unused-chunk-empty 4.5.2.1/segments-copied",
        .events = {{"> call-inline write:0xb1/64/0x3000,0xb2/64/0x3400 | call", NULL},
                   {"< reply-inline write:0xb1/0/0x3000,0xb2/0/0x3400 | accepted", NULL}},
    },
    {
        .id = "07-unused-chunk-comes-back-empty",
        .comment = "A Write chunk that was not needed comes back without a segment. The draft says "
                   "both.",
        .flags = "remarkable",
        .events = {{"> call-inline write:0xb1/64/0x3000 | call", NULL},
                   {"< reply-inline write: | accepted", "N:4.5.2.1/unused-chunk-empty@20 process"}},
    },
    {
        .id = "07-empty-chunk-filled",
        .comment = "The Write chunk was offered without a segment, and comes back with one.",
        .flags = "broken to-requester",
        .events = {{"> call-inline write: | call", NULL},
                   {"< reply-inline write:0xb1/8/0x3000 | accepted",
                    "V:4.5.2.1/segments-copied@20 discard terminate"}},
    },
    {
        .id = "07-reply-above-the-limit-with-chunk",
        .comment = "4100 octets in one Send, though a Reply chunk was there for them.",
        .flags = "broken",
        .events = {EXCHANGE_07,
                   REPLY_CALL,
                   {"< reply-inline | accepted octets:4056",
                    "V:6.6.3/reply-chunk-used process close"}},
    },
    {
        .id = "07-two-items-in-a-read-chunk",
        .comment = "Eight octets of data and the twelve of GETATTR under one Position.",
        .flags = "broken",
        .settings = "nfs",
        .events =
            {EXCHANGE_07,
             {"> call-inline read:100:0xa1/8/0x1000,0xa2/12/0x2000 | nfs4:1 0 1 3 22 4 0xf 38 "
              "0 0 0 0 0 0 2 8",
              "V:4.5.3.1/chunk-length-of-item@32 garbage-args err-bad-xdr"}},
    },
    {
        .id = "07-two-items-in-a-write-chunk",
        .comment = "64 octets of data and eight more in their Write chunk.",
        .flags = "broken to-requester",
        .settings = "nfs",
        .events = {EXCHANGE_07,
                   {"> call-inline xid:7 write:0xb1/72/0x3000 | nfs3:6 4 0xf 0 0 64", NULL},
                   {"< reply-inline xid:7 write:0xb1/72/0x3000 | accepted 0 0 64 1 64",
                    "V:4.5.3.1/result-length-of-item@20 terminate"}},
    },
};

const struct vector_group v2_07_chunks = {
    GROUP("v2-07/chunks.json", chunks_07_vectors),
    .title = "Version 2, -07: chunk lists",
    DRAFT_07,
    .origin = "made",
    .reference = "draft-ietf-nfsv4-rpcrdma-version-two-07 sections 4.5, 6.3 and 6.6",
};

#define INVALIDATE_CALL                                                                            \
    {                                                                                              \
        "> call-inline inv:0xb1 write:0xb1/64/0x3000 | call", NULL                                 \
    }
#define FILLED "write:0xb1/64/0x3000 | accepted"

static const struct vector invalidation_07_vectors[] = {
    {
        .id = "07-invalidate-offered",
        .comment = "The handle of the Write chunk may be invalidated, and is.",
        .flags = "conforming near-miss",
        .near_miss = "6.5/handle-offered 6.5/handle-of-call 6.5/plain-send-if-zero",
        .events = {INVALIDATE_CALL, {"< reply-inline invalidate:0xb1 " FILLED, NULL}},
    },
    {
        .id = "07-invalidate-not-needed",
        .comment = "The handle may be invalidated, and is not.",
        .flags = "conforming",
        .events = {INVALIDATE_CALL, {"< reply-inline " FILLED, NULL}},
    },
    {
        .id = "07-invalidate-unknown-handle",
        .comment = "The handle that may be invalidated is none of those in the header.",
        .flags = "broken",
        .events = {{"> call-inline inv:0x99 write:0xb1/64/0x3000 | call",
                    "W:6.5/handle-offered@16 process err-bad-xdr"}},
    },
    {
        .id = "07-invalidate-the-call-chunk",
        .comment = "The handle is that of the Call chunk, which is in the header as well.",
        .flags = "near-miss",
        .near_miss = "6.5/handle-offered",
        .events = {{"> call-external inv:0xd1 call:0:0xd1/48/0x5000", NULL},
                   {"< reply-inline invalidate:0xd1 | accepted", NULL}},
    },
    {
        .id = "07-invalidate-another",
        .comment = "Handle 0xb1 may be invalidated; the Send invalidates 0xa1, which was offered, "
                   "too.",
        .flags = "broken to-requester",
        .events = {{"> call-inline inv:0xb1 read:40:0xa1/64/0x1000 write:0xb1/64/0x3000 | call",
                    NULL},
                   {"< reply-inline invalidate:0xa1 " FILLED,
                    "V:6.5/handle-of-call process close"}},
    },
    {
        .id = "07-invalidate-not-asked",
        .comment = "The Call names no handle.",
        .flags = "broken to-requester",
        .events = {{"> call-inline write:0xb1/64/0x3000 | call", NULL},
                   {"< reply-inline invalidate:0xb1 " FILLED,
                    "V:6.5/plain-send-if-zero process close"}},
    },
    {
        .id = "07-plain-send-if-zero",
        .comment = "The Call names no handle, and the Reply goes by plain Send.",
        .flags = "near-miss",
        .near_miss = "6.5/plain-send-if-zero",
        .events = {{"> call-inline write:0xb1/64/0x3000 | call", NULL},
                   {"< reply-inline " FILLED, NULL}},
    },
    {
        .id = "07-invalidate-with-error",
        .comment = "An error by Send With Invalidate.",
        .flags = "broken to-requester",
        .events = {INVALIDATE_CALL,
                   {"< error2:100 invalidate:0xb1",
                    "V:6.5/control-not-invalidating close terminate"}},
    },
    {
        .id = "07-error-by-plain-send",
        .comment = "The Call names a handle, and the error that answers it goes by plain Send.",
        .flags = "near-miss to-requester",
        .near_miss = "6.5/control-not-invalidating",
        .events = {INVALIDATE_CALL, {"< error2:100", "terminate"}},
    },
    {
        .id = "07-invalidate-with-grant",
        .comment = "A grant by Send With Invalidate.",
        .flags = "broken",
        .events = {INVALIDATE_CALL,
                   {"< grant invalidate:0xb1", "V:6.5/control-not-invalidating process close"}},
    },
    {
        .id = "07-invalidate-with-properties",
        .comment = "A property message by Send With Invalidate.",
        .flags = "broken",
        .events = {INVALIDATE_CALL,
                   {"< connprop-final property:2:4096 invalidate:0xb1",
                    "V:6.5/control-not-invalidating process close"}},
    },
    {
        .id = "07-invalidate-with-first-piece",
        .comment = "The first piece of the Reply invalidates: the memory may be written until the "
                   "last.",
        .flags = "broken to-requester",
        .events = {EXCHANGE_07,
                   INVALIDATE_CALL,
                   {"< reply-middle:8 invalidate:0xb1 | accepted 1 2 part:0:24",
                    "W:6.5/invalidates-with-last-piece process"},
                   {"< reply-inline write:0xb1/64/0x3000 | accepted 1 2 part:24:8", NULL}},
    },
    {
        .id = "07-invalidate-with-last-piece",
        .comment = "The last piece of the Reply invalidates.",
        .flags = "near-miss",
        .near_miss = "6.5/invalidates-with-last-piece",
        .events = {EXCHANGE_07,
                   INVALIDATE_CALL,
                   {"< reply-middle:8 | accepted 1 2 part:0:24", NULL},
                   {"< reply-inline invalidate:0xb1 write:0xb1/64/0x3000 | accepted 1 2 part:24:8",
                    NULL}},
    },
};

const struct vector_group v2_07_invalidation = {
    GROUP("v2-07/invalidation.json", invalidation_07_vectors),
    .title = "Version 2, -07: remote invalidation",
    DRAFT_07,
    .origin = "made",
    .reference = "draft-ietf-nfsv4-rpcrdma-version-two-07 section 6.5",
};
