// SPDX-License-Identifier: BSD-3-Clause
/*
 * Fuzz target: somebody's parser against the strict checker. Each Send is given to it twice, as to
 * a Responder and as to a Requester, and its answer is checked against the reactions that the
 * specification leaves open.
 */
#include "kit.h"
#include "fuzz/kit/known.h"

#include <rpcrdma/check.h>
#include <rpcrdma/rpcrdma1.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* No Send is longer; the checker takes what comes. */
#define SEND_MAX 262144

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    known_read();
    return 0;
}

/* One Send by itself, on a connection whose beginning was not seen. */
static void judge(const uint8_t *octets, size_t length, bool is_reply,
                  struct rpcrdma_judgement *verdict)
{
    static _Alignas(max_align_t) unsigned char memory[65536];
    const struct rpcrdma_check_config config = {
        .max_calls = 1, .max_segments = 16, .mid_stream = true};
    struct rpcrdma_event event = {
        .type = RPCRDMA_EVENT_SEND,
        .from = is_reply ? RPCRDMA_SERVER : RPCRDMA_CLIENT,
        .data = octets,
        .length = length,
    };
    struct rpcrdma_check *check = rpcrdma_check_init(memory, sizeof memory, &config);
    if (check == NULL)
        abort();
    rpcrdma_check_event(check, &event, verdict);
}

static unsigned reactions_of(enum kit_kind kind)
{
    switch (kind) {
    case KIT_ACCEPT: /* it gets past the header, wherever it ends */
        return RPCRDMA_PROCESS | RPCRDMA_GARBAGE_ARGS | RPCRDMA_TERMINATE;
    case KIT_ERR_VERS:
        return RPCRDMA_ERR_VERS;
    case KIT_ERR_CHUNK:
        return RPCRDMA_ERR_CHUNK;
    case KIT_DISCARD:
        return RPCRDMA_DISCARD;
    case KIT_UNSUPPORTED:
        break;
    }
    return 0;
}

static const char *const answers[] = {"accepts", "answers ERR_VERS", "answers ERR_CHUNK",
                                      "discards", "does not support"};

/* ---- how a disagreement is called ---- */

/* Whether the register leaves the answer open to a receiver of what breaks the rule. */
static bool leaves_open(enum rpcrdma_rule rule, unsigned answer)
{
    const char *reactions = rpcrdma_requirements[rule].reaction;
    for (unsigned i = 0; i < RPCRDMA_REACTIONS; i++) {
        const char *name = rpcrdma_reaction_name((enum rpcrdma_reaction)(1u << i));
        const char *at = answer >> i & 1 ? strstr(reactions, name) : NULL;
        if (at && (at == reactions || at[-1] == ',' || at[-1] == ' '))
            return true;
    }
    return false;
}

/* What the XDR breaks has several ways to be overlooked. */
static void name_finding(char *name, enum rpcrdma_rule rule, const struct disagreement *found)
{
    struct rpcrdma1_header header;
    const char *id = rpcrdma_requirements[rule].id;
    ptrdiff_t code = rpcrdma1_header_decode(&header, found->octets, found->length, NULL, NULL);
    if (rule == RPCRDMA_RFC8166_4_XDR_ENCODED && code < 0)
        snprintf(name, KIT_NAME, "%s#%s", id, rpcrdma_xdr_error_name((int)code));
    else
        snprintf(name, KIT_NAME, "%s", id);
}

static const struct rpcrdma_finding *cause(const struct rpcrdma_judgement *verdict, unsigned answer)
{
    for (unsigned i = 0; i < verdict->count; i++)
        if (!leaves_open(verdict->findings[i].rule, answer))
            return &verdict->findings[i];
    return verdict->count ? &verdict->findings[0] : NULL;
}

static bool is_known(const struct rpcrdma_judgement *verdict, const struct disagreement *found)
{
    char name[KIT_NAME];
    if (known_has(found->name))
        return true;
    for (unsigned i = 0; i < verdict->count; i++) {
        name_finding(name, verdict->findings[i].rule, found);
        if (known_has(name))
            return true;
    }
    return false;
}

static void describe(struct disagreement *found, const struct rpcrdma_judgement *verdict,
                     struct kit_answer answer, const struct rpcrdma_finding *finding)
{
    char open[96] = "", text[96] = "it breaks no rule";
    size_t at = 0;
    for (unsigned i = 0; i < RPCRDMA_REACTIONS; i++)
        if (verdict->reactions >> i & 1)
            at += (size_t)snprintf(open + at, sizeof open - at, "%s%s", at ? ", " : "",
                                   rpcrdma_reaction_name((enum rpcrdma_reaction)(1u << i)));
    if (finding)
        rpcrdma_finding_text(finding, text, sizeof text);
    snprintf(found->what, sizeof found->what, "as a %s it %s; open: %s; %s",
             found->is_reply ? "Requester" : "Responder", answers[answer.kind], open, text);
}

/* ---- one Send, one role ---- */

static void compare(const uint8_t *octets, size_t length, bool is_reply)
{
    struct rpcrdma_judgement verdict;
    struct disagreement found = {.octets = octets, .length = length, .is_reply = is_reply};
    struct kit_answer answer = kit_parse(octets, length, is_reply);
    if (answer.kind == KIT_UNSUPPORTED)
        return;
    judge(octets, length, is_reply, &verdict);
    /* A Reply at a Responder, or a Call at a Requester, is for the other half of the peer. */
    if (verdict.direction == (is_reply ? RPCRDMA_CALL : RPCRDMA_REPLY))
        return;
    unsigned reactions = reactions_of(answer.kind);
    if (verdict.reactions & reactions) {
        if (answer.kind != KIT_ACCEPT || verdict.header_length < 0 ||
            (size_t)verdict.header_length == answer.length)
            return;
        snprintf(found.name, sizeof found.name, "kit/header-length");
        snprintf(found.what, sizeof found.what, "a header of %td octets, it says %zu",
                 (ptrdiff_t)verdict.header_length, answer.length);
    } else {
        const struct rpcrdma_finding *finding = cause(&verdict, reactions);
        if (finding)
            name_finding(found.name, finding->rule, &found);
        else
            snprintf(found.name, sizeof found.name, "kit/refuses-what-is-good");
        describe(&found, &verdict, answer, finding);
    }
    if (!is_known(&verdict, &found))
        known_report(&found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > SEND_MAX)
        return 0;
    compare(data, size, false);
    compare(data, size, true);
    return 0;
}
