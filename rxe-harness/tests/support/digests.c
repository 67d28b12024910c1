// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/digests.h"

#include "rxe-harness/probe/probe.h"

#include <check.h>
#include <inttypes.h>
#include <rpcrdma/rpcrdma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGESTS 4096
#define ROW 256

static struct digest digests[DIGESTS];
static size_t count;

void digests_clear(void)
{
    count = 0;
}

static struct digest *find(const char *id)
{
    for (size_t i = count; i > 0; i--)
        if (strcmp(digests[i - 1].id, id) == 0)
            return &digests[i - 1];
    return NULL;
}

struct digest *digest_of(const char *id)
{
    struct digest *digest = find(id);
    if (digest)
        return digest;
    ck_assert_uint_lt(count, DIGESTS);
    digest = &digests[count++];
    *digest = (struct digest){.sum = 0xcbf29ce484222325};
    snprintf(digest->id, sizeof digest->id, "%s", id);
    return digest;
}

void digest_octets(struct digest *digest, const void *octets, size_t length)
{
    const uint8_t *at = octets;
    for (size_t i = 0; i < length; i++)
        digest->sum = (digest->sum ^ at[i]) * 0x100000001b3;
}

void digest_number(struct digest *digest, uint64_t number)
{
    uint8_t octets[8];
    rpcrdma_xdr_store64(octets, number);
    digest_octets(digest, octets, sizeof octets);
}

void digest_text(struct digest *digest, const char *text)
{
    if (text)
        digest_octets(digest, text, strlen(text));
}

/* Without its XID, which depends on the cases before. */
static void digest_send(struct digest *digest, const uint8_t *octets, size_t length)
{
    size_t at = 0;
    if (octets == NULL) /* none */
        length = 0;
    for (; at + 4 <= length; at += 4)
        if (memcmp(octets + at, octets, 4) != 0)
            digest_octets(digest, octets + at, 4);
    if (at < length)
        digest_octets(digest, octets + at, length - at);
    digest_number(digest, length);
}

void digest_result(struct digest *digest, const struct result *result)
{
    digest_number(digest, result->ending);
    digest_number(digest, result->breaks);
    digest_text(digest, result->expected);
    digest_text(digest, result->actual);
    digest_send(digest, result->octets, result->length);
    digest_send(digest, result->answer, result->answer_length);
    digest->events++;
}

/* ---- known cases ---- */

#define SENT "rxe-harness/tests/sent.tsv"

static char known[DIGESTS][96];
static size_t known_count;

static int compare_ids(const void *a, const void *b)
{
    return strcmp(a, b);
}

static bool is_vector(const char *id)
{
    for (const struct probe_row *row = probe_table; row->id; row++)
        if (strcmp(row->id, id) == 0)
            return true;
    return false;
}

/* "probe ID", "serve ID", and so on. */
static void read_known(void)
{
    char row[ROW];
    FILE *file = fopen(SENT, "r");
    ck_assert_msg(file != NULL, SENT " cannot be read: run from the top of the tree");
    while (fgets(row, sizeof row, file)) {
        char *id = strchr(row, ' ');
        if (row[0] == '#' || id == NULL)
            continue;
        id[strcspn(id, "\t")] = '\0';
        if (is_vector(id + 1))
            continue;
        ck_assert_uint_lt(known_count, DIGESTS);
        snprintf(known[known_count++], sizeof known[0], "%s", id + 1);
    }
    fclose(file);
    qsort(known, known_count, sizeof known[0], compare_ids);
}

bool digests_knows_case(const char *id)
{
    if (known_count == 0)
        read_known();
    return bsearch(id, known, known_count, sizeof known[0], compare_ids) != NULL;
}

void digest_results(struct digest *digest, const struct results *results)
{
    for (size_t i = 0; i < results->count; i++)
        if (digests_knows_case(results->list[i].test))
            digest_result(digest, &results->list[i]);
}

/* ---- the list ---- */

static bool begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Lines of other prefixes stay as they are, and in their order. */
static void write_list(const char *list, const char *prefix)
{
    char row[ROW], path[ROW];
    snprintf(path, sizeof path, "%s.new", list);
    FILE *old = fopen(list, "r"), *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "# SPDX-License-Identifier: BSD-3-Clause\n"
                  "# Name, number of events, digest: see support/digests.h.\n");
    while (old && fgets(row, sizeof row, old))
        if (row[0] != '#' && !begins(row, prefix))
            fputs(row, file);
    for (size_t i = 0; i < count; i++)
        if (begins(digests[i].id, prefix))
            fprintf(file, "%s\t%u\t%016" PRIx64 "\n", digests[i].id, digests[i].events,
                    digests[i].sum);
    if (old)
        fclose(old);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(rename(path, list), 0);
}

size_t digests_compare(const char *list, const char *prefix)
{
    char row[ROW];
    size_t rows = 0;
    unsigned differ = 0;
    const char *how = getenv("SUMS");
    if (how && strcmp(how, "write") == 0)
        write_list(list, prefix);
    FILE *file = fopen(list, "r");
    ck_assert_msg(file != NULL, "%s cannot be read: run from the top of the tree", list);
    while (fgets(row, sizeof row, file)) {
        char id[96];
        unsigned events;
        uint64_t sum;
        if (row[0] == '#' || !begins(row, prefix))
            continue;
        ck_assert_int_eq(sscanf(row, "%95[^\t]\t%u\t%" SCNx64, id, &events, &sum), 3);
        const struct digest *digest = find(id);
        rows++;
        if (digest && digest->events == events && digest->sum == sum)
            continue;
        differ++;
        fprintf(stderr, "%s: %s\n", id, digest ? "differs" : "is not there");
    }
    fclose(file);
    ck_assert_msg(differ == 0 || (how && strcmp(how, "no") == 0),
                  "%u lines differ from %s; if that is meant: make accept", differ, list);
    return rows;
}
