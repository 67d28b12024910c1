// SPDX-License-Identifier: BSD-3-Clause
/*
 * The chunk lists that RFC 8166 section 4.7 draws, each in a whole exchange: H is a handle, L a
 * length, OO an offset, P a Position.
 */
#include "vectors/make/vectors.h"

static const struct vector section_4_7_vectors[] = {
    {
        .id = "example-no-chunks",
        .comment = "0 0 0: the three lists of a Call, and of a Reply, that have no chunks.",
        .flags = "conforming",
        .events = {{"> msg | call", "length:28 process"},
                   {"< msg | accepted", "length:28 process"}},
    },
    {
        .id = "example-read-chunk-of-three",
        .comment = "1 PHLOO 1 PHLOO 1 PHLOO 0: three read segments of one Position are one Read "
                   "chunk, read in the order of the list.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.4.4/chunks-overlap 3.4.5/position-multiple-of-four",
        .events = {{"> msg read:44:0xa1/8/0x1000,0xa2/4/0x2000,0xa3/12/0x3000 | call 24",
                    "length:100 process"},
                   {"< rdma-read:0xa1:0x1000 | 1 2", ""},
                   {"< rdma-read:0xa2:0x2000 | 3", ""},
                   {"< rdma-read:0xa3:0x3000 | 4 5 6", ""},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "example-read-list-of-two-chunks",
        .comment = "A Read list is a list of read segments too: where P changes another chunk "
                   "begins.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.4.4/chunks-overlap 3.4.5/position-in-bounds",
        .events = {{"> msg read:44:0xa1/8/0x1000,0xa2/8/0x2000 read:64:0xa3/4/0x3000 | call 16 4",
                    "length:100 process"},
                   {"< rdma-read:0xa1:0x1000 | 1 2", ""},
                   {"< rdma-read:0xa2:0x2000 | 3 4", ""},
                   {"< rdma-read:0xa3:0x3000 | 5", ""},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "example-write-chunk-of-three",
        .comment = "1 3 HLOO HLOO HLOO 0: one Write chunk. Its octets go into the first segment, "
                   "then the second, and the third is left over.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.6/segment-count-copied 4.3.2.1/chunks-used-in-order",
        .events = {{"> msg write:0xb1/8/0x1000,0xb2/8/0x2000,0xb3/8/0x3000 | call",
                    "length:84 process"},
                   {"< rdma-write:0xb1:0x1000 | 1 2", ""},
                   {"< rdma-write:0xb2:0x2000 | 3", ""},
                   {"< msg write:0xb1/8/0x1000,0xb2/4/0x2000,0xb3/0/0x3000 | accepted 12",
                    "length:84 process"}},
    },
    {
        .id = "example-write-list-of-three-and-two",
        .comment = "1 3 HLOO HLOO HLOO 1 2 HLOO HLOO 0: two Write chunks. The first comes back "
                   "whole, the second unused.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.6/segment-count-copied 4.3.2.2/returned-unused",
        .events = {{"> msg write:0xb1/4/0x1000,0xb2/4/0x2000,0xb3/4/0x3000 "
                    "write:0xb4/8/0x4000,0xb5/8/0x5000 | call",
                    "length:124 process"},
                   {"< rdma-write:0xb1:0x1000 | 1", ""},
                   {"< rdma-write:0xb2:0x2000 | 2", ""},
                   {"< rdma-write:0xb3:0x3000 | 3", ""},
                   {"< msg write:0xb1/4/0x1000,0xb2/4/0x2000,0xb3/4/0x3000 "
                    "write:0xb4/0/0x4000,0xb5/0/0x5000 | accepted 12",
                    "length:124 process"}},
    },
    {
        .id = "example-reply-chunk-of-two",
        .comment = "1 2 HLOO HLOO: a Reply chunk. The Reply is in it, header and all.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.3/reply-chunk-copied 4.2.4/nomsg-ends-with-lists "
                     "4.2.4/nomsg-list-present",
        .events = {{"> msg reply:0xc1/16/0x1000,0xc2/64/0x2000 | call", "length:64 process"},
                   {"< rdma-write:0xc1:0x1000 | 0x2f0c0001 1 0 0", ""},
                   {"< rdma-write:0xc2:0x2000 | 0 0 7 7", ""},
                   {"< nomsg reply:0xc1/16/0x1000,0xc2/16/0x2000", "length:64 process"}},
    },
    {
        .id = "example-all-three-lists",
        .comment = "A Read chunk, a Write chunk and a Reply chunk in one Call; the Reply fits "
                   "inline and leaves the Reply chunk unused.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.3/short-reply-leaves-chunk-unused 4/xdr-encoded",
        .events = {{"> msg read:44:0xa1/8/0x1000 write:0xb1/8/0x2000 reply:0xc1/64/0x3000 | call 8",
                    "length:96 process"},
                   {"< rdma-read:0xa1:0x1000 | 1 2", ""},
                   {"< rdma-write:0xb1:0x2000 | 3 4", ""},
                   {"< msg write:0xb1/8/0x2000 reply:0xc1/0/0x3000 | accepted 8",
                    "length:72 process"}},
    },
    {
        .id = "example-long-call",
        .comment =
            "The list of an RDMA_NOMSG: a Position Zero Read chunk of two segments holds the "
            "Call.",
        .flags = "conforming near-miss",
        .near_miss = "3.5.3/position-zero-in-msg 4.2.4/nomsg-ends-with-lists "
                     "4.2.4/nomsg-holds-payload",
        .events = {{"> nomsg read:0:0xa1/32/0x1000,0xa2/12/0x2000", "length:76 process"},
                   {"< rdma-read:0xa1:0x1000 | 0x2f0c0001 0 2 0x20008166 1 1 0 0", ""},
                   {"< rdma-read:0xa2:0x2000 | 0 0 5", ""},
                   {"< msg | accepted", NULL}},
    },
};

const struct vector_group section_4_7 = {
    GROUP("section-4-7.json", section_4_7_vectors),
    .title = "The chunk lists that the specification draws",
    .origin = "spec",
    .reference = "RFC 8166 section 4.7",
};
