// SPDX-License-Identifier: BSD-3-Clause
/* The parts of a Send. */
#include "conformance/describe/send.h"

#include <rpcrdma/rpc_header.h>
#include <rpcrdma/rpcrdma.h>
#include <rpcrdma/xdr.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What RFC 8166 fixes for all versions: four words, and the values of some procedures. */
enum { VERSION_AT = 4, FIXED_SIZE = 16 };

static bool decodes(const struct send *send, enum rpcrdma_protocol protocol)
{
    struct rpcrdma_message message;
    return rpcrdma_message_decode(&message, protocol, send->data, send->length, NULL) >= 0;
}

/* A Send of version 2, by the draft that is known, or by what it is itself. */
static enum rpcrdma_protocol draft_of(struct send *send, enum rpcrdma_protocol draft)
{
    if (!rpcrdma_protocol_is_draft(draft))
        return rpcrdma_guess_draft(send->data, send->length, false, &send->draft_sure);
    send->draft_sure = true;
    return draft;
}

/* An error repeats the version that it refuses, whatever that is. Where the connection is one of
 * -07, it can have a code that version 1 has not. */
static bool is_error_of_07(const struct send *send, const struct rpcrdma_prefix *prefix,
                           enum rpcrdma_protocol draft)
{
    return draft == RPCRDMA_PROTOCOL_2_07 && prefix->procedure == RPCRDMA1_ERROR &&
           !decodes(send, RPCRDMA_PROTOCOL_1) && decodes(send, RPCRDMA_PROTOCOL_2_07);
}

struct send rpcrdma_send_of(const struct rpcrdma_event *event)
{
    struct rpcrdma_prefix prefix;
    struct send send = {
        .data = event->data ? event->data : (const void *)"",
        .length = event->data ? event->length : 0,
        .missing = event->missing,
        .protocol = RPCRDMA_PROTOCOL_1,
    };
    if (rpcrdma_prefix_load(&prefix, send.data, send.length) &&
        (prefix.version == 2 || is_error_of_07(&send, &prefix, event->draft)))
        send.protocol = draft_of(&send, event->draft);
    return send;
}

bool rpcrdma_field_is_leaf(const struct walk_field *field)
{
    return field->kind != WALK_BEGIN && field->kind != WALK_END;
}

const char *rpcrdma_draft_name(enum rpcrdma_protocol protocol)
{
    return protocol == RPCRDMA_PROTOCOL_2_04   ? "04"
           : protocol == RPCRDMA_PROTOCOL_2_07 ? "07"
                                               : NULL;
}

static void set_fault(struct send *send, size_t offset, const char *field, const char *text)
{
    struct send_fault *fault = &send->fault;
    fault->found = true;
    fault->offset = offset;
    snprintf(fault->field, sizeof fault->field, "%s", field);
    snprintf(fault->text, sizeof fault->text, "%s", text);
}

static void set_walk_fault(struct send *send, size_t base, const struct walk_error *error)
{
    char text[160];
    if (error->code == RPCRDMA_XDR_E_TRUNCATED && send->missing > 0)
        snprintf(text, sizeof text, "the capture lacks the Send's last %zu octets", send->missing);
    else
        snprintf(text, sizeof text, "%s", rpcrdma_xdr_error_text(error->code));
    set_fault(send, base + error->offset, error->path, text);
}

/* Passes on what lies within the fixed words, and moves offsets to where the Send begins. */
struct item_relay {
    walk_visitor *visit;
    void *arg;
    size_t base, end;
    bool stopped; /* at `end` */
};

static bool relay(void *arg, const struct walk_field *field)
{
    struct item_relay *to = arg;
    if (field->offset >= to->end) {
        to->stopped = true;
        return false;
    }
    struct walk_field moved = *field;
    moved.offset += to->base;
    return to->visit(to->arg, &moved);
}

static ptrdiff_t walk_unknown_version(struct send *send, uint32_t version, walk_visitor *visit,
                                      void *arg)
{
    struct item_relay to = {.visit = visit, .arg = arg, .end = FIXED_SIZE};
    struct walk_error error = {0};
    rpcrdma_walk(rpcrdma_walk_rpcrdma1_header, send->data, send->length, relay, &to, &error);
    char text[128];
    snprintf(text, sizeof text,
             "version %" PRIu32 " is not known: no more than the first four words can be read",
             version);
    set_fault(send, VERSION_AT, "rdma_vers", text);
    return -1;
}

ptrdiff_t rpcrdma_send_walk_header(struct send *send, walk_visitor *visit, void *arg)
{
    struct rpcrdma_prefix prefix;
    if (send->protocol == RPCRDMA_PROTOCOL_1 &&
        rpcrdma_prefix_load(&prefix, send->data, send->length) &&
        prefix.version != RPCRDMA_VERSION_1 && prefix.procedure != RPCRDMA1_ERROR)
        return walk_unknown_version(send, prefix.version, visit, arg);
    struct walk_error error = {0};
    ptrdiff_t length =
        rpcrdma_walk_header(send->protocol, send->data, send->length, visit, arg, &error);
    if (length < 0 && error.code != 0)
        set_walk_fault(send, 0, &error);
    return length;
}

/* In pieces an RPC message begins with the XID as any does. An inline message without it can be
 * the last piece of one, but also a whole one with a wrong XID. */
static bool begins_rpc(const struct send *send, const struct rpcrdma_message *message)
{
    struct rpcrdma_rpc_header rpc;
    const uint8_t *payload = send->data + message->header;
    size_t length = send->length - message->header;
    if (message->protocol != RPCRDMA_PROTOCOL_2_07 ||
        (length >= 4 && rpcrdma_xdr_load32(payload) == message->prefix.xid))
        return true;
    return message->form == RPCRDMA_FORM_INLINE &&
           rpcrdma_rpc_header_decode(&rpc, payload, length, NULL) >= 0;
}

enum send_rest rpcrdma_send_rest(const struct send *send, ptrdiff_t header_length)
{
    struct rpcrdma_message message;
    if (header_length < 0 || rpcrdma_message_decode(&message, send->protocol, send->data,
                                                    send->length, NULL) != header_length)
        return SEND_REST_NONE;
    if (message.kind != RPCRDMA_KIND_RPC || message.form == RPCRDMA_FORM_SPECIAL)
        return SEND_REST_NONE;
    return begins_rpc(send, &message) ? SEND_REST_RPC : SEND_REST_CONTINUED;
}

/* The rest of the RPC header is in the next piece. */
static bool goes_on(const struct send *send, const struct walk_error *error)
{
    struct rpcrdma_message message;
    return send->protocol == RPCRDMA_PROTOCOL_2_07 &&
           (error->code == RPCRDMA_XDR_E_TRUNCATED || error->code == RPCRDMA_XDR_E_COUNT) &&
           rpcrdma_message_decode(&message, send->protocol, send->data, send->length, NULL) >= 0 &&
           message.kind == RPCRDMA_KIND_RPC && message.form == RPCRDMA_FORM_PIECE;
}

ptrdiff_t rpcrdma_send_walk_rpc(struct send *send, size_t offset, walk_visitor *visit, void *arg)
{
    struct item_relay to = {.visit = visit, .arg = arg, .base = offset, .end = SIZE_MAX};
    struct walk_error error = {0};
    ptrdiff_t length = rpcrdma_walk(rpcrdma_walk_rpcrdma_rpc_msg, send->data + offset,
                                    send->length - offset, relay, &to, &error);
    if (length < 0 && goes_on(send, &error))
        return (ptrdiff_t)error.offset;
    if (length < 0 && error.code != 0)
        set_walk_fault(send, offset, &error);
    return length;
}
