// SPDX-License-Identifier: BSD-3-Clause
/* Where the parts of a Send of version 2 that conforms to its draft begin, for those who break it.
 */
#ifndef CONFORMANCE_TESTS_VERSION2_LAYOUT_H
#define CONFORMANCE_TESTS_VERSION2_LAYOUT_H

#include "conformance/tests/support/version2/octets.h"

enum { ENTRY = 24, HANDLE = 0, LENGTH = 4, OFFSET = 8 }; /* of a list of segments; of a segment */
enum { AT_DIRECTION = 16 };                              /* -04 */

/* Types of headers, a bit each: of -07, and of -04. */
enum { CALL_EXTERNAL = 1 << 8, CALL_INLINE = 1 << 10, CALLS = CALL_EXTERNAL | CALL_INLINE };
enum { REPLY_EXTERNAL = 1 << 11, REPLY_INLINE = 1 << 13, REPLIES = REPLY_EXTERNAL | REPLY_INLINE };
enum { MSG = 1 << 0, NOMSG = 1 << 1, BOTH = MSG | NOMSG };

struct layout {
    struct dice *dice;                      /* of the conversation */
    bool is_call, is_special;               /* its RPC message is in a chunk */
    size_t body, reads, writes, reply, end; /* lists, and the RPC message; 0: it has none. `body`
                                               begins what holds a Call; in -04 the Read list */
};

/* Of an RPC message, or of its last piece. */
struct layout talk2_lay_out(struct talk2 *talk, const struct talk2_flight *flight);

/* What comes after a list of segments. */
size_t after_segments(const struct talk2_flight *flight, size_t from);

/* The whole RPC message is here: not in pieces, nor moved by RDMA. */
static inline bool has_message(const struct talk2_flight *flight, const struct layout *at)
{
    return !at->is_special && word(flight, at->end) == word(flight, AT_XID);
}

static inline bool is_whole_call(const struct talk2_flight *flight, const struct layout *at)
{
    return at->is_call && has_message(flight, at);
}

static inline bool is_whole_reply(const struct talk2_flight *flight, const struct layout *at)
{
    return !at->is_call && has_message(flight, at);
}

#endif
