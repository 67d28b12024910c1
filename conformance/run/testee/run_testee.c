// SPDX-License-Identifier: BSD-3-Clause
/*
 * Vectors against somebody else's parser: every Send whose receiver's role is known is put to it,
 * and its answer has to be one of the reactions that the specification leaves open. A parser of
 * headers knows no connection, and an implementation has limits: tolerance.h says what follows.
 */
#include "conformance/base/alloc.h"
#include "conformance/base/count.h"
#include "conformance/base/register.h"
#include "conformance/run/run.h"
#include "conformance/run/testee/examination.h"
#include "conformance/run/testee/opening.h"

#include <rpcrdma/rpcrdma.h>

#include <stdlib.h>
#include <string.h>

/* What the line protocol can say. */
#define EXPRESSIBLE                                                                                \
    ((unsigned)(RPCRDMA_PROCESS | RPCRDMA_DISCARD | RPCRDMA_ERR_VERS | RPCRDMA_ERR_CHUNK |         \
                RPCRDMA_GARBAGE_ARGS | RPCRDMA_TERMINATE | RPCRDMA_CLOSE))

static const char *const role_names[] = {
    [TESTEE_RESPONDER] = "Responder", [TESTEE_REQUESTER] = "Requester", [TESTEE_CODEC] = "codec"};

/* ---- what is asked ---- */

/* The receiver's role: false where either may be meant. */
static bool role_of(const struct run_event *event, enum testee_role *role)
{
    enum rpcrdma_direction direction = event->judgement->direction;
    if (direction == RPCRDMA_DIRECTION_UNKNOWN && event->either_role)
        return false;
    bool is_reply = direction == RPCRDMA_DIRECTION_UNKNOWN
                        ? event->event->event.from == RPCRDMA_SERVER
                        : direction == RPCRDMA_REPLY;
    *role = is_reply ? TESTEE_REQUESTER : TESTEE_RESPONDER;
    return true;
}

static int64_t header_length(const struct run_event *event)
{
    const json_t *length = json_object_get(event->event->expect, "headerLength");
    return length ? json_integer_value(length) : event->judgement->header_length;
}

/* The last Send before it, from the other side and with its XID. */
static const struct rpcrdma_event *find_call(const struct run_event *event)
{
    const struct rpcrdma_event *reply = &event->event->event;
    for (size_t i = event->index; reply->length >= 4 && i > 0; i--) {
        const struct rpcrdma_event *call = &event->test->events[i - 1].event;
        if (call->type == RPCRDMA_EVENT_SEND && call->from != reply->from && call->length >= 4 &&
            memcmp(call->data, reply->data, 4) == 0)
            return call;
    }
    return NULL;
}

/* A vector may say for itself what its Responder fetches. */
static struct tolerance tolerance_for(const struct examination *examination,
                                      const struct vector_test *test)
{
    struct tolerance tolerance = examination->settings->tolerance;
    const json_t *most = json_object_get(json_object_get(test->json, "settings"), "maxReadChunk");
    uint64_t octets = most ? (uint64_t)json_integer_value(most) : UINT64_MAX;
    tolerance.max_read = octets < tolerance.max_read ? octets : tolerance.max_read;
    return tolerance;
}

static void set_open(const struct examination *examination, const struct run_event *event,
                     struct question *question)
{
    const struct tolerance tolerance = tolerance_for(examination, event->test);
    question->reactions = run_reactions(event);
    question->header_length = header_length(event);
    question->is_error =
        event->judgement->has_procedure && event->judgement->procedure == RPCRDMA1_ERROR;
    question->tolerated = tolerance_reactions(&tolerance, event->judgement, question->octets,
                                              question->length, question->role == TESTEE_REQUESTER);
}

void examination_add(struct examination *examination, const struct asked *asked)
{
    examination->asked = alloc_room(examination->asked, examination->count, &examination->room,
                                    sizeof *examination->asked);
    examination->asked[examination->count++] = *asked;
    if (asked->result == NO_RESULT)
        return;
    struct result *result = &examination->results->list[asked->result];
    struct alloc_stream wanted;
    alloc_begin(&wanted);
    judge_print_wanted(wanted.out, &asked->question, true);
    free(result->expected);
    result->expected = alloc_end(&wanted);
    result->role = alloc_text(role_names[asked->question.role]);
}

/* A Send of another version whose receiver speaks it: the testee, or the peer in the vector. */
static bool is_of_later_version(const struct examination *examination,
                                const struct run_event *event, const struct question *question)
{
    const struct rpcrdma_judgement *judgement = event->judgement;
    if (!judgement->has_version || judgement->version == RPCRDMA_VERSION_1 || question->is_error)
        return false;
    bool spoken = question->role == TESTEE_RESPONDER && (question->reactions & RPCRDMA_ERR_VERS) &&
                  tolerance_speaks(&examination->settings->tolerance, judgement->version);
    return spoken || question->reactions == RPCRDMA_PROCESS;
}

/* Returns NULL, or why it is not asked. */
static const char *prepare(const struct examination *examination, const struct run_event *event,
                           struct asked *asked)
{
    const struct rpcrdma_judgement *judgement = event->judgement;
    struct question *question = &asked->question;
    if (event->event->event.type != RPCRDMA_EVENT_SEND)
        return "not asked: no Send";
    if (event->file->draft != RPCRDMA_PROTOCOL_AUTO)
        return examination->settings->decode ? "not asked: of another version"
                                             : version2_prepare(examination, event, asked);
    if (examination->settings->decode) {
        question->role = TESTEE_CODEC;
        judge_codec(question);
        return judgement->has_version && judgement->version != RPCRDMA_VERSION_1
                   ? "not asked: the version is not 1, so the layout is not known"
                   : NULL;
    }
    if (!role_of(event, &question->role))
        return "not asked: the receiver's role is not known";
    set_open(examination, event, question);
    if (is_of_later_version(examination, event, question))
        return "not asked: of a version that both sides of the vector speak, or the testee does";
    return question->reactions & EXPRESSIBLE
               ? NULL
               : "not asked: the line protocol has no word for what is to be done";
}

/* A parser of headers that takes it says nothing about a rule that the header alone does not show.
 */
static bool is_unseen(const struct result *result, const struct run_event *event)
{
    int row = result->rule ? register_find(result->rule) : -1;
    if (row < 0)
        return false;
    bool blind = tolerance_is_blind(event->judgement, event->event->event.from == RPCRDMA_SERVER);
    return result->breaks ? blind : rpcrdma_requirements[row].scope != RPCRDMA_SCOPE_HEADER;
}

/* Of a test of version 2, played as a conversation, all Sends are said. */
static void add_question(struct examination *examination, const struct run_event *event,
                         struct asked *asked, bool is_asked)
{
    bool is_version2 = event->file->draft != RPCRDMA_PROTOCOL_AUTO;
    asked->is_judged = is_asked;
    if (is_version2 && (asked->line == LINE_IN || !is_asked))
        version2_collect(examination, event, is_asked ? asked : NULL);
    else if (is_asked)
        examination_add(examination, asked);
}

/* One row says that the testee does not speak a draft. */
static bool is_left_out(const struct examination *examination, const struct run_event *event)
{
    const struct spoken *spoken = &examination->spoken[event->file->draft];
    return spoken->was_asked && !spoken->speaks;
}

static void collect(void *arg, const struct run_event *event)
{
    struct examination *examination = arg;
    struct result *result = event->result;
    if (is_left_out(examination, event)) {
        results_drop_last(examination->results);
        return;
    }
    struct asked asked = {
        .result = examination->results->count - 1,
        .question = {.octets = result->octets, .length = result->length},
        .is_backward = (event->event->event.from == RPCRDMA_SERVER) ==
                       (event->judgement->direction == RPCRDMA_CALL),
    };
    result->ending = ENDING_NOT_APPLICABLE;
    result->expected = alloc_text("");
    const char *reason = prepare(examination, event, &asked);
    result->actual = alloc_text(reason ? reason : "");
    if (reason) {
        add_question(examination, event, &asked, false);
        return;
    }
    asked.call = asked.question.role == TESTEE_REQUESTER ? find_call(event) : NULL;
    result->testee.legal = event->judgement->count == 0 && asked.question.reactions != 0 &&
                           (asked.question.reactions & ~(RPCRDMA_PROCESS | RPCRDMA_TERMINATE)) == 0;
    result->unseen = is_unseen(result, event);
    add_question(examination, event, &asked, true);
}

/* A good Call, NULL of NFS version 3, with chunks whose sizes come from the seed. */
static void add_opening(struct examination *examination)
{
    struct result *result = results_add(examination->results);
    bool decode = examination->settings->decode;
    struct opening opening;
    char comment[96];
    opening_make(&opening, examination->settings->seed, &examination->settings->tolerance);
    snprintf(comment, sizeof comment,
             "A good Call of sizes that come from the seed, %u: an answer shows that it was read.",
             examination->settings->seed);
    *result = (struct result){
        .test = alloc_text(OPENING_TEST),
        .comment = alloc_text(comment),
        .from = alloc_text("client"),
        .type = alloc_text("send"),
        .actual = alloc_text(""),
        .octets = alloc_copy(opening.octets, opening.length),
        .length = opening.length,
        .offset = -1,
        .opening = true,
    };
    struct asked asked = {
        .result = examination->results->count - 1,
        .question = {.role = decode ? TESTEE_CODEC : TESTEE_RESPONDER,
                     .octets = result->octets,
                     .length = opening.length,
                     .reactions = RPCRDMA_PROCESS,
                     .header_length = (int64_t)opening.header_length},
    };
    examination_add(examination, &asked);
}

/* ---- the lines ---- */

void examination_print_hex(FILE *out, const void *octets, size_t length)
{
    const uint8_t *at = octets;
    for (size_t i = 0; i < length; i++)
        fprintf(out, "%02x", at[i]);
}

static char *ask(void *arg, size_t index)
{
    static const char *const verbs[] = {
        [TESTEE_RESPONDER] = "call", [TESTEE_REQUESTER] = "reply", [TESTEE_CODEC] = "decode"};
    const struct examination *examination = arg;
    const struct asked *asked = &examination->asked[index];
    struct result *result =
        asked->result == NO_RESULT ? NULL : &examination->results->list[asked->result];
    struct alloc_stream line;
    alloc_begin(&line);
    if (asked->question.draft != RPCRDMA_PROTOCOL_AUTO) {
        version2_print_line(line.out, asked);
    } else {
        fprintf(line.out, "%s ", verbs[asked->question.role]);
        examination_print_hex(line.out, result->octets, result->length);
    }
    if (asked->line == LINE_SEND && examination->settings->context &&
        asked->question.role != TESTEE_CODEC) {
        fprintf(line.out, " direction=%s", asked->is_backward ? "backward" : "forward");
        if (asked->call) {
            fputs(" call=", line.out);
            examination_print_hex(line.out, asked->call->data, asked->call->length);
        }
    }
    char *text = alloc_end(&line);
    if (result) {
        free(result->testee.question); /* it may be asked again */
        result->testee.question = alloc_text(text);
    }
    return text;
}

/* ---- the answers ---- */

/* Of a header whose length or fields are wrong: what is in it. */
static char *shape_of(const struct result *result)
{
    struct rpcrdma1_header header;
    struct alloc_stream shape;
    alloc_begin(&shape);
    ptrdiff_t end = rpcrdma1_header_decode(&header, result->octets, result->length, NULL, NULL);
    const struct rpcrdma1_chunk_lists *lists = end < 0 ? NULL : rpcrdma1_chunks(&header);
    const char *between = "with ";
    const struct {
        bool present;
        const char *name;
    } parts[] = {{lists && lists->rdma_reads.count > 0, "a Read list"},
                 {lists && lists->rdma_writes.count > 0, "a Write list"},
                 {lists && lists->rdma_reply.present, "a Reply chunk"}};
    for (size_t i = 0; i < COUNT(parts); i++)
        if (parts[i].present) {
            fprintf(shape.out, "%s%s", between, parts[i].name);
            between = ", ";
        }
    if (between[0] == 'w')
        fputs("without chunks", shape.out);
    return alloc_end(&shape);
}

/* Whether the header ends elsewhere: the same fault, whatever else is to be said of the Send. */
static bool ends_elsewhere(const struct result *result)
{
    return result->testee.answer && strcmp(result->testee.answer, "accept-length") == 0;
}

/* What the answers that are wrong alike have in common. */
static char *cause_of(const struct result *result, const struct testee_answer *answer)
{
    struct alloc_stream cause;
    if (answer->said == TESTEE_ACCEPT && result->alike.wanted &&
        strcmp(result->alike.wanted, "accept") == 0)
        return shape_of(result);
    alloc_begin(&cause);
    if (result->rule && result->breaks)
        fprintf(cause.out, "%s%s%s", result->rule, result->way ? "#" : "",
                result->way ? result->way : "");
    else
        fputs(result->testee.legal ? "a legal Send" : "a Send that breaks no rule", cause.out);
    return alloc_end(&cause);
}

static void set_text(char **text, char *value)
{
    free(*text);
    *text = value;
}

static char *answer_text(const struct testee_answer *answer, char *why)
{
    struct alloc_stream text;
    alloc_begin(&text);
    fprintf(text.out, "%s%s%s", answer->text, why[0] != '\0' ? ": " : "", why);
    free(why);
    return alloc_end(&text);
}

/* What is wrong within the answer is the same fault whatever was asked. */
static void set_groups(struct result *result, const struct question *question,
                       const struct testee_answer *answer, const char *fault)
{
    struct alloc_stream wanted;
    alloc_begin(&wanted);
    if (ends_elsewhere(result))
        fputs("accept", wanted.out);
    else if (fault[0] == '\0')
        judge_print_wanted(wanted.out, question, false);
    else
        fputs(answer->said == TESTEE_ACCEPT ? "the fields of the Send"
                                            : "an RDMA_ERROR without fault",
              wanted.out);
    set_text(&result->alike.wanted, alloc_end(&wanted));
    set_text(&result->alike.cause, fault[0] == '\0' ? cause_of(result, answer) : alloc_text(fault));
}

static void take_answer(void *arg, size_t index, const struct testee_answer *answer)
{
    struct examination *examination = arg;
    const struct asked *asked = &examination->asked[index];
    const char *reason;
    progress_show(examination->progress, index + 1, examination->count);
    bool is_judged = version2_is_judged(examination, asked, answer, &reason);
    if (!is_judged && reason == NULL)
        return;
    struct result *result = &examination->results->list[asked->result];
    if (!is_judged) {
        set_text(&result->actual, alloc_text(reason));
        return;
    }
    struct alloc_stream why, got, fault;
    alloc_begin(&why);
    alloc_begin(&got);
    alloc_begin(&fault);
    struct judge_words words = {.why = why.out, .got = got.out, .fault = fault.out};
    result->ending = judge_answer(&asked->question, answer, &words);
    set_text(&result->testee.answer, words.answer ? alloc_text(words.answer) : NULL);
    set_text(&result->actual, answer_text(answer, alloc_end(&why)));
    set_text(&result->alike.got, alloc_end(&got));
    char *text = alloc_end(&fault);
    set_groups(result, &asked->question, answer, text);
    free(text);
    set_text(&result->testee.log, answer->log ? alloc_text(answer->log) : NULL);
    result->testee.refused = testee_refuses(answer);
    result->unseen = result->unseen && !result->testee.refused;
    result->microseconds = answer->microseconds;
    examination->ended = ending_is_failure(result->ending) || answer->said == TESTEE_CLOSE;
}

static bool has_version1(const struct corpus *corpus)
{
    for (size_t i = 0; i < corpus->count; i++)
        if (corpus->files[i].draft == RPCRDMA_PROTOCOL_AUTO)
            return true;
    return false;
}

void run_print_lines(const struct corpus *corpus, const struct testee_settings *settings, FILE *out)
{
    struct results results = {0};
    struct examination examination = {.settings = settings, .results = &results};
    run_visit(corpus, &results, collect, &examination);
    version2_finish_test(&examination);
    for (size_t i = 0; i < examination.count; i++) {
        char *line = ask(&examination, i);
        fprintf(out, "%s\n", line);
        free(line);
    }
    free(examination.asked);
    version2_end(&examination);
    results_free(&results);
}

bool run_testee(const struct corpus *corpus, const struct testee_settings *settings,
                struct progress *progress, struct results *results, char *error, size_t error_size)
{
    struct examination examination = {
        .settings = settings, .progress = progress, .results = results};
    results->subject = alloc_text(settings->process.command);
    results->seed = settings->seed;
    if (!settings->decode && !version2_begin(&examination, corpus, error, error_size))
        return false;
    if (has_version1(corpus))
        add_opening(&examination);
    run_visit(corpus, results, collect, &examination);
    version2_finish_test(&examination);
    struct testee_dialogue dialogue = {.count = examination.count,
                                       .ask = ask,
                                       .answer = take_answer,
                                       .arg = &examination,
                                       .spent = &examination.spent,
                                       .cut_short = &results->incomplete};
    progress_start_lines(progress, "vectors");
    bool good = testee_ask(&settings->process, &dialogue, error, error_size);
    progress_clear(progress);
    free(examination.asked);
    version2_end(&examination);
    return good;
}
