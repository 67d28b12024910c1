// SPDX-License-Identifier: BSD-3-Clause
/*
 * The line protocol, asked ahead: many questions are on their way while answers come back. What a
 * testee leaves on its standard error is kept, the last of it, for the question at which it ended.
 */
#include "conformance/run/testee/dialogue.h"

#include "conformance/base/interrupt.h"
#include "conformance/base/alloc.h"
#include "conformance/base/clock.h"
#include "conformance/run/testee/process.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WINDOW 256           /* questions on their way at most */
#define QUEUE_OCTETS 65536   /* no further question is written out above this */
#define ANSWER_OCTETS 65536  /* the longest line taken for an answer */
#define QUOTED_OCTETS 100    /* of a line that is no answer */
#define LOG_OCTETS 4096      /* of standard error */
#define LOG_READS 1024       /* at its end: a pipe holds less; a child of its may write for ever */
#define HOLD_MILLISECONDS 50 /* how long half of the first question is held back */
#define OPENING_ATTEMPTS 3   /* starts that may fail before the first answer */
#define CRASHES_MAX 16       /* at as many questions, without any answer yet */
#define STALLS_MAX 10        /* each costs a whole timeout */
#define LOST_MAX 30          /* timeouts that questions without an answer may cost together */
#define WHOLE_MAX 300        /* timeouts for all of it */
#define START_FACTOR 10      /* timeouts for the first answer of all, which waits for the start */
#define START_ALLOWANCE 4    /* times as long as that took, for the first answer after it */
#define GRACE_MILLISECONDS 500 /* to end after the last answer */

struct testee {
    const struct testee_options *options;
    const struct testee_dialogue *dialogue;
    struct testee_process process;

    char *queue; /* octets for the testee */
    size_t queue_room, queue_length, queue_sent;
    uint64_t queued, sent;     /* octets in all since it was started */
    uint64_t line_end[WINDOW]; /* by question: value of `queued` at its end */
    uint64_t hold;             /* octets that may be sent before hold_until */
    int64_t hold_until;

    size_t asked, answered; /* questions */
    int64_t since;          /* when the question that is to be answered came to the front */
    int64_t since_exactly;  /* microseconds */
    bool has_answered;      /* anything at all */
    bool is_started;        /* the process has answered */
    int64_t began;          /* when it was started */
    int64_t start_time;     /* milliseconds from a start to an answer: the most so far */
    unsigned attempts, crashes;
    int64_t settled;        /* when the last question had got its answer, or none */
    const char *no_command; /* why it cannot be started, or NULL */
    char unfit[256];        /* the words for that, where it always ends */
    bool has_surplus;       /* octets after the last answer */
    char line[ANSWER_OCTETS + 1];
    size_t line_length;
    char log[LOG_OCTETS + 1];
    size_t log_length;
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

static void append_question(struct testee *testee)
{
    char *question = testee->dialogue->ask(testee->dialogue->arg, testee->asked);
    append(testee, question, strlen(question));
    append(testee, "\n", 1);
    free(question);
}

static void fill_queue(struct testee *testee)
{
    if (testee->queue_sent == testee->queue_length)
        testee->queue_sent = testee->queue_length = 0;
    /* The first question goes alone: what cannot answer it is not asked more. */
    size_t window = testee->answered == 0 ? 1 : WINDOW;
    while (testee->asked < testee->dialogue->count && testee->asked - testee->answered < window &&
           testee->queue_length < QUEUE_OCTETS) {
        append_question(testee);
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

/* ---- its standard error ---- */

static void keep_log(struct testee *testee, const char *octets, size_t length)
{
    size_t surplus =
        testee->log_length + length > LOG_OCTETS ? testee->log_length + length - LOG_OCTETS : 0;
    memmove(testee->log, testee->log + surplus, testee->log_length - surplus);
    testee->log_length -= surplus;
    memcpy(testee->log + testee->log_length, octets, length);
    testee->log_length += length;
}

/* Returns whether there may be more. */
static bool read_log(struct testee *testee)
{
    char octets[LOG_OCTETS / 4];
    ssize_t length =
        testee->process.err < 0 ? -1 : read(testee->process.err, octets, sizeof octets);
    if (length > 0)
        keep_log(testee, octets, (size_t)length);
    if (length == 0) {
        close(testee->process.err);
        testee->process.err = -1;
    }
    return length > 0;
}

/* Its last lines, whole where there was room, without what could steer a terminal; or NULL. */
static const char *end_log(struct testee *testee)
{
    for (unsigned i = 0; i < LOG_READS && read_log(testee); i++)
        continue;
    char *begin = testee->log, *end = testee->log + testee->log_length;
    char *newline = testee->log_length == LOG_OCTETS ? memchr(begin, '\n', LOG_OCTETS) : NULL;
    begin = newline ? newline + 1 : begin;
    while (end > begin && end[-1] == '\n')
        end--;
    *end = '\0';
    testee->log_length = (size_t)(end - testee->log);
    for (char *p = begin; p < end; p++)
        if (((unsigned char)*p < 0x20 && *p != '\n') || (unsigned char)*p >= 0x7f)
            *p = '?';
    return end > begin ? begin : NULL;
}

/* ---- answers ---- */

static void tell(struct testee *testee, struct testee_answer *answer)
{
    int64_t now = clock_microseconds();
    /* Clocks run ahead after an interrupt. */
    answer->microseconds = interrupted() ? 0 : (uint64_t)(now - testee->since_exactly);
    testee->dialogue->answer(testee->dialogue->arg, testee->answered++, answer);
    testee->since_exactly = now;
    testee->since = clock_milliseconds();
}

/* Of a testee that never answers the rest is not asked, nor of one that takes too long or that we
 * stop. */
static void leave_rest(struct testee *testee, const char *why)
{
    while (testee->answered < testee->dialogue->count) {
        struct testee_answer answer = {.said = TESTEE_UNSUPPORTED, .fields = "", .text = why};
        tell(testee, &answer);
    }
    testee->asked = testee->answered;
}

static void cut_short(struct testee *testee, const char *why, const char *report)
{
    leave_rest(testee, why);
    if (testee->dialogue->cut_short)
        *testee->dialogue->cut_short = report;
}

/* It ended at every question, and never answered: whatever it is, it is no testee that runs. */
static void give_up(struct testee *testee, const char *ending)
{
    snprintf(testee->unfit, sizeof testee->unfit, "ended %d times without an answer: %s",
             CRASHES_MAX + OPENING_ATTEMPTS - 1, ending);
    testee->no_command = testee->unfit;
}

/* It cannot go on. What it was asked last is to blame. */
static void fail(struct testee *testee, enum testee_said said, const char *text)
{
    testee_kill(&testee->process);
    struct testee_answer answer = {
        .said = said, .fields = "", .text = text, .log = end_log(testee)};
    testee_stop(&testee->process);
    testee->asked = testee->answered;
    if (testee->answered == 0 && said != TESTEE_STALLED && ++testee->attempts < OPENING_ATTEMPTS)
        return;
    tell(testee, &answer);
    testee->asked = testee->answered;
    int64_t now = clock_milliseconds();
    if (interrupted()) /* then `now` is ahead: asked after each look at a clock */
        return;
    struct testee_spent *spent = testee->dialogue->spent;
    spent->lost += now - testee->settled;
    testee->settled = now;
    if (said == TESTEE_STALLED && ++spent->stalls == STALLS_MAX) {
        cut_short(testee, "not asked: the testee has hung too often",
                  "the testee hung 10 times: the rest was not asked");
        return;
    }
    if (spent->lost >= LOST_MAX * (int64_t)testee->options->timeout && testee->has_answered) {
        cut_short(testee, "not asked: the testee has failed for too long",
                  "the testee failed for 30 times its --timeout: the rest was not asked");
        return;
    }
    bool may_answer = said == TESTEE_CRASHED && ++testee->crashes < CRASHES_MAX;
    if (!testee->has_answered && testee->crashes == CRASHES_MAX)
        give_up(testee, text);
    else if (!testee->has_answered && !may_answer)
        leave_rest(testee, "not asked: the testee has answered nothing yet");
}

/* What a testee writes may hold anything. */
static void quote(char *text, size_t size, const char *before, const char *line)
{
    snprintf(text, size, "%s '%.*s%s'", before, QUOTED_OCTETS, line,
             strlen(line) > QUOTED_OCTETS ? "..." : "");
    for (char *p = text; *p != '\0'; p++)
        if ((unsigned char)*p < 0x20 || (unsigned char)*p >= 0x7f)
            *p = '?';
}

static void note_start(struct testee *testee)
{
    int64_t now = clock_milliseconds();
    if (!testee->is_started && now - testee->began > testee->start_time)
        testee->start_time = now - testee->began;
    if (!testee->is_started && testee->has_answered) /* what failed had it started again */
        testee->dialogue->spent->lost += now - testee->settled;
    testee->is_started = true;
}

/* Milliseconds for an answer: interpreters, virtual machines and containers start for seconds. */
static int64_t patience(const struct testee *testee)
{
    int64_t timeout = testee->options->timeout;
    return testee->is_started     ? timeout
           : testee->has_answered ? timeout + START_ALLOWANCE * testee->start_time
                                  : START_FACTOR * timeout;
}

/* Returns false where the testee was given up. is_whole: it is not longer than any answer. */
static bool take_line(struct testee *testee, bool is_whole)
{
    struct testee_answer answer = {0};
    char text[QUOTED_OCTETS + 64];
    if (testee->line_length > 0 && testee->line[testee->line_length - 1] == '\r')
        testee->line_length--;
    testee->line[testee->line_length] = '\0';
    bool good = is_whole && strlen(testee->line) == testee->line_length &&
                testee_parse(testee->line, &answer);
    testee->line_length = 0;
    bool asked = testee->answered < testee->asked &&
                 testee->sent >= testee->line_end[testee->answered % WINDOW];
    if (asked && good) {
        note_start(testee);
        testee->has_answered = true;
        testee->settled = clock_milliseconds();
        tell(testee, &answer);
        return true;
    }
    quote(text, sizeof text,
          asked ? "no answer of the protocol:" : "before the question:", testee->line);
    fail(testee, good ? TESTEE_EARLY : TESTEE_GARBLED, text);
    return false;
}

static void take_octets(struct testee *testee, const char *octets, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (testee->answered ==
            testee->dialogue->count) { /* after the last answer: finish() says so */
            testee->has_surplus = true;
            return;
        }
        if (octets[i] == '\n') {
            if (!take_line(testee, true))
                return;
        } else if (testee->line_length == ANSWER_OCTETS) {
            take_line(testee, false);
            return;
        } else {
            testee->line[testee->line_length++] = octets[i];
        }
    }
}

static void take_end(struct testee *testee)
{
    char text[128];
    bool no_command;
    bool ended = testee_ended(&testee->process, text, sizeof text, &no_command);
    if (no_command && !testee->has_answered && testee->answered == 0)
        testee->no_command = "the command cannot be run";
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
    if (!testee_start(&testee->process, testee->options->command)) {
        testee->no_command = strerror(errno);
        return false;
    }
    testee->queue_length = testee->queue_sent = testee->line_length = testee->log_length = 0;
    testee->queued = testee->sent = 0;
    testee->hold = UINT64_MAX;
    testee->is_started = false;
    testee->began = clock_milliseconds();
    testee->hold_until = testee->since = clock_milliseconds();
    testee->since_exactly = clock_microseconds();
    if (testee->answered == 0)
        testee->since = testee->hold_until += HOLD_MILLISECONDS;
    return true;
}

static int64_t end_of_all(const struct testee *testee)
{
    return testee->dialogue->spent->begun + WHOLE_MAX * (int64_t)testee->options->timeout;
}

static void step(struct testee *testee)
{
    fill_queue(testee);
    int64_t now = clock_milliseconds(), deadline = testee->since + patience(testee);
    if (interrupted()) /* since testee_ask() asked: `now` is ahead */
        return;
    if (now >= testee->hold_until)
        testee->hold = UINT64_MAX;
    else
        deadline = testee->hold_until;
    if (now >= deadline) {
        char text[96];
        snprintf(text, sizeof text, "no answer in %" PRId64 " ms%s", patience(testee),
                 testee->has_answered ? ""
                                      : ": is each line flushed? or still starting: see --timeout");
        fail(testee, TESTEE_STALLED, text);
        return;
    }
    bool sending = testee->process.in >= 0 && testee->queue_sent < testee->queue_length &&
                   testee->sent < testee->hold;
    struct pollfd fds[] = {{.fd = testee->process.out, .events = POLLIN},
                           {.fd = sending ? testee->process.in : -1, .events = POLLOUT},
                           {.fd = testee->process.err, .events = POLLIN}};
    int64_t end = end_of_all(testee);
    int64_t wait = end < deadline ? end - now : deadline - now;
    if (poll(fds, 3, wait > 0 ? (int)wait : 0) <= 0)
        return;
    if (fds[2].revents != 0)
        read_log(testee);
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
    int64_t deadline = clock_milliseconds() + GRACE_MILLISECONDS, now;
    if (testee->process.in >= 0)
        close(testee->process.in);
    testee->process.in = -1;
    bool more = testee->has_surplus;
    while (!more && (now = clock_milliseconds()) < deadline) {
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
        struct testee_answer answer = {
            .said = TESTEE_EARLY, .fields = "", .text = "answered more than it was asked"};
        testee->dialogue->answer(testee->dialogue->arg, testee->answered - 1, &answer);
    }
}

bool testee_ask(const struct testee_options *options, const struct testee_dialogue *dialogue,
                char *error, size_t error_size)
{
    struct testee *testee = alloc_zeroed(1, sizeof *testee);
    testee->options = options;
    testee->dialogue = dialogue;
    testee->process = TESTEE_NO_PROCESS;
    testee->settled = clock_milliseconds();
    if (dialogue->spent->begun == 0)
        dialogue->spent->begun = testee->settled;
    while (testee->no_command == NULL && testee->answered < dialogue->count && !interrupted()) {
        if (testee_runs(&testee->process) || start(testee))
            step(testee);
        if (clock_milliseconds() >= end_of_all(testee) && !interrupted())
            cut_short(testee, "not asked: the testee takes too long",
                      "the testee took 300 times its --timeout: the rest was not asked");
    }
    if (interrupted() && testee->no_command == NULL) {
        testee_stop(&testee->process);
        leave_rest(testee, "not asked: interrupted");
    }
    finish(testee);
    bool good = testee->no_command == NULL;
    if (!good) {
        const char *log = end_log(testee), *line = log ? strrchr(log, '\n') : NULL;
        line = line ? line + 1 : log;
        snprintf(error, error_size, "%s%s%s", testee->no_command, line ? ": " : "",
                 line ? line : "");
    }
    testee_stop(&testee->process);
    free(testee->queue);
    free(testee);
    return good;
}
