// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/neighbours/sums.h"

#include "conformance/base/register.h"
#include "conformance/walk/header.h"
#include "conformance/base/count.h"

#include <check.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STORIES 8192
#define OPEN RPCRDMA_RULES
#define NAMED 20
#define DIGEST_BEGIN UINT64_C(0xcbf29ce484222325)

static max_align_t memory[64 * 1024];
static struct {
    unsigned findings;
    uint64_t value;
} sums[RPCRDMA_RULES + 1], listed[RPCRDMA_RULES + 1];
static uint64_t ids[STORIES];
static unsigned stories, judged; /* events of the story */
static const char *last_event;
static int shown = -2; /* -1: none */

struct digest {
    uint64_t value;
};

static void add(struct digest *digest, const void *octets, size_t length)
{
    const uint8_t *at = octets;
    for (size_t i = 0; i < length; i++)
        digest->value = (digest->value ^ at[i]) * 0x100000001b3;
}

static void add_number(struct digest *digest, uint64_t number)
{
    digest->value = (digest->value ^ number) * 0x9e3779b97f4a7c15;
    digest->value ^= digest->value >> 29;
}

static void add_text(struct digest *digest, const char *text)
{
    add(digest, text, strlen(text) + 1);
}

/* Of what happens in this event of the story: added up, so that the order does not count. */
static struct digest begin(const struct story *story, unsigned event)
{
    struct digest digest = {DIGEST_BEGIN};
    add_text(&digest, story->id);
    add_number(&digest, judged);
    add_number(&digest, event);
    return digest;
}

static void end(unsigned rule, const struct digest *digest)
{
    sums[rule].findings++;
    sums[rule].value += digest->value;
}

static const char *name_of(unsigned rule)
{
    return rule == OPEN ? "open" : rpcrdma_requirements[rule].id;
}

/* The rule of SHOW=, RULE or "open". */
static bool is_shown(unsigned rule)
{
    const char *name = getenv("SHOW");
    if (shown == -2) {
        int found = name ? register_find(name) : -1;
        ck_assert_msg(name == NULL || found >= 0 || strcmp(name, "open") == 0,
                      "SHOW=%s: there is no such rule", name);
        shown = name == NULL ? -1 : found >= 0 ? found : (int)OPEN;
    }
    return shown == (int)rule;
}

static void show(const struct story *story, unsigned event, unsigned rule,
                 const struct rpcrdma_judgement *judgement, const char *what, int64_t offset)
{
    if (!is_shown(rule))
        return;
    printf("%s, %s", story->id, story->what[0] != '\0' ? story->what : "as it is");
    if (last_event)
        printf(" (%s)", last_event);
    printf(": event %u: %s, offset %" PRId64 ", reactions 0x%x\n", event, what, offset,
           judgement->reactions);
}

static void add_finding(const struct story *story, unsigned i,
                        const struct rpcrdma_judgement *judgement,
                        const struct rpcrdma_finding *finding)
{
    char text[512] = "", field[128] = "";
    struct digest digest = begin(story, i);
    add_text(&digest, finding->format);
    for (unsigned n = 0; n < 3; n++)
        add_number(&digest, finding->value[n]);
    add_number(&digest, (uint64_t)finding->severity);
    add_number(&digest, finding->protocol - RPCRDMA_PROTOCOL_1);
    add_number(&digest, (uint64_t)finding->offset);
    if (rpcrdma_requirements[finding->rule].reactions != 0)
        add_number(&digest, judgement->reactions);
    /* The words and the field of the event that is changed; elsewhere what they are made of will
     * do. */
    if (i == story->first) {
        add_number(&digest, rpcrdma_finding_text(finding, text, sizeof text));
        add_number(&digest, rpcrdma_finding_field(finding, &story->events[i], field, sizeof field));
        add_text(&digest, text);
        add_text(&digest, field);
    }
    end(finding->rule, &digest);
    show(story, i, finding->rule, judgement, text[0] != '\0' ? text : finding->format,
         finding->offset);
}

/* What is said beside findings. */
static void add_judgement(struct digest *digest, const struct rpcrdma_judgement *judgement)
{
    const uint64_t numbers[] = {
        (uint64_t)(judgement->has_xid | judgement->has_version << 1 | judgement->has_credit << 2 |
                   judgement->has_procedure << 3 | judgement->draft_is_sure << 4),
        judgement->has_xid ? judgement->xid : 0,
        judgement->has_version ? judgement->version : 0,
        judgement->has_credit ? judgement->credit : 0,
        judgement->has_procedure ? judgement->procedure : 0,
        judgement->direction,
        (uint64_t)judgement->header_length,
        (uint64_t)judgement->payload,
        judgement->protocol - RPCRDMA_PROTOCOL_1,
        judgement->kind,
        judgement->form,
        judgement->remaining,
        judgement->reactions,
    };
    for (size_t i = 0; i < COUNT(numbers); i++)
        add_number(digest, numbers[i]);
}

/* What a Responder answers to the Send, by itself and on its connection. */
static void add_answers(struct digest *digest, const struct rpcrdma_judgement *judgement,
                        const struct rpcrdma_event *event)
{
    uint8_t answer[RPCRDMA_ANSWER_MAX];
    size_t length;
    for (int i = RPCRDMA_PROTOCOL_1; i <= RPCRDMA_PROTOCOL_2_07; i++) {
        add_number(digest, rpcrdma_check_answer((enum rpcrdma_protocol)i, event->data,
                                                event->length, 32, answer, &length));
        add(digest, answer, length);
    }
    for (uint32_t credits = 0; credits <= 32; credits += 32) {
        add_number(digest, rpcrdma_judgement_answer(judgement, credits, answer, &length));
        add(digest, answer, length);
    }
}

struct fields {
    struct digest *digest;
    unsigned left; /* fields until the walk is stopped */
};

static bool add_field(void *arg, const struct walk_field *field)
{
    struct fields *fields = arg;
    const uint64_t numbers[] = {field->kind,   field->array,       field->present, field->depth,
                                field->offset, field->is_presence, field->length};
    for (size_t i = 0; i < COUNT(numbers); i++)
        add_number(fields->digest, numbers[i]);
    if (field->kind < WALK_BEGIN)
        add_number(fields->digest, field->number);
    add_number(fields->digest, field->has_value ? field->value : 0);
    add_text(fields->digest, field->path);
    add_text(fields->digest, field->name);
    add_text(fields->digest, field->type);
    return --fields->left > 0;
}

static void add_end(struct digest *digest, ptrdiff_t walked, const struct walk_error *error)
{
    add_number(digest, (uint64_t)walked);
    if (walked >= 0)
        return;
    add_number(digest, (uint64_t)error->code);
    add_number(digest, error->offset);
    add_text(digest, error->path);
}

/* Its fields, as `decode` names them, in the header and in the RPC message. */
static void add_walk(struct digest *digest, const struct rpcrdma_judgement *judgement,
                     const struct rpcrdma_event *event, unsigned most)
{
    struct fields fields = {digest, most};
    struct walk_error error = {0};
    size_t at = judgement->payload < 0 ? event->length : (size_t)judgement->payload;
    add_end(digest,
            rpcrdma_walk_header(judgement->protocol, event->data, event->length, add_field, &fields,
                                &error),
            &error);
    fields.left = most;
    if (at < event->length)
        add_end(digest,
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

static void add_story(void *arg, const struct story *story)
{
    struct rpcrdma_judgement judgement;
    struct rpcrdma_check *check = rpcrdma_check_init(memory, sizeof memory, &story->config);
    (void)arg;
    if (check == NULL) /* ck_assert() writes to a pipe each time */
        ck_abort_msg("no checker");
    for (unsigned i = 0; i < story->count; i++) {
        const struct rpcrdma_event *event = &story->events[i];
        memset(&judgement, 0xa5, sizeof judgement);
        soil_stack(judged % 2 ? 0xa5 : 0x5a);
        rpcrdma_check_event(check, event, &judgement);
        if (i < story->first)
            continue;
        judged++;
        struct digest digest = begin(story, i);
        add_judgement(&digest, &judgement);
        for (unsigned n = 0; n < judgement.count; n++)
            add_finding(story, i, &judgement, &judgement.findings[n]);
        if (i == story->first && event->type == RPCRDMA_EVENT_SEND)
            add_answers(&digest, &judgement, event);
        if (event->type == RPCRDMA_EVENT_SEND && event->data != NULL && judged % 16 == 0)
            add_walk(&digest, &judgement, event, judged % 128 == 0 ? judged / 128 % 40 + 1 : 9999);
        end(OPEN, &digest);
        show(story, i, OPEN, &judgement, "judged", judgement.header_length);
    }
}

void sums_add(struct story *story, const char *last)
{
    struct digest id = {DIGEST_BEGIN};
    add_text(&id, story->id);
    for (unsigned i = 0; i < stories; i++)
        if (ids[i] == id.value)
            return;
    if (stories == STORIES)
        ck_abort_msg("more stories than expected");
    ids[stories++] = id.value;
    last_event = last;
    judged = 0;
    neighbours(story, add_story, NULL);
}

unsigned sums_stories(void)
{
    return stories;
}

/* ---- the list ---- */

static void write_list(const char *path)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs("# SPDX-License-Identifier: BSD-3-Clause\n"
          "# Rule, findings beside vectors and rows of tests, their digest: "
          "support/neighbours/sums.h.\n",
          file);
    for (unsigned rule = 0; rule <= OPEN; rule++)
        if (sums[rule].findings > 0)
            fprintf(file, "%s\t%u\t%016" PRIx64 "\n", name_of(rule), sums[rule].findings,
                    sums[rule].value);
    ck_assert_int_eq(fclose(file), 0);
}

static unsigned read_list(const char *path)
{
    char line[256], id[128];
    unsigned gone = 0;
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s cannot be read: run from the top of the tree", path);
    while (fgets(line, sizeof line, file)) {
        unsigned findings;
        uint64_t value;
        if (line[0] == '#')
            continue;
        ck_assert_int_eq(sscanf(line, "%127[^\t]\t%u\t%" SCNx64, id, &findings, &value), 3);
        int rule = strcmp(id, "open") == 0 ? (int)OPEN : register_find(id);
        if (rule >= 0) {
            listed[rule].findings = findings;
            listed[rule].value = value;
        } else {
            fprintf(stderr, "%s: there is no such rule any more\n", id);
            gone++;
        }
    }
    fclose(file);
    return gone;
}

static unsigned change_of(unsigned rule)
{
    unsigned is = sums[rule].findings, was = listed[rule].findings;
    return is > was ? is - was : was - is;
}

static int by_change(const void *a, const void *b)
{
    unsigned left = change_of(*(const unsigned *)a), right = change_of(*(const unsigned *)b);
    return left < right ? 1 : left > right ? -1 : 0;
}

/* The rule that changed is most often that with the greatest change: others follow from it. */
static void name_changes(unsigned *rules, unsigned count)
{
    qsort(rules, count, sizeof *rules, by_change);
    for (unsigned i = 0; i < count && i < NAMED; i++)
        fprintf(stderr, "%s: %u findings, not %u%s\n", name_of(rules[i]), sums[rules[i]].findings,
                listed[rules[i]].findings, change_of(rules[i]) == 0 ? ", but other ones" : "");
    if (count > NAMED)
        fprintf(stderr, "and %u more\n", count - NAMED);
}

unsigned sums_compare(const char *path)
{
    const char *how = getenv("SUMS");
    unsigned rules[RPCRDMA_RULES + 1], differ = 0;
    if (how && strcmp(how, "write") == 0)
        write_list(path);
    if ((how && strcmp(how, "no") == 0) || getenv("SHOW"))
        return 0;
    unsigned gone = read_list(path);
    for (unsigned rule = 0; rule <= OPEN; rule++)
        if (sums[rule].findings != listed[rule].findings || sums[rule].value != listed[rule].value)
            rules[differ++] = rule;
    name_changes(rules, differ);
    return differ + gone;
}
