// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
/*
 * One message of RPC-over-RDMA, of whichever protocol version: what its transport header says, in
 * terms that the versions share. Segments, Read lists, Write lists and Reply chunks have the same
 * octets in RFC 8166 and in the drafts of version 2, so all chunks of a message are views of
 * version 1's types, and its iterators walk them.
 */
#ifndef RPCRDMA_MESSAGE_H
#define RPCRDMA_MESSAGE_H

#include <rpcrdma/rpcrdma.h>

#ifdef __cplusplus
extern "C" {
#endif

enum rpcrdma_protocol {
    RPCRDMA_PROTOCOL_AUTO, /* a wish alone: what the Sends show; nothing is decoded by it */
    RPCRDMA_PROTOCOL_1,    /* RFC 8166 */
    RPCRDMA_PROTOCOL_2_04, /* draft-cel-nfsv4-rpcrdma-version-two-04 */
    RPCRDMA_PROTOCOL_2_07, /* draft-ietf-nfsv4-rpcrdma-version-two-07 */
};

/* Whether it is one of the drafts of version 2. */
static inline bool rpcrdma_protocol_is_draft(enum rpcrdma_protocol protocol)
{
    return protocol == RPCRDMA_PROTOCOL_2_04 || protocol == RPCRDMA_PROTOCOL_2_07;
}

enum rpcrdma_kind {
    RPCRDMA_KIND_RPC, /* conveys an RPC message, or a piece of one */
    RPCRDMA_KIND_ERROR,
    RPCRDMA_KIND_GRANT,
    RPCRDMA_KIND_PROPERTIES,
    RPCRDMA_KIND_OPTIONAL,
    RPCRDMA_KIND_LEGACY, /* version 1: RDMA_MSGP, RDMA_DONE */
};

/* Where the RPC message is. */
enum rpcrdma_form {
    RPCRDMA_FORM_INLINE,  /* after the header: RDMA_MSG, CALL_INLINE, REPLY_INLINE */
    RPCRDMA_FORM_PIECE,   /* a piece of it after the header: CALL_MIDDLE, REPLY_MIDDLE */
    RPCRDMA_FORM_SPECIAL, /* in a chunk: RDMA_NOMSG, CALL_EXTERNAL, REPLY_EXTERNAL */
};

enum rpcrdma_direction { RPCRDMA_DIRECTION_UNKNOWN = -1, RPCRDMA_CALL = 0, RPCRDMA_REPLY = 1 };

/* A transport property of version 2. */
struct rpcrdma_property {
    uint32_t id;
    struct rpcrdma_xdr_opaque value;
};
RPCRDMA_XDR_SPAN(rpcrdma_property_array, struct rpcrdma_property);

/* The parts of the kinds. C++ has no types in a union without a name. */
struct rpcrdma_message_rpc {
    uint32_t invalidate; /* version 2: the handle that may be invalidated, or 0 */
    uint32_t remaining;  /* of a piece: octets that follow in others */
};
struct rpcrdma_message_error {
    uint32_t code;
    uint32_t values; /* that come with this code, 0 to 2 */
    uint32_t value[2];
};
struct rpcrdma_message_properties {
    struct rpcrdma_property_array set, other;             /* other: -04 RESPROP */
    struct rpcrdma_xdr_uint32_array unchanging, rejected; /* -04 CONNPROP; RESPROP */
    struct rpcrdma_xdr_uint32_array done;                 /* -04 RESPROP */
};
struct rpcrdma_message_optional {
    uint32_t direction, type;
    struct rpcrdma_xdr_opaque info;
};

/* The parts that a message's kind has not are not set, but `chunks` and `call_chunk`, which are
 * empty then. */
struct rpcrdma_message {
    enum rpcrdma_protocol protocol;
    enum rpcrdma_kind kind;
    enum rpcrdma_form form;           /* of RPC */
    enum rpcrdma_direction direction; /* as the header says it: unknown in version 1 */
    struct rpcrdma_prefix prefix;
    size_t header;                        /* octets before the payload */
    struct rpcrdma1_read_list call_chunk; /* -07: what holds the Call; in other versions that is at
                                             Position zero of the Read list */
    struct rpcrdma1_chunk_lists chunks;
    union {
        struct rpcrdma_message_rpc rpc;
        struct rpcrdma_message_error error;
        struct rpcrdma_message_properties properties;
        struct rpcrdma_message_optional optional;
    };
};

/*
 * Decode the header at the start of a Send by the rules of this protocol; its version word is not
 * looked at, for a message of any version can be an error. Returns the octets before the payload,
 * or a negative error code, as the generated decoders do. The first word of an RPC message that
 * -07 has at the end of its headers belongs to the payload. After an error the message is an RPC
 * message, by its kind and form, without chunks and without a direction; `header` is as it was.
 */
RPCRDMA_API ptrdiff_t rpcrdma_message_decode(struct rpcrdma_message *message,
                                             enum rpcrdma_protocol protocol, const void *octets,
                                             size_t length, struct rpcrdma_xdr_error *error);

/*
 * rpcrdma1_header_needs() for any version: how many octets of a Send have to lie in one piece
 * before rpcrdma_message_decode(). Of version 2 it tries to decode what is there, and asks for at
 * least twice as many where that is cut short.
 */
RPCRDMA_API size_t rpcrdma_message_needs(enum rpcrdma_protocol protocol, const void *first,
                                         size_t have, size_t length);

/* Whether a message that decoded with a draft is an RPC message, or a piece of one, to its
 * receiver, beyond what the XDR says; `length` is that of the Send. */
RPCRDMA_API bool rpcrdma2_is_message(const struct rpcrdma_message *message, size_t length);

/* The rest of rpcrdma2_receive(), where decoding returned `decoded`. */
RPCRDMA_API ptrdiff_t rpcrdma2_refuse(struct rpcrdma_message *message, enum rpcrdma_protocol draft,
                                      const void *octets, size_t length, enum rpcrdma_role receiver,
                                      ptrdiff_t decoded, struct rpcrdma_xdr_error *error);

/*
 * rpcrdma1_receive() for a draft of version 2: a receiver of one Send of `length` octets, as far as
 * it can be one without the connection. `receiver` is its role where the message does not say
 * whether it is a Call or a Reply; in a message that does, message->direction does. `error` may be
 * NULL.
 *
 * Returns the octets of the header if the Send is to be processed: *message is a view of it. To a
 * Requester an error is one of these. Otherwise it returns a negative number n, and *error has the
 * reason, an error of the XDR or one of enum rpcrdma1_error_code or rpcrdma2_error_code, with its
 * place: RPCRDMA1_DISCARD, or -1 - n is the code of the error that answers it. *message is that
 * error then, with the XID and version of the Send: put the credits into prefix.credit and encode
 * it by rpcrdma_error_encode().
 *
 *   1. Less than the prefix of 16 octets, RUNT: discarded.
 *   2. ERROR, at a Responder: discarded. To a Requester with a code that the draft has not, too.
 *   3. VERSION: ERR_VERS.
 *   4. The type is not defined (XDR_E_UNION, -04: XDR_E_ENUM): INVAL_HTYPE, -04: INVALID_PROC.
 *   5. The header does not decode: BAD_XDR.
 *   6. PROPERTY: BAD_PROPVAL, -04: BAD_XDR. OPTION of -04: INVALID_OPTION, for none is defined.
 *   7. The lists are no message to their receiver: BAD_XDR. Of -04 as rpcrdma1_is_message() says;
 * of -07 (4.5.1, 6.3.5, 6.3.8) Positions are multiples of four, not zero, and do not fall; an
 *      external Call has octets in its Call chunk, all at Position zero, an external Reply in its
 *      Reply chunk.
 *
 * A Reply is dropped, whatever is wrong with it, and so is a RESPROP; properties are answered in
 * either role. Whether pieces and properties may follow what came before (INVAL_CONT), the version
 * is the connection's (VERS_MISMATCH), credits, limits, XIDs and what the upper layer may ask for
 * are the caller's to see.
 */
static inline ptrdiff_t rpcrdma2_receive(struct rpcrdma_message *message,
                                         enum rpcrdma_protocol draft, const void *octets,
                                         size_t length, enum rpcrdma_role receiver,
                                         struct rpcrdma_xdr_error *error)
{
    ptrdiff_t decoded = rpcrdma_message_decode(message, draft, octets, length, error);
    if (decoded >= 0 && rpcrdma2_is_message(message, length))
        return decoded;
    return rpcrdma2_refuse(message, draft, octets, length, receiver, decoded, error);
}

/* Encode the prefix and error of *message, which is an error of version 2. Returns the octets
 * written, at most RPCRDMA2_ERROR_MAX, or RPCRDMA_XDR_E_SPACE. */
#define RPCRDMA2_ERROR_MAX 28
RPCRDMA_API ptrdiff_t rpcrdma_error_encode(void *buf, size_t length,
                                           const struct rpcrdma_message *message);

static inline struct rpcrdma_xdr_iter rpcrdma_property_array_iter(
    const struct rpcrdma_property_array *span)
{
    return RPCRDMA_XDR_ITER(span);
}
RPCRDMA_API bool rpcrdma_property_array_next(struct rpcrdma_xdr_iter *iter,
                                             struct rpcrdma_property *property);

/*
 * Which draft a Send of version 2 follows, for nothing in it names the draft: types that only one
 * of them has tell, and otherwise whether it is a message of one draft from its first octet to its
 * last, and of the other not. Where nothing tells it is -07 and *sure is false. `first`: the Send
 * is the connection's first, so no CONNPROP came before it that a REQPROP could ask to change.
 */
RPCRDMA_API enum rpcrdma_protocol rpcrdma_guess_draft(const void *octets, size_t length, bool first,
                                                      bool *sure);

/* The type of a message whose RPC Call or Reply follows its header: RDMA_MSG in version 1. */
RPCRDMA_API uint32_t rpcrdma_inline_type(enum rpcrdma_protocol protocol,
                                         enum rpcrdma_direction direction);

/* Whether messages of this type answer one of the other side, whatever that was: errors, and the
 * RESPROP of -04. */
RPCRDMA_API bool rpcrdma_type_answers(enum rpcrdma_protocol protocol, uint32_t type);

/* What the specification calls a message type (version 1: procedure), an error code, a transport
 * property, and a value of the property for reverse-direction support; NULL where it has no name.
 */
RPCRDMA_API const char *rpcrdma_type_name(enum rpcrdma_protocol protocol, uint32_t type);
RPCRDMA_API const char *rpcrdma_error_name(enum rpcrdma_protocol protocol, uint32_t code);
RPCRDMA_API const char *rpcrdma_property_name(enum rpcrdma_protocol protocol, uint32_t id);
RPCRDMA_API const char *rpcrdma_reverse_name(enum rpcrdma_protocol protocol, uint32_t value);

#ifdef __cplusplus
}
#endif
#endif
