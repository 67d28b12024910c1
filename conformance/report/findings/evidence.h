// SPDX-License-Identifier: BSD-3-Clause
/* What a finding rests on besides the event itself: other messages of its connection. */
#ifndef CONFORMANCE_EVIDENCE_H
#define CONFORMANCE_EVIDENCE_H

#include "conformance/report/findings/history.h"

#define EVIDENCE_MAX 8

struct evidence {
    const char
        *what; /* "call", "earlier-call", "grant", "waiting", "private-data", "upper-layer" */
    bool has_place;
    struct place place;
    char text[320]; /* a line for people */
};

struct evidence_list {
    unsigned count;
    struct evidence item[EVIDENCE_MAX];
};

/* `history` is that of the connection before a Send, with private data taken down; or NULL. */
void evidence_collect(struct evidence_list *list, const struct history *history,
                      const struct source_event *event, const struct rpcrdma_judgement *judgement,
                      const struct rpcrdma_finding *finding);

#endif
