// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/command/filter.h"

#include "conformance/base/alloc.h"
#include "conformance/base/register.h"
#include "conformance/base/status.h"

bool filter_add_rule(const char *command, const char *id, bool **rules)
{
    int row = register_find(id);
    if (row < 0) {
        const char *nearest = register_nearest(id);
        usage_error(command, "no rule '%s'%s%s%s", id, nearest ? "; did you mean '" : "",
                    nearest ? nearest : "", nearest ? "'?" : "");
        return false;
    }
    if (*rules == NULL)
        *rules = alloc_zeroed(RPCRDMA_RULES, sizeof **rules);
    return (*rules)[row] = true;
}
