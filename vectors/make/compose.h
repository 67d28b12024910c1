// SPDX-License-Identifier: BSD-3-Clause
/*
 * What the words of a row come to before octets are laid out, shared by the versions of the
 * protocol: version 1 is laid out by librpcrdma (compose.c), version 2 by hand (version2/).
 */
#ifndef VECTORS_MAKE_COMPOSE_H
#define VECTORS_MAKE_COMPOSE_H

#include "vectors/make/vectors.h"

#define SEGMENTS 256
#define CHUNKS 80
#define PROPERTIES 16
#define NUMBERS 8
#define TEXT 2048 /* octets of a row */

struct property {
    uint32_t id;
    uint32_t length;
    uint8_t value[64];
    bool other; /* -04: of rdma_other */
};

struct numbers {
    uint32_t count, value[NUMBERS];
};

/* A kind of version 2 message. */
struct form2 {
    const char *word;
    const char *layout; /* what follows the prefix: version2/compose.c */
    uint32_t type, direction;
    bool typed;            /* of the type that its first number is */
    bool sums;             /* the credit word is a sum, as -07 has it */
    const char *reactions; /* to one that is good, if not "process" alone */
};

struct row {
    struct composed *out;
    const char *id;
    struct rpcrdma1_header header;
    struct rpcrdma1_read_segment reads[SEGMENTS];
    struct rpcrdma1_write_chunk writes[CHUNKS];
    struct rpcrdma1_segment segments[SEGMENTS];
    uint32_t read_count, write_count, segment_count;
    struct rpcrdma1_write_chunk_opt reply;
    bool raw;

    /* Version 2 */
    const struct form2 *form; /* or NULL: version 1 */
    uint32_t total;           /* the credit word of -07 that is right in this place */
    struct numbers numbers;   /* of the first word */
    uint32_t direction, invalidate;
    struct rpcrdma1_read_segment call[SEGMENTS];
    uint32_t call_count;
    struct property properties[PROPERTIES];
    uint32_t property_count;
    struct numbers unchanging, done, rejected;
};

/* ---- words (compose.c) ---- */

/*
 * The number at *text, which becomes what follows it and after `separator`, if that is there. Ends
 * the program with a word about the vector of this id, or of the row, where no number stands.
 */
uint64_t read_number(const char *id, const char **text, char separator);
uint32_t read_word(const char *id, const char **text, char separator);
uint64_t take_number(const struct row *row, const char **text, char separator);
uint32_t take_word(const struct row *row, const char **text, char separator);

/* Whether the word begins with the name and a colon; *rest is what follows. */
bool has_name(const char *word, const char *name, const char **rest);

/* "POSITION:SEGMENTS" of a Read list. */
void take_reads(struct row *row, const char *text, struct rpcrdma1_read_segment *reads,
                uint32_t *count);

/* ---- what follows the header (payload.c) ---- */

void put(struct row *row, const uint32_t *words, size_t count);
void put_zeros(struct row *row, uint64_t octets);
void take_payload_word(struct row *row, const char *word);

/* A change to the octets; false if the word is not one. */
bool take_change(struct row *row, const char *word);

/* ---- version 2 (version2/compose.c) ---- */

/* Whether the first word of a row is a form of version 2, which it then becomes. */
bool take_form2(struct row *row, const char *word);

/* Whether it is a word of a header that version 1 has not. */
bool take_header_word2(struct row *row, const char *word);

void lay_out2(struct row *row);

#endif
