// SPDX-License-Identifier: BSD-3-Clause
/* The reference Requester as a client of NFSv3 that reads a file, and says what it read. */
#ifndef HARNESS_SERVE_READ_CLIENT_H
#define HARNESS_SERVE_READ_CLIENT_H

#include "rxe-harness/requester/requester.h"
#include "rxe-harness/serve/told.h"

/* A fault in how it takes Replies, so that what it read has something to show. */
enum read_fault {
    READ_FAULTLESS,
    READ_TRUSTS_CHUNK,   /* the data are in the Write chunk, whatever came back of it */
    READ_TAKES_INLINE,   /* the data are inline where there are any */
    READ_IGNORES_GAPS,   /* the data are in one row from the beginning of the chunk */
    READ_BELIEVES_COUNT, /* they are as long as the results say, whatever came back */
    READ_BELIEVES_CHUNK, /* they are as long as what came back, whatever the results say */
    READ_IGNORES_STATUS, /* what came back is data, even if READ failed */
    READ_LOOSE_ITEMS,    /* attributes are in the chunk where what came back is as long */
    READ_FIXED_HEAD,     /* the data are put in where they belong after attributes */
};

/* Look up a file, read it READ by READ, and tell of it. Returns NULL, or in `text` why it was not
 * read to its end. */
const char *read_client(struct requester *requester, enum read_fault fault, struct told_reads *told,
                        char text[256]);

#endif
