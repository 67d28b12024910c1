// SPDX-License-Identifier: BSD-3-Clause
/* A receiver of version 2 of the same lists, beside the decoder within the lines of a receiver. */
#ifndef CODEC_BENCH_RECEIVE2_H
#define CODEC_BENCH_RECEIVE2_H

#include "codec/bench/subject.h"

#include <rpcrdma/message.h>
#include <rpcrdma/rpcrdma2_07.h>

#include <string.h>

/* An RDMA2_CALL_INLINE with the subject's lists and an XID: its header without that word. */
static size_t lay_call2(const struct subject *subject, uint8_t *wire)
{
    const size_t lists = RPCRDMA1_SIZE_MIN, more = 4; /* octets of the handle, and of the XID */
    memset(wire, 0, sizeof subject->wire);
    memcpy(wire, subject->wire, lists);
    rpcrdma_xdr_store32(wire + RPCRDMA_AT_VERSION, RPCRDMA_VERSION_2);
    rpcrdma_xdr_store32(wire + RPCRDMA_AT_PROCEDURE, RPCRDMA2_07_CALL_INLINE);
    memcpy(wire + lists + more, subject->wire + lists, subject->octets - lists);
    return subject->octets + more;
}

static void own_receive2(struct subject *subject, unsigned count)
{
    struct rpcrdma_message message;
    const uint8_t *octets = room;
    size_t header = lay_call2(subject, room), length = header + 4;
    while (count-- > 0) {
        HIDE(octets);
        HIDE(length);
        ptrdiff_t n = rpcrdma2_receive(&message, RPCRDMA_PROTOCOL_2_07, octets, length,
                                       RPCRDMA_RESPONDER, NULL);
        if (n != (ptrdiff_t)header)
            fail("is refused as version 2", subject);
        USE(n);
        USE(&message);
    }
}

static bool reads_are_good(const struct rpcrdma_message *message)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&message->chunks.rdma_reads);
    struct rpcrdma1_read_segment read;
    for (uint32_t before = 0; rpcrdma1_read_list_next(&iter, &read); before = read.position)
        if (read.position == 0 || read.position % 4 != 0 || read.position < before)
            return false;
    return true;
}

static ptrdiff_t receive2_by_hand(struct rpcrdma_message *message, const void *send, size_t length)
{
    struct rpcrdma_prefix prefix;
    if (!rpcrdma_prefix_load(&prefix, send, length) || prefix.procedure == RPCRDMA2_07_ERROR)
        return RPCRDMA1_DISCARD;
    if (prefix.version != RPCRDMA_VERSION_2)
        return -1 - (ptrdiff_t)RPCRDMA2_07_ERR_VERS;
    if (prefix.procedure < RPCRDMA2_07_ERROR || prefix.procedure > RPCRDMA2_07_REPLY_INLINE)
        return -1 - (ptrdiff_t)RPCRDMA2_07_ERR_INVAL_HTYPE;
    ptrdiff_t octets = rpcrdma_message_decode(message, RPCRDMA_PROTOCOL_2_07, send, length, NULL);
    return octets >= 0 && reads_are_good(message) ? octets
                                                  : -1 - (ptrdiff_t)RPCRDMA2_07_ERR_BAD_XDR;
}

static void hand_receive2(struct subject *subject, unsigned count)
{
    struct rpcrdma_message message;
    const uint8_t *octets = room;
    size_t header = lay_call2(subject, room), length = header + 4;
    while (count-- > 0) {
        HIDE(octets);
        HIDE(length);
        ptrdiff_t n = receive2_by_hand(&message, octets, length);
        if (n != (ptrdiff_t)header)
            fail("is refused by hand as version 2", subject);
        USE(n);
        USE(&message);
    }
}

/* The decoder alone. */
static void decode2(struct subject *subject, unsigned count)
{
    struct rpcrdma_message message;
    const uint8_t *octets = room;
    size_t length = lay_call2(subject, room) + 4;
    while (count-- > 0) {
        HIDE(octets);
        HIDE(length);
        ptrdiff_t n = rpcrdma_message_decode(&message, RPCRDMA_PROTOCOL_2_07, octets, length, NULL);
        USE(n);
        USE(&message);
    }
}

#endif
