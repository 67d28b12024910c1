// SPDX-License-Identifier: BSD-3-Clause
/*
 * Vectors of version 2 against somebody else's parser: first whether it speaks a draft at all, and
 * then Send by Send, or, if it can follow a connection, test by test as a conversation with either
 * side.
 */
#include "conformance/run/testee/examination.h"

#include "conformance/base/alloc.h"
#include "conformance/run/testee/opening.h"
#include "conformance/base/count.h"

#include <rpcrdma/rpcrdma2_07.h>

#include <stdlib.h>
#include <string.h>

static const char *const numbers[] = {
    [RPCRDMA_PROTOCOL_2_04] = "04", [RPCRDMA_PROTOCOL_2_07] = "07"};
static const char *const sides[] = {[RPCRDMA_CLIENT] = "requester", [RPCRDMA_SERVER] = "responder"};

/* ---- which drafts it speaks ---- */

/* Two questions a draft: a good Call, and whether it opens a conversation. */
struct probing {
    struct examination *examination;
    enum rpcrdma_protocol draft[4];
    bool opens[4];
    size_t count;
};

static char *ask_whether(void *arg, size_t index)
{
    const struct probing *probing = arg;
    enum rpcrdma_protocol draft = probing->draft[index];
    const struct opening *opening = probing->examination->spoken[draft].opening;
    struct alloc_stream line;
    alloc_begin(&line);
    if (probing->opens[index]) {
        fprintf(line.out, "open %s %s", numbers[draft], sides[RPCRDMA_SERVER]);
    } else {
        fprintf(line.out, "call%s ", numbers[draft]);
        examination_print_hex(line.out, opening->octets, opening->length);
    }
    return alloc_end(&line);
}

static struct question good_call(const struct spoken *spoken, enum rpcrdma_protocol draft)
{
    return (struct question){.octets = spoken->opening->octets,
                             .length = spoken->opening->length,
                             .reactions = RPCRDMA_PROCESS,
                             .header_length = (int64_t)spoken->opening->header_length,
                             .draft = draft,
                             .has_first_word = draft == RPCRDMA_PROTOCOL_2_07};
}

static void take_whether(void *arg, size_t index, const struct testee_answer *answer)
{
    const struct probing *probing = arg;
    enum rpcrdma_protocol draft = probing->draft[index];
    struct spoken *spoken = &probing->examination->spoken[draft];
    if (probing->opens[index]) {
        spoken->converses = answer->said == TESTEE_OK;
        spoken->speaks = spoken->speaks || spoken->converses;
        return;
    }
    struct question question = good_call(spoken, draft);
    struct alloc_stream words;
    alloc_begin(&words);
    struct judge_words all = {.why = words.out, .got = words.out, .fault = words.out};
    spoken->ending = judge_answer(&question, answer, &all);
    free(alloc_end(&words));
    /* Anything else may be what it does with words, or versions, that it does not know. */
    spoken->speaks = answer->said == TESTEE_ACCEPT || answer->said == TESTEE_MORE;
    free(spoken->answer);
    spoken->answer = alloc_text(answer->text);
}

static void add_result(struct examination *examination, enum rpcrdma_protocol draft)
{
    const struct spoken *spoken = &examination->spoken[draft];
    struct result *result = results_add(examination->results);
    char text[160];
    snprintf(text, sizeof text, "%s%s", spoken->answer ? spoken->answer : "no answer",
             spoken->speaks ? "" : ": it does not speak this draft, whose vectors are not asked");
    *result = (struct result){
        .test =
            alloc_text(draft == RPCRDMA_PROTOCOL_2_04 ? "opening-vector-04" : "opening-vector-07"),
        .comment = alloc_text("A good Call of version 2 without chunks, its XID from the seed."),
        .from = alloc_text("client"),
        .type = alloc_text("send"),
        .role = alloc_text("Responder"),
        .testee.question = alloc_text(spoken->line),
        .expected = alloc_text(draft == RPCRDMA_PROTOCOL_2_04 ? "accept 36" : "accept 32"),
        .actual = alloc_text(text),
        .octets = alloc_copy(spoken->opening->octets, spoken->opening->length),
        .length = spoken->opening->length,
        .offset = -1,
        .opening = true,
        .ending = spoken->speaks ? spoken->ending : ENDING_NOT_APPLICABLE,
    };
}

static void prepare_probing(struct probing *probing, const struct corpus *corpus)
{
    struct examination *examination = probing->examination;
    for (size_t i = 0; i < corpus->count; i++) {
        enum rpcrdma_protocol draft = corpus->files[i].draft;
        struct spoken *spoken = &examination->spoken[draft];
        if (draft == RPCRDMA_PROTOCOL_AUTO || spoken->was_asked)
            continue;
        spoken->was_asked = true;
        spoken->opening = alloc_zeroed(1, sizeof *spoken->opening);
        opening_make2(spoken->opening, draft, examination->settings->seed);
        probing->draft[probing->count] = draft;
        spoken->line = ask_whether(probing, probing->count);
        probing->draft[++probing->count] = draft;
        probing->opens[probing->count++] = true;
    }
}

bool version2_begin(struct examination *examination, const struct corpus *corpus, char *error,
                    size_t error_size)
{
    struct probing probing = {.examination = examination};
    prepare_probing(&probing, corpus);
    struct testee_dialogue dialogue = {.count = probing.count,
                                       .ask = ask_whether,
                                       .answer = take_whether,
                                       .arg = &probing,
                                       .spent = &examination->spent};
    if (probing.count == 0)
        return true;
    bool good = testee_ask(&examination->settings->process, &dialogue, error, error_size);
    for (size_t i = 0; good && i < probing.count; i += 2)
        add_result(examination, probing.draft[i]);
    return good;
}

void version2_end(struct examination *examination)
{
    for (size_t i = 0; i < COUNT(examination->spoken); i++) {
        free(examination->spoken[i].line);
        free(examination->spoken[i].answer);
        free(examination->spoken[i].opening);
    }
    free(examination->test);
}

/* ---- what is left open to it ---- */

/* A test that begins in the middle, or where credits mean something else, is not played. */
static bool is_played(const struct examination *examination, const struct run_event *event)
{
    const struct rpcrdma_check_config *config = &event->test->config;
    return examination->spoken[event->file->draft].converses && !config->mid_stream &&
           config->credits == RPCRDMA_CREDITS_SUM;
}

static enum testee_role role_of(const struct run_event *event)
{
    enum rpcrdma_direction direction = event->judgement->direction;
    if (direction == RPCRDMA_DIRECTION_UNKNOWN)
        return event->event->event.from == RPCRDMA_SERVER ? TESTEE_REQUESTER : TESTEE_RESPONDER;
    return direction == RPCRDMA_REPLY ? TESTEE_REQUESTER : TESTEE_RESPONDER;
}

static void describe(struct question *question, const struct rpcrdma_message *message)
{
    question->is_error = message->kind == RPCRDMA_KIND_ERROR;
    question->is_piece = message->kind == RPCRDMA_KIND_RPC && message->form == RPCRDMA_FORM_PIECE;
    question->has_first_word = message->protocol == RPCRDMA_PROTOCOL_2_07 &&
                               message->kind == RPCRDMA_KIND_RPC &&
                               message->form != RPCRDMA_FORM_SPECIAL;
}

const char *version2_prepare(const struct examination *examination, const struct run_event *event,
                             struct asked *asked)
{
    struct question *question = &asked->question;
    const struct rpcrdma_judgement *judgement = event->judgement;
    struct rpcrdma_message message;
    bool conversation = is_played(examination, event);
    const json_t *length = json_object_get(event->event->expect, "headerLength");
    question->draft = event->file->draft;
    question->role = role_of(event);
    question->reactions = run_reactions(event);
    question->header_length = length ? json_integer_value(length) : judgement->header_length;
    asked->line = conversation ? LINE_IN : LINE_SEND;
    asked->sent = &event->event->event;
    if (rpcrdma_message_decode(&message, judge_protocol(question), question->octets,
                               question->length, NULL) >= 0)
        describe(question, &message);
    question->tolerated =
        tolerance_reactions2(&examination->settings->tolerance, judgement, question->octets,
                             question->length, question->role == TESTEE_REQUESTER, conversation);
    if (judgement->has_version && judgement->version == 1 && !question->is_error)
        return "not asked: of version 1, which a testee of version 2 need not speak";
    return question->reactions != 0 ? NULL : "not asked: nothing is said of it";
}

/* ---- conversations ---- */

static void add_item(struct examination *examination, const struct asked *asked)
{
    examination->test = alloc_room(examination->test, examination->test_count,
                                   &examination->test_room, sizeof *examination->test);
    examination->test[examination->test_count++] = *asked;
}

void version2_collect(struct examination *examination, const struct run_event *event,
                      const struct asked *asked)
{
    const struct rpcrdma_event *sent = &event->event->event;
    /* After the end of a connection another begins. */
    if (event->index == 0 || sent->type == RPCRDMA_EVENT_DISCONNECT)
        version2_finish_test(examination);
    if (asked != NULL)
        add_item(examination, asked);
    else if (sent->type == RPCRDMA_EVENT_SEND)
        add_item(examination, &(struct asked){.result = NO_RESULT,
                                              .line = LINE_IN,
                                              .question = {.draft = event->file->draft},
                                              .sent = sent});
}

/* Whether it is judged in the conversation with the testee on this side. */
static bool is_for(const struct asked *item, enum rpcrdma_endpoint side)
{
    return item->sent->from != side && item->is_judged;
}

static void play(struct examination *examination, enum rpcrdma_endpoint side)
{
    size_t end = examination->test_count;
    while (end > 0 && !is_for(&examination->test[end - 1], side))
        end--;
    if (end == 0)
        return;
    struct asked open = {.result = NO_RESULT,
                         .line = LINE_OPEN,
                         .question = {.draft = examination->test[0].question.draft},
                         .side = side};
    examination_add(examination, &open);
    for (size_t i = 0; i < end; i++) {
        struct asked line = examination->test[i];
        if (line.sent->from == side) {
            line.line = LINE_OUT;
            line.result = NO_RESULT;
        }
        examination_add(examination, &line);
    }
}

void version2_finish_test(struct examination *examination)
{
    play(examination, RPCRDMA_SERVER);
    play(examination, RPCRDMA_CLIENT);
    examination->test_count = 0;
}

void version2_print_line(FILE *out, const struct asked *asked)
{
    const char *number = numbers[asked->question.draft];
    const struct rpcrdma_event *sent = asked->sent;
    switch (asked->line) {
    case LINE_OPEN:
        fprintf(out, "open %s %s", number, sides[asked->side]);
        return;
    case LINE_SEND:
        fprintf(out, "%s%s ", asked->question.role == TESTEE_REQUESTER ? "reply" : "call", number);
        break;
    case LINE_IN:
    case LINE_OUT:
        fputs(asked->line == LINE_IN ? "in " : "out ", out);
        break;
    }
    examination_print_hex(out, sent->data, sent->length);
    if (sent->invalidate)
        fprintf(out, " invalidate=0x%x", (unsigned)sent->handle);
}

bool version2_is_judged(struct examination *examination, const struct asked *asked,
                        const struct testee_answer *answer, const char **reason)
{
    *reason = NULL;
    switch (asked->line) {
    case LINE_OPEN:
        examination->ended = answer->said != TESTEE_OK;
        return false;
    case LINE_OUT:
        examination->ended = examination->ended || answer->said != TESTEE_OK;
        return false;
    case LINE_IN:
        if (examination->ended && asked->result != NO_RESULT)
            *reason = "not judged: the conversation had ended before";
        return asked->result != NO_RESULT && !examination->ended;
    default:
        return true;
    }
}
