// SPDX-License-Identifier: BSD-3-Clause
/* A Send as a table for people: offset, octets, field, value. */
#ifndef CONFORMANCE_FIELDS_H
#define CONFORMANCE_FIELDS_H

#include "conformance/describe/send.h"
#include "conformance/base/terminal.h"

#include <stdio.h>

/* A place to point at, with what is to be said there. */
struct field_mark {
    size_t offset;
    const char *text;
    bool shown; /* set once its row has been printed */
};

struct field_table {
    FILE *out;
    const struct style *style;
    struct field_mark *marks;
    size_t mark_count;
    bool brief; /* leave out rows far from the start and from every mark */
};

/* Print all of it, up to and with the fault if there is one. Returns whether it decodes. */
bool fields_print(const struct field_table *table, const struct rpcrdma_event *event);

#endif
