// SPDX-License-Identifier: BSD-3-Clause
/*
 * The line protocol of `rpcrdma vectors --testee`, for testees in C: call testee_main() with the
 * function that judges one Send, or testee_serve() with one that decodes (--decode) and one that
 * judges a Send of version 2 as well. Each may tell the fields that it has read by testee_field().
 */
#ifndef VECTORS_TESTEES_LINES_H
#define VECTORS_TESTEES_LINES_H

#include <stdarg.h>
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
    ANSWER_SAID = -10,  /* version 2: what testee_error() was given */
};

/* As the Requester if is_reply, else as the Responder. */
typedef long testee_judge(const uint8_t *octets, size_t length, bool is_reply);

/* Strict XDR and nothing else: octets of the header, or ANSWER_REFUSE. */
typedef long testee_decode(const uint8_t *octets, size_t length);

/* The same of version 2: "07" or "04" is the draft. */
typedef long testee_judge2(const uint8_t *octets, size_t length, const char *draft, bool is_reply);

static struct {
    char text[65536];
    size_t length;
} testee_fields;

/* The octets of the error that it would send, 256 at most. */
static struct {
    uint8_t octets[256];
    size_t length;
} testee_said;

static inline long testee_error(const uint8_t *octets, size_t length)
{
    testee_said.length = length < sizeof testee_said.octets ? length : sizeof testee_said.octets;
    memcpy(testee_said.octets, octets, testee_said.length);
    return ANSWER_SAID;
}

/* A field of the answer "accept", with its N or without: testee_field(" credit=%u", credit). A list
 * may be written in several calls. Where there is no room for all, none is sent. */
__attribute__((format(printf, 1, 2))) static inline void testee_field(const char *format, ...)
{
    size_t room = sizeof testee_fields.text - testee_fields.length;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(testee_fields.text + testee_fields.length, room, format, arguments);
    va_end(arguments);
    bool fits = length >= 0 && (size_t)length < room;
    testee_fields.length = fits ? testee_fields.length + (size_t)length : sizeof testee_fields.text;
}

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

static inline void testee_say_error(void)
{
    printf("error ");
    for (size_t i = 0; i < testee_said.length; i++)
        printf("%02x", testee_said.octets[i]);
}

static inline void testee_say(long answer)
{
    static const char *const words[] = {"discard",     "error err-vers", "error err-chunk",
                                        "unsupported", "accept",         "refuse",
                                        "close",       "fail",           "limit"};
    bool accepts = answer >= 0 || answer == ANSWER_ACCEPT;
    if (answer >= 0)
        printf("accept %ld", answer);
    else if (answer == ANSWER_SAID)
        testee_say_error();
    else
        printf("%s", words[-1 - answer]);
    if (accepts && testee_fields.length < sizeof testee_fields.text)
        printf("%.*s", (int)testee_fields.length, testee_fields.text);
    putchar('\n');
    fflush(stdout); /* the answer is waited for */
}

/* One question: a word, a blank, the digits. */
static inline long testee_answer(const char *line, testee_judge *judge, testee_decode *decode,
                                 testee_judge2 *judge2)
{
    static const char *const verbs[] = {"call ",    "reply ",  "decode ", "call07 ",
                                        "reply07 ", "call04 ", "reply04 "};
    size_t verb = 0, count = sizeof verbs / sizeof verbs[0];
    while (verb < count && strncmp(line, verbs[verb], strlen(verbs[verb])) != 0)
        verb++;
    bool known = verb < 2 ? judge != NULL : verb == 2 ? decode != NULL : judge2 != NULL;
    size_t length;
    uint8_t *octets =
        verb < count && known ? testee_octets(line + strlen(verbs[verb]), &length) : NULL;
    if (octets == NULL)
        return ANSWER_UNSUPPORTED;
    long answer = verb < 2    ? judge(octets, length, verb == 1)
                  : verb == 2 ? decode(octets, length)
                              : judge2(octets, length, verb < 5 ? "07" : "04", verb % 2 == 0);
    free(octets);
    return answer;
}

/* Each may be NULL: it is not asked then. */
static inline int testee_serve(testee_judge *judge, testee_decode *decode, testee_judge2 *judge2)
{
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        testee_fields.length = 0;
        testee_say(testee_answer(line, judge, decode, judge2));
    }
    free(line);
    return 0;
}

static inline int testee_main(testee_judge *judge)
{
    return testee_serve(judge, NULL, NULL);
}

#endif
