// SPDX-License-Identifier: BSD-3-Clause
/*
 * Faults that the Linux client had, each as the exchange that shows it: what the client should not
 * have sent, or what a server sent that it should have survived.
 */
#include "vectors/make/vectors.h"

#define LINUX "https://git.kernel.org/linus/"
#define LORE "https://lore.kernel.org/r/"
#define CVE "https://www.cve.org/CVERecord?id="
#define REFUSED " err-chunk garbage-args"

/* NFS version 4: a COMPOUND of this many operations, 52 octets, and some. */
#define COMPOUND(count) "nfs4:1 0 1 " #count " "
#define COMPOUND_DONE(count) "accepted 0 0 " #count " "
#define PUTFH "22 4 0xf "
#define PUTFH_DONE "22 0 "
#define WRITE(count) "38 0 0 0 0 0 0 2 " #count " "
#define WRITE_DONE(count) "38 0 " #count " 2 0 0 "
#define GETATTR "9 1 24 "
#define GETATTR_DONE "9 0 1 24 16 0 7 0 5 "
/* A callback, of an XID; without arguments. */
#define CALLBACK(xid) #xid " 0 2 0x40000000 1 1 0 0 0 0"
/* NFS version 3: READ, WRITE with its data at Position 68, SYMLINK with its path at 84. */
#define READ3(count) "nfs3:6 4 0xf 0 0 " #count
#define READ3_DONE(count) "accepted 0 0 " #count " 1 " #count " "
#define WRITE3(count) "nfs3:7 4 0xf 0 0 " #count " 2 " #count
#define SYMLINK3(length) "nfs3:10 4 0xf 4 0x6c696e6b *6 " #length

static const struct note notes[] = {
    {"xprtrdma-header-size", "known-bug",
     "The estimate of a header's length forgot all lists but one: Sends came out longer than the "
     "inline threshold, with stale memory in them.",
     CVE "CVE-2022-0812 " LINUX "912288442cb2f431bf3c8cb097a5de83bc6dbac1"},
    {"xprtrdma-err-chunk-count", "known-bug",
     "ERR_CHUNK ended its RPC with a negative count of octets.",
     LINUX "7b2182ec381f8ea15c7eb1266d6b5d7da620ad93"},
    {"xprtrdma-no-back-channel", "known-bug",
     "A Call from the server crashed a client without a back channel.",
     CVE "CVE-2022-49321 " LINUX "11270e7ca268e8d61b5d9e5c3a54bd1550642c9c"},
    {"xprtrdma-runt", "known-bug",
     "A Send of 16 to 35 octets was looked at beyond its end to tell Call from Reply, and its "
     "Receive buffer never posted again.",
     LORE "20260604-xprtrdma-refcount-v1-5-f74553f461e9@oracle.com"},
    {"xprtrdma-getattr-in-chunk", "known-bug",
     "A GETATTR after a WRITE was put into the Read list at the Position of the data: one chunk "
     "with two items.",
     LINUX "677eb17e94edfbbea3b7e628d8aa046930f102c3"},
    {"xprtrdma-pad-left-out", "known-bug",
     "No fault: the client left padding out of Read chunks, as it should, but Solaris servers did "
     "not decode SYMLINK then.",
     LINUX "c95a3c6b88658bcb8f77f85f31a0b9d9036e8016 " LINUX "d5440e27d3e5"},
    {"xprtrdma-msgp", "known-bug", "RDMA_MSGP was still made after RFC 8166 had taken it away.",
     LINUX "b3221d6a53c44cd572a3a400abdd1e2a24bea587"},
    {"xprtrdma-credit-unchecked", "known-bug",
     "A grant of zero stopped the client for good, and later a grant was believed whatever it was.",
     LINUX "e7ce710a8802 " LINUX "eba8ff660b2d"},
    {"xprtrdma-receives-late", "known-bug",
     "When the first grant allowed many Calls the client sent them before it had posted Receives "
     "for their Replies.",
     LINUX "2ae50ad68cd7"},
    {"xprtrdma-page-base", "known-bug",
     "For data that do not begin on a page a segment described other memory than theirs.",
     LINUX "bd7ea31b9e8a342be76e0fe8d638343886c2d8c5"},
    {"xprtrdma-inline-despite-reply-chunk", "known-bug",
     "A Reply that came inline although a Reply chunk was offered crashed the client.",
     LINUX "15261b9126cd5bb2ad8521da49d8f5c042d904c7"},
    {"xprtrdma-room-for-padding", "known-bug",
     "Write chunks are offered with room for padding, which is better not done.",
     LINUX "21037b8c2258"},
};

static const struct vector vectors[] = {
    {
        .id = "xprtrdma-lists-push-over-threshold",
        .comment = "976 octets of payload would fit, but with the 52 of their header they do not.",
        .flags = "broken xprtrdma-header-size",
        .settings = "c2s:1024",
        .events = {{"> msg read:44:0xa1/8/0x1000 | call 8 *233",
                    "V:4.2.4/send-within-threshold process close"}},
    },
    {
        .id = "xprtrdma-lists-push-up-to-threshold",
        .comment = "One word less.",
        .flags = "conforming near-miss xprtrdma-header-size",
        .near_miss = "4.2.4/send-within-threshold",
        .settings = "c2s:1024",
        .events = {{"> msg read:44:0xa1/8/0x1000 | call 8 *232", NULL}},
    },
    {
        .id = "xprtrdma-all-lists-push-over-threshold",
        .comment = "A header of 136 octets with all three lists: to count one of them is not "
                   "enough.",
        .flags = "broken xprtrdma-header-size",
        .settings = "c2s:1024",
        .events = {{"> msg read:44:2*0xa1/8/0x1000 write:0xb1/64/0x3000,0xb2/64/0x3800 "
                    "reply:0xc1/4096/0x4000 | call 16 *220",
                    "V:4.2.4/send-within-threshold process close"}},
    },
    {
        .id = "xprtrdma-long-call-instead",
        .comment = "What is too long with its lists goes as a Long Call with them.",
        .flags = "conforming near-miss xprtrdma-header-size",
        .near_miss = "4.2.4/send-within-threshold 4.2.4/nomsg-holds-payload",
        .settings = "c2s:1024",
        .events = {{"> nomsg read:0:0xa0/976/0x8000 read:44:0xa1/8/0x1000", NULL}},
    },
    {
        .id = "xprtrdma-err-chunk-without-lists",
        .comment = "ERR_CHUNK for a Call without any chunk ends it all the same.",
        .flags = "conforming xprtrdma-err-chunk-count",
        .events = {{"> msg | call", NULL},
                   {"< error:chunk", "length:20 terminate"},
                   {"> msg xid:2 | call", NULL},
                   {"< msg xid:2 | accepted", NULL}},
    },
    {
        .id = "xprtrdma-err-chunk-for-read",
        .comment = "ERR_CHUNK for a Call that waits for data in a Write chunk.",
        .flags = "conforming xprtrdma-err-chunk-count",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/4096/0x3000 | " READ3(4096), NULL},
                   {"< error:chunk", "terminate"}},
    },
    {
        .id = "xprtrdma-callback-before-all",
        .comment = "A Call from the server on a fresh connection: nothing has told it that the "
                   "client takes any.",
        .flags = "broken xprtrdma-no-back-channel",
        .events = {{"< msg xid:9 | " CALLBACK(9),
                    "W:rfc8167/6/peer-prepared process discard close"}},
    },
    {
        .id = "xprtrdma-callback-without-back-channel",
        .comment = "A Call from the server to a client that takes none, here after NFS version 3: "
                   "ERR_CHUNK is a way to say so.",
        .flags = "conforming near-miss xprtrdma-no-back-channel",
        .near_miss = "rfc8167/6/peer-prepared 4.2.4/requester-sends-no-error",
        .events = {{"> msg | " READ3(4), NULL},
                   {"< msg | accepted 70 0", NULL},
                   {"< msg xid:9 | " CALLBACK(9), NULL},
                   {"> error:chunk xid:9", "terminate"}},
    },
    {
        .id = "xprtrdma-runts-of-16-octets",
        .comment = "Three Sends with the fixed words of an RDMA_MSG alone: each is dropped, and "
                   "its Receive is to be there again for the Reply.",
        .flags = "aftermath to-requester hostile xprtrdma-runt",
        .events = {{"> msg | call", NULL},
                   {"< msg cut:16", "V:4.5/minimal-header@16 length:- discard"},
                   {"< msg cut:16", "V:4.5/minimal-header@16 length:- discard"},
                   {"< msg cut:16", "V:4.5/minimal-header@16 length:- discard"},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "xprtrdma-msg-of-32-octets",
        .comment = "The XID of the RPC message is there, and not the word that tells Call from "
                   "Reply.",
        .flags = "broken to-requester hostile xprtrdma-runt",
        .events = {{"> msg | call", NULL},
                   {"< msg | accepted cut:32", "V:4/rpc-layout@32 process discard"}},
    },
    {
        .id = "xprtrdma-getattr-in-data-chunk",
        .comment = "Eight octets of data and the twelve of GETATTR under one Position: the chunk "
                   "is longer than its item by more than padding.",
        .flags = "broken xprtrdma-getattr-in-chunk",
        .settings = "nfs",
        .events = {{"> msg read:100:0xa1/8/0x1000,0xa2/12/0x2000 | " COMPOUND(3) PUTFH WRITE(8),
                    "V:3.4.5.2/padded-chunk-length@28" REFUSED}},
    },
    {
        .id = "xprtrdma-getattr-after-data-chunk",
        .comment = "As it should be: the data in the chunk, GETATTR inline after the length word.",
        .flags = "conforming near-miss xprtrdma-getattr-in-chunk",
        .near_miss = "3.4.5.2/padded-chunk-length 3.4.5/position-of-item 6.1/only-eligible-reduced",
        .settings = "nfs",
        .events = {{"> msg read:100:0xa1/8/0x1000 | " COMPOUND(3) PUTFH WRITE(8) GETATTR, NULL},
                   {"< rdma-read:0xa1:0x1000 | 1 2", ""},
                   {"< msg | " COMPOUND_DONE(3) PUTFH_DONE WRITE_DONE(8) GETATTR_DONE, NULL}},
    },
    {
        .id = "xprtrdma-symlink-without-padding",
        .comment = "A path of five octets in a chunk of five: right, and hard on old servers.",
        .flags = "conforming near-miss xprtrdma-pad-left-out",
        .near_miss = "3.4.5.2/padding-in-read-chunk 3.4.5.2/unpadded-chunk-length "
                     "3.4.5/position-of-item",
        .settings = "nfs",
        .events = {{"> msg read:84:0xa1/5/0x1000 | " SYMLINK3(5), NULL},
                   {"< rdma-read:0xa1:0x1000 | 0x2f746d70 0x2f000000 cut:5", ""}},
    },
    {
        .id = "xprtrdma-symlink-with-padding",
        .comment = "The same in a chunk of eight, for the sake of those servers: legal, and "
                   "better left.",
        .flags = "broken xprtrdma-pad-left-out",
        .settings = "nfs",
        .events = {{"> msg read:84:0xa1/8/0x1000 | " SYMLINK3(5),
                    "W:3.4.5.2/padding-in-read-chunk@28 process"}},
    },
    {
        .id = "xprtrdma-msgp-for-aligned-write",
        .comment = "An RDMA_MSGP to align the data of a WRITE on pages.",
        .flags = "broken legacy xprtrdma-msgp",
        .events = {{"> msgp | " WRITE3(8) " 1 2 @16=4096 @20=1024",
                    "V:4.6.1/msgp-not-sent@12 length:- err-chunk"},
                   {"< error:chunk", "terminate"}},
    },
    {
        .id = "xprtrdma-grant-of-zero",
        .comment = "The server grants nothing. A client that takes it for one goes on, and the "
                   "next Reply puts it right.",
        .flags = "aftermath xprtrdma-credit-unchecked",
        .events = {{"> msg | call", NULL},
                   {"< msg credit:0 | accepted", "V:3.3.1/grant-not-zero@8 process discard"},
                   {"> msg xid:2 | call", NULL},
                   {"< msg xid:2 credit:1 | accepted", NULL}},
    },
    {
        .id = "xprtrdma-grant-of-all-ones",
        .comment = "The server grants 4294967295: legal, and the client asks for 32 all the same.",
        .flags = "conforming near-miss hostile xprtrdma-credit-unchecked",
        .near_miss = "3.3.1/grant-not-zero",
        .events = {{"> msg | call", NULL},
                   {"< msg credit:0xffffffff | accepted", NULL},
                   {"> msg xid:2 | call", NULL},
                   {"< msg xid:2 credit:0xffffffff | accepted", NULL}},
    },
    {
        .id = "xprtrdma-seven-calls-upon-first-grant",
        .comment = "The first grant is 64: seven Calls go out at once, and seven Replies come "
                   "back at once.",
        .flags = "conforming near-miss xprtrdma-receives-late",
        .near_miss = "3.3.3/one-credit-at-first 3.3.1/calls-within-grant",
        .events = {{"> msg xid:1 credit:64 | call", NULL},
                   {"< msg xid:1 credit:64 | accepted", NULL},
                   {"> msg xid:2 credit:64 | call", NULL},
                   {"> msg xid:3 credit:64 | call", NULL},
                   {"> msg xid:4 credit:64 | call", NULL},
                   {"> msg xid:5 credit:64 | call", NULL},
                   {"> msg xid:6 credit:64 | call", NULL},
                   {"> msg xid:7 credit:64 | call", NULL},
                   {"> msg xid:8 credit:64 | call", NULL},
                   {"< msg xid:8 credit:64 | accepted", NULL},
                   {"< msg xid:7 credit:64 | accepted", NULL},
                   {"< msg xid:6 credit:64 | accepted", NULL},
                   {"< msg xid:5 credit:64 | accepted", NULL},
                   {"< msg xid:4 credit:64 | accepted", NULL},
                   {"< msg xid:3 credit:64 | accepted", NULL},
                   {"< msg xid:2 credit:64 | accepted", NULL}},
    },
    {
        .id = "xprtrdma-write-from-unaligned-address",
        .comment = "Data that begin at an odd address and end on the next page: what is pulled is "
                   "what the segments say, and only the client knows whether it is the data.",
        .flags = "conforming near-miss xprtrdma-page-base",
        .near_miss = "4.5.3/within-offered-memory",
        .settings = "nfs",
        .events = {{"> msg read:68:0xa1/5/0x1ffb,0xa2/3/0x2000 | " WRITE3(8), NULL},
                   {"< rdma-read:0xa1:0x1ffb | 0x01020304 0x05000000 cut:5", ""},
                   {"< rdma-read:0xa2:0x2000 | 0x06070800 cut:3", ""}},
    },
    {
        .id = "xprtrdma-pull-after-segment",
        .comment = "The server reads from the page's begin instead of where the segment says.",
        .flags = "broken xprtrdma-page-base",
        .settings = "nfs",
        .events = {{"> msg read:68:0xa1/8/0x1ffb | " WRITE3(8), NULL},
                   {"< rdma-read:0xa1:0x1000 | 1 2", "V:4.5.3/within-offered-memory"}},
    },
    {
        .id = "xprtrdma-acl-inline-despite-reply-chunk",
        .comment = "A Reply chunk was offered for a list of unknown length; the list is short and "
                   "comes inline, the Reply chunk unused.",
        .flags = "conforming near-miss xprtrdma-inline-despite-reply-chunk",
        .near_miss = "4.3.3/reply-chunk-copied 4.3.3/short-reply-leaves-chunk-unused "
                     "3.5.3/reply-chunk-used",
        .settings = "nfs s2c:1024",
        .events = {{"> msg reply:0xc1/65536/0x4000 | " COMPOUND(2) PUTFH "9 1 4096", NULL},
                   {"< msg reply:0xc1/0/0x4000 | " COMPOUND_DONE(2) PUTFH_DONE "9 0 1 4096 4 0",
                    NULL}},
    },
    {
        .id = "xprtrdma-read-with-room-for-padding",
        .comment = "READ of five octets, and a Write chunk of five and three. The Reply returns "
                   "five.",
        .flags = "aftermath xprtrdma-room-for-padding",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/5/0x3000,0xb2/3/0x3800 | " READ3(5),
                    "W:3.4.6.2/room-for-padding@32 process"},
                   {"< msg write:0xb1/5/0x3000,0xb2/0/0x3800 | " READ3_DONE(5), NULL}},
    },
    {
        .id = "xprtrdma-read-without-room-for-padding",
        .comment = "READ of five octets, and a Write chunk of five.",
        .flags = "conforming near-miss xprtrdma-room-for-padding",
        .near_miss = "3.4.6.2/room-for-padding 3.4.6/room-for-largest-result",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/5/0x3000 | " READ3(5), NULL},
                   {"< msg write:0xb1/5/0x3000 | " READ3_DONE(5), NULL}},
    },
};

const struct vector_group field_bugs_linux_client = {
    GROUP("field-bugs-linux-client.json", vectors),
    .title = "Field bugs: the Linux client",
    .origin = "field-bug",
    .reference = "Linux net/sunrpc/xprtrdma; each flag has its own link",
    .notes = notes,
    .note_count = COUNT(notes),
};
