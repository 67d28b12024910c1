// SPDX-License-Identifier: BSD-3-Clause
/*
 * The line protocol of `rpcrdma vectors --testee`, for testees in C: call testee_main() with the
 * function that judges one Send.
 */
#ifndef VECTORS_TESTEES_LINES_H
#define VECTORS_TESTEES_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* Octets of the transport header, or one of these. */
enum {
    ANSWER_DISCARD = -1,
    ANSWER_ERR_VERS = -2,
    ANSWER_ERR_CHUNK = -3,
    ANSWER_UNSUPPORTED = -4,
    ANSWER_ACCEPT = -5, /* where it ends is not known */
    ANSWER_REFUSE = -6, /* in whatever way */
    ANSWER_CLOSE = -7,  /* end the connection */
    ANSWER_FAIL = -8,   /* end the RPC with an error */
    ANSWER_LIMIT = -9,  /* beyond its limits */
};

/* As the Requester if is_reply, else as the Responder. */
typedef long testee_judge(const uint8_t *octets, size_t length, bool is_reply);

static inline int testee_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Octets of the digits, in memory of exactly that size: a reader that goes beyond it is found out
 * by the tools that look for that. */
static inline uint8_t *testee_octets(const char *digits, size_t *length)
{
    *length = strspn(digits, "0123456789abcdef") / 2;
    uint8_t *octets = malloc(*length > 0 ? *length : 1);
    for (size_t i = 0; octets && i < *length; i++)
        octets[i] = (uint8_t)(testee_digit(digits[2 * i]) << 4 | testee_digit(digits[2 * i + 1]));
    return octets;
}

static inline void testee_say(long answer)
{
    static const char *const words[] = {"discard",     "error err-vers", "error err-chunk",
                                        "unsupported", "accept",         "refuse",
                                        "close",       "fail",           "limit"};
    if (answer >= 0)
        printf("accept %ld\n", answer);
    else
        printf("%s\n", words[-1 - answer]);
    fflush(stdout); /* the answer is waited for */
}

static inline int testee_main(testee_judge *judge)
{
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        bool is_reply = strncmp(line, "reply ", 6) == 0;
        bool is_call = strncmp(line, "call ", 5) == 0;
        size_t length;
        uint8_t *octets = is_reply || is_call ? testee_octets(line + 5 + is_reply, &length) : NULL;
        testee_say(octets ? judge(octets, length, is_reply) : ANSWER_UNSUPPORTED);
        free(octets);
    }
    free(line);
    return 0;
}

#endif
