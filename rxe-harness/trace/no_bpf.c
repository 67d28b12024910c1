// SPDX-License-Identifier: BSD-3-Clause
/* In place of layout.c and probes.c where the command is built without libbpf. */
#include "rxe-harness/trace/probes.h"

#include <stdio.h>

bool probe_lines(struct trace_wish *wish, const char *group,
                 bool (*set)(void *arg, const char *name, const char *line), void *arg, char *error,
                 size_t size)
{
    (void)wish, (void)group, (void)set, (void)arg;
    snprintf(error, size, "built without libbpf: install libbpf-dev, and build again");
    return false;
}
