// SPDX-License-Identifier: BSD-3-Clause
/* What a probe has seen: one record, or the two that one function's entry made. */
#ifndef HARNESS_TRACE_SIGHTING_H
#define HARNESS_TRACE_SIGHTING_H

#include "rxe-harness/trace/ring.h"

#include "conformance/input/frame/packet.h"

/* Octets of a record: an event's are 3072 at most, and its fields before them. */
#define SIGHTING_MAX 4096

struct sighting_part {
    const struct ring_format *format; /* NULL: it is not there */
    uint8_t octets[SIGHTING_MAX];
    size_t length;
};

struct sighting {
    struct sighting_part part[2]; /* the second holds the rest of the octets */
    int64_t time;                 /* nanoseconds since 1970 */
    uint32_t pid;
};

/* A number, or 0 where the probe has no such field. */
uint64_t sighting_number(const struct sighting *sighting, const char *name);
/* The octets of the pieces of this name, 0 on. Returns how many are there, up to `want`. */
size_t sighting_octets(const struct sighting *sighting, const char *name, uint8_t *octets,
                       size_t want);
/* An address that the kernel keeps as struct sockaddr_in or _in6; false: it has another family. */
bool sighting_address(const struct sighting *sighting, const char *name, struct address *address,
                      uint16_t *port);

#endif
