// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
/*
 * A receiver of one Send of version 2, without the connection: what both drafts ask for of a
 * header, in their order, and the error that answers it.
 */
#include <rpcrdma/message.h>
#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>
#include <rpcrdma/xdr_runtime.h>

/* Where both drafts have the same. */
enum {
    ERROR = RPCRDMA2_07_ERROR,
    BAD_XDR = RPCRDMA2_07_ERR_BAD_XDR,
    PREFIX = RPCRDMA2_07_HDR_PREFIX_SIZE,
    AT_ERROR = PREFIX + RPCRDMA2_07_HDR_ERROR_AT_RDMA_ERR,
    AT_DIRECTION = RPCRDMA2_04_MSG_AT_RDMA_DIRECTION, /* -04 */
    XDR_UNIT = 4,
};

static bool is_07(enum rpcrdma_protocol draft)
{
    return draft == RPCRDMA_PROTOCOL_2_07;
}

/* ---- types ---- */

static bool is_defined(enum rpcrdma_protocol draft, uint32_t type)
{
    return is_07(draft) ? type >= RPCRDMA2_07_ERROR && type <= RPCRDMA2_07_REPLY_INLINE
                        : type <= RPCRDMA2_04_NOMSG ||
                              (type >= RPCRDMA2_04_ERROR && type <= RPCRDMA2_04_UPDPROP);
}

/* Properties and grants, which either side receives as the other does; a RESPROP is an answer. */
static bool is_control(enum rpcrdma_protocol draft, uint32_t type)
{
    return is_07(draft) ? type > ERROR && type < RPCRDMA2_07_CALL_EXTERNAL
                        : type > RPCRDMA2_04_OPTIONAL && type <= RPCRDMA2_04_UPDPROP &&
                              type != RPCRDMA2_04_RESPROP;
}

static bool has_direction04(uint32_t type)
{
    return type <= RPCRDMA2_04_NOMSG || type == RPCRDMA2_04_OPTIONAL;
}

/* The role that the message itself gives its receiver; where it gives none, `receiver`. */
static enum rpcrdma_role role_of(enum rpcrdma_protocol draft, const struct rpcrdma_prefix *prefix,
                                 const uint8_t *octets, size_t length, enum rpcrdma_role receiver)
{
    uint32_t type = prefix->procedure;
    if (prefix->version != RPCRDMA_VERSION_2 || !is_defined(draft, type))
        return receiver;
    if (is_07(draft))
        return type < RPCRDMA2_07_CALL_EXTERNAL    ? receiver
               : type < RPCRDMA2_07_REPLY_EXTERNAL ? RPCRDMA_RESPONDER
                                                   : RPCRDMA_REQUESTER;
    if (!has_direction04(type) || length < AT_DIRECTION + XDR_UNIT)
        return receiver;
    uint32_t direction = rpcrdma_xdr_load32(octets + AT_DIRECTION);
    return direction == RPCRDMA2_04_CALL    ? RPCRDMA_RESPONDER
           : direction == RPCRDMA2_04_REPLY ? RPCRDMA_REQUESTER
                                            : receiver;
}

/* ---- properties ---- */

/* Whether the value is long enough for what this property is; one without octets is the default,
 * and one that is not known may be anything. */
static bool has_form(enum rpcrdma_protocol draft, const struct rpcrdma_property *property)
{
    uint32_t length = property->value.length;
    uint32_t last = is_07(draft) ? RPCRDMA2_07_PROPID_BRS : RPCRDMA2_04_PROPID_BRS;
    if (length == 0 || property->id == 0)
        return true;
    if (property->id <= last)
        return length >= XDR_UNIT;
    if (!is_07(draft) || property->id != RPCRDMA2_07_PROPID_HOSTAUTH)
        return true;
    /* It is itself a count, this many octets, and what fills them up to whole words. */
    return length >= XDR_UNIT &&
           rpcrdma_xdr_round(rpcrdma_xdr_load32(property->value.data)) <= length - XDR_UNIT;
}

static const char *name_of_set(enum rpcrdma_protocol draft, uint32_t type)
{
    return is_07(draft)                   ? "rdma_props"
           : type == RPCRDMA2_04_CONNPROP ? "rdma_start"
           : type == RPCRDMA2_04_REQPROP  ? "rdma_want"
                                          : "rdma_now";
}

/* Of what a side tells or asks for; a RESPROP has values that were asked for. */
static int fault_of_properties(const struct rpcrdma_message *message,
                               struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_xdr_iter iter = rpcrdma_property_array_iter(&message->properties.set);
    struct rpcrdma_property property;
    uint64_t at = PREFIX + XDR_UNIT;
    for (uint32_t index = 0; rpcrdma_property_array_next(&iter, &property); index++) {
        at += RPCRDMA2_07_PROPVAL_AT_RDMA_DATA;
        if (!has_form(message->protocol, &property)) {
            rpcrdma_xdr_note(error, RPCRDMA2_E_PROPERTY, (size_t)at, "rdma_data");
            rpcrdma_xdr_note_step(error, name_of_set(message->protocol, message->prefix.procedure),
                                  index);
            return RPCRDMA2_E_PROPERTY;
        }
        at += XDR_UNIT + rpcrdma_xdr_round(property.value.length);
    }
    return 0;
}

/* ---- the order ---- */

static size_t first_list(const struct rpcrdma_message *message)
{
    if (!is_07(message->protocol))
        return RPCRDMA2_04_MSG_AT_RDMA_READS;
    return message->direction == RPCRDMA_CALL
               ? PREFIX + RPCRDMA2_07_HDR_CALL_INLINE_AT_RDMA_READS
               : PREFIX + RPCRDMA2_07_HDR_REPLY_INLINE_AT_RDMA_WRITES;
}

static int fault_of_rpc(const struct rpcrdma_message *message, size_t length,
                        struct rpcrdma_xdr_error *error)
{
    const struct rpcrdma_received received = {
        .version = RPCRDMA_VERSION_2,
        .receiver = message->direction == RPCRDMA_REPLY ? RPCRDMA_REQUESTER : RPCRDMA_RESPONDER,
        .is_nomsg = message->form == RPCRDMA_FORM_SPECIAL,
        .chunks = &message->chunks,
        .call = is_07(message->protocol) ? &message->call_chunk : NULL,
        .at = first_list(message),
        .end = message->header,
        .after = length - message->header,
    };
    return rpcrdma_refuse_lists(&received, error);
}

static int note2(struct rpcrdma_xdr_error *error, int code, size_t at, const char *name)
{
    rpcrdma_xdr_note(error, code, at, name);
    return code;
}

/* Of what decodes: the reason, which *error has then, or 0. */
static int fault_of_message(const struct rpcrdma_message *message, size_t length,
                            struct rpcrdma_xdr_error *error)
{
    switch (message->kind) {
    case RPCRDMA_KIND_RPC:
        return fault_of_rpc(message, length, error);
    case RPCRDMA_KIND_PROPERTIES:
        return fault_of_properties(message, error);
    case RPCRDMA_KIND_OPTIONAL:
        return note2(error, RPCRDMA2_E_OPTION, RPCRDMA2_04_OPTIONAL_AT_RDMA_OPTTYPE,
                     "rdma_opttype");
    case RPCRDMA_KIND_ERROR: /* those of -04 are an enum */
        return rpcrdma_error_name(message->protocol, message->error.code) != NULL
                   ? 0
                   : note2(error, RPCRDMA_XDR_E_UNION, AT_ERROR, "rdma_err");
    default:
        return 0;
    }
}

static int reason2(const struct rpcrdma_message *message, const struct rpcrdma_prefix *prefix,
                   size_t length, enum rpcrdma_role receiver, ptrdiff_t decoded,
                   struct rpcrdma_xdr_error *error)
{
    if (decoded == RPCRDMA_XDR_E_ARGUMENT)
        return note2(error, RPCRDMA_XDR_E_ARGUMENT, 0, "");
    if (length < RPCRDMA_PREFIX_LENGTH)
        return note2(error, RPCRDMA1_E_RUNT, length, "");
    if (prefix->procedure == ERROR && receiver != RPCRDMA_REQUESTER)
        return note2(error, RPCRDMA1_E_ERROR, RPCRDMA_AT_PROCEDURE, "rdma_htype");
    if (prefix->procedure != ERROR && prefix->version != RPCRDMA_VERSION_2)
        return note2(error, RPCRDMA1_E_VERSION, RPCRDMA_AT_VERSION, "rdma_vers");
    return rpcrdma_xdr_failed(decoded) ? (int)decoded : fault_of_message(message, length, error);
}

/* The error that answers it, or 0. */
static uint32_t answer2(enum rpcrdma_protocol draft, int code, uint32_t type,
                        enum rpcrdma_role receiver)
{
    bool is_silent = code == RPCRDMA_XDR_E_ARGUMENT || code == RPCRDMA1_E_RUNT || type == ERROR ||
                     (!is_07(draft) && type == RPCRDMA2_04_RESPROP);
    if (code == RPCRDMA1_E_VERSION && receiver != RPCRDMA_REQUESTER)
        return RPCRDMA2_07_ERR_VERS;
    if (is_silent || (receiver == RPCRDMA_REQUESTER && !is_control(draft, type)) ||
        code == RPCRDMA1_E_VERSION)
        return 0;
    if (!is_defined(draft, type))
        return is_07(draft) ? RPCRDMA2_07_ERR_INVAL_HTYPE : RPCRDMA2_04_ERR_INVALID_PROC;
    if (code == RPCRDMA2_E_OPTION)
        return RPCRDMA2_04_ERR_INVALID_OPTION;
    return code == RPCRDMA2_E_PROPERTY && is_07(draft) ? RPCRDMA2_07_ERR_BAD_PROPVAL : BAD_XDR;
}

/* ---- what is good, which is most ---- */

static bool reads_are_good07(const struct rpcrdma1_read_list *reads)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(reads);
    struct rpcrdma1_read_segment read;
    for (uint32_t before = XDR_UNIT; rpcrdma1_read_list_next(&iter, &read); before = read.position)
        if (read.position % XDR_UNIT != 0 || read.position < before)
            return false;
    return true;
}

static bool holds_call07(const struct rpcrdma1_read_list *call)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(call);
    struct rpcrdma1_read_segment read;
    uint64_t octets = 0;
    for (; rpcrdma1_read_list_next(&iter, &read); octets += read.target.length)
        if (read.position != 0)
            return false;
    return octets > 0;
}

/* The lists of both versions, which take more registers. */
static __attribute__((__noinline__)) bool has_good_lists(const struct rpcrdma_message *message,
                                                         size_t length)
{
    return rpcrdma_protocol_is_draft(message->protocol) &&
           rpcrdma1_lists_are_message(
               &message->chunks,
               message->direction == RPCRDMA_CALL ? RPCRDMA_RESPONDER : RPCRDMA_REQUESTER,
               message->form == RPCRDMA_FORM_SPECIAL, length - message->header);
}

bool rpcrdma2_is_message(const struct rpcrdma_message *message, size_t length)
{
    if (message->prefix.version != RPCRDMA_VERSION_2 || message->kind != RPCRDMA_KIND_RPC)
        return false;
    if (message->direction != RPCRDMA_CALL || !is_07(message->protocol))
        return has_good_lists(message, length);
    return reads_are_good07(&message->chunks.rdma_reads) &&
           (message->form != RPCRDMA_FORM_SPECIAL || holds_call07(&message->call_chunk));
}

/* All tests are made again, in their order. */
ptrdiff_t rpcrdma2_refuse(struct rpcrdma_message *message, enum rpcrdma_protocol draft,
                          const void *octets, size_t length, enum rpcrdma_role receiver,
                          ptrdiff_t decoded, struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_xdr_error unwanted;
    struct rpcrdma_prefix prefix = {0, 0, 0, 0};
    error = error != NULL ? error : &unwanted;
    if (!rpcrdma_protocol_is_draft(draft))
        decoded = RPCRDMA_XDR_E_ARGUMENT;
    if (decoded != RPCRDMA_XDR_E_ARGUMENT && rpcrdma_prefix_load(&prefix, octets, length))
        receiver = role_of(draft, &prefix, (const uint8_t *)octets, length, receiver);
    int code = reason2(message, &prefix, length, receiver, decoded, error);
    if (code == 0)
        return decoded;
    uint32_t answered = answer2(draft, code, prefix.procedure, receiver);
    uint32_t version = answered == RPCRDMA2_07_ERR_VERS ? RPCRDMA_VERSION_2 : 0;
    if (answered == 0)
        return RPCRDMA1_DISCARD;
    prefix.procedure = ERROR;
    message->protocol = draft;
    message->prefix = prefix;
    message->kind = RPCRDMA_KIND_ERROR;
    message->error.code = answered;
    message->error.values = version != 0 ? 2 : 0;
    message->error.value[0] = message->error.value[1] = version;
    return -1 - (ptrdiff_t)answered;
}

ptrdiff_t rpcrdma_error_encode(void *buf, size_t length, const struct rpcrdma_message *message)
{
    uint8_t *p = (uint8_t *)buf;
    uint32_t values = message->error.values;
    size_t size = AT_ERROR + XDR_UNIT + XDR_UNIT * (size_t)values;
    if (length < size || size > RPCRDMA2_ERROR_MAX)
        return RPCRDMA_XDR_E_SPACE;
    rpcrdma_xdr_store32(p + RPCRDMA_AT_XID, message->prefix.xid);
    rpcrdma_xdr_store32(p + RPCRDMA_AT_VERSION, message->prefix.version);
    rpcrdma_xdr_store32(p + RPCRDMA_AT_CREDIT, message->prefix.credit);
    rpcrdma_xdr_store32(p + RPCRDMA_AT_PROCEDURE, ERROR);
    rpcrdma_xdr_store32(p + AT_ERROR, message->error.code);
    for (uint32_t i = 0; i < values; i++)
        rpcrdma_xdr_store32(p + AT_ERROR + XDR_UNIT + XDR_UNIT * (size_t)i,
                            message->error.value[i]);
    return (ptrdiff_t)size;
}
