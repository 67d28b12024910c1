// SPDX-License-Identifier: BSD-3-Clause
/* What a testee's answer to one question is worth. */
#ifndef CONFORMANCE_TESTEE_JUDGE_H
#define CONFORMANCE_TESTEE_JUDGE_H

#include "conformance/report/results/ending.h"
#include "conformance/run/testee/answer.h"

#include <rpcrdma/check.h>

#include <stdio.h>

/* As what it is asked. */
enum testee_role { TESTEE_RESPONDER, TESTEE_REQUESTER, TESTEE_CODEC };

struct question {
    enum testee_role role;
    const uint8_t *octets; /* the Send */
    size_t length;
    unsigned reactions;    /* a set of enum rpcrdma_reaction: what the specification leaves open */
    unsigned tolerated;    /* likewise: what is tolerated besides
                              (conformance/report/results/tolerance.h) */
    int64_t header_length; /* or -1 */
    bool is_error;         /* it is an RDMA_ERROR */

    enum rpcrdma_protocol draft; /* of version 2; AUTO: version 1 */
    bool is_piece;               /* more of its message follows */
    bool has_first_word; /* -07: its XDR counts the first word of the payload to the header */
};

enum rpcrdma_protocol judge_protocol(const struct question *question);

/* What is asked of a codec: strict XDR and nothing else. */
void judge_codec(struct question *question);

/* The answers that are as required: "accept 28 or discard", or without the length. */
void judge_print_wanted(FILE *out, const struct question *question, bool with_length);

/* What is said of an answer, beside how it ends the question. */
struct judge_words {
    FILE *why;   /* the reason where it is not as required, perhaps */
    FILE *got;   /* it in general words, without its numbers: what is wrong alike looks alike */
    FILE *fault; /* what is wrong within it, whatever the question: a field, a rule that its octets
                    break; else nothing */
    const char *answer; /* set: it in a word that lives for ever, "err-chunk"; or NULL */
};

/* How the answer ends the question. */
enum ending judge_answer(const struct question *question, const struct testee_answer *answer,
                         struct judge_words *words);

#endif
