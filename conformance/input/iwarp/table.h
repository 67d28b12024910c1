// SPDX-License-Identifier: BSD-3-Clause
/* The iWARP connections of a capture, found by addresses and ports. */
#ifndef CONFORMANCE_IWARP_TABLE_H
#define CONFORMANCE_IWARP_TABLE_H

#include "conformance/input/iwarp/connection.h"

#define IWARP_BUCKETS 1024

struct iwarp_table {
    struct memory *memory;
    struct iwarp_output output;
    struct iwarp_options options;
    uint64_t *retransmitted;
    struct iwarp_connection *newest, *oldest, *buckets[IWARP_BUCKETS];
    unsigned count;
    uint64_t frame; /* that is read now */
};

/* What became of a segment. */
enum iwarp_taken {
    IWARP_TAKEN,
    IWARP_NOT_IWARP,
    IWARP_UNKNOWN_CONNECTION, /* it looks like iWARP, but the connection is not known */
    IWARP_AFTER_END,          /* from a side that had ended the connection before */
};

/* A segment between these two addresses, of 16 octets. */
enum iwarp_taken iwarp_take(struct iwarp_table *table, const uint8_t *source,
                            const uint8_t *destination, const struct tcp_segment *segment);

/* Whether its connection is known, and it begins no other. */
bool iwarp_knows(const struct iwarp_table *table, const uint8_t *source, const uint8_t *destination,
                 const struct tcp_segment *segment);

/* Whether a connection without a recorded beginning could begin with it. */
bool iwarp_recognises(const struct iwarp_table *table, const struct tcp_segment *segment);

/* Frees what can be given up until this many octets fit. */
void iwarp_evict(struct iwarp_table *table, size_t octets);

/* Nothing more comes: end and free all. */
void iwarp_table_done(struct iwarp_table *table);

#endif
