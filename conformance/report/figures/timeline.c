// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/report/figures/timeline.h"

enum { WIDTH_FIRST = 1000 }; /* nanoseconds */

static uint32_t more(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void widen(struct timeline *timeline)
{
    for (unsigned i = 0; i < TIMELINE_STEPS; i++) {
        struct timeline_step none = {.seen = false};
        bool inside = 2 * i + 1 < TIMELINE_STEPS;
        struct timeline_step a = inside ? timeline->step[2 * i] : none;
        struct timeline_step b = inside ? timeline->step[2 * i + 1] : none;
        timeline->step[i] = (struct timeline_step){.seen = a.seen || b.seen,
                                                   .marked = a.marked || b.marked,
                                                   .in_flight = more(a.in_flight, b.in_flight),
                                                   .granted = more(a.granted, b.granted)};
    }
    timeline->width *= 2;
    timeline->used = (timeline->used + 1) / 2;
}

static uint64_t step_at(const struct timeline *timeline, int64_t time)
{
    uint64_t since = time > timeline->start ? (uint64_t)time - (uint64_t)timeline->start : 0;
    return since / (uint64_t)timeline->width;
}

void timeline_add(struct timeline *timeline, int64_t time, uint32_t in_flight, uint32_t granted)
{
    if (!timeline->begun)
        *timeline = (struct timeline){.begun = true, .start = time, .width = WIDTH_FIRST};
    while (step_at(timeline, time) >= TIMELINE_STEPS)
        widen(timeline);
    unsigned at = (unsigned)step_at(timeline, time);
    struct timeline_step *step = &timeline->step[at];
    step->seen = true;
    step->in_flight = more(step->in_flight, in_flight);
    step->granted = more(step->granted, granted);
    if (at >= timeline->used)
        timeline->used = at + 1;
}

void timeline_mark(struct timeline *timeline, int64_t time)
{
    if (timeline->begun && step_at(timeline, time) < timeline->used)
        timeline->step[step_at(timeline, time)].marked = true;
}

uint32_t timeline_most_in_flight(const struct timeline *timeline)
{
    uint32_t most = 0;
    for (unsigned i = 0; i < timeline->used; i++)
        most = more(most, timeline->step[i].in_flight);
    return most;
}

static int64_t end_of(const struct timeline *timeline)
{
    uint64_t end = (uint64_t)timeline->start + (uint64_t)timeline->width * timeline->used;
    return end < INT64_MAX ? (int64_t)end : INT64_MAX;
}

void timeline_span(struct timeline *sum, const struct timeline *part)
{
    if (!part->begun)
        return;
    int64_t start = sum->begun && sum->start < part->start ? sum->start : part->start;
    int64_t end = sum->begun && end_of(sum) > end_of(part) ? end_of(sum) : end_of(part);
    *sum = (struct timeline){.begun = true,
                             .start = start,
                             .width = (end - start) / TIMELINE_STEPS + 1,
                             .used = TIMELINE_STEPS};
}

/* What was granted holds until the next grant, and to the end of the connection. */
void timeline_sum(struct timeline *sum, const struct timeline *part)
{
    for (unsigned i = 0; i < sum->used; i++) {
        uint64_t from = (uint64_t)sum->start + (uint64_t)sum->width * i;
        uint64_t to = from + (uint64_t)sum->width;
        uint32_t in_flight = 0, most = 0, granted = 0;
        for (unsigned j = 0; j < part->used; j++) {
            uint64_t begins = (uint64_t)part->start + (uint64_t)part->width * j;
            granted = part->step[j].granted > 0 ? part->step[j].granted : granted;
            if (begins >= to || begins + (uint64_t)part->width <= from)
                continue;
            in_flight = more(in_flight, part->step[j].in_flight);
            most = more(most, granted);
        }
        sum->step[i].in_flight += in_flight;
        sum->step[i].granted += most;
    }
}
