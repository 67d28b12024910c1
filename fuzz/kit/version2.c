// SPDX-License-Identifier: BSD-3-Clause
/*
 * Example for the kit: a parser of version 2, around our codec, that looks at the XDR and at
 * nothing else. So it takes Positions that fall, which draft -07 forbids (version2_test.sh).
 */
#include "kit.h"

#include <rpcrdma/message.h>
#include <rpcrdma/rpcrdma2_07.h>

struct kit_answer kit_parse(const uint8_t *octets, size_t length, bool is_reply)
{
    (void)octets, (void)length, (void)is_reply;
    return (struct kit_answer){KIT_UNSUPPORTED, 0}; /* version 1 */
}

struct kit_answer kit_parse2(const uint8_t *octets, size_t length, enum kit_draft draft,
                             bool is_reply)
{
    struct rpcrdma_prefix prefix;
    struct rpcrdma_message message;
    if (draft != KIT_DRAFT_07)
        return (struct kit_answer){KIT_UNSUPPORTED, 0};
    if (!rpcrdma_prefix_load(&prefix, octets, length))
        return (struct kit_answer){KIT_DISCARD, 0};
    ptrdiff_t n = rpcrdma_message_decode(&message, RPCRDMA_PROTOCOL_2_07, octets, length, NULL);
    /* The XDR has the first word of an RPC message in its header, if one follows. */
    bool has_word =
        n >= 0 && message.kind == RPCRDMA_KIND_RPC && message.form != RPCRDMA_FORM_SPECIAL;
    if (n >= 0)
        return (struct kit_answer){KIT_ACCEPT, (size_t)n + (has_word ? 4 : 0)};
    if (is_reply || prefix.procedure == RPCRDMA2_07_ERROR)
        return (struct kit_answer){KIT_DISCARD, 0};
    bool is_known =
        prefix.procedure > RPCRDMA2_07_ERROR && prefix.procedure <= RPCRDMA2_07_REPLY_INLINE;
    /* BAD_XDR has the code that ERR_CHUNK has in version 1, and may go by its name. */
    return (struct kit_answer){
        is_known ? KIT_ERR_CHUNK : (enum kit_kind)(KIT_ERROR + RPCRDMA2_07_ERR_INVAL_HTYPE), 0};
}
