// SPDX-License-Identifier: BSD-3-Clause
/* Lists of known departures. */
#include "conformance/report/known.h"

#include "conformance/base/alloc.h"
#include "conformance/base/status.h"
#include "conformance/base/register.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct known_test *find_test(const struct known *known, const char *id)
{
    for (size_t i = 0; i < known->count; i++)
        if (strcmp(known->tests[i].id, id) == 0)
            return &known->tests[i];
    return NULL;
}

static struct known_test *add_test(struct known *known, const char *id)
{
    struct known_test *test = find_test(known, id);
    if (test)
        return test;
    known->tests = alloc_room(known->tests, known->count, &known->room, sizeof *known->tests);
    test = &known->tests[known->count++];
    *test = (struct known_test){.id = alloc_text(id)};
    return test;
}

static bool read_line(struct known *known, unsigned number, char *line)
{
    char text[256];
    char *comment = strchr(line, '#');
    if (comment)
        *comment = '\0';
    char *id = strtok(line, " \t\r\n");
    if (id == NULL)
        return true;
    bool alone = strtok(NULL, " \t\r\n") == NULL;
    if (alone && !known->no_tests && strchr(id, '/') == NULL) {
        add_test(known, id)->listed = true;
        return true;
    }
    int row = alone ? register_find(id) : -1;
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
    for (unsigned number = 1; good && fgets(line, sizeof line, in); number++) {
        bool whole = strchr(line, '\n') != NULL;
        good = read_line(known, number, line);
        while (!whole && !feof(in) && !ferror(in)) /* reasons may be long */
            whole = getc(in) == '\n';
    }
    if (good && ferror(in)) {
        file_error(file, strerror(errno));
        good = false;
    }
    fclose(in);
    return good;
}

bool known_failure(struct known *known, const char *test, int rule)
{
    struct known_test *named = find_test(known, test);
    if (named == NULL && (known->write_tests || rule < 0))
        named = add_test(known, test);
    if (named)
        named->found = true;
    if (rule >= 0)
        known->found[rule]++;
    return (named && named->listed) || (rule >= 0 && known->listed[rule]);
}

bool known_write(const struct known *known, const char *file)
{
    FILE *out = fopen(file, "w");
    if (out == NULL) {
        file_error(file, strerror(errno));
        return false;
    }
    fprintf(out, "# Known departures: one %s a line, with a reason if there is one.\n",
            known->write_tests ? "test" : "rule");
    for (unsigned i = 0; !known->write_tests && i < RPCRDMA_RULES; i++)
        if (known->found[i] > 0)
            fprintf(out, "%s # reason: \n", rpcrdma_requirements[i].id);
    for (size_t i = 0; i < known->count; i++)
        if (known->tests[i].found)
            fprintf(out, "%s # reason: \n", known->tests[i].id);
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
    for (size_t i = 0; i < known->count; i++) {
        if (!known->tests[i].listed || known->tests[i].found)
            continue;
        fprintf(stderr, "rpcrdma: %s: known departure in '%s' did not occur\n", known->file,
                known->tests[i].id);
        missing++;
    }
    return missing;
}

void known_free(struct known *known)
{
    for (size_t i = 0; i < known->count; i++)
        free(known->tests[i].id);
    free(known->tests);
    known->tests = NULL;
    known->count = known->room = 0;
}
