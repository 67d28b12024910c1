// SPDX-License-Identifier: BSD-3-Clause
/*
 * Memory that a peer writes to, where a transport does not show its RDMA Writes: it is filled
 * before the peer knows of it, and what is as it was filled was not written.
 */
#ifndef HARNESS_BLANK_H
#define HARNESS_BLANK_H

#include <stddef.h>
#include <stdint.h>

void blank_fill(uint8_t *octets, size_t at, size_t length);
/* Of `length` octets from `at` on, how many go up to the last one that is not as it was. */
size_t blank_last(const uint8_t *octets, size_t at, size_t length);
/* Likewise, where at least eight octets after it are as they were; else `length`: fewer may have
 * been written so by chance. */
size_t blank_written(const uint8_t *octets, size_t at, size_t length);

#endif
