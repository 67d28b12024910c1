// SPDX-License-Identifier: BSD-3-Clause
/*
 * What a testee's answer is worth. Each answer stands for the reactions of the specification that
 * it can mean; one of these has to be open. An RDMA_ERROR that comes with its octets is checked as
 * any other Send of the Responder.
 */
#include "conformance/run/testee/judge.h"

#include "conformance/base/alloc.h"
#include "conformance/base/count.h"
#include "conformance/report/results/tolerance.h"
#include "conformance/run/testee/decoded.h"

#include <rpcrdma/rpcrdma.h>
#include <rpcrdma/rules.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What accepts a header: what the reaction is about comes after it. */
#define ACCEPTING ((unsigned)(RPCRDMA_PROCESS | RPCRDMA_GARBAGE_ARGS | RPCRDMA_TERMINATE))
#define REFUSING (((1u << RPCRDMA_REACTIONS) - 1) & ~(unsigned)RPCRDMA_PROCESS)
/* The error with code 2 has another name in each version. */
#define ERR_CODE_2 ((unsigned)(RPCRDMA_ERR_CHUNK | RPCRDMA_ERR_BAD_XDR))

enum rpcrdma_protocol judge_protocol(const struct question *question)
{
    return question->draft != RPCRDMA_PROTOCOL_AUTO ? question->draft : RPCRDMA_PROTOCOL_1;
}

/* ---- what is wanted ---- */

void judge_codec(struct question *question)
{
    struct rpcrdma1_header header;
    ptrdiff_t end = rpcrdma1_header_decode(&header, question->octets, question->length, NULL, NULL);
    question->header_length = end;
    question->reactions = end < 0 ? RPCRDMA_DISCARD : RPCRDMA_PROCESS;
}

static void print_refusals(FILE *out, const char *between, unsigned reactions)
{
    for (unsigned i = 0; i < RPCRDMA_REACTIONS; i++) {
        const char *name = rpcrdma_reaction_name((enum rpcrdma_reaction)(1u << i));
        if ((reactions & ~ACCEPTING & 1u << i) == 0)
            continue;
        fprintf(out, "%s%s%s", between, strncmp(name, "err-", 4) == 0 ? "error " : "", name);
        between = " or ";
    }
}

void judge_print_wanted(FILE *out, const struct question *question, bool with_length)
{
    bool accepts = (question->reactions & ACCEPTING) != 0;
    unsigned tolerated = question->tolerated & ~question->reactions & ~ACCEPTING;
    if (question->role == TESTEE_CODEC && question->header_length < 0) {
        fputs("refuse", out);
        return;
    }
    if (accepts)
        fputs("accept", out);
    if (accepts && with_length && question->header_length >= 0)
        fprintf(out, " %" PRId64, question->header_length);
    print_refusals(out, accepts ? " or " : "", question->reactions);
    /* Who need not take it, for what it speaks or for its limits. */
    if (accepts && tolerated != 0) {
        fputs(" (tolerated: ", out);
        print_refusals(out, "", tolerated);
        fputc(')', out);
    }
}

/* ---- accept ---- */

enum { FIRST_WORD = 4 }; /* octets */

static enum ending judge_accept(const struct question *question, const struct testee_answer *answer,
                                struct judge_words *words)
{
    FILE *got = words->got;
    fputs("accept", got);
    words->answer = "accept";
    int64_t surplus = question->header_length < 0 || !answer->has_length
                          ? 0
                          : (int64_t)answer->length - question->header_length;
    if (surplus == FIRST_WORD && question->has_first_word)
        surplus = 0;
    if (surplus != 0) {
        fprintf(got, ", header too %s", surplus < 0 ? "short" : "long");
        fprintf(words->why, "%" PRId64 " octets too %s", surplus < 0 ? -surplus : surplus,
                surplus < 0 ? "short" : "long");
        words->answer = "accept-length";
        return ENDING_WRONG;
    }
    if (!decoded_agrees(answer->fields, judge_protocol(question), question->octets,
                        question->length, words->why, words->fault)) {
        fputs(", fields differ", got);
        words->answer = "accept-fields";
        return ENDING_WRONG;
    }
    if (question->reactions & ACCEPTING)
        return ENDING_REQUIRED;
    return question->tolerated & ACCEPTING ? ENDING_TOLERATED : ENDING_WRONG;
}

/* ---- an RDMA_ERROR ---- */

/* The RDMA_ERROR as the Send that follows the question's. Returns whether it breaks a rule. */
static bool breaks_rules(const struct question *question, const struct testee_answer *answer,
                         struct judge_words *words)
{
    struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    config.draft = question->draft;
    size_t size = rpcrdma_check_size(&config);
    void *memory = alloc_zeroed(size, 1);
    struct rpcrdma_check *check = rpcrdma_check_init(memory, size, &config);
    struct rpcrdma_judgement judgement;
    struct rpcrdma_event event = {
        .from = RPCRDMA_CLIENT, .data = question->octets, .length = question->length};
    rpcrdma_check_event(check, &event, &judgement);
    event = (struct rpcrdma_event){
        .from = RPCRDMA_SERVER, .data = answer->error, .length = answer->error_length};
    rpcrdma_check_event(check, &event, &judgement);
    free(memory);
    char text[512];
    for (unsigned i = 0; i < judgement.count; i++) {
        const struct rpcrdma_finding *finding = &judgement.findings[i];
        if (finding->severity != RPCRDMA_VIOLATION)
            continue;
        rpcrdma_finding_text(finding, text, sizeof text);
        const char *rule = rpcrdma_requirements[finding->rule].id;
        fprintf(words->why, "its RDMA_ERROR breaks %s: %s", rule, text);
        fputs(rule, words->fault);
        return true;
    }
    return false;
}

/* The reaction of an error's name: RDMA2_ERR_BAD_XDR is err-bad-xdr. 0 if there is none. */
static unsigned reaction_of(const char *error)
{
    char word[64];
    size_t length = strlen(error);
    if (strncmp(error, "RDMA2_", 6) == 0)
        error += 6, length -= 6;
    for (size_t i = 0; i <= length && i < sizeof word; i++)
        word[i] = (char)(error[i] == '_' ? '-' : tolower((unsigned char)error[i]));
    word[sizeof word - 1] = '\0';
    for (unsigned i = 0; i < RPCRDMA_REACTIONS; i++)
        if (strcmp(word, rpcrdma_reaction_name((enum rpcrdma_reaction)(1u << i))) == 0)
            return 1u << i;
    return 0;
}

/* Which error it is: a reaction, or 0. */
static unsigned error_of(const struct question *question, const struct testee_answer *answer)
{
    struct rpcrdma_message message;
    enum rpcrdma_protocol protocol = judge_protocol(question);
    if (rpcrdma_message_decode(&message, protocol, answer->error, answer->error_length, NULL) < 0 ||
        message.kind != RPCRDMA_KIND_ERROR)
        return 0;
    const char *name = rpcrdma_error_name(protocol, message.error.code);
    return name ? reaction_of(name) : 0;
}

/* Returns the reaction that it is, or 0 after saying why it is not one. */
static unsigned judge_error(const struct question *question, const struct testee_answer *answer,
                            struct judge_words *words)
{
    const char *fault = NULL;
    unsigned reaction = error_of(question, answer);
    words->answer = "error";
    if (reaction == 0)
        fault = question->draft == RPCRDMA_PROTOCOL_AUTO
                    ? "its octets are not a whole RDMA_ERROR of version 1"
                    : "its octets are no error of this draft";
    else if (question->length < 4 ||
             rpcrdma_xdr_load32(question->octets) != rpcrdma_xdr_load32(answer->error))
        fault = "its RDMA_ERROR has another XID than the Send";
    else if (!breaks_rules(question, answer, words)) {
        words->answer = rpcrdma_reaction_name((enum rpcrdma_reaction)reaction);
        return reaction;
    }
    if (fault) {
        fputs(fault, words->why);
        fputs(fault, words->fault);
    }
    return 0;
}

/* ---- every answer ---- */

static enum ending open(const struct question *question, unsigned reactions)
{
    if (question->reactions & reactions)
        return ENDING_REQUIRED;
    return question->tolerated & reactions ? ENDING_TOLERATED : ENDING_WRONG;
}

/* A limit keeps it from taking what it might take; of anything else it is a refusal. */
static enum ending judge_limit(const struct question *question, FILE *why)
{
    if ((question->reactions & ACCEPTING) &&
        tolerance_has_amounts(judge_protocol(question), question->octets, question->length))
        return ENDING_LIMIT;
    enum ending ending = open(question, REFUSING);
    if (ending == ENDING_WRONG)
        fputs("nothing in the Send can be beyond a limit", why);
    return ending;
}

/* Where it ends the connection though the specification asks for something milder. */
static enum ending judge_close(const struct question *question)
{
    enum ending ending = open(question, RPCRDMA_CLOSE);
    bool refused = ((question->reactions | question->tolerated) & REFUSING) != 0;
    return ending == ENDING_WRONG && refused ? ENDING_CLOSED : ending;
}

/* An RDMA_ERROR that a Requester takes ends its RPC. */
static enum ending judge_fail(const struct question *question)
{
    if (question->role == TESTEE_RESPONDER)
        return open(question, RPCRDMA_GARBAGE_ARGS);
    unsigned taken = question->is_error ? RPCRDMA_PROCESS : 0;
    return open(question, RPCRDMA_TERMINATE | taken);
}

static enum ending judge_refusal(const struct question *question,
                                 const struct testee_answer *answer, struct judge_words *words)
{
    switch (answer->said) {
    case TESTEE_ERROR:
        return open(question, judge_error(question, answer, words));
    case TESTEE_ERR_VERS:
        return open(question, RPCRDMA_ERR_VERS);
    case TESTEE_ERR_CHUNK:
        return open(question, ERR_CODE_2);
    case TESTEE_ERROR_WORD:
        return open(question, answer->reaction & ERR_CODE_2 ? ERR_CODE_2 : answer->reaction);
    case TESTEE_DISCARD:
        return open(question, RPCRDMA_DISCARD);
    case TESTEE_CLOSE:
        return judge_close(question);
    case TESTEE_FAIL:
        return judge_fail(question);
    default: /* TESTEE_REFUSE */
        return open(question, REFUSING);
    }
}

static const char *general_word(enum testee_said said)
{
    static const char *const words[] = {
        [TESTEE_ERROR] = "error with octets",
        [TESTEE_ERR_VERS] = "error err-vers",
        [TESTEE_ERR_CHUNK] = "error err-chunk",
        [TESTEE_ERROR_WORD] = "error of version 2",
        [TESTEE_DISCARD] = "discard",
        [TESTEE_REFUSE] = "refuse",
        [TESTEE_CLOSE] = "close",
        [TESTEE_FAIL] = "fail",
        [TESTEE_LIMIT] = "limit",
    };
    return said < COUNT(words) && words[said] ? words[said] : NULL;
}

/* The same without "error "; of an error that came with octets judge_error() says which it is. */
static const char *short_word(const struct testee_answer *answer)
{
    if (answer->said == TESTEE_ERROR_WORD)
        return rpcrdma_reaction_name((enum rpcrdma_reaction)answer->reaction);
    const char *word = answer->said == TESTEE_MORE ? "more" : general_word(answer->said);
    return word && strncmp(word, "error ", 6) == 0 ? word + 6 : word;
}

static enum ending ending_of_end(enum testee_said said)
{
    switch (said) {
    case TESTEE_CLOSED:
        return ENDING_CLOSED;
    case TESTEE_CRASHED:
        return ENDING_CRASHED;
    case TESTEE_STALLED:
        return ENDING_STALLED;
    case TESTEE_GARBLED:
        return ENDING_GARBLED;
    case TESTEE_EARLY:
        return ENDING_EARLY;
    case TESTEE_MORE:
    case TESTEE_OK:
        return ENDING_GARBLED;
    default: /* TESTEE_UNSUPPORTED */
        return ENDING_NOT_APPLICABLE;
    }
}

/* A piece that is taken: the octets of its header need not be said. */
static enum ending judge_more(const struct question *question)
{
    return question->is_piece ? open(question, RPCRDMA_PROCESS) : ENDING_WRONG;
}

enum ending judge_answer(const struct question *question, const struct testee_answer *answer,
                         struct judge_words *words)
{
    if (answer->said == TESTEE_ACCEPT)
        return judge_accept(question, answer, words);
    bool is_version2 = question->draft != RPCRDMA_PROTOCOL_AUTO;
    const char *word =
        answer->said == TESTEE_ERROR_WORD ? answer->text : general_word(answer->said);
    fputs(word ? word : answer->text, words->got);
    words->answer = short_word(answer);
    if (answer->said == TESTEE_MORE && is_version2)
        return judge_more(question);
    if (answer->said == TESTEE_LIMIT)
        return judge_limit(question, words->why);
    if (!testee_refuses(answer))
        return ending_of_end(answer->said);
    /* How a codec says no is all the same. */
    if (question->role == TESTEE_CODEC)
        return open(question, REFUSING);
    return judge_refusal(question, answer, words);
}
