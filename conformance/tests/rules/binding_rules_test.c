// SPDX-License-Identifier: BSD-3-Clause
/* The rules of binding scope: each broken once, and nearly broken, by Calls and Replies of NFS. */
#include "conformance/tests/support/play.h"
#include "conformance/tests/support/translate.h"

#include <rpcrdma/binding.h>

/* An RPC Call of 40 octets; and what a Reply begins with, which has 24. */
/* WRITE of 8 octets under RPCSEC_GSS. */
#define GSS_WRITE3(service) "7 0 2 100003 3 7 6 20 1 0 1 " service " 0 0 0 4 0xf 0 0 8 0 8 "
#define NFS2(proc) "7 0 2 100003 2 " proc " 0 0 0 0 "
#define NFS3(proc) "7 0 2 100003 3 " proc " 0 0 0 0 "
#define NFS4 "7 0 2 100003 4 1 0 0 0 0 "
#define NFSACL "7 0 2 100227 3 2 0 0 0 0 "
#define DONE "7 1 0 0 0 0 "

/* WRITE: the data begin at Position 68. */
#define WRITE3(count) NFS3("7") "4 0xf 0 0 " count " 0 " count " "
#define READ3(count) NFS3("6") "4 0xf 0 0 " count
#define READLINK3 NFS3("5") "4 0xf"
#define LOOKUP3 NFS3("3") "4 0xf 4 0x61626364"
#define READDIR3(count) NFS3("16") "4 0xf *4 " count
#define READDIRPLUS3(dircount, maxcount) NFS3("17") "4 0xf *4 " dircount " " maxcount
#define READ3_DONE(count) DONE "0 0 " count " 1 " count " "
#define READLINK3_DONE(count) DONE "0 0 " count " "

/* COMPOUND of a minor version; READ has 28 octets after its number. */
#define COMPOUND(minor, count) NFS4 "0 " minor " " count " "
#define PUTFH4 "22 4 0xf "
#define READ4(count) "25 0 0 0 0 0 0 " count " "
#define READDIR4(maxcount) "26 *4 64 " maxcount " 0 "
#define READ_PLUS4(count) "68 *6 " count " "
#define GETATTR4 "9 2 0 0 "
/* WRITE: alone in a COMPOUND the data begin at Position 88. */
#define WRITE4(count) "38 5 0 0 0 0 0 0 " count " "
#define COMPOUND_DONE(status, count) DONE status " 0 " count " "
#define PUTFH4_DONE "22 0 "
#define READ4_DONE(count) "25 0 1 " count " "

/* Transport headers: no chunks, a Read chunk, a Write chunk of one segment, several. */
#define CALL "> 7 1 32 0 none "
#define REPLY "< 7 1 32 0 none "
#define READS(position, length) "> 7 1 32 0 1 " position " 0xa " length " 0 0 0 0 0 "
#define TWO_READS(position, length, other, more)                                                   \
    "> 7 1 32 0 1 " position " 0xa " length " 0 0 1 " other " 0xb " more " 0 0 0 0 0 "
#define THREE_READS "> 7 1 32 0 1 88 0xa 5 0 0 1 132 0xb 4 0 0 1 172 0xc 4 0 0 0 0 0 "
#define SEGMENT(length) "0xa " length " 0 0 "
#define WRITES "7 1 32 0 0 "
#define ONE(length) "1 1 " SEGMENT(length)
#define OTHER(length) "1 1 0xb " length " 0 0 "
#define END "0 0 "
#define SEVEN(text) text text text text text text text
#define NINE(text) SEVEN(text) text text

#define NFS                                                                                        \
    {                                                                                              \
        .bindings = rpcrdma_bindings                                                               \
    }
#define NFS_1024                                                                                   \
    {                                                                                              \
        .max_calls = 4, .max_segments = 16, .inline_threshold = {1024, 1024},                      \
        .bindings = rpcrdma_bindings                                                               \
    }

static const struct play_row rows[] = {
    /* ---- Positions ---- */
    {"V 3.4.5/position-of-item @20 -> err-chunk,garbage-args",
     {READS("64", "8") WRITE3("8"), "= the item is not at Position 64, but at 68"},
     {READS("68", "8") WRITE3("8")},
     NULL,
     NFS},
    {"V 3.4.5/position-of-item @20 -> err-chunk,garbage-args",
     {READS("60", "8") WRITE3("8"), "= the item is not at Position 60, but at 68"},
     {READS("68", "8") WRITE3("8")},
     NULL,
     NFS},
    {"V 3.4.5/position-of-item @20 -> err-chunk,garbage-args",
     {READS("84", "8") COMPOUND("1", "1") WRITE4("8")},
     {READS("88", "8") COMPOUND("1", "1") WRITE4("8")},
     NULL,
     NFS},
    /* Up to two words away, where what follows is taken for the item. */
    {"V 3.4.5/position-of-item @20 -> err-chunk,garbage-args",
     {READS("80", "8") COMPOUND("1", "2") WRITE4("8") GETATTR4,
      "= the item is not at Position 80, but at 88"},
     {READS("88", "8") COMPOUND("1", "2") WRITE4("8") GETATTR4},
     NULL,
     NFS},
    {"V 3.4.5/position-of-item @20 -> err-chunk,garbage-args",
     {READS("84", "8") COMPOUND("1", "2") WRITE4("8") GETATTR4,
      "= the item is not at Position 84, but at 88"},
     {READS("88", "8") COMPOUND("1", "2") WRITE4("8") GETATTR4},
     NULL,
     NFS},
    {"V 3.4.5/position-of-item @20 -> err-chunk,garbage-args",
     {READS("92", "8") COMPOUND("1", "2") WRITE4("8") GETATTR4,
      "= the item is not at Position 92, but at 88"},
     {READS("88", "8") COMPOUND("1", "2") WRITE4("8") GETATTR4},
     NULL,
     NFS},
    {"V 3.4.5/position-of-item @20 -> err-chunk,garbage-args",
     {READS("96", "8") COMPOUND("1", "2") WRITE4("8") GETATTR4,
      "= the item is not at Position 96, but at 88"},
     {READS("88", "8") COMPOUND("1", "2") WRITE4("8") GETATTR4},
     NULL,
     NFS},
    /* The item is inline, and the Read chunk elsewhere. */
    {"V 3.4.5/position-of-item @20 -> err-chunk,garbage-args",
     {READS("76", "8") WRITE3("8") "1 2", "= no eligible item begins at Position 76"},
     {CALL WRITE3("8") "1 2"},
     NULL,
     NFS},
    /* A second item is where the first one, of 5 octets and 3 of padding, moves it to. */
    {"N rfc8267/6.4.2/one-read-chunk @44; V 3.4.5/position-of-item @44 -> err-chunk,garbage-args",
     {TWO_READS("88", "5", "124", "4") COMPOUND("1", "2") WRITE4("5") WRITE4("4")},
     {TWO_READS("88", "5", "132", "4") COMPOUND("1", "2") WRITE4("5") WRITE4("4")},
     "N rfc8267/6.4.2/one-read-chunk @44 -> process,err-chunk,garbage-args",
     NFS},

    /* A Read chunk is not said to belong where another one would be passed over. */
    {"N rfc8267/6.4.2/one-read-chunk @44; V 6.1/only-eligible-reduced @20 -> "
     "err-chunk,garbage-args",
     {TWO_READS("80", "4", "84", "4") COMPOUND("1", "1") WRITE4("4"),
      "= no item at Position 80 is eligible"},
     {READS("80", "4") COMPOUND("1", "1") WRITE4("4")},
     "V 3.4.5/position-of-item @20 -> err-chunk,garbage-args",
     NFS},

    /* ---- lengths of Read chunks ---- */
    {"W 3.4.5.2/padding-in-read-chunk @28 -> process",
     {READS("68", "8") WRITE3("5"),
      "= the Read chunk of 8 octets holds the padding of an item of 5"},
     {READS("68", "5") WRITE3("5")},
     NULL,
     NFS},
    {"V 3.4.5.2/padded-chunk-length @28 -> err-chunk,garbage-args",
     {READS("68", "7") WRITE3("5"), "= the Read chunk has 7 octets, its item 5"},
     {READS("68", "8") WRITE3("8")},
     NULL,
     NFS},
    {"V 3.4.5.2/padded-chunk-length @28 -> err-chunk,garbage-args",
     {READS("68", "12") WRITE3("5"), "= the Read chunk has 12 octets, its item 5"},
     {READS("68", "5") WRITE3("5")},
     NULL,
     NFS},
    {"V 3.4.5.2/unpadded-chunk-length @28 -> err-chunk,garbage-args",
     {READS("68", "4") WRITE3("5"), "= the Read chunk has only 4 octets of an item of 5"},
     {READS("68", "5") WRITE3("5")},
     NULL,
     NFS},
    {"V 3.4.5.2/unpadded-chunk-length @28 -> err-chunk,garbage-args",
     {READS("88", "4095") COMPOUND("2", "1") WRITE4("4096"),
      "= the Read chunk has only 4095 octets of an item of 4096"},
     {READS("88", "4096") COMPOUND("2", "1") WRITE4("4096")},
     NULL,
     NFS},

    /* ---- count words ---- */
    {"V 3.4.4.1/count-stays @20 -> err-chunk,garbage-args",
     {READS("64", "12") NFS3("7") "4 0xf 0 0 8 0",
      "= the payload lacks the count word of the item in the Read chunk at Position 64"},
     {READS("68", "8") WRITE3("8")},
     NULL,
     NFS},
    /* The item has no octets: the chunk is the count word alone. */
    {"V 3.4.4.1/count-stays @20 -> err-chunk,garbage-args",
     {READS("64", "4") NFS3("7") "4 0xf 0 0 0 0"},
     {CALL WRITE3("0")},
     NULL,
     NFS},
    {"V 3.4.4.1/count-stays @20 -> err-chunk,garbage-args",
     {READS("84", "9") COMPOUND("1", "2") "38 0 0 0 0 0 0 0 10",
      "= the payload lacks the count word of the item in the Read chunk at Position 84"},
     {READS("88", "5") COMPOUND("1", "2") WRITE4("5") "10"},
     NULL,
     NFS},
    /* Of the second item of two, and of both. */
    {"N rfc8267/6.4.2/one-read-chunk @44; V 3.4.4.1/count-stays @44 -> err-chunk,garbage-args",
     {TWO_READS("88", "5", "128", "8") COMPOUND("1", "2") WRITE4("5") "38 0 0 0 0 0 0 0"},
     {TWO_READS("88", "5", "132", "4") COMPOUND("1", "2") WRITE4("5") WRITE4("4")},
     "N rfc8267/6.4.2/one-read-chunk @44 -> process,err-chunk,garbage-args",
     NFS},
    {"N rfc8267/6.4.2/one-read-chunk @44; V 3.4.4.1/count-stays @20 -> err-chunk,garbage-args",
     {TWO_READS("84", "9", "128", "8") COMPOUND("1", "4") "38 *7 38 *7 10 10"},
     {TWO_READS("88", "5", "132", "4") COMPOUND("1", "4") WRITE4("5") WRITE4("4") "10 10"},
     "N rfc8267/6.4.2/one-read-chunk @44 -> process,err-chunk,garbage-args",
     NFS},
    /* What follows decodes as if nothing were missing: of its results nothing is said. */
    {"V 3.4.4.1/count-stays @20 -> err-chunk,garbage-args",
     {"> 7 1 32 0 1 88 0xa 5 0 0 0 " ONE("8") END COMPOUND("1", "2") "38 *7 15 10 1 1 0x10000"},
     {"> 7 1 32 0 1 88 0xa 5 0 0 0 " ONE("8") END COMPOUND("1", "2")
          WRITE4("5") "15 10 1 1 0x10000"},
     "N 4.3.2/write-list-not-needed @44 -> process",
     NFS},
    /* A Read chunk before it that is wrong itself is named instead. */
    {"N rfc8267/6.4.2/one-read-chunk @44; V 3.4.5.2/unpadded-chunk-length @52; "
     "V 6.1/only-eligible-reduced @20 -> err-chunk,garbage-args",
     {TWO_READS("60", "4", "100", "5") COMPOUND("1", "3") "22 4 38 *7 10",
      "= no item at Position 60 is eligible"},
     {READS("100", "5") COMPOUND("1", "3") PUTFH4 WRITE4("5") "10"},
     NULL,
     NFS},
    /* What follows is taken for the count word, which is nowhere. */
    {"V 3.4.4.1/count-stays @20 -> err-chunk,garbage-args",
     {READS("88", "5") COMPOUND("1", "2") "38 0 0 0 0 0 0 0 10"},
     {READS("88", "10") COMPOUND("1", "2") WRITE4("10") "10"},
     NULL,
     NFS},
    {"V 3.4.4.1/count-stays @20 -> err-chunk,garbage-args",
     {READS("84", "8") NFS2("13") "*8 4 0x61626364 0x1a4 *7"},
     {READS("84", "8") NFS2("13") "*8 4 0x61626364 8 0x1a4 *7"},
     NULL,
     NFS},
    /* An argument that lacks more is not said to lack its count. */
    {"V 3.4.4.1/count-stays @20 -> err-chunk,garbage-args",
     {READS("64", "12") NFS3("7") "4 0xf 0 0 8 0"},
     {READS("60", "12") NFS3("7") "4 0xf 0 0 8"},
     NULL,
     NFS},
    {"V 3.4.4.1/count-stays @24 -> terminate",
     {"> " WRITES ONE("64") END READ3("64"), "< " WRITES ONE("9") END DONE "0 0 5 1",
      "= the payload lacks the count word of the result in rdma_writes[0]"},
     {"> " WRITES ONE("64") END READ3("64"), "< " WRITES ONE("5") END READ3_DONE("5")},
     NULL,
     NFS},
    {"V 3.4.4.1/count-stays @24 -> terminate",
     {"> " WRITES ONE("64") END READLINK3, "< " WRITES ONE("9") END DONE "0 0"},
     {"> " WRITES ONE("64") END READLINK3, "< " WRITES ONE("3") END DONE "0 0"},
     NULL,
     NFS},
    /* A Reply that lacks another word has its count word where it should be, one word early. */
    {"V 3.4.4.1/count-stays @24 -> terminate",
     {"> " WRITES ONE("64") END NFS2("6") "*8 0 64 0", "< " WRITES ONE("9") END DONE "0 1 *16"},
     {"> " WRITES ONE("64") END NFS2("6") "*8 0 64 0", "< " WRITES ONE("5") END DONE "0 1 *15 5"},
     NULL,
     NFS},
    /* What follows is taken for the count word. */
    {"V 3.4.4.1/count-stays @24 -> terminate",
     {"> " WRITES ONE("64") END COMPOUND("1", "2") READ4("64") "10",
      "< " WRITES ONE("9") END COMPOUND_DONE("0", "2") "25 0 1 10 0 4 0xf"},
     {"> " WRITES ONE("64") END COMPOUND("1", "2") READ4("64") "10",
      "< " WRITES ONE("5") END COMPOUND_DONE("0", "2") READ4_DONE("5") "10 0 4 0xf"},
     NULL,
     NFS},

    /* ---- RPCSEC_GSS ---- */
    /* Arguments are plain with no service, and bound to a channel; what others are nobody knows. */
    {"V 3.4.5.2/padded-chunk-length @28 -> err-chunk,garbage-args",
     {READS("88", "9") GSS_WRITE3("1")},
     {READS("88", "9") GSS_WRITE3("0")},
     NULL,
     NFS},
    {"V 3.4.5.2/padded-chunk-length @28 -> err-chunk,garbage-args",
     {READS("88", "9") GSS_WRITE3("4")},
     {READS("88", "9") GSS_WRITE3("5")},
     NULL,
     NFS},

    /* ---- out and in ---- */
    /* With the data put back operation 76, which is not known yet, would read as ACCESS. */
    {"V 4.3.1/reduced-item-left-out @20 -> err-chunk,garbage-args",
     {READS("88", "4") COMPOUND("2", "1") WRITE4("4") "0x31323334"},
     {READS("88", "4") COMPOUND("2", "2") WRITE4("4") "76 3 0x61626300"},
     NULL,
     NFS},
    /* The first of three. */
    {"N rfc8267/6.4.2/one-read-chunk @44; V 4.3.1/reduced-item-left-out @20 -> "
     "err-chunk,garbage-args",
     {THREE_READS COMPOUND("1", "3") WRITE4("5") "0x61626364 0x65000000 " WRITE4("4") WRITE4("4")},
     {THREE_READS COMPOUND("1", "3") WRITE4("5") WRITE4("4") WRITE4("4")},
     "N rfc8267/6.4.2/one-read-chunk @44 -> process,err-chunk,garbage-args",
     NFS},
    /* Both of two. */
    {"N rfc8267/6.4.2/one-read-chunk @44; V 4.3.1/reduced-item-left-out @20 -> "
     "err-chunk,garbage-args",
     {TWO_READS("88", "5", "132", "4") COMPOUND("1", "2")
          WRITE4("5") "0x61626364 0x65000000 " WRITE4("4") "0x31323334"},
     {TWO_READS("88", "5", "132", "4") COMPOUND("1", "2") WRITE4("5") WRITE4("4")},
     "N rfc8267/6.4.2/one-read-chunk @44 -> process,err-chunk,garbage-args",
     NFS},
    {"V 4.3.1/reduced-item-left-out @20 -> err-chunk,garbage-args",
     {READS("68", "8") WRITE3("8") "1 2"},
     {CALL WRITE3("8") "1 2"},
     NULL,
     NFS},
    {"V 4.3.1/reduced-item-left-out @20 -> err-chunk,garbage-args",
     {READS("88", "8") COMPOUND("0", "2") WRITE4("8") "1 2 10"},
     {READS("88", "8") COMPOUND("0", "2") WRITE4("8") "10"},
     NULL,
     NFS},
    /* Octets after the arguments are not said to be the item. */
    {"V 4.3.1/reduced-item-left-out @20 -> err-chunk,garbage-args",
     {READS("68", "5") WRITE3("5") "0x01020304 0x05000000"},
     {READS("68", "5") WRITE3("5") "0x01020304"},
     NULL,
     NFS},

    /* ---- what may be out ---- */
    {"V 6.1/only-eligible-reduced @20 -> err-chunk,garbage-args",
     {READS("52", "4") NFS3("3") "4 0xf 4", "= no item at Position 52 is eligible"},
     {CALL LOOKUP3},
     NULL,
     NFS},
    {"V 6.1/only-eligible-reduced @20 -> err-chunk,garbage-args",
     {READS("60", "4") COMPOUND("2", "2") "22 4 10"},
     {CALL COMPOUND("2", "2") "22 4 0xf 10"},
     NULL,
     NFS},
    {"V 6.1/only-eligible-reduced @20 -> err-chunk,garbage-args",
     {READS("44", "4") NFS4 "4 1 1 10"},
     {CALL NFS4 "4 0x61626364 1 1 10"},
     NULL,
     NFS},
    {"V 6.1/only-eligible-reduced @20 -> err-chunk,garbage-args",
     {READS("40", "4") NFSACL},
     {CALL NFSACL "4 0xf"},
     NULL,
     NFS},
    /* MOUNT has no binding. */
    {"V 6.1/only-eligible-reduced @20 -> err-chunk,garbage-args",
     {READS("44", "4") "7 0 2 100005 3 1 0 0 0 0 4"},
     {CALL "7 0 2 100005 3 1 0 0 0 0 4 0x2f616263"},
     NULL,
     NFS},
    {"V 6.1/only-eligible-reduced @20 -> err-chunk,garbage-args",
     {READS("40", "4") NFS3("0")},
     {CALL NFS3("0")},
     NULL,
     NFS},
    {"V 6.1/only-eligible-reduced @20 -> terminate",
     {"> " WRITES ONE("64") END READ3("64"), "< " WRITES ONE("4") END DONE "70 0",
      "= 1 Write chunks return octets, but 0 results are eligible"},
     {"> " WRITES ONE("64") END READ3("64"), "< " WRITES ONE("0") END DONE "70 0"},
     NULL,
     NFS},
    {"V 6.1/only-eligible-reduced @20 -> terminate",
     {"?> " WRITES ONE("64") END COMPOUND("1", "1") "10",
      "< " WRITES ONE("4") END COMPOUND_DONE("0", "1") "10 0 4"},
     {"?> " WRITES ONE("64") END COMPOUND("1", "1") "10",
      "< " WRITES ONE("0") END COMPOUND_DONE("0", "1") "10 0 4 0xf"},
     NULL,
     NFS},

    {"V 6.1/ineligible-call-not-executed @28 -> process",
     {"?" READS("60", "4") COMPOUND("2", "2") "22 4 10", REPLY "7 1 0 0 0 0 0 0 0"},
     {"?" READS("60", "4") COMPOUND("2", "2") "22 4 10", REPLY "7 1 0 0 0 4"},
     NULL,
     NFS},

    /* A callback of the program that CREATE_SESSION names. */
    {"V rfc8267/6.5.2/nothing-eligible @20 -> err-chunk,garbage-args",
     {CALL COMPOUND("1", "1") "43 0 0 1 2 0 *5 0 0 *5 0 0x40000000 0",
      "< 9 1 32 0 1 44 0xb 4 0 0 0 0 0 9 0 2 0x40000000 1 1 0 0 0 0 4",
      "= a callback has a Read chunk at Position 44"},
     {CALL COMPOUND("1", "1") "43 0 0 1 2 0 *5 0 0 *5 0 0x40000001 0",
      "< 9 1 32 0 1 44 0xb 4 0 0 0 0 0 9 0 2 0x40000000 1 1 0 0 0 0 4"},
     NULL,
     NFS},

    /* ---- Write chunks of Calls ---- */
    {"W 3.4.6/room-for-largest-result @32 -> process,err-chunk",
     {"> " WRITES ONE("4095") END READ3("4096"),
      "= the Write chunk has room for 4095 octets of a result of up to 4096"},
     {"> " WRITES ONE("4096") END READ3("4096")},
     NULL,
     NFS},
    {"W 3.4.6/room-for-largest-result @32 -> process,err-chunk",
     {"> " WRITES ONE("8191") END NFS2("6") "*8 0 10000 0",
      "= the Write chunk has room for 8191 octets of a result of up to 8192"},
     {"> " WRITES ONE("8192") END NFS2("6") "*8 0 10000 0"},
     NULL,
     NFS},
    {"W 3.4.6.2/room-for-padding @32 -> process",
     {"> " WRITES ONE("8") END READ3("5"),
      "= the Write chunk has room for 8 octets, padding included; the result has up to 5"},
     {"> " WRITES ONE("5") END READ3("5")},
     NULL,
     NFS},
    {"W 3.4.6.2/room-for-padding @32 -> process",
     {"> " WRITES "1 2 0xa 5 0 0 0xb 4 0 0 " END READ3("5"),
      "= the Write chunk has room for 9 octets, padding included; the result has up to 5"},
     {"> " WRITES ONE("4096") END READ3("5")},
     NULL,
     NFS},
    {"N 4.3.2/write-list-not-needed @20 -> process",
     {"> " WRITES ONE("64") END LOOKUP3},
     {"> " WRITES ONE("64") END READLINK3},
     NULL,
     NFS},
    {"N 4.3.2.1/single-write-chunk @20 -> process",
     {"> " WRITES ONE("64") OTHER("64") END READ3("64"),
      "= 2 Write chunks for the only eligible result"},
     {"> " WRITES "1 2 "
      "0xa 32 0 0 0xb 32 0 0 " END READ3("64")},
     NULL,
     NFS},
    {"N 4.3.2.3/no-list-for-sole-result @20 -> process",
     {"> " WRITES "1 0 " END READ3("64")},
     {CALL READ3("64")},
     NULL,
     NFS},
    {"W 4.3.3/reply-chunk-needed @24 -> process,err-chunk",
     {CALL READ3("953"),
      "= the Reply can bring 976 octets of results inline, above the threshold of 1024"},
     {CALL READ3("952")},
     NULL,
     NFS_1024},
    {"W 4.3.3/reply-chunk-needed @24 -> process,err-chunk",
     {CALL NFS2("6") "*8 0 897 0",
      "= the Reply can bring 976 octets of results inline, above the threshold of 1024"},
     {CALL NFS2("6") "*8 0 896 0"},
     NULL,
     NFS_1024},
    {"W 4.3.3/reply-chunk-needed @24 -> process,err-chunk",
     {CALL READ3("953")},
     {"> 7 1 32 0 0 0 1 1 0xa 2048 0 0 " READ3("953")},
     NULL,
     NFS_1024},
    /* Directories: as long as the Call says, and a status. */
    {"W 4.3.3/reply-chunk-needed @24 -> process,err-chunk",
     {CALL NFS2("16") "*8 0 972"},
     {CALL NFS2("16") "*8 0 971"},
     NULL,
     NFS_1024},
    {"W 4.3.3/reply-chunk-needed @24 -> process,err-chunk",
     {CALL READDIR3("972")},
     {CALL READDIR3("971")},
     NULL,
     NFS_1024},
    {"W 4.3.3/reply-chunk-needed @24 -> process,err-chunk",
     {CALL READDIRPLUS3("972", "4096")},
     {CALL READDIRPLUS3("971", "4096")},
     NULL,
     NFS_1024},
    {"W 4.3.3/reply-chunk-needed @24 -> process,err-chunk",
     {CALL READDIRPLUS3("4096", "972")},
     {CALL READDIRPLUS3("4096", "971")},
     NULL,
     NFS_1024},
    {"W 4.3.3/reply-chunk-needed @24 -> process,err-chunk",
     {CALL READDIR3("0xffffffff"),
      "= the Reply can bring 4294967296 octets of results inline, above the threshold of 1024"},
     {"> 7 1 32 0 0 0 1 1 0xa 2048 0 0 " READDIR3("0xffffffff")},
     NULL,
     NFS_1024},
    {"W 4.3.3/reply-chunk-needed @24 -> process,err-chunk",
     {CALL COMPOUND("0", "2") READDIR4("480") READDIR4("480")},
     {CALL COMPOUND("0", "2") READDIR4("480") READDIR4("476")},
     NULL,
     NFS_1024},
    {"N rfc8267/6.2.2/reply-within-session @24 -> process,err-chunk",
     {CALL COMPOUND("1", "1") READDIR4("968"),
      "= the Reply can bring 976 octets of results inline, above the threshold of 1024"},
     {CALL COMPOUND("1", "1") READDIR4("964")},
     NULL,
     NFS_1024},
    {"N rfc8267/6.2.2/reply-within-session @24 -> process,err-chunk",
     {CALL COMPOUND("2", "1") READ_PLUS4("941"),
      "= the Reply can bring 973 octets of results inline, above the threshold of 1024"},
     {CALL COMPOUND("2", "1") READ_PLUS4("940")},
     NULL,
     NFS_1024},
    /* From version 4.1 on the session can bound the Reply. */
    {"W 4.3.3/reply-chunk-needed @24 -> process,err-chunk",
     {CALL COMPOUND("0", "1") READ4("973"),
      "= the Reply can bring 992 octets of results inline, above the threshold of 1024"},
     {CALL COMPOUND("1", "1") READ4("973")},
     "N rfc8267/6.2.2/reply-within-session @24 -> process,err-chunk",
     NFS_1024},
    {"N rfc8267/6.2.2/reply-within-session @24 -> process,err-chunk",
     {CALL COMPOUND("1", "1") READ4("973")},
     {CALL COMPOUND("1", "1") READ4("900")},
     NULL,
     NFS_1024},

    /* ---- results ---- */
    {"V 3.4.6.2/returned-length-is-item-length @24 -> terminate",
     {"> " WRITES ONE("5") END READ3("5"), "< " WRITES ONE("4") END READ3_DONE("5"),
      "= rdma_writes[0] returns 4 octets of a result of 5"},
     {"> " WRITES ONE("5") END READ3("5"), "< " WRITES ONE("5") END READ3_DONE("5")},
     NULL,
     NFS},
    {"V 3.4.6.2/returned-length-is-item-length @24 -> terminate",
     {"?> " WRITES ONE("8") END READ3("5"), "< " WRITES ONE("8") END READ3_DONE("5"),
      "= rdma_writes[0] returns 8 octets of a result of 5"},
     {"?> " WRITES ONE("8") END READ3("5"), "< " WRITES ONE("5") END READ3_DONE("5")},
     NULL,
     NFS},
    {"V 3.4.6.2/returned-length-is-item-length @24 -> terminate",
     {"> " WRITES ONE("64") END READ3("64"), "< " WRITES ONE("4") END READ3_DONE("0")},
     {"> " WRITES ONE("64") END READ3("64"), "< " WRITES ONE("0") END READ3_DONE("0")},
     NULL,
     NFS},
    /* Neither in its chunk, as it comes back, nor in the payload. */
    {"V 3.4.6.2/returned-length-is-item-length @24 -> terminate",
     {"> " WRITES ONE("64") END READ3("64"), "< " WRITES ONE("0") END READ3_DONE("5"),
      "= rdma_writes[0] returns no octets of a result that is not inline either"},
     {"> " WRITES ONE("64") END READ3("64"), "< " WRITES ONE("5") END READ3_DONE("5")},
     NULL,
     NFS},
    /* The first READ asked for its data inline, and has them in the chunk of the second. */
    {"V 4.3.2.3/inline-for-empty-chunk @24 -> terminate",
     {"?> " WRITES "1 0 " OTHER("64") END COMPOUND("1", "2") READ4("64") READ4("64"),
      "< " WRITES "1 0 1 1 0xb 5 0 0 " END COMPOUND_DONE("0", "2") READ4_DONE("5")
          READ4_DONE("4") "7",
      "= rdma_writes[0] is empty, and yet its result is in another chunk"},
     {"?> " WRITES "1 0 " OTHER("64") END COMPOUND("1", "2") READ4("64") READ4("64"),
      "< " WRITES "1 0 1 1 0xb 5 0 0 " END COMPOUND_DONE("0", "2")
          READ4_DONE("4") "7 " READ4_DONE("5")},
     NULL,
     NFS},
    {"V 4.3.2/eligible-result-pushed @24 -> terminate",
     {"> " WRITES ONE("64") END READ3("64"), "< " WRITES ONE("0") END READ3_DONE("4") "1",
      "= a result of 4 octets is inline, though rdma_writes[0] has room"},
     {"?> " WRITES "1 0 " END READ3("64"), "< " WRITES "1 0 " END READ3_DONE("4") "1"},
     NULL,
     NFS},
    {"V 4.3.2/eligible-result-pushed @24 -> terminate",
     {"> " WRITES ONE("64") END READLINK3,
      "< " WRITES ONE("0") END READLINK3_DONE("1") "0x61000000",
      "= a result of 1 octets is inline, though rdma_writes[0] has room"},
     {"> " WRITES ONE("64") END READLINK3, "< " WRITES ONE("4") END READLINK3_DONE("4")},
     NULL,
     NFS},
    {"V 4.3.2/pushed-item-left-out @20 -> terminate",
     {"> " WRITES ONE("64") END READ3("64"), "< " WRITES ONE("4") END READ3_DONE("4") "1"},
     {"> " WRITES ONE("64") END READ3("64"), "< " WRITES ONE("4") END READ3_DONE("4")},
     NULL,
     NFS},
    {"V 4.3.2/pushed-item-left-out @20 -> terminate",
     {"> " WRITES ONE("64") END READ3("64"), "< " WRITES ONE("1") END READ3_DONE("1") "0x61000000"},
     {"> " WRITES ONE("64") END READ3("64"), "< " WRITES ONE("1") END READ3_DONE("1")},
     NULL,
     NFS},
    {"V 4.3.2/pushed-item-left-out @20 -> terminate",
     {"> " WRITES ONE("8") END COMPOUND("2", "2") READ4("8") "10",
      "< " WRITES ONE("8") END COMPOUND_DONE("0", "2") READ4_DONE("8") "1 2 10 0 4 0xf"},
     {"> " WRITES ONE("8") END COMPOUND("2", "2") READ4("8") "10",
      "< " WRITES ONE("8") END COMPOUND_DONE("0", "2") READ4_DONE("8") "10 0 4 0xf"},
     NULL,
     NFS},

    /* ---- RFC 8267 ---- */
    {"N rfc8267/6.4.2/one-read-chunk @44 -> process,err-chunk,garbage-args",
     {TWO_READS("88", "4", "128", "4") COMPOUND("1", "2") WRITE4("4") WRITE4("4"),
      "= 2 Read chunks beside that at Position Zero; a server need not take more than 1"},
     {READS("88", "4") COMPOUND("1", "2") WRITE4("4") WRITE4("4") "1"},
     NULL,
     NFS},
    {"N rfc8267/6.4.2/one-write-chunk @20 -> process,err-chunk,garbage-args",
     {"> " WRITES ONE("4") OTHER("4") END COMPOUND("1", "2") READ4("4") READ4("4"),
      "= 2 Write chunks; a server need not take more than 1"},
     {"> " WRITES ONE("4") END COMPOUND("1", "2") READ4("4") READ4("4")},
     NULL,
     NFS},
    {"N rfc8267/6.4.2/sixteen-segments @24 -> process,err-chunk,garbage-args",
     {"> " WRITES "1 17 0xa 68 *66 " END COMPOUND("1", "1") READ4("68"),
      "= a chunk has 17 segments; a server need not take more than 16"},
     {"> " WRITES "1 16 0xa 68 *62 " END COMPOUND("1", "1") READ4("68")},
     NULL,
     NFS},
    {"N rfc8267/6.4.2/sixteen-segments @28 -> process,err-chunk,garbage-args",
     {"> 7 1 32 0 0 0 1 17 0xa 68 *66 " COMPOUND("1", "1") READ4("68")},
     {"> 7 1 32 0 0 0 1 16 0xa 68 *62 " COMPOUND("1", "1") READ4("68")},
     NULL,
     NFS},
    {"N rfc8267/6.4.1/failed-read-empty @24 -> process",
     {"> " WRITES ONE("4") END COMPOUND("1", "2") PUTFH4 READ4("4"),
      "< " WRITES "1 0 " END COMPOUND_DONE("70", "2") PUTFH4_DONE "25 70",
      "= rdma_writes[0], of an operation that failed, comes back empty"},
     {"> " WRITES ONE("4") END COMPOUND("1", "2") PUTFH4 READ4("4"),
      "< " WRITES "1 0 " END COMPOUND_DONE("70", "1") "22 70"},
     NULL,
     NFS},
    {"N rfc8267/6.4.1/failed-read-unused @24 -> process",
     {"> " WRITES ONE("4") END COMPOUND("1", "2") PUTFH4 READ4("4"),
      "< " WRITES ONE("0") END COMPOUND_DONE("70", "2") PUTFH4_DONE "25 70",
      "= rdma_writes[0], of an operation that failed, comes back unused"},
     {"> " WRITES ONE("4") END COMPOUND("1", "2") PUTFH4 READ4("4"),
      "< " WRITES ONE("0") END COMPOUND_DONE("0", "2") PUTFH4_DONE READ4_DONE("0")},
     NULL,
     NFS},
    {"N rfc8267/6.5.2/long-callback @12 -> process,err-chunk",
     {CALL COMPOUND("1", "0"), "< 9 1 32 1 1 0 0xa 64 0 0 0 0 0",
      "= a Long Call from a server of NFS version 4"},
     {CALL READ3("4"), "< 9 1 32 1 1 0 0xa 64 0 0 0 0 0"},
     NULL,
     NFS},

    /* ---- to the limits ---- */
    /* The tag's count word is all there is. */
    {"V 6.1/only-eligible-reduced @20 -> err-chunk,garbage-args",
     {READS("44", "4") NFS4 "4"},
     {READS("40", "4") NFS4},
     NULL,
     NFS},
    /* An operation with a number far beyond all that are known is none. */
    {"V 4.3.1/reduced-item-left-out @20 -> err-chunk,garbage-args",
     {READS("88", "4") COMPOUND("2", "2") WRITE4("4") "1000 3 0x61626300"},
     {READS("88", "4") COMPOUND("2", "2") WRITE4("4") "999 3 0x61626300"},
     NULL,
     NFS},
    /* Where the arguments could not be read nothing is known, but before it. */
    {"V 6.1/only-eligible-reduced @20 -> err-chunk,garbage-args",
     {READS("68", "12") NFS2("6") "*8"},
     {READS("72", "12") NFS2("6") "*8"},
     NULL,
     NFS},
    /* Eight results are tried one by one, whether they are inside as well. */
    {"V 4.3.2/pushed-item-left-out @20 -> terminate",
     {"?> " WRITES NINE(OTHER("64")) END COMPOUND("1", "9") NINE(READ4("64")),
      "< " WRITES NINE(OTHER("4")) END COMPOUND_DONE("0", "9") SEVEN(READ4_DONE("4"))
          READ4_DONE("4") "1 " READ4_DONE("4")},
     {"?> " WRITES NINE(OTHER("64")) END COMPOUND("1", "9") NINE(READ4("64")),
      "< " WRITES NINE(OTHER("4")) END COMPOUND_DONE("0", "9") SEVEN(READ4_DONE("4"))
          READ4_DONE("4") READ4_DONE("4") "1"},
     NULL,
     NFS},
};
#define ROWS (sizeof rows / sizeof rows[0])

START_TEST(row)
{
    play_row(&rows[_i]);
}
END_TEST

/* As far as version 2 has such a message. */
START_TEST(in_drafts)
{
    translate_row(&rows[_i], RPCRDMA_PROTOCOL_2_04);
    translate_row(&rows[_i], RPCRDMA_PROTOCOL_2_07);
}
END_TEST

START_TEST(all_rules)
{
    play_assert_all_rules("binding", rows, ROWS);
}
END_TEST

PLAY_NEIGHBOURS(neighbours_of_rows, "binding", rows)

int main(void)
{
    Suite *suite = suite_create("binding rules");
    TCase *tests = tcase_create("binding rules");
    tcase_add_loop_test(tests, row, 0, ROWS);
    tcase_add_loop_test(tests, in_drafts, 0, ROWS);
    tcase_add_test(tests, all_rules);
    tcase_add_test(tests, neighbours_of_rows);
    suite_add_tcase(suite, tests);
    return play_run(suite);
}
