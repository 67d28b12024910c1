// SPDX-License-Identifier: BSD-3-Clause
/*
 * The answers of the line protocol. What is not listed here is garbled.
 *
 *   accept [N] [FIELD]...    the header is good; it has N octets, and these fields (decoded.h)
 *   error err-vers           it would send this RDMA_ERROR
 *   error err-chunk
 *   error err-bad-xdr        version 2: this error; likewise the other reactions that are errors
 *   error HEX                the same, with its octets
 *   discard                  it would drop the Send without a sign
 *   refuse                   it would not take the Send; how is not said
 *   close                    it would end the connection
 *   fail                     it would end the RPC with an error
 *   limit                    the Send is beyond its limits
 *   unsupported              it cannot be asked this
 *   more                     version 2: a piece was taken, and the message goes on
 *   ok                       to "open" and "out": it goes on
 */
#ifndef CONFORMANCE_TESTEE_ANSWER_H
#define CONFORMANCE_TESTEE_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum testee_said {
    TESTEE_ACCEPT,
    TESTEE_ERROR, /* with octets */
    TESTEE_ERR_VERS,
    TESTEE_ERR_CHUNK,
    TESTEE_ERROR_WORD, /* of version 2: `reaction` */
    TESTEE_DISCARD,
    TESTEE_REFUSE,
    TESTEE_CLOSE,
    TESTEE_FAIL,
    TESTEE_LIMIT,
    TESTEE_UNSUPPORTED,
    TESTEE_MORE,
    TESTEE_OK,
    /* It did not answer: */
    TESTEE_CLOSED,
    TESTEE_CRASHED,
    TESTEE_STALLED,
    TESTEE_GARBLED,
    TESTEE_EARLY,
};

/* Octets that `error HEX` may have; no RDMA_ERROR of version 1 has more than 28. */
#define TESTEE_ERROR_OCTETS 256

struct testee_answer {
    enum testee_said said;
    unsigned reaction;  /* TESTEE_ERROR_WORD: enum rpcrdma_reaction */
    bool has_length;    /* TESTEE_ACCEPT */
    uint64_t length;    /* octets of the header */
    const char *fields; /* TESTEE_ACCEPT: blank-separated, inside `text`; "": none */
    uint8_t error[TESTEE_ERROR_OCTETS]; /* TESTEE_ERROR */
    size_t error_length;
    uint64_t microseconds; /* since the answer before */
    const char *text;      /* what it said, or how it ended */
    const char *log; /* where it ended: the last that it wrote to its standard error; or NULL */
};

/* Returns false where the line is no answer of the protocol. `line` has to live as long as the
 * answer. */
bool testee_parse(const char *line, struct testee_answer *answer);

/* Whether it says that the Send is not taken. */
bool testee_refuses(const struct testee_answer *answer);

#endif
