// SPDX-License-Identifier: BSD-3-Clause
/* Lists of known departures. */
#include "known.h"

#include "command.h"
#include "register.h"

#include <errno.h>
#include <string.h>

static bool read_line(struct known *known, unsigned number, char *line)
{
    char text[256];
    char *comment = strchr(line, '#');
    if (comment)
        *comment = '\0';
    char *id = strtok(line, " \t\r\n");
    if (id == NULL)
        return true;
    int row = strtok(NULL, " \t\r\n") == NULL ? register_find(id) : -1;
    if (row < 0) {
        const char *nearest = register_nearest(id);
        snprintf(text, sizeof text, "line %u: '%.80s' is not one rule of the register%s%s%s",
                 number, id, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                 nearest ? "'?" : "");
        file_error(known->file, text);
        return false;
    }
    known->listed[row] = true;
    return true;
}

bool known_read(struct known *known, const char *file)
{
    char line[1024];
    known->file = file;
    FILE *in = fopen(file, "r");
    if (in == NULL) {
        file_error(file, strerror(errno));
        return false;
    }
    bool good = true;
    for (unsigned number = 1; good && fgets(line, sizeof line, in); number++)
        good = read_line(known, number, line);
    if (good && ferror(in)) {
        file_error(file, strerror(errno));
        good = false;
    }
    fclose(in);
    return good;
}

bool known_write(const struct known *known, const char *file)
{
    FILE *out = fopen(file, "w");
    if (out == NULL) {
        file_error(file, strerror(errno));
        return false;
    }
    fputs("# Known departures: one rule a line, with a reason if there is one.\n", out);
    for (unsigned i = 0; i < RPCRDMA_RULES; i++)
        if (known->found[i] > 0)
            fprintf(out, "%s # reason: \n", rpcrdma_requirements[i].id);
    bool bad = ferror(out);
    if (fclose(out) != 0 || bad) {
        file_error(file, strerror(errno));
        return false;
    }
    return true;
}

unsigned known_missing(const struct known *known)
{
    unsigned missing = 0;
    for (unsigned i = 0; i < RPCRDMA_RULES; i++) {
        if (!known->listed[i] || known->found[i] > 0)
            continue;
        fprintf(stderr, "rpcrdma: %s: known departure '%s' did not occur\n", known->file,
                rpcrdma_requirements[i].id);
        missing++;
    }
    return missing;
}
