// SPDX-License-Identifier: BSD-3-Clause
/* Findings in the Static Analysis Results Interchange Format (SARIF) 2.1.0, written as they come.
 */
#ifndef CONFORMANCE_SARIF_H
#define CONFORMANCE_SARIF_H

#include "conformance/describe/json.h"
#include "conformance/base/output.h"
#include "conformance/report/findings/findings.h"

/* More are counted and not written: readers have limits of their own. */
enum { SARIF_MAX = 25000 };

struct sarif {
    struct output out; /* without a stream: none is written */
    struct json json;
    uint64_t written, left_out;
};

/* Complains and returns false if the file cannot be made. */
bool sarif_begin(struct sarif *sarif, const char *file);
void sarif_add(struct sarif *sarif, const struct judged *judged,
               const struct rpcrdma_finding *finding);
/* Complains and returns false where not all could be written. `incomplete`: why the run
 * did not see all, or NULL. */
bool sarif_end(struct sarif *sarif, const struct missed *missed, const struct known *known,
               const char *incomplete);

#endif
