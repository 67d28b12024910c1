// SPDX-License-Identifier: BSD-3-Clause
/* Chunk lists of NFS Calls and Replies: which are offered, how much room they have, who gets them.
 */
#include "vectors/make/nfs.h"
#include "vectors/make/vectors.h"

#define SESSION(operations) COMPOUND(1, operations) SEQUENCE PUTFH
#define SESSION_DONE(operations) COMPOUND_DONE(0, operations) SEQUENCE_DONE PUTFH_DONE
#define SESSION_FAILED(operations) COMPOUND_DONE(70, operations) SEQUENCE_DONE

/* What is noted of a Call that not every server takes. */
#define SEVERAL_READS "N:rfc8267/6.4.2/one-read-chunk@44 process" REFUSED
#define SEVERAL_WRITES "N:rfc8267/6.4.2/one-write-chunk@20 process" REFUSED

/* Three results, with a Write chunk for each. */
#define THREE_READS SESSION(5) READ(16) READLINK READ(16)
#define THREE_CHUNKS                                                                               \
    {                                                                                              \
        "> msg write:0xb1/16/0x3000 write:0xb2/16/0x5000 write:0xb3/16/0x6000 | " THREE_READS,     \
            SEVERAL_WRITES                                                                         \
    }

static const struct vector nfs_lists_vectors[] = {
    /* ---- room for results ---- */
    {
        .id = "nfs-room-one-octet-short",
        .comment = "READ of 4096 octets into a chunk of 4095. The client may know that the file "
                   "is short.",
        .flags = "broken",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/4095/0x3000 | " READ3(4096),
                    "W:3.4.6/room-for-largest-result@32 process err-chunk"}},
    },
    {
        .id = "nfs-room-that-fits",
        .comment = "The same with 4096 octets in two segments.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.6/room-for-largest-result 4.3.2.1/single-write-chunk "
                     "3.4.6.2/room-for-padding",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/4000/0x3000,0xb2/96/0x5000 | " READ3(4096), NULL}},
    },
    {
        .id = "nfs-room-that-overflows-32-bits",
        .comment = "Two segments have 4294967311 octets together, which is 15 in 32 bits.",
        .flags = "conforming near-miss hostile",
        .near_miss = "3.4.6/room-for-largest-result",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/0xffffffff/0x3000,0xb2/16/0x5000 | " READ3(4096), NULL}},
    },
    {
        .id = "nfs-room-for-four-gigabytes",
        .comment = "READ of 4294967294 octets into a chunk of 8192: no sum wraps around.",
        .flags = "broken hostile",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/8192/0x3000 | " READ3(0xfffffffe),
                    "W:3.4.6/room-for-largest-result@32 process err-chunk"}},
    },
    {
        .id = "nfs-room-short-in-compound",
        .comment = "READ of 64 octets in a COMPOUND, into a chunk of 63.",
        .flags = "broken",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/63/0x3000 | " SESSION(3) READ(64),
                    "W:3.4.6/room-for-largest-result@32 process err-chunk"}},
    },
    {
        .id = "nfs-room-short-in-second-chunk",
        .comment = "READs of 8 and 64 octets, with room for 64 and 8: the second item gets the "
                   "second chunk.",
        .flags = "two-rules",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/64/0x3000 write:0xb2/8/0x5000 | " SESSION(4) READ(8) READ(64),
                    "N:rfc8267/6.4.2/one-write-chunk@20 W:3.4.6/room-for-largest-result@56 "
                    "process" REFUSED}},
    },
    /* ---- room for padding ---- */
    {
        .id = "nfs-room-for-padding",
        .comment = "READ of 5 octets into a chunk of 8.",
        .flags = "broken",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/8/0x3000 | " READ3(5),
                    "W:3.4.6.2/room-for-padding@32 process"}},
    },
    {
        .id = "nfs-room-for-padding-in-own-segment",
        .comment = "READ of 5 octets: a segment of 5, and one of a word for the padding.",
        .flags = "broken",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/5/0x3000,0xb2/4/0x5000 | " READ3(5),
                    "W:3.4.6.2/room-for-padding@32 process"}},
    },
    {
        .id = "nfs-room-without-padding",
        .comment = "READ of 5 octets into a chunk of 5, which nothing forbids.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.6.2/room-for-padding 3.4.6/room-for-largest-result",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/5/0x3000 | " READ3(5), NULL}},
    },
    {
        .id = "nfs-room-of-a-page",
        .comment = "READ of 5 octets into a page: that is no room for padding.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.6.2/room-for-padding",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/4096/0x3000 | " READ3(5), NULL}},
    },
    /* ---- which chunks are offered ---- */
    {
        .id = "nfs-write-list-for-lookup",
        .comment = "LOOKUP has no eligible result.",
        .flags = "remarkable",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/64/0x3000 | " LOOKUP3, "N:4.3.2/write-list-not-needed@20"}},
    },
    {
        .id = "nfs-empty-write-chunk-for-write",
        .comment = "WRITE has an eligible argument, but no eligible result. Not even an empty "
                   "chunk is needed.",
        .flags = "remarkable",
        .settings = "nfs",
        .events = {{"> msg read:68:0xa1/8/0x1000 write: | " WRITE3(8),
                    "N:4.3.2/write-list-not-needed@44"}},
    },
    {
        .id = "nfs-write-list-for-readlink",
        .comment = "READLINK has one.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.2/write-list-not-needed 4.3.2.1/single-write-chunk",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/64/0x3000 | " READLINK3, NULL}},
    },
    {
        .id = "nfs-write-list-for-compound-without-read",
        .comment = "None of these operations has one.",
        .flags = "remarkable",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/64/0x3000 | " SESSION(4) LOOKUP GETFH,
                    "N:4.3.2/write-list-not-needed@20"}},
    },
    {
        .id = "nfs-two-write-chunks-for-read",
        .comment = "READ has a single eligible result.",
        .flags = "remarkable",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/64/0x3000 write:0xb2/64/0x5000 | " READ3(64),
                    "N:4.3.2.1/single-write-chunk@20"}},
    },
    {
        .id = "nfs-two-segments-for-read",
        .comment = "One chunk of two segments.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.2.1/single-write-chunk 4.3.2/write-list-not-needed",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/32/0x3000,0xb2/32/0x5000 | " READ3(64), NULL}},
    },
    {
        .id = "nfs-empty-write-chunk-for-read",
        .comment = "An empty chunk says that the data shall be inline. So does no chunk.",
        .flags = "remarkable near-miss",
        .near_miss = "4.3.2/eligible-result-pushed",
        .settings = "nfs",
        .events = {{"> msg write: | " READ3(64), "N:4.3.2.3/no-list-for-sole-result@20"},
                   {"< msg write: | " READ3_DONE(4) "item:4", NULL}},
    },
    {
        .id = "nfs-no-write-chunk-for-read",
        .comment = "No chunk.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.2.3/no-list-for-sole-result 4.3.2/eligible-result-pushed",
        .settings = "nfs",
        .events = {{"> msg | " READ3(64), NULL}, {"< msg | " READ3_DONE(4) "item:4", NULL}},
    },
    /* ---- Reply chunks ---- */
    {
        .id = "nfs-reply-above-threshold",
        .comment =
            "READ of 953 octets, inline. With padding, the headers and the results that come "
            "with them no Reply that brings them has less than 1028.",
        .flags = "broken",
        .settings = "nfs s2c:1024",
        .events = {{"> msg | " READ3(953), "W:4.3.3/reply-chunk-needed@24 process err-chunk"}},
    },
    {
        .id = "nfs-reply-at-threshold",
        .comment = "READ of 868 octets. With the headers and all other results, attributes among "
                   "them, the Reply has 1024 at most.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.3/reply-chunk-needed 4.3.3/reply-chunk-advised",
        .settings = "nfs s2c:1024",
        .events = {{"> msg | " READ3(868), NULL},
                   {"< msg | accepted 0 1 *21 868 1 868 item:868", NULL}},
    },
    {
        .id = "nfs-reply-above-threshold-with-reply-chunk",
        .comment = "A Reply chunk is there for a Reply that is too long.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.3/reply-chunk-needed",
        .settings = "nfs s2c:1024",
        .events = {{"> msg reply:0xc1/2048/0x4000 | " READ3(973), NULL}},
    },
    {
        .id = "nfs-reply-above-threshold-with-write-chunk",
        .comment = "The data go through a Write chunk, and the rest is short.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.3/reply-chunk-needed 3.4.6/room-for-largest-result",
        .settings = "nfs s2c:1024",
        .events = {{"> msg write:0xb1/4096/0x3000 | " READ3(4096), NULL}},
    },
    {
        .id = "nfs-two-results-above-threshold",
        .comment = "Two READs of 600 octets. Each would fit, both do not.",
        .flags = "broken",
        .settings = "nfs s2c:1024",
        .events = {{"> msg | " COMPOUND(0, 3) PUTFH READ(600) READ(600),
                    "W:4.3.3/reply-chunk-needed@24 process err-chunk"}},
    },
    {
        .id = "nfs-two-results-above-threshold-in-session",
        .comment = "The same in version 4.1: the session can bound the Reply, which is not seen "
                   "here.",
        .flags = "remarkable near-miss",
        .near_miss = "4.3.3/reply-chunk-needed",
        .settings = "nfs s2c:1024",
        .events = {{"> msg | " SESSION(4) READ(600) READ(600),
                    "N:rfc8267/6.2.2/reply-within-session@24 process err-chunk"}},
    },
    {
        .id = "nfs-results-within-threshold-in-session",
        .comment = "READs of 400 octets fit, whatever the session says.",
        .flags = "conforming near-miss",
        .near_miss = "rfc8267/6.2.2/reply-within-session",
        .settings = "nfs s2c:1024",
        .events = {{"> msg | " SESSION(4) READ(400) READ(400), NULL}},
    },
    {
        .id = "nfs-second-result-above-threshold",
        .comment = "The first READ has a Write chunk, the second is inline and too long.",
        .flags = "broken",
        .settings = "nfs s2c:1024",
        .events = {{"> msg write:0xb1/1024/0x3000 | " COMPOUND(0, 3) PUTFH READ(1024) READ(1024),
                    "W:4.3.3/reply-chunk-needed@48 process err-chunk"}},
    },
    {
        .id = "nfs-reply-above-threshold-of-private-data",
        .comment = "Both sides have said 4096 when they connected, and the READ asks for as much.",
        .flags = "broken",
        .settings = "nfs",
        .events = {{"> private-data | 0xf6ab0e18 0x01000303", ""},
                   {"< private-data | 0xf6ab0e18 0x01000303", ""},
                   {"> msg | " READ3(4096), "W:4.3.3/reply-chunk-needed@24 process err-chunk"}},
    },
    {
        .id = "nfs-readdir-above-threshold",
        .comment = "READDIR of 4096 octets, for which a Reply chunk is missing.",
        .flags = "broken",
        .settings = "nfs s2c:1024",
        .events = {{"> msg | " READDIR3(4096), "W:4.3.3/reply-chunk-needed@24 process err-chunk"}},
    },
    {
        .id = "nfs-readdir-at-threshold",
        .comment = "968 octets and 56 before them.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.3/reply-chunk-needed",
        .settings = "nfs s2c:1024",
        .events = {{"> msg | " READDIR3(968), NULL}},
    },
    {
        .id = "nfs-readdir-with-reply-chunk",
        .comment = "READDIR of 4096 octets, with a Reply chunk.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.3/reply-chunk-needed",
        .settings = "nfs s2c:1024",
        .events = {{"> msg reply:0xc1/8192/0x4000 | " READDIR3(4096), NULL}},
    },
    {
        .id = "nfs-readdirplus-above-threshold",
        .comment = "READDIRPLUS: names and cookies of 4096 octets.",
        .flags = "broken",
        .settings = "nfs s2c:1024",
        .events = {{"> msg | " READDIRPLUS3(4096, 8192),
                    "W:4.3.3/reply-chunk-needed@24 process err-chunk"}},
    },
    {
        .id = "nfs-readdir-of-compound-above-threshold",
        .comment = "READDIR of version 4.0.",
        .flags = "broken",
        .settings = "nfs s2c:1024",
        .events = {{"> msg | " COMPOUND(0, 2) PUTFH READDIR(512, 4096),
                    "W:4.3.3/reply-chunk-needed@24 process err-chunk"}},
    },
    /* ---- RFC 8267 section 6.4.2: simple lists ---- */
    {
        .id = "nfs-three-read-chunks",
        .comment = "Three WRITEs of 4 octets, all reduced.",
        .flags = "remarkable",
        .settings = "nfs",
        .events = {{"> msg read:136:0xa1/4/0x1000 read:176:0xa2/4/0x2000 read:216:0xa3/4/0x5000 "
                    "| " SESSION(5) WRITE(4) WRITE(4) WRITE(4),
                    SEVERAL_READS}},
    },
    {
        .id = "nfs-one-read-chunk-for-three-writes",
        .comment = "The same, but only the second is reduced.",
        .flags = "conforming near-miss",
        .near_miss = "rfc8267/6.4.2/one-read-chunk 3.4.5/position-of-item",
        .settings = "nfs",
        .events = {{"> msg read:176:0xa1/4/0x1000 | " SESSION(5) WRITE(4) "item:4 " WRITE(4)
                        WRITE(4) "item:4",
                    NULL}},
    },
    {
        .id = "nfs-position-zero-and-one-more",
        .comment = "A Long Call with the data of its WRITE in a second chunk: both are simple.",
        .flags = "conforming near-miss",
        .near_miss = "rfc8267/6.4.2/one-read-chunk rfc8267/6.5.2/long-callback",
        .settings = "nfs",
        .events = {{"> nomsg read:0:0xa1/136/0x1000 read:136:0xa2/8/0x2000", NULL},
                   {"< rdma-read:0xa1:0x1000 | " SESSION(3) WRITE(8), ""},
                   {"< rdma-read:0xa2:0x2000 | octets:8", ""},
                   {"< msg | " SESSION_DONE(3) WRITE_DONE(8), NULL}},
    },
    {
        .id = "nfs-two-write-chunks",
        .comment = "Two READs with a Write chunk each.",
        .flags = "remarkable near-miss",
        .near_miss = "4.3.2.1/single-write-chunk 3.4.6.2/returned-length-is-item-length "
                     "6.1/only-eligible-reduced",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/4/0x3000 write:0xb2/4/0x5000 | " SESSION(4) READ(4) READ(4),
                    SEVERAL_WRITES},
                   {"< rdma-write:0xb1:0x3000 | octets:4", ""},
                   {"< rdma-write:0xb2:0x5000 | octets:3", ""},
                   {"< msg write:0xb1/4/0x3000 write:0xb2/3/0x5000 | " SESSION_DONE(4) READ_DONE(4)
                        READ_DONE(3),
                    NULL}},
    },
    {
        .id = "nfs-one-write-chunk-for-two-reads",
        .comment = "One chunk for two READs; the second comes inline.",
        .flags = "conforming near-miss",
        .near_miss = "rfc8267/6.4.2/one-write-chunk 4.3.2/eligible-result-pushed "
                     "rfc8267/6.4.1/surplus-inline",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/4/0x3000 | " SESSION(4) READ(4) READ(4), NULL},
                   {"< rdma-write:0xb1:0x3000 | octets:4", ""},
                   {"< msg write:0xb1/4/0x3000 | " SESSION_DONE(4) READ_DONE(4)
                        READ_DONE(4) "item:4",
                    NULL}},
    },
    {
        .id = "nfs-seventeen-read-segments",
        .comment = "The data of a WRITE in 17 pieces.",
        .flags = "remarkable",
        .settings = "nfs",
        .events = {{"> msg read:136:17*0xa1/4/0x1000 | " SESSION(3) WRITE(68),
                    "N:rfc8267/6.4.2/sixteen-segments@20 process" REFUSED}},
    },
    {
        .id = "nfs-sixteen-read-segments",
        .comment = "In 16 pieces.",
        .flags = "conforming near-miss",
        .near_miss = "rfc8267/6.4.2/sixteen-segments",
        .settings = "nfs",
        .events = {{"> msg read:136:16*0xa1/4/0x1000 | " SESSION(3) WRITE(64), NULL}},
    },
    {
        .id = "nfs-sixteen-segments-in-each-chunk",
        .comment = "Two Read chunks of 16 segments: 32 in the list, but no more in a chunk.",
        .flags = "remarkable near-miss",
        .near_miss = "rfc8267/6.4.2/sixteen-segments",
        .settings = "nfs",
        .events = {{"> msg read:136:16*0xa1/4/0x1000 read:236:16*0xa2/4/0x2000 | " SESSION(4)
                        WRITE(64) WRITE(64),
                    "N:rfc8267/6.4.2/one-read-chunk@404 process" REFUSED}},
    },
    {
        .id = "nfs-seventeen-write-segments",
        .comment = "A Write chunk of 17 segments.",
        .flags = "remarkable",
        .settings = "nfs",
        .events = {{"> msg write:17*0xb1/4/0x3000 | " SESSION(3) READ(68),
                    "N:rfc8267/6.4.2/sixteen-segments@24 process" REFUSED}},
    },
    {
        .id = "nfs-sixteen-write-segments",
        .comment = "A Write chunk of 16, and a Reply chunk of as many.",
        .flags = "conforming near-miss",
        .near_miss = "rfc8267/6.4.2/sixteen-segments rfc8267/6.4.2/one-write-chunk",
        .settings = "nfs",
        .events = {{"> msg write:16*0xb1/4/0x3000 reply:16*0xc1/64/0x4000 | " SESSION(3) READ(64),
                    NULL}},
    },
    {
        .id = "nfs-seventeen-reply-segments",
        .comment = "A Reply chunk of 17 segments.",
        .flags = "remarkable",
        .settings = "nfs",
        .events = {{"> msg reply:17*0xc1/64/0x4000 | " SESSION(3) GETATTR,
                    "N:rfc8267/6.4.2/sixteen-segments@28 process" REFUSED}},
    },
    {
        .id = "nfs-seventeen-segments-of-version-3",
        .comment = "Servers of version 3 have promised nothing of the kind.",
        .flags = "conforming near-miss",
        .near_miss = "rfc8267/6.4.2/sixteen-segments",
        .settings = "nfs",
        .events = {{"> msg write:17*0xb1/4/0x3000 | " READ3(68), NULL}},
    },
    /* ---- RFC 8267 section 6.4.1: who gets which chunk ---- */
    {
        .id = "nfs-three-results-in-order",
        .comment = "READ, READLINK, READ, each in its chunk.",
        .flags = "remarkable near-miss",
        .near_miss = "4.3.2/eligible-result-pushed 3.4.6.2/returned-length-is-item-length",
        .settings = "nfs",
        .events =
            {THREE_CHUNKS,
             {"< msg write:0xb1/5/0x3000 write:0xb2/8/0x5000 write:0xb3/13/0x6000 | " SESSION_DONE(
                  5) READ_DONE(5) READLINK_DONE(8) READ_DONE(13),
              NULL}},
    },
    {
        .id = "nfs-two-results-swapped",
        .comment = "The first two results are in each other's chunks. The first place tells.",
        .flags = "aftermath",
        .settings = "nfs",
        .events =
            {THREE_CHUNKS,
             {"< msg write:0xb1/8/0x3000 write:0xb2/5/0x5000 write:0xb3/13/0x6000 | " SESSION_DONE(
                  5) READ_DONE(5) READLINK_DONE(8) READ_DONE(13),
              "V:3.4.6.2/returned-length-is-item-length@24 terminate"}},
    },
    {
        .id = "nfs-third-result-inline",
        .comment = "The third is inline, though its chunk has room.",
        .flags = "aftermath",
        .settings = "nfs",
        .events =
            {THREE_CHUNKS,
             {"< msg write:0xb1/5/0x3000 write:0xb2/8/0x5000 write:0xb3/0/0x6000 | " SESSION_DONE(5)
                  READ_DONE(5) READLINK_DONE(8) READ_DONE(13) "item:13",
              "V:4.3.2/eligible-result-pushed@72 terminate"}},
    },
    {
        .id = "nfs-second-result-in-chunk-and-inline",
        .comment = "The link is in its chunk, and between the READs as well.",
        .flags = "aftermath",
        .settings = "nfs",
        .events =
            {THREE_CHUNKS,
             {"< msg write:0xb1/5/0x3000 write:0xb2/8/0x5000 write:0xb3/13/0x6000 | " SESSION_DONE(
                  5) READ_DONE(5) READLINK_DONE(8) "item:8 " READ_DONE(13),
              "V:4.3.2/pushed-item-left-out@20 terminate"}},
    },
    {
        .id = "nfs-empty-chunk-between-others",
        .comment = "The empty chunk stands for the link, which comes inline; the last READ takes "
                   "the last chunk.",
        .flags = "remarkable near-miss",
        .near_miss = "4.3.2/eligible-result-pushed 4.3.2.3/no-list-for-sole-result "
                     "4.3.2/pushed-item-left-out",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/16/0x3000 write: write:0xb3/16/0x6000 | " THREE_READS,
                    SEVERAL_WRITES},
                   {"< msg write:0xb1/5/0x3000 write: write:0xb3/13/0x6000 | " SESSION_DONE(5)
                        READ_DONE(5) READLINK_DONE(8) "item:8 " READ_DONE(13),
                    NULL}},
    },
    {
        .id = "nfs-chunk-without-result-used",
        .comment = "Four chunks, three results. The fourth returns octets of something else.",
        .flags = "aftermath",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/16/0x3000 write:0xb2/16/0x5000 write:0xb3/16/0x6000 "
                    "write:0xb4/16/0x7000 | " THREE_READS,
                    SEVERAL_WRITES},
                   {"< msg write:0xb1/5/0x3000 write:0xb2/8/0x5000 write:0xb3/13/0x6000 "
                    "write:0xb4/4/0x7000 | " SESSION_DONE(5) READ_DONE(5) READLINK_DONE(8)
                        READ_DONE(13),
                    "V:6.1/only-eligible-reduced@20 terminate"}},
    },
    /* ---- operations that fail ---- */
    {
        .id = "nfs-failed-read-empty",
        .comment = "NFS4ERR_STALE for READ: its chunk comes back empty, as RFC 8267 has it.",
        .flags = "remarkable near-miss",
        .near_miss = "rfc8267/6.4.1/failed-read-unused 4.3.2/eligible-result-pushed",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/64/0x3000 | " SESSION(3) READ(64), NULL},
                   {"< msg write: | " SESSION_FAILED(3) PUTFH_DONE "25 70",
                    "N:rfc8267/6.4.1/failed-read-empty@24"}},
    },
    {
        .id = "nfs-failed-read-unused",
        .comment = "NFS4ERR_STALE for READ: its chunk comes back unused, as RFC 8166 has it.",
        .flags = "remarkable near-miss",
        .near_miss = "rfc8267/6.4.1/failed-read-empty 6.1/only-eligible-reduced",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/64/0x3000 | " SESSION(3) READ(64), NULL},
                   {"< msg write:0xb1/0/0x3000 | " SESSION_FAILED(3) PUTFH_DONE "25 70",
                    "N:rfc8267/6.4.1/failed-read-unused@24"}},
    },
    {
        .id = "nfs-failed-readlink-empty",
        .comment = "READLINK of what is not a link: empty.",
        .flags = "remarkable",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/64/0x3000 | " SESSION(3) READLINK, NULL},
                   {"< msg write: | " COMPOUND_DONE(22, 3) SEQUENCE_DONE PUTFH_DONE "27 22",
                    "N:rfc8267/6.4.1/failed-read-empty@24"}},
    },
    {
        .id = "nfs-second-read-fails",
        .comment = "The first READ has filled its chunk, that of the second is unused.",
        .flags = "remarkable",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/8/0x3000 write:0xb2/8/0x5000 | " SESSION(4) READ(8) READ(8),
                    SEVERAL_WRITES},
                   {"< rdma-write:0xb1:0x3000 | octets:8", ""},
                   {"< msg write:0xb1/8/0x3000 write:0xb2/0/0x5000 | " SESSION_FAILED(4)
                        PUTFH_DONE READ_DONE(8) "25 70",
                    "N:rfc8267/6.4.1/failed-read-unused@48"}},
    },
    {
        .id = "nfs-compound-ends-before-read",
        .comment = "PUTFH failed, and there was no READ: the chunk comes back empty.",
        .flags = "conforming near-miss",
        .near_miss = "rfc8267/6.4.1/failed-read-empty",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/64/0x3000 | " SESSION(3) READ(64), NULL},
                   {"< msg write: | " SESSION_FAILED(2) "22 70", NULL}},
    },
    {
        .id = "nfs-read-returns-nothing",
        .comment = "The READ is good and at the end of the file: the chunk comes back unused.",
        .flags = "conforming near-miss",
        .near_miss = "rfc8267/6.4.1/failed-read-unused 4.3.2/eligible-result-pushed",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/64/0x3000 | " SESSION(3) READ(64), NULL},
                   {"< msg write:0xb1/0/0x3000 | " SESSION_DONE(3) READ_DONE(0), NULL}},
    },
    /* ---- RFC 8267 section 6.5.2: callbacks ---- */
    {
        .id = "nfs-long-callback",
        .comment = "A server of version 4 sends a Long Call. Its session may permit it.",
        .flags = "remarkable",
        .settings = "nfs reverse",
        .events = {{"> msg | " SESSION(2), NULL},
                   {"< nomsg xid:9 read:0:0xa1/64/0x1000",
                    "N:rfc8267/6.5.2/long-callback@12 process err-chunk"}},
    },
    {
        .id = "nfs-short-callback",
        .comment = "A callback as an RDMA_MSG, of a program whose number the client has chosen.",
        .flags = "conforming near-miss",
        .near_miss = "rfc8267/6.5.2/long-callback",
        .settings = "nfs reverse",
        .events = {{"> msg | " SESSION(2), NULL},
                   {"< msg | " SESSION_DONE(2), NULL},
                   {"< msg xid:9 | call text:callback *5", NULL}},
    },
    {
        .id = "nfs-long-reply-is-no-callback",
        .comment = "An RDMA_NOMSG of a server that answers a Call of its client.",
        .flags = "conforming near-miss",
        .near_miss = "rfc8267/6.5.2/long-callback",
        .settings = "nfs reverse",
        .events = {{"> msg reply:0xc1/8192/0x4000 | " SESSION(3) GETATTR, NULL},
                   {"< rdma-write:0xc1:0x4000 | " SESSION_DONE(3) "9 0 1 0x18 4096 item:4096", ""},
                   {"< nomsg reply:0xc1/4204/0x4000", NULL}},
    },
    {
        .id = "nfs-long-call-of-version-3-server",
        .comment = "Version 3 has no callbacks: what the server calls is something else.",
        .flags = "conforming near-miss",
        .near_miss = "rfc8267/6.5.2/long-callback",
        .settings = "nfs reverse",
        .events = {{"> msg | " READ3(4), NULL}, {"< nomsg xid:9 read:0:0xa1/64/0x1000", NULL}},
    },
};

const struct vector_group nfs_lists = {
    GROUP("nfs-lists.json", nfs_lists_vectors),
    .title = "NFS: chunk lists and their order",
    .origin = "made",
    .reference = "RFC 8166 sections 3.4.6, 4.3.2, 4.3.3 and 6.1, RFC 8267 sections 6.4 and 6.5",
};
