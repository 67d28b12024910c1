// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/announcement.h"

#include <rpcrdma/private_data.h>

#include <string.h>

/* Where the fields stand after the identifier (RFC 8797 section 4). */
enum { VERSION = 4, FLAGS = 5 };

size_t announcement_encode(const struct announcement *announcement,
                           uint8_t octets[ANNOUNCEMENT_MAX])
{
    const struct rpcrdma_private_data message = {.send_size = announcement->size,
                                                 .receive_size = announcement->size};
    size_t before = announcement->before ? strlen(announcement->before) : 0;
    if (before > ANNOUNCEMENT_MAX - RPCRDMA_PRIVATE_DATA_LENGTH)
        before = ANNOUNCEMENT_MAX - RPCRDMA_PRIVATE_DATA_LENGTH;
    if (before > 0)
        memcpy(octets, announcement->before, before);
    if (announcement->version == 0)
        return before;
    rpcrdma_private_data_encode(octets + before, RPCRDMA_PRIVATE_DATA_LENGTH, &message);
    octets[before + VERSION] = announcement->version;
    octets[before + FLAGS] = announcement->flags;
    return before + RPCRDMA_PRIVATE_DATA_LENGTH - announcement->cut;
}
