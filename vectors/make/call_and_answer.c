// SPDX-License-Identifier: BSD-3-Clause
/* Faults that show only when a Call, what RDMA moved and the answer are seen together. */
#include "vectors/make/nfs.h"
#include "vectors/make/vectors.h"

#define CALL "> msg | call"
#define WRITE_CALL "> msg write:0xb/100/1000 | call"
#define LONG_CALL "> msg reply:0xc/100/0 | call"
#define ANSWERED "V:4.5.2/xdr-error-answered@12 process"
#define INVALIDATED "V:rfc8797/4.1/invalidate-own-transaction"

static const struct vector call_and_answer_vectors[] = {
    /* ---- a Call that has to be refused ---- */
    {
        .id = "misaligned-call-taken",
        .comment = "Only ERR_CHUNK can answer Position 42; the server takes the Call.",
        .flags = "aftermath to-requester",
        .events = {{"> msg read:42:0xa/4/0 | call",
                    "V:3.4.5/position-multiple-of-four@20 err-chunk"},
                   {"< msg | accepted", ANSWERED}},
    },
    {
        .id = "misaligned-call-refused",
        .comment = "The same Call, and ERR_CHUNK.",
        .flags = "near-miss aftermath",
        .near_miss = "4.5.2/xdr-error-answered",
        .events = {{"> msg read:42:0xa/4/0 | call",
                    "V:3.4.5/position-multiple-of-four@20 err-chunk"},
                   {"< error:chunk", "terminate"}},
    },
    {
        .id = "undefined-procedure-taken",
        .comment = "A server takes procedure 9 for RDMA_MSG.",
        .flags = "aftermath to-requester",
        .events = {{"> msg | call @12=9", "V:4.5.2/procedure-defined@12 length:- err-chunk"},
                   {"< msg | accepted", ANSWERED}},
    },
    {
        .id = "presence-word-two-taken",
        .comment = "Many decoders take any presence word but 0 for 1: nothing obliges a server to "
                   "see the fault.",
        .flags = "near-miss aftermath",
        .near_miss = "4.5.2/xdr-error-answered",
        .events = {{"> msg | call @20=2", "V:4/xdr-encoded@20 length:- err-chunk"},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "ineligible-argument-executed",
        .comment = "The file handle of a LOOKUP is in a Read chunk, and the server looks it up.",
        .flags = "aftermath to-requester",
        .settings = "nfs",
        .events = {{"> msg read:44:0xa/8/0 | nfs3:3 8 text:name",
                    "V:6.1/only-eligible-reduced@20 err-chunk garbage-args"},
                   {"< msg | accepted 2 0", "V:6.1/ineligible-call-not-executed@28 process"}},
    },
    {
        .id = "ineligible-argument-refused",
        .comment = "The same Call, and GARBAGE_ARGS.",
        .flags = "near-miss aftermath",
        .near_miss = "6.1/ineligible-call-not-executed",
        .settings = "nfs",
        .events = {{"> msg read:44:0xa/8/0 | nfs3:3 8 text:name",
                    "V:6.1/only-eligible-reduced@20 err-chunk garbage-args"},
                   {"< msg | 0x2f0c0001 1 0 0 0 4", NULL}},
    },
    /* ---- Write chunks that nothing can be in ---- */
    {
        .id = "gss-token-in-write-chunk",
        .comment = "The token with which the server sets up a context is in a Write chunk.",
        .flags = "broken to-requester",
        .events = {{"> msg write:0xb/100/1000 | gss:1:1 text:token", NULL},
                   {"< msg write:0xb/5/1000 | accepted 0 0 0 0 5",
                    "V:8.2.2/gss-elements-not-reduced@24 terminate"}},
    },
    {
        .id = "gss-token-inline",
        .comment = "The same token inline, the chunk unused.",
        .flags = "near-miss",
        .near_miss = "8.2.2/gss-elements-not-reduced",
        .events = {{"> msg write:0xb/100/1000 | gss:1:1 text:token", NULL},
                   {"< msg write:0xb/0/1000 | accepted 0 0 0 0 text:token", NULL}},
    },
    /* ---- what was written ---- */
    {
        .id = "hole-in-returned-segment",
        .comment = "Octets 40 to 59 were never written; the Reply speaks of a hundred.",
        .flags = "broken",
        .events = {{WRITE_CALL, NULL},
                   {"< rdma-write:0xb:1000 | octets:40", NULL},
                   {"< rdma-write:0xb:1060 | octets:40", NULL},
                   {"< msg write:0xb/100/1000 | accepted",
                    "W:3.4.6/returned-length-written@24 process"}},
    },
    {
        .id = "written-in-two-pieces-last-first",
        .comment = "All hundred octets, the last forty first.",
        .flags = "near-miss",
        .near_miss = "3.4.6/returned-length-written",
        .events = {{WRITE_CALL, NULL},
                   {"< rdma-write:0xb:1060 | octets:40", NULL},
                   {"< rdma-write:0xb:1000 | octets:60", NULL},
                   {"< msg write:0xb/100/1000 | accepted", NULL}},
    },
    {
        .id = "long-reply-shorter-than-returned",
        .comment = "Twenty-four octets went, the Reply speaks of twenty-eight.",
        .flags = "broken",
        .events = {{LONG_CALL, NULL},
                   {"< rdma-write:0xc:0 | accepted", NULL},
                   {"< nomsg reply:0xc/28/0", "W:4.3.3/reply-chunk-length-written@24 process"}},
    },
    {
        .id = "long-reply-as-long-as-returned",
        .comment = "Twenty-four octets went, and the Reply says so.",
        .flags = "near-miss",
        .near_miss = "4.3.3/reply-chunk-length-written 4.2.1/xid-equal",
        .events = {{LONG_CALL, NULL},
                   {"< rdma-write:0xc:0 | accepted", NULL},
                   {"< nomsg reply:0xc/24/0", NULL}},
    },
    {
        .id = "long-reply-with-other-xid",
        .comment = "The RPC message in the Reply chunk has another XID than the header.",
        .flags = "broken to-requester",
        .events = {{LONG_CALL, NULL},
                   {"< rdma-write:0xc:0 | accepted:7", NULL},
                   {"< nomsg reply:0xc/24/0", "V:4.2.1/xid-equal@0 process discard"}},
    },
    {
        .id = "long-reply-with-read-list-of-its-call",
        .comment = "The Long Reply has the Read list of the Long Call: it is that Reply all the "
                   "same, and no Call of the server.",
        .flags = "broken to-requester",
        .events = {{"> nomsg read:0:0xa/64/0 reply:0xc/100/0", NULL},
                   {"< rdma-read:0xa:0 | call *6", ""},
                   {"< nomsg read:0:0xa/64/0 reply:0xc/24/0",
                    "V:4.3.1/reply-read-list-empty@16 discard"}},
    },
    {
        .id = "long-call-of-server-with-same-xid",
        .comment = "A Long Call of the server, with the XID of a Long Call that it has not "
                   "answered yet, and memory of its own.",
        .flags = "near-miss",
        .near_miss = "4.3.1/reply-read-list-empty",
        .settings = "reverse",
        .events = {{"> nomsg read:0:0xa/64/0 reply:0xc/100/0", NULL},
                   {"< nomsg read:0:0xb/64/0 reply:0xd/100/0", NULL}},
    },
    {
        .id = "long-call-of-nfs-result-inline",
        .comment = "A READ by a Long Call. Its data are inline, though the Write chunk has room.",
        .flags = "broken to-requester",
        .settings = "nfs",
        .events = {{"> nomsg read:0:0xa/60/0 write:0xb/64/1000", NULL},
                   {"< rdma-read:0xa:0 | " READ3(64), ""},
                   {"< msg write:0xb/0/1000 | " READ3_DONE(4) "1",
                    "V:4.3.2/eligible-result-pushed@24 terminate"}},
    },
    {
        .id = "long-call-of-nfs-result-in-chunk",
        .comment = "The same, with the data in the Write chunk.",
        .flags = "near-miss",
        .near_miss = "4.3.2/eligible-result-pushed",
        .settings = "nfs",
        .events = {{"> nomsg read:0:0xa/60/0 write:0xb/64/1000", NULL},
                   {"< rdma-read:0xa:0 | " READ3(64), ""},
                   {"< msg write:0xb/4/1000 | " READ3_DONE(4), NULL}},
    },
    /* ---- results of NFS ---- */
    {
        .id = "nfs-result-nowhere",
        .comment = "READ data that are not inline; their Write chunk comes back unused.",
        .flags = "broken to-requester",
        .settings = "nfs",
        .events = {{"> msg write:0xb/64/1000 | " READ3(64), NULL},
                   {"< msg write:0xb/0/1000 | " READ3_DONE(5),
                    "V:3.4.6.2/returned-length-is-item-length@24 terminate"}},
    },
    {
        .id = "nfs-attributes-in-write-chunk",
        .comment = "GETATTR has no eligible result: whatever is in a Write chunk, it is wrong.",
        .flags = "broken to-requester",
        .settings = "nfs",
        .events = {{"> msg write:0xb/64/1000 | " COMPOUND(0, 2) PUTFH GETATTR,
                    "N:4.3.2/write-list-not-needed@20"},
                   {"< msg write:0xb/8/1000 | " COMPOUND_DONE(0, 2) PUTFH_DONE "9 0 1 0x18 8",
                    "V:6.1/only-eligible-reduced@20 terminate"}},
    },
    {
        .id = "nfs-first-result-in-second-chunk",
        .comment = "The first READ asks for its data inline by an empty Write chunk. They are in "
                   "the chunk of the second.",
        .flags = "broken to-requester",
        .settings = "nfs",
        .events = {{"> msg write: write:0xb/64/1000 | " COMPOUND(0, 3) PUTFH READ(64) READ(64),
                    "N:rfc8267/6.4.2/one-write-chunk@20 process err-chunk garbage-args"},
                   {"< msg write: write:0xb/5/1000 | " COMPOUND_DONE(0, 3) PUTFH_DONE READ_DONE(5)
                        READ_DONE(4) "7",
                    "V:4.3.2.3/inline-for-empty-chunk@24 terminate"}},
    },
    {
        .id = "nfs-second-result-in-second-chunk",
        .comment = "The same Call, and each result where it belongs.",
        .flags = "near-miss",
        .near_miss = "4.3.2.3/inline-for-empty-chunk",
        .settings = "nfs",
        .events = {{"> msg write: write:0xb/64/1000 | " COMPOUND(0, 3) PUTFH READ(64) READ(64),
                    "N:rfc8267/6.4.2/one-write-chunk@20 process err-chunk garbage-args"},
                   {"< msg write: write:0xb/5/1000 | " COMPOUND_DONE(0, 3)
                        PUTFH_DONE READ_DONE(4) "7 " READ_DONE(5),
                    NULL}},
    },
    {
        .id = "nfs-link-at-next-word",
        .comment = "CREATE of a link, whose target is at Position 76; the Read chunk says 80.",
        .flags = "broken",
        .settings = "nfs",
        .events = {{"> msg read:80:0xa/11/0 | " COMPOUND(0, 3) PUTFH CREATE_LINK(11)
                        LINK_NAME GETFH,
                    "V:3.4.5/position-of-item@20 err-chunk garbage-args"}},
    },
    /* ---- what providers show ---- */
    {
        .id = "no-buffer-for-granted-call",
        .comment = "The server grants 32 credits, and has no receive buffer for the next Call.",
        .flags = "broken",
        .events = {{CALL, NULL},
                   {"< msg | accepted", NULL},
                   {"> msg xid:2 | call", NULL},
                   {"< not-ready:1", "W:3.3.1/receives-before-larger-grant"}},
    },
    {
        .id = "no-buffer-for-call-beyond-grant",
        .comment =
            "The server grants one credit. There are two Calls, and no buffer for the second.",
        .flags = "near-miss aftermath",
        .near_miss = "3.3.1/receives-before-larger-grant",
        .events = {{CALL, NULL},
                   {"< msg credit:1 | accepted", NULL},
                   {"> msg xid:2 | call", NULL},
                   {"> msg xid:3 | call", "V:3.3.1/calls-within-grant process close"},
                   {"< not-ready:2", ""}},
    },
    {
        .id = "no-buffer-for-reply",
        .comment = "The client has no receive buffer for the Reply to its Call.",
        .flags = "broken",
        .events = {{CALL, NULL},
                   {"< msg | accepted", NULL},
                   {"> not-ready:0", "W:3.3.1/reply-receives-maintained"}},
    },
    {
        .id = "no-buffer-for-second-reply",
        .comment = "The Call was sent again, and the client has a buffer for one Reply only.",
        .flags = "near-miss",
        .near_miss = "3.3.1/reply-receives-maintained",
        .events = {{CALL, NULL},
                   {CALL, NULL},
                   {"< msg | accepted", NULL},
                   {"< msg | accepted", NULL},
                   {"> not-ready:1", ""}},
    },
    {
        .id = "offered-memory-refused",
        .comment = "The client refuses an RDMA Read of the memory that its waiting Call offers.",
        .flags = "broken",
        .events = {{"> msg read:40:0xa/100/1000 | call", NULL},
                   {"> refused-read:0xa:1000:100", "W:3.4.5/memory-registered"}},
    },
    {
        .id = "other-memory-refused",
        .comment = "The client refuses an RDMA Read that goes one octet beyond what it offers.",
        .flags = "near-miss",
        .near_miss = "3.4.5/memory-registered",
        .events = {{"> msg read:40:0xa/100/1000 | call", NULL},
                   {"> refused-read:0xa:1000:101", ""}},
    },
    {
        .id = "atomic-on-offered-memory",
        .comment = "Fetch and Add on the memory of a Read chunk.",
        .flags = "broken",
        .events = {{"> msg read:40:0xa/100/1000 | call", NULL},
                   {"< atomic:0xa:1000 | octets:8", "W:4.5.3/only-read-and-write"}},
    },
    {
        .id = "read-of-eight-octets",
        .comment = "An RDMA Read of as many octets as an atomic operation has.",
        .flags = "near-miss",
        .near_miss = "4.5.3/only-read-and-write",
        .events = {{"> msg read:40:0xa/100/1000 | call", NULL},
                   {"< rdma-read:0xa:1000 | octets:8", ""}},
    },
    /* ---- Send With Invalidate ---- */
    {
        .id = "call-that-invalidates",
        .comment = "A Call invalidates memory; only an answer can.",
        .flags = "broken",
        .events = {{"> msg read:40:0xa/4/0 invalidate:0xa | call", INVALIDATED " process close"}},
    },
    {
        .id = "error-invalidates-what-was-not-offered",
        .comment = "RDMA_ERROR invalidates a handle of which its Call knows nothing.",
        .flags = "broken to-requester",
        .events = {{CALL, NULL}, {"< error:chunk invalidate:0xa", INVALIDATED " terminate close"}},
    },
    {
        .id = "error-invalidates-memory-of-its-call",
        .comment = "RDMA_ERROR invalidates the handle of the Read chunk.",
        .flags = "near-miss",
        .near_miss = "rfc8797/4.1/invalidate-own-transaction",
        .events = {{"> msg read:40:0xa/4/0 | call", NULL},
                   {"< error:chunk invalidate:0xa", "terminate"}},
    },
};

const struct vector_group call_and_answer = {
    GROUP("call-and-answer.json", call_and_answer_vectors),
    .title = "Calls, RDMA and answers together",
    .origin = "made",
    .reference = "RFC 8166 sections 3.4.6, 4.2.1, 4.3.3, 4.5.2, 6.1 and 8.2.2, RFC 8797 "
                 "section 4.1",
};
