// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
/*
 * Headers of all versions as one structure. Nothing of the wire is written down here: the generated
 * decoders read it, and their views are copied.
 */
#include <rpcrdma/message.h>
#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

/* Spans of the versions differ by their type alone. */
#define COPY_SPAN(to, from)                                                                        \
    ((to).wire = (from).wire, (to).count = (from).count, (to).octets = (from).octets)

/* Chunk lists, whose members have other names in each version. */
#define COPY_READS(to, from) COPY_SPAN((to)->chunks.rdma_reads, from)
#define COPY_WRITES(to, from) COPY_SPAN((to)->chunks.rdma_writes, from)
#define COPY_REPLY(to, from)                                                                       \
    ((to)->chunks.rdma_reply.present = (from).present,                                             \
     COPY_SPAN((to)->chunks.rdma_reply.value.target, (from).value.rdma_target))

static void begin(struct rpcrdma_message *message, enum rpcrdma_protocol protocol)
{
    message->protocol = protocol;
    message->kind = RPCRDMA_KIND_RPC;
    message->form = RPCRDMA_FORM_INLINE;
    message->direction = RPCRDMA_DIRECTION_UNKNOWN;
    message->call_chunk = (struct rpcrdma1_read_list){.count = 0};
}

static void set_no_chunks(struct rpcrdma_message *message)
{
    message->chunks = (struct rpcrdma1_chunk_lists){.rdma_reads = {.count = 0}};
}

static void set_error(struct rpcrdma_message *message, uint32_t code, uint32_t values,
                      uint32_t first, uint32_t second)
{
    message->kind = RPCRDMA_KIND_ERROR;
    message->error.code = code;
    message->error.values = values;
    message->error.value[0] = first;
    message->error.value[1] = second;
}

static void set_rpc(struct rpcrdma_message *message, enum rpcrdma_direction direction,
                    enum rpcrdma_form form)
{
    message->direction = direction;
    message->form = form;
    message->rpc.invalidate = 0;
    message->rpc.remaining = 0;
}

static ptrdiff_t finish(struct rpcrdma_message *message, ptrdiff_t octets)
{
    if (!rpcrdma_xdr_failed(octets))
        message->header = (size_t)octets;
    return octets;
}

/* ---- version 1 ---- */

static void set_error1(struct rpcrdma_message *message, const struct rpcrdma1_error *error)
{
    if (error->err == RPCRDMA1_ERR_VERS)
        set_error(message, error->err, 2, error->range.rdma_vers_low, error->range.rdma_vers_high);
    else
        set_error(message, error->err, 0, 0, 0);
}

static ptrdiff_t decode1(struct rpcrdma_message *message, const void *octets, size_t length,
                         struct rpcrdma_xdr_error *error)
{
    struct rpcrdma1_header header;
    ptrdiff_t n = rpcrdma1_header_decode(&header, octets, length, NULL, error);
    if (rpcrdma_xdr_failed(n)) {
        set_no_chunks(message);
        return n;
    }
    message->prefix = (struct rpcrdma_prefix){header.rdma_xid, header.rdma_vers, header.rdma_credit,
                                              header.rdma_body.proc};
    const struct rpcrdma1_chunk_lists *chunks = rpcrdma1_chunks(&header);
    if (chunks != NULL) {
        set_rpc(message, RPCRDMA_DIRECTION_UNKNOWN,
                header.rdma_body.proc == RPCRDMA1_MSG ? RPCRDMA_FORM_INLINE : RPCRDMA_FORM_SPECIAL);
        message->chunks = *chunks;
        return n;
    }
    set_no_chunks(message);
    if (header.rdma_body.proc == RPCRDMA1_ERROR)
        set_error1(message, &header.rdma_body.rdma_error);
    else
        message->kind = RPCRDMA_KIND_LEGACY;
    return n;
}

/* ---- version 2, draft -04 ---- */

/* Its registers and stack are not to burden version 1: that is why the decoders of version 2 are
 * not inlined. */

static void set_error2_04(struct rpcrdma_message *message, const struct rpcrdma2_04_error *error)
{
    switch (error->rdma_err) {
    case RPCRDMA2_04_ERR_VERS:
        set_error(message, error->rdma_err, 2, error->rdma_vrange.rdma_vers_low,
                  error->rdma_vrange.rdma_vers_high);
        break;
    case RPCRDMA2_04_ERR_READ_CHUNKS:
    case RPCRDMA2_04_ERR_WRITE_CHUNKS:
        set_error(message, error->rdma_err, 1, error->rdma_max_chunks, 0);
        break;
    case RPCRDMA2_04_ERR_SEGMENTS:
        set_error(message, error->rdma_err, 1, error->rdma_max_segments, 0);
        break;
    case RPCRDMA2_04_ERR_WRITE_RESOURCE:
        set_error(message, error->rdma_err, 2, error->rdma_writers.rdma_chunk_index,
                  error->rdma_writers.rdma_length_needed);
        break;
    case RPCRDMA2_04_ERR_REPLY_RESOURCE:
        set_error(message, error->rdma_err, 1, error->rdma_length_needed, 0);
        break;
    default:
        set_error(message, error->rdma_err, 0, 0, 0);
        break;
    }
}

static void set_chunks2_04(struct rpcrdma_message *message, enum rpcrdma_form form,
                           const struct rpcrdma2_04_chunk_lists *chunks)
{
    set_rpc(message, (enum rpcrdma_direction)chunks->rdma_direction, form);
    message->rpc.invalidate = chunks->rdma_inv_handle;
    COPY_READS(message, chunks->rdma_reads);
    COPY_WRITES(message, chunks->rdma_writes);
    COPY_REPLY(message, chunks->rdma_reply);
}

static struct rpcrdma_property_array properties2_04(const rpcrdma2_04_propset *from)
{
    struct rpcrdma_property_array set;
    COPY_SPAN(set, *from);
    return set;
}

static void set_properties2_04(struct rpcrdma_message *message, const struct rpcrdma2_04_body *body)
{
    static const struct rpcrdma_property_array nothing;
    static const struct rpcrdma_xdr_uint32_array none;
    message->kind = RPCRDMA_KIND_PROPERTIES;
    message->properties.set = message->properties.other = nothing;
    message->properties.unchanging = message->properties.rejected = message->properties.done = none;
    switch ((int)body->rdma_proc) {
    case RPCRDMA2_04_CONNPROP:
        message->properties.set = properties2_04(&body->rdma_connprop.rdma_start);
        message->properties.unchanging = body->rdma_connprop.rdma_nochg;
        break;
    case RPCRDMA2_04_REQPROP:
        message->properties.set = properties2_04(&body->rdma_reqprop.rdma_want);
        break;
    case RPCRDMA2_04_RESPROP:
        message->properties.done = body->rdma_resprop.rdma_done;
        message->properties.rejected = body->rdma_resprop.rdma_rejected;
        message->properties.other = properties2_04(&body->rdma_resprop.rdma_other);
        break;
    case RPCRDMA2_04_UPDPROP:
        message->properties.set = properties2_04(&body->rdma_updprop.rdma_now);
        break;
    }
}

__attribute__((__noinline__)) static ptrdiff_t decode2_04(struct rpcrdma_message *message,
                                                          const void *octets, size_t length,
                                                          struct rpcrdma_xdr_error *error)
{
    set_no_chunks(message);
    struct rpcrdma2_04_header header;
    const struct rpcrdma2_04_body *body = &header.rdma_body;
    ptrdiff_t n = rpcrdma2_04_header_decode(&header, octets, length, NULL, error);
    if (rpcrdma_xdr_failed(n))
        return n;
    message->prefix = (struct rpcrdma_prefix){header.rdma_xid, header.rdma_vers, header.rdma_credit,
                                              body->rdma_proc};
    switch (body->rdma_proc) {
    case RPCRDMA2_04_MSG:
        set_chunks2_04(message, RPCRDMA_FORM_INLINE, &body->rdma_chunks);
        break;
    case RPCRDMA2_04_NOMSG:
        set_chunks2_04(message, RPCRDMA_FORM_SPECIAL, &body->rdma_chunks);
        break;
    case RPCRDMA2_04_ERROR:
        set_error2_04(message, &body->rdma_error);
        break;
    case RPCRDMA2_04_OPTIONAL:
        message->kind = RPCRDMA_KIND_OPTIONAL;
        message->optional.direction = body->rdma_optional.rdma_optdir;
        message->optional.type = body->rdma_optional.rdma_opttype;
        message->optional.info = body->rdma_optional.rdma_optinfo;
        break;
    default:
        set_properties2_04(message, body);
        break;
    }
    return n;
}

/* ---- version 2, draft -07: one decoder for the prefix, one for each type ---- */

/* Octets that the four inline types and pieces have of the RPC message in their XDR. */
enum {
    FIRST_WORD =
        RPCRDMA2_07_HDR_CALL_MIDDLE_SIZE - RPCRDMA2_07_HDR_CALL_MIDDLE_AT_RDMA_RPC_FIRST_WORD
};

static void set_error2_07(struct rpcrdma_message *message,
                          const struct rpcrdma2_07_hdr_error *error)
{
    switch (error->rdma_err) {
    case RPCRDMA2_07_ERR_VERS:
        set_error(message, error->rdma_err, 2, error->rdma_vrange.rdma_vers_low,
                  error->rdma_vrange.rdma_vers_high);
        break;
    case RPCRDMA2_07_ERR_READ_CHUNKS:
    case RPCRDMA2_07_ERR_WRITE_CHUNKS:
        set_error(message, error->rdma_err, 1, error->rdma_max_chunks, 0);
        break;
    case RPCRDMA2_07_ERR_SEGMENTS:
        set_error(message, error->rdma_err, 1, error->rdma_max_segments, 0);
        break;
    case RPCRDMA2_07_ERR_WRITE_RESOURCE:
        set_error(message, error->rdma_err, 2, error->rdma_writeres.rdma_chunk_index,
                  error->rdma_writeres.rdma_length_needed);
        break;
    case RPCRDMA2_07_ERR_REPLY_RESOURCE:
        set_error(message, error->rdma_err, 1, error->rdma_length_needed, 0);
        break;
    default:
        set_error(message, error->rdma_err, 0, 0, 0);
        break;
    }
}

static ptrdiff_t error2_07(struct rpcrdma_message *message, const void *octets, size_t length,
                           struct rpcrdma_xdr_error *error)
{
    struct rpcrdma2_07_hdr_error body;
    ptrdiff_t n = rpcrdma2_07_hdr_error_decode(&body, octets, length, NULL, error);
    if (!rpcrdma_xdr_failed(n))
        set_error2_07(message, &body);
    return n;
}

static ptrdiff_t properties2_07(struct rpcrdma_message *message, const void *octets, size_t length,
                                struct rpcrdma_xdr_error *error)
{
    struct rpcrdma2_07_hdr_connprop body;
    ptrdiff_t n = rpcrdma2_07_hdr_connprop_decode(&body, octets, length, NULL, error);
    static const struct rpcrdma_property_array nothing;
    static const struct rpcrdma_xdr_uint32_array none;
    if (rpcrdma_xdr_failed(n))
        return n;
    message->kind = RPCRDMA_KIND_PROPERTIES;
    COPY_SPAN(message->properties.set, body.rdma_props);
    message->properties.other = nothing;
    message->properties.unchanging = message->properties.rejected = message->properties.done = none;
    return n;
}

static ptrdiff_t call_external(struct rpcrdma_message *message, const void *octets, size_t length,
                               struct rpcrdma_xdr_error *error)
{
    struct rpcrdma2_07_hdr_call_external body;
    ptrdiff_t n = rpcrdma2_07_hdr_call_external_decode(&body, octets, length, NULL, error);
    if (rpcrdma_xdr_failed(n))
        return n;
    set_rpc(message, RPCRDMA_CALL, RPCRDMA_FORM_SPECIAL);
    message->rpc.invalidate = body.rdma_inv_handle;
    COPY_SPAN(message->call_chunk, body.rdma_call);
    COPY_READS(message, body.rdma_reads);
    COPY_WRITES(message, body.rdma_provisional_writes);
    COPY_REPLY(message, body.rdma_provisional_reply);
    return n;
}

static ptrdiff_t call_inline(struct rpcrdma_message *message, const void *octets, size_t length,
                             struct rpcrdma_xdr_error *error)
{
    struct rpcrdma2_07_hdr_call_inline body;
    ptrdiff_t n = rpcrdma2_07_hdr_call_inline_decode(&body, octets, length, NULL, error);
    if (rpcrdma_xdr_failed(n))
        return n;
    set_rpc(message, RPCRDMA_CALL, RPCRDMA_FORM_INLINE);
    message->rpc.invalidate = body.rdma_inv_handle;
    COPY_READS(message, body.rdma_reads);
    COPY_WRITES(message, body.rdma_provisional_writes);
    COPY_REPLY(message, body.rdma_provisional_reply);
    return n - FIRST_WORD;
}

static ptrdiff_t reply_external(struct rpcrdma_message *message, const void *octets, size_t length,
                                struct rpcrdma_xdr_error *error)
{
    struct rpcrdma2_07_hdr_reply_external body;
    ptrdiff_t n = rpcrdma2_07_hdr_reply_external_decode(&body, octets, length, NULL, error);
    if (rpcrdma_xdr_failed(n))
        return n;
    set_rpc(message, RPCRDMA_REPLY, RPCRDMA_FORM_SPECIAL);
    COPY_WRITES(message, body.rdma_writes);
    COPY_REPLY(message, body.rdma_reply);
    return n;
}

static ptrdiff_t reply_inline(struct rpcrdma_message *message, const void *octets, size_t length,
                              struct rpcrdma_xdr_error *error)
{
    struct rpcrdma2_07_hdr_reply_inline body;
    ptrdiff_t n = rpcrdma2_07_hdr_reply_inline_decode(&body, octets, length, NULL, error);
    if (rpcrdma_xdr_failed(n))
        return n;
    set_rpc(message, RPCRDMA_REPLY, RPCRDMA_FORM_INLINE);
    COPY_WRITES(message, body.rdma_writes);
    return n - FIRST_WORD;
}

/* Pieces of a Call and of a Reply have the same header. */
static ptrdiff_t piece(struct rpcrdma_message *message, enum rpcrdma_direction direction,
                       const void *octets, size_t length, struct rpcrdma_xdr_error *error)
{
    struct rpcrdma2_07_hdr_call_middle body;
    ptrdiff_t n = rpcrdma2_07_hdr_call_middle_decode(&body, octets, length, NULL, error);
    if (rpcrdma_xdr_failed(n))
        return n;
    set_rpc(message, direction, RPCRDMA_FORM_PIECE);
    message->rpc.remaining = body.rdma_remaining;
    return n - FIRST_WORD;
}

/* Of this type the draft says nothing. */
static ptrdiff_t unknown_type(size_t offset, struct rpcrdma_xdr_error *error)
{
    if (error != NULL)
        *error = (struct rpcrdma_xdr_error){.code = RPCRDMA_XDR_E_UNION,
                                            .offset = (uint32_t)offset,
                                            .depth = 1,
                                            .path = {{"rdma_htype", -1}}};
    return RPCRDMA_XDR_E_UNION;
}

/* What follows the prefix; offsets of errors count from there. */
static ptrdiff_t body2_07(struct rpcrdma_message *message, const void *octets, size_t length,
                          struct rpcrdma_xdr_error *error)
{
    switch (message->prefix.procedure) {
    case RPCRDMA2_07_ERROR:
        return error2_07(message, octets, length, error);
    case RPCRDMA2_07_GRANT:
        message->kind = RPCRDMA_KIND_GRANT;
        return 0;
    case RPCRDMA2_07_CONNPROP_MIDDLE:
    case RPCRDMA2_07_CONNPROP_FINAL:
        return properties2_07(message, octets, length, error);
    case RPCRDMA2_07_CALL_EXTERNAL:
        return call_external(message, octets, length, error);
    case RPCRDMA2_07_CALL_MIDDLE:
        return piece(message, RPCRDMA_CALL, octets, length, error);
    case RPCRDMA2_07_CALL_INLINE:
        return call_inline(message, octets, length, error);
    case RPCRDMA2_07_REPLY_EXTERNAL:
        return reply_external(message, octets, length, error);
    case RPCRDMA2_07_REPLY_MIDDLE:
        return piece(message, RPCRDMA_REPLY, octets, length, error);
    default:
        return reply_inline(message, octets, length, error);
    }
}

__attribute__((__noinline__)) static ptrdiff_t decode2_07(struct rpcrdma_message *message,
                                                          const void *octets, size_t length,
                                                          struct rpcrdma_xdr_error *error)
{
    set_no_chunks(message);
    struct rpcrdma2_07_hdr_prefix prefix;
    ptrdiff_t n = rpcrdma2_07_hdr_prefix_decode(&prefix, octets, length, NULL, error);
    if (rpcrdma_xdr_failed(n))
        return n;
    message->prefix =
        (struct rpcrdma_prefix){prefix.rdma_start.rdma_xid, prefix.rdma_start.rdma_vers,
                                prefix.rdma_start.rdma_credit, prefix.rdma_start.rdma_htype};
    if (message->prefix.procedure < RPCRDMA2_07_ERROR ||
        message->prefix.procedure > RPCRDMA2_07_REPLY_INLINE)
        return unknown_type(RPCRDMA2_07_HDR_PREFIX_AT_RDMA_START_RDMA_HTYPE, error);
    ptrdiff_t body = body2_07(message, (const uint8_t *)octets + n, length - (size_t)n, error);
    if (!rpcrdma_xdr_failed(body))
        return n + body;
    if (error != NULL)
        error->offset += (uint32_t)n;
    return body;
}

ptrdiff_t rpcrdma_message_decode(struct rpcrdma_message *message, enum rpcrdma_protocol protocol,
                                 const void *octets, size_t length, struct rpcrdma_xdr_error *error)
{
    begin(message, protocol);
    switch (protocol) {
    case RPCRDMA_PROTOCOL_1:
        return finish(message, decode1(message, octets, length, error));
    case RPCRDMA_PROTOCOL_2_04:
        return finish(message, decode2_04(message, octets, length, error));
    case RPCRDMA_PROTOCOL_2_07:
        return finish(message, decode2_07(message, octets, length, error));
    case RPCRDMA_PROTOCOL_AUTO:
        break;
    }
    return RPCRDMA_XDR_E_ARGUMENT;
}

/* Fails with these alone can be undone by more octets. */
static bool is_cut(ptrdiff_t code)
{
    return code == RPCRDMA_XDR_E_TRUNCATED || code == RPCRDMA_XDR_E_COUNT;
}

size_t rpcrdma_message_needs(enum rpcrdma_protocol protocol, const void *first, size_t have,
                             size_t length)
{
    const size_t least = 64; /* to begin with; most headers end within it */
    struct rpcrdma_message message;
    if (protocol == RPCRDMA_PROTOCOL_1)
        return rpcrdma1_header_needs(first, have, length, NULL);
    if (have >= length)
        return length;
    ptrdiff_t n = rpcrdma_message_decode(&message, protocol, first, have, NULL);
    if (!is_cut(n)) /* -07 has decoded the first word after it */
        return n < 0 || have - (size_t)n < FIRST_WORD ? have : (size_t)n + FIRST_WORD;
    size_t wanted = have < least / 2 ? least : have < SIZE_MAX / 2 ? 2 * have : SIZE_MAX;
    return wanted < length ? wanted : length;
}

bool rpcrdma_property_array_next(struct rpcrdma_xdr_iter *iter, struct rpcrdma_property *property)
{
    struct rpcrdma2_07_propval value;
    if (iter->end == NULL && iter->left > 0) {
        iter->left--;
        return RPCRDMA_XDR_ITER_ITEM(iter, property, struct rpcrdma_property);
    }
    if (!rpcrdma2_07_propval_array_next(iter, &value))
        return false;
    property->id = value.rdma_which;
    property->value = value.rdma_data;
    return true;
}

uint32_t rpcrdma_inline_type(enum rpcrdma_protocol protocol, enum rpcrdma_direction direction)
{
    if (protocol == RPCRDMA_PROTOCOL_2_04)
        return RPCRDMA2_04_MSG;
    if (protocol != RPCRDMA_PROTOCOL_2_07)
        return RPCRDMA1_MSG;
    return direction == RPCRDMA_REPLY ? RPCRDMA2_07_REPLY_INLINE : RPCRDMA2_07_CALL_INLINE;
}

bool rpcrdma_type_answers(enum rpcrdma_protocol protocol, uint32_t type)
{
    return type == RPCRDMA1_ERROR || /* one number in all versions */
           (protocol == RPCRDMA_PROTOCOL_2_04 && type == RPCRDMA2_04_RESPROP);
}
