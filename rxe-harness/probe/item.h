// SPDX-License-Identifier: BSD-3-Clause
/* Items of the test program (spec/testprog.x): what is sent, and whether the right ones come back.
 */
#ifndef HARNESS_PROBE_ITEM_H
#define HARNESS_PROBE_ITEM_H

#include "rxe-harness/probe/probe.h"

/* Arguments of a procedure with an item of this size, to be freed; it begins at octet 4. NULL: no
 * memory. */
uint8_t *probe_item_arguments(uint32_t procedure, size_t size, size_t *length);

/* What is wrong with the results, or NULL. */
const char *probe_item_compare(const struct requester_pending *pending,
                               const struct requester_reply *reply, uint32_t procedure, size_t size,
                               char text[PROBE_TEXT]);

#endif
