// SPDX-License-Identifier: BSD-3-Clause
/* The fixed words of the transport header: its length, version, procedure. */
#include "vectors/make/vectors.h"

/* ---- header-length.json ---- */

static const struct vector length_vectors[] = {
    {
        .id = "smallest-call",
        .comment = "A Call without chunks: 28 octets of header, 40 of RPC header. Nothing is "
                   "shorter and complete.",
        .flags = "conforming near-miss",
        .near_miss = "4.5/minimal-header 4/xdr-encoded 4.2.4/msg-has-payload",
        .events = {{"> msg | call", "length:28 process"}},
    },
    {
        .id = "runt-of-24-octets",
        .comment = "The Reply chunk's presence word is missing, the last word of the smallest "
                   "header. Too short for an answer: dropped.",
        .flags = "broken",
        .events = {{"> msg cut:24", "V:4.5/minimal-header@24 length:- discard"}},
    },
    {
        .id = "runt-of-27-octets",
        .comment = "One octet short of the smallest header.",
        .flags = "broken",
        .events = {{"> msg cut:27", "V:4.5/minimal-header@24 length:- discard"}},
    },
    {
        .id = "runt-of-20-octets",
        .comment = "As long as an ERR_CHUNK, but an RDMA_MSG.",
        .flags = "broken",
        .events = {{"> msg cut:20", "V:4.5/minimal-header@20 length:- discard"}},
    },
    {
        .id = "runt-of-16-octets",
        .comment = "The four fixed words of an RDMA_MSG and nothing else.",
        .flags = "broken",
        .events = {{"> msg cut:16", "V:4.5/minimal-header@16 length:- discard"}},
    },
    {
        .id = "runt-of-15-octets",
        .comment = "Not even the procedure is there.",
        .flags = "broken",
        .events = {{"> msg cut:15", "V:4.5/minimal-header@12 length:- discard"}},
    },
    {
        .id = "runt-of-3-octets",
        .comment = "Less than an XID.",
        .flags = "broken",
        .events = {{"> msg cut:3", "V:4.5/minimal-header@0 length:- discard"}},
    },
    {
        .id = "send-of-no-octets",
        .comment = "An RDMA Send that carries nothing.",
        .flags = "broken hostile",
        .events = {{"> raw", "V:4.5/minimal-header@0 length:- discard"}},
    },
    {
        .id = "runt-nomsg",
        .comment = "An RDMA_NOMSG cut off after its first list.",
        .flags = "broken",
        .events = {{"> nomsg cut:20", "V:4.5/minimal-header@20 length:- discard"}},
    },
    {
        .id = "runt-of-undefined-procedure",
        .comment = "Procedure 9 in 24 octets: the length is looked at first, so there is no "
                   "ERR_CHUNK.",
        .flags = "broken",
        .events = {{"> msg @12=9 cut:24", "V:4.5/minimal-header@24 length:- discard"}},
    },
    {
        .id = "runt-of-version-7",
        .comment = "Version 7 in 24 octets: the length is looked at first, so there is no "
                   "ERR_VERS.",
        .flags = "broken",
        .events = {{"> msg vers:7 cut:24", "V:4.5/minimal-header@24 length:- discard"}},
    },
    {
        .id = "runt-from-server",
        .comment = "A Requester drops a runt, too, and goes on waiting.",
        .flags = "broken to-requester",
        .events = {{"> msg | call", NULL},
                   {"< msg cut:24", "V:4.5/minimal-header@24 length:- discard"},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "call-follows-runt",
        .comment = "The connection lives on after a runt: the next Call is served.",
        .flags = "aftermath",
        .events = {{"> msg cut:24", "V:4.5/minimal-header@24 length:- discard"},
                   {"> msg | call", NULL},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "smallest-reply",
        .comment = "A Reply without chunks: 28 octets of header, 24 of RPC header.",
        .flags = "conforming near-miss",
        .near_miss = "4.5/minimal-header 2.2.2/reply-matches-call",
        .events = {{"> msg | call", NULL}, {"< msg | accepted", "length:28 process"}},
    },
};

const struct vector_group header_length = {
    GROUP("header-length.json", length_vectors),
    .title = "The least length of a Send",
    .origin = "made",
    .reference = "RFC 8166 section 4.5",
};

/* ---- header-version.json ---- */

static const struct vector version_vectors[] = {
    /* ---- version ---- */
    {
        .id = "version-one",
        .comment = "The version word is 1.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.2/version-one 7/later-version-offered 4.5.2/procedure-defined "
                     "4.6.1/msgp-not-sent 4.6.2/done-not-sent",
        .events = {{"> msg vers:1 | call", NULL}},
    },
    {
        .id = "version-two",
        .comment = "A Call of version 2 to a peer that speaks version 1 alone: an offer.",
        .flags = "remarkable near-miss",
        .near_miss = "4.2.2/version-one",
        .events = {{"> msg vers:2 | call", "N:7/later-version-offered@4 length:- err-vers"}},
    },
    {
        .id = "version-zero",
        .comment = "A Call of version 0.",
        .flags = "broken",
        .events = {{"> msg vers:0 | call", "V:4.2.2/version-one@4 length:- err-vers"}},
    },
    {
        .id = "version-of-all-ones",
        .comment = "A Call of version 4294967295: no signed comparison lets it pass.",
        .flags = "broken hostile",
        .events = {{"> msg vers:0xffffffff | call", "V:4.2.2/version-one@4 length:- err-vers"}},
    },
    {
        .id = "version-in-wrong-byte-order",
        .comment = "The 1 of a peer that forgot to swap its octets.",
        .flags = "broken",
        .events = {{"> msg vers:0x01000000 | call", "V:4.2.2/version-one@4 length:- err-vers"}},
    },
    {
        .id = "version-one-in-lower-octets",
        .comment = "16777217: 1 for who keeps fewer octets than the word has.",
        .flags = "broken",
        .events = {{"> msg vers:0x01000001 | call", "V:4.2.2/version-one@4 length:- err-vers"}},
    },
    {
        .id = "version-seven-and-undefined-procedure",
        .comment = "Of another version nothing but XID, version and procedure is trusted; the "
                   "version is what is refused.",
        .flags = "broken",
        .events = {{"> msg vers:7 @12=9 | call", "V:4.2.2/version-one@4 length:- err-vers"}},
    },
    {
        .id = "version-seven-and-broken-lists",
        .comment = "What another version has after the fourth word is not for version 1 to "
                   "parse.",
        .flags = "broken hostile",
        .events = {{"> msg vers:7 @16=0xffffffff @20=0xffffffff @24=0xffffffff | *4",
                    "V:4.2.2/version-one@4 length:- err-vers"}},
    },
    {
        .id = "version-two-and-msgp",
        .comment = "Procedure 2 means something else in other versions: the version is refused.",
        .flags = "remarkable",
        .events = {{"> msgp vers:2 | call", "N:7/later-version-offered@4 length:- err-vers"}},
    },
    {
        .id = "version-two-and-done",
        .comment = "Procedure 3 is not fixed for other versions, so that ERR_VERS is right; a "
                   "peer that drops it as RDMA_DONE is forgiven.",
        .flags = "remarkable two-readings",
        .events = {{"> done vers:2 | *3", "N:7/later-version-offered@4 length:- discard err-vers"}},
    },
    {
        .id = "version-three",
        .comment = "A Call of version 3, which is not defined.",
        .flags = "broken",
        .events = {{"> msg vers:3 | call", "V:4.2.2/version-one@4 length:- err-vers"}},
    },
    {
        .id = "version-two-after-version-one",
        .comment = "The peer has answered in version 1: it is too late for an offer.",
        .flags = "broken",
        .events = {{"> msg | call", NULL},
                   {"< msg | accepted", NULL},
                   {"> msg vers:2 | call", "V:4.2.2/version-one@4 length:- err-vers"}},
    },
    {
        .id = "version-two-spoken-by-both",
        .comment = "The server answers in version 2: nothing of the rest is for RFC 8166 to judge. "
                   "The second Send has 16 octets.",
        .flags = "remarkable near-miss",
        .near_miss = "4.2.2/version-one 4.5/minimal-header",
        .events = {{"> msg vers:2 | call", "N:7/later-version-offered@4 length:- err-vers"},
                   {"< raw | 0x2f0c0001 2 32 5", "length:- process"},
                   {"> msg vers:2 @12=9 | call", "length:- process"},
                   {"< msg vers:2 @12=13 | accepted", "length:- process"}},
    },
    {
        .id = "version-two-after-unread-and-gap",
        .comment = "Seen from its middle on: the client's version 2 is of no draft that is known, "
                   "and so nothing of the server's is judged by one.",
        .flags = "remarkable near-miss",
        .near_miss = "4.2.2/version-one 4.5/minimal-header",
        .settings = "mid",
        .events = {{"> msg vers:2 | call", "N:7/later-version-offered@4 length:- err-vers"},
                   {"< raw | 0x2f0c0001 2 32 5", "length:- process"}},
    },
    {
        .id = "version-two-error-before-version-one",
        .comment = "Seen from its middle on: an error of version 2 does not show that the client "
                   "has spoken it.",
        .flags = "remarkable near-miss",
        .near_miss = "4.2.2/version-one",
        .settings = "mid",
        .events = {{"< raw | 0x2f0c0009 2 32 4 2", "length:20 terminate"}, {"> msg | call", NULL}},
    },
    {
        .id = "version-two-reply",
        .comment = "A Requester never answers by RDMA_ERROR: it drops a Reply of version 2.",
        .flags = "broken to-requester",
        .events = {{"> msg | call", NULL},
                   {"< msg vers:2 | accepted", "V:4.2.2/version-one@4 length:- discard"}},
    },
    /* ---- procedure ---- */
    {
        .id = "procedure-five",
        .comment = "The first procedure number that nothing defines.",
        .flags = "broken",
        .events = {{"> msg @12=5 | call", "V:4.5.2/procedure-defined@12 length:- err-chunk"}},
    },
    {
        .id = "procedure-of-all-ones",
        .comment = "Procedure 4294967295: no table is indexed by it.",
        .flags = "broken hostile",
        .events = {{"> msg @12=0xffffffff | call",
                    "V:4.5.2/procedure-defined@12 length:- err-chunk"}},
    },
    {
        .id = "procedure-zero-in-lower-octets",
        .comment = "16777216: RDMA_MSG for who keeps fewer octets than the word has.",
        .flags = "broken",
        .events = {{"> msg @12=0x01000000 | call",
                    "V:4.5.2/procedure-defined@12 length:- err-chunk"}},
    },
    {
        .id = "procedure-five-reply",
        .comment = "An undefined procedure in what answers a Call is dropped.",
        .flags = "broken to-requester",
        .events = {{"> msg | call", NULL},
                   {"< msg @12=5 | accepted", "V:4.5.2/procedure-defined@12 length:- discard"}},
    },
    {
        .id = "msgp-call",
        .comment = "RDMA_MSGP has two words more than RDMA_MSG before its lists, here both zero. "
                   "It is recognised by its number, not parsed.",
        .flags = "broken legacy",
        .events = {{"> msgp | call", "V:4.6.1/msgp-not-sent@12 length:- err-chunk"}},
    },
    {
        .id = "msgp-that-would-pass-for-msg",
        .comment = "Its alignment and threshold words are zeros, as absent lists are: who takes "
                   "it for an RDMA_MSG finds the RPC message eight octets too late.",
        .flags = "broken legacy hostile",
        .events = {{"> msgp | call *2", "V:4.6.1/msgp-not-sent@12 length:- err-chunk"}},
    },
    {
        .id = "msgp-reply",
        .comment = "A Requester drops an RDMA_MSGP.",
        .flags = "broken legacy to-requester",
        .events = {{"> msg | call", NULL},
                   {"< msgp | accepted", "V:4.6.1/msgp-not-sent@12 length:- discard"}},
    },
    {
        .id = "done-of-16-octets",
        .comment = "RDMA_DONE as RFC 5666 has it: dropped without a sign.",
        .flags = "broken legacy",
        .events = {{"> done", "V:4.6.2/done-not-sent@12 length:- discard"}},
    },
    {
        .id = "done-of-28-octets",
        .comment = "RDMA_DONE in a Send that is long enough for the length test: still dropped, "
                   "now for its procedure.",
        .flags = "broken legacy",
        .events = {{"> done | *3", "V:4.6.2/done-not-sent@12 length:- discard"}},
    },
    {
        .id = "done-from-server",
        .comment = "RDMA_DONE to a Requester: dropped, and the Call goes on waiting.",
        .flags = "broken legacy to-requester",
        .events = {{"> msg | call", NULL},
                   {"< done | *3", "V:4.6.2/done-not-sent@12 length:- discard"},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "call-follows-done",
        .comment = "RDMA_DONE ends nothing: the next Call is served on the same connection.",
        .flags = "aftermath legacy",
        .events = {{"> done", "V:4.6.2/done-not-sent@12 length:- discard"},
                   {"> msg | call", NULL},
                   {"< msg | accepted", NULL}},
    },
};

const struct vector_group header_version = {
    GROUP("header-version.json", version_vectors),
    .title = "Version and procedure",
    .origin = "made",
    .reference = "RFC 8166 sections 4.2.2, 4.2.4, 4.5.1, 4.5.2 and 4.6",
};
