// SPDX-License-Identifier: BSD-3-Clause
/*
 * As much of NFSv3 (RFC 1813) as a client needs for a mount, a look into the directory and reading
 * a file: the answers are constants. The directory says that it is empty, but any name in it is the
 * one file.
 */
#ifndef HARNESS_RESPONDER_NFS3_H
#define HARNESS_RESPONDER_NFS3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NFS3_PROGRAM 100003u
#define NFS3_VERSION 3u
#define NFS3_RESULTS 256 /* octets at most, without the data of READ */

struct nfs3_results {
    uint8_t octets[NFS3_RESULTS];
    size_t length;
    bool has_data; /* after them, opaque data of so many octets */
    size_t data_length;
};

/* False: that procedure is none of those. Arguments that cannot be read are answered by BADHANDLE.
 */
bool responder_nfs3(uint32_t procedure, const uint8_t *args, size_t length,
                    struct nfs3_results *results);

#endif
