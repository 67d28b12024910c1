// SPDX-License-Identifier: BSD-3-Clause
/* Disagreements: the list of those known, and the table of those seen. */
#include "fuzz/kit/known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NAMES_MAX 256
#define EXAMPLE_MAX 256

static char known[NAMES_MAX][KIT_NAME];
static unsigned known_count;

struct seen {
    char name[KIT_NAME], what[256];
    unsigned long times;
    long after; /* seconds */
    bool is_reply;
    size_t length; /* of the shortest input that shows it */
    uint8_t octets[EXAMPLE_MAX];
};

static struct seen seen[NAMES_MAX];
static unsigned seen_count;
static time_t begun;

static void add_known(const char *file, unsigned line, char *text)
{
    char *comment = strchr(text, ' ');
    text[strcspn(text, "\t\r\n")] = '\0';
    if (comment)
        *comment = '\0';
    if (text[0] == '\0' || text[0] == '#')
        return;
    if (known_count == NAMES_MAX || strlen(text) >= KIT_NAME || strchr(text, '/') == NULL) {
        fprintf(stderr, "%s:%u: not a rule id, or too many\n", file, line);
        exit(2);
    }
    strcpy(known[known_count++], text);
}

void known_read(void)
{
    char line[512];
    const char *file = getenv("KIT_KNOWN");
    begun = time(NULL);
    if (file == NULL || file[0] == '\0')
        return;
    FILE *list = fopen(file, "r");
    if (list == NULL) {
        fprintf(stderr, "%s: cannot be opened\n", file);
        exit(2);
    }
    for (unsigned number = 1; fgets(line, sizeof line, list); number++)
        add_known(file, number, line);
    fclose(list);
}

bool known_has(const char *name)
{
    size_t rule = strcspn(name, "#");
    for (unsigned i = 0; i < known_count; i++)
        if (strcmp(known[i], name) == 0 ||
            (strlen(known[i]) == rule && strncmp(known[i], name, rule) == 0))
            return true;
    return false;
}

static void print_octets(const uint8_t *octets, size_t length)
{
    fprintf(stderr, "    ");
    for (size_t i = 0; i < length && i < EXAMPLE_MAX; i++)
        fprintf(stderr, "%02x", octets[i]);
    fprintf(stderr, "%s\n", length > EXAMPLE_MAX ? "..." : "");
}

static int by_name(const void *a, const void *b)
{
    const struct seen *left = a, *right = b;
    return strcmp(left->name, right->name);
}

static void print_table(void)
{
    qsort(seen, seen_count, sizeof seen[0], by_name);
    fprintf(stderr, "\n%u disagreements\n", seen_count);
    for (unsigned i = 0; i < seen_count; i++) {
        fprintf(stderr, "%s  (%lu times, first after %ld s)\n    %s\n", seen[i].name, seen[i].times,
                seen[i].after, seen[i].what);
        print_octets(seen[i].octets, seen[i].length);
    }
}

/* The program fails, though the fuzzer has reached its end. */
static void end_with_table(void)
{
    print_table();
    _Exit(1);
}

static struct seen *find_seen(const char *name)
{
    for (unsigned i = 0; i < seen_count; i++)
        if (strcmp(seen[i].name, name) == 0)
            return &seen[i];
    return NULL;
}

static void count(const struct disagreement *disagreement)
{
    const char *until = getenv("KIT_UNTIL");
    struct seen *row = find_seen(disagreement->name);
    if (seen_count == 0)
        atexit(end_with_table);
    if (row == NULL) {
        if (seen_count == NAMES_MAX)
            return;
        row = &seen[seen_count++];
        strcpy(row->name, disagreement->name);
        row->after = (long)(time(NULL) - begun);
        row->length = SIZE_MAX;
    }
    row->times++;
    if (disagreement->length < row->length) {
        row->length = disagreement->length;
        strcpy(row->what, disagreement->what);
        memcpy(row->octets, disagreement->octets,
               row->length < EXAMPLE_MAX ? row->length : EXAMPLE_MAX);
    }
    if (until && seen_count >= strtoul(until, NULL, 10)) {
        print_table();
        _Exit(0); /* libFuzzer takes exit() for a crash */
    }
}

void known_report(const struct disagreement *disagreement)
{
    if (getenv("KIT_CONTINUE")) {
        count(disagreement);
        return;
    }
    fprintf(stderr, "\ndisagreement: %s\n    %s\n", disagreement->name, disagreement->what);
    print_octets(disagreement->octets, disagreement->length);
    abort();
}
