// SPDX-License-Identifier: BSD-3-Clause
/*
 * A file whose every octet follows from its name, its edition and the offset, so that what a client
 * read can be compared with it. Octets of two places, files or editions are as good as never alike
 * over any length.
 */
#ifndef HARNESS_RESPONDER_CONTENT_H
#define HARNESS_RESPONDER_CONTENT_H

#include <stddef.h>
#include <stdint.h>

#define CONTENT_SIZE 61443u /* octets of each file: the last READ brings three */

/* The file of this name. */
uint32_t content_file(const void *name, size_t length);
void content_fill(uint32_t edition, uint32_t file, uint64_t offset, uint8_t *octets, size_t length);

#endif
