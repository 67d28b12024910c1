// SPDX-License-Identifier: BSD-3-Clause
/* How a test ended. */
#ifndef CONFORMANCE_ENDING_H
#define CONFORMANCE_ENDING_H

#include <stdbool.h>

enum ending {
    ENDING_REQUIRED,
    ENDING_TOLERATED,
    ENDING_LIMIT,
    ENDING_WRONG,
    ENDING_SILENT,
    ENDING_CLOSED,
    ENDING_STALLED,
    ENDING_CRASHED,
    ENDING_GARBLED,
    ENDING_EARLY,
    ENDING_NOT_APPLICABLE,
    ENDINGS
};

extern const char *const ending_names[ENDINGS];    /* "as-required" */
extern const char *const ending_titles[ENDINGS];   /* "as required" */
extern const char *const ending_meanings[ENDINGS]; /* a sentence */

bool ending_is_failure(enum ending ending);

/* The peer did not survive the test, or did not speak the protocol: never expected of a class. */
bool ending_is_broken(enum ending ending);

/* Whether the peer was judged at all. */
bool ending_is_judged(enum ending ending);

#endif
