// SPDX-License-Identifier: BSD-3-Clause
/*
 * The neighbours of a vector: its events with one thing changed, for each thing that there is. A
 * word of a Send has another value, is left out, or is there twice; a Send ends early, or the
 * capture does; an event is missing, comes twice, too late, or from the other side; there is one
 * RDMA operation more, or one Send; the configuration is another one.
 */
#ifndef CONFORMANCE_TESTS_NEIGHBOURS_H
#define CONFORMANCE_TESTS_NEIGHBOURS_H

#include <rpcrdma/check.h>

#define STORY_EVENTS 200

/* The events of one connection. */
struct story {
    char id[96];
    struct rpcrdma_check_config config;
    struct rpcrdma_event events[STORY_EVENTS];
    unsigned count;
    unsigned first; /* of the events, the one that is changed */
    char what[64];  /* how */
};

/* Judge the story; called for each neighbour, and for the story itself before them. */
typedef void visit_story(void *arg, const struct story *story);

/* The story may be changed while this runs; it is as it was when it returns. */
void neighbours(struct story *story, visit_story *visit, void *arg);

#endif
