// SPDX-License-Identifier: BSD-3-Clause
/*
 * Shapes of Replies to READ of NFSv3: where the data are, what comes back of the Write chunk, and
 * how long the results before the data are. Or to one of several READs in a COMPOUND of NFSv4.
 */
#ifndef HARNESS_SERVE_SHAPE_H
#define HARNESS_SERVE_SHAPE_H

#include "rxe-harness/transport/transport.h"

/* A set of these. Unless the chunk comes back used its memory is overwritten by other octets. */
enum serve_shape {
    SHAPE_READ = 1 << 0,   /* of READ: the Reply that it was, unless there is more */
    SHAPE_SHORT = 1 << 1,  /* without attributes: 84 octets less before the data */
    SHAPE_INLINE = 1 << 2, /* the data are inline, a few of them */
    SHAPE_UNUSED = 1 << 3, /* the Write chunk comes back with segments of no octets */
    SHAPE_EMPTY = 1 << 4,  /* without segments */
    SHAPE_ABSENT = 1 << 5, /* not at all, as those after it */
    /* Of a chunk that comes back used: */
    SHAPE_GAPS = 1 << 6, /* no octets in the first segment, an odd number in each of the others */
    SHAPE_SHORTER = 1 << 7, /* half the octets that the results count */
    SHAPE_LONGER = 1 << 8,  /* twice as many, the second half of them other ones */
    SHAPE_FAILED = 1 << 9,  /* other octets, and the results say that READ failed */
    /* Of data that are inline: */
    SHAPE_FULL = 1 << 10,      /* as many as make the Send as long as any Receive */
    SHAPE_MISPLACED = 1 << 11, /* it is the attributes that are in the chunk */
};

/* A READ of a file of an edition (responder/files.h). */
struct shape_call {
    unsigned number; /* of the COMPOUND's several, from 1 on; 0: it is one of NFSv3 */
    uint32_t edition, file, count;
    uint64_t offset;
};
/* Whether the octets of a Send call it, by its number. By NFSv4 the edition is left as it is. */
bool shape_call(struct shape_call *call, const uint8_t *octets, size_t length);

/* Make the Reply out of a good one. The link is that to the Requester, for its memory. Returns the
 * octets, or 0: it is no good Reply with a Write chunk for the READ that was used, or there are too
 * few segments. SHAPE_SHORT and SHAPE_MISPLACED are for NFSv3 alone. */
#define SHAPE_REPLY_MAX 2048
size_t shape_reply(unsigned shape, struct link *link, const struct shape_call *call,
                   const uint8_t *answer, size_t length, uint8_t reply[SHAPE_REPLY_MAX]);

#endif
