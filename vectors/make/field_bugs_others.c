// SPDX-License-Identifier: BSD-3-Clause
/*
 * Faults of ntirpc and nfs-ganesha, libevpl and chimera, Wireshark's dissector, and Solaris, each
 * as the exchange that shows it.
 */
#include "vectors/make/vectors.h"

#define NTIRPC "https://github.com/nfs-ganesha/ntirpc/pull/"
#define NTIRPC_COMMIT "https://github.com/nfs-ganesha/ntirpc/commit/"
#define GANESHA "https://github.com/nfs-ganesha/nfs-ganesha/issues/"
#define EVPL "https://github.com/chimera-nas/libevpl/issues/"
#define XDRZCC "https://github.com/chimera-nas/xdrzcc/issues/"
#define CHIMERA "https://github.com/chimera-nas/chimera/issues/"
#define WIRESHARK "https://gitlab.com/wireshark/wireshark/-/"
#define WIRESHARK_BUG "https://bugs.wireshark.org/bugzilla/show_bug.cgi?id="
#define CVE "https://www.cve.org/CVERecord?id="
#define REFUSED " err-chunk garbage-args"

/* NFS version 4: a COMPOUND of this many operations, 52 octets, and some. */
#define COMPOUND(count) "nfs4:1 0 1 " #count " "
#define COMPOUND_DONE(count) "accepted 0 0 " #count " "
#define PUTFH "22 4 0xf "
#define PUTFH_DONE "22 0 "
#define READ(count) "25 0 0 0 0 0 0 " #count " "
#define WRITE(count) "38 0 0 0 0 0 0 2 " #count " "
#define WRITE_DONE(count) "38 0 " #count " 2 0 0 "
#define GETATTR "9 1 24 "
#define GETATTR_DONE "9 0 1 24 16 0 7 0 5 "
/* Attributes of a session's channel, CREATE_SESSION that asks for a back channel, SEQUENCE. */
#define CHANNEL "0 4096 4096 4096 8 32 0 "
#define CREATE_SESSION "43 0 1 1 2 " CHANNEL CHANNEL "0x40000000 1 0 "
#define CREATE_SESSION_DONE "43 0 1 2 3 4 1 2 " CHANNEL CHANNEL
#define SEQUENCE "53 1 2 3 4 1 0 0 1 "
#define SEQUENCE_DONE "53 0 1 2 3 4 1 0 0 0 0 "
/* NFS version 3: READ, and WRITE with its data at Position 68. */
#define READ3(count) "nfs3:6 4 0xf 0 0 " #count
#define READ3_DONE(count) "accepted 0 0 " #count " 1 " #count " "
#define WRITE3(count) "nfs3:7 4 0xf 0 0 " #count " 2 " #count
#define ONE_WRITE                                                                                  \
    {                                                                                              \
        "> msg write:0xb1/64/0x3000 | call", NULL                                                  \
    }
#define CALL                                                                                       \
    {                                                                                              \
        "> msg | call", NULL                                                                       \
    }

static const struct note notes[] = {
    {"ntirpc-length-asserted", "known-bug",
     "An assertion compared the length of a peer's segment with the own send buffer: one Call "
     "ended "
     "the daemon.",
     NTIRPC "390"},
    {"ntirpc-inline-write", "known-bug",
     "An inline WRITE wrote more than its data and left the decoder at the wrong place.",
     NTIRPC "387"},
    {"ntirpc-unbounded-lists", "known-bug",
     "Lists were followed beyond the end of the message, and no length was tested before.",
     NTIRPC "364"},
    {"ntirpc-second-write-chunk", "known-bug",
     "A second Write chunk was taken for the Reply chunk.",
     NTIRPC "296 " NTIRPC "303 " NTIRPC "314"},
    {"ntirpc-no-back-channel", "known-bug", "There was no back channel over RDMA.",
     NTIRPC "353 " NTIRPC "358"},
    {"ntirpc-foreign-xid", "known-bug", "The XID of a Reply was taken from another Call's buffer.",
     NTIRPC_COMMIT "82be738a2c27"},
    {"ntirpc-errors-unreported", "known-bug",
     "Neither an unknown version nor an unknown procedure was answered.", NTIRPC_COMMIT "633d9f74"},
    {"ntirpc-chunk-not-pulled", "known-bug",
     "The Read chunk of an NFS version 3 WRITE was never pulled: the client hung.",
     GANESHA "672 " GANESHA "358"},
    {"evpl-length-counted-twice", "known-bug",
     "An optional Reply chunk was counted twice in the length of the header: 68 octets were sent "
     "for one of 48.",
     XDRZCC "10 " EVPL "95 " CHIMERA "641"},
    {"evpl-returned-lengths", "known-bug",
     "The lengths of returned Write chunks were ignored, unused ones not known, and no Reply chunk "
     "was ever offered.",
     EVPL "124"},
    {"evpl-no-errors", "known-bug",
     "RDMA_ERROR was neither sent nor understood, and the version never looked at.",
     "https://github.com/chimera-nas/libevpl/commit/6e789e77b49c"},
    {"evpl-grant-unset", "known-bug", "The credit word of Replies was never set: it was zero.",
     EVPL "76"},
    {"evpl-grant-echoed", "known-bug", "Whatever is asked for is granted.", CHIMERA "1405"},
    {"evpl-stray-reply", "known-bug",
     "A Reply that no Call waited for closed the connection, a malformed one ended the program.",
     EVPL "53 " EVPL "79"},
    {"evpl-count-times-size", "known-bug",
     "Counts times sizes were cut to 32 bits; enums and presence words took any value.",
     EVPL "111 " XDRZCC "12 " XDRZCC "14"},
    {"evpl-record-mark", "known-bug",
     "A Reply from the cache of a session was thought to begin with the record mark of TCP.",
     CHIMERA "1368 " CHIMERA "1618 " EVPL "149"},
    {"evpl-reply-chunk-too-soon", "known-bug",
     "Whether a Reply went through the Reply chunk was settled before its results had left it.",
     EVPL "105"},
    {"evpl-sixteen-segments", "known-bug", "A chunk of more than 16 segments ended the program.",
     "https://github.com/chimera-nas/libevpl"},
    {"wireshark-offset-loop", "known-bug",
     "The dissector of chunk lists ran on beyond the largest offset, for ever.",
     CVE "CVE-2017-7705 " WIRESHARK_BUG "13558"},
    {"wireshark-count-loop", "known-bug", "Counts of segments wrapped, and a loop did not end.",
     CVE "CVE-2018-7333 " WIRESHARK_BUG "14449"},
    {"wireshark-over-read", "known-bug", "A truncated header was read beyond its end.",
     CVE "CVE-2023-1992 " WIRESHARK
         "issues/18852 https://www.wireshark.org/security/wnpa-sec-2023-09"},
    {"wireshark-probe", "known-bug",
     "The words of a header were probed for where fewer than 16 octets were there.",
     WIRESHARK "merge_requests/980"},
    {"where-the-padding-is", "known-bug",
     "Implementers disagreed where the padding of a reduced item is when more follows inline, "
     "which led to text in RFC 8166.",
     "https://mailarchive.ietf.org/arch/msg/nfsv4/svHspa5hPVQaV3s_HA4T7jZ1eHM"},
};

static const struct vector vectors[] = {
    /* ---- ntirpc ---- */
    {
        .id = "ntirpc-reply-chunk-of-1052672-octets",
        .comment = "A Reply chunk of 1 MiB and a page: chunks may have any length.",
        .flags = "conforming ntirpc-length-asserted",
        .events = {{"> msg reply:0xc1/0x101000/0x4000 | call", NULL},
                   {"< nomsg reply:0xc1/4096/0x4000", NULL}},
    },
    {
        .id = "ntirpc-write-chunk-of-1052672-octets",
        .comment = "The same length in a Write chunk.",
        .flags = "conforming ntirpc-length-asserted",
        .events = {{"> msg write:0xb1/0x101000/0x3000 | call", NULL},
                   {"< msg write:0xb1/0/0x3000 | accepted 0", NULL}},
    },
    {
        .id = "ntirpc-write-of-100-octets-inline",
        .comment = "The data of a WRITE stay inline, as they may, and a GETATTR follows.",
        .flags = "conforming near-miss ntirpc-inline-write",
        .near_miss = "4.3.1/reduced-item-left-out",
        .settings = "nfs",
        .events = {{"> msg | " COMPOUND(3) PUTFH WRITE(100) "*25 " GETATTR, NULL},
                   {"< msg | " COMPOUND_DONE(3) PUTFH_DONE WRITE_DONE(100) GETATTR_DONE, NULL}},
    },
    {
        .id = "ntirpc-read-list-announces-more",
        .comment = "The word after the only entry says that another one follows, and the Send "
                   "ends.",
        .flags = "broken hostile ntirpc-unbounded-lists",
        .events = {{"> msg read:44:0xa1/8/0x1000 @40=1 cut:44",
                    "V:4/xdr-encoded@44 length:- err-chunk"}},
    },
    {
        .id = "ntirpc-send-of-12-octets",
        .comment = "XID, version and credits, and no more.",
        .flags = "broken hostile ntirpc-unbounded-lists",
        .events = {{"> msg cut:12", "V:4.5/minimal-header@12 length:- discard"}},
    },
    {
        .id = "ntirpc-two-write-chunks",
        .comment = "Two Write chunks and no Reply chunk; each comes back in its place.",
        .flags = "conforming near-miss ntirpc-second-write-chunk",
        .near_miss = "3.4.6/segment-count-copied 3.4.3/memory-from-requester",
        .events = {{"> msg write:0xb1/64/0x3000,0xb2/64/0x3800 write:0xb3/64/0x5000 | call", NULL},
                   {"< msg write:0xb1/64/0x3000,0xb2/8/0x3800 write:0xb3/4/0x5000 | accepted 72 4",
                    NULL}},
    },
    {
        .id = "ntirpc-second-write-chunk-as-reply-chunk",
        .comment = "The second Write chunk comes back as a Reply chunk.",
        .flags = "two-rules to-requester ntirpc-second-write-chunk",
        .events = {{"> msg write:0xb1/64/0x3000 write:0xb2/64/0x3800 | call", NULL},
                   {"< msg write:0xb1/8/0x3000 reply:0xb2/0/0x3800 | accepted 8",
                    "V:3.4.6/segment-count-copied@20 V:3.4.3/memory-from-requester@48 discard"}},
    },
    {
        .id = "ntirpc-back-channel-on-connection",
        .comment = "CREATE_SESSION asks for a back channel on this connection, and the server "
                   "makes a callback.",
        .flags = "conforming near-miss ntirpc-no-back-channel",
        .near_miss = "rfc8167/6/peer-prepared 2.2.2/xid-unique",
        .settings = "nfs reverse",
        .events = {{"> msg | " COMPOUND(1) CREATE_SESSION, NULL},
                   {"< msg | " COMPOUND_DONE(1) CREATE_SESSION_DONE, NULL},
                   {"< msg xid:1 | 1 0 2 0x40000000 1 0 0 0 0 0", NULL},
                   {"> msg xid:1 | accepted", NULL}},
    },
    {
        .id = "ntirpc-reply-with-xid-of-another-call",
        .comment = "Two Calls wait. The Reply to the first has the XID of the second in its RPC "
                   "message.",
        .flags = "broken two-readings ntirpc-foreign-xid",
        .events = {{"> msg xid:1 | call", NULL},
                   {"< msg xid:1 | accepted", NULL},
                   {"> msg xid:2 | call", NULL},
                   {"> msg xid:3 | call", NULL},
                   {"< msg xid:2 | accepted:3", "V:4.2.1/xid-equal@28 process discard"}},
    },
    {
        .id = "ntirpc-replies-to-two-calls",
        .comment = "Two Calls wait, and are answered the other way round.",
        .flags = "conforming near-miss ntirpc-foreign-xid",
        .near_miss = "4.2.1/xid-equal 2.2.2/reply-matches-call 2.2.2/xid-unique",
        .events = {{"> msg xid:1 | call", NULL},
                   {"< msg xid:1 | accepted", NULL},
                   {"> msg xid:2 | call", NULL},
                   {"> msg xid:3 | call", NULL},
                   {"< msg xid:3 | accepted", NULL},
                   {"< msg xid:2 | accepted", NULL}},
    },
    {
        .id = "ntirpc-version-two",
        .comment = "Version 2 is answered by ERR_VERS.",
        .flags = "aftermath ntirpc-errors-unreported",
        .events = {{"> msg vers:2 | call", "N:7/later-version-offered@4 length:- err-vers"},
                   {"< error:vers:1:1 vers:2", "terminate"}},
    },
    {
        .id = "ntirpc-procedure-nine",
        .comment = "Procedure 9 is answered by ERR_CHUNK.",
        .flags = "aftermath ntirpc-errors-unreported",
        .events = {{"> msg @12=9 | call", "V:4.5.2/procedure-defined@12 length:- err-chunk"},
                   {"< error:chunk", "terminate"}},
    },
    {
        .id = "ntirpc-write-of-2048-octets-in-chunk",
        .comment = "The server pulls the data and answers.",
        .flags = "conforming near-miss ntirpc-chunk-not-pulled",
        .near_miss = "4.5.3/within-offered-memory 3.4.5.1/reads-before-reply",
        .settings = "nfs",
        .events = {{"> msg read:68:0xa1/2048/0x1000 | " WRITE3(2048), NULL},
                   {"< rdma-read:0xa1:0x1000 | *512", ""},
                   {"< msg | accepted 0 0 0 2048 2 0 0", NULL}},
    },
    /* ---- libevpl ---- */
    {
        .id = "evpl-header-of-48-octets",
        .comment = "A Reply chunk of one segment makes a header of 48 octets, and the RPC message "
                   "begins right after it.",
        .flags = "conforming near-miss evpl-length-counted-twice",
        .near_miss = "4.2.1/xid-equal 4/rpc-layout",
        .events = {{"> msg reply:0xc1/4096/0x4000 | call", "length:48 process"}},
    },
    {
        .id = "evpl-header-of-68-octets",
        .comment = "Twenty octets of stale memory are between the header of 48 octets and the "
                   "RPC message, which is looked for where they are.",
        .flags = "two-rules evpl-length-counted-twice",
        .events = {{"> msg reply:0xc1/4096/0x4000 | 0xc1c1c1c1 0xc1c1c1c1 0xc1c1c1c1 0xc1c1c1c1 "
                    "0xc1c1c1c1 call",
                    "V:4.2.1/xid-equal@48 V:2.2.2/message-type@52 length:48 discard err-chunk"}},
    },
    {
        .id = "evpl-read-at-end-of-file",
        .comment = "READ of 4096 octets brings 10: the returned length says so.",
        .flags = "conforming near-miss evpl-returned-lengths",
        .near_miss = "3.4.6.2/returned-length-is-item-length 3.4.6/returned-length-within-offer",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/4096/0x3000 | " READ3(4096), NULL},
                   {"< msg write:0xb1/10/0x3000 | " READ3_DONE(10), NULL}},
    },
    {
        .id = "evpl-failed-read",
        .comment = "READ fails, and its chunk comes back with segments of no octets. RFC 8267 has "
                   "it empty; either is to be understood.",
        .flags = "remarkable evpl-returned-lengths",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/64/0x3000,0xb2/64/0x3800 | " COMPOUND(2) PUTFH READ(128),
                    NULL},
                   {"< msg write:0xb1/0/0x3000,0xb2/0/0x3800 | accepted 13 0 2 22 0 25 13",
                    "N:rfc8267/6.4.1/failed-read-unused@24 process"}},
    },
    {
        .id = "evpl-failed-read-empty",
        .comment = "READ fails, and its chunk comes back without segments.",
        .flags = "remarkable evpl-returned-lengths",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/64/0x3000,0xb2/64/0x3800 | " COMPOUND(2) PUTFH READ(128),
                    NULL},
                   {"< msg write: | accepted 13 0 2 22 0 25 13",
                    "N:rfc8267/6.4.1/failed-read-empty@24 process"}},
    },
    {
        .id = "evpl-reply-through-chunk",
        .comment = "A directory of 2048 octets comes through the Reply chunk that was offered.",
        .flags = "conforming evpl-returned-lengths",
        .events = {{"> msg reply:0xc1/4096/0x4000 | call", NULL},
                   {"< rdma-write:0xc1:0x4000 | accepted *506", ""},
                   {"< nomsg reply:0xc1/2048/0x4000", NULL}},
    },
    {
        .id = "evpl-reply-chunk-one-octet-short",
        .comment = "The Reply has 2048 octets, its chunk 2047: the Responder says ERR_CHUNK.",
        .flags = "conforming evpl-returned-lengths",
        .events = {{"> msg reply:0xc1/2047/0x4000 | call", NULL}, {"< error:chunk", "terminate"}},
    },
    {
        .id = "evpl-reply-cut-to-its-chunk",
        .comment = "The same Reply with its last octet left out.",
        .flags = "broken to-requester evpl-returned-lengths",
        .events = {{"> msg reply:0xc1/2047/0x4000 | call", NULL},
                   {"< nomsg reply:0xc1/2047/0x4000",
                    "V:3.5.3/special-chunk-whole-words@36 process discard"}},
    },
    {
        .id = "evpl-version-seven",
        .comment = "Version 7 is answered by ERR_VERS.",
        .flags = "aftermath evpl-no-errors",
        .events = {{"> msg vers:7 | call", "V:4.2.2/version-one@4 length:- err-vers"},
                   {"< error:vers:1:1 vers:7", "terminate"}},
    },
    {
        .id = "evpl-version-seven-accepted",
        .comment = "Version 7 is taken for version 1, and served.",
        .flags = "aftermath to-requester evpl-no-errors",
        .events = {{"> msg vers:7 | call", "V:4.2.2/version-one@4 length:- err-vers"},
                   {"< msg | accepted", "V:4.5.1/unsupported-version-answered@4 discard"}},
    },
    {
        .id = "evpl-replies-grant-nothing",
        .comment = "No Reply grants a credit. The client has one Call in flight at a time.",
        .flags = "aftermath evpl-grant-unset",
        .events = {CALL,
                   {"< msg credit:0 | accepted", "V:3.3.1/grant-not-zero@8 process discard"},
                   {"> msg xid:2 | call", NULL},
                   {"< msg xid:2 credit:0 | accepted", "V:3.3.1/grant-not-zero@8 process discard"}},
    },
    {
        .id = "evpl-grant-of-all-ones",
        .comment = "4294967295 credits are asked for, and granted. Whether there are Receives for "
                   "them only the load shows.",
        .flags = "conforming hostile evpl-grant-echoed",
        .events = {{"> msg credit:0xffffffff | call", NULL},
                   {"< msg credit:0xffffffff | accepted", NULL}},
    },
    {
        .id = "evpl-reply-without-call",
        .comment = "A Reply with an XID that nobody uses is dropped; the right one comes after it.",
        .flags = "aftermath to-requester evpl-stray-reply",
        .events = {CALL,
                   {"< msg xid:77 | accepted", "V:2.2.2/reply-matches-call@0 discard"},
                   {"< msg | accepted", NULL}},
    },
    {
        .id = "evpl-reply-twice",
        .comment = "The second Reply to one Call is dropped, and the connection kept.",
        .flags = "aftermath to-requester evpl-stray-reply",
        .events = {CALL,
                   {"< msg | accepted", NULL},
                   {"< msg | accepted", "V:2.2.2/reply-matches-call@0 discard"},
                   {"> msg xid:2 | call", NULL},
                   {"< msg xid:2 | accepted", NULL}},
    },
    {
        .id = "evpl-reply-truncated",
        .comment = "A Reply that ends inside its Write list is dropped; the whole one comes after "
                   "it.",
        .flags = "aftermath to-requester hostile evpl-stray-reply",
        .events = {ONE_WRITE,
                   {"< msg write:0xb1/8/0x3000 cut:36", "V:4/xdr-encoded@24 length:- discard"},
                   {"< msg write:0xb1/8/0x3000 | accepted 8", NULL}},
    },
    {
        .id = "evpl-segment-count-of-28-bits",
        .comment = "268435456 segments times 16 octets wrap to 0 in 32 bits.",
        .flags = "broken hostile evpl-count-times-size",
        .events = {{"> msg write:0xb1/64/0x3000 | call @24=0x10000000",
                    "V:4/xdr-encoded@24 length:- err-chunk"}},
    },
    {
        .id = "evpl-presence-of-two",
        .comment = "The word that ends the Write list is 2.",
        .flags = "broken evpl-count-times-size",
        .events = {{"> msg write:0xb1/64/0x3000 | call @44=2",
                    "V:4/xdr-encoded@44 length:- err-chunk"}},
    },
    {
        .id = "evpl-cached-reply-with-record-mark",
        .comment = "The record mark of TCP stands before the RPC message, whose words are then "
                   "all read one too early.",
        .flags = "two-rules to-requester evpl-record-mark",
        .events = {{"> msg | call", NULL},
                   {"< msg | 0x80000018 accepted",
                    "V:4.2.1/xid-equal@28 V:2.2.2/message-type@32 discard"}},
    },
    {
        .id = "evpl-cached-reply",
        .comment = "A COMPOUND with the sequence number of the one before is answered from the "
                   "cache, under its own XID.",
        .flags = "conforming near-miss evpl-record-mark",
        .near_miss = "4.2.1/xid-equal 2.2.2/message-type 2.2.2/xid-unique",
        .settings = "nfs",
        .events = {{"> msg xid:1 | " COMPOUND(2) SEQUENCE PUTFH, NULL},
                   {"< msg xid:1 | " COMPOUND_DONE(2) SEQUENCE_DONE PUTFH_DONE, NULL},
                   {"> msg xid:2 | " COMPOUND(2) SEQUENCE PUTFH, NULL},
                   {"< msg xid:2 | " COMPOUND_DONE(2) SEQUENCE_DONE PUTFH_DONE, NULL}},
    },
    {
        .id = "evpl-reduced-reply-inline",
        .comment = "Without its data the Reply to a READ is short: inline, the Reply chunk unused.",
        .flags = "conforming near-miss evpl-reply-chunk-too-soon",
        .near_miss = "4.3.3/short-reply-leaves-chunk-unused 4.3.3/reply-chunk-copied",
        .settings = "nfs s2c:1024",
        .events = {{"> msg write:0xb1/4096/0x3000 reply:0xc1/8192/0x4000 | " READ3(4096), NULL},
                   {"< msg write:0xb1/4096/0x3000 reply:0xc1/0/0x4000 | " READ3_DONE(4096), NULL}},
    },
    {
        .id = "evpl-reduced-reply-through-chunk",
        .comment = "The same through the Reply chunk: a detour, but a legal one.",
        .flags = "conforming evpl-reply-chunk-too-soon",
        .settings = "nfs s2c:1024",
        .events = {{"> msg write:0xb1/4096/0x3000 reply:0xc1/8192/0x4000 | " READ3(4096), NULL},
                   {"< rdma-write:0xc1:0x4000 | " READ3_DONE(4096), ""},
                   {"< nomsg write:0xb1/4096/0x3000 reply:0xc1/44/0x4000", NULL}},
    },
    {
        .id = "evpl-seventeen-segments",
        .comment = "Seventeen segments in a Write chunk; nothing in RFC 8166 limits them.",
        .flags = "conforming hostile evpl-sixteen-segments",
        .events = {{"> msg write:17*0xb1/64/0x3000 | call", NULL},
                   {"< msg write:17*0xb1/64/0x3000 | accepted 1088", NULL}},
    },
    {
        .id = "evpl-seventeen-segments-for-nfs",
        .comment = "For NFS version 4 a server need not take more than sixteen from a client that "
                   "does not know it.",
        .flags = "remarkable hostile evpl-sixteen-segments",
        .settings = "nfs",
        .events = {{"> msg write:17*0xb1/64/0x3000 | " COMPOUND(2) PUTFH READ(1088),
                    "N:rfc8267/6.4.2/sixteen-segments@24 process" REFUSED}},
    },
    {
        .id = "evpl-sixteen-segments-for-nfs",
        .comment = "Sixteen are simple.",
        .flags = "conforming near-miss evpl-sixteen-segments",
        .near_miss = "rfc8267/6.4.2/sixteen-segments",
        .settings = "nfs",
        .events = {{"> msg write:16*0xb1/64/0x3000 | " COMPOUND(2) PUTFH READ(1024), NULL}},
    },
    /* ---- Wireshark ---- */
    {
        .id = "wireshark-write-list-runs-out",
        .comment = "Sixty-four segments are counted, three are there, and the Send ends.",
        .flags = "broken hostile wireshark-offset-loop",
        .events = {{"> msg write:3*0xb1/64/0x3000 @24=64 cut:76",
                    "V:4/xdr-encoded@24 length:- err-chunk"}},
    },
    {
        .id = "wireshark-segment-count-of-28-bits",
        .comment = "4026531841 segments: times 16 that is 16 in 32 bits.",
        .flags = "broken hostile wireshark-count-loop",
        .events = {{"> msg reply:0xc1/4096/0x4000 | call @28=0xf0000001",
                    "V:4/xdr-encoded@28 length:- err-chunk"}},
    },
    {
        .id = "wireshark-header-ends-in-read-entry",
        .comment = "The Send ends after the Position of the first entry.",
        .flags = "broken hostile wireshark-over-read",
        .events = {{"> msg read:44:0xa1/8/0x1000 @8=1 cut:30",
                    "V:4/xdr-encoded@28 length:- err-chunk"}},
    },
    {
        .id = "wireshark-send-of-8-octets",
        .comment = "XID and version: fewer octets than a probe for a header wants.",
        .flags = "broken hostile wireshark-probe",
        .events = {{"> msg cut:8", "V:4.5/minimal-header@8 length:- discard"}},
    },
    /* ---- padding ---- */
    {
        .id = "padding-left-out",
        .comment = "WRITE of five octets and GETATTR: the padding is nowhere, as it should be.",
        .flags = "conforming near-miss where-the-padding-is",
        .near_miss = "3.4.4.4/payload-whole-words 3.4.5.2/padding-in-read-chunk",
        .settings = "nfs",
        .events = {{"> msg read:88:0xa1/5/0x1000 | " COMPOUND(2) WRITE(5) GETATTR, NULL}},
    },
    {
        .id = "padding-in-chunk",
        .comment = "The same with the padding in the chunk, which is allowed.",
        .flags = "broken where-the-padding-is",
        .settings = "nfs",
        .events = {{"> msg read:88:0xa1/8/0x1000 | " COMPOUND(2) WRITE(5) GETATTR,
                    "W:3.4.5.2/padding-in-read-chunk@28 process"}},
    },
    {
        .id = "padding-inline",
        .comment = "The same with the padding inline, where its item is not: what follows no "
                   "longer lies on words.",
        .flags = "broken where-the-padding-is",
        .settings = "nfs",
        .events = {{"> msg read:88:0xa1/5/0x1000 | " COMPOUND(2) WRITE(5) "+3 " GETATTR,
                    "V:3.4.4.4/payload-whole-words@52 process discard err-chunk garbage-args"}},
    },
};

const struct vector_group field_bugs_others = {
    GROUP("field-bugs-others.json", vectors),
    .title = "Field bugs: ntirpc and nfs-ganesha, libevpl and chimera, Wireshark, Solaris",
    .origin = "field-bug",
    .reference = "Public reports; each flag has its own link",
    .notes = notes,
    .note_count = COUNT(notes),
};
