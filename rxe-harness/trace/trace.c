// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/trace/trace.h"

#include "conformance/base/alloc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PROCESSORS_MAX 4096
#define PARTIAL 64       /* sightings whose second part has not come */
#define SETTLE 20000000u /* nanoseconds after which no processor has anything older */
#define NANOSECONDS INT64_C(1000000000)
#define MORE "_more"

/* A record that waits for its turn; the octets follow it. */
struct waiting {
    uint64_t time, order;
    uint32_t processor, pid;
    const struct tracefs_event *event; /* NULL: records were lost here */
    size_t length;
    uint8_t *octets;
};

struct partial {
    const struct tracefs_event *event; /* NULL: it is free */
    uint32_t processor;
    struct sighting sighting;
};

struct trace {
    struct tracefs *tracefs;
    struct assembler *assembler;
    int *rings;
    unsigned processors;
    struct waiting *waiting;
    size_t count, room;
    uint64_t order;
    int64_t epoch; /* of the rings' clock, nanoseconds since 1970 */
    struct partial partial[PARTIAL];
    uint64_t closest[TRACEFS_EVENTS]; /* by the event that came first: see is_pair() */
    struct trace_losses losses;
    uint8_t *page;
    size_t page_size;
};

static uint64_t now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * (uint64_t)NANOSECONDS + (uint64_t)time.tv_nsec;
}

/* ---- the rings ---- */

static struct waiting *add_waiting(struct trace *trace, unsigned processor, uint64_t time)
{
    trace->waiting = alloc_room(trace->waiting, trace->count, &trace->room, sizeof *trace->waiting);
    struct waiting *waiting = &trace->waiting[trace->count++];
    *waiting = (struct waiting){.time = time, .order = trace->order++, .processor = processor};
    return waiting;
}

static const struct tracefs_event *event_of(const struct trace *trace, const uint8_t *record,
                                            size_t length)
{
    unsigned id;
    for (unsigned i = 0; ring_record_id(record, length, &id) && i < trace->tracefs->count; i++)
        if (trace->tracefs->events[i].format.id == id)
            return &trace->tracefs->events[i];
    return NULL;
}

static void take_record(struct trace *trace, unsigned processor, uint64_t time,
                        const uint8_t *record, size_t length)
{
    uint64_t pid = 0;
    const struct tracefs_event *event = event_of(trace, record, length);
    if (event == NULL)
        return;
    ring_number(ring_format_find(&event->format, "common_pid"), record, length, &pid);
    struct waiting *waiting = add_waiting(trace, processor, time);
    waiting->event = event;
    waiting->pid = (uint32_t)pid;
    waiting->length = length < SIGHTING_MAX ? length : SIGHTING_MAX;
    waiting->octets = alloc_copy(record, waiting->length);
}

static void read_page(struct trace *trace, unsigned processor, size_t length)
{
    struct ring_page page;
    const uint8_t *record;
    size_t size;
    bool broken = !ring_page_begin(&page, trace->page, length);
    if (!broken && page.lost) {
        trace->losses.overwritten += page.count > 0 ? page.count : 1;
        add_waiting(trace, processor, page.time);
    }
    while (!broken && ring_page_next(&page, &record, &size, &broken))
        take_record(trace, processor, page.time, record, size);
    if (broken) {
        trace->losses.broken++;
        add_waiting(trace, processor, page.time);
    }
}

static void read_rings(struct trace *trace)
{
    for (unsigned i = 0; i < trace->processors; i++)
        for (;;) {
            ssize_t got =
                trace->rings[i] < 0 ? 0 : read(trace->rings[i], trace->page, trace->page_size);
            if (got <= 0)
                break;
            read_page(trace, i, (size_t)got);
        }
}

/* ---- in order ---- */

static int compare(const void *left, const void *right)
{
    const struct waiting *a = left, *b = right;
    int by_time = (a->time > b->time) - (a->time < b->time);
    return by_time != 0 ? by_time : (a->order > b->order) - (a->order < b->order);
}

/* Two probes of one function are called at each entry, in an order that is the kernel's: one of
 * them has the rest of the octets, and MORE in its name. */
static bool is_more(const struct tracefs_event *event)
{
    size_t name = strlen(event->name);
    return name > strlen(MORE) && strcmp(event->name + name - strlen(MORE), MORE) == 0;
}

static size_t bare_length(const struct tracefs_event *event)
{
    return strlen(event->name) - (is_more(event) ? strlen(MORE) : 0);
}

static bool same_function(const struct tracefs_event *a, const struct tracefs_event *b)
{
    return bare_length(a) == bare_length(b) && strncmp(a->name, b->name, bare_length(a)) == 0;
}

static bool has_other(const struct trace *trace, const struct tracefs_event *event)
{
    for (unsigned i = 0; i < trace->tracefs->count; i++)
        if (event != &trace->tracefs->events[i] && same_function(event, &trace->tracefs->events[i]))
            return true;
    return false;
}

/* A rest of octets without what they are the rest of is of no use: its loss was counted. */
static void pass_on(struct trace *trace, struct partial *partial)
{
    char name[sizeof partial->event->name];
    snprintf(name, sizeof name, "%.*s", (int)bare_length(partial->event), partial->event->name);
    if (partial->sighting.part[0].format)
        assembler_take(trace->assembler, name, &partial->sighting);
    partial->event = NULL;
}

static struct partial *find_partial(struct trace *trace, const struct waiting *waiting)
{
    for (unsigned i = 0; i < PARTIAL; i++) {
        struct partial *each = &trace->partial[i];
        if (each->event && each->processor == waiting->processor &&
            each->sighting.pid == waiting->pid && same_function(each->event, waiting->event))
            return each;
    }
    return NULL;
}

/* Where all are taken, that of the one that has waited longest: without what never came. */
static struct partial *free_partial(struct trace *trace)
{
    struct partial *first = &trace->partial[0];
    for (unsigned i = 0; i < PARTIAL; i++) {
        if (trace->partial[i].event == NULL)
            return &trace->partial[i];
        if (trace->partial[i].sighting.time < first->sighting.time)
            first = &trace->partial[i];
    }
    pass_on(trace, first);
    return first;
}

/* The two of one entry come in one order, and no two of other entries come as close to each other:
 * where some were lost, what follows a rest may be the beginning of the next. */
static bool is_pair(struct trace *trace, const struct partial *partial,
                    const struct waiting *waiting)
{
    const struct tracefs_event *events = trace->tracefs->events;
    uint64_t began = (uint64_t)(partial->sighting.time - trace->epoch);
    uint64_t apart = waiting->time - began + 1; /* 0: none was seen */
    uint64_t *here = &trace->closest[partial->event - events],
             other = trace->closest[waiting->event - events];
    if (other != 0 && other < apart)
        return false;
    *here = *here == 0 || apart < *here ? apart : *here;
    return true;
}

static struct partial *begin_partial(struct trace *trace, const struct waiting *waiting)
{
    struct partial *partial = free_partial(trace);
    partial->event = waiting->event;
    partial->processor = waiting->processor;
    partial->sighting.time = trace->epoch + (int64_t)waiting->time;
    partial->sighting.pid = waiting->pid;
    partial->sighting.part[0].format = partial->sighting.part[1].format = NULL;
    return partial;
}

static void take_waiting(struct trace *trace, const struct waiting *waiting)
{
    int number = is_more(waiting->event);
    struct partial *partial = find_partial(trace, waiting);
    if (partial && (partial->sighting.part[number].format || !is_pair(trace, partial, waiting))) {
        /* its other part was lost */
        pass_on(trace, partial);
        partial = NULL;
    }
    bool whole = partial != NULL || !has_other(trace, waiting->event);
    if (partial == NULL)
        partial = begin_partial(trace, waiting);
    struct sighting_part *part = &partial->sighting.part[number];
    part->format = &waiting->event->format;
    part->length = waiting->length;
    memcpy(part->octets, waiting->octets, waiting->length);
    if (whole)
        pass_on(trace, partial);
}

/* Records of this processor are missing: what waits for its second part may wait in vain. */
static void take_loss(struct trace *trace, unsigned processor)
{
    for (unsigned i = 0; i < PARTIAL; i++)
        if (trace->partial[i].event && trace->partial[i].processor == processor)
            pass_on(trace, &trace->partial[i]);
    assembler_gap(trace->assembler);
}

void trace_read(struct trace *trace, bool all)
{
    uint64_t until = now(CLOCK_MONOTONIC) - SETTLE, missed = tracefs_missed(trace->tracefs);
    size_t done = 0;
    read_rings(trace);
    if (trace->count > 0)
        qsort(trace->waiting, trace->count, sizeof *trace->waiting, compare);
    if (missed > trace->losses.missed) {
        trace->losses.missed = missed;
        assembler_gap(trace->assembler);
    }
    while (done < trace->count && (all || trace->waiting[done].time < until)) {
        struct waiting *waiting = &trace->waiting[done++];
        if (waiting->event)
            take_waiting(trace, waiting);
        else
            take_loss(trace, waiting->processor);
        free(waiting->octets);
    }
    trace->count -= done;
    if (trace->count > 0)
        memmove(trace->waiting, trace->waiting + done, trace->count * sizeof *trace->waiting);
    for (unsigned i = 0; i < PARTIAL && all; i++)
        if (trace->partial[i].event)
            pass_on(trace, &trace->partial[i]);
}

/* ---- open and close ---- */

struct trace *trace_open(struct tracefs *tracefs, struct assembler *assembler, char *error,
                         size_t size)
{
    long processors = sysconf(_SC_NPROCESSORS_CONF), page = sysconf(_SC_PAGESIZE);
    struct trace *trace = alloc_zeroed(1, sizeof *trace);
    bool any = false;
    trace->tracefs = tracefs;
    trace->assembler = assembler;
    trace->processors =
        processors > 0 && processors < PROCESSORS_MAX ? (unsigned)processors : PROCESSORS_MAX;
    trace->rings = alloc_zeroed(trace->processors, sizeof *trace->rings);
    trace->page_size = page > 0 ? (size_t)page : 65536;
    trace->page = alloc_octets(trace->page_size);
    trace->epoch = (int64_t)(now(CLOCK_REALTIME) - now(CLOCK_MONOTONIC));
    for (unsigned i = 0; i < trace->processors; i++) {
        trace->rings[i] = tracefs_open_ring(tracefs, i);
        any = any || trace->rings[i] >= 0;
    }
    if (any)
        return trace;
    snprintf(error, size, "%s/per_cpu: %s", tracefs->instance, strerror(errno));
    trace_close(trace);
    return NULL;
}

const struct trace_losses *trace_losses(const struct trace *trace)
{
    return &trace->losses;
}

void trace_close(struct trace *trace)
{
    for (unsigned i = 0; i < trace->processors; i++)
        if (trace->rings[i] >= 0)
            close(trace->rings[i]);
    for (size_t i = 0; i < trace->count; i++)
        free(trace->waiting[i].octets);
    free(trace->waiting);
    free(trace->rings);
    free(trace->page);
    free(trace);
}
