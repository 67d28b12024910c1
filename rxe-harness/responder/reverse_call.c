// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/responder/nfs4.h"

#include <rpcrdma/rpcrdma.h>

#include <string.h>

#define VERSION 1 /* of the callback program (RFC 8881 section 20) */

static size_t put_words(uint8_t *octets, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    return 4 * count;
}

size_t reverse_call_encode(uint8_t octets[REVERSE_OCTETS], const struct nfs4_call *call)
{
    const struct nfs4_back_channel *channel = call->channel;
    const struct rpcrdma1_header header = {
        .rdma_xid = call->xid,
        .rdma_vers = RPCRDMA_VERSION_1,
        .rdma_credit = call->credits,
        .rdma_body = {
            .proc = RPCRDMA1_MSG,
            .rdma_msg.rdma_writes = {.items = call->chunk, .count = call->chunk != NULL}}};
    const uint32_t words[] = {call->xid,
                              0,
                              2,
                              channel->program,
                              VERSION,
                              call->procedure,
                              channel->flavor,
                              channel->credential_length};
    size_t at = (size_t)rpcrdma1_header_encode(octets, REVERSE_OCTETS, &header, NULL);
    at += put_words(octets + at, words, sizeof words / 4);
    memcpy(octets + at, channel->credential, channel->credential_length);
    at += channel->credential_length;
    return at + put_words(octets + at, (const uint32_t[]){0, 0}, 2); /* no verifier */
}
