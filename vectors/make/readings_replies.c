// SPDX-License-Identifier: BSD-3-Clause
/*
 * Where the text leaves room to read it wrongly: RDMA_ERROR, chunks that a Reply returns, XIDs,
 * credits, sizes.
 */
#include "vectors/make/vectors.h"

#define CALL                                                                                       \
    {                                                                                              \
        "> msg | call", NULL                                                                       \
    }
#define ANSWERED                                                                                   \
    {                                                                                              \
        "< msg | accepted", NULL                                                                   \
    }
#define VERSION_7                                                                                  \
    {                                                                                              \
        "> msg vers:7 | call", "V:4.2.2/version-one@4 length:- err-vers"                           \
    }
#define ONE_WRITE                                                                                  \
    {                                                                                              \
        "> msg write:0xb1/64/0x3000 | call", NULL                                                  \
    }
#define TWO_SEGMENTS                                                                               \
    {                                                                                              \
        "> msg write:0xb1/64/0x3000,0xb2/64/0x3800 | call", NULL                                   \
    }
#define TWO_WRITES                                                                                 \
    {                                                                                              \
        "> msg write:0xb1/64/0x3000 write:0xb2/64/0x3800 | call", NULL                             \
    }
#define ONE_REPLY                                                                                  \
    {                                                                                              \
        "> msg reply:0xc1/4096/0x4000 | call", NULL                                                \
    }
#define TWO_REPLY_SEGMENTS                                                                         \
    {                                                                                              \
        "> msg reply:0xc1/64/0x4000,0xc2/64/0x4800 | call", NULL                                   \
    }
/* NFS version 3, READ; and a Reply to it but for its data. */
#define READ3(count) "nfs3:6 4 0xf 0 0 " #count
#define READ3_DONE(count) "accepted 0 0 " #count " 1 " #count

static const struct vector vectors[] = {
    /* ---- RDMA_ERROR ---- */
    {
        .id = "reading-err-vers-echoes-version",
        .comment = "The version word of ERR_VERS is that of the Call, here 7: no test for 1 fits "
                   "all messages.",
        .flags = "aftermath near-miss",
        .near_miss = "4.5/error-version 4.5.1/version-range-excludes-failed",
        .events = {VERSION_7, {"< error:vers:1:1 vers:7", "terminate"}},
    },
    {
        .id = "reading-err-vers-with-own-version",
        .comment = "The Responder's own version instead of the one that failed.",
        .flags = "aftermath",
        .events = {VERSION_7, {"< error:vers:1:1", "V:4.5/error-version@4 discard terminate"}},
    },
    {
        .id = "reading-error-with-xid-of-payload",
        .comment = "The two XIDs of the Call differ, and the RDMA_ERROR repeats the wrong one.",
        .flags = "aftermath",
        .events = {{"> msg | call:7", "V:4.2.1/xid-equal@28 process err-chunk"},
                   {"< error:chunk xid:7", "V:4.5/error-xid@0 discard"}},
    },
    {
        .id = "reading-error-with-xid-of-header",
        .comment = "The same, and the RDMA_ERROR repeats the XID of the header.",
        .flags = "aftermath near-miss",
        .near_miss = "4.5/error-xid 4.5/error-without-call",
        .events = {{"> msg | call:7", "V:4.2.1/xid-equal@28 process err-chunk"},
                   {"< error:chunk", "terminate"}},
    },
    {
        .id = "reading-error-grants-nothing",
        .comment = "An RDMA_ERROR goes from Responder to Requester and grants credits as well: "
                   "never none.",
        .flags = "broken",
        .events = {CALL, {"< error:chunk credit:0", "V:3.3.1/grant-not-zero@8 terminate"}},
    },
    {
        .id = "reading-version-range-reversed",
        .comment = "From 6 to 1 is not a range.",
        .flags = "aftermath",
        .events = {VERSION_7,
                   {"< error:vers:6:1 vers:7", "V:4.5.1/version-range-ordered@20 terminate"}},
    },
    {
        .id = "reading-version-range-with-failed-version",
        .comment = "Version 7 is refused by who says that it supports 1 to 7.",
        .flags = "aftermath",
        .events = {VERSION_7,
                   {"< error:vers:1:7 vers:7",
                    "V:4.5.1/version-range-excludes-failed@20 terminate"}},
    },
    {
        .id = "reading-version-range-of-two",
        .comment = "The Responder speaks versions 1 and 2: nothing says that the range is 1 to 1.",
        .flags = "aftermath near-miss",
        .near_miss = "4.5.1/version-range-ordered 4.5.1/version-range-excludes-failed",
        .events = {VERSION_7, {"< error:vers:1:2 vers:7", "terminate"}},
    },
    {
        .id = "reading-version-range-of-version-two-alone",
        .comment = "A Responder without version 1 refuses it.",
        .flags = "conforming near-miss",
        .near_miss = "4.5.1/version-range-excludes-failed 4.5/error-version",
        .events = {CALL, {"< error:vers:2:2", "terminate"}},
    },
    {
        .id = "reading-err-chunk-to-version-seven",
        .comment = "ERR_CHUNK is for versions that the Responder knows.",
        .flags = "aftermath",
        .events = {VERSION_7,
                   {"< error:chunk vers:7",
                    "V:4.5.1/unsupported-version-answered@16 discard terminate"}},
    },
    {
        .id = "reading-err-chunk-for-reply-without-room",
        .comment = "Not only for faults of encoding: the Reply does not fit the chunk that is "
                   "there for it.",
        .flags = "conforming near-miss",
        .near_miss = "4.5/error-without-call 4.2.4/error-ends-with-code",
        .events = {{"> msg reply:0xc1/20/0x4000 | call", NULL}, {"< error:chunk", "terminate"}},
    },
    {
        .id = "reading-octets-after-err-vers",
        .comment = "The Call that failed is not to be sent back after the range.",
        .flags = "aftermath",
        .events = {VERSION_7,
                   {"< error:vers:1:1 vers:7 | call",
                    "W:4.2.4/error-ends-with-code@28 length:28 terminate"}},
    },
    {
        .id = "reading-call-again-after-error",
        .comment = "RDMA_ERROR ends an RPC for good. A Call with its XID afterwards may be the "
                   "old one sent again or a new one: no tool can tell.",
        .flags = "conforming near-miss",
        .near_miss = "2.2.2/xid-unique 3.3.3/valid-reply-first",
        .events = {CALL, {"< error:chunk", "terminate"}, CALL, ANSWERED},
    },
    {
        .id = "reading-error-for-unknown-xid",
        .comment = "Nothing waits under this XID. A Call given up could explain it.",
        .flags = "broken to-requester",
        .events = {CALL, {"< error:chunk xid:77", "W:4.5/error-without-call@0 discard"}, ANSWERED},
    },
    /* ---- the Write list returned ---- */
    {
        .id = "reading-write-list-returned-short",
        .comment = "Two Write chunks were offered, and one comes back.",
        .flags = "broken to-requester",
        .events = {TWO_WRITES,
                   {"< msg write:0xb1/8/0x3000 | accepted 8", "V:3.4.6/segment-count-copied@20 "
                                                              "discard"}},
    },
    {
        .id = "reading-write-list-returned-long",
        .comment = "One Write chunk was offered, and two come back.",
        .flags = "broken to-requester",
        .events = {ONE_WRITE,
                   {"< msg write:0xb1/8/0x3000 write:0xb1/0/0x3000 | accepted 8",
                    "V:3.4.6/segment-count-copied@20 discard"}},
    },
    {
        .id = "reading-write-list-returned-out-of-order",
        .comment = "Both chunks come back, the second one first.",
        .flags = "broken to-requester",
        .events = {TWO_WRITES,
                   {"< msg write:0xb2/8/0x3800 write:0xb1/0/0x3000 | accepted 8",
                    "V:3.4.6/segment-count-copied@28 discard"}},
    },
    {
        .id = "reading-write-chunk-returned-with-fewer-segments",
        .comment = "Two segments were offered; only the one that was used comes back.",
        .flags = "broken to-requester",
        .events = {TWO_SEGMENTS,
                   {"< msg write:0xb1/64/0x3000 | accepted 64",
                    "V:3.4.6/segment-count-copied@24 discard"}},
    },
    {
        .id = "reading-write-list-returned-without-offer",
        .comment = "The Call had no Write list.",
        .flags = "broken to-requester",
        .events = {CALL,
                   {"< msg write:0xb1/8/0x3000 | accepted 8",
                    "V:3.4.3/memory-from-requester@20 discard"}},
    },
    {
        .id = "reading-offset-returned-advanced",
        .comment = "The returned offset says where the data ended, not where the segment begins.",
        .flags = "broken to-requester",
        .events = {ONE_WRITE,
                   {"< msg write:0xb1/8/0x3008 | accepted 8",
                    "V:3.4.6/segment-count-copied@36 discard"}},
    },
    {
        .id = "reading-length-returned-above-offer",
        .comment = "65 octets went into a segment of 64.",
        .flags = "broken to-requester",
        .events = {ONE_WRITE,
                   {"< msg write:0xb1/65/0x3000 | accepted 65",
                    "V:3.4.6/returned-length-within-offer@32 discard"}},
    },
    {
        .id = "reading-denied-call-returns-chunks",
        .comment = "The rule to copy has no exception: a Reply that denies the Call returns its "
                   "chunks, too.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.6/segment-count-copied 4.3.3/reply-chunk-copied 4/rpc-layout",
        .events = {{"> msg write:0xb1/64/0x3000 reply:0xc1/4096/0x4000 | call", NULL},
                   {"< msg write:0xb1/0/0x3000 reply:0xc1/0/0x4000 | 0x2f0c0001 1 1 1 2", NULL}},
    },
    {
        .id = "reading-empty-chunk-returned-with-segments",
        .comment = "Offered empty, a chunk is returned empty: there is no memory to name.",
        .flags = "broken to-requester",
        .events = {{"> msg write:0xb1/64/0x3000 write: | call", NULL},
                   {"< msg write:0xb1/8/0x3000 write:0xb1/0/0x3000 | accepted 8 0",
                    "V:4.3.2.3/empty-chunk-returned-empty@48 discard"}},
    },
    {
        .id = "reading-unused-chunk-returned-empty",
        .comment = "Offered with segments and not used, a chunk is returned with segments of no "
                   "octets, not without segments.",
        .flags = "broken to-requester",
        .events = {TWO_SEGMENTS,
                   {"< msg write: | accepted", "V:4.3.2.2/returned-unused@24 process discard"}},
    },
    {
        .id = "reading-unused-and-empty-chunks-in-one-list",
        .comment = "Used, empty, and unused, as they were offered: a mix is normal.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.2.2/returned-unused 4.3.2.3/empty-chunk-returned-empty "
                     "3.4.6/filled-in-order",
        .events = {{"> msg write:0xb1/64/0x3000 write: write:0xb2/64/0x3800 | call", NULL},
                   {"< msg write:0xb1/64/0x3000 write: write:0xb2/0/0x3800 | accepted 64 4 1",
                    NULL}},
    },
    {
        .id = "reading-used-chunk-after-unused-one",
        .comment = "Chunks are used in order, but the first one may have taken a result of no "
                   "octets.",
        .flags = "remarkable",
        .events = {TWO_WRITES,
                   {"< msg write:0xb1/0/0x3000 write:0xb2/8/0x3800 | accepted 0 8",
                    "N:4.3.2.1/chunks-used-in-order@48 process"}},
    },
    {
        .id = "reading-segment-left-with-room",
        .comment = "The second segment is used although the first has room left.",
        .flags = "broken to-requester",
        .events = {TWO_SEGMENTS,
                   {"< msg write:0xb1/60/0x3000,0xb2/4/0x3800 | accepted 64",
                    "V:3.4.6/filled-in-order@48 discard"}},
    },
    {
        .id = "reading-segments-filled-in-order",
        .comment = "One segment full, one in part.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.6/filled-in-order 3.4.6/returned-length-within-offer",
        .events = {TWO_SEGMENTS, {"< msg write:0xb1/64/0x3000,0xb2/1/0x3800 | accepted 65", NULL}},
    },
    {
        .id = "reading-returned-length-rounded-up",
        .comment = "READ brought 5 octets, the chunk says 8: padding never counts in a Write "
                   "chunk.",
        .flags = "broken",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/64/0x3000 | " READ3(64), NULL},
                   {"< msg write:0xb1/8/0x3000 | " READ3_DONE(5),
                    "V:3.4.6.2/returned-length-is-item-length@24 terminate"}},
    },
    {
        .id = "reading-returned-length-exact",
        .comment = "The same with 5.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.6.2/returned-length-is-item-length 4.3.2/eligible-result-pushed "
                     "4.3.2/pushed-item-left-out",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/64/0x3000 | " READ3(64), NULL},
                   {"< msg write:0xb1/5/0x3000 | " READ3_DONE(5), NULL}},
    },
    {
        .id = "reading-result-inline-beside-free-chunk",
        .comment = "The data are inline although a Write chunk had room for them. For arguments "
                   "that is allowed, for results it is not.",
        .flags = "broken",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/64/0x3000 | " READ3(64), NULL},
                   {"< msg write:0xb1/0/0x3000 | " READ3_DONE(8) " 1 2",
                    "V:4.3.2/eligible-result-pushed@24 terminate"}},
    },
    {
        .id = "reading-gss-privacy-result-in-chunk",
        .comment = "A result under privacy comes through a Write chunk that should not have been "
                   "offered, and not been used.",
        .flags = "aftermath",
        .events = {{"> msg write:0xb1/64/0x3000 | gss:0:3",
                    "W:8.2.2.3/write-list-under-gss@20 process"},
                   {"< msg write:0xb1/8/0x3000 | accepted 8",
                    "V:8.2.2.3/result-not-reduced@24 terminate"}},
    },
    {
        .id = "reading-gss-privacy-chunk-unused",
        .comment = "The same chunk copied back unused.",
        .flags = "aftermath near-miss",
        .near_miss = "8.2.2.3/result-not-reduced",
        .events = {{"> msg write:0xb1/64/0x3000 | gss:0:3",
                    "W:8.2.2.3/write-list-under-gss@20 process"},
                   {"< msg write:0xb1/0/0x3000 | accepted 8 1 2", NULL}},
    },
    /* ---- the Reply chunk returned ---- */
    {
        .id = "reading-short-reply-returns-chunk",
        .comment = "The Reply went inline, and its Reply chunk comes back with no octets in it.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.3/reply-chunk-copied 4.3.3/short-reply-leaves-chunk-unused",
        .events = {ONE_REPLY, {"< msg reply:0xc1/0/0x4000 | accepted", NULL}},
    },
    {
        .id = "reading-short-reply-without-chunk",
        .comment = "The Reply chunk is not copied. That does no harm, but it has to be.",
        .flags = "broken to-requester",
        .events = {ONE_REPLY,
                   {"< msg | accepted", "V:4.3.3/reply-chunk-copied@24 process discard"}},
    },
    {
        .id = "reading-short-reply-with-octets-in-chunk",
        .comment = "The payload is inline, so nothing went through the Reply chunk.",
        .flags = "broken to-requester",
        .events = {ONE_REPLY,
                   {"< msg reply:0xc1/24/0x4000 | accepted",
                    "V:4.3.3/short-reply-leaves-chunk-unused@36 discard"}},
    },
    {
        .id = "reading-long-reply-reduced-first",
        .comment = "A result in a Write chunk, and the rest of the Reply in the Reply chunk.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.4/nomsg-holds-payload 4.2.4/nomsg-list-present "
                     "3.5.3/special-chunk-whole-words",
        .events = {{"> msg write:0xb1/64/0x3000 reply:0xc1/4096/0x4000 | call", NULL},
                   {"< nomsg write:0xb1/33/0x3000 reply:0xc1/2048/0x4000", NULL}},
    },
    {
        .id = "reading-long-reply-in-write-list-alone",
        .comment = "A used Write list, and no Reply chunk: nothing holds the Reply.",
        .flags = "broken to-requester",
        .events = {{"> msg write:0xb1/64/0x3000 reply:0xc1/4096/0x4000 | call", NULL},
                   {"< nomsg write:0xb1/33/0x3000", "V:4.2.4/nomsg-holds-payload@16 discard"}},
    },
    {
        .id = "reading-long-reply-of-16-octets",
        .comment = "No RPC Reply has less than 20 octets.",
        .flags = "broken to-requester",
        .events = {ONE_REPLY,
                   {"< nomsg reply:0xc1/16/0x4000", "W:4.2.4/long-reply-length@36 process "
                                                    "discard"}},
    },
    {
        .id = "reading-long-reply-of-2046-octets",
        .comment = "Unlike a Write chunk a Reply chunk counts padding, as it holds a whole stream.",
        .flags = "broken to-requester",
        .events = {ONE_REPLY,
                   {"< nomsg reply:0xc1/2046/0x4000",
                    "V:3.5.3/special-chunk-whole-words@36 process discard"}},
    },
    {
        .id = "reading-long-reply-without-offer",
        .comment = "The Call had no Reply chunk: this one names memory that was never offered.",
        .flags = "broken to-requester",
        .events = {CALL,
                   {"< nomsg reply:0xc1/2048/0x4000", "V:3.4.3/memory-from-requester@24 discard"}},
    },
    {
        .id = "reading-small-reply-through-chunk",
        .comment = "24 octets would fit inline. To send them so is a permission.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.4/long-reply-length 4.3.3/reply-chunk-length-within-offer",
        .events = {ONE_REPLY,
                   {"< rdma-write:0xc1:0x4000 | accepted", ""},
                   {"< nomsg reply:0xc1/24/0x4000", NULL}},
    },
    {
        .id = "reading-reply-chunk-left-with-room",
        .comment = "The Reply chunk is filled as a Write chunk is, says a comparison.",
        .flags = "broken to-requester",
        .events = {TWO_REPLY_SEGMENTS,
                   {"< nomsg reply:0xc1/60/0x4000,0xc2/4/0x4800",
                    "W:4.3.3/reply-chunk-filled-in-order@52 process discard"}},
    },
    /* ---- RDMA Reads and Writes ---- */
    {
        .id = "reading-unused-chunk-written",
        .comment = "A Responder may have written into a chunk that it then returns unused.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.6/returned-length-written 3.5.2/writes-before-reply",
        .events = {ONE_WRITE,
                   {"< rdma-write:0xb1:0x3000 | 1 2 3", ""},
                   {"< msg write:0xb1/0/0x3000 | accepted 0", NULL}},
    },
    {
        .id = "reading-rdma-write-after-reply",
        .comment = "The Reply says that the data are there, and they are not yet.",
        .flags = "broken",
        .events = {ONE_WRITE,
                   {"< msg write:0xb1/8/0x3000 | accepted 8", NULL},
                   {"< rdma-write:0xb1:0x3000 | 1 2", "V:3.5.2/writes-before-reply"}},
    },
    {
        .id = "reading-rdma-read-after-reply",
        .comment = "With its Reply the Call's memory is the Requester's again.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/8/0x1000 | call 8", NULL},
                   ANSWERED,
                   {"< rdma-read:0xa1:0x1000 | 1 2", "V:3.4.5.1/reads-before-reply"}},
    },
    /* ---- XIDs and credits ---- */
    {
        .id = "reading-reply-with-two-xids",
        .comment = "A Requester may drop it, or look at the header alone.",
        .flags = "broken two-readings",
        .events = {CALL, {"< msg | accepted:7", "V:4.2.1/xid-equal@28 process discard"}},
    },
    {
        .id = "reading-long-call-with-two-xids",
        .comment = "The XID of a Long Call is seen only when it is read.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa1/40/0x1000", NULL},
                   {"< rdma-read:0xa1:0x1000 | call:7", "V:4.2.1/xid-equal@0"}},
    },
    {
        .id = "reading-reply-grants-nothing",
        .comment = "A grant of none is forbidden. What a Requester makes of it is not said: to "
                   "take it for one is as good as to drop the Reply.",
        .flags = "broken to-requester",
        .events = {CALL, {"< msg credit:0 | accepted", "V:3.3.1/grant-not-zero@8 process discard"}},
    },
    {
        .id = "reading-call-asks-for-nothing",
        .comment = "Only what is granted must not be none; to ask for none is odd.",
        .flags = "remarkable",
        .events = {{"> msg credit:0 | call", "N:3.3.1/request-of-zero@8 process"}, ANSWERED},
    },
    {
        .id = "reading-grant-above-request",
        .comment = "More is granted than was asked for: the smaller number counts.",
        .flags = "conforming near-miss",
        .near_miss = "3.3.1/grant-not-zero 3.3.1/calls-within-request",
        .events = {{"> msg credit:4 | call", NULL}, {"< msg credit:4096 | accepted", NULL}},
    },
    {
        .id = "reading-grant-lowered-below-calls-in-flight",
        .comment = "The grant sinks to one while two more Calls wait. They are answered, and only "
                   "new ones stop.",
        .flags = "conforming near-miss",
        .near_miss = "3.3.1/calls-within-grant",
        .events = {{"> msg xid:1 | call", NULL},
                   {"< msg xid:1 credit:3 | accepted", NULL},
                   {"> msg xid:2 | call", NULL},
                   {"> msg xid:3 | call", NULL},
                   {"> msg xid:4 | call", NULL},
                   {"< msg xid:2 credit:1 | accepted", NULL},
                   {"< msg xid:3 credit:1 | accepted", NULL},
                   {"< msg xid:4 credit:1 | accepted", NULL},
                   {"> msg xid:5 | call", NULL}},
    },
    {
        .id = "reading-two-calls-before-the-first-reply",
        .comment = "One Call, until something has answered it.",
        .flags = "broken",
        .events = {{"> msg xid:1 | call", NULL},
                   {"> msg xid:2 | call", "V:3.3.3/one-credit-at-first process close"}},
    },
    {
        .id = "reading-two-calls-after-an-error",
        .comment = "Whether an RDMA_ERROR is the valid reply that tells the credits is not said.",
        .flags = "broken two-readings",
        .events = {{"> msg xid:1 | call", NULL},
                   {"< error:chunk xid:1", "terminate"},
                   {"> msg xid:2 | call", NULL},
                   {"> msg xid:3 | call", "W:3.3.3/valid-reply-first process close"}},
    },
    {
        .id = "reading-error-frees-its-credit",
        .comment = "RDMA_ERROR ends its RPC: with one credit the next Call may follow.",
        .flags = "conforming near-miss",
        .near_miss = "3.3.1/calls-within-grant 3.3.3/valid-reply-first",
        .events = {{"> msg xid:1 | call", NULL},
                   {"< msg xid:1 credit:1 | accepted", NULL},
                   {"> msg xid:2 | call", NULL},
                   {"< error:chunk xid:2 credit:1", "terminate"},
                   {"> msg xid:3 | call", NULL}},
    },
    /* ---- sizes ---- */
    {
        .id = "reading-send-of-1024-octets",
        .comment = "Header and payload together have 1024 octets, the default.",
        .flags = "conforming near-miss",
        .near_miss = "3.3.3/send-above-default 4.2.4/send-within-threshold",
        .events = {CALL, {"< msg | accepted *243", NULL}},
    },
    {
        .id = "reading-threshold-announced-by-private-data",
        .comment = "Both sides have said 4096: RFC 8797 is another way to find out.",
        .flags = "conforming near-miss",
        .near_miss = "3.3.3/send-above-default 4.2.4/send-within-threshold",
        .events = {{"> private-data | 0xf6ab0e18 0x01000303", ""},
                   {"< private-data | 0xf6ab0e18 0x01000303", ""},
                   CALL,
                   {"< msg | accepted *1011", NULL}},
    },
    {
        .id = "reading-reply-that-just-fits",
        .comment = "READ of 952 octets at most: the shortest Reply that brings them has 1024, and "
                   "what equals the threshold fits. With attributes it would not.",
        .flags = "remarkable near-miss",
        .near_miss = "4.3.3/reply-chunk-needed 4.2.4/send-within-threshold",
        .settings = "nfs s2c:1024",
        .events = {{"> msg | " READ3(952), "N:4.3.3/reply-chunk-advised@24 process err-chunk"}},
    },
    {
        .id = "reading-reply-that-fits-without-its-header",
        .comment = "The RPC Reply would have 1000 octets, but the Send 1028: the header counts, "
                   "and a Reply chunk is needed.",
        .flags = "broken",
        .settings = "nfs s2c:1024",
        .events = {{"> msg | " READ3(956), "W:4.3.3/reply-chunk-needed@24 process err-chunk"}},
    },
    {
        .id = "reading-reply-chunk-too-small",
        .comment = "A Reply chunk that cannot hold the longest Reply: a draft forbade it, the RFC "
                   "leaves it to ERR_CHUNK.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.3/reply-chunk-needed 4.3.3/reply-chunk-without-room",
        .settings = "nfs s2c:1024",
        .events = {{"> msg reply:0xc1/1024/0x4000 | " READ3(4096), NULL},
                   {"< error:chunk", "terminate"}},
    },
    {
        .id = "reading-reply-inline-in-the-gap",
        .comment = "980 octets of RPC Reply are below the threshold, 1028 with their header above "
                   "it: the Reply chunk was there for them.",
        .flags = "broken",
        .settings = "s2c:1024",
        .events = {ONE_REPLY,
                   {"< msg reply:0xc1/0/0x4000 | accepted *239",
                    "V:3.5.3/reply-chunk-used process close"}},
    },
    {
        .id = "reading-reply-chunk-used-in-the-gap",
        .comment = "The same Reply through the Reply chunk.",
        .flags = "conforming near-miss",
        .near_miss = "3.5.3/reply-chunk-used 4.2.4/send-within-threshold",
        .settings = "s2c:1024",
        .events = {ONE_REPLY, {"< nomsg reply:0xc1/980/0x4000", NULL}},
    },
    {
        .id = "reading-send-with-invalidate",
        .comment = "Not of RFC 8166: it needs an agreement, which may have been made where nobody "
                   "saw it.",
        .flags = "conforming near-miss",
        .near_miss = "rfc8797/4.1/invalidate-own-transaction "
                     "rfc8797/4.1/plain-send-without-support",
        .events = {ONE_WRITE, {"< msg write:0xb1/8/0x3000 invalidate:0xb1 | accepted 8", NULL}},
    },
};

const struct vector_group readings_replies = {
    GROUP("readings-replies.json", vectors),
    .title = "Readings: RDMA_ERROR, chunks of Replies, XIDs, credits, sizes",
    .origin = "spec",
    .reference = "RFC 8166 sections 2.2.2, 3.3, 3.4.6, 3.5, 4.2, 4.3, 4.5 and 8.2.2.3, RFC 8797",
};
