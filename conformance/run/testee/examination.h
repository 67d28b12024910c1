// SPDX-License-Identifier: BSD-3-Clause
/* A testee under examination: the questions that are to be put to it, in order. */
#ifndef CONFORMANCE_TESTEE_EXAMINATION_H
#define CONFORMANCE_TESTEE_EXAMINATION_H

#include "conformance/run/run.h"
#include "conformance/run/testee/judge.h"

/* What is said to the testee. */
enum line {
    LINE_SEND, /* a Send by itself: "call HEX", "decode HEX", "reply07 HEX" */
    LINE_OPEN, /* a conversation of version 2 begins */
    LINE_IN,   /* in it, the testee has received this */
    LINE_OUT,  /* in it, the testee has sent this */
};

#define NO_RESULT SIZE_MAX

struct asked {
    size_t result; /* its index: results move while they are added; or NO_RESULT */
    enum line line;
    bool is_judged; /* LINE_IN: the answer matters */
    struct question question;
    const struct rpcrdma_event *call; /* that this Reply answers, or NULL */
    bool is_backward;                 /* its RPC goes from server to client */
    const struct rpcrdma_event *sent; /* LINE_IN, LINE_OUT: the Send */
    enum rpcrdma_endpoint side;       /* LINE_OPEN: the testee's */
};

/* What a testee said to a good Call of a draft, and to "open". */
struct spoken {
    bool was_asked, speaks, converses;
    enum ending ending; /* of the good Call */
    char *line, *answer;
    struct opening *opening;
};

struct examination {
    const struct testee_settings *settings;
    struct progress *progress;
    struct results *results;
    struct asked *asked;
    size_t count, room;
    struct testee_spent spent;

    /* Version 2 (version2.c), by enum rpcrdma_protocol */
    struct spoken spoken[RPCRDMA_PROTOCOL_2_07 + 1];
    struct asked *test; /* the events of the test that is being collected */
    size_t test_count, test_room;
    bool ended; /* the conversation under way: what follows is not judged */
};

/* Add a question; of one with a result, say what is wanted. */
void examination_add(struct examination *examination, const struct asked *asked);

/* The hexadecimal digits of octets. */
void examination_print_hex(FILE *out, const void *octets, size_t length);

/* ---- version 2 ---- */

/* Ask which of the drafts in the corpus the testee speaks, and whether in conversations; a result
 * for each. Returns false, with one line in `error`, where it cannot be started. */
bool version2_begin(struct examination *examination, const struct corpus *corpus, char *error,
                    size_t error_size);

/* What is left open to the receiver of a Send of version 2. Returns NULL, or why it is not asked.
 */
const char *version2_prepare(const struct examination *examination, const struct run_event *event,
                             struct asked *asked);

/* Take in an event of a test that is played as a conversation; where `asked` is NULL, nothing is
 * asked of it. Of a new test, the questions of the last one are added. */
void version2_collect(struct examination *examination, const struct run_event *event,
                      const struct asked *asked);
void version2_finish_test(struct examination *examination);

/* The line of a question of version 2. */
void version2_print_line(FILE *out, const struct asked *asked);

/* Whether the answer is to be judged; `*reason` says why it is not, or is NULL where there is no
 * result. */
bool version2_is_judged(struct examination *examination, const struct asked *asked,
                        const struct testee_answer *answer, const char **reason);

void version2_end(struct examination *examination);

#endif
