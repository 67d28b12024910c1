// SPDX-License-Identifier: BSD-3-Clause
/*
 * Read chunks: where their Positions may be, and what their segments may say. The RPC header of
 * these Calls ends at Position 40. Entries of the list are at 16, 40, 64 and so on, the Position
 * 4 octets into them, the length 12, the offset 16.
 */
#include "vectors/make/vectors.h"

#define MISALIGNED(at) "V:3.4.5/position-multiple-of-four@" #at " err-chunk"
#define OVERLAP(at) "V:3.4.4.4/chunks-overlap@" #at " err-chunk garbage-args"
#define BEYOND(at) "V:3.4.5/position-in-bounds@" #at " err-chunk garbage-args"
#define IN_HEADER(at) "V:3.4.2/position-in-rpc-header@" #at " err-chunk garbage-args"
#define IN_MSG(at) "V:3.5.3/position-zero-in-msg@" #at " discard err-chunk garbage-args"
#define NO_MEMORY(at) "W:3.4.3/segment-within-address-space@" #at " process err-chunk close"
/* A Call with an AUTH_SYS credential of 20 octets: its header ends at Position 60. */
#define AUTH_SYS_CALL "0x2f0c0001 0 2 0x20008166 1 1 1 20 9 0 0 0 0 0 0"

static const struct vector chunks_read_vectors[] = {
    /* ---- whole words ---- */
    {
        .id = "position-one-above-a-word",
        .comment = "Position 45: a counted item begins after its count, at 44.",
        .flags = "broken",
        .events = {{"> msg read:45:0xa1/8/0x1000 | call 8 9", MISALIGNED(20)}},
    },
    {
        .id = "position-one-below-a-word",
        .comment = "Position 47. To round it up would be a guess.",
        .flags = "broken",
        .events = {{"> msg read:47:0xa1/8/0x1000 | call 8 9", MISALIGNED(20)}},
    },
    {
        .id = "position-misaligned-in-second-entry",
        .comment = "The first entry is good; the second, of a chunk of its own, is at 54.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/8/0x1000 read:54:0xa2/4/0x2000 | call 8 4 9",
                    MISALIGNED(44)}},
    },
    {
        .id = "position-misaligned-in-first-of-two-entries",
        .comment = "The first entry is at 46; the second, of a chunk of its own, is good.",
        .flags = "broken",
        .events = {{"> msg read:46:0xa1/4/0x1000 read:52:0xa2/4/0x2000 | call 4 4 9",
                    MISALIGNED(20)}},
    },
    {
        .id = "position-misaligned-in-seventeenth-entry",
        .comment =
            "Sixteen segments of a good chunk, and one of another at 110: each entry has its "
            "own Position.",
        .flags = "broken",
        .events = {{"> msg read:44:16*0xa1/4/0x1000 read:110:0xa2/4/0x2000 | call 64 4 9",
                    MISALIGNED(404)}},
    },
    {
        .id = "position-advances-with-unaligned-segment",
        .comment = "The Position of the second segment has grown by the 5 octets of the first. All "
                   "segments of a chunk have the same one.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/5/0x1000 read:49:0xa2/3/0x2000 | call 8 9",
                    MISALIGNED(44)}},
    },
    {
        .id = "position-misaligned-above-2147483648",
        .comment = "Position 0x80000002, which as a signed number has a remainder below zero.",
        .flags = "broken",
        .events = {{"> msg read:0x80000002:0xa1/8/0x1000 | call 8", MISALIGNED(20)}},
    },
    {
        .id = "position-misaligned-beside-long-call",
        .comment = "A Long Call whose argument was cut out at 43.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa1/44/0x1000 read:43:0xa2/4/0x2000", MISALIGNED(44)}},
    },
    {
        .id = "position-aligned-despite-unaligned-segments",
        .comment = "Segments of 1, 2 and 5 octets, of handles that begin anywhere: the Position is "
                   "of whole words, nothing else need be.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.5/position-multiple-of-four 3.4.5/position-in-bounds",
        .events = {{"> msg read:44:0xa1/1/0x1003,0xa2/2/0x2001,0xa3/5/0x3ffe | call 8",
                    "length:100 process"},
                   {"< rdma-read:0xa1:0x1003 | octets:1", ""},
                   {"< rdma-read:0xa2:0x2001 | octets:2", ""},
                   {"< rdma-read:0xa3:0x3ffe | octets:5", ""},
                   {"< msg | accepted", NULL}},
    },
    /* ---- in the RPC header ---- */
    {
        .id = "position-of-message-type",
        .comment = "Position 4: the message type cannot have been left out.",
        .flags = "broken",
        .events = {{"> msg read:4:0xa1/4/0x1000 | call", IN_HEADER(20)}},
    },
    {
        .id = "position-of-last-word-of-rpc-header",
        .comment = "Position 36, the length of the verifier; the arguments begin one word later.",
        .flags = "broken",
        .events = {{"> msg read:36:0xa1/4/0x1000 | call 8", IN_HEADER(20)}},
    },
    {
        .id = "position-in-rpc-header-of-second-entry",
        .comment = "The first chunk is good. The second goes back into the RPC header.",
        .flags = "broken",
        .events = {{"> msg read:48:0xa1/8/0x1000 read:24:0xa2/4/0x2000 | call 8 8", IN_HEADER(44)}},
    },
    {
        .id = "position-in-credential-of-auth-sys",
        .comment = "Position 40 would be the first argument, had the Call no credential. This one "
                   "has 20 octets of it.",
        .flags = "broken",
        .events = {{"> msg read:40:0xa1/4/0x1000 | " AUTH_SYS_CALL " 8", IN_HEADER(20)}},
    },
    {
        .id = "position-in-verifier-after-auth-sys",
        .comment = "Position 56, in the verifier after such a credential.",
        .flags = "broken",
        .events = {{"> msg read:56:0xa1/4/0x1000 | " AUTH_SYS_CALL " 8", IN_HEADER(20)}},
    },
    {
        .id = "position-of-first-argument-after-auth-sys",
        .comment = "Position 60: the arguments begin here.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.2/position-in-rpc-header",
        .events = {{"> msg read:60:0xa1/4/0x1000 | " AUTH_SYS_CALL " 8", NULL},
                   {"< rdma-read:0xa1:0x1000 | 7", ""},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "position-of-first-argument",
        .comment = "Position 40, after the smallest RPC header: the first argument, and nothing "
                   "of it inline.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.2/position-in-rpc-header 3.4.5/position-in-bounds",
        .events = {{"> msg read:40:0xa1/4/0x1000 | call", NULL},
                   {"< rdma-read:0xa1:0x1000 | 7", ""},
                   {"< msg | accepted", NULL}},
    },
    /* ---- beyond the payload ---- */
    {
        .id = "position-one-word-after-payload",
        .comment = "The payload ends at 48, the chunk is at 52.",
        .flags = "broken",
        .events = {{"> msg read:52:0xa1/8/0x1000 | call 8 9", BEYOND(20)}},
    },
    {
        .id = "position-of-last-word-below-four-gib",
        .comment = "Position 4294967292: added to any length in 32 bits it wraps to the front.",
        .flags = "broken hostile",
        .events = {{"> msg read:0xfffffffc:0xa1/8/0x1000 | call 8", BEYOND(20)}},
    },
    {
        .id = "position-counts-lower-chunk-rounded-up",
        .comment = "The payload of 48 octets and the 5 of the chunk before, which are 8 with their "
                   "padding: it ends at 56.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.5/position-in-bounds 3.4.4.4/chunks-overlap",
        .events = {{"> msg read:44:0xa1/5/0x1000 read:56:0xa2/4/0x2000 | call 5 4", NULL},
                   {"< rdma-read:0xa1:0x1000 | octets:5", ""},
                   {"< rdma-read:0xa2:0x2000 | 7", ""},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "position-counts-lower-chunk-too-high",
        .comment = "The same, one word further.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/5/0x1000 read:60:0xa2/4/0x2000 | call 5 4", BEYOND(44)}},
    },
    {
        .id = "third-position-beyond-both-lower-chunks",
        .comment = "Two chunks of 8 and 4 octets and 52 inline: 64 and no more.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/8/0x1000 read:56:0xa2/4/0x2000 read:68:0xa3/4/0x3000 | "
                    "call 8 4 4",
                    BEYOND(68)}},
    },
    {
        .id = "third-position-after-both-lower-chunks",
        .comment = "The same at 64.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.5/position-in-bounds 3.4.4.4/chunks-overlap",
        .events = {{"> msg read:44:0xa1/8/0x1000 read:56:0xa2/4/0x2000 read:64:0xa3/4/0x3000 | "
                    "call 8 4 4",
                    NULL}},
    },
    {
        .id = "lower-chunks-named-last-count-too",
        .comment = "The same three chunks from the highest to the lowest.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.5/position-in-bounds 3.4.4.4/chunks-overlap 3.4.5/interleaved-chunks",
        .events = {{"> msg read:64:0xa3/4/0x3000 read:56:0xa2/4/0x2000 read:44:0xa1/8/0x1000 | "
                    "call 8 4 4",
                    NULL}},
    },
    {
        .id = "position-after-position-zero-chunk",
        .comment = "The Position Zero chunk holds 48 octets; 52 lies beyond it.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa1/48/0x1000 read:52:0xa2/8/0x2000", BEYOND(44)}},
    },
    {
        .id = "position-at-end-of-position-zero-chunk",
        .comment = "Two chunks beside a Position Zero chunk of 48 octets: one inside it, and one "
                   "at its end, the 8 of the other counted in.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.5/position-in-bounds 3.4.4.4/chunks-overlap",
        .events = {{"> nomsg read:0:0xa1/48/0x1000 read:44:0xa2/8/0x2000 read:56:0xa3/4/0x3000",
                    "length:100 process"},
                   {"< rdma-read:0xa1:0x1000 | call 8 4", ""},
                   {"< rdma-read:0xa2:0x2000 | 1 2", ""},
                   {"< rdma-read:0xa3:0x3000 | 3", ""},
                   {"< msg | accepted", NULL}},
    },
    /* ---- overlap ---- */
    {
        .id = "position-in-second-word-of-lower-chunk",
        .comment = "Five octets at 40 take two words: 44 is taken, 48 would be the first that is "
                   "free.",
        .flags = "broken",
        .events = {{"> msg read:40:0xa1/5/0x1000 read:44:0xa2/4/0x2000 | call 4", OVERLAP(44)}},
    },
    {
        .id = "lower-chunk-named-last-overlaps",
        .comment = "The chunk at 44 reaches over the one at 48, which the list names first.",
        .flags = "broken",
        .events = {{"> msg read:48:0xa1/4/0x1000 read:44:0xa2/8/0x2000 | call 8", OVERLAP(20)}},
    },
    {
        .id = "second-chunk-overlaps-third",
        .comment = "Three chunks: the first keeps clear, the second reaches a word too far.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/8/0x1000 read:56:0xa2/12/0x2000 read:64:0xa3/4/0x3000 | "
                    "call 8 4 4",
                    OVERLAP(68)}},
    },
    {
        .id = "segments-together-overlap",
        .comment = "Each of two segments would fit before the next Position, together they do not.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/8/0x1000,0xa2/8/0x2000 read:56:0xa3/4/0x3000 | call 8 4",
                    OVERLAP(68)}},
    },
    {
        .id = "rounding-up-wraps-to-nothing",
        .comment = "4294967293 octets, rounded up in 32 bits, are none: then 48 seems free.",
        .flags = "broken hostile",
        .events = {{"> msg read:44:0xa1/0xfffffffd/0 read:48:0xa2/4/0x2000 | call 8 4",
                    OVERLAP(44)}},
    },
    {
        .id = "position-and-length-wrap-together",
        .comment = "44 and 4294967252 make 4294967296, which is 0 in 32 bits.",
        .flags = "broken hostile",
        .events = {{"> msg read:44:0xa1/0xffffffd4/0 read:48:0xa2/4/0x2000 | call 8 4",
                    OVERLAP(44)}},
    },
    {
        .id = "chunks-back-to-back",
        .comment = "The second chunk begins where the padding of the first ends, without a count "
                   "between them.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.4.4/chunks-overlap",
        .events = {{"> msg read:40:0xa1/5/0x1000 read:48:0xa2/4/0x2000 | call", NULL}},
    },
    {
        .id = "chunks-that-share-memory-do-not-overlap",
        .comment = "Two arguments from the same memory: it is Positions that must not overlap.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.4.4/chunks-overlap 3.4.3/result-memory-once",
        .events = {{"> msg read:44:0xa1/8/0x1000 read:56:0xa1/8/0x1000 | call 8 8", NULL},
                   {"< rdma-read:0xa1:0x1000 | 1 2", ""},
                   {"< rdma-read:0xa1:0x1000 | 1 2", ""},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "position-zero-chunk-overlaps-nothing",
        .comment = "The Position Zero chunk is longer than the other's Position, as it has to be.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.4.4/chunks-overlap 3.5.3/position-zero-in-msg",
        .events = {{"> nomsg read:0:0xa1/400/0x1000 read:44:0xa2/8/0x2000", NULL}},
    },
    {
        .id = "position-65536-behind-long-chunk",
        .comment =
            "A chunk of 65488 octets at 44, its count before it and another after it: the next "
            "is at 65536, which is 0 in 16 bits, and no Position Zero chunk.",
        .flags = "conforming near-miss",
        .near_miss = "3.5.3/position-zero-in-msg 3.4.5/position-in-bounds",
        .events = {{"> msg read:44:0xa1/65488/0x1000 read:65536:0xa2/4/0x2000 | call 65488 4",
                    NULL}},
    },
    /* ---- the order of the list ---- */
    {
        .id = "segments-of-a-chunk-apart",
        .comment = "A segment of 44, one of 56, and another one of 44: the two belong together, in "
                   "this order.",
        .flags = "remarkable",
        .events = {{"> msg read:44:0xa1/4/0x1000 read:56:0xa2/4/0x2000 read:44:0xa3/4/0x3000 | "
                    "call 8 4",
                    "N:3.4.5/interleaved-chunks@68 process"},
                   {"< rdma-read:0xa1:0x1000 | 1", ""},
                   {"< rdma-read:0xa3:0x3000 | 2", ""},
                   {"< rdma-read:0xa2:0x2000 | 3", ""},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "separate-segments-count-together",
        .comment = "The second segment of 44 makes its chunk reach over 48, which was free before.",
        .flags = "two-rules",
        .events = {{"> msg read:44:0xa1/4/0x1000 read:48:0xa2/4/0x2000 read:44:0xa3/4/0x3000 | "
                    "call 8",
                    "N:3.4.5/interleaved-chunks@68 V:3.4.4.4/chunks-overlap@44 err-chunk "
                    "garbage-args"}},
    },
    {
        .id = "segments-of-a-chunk-adjacent",
        .comment = "Two segments of 44, then two of 56.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.5/interleaved-chunks",
        .events = {{"> msg read:44:0xa1/4/0x1000,0xa3/4/0x3000 read:56:0xa2/2/0x2000,0xa4/2/0x4000 "
                    "| call 8 4",
                    NULL}},
    },
    /* ---- Position Zero ---- */
    {
        .id = "position-zero-after-another-chunk",
        .comment = "Of two chunks in an RDMA_MSG the second is at Position Zero.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/8/0x1000 read:0:0xa2/40/0x2000 | call 8", IN_MSG(44)}},
    },
    {
        .id = "position-zero-of-no-octets-in-msg",
        .comment = "It moves nothing, and still has no place in an RDMA_MSG.",
        .flags = "broken",
        .events = {{"> msg read:0:0xa1/0/0x1000 | call", IN_MSG(20)}},
    },
    {
        .id = "long-call-sent-as-msg",
        .comment = "A Long Call with the procedure of a Short one: what should be inline is not "
                   "there.",
        .flags = "two-rules",
        .events = {{"> msg read:0:0xa1/40/0x1000",
                    "V:3.5.3/position-zero-in-msg@20 V:4.2.4/msg-has-payload@52 discard "
                    "err-chunk"}},
    },
    /* ---- lengths ---- */
    {
        .id = "read-chunk-of-nothing-in-two-segments",
        .comment = "Two empty segments: an opaque of no octets, moved by no RDMA Read.",
        .flags = "remarkable",
        .events = {{"> msg read:44:0xa1/0/0x1000,0xa2/0/0x2000 | call 0",
                    "N:3.4.4/empty-read-chunk@28 process"},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "second-read-chunk-of-nothing",
        .comment = "The second of two chunks is empty.",
        .flags = "remarkable",
        .events = {{"> msg read:44:0xa1/8/0x1000 read:56:0xa2/0/0x2000 | call 8 0",
                    "N:3.4.4/empty-read-chunk@52 process"}},
    },
    {
        .id = "read-chunk-of-one-octet-in-three-segments",
        .comment = "An empty segment, one of an octet, an empty one: the chunk has an octet.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.4/empty-read-chunk",
        .events = {{"> msg read:44:0xa1/0/0x1000,0xa2/1/0x2000,0xa3/0/0x3000 | call 1", NULL},
                   {"< rdma-read:0xa2:0x2000 | octets:1", ""},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "read-chunk-of-four-gib",
        .comment = "4294967295 octets and one more: no count can say so, and 32 bits add it up to "
                   "nothing.",
        .flags = "broken hostile",
        .events = {{"> msg read:44:0xa1/0xffffffff/0,0xa2/1/0 | call 0",
                    "W:3.4.4/read-chunk-length-32-bit@28 process err-chunk garbage-args"}},
    },
    {
        .id = "read-chunk-of-sixteen-segments-of-256-mib",
        .comment = "Sixteen segments of 268435456 octets each.",
        .flags = "broken hostile",
        .events = {{"> msg read:44:16*0xa1/0x10000000/0 | call 0",
                    "W:3.4.4/read-chunk-length-32-bit@28 process err-chunk garbage-args"}},
    },
    {
        .id = "read-chunk-of-four-gib-less-one",
        .comment = "4294967295 octets in two segments: all that a count can say.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.4/read-chunk-length-32-bit",
        .events = {{"> msg read:44:0xa1/0xfffffffe/0,0xa2/1/0 | call 0xffffffff",
                    "process err-chunk"}},
    },
    /* ---- memory ---- */
    {
        .id = "read-segment-exceeds-address-space",
        .comment = "Two octets from the very last one on.",
        .flags = "broken hostile",
        .events = {{"> msg read:44:0xa1/2/0xffffffffffffffff | call 2", NO_MEMORY(32)}},
    },
    {
        .id = "second-read-segment-exceeds-address-space",
        .comment = "Each segment is for itself, and the second one of this chunk wraps.",
        .flags = "broken hostile",
        .events = {{"> msg read:44:0xa1/8/0x1000,0xa2/0xffffffff/0xffffffff80000000 | call "
                    "0xffffffff",
                    /* Eight octets more than a count can say. */
                    "W:3.4.3/segment-within-address-space@56 W:3.4.4/read-chunk-length-32-bit@28 "
                    "process err-chunk garbage-args close"}},
    },
    {
        .id = "position-zero-segment-exceeds-address-space",
        .comment = "The whole Call would lie astride the end of memory.",
        .flags = "broken hostile",
        .events = {{"> nomsg read:0:0xa1/40/0xfffffffffffffff0", NO_MEMORY(32)}},
    },
    {
        .id = "read-segment-ends-with-address-space",
        .comment = "65536 octets up to the very last one: offset and length make 2 to the 64th.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.3/segment-within-address-space",
        .events = {{"> msg read:44:0xa1/0x10000/0xffffffffffff0000 | call 0x10000", NULL}},
    },
    /* ---- Replies ---- */
    {
        .id = "reply-with-read-list",
        .comment = "A Responder cannot have its results read: a Reply has no Read list.",
        .flags = "broken to-requester",
        .events = {{"> msg | call", NULL},
                   {"< msg read:24:0xa1/8/0x1000 | accepted 8",
                    "V:4.3.1/reply-read-list-empty@16 discard"}},
    },
    {
        .id = "reply-returns-read-list",
        .comment = "The Read list of the Call comes back as Write list and Reply chunk do. It "
                   "should not.",
        .flags = "broken to-requester",
        .events = {{"> msg read:44:0xa1/8/0x1000 | call 8", NULL},
                   {"< rdma-read:0xa1:0x1000 | 1 2", ""},
                   {"< msg read:44:0xa1/8/0x1000 | accepted",
                    "V:4.3.1/reply-read-list-empty@16 discard"}},
    },
    {
        .id = "reply-with-read-list-of-no-octets",
        .comment = "An entry that moves nothing is an entry.",
        .flags = "broken to-requester",
        .events = {{"> msg | call", NULL},
                   {"< msg read:24:0xa1/0/0 | accepted",
                    "V:4.3.1/reply-read-list-empty@16 discard"}},
    },
    {
        .id = "reply-with-misaligned-read-list",
        .comment = "A Read list where none may be, and Position 26 in it.",
        .flags = "two-rules to-requester",
        .events = {{"> msg | call", NULL},
                   {"< msg read:26:0xa1/8/0x1000 | accepted 8",
                    "V:3.4.5/position-multiple-of-four@20 V:4.3.1/reply-read-list-empty@16 "
                    "discard"}},
    },
    {
        .id = "reply-leaves-read-list-out",
        .comment = "Of the three lists of the Call two come back.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.1/reply-read-list-empty",
        .events = {{"> msg read:44:0xa1/8/0x1000 write:0xb1/8/0x2000 reply:0xc1/64/0x3000 | call 8",
                    NULL},
                   {"< rdma-read:0xa1:0x1000 | 1 2", ""},
                   {"< msg write:0xb1/0/0x2000 reply:0xc1/0/0x3000 | accepted", NULL}},
    },
};

const struct vector_group chunks_read = {
    GROUP("chunks-read.json", chunks_read_vectors),
    .title = "Read chunks",
    .origin = "made",
    .reference = "RFC 8166 sections 3.4.2 to 3.4.5, 3.5.3 and 4.3.1",
};
