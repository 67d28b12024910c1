// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/neighbours/digest.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STORIES 4096
#define NAMED 20

static struct digest now[STORIES], list[STORIES]; /* the scope's; all that the list has */
static size_t count, rows, found;                 /* of them; and that are in both */
static unsigned differ, named;
static const char *file_name, *scope, *shown;

static bool is_mine(const struct digest *line)
{
    size_t length = strlen(scope);
    return length == 0 || (strncmp(line->id, scope, length) == 0 && line->id[length] == ' ');
}

static bool writes(void)
{
    return getenv("NEIGHBOURS_WRITE") != NULL;
}

static void read_list(void)
{
    FILE *file = fopen(file_name, "r");
    ck_assert_msg(file != NULL, "%s cannot be read: run from the top of the tree", file_name);
    for (char row[256]; fgets(row, sizeof row, file);) {
        struct digest *line = &list[rows];
        if (row[0] == '#')
            continue;
        rows++;
        ck_assert_uint_lt(rows, STORIES);
        ck_assert_int_eq(sscanf(row, "%95[^\t]\t%u\t%u\t%" SCNx64, line->id, &line->judged,
                                &line->findings, &line->value),
                         4);
    }
    fclose(file);
}

void digests_begin(const char *path, const char *names)
{
    const char *most = getenv("NEIGHBOURS_NAMED");
    file_name = path;
    scope = names;
    shown = getenv("NEIGHBOURS_SHOW");
    digest_shown = shown != NULL;
    named = most ? (unsigned)strtoul(most, NULL, 0) : NAMED;
    count = rows = found = differ = 0;
    read_list();
}

static void compare(const struct digest *line, const char *what)
{
    size_t i = 0;
    while (i < rows && strcmp(list[i].id, line->id) != 0)
        i++;
    if (i == rows)
        return;
    found++;
    if (line->judged == list[i].judged && line->findings == list[i].findings &&
        line->value == list[i].value)
        return;
    differ++;
    fprintf(stderr, "%s: %u findings of %u events, not %u of %u, or others%s%s\n", line->id,
            line->findings, line->judged, list[i].findings, list[i].judged, what ? ": " : "",
            what ? what : "");
}

void digests_add(struct story *story, const char *what)
{
    if (differ >= named || (shown != NULL && strcmp(shown, story->id) != 0))
        return;
    for (size_t i = 0; i < count; i++)
        if (strcmp(now[i].id, story->id) == 0)
            return;
    struct digest *line = &now[count++];
    if (count == STORIES)
        ck_abort_msg("more stories than expected");
    *line = (struct digest){.value = 0xcbf29ce484222325};
    memcpy(line->id, story->id, sizeof line->id);
    neighbours(story, digest_story, line);
    if (!writes())
        compare(line, what);
}

static void write_lines(FILE *file, const struct digest *lines, size_t lines_count)
{
    for (size_t i = 0; i < lines_count; i++)
        fprintf(file, "%s\t%u\t%u\t%016" PRIx64 "\n", lines[i].id, lines[i].judged,
                lines[i].findings, lines[i].value);
}

/* What is not of this scope stays where it is. */
static void write_list(void)
{
    size_t first = 0;
    FILE *file = fopen(file_name, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "# SPDX-License-Identifier: BSD-3-Clause\n"
                  "# Name, events judged, findings, digest of the judgements: see "
                  "support/neighbours/digest.h.\n");
    while (first < rows && !is_mine(&list[first]))
        first++;
    write_lines(file, list, first);
    write_lines(file, now, count);
    for (size_t i = first; i < rows; i++)
        if (!is_mine(&list[i]))
            write_lines(file, &list[i], 1);
    ck_assert_int_eq(fclose(file), 0);
}

size_t digests_end(void)
{
    size_t mine = 0;
    if (writes())
        write_list();
    if (shown != NULL || writes())
        return count;
    for (size_t i = 0; i < rows; i++)
        mine += is_mine(&list[i]);
    if (getenv("SUMS") && strcmp(getenv("SUMS"), "no") == 0)
        return count;
    ck_assert_msg(differ == 0, "%u stories or more are judged otherwise than %s says: see %s",
                  differ, file_name, "conformance/tests/support/neighbours/digest.h");
    ck_assert_uint_eq(mine, found);  /* of stories that are gone nothing stays */
    ck_assert_uint_eq(count, found); /* new ones are in the list when it is written next */
    return count;
}
