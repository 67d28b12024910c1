// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/serve/selection.h"

#include <stdio.h>

bool serve_selects(struct serve_selection *selection, const char *id, bool is_hazardous)
{
    bool wanted = selection->cases.count == 0 || chosen_has(&selection->cases, id);
    wanted = !chosen_has(&selection->skipped, id) && wanted;
    return wanted && (!is_hazardous || selection->hazardous || chosen_names(&selection->cases, id));
}

bool serve_selects_run(struct serve_selection *selection, const char *id, bool is_hazardous,
                       const char *comment)
{
    bool wanted = serve_selects(selection, id, is_hazardous);
    if (wanted && selection->list)
        printf("%s%s\n    %s\n", id, is_hazardous ? " (hazardous)" : "", comment);
    return wanted && !selection->list;
}
