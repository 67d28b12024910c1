// SPDX-License-Identifier: BSD-3-Clause
/* Worked examples of both drafts, with credit words and XIDs written out. */
#include "vectors/make/version2/version2.h"

static const struct vector examples_04_vectors[] = {
    {
        .id = "04-example-null",
        .comment = "The first Call of a version 2 client, and its Reply. The header has 36 octets.",
        .flags = "conforming",
        .events = {{"> call-msg xid:0x20170530 | nfs4:0", NULL},
                   {"< reply-msg xid:0x20170530 credit:64 | accepted", NULL}},
    },
    {
        .id = "04-example-chunks-invalidate",
        .comment = "A Call with a Read chunk of two segments, a Write chunk and a Reply chunk; "
                   "handle 0xb1 may be invalidated.",
        .flags = "conforming near-miss",
        .near_miss = "6.2.3/handle-offered",
        .events = {{"> call-msg xid:0x20170531 inv:0xb1 read:44:0xa1/4096/0x10000,0xa2/904/0x20000 "
                    "write:0xb1/8192/0x30000 reply:0xc1/2048/0x40000 | nfs4:1 5000",
                    NULL},
                   {"< reply-msg xid:0x20170531 credit:64 write:0xb1/8192/0x30000 "
                    "reply:0xc1/0/0x40000 | accepted 8192",
                    NULL}},
    },
    {
        .id = "04-example-properties",
        .comment = "Properties at connection: a Receive Buffer Size of 8192 that will not change, "
                   "general reverse support. Then a request for 16384, its answer (12288 instead) "
                   "and a report of that.",
        .flags = "conforming",
        .events = {{"> connprop xid:1 property:1:8192 property:2:2 unchanging:1", NULL},
                   {"< reqprop xid:7 credit:64 property:1:16384 property:2", NULL},
                   {"> resprop xid:7 rejected:2 other:1:12288", NULL},
                   {"> updprop xid:2 property:1:12288", NULL}},
    },
    {
        .id = "04-example-errors",
        .comment = "A Write chunk too short for its result, an unknown optional type, "
                   "and the answer to that. The beginning of the connection was not seen.",
        .flags = "conforming",
        .settings = "mid",
        .events = {{"< error4:7:1:9000 xid:0x20170532 credit:64", "terminate process"},
                   {"> optional:0:99:5 xid:0x20170533", "err-invalid-option"},
                   {"< error4:9 xid:0x20170533 credit:64", "terminate"}},
    },
};

const struct vector_group v2_04_examples = {
    GROUP("v2-04/examples.json", examples_04_vectors),
    .title = "Version 2, -04: worked examples",
    DRAFT_04,
    .origin = "spec",
    .reference = "draft-cel-nfsv4-rpcrdma-version-two-04 section 6.2",
};

static const struct vector examples_07_vectors[] = {
    {
        .id = "07-example-negotiation",
        .comment = "A client begins with version 2 and meets a server of version 1. ERR_VERS "
                   "repeats version and XID; the client goes on in version 1.",
        .flags = "conforming",
        .events = {{"> call-inline xid:0x20220314 credit:16 | nfs4:0", NULL},
                   {"< error2:1:1:1 xid:0x20220314 credit:32", "terminate"},
                   {"> msg xid:0x20220315 credit:16 | nfs4:0", NULL}},
    },
    {
        .id = "07-example-properties",
        .comment = "Both sides tell their properties, the client in two messages. Its limit is one "
                   "Send until it has received something, so the server grants more in between.",
        .flags = "conforming",
        .events = {{"> connprop-middle xid:1 credit:16 property:1:8192 property:2:8192 "
                    "property:3:1048576",
                    NULL},
                   {"< grant credit:33", NULL},
                   {"> connprop-final xid:2 credit:17 property:4:32 property:5:2 "
                    "property:0x7ffffffe:text=new",
                    NULL},
                   {"< connprop-final xid:9 credit:34 property:2:8192 property:5", NULL}},
    },
    {
        .id = "07-example-chunks-invalidate",
        .comment = "Two Read chunks in ascending order, two Write chunks, one of them empty, "
                   "and a Reply chunk. The Reply fills the first Write chunk, returns the empty "
                   "one, does not mention the Reply chunk, and invalidates 0xb1.",
        .flags = "conforming near-miss",
        .near_miss = "6.5/handle-offered 6.5/handle-of-call 4.5.1.1/positions-ascend",
        .events = {{"> call-inline xid:0x20220316 credit:18 inv:0xb1 "
                    "read:44:0xa1/4096/0x10000,0xa2/905/0x20000 read:5052:0xa3/16/0x28000 "
                    "write:0xb1/8192/0x30000 write: reply:0xc1/2048/0x40000 | nfs4:1 5001 16",
                    NULL},
                   {"< reply-inline xid:0x20220316 credit:35 invalidate:0xb1 "
                    "write:0xb1/6000/0x30000 write: | accepted 6000",
                    NULL}},
    },
    {
        .id = "07-example-special",
        .comment = "A Special Format Call whose Call chunk has two segments, with a data item "
                   "chunk beside it, and a Special Format Reply.",
        .flags = "conforming",
        .events = {{"> call-external xid:0x20220317 credit:19 call:0:0xd1/4096/0x50000,"
                    "0xd2/1000/0x60000 read:4000:0xa1/512/0x10000 "
                    "reply:0xc1/8192/0x40000,0xc2/8192/0x48000",
                    NULL},
                   {"< reply-external xid:0x20220317 credit:36 "
                    "reply:0xc1/8192/0x40000,0xc2/328/0x48000",
                    NULL}},
    },
    {
        .id = "07-example-continued",
        .comment = "A Call of 64 octets in pieces of 28, 24 and 12, and a Reply of 48 in pieces of "
                   "40 and 8. The beginning of the connection was not seen.",
        .flags = "conforming",
        .settings = "mid",
        .events =
            {{"> call-middle:36 xid:0x20220318 credit:20 | nfs4:2 0x00010203 0x04050607 0x08090a0b "
              "0x0c0d0e0f 0x10111213 0x14151617 part:0:28",
              NULL},
             {"> call-middle:12 xid:0x20220318 credit:20 | nfs4:2 0x00010203 0x04050607 0x08090a0b "
              "0x0c0d0e0f 0x10111213 0x14151617 part:28:24",
              NULL},
             {"> call-inline xid:0x20220318 credit:20 | nfs4:2 0x00010203 0x04050607 0x08090a0b "
              "0x0c0d0e0f 0x10111213 0x14151617 part:52:12",
              NULL},
             {"< reply-middle:8 xid:0x20220318 credit:39 | accepted 0x00010203 0x04050607 "
              "0x08090a0b 0x0c0d0e0f 0x10111213 0x14151617 part:0:40",
              NULL},
             {"< reply-inline xid:0x20220318 credit:39 | accepted 0x00010203 0x04050607 "
              "0x08090a0b 0x0c0d0e0f 0x10111213 0x14151617 part:40:8",
              NULL}},
    },
    {
        .id = "07-example-errors",
        .comment = "One error of each form: INVAL_CONT, READ_CHUNKS, SEGMENTS, WRITE_RESOURCE, "
                   "REPLY_RESOURCE, VERS_MISMATCH in the version of what it answers, and a code "
                   "that an extension may define. The beginning of the connection was not seen.",
        .flags = "conforming",
        .settings = "mid",
        .events = {{"< error2:5 xid:0x20220319 credit:40", "terminate"},
                   {"< error2:6:1 xid:0x2022031a credit:41", "terminate process"},
                   {"< error2:8:16 xid:0x2022031b credit:42", "terminate process"},
                   {"< error2:9:2:9000 xid:0x2022031c credit:43", "terminate process"},
                   {"< error2:10:12000 xid:0x2022031d credit:44", "terminate process"},
                   {"< error2:11 xid:0x2022031e vers:1 credit:45", "terminate discard"},
                   {"< error2:77 xid:0x2022031f credit:46", "N:7/error-code-defined@16 discard"}},
    },
};

const struct vector_group v2_07_examples = {
    GROUP("v2-07/examples.json", examples_07_vectors),
    .title = "Version 2, -07: worked examples",
    DRAFT_07,
    .origin = "spec",
    .reference = "draft-ietf-nfsv4-rpcrdma-version-two-07 sections 8.3 and 8.4",
};
