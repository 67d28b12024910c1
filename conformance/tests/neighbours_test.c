// SPDX-License-Identifier: BSD-3-Clause
/*
 * What the checker says of each vector and of its neighbours (support/neighbours/neighbours.h),
 * word by word: rules, severities, places, texts, fields, reactions, answers. The vectors say what
 * is right; this holds what lies around them, so that no limit, operand or text changes unseen.
 * neighbours.tsv has a line a vector: how many Sends and other events were judged, how many
 * findings there were, and their digest. A change of the checker names here the vectors beside
 * which it judges otherwise. Then
 *
 *     NEIGHBOURS_SHOW=ID neighbours_test
 *
 * prints all that is said of that vector's neighbours, to be compared with what the program says
 * before the change; and if that is meant, NEIGHBOURS_WRITE=1 writes the list anew. Both from the
 * top of the tree.
 */
#include "conformance/tests/support/neighbours/neighbours.h"

#include "conformance/input/source.h"
#include "conformance/walk/header.h"

#include <check.h>
#include <dirent.h>
#include <inttypes.h>
#include <rpcrdma/binding.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST "conformance/tests/data/neighbours.tsv"
#define STORIES 4096
#define NAMED 20 /* vectors that are judged otherwise: then it ends; NEIGHBOURS_NAMED sets it */

struct line {
    char id[96];
    unsigned judged, findings;
    uint64_t digest;
};

static struct line lines[STORIES], list[STORIES]; /* as it is now, and was */
static size_t count, rows, found;                 /* of them; and that are in both */
static unsigned differ;
static bool writes;
static unsigned named = NAMED;
static const char *shown; /* the vector of which everything is printed */
static max_align_t memory[64 * 1024];

/* ---- digests ---- */

static void add(struct line *line, const void *octets, size_t length)
{
    const uint8_t *at = octets;
    for (size_t i = 0; i < length; i++)
        line->digest = (line->digest ^ at[i]) * 0x100000001b3;
}

static void add_number(struct line *line, uint64_t number)
{
    line->digest = (line->digest ^ number) * 0x9e3779b97f4a7c15;
    line->digest ^= line->digest >> 29;
}

static void add_text(struct line *line, const char *text)
{
    add(line, text, strlen(text) + 1);
}

/* The words and the field of it; elsewhere what they are made of will do, and takes less time. */
static void add_words(struct line *line, const struct rpcrdma_finding *finding,
                      const struct rpcrdma_event *event)
{
    char text[512], field[128];
    add_number(line, rpcrdma_finding_text(finding, text, sizeof text));
    add_number(line, rpcrdma_finding_field(finding, event, field, sizeof field));
    add_text(line, text);
    add_text(line, field);
    if (shown)
        printf("    %s %s: %s\n", rpcrdma_requirements[finding->rule].id, field, text);
}

static void add_finding(struct line *line, const struct rpcrdma_finding *finding)
{
    const char *rule = rpcrdma_requirements[finding->rule].id;
    add_text(line, rule);
    add_text(line, finding->format);
    for (unsigned i = 0; i < 3; i++)
        add_number(line, finding->value[i]);
    add_number(line, finding->severity);
    add_number(line, finding->protocol);
    add_number(line, (uint64_t)finding->offset);
    line->findings++;
    if (shown)
        printf("    %s %s at %" PRId64 ": %s\n", rpcrdma_severity_name(finding->severity), rule,
               finding->offset, finding->format);
}

static void add_verdict(struct line *line, const struct rpcrdma_judgement *verdict)
{
    const uint64_t numbers[] = {
        (uint64_t)(verdict->has_xid | verdict->has_version << 1 | verdict->has_credit << 2 |
                   verdict->has_procedure << 3 | verdict->draft_is_sure << 4),
        verdict->has_xid ? verdict->xid : 0,
        verdict->has_version ? verdict->version : 0,
        verdict->has_credit ? verdict->credit : 0,
        verdict->has_procedure ? verdict->procedure : 0,
        verdict->direction,
        (uint64_t)verdict->header_length,
        (uint64_t)verdict->payload,
        verdict->protocol,
        verdict->kind,
        verdict->form,
        verdict->remaining,
        verdict->reactions,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        add_number(line, numbers[i]);
    line->judged++;
    if (shown)
        printf("  reactions 0x%x, header of %" PRId64 ", payload at %" PRId64
               ", protocol %d%s, %d.%d\n",
               verdict->reactions, verdict->header_length, verdict->payload, verdict->protocol,
               verdict->draft_is_sure ? "" : "?", verdict->kind, verdict->form);
    for (unsigned i = 0; i < verdict->count; i++)
        add_finding(line, &verdict->findings[i]);
}

/* What a Responder answers to the Send, by itself and on its connection. */
static void add_answers(struct line *line, const struct rpcrdma_judgement *verdict,
                        const struct rpcrdma_event *event)
{
    uint8_t answer[RPCRDMA_ANSWER_MAX];
    size_t length;
    for (int i = RPCRDMA_PROTOCOL_1; i <= RPCRDMA_PROTOCOL_2_07; i++) {
        add_number(line, rpcrdma_check_answer((enum rpcrdma_protocol)i, event->data, event->length,
                                              32, answer, &length));
        add(line, answer, length);
    }
    for (uint32_t credits = 0; credits <= 32; credits += 32) {
        add_number(line, rpcrdma_check_verdict_answer(verdict, credits, answer, &length));
        add(line, answer, length);
    }
}

struct fields {
    struct line *line;
    unsigned left; /* fields until the walk is stopped */
};

static bool add_field(void *arg, const struct walk_field *field)
{
    struct fields *fields = arg;
    const uint64_t numbers[] = {field->kind,   field->array,       field->present, field->depth,
                                field->offset, field->is_presence, field->length};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        add_number(fields->line, numbers[i]);
    if (field->kind < WALK_BEGIN)
        add_number(fields->line, field->number);
    add_number(fields->line, field->has_value ? field->value : 0);
    add_text(fields->line, field->path);
    add_text(fields->line, field->name);
    add_text(fields->line, field->type);
    return --fields->left > 0;
}

static void add_end(struct line *line, ptrdiff_t walked, const struct walk_error *error)
{
    add_number(line, (uint64_t)walked);
    if (walked >= 0)
        return;
    add_number(line, (uint64_t)error->code);
    add_number(line, error->offset);
    add_text(line, error->path);
}

/* Its fields, as `decode` names them, in the header and in the RPC message. */
static void add_walk(struct line *line, const struct rpcrdma_judgement *verdict,
                     const struct rpcrdma_event *event, unsigned most)
{
    struct fields fields = {line, most};
    struct walk_error error = {0};
    size_t at = verdict->payload < 0 ? event->length : (size_t)verdict->payload;
    add_end(line,
            rpcrdma_walk_header(verdict->protocol, event->data, event->length, add_field, &fields,
                                &error),
            &error);
    fields.left = most;
    if (at < event->length)
        add_end(line,
                rpcrdma_walk(rpcrdma_walk_rpcrdma_rpc_msg, (const uint8_t *)event->data + at,
                             event->length - at, add_field, &fields, &error),
                &error);
}

/* What the checker does not set is not zero by luck. */
__attribute__((noinline)) static void soil_stack(int octet)
{
    char octets[8192];
    memset(octets, octet, sizeof octets);
    __asm__ volatile("" : : "r"(octets) : "memory");
}

static void judge(void *arg, const struct story *story)
{
    struct line *line = arg;
    struct rpcrdma_judgement verdict;
    struct rpcrdma_check *check = rpcrdma_check_init(memory, sizeof memory, &story->config);
    if (check == NULL) /* ck_assert() writes to a pipe each time */
        ck_abort_msg("no checker");
    if (shown)
        printf("%s\n", story->what);
    for (unsigned i = 0; i < story->count; i++) {
        const struct rpcrdma_event *event = &story->events[i];
        memset(&verdict, 0xa5, sizeof verdict);
        soil_stack(line->judged % 2 ? 0xa5 : 0x5a);
        rpcrdma_check_event(check, event, &verdict);
        if (i < story->first)
            continue;
        add_verdict(line, &verdict);
        for (unsigned n = 0; i == story->first && n < verdict.count; n++)
            add_words(line, &verdict.findings[n], event);
        if (i == story->first && event->type == RPCRDMA_EVENT_SEND)
            add_answers(line, &verdict, event);
        if (event->type == RPCRDMA_EVENT_SEND && event->data != NULL && line->judged % 16 == 0)
            add_walk(line, &verdict, event,
                     line->judged % 128 == 0 ? line->judged / 128 % 40 + 1 : 9999);
    }
}

/* ---- the list ---- */

static void write_list(void)
{
    FILE *file = fopen(LIST, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file,
            "# SPDX-License-Identifier: BSD-3-Clause\n"
            "# Vector, events judged, findings, digest of the verdicts: see neighbours_test.c.\n");
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%s\t%u\t%u\t%016" PRIx64 "\n", lines[i].id, lines[i].judged,
                lines[i].findings, lines[i].digest);
    ck_assert_int_eq(fclose(file), 0);
}

static void read_list(void)
{
    FILE *file = fopen(LIST, "r");
    ck_assert_msg(file != NULL, "%s cannot be read: run from the top of the tree", LIST);
    for (char row[256]; fgets(row, sizeof row, file);) {
        struct line *line = &list[rows];
        if (row[0] == '#')
            continue;
        rows++;
        ck_assert_uint_lt(rows, STORIES);
        ck_assert_int_eq(sscanf(row, "%95[^\t]\t%u\t%u\t%" SCNx64, line->id, &line->judged,
                                &line->findings, &line->digest),
                         4);
    }
    fclose(file);
}

static void compare(const struct line *line)
{
    size_t i = 0;
    while (i < rows && strcmp(list[i].id, line->id) != 0)
        i++;
    if (i == rows)
        return;
    found++;
    if (line->judged == list[i].judged && line->findings == list[i].findings &&
        line->digest == list[i].digest)
        return;
    differ++;
    fprintf(stderr, "%s: %u findings of %u events, not %u of %u, or others\n", line->id,
            line->findings, line->judged, list[i].findings, list[i].judged);
}

/* ---- vectors ---- */

static struct story story;

static void finish(void)
{
    if (story.count > 0 && differ < named && (shown == NULL || strcmp(shown, story.id) == 0)) {
        struct line *line = &lines[count++];
        if (count == STORIES)
            ck_abort_msg("more vectors than expected");
        *line = (struct line){.digest = 0xcbf29ce484222325};
        memcpy(line->id, story.id, sizeof line->id);
        neighbours(&story, judge, line);
        compare(line);
    }
    for (unsigned i = 0; i < story.count; i++)
        free((void *)story.events[i].data);
    story.count = 0;
}

static bool take(void *arg, const struct source_event *source)
{
    (void)arg;
    if (strcmp(source->test, story.id) != 0) {
        finish();
        snprintf(story.id, sizeof story.id, "%s", source->test);
        story.config = *source->config;
    }
    ck_assert_uint_lt(story.count, STORY_EVENTS - 2);
    struct rpcrdma_event *event = &story.events[story.count++];
    *event = source->event;
    if (event->data) {
        uint8_t *copy = malloc(event->length > 0 ? event->length : 1);
        ck_assert_ptr_nonnull(copy);
        event->data = event->length > 0 ? memcpy(copy, event->data, event->length) : copy;
    }
    return true;
}

static void closed(void *arg, uint64_t connection)
{
    (void)arg, (void)connection;
}

static int is_vectors(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');
    return end != NULL && strcmp(end, ".json") == 0 && strstr(entry->d_name, ".schema.") == NULL;
}

static void add_folder(const char *folder)
{
    const struct source_options options = {.format = SOURCE_VECTORS};
    const struct source_sink sink = {.event = take, .closed = closed};
    struct dirent **names;
    int files = scandir(folder, &names, is_vectors, alphasort);
    ck_assert_msg(files > 0, "%s has no vectors: run from the top of the tree", folder);
    for (int i = 0; i < files; i++) {
        char path[512], error[256];
        struct source_counts counts = {0};
        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        ck_assert_msg(source_read(path, &options, &sink, &counts, error, sizeof error), "%s: %s",
                      path, error);
        finish();
        free(names[i]);
    }
    free(names);
}

START_TEST(neighbours_are_judged_as_they_always_were)
{
    shown = getenv("NEIGHBOURS_SHOW");
    writes = getenv("NEIGHBOURS_WRITE") != NULL;
    if (getenv("NEIGHBOURS_NAMED"))
        named = (unsigned)strtoul(getenv("NEIGHBOURS_NAMED"), NULL, 0);
    if (!writes)
        read_list();
    add_folder("vectors");
    add_folder("vectors/v2-04");
    add_folder("vectors/v2-07");
    if (writes)
        write_list();
    if (shown != NULL || writes)
        return;
    ck_assert_msg(differ == 0,
                  "%u vectors or more differ from " LIST ": see the first lines of this source",
                  differ);
    ck_assert_uint_gt(rows, 1500);
    ck_assert_uint_eq(rows, found); /* new vectors are in the list when it is written next */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("neighbours");
    TCase *tests = tcase_create("neighbours");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, neighbours_are_judged_as_they_always_were);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
