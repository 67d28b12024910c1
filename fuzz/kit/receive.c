// SPDX-License-Identifier: BSD-3-Clause
/* Example for the kit: the receivers of our codec, of which it finds no disagreement. */
#include "kit.h"

#include <rpcrdma/message.h>

struct kit_answer kit_parse(const uint8_t *octets, size_t length, bool is_reply)
{
    struct rpcrdma1_header header;
    ptrdiff_t end = rpcrdma1_receive(&header, octets, length,
                                     is_reply ? RPCRDMA_REQUESTER : RPCRDMA_RESPONDER, NULL, NULL);
    enum kit_kind kind = end >= 0                         ? KIT_ACCEPT
                         : end == RPCRDMA1_SEND_ERR_VERS  ? KIT_ERR_VERS
                         : end == RPCRDMA1_SEND_ERR_CHUNK ? KIT_ERR_CHUNK
                                                          : KIT_DISCARD;
    return (struct kit_answer){kind, end < 0 ? 0 : (size_t)end};
}

struct kit_answer kit_parse2(const uint8_t *octets, size_t length, enum kit_draft draft,
                             bool is_reply)
{
    struct rpcrdma_message message;
    ptrdiff_t end = rpcrdma2_receive(
        &message, draft == KIT_DRAFT_04 ? RPCRDMA_PROTOCOL_2_04 : RPCRDMA_PROTOCOL_2_07, octets,
        length, is_reply ? RPCRDMA_REQUESTER : RPCRDMA_RESPONDER, NULL);
    if (end >= 0)
        return (struct kit_answer){KIT_ACCEPT, (size_t)end};
    if (end == RPCRDMA1_DISCARD)
        return (struct kit_answer){KIT_DISCARD, 0};
    return (struct kit_answer){(enum kit_kind)(KIT_ERROR + message.error.code), 0};
}
