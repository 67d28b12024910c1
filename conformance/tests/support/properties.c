// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/properties.h"

#include "conformance/tests/support/dice.h"

#include <check.h>
#include <rpcrdma/xdr.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS ((RPCRDMA_RULES + 63) / 64)
#define NOWHERE UINT_MAX
#define ORDERS 6 /* that are tried */

/* What is said of an event: a bit a rule. */
struct verdict {
    uint64_t accused[WORDS], noted[WORDS];
    bool other_draft; /* it is of version 2, by no draft that is known */
};

static max_align_t memory[2][128 * 1024];
static char why[512];                /* the property that was looked at last does not hold */
static unsigned why_rule, why_order; /* by which rule, or RPCRDMA_RULES; in which order */

/* ---- series ---- */

void series_begin(struct series *series, enum series_kind kind, const char *name,
                  const struct rpcrdma_check_config *config)
{
    series->kind = kind;
    snprintf(series->name, sizeof series->name, "%s", name);
    series->config = *config;
    /* Who has room for little forgets, and then knows more of a part than of the whole. */
    series->config.max_calls = 256;
    series->config.max_segments = 4096;
    series->count = 0;
    series->used = 0;
}

void series_add(struct series *series, const struct rpcrdma_event *event, uint64_t posted,
                uint64_t knows)
{
    ck_assert_uint_lt(series->count, SERIES_EVENTS);
    struct series_event *added = &series->events[series->count];
    *added = (struct series_event){*event, posted, knows, series->count};
    series->count++;
    if (event->data == NULL)
        return;
    ck_assert_uint_le(series->used + event->length, SERIES_OCTETS);
    added->event.data = memcpy(series->octets + series->used, event->data, event->length);
    series->used += event->length;
}

/* ---- judging ---- */

static void begin(const struct series *series, struct rpcrdma_check **check, unsigned which,
                  const struct rpcrdma_check_config *config)
{
    size_t size = rpcrdma_check_size(config);
    ck_assert_uint_le(size, sizeof memory[which]);
    memset(memory[which], which ? 0xa5 : 0x3c, size);
    *check = rpcrdma_check_init(memory[which], size, config);
    ck_assert_msg(*check != NULL, "%s: the checker does not fit", series->name);
}

static struct verdict verdict_of(const struct rpcrdma_judgement *judgement)
{
    struct verdict verdict = {.other_draft = judgement->has_version && judgement->version == 2 &&
                                             judgement->protocol == RPCRDMA_PROTOCOL_1};
    for (unsigned i = 0; i < judgement->count; i++) {
        const struct rpcrdma_finding *finding = &judgement->findings[i];
        bool is_guess = finding->protocol != RPCRDMA_PROTOCOL_1 && !judgement->draft_is_sure;
        uint64_t *words =
            finding->severity == RPCRDMA_NOTE || is_guess ? verdict.noted : verdict.accused;
        words[finding->rule / 64] |= UINT64_C(1) << finding->rule % 64;
    }
    return verdict;
}

/* What counts Sends counts those that are seen. False: it is about one that is not. */
static bool count_from(const struct series *series, unsigned first, struct rpcrdma_event *event)
{
    uint64_t before[2] = {0};
    if (!event->has_order && event->type != RPCRDMA_EVENT_NOT_READY)
        return true;
    for (unsigned i = 0; i < first; i++)
        before[series->events[i].event.from] += series->events[i].event.type == RPCRDMA_EVENT_SEND;
    if (event->received < before[!event->from])
        return false;
    event->received -= before[!event->from];
    event->sent -= event->sent < before[event->from] ? event->sent : before[event->from];
    return true;
}

/* The events from `first` on, in this order or as they are, with a gap before one of them. The
 * verdicts are by the event's place in the series. */
static void judge(const struct series *series, const struct rpcrdma_check_config *config,
                  unsigned first, unsigned gap, const unsigned *order, struct verdict *verdicts)
{
    static const struct rpcrdma_event missed = {.type = RPCRDMA_EVENT_GAP};
    struct rpcrdma_judgement judgement;
    struct rpcrdma_check *check;
    begin(series, &check, 0, config);
    for (unsigned i = first; i < series->count; i++) {
        unsigned at = order ? order[i] : i;
        if (i == gap)
            rpcrdma_check_event(check, &missed, &judgement);
        struct rpcrdma_event event = series->events[at].event;
        judgement.count = 0;
        judgement.has_version = false;
        if (count_from(series, first, &event))
            rpcrdma_check_event(check, &event, &judgement);
        verdicts[at] = verdict_of(&judgement);
    }
}

/* A rule in the one that is not in the other, or RPCRDMA_RULES. */
static unsigned added(const uint64_t *words, const uint64_t *others)
{
    for (unsigned rule = 0; rule < RPCRDMA_RULES; rule++)
        if ((words[rule / 64] & ~others[rule / 64]) >> rule % 64 & 1)
            return rule;
    return RPCRDMA_RULES;
}

__attribute__((format(printf, 2, 3))) static bool fails(unsigned rule, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    why_rule = rule;
    if (rule < RPCRDMA_RULES && length > 0 && (size_t)length < sizeof why)
        snprintf(why + length, sizeof why - (size_t)length, ": %s", rpcrdma_requirements[rule].id);
    return false;
}

static uint32_t xid_of(const struct rpcrdma_event *event)
{
    return event->type == RPCRDMA_EVENT_SEND && event->length >= 4 ? rpcrdma_xdr_load32(event->data)
                                                                   : 0;
}

static bool is_clean(const struct verdict *verdict)
{
    return added(verdict->accused, (uint64_t[WORDS]){0}) == RPCRDMA_RULES;
}

/* Which of its rules a side that breaks one is accused of depends on what came before; and so it is
 * with those who answer a broken message. */
static bool may_be_broken(const struct series *series, const struct verdict *verdicts, unsigned at)
{
    const struct rpcrdma_event *event = &series->events[at].event;
    for (unsigned i = 0; i < series->count; i++) {
        const struct rpcrdma_event *broken = &series->events[i].event;
        if (!is_clean(&verdicts[i]) &&
            ((i <= at && broken->from == event->from) || xid_of(broken) == xid_of(event)))
            return true;
    }
    return false;
}

/* Each accusation in `now` is one in `before`, too. */
static bool no_more(const struct series *series, const struct verdict *now,
                    const struct verdict *before, unsigned first, const char *what, unsigned place)
{
    for (unsigned i = first; i < series->count; i++) {
        unsigned rule = added(now[i].accused, before[i].accused);
        if (rule < RPCRDMA_RULES && !may_be_broken(series, before, i))
            return fails(rule, "%s %u, event %u", what, place, i);
    }
    return true;
}

/* ---- properties ---- */

typedef bool property(const struct series *series);

static struct verdict whole[SERIES_EVENTS], part[SERIES_EVENTS];

static bool holds_cut(const struct series *series)
{
    struct rpcrdma_check_config config = series->config;
    judge(series, &config, 0, NOWHERE, NULL, whole);
    config.mid_stream = true;
    config.counts_known = false;
    memset(config.properties_told, 0, sizeof config.properties_told);
    for (unsigned first = 0; first < series->count; first++) {
        if (first > 0 && whole[first - 1].other_draft)
            return true; /* of which the rest may show nothing */
        judge(series, &config, first, NOWHERE, NULL, part);
        if (!no_more(series, part, whole, first, "cut before event", first))
            return false;
    }
    return true;
}

static bool holds_gap(const struct series *series)
{
    judge(series, &series->config, 0, NOWHERE, NULL, whole);
    for (unsigned gap = 0; gap < series->count; gap++) {
        judge(series, &series->config, 0, gap, NULL, part);
        if (!no_more(series, part, whole, 0, "gap before event", gap))
            return false;
    }
    return true;
}

static bool same(const struct rpcrdma_judgement *a, const struct rpcrdma_judgement *b)
{
    bool are = a->has_xid == b->has_xid && a->has_version == b->has_version &&
               a->has_credit == b->has_credit && a->has_procedure == b->has_procedure &&
               a->xid == b->xid && a->version == b->version && a->credit == b->credit &&
               a->procedure == b->procedure && a->direction == b->direction &&
               a->header_length == b->header_length && a->payload == b->payload &&
               a->protocol == b->protocol && a->draft_is_sure == b->draft_is_sure &&
               a->kind == b->kind && a->form == b->form && a->remaining == b->remaining &&
               a->reactions == b->reactions && a->count == b->count;
    for (unsigned i = 0; are && i < a->count; i++) {
        const struct rpcrdma_finding *f = &a->findings[i], *g = &b->findings[i];
        char text[2][256];
        rpcrdma_finding_text(f, text[0], sizeof text[0]);
        rpcrdma_finding_text(g, text[1], sizeof text[1]);
        are = f->rule == g->rule && f->severity == g->severity && f->protocol == g->protocol &&
              f->offset == g->offset && f->unconfirmed == g->unconfirmed &&
              strcmp(text[0], text[1]) == 0;
    }
    return are;
}

/* By two checkers in turn, so that each is also a connection beside another one. */
static bool holds_twice(const struct series *series)
{
    struct rpcrdma_judgement judgement[2];
    struct rpcrdma_check *check[2];
    struct dice dice = {series->count};
    unsigned next[2] = {0};
    static struct rpcrdma_judgement all[SERIES_EVENTS];
    memset(&judgement[0], 0x3c, sizeof judgement[0]);
    memset(&judgement[1], 0xa5, sizeof judgement[1]);
    begin(series, &check[0], 0, &series->config);
    begin(series, &check[1], 1, &series->config);
    while (next[1] < series->count) {
        unsigned which = next[0] == series->count || (next[1] < next[0] && chance(&dice, 50));
        const struct rpcrdma_event *event = &series->events[next[which]].event;
        rpcrdma_check_event(check[which], event, &judgement[which]);
        if (which == 0)
            all[next[0]] = judgement[0];
        else if (!same(&all[next[1]], &judgement[1]))
            return fails(RPCRDMA_RULES, "event %u is judged otherwise", next[1]);
        next[which]++;
    }
    return true;
}

static bool can_move(const struct series_event *event)
{
    return event->event.type == RPCRDMA_EVENT_SEND ||
           event->event.type == RPCRDMA_EVENT_RDMA_READ ||
           event->event.type == RPCRDMA_EVENT_RDMA_WRITE;
}

static unsigned next_of(const struct series *series, unsigned at, unsigned side, bool sends)
{
    while (at < series->count && (series->events[at].event.from != side ||
                                  (sends && series->events[at].event.type != RPCRDMA_EVENT_SEND)))
        at++;
    return at;
}

/* Another order in which they can have come by: each side's own stays, and nothing comes before
 * what it needs. The same events are in the same order when others are dropped. */
static void reorder(const struct series *series, unsigned round, unsigned *order)
{
    unsigned head[2] = {next_of(series, 0, 0, false), next_of(series, 0, 1, false)};
    for (unsigned i = 0; i < series->count; i++) {
        unsigned side = head[1] < head[0];
        const struct series_event *first = &series->events[head[side]];
        if (head[!side] < series->count) {
            const struct series_event *later = &series->events[head[!side]];
            unsigned send = next_of(series, head[side], side, true);
            struct dice dice = {round + 64 * (uint64_t)later->id};
            bool free_order =
                can_move(first) && can_move(later) &&
                (send == series->count || series->events[send].posted >= later->knows);
            if (free_order && chance(&dice, round % 2 ? 50 : 90))
                side = !side;
        }
        order[i] = head[side];
        head[side] = next_of(series, head[side] + 1, side, false);
    }
}

/* What one Send shows by itself is in it in every order. */
static void leave_scope(uint64_t *words)
{
    for (unsigned rule = 0; rule < RPCRDMA_RULES; rule++)
        if (rpcrdma_requirements[rule].scope != RPCRDMA_SCOPE_HEADER &&
            rpcrdma_requirements[rule].scope != RPCRDMA_SCOPE_MESSAGE)
            words[rule / 64] &= ~(UINT64_C(1) << rule % 64);
}

static bool is_accused(const struct series *series)
{
    for (unsigned i = 0; i < series->count; i++)
        if (!is_clean(&whole[i]))
            return true;
    return false;
}

static bool holds_order(const struct series *series)
{
    static unsigned order[SERIES_EVENTS];
    struct rpcrdma_check_config config = series->config;
    config.seen_between = true;
    if (series->kind == SERIES_NOISE)
        return true;
    judge(series, &config, 0, NOWHERE, NULL, whole);
    if (series->kind == SERIES_CONFORMS && is_accused(series))
        return true; /* what was dropped was needed */
    for (unsigned round = 0; round < ORDERS; round++) {
        why_order = round;
        reorder(series, round, order);
        judge(series, &config, 0, NOWHERE, order, part);
        for (unsigned i = 0; series->kind == SERIES_BREAKS && i < series->count; i++) {
            leave_scope(whole[i].accused);
            leave_scope(part[i].accused);
        }
        for (unsigned i = 0; i < series->count; i++) {
            unsigned rule = added(part[i].accused, whole[i].accused);
            if (rule < RPCRDMA_RULES)
                return fails(rule, "order %u, event %u: more", round, i);
            rule = added(whole[i].accused, part[i].accused);
            if (rule < RPCRDMA_RULES)
                return fails(rule, "order %u, event %u: less", round, i);
        }
    }
    return true;
}

/* ---- what does not hold ---- */

static void print(const struct series *series)
{
    static const char *const types[RPCRDMA_EVENT_TYPES] = {
        "send", "read", "write", "private", "disconnect", "gap", "atomic", "not-ready", "refused"};
    const struct rpcrdma_check_config *c = &series->config;
    printf("  draft %d, mid_stream %d, seen_between %d, max_calls %" PRIu32 ", thresholds %" PRIu32
           " and %" PRIu32 ", bindings %d, credits %d, operations %d\n",
           c->draft, c->mid_stream, c->seen_between, c->max_calls, c->inline_threshold[0],
           c->inline_threshold[1], c->bindings != NULL, c->credits, c->operations_seen);
    for (unsigned i = 0; i < series->count; i++) {
        const struct rpcrdma_event *event = &series->events[i].event;
        const uint8_t *octets = event->data;
        printf("  %u(%" PRIu32 ") %c %s %zu+%zu", i, series->events[i].id, "><"[event->from],
               types[event->type], event -> length, event -> missing);
        if (event->type != RPCRDMA_EVENT_SEND || event->invalidate)
            printf(" handle %" PRIu32 " offset %" PRIu64, event->handle, event->offset);
        for (size_t n = 0; octets && n < event->length && n < 200; n++)
            printf("%s%02x", n % 4 ? "" : " ", octets[n]);
        printf("\n");
    }
}

static void print_order(const struct series *series)
{
    unsigned order[SERIES_EVENTS];
    reorder(series, why_order, order);
    printf("  order:");
    for (unsigned i = 0; i < series->count; i++)
        printf(" %u", order[i]);
    printf("\n");
}

/* Drop events for as long as it still does not hold. */
static void shrink(struct series *series, property *holds)
{
    struct series_event *events = series->events;
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (unsigned i = series->count; i-- > 0;) {
            struct series_event dropped = events[i];
            series->count--;
            memmove(&events[i], &events[i + 1], (series->count - i) * sizeof *events);
            if (!holds(series)) {
                smaller = true;
                continue;
            }
            memmove(&events[i + 1], &events[i], (series->count - i) * sizeof *events);
            series->count++;
            events[i] = dropped;
        }
    }
    holds(series);
}

bool properties_hold(const struct series *series)
{
    static const struct {
        const char *name;
        property *holds;
    } properties[] = {
        {"order", holds_order}, {"cut", holds_cut}, {"gap", holds_gap}, {"twice", holds_twice}};
    bool good = true;
    for (unsigned i = 0; i < COUNT(properties); i++) {
        static uint64_t told[COUNT(properties)][WORDS + 1];
        if (properties[i].holds(series))
            continue;
        good = false;
        if (told[i][why_rule / 64] >> why_rule % 64 & 1)
            continue; /* one of a kind is enough */
        told[i][why_rule / 64] |= UINT64_C(1) << why_rule % 64;
        struct series *copy = malloc(sizeof *copy);
        ck_assert_ptr_nonnull(copy);
        *copy = *series;
        shrink(copy, properties[i].holds);
        printf("%s: %s does not hold: %s\n", series->name, properties[i].name, why);
        print(copy);
        if (properties[i].holds == holds_order)
            print_order(copy);
        fflush(stdout);
        free(copy);
    }
    return good;
}
