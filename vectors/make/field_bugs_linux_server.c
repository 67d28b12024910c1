// SPDX-License-Identifier: BSD-3-Clause
/*
 * Faults that the Linux server had, each as the exchange that shows it: what a client sent that the
 * server should have taken, or what the server should not have sent.
 */
#include "vectors/make/vectors.h"

#define LINUX "https://git.kernel.org/linus/"
#define LORE "https://lore.kernel.org/r/"
#define CVE "https://www.cve.org/CVERecord?id="
/* One series of mails, of which several rows quote a patch. */
#define SERIES LORE "20260526-rpc-kernel-bugs-v1-1-e251306ccca9@oracle.com"
#define REFUSED " err-chunk garbage-args"

/* NFS version 4: a COMPOUND of this many operations, 52 octets; and its results. */
#define COMPOUND(count) "nfs4:1 0 1 " #count " "
#define COMPOUND_DONE(count) "accepted 0 0 " #count " "
#define PUTFH "22 4 0xf "
#define PUTFH_DONE "22 0 "
/* READ of 32 octets, WRITE of 36 without its data, GETATTR of change and size. */
#define READ(offset, count) "25 0 0 0 0 0 " #offset " " #count " "
#define READ_DONE(count) "25 0 1 " #count " "
#define WRITE(count) "38 0 0 0 0 0 0 2 " #count " "
#define WRITE_DONE(count) "38 0 " #count " 2 0 0 "
#define GETATTR "9 1 24 "
#define GETATTR_DONE "9 0 1 24 16 0 7 0 5 "
/* NFS version 3: WRITE, whose data are at Position 68, and READ. */
#define WRITE3(count) "nfs3:7 4 0xf 0 0 " #count " 2 " #count
#define READ3(offset, count) "nfs3:6 4 0xf 0 " #offset " " #count
#define READ3_DONE(count) "accepted 0 0 " #count " 1 " #count " "

static const struct note notes[] = {
    {"svcrdma-count-overflow", "known-bug",
     "The count of a Write chunk's segments was multiplied by 16 in 32 bits, to be compared with "
     "what was received; a large one passed, and the parser left the header.",
     CVE "CVE-2024-53151 " LINUX "3c63d8946e578663b868cb9912dac616ea68bfd0"},
    {"svcrdma-gap-misplaced", "known-bug",
     "What lies inline between two Read chunks was copied with the number of a page taken for a "
     "number of octets, and so landed elsewhere.",
     CVE "CVE-2025-68811 " LINUX "a8ee9099f30654917aa68f55d707b5627e1dbf77"},
    {"svcrdma-gap-unbounded", "known-bug",
     "After a long Read chunk the inline part was copied to pages that the request did not have.",
     CVE "CVE-2025-71068 " LINUX "d1bea0ce35b6095544ee82bb54156fc62c067e58 " LORE
         "20251107150949.3808-3-cel@kernel.org"},
    {"svcrdma-page-array-full", "known-bug",
     "What follows a Read chunk inline was copied into the page after the last one of the request: "
     "the index was not checked.",
     "https://nvd.nist.gov/vuln/detail/CVE-2025-71068"},
    {"svcrdma-two-chunks-refused", "known-bug",
     "The copying of inline parts failed even when it succeeded: each legal Call with two Read "
     "chunks was answered by ERR_CHUNK, and the connection closed.",
     LINUX "94972027ab55b200e031059fd6c7a649f8248020"},
    {"svcrdma-position-behind-end", "known-bug",
     "A Position after the payload made the length of its tail negative: the decoder read "
     "memory beyond the Receive buffer.",
     SERIES},
    {"svcrdma-overlap", "known-bug",
     "Overlapping Read chunks made the length of what lies between them negative, and memory of "
     "the server could come back to the client. What does lie between legal chunks was taken "
     "from the transport header.",
     SERIES},
    {"svcrdma-position-zero-sliced", "known-bug",
     "A Position Zero chunk was cut wrongly where another chunk goes exactly between two of its "
     "segments, or to its end (patch 2 of the series).",
     SERIES},
    {"svcrdma-read-length-unchecked", "known-bug",
     "A Read segment's length was believed whatever it was, and memory reserved for it (patch 3 of "
     "the series).",
     SERIES},
    {"svcrdma-empty-chunk-oops", "known-bug",
     "A loop over a chunk without segments ran for 4294967295 rounds once remote invalidation had "
     "been agreed on (patch 4 of the series).",
     SERIES},
    {"svcrdma-empty-chunk-refused", "known-bug",
     "The cure for that refuses every Write or Reply chunk without segments, although an empty "
     "Write chunk has a meaning (patch 5 of the series).",
     SERIES},
    {"svcrdma-reply-overflow", "known-bug",
     "A Reply too long for a Send, to a Call without chunks for it, was copied into a send buffer "
     "of fixed size.",
     LORE "20260623014728.826032-1-cel@kernel.org"},
    {"svcrdma-errors-dropped", "known-bug",
     "A header that did not decode was dropped instead of answered, and an unknown procedure was "
     "taken for RDMA_MSG.",
     LINUX "a0544c946dfdba9d93ad9030e7bb6db1961d45c1"},
    {"svcrdma-no-long-call", "known-bug",
     "RDMA_NOMSG could not be decoded at all, and Read lists of several Positions were put "
     "together wrongly.",
     LINUX "0b056c224bea63060ce8a981e84193c93fac6f5d"},
    {"svcrdma-tail-after-write", "known-bug",
     "Operations inline after a WRITE whose data are in a Read chunk were decoded as garbage.",
     LINUX "a97c331f9aa9"},
    {"svcrdma-read-wrong-octets", "known-bug",
     "Other octets than those asked for went to the Write chunk of an NFSv4 READ.",
     LINUX "412055398b9e67e07347a936fc4a6adddabe9cf4 "
           "https://bugzilla.kernel.org/show_bug.cgi?id=198053"},
    {"svcrdma-write-list-and-reply-chunk", "known-bug",
     "A Call with a Write list and a Reply chunk was not handled.",
     LINUX "9a6a180b7867ceceeeab88a6f011bac23174b939"},
    {"svcrdma-inline-pull-up", "known-bug",
     "A Reply copied together for one Send had wrong octets where its parts were not aligned.",
     LINUX "c327a310ec4d6ecbea13185ed56c11def441d9ab"},
    {"svcrdma-deferred-call", "known-bug",
     "A Call that had to wait was taken up again with a wrong header length, and its RPC message "
     "decoded from the wrong word on.",
     LINUX "773f91b2cf3f52df0d7508fdbf60f37567cdaee4"},
    {"svcrdma-failed-read-silent", "known-bug",
     "When an RDMA Read failed the Call was lost and the connection kept: the client waits for "
     "ever.",
     LINUX "197115ebf358cb440c73e868b2a0a5ef728decc6"},
    {"svcrdma-failed-read-leaks", "known-bug",
     "Each Read chunk that could not be pulled cost the server pages.",
     LINUX "e814eecbe3bbeaa8b004d25a4b8974d232b765a9"},
    {"svcrdma-pad-in-pages", "known-bug",
     "Padding at the end of a Read chunk was counted to the data.",
     LINUX "6625d0913771df5f12b9531c8cb8414e55f1c21d"},
    {"svcrdma-long-callback-inline", "known-bug",
     "A callback longer than the inline threshold went out inline.",
     LINUX "6b26cc8c8ead3636a18bfd9489984983f4ddd6f4"},
    {"svcrdma-reply-above-threshold", "known-bug",
     "Replies of NFSv4 were longer than the client's Receive buffers.",
     "https://github.com/openzfs/zfs/issues/6795"},
};

static const struct vector vectors[] = {
    {
        .id = "svcrdma-segment-count-of-28-bits",
        .comment = "268435457 times 16 is 16 in 32 bits, which are there.",
        .flags = "broken hostile svcrdma-count-overflow",
        .events = {{"> msg write:0xb1/64/0x3000 | call 64 @24=0x10000001",
                    "V:4/xdr-encoded@24 length:- err-chunk"}},
    },
    {
        .id = "svcrdma-segment-count-of-30-bits",
        .comment = "1073741825 times 16 is 16 once more.",
        .flags = "broken hostile svcrdma-count-overflow",
        .events = {{"> msg write:0xb1/64/0x3000 | call 64 @24=0x40000001",
                    "V:4/xdr-encoded@24 length:- err-chunk"}},
    },
    {
        .id = "svcrdma-segment-count-of-32-bits",
        .comment = "The largest count there is, in the second of two Write chunks.",
        .flags = "broken hostile svcrdma-count-overflow",
        .events = {{"> msg write:0xb1/64/0x3000 write:0xb2/64/0x3800 | call 64 @48=0xffffffff",
                    "V:4/xdr-encoded@48 length:- err-chunk"}},
    },
    {
        .id = "svcrdma-gap-after-misaligned-chunk",
        .comment = "The first chunk has 5000 octets, no whole number of pages; what lies between "
                   "the chunks can be distinguished from anything else.",
        .flags = "conforming svcrdma-gap-misplaced",
        .events = {{"> msg read:44:0xa1/5000/0x1000 read:5056:0xa2/8/0x8000 | "
                    "call 5000 0xaaaaaaaa 0xbbbbbbbb 8",
                    NULL},
                   {"< rdma-read:0xa1:0x1000 | +5000", ""},
                   {"< rdma-read:0xa2:0x8000 | 0x11111111 0x22222222", ""},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "svcrdma-gap-after-eight-mib",
        .comment = "The first chunk takes more pages than the server has for a request: it is "
                   "free to refuse the Call.",
        .flags = "conforming hostile svcrdma-gap-unbounded",
        .settings = "pull:4194304",
        .events = {{"> msg read:44:0xa1/0x800000/0x1000 read:0x80003c:0xa2/8/0x801000 | "
                    "call 0x800000 1 2 3 8",
                    "process err-chunk"},
                   {"< error:chunk", "terminate"}},
    },
    {
        .id = "svcrdma-read-chunk-ends-on-page-256",
        .comment =
            "44 octets of the Call and the Read chunk end on the last octet of page 256; a word "
            "of the Call follows.",
        .flags = "conforming hostile svcrdma-page-array-full",
        .settings = "pull:4194304",
        .events = {{"> msg read:44:0xa1/1048532/0x1000 | call 1048532 7", NULL}},
    },
    {
        .id = "svcrdma-read-chunk-ends-before-page-257",
        .comment = "44 octets of the Call and the Read chunk end one word before the end of page "
                   "257; a word "
                   "of the Call follows.",
        .flags = "conforming hostile svcrdma-page-array-full",
        .settings = "pull:4194304",
        .events = {{"> msg read:44:0xa1/1052624/0x1000 | call 1052624 7", NULL}},
    },
    {
        .id = "svcrdma-read-chunk-ends-on-page-258",
        .comment =
            "44 octets of the Call and the Read chunk end on the last octet of page 258; a word "
            "of the Call follows.",
        .flags = "conforming hostile svcrdma-page-array-full",
        .settings = "pull:4194304",
        .events = {{"> msg read:44:0xa1/1056724/0x1000 | call 1056724 7", NULL}},
    },
    {
        .id = "svcrdma-read-chunk-ends-after-page-259",
        .comment = "44 octets of the Call and the Read chunk end one word into page 260; a word "
                   "of the Call follows.",
        .flags = "conforming hostile svcrdma-page-array-full",
        .settings = "pull:4194304",
        .events = {{"> msg read:44:0xa1/1060824/0x1000 | call 1060824 7", NULL}},
    },
    {
        .id = "svcrdma-two-writes-two-chunks",
        .comment = "A COMPOUND of two WRITEs with a Read chunk each. Not every server takes two, "
                   "but there is nothing wrong with them.",
        .flags = "remarkable svcrdma-two-chunks-refused",
        .settings = "nfs",
        .events = {{"> msg read:88:0xa1/4096/0x1000 read:4220:0xa2/8/0x8000 | " COMPOUND(2)
                        WRITE(4096) WRITE(8),
                    "N:rfc8267/6.4.2/one-read-chunk@44 process" REFUSED},
                   {"< msg | " COMPOUND_DONE(2) WRITE_DONE(4096) WRITE_DONE(8), NULL}},
    },
    {
        .id = "svcrdma-position-of-65532",
        .comment = "Position 65532 in a payload of 40 octets.",
        .flags = "broken hostile svcrdma-position-behind-end",
        .events = {{"> msg read:0xfffc:0xa1/8/0x1000 | call",
                    "V:3.4.5/position-in-bounds@20" REFUSED}},
    },
    {
        .id = "svcrdma-chunk-inside-another",
        .comment = "4096 octets at Position 40, and 16 at Position 44.",
        .flags = "broken hostile svcrdma-overlap",
        .events = {{"> msg read:40:0xa1/4096/0x1000 read:44:0xa2/16/0x8000 | call",
                    "V:3.4.4.4/chunks-overlap@44" REFUSED}},
    },
    {
        .id = "svcrdma-gap-of-one-word",
        .comment =
            "Two legal chunks with one word between them, which is not a word of the header.",
        .flags = "conforming near-miss svcrdma-overlap",
        .near_miss = "3.4.4.4/chunks-overlap",
        .events = {{"> msg read:40:0xa1/4096/0x1000 read:4140:0xa2/16/0x8000 | call 0xdeadbeef",
                    NULL}},
    },
    {
        .id = "svcrdma-chunk-between-position-zero-segments",
        .comment = "The Position Zero chunk has two segments, and the other chunk goes between "
                   "them.",
        .flags = "conforming svcrdma-position-zero-sliced",
        .events = {{"> nomsg read:0:0xa1/48/0x1000,0xa2/52/0x2000 read:48:0xa3/8/0x8000", NULL},
                   {"< rdma-read:0xa1:0x1000 | call 7 8", ""},
                   {"< rdma-read:0xa2:0x2000 | *13", ""},
                   {"< rdma-read:0xa3:0x8000 | 1 2", ""},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "svcrdma-chunk-after-position-zero",
        .comment = "The other chunk goes to the very end of the Position Zero chunk.",
        .flags = "conforming near-miss svcrdma-position-zero-sliced",
        .near_miss = "3.4.5/position-in-bounds",
        .events = {{"> nomsg read:0:0xa1/100/0x1000 read:100:0xa2/8/0x8000", NULL}},
    },
    {
        .id = "svcrdma-read-segment-of-4-gib",
        .comment = "4294967295 octets to read. The header is good; a server that will not pull "
                   "them says ERR_CHUNK.",
        .flags = "conforming hostile near-miss svcrdma-read-length-unchecked",
        .near_miss = "3.4.4/read-chunk-length-32-bit",
        .settings = "pull:4194304",
        .events = {{"> msg read:44:0xa1/0xffffffff/0x1000 | call 0xffffffff", "process err-chunk"},
                   {"< error:chunk", "terminate"}},
    },
    {
        .id = "svcrdma-empty-chunk-under-remote-invalidation",
        .comment = "Both sides support remote invalidation, and the Call has nothing to "
                   "invalidate: its only Write chunk is empty.",
        .flags = "conforming hostile near-miss svcrdma-empty-chunk-oops",
        .near_miss = "rfc8797/4.1/plain-send-without-support 4.3.2.3/empty-chunk-returned-empty",
        .events = {{"> private-data | 0xf6ab0e18 0x01010303", ""},
                   {"< private-data | 0xf6ab0e18 0x01010303", ""},
                   {"> msg write: | call", NULL},
                   {"< msg write: | accepted", NULL}},
    },
    {
        .id = "svcrdma-empty-chunk-for-readlink",
        .comment = "READ and READLINK: data to the Write chunk, the link inline, as the empty "
                   "chunk asks.",
        .flags = "remarkable svcrdma-empty-chunk-refused",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/64/0x3000 write: | " COMPOUND(2) READ(0, 64) "27",
                    "N:rfc8267/6.4.2/one-write-chunk@20 process" REFUSED},
                   {"< msg write:0xb1/8/0x3000 write: | " COMPOUND_DONE(2)
                        READ_DONE(8) "27 0 4 0x2f746d70",
                    NULL}},
    },
    {
        .id = "svcrdma-empty-reply-chunk",
        .comment = "A Reply chunk without segments is no use, but legal, and comes back as it is.",
        .flags = "remarkable svcrdma-empty-chunk-refused",
        .events = {{"> msg reply: | call", "N:4.3.3/reply-chunk-without-room@28 process"},
                   {"< msg reply: | accepted", NULL}},
    },
    {
        .id = "svcrdma-read-of-1-mib-inline",
        .comment = "READ of 1 MiB, and nothing to put it into: to be refused.",
        .flags = "aftermath hostile svcrdma-reply-overflow",
        .settings = "nfs s2c:1024",
        .events = {{"> msg | " READ3(0, 0x100000), "W:4.3.3/reply-chunk-needed@24 process "
                                                   "err-chunk"},
                   {"< error:chunk", "terminate"}},
    },
    {
        .id = "svcrdma-read-of-1536-octets-inline",
        .comment = "The Reply goes inline all the same and is longer than the client can receive.",
        .flags = "aftermath svcrdma-reply-overflow",
        .settings = "nfs s2c:1024",
        .events = {{"> msg | " READ3(0, 1536), "W:4.3.3/reply-chunk-needed@24 process err-chunk"},
                   {"< msg | " READ3_DONE(1536) "*384",
                    "V:4.2.4/send-within-threshold process close"}},
    },
    {
        .id = "svcrdma-procedure-seven",
        .comment = "Procedure 7 is answered by ERR_CHUNK, and the connection serves the next Call.",
        .flags = "aftermath svcrdma-errors-dropped",
        .events = {{"> msg @12=7 | call", "V:4.5.2/procedure-defined@12 length:- err-chunk"},
                   {"< error:chunk", "terminate"},
                   {"> msg xid:2 | call", NULL},
                   {"< msg xid:2 | accepted", NULL}},
    },
    {
        .id = "svcrdma-read-list-truncated",
        .comment = "A Read list that ends in its second entry is answered by ERR_CHUNK.",
        .flags = "aftermath svcrdma-errors-dropped",
        .events = {{"> msg read:44:2*0xa1/8/0x1000 cut:56",
                    "V:4/xdr-encoded@56 length:- err-chunk"},
                   {"< error:chunk", "terminate"}},
    },
    {
        .id = "svcrdma-long-call",
        .comment = "A Long Call of 2048 octets, read and answered.",
        .flags = "conforming svcrdma-no-long-call",
        .events = {{"> nomsg read:0:0xa1/2048/0x1000", NULL},
                   {"< rdma-read:0xa1:0x1000 | call *502", ""},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "svcrdma-long-call-of-three-positions",
        .comment = "A Long Call from which two arguments were taken.",
        .flags = "conforming svcrdma-no-long-call",
        .events = {{"> nomsg read:0:0xa1/2048/0x1000 read:100:0xa2/9/0x2000 "
                    "read:200:0xa3/10/0x4000,0xa4/11/0x5000",
                    NULL},
                   {"< rdma-read:0xa1:0x1000 | call *502", ""},
                   {"< rdma-read:0xa2:0x2000 | octets:9", ""},
                   {"< rdma-read:0xa3:0x4000 | octets:10", ""},
                   {"< rdma-read:0xa4:0x5000 | octets:11", ""},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "svcrdma-getattr-after-write",
        .comment = "PUTFH, WRITE, GETATTR: five octets are in the chunk, and GETATTR goes on "
                   "inline after the length word.",
        .flags = "conforming near-miss svcrdma-tail-after-write",
        .near_miss = "3.4.5/position-of-item 3.4.5.2/unpadded-chunk-length "
                     "4.3.1/reduced-item-left-out",
        .settings = "nfs",
        .events = {{"> msg read:100:0xa1/5/0x1000 | " COMPOUND(3) PUTFH WRITE(5) GETATTR, NULL},
                   {"< rdma-read:0xa1:0x1000 | 0x68656c6c 0x6f000000 cut:5", ""},
                   {"< msg | " COMPOUND_DONE(3) PUTFH_DONE WRITE_DONE(5) GETATTR_DONE, NULL}},
    },
    {
        .id = "svcrdma-read-at-unaligned-offset",
        .comment = "READ of five octets at offset 3, into memory at an odd address. Whether they "
                   "are the right ones only who knows the file can tell.",
        .flags = "conforming svcrdma-read-wrong-octets",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/5/0x3001 | " COMPOUND(2) PUTFH READ(3, 5), NULL},
                   {"< rdma-write:0xb1:0x3001 | 0x68656c6c 0x6f000000 cut:5", ""},
                   {"< msg write:0xb1/5/0x3001 | " COMPOUND_DONE(2) PUTFH_DONE READ_DONE(5), NULL}},
    },
    {
        .id = "svcrdma-read-and-getattr-both-chunks",
        .comment = "READ and GETATTR with a Write chunk and a Reply chunk, and both are used.",
        .flags = "conforming svcrdma-write-list-and-reply-chunk",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/64/0x3000 reply:0xc1/4096/0x4000 | " COMPOUND(3)
                        PUTFH READ(0, 64) GETATTR,
                    NULL},
                   {"< rdma-write:0xb1:0x3000 | 1 2 3", ""},
                   {"< rdma-write:0xc1:0x4000 | " COMPOUND_DONE(3) PUTFH_DONE READ_DONE(12)
                        GETATTR_DONE,
                    ""},
                   {"< nomsg write:0xb1/12/0x3000 reply:0xc1/96/0x4000", NULL}},
    },
    {
        .id = "svcrdma-unaligned-read-inline",
        .comment = "READ of seven octets at offset 1 comes inline, with one octet of padding.",
        .flags = "conforming near-miss svcrdma-inline-pull-up",
        .near_miss = "3.4.4.4/payload-whole-words",
        .settings = "nfs",
        .events = {{"> msg | " READ3(1, 7), NULL},
                   {"< msg | " READ3_DONE(7) "0x41424344 0x45464700", NULL}},
    },
    {
        .id = "svcrdma-same-call-twice-deferred",
        .comment = "Two Calls that differ in nothing but their XIDs, with a Read list: both are "
                   "to be decoded after it, at once or later.",
        .flags = "conforming svcrdma-deferred-call",
        .settings = "nfs",
        .events = {{"> msg xid:1 | nfs3:0", NULL},
                   {"< msg xid:1 | accepted", NULL},
                   {"> msg xid:2 read:68:0xa1/8/0x1000 | " WRITE3(8), NULL},
                   {"> msg xid:3 read:68:0xa2/8/0x2000 | " WRITE3(8), NULL},
                   {"< msg xid:3 | accepted 70 0 0", NULL},
                   {"< msg xid:2 | accepted 70 0 0", NULL}},
    },
    {
        .id = "svcrdma-failed-read-ends-connection",
        .comment = "The handle names nothing. The server cannot have the argument, and says so by "
                   "ending the connection.",
        .flags = "conforming svcrdma-failed-read-silent",
        .events = {{"> msg read:44:0xffffffff/4096/0x1000 | call 4096", NULL},
                   {"< disconnect", NULL}},
    },
    {
        .id = "svcrdma-oversize-chunk-again-and-again",
        .comment = "A chunk that the server cannot hold, three times: refused, and the next Call "
                   "is served.",
        .flags = "conforming hostile svcrdma-failed-read-leaks",
        .settings = "pull:4194304",
        .events =
            {{"> msg xid:1 read:44:0xa1/0x4000000/0x1000 | call 0x4000000", "process err-chunk"},
             {"< error:chunk xid:1", "terminate"},
             {"> msg xid:2 read:44:0xa1/0x4000000/0x1000 | call 0x4000000", "process err-chunk"},
             {"< error:chunk xid:2", "terminate"},
             {"> msg xid:3 read:44:0xa1/0x4000000/0x1000 | call 0x4000000", "process err-chunk"},
             {"< error:chunk xid:3", "terminate"},
             {"> msg xid:4 | call", NULL},
             {"< msg xid:4 | accepted", NULL}},
    },
    {
        .id = "svcrdma-write-of-4097-octets",
        .comment = "One octet more than a page, without padding.",
        .flags = "conforming near-miss svcrdma-pad-in-pages",
        .near_miss = "3.4.5.2/padding-in-read-chunk 3.4.5.2/unpadded-chunk-length",
        .settings = "nfs",
        .events = {{"> msg read:68:0xa1/4097/0x1000 | " WRITE3(4097), NULL}},
    },
    {
        .id = "svcrdma-write-of-4097-octets-padded",
        .comment = "The same with its padding in the chunk: 4097 octets are data.",
        .flags = "broken svcrdma-pad-in-pages",
        .settings = "nfs",
        .events = {{"> msg read:68:0xa1/4100/0x1000 | " WRITE3(4097),
                    "W:3.4.5.2/padding-in-read-chunk@28 process"}},
    },
    {
        .id = "svcrdma-callback-of-1068-octets",
        .comment = "A callback that is longer than what the client can receive.",
        .flags = "broken svcrdma-long-callback-inline",
        .settings = "reverse s2c:1024",
        .events = {{"> msg | call", NULL},
                   {"< msg | accepted", NULL},
                   {"< msg xid:2 | 2 0 2 0x40000000 1 1 0 0 0 0 *250",
                    "V:4.2.4/send-within-threshold process close"}},
    },
    {
        .id = "svcrdma-callback-as-long-call",
        .comment = "The same callback as a Long Call: worth a note, as the session has to permit "
                   "it.",
        .flags = "remarkable near-miss svcrdma-long-callback-inline",
        .near_miss = "4.2.4/send-within-threshold",
        .settings = "nfs reverse s2c:1024",
        .events = {{"> msg | " COMPOUND(2) PUTFH GETATTR, NULL},
                   {"< msg | " COMPOUND_DONE(2) PUTFH_DONE GETATTR_DONE, NULL},
                   {"< nomsg xid:2 read:0:0xa1/1040/0x1000",
                    "N:rfc8267/6.5.2/long-callback@12 process err-chunk"}},
    },
    {
        .id = "svcrdma-getattr-reply-of-1100-octets",
        .comment = "Attributes that nobody expected to be so long, inline, with no Reply chunk: "
                   "ERR_CHUNK was the way out.",
        .flags = "broken svcrdma-reply-above-threshold",
        .settings = "s2c:1024",
        .events = {{"> msg | " COMPOUND(2) PUTFH GETATTR, NULL},
                   {"< msg | " COMPOUND_DONE(2) PUTFH_DONE "9 0 1 4096 1000 *250",
                    "V:4.2.4/send-within-threshold process close"}},
    },
};

const struct vector_group field_bugs_linux_server = {
    GROUP("field-bugs-linux-server.json", vectors),
    .title = "Field bugs: the Linux server",
    .origin = "field-bug",
    .reference = "Linux net/sunrpc/xprtrdma/svc_rdma_*.c; each flag has its own link",
    .notes = notes,
    .note_count = COUNT(notes),
};
