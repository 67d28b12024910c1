// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/neighbours/digest.h"

#include "conformance/walk/header.h"

#include <check.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

bool digest_shown;
static max_align_t memory[64 * 1024];

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

/* The words and the field of it; elsewhere what they are made of will do, and takes less time. */
static void add_words(struct digest *digest, const struct rpcrdma_finding *finding,
                      const struct rpcrdma_event *event)
{
    char text[512], field[128];
    add_number(digest, rpcrdma_finding_text(finding, text, sizeof text));
    add_number(digest, rpcrdma_finding_field(finding, event, field, sizeof field));
    add_text(digest, text);
    add_text(digest, field);
    if (digest_shown)
        printf("    %s %s: %s\n", rpcrdma_requirements[finding->rule].id, field, text);
}

static void add_finding(struct digest *digest, const struct rpcrdma_finding *finding)
{
    const char *rule = rpcrdma_requirements[finding->rule].id;
    add_text(digest, rule);
    add_text(digest, finding->format);
    for (unsigned i = 0; i < 3; i++)
        add_number(digest, finding->value[i]);
    add_number(digest, finding->severity);
    add_number(digest, finding->protocol);
    add_number(digest, (uint64_t)finding->offset);
    digest->findings++;
    if (digest_shown)
        printf("    %s %s at %" PRId64 ": %s\n", rpcrdma_severity_name(finding->severity), rule,
               finding->offset, finding->format);
}

static void add_verdict(struct digest *digest, const struct rpcrdma_judgement *judgement)
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
        judgement->protocol,
        judgement->kind,
        judgement->form,
        judgement->remaining,
        judgement->reactions,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        add_number(digest, numbers[i]);
    digest->judged++;
    if (digest_shown)
        printf("  reactions 0x%x, header of %" PRId64 ", payload at %" PRId64
               ", protocol %d%s, %d.%d\n",
               judgement->reactions, judgement->header_length, judgement->payload,
               judgement->protocol, judgement->draft_is_sure ? "" : "?", judgement->kind,
               judgement->form);
    for (unsigned i = 0; i < judgement->count; i++)
        add_finding(digest, &judgement->findings[i]);
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
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
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

void digest_story(void *arg, const struct story *story)
{
    struct digest *digest = arg;
    struct rpcrdma_judgement judgement;
    struct rpcrdma_check *check = rpcrdma_check_init(memory, sizeof memory, &story->config);
    if (check == NULL) /* ck_assert() writes to a pipe each time */
        ck_abort_msg("no checker");
    if (digest_shown)
        printf("%s\n", story->what);
    for (unsigned i = 0; i < story->count; i++) {
        const struct rpcrdma_event *event = &story->events[i];
        memset(&judgement, 0xa5, sizeof judgement);
        soil_stack(digest->judged % 2 ? 0xa5 : 0x5a);
        rpcrdma_check_event(check, event, &judgement);
        if (i < story->first)
            continue;
        add_verdict(digest, &judgement);
        for (unsigned n = 0; i == story->first && n < judgement.count; n++)
            add_words(digest, &judgement.findings[n], event);
        if (i == story->first && event->type == RPCRDMA_EVENT_SEND)
            add_answers(digest, &judgement, event);
        if (event->type == RPCRDMA_EVENT_SEND && event->data != NULL && digest->judged % 16 == 0)
            add_walk(digest, &judgement, event,
                     digest->judged % 128 == 0 ? digest->judged / 128 % 40 + 1 : 9999);
    }
}
