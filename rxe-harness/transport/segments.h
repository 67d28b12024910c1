// SPDX-License-Identifier: BSD-3-Clause
/* The segments in a header, where they lie in its octets, to be moved to other memory. */
#ifndef HARNESS_SEGMENTS_H
#define HARNESS_SEGMENTS_H

#include <rpcrdma/message.h>

/* The list that it belongs to. */
enum segment_list { SEGMENT_READ, SEGMENT_WRITE, SEGMENT_REPLY };

/* `segment`: 16 octets, handle, length, offset; of a Read list its Position is before them. False
 * ends the walk. */
typedef bool segment_visitor(void *arg, uint8_t *segment, enum segment_list list);

/* All of a header that was decoded out of `octets`, in their order. Returns false if a visit did.
 */
bool segments_each(uint8_t *octets, const struct rpcrdma1_chunk_lists *lists,
                   segment_visitor *visit, void *arg);
/* The same of a message of any version: those of its Call chunk first, as of a Read list. */
bool segments_each_of(uint8_t *octets, const struct rpcrdma_message *message,
                      segment_visitor *visit, void *arg);

#endif
