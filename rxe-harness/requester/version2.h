// SPDX-License-Identifier: BSD-3-Clause
/* What the files of the reference Requester share of version 2. */
#ifndef HARNESS_REQUESTER_VERSION2_H
#define HARNESS_REQUESTER_VERSION2_H

#include "rxe-harness/requester/requester.h"

/* reply.c: what a Reply or an error means; what it means that nothing came. */
void requester_read_event(const struct session_event *event,
                          const struct requester_pending *pending, struct requester_reply *reply);
void requester_read_nothing(const struct requester *requester, bool closed,
                            struct requester_reply *reply);

/* version2.c: offer version 2. True: the peer speaks it, or version 1 that it named. */
bool requester_settle2(struct requester *requester, const struct requester_options *wanted);
void requester_finish2(struct requester *requester, struct requester_pending *pending,
                       unsigned timeout, struct requester_reply *reply);

#endif
