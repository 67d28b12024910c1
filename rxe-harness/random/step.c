// SPDX-License-Identifier: BSD-3-Clause
/* A step of a conversation in any version: its Call, and what its answer is worth. */
#include "rxe-harness/random/random.h"

#include "rxe-harness/probe/probe.h"
#include "rxe-harness/responder/responder.h"

#include "conformance/base/alloc.h"

#include <stdlib.h>
#include <string.h>

bool random_conforms(enum random_change change)
{
    return change == RANDOM_NONE || change == RANDOM_CREDIT;
}

uint8_t *random_call(struct probe *probe, const struct random_step *step, bool by_nfs,
                     struct requester_call *call)
{
    bool program = step->procedure != TEST_NULL && !by_nfs;
    probe->requester->program = program ? (uint32_t)TEST_PROGRAM : probe->options.program;
    probe->requester->version = program ? (uint32_t)TEST_VERSION : probe->options.version;
    *call = (struct requester_call){.procedure = step->procedure,
                                    .item_at = 4,
                                    .item_length = step->size,
                                    .read_segments = step->read_segments,
                                    .long_segments = step->long_segments,
                                    .write_segments = step->write_segments,
                                    .write_room = step->write_room,
                                    .reply_segments = step->reply_segments,
                                    .reply_room = step->reply_room};
    if (by_nfs)
        return random_nfs_call(probe, step, call);
    uint8_t *args = probe_item_arguments(step->procedure, step->size, &call->args_length);
    call->args = args;
    return args;
}

/* ---- answers ---- */

void random_came(struct random_failure *failure, const uint8_t *octets, size_t length)
{
    failure->came_length = length < REQUESTER_INLINE ? length : REQUESTER_INLINE;
    if (octets && failure->came_length > 0)
        memcpy(failure->came, octets, failure->came_length);
}

static void print_success(FILE *out, const struct requester_reply *reply, bool by_nfs)
{
    if (by_nfs && reply->results_length >= 4)
        fprintf(out, ", NFS status %u", rpcrdma_xdr_load32(reply->results));
    else
        fprintf(out, ", %zu octets of results", reply->results_length);
    fputs(reply->is_long ? " in the Reply chunk" : " inline", out);
    for (unsigned i = 0; i < reply->chunks && i < REQUESTER_CHUNKS; i++)
        fprintf(out, ", %zu in a Write chunk", reply->chunk_lengths[i]);
}

void random_react(struct random_failure *failure, unsigned step, unsigned allowed,
                  const struct requester_reply *reply, bool by_nfs)
{
    struct random_reaction *reaction = &failure->reactions[step];
    struct alloc_stream text;
    alloc_begin(&text);
    fputs(reply->outcome == RPCRDMA_CLOSE ? "the end of the connection" : reply->text, text.out);
    if (reply->outcome == RPCRDMA_PROCESS && reply->accepted && reply->stat == 0)
        print_success(text.out, reply, by_nfs);
    char *words = alloc_end(&text);
    *reaction = (struct random_reaction){.outcome = reply->outcome, .allowed = allowed};
    snprintf(reaction->text, sizeof reaction->text, "%s", words);
    free(words);
}

/* What is wrong with the results of an execution, or NULL. */
static const char *compare(struct probe *probe, const struct random_answer *answer, bool success,
                           char text[RANDOM_TEXT])
{
    const struct random_step *step = answer->step;
    if (!success)
        return step->procedure == TEST_NULL ? NULL : answer->reply->text;
    if (answer->by_nfs)
        return random_nfs_compare(probe, step, answer->pending, answer->reply, text);
    return probe_item_compare(answer->pending, answer->reply, step->procedure, step->size, text);
}

enum ending random_judge(struct probe *probe, const struct random_answer *answer,
                         char text[RANDOM_TEXT])
{
    const struct requester_reply *reply = answer->reply;
    bool executed = reply->outcome == RPCRDMA_PROCESS;
    bool success = executed && reply->accepted && reply->stat == 0;
    bool is_open = (answer->outcome & answer->allowed) ||
                   (executed && !success && (answer->allowed & RPCRDMA_GARBAGE_ARGS));
    char detail[RANDOM_TEXT];
    const char *wrong = is_open ? NULL : reply->text;
    if (is_open && executed && random_conforms(answer->step->change))
        wrong = compare(probe, answer, success, detail);
    if (wrong == NULL)
        return ENDING_REQUIRED;
    snprintf(text, RANDOM_TEXT, "%s", wrong);
    return is_open                              ? ENDING_WRONG
           : answer->outcome == RPCRDMA_DISCARD ? ENDING_SILENT
           : answer->outcome == RPCRDMA_CLOSE   ? ENDING_CLOSED
                                                : ENDING_WRONG;
}
