// SPDX-License-Identifier: BSD-3-Clause
/* Where the text leaves room to read it wrongly: chunks that a Call offers. */
#include "vectors/make/vectors.h"

/* NFS version 3 after the RPC header: WRITE, whose data are at Position 68, and READ. */
#define WRITE3(count) "nfs3:7 4 0xf 0 0 " #count " 0 " #count
#define READ3(count) "nfs3:6 4 0xf 0 0 " #count
#define REFUSED " err-chunk garbage-args"

static const struct vector vectors[] = {
    /* ---- Positions ---- */
    {
        .id = "reading-positions-descend",
        .comment = "Positions group segments, and nothing asks for an order.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.4.4/chunks-overlap 3.4.5/position-in-bounds",
        .events = {{"> msg read:56:0xa2/4/0x2000 read:44:0xa1/8/0x1000 | call 8 4", NULL}},
    },
    {
        .id = "reading-entries-interleaved",
        .comment = "Two entries of one chunk with another chunk between them: joined in list "
                   "order, if odd.",
        .flags = "remarkable near-miss",
        .near_miss = "3.4.4.4/chunks-overlap 3.4.5/position-in-bounds",
        .events = {{"> msg read:44:0xa1/8/0x1000 read:60:0xa2/4/0x2000 read:44:0xa1/4/0x1008 | "
                    "call 12 4",
                    "N:3.4.5/interleaved-chunks@68 process"}},
    },
    {
        .id = "reading-position-does-not-advance",
        .comment = "All segments of a chunk repeat its Position: it does not count what the ones "
                   "before hold.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.5/interleaved-chunks 3.4.4.4/chunks-overlap",
        .events = {{"> msg read:44:4*0xa1/4096/0x1000 | call 16384", NULL}},
    },
    {
        .id = "reading-position-that-advances",
        .comment = "Who lets Position advance with the segments makes two chunks: the first is "
                   "too short for the data, and no item begins where the second lies.",
        .flags = "two-rules",
        .settings = "nfs",
        .events = {{"> msg read:68:0xa1/4/0x1000 read:72:0xa1/4/0x1004 | " WRITE3(8),
                    "V:3.4.5.2/unpadded-chunk-length@28 V:3.4.5/position-of-item@44" REFUSED}},
    },
    {
        .id = "reading-segment-lengths-are-free",
        .comment = "Segments of 5, 3 and 1 octets: lengths need not be words, only Positions.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.5/position-multiple-of-four 3.5.3/special-chunk-whole-words",
        .events = {{"> msg read:44:0xa1/5/0x1001,0xa2/3/0x2003,0xa3/1/0x3007 | call 9", NULL}},
    },
    {
        .id = "reading-position-of-42",
        .comment = "A Position between words.",
        .flags = "broken",
        .events = {{"> msg read:42:0xa1/8/0x1000 | call 8",
                    "V:3.4.5/position-multiple-of-four@20 err-chunk"}},
    },
    {
        .id = "reading-empty-read-segment",
        .comment = "A segment of no octets is legal; its chunk has octets elsewhere.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.4/empty-read-chunk",
        .events = {{"> msg read:44:0xa1/0/0x1000,0xa2/8/0x2000 | call 8", NULL}},
    },
    {
        .id = "reading-empty-read-chunk",
        .comment = "A chunk of no octets moves an item of no octets.",
        .flags = "remarkable",
        .events = {{"> msg read:44:0xa1/0/0x1000 | call 0", "N:3.4.4/empty-read-chunk@28 process"}},
    },
    /* ---- Position Zero ---- */
    {
        .id = "reading-position-zero-chunk-of-nothing",
        .comment = "Here a chunk of no octets is wrong: it should hold the Call.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa1/0/0x1000", "V:4.2.4/nomsg-holds-payload@16 err-chunk"}},
    },
    {
        .id = "reading-position-zero-chunk-of-36-octets",
        .comment = "No RPC Call has less than 40 octets.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa1/36/0x1000",
                    "W:4.2.4/long-call-length@28 process discard" REFUSED}},
    },
    {
        .id = "reading-position-zero-chunk-of-40-octets",
        .comment = "The shortest RPC Call there is, as a Long Call.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.4/long-call-length 4.2.4/nomsg-holds-payload",
        .events = {{"> nomsg read:0:0xa1/40/0x1000", NULL}, {"< rdma-read:0xa1:0x1000 | call", ""}},
    },
    {
        .id = "reading-position-zero-chunk-of-2046-octets",
        .comment = "A whole Payload stream includes its padding, so its length is a multiple of "
                   "four.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa1/2046/0x1000",
                    "V:3.5.3/special-chunk-whole-words@28 process discard" REFUSED}},
    },
    {
        .id = "reading-position-zero-segments-of-unaligned-lengths",
        .comment = "Only the sum of its segments counts in words.",
        .flags = "conforming near-miss",
        .near_miss = "3.5.3/special-chunk-whole-words",
        .events = {{"> nomsg read:0:0xa1/2045/0x1000,0xa2/3/0x2000", NULL}},
    },
    {
        .id = "reading-long-call-reduced-first",
        .comment = "A payload that is still too long after an argument left it: Position Zero "
                   "chunk and another one.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.4/nomsg-holds-payload 3.4.5/position-in-bounds",
        .events = {{"> nomsg read:0:0xa1/2048/0x1000 read:2048:0xa2/4096/0x2000", NULL}},
    },
    {
        .id = "reading-long-call-without-position-zero",
        .comment = "A list is present, and still nothing holds the payload.",
        .flags = "broken",
        .events = {{"> nomsg read:44:0xa1/2048/0x1000",
                    "V:4.2.4/nomsg-holds-payload@16 err-chunk"}},
    },
    {
        .id = "reading-long-call-with-write-list-alone",
        .comment = "A Write list can hold results, never a Call.",
        .flags = "broken",
        .events = {{"> nomsg write:0xb1/4096/0x3000", "V:4.2.4/nomsg-holds-payload@16 err-chunk"}},
    },
    {
        .id = "reading-long-call-with-reply-chunk-alone",
        .comment =
            "An RDMA_NOMSG with nothing but a Reply chunk reads as a Reply, here to no Call.",
        .flags = "broken to-requester",
        .events = {{"> nomsg reply:0xc1/4096/0x4000", "V:2.2.2/reply-matches-call@0 discard"}},
    },
    {
        .id = "reading-position-zero-chunk-in-msg",
        .comment = "The payload begins inline, with its XID: no item can be taken out at Position "
                   "Zero.",
        .flags = "broken",
        .events = {{"> msg read:0:0xa1/40/0x1000 | call",
                    "V:3.5.3/position-zero-in-msg@20 discard" REFUSED}},
    },
    {
        .id = "reading-position-within-position-zero-chunk",
        .comment = "Position 44 lies within the octets of the Position Zero chunk: no overlap, it "
                   "says where the item goes.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.4.4/chunks-overlap",
        .events = {{"> nomsg read:0:0xa1/2048/0x1000 read:44:0xa2/4096/0x8000", NULL}},
    },
    /* ---- where a Position may be ---- */
    {
        .id = "reading-position-in-call-header",
        .comment = "Position 24 is the credential's flavor: nothing before the arguments is ever "
                   "eligible.",
        .flags = "broken",
        .events = {{"> msg read:24:0xa1/8/0x1000 | call 8",
                    "V:3.4.2/position-in-rpc-header@20" REFUSED}},
    },
    {
        .id = "reading-position-in-auth-sys-credential",
        .comment = "Behind 40 octets, but the RPC header has 60 here: its credential is a body of "
                   "20. Where the arguments begin has to be found out.",
        .flags = "broken",
        .events = {{"> msg read:40:0xa1/8/0x1000 | 0x2f0c0001 0 2 0x20008166 1 1 1 20 *5 0 0 8",
                    "V:3.4.2/position-in-rpc-header@20" REFUSED}},
    },
    {
        .id = "reading-position-after-auth-sys-credential",
        .comment = "The first octet after the same RPC header.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.2/position-in-rpc-header",
        .events = {{"> msg read:60:0xa1/8/0x1000 | 0x2f0c0001 0 2 0x20008166 1 1 1 20 *5 0 0 8",
                    NULL}},
    },
    {
        .id = "reading-position-in-gss-credential",
        .comment = "Of RPCSEC_GSS not even the credential leaves the payload.",
        .flags = "broken",
        .events = {{"> msg read:32:0xa1/8/0x1000 | gss:0:1 8",
                    "V:8.2.2/gss-elements-not-reduced@20" REFUSED}},
    },
    {
        .id = "reading-position-in-gss-verifier",
        .comment = "Nor does the verifier leave it: Position 64 is its checksum.",
        .flags = "broken",
        .events = {{"> msg read:64:0xa1/8/0x1000 | gss:0:1 8",
                    "V:8.2.2/gss-elements-not-reduced@20" REFUSED}},
    },
    {
        .id = "reading-position-at-payload-end",
        .comment = "The data of an NFS WRITE come last: their Position is the length of the "
                   "payload.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.5/position-in-bounds 3.4.5/position-of-item "
                     "3.4.5.2/unpadded-chunk-length 3.4.5.2/padded-chunk-length",
        .settings = "nfs",
        .events = {{"> msg read:68:0xa1/4096/0x1000 | " WRITE3(4096), NULL}},
    },
    {
        .id = "reading-position-beyond-payload-end",
        .comment = "One word on: no payload is there for the item to go into.",
        .flags = "broken",
        .events = {{"> msg read:48:0xa1/8/0x1000 | call 8",
                    "V:3.4.5/position-in-bounds@20" REFUSED}},
    },
    {
        .id = "reading-position-counted-from-transport-header",
        .comment = "Position 44 with the 52 octets of transport header counted in.",
        .flags = "broken",
        .events = {{"> msg read:96:0xa1/8/0x1000 | call 8",
                    "V:3.4.5/position-in-bounds@20" REFUSED}},
    },
    {
        .id = "reading-position-counts-lower-chunks",
        .comment = "Position 116 in a payload of 48 octets: the 65 octets of the lower chunk count "
                   "in, and their padding, sent or not.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.5/position-in-bounds 3.4.4.4/chunks-overlap",
        .events = {{"> msg read:44:0xa1/65/0x1000 read:116:0xa2/4/0x2000 | call 65 4", NULL}},
    },
    {
        .id = "reading-position-beyond-lower-chunks",
        .comment = "One word more than the lower chunk and the payload account for.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/65/0x1000 read:120:0xa2/4/0x2000 | call 65 4",
                    "V:3.4.5/position-in-bounds@44" REFUSED}},
    },
    {
        .id = "reading-position-in-reduced-stream",
        .comment = "The second Position counts what is left of the payload, not what it was, and "
                   "so lies inside the first chunk.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/64/0x1000 read:48:0xa2/4/0x2000 | call 64 4",
                    "V:3.4.4.4/chunks-overlap@44" REFUSED}},
    },
    {
        .id = "reading-position-in-padding-of-lower-chunk",
        .comment = "The first chunk has 5 octets, and 8 with its padding: the next item begins "
                   "after these.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/5/0x1000 read:48:0xa2/4/0x2000 | call 5",
                    "V:3.4.4.4/chunks-overlap@44" REFUSED}},
    },
    {
        .id = "reading-overlap-that-wraps",
        .comment = "Rounded up 4294967295 octets wrap to 0 in 32 bits, and the chunk after them "
                   "would not overlap.",
        .flags = "broken hostile",
        .events =
            {{"> msg read:44:0xa1/0xffffffff/0x1000 read:48:0xa2/4/0x2000 | call 0xffffffff 4",
              "V:3.4.4.4/chunks-overlap@44" REFUSED}},
    },
    {
        .id = "reading-positions-near-four-gib",
        .comment = "A chunk of almost 4 GiB and another one right after it: large, not wrong.",
        .flags = "conforming near-miss hostile",
        .near_miss =
            "3.4.5/position-in-bounds 3.4.4.4/chunks-overlap 3.4.4/read-chunk-length-32-bit",
        .events = {{"> msg read:44:0xa1/0xffffffb0/0x1000 read:0xffffffdc:0xa2/4/0x2000 | "
                    "call 0xffffffb0",
                    "process err-chunk"}},
    },
    /* ---- memory ---- */
    {
        .id = "reading-memory-named-twice-for-results",
        .comment = "Two Write chunks in the same memory: one result damages the other.",
        .flags = "remarkable",
        .events = {{"> msg write:0xb1/4096/0x3000 write:0xb1/4096/0x3800 | call",
                    "N:3.4.3/result-memory-once@52 process"}},
    },
    {
        .id = "reading-memory-named-twice-for-arguments",
        .comment = "What is only read can be read twice.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.3/result-memory-once",
        .events = {{"> msg read:44:0xa1/8/0x1000 read:56:0xa1/8/0x1000 | call 8 8", NULL}},
    },
    {
        .id = "reading-handle-of-zero",
        .comment = "Handle 0 and offset 0 are values like others, and one handle can serve many "
                   "segments.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.3/result-memory-once 3.4.3/segment-within-address-space",
        .events = {{"> msg write:0/64/0,0/64/64 reply:0/4096/128 | call", NULL}},
    },
    {
        .id = "reading-offset-beyond-64-bits",
        .comment = "No memory is at 2 to the power of 64. It shows as an access error, if at all.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/8/0xfffffffffffffff9 | call 8",
                    "W:3.4.3/segment-within-address-space@32 process err-chunk close"}},
    },
    {
        .id = "reading-offset-ends-with-64-bits",
        .comment = "A segment that ends exactly at the end of the address space.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.3/segment-within-address-space",
        .events = {{"> msg read:44:0xa1/8/0xfffffffffffffff8 | call 8", NULL}},
    },
    {
        .id = "reading-empty-segment-anywhere",
        .comment = "A segment of no octets takes no memory, whatever its offset.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.3/segment-within-address-space 3.4.6/write-chunk-without-room",
        .events = {{"> msg write:0xb1/0/0xffffffffffffffff,0xb2/64/0x3000 | call", NULL}},
    },
    /* ---- lengths of Read chunks ---- */
    {
        .id = "reading-read-chunk-with-padding-segment",
        .comment = "Five octets of data, and a segment of three for the padding: better left out, "
                   "yet legal.",
        .flags = "broken",
        .settings = "nfs",
        .events = {{"> msg read:68:0xa1/5/0x1000,0xa2/3/0x2000 | " WRITE3(5),
                    "W:3.4.5.2/padding-in-read-chunk@28 process"}},
    },
    {
        .id = "reading-read-chunk-with-part-of-padding",
        .comment = "Six octets are neither the five of the data nor these with their padding.",
        .flags = "broken",
        .settings = "nfs",
        .events = {{"> msg read:68:0xa1/6/0x1000 | " WRITE3(5),
                    "V:3.4.5.2/padded-chunk-length@28" REFUSED}},
    },
    {
        .id = "reading-read-chunk-beyond-padding",
        .comment = "Twelve octets for five of data: more than any padding.",
        .flags = "broken",
        .settings = "nfs",
        .events = {{"> msg read:68:0xa1/12/0x1000 | " WRITE3(5),
                    "V:3.4.5.2/padded-chunk-length@28" REFUSED}},
    },
    {
        .id = "reading-count-word-without-binding",
        .comment = "The word before Position 44 is 5, the chunk has 8 octets: without a binding "
                   "it is unknown that it counts them.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.5.2/padded-chunk-length 3.4.5.2/padding-in-read-chunk",
        .events = {{"> msg read:44:0xa1/8/0x1000 | call 5", NULL}},
    },
    {
        .id = "reading-read-chunk-of-more-than-32-bits",
        .comment = "No count word says 8 GiB; a Responder may refuse.",
        .flags = "broken two-readings",
        .events = {{"> msg read:44:0xa1/0xffffffff/0x1000,0xa2/0xffffffff/0x2000 | call 0xffffffff",
                    "W:3.4.4/read-chunk-length-32-bit@28 process" REFUSED}},
    },
    /* ---- Write list and Reply chunk ---- */
    {
        .id = "reading-empty-write-chunk",
        .comment = "A Write chunk without segments asks for its result inline, and comes back so.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.6/write-chunk-without-room 4.3.2.3/empty-chunk-returned-empty",
        .events = {{"> msg write: | call", NULL}, {"< msg write: | accepted 4 1", NULL}},
    },
    {
        .id = "reading-empty-write-chunk-for-sole-result",
        .comment = "READ has one eligible result: to get it inline an empty Write list is the "
                   "described way.",
        .flags = "remarkable",
        .settings = "nfs",
        .events = {{"> msg write: | " READ3(64), "N:4.3.2.3/no-list-for-sole-result@20 process"}},
    },
    {
        .id = "reading-empty-write-chunks-among-others",
        .comment = "Some chunks empty, some not: each stands for a result of its own.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.6/write-chunk-without-room 4.3.2.3/empty-chunk-returned-empty",
        .events = {{"> msg write: write:0xb1/64/0x3000 write: write:0xb2/64/0x3800 | call", NULL},
                   {"< msg write: write:0xb1/8/0x3000 write: write:0xb2/0/0x3800 | accepted 8 4 1",
                    NULL}},
    },
    {
        .id = "reading-write-chunk-of-empty-segments",
        .comment = "Not an empty chunk: it has segments, and room for an item of no octets.",
        .flags = "remarkable",
        .events = {{"> msg write:0xb1/0/0x3000 | call",
                    "N:3.4.6/write-chunk-without-room@32 process"}},
    },
    {
        .id = "reading-empty-segment-among-others",
        .comment = "The segment of no octets comes back as it was and is no gap.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.6/filled-in-order 3.4.6/segment-count-copied",
        .events = {{"> msg write:0xb1/64/0x3000,0xb2/0/0,0xb3/64/0x3800 | call", NULL},
                   {"< msg write:0xb1/64/0x3000,0xb2/0/0,0xb3/8/0x3800 | accepted 72", NULL}},
    },
    {
        .id = "reading-reply-chunk-without-segments",
        .comment = "Absent is the way to offer no Reply chunk.",
        .flags = "remarkable",
        .events = {{"> msg reply: | call", "N:4.3.3/reply-chunk-without-room@28 process"}},
    },
    {
        .id = "reading-reply-chunk-that-is-not-needed",
        .comment = "A Reply chunk for a NULL procedure: superfluous, legal, and it comes back.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.3/reply-chunk-without-room 4.3.3/reply-chunk-copied",
        .settings = "nfs",
        .events = {{"> msg reply:0xc1/4096/0x4000 | nfs3:0", NULL},
                   {"< msg reply:0xc1/0/0x4000 | accepted", NULL}},
    },
    {
        .id = "reading-all-lists-in-msg",
        .comment = "A Call may take out an argument and offer both kinds of room at once.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.6/write-chunk-without-room 4.3.3/reply-chunk-without-room",
        .events = {{"> msg read:44:0xa1/8/0x1000 write:0xb1/64/0x3000 reply:0xc1/4096/0x4000 | "
                    "call 8",
                    "length:96 process"}},
    },
    {
        .id = "reading-result-chunks-of-more-than-32-bits",
        .comment = "Chunks have no greatest length: 8 GiB of room is fine for a Write chunk and "
                   "a Reply chunk.",
        .flags = "conforming near-miss hostile",
        .near_miss = "3.4.4/read-chunk-length-32-bit 3.4.6/write-chunk-without-room",
        .events = {{"> msg write:0xb1/0xffffffff/0,0xb2/0xffffffff/0,0xb3/2/0 "
                    "reply:0xc1/0xffffffff/0,0xc2/1/0 | call",
                    NULL}},
    },
    /* ---- RPCSEC_GSS ---- */
    {
        .id = "reading-gss-none-reduces",
        .comment = "Service 1 is none: chunks as without RPCSEC_GSS.",
        .flags = "conforming near-miss",
        .near_miss = "8.2.2.3/payload-not-reduced 8.2.2.3/write-list-under-gss "
                     "8.2.2/gss-elements-not-reduced",
        .events = {{"> msg read:72:0xa1/8/0x1000 write:0xb1/64/0x3000 | gss:0:1 8", NULL}},
    },
    {
        .id = "reading-gss-channel-protection-reduces",
        .comment = "Service 4 protects the channel and leaves the message as it is.",
        .flags = "conforming near-miss",
        .near_miss = "8.2.2.3/payload-not-reduced 8.2.2.3/write-list-under-gss",
        .events = {{"> msg read:72:0xa1/8/0x1000 write:0xb1/64/0x3000 | gss:0:4 8", NULL}},
    },
    {
        .id = "reading-gss-integrity-reduced",
        .comment = "Service 2, integrity: the checksum covers arguments, and one of them is gone.",
        .flags = "broken",
        .events = {{"> msg read:72:0xa1/8/0x1000 | gss:0:2 8",
                    "V:8.2.2.3/payload-not-reduced@20" REFUSED}},
    },
    {
        .id = "reading-gss-privacy-reduced",
        .comment = "Service 3, privacy: a cipher text is one opaque item.",
        .flags = "broken",
        .events = {{"> msg read:72:0xa1/8/0x1000 | gss:0:3 8",
                    "V:8.2.2.3/payload-not-reduced@20" REFUSED}},
    },
    {
        .id = "reading-gss-privacy-with-write-list",
        .comment = "No result is eligible under privacy: the Write list serves nothing.",
        .flags = "broken",
        .events = {{"> msg write:0xb1/64/0x3000 | gss:0:3",
                    "W:8.2.2.3/write-list-under-gss@20 process"}},
    },
    {
        .id = "reading-gss-integrity-as-long-call",
        .comment = "What may not be reduced still travels in a Position Zero chunk and comes back "
                   "through the Reply chunk.",
        .flags = "conforming near-miss",
        .near_miss = "8.2.2.3/payload-not-reduced 8.2.2.3/write-list-under-gss "
                     "8.2.2.3/result-not-reduced",
        .events = {{"> nomsg read:0:0xa1/76/0x1000 reply:0xc1/4096/0x4000", NULL},
                   {"< rdma-read:0xa1:0x1000 | gss:0:2 4 1", ""},
                   {"< rdma-write:0xc1:0x4000 | accepted *100", ""},
                   {"< nomsg reply:0xc1/424/0x4000", NULL}},
    },
    {
        .id = "reading-gss-long-call-reduced-unseen",
        .comment = "The credential is in the client's memory: nothing can be said while nobody "
                   "has read it.",
        .flags = "conforming near-miss",
        .near_miss = "8.2.2.3/payload-not-reduced",
        .events = {{"> nomsg read:0:0xa1/72/0x1000 read:72:0xa2/8/0x2000", NULL}},
    },
    {
        .id = "reading-gss-long-call-reduced-seen",
        .comment = "The RDMA Read shows the credential, and with it that nothing should have been "
                   "reduced.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa1/72/0x1000 read:72:0xa2/8/0x2000", NULL},
                   {"< rdma-read:0xa1:0x1000 | gss:0:3 8", "V:8.2.2.3/payload-not-reduced"}},
    },
    {
        .id = "reading-gss-context-creation-reduced",
        .comment = "Arguments that set up a context belong to RPCSEC_GSS, and stay.",
        .flags = "broken",
        .events = {{"> msg read:64:0xa1/512/0x1000 | gss:1:1 512",
                    "V:8.2.2/gss-elements-not-reduced@20" REFUSED}},
    },
    {
        .id = "reading-gss-context-creation-as-long-call",
        .comment = "A long token can make a Long Call, though nothing in it is reduced.",
        .flags = "conforming near-miss",
        .near_miss = "8.2.2/gss-elements-not-reduced",
        .events = {{"> nomsg read:0:0xa1/2112/0x1000", NULL},
                   {"< rdma-read:0xa1:0x1000 | gss:1:1 2048 *512", ""}},
    },
    /* ---- eligibility ---- */
    {
        .id = "reading-ineligible-argument-refused-by-err-chunk",
        .comment = "LOOKUP has no eligible argument. A Responder can say so with ERR_CHUNK.",
        .flags = "aftermath",
        .settings = "nfs",
        .events = {{"> msg read:52:0xa1/8/0x1000 | nfs3:3 4 0xf 8",
                    "V:6.1/only-eligible-reduced@20" REFUSED},
                   {"< error:chunk", "terminate"}},
    },
    {
        .id = "reading-ineligible-argument-refused-by-garbage-args",
        .comment = "Or with GARBAGE_ARGS: the section that it is referred to has both.",
        .flags = "aftermath",
        .settings = "nfs",
        .events = {{"> msg read:52:0xa1/8/0x1000 | nfs3:3 4 0xf 8",
                    "V:6.1/only-eligible-reduced@20" REFUSED},
                   {"< msg | 0x2f0c0001 1 0 0 0 4", NULL}},
    },
    {
        .id = "reading-eligible-argument-stays-inline",
        .comment = "To reduce is a permission for arguments: a WRITE may keep its data inline.",
        .flags = "conforming near-miss",
        .near_miss = "6.1/only-eligible-reduced 4.3.1/reduced-item-left-out",
        .settings = "nfs",
        .events = {{"> msg | " WRITE3(8) " 1 2", NULL}},
    },
    {
        .id = "reading-write-list-reduces-nothing-of-its-call",
        .comment = "A list is there, yet nothing left the payload: it is offered for a result, "
                   "and the Reply does not use it.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.2.2/returned-unused 3.4.4.4/payload-whole-words",
        .events = {{"> msg write:0xb1/64/0x3000 | call", NULL},
                   {"< msg write:0xb1/0/0x3000 | accepted 0", NULL}},
    },
};

const struct vector_group readings_calls = {
    GROUP("readings-calls.json", vectors),
    .title = "Readings: the chunks of Calls, RPCSEC_GSS, eligibility",
    .origin = "spec",
    .reference = "RFC 8166 sections 3.4, 3.5.3, 4.2.4, 4.3, 6.1 and 8.2.2",
};
