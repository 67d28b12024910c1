// SPDX-License-Identifier: BSD-3-Clause
/* What a client can send of a vector, to a live Responder. */
#ifndef CONFORMANCE_STORY_H
#define CONFORMANCE_STORY_H

#include "conformance/run/corpus.h"

#define STORY_SENDS 16

/* Sends of the client. The vector is about the last one: the last that breaks a rule, or else the
 * client's last. */
struct story {
    const struct vector_event *sends[STORY_SENDS];
    size_t count;
    bool first;       /* nothing goes before them; else an exchange of NULL */
    const char *rule; /* that the last Send breaks, or nearly breaks; or NULL */
    bool breaks;
};

/*
 * The fewest Sends of the vector by this protocol of which the checker says what the vector
 * expects of the last one: findings and reactions. Each is answered before the next, if it is a
 * Call. False: there are none, for more than the client's Sends has to do with it, or settings that
 * a live peer has of its own. Of version 1 it is one Send, after an exchange.
 */
bool story_of(const struct vector_test *test, enum rpcrdma_protocol protocol, struct story *story);

#endif
