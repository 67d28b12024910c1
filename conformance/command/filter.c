// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/command/filter.h"

#include "conformance/base/alloc.h"
#include "conformance/base/nearest.h"
#include "conformance/base/register.h"
#include "conformance/base/status.h"

bool filter_add_rule(const char *command, const char *id, bool **rules)
{
    int row = register_find(id);
    if (row < 0) {
        char meant[NEAREST_TEXT];
        usage_error(command, "no rule '%s'%s", id, nearest_text(register_nearest(id), meant));
        return false;
    }
    if (*rules == NULL)
        *rules = alloc_zeroed(RPCRDMA_RULES, sizeof **rules);
    return (*rules)[row] = true;
}
