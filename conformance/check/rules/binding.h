// SPDX-License-Identifier: BSD-3-Clause
/* What the rules of binding scope for Calls and for Replies share: how a message is read again. */
#ifndef CONFORMANCE_RULES_BINDING_H
#define CONFORMANCE_RULES_BINDING_H

#include "conformance/check/rules/rules.h"

#include <rpcrdma/binding.h>

/* The count word before a counted item. */
enum { COUNT_WORD = 4 };

/* An item that is in a chunk and in the payload as well is looked for among so many; and all. */
#define GUESSES 8
#define ALL UINT32_MAX
#define NO_RESULT (UINT32_MAX - 1)

static inline struct rpcrdma_content content_of(const struct rpcrdma_send *send)
{
    size_t length = send->payload_length - (size_t)send->rpc_length;
    return (struct rpcrdma_content){.octets = send->payload + send->rpc_length,
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

/* The results of a Reply (binding_reply.c). */
void rpcrdma_judge_results(struct rpcrdma_send *send, const struct rpcrdma_binding *binding);

#endif
