// SPDX-License-Identifier: BSD-3-Clause
/*
 * What tracefs hands out: the text that describes an event, and the pages of a processor's ring.
 */
#ifndef HARNESS_TRACE_RING_H
#define HARNESS_TRACE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RING_FIELDS 80

struct ring_field {
    char name[32];
    size_t offset, size; /* octets of the record */
};

/* An event as its file "format" has it. */
struct ring_format {
    unsigned id;
    unsigned count;
    struct ring_field fields[RING_FIELDS];
};

/* False: it is not such a text, or has more fields. */
bool ring_format_read(struct ring_format *format, const char *text);
/* NULL if there is none of that name. */
const struct ring_field *ring_format_find(const struct ring_format *format, const char *name);
/* A number of up to 8 octets in this machine's order; false if the record ends before it. */
bool ring_number(const struct ring_field *field, const uint8_t *record, size_t length,
                 uint64_t *value);
/* The event that a record is of; false if it is too short to say. */
bool ring_record_id(const uint8_t *record, size_t length, unsigned *id);

/* The walk over a page of "trace_pipe_raw". */
struct ring_page {
    const uint8_t *at, *end;
    uint64_t time;  /* of the last record, nanoseconds of the ring's clock */
    bool lost;      /* records before this page were overwritten */
    uint64_t count; /* how many, or 0: it is not known */
};

/* False: it cannot be a page. */
bool ring_page_begin(struct ring_page *page, const uint8_t *octets, size_t length);
/* The next record; it lies in the page. False at the end; *broken is set where the page ends in the
 * middle of one. */
bool ring_page_next(struct ring_page *page, const uint8_t **record, size_t *length, bool *broken);

#endif
