// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/command/filter.h"

#include "conformance/base/alloc.h"
#include "conformance/base/nearest.h"
#include "conformance/base/register.h"
#include "conformance/base/status.h"

bool filter_rules(const char *command, struct chosen *names, bool **rules)
{
    if (names->count == 0)
        return true;
    *rules = alloc_zeroed(RPCRDMA_RULES, sizeof **rules);
    for (size_t i = 0; i < RPCRDMA_RULES; i++)
        (*rules)[i] = chosen_has_rule(names, rpcrdma_requirements[i].id);
    const char *missing = chosen_missing(names);
    char meant[NEAREST_TEXT];
    if (missing)
        usage_error(command, "no rule '%s'%s", missing,
                    nearest_text(register_nearest(missing), meant));
    chosen_free(names);
    return missing == NULL;
}
