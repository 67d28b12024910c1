// SPDX-License-Identifier: BSD-3-Clause
/*
 * As much of NFSv3 (RFC 1813) as a client needs for a mount, a look into the directory and reading
 * a file: the answers are constants. The directory says that it is empty, but any name in it is the
 * one file. Two names are others: FILES_WRITTEN can be written, and NFS3_MANY is a directory of
 * NFS3_ENTRIES names. One symbolic link can be made, read and removed. Where there is an edition
 * any other name is a file of that edition (files.h), whose handle stays good on other
 * connections.
 */
#ifndef HARNESS_RESPONDER_NFS3_H
#define HARNESS_RESPONDER_NFS3_H

#include "rxe-harness/responder/files.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NFS3_PROGRAM 100003u
#define NFS3_VERSION 3u
#define NFS3_RESULTS 65536 /* octets at most, without the data of READ */
#define NFS3_MANY "many"
#define NFS3_ENTRIES 1000
#define NFS3_EDITIONS 0xffffffu

struct nfs3_results {
    size_t length;
    bool has_data; /* after them, opaque data of this many octets */
    size_t data_length;
    const uint8_t *data; /* NULL: those of the one file, TEST_OCTET */
    uint8_t octets[NFS3_RESULTS], content[FILES_READ_SIZE];
};

/* Whether a file handle is one of an edition, and of which file. */
bool nfs3_edition(const uint8_t *handle, size_t length, uint32_t *edition, uint32_t *file);

/* False: that procedure is not among those. Arguments that cannot be read are answered by
 * BADHANDLE.
 */
bool responder_nfs3(struct files_store *store, uint32_t procedure, const uint8_t *args,
                    size_t length, struct nfs3_results *results);

#endif
