// SPDX-License-Identifier: BSD-3-Clause
/*
 * What the reference Responder's NFS servers have: a directory, and one file in it that can only be
 * read. Where it may be changed there are a file that can be written, and one symbolic link that
 * can be made, read and removed.
 */
#ifndef HARNESS_RESPONDER_FILES_H
#define HARNESS_RESPONDER_FILES_H

#include <rpcrdma/xdr.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FILES_SIZE 65536u     /* octets of the file */
#define FILES_READ_SIZE 4096u /* small: reading the file takes many Calls at a time */
#define FILES_FSID 0x8166
#define FILES_DIRECTORY_ID 2
#define FILES_FILE_ID 3
#define FILES_WRITTEN_ID 4
#define FILES_LINK_ID 6
#define FILES_HANDLE 8 /* octets of a file handle */
#define FILES_WRITTEN "written"
#define FILES_SIZE_MAX 2097152u /* octets of the file that can be written */
#define FILES_LINK_MAX 256      /* octets of the link's name, and of where it leads */

/* The file that can be written: empty at first; to be freed; by NFSv4 it may be one of an edition,
 * which can only be read. And the link, if it has a name. */
struct files_store {
    uint8_t *octets;
    uint32_t length;
    uint32_t edition; /* of the files; 0: none; up to NFS3_EDITIONS */
    uint32_t name_length, target_length;
    uint8_t name[FILES_LINK_MAX], target[FILES_LINK_MAX];
};

/* Statuses: the numbers of all versions. */
enum { FILES_OK = 0, FILES_NOENT = 2, FILES_EXIST = 17, FILES_FBIG = 27, FILES_NAMETOOLONG = 63 };
uint32_t files_write(struct files_store *store, uint64_t offset,
                     const struct rpcrdma_xdr_opaque *data);
bool files_is_link(const struct files_store *store, const struct rpcrdma_xdr_opaque *name);
uint32_t files_make_link(struct files_store *store, const struct rpcrdma_xdr_opaque *name,
                         const struct rpcrdma_xdr_opaque *target);
uint32_t files_remove(struct files_store *store, const struct rpcrdma_xdr_opaque *name);

/* ---- content ---- */

/* A file whose every octet follows from its name, its edition and the offset, so that what a client
 * read can be compared with it. Octets of two places, files or editions are as good as never alike
 * over any length. */
#define CONTENT_SIZE 61443u /* octets of each file: the last READ brings three */

/* The file of this name. */
uint32_t content_file(const void *name, size_t length);
void content_fill(uint32_t edition, uint32_t file, uint64_t offset, uint8_t *octets, size_t length);

#endif
