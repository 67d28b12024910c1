// SPDX-License-Identifier: BSD-3-Clause
/* How benchmarks measure: by the best of several rounds, on octets that the compiler does not know.
 */
#ifndef CODEC_BENCH_MEASURE_H
#define CODEC_BENCH_MEASURE_H

#include <stddef.h>
#include <time.h>

/* The compiler must neither know the octets nor drop the result. */
#define HIDE(pointer) __asm__ volatile("" : "+r"(pointer) : : "memory")
#define USE(value) __asm__ volatile("" : : "r"(value) : "memory")

/* Nanoseconds. Of a virtual machine the time of the processor leaves out what the host says it has
 * taken away, which can be more than there was: rounds came out too short. What other processes
 * take only adds, and a round is short. */
static inline double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* What else runs on the machine only ever adds. */
static inline double least(const double *values, size_t count)
{
    double result = values[0];
    for (size_t i = 1; i < count; i++)
        result = values[i] < result ? values[i] : result;
    return result;
}

#endif
