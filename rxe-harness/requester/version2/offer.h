// SPDX-License-Identifier: BSD-3-Clause
/* First messages of version 2, of either draft, and of undefined versions. */
#ifndef HARNESS_REQUESTER_VERSION2_OFFER_H
#define HARNESS_REQUESTER_VERSION2_OFFER_H

#include "rxe-harness/requester/requester.h"

#define OFFER_FIRST_MAX 1024     /* octets that every receiver takes (RFC 8166 3.3.3) */
#define OFFER_LARGEST UINT32_MAX /* a length: the largest Send that the peer takes */

enum offer_message {
    OFFER_NULL, /* in the header of version 1, with another number in it */
    OFFER_NULL_04,
    OFFER_NULL_07,
    OFFER_LONG_NULL_04, /* all of it in a chunk */
    OFFER_LONG_NULL_07,
    OFFER_CONNPROP_04,
    OFFER_CONNPROP_07,
    OFFER_GRANT_07,
    OFFER_PIECE_07, /* of a NULL, the rest of which never comes */
};

struct probe_offer {
    enum offer_message message;
    uint32_t version;
    uint32_t length; /* octets of the Send; 0: as many as it takes */
    bool later;      /* after a NULL of version 1 */
};

/* The octets of this offer with the Requester's last XID, and how many they are. `memory` holds a
 * NULL. */
size_t offer_encode(const struct requester *peer, const struct probe_offer *offer,
                    const struct link_memory *memory, uint8_t octets[REQUESTER_INLINE]);

#endif
