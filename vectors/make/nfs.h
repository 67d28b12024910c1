// SPDX-License-Identifier: BSD-3-Clause
/*
 * NFS messages in the words of vectors.h. What is named after an item ends with the item's length
 * word: "item:N" puts it inline, nothing after it means that a chunk has it.
 */
#ifndef VECTORS_MAKE_NFS_H
#define VECTORS_MAKE_NFS_H

/* Open to a Responder that refuses a Call. */
#define REFUSED " err-chunk garbage-args"

/* ---- version 2: data and path at Positions 88 and 84 ---- */

#define HANDLE2 "0xf11e0002 *7 "
#define ATTRIBUTES2 "1 *16 "
#define READ2(count) "nfs2:6 " HANDLE2 "0 " #count " 0 "
#define READ2_DONE(count) "accepted 0 " ATTRIBUTES2 #count " "
#define READLINK2 "nfs2:5 " HANDLE2
#define READLINK2_DONE(count) "accepted 0 " #count " "
#define WRITE2(count) "nfs2:8 " HANDLE2 "0 0 0 " #count " "
#define WRITE2_DONE "accepted 0 " ATTRIBUTES2
/* The attributes of the new link, *8, are after its path. */
#define SYMLINK2(count) "nfs2:13 " HANDLE2 "text:link " #count " "
#define SYMLINK2_DONE "accepted 0 "

/* ---- version 3: data and path at Positions 68 and 84 ---- */

#define HANDLE3 "text:file "
#define READ3(count) "nfs3:6 " HANDLE3 "0 0 " #count " "
#define READ3_DONE(count) "accepted 0 0 " #count " 1 " #count " "
#define READLINK3 "nfs3:5 " HANDLE3
#define READLINK3_DONE(count) "accepted 0 0 " #count " "
#define WRITE3(count) "nfs3:7 " HANDLE3 "0 0 " #count " 0 " #count " "
#define WRITE3_DONE(count) "accepted 0 0 0 " #count " 2 0xb007 1 "
#define SYMLINK3(count) "nfs3:10 " HANDLE3 "text:link *6 " #count " "
#define SYMLINK3_DONE "accepted 0 0 0 0 0 "
#define READDIR3(count) "nfs3:16 " HANDLE3 "*4 " #count " "
#define READDIRPLUS3(dircount, maxcount) "nfs3:17 " HANDLE3 "*4 " #dircount " " #maxcount " "
#define LOOKUP3 "nfs3:3 " HANDLE3 "text:name "

/* ---- version 4: operations begin at octet 52, with SEQUENCE and PUTFH after it at 100 ---- */

#define COMPOUND(minor, operations) "nfs4:1 0 " #minor " " #operations " "
#define COMPOUND_DONE(status, operations) "accepted " #status " 0 " #operations " "
#define SEQUENCE "53 0x5e55 0 0 1 1 0 0 0 "          /* 36 octets */
#define SEQUENCE_DONE "53 0 0x5e55 0 0 1 1 0 0 0 0 " /* 44 octets */
#define PUTFH "22 text:file "                        /* 12 octets */
#define PUTFH_DONE "22 0 "
#define STATE "1 0x57a7e 0 1 "
#define READ(count) "25 " STATE "0 0 " #count " " /* 32 octets */
#define READ_DONE(count) "25 0 1 " #count " "
#define WRITE(count) "38 " STATE "0 0 2 " #count " " /* 36 octets before the data */
#define WRITE_DONE(count) "38 0 " #count " 2 0xb007 1 "
/* 12 octets before the target. Name and attributes follow it: LINK_NAME, 16 octets. */
#define CREATE_LINK(count) "6 5 " #count " "
#define LINK_NAME "text:link 0 0 "
#define CREATE_DONE "6 0 1 0 1 0 2 0 "
#define READLINK "27 "
#define READLINK_DONE(count) "27 0 " #count " "
#define GETATTR "9 1 0x18 "
#define GETATTR_DONE "9 0 1 0x18 text:eightyes "
#define GETFH "10 "
#define READDIR(dircount, maxcount) "26 *4 " #dircount " " #maxcount " 0 "
#define GETFH_DONE "10 0 text:file "
#define LOOKUP "15 text:name "
#define LOOKUP_DONE "15 0 "

#endif
