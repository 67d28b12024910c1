// SPDX-License-Identifier: BSD-3-Clause
/*
 * Messages of -04 on their way out. Its credits are those of version 1: a Requester has this many
 * Calls in flight as it was granted, and one until it was granted any (section 7); what is no Call
 * takes no credit and goes before Calls that wait. There are no pieces.
 */
#include "rxe-harness/session/state.h"

#include <stdlib.h>
#include <string.h>

enum { PREFIX = SESSION_PREFIX, WORD = SESSION_WORD, BODY_MAX = 512 };

/* ---- messages ---- */

/* The generated encoder writes the prefix as well, which is written anew when the message is sent.
 * Octets after it, or -1. */
static ptrdiff_t encode(const struct rpcrdma2_04_header *header, uint8_t *octets, size_t size)
{
    ptrdiff_t n = rpcrdma2_04_header_encode(octets, size, header, NULL);
    if (n < PREFIX)
        return -1;
    memmove(octets, octets + PREFIX, (size_t)n - PREFIX);
    return n - PREFIX;
}

static bool queue_properties(struct session *session, uint32_t xid,
                             const struct rpcrdma2_04_header *header)
{
    uint8_t octets[BODY_MAX];
    ptrdiff_t n = encode(header, octets, sizeof octets);
    return n >= 0 &&
           session_queue_control(session, xid, 2, header->rdma_body.rdma_proc, octets, (size_t)n);
}

uint32_t session_level04(uint32_t reverse)
{
    return reverse == RPCRDMA2_07_RVRSDIR_NONE   ? SESSION_04_NONE
           : reverse == RPCRDMA2_07_RVRSDIR_GENL ? SESSION_04_GENL
                                                 : SESSION_04_INLINE;
}

bool session_queue_properties04(struct session *session)
{
    uint8_t size[WORD], reverse[WORD];
    rpcrdma_xdr_store32(size, session->options.receive_size);
    rpcrdma_xdr_store32(reverse, session_level04(session->options.reverse));
    const struct rpcrdma2_04_propval items[] = {
        {.rdma_which = RPCRDMA2_04_PROPID_RBSIZ, .rdma_data = {size, WORD}},
        {.rdma_which = RPCRDMA2_04_PROPID_BRS, .rdma_data = {reverse, WORD}},
    };
    struct rpcrdma2_04_header header = {.rdma_body.rdma_proc = RPCRDMA2_04_CONNPROP};
    header.rdma_body.rdma_connprop.rdma_start.items = items;
    header.rdma_body.rdma_connprop.rdma_start.count = session->options.active ? 2 : 1;
    session->told_properties = true;
    return queue_properties(session, 0, &header);
}

bool session_queue_response04(struct session *session, uint32_t xid, const uint32_t *done,
                              const uint32_t *rejected, uint32_t words)
{
    struct rpcrdma2_04_header header = {.rdma_body.rdma_proc = RPCRDMA2_04_RESPROP};
    header.rdma_body.rdma_resprop.rdma_done =
        (struct rpcrdma_xdr_uint32_array){.items = done, .count = words};
    header.rdma_body.rdma_resprop.rdma_rejected =
        (struct rpcrdma_xdr_uint32_array){.items = rejected, .count = words};
    return queue_properties(session, xid, &header);
}

/* Of the same name, or for what -04 has no code of its own. */
static enum rpcrdma2_04_errcode code_of(uint32_t code)
{
    switch (code) {
    case RPCRDMA2_07_ERR_VERS:
    case RPCRDMA2_07_ERR_VERS_MISMATCH:
        return RPCRDMA2_04_ERR_VERS;
    case RPCRDMA2_07_ERR_INVAL_HTYPE:
        return RPCRDMA2_04_ERR_INVALID_PROC;
    case RPCRDMA2_07_ERR_READ_CHUNKS:
        return RPCRDMA2_04_ERR_READ_CHUNKS;
    case RPCRDMA2_07_ERR_WRITE_CHUNKS:
        return RPCRDMA2_04_ERR_WRITE_CHUNKS;
    case RPCRDMA2_07_ERR_SEGMENTS:
        return RPCRDMA2_04_ERR_SEGMENTS;
    case RPCRDMA2_07_ERR_WRITE_RESOURCE:
        return RPCRDMA2_04_ERR_WRITE_RESOURCE;
    case RPCRDMA2_07_ERR_REPLY_RESOURCE:
        return RPCRDMA2_04_ERR_REPLY_RESOURCE;
    case RPCRDMA2_07_ERR_SYSTEM:
        return RPCRDMA2_04_ERR_SYSTEM;
    case SESSION_INVALID_OPTION:
        return RPCRDMA2_04_ERR_INVALID_OPTION;
    default:
        return RPCRDMA2_04_ERR_BAD_XDR;
    }
}

ptrdiff_t session_encode_error04(uint8_t body[SESSION_ERROR_MAX], uint32_t code,
                                 const uint32_t values[2])
{
    struct rpcrdma2_04_header header = {.rdma_body.rdma_proc = RPCRDMA2_04_ERROR};
    struct rpcrdma2_04_error *error = &header.rdma_body.rdma_error;
    error->rdma_err = code_of(code);
    switch (error->rdma_err) {
    case RPCRDMA2_04_ERR_VERS:
        error->rdma_vrange = (struct rpcrdma2_04_err_vers){values[0], values[1]};
        break;
    case RPCRDMA2_04_ERR_WRITE_RESOURCE:
        error->rdma_writers = (struct rpcrdma2_04_err_write){values[0], values[1]};
        break;
    case RPCRDMA2_04_ERR_READ_CHUNKS:
    case RPCRDMA2_04_ERR_WRITE_CHUNKS:
        error->rdma_max_chunks = values[0];
        break;
    case RPCRDMA2_04_ERR_SEGMENTS:
        error->rdma_max_segments = values[0];
        break;
    case RPCRDMA2_04_ERR_REPLY_RESOURCE:
        error->rdma_length_needed = values[0];
        break;
    default:
        break;
    }
    return encode(&header, body, SESSION_ERROR_MAX);
}

/* The Read list has the Call chunk as well: both in one, to be freed; NULL: no memory. */
static struct rpcrdma2_04_read_segment *join_reads(const struct session_message *message)
{
    struct rpcrdma2_04_read_segment *joined =
        malloc(((size_t)message->call.count + message->reads.count + 1) * sizeof *joined);
    struct rpcrdma1_read_segment segment;
    const struct rpcrdma1_read_list *lists[] = {&message->call, &message->reads};
    for (uint32_t i = 0, n = 0; joined && i < 2; i++) {
        struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(lists[i]);
        while (rpcrdma1_read_list_next(&iter, &segment))
            joined[n++] = (struct rpcrdma2_04_read_segment){
                segment.position,
                {segment.target.handle, segment.target.length, segment.target.offset}};
    }
    return joined;
}

ptrdiff_t session_encode04(struct session *session, const struct session_message *message)
{
    struct rpcrdma2_04_header header = {.rdma_body.rdma_proc = message->external ? RPCRDMA2_04_NOMSG
                                                                                 : RPCRDMA2_04_MSG};
    struct rpcrdma2_04_chunk_lists *lists = &header.rdma_body.rdma_chunks;
    struct rpcrdma2_04_read_segment *reads = join_reads(message);
    lists->rdma_direction =
        message->direction == RPCRDMA_CALL ? RPCRDMA2_04_CALL : RPCRDMA2_04_REPLY;
    lists->rdma_inv_handle = message->invalidate;
    lists->rdma_reads.items = reads;
    lists->rdma_reads.count = message->call.count + message->reads.count;
    COPY_SPAN(lists->rdma_writes, message->writes);
    lists->rdma_reply.present = message->reply.present;
    COPY_SPAN(lists->rdma_reply.value.rdma_target, message->reply.value.target);
    ptrdiff_t n = reads ? encode(&header, session->buffer, session->options.send_size) : -1;
    free(reads);
    size_t payload = message->external ? 0 : message->length, limit = session_send_limit(session);
    if (n < 0 || payload > limit || PREFIX + (size_t)n > limit - payload)
        return -1;
    return n;
}

/* ---- Sends ---- */

static uint32_t calls_allowed(const struct session *session)
{
    if (session->calls.granted == 0)
        return 1;
    return session->calls.granted < session->options.credits ? session->calls.granted
                                                             : session->options.credits;
}

int32_t session_calls_left04(const struct session *session)
{
    return (int32_t)(calls_allowed(session) - session->calls.in_flight);
}

/* Nothing goes with the first message that has to settle the version. */
static bool may_send(const struct session *session, const struct outgoing *out)
{
    if (session->state == SESSION_NEW && session->totals.sent > 0)
        return false;
    return !out->is_call || session->calls.in_flight < calls_allowed(session);
}

static bool send_one(struct session *session, struct outgoing **at)
{
    struct outgoing *out = *at;
    if (session->peer_reverse < out->level ||
        PREFIX + out->body + out->length > session_send_limit(session))
        return session_give_up(session, at);
    if (out->is_call)
        session->calls.flying[session->calls.in_flight++] = out->xid;
    bool good = session_send_rest(session, out, session->options.credits);
    session_drop(session, at);
    return good;
}

/* The first message has to be one that the server answers: not our properties, which it may take
 * without a word. */
static bool properties_are_due(const struct session *session)
{
    return session->options.active && session->calls.granted > 0 && !session->told_properties &&
           !session->options.no_properties;
}

void session_pump04(struct session *session)
{
    bool good = !properties_are_due(session) || session_queue_properties04(session);
    struct outgoing **at = &session->first;
    while (good && *at)
        if (may_send(session, *at))
            good = send_one(session, at);
        else
            at = &(*at)->next;
}
