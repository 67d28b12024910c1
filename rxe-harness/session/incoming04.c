// SPDX-License-Identifier: BSD-3-Clause
/*
 * What came of -04. A fault in a Call, in properties or in an optional message is answered by an
 * error, which never goes from a Requester to a Responder (6.2.4): a faulty Reply is dropped.
 */
#include "rxe-harness/session/state.h"

enum {
    WORD = SESSION_WORD,
    NO_ERROR = SESSION_NO_ERROR,
    RPC_MIN = 2 * WORD, /* octets of an RPC message that tell its XID and its type */
    SUBSET_WORDS = 16,  /* this many times 32 properties can be asked for in one request */
};

/* ---- properties (5) ---- */

static bool has_value(const struct rpcrdma_property *property)
{
    return property->value.length >= WORD;
}

static uint32_t value_of(const struct rpcrdma_property *property, uint32_t otherwise)
{
    return has_value(property) ? rpcrdma_xdr_load32(property->value.data) : otherwise;
}

/* Known properties decode as their types (5.1.1). */
static bool are_good(const struct rpcrdma_property_array *set)
{
    struct rpcrdma_xdr_iter iter = rpcrdma_property_array_iter(set);
    struct rpcrdma_property property;
    while (rpcrdma_property_array_next(&iter, &property)) {
        bool known =
            property.id == RPCRDMA2_04_PROPID_RBSIZ || property.id == RPCRDMA2_04_PROPID_BRS;
        if (known && property.value.length > 0 && !has_value(&property))
            return false;
        if (property.id == RPCRDMA2_04_PROPID_BRS &&
            value_of(&property, SESSION_04_INLINE) >= SESSION_04_LEVELS)
            return false;
    }
    return true;
}

static void take_level(struct session *session, uint32_t level)
{
    session->peer_reverse = level == SESSION_04_NONE   ? RPCRDMA2_07_RVRSDIR_NONE
                            : level == SESSION_04_GENL ? RPCRDMA2_07_RVRSDIR_GENL
                                                       : RPCRDMA2_07_RVRSDIR_SIMPLE;
}

static void take_set(struct session *session, const struct rpcrdma_property_array *set)
{
    struct rpcrdma_xdr_iter iter = rpcrdma_property_array_iter(set);
    struct rpcrdma_property property;
    while (rpcrdma_property_array_next(&iter, &property))
        if (property.id == RPCRDMA2_04_PROPID_RBSIZ) {
            uint32_t size = value_of(&property, SESSION_INLINE);
            session->peer_receive_size = size < SESSION_FIRST ? SESSION_FIRST : size;
        } else if (property.id == RPCRDMA2_04_PROPID_BRS) {
            take_level(session, value_of(&property, SESSION_04_INLINE));
        }
}

/* Our properties never change: done is what has the wanted value as it is. Bit N of a set is
 * 1 << N % 32 of word N / 32 (5.1.1). */
static bool has_already(const struct session *session, const struct rpcrdma_property *wanted)
{
    const struct session_options *options = &session->options;
    if (wanted->id == RPCRDMA2_04_PROPID_RBSIZ)
        return value_of(wanted, SESSION_INLINE) == options->receive_size;
    return wanted->id == RPCRDMA2_04_PROPID_BRS && options->active &&
           value_of(wanted, SESSION_04_INLINE) == session_level04(options->reverse);
}

static uint32_t take_request(struct session *session, const struct rpcrdma_message *message)
{
    uint32_t done[SUBSET_WORDS] = {0}, rejected[SUBSET_WORDS] = {0}, n = 0;
    struct rpcrdma_xdr_iter iter = rpcrdma_property_array_iter(&message->properties.set);
    struct rpcrdma_property wanted;
    for (; rpcrdma_property_array_next(&iter, &wanted); n++) {
        if (n == 32 * SUBSET_WORDS)
            return RPCRDMA2_07_ERR_SYSTEM;
        uint32_t *subset = has_already(session, &wanted) ? done : rejected;
        subset[n / 32] |= UINT32_C(1) << n % 32;
    }
    return session_queue_response04(session, message->prefix.xid, done, rejected, (n + 31) / 32)
               ? NO_ERROR
               : RPCRDMA2_07_ERR_SYSTEM;
}

static uint32_t take_properties(struct session *session, const struct rpcrdma_message *message)
{
    if (!are_good(&message->properties.set))
        return RPCRDMA2_07_ERR_BAD_XDR;
    switch (message->prefix.procedure) {
    case RPCRDMA2_04_REQPROP:
        return take_request(session, message);
    case RPCRDMA2_04_CONNPROP: /* what it leaves out has the default (5.3.1) */
        session->peer_receive_size = SESSION_INLINE;
        take_level(session, SESSION_04_INLINE);
        take_set(session, &message->properties.set);
        if (!session->told_properties && !session->options.no_properties &&
            !session->options.active)
            session_queue_properties04(session);
        break;
    case RPCRDMA2_04_UPDPROP:
        take_set(session, &message->properties.set);
        break;
    default: /* RESPROP: we ask for nothing */
        break;
    }
    return NO_ERROR;
}

/* ---- RPC messages ---- */

/* Read chunks one after the other: a chunk is what shares a Position. */
static bool reads_are_good(const struct session *session, const struct rpcrdma_message *message,
                           bool *has_zero, bool *too_many)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&message->chunks.rdma_reads);
    struct rpcrdma1_read_segment read;
    uint32_t in_chunk = 0, before = 0;
    while (rpcrdma1_read_list_next(&iter, &read)) {
        in_chunk = in_chunk > 0 && read.position == before ? in_chunk + 1 : 1;
        before = read.position;
        *has_zero = *has_zero || read.position == 0;
        *too_many = *too_many || in_chunk > session->options.segments;
        if (read.position % WORD != 0)
            return false;
    }
    return true;
}

static bool writes_are_too_many(const struct session *session,
                                const struct rpcrdma1_chunk_lists *chunks)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&chunks->rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    while (rpcrdma1_write_list_next(&iter, &chunk))
        if (chunk.target.count > session->options.segments)
            return true;
    return chunks->rdma_reply.present &&
           chunks->rdma_reply.value.target.count > session->options.segments;
}

static bool is_beyond_level(const struct session *session, const struct rpcrdma_message *message)
{
    const struct rpcrdma1_chunk_lists *chunks = &message->chunks;
    bool plain = message->form == RPCRDMA_FORM_INLINE && chunks->rdma_reads.count == 0 &&
                 chunks->rdma_writes.count == 0 && !chunks->rdma_reply.present;
    uint32_t level = session_level04(session->options.reverse);
    return session->options.active &&
           (level == SESSION_04_NONE || (level == SESSION_04_INLINE && !plain));
}

static uint32_t check_call(const struct session *session, const struct rpcrdma_message *message)
{
    bool has_zero = false, too_many = false, special = message->form == RPCRDMA_FORM_SPECIAL;
    if (!reads_are_good(session, message, &has_zero, &too_many) || has_zero != special)
        return RPCRDMA2_07_ERR_BAD_XDR;
    if (too_many || writes_are_too_many(session, &message->chunks))
        return RPCRDMA2_07_ERR_SEGMENTS;
    return is_beyond_level(session, message) ? RPCRDMA2_07_ERR_SYSTEM : NO_ERROR;
}

static bool reply_is_good(const struct rpcrdma_message *message)
{
    const struct rpcrdma1_chunk_lists *chunks = &message->chunks;
    return chunks->rdma_reads.count == 0 &&
           (message->form == RPCRDMA_FORM_INLINE ||
            (chunks->rdma_reply.present && chunks->rdma_reply.value.target.count > 0));
}

/* One that was answered is in flight no more. False: it was not. */
static bool land(struct session *session, uint32_t xid)
{
    for (uint32_t i = 0; i < session->calls.in_flight; i++)
        if (session->calls.flying[i] == xid) {
            session->calls.flying[i] = session->calls.flying[--session->calls.in_flight];
            return true;
        }
    return false;
}

/* A grant of 0 would stop us for good: it is taken for 1. */
static void take_grant(struct session *session, uint32_t credit)
{
    session->calls.granted = credit == 0 ? 1 : credit;
}

static uint32_t take_rpc(struct session *session, const struct link_event *came,
                         struct session_event *event)
{
    const struct rpcrdma_message *message = &event->message;
    const uint8_t *payload = came->octets + message->header;
    size_t length = came->length - message->header;
    bool is_call = message->direction == RPCRDMA_CALL;
    bool inlined = message->form == RPCRDMA_FORM_INLINE;
    if (inlined ? length < RPC_MIN || rpcrdma_xdr_load32(payload) != message->prefix.xid ||
                      rpcrdma_xdr_load32(payload + WORD) != (uint32_t)message->direction
                : length > 0)
        return RPCRDMA2_07_ERR_BAD_XDR;
    uint32_t code = is_call                  ? check_call(session, message)
                    : reply_is_good(message) ? NO_ERROR
                                             : RPCRDMA2_07_ERR_BAD_XDR;
    if (code != NO_ERROR)
        return code;
    event->payload = payload;
    event->length = length;
    event->type = is_call ? SESSION_CALL : SESSION_REPLY;
    if (!is_call && land(session, message->prefix.xid))
        take_grant(session, message->prefix.credit);
    return NO_ERROR;
}

/* ---- messages ---- */

/* Whether a fault in it is the sender's to hear of, who has to be its Requester. */
static bool may_answer(const struct session *session, const struct link_event *came, uint32_t type)
{
    if (type == RPCRDMA2_04_RESPROP)
        return false;
    if (type > RPCRDMA2_04_NOMSG && type != RPCRDMA2_04_OPTIONAL)
        return !session->options.active || type <= RPCRDMA2_04_UPDPROP;
    uint32_t direction = came->length >= SESSION_PREFIX + WORD
                             ? rpcrdma_xdr_load32(came->octets + SESSION_PREFIX)
                             : RPCRDMA2_04_CALL;
    return direction == RPCRDMA2_04_CALL ||
           (direction != RPCRDMA2_04_REPLY && !session->options.active);
}

static bool take_error(struct session *session, const struct link_event *came,
                       struct session_event *event)
{
    if (!session_take_error(session, came, event))
        return false;
    const struct rpcrdma_message *message = &event->message;
    if (land(session, message->prefix.xid) && session->calls.granted > 0 &&
        message->error.code != RPCRDMA2_04_ERR_VERS)
        take_grant(session, message->prefix.credit);
    return true;
}

/* Returns the error to answer with. */
static uint32_t take_message(struct session *session, const struct link_event *came, uint32_t type,
                             struct session_event *event)
{
    struct rpcrdma_message *message = &event->message;
    if (type > RPCRDMA2_04_UPDPROP || (type > RPCRDMA2_04_NOMSG && type < RPCRDMA2_04_ERROR))
        return RPCRDMA2_07_ERR_INVAL_HTYPE;
    if (rpcrdma_message_decode(message, RPCRDMA_PROTOCOL_2_04, came->octets, came->length, NULL) <
        0)
        return RPCRDMA2_07_ERR_BAD_XDR;
    if (message->kind == RPCRDMA_KIND_OPTIONAL)
        return SESSION_INVALID_OPTION;
    return message->kind == RPCRDMA_KIND_RPC ? take_rpc(session, came, event)
                                             : take_properties(session, message);
}

bool session_take04(struct session *session, const struct link_event *came,
                    const struct rpcrdma_prefix *prefix, struct session_event *event)
{
    const uint32_t most[2] = {session->options.segments, 0};
    uint32_t type = prefix->procedure;
    if (type == RPCRDMA2_04_ERROR)
        return take_error(session, came, event);
    uint32_t code = take_message(session, came, type, event);
    if (code != NO_ERROR && may_answer(session, came, type))
        session_queue_error(session, prefix, code, most);
    return code == NO_ERROR && event->type != SESSION_NOTHING;
}
