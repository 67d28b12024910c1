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
#define HOLD 1000000000u /* nanoseconds that a guest's processor may not be scheduled for */
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

/* Its part that is there has come first, and waits for the other. */
struct partial {
    const struct tracefs_event *event; /* NULL: it is free */
    uint32_t processor;
    bool doubtful; /* the record before it may be its other part, too */
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
    int first[TRACEFS_EVENTS]; /* by function_of(): 1 + the part that comes first; 0: not known */
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

/* Two probes of one function are called at each entry, one right after the other, in an order that
 * is the kernel's and stays: one of them has the rest of the octets, and MORE in its name. Either
 * part may be missing: where the probes begin and end, and where records were lost. So both read
 * the fields PROBE_ENTRY, and only what is equal there is joined. */
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

static unsigned function_of(const struct trace *trace, const struct tracefs_event *event)
{
    unsigned i = 0;
    while (!same_function(event, &trace->tracefs->events[i]))
        i++;
    return i;
}

/* A rest of octets without what they are the rest of is of no use: an entry was not seen. */
static void pass_on(struct trace *trace, struct partial *partial)
{
    char name[sizeof partial->event->name];
    const struct sighting_part *part = partial->sighting.part;
    snprintf(name, sizeof name, "%.*s", (int)bare_length(partial->event), partial->event->name);
    if (!(part[0].format && part[1].format) && has_other(trace, partial->event))
        trace->losses.unpaired++;
    if (part[0].format)
        assembler_take(trace->assembler, name, &partial->sighting);
    else
        assembler_gap(trace->assembler);
    partial->event = NULL;
}

static bool same_thread(const struct waiting *a, const struct waiting *b)
{
    return a->processor == b->processor && a->pid == b->pid && same_function(a->event, b->event);
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

static int64_t since_epoch(const struct trace *trace, const struct waiting *waiting)
{
    return trace->epoch + (int64_t)waiting->time;
}

/* The one that has waited longest, of this processor's or of all; or NULL. */
static struct partial *oldest_partial(struct trace *trace, const struct waiting *of)
{
    struct partial *first = NULL;
    for (unsigned i = 0; i < PARTIAL; i++) {
        struct partial *each = &trace->partial[i];
        if (each->event && (of == NULL || each->processor == of->processor) &&
            (first == NULL || each->sighting.time < first->sighting.time))
            first = each;
    }
    return first;
}

/* Where all are taken, that of the one that has waited longest: without what never came. */
static struct partial *free_partial(struct trace *trace)
{
    for (unsigned i = 0; i < PARTIAL; i++)
        if (trace->partial[i].event == NULL)
            return &trace->partial[i];
    struct partial *first = oldest_partial(trace, NULL);
    pass_on(trace, first);
    return first;
}

/* Whether two records say that they are of one entry. */
static bool same_entry(const struct ring_format *format, const uint8_t *octets, size_t length,
                       const struct waiting *waiting)
{
    char name[16];
    for (unsigned i = 0;; i++) {
        uint64_t one, other;
        snprintf(name, sizeof name, PROBE_ENTRY "%u", i);
        const struct ring_field *field = ring_format_find(format, name);
        if (field == NULL)
            return i > 0 && ring_format_find(&waiting->event->format, name) == NULL;
        if (!ring_number(field, octets, length, &one) ||
            !ring_number(ring_format_find(&waiting->event->format, name), waiting->octets,
                         waiting->length, &other) ||
            one != other)
            return false;
    }
}

/* Whether its other part is among what was read, from here on. */
static bool has_come(const struct trace *trace, const struct partial *partial, size_t from)
{
    const struct sighting_part *part = &partial->sighting.part[is_more(partial->event)];
    for (size_t i = from; i < trace->count; i++) {
        const struct waiting *each = &trace->waiting[i];
        if (each->processor != partial->processor)
            continue;
        if (each->event == NULL)
            return false;
        if (each->pid == partial->sighting.pid && same_function(each->event, partial->event))
            return is_more(each->event) != is_more(partial->event) &&
                   same_entry(part->format, part->octets, part->length, each);
    }
    return false;
}

/* What waits in vain comes before what is newer. False: whether it does is to be seen. */
static bool pass_late(struct trace *trace, size_t next, int64_t latest)
{
    int64_t time = since_epoch(trace, &trace->waiting[next]) - (int64_t)SETTLE;
    for (;;) {
        struct partial *first = NULL;
        for (unsigned i = 0; i < PARTIAL; i++) {
            struct partial *each = &trace->partial[i];
            if (each->event && each->sighting.time < time && !has_come(trace, each, next) &&
                (first == NULL || each->sighting.time < first->sighting.time))
                first = each;
        }
        if (first == NULL)
            return true;
        if (first->sighting.time > latest)
            return false;
        pass_on(trace, first);
    }
}

/* Whether the next record of this thread and function is of the same entry, or may be, for
 * something was lost first. */
static bool may_go_on(const struct trace *trace, const struct waiting *waiting)
{
    const struct waiting *end = trace->waiting + trace->count;
    for (const struct waiting *each = waiting + 1; each < end; each++) {
        if (each->event == NULL && each->processor == waiting->processor)
            return true;
        if (each->event && same_thread(each, waiting))
            return same_entry(&waiting->event->format, waiting->octets, waiting->length, each);
    }
    return false;
}

/* Two entries can be equal in all that says which they are: the same Call once more. As long as the
 * order is not known, of three equal records in a row none is joined, nor of two before a loss. */
static bool is_pair(struct trace *trace, const struct partial *partial,
                    const struct waiting *waiting, bool equal)
{
    int *first = &trace->first[function_of(trace, waiting->event)];
    int one = is_more(partial->event), other = is_more(waiting->event);
    if (!equal || one == other)
        return false;
    if (*first == 0) {
        if (partial->doubtful || may_go_on(trace, waiting))
            return false;
        *first = 1 + one;
    }
    return *first == 1 + one;
}

static struct partial *begin_partial(struct trace *trace, const struct waiting *waiting)
{
    struct partial *partial = free_partial(trace);
    partial->event = waiting->event;
    partial->processor = waiting->processor;
    partial->sighting.pid = waiting->pid;
    partial->sighting.part[0].format = partial->sighting.part[1].format = NULL;
    return partial;
}

static void take_waiting(struct trace *trace, const struct waiting *waiting)
{
    int number = is_more(waiting->event);
    int first = trace->first[function_of(trace, waiting->event)];
    bool has_more = has_other(trace, waiting->event), equal = false, joins = false;
    struct partial *partial = find_partial(trace, waiting);
    if (partial) {
        const struct sighting_part *before = &partial->sighting.part[is_more(partial->event)];
        equal = same_entry(before->format, before->octets, before->length, waiting);
        joins = is_pair(trace, partial, waiting, equal);
        if (!joins) /* its other part was lost */
            pass_on(trace, partial);
    }
    if (!joins) {
        partial = begin_partial(trace, waiting);
        partial->doubtful = equal;
    }
    partial->sighting.time = since_epoch(trace, waiting); /* both were seen */
    struct sighting_part *part = &partial->sighting.part[number];
    part->format = &waiting->event->format;
    part->length = waiting->length;
    memcpy(part->octets, waiting->octets, waiting->length);
    if (joins || !has_more || (first != 0 && first != 1 + number)) /* else its other part follows */
        pass_on(trace, partial);
}

/* Records of this processor are missing: what waits for its second part may wait in vain. */
static void take_loss(struct trace *trace, const struct waiting *waiting)
{
    struct partial *first;
    while ((first = oldest_partial(trace, waiting)) != NULL)
        pass_on(trace, first);
    assembler_gap(trace->assembler);
}

void trace_read(struct trace *trace, bool all)
{
    uint64_t moment = now(CLOCK_MONOTONIC), missed = tracefs_missed(trace->tracefs);
    int64_t latest = all ? INT64_MAX : trace->epoch + (int64_t)moment - (int64_t)HOLD;
    size_t done = 0;
    read_rings(trace);
    if (trace->count > 0)
        qsort(trace->waiting, trace->count, sizeof *trace->waiting, compare);
    if (missed > trace->losses.missed) {
        trace->losses.missed = missed;
        assembler_gap(trace->assembler);
    }
    while (done < trace->count && (all || trace->waiting[done].time < moment - SETTLE) &&
           pass_late(trace, done, latest)) {
        struct waiting *waiting = &trace->waiting[done++];
        if (waiting->event)
            take_waiting(trace, waiting);
        else
            take_loss(trace, waiting);
        free(waiting->octets);
    }
    trace->count -= done;
    if (trace->count > 0)
        memmove(trace->waiting, trace->waiting + done, trace->count * sizeof *trace->waiting);
    struct partial *first;
    while (all && (first = oldest_partial(trace, NULL)) != NULL)
        pass_on(trace, first);
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
