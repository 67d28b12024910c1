// SPDX-License-Identifier: BSD-3-Clause
/* The runner's lists of expected failures, with the names of the kit's table. */
#include "fuzz/kit/table.h"

#include "conformance/report/results/known.h"

#include <stdlib.h>

static struct known list = {.kind = KNOWN_KIT};

void kit_known_read(void)
{
    const char *file = getenv("KIT_KNOWN");
    if (file && file[0] != '\0' && !known_read(&list, file))
        exit(2);
}

bool kit_knows(const char *name)
{
    return known_has(&list, name, ENDING_WRONG);
}
