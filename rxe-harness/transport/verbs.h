// SPDX-License-Identifier: BSD-3-Clause
/* What the verbs provider can do beyond transport.h. */
#ifndef HARNESS_VERBS_H
#define HARNESS_VERBS_H

#include "rxe-harness/transport/transport.h"

/* Called with the peer's private data known, before the peer that connects is answered; it may
 * change what it is answered with. False: the peer is rejected. */
typedef bool verbs_meeting(void *arg, const struct link *peer, struct link_options *answer);

/* From now on, of a transport of transport_verbs() that listens. */
void verbs_on_meeting(struct transport *transport, verbs_meeting *meet, void *arg);

#endif
