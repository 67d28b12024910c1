// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz/kit/known.h"

#include "fuzz/kit/table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_MAX 256

static char known[NAMES_MAX][KIT_NAME];
static unsigned known_count;

static _Noreturn void refuse(const char *file, unsigned line, const char *why)
{
    fprintf(stderr, "%s:%u: %s\n", file, line, why);
    exit(2);
}

static void add(const char *file, unsigned line, char *text)
{
    text[strcspn(text, " \t\r\n")] = '\0';
    if (text[0] == '\0' || text[0] == '#')
        return;
    if (strlen(text) >= KIT_NAME || strchr(text, '/') == NULL)
        refuse(file, line, "is not the name of a disagreement");
    if (strncmp(text, "kit/crashed", 11) == 0)
        refuse(file, line, "a crash cannot be expected");
    if (known_count == NAMES_MAX)
        refuse(file, line, "too many names");
    strcpy(known[known_count++], text);
}

void known_read(void)
{
    char line[1024];
    const char *file = getenv("KIT_KNOWN");
    if (file == NULL || file[0] == '\0')
        return;
    FILE *list = fopen(file, "r");
    if (list == NULL) {
        fprintf(stderr, "%s: %s\n", file, strerror(errno));
        exit(2);
    }
    for (unsigned number = 1; fgets(line, sizeof line, list); number++)
        add(file, number, line);
    fclose(list);
}

bool known_has(const char *name)
{
    for (unsigned i = 0; i < known_count; i++)
        if (strcmp(known[i], name) == 0)
            return true;
    return false;
}
