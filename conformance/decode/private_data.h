// SPDX-License-Identifier: BSD-3-Clause
/* CM private data in words. */
#ifndef CONFORMANCE_DECODE_PRIVATE_DATA_H
#define CONFORMANCE_DECODE_PRIVATE_DATA_H

#include <stddef.h>

/* "RPC-over-RDMA version 1, R=0, sends up to 4096 octets, receives up to 4096"; or why there is no
 * such message in it. */
void private_data_text(const void *octets, size_t length, char *text, size_t size);

#endif
