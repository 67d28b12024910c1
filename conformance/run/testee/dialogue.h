// SPDX-License-Identifier: BSD-3-Clause
/*
 * Somebody else's parser, as a process that speaks lines: a question a line to it, one answer a
 * line from it. It may crash, hang, print anything or speak out of turn; then it is started again
 * for the next question.
 */
#ifndef CONFORMANCE_TESTEE_DIALOGUE_H
#define CONFORMANCE_TESTEE_DIALOGUE_H

#include "conformance/run/testee/answer.h"

struct testee_options {
    const char *command; /* for /bin/sh -c */
    unsigned timeout;    /* milliseconds for one answer; ten times that for the first, and after a
                            start four times longer than the longest start took */
};

/* What a testee has cost so far, in all its dialogues. */
struct testee_spent {
    int64_t begun, lost; /* when it was, or 0; milliseconds that led to no answer */
    unsigned stalls;
};

/* The side that asks. Questions are answered in order; where one is answered again the later answer
 * counts. */
struct testee_dialogue {
    size_t count;
    /* The question, without a newline, for free(). */
    char *(*ask)(void *arg, size_t index);
    void (*answer)(void *arg, size_t index, const struct testee_answer *answer);
    void *arg;
    struct testee_spent *spent;
    const char **cut_short; /* set where it hung too often, or took too long, to be asked on; or
                               NULL */
};

/*
 * Start it and ask everything. The first question has to be one that nobody can know: half of it is
 * held back for a moment, and a testee that answers meanwhile, as one that answers what it was not
 * asked, is early. A testee that has not answered anything is not asked on and on: what is left
 * counts as unsupported; so does what is left of one that hung ten times, lost thirty timeouts with
 * questions that it did not answer, or took three hundred, in all its dialogues. Each question gets
 * an answer, of whatever kind. Returns false, with one line in `error`, if the command cannot be
 * started.
 */
bool testee_ask(const struct testee_options *options, const struct testee_dialogue *dialogue,
                char *error, size_t error_size);

#endif
