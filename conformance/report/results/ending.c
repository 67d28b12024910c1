// SPDX-License-Identifier: BSD-3-Clause
/* How a test ended. */
#include "conformance/report/results/ending.h"

/* clang-format off */
const char *const ending_names[ENDINGS] = {
    [ENDING_REQUIRED] = "as-required",
    [ENDING_TOLERATED] = "tolerated",
    [ENDING_LIMIT] = "limit",
    [ENDING_WRONG] = "wrong-answer",
    [ENDING_SILENT] = "silent",
    [ENDING_CLOSED] = "closed",
    [ENDING_STALLED] = "stalled",
    [ENDING_CRASHED] = "crashed",
    [ENDING_GARBLED] = "garbled",
    [ENDING_EARLY] = "early",
    [ENDING_NOT_APPLICABLE] = "not-applicable",
};

const char *const ending_titles[ENDINGS] = {
    [ENDING_REQUIRED] = "as required",
    [ENDING_TOLERATED] = "tolerated",
    [ENDING_LIMIT] = "limit",
    [ENDING_WRONG] = "wrong answer",
    [ENDING_SILENT] = "silent",
    [ENDING_CLOSED] = "closed",
    [ENDING_STALLED] = "stalled",
    [ENDING_CRASHED] = "crashed",
    [ENDING_GARBLED] = "garbled",
    [ENDING_EARLY] = "early",
    [ENDING_NOT_APPLICABLE] = "not applicable",
};

const char *const ending_meanings[ENDINGS] = {
    [ENDING_REQUIRED] = "The answer is one that the specification leaves open.",
    [ENDING_TOLERATED] = ("Not what a whole peer would do, but all that a parser of headers can see, "
                          "or within what the peer says of itself."),
    [ENDING_LIMIT] = "The peer says that the Send is beyond its limits.",
    [ENDING_WRONG] = "The answer, or the finding, is another than the specification leaves open.",
    [ENDING_SILENT] = "No answer where there has to be one.",
    [ENDING_CLOSED] = "The peer closed its output, or the connection, but goes on running.",
    [ENDING_STALLED] = "No answer within the time allowed.",
    [ENDING_CRASHED] = "The peer ended, by itself or by a signal.",
    [ENDING_GARBLED] = "The answer is not part of the line protocol.",
    [ENDING_EARLY] = "The answer came before the question was there to be read.",
    [ENDING_NOT_APPLICABLE] = "Not asked, or the peer does not support it.",
};
/* clang-format on */

bool ending_is_failure(enum ending ending)
{
    return ending != ENDING_REQUIRED && ending != ENDING_TOLERATED && ending != ENDING_LIMIT &&
           ending != ENDING_NOT_APPLICABLE;
}

bool ending_is_broken(enum ending ending)
{
    return ending == ENDING_STALLED || ending == ENDING_CRASHED || ending == ENDING_GARBLED ||
           ending == ENDING_EARLY;
}

bool ending_is_judged(enum ending ending)
{
    return ending != ENDING_NOT_APPLICABLE && ending != ENDING_LIMIT;
}
