// SPDX-License-Identifier: BSD-3-Clause
/* Calls in flight and credits granted over time, in a fixed number of steps: where time goes beyond
 * the last, the steps become twice as long. */
#ifndef CONFORMANCE_TIMELINE_H
#define CONFORMANCE_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { TIMELINE_STEPS = 120 };

struct timeline { /* begins as zeros */
    bool begun;
    int64_t start, width; /* nanoseconds */
    unsigned used;        /* steps up to the latest that has something */
    struct timeline_step {
        bool seen, marked;
        uint32_t in_flight, granted; /* the most of each in that time; granted 0: none was */
    } step[TIMELINE_STEPS];
};

/* A time before the first counts as the first. */
void timeline_add(struct timeline *timeline, int64_t time, uint32_t in_flight, uint32_t granted);

/* Something is to be seen at this time, which was added. */
void timeline_mark(struct timeline *timeline, int64_t time);

uint32_t timeline_most_in_flight(const struct timeline *timeline);

/* As SVG (figures_html.c). What was granted `holds` until the next grant, or is there for each
 * step. */
void timeline_svg(FILE *out, const struct timeline *timeline, bool holds);

/* Several connections together. First the time that all of them take; then of each, for each step,
 * the most of either number is added. */
void timeline_span(struct timeline *sum, const struct timeline *part);
void timeline_sum(struct timeline *sum, const struct timeline *part);

#endif
