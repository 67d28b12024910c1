// SPDX-License-Identifier: BSD-3-Clause
/* Which cases are served: --case, --skip, --hazardous; and --list. */
#ifndef RXE_SERVE_SELECTION_H
#define RXE_SERVE_SELECTION_H

#include "conformance/base/chosen.h"

struct serve_selection {
    struct chosen cases, skipped; /* only these, where any is named; not these */
    bool hazardous;               /* these, too */
    bool list;                    /* none is run */
};

bool serve_selects(struct serve_selection *selection, const char *id, bool is_hazardous);

/* The same, and the case is listed if it was asked for that, in place of being run. */
bool serve_selects_run(struct serve_selection *selection, const char *id, bool is_hazardous,
                       const char *comment);

#endif
