// SPDX-License-Identifier: BSD-3-Clause
/* How a connection begins: MPA's request and reply (RFC 5044, 7.1; RFC 6581, 6 to 9). */
#ifndef HARNESS_IWARP_START_H
#define HARNESS_IWARP_START_H

#include "rxe-harness/transport/iwarp/iwarp.h"
#include "rxe-harness/transport/iwarp/socket.h"

/* One of the two frames as it comes in. */
struct start_frame {
    uint8_t octets[MPA_START_MAX];
    size_t have;
    struct mpa_start parsed;
};

/* Octets that are still needed, 0: none; it is not read beyond its end. */
size_t start_missing(const struct start_frame *frame);

/* What is not of an MPA that we speak; NULL: all is well, and parsed is set. */
const char *start_parse(struct start_frame *frame, bool is_reply);

/* Octets of private data that a frame of this revision can have. */
size_t start_private_max(unsigned revision);

/* Make a request, the reply to one (which then has what was agreed on), or its refusal. Returns
 * the length. */
size_t start_make_request(uint8_t octets[MPA_START_MAX], const struct iwarp_wishes *wishes,
                          const uint8_t *private_data, size_t length);
size_t start_make_reply(uint8_t octets[MPA_START_MAX], const struct iwarp_wishes *wishes,
                        const struct mpa_start *request, const uint8_t *private_data, size_t length,
                        struct iwarp_terms *terms);
size_t start_make_reject(uint8_t octets[MPA_START_MAX], const struct mpa_start *request);

/* What was agreed on by the reply to a request of ours; NULL, or why nothing was. */
const char *start_agree(const struct iwarp_wishes *wishes, const struct mpa_start *reply,
                        struct iwarp_terms *terms);

#endif
