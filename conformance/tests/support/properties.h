// SPDX-License-Identifier: BSD-3-Clause
/* Events of a connection, and what holds of every judgement of them: see properties_test.c. */
#ifndef CONFORMANCE_TESTS_PROPERTIES_H
#define CONFORMANCE_TESTS_PROPERTIES_H

#include "conformance/base/count.h"

#include <rpcrdma/check.h>

#define SERIES_EVENTS 512
#define SERIES_OCTETS (8u << 20)

enum series_kind {
    SERIES_CONFORMS,
    SERIES_BREAKS, /* a rule of version 1 */
    SERIES_NOISE,  /* anything; what could have come by in another order is not known */
};

struct series_event {
    struct rpcrdma_event event;
    /* Sends of its side before it; and of the other side, those without which it could not have
     * been. */
    uint64_t posted, knows;
    uint32_t id; /* its place, when nothing was dropped */
};

struct series {
    enum series_kind kind;
    char name[96];
    struct rpcrdma_check_config config;
    unsigned count;
    struct series_event events[SERIES_EVENTS];
    size_t used;
    uint8_t octets[SERIES_OCTETS]; /* of the events */
};

void series_begin(struct series *series, enum series_kind kind, const char *name,
                  const struct rpcrdma_check_config *config);
/* Takes a copy of what event->data points to. */
void series_add(struct series *series, const struct rpcrdma_event *event, uint64_t posted,
                uint64_t knows);

/* False where a property does not hold; the fewest events that show it are printed. */
bool properties_hold(const struct series *series);

#endif
