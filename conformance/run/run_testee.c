// SPDX-License-Identifier: BSD-3-Clause
/*
 * Vectors against somebody else's parser: every Send whose receiver's role is known is put to it,
 * and its answer has to be one of the reactions that the specification leaves open.
 *
 * A parser of headers knows no connection. Where the fault of a Send lies outside its transport
 * header, to accept that header is tolerated.
 */
#include "conformance/base/alloc.h"
#include "conformance/base/register.h"
#include "conformance/run/run.h"

#include <rpcrdma/rpcrdma.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* What accepts a header: what the answer is about lies behind it. */
#define ACCEPTING ((unsigned)(RPCRDMA_PROCESS | RPCRDMA_GARBAGE_ARGS | RPCRDMA_TERMINATE))
/* What the line protocol can say. */
#define EXPRESSIBLE (ACCEPTING | (unsigned)(RPCRDMA_DISCARD | RPCRDMA_ERR_VERS | RPCRDMA_ERR_CHUNK))

struct question {
    size_t result; /* its place: results move while they are added */
    bool is_reply;
    unsigned reactions;
    bool blind;            /* the header alone does not show the fault */
    int64_t header_length; /* or -1 */
};

struct examination {
    const struct testee_options *options;
    struct progress *progress;
    struct results *results;
    struct question *questions;
    size_t count, room;
};

/* ---- what is asked ---- */

/* The receiver's role: false where either may be meant. */
static bool role_of(const struct run_event *event, bool *is_reply)
{
    enum rpcrdma_direction direction = event->verdict->direction;
    if (direction == RPCRDMA_DIRECTION_UNKNOWN && event->either_role)
        return false;
    *is_reply = direction == RPCRDMA_DIRECTION_UNKNOWN ? event->event->event.from == RPCRDMA_SERVER
                                                       : direction == RPCRDMA_REPLY;
    return true;
}

/* Whether a rule lets the receiver of what breaks it go on with the message. */
static bool lets_process(const struct rpcrdma_requirement *rule)
{
    return strstr(rule->reaction, "process") != NULL || strstr(rule->reaction, "terminate") != NULL;
}

/* An RDMA_ERROR to a Responder shows what it is, whatever rule it is filed under. */
static bool is_blind(const struct run_event *event, bool is_reply)
{
    const struct rpcrdma_judgement *verdict = event->verdict;
    if (!is_reply && verdict->has_procedure && verdict->procedure == RPCRDMA1_ERROR)
        return false;
    json_t *item;
    size_t index;
    json_array_foreach(json_object_get(event->event->expect, "findings"), index, item)
    {
        int row = register_find(vector_text(item, "rule"));
        const struct rpcrdma_requirement *rule = row < 0 ? NULL : &rpcrdma_requirements[row];
        if (rule && strcmp(rule->scope, "header") == 0 && !lets_process(rule))
            return false;
    }
    return verdict->header_length >= 0;
}

static int64_t header_length(const struct run_event *event)
{
    const json_t *length = json_object_get(event->event->expect, "headerLength");
    return length ? json_integer_value(length) : event->verdict->header_length;
}

static void print_wanted(FILE *out, const struct question *question)
{
    const char *between = "";
    if (question->reactions & ACCEPTING) {
        fputs("accept", out);
        if (question->header_length >= 0)
            fprintf(out, " %" PRId64, question->header_length);
        between = " or ";
    }
    static const struct {
        unsigned reaction;
        const char *line;
    } lines[] = {{RPCRDMA_DISCARD, "discard"},
                 {RPCRDMA_ERR_VERS, "error err-vers"},
                 {RPCRDMA_ERR_CHUNK, "error err-chunk"}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (question->reactions & lines[i].reaction) {
            fprintf(out, "%s%s", between, lines[i].line);
            between = " or ";
        }
}

static void add_question(struct examination *examination, const struct question *question)
{
    examination->questions = alloc_room(examination->questions, examination->count,
                                        &examination->room, sizeof *examination->questions);
    examination->questions[examination->count++] = *question;
    struct result *result = &examination->results->list[question->result];
    struct alloc_stream wanted;
    alloc_begin(&wanted);
    print_wanted(wanted.out, question);
    free(result->expected);
    result->expected = alloc_end(&wanted);
}

static void collect(void *arg, const struct run_event *event)
{
    struct examination *examination = arg;
    struct result *result = event->result;
    struct question question = {.result = examination->results->count - 1};
    const char *reason = NULL;
    result->ending = ENDING_NOT_APPLICABLE;
    result->expected = alloc_text("");
    if (event->event->event.type != RPCRDMA_EVENT_SEND)
        reason = "not asked: no Send";
    else if (!event->file->version1)
        reason = "not asked: of another version";
    else if (!role_of(event, &question.is_reply))
        reason = "not asked: the receiver's role is not known";
    else if (((question.reactions = run_reactions(event)) & EXPRESSIBLE) == 0)
        reason = "not asked: the line protocol has no word for what is to be done";
    result->actual = alloc_text(reason ? reason : "");
    if (reason)
        return;
    question.header_length = header_length(event);
    question.blind = is_blind(event, question.is_reply);
    add_question(examination, &question);
}

/* ---- the opening vector ---- */

static uint32_t random_word(void)
{
    uint32_t word = 0;
    while (getrandom(&word, sizeof word, 0) != (ssize_t)sizeof word)
        continue;
    return word;
}

static uint8_t *put_word(uint8_t *at, uint32_t word)
{
    rpcrdma_xdr_store32(at, word);
    return at + 4;
}

/* A chunk of 1 to 26 segments, so that two of them and the rest fit into 1024 octets. */
static uint8_t *put_chunk(uint8_t *at)
{
    uint32_t count = 1 + random_word() % 26;
    at = put_word(put_word(at, 1), count);
    for (uint32_t i = 0; i < count; i++) {
        at = put_word(at, random_word());
        at = put_word(at, 4096 + random_word() % 65536);
        at = put_word(at, random_word() >> 1);
        at = put_word(at, random_word());
    }
    return at;
}

/* A good Call, NULL of NFS version 3, with chunks whose sizes nobody can know beforehand. */
static void add_opening(struct examination *examination)
{
    struct result *result = results_add(examination->results);
    uint8_t *octets = alloc_zeroed(1024, 1), *at = octets;
    uint32_t xid = random_word();
    at = put_word(put_word(at, xid), 1);
    at = put_word(put_word(at, 1 + random_word() % 1024), RPCRDMA1_MSG);
    at = put_word(at, 0);            /* Read list */
    at = put_word(put_chunk(at), 0); /* Write list */
    at = put_chunk(at);              /* Reply chunk */
    struct question question = {
        .result = examination->results->count - 1,
        .reactions = RPCRDMA_PROCESS,
        .header_length = at - octets,
    };
    const uint32_t call[] = {xid, 0, 2, 100003, 3, 0, 0, 0, 0, 0};
    for (size_t i = 0; i < sizeof call / sizeof call[0]; i++)
        at = put_word(at, call[i]);
    *result = (struct result){
        .test = alloc_text("opening-vector"),
        .comment = alloc_text("A good Call of random sizes: what answers it has read it."),
        .from = alloc_text("client"),
        .type = alloc_text("send"),
        .actual = alloc_text(""),
        .octets = octets,
        .length = (size_t)(at - octets),
        .offset = -1,
    };
    add_question(examination, &question);
}

/* ---- what is answered ---- */

static void ask(void *arg, size_t index, struct testee_question *question)
{
    const struct examination *examination = arg;
    const struct question *asked = &examination->questions[index];
    const struct result *result = &examination->results->list[asked->result];
    *question = (struct testee_question){
        .is_reply = asked->is_reply, .octets = result->octets, .length = result->length};
}

static enum ending judge_accept(const struct question *question, uint64_t length)
{
    if (question->header_length >= 0 && length != (uint64_t)question->header_length)
        return ENDING_WRONG;
    if (question->reactions & ACCEPTING)
        return ENDING_REQUIRED;
    return question->blind ? ENDING_TOLERATED : ENDING_WRONG;
}

static enum ending judge(const struct question *question, const struct testee_answer *answer)
{
    unsigned reactions = question->reactions;
    switch (answer->said) {
    case TESTEE_ACCEPT:
        return judge_accept(question, answer->length);
    case TESTEE_ERR_VERS:
        return reactions & RPCRDMA_ERR_VERS ? ENDING_REQUIRED : ENDING_WRONG;
    case TESTEE_ERR_CHUNK:
        return reactions & RPCRDMA_ERR_CHUNK ? ENDING_REQUIRED : ENDING_WRONG;
    case TESTEE_DISCARD:
        return reactions & RPCRDMA_DISCARD ? ENDING_REQUIRED : ENDING_WRONG;
    case TESTEE_UNSUPPORTED:
        return ENDING_NOT_APPLICABLE;
    case TESTEE_CLOSED:
        return ENDING_CLOSED;
    case TESTEE_CRASHED:
        return ENDING_CRASHED;
    case TESTEE_STALLED:
        return ENDING_STALLED;
    case TESTEE_GARBLED:
        return ENDING_GARBLED;
    default: /* TESTEE_EARLY */
        return ENDING_EARLY;
    }
}

static void take_answer(void *arg, size_t index, const struct testee_answer *answer)
{
    struct examination *examination = arg;
    const struct question *asked = &examination->questions[index];
    struct result *result = &examination->results->list[asked->result];
    result->ending = judge(asked, answer);
    free(result->actual);
    result->actual = alloc_text(answer->text);
    progress_show(examination->progress, index + 1, examination->count);
}

/* The opening vector is told of only where something was wrong with its answer. */
static void drop_opening(struct results *results)
{
    struct results opening = {.list = alloc_copy(results->list, sizeof *results->list), .count = 1};
    if (ending_is_failure(opening.list[0].ending)) {
        free(opening.list);
        return;
    }
    results_free(&opening);
    results->count--;
    memmove(results->list, results->list + 1, results->count * sizeof *results->list);
}

bool run_testee(const struct corpus *corpus, const struct testee_options *options,
                struct progress *progress, struct results *results)
{
    struct examination examination = {.options = options, .progress = progress, .results = results};
    results->subject = alloc_text(options->command);
    add_opening(&examination);
    run_visit(corpus, results, collect, &examination);
    struct testee_dialogue dialogue = {
        .count = examination.count, .ask = ask, .answer = take_answer, .arg = &examination};
    progress_start(progress, "vectors");
    bool good = testee_ask(options, &dialogue);
    int error = errno;
    progress_clear(progress);
    free(examination.questions);
    drop_opening(results);
    errno = error;
    return good;
}
