// SPDX-License-Identifier: BSD-3-Clause
/* What the rules of binding scope for Calls and for Replies share: how a message is read again. */
#ifndef CONFORMANCE_RULES_BINDING_H
#define CONFORMANCE_RULES_BINDING_H

#include "conformance/check/rules/rules.h"

#include <rpcrdma/binding.h>
#include <string.h>

/* The count word before a counted item. */
enum { COUNT_WORD = 4 };

/* An item that is in a chunk and in the payload as well is looked for among this many; and all. */
#define GUESSES 8
#define ALL UINT32_MAX
#define NO_RESULT (UINT32_MAX - 1)

static inline struct rpcrdma_content content_of(const struct rpcrdma_send *send)
{
    size_t length = send->payload.length - (size_t)send->rpc_length;
    return (struct rpcrdma_content){.octets = send->payload.octets + send->rpc_length,
                                    .length = length,
                                    .position = (uint64_t)send->rpc_length,
                                    .read = length};
}

static inline bool is_whole(enum rpcrdma_reading end, const struct rpcrdma_content *content)
{
    return end == RPCRDMA_READ_ALL && content->read == content->length;
}

/* It does not decode as it should. Of what follows an operation that is not known nothing can be
 * said: with other octets in front of it anything may decode. */
static inline bool is_misread(enum rpcrdma_reading end, const struct rpcrdma_content *content)
{
    return end != RPCRDMA_READ_PART && !is_whole(end, content);
}

/* A payload that is read again with count words put back that it lacks; longer ones are not. */
struct restored {
    size_t length, taken; /* octets that are there, and of the payload */
    uint8_t octets[4096];
};

/* The next octets of the payload. */
static inline bool restore_octets(struct restored *restored, const struct rpcrdma_content *content,
                                  uint64_t octets)
{
    if (octets > content->length - restored->taken ||
        octets > sizeof restored->octets - restored->length)
        return false;
    memcpy(restored->octets + restored->length, content->octets + restored->taken, (size_t)octets);
    restored->length += (size_t)octets;
    restored->taken += (size_t)octets;
    return true;
}

static inline bool restore_word(struct restored *restored, uint64_t word)
{
    if (word > UINT32_MAX || sizeof restored->octets - restored->length < COUNT_WORD)
        return false;
    rpcrdma_xdr_store32(restored->octets + restored->length, (uint32_t)word);
    restored->length += COUNT_WORD;
    return true;
}

/* All that is left of it. */
static inline bool restore_rest(struct restored *restored, struct rpcrdma_content *content)
{
    if (!restore_octets(restored, content, content->length - restored->taken))
        return false;
    content->octets = restored->octets;
    content->length = restored->length;
    return true;
}

/* The results of a Reply (binding_reply.c). */
void rpcrdma_judge_results(struct rpcrdma_send *send, const struct rpcrdma_binding *binding);

/* A Long Reply to a Call with one Write chunk, whose Reply has `most` octets beside its result. */
void rpcrdma_judge_long_result(struct rpcrdma_send *send, uint64_t most);

#endif
