// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz/kit/version2/compare.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ACCEPTING ((unsigned)(RPCRDMA_PROCESS | RPCRDMA_GARBAGE_ARGS | RPCRDMA_TERMINATE))
#define REFUSING (((1u << RPCRDMA_REACTIONS) - 1) & ~(unsigned)RPCRDMA_PROCESS)

void compare2_judge(struct question2 *question, const struct tolerance *tolerance)
{
    static _Alignas(max_align_t) unsigned char memory[65536];
    const struct rpcrdma_check_config config = {
        .max_calls = 1,
        .max_segments = 16,
        .mid_stream = true,
        .continued_octets = 64,
        .draft = question->draft,
    };
    const struct rpcrdma_event event = {
        .type = RPCRDMA_EVENT_SEND,
        .from = question->is_reply ? RPCRDMA_SERVER : RPCRDMA_CLIENT,
        .data = question->octets,
        .length = question->length,
    };
    struct rpcrdma_check *check = rpcrdma_check_init(memory, sizeof memory, &config);
    if (check == NULL)
        abort();
    rpcrdma_check_event(check, &event, &question->judgement);
    question->open = question->judgement.reactions |
                     tolerance_reactions2(tolerance, &question->judgement, question->octets,
                                          question->length, question->is_reply, false);
}

/* Whether the register lets the receiver of what breaks the rule go on. */
static bool forbids(enum rpcrdma_rule rule)
{
    uint32_t reactions = rpcrdma_requirements[rule].reactions;
    return reactions != 0 &&
           (reactions & (RPCRDMA_PROCESS | RPCRDMA_TERMINATE | RPCRDMA_GARBAGE_ARGS)) == 0;
}

/* The first that forbids and, if there is one, that is not expected; NULL: none forbids. *passed:
 * how many that are expected come before it. */
static const struct rpcrdma_requirement *cause(const struct question2 *question, unsigned *passed)
{
    const struct rpcrdma_requirement *first = NULL;
    *passed = 0;
    for (unsigned i = 0; i < question->judgement.count; i++) {
        enum rpcrdma_rule rule = question->judgement.findings[i].rule;
        const struct rpcrdma_requirement *requirement = &rpcrdma_requirements[rule];
        if (!forbids(rule))
            continue;
        if (!kit_knows(requirement->id))
            return requirement;
        first = first ? first : requirement;
        ++*passed;
    }
    *passed = 0;
    return first;
}

const char *compare2_rule(const struct question2 *question)
{
    unsigned passed;
    const struct rpcrdma_requirement *requirement = cause(question, &passed);
    return requirement ? requirement->id : "";
}

/* ---- answers ---- */

static unsigned meaning(const struct question2 *question, struct kit_answer answer)
{
    switch (answer.kind) {
    case KIT_ACCEPT:
        return ACCEPTING;
    case KIT_ERR_VERS:
        return RPCRDMA_ERR_VERS;
    case KIT_ERR_CHUNK:
        return RPCRDMA_ERR_BAD_XDR;
    case KIT_DISCARD:
        return RPCRDMA_DISCARD;
    case KIT_CLOSE:
        return RPCRDMA_CLOSE;
    case KIT_FAIL: /* as in version 1 */
        if (!question->is_reply)
            return RPCRDMA_GARBAGE_ARGS;
        return RPCRDMA_TERMINATE |
               (question->judgement.kind == RPCRDMA_KIND_ERROR ? (unsigned)RPCRDMA_PROCESS : 0);
    case KIT_REFUSE:
    case KIT_LIMIT:
        return REFUSING;
    default:
        return (unsigned)answer.kind < KIT_ERROR
                   ? 0
                   : rpcrdma_reaction_of_error(question->draft, (unsigned)answer.kind - KIT_ERROR);
    }
}

/* The XDR of -07 counts the first word of an RPC message to four headers. */
static bool is_length(const struct question2 *question, size_t length)
{
    const struct rpcrdma_judgement *judgement = &question->judgement;
    bool has_word = judgement->protocol == RPCRDMA_PROTOCOL_2_07 &&
                    judgement->kind == RPCRDMA_KIND_RPC && judgement->form != RPCRDMA_FORM_SPECIAL;
    return length == KIT_NO_LENGTH || judgement->header_length < 0 ||
           (int64_t)length == judgement->header_length ||
           (has_word && (int64_t)length == judgement->header_length + 4);
}

static void describe(struct disagreement *found, const struct question2 *question, const char *what)
{
    const char *number = question->draft == RPCRDMA_PROTOCOL_2_04 ? "04" : "07";
    const char *role = question->is_reply ? "requester" : "responder", *open = "";
    const char *type = question->judgement.has_procedure
                           ? rpcrdma_type_name(question->draft, question->judgement.procedure)
                           : NULL;
    const char *rule = compare2_rule(question);
    for (unsigned i = 0; i < RPCRDMA_REACTIONS && open[0] == '\0'; i++)
        if (question->open >> i & 1)
            open = rpcrdma_reaction_name((enum rpcrdma_reaction)(1u << i));
    *found = (struct disagreement){
        .octets = question->octets, .length = question->length, .is_reply = question->is_reply};
    if (rule[0] != '\0')
        snprintf(found->name, sizeof found->name, "%s", rule);
    else
        snprintf(found->name, sizeof found->name, "kit/draft-%s/%s/%s/%s", number, what, role,
                 type ? type : "other");
    snprintf(found->what, sizeof found->what, "as a %s of draft -%s it %s; open: %s", role, number,
             what, open);
}

bool compare2_disagrees(const struct question2 *question, struct kit_answer answer,
                        struct disagreement *found)
{
    if (answer.kind == KIT_ACCEPT && !is_length(question, answer.length)) {
        describe(found, question, "header-length");
        return true;
    }
    /* Who overlooks the first, as expected, answers to the next. */
    unsigned passed, open = question->open;
    const struct rpcrdma_requirement *requirement = cause(question, &passed);
    if (passed > 0)
        open |= requirement->reactions;
    if (open & meaning(question, answer))
        return false;
    describe(found, question, answer.kind == KIT_ACCEPT ? "accepts-invalid" : "refuses");
    return true;
}
