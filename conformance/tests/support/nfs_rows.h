// SPDX-License-Identifier: BSD-3-Clause
/* Words of NFS that the rows of several tests share (play.h). */
#ifndef CONFORMANCE_TESTS_NFS_ROWS_H
#define CONFORMANCE_TESTS_NFS_ROWS_H

#include "conformance/tests/support/play.h"

#include <rpcrdma/binding.h>

/* An RPC Call of 40 octets; and what a Reply begins with, which has 24. */
#define NFS2(proc) "7 0 2 100003 2 " proc " 0 0 0 0 "
#define NFS3(proc) "7 0 2 100003 3 " proc " 0 0 0 0 "
#define NFS4 "7 0 2 100003 4 1 0 0 0 0 "
#define NFSACL "7 0 2 100227 3 2 0 0 0 0 "
#define DONE "7 1 0 0 0 0 "

/* WRITE: the data begin at Position 68. */
#define WRITE3(count) NFS3("7") "4 0xf 0 0 " count " 0 " count " "
/* WRITE of 8 octets under RPCSEC_GSS. */
#define GSS_WRITE3(service) "7 0 2 100003 3 7 6 20 1 0 1 " service " 0 0 0 4 0xf 0 0 8 0 8 "
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
        .max_calls = 4, .max_segments = 16, .inline_threshold = {4096, 1024},                      \
        .bindings = rpcrdma_bindings                                                               \
    }

#endif
