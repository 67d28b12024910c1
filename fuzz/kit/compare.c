// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz/kit/compare.h"

#include <rpcrdma/rpcrdma.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What takes the message in, whatever then becomes of it. */
#define ACCEPTING ((unsigned)(RPCRDMA_PROCESS | RPCRDMA_GARBAGE_ARGS | RPCRDMA_TERMINATE))
#define REFUSING                                                                                   \
    ((unsigned)(RPCRDMA_DISCARD | RPCRDMA_ERR_VERS | RPCRDMA_ERR_CHUNK | RPCRDMA_TERMINATE |       \
                RPCRDMA_CLOSE | RPCRDMA_GARBAGE_ARGS))

static const struct {
    const char *word, *text;
    unsigned reactions;
} answers[] = {
    [KIT_ACCEPT] = {"accept", "accepts", ACCEPTING},
    [KIT_ERR_VERS] = {"err-vers", "answers ERR_VERS", RPCRDMA_ERR_VERS},
    [KIT_ERR_CHUNK] = {"err-chunk", "answers ERR_CHUNK", RPCRDMA_ERR_CHUNK},
    [KIT_DISCARD] = {"discard", "discards", RPCRDMA_DISCARD},
    [KIT_REFUSE] = {"refuse", "refuses", REFUSING},
    [KIT_LIMIT] = {"limit", "names a limit", REFUSING},
    [KIT_CLOSE] = {"close", "ends the connection", RPCRDMA_CLOSE},
    [KIT_FAIL] = {"fail", "ends the RPC", RPCRDMA_TERMINATE},
};

/* ---- judging one Send ---- */

/* The XID of an exchange that came before. */
#define XID 0x9e, 0x37, 0x79, 0xb1
#define ZERO 0, 0, 0, 0
#define ONE 0, 0, 0, 1
#define MANY 0, 0, 4, 0

/* NULL of NFS version 3, and its Reply. */
static const uint8_t call[] = {XID, ONE, MANY, ZERO, ZERO, ZERO, ZERO, XID,  ZERO,
                               0,   0,   0,    2,    0,    1,    0x86, 0xa3, 0,
                               0,   0,   3,    ZERO, ZERO, ZERO, ZERO, ZERO};
static const uint8_t reply[] = {XID, ONE, MANY, ZERO, ZERO, ZERO, ZERO,
                                XID, ONE, ZERO, ZERO, ZERO, ZERO};

static void see(struct rpcrdma_check *check, enum rpcrdma_endpoint from, const uint8_t *octets,
                size_t length, struct rpcrdma_judgement *judgement)
{
    const struct rpcrdma_event event = {
        .type = RPCRDMA_EVENT_SEND, .from = from, .data = octets, .length = length};
    rpcrdma_check_event(check, &event, judgement);
}

/* A connection whose beginning was not seen, and that has shown to be of version 1: the parser
 * speaks no other. It is made once and put back for each Send. */
static struct rpcrdma_check *connection_of_version_1(void)
{
    static _Alignas(max_align_t) unsigned char memory[65536], begun[sizeof memory];
    static struct rpcrdma_check *check;
    static size_t size;
    struct rpcrdma_judgement judgement;
    if (check == NULL) {
        const struct rpcrdma_check_config config = {
            .max_calls = 1, .max_segments = 16, .mid_stream = true};
        size = rpcrdma_check_size(&config);
        check = rpcrdma_check_init(memory, sizeof memory, &config);
        if (check == NULL)
            abort();
        see(check, RPCRDMA_CLIENT, call, sizeof call, &judgement);
        see(check, RPCRDMA_SERVER, reply, sizeof reply, &judgement);
        memcpy(begun, memory, size);
    }
    memcpy(memory, begun, size);
    return check;
}

void compare_judge(struct question *question, const struct tolerance *tolerance)
{
    see(connection_of_version_1(), question->is_reply ? RPCRDMA_SERVER : RPCRDMA_CLIENT,
        question->octets, question->length, &question->judgement);
    question->open = question->judgement.reactions |
                     tolerance_reactions(tolerance, &question->judgement, question->octets,
                                         question->length, question->is_reply);
}

/* ---- which rule is at stake ---- */

/* Whether the register lets the receiver of what breaks the rule react so. */
static bool leaves_open(enum rpcrdma_rule rule, unsigned reactions)
{
    return (rpcrdma_requirements[rule].reactions & reactions) != 0;
}

/* What the XDR forbids can be overlooked in several ways. */
static void name_rule(char *name, enum rpcrdma_rule rule, const struct question *question)
{
    struct rpcrdma1_header header;
    const char *id = rpcrdma_requirements[rule].id;
    ptrdiff_t code =
        rpcrdma1_header_decode(&header, question->octets, question->length, NULL, NULL);
    if (rule == RPCRDMA_RFC8166_4_XDR_ENCODED && code < 0)
        snprintf(name, KIT_NAME, "%s#%s", id, rpcrdma_xdr_error_name((int)code));
    else
        snprintf(name, KIT_NAME, "%s", id);
}

/* What a Responder alone can do, and a Requester alone. */
#define OF_RESPONDER ((unsigned)(RPCRDMA_ERR_VERS | RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS))
#define OF_REQUESTER ((unsigned)RPCRDMA_TERMINATE)

/* A finding that keeps the message from being taken in; the others cause no refusal, or none of
 * this receiver. */
static bool forbids(const struct question *question, const struct rpcrdma_finding *finding)
{
    unsigned own = ~(question->is_reply ? OF_RESPONDER : OF_REQUESTER);
    return !leaves_open(finding->rule, ACCEPTING & own) && leaves_open(finding->rule, own);
}

/* Whatever else is wrong with it, a Responder gives no sign of it. */
static bool is_error_to_responder(const struct question *question)
{
    return !question->is_reply && question->judgement.has_procedure &&
           question->judgement.procedure == RPCRDMA1_ERROR;
}

/* The first that forbids and, if there is one, that is not expected; only of those that the header
 * shows, or of all. */
static const struct rpcrdma_finding *cause_of(const struct question *question, bool shown)
{
    char name[KIT_NAME];
    const struct rpcrdma_finding *first = NULL;
    for (unsigned i = 0; i < question->judgement.count; i++) {
        const struct rpcrdma_finding *finding = &question->judgement.findings[i];
        if (!forbids(question, finding) ||
            (shown && !tolerance_is_shown(finding->rule, question->is_reply)))
            continue;
        first = first ? first : finding;
        name_rule(name, finding->rule, question);
        if (!kit_knows(name))
            return finding;
    }
    return first;
}

static const struct rpcrdma_finding *cause(const struct question *question)
{
    static const struct rpcrdma_finding to_responder = {
        .rule = RPCRDMA_RFC8166_4_2_4_RESPONDER_DROPS_ERROR,
        .offset = RPCRDMA1_AT_PROC,
        .format = "an RDMA_ERROR has come to a Responder"};
    if (is_error_to_responder(question))
        return &to_responder;
    const struct rpcrdma_finding *finding = cause_of(question, true);
    return finding ? finding : cause_of(question, false);
}

/* The first violation that lets its receiver do nothing but end the RPC: it may not be refused
 * either. */
static const struct rpcrdma_finding *ends_rpc(const struct question *question)
{
    for (unsigned i = 0; i < question->judgement.count; i++) {
        const struct rpcrdma_finding *finding = &question->judgement.findings[i];
        if (finding->severity == RPCRDMA_VIOLATION &&
            leaves_open(finding->rule, RPCRDMA_TERMINATE) &&
            !leaves_open(finding->rule, RPCRDMA_PROCESS | RPCRDMA_DISCARD))
            return finding;
    }
    return NULL;
}

void compare_rule(const struct question *question, char name[KIT_NAME])
{
    const struct rpcrdma_finding *finding = cause(question);
    name[0] = '\0';
    if (finding)
        name_rule(name, finding->rule, question);
}

/* ---- names of what no rule explains ---- */

static const char *procedure_word(const struct rpcrdma_judgement *judgement)
{
    static const char *const words[] = {"rdma-msg", "rdma-nomsg", "rdma-msgp", "rdma-done",
                                        "rdma-error"};
    if (!judgement->has_procedure || judgement->procedure >= sizeof words / sizeof words[0])
        return "other";
    return words[judgement->procedure];
}

/* Which lists are there: "read-list+reply-chunk". */
static void add_lists(char *name, const struct question *question)
{
    struct rpcrdma1_header header;
    const struct rpcrdma1_chunk_lists *lists =
        rpcrdma1_header_decode(&header, question->octets, question->length, NULL, NULL) < 0
            ? NULL
            : rpcrdma1_chunks(&header);
    if (lists == NULL)
        return;
    const char *parts[3];
    unsigned count = 0;
    if (lists->rdma_reads.count != 0)
        parts[count++] = "read-list";
    if (lists->rdma_writes.count != 0)
        parts[count++] = "write-list";
    if (lists->rdma_reply.present)
        parts[count++] = "reply-chunk";
    for (unsigned i = 0; i < count; i++) {
        size_t at = strlen(name);
        snprintf(name + at, KIT_NAME - at, "%c%s", i ? '+' : '/', parts[i]);
    }
}

static void name_by_form(char *name, const char *what, const struct question *question)
{
    snprintf(name, KIT_NAME, "kit/%s/%s/%s", what, question->is_reply ? "requester" : "responder",
             procedure_word(&question->judgement));
    add_lists(name, question);
}

/* ---- comparing ---- */

static void describe(struct disagreement *found, const struct question *question,
                     struct kit_answer answer, const struct rpcrdma_finding *finding)
{
    char open[96] = "", text[96] = "its header breaks no rule that forbids it";
    size_t at = 0;
    for (unsigned i = 0; i < RPCRDMA_REACTIONS && at < sizeof open; i++)
        if (question->open >> i & 1)
            at += (size_t)snprintf(open + at, sizeof open - at, "%s%s", at ? ", " : "",
                                   rpcrdma_reaction_name((enum rpcrdma_reaction)(1u << i)));
    if (finding)
        rpcrdma_finding_text(finding, text, sizeof text);
    snprintf(found->what, sizeof found->what, "as a %s it %s; open: %s; %s",
             found->is_reply ? "Requester" : "Responder", answers[answer.kind].text, open, text);
}

static bool has_wrong_length(const struct question *question, struct kit_answer answer)
{
    return answer.kind == KIT_ACCEPT && answer.length != KIT_NO_LENGTH &&
           question->judgement.header_length >= 0 &&
           (size_t)question->judgement.header_length != answer.length;
}

/* As the runner of vectors has it: a Responder ends an RPC by GARBAGE_ARGS, and an RDMA_ERROR that
 * a Requester takes ends its RPC. */
static unsigned meaning(const struct question *question, enum kit_kind kind)
{
    const struct rpcrdma_judgement *judgement = &question->judgement;
    if (kind != KIT_FAIL)
        return answers[kind].reactions;
    if (!question->is_reply)
        return RPCRDMA_GARBAGE_ARGS;
    bool is_error = judgement->has_procedure && judgement->procedure == RPCRDMA1_ERROR;
    return answers[kind].reactions | (is_error ? (unsigned)RPCRDMA_PROCESS : 0);
}

bool compare_disagrees(const struct question *question, struct kit_answer answer,
                       struct disagreement *found)
{
    const struct rpcrdma_finding *finding = cause(question);
    /* What the header does not show is no reason of a parser of headers that refuses it otherwise.
     */
    bool is_seen = finding == NULL || !tolerance_is_blind(&question->judgement, question->is_reply);
    bool is_open = (question->open & meaning(question, answer.kind)) != 0;
    *found = (struct disagreement){
        .octets = question->octets, .length = question->length, .is_reply = question->is_reply};
    if (is_open && !has_wrong_length(question, answer))
        return false;
    if (is_open) {
        name_by_form(found->name, "header-length", question);
        snprintf(found->what, sizeof found->what, "a header of %td octets, it says %zu",
                 (ptrdiff_t)question->judgement.header_length, answer.length);
        return true;
    }
    if (!is_seen)
        finding = NULL;
    else if (finding == NULL && answer.kind != KIT_ACCEPT)
        finding = ends_rpc(question);
    if (finding) {
        name_rule(found->name, finding->rule, question);
        if (answer.kind != KIT_ACCEPT)
            strncat(strncat(found->name, ":", KIT_NAME - strlen(found->name) - 1),
                    answers[answer.kind].word, KIT_NAME - strlen(found->name) - 2);
    } else {
        name_by_form(found->name, answer.kind == KIT_ACCEPT ? "accepts-invalid" : "refuses-valid",
                     question);
    }
    describe(found, question, answer, finding);
    return true;
}
