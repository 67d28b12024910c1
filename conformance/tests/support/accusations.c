// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/accusations.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static struct accusation {
    const char *rule;
    uint64_t times, seed, event;
    char text[256];
} accusations[64];

uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

void accuse(const char *rule, const char *text, uint64_t seed, uint64_t event)
{
    struct accusation *known = accusations, *last = accusations + 63;
    while (known < last && known->rule && known->rule != rule)
        known++;
    if (known->rule == NULL) {
        *known = (struct accusation){.rule = rule, .seed = seed, .event = event};
        snprintf(known->text, sizeof known->text, "%s", text);
    }
    known->times++;
}

bool is_not_accused(void)
{
    for (unsigned i = 0; i < 64 && accusations[i].rule; i++)
        printf("%s %" PRIu64 " times, first in seed %" PRIu64 ", event %" PRIu64 ": %s\n",
               accusations[i].rule, accusations[i].times, accusations[i].seed, accusations[i].event,
               accusations[i].text);
    fflush(stdout);
    return accusations[0].rule == NULL;
}
