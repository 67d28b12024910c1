// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/report/figures/histogram.h"

/* Times below this have a bar each. */
enum { LINEAR = HISTOGRAM_PARTS };

static unsigned bits(uint64_t number)
{
    unsigned count = 0;
    for (; number != 0; number >>= 1)
        count++;
    return count;
}

static unsigned bar_of(uint64_t time)
{
    if (time < LINEAR)
        return (unsigned)time;
    unsigned power = bits(time) - 1; /* 3 at least */
    unsigned part = (unsigned)(time >> (power - 3)) & (HISTOGRAM_PARTS - 1);
    return (power - 2) * HISTOGRAM_PARTS + part;
}

uint64_t histogram_from(unsigned bar)
{
    if (bar >= HISTOGRAM_BARS)
        return UINT64_MAX;
    if (bar < LINEAR)
        return bar;
    unsigned power = bar / HISTOGRAM_PARTS + 2;
    return (uint64_t)(HISTOGRAM_PARTS + bar % HISTOGRAM_PARTS) << (power - 3);
}

static uint64_t sum_of(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

void histogram_add(struct histogram *histogram, uint64_t nanoseconds)
{
    histogram->count++;
    histogram->sum = sum_of(histogram->sum, nanoseconds);
    if (nanoseconds > histogram->most)
        histogram->most = nanoseconds;
    histogram->bar[bar_of(nanoseconds)]++;
}

void histogram_merge(struct histogram *histogram, const struct histogram *other)
{
    histogram->count += other->count;
    histogram->sum = sum_of(histogram->sum, other->sum);
    if (other->most > histogram->most)
        histogram->most = other->most;
    for (unsigned i = 0; i < HISTOGRAM_BARS; i++)
        histogram->bar[i] += other->bar[i];
}

uint64_t histogram_percentile(const struct histogram *histogram, unsigned percent)
{
    /* Rounded up, and without the product of large counts. */
    uint64_t rank =
        histogram->count / 100 * percent + (histogram->count % 100 * percent + 99) / 100;
    uint64_t seen = 0;
    for (unsigned i = 0; i < HISTOGRAM_BARS; i++) {
        seen += histogram->bar[i];
        if (seen >= rank && seen > 0) {
            uint64_t last = i + 1 < HISTOGRAM_BARS ? histogram_from(i + 1) - 1 : UINT64_MAX;
            return last < histogram->most ? last : histogram->most;
        }
    }
    return 0;
}

uint64_t histogram_mean(const struct histogram *histogram)
{
    return histogram->count == 0 ? 0 : histogram->sum / histogram->count;
}

bool histogram_range(const struct histogram *histogram, unsigned *first, unsigned *last)
{
    bool found = false;
    for (unsigned i = 0; i < HISTOGRAM_BARS; i++) {
        if (histogram->bar[i] == 0)
            continue;
        if (!found)
            *first = i;
        *last = i;
        found = true;
    }
    return found;
}
