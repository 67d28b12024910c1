// SPDX-License-Identifier: BSD-3-Clause
/*
 * How long something took, as a histogram of fixed size: each power of two nanoseconds is divided
 * into eight parts, so that a percentile is known to an eighth of itself.
 */
#ifndef CONFORMANCE_HISTOGRAM_H
#define CONFORMANCE_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

enum { HISTOGRAM_PARTS = 8, HISTOGRAM_BARS = (64 - 2) * HISTOGRAM_PARTS };

struct histogram {             /* begins as zeros */
    uint64_t count, sum, most; /* nanoseconds; the sum stays at its largest value */
    uint64_t bar[HISTOGRAM_BARS];
};

void histogram_add(struct histogram *histogram, uint64_t nanoseconds);
void histogram_merge(struct histogram *histogram, const struct histogram *other);

/* The least time that goes into the bar; of HISTOGRAM_BARS, UINT64_MAX. */
uint64_t histogram_from(unsigned bar);

/* The time below or at which `percent` of all are: the upper end of their bar, but no more than the
 * longest. 0 where there are none. */
uint64_t histogram_percentile(const struct histogram *histogram, unsigned percent);

uint64_t histogram_mean(const struct histogram *histogram); /* 0 where there are none */

/* The first and the last bar that is not empty; false where all are. */
bool histogram_range(const struct histogram *histogram, unsigned *first, unsigned *last);

#endif
