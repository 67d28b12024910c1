// SPDX-License-Identifier: BSD-3-Clause
/*
 * Messages in pieces (draft -07 sections 6.3.6, 6.3.9 and 6.6.2): each side can be in the middle of
 * one. Its pieces are put together, as far as there is room, for the rules that look at the
 * payload.
 */
#include "conformance/check/rules/rules.h"

#include <string.h>

static void begin(struct pieces *pieces, const struct rpcrdma_send *send)
{
    uint8_t *octets = pieces->octets;
    *pieces = (struct pieces){.open = true,
                              .kind = (uint8_t)send->message.direction,
                              .xid = send->message.prefix.xid,
                              .octets = octets};
}

/* What follows octets that were not kept is not kept either. */
static void append(struct rpcrdma_check *check, struct pieces *pieces,
                   const struct rpcrdma_send *send)
{
    size_t room = rpcrdma_continued(&check->config) - pieces->length;
    size_t length = send->payload_length < room ? send->payload_length : room;
    if (pieces->length == pieces->total && !pieces->cut) {
        memcpy(pieces->octets + pieces->length, send->payload, length);
        pieces->length += (uint32_t)length;
    }
    pieces->cut = pieces->cut || send->missing > 0;
    pieces->total += send->payload_total;
    pieces->count++;
}

static void close(struct rpcrdma_send *send, struct pieces *pieces)
{
    uint64_t before = pieces->total;
    append(send->review.check, pieces, send);
    send->payload = pieces->octets;
    send->payload_length = pieces->length;
    send->payload_total = pieces->total;
    send->payload_at -= (int64_t)before;
    pieces->open = false;
}

void rpcrdma_judge_continuation(struct rpcrdma_send *send)
{
    struct rpcrdma_check *check = send->review.check;
    struct pieces *pieces = &check->two.side[send->review.event->from].pieces;
    if (send->message.kind != RPCRDMA_KIND_RPC || !is_07(send))
        return;
    bool continues = pieces->open && pieces->kind == (uint8_t)send->message.direction &&
                     pieces->xid == send->message.prefix.xid;
    if (send->message.form == RPCRDMA_FORM_PIECE) {
        if (!continues)
            begin(pieces, send);
        append(check, pieces, send);
    } else if (continues && is_inline(send)) {
        close(send, pieces);
    }
}
