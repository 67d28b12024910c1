// SPDX-License-Identifier: BSD-3-Clause
/* The line protocol, asked ahead: many questions are on their way while answers come back. */
#include "conformance/run/testee.h"

#include "conformance/base/alloc.h"
#include "conformance/run/testee_process.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WINDOW 256             /* questions on their way at most */
#define QUEUE_OCTETS 65536     /* no further question is written out above this */
#define ANSWER_OCTETS 128      /* the longest line taken for an answer */
#define HOLD_MILLISECONDS 50   /* how long half of the first question is held back */
#define OPENING_ATTEMPTS 3     /* starts that may fail before the first answer */
#define GRACE_MILLISECONDS 500 /* to end after the last answer */

struct testee {
    const struct testee_options *options;
    const struct testee_dialogue *dialogue;
    struct testee_process process;

    char *queue; /* octets for the testee */
    size_t queue_room, queue_length, queue_sent;
    uint64_t queued, sent;     /* octets in all since it was started */
    uint64_t line_end[WINDOW]; /* by question: value of `queued` behind it */
    uint64_t hold;             /* octets that may be sent before hold_until */
    int64_t hold_until;

    size_t asked, answered; /* questions */
    int64_t since;          /* when the question that is to be answered came to the front */
    unsigned attempts;
    char line[ANSWER_OCTETS + 1];
    size_t line_length;
};

/* ---- questions ---- */

static void append(struct testee *testee, const char *text, size_t length)
{
    if (testee->queue_length + length > testee->queue_room) {
        size_t room = 2 * (testee->queue_length + length);
        char *queue = alloc_zeroed(room, 1);
        if (testee->queue_length > 0)
            memcpy(queue, testee->queue, testee->queue_length);
        free(testee->queue);
        testee->queue = queue;
        testee->queue_room = room;
    }
    memcpy(testee->queue + testee->queue_length, text, length);
    testee->queue_length += length;
    testee->queued += length;
}

static void append_question(struct testee *testee, const struct testee_question *question)
{
    static const char digits[] = "0123456789abcdef";
    const char *word = question->is_reply ? "reply " : "call ";
    append(testee, word, strlen(word));
    for (size_t i = 0; i < question->length;) {
        char hex[512];
        size_t length = 0;
        for (; i < question->length && length < sizeof hex; i++) {
            hex[length++] = digits[question->octets[i] >> 4];
            hex[length++] = digits[question->octets[i] & 15];
        }
        append(testee, hex, length);
    }
    append(testee, "\n", 1);
}

static void fill_queue(struct testee *testee)
{
    if (testee->queue_sent == testee->queue_length)
        testee->queue_sent = testee->queue_length = 0;
    /* The first question goes alone: what cannot answer it is not asked more. */
    size_t window = testee->answered == 0 ? 1 : WINDOW;
    while (testee->asked < testee->dialogue->count && testee->asked - testee->answered < window &&
           testee->queue_length < QUEUE_OCTETS) {
        struct testee_question question;
        testee->dialogue->ask(testee->dialogue->arg, testee->asked, &question);
        append_question(testee, &question);
        testee->line_end[testee->asked++ % WINDOW] = testee->queued;
        if (testee->asked == 1)
            testee->hold = testee->queued / 2;
    }
}

static void send_queue(struct testee *testee)
{
    size_t length = testee->queue_length - testee->queue_sent;
    if (testee->hold - testee->sent < length)
        length = (size_t)(testee->hold - testee->sent);
    if (length == 0)
        return;
    ssize_t sent = write(testee->process.in, testee->queue + testee->queue_sent, length);
    if (sent > 0) {
        testee->queue_sent += (size_t)sent;
        testee->sent += (uint64_t)sent;
    } else if (sent < 0 && errno != EAGAIN && errno != EINTR) {
        close(testee->process.in); /* it reads no more; its end, or its silence, will tell why */
        testee->process.in = -1;
    }
}

/* ---- answers ---- */

static bool parse_answer(const char *line, struct testee_answer *answer)
{
    static const struct {
        const char *line;
        enum testee_said said;
    } plain[] = {{"error err-vers", TESTEE_ERR_VERS},
                 {"error err-chunk", TESTEE_ERR_CHUNK},
                 {"discard", TESTEE_DISCARD},
                 {"unsupported", TESTEE_UNSUPPORTED}};
    snprintf(answer->text, sizeof answer->text, "%s", line);
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (strcmp(line, plain[i].line) == 0) {
            answer->said = plain[i].said;
            return true;
        }
    if (strncmp(line, "accept ", 7) != 0)
        return false;
    size_t digits = strspn(line + 7, "0123456789");
    if (digits == 0 || digits > 18 || line[7 + digits] != '\0')
        return false;
    answer->said = TESTEE_ACCEPT;
    answer->length = strtoull(line + 7, NULL, 10);
    return true;
}

static void tell(struct testee *testee, const struct testee_answer *answer)
{
    testee->dialogue->answer(testee->dialogue->arg, testee->answered++, answer);
    testee->since = testee_now();
}

/* It cannot go on. What it was asked last is to blame, unless it never answered at all. */
static void give_up(struct testee *testee, const struct testee_answer *answer)
{
    testee_stop(&testee->process);
    testee->asked = testee->answered;
    if (testee->answered == 0 && ++testee->attempts < OPENING_ATTEMPTS)
        return;
    bool never = testee->answered == 0;
    do
        tell(testee, answer);
    while (never && testee->answered < testee->dialogue->count);
    testee->asked = testee->answered;
}

static void fail(struct testee *testee, enum testee_said said, const char *text)
{
    struct testee_answer answer = {.said = said};
    snprintf(answer.text, sizeof answer.text, "%s", text);
    give_up(testee, &answer);
}

/* What a testee writes may hold anything. */
static void quote(char *text, size_t size, const char *before, const char *line)
{
    snprintf(text, size, "%s '%s'", before, line);
    for (char *p = text; *p != '\0'; p++)
        if ((unsigned char)*p < 0x20 || (unsigned char)*p >= 0x7f)
            *p = '?';
}

/* Returns false where the testee was given up. */
static bool take_line(struct testee *testee)
{
    struct testee_answer answer = {0};
    testee->line[testee->line_length] = '\0';
    bool whole = strlen(testee->line) == testee->line_length;
    testee->line_length = 0;
    bool asked = testee->answered < testee->asked &&
                 testee->sent >= testee->line_end[testee->answered % WINDOW];
    if (!asked) {
        quote(answer.text, sizeof answer.text, "before the question:", testee->line);
        fail(testee, TESTEE_EARLY, answer.text);
        return false;
    }
    if (whole && parse_answer(testee->line, &answer)) {
        tell(testee, &answer);
        return true;
    }
    quote(answer.text, sizeof answer.text, "no answer of the protocol:", testee->line);
    fail(testee, TESTEE_GARBLED, answer.text);
    return false;
}

static void take_octets(struct testee *testee, const char *octets, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (octets[i] == '\n') {
            if (!take_line(testee))
                return;
        } else if (testee->line_length == ANSWER_OCTETS) {
            take_line(testee);
            return;
        } else {
            testee->line[testee->line_length++] = octets[i];
        }
    }
}

static void take_end(struct testee *testee)
{
    char text[128];
    bool ended = testee_ended(&testee->process, text, sizeof text);
    fail(testee, ended ? TESTEE_CRASHED : TESTEE_CLOSED, text);
}

static void receive(struct testee *testee)
{
    char octets[4096];
    ssize_t length = read(testee->process.out, octets, sizeof octets);
    if (length > 0)
        take_octets(testee, octets, (size_t)length);
    else if (length == 0 || (errno != EAGAIN && errno != EINTR))
        take_end(testee);
}

/* ---- the dialogue ---- */

static bool start(struct testee *testee)
{
    if (!testee_start(&testee->process, testee->options->command))
        return false;
    testee->queue_length = testee->queue_sent = testee->line_length = 0;
    testee->queued = testee->sent = 0;
    testee->hold = UINT64_MAX;
    testee->hold_until = testee->since = testee_now();
    if (testee->answered == 0)
        testee->since = testee->hold_until += HOLD_MILLISECONDS;
    return true;
}

static void step(struct testee *testee)
{
    fill_queue(testee);
    int64_t now = testee_now(), deadline = testee->since + testee->options->timeout;
    if (now >= testee->hold_until)
        testee->hold = UINT64_MAX;
    else
        deadline = testee->hold_until;
    if (now >= deadline) {
        char text[64];
        snprintf(text, sizeof text, "no answer in %u ms", testee->options->timeout);
        fail(testee, TESTEE_STALLED, text);
        return;
    }
    bool sending = testee->process.in >= 0 && testee->queue_sent < testee->queue_length &&
                   testee->sent < testee->hold;
    struct pollfd fds[] = {{.fd = testee->process.out, .events = POLLIN},
                           {.fd = sending ? testee->process.in : -1, .events = POLLOUT}};
    if (poll(fds, 2, (int)(deadline - now)) <= 0)
        return;
    if (fds[1].revents != 0)
        send_queue(testee);
    if (fds[0].revents != 0)
        receive(testee);
}

/* After the last answer nothing more may come. */
static void finish(struct testee *testee)
{
    if (!testee_runs(&testee->process))
        return;
    int64_t deadline = testee_now() + GRACE_MILLISECONDS, now;
    if (testee->process.in >= 0)
        close(testee->process.in);
    testee->process.in = -1;
    bool more = testee->line_length > 0;
    while (!more && (now = testee_now()) < deadline) {
        char octet;
        struct pollfd fd = {.fd = testee->process.out, .events = POLLIN};
        if (poll(&fd, 1, (int)(deadline - now)) <= 0)
            continue;
        ssize_t length = read(fd.fd, &octet, 1);
        more = length > 0;
        if (length == 0)
            break;
    }
    testee_stop(&testee->process);
    if (more && testee->answered > 0) {
        struct testee_answer answer = {.said = TESTEE_EARLY,
                                       .text = "answered more than it was asked"};
        testee->dialogue->answer(testee->dialogue->arg, testee->answered - 1, &answer);
    }
}

bool testee_ask(const struct testee_options *options, const struct testee_dialogue *dialogue)
{
    struct testee testee = {.options = options, .dialogue = dialogue, .process = TESTEE_NO_PROCESS};
    bool good = true;
    while (good && testee.answered < dialogue->count) {
        if (!testee_runs(&testee.process))
            good = start(&testee);
        if (good)
            step(&testee);
    }
    finish(&testee);
    free(testee.queue);
    return good;
}
