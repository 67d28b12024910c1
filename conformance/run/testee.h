// SPDX-License-Identifier: BSD-3-Clause
/*
 * Somebody else's parser, as a process that speaks lines: "call HEX" or "reply HEX" to it, one
 * answer a line from it. It may crash, hang, babble or speak out of turn; then it is started again
 * for the next question.
 */
#ifndef CONFORMANCE_TESTEE_H
#define CONFORMANCE_TESTEE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct testee_options {
    const char *command; /* for /bin/sh -c */
    unsigned timeout;    /* milliseconds for one answer */
};

struct testee_question {
    bool is_reply; /* it is the Requester; else the Responder */
    const uint8_t *octets;
    size_t length;
};

enum testee_said {
    TESTEE_ACCEPT,
    TESTEE_ERR_VERS,
    TESTEE_ERR_CHUNK,
    TESTEE_DISCARD,
    TESTEE_UNSUPPORTED,
    /* It did not answer: */
    TESTEE_CLOSED,
    TESTEE_CRASHED,
    TESTEE_STALLED,
    TESTEE_GARBLED,
    TESTEE_EARLY,
};

struct testee_answer {
    enum testee_said said;
    uint64_t length; /* TESTEE_ACCEPT: octets of the header */
    char text[160];  /* what it said, or how it ended */
};

/* Who asks. Questions are answered in order; where one is answered again the later answer counts.
 */
struct testee_dialogue {
    size_t count;
    void (*ask)(void *arg, size_t index, struct testee_question *question);
    void (*answer)(void *arg, size_t index, const struct testee_answer *answer);
    void *arg;
};

/*
 * Start it and ask everything. The first question has to be one that nobody can know: half of it
 * is held back for a moment, and a testee that answers meanwhile, as one that answers what it was
 * not asked, is early. One that never answers the first question is not asked the others. Each
 * question gets an answer, of whatever kind. Returns false, with errno set, if no process can be
 * made.
 */
bool testee_ask(const struct testee_options *options, const struct testee_dialogue *dialogue);

#endif
