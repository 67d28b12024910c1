// SPDX-License-Identifier: BSD-3-Clause
/* What RDMAP says of made-up ULPDUs, a word each: ">send:100" is of the client, "<" of the server.
 */
#ifndef CONFORMANCE_TESTS_MESSAGES_H
#define CONFORMANCE_TESTS_MESSAGES_H

#include "conformance/input/iwarp/rdmap.h"
#include "conformance/tests/support/captures/fpdus.h"
#include "conformance/tests/support/captures/seen.h"

#include <limits.h>

extern struct memory memory;
extern struct rdmap rdmap;
extern const struct rdmap_handler rdmap_handler;
extern struct fpdus sides[2]; /* what each sends; a ULPDU has at most 100 octets of payload */
extern uint64_t at_frame;
extern uint32_t lost_sends;
extern char told[8192];
extern size_t told_length;

/* The fixture: a connection from its first message on, and that its memory is returned. */
void begin_messages(void);
void end_messages(void);

/* Octets of an FPDU. */
size_t fpdu_size(size_t ulpdu);

/* Pass on what was made since; of each ULPDU at most `recorded` octets are at hand, and the one
 * with the number `except` is missing. */
void pass_on(enum rpcrdma_endpoint side, size_t recorded, unsigned except);
void pass_all(enum rpcrdma_endpoint side);

#endif
