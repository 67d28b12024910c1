// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
/*
 * librpcrdma: RPC-over-RDMA version 1 (RFC 8166) for any stack. This header adds to the generated
 * codec (rpcrdma1.h) what its XDR cannot say. Sections are those of RFC 8166.
 */
#ifndef RPCRDMA_RPCRDMA_H
#define RPCRDMA_RPCRDMA_H

#include <rpcrdma/rpcrdma1.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RPCRDMA_VERSION_1 1u
#define RPCRDMA_VERSION_2 2u         /* of Internet-Drafts */
#define RPCRDMA_DEFAULT_INLINE 1024u /* octets of a Send that every receiver takes (3.3.3) */
#define RPCRDMA_NFS_PORT 20049u      /* NFS over RDMA (RFC 8267 section 9) */

/* Octets of the smallest header with chunk lists (4.5), and of the two kinds of RDMA_ERROR. */
#define RPCRDMA1_HEADER_MIN ((uint32_t)RPCRDMA1_MSG_SIZE_MIN)
#define RPCRDMA1_ERR_CHUNK_LENGTH ((uint32_t)RPCRDMA1_ERR_CHUNK_SIZE)
#define RPCRDMA1_ERR_VERS_LENGTH ((uint32_t)RPCRDMA1_ERR_VERS_SIZE)

/* The four words that keep their place in all versions (4.2, 7), and their octets in a Send. */
enum {
    RPCRDMA_AT_XID = RPCRDMA1_AT_RDMA_XID,
    RPCRDMA_AT_VERSION = RPCRDMA1_AT_RDMA_VERS,
    RPCRDMA_AT_CREDIT = RPCRDMA1_AT_RDMA_CREDIT,
    RPCRDMA_AT_PROCEDURE = RPCRDMA1_AT_PROC,
    RPCRDMA_PREFIX_LENGTH = RPCRDMA1_SIZE_MIN,
};
struct rpcrdma_prefix {
    uint32_t xid, version, credit, procedure;
};

/* Read them from the start of a Send; false if it ends before them. */
static inline bool rpcrdma_prefix_load(struct rpcrdma_prefix *prefix, const void *buf,
                                       size_t length)
{
    const uint8_t *p = (const uint8_t *)buf;
    if (length < RPCRDMA_PREFIX_LENGTH)
        return false;
    prefix->xid = rpcrdma_xdr_load32(p + RPCRDMA_AT_XID);
    prefix->version = rpcrdma_xdr_load32(p + RPCRDMA_AT_VERSION);
    prefix->credit = rpcrdma_xdr_load32(p + RPCRDMA_AT_CREDIT);
    prefix->procedure = rpcrdma_xdr_load32(p + RPCRDMA_AT_PROCEDURE);
    return true;
}

/* The chunk lists of an RDMA_MSG or RDMA_NOMSG; NULL for other procedures. They are part of
 * *header. */
static inline const struct rpcrdma1_chunk_lists *rpcrdma1_chunks(
    const struct rpcrdma1_header *header)
{
    if (header->rdma_body.proc == RPCRDMA1_MSG)
        return &header->rdma_body.rdma_msg;
    return header->rdma_body.proc == RPCRDMA1_NOMSG ? &header->rdma_body.rdma_nomsg : NULL;
}

/* Octets of a chunk: its segments' lengths together (3.4.4). No sum of them overflows. */
static inline uint64_t rpcrdma1_segments_length(const struct rpcrdma1_segment_array *segments)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(segments);
    struct rpcrdma1_segment segment;
    uint64_t length = 0;
    while (rpcrdma1_segment_array_next(&iter, &segment))
        length += segment.length;
    return length;
}

/* Segments in all chunks of a decoded Write list, without walking it: each chunk has a presence and
 * a count word, the list ends with one word, the rest are segments of 16 octets. */
static inline uint32_t rpcrdma1_write_list_segments(const struct rpcrdma1_write_list *writes)
{
    return writes->octets == 0
               ? 0
               : (writes->octets - 4 - RPCRDMA1_WRITE_LIST_ENTRY_SIZE_MIN * writes->count) /
                     RPCRDMA1_SEGMENT_SIZE;
}

/* The role of a message's receiver; it belongs to the message, not to the side (2.2.2). */
enum rpcrdma_role { RPCRDMA_REQUESTER, RPCRDMA_RESPONDER };

/* A set of them, where it is not known in which one of several a message finds its receiver. */
enum rpcrdma_roles {
    RPCRDMA_AS_REQUESTER = 1 << RPCRDMA_REQUESTER,
    RPCRDMA_AS_RESPONDER = 1 << RPCRDMA_RESPONDER,
    RPCRDMA_AS_EITHER = RPCRDMA_AS_REQUESTER | RPCRDMA_AS_RESPONDER,
};

/*
 * What section 4.5 asks of the receiver of a header for which decoding returned `code`:
 * RPCRDMA1_ERR_CHUNK is to be sent in an RDMA_ERROR, or 0: the message is dropped without a sign.
 *
 * Three tests come before it: less than RPCRDMA1_HEADER_MIN octets are always dropped; an
 * RDMA_ERROR is never answered; another version gets ERR_VERS whatever else is wrong (4.5.1).
 */
static inline uint32_t rpcrdma1_error_answer(int code, enum rpcrdma_role receiver)
{
    return receiver == RPCRDMA_RESPONDER && code <= -200 && code > -400
               ? (uint32_t)RPCRDMA1_ERR_CHUNK
               : 0;
}

/* Octets and segments of the Read chunk at Position zero; is_aligned: every Position is a multiple
 * of four. */
static inline uint64_t rpcrdma1_position_zero(const struct rpcrdma1_read_list *reads,
                                              uint32_t *segments, bool *is_aligned)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(reads);
    struct rpcrdma1_read_segment read;
    uint64_t octets = 0;
    *segments = 0;
    *is_aligned = true;
    while (rpcrdma1_read_list_next(&iter, &read)) {
        *is_aligned = *is_aligned && read.position % 4 == 0;
        if (read.position == 0) {
            octets += read.target.length;
            ++*segments;
        }
    }
    return octets;
}

/*
 * Whether lists and the `after` octets that follow them are a message to its receiver, beyond what
 * the XDR says:
 *   - a Call has aligned Positions (3.4.5); an RDMA_MSG begins with its XID after the header and
 * has no Position zero, an RDMA_NOMSG has the Call there (3.5, 4.2.4);
 *   - a Reply has no Read list (4.3.1); an RDMA_MSG leaves the Reply chunk unused, an RDMA_NOMSG
 * has the Reply there (3.5, 4.3.3).
 */
static inline bool rpcrdma1_lists_are_message(const struct rpcrdma1_chunk_lists *lists,
                                              enum rpcrdma_role receiver, bool is_nomsg,
                                              size_t after)
{
    uint32_t segments;
    bool is_aligned;
    if (receiver == RPCRDMA_REQUESTER) {
        bool used = lists->rdma_reply.present &&
                    rpcrdma1_segments_length(&lists->rdma_reply.value.target) > 0;
        return lists->rdma_reads.count == 0 && (is_nomsg ? used : after >= 4 && !used);
    }
    uint64_t octets = rpcrdma1_position_zero(&lists->rdma_reads, &segments, &is_aligned);
    return is_aligned && (is_nomsg ? octets > 0 : after >= 4 && segments == 0);
}

/* The same of a decoded header. A Requester takes an RDMA_ERROR; otherwise the version is 1. */
static inline bool rpcrdma1_is_message(const struct rpcrdma1_header *header,
                                       enum rpcrdma_role receiver, size_t after)
{
    const struct rpcrdma1_chunk_lists *lists = rpcrdma1_chunks(header);
    if (header->rdma_body.proc == RPCRDMA1_ERROR)
        return receiver == RPCRDMA_REQUESTER;
    return lists != NULL && header->rdma_vers == RPCRDMA_VERSION_1 &&
           rpcrdma1_lists_are_message(lists, receiver, header->rdma_body.proc == RPCRDMA1_NOMSG,
                                      after);
}

/* Why a Send is not processed, beside the errors of its XDR: what is wrong, and where that is. */
#define RPCRDMA1_ERRORS(error)                                                                     \
    error(RUNT, -501, "the Send is shorter than the smallest header")   /* 4.5; its end */         \
        error(VERSION, -502, "the version is not 1")                    /* 4.5.1; rdma_vers */     \
        error(ERROR, -503, "an RDMA_ERROR has come to a Responder")     /* 4.2.4; its procedure */ \
        error(PROCEDURE, -504, "the procedure is no longer supported")  /* 4.6; it */              \
        error(POSITION, -505, "the Position is not a multiple of four") /* 3.4.5; it */            \
        error(POSITION_ZERO, -506,                                                                 \
              "an RDMA_MSG has a Read chunk at Position zero")                /* 3.5.3; it */      \
        error(READ_LIST, -507, "a Reply has a Read list")                     /* 4.3.1; it */      \
        error(REPLY_CHUNK, -508, "an RDMA_MSG has octets in its Reply chunk") /* 4.3.3; length */  \
        error(NO_MESSAGE, -509, "nothing holds the RPC message") /* 3.5, 4.2.4; where it should */

#define RPCRDMA1_ENUMERATOR(name, number, text) RPCRDMA1_E_##name = number,
enum rpcrdma1_error_code { RPCRDMA1_ERRORS(RPCRDMA1_ENUMERATOR) };
#undef RPCRDMA1_ENUMERATOR

/* The same of version 2 alone: rpcrdma2_receive() in message.h. */
#define RPCRDMA2_ERRORS(error)                                                                     \
    error(POSITION_ORDER, -510, "the Position is less than the one before it") /* -07 4.5.1.1 */   \
        error(CALL_POSITION, -511, "the Position in a Call chunk is not 0")    /* -07 6.3.5 */     \
        error(PROPERTY, -512, "the value is too short for its property") /* -07 5.1; -04 5.1.1 */  \
        error(OPTION, -513, "the option is not known")                   /* -04 6.2.4; it */

#define RPCRDMA2_ENUMERATOR(name, number, text) RPCRDMA2_E_##name = number,
enum rpcrdma2_error_code { RPCRDMA2_ERRORS(RPCRDMA2_ENUMERATOR) };
#undef RPCRDMA2_ENUMERATOR

/* What the receiver of a Send does with it, if it does not process it (4.5). */
enum rpcrdma1_refusal {
    RPCRDMA1_DISCARD = -1, /* without a sign: no answer, and the connection stays */
    RPCRDMA1_SEND_ERR_VERS = -1 - RPCRDMA1_ERR_VERS,
    RPCRDMA1_SEND_ERR_CHUNK = -1 - RPCRDMA1_ERR_CHUNK,
};

/* The lists of a header, of whichever version, as its receiver looks at them. */
struct rpcrdma_received {
    uint32_t version;
    enum rpcrdma_role receiver;
    bool is_nomsg; /* the RPC message is in a chunk */
    const struct rpcrdma1_chunk_lists *chunks;
    const struct rpcrdma1_read_list *call; /* -07: what holds a Call; in others NULL */
    size_t at, end;                        /* octets before the first list, and of the header */
    size_t after;                          /* that follow it */
};

/* Why they are no message to it, as rpcrdma1_lists_are_message() says, which *error has then; or 0.
 * Of -07 Positions do not fall and are not zero, for its Calls in chunks have a list. */
RPCRDMA_API int rpcrdma_refuse_lists(const struct rpcrdma_received *received,
                                     struct rpcrdma_xdr_error *error);

/* The rest of rpcrdma1_receive(), where decoding returned `decoded`. */
RPCRDMA_API ptrdiff_t rpcrdma1_refuse(struct rpcrdma1_header *header, const void *octets,
                                      size_t length, enum rpcrdma_role receiver, ptrdiff_t decoded,
                                      struct rpcrdma_xdr_error *error);

/*
 * A whole receiver of one Send of `length` octets, with its tests in the order of section 4.5. A
 * role that is neither of the two is a Responder's.
 * `limits`, of the receiver's own (the Send is refused beyond them), and `error` may be NULL.
 *
 * Returns the octets of the header if the Send is to be processed: *header is a view of them, which
 * lives as long as they do, and the Payload stream follows them; to a Requester an RDMA_ERROR is
 * one of these. Otherwise it returns one of enum rpcrdma1_refusal, which is negative, and *error
 * has the reason, an error of the XDR (-2xx, -3xx) or of enum rpcrdma1_error_code, with its place.
 *
 *   1. Less than 28 octets, RUNT: discarded. A Requester takes an RDMA_ERROR of 20.
 *   2. ERROR, at a Responder: discarded.
 *   3. VERSION: answered by ERR_VERS.
 *   4. PROCEDURE: RDMA_DONE is discarded (4.6.2), RDMA_MSGP answered by ERR_CHUNK (4.6.1).
 *   5. The header does not decode, or exceeds a limit: ERR_CHUNK.
 *   6. What rpcrdma1_is_message() says of it: ERR_CHUNK.
 *
 * A Requester answers nothing: whatever is wrong, it discards (4.5). Where there is an error to be
 * sent, *header is that RDMA_ERROR, with the XID and version of the Send; put the credits that are
 * granted, at least one, into its rdma_credit and encode it. Otherwise *header means nothing.
 *
 * It looks at no RPC message and at no other Send: whether XIDs agree (4.5.2), a Reply has its Call
 * and returns its chunks (4.3), or the Call can be executed, is the caller's to see.
 */
static inline ptrdiff_t rpcrdma1_receive(struct rpcrdma1_header *header, const void *octets,
                                         size_t length, enum rpcrdma_role receiver,
                                         const struct rpcrdma1_limits *limits,
                                         struct rpcrdma_xdr_error *error)
{
    ptrdiff_t decoded = rpcrdma1_header_decode(header, octets, length, limits, error);
    if (decoded >= 0 && rpcrdma1_is_message(header, receiver, length - (size_t)decoded))
        return decoded;
    return rpcrdma1_refuse(header, octets, length, receiver, decoded, error);
}

/*
 * How many octets of a Send of `length` have to lie in one piece before it is decoded or received,
 * as far as the first `have` of them say (`first` may be NULL if there are none).
 *
 * More than `have`: lay that many together, or all of the piece in which they end, and ask again.
 * Otherwise they suffice: rpcrdma1_header_decode(), and rpcrdma1_receive() in either role, do with
 * the first octets, no less than this number, what they would do with the whole Send, and give the
 * same reasons; but a count above a limit may be XDR_E_COUNT instead of XDR_E_LIMIT.
 *
 * It asks for no more than the header and 4 octets of the Payload stream, or 28, or the whole Send
 * if that is shorter; where 256 octets are there and a list goes on, for up to four times as many
 * as there are, so that long lists are not walked often. `limits` are the decoder's, or NULL. With
 * all three set this many always suffice, without asking: 36 + 24 * read_list + (write_list + 1) *
 * (8 + 16 * write_chunk_target).
 */
RPCRDMA_API size_t rpcrdma1_header_needs(const void *first, size_t have, size_t length,
                                         const struct rpcrdma1_limits *limits);

/* What a Responder returns in the chunks of a Call. */
struct rpcrdma1_returned {
    const uint64_t *writes; /* octets in each chunk of the Write list, in its order */
    uint32_t write_count;   /* of them; chunks beyond are returned unused, and so is one of 0 */
    bool unused_is_empty;   /* an unused chunk of that list has no segments, as RFC 8267 (6.4.1) has
                               it for NFS version 4; else all of them, without octets (4.3.2.2) */
    uint64_t reply;         /* octets in the Reply chunk; 0: it is unused, and the Reply inline */
};

/*
 * Encode the header of the Reply to a Call, out of the view of that Call: its Write list and its
 * Reply chunk come back with the lengths that say what was returned (4.3.2, 4.3.3), in each chunk
 * from its first segment on. It is an RDMA_NOMSG if there are octets in the Reply chunk, else an
 * RDMA_MSG. `error` may be NULL; the octets of the Call must not overlap the room.
 *
 * Returns the octets written, or a negative error: RPCRDMA_XDR_E_SPACE if they are more than
 * `length`; RPCRDMA_XDR_E_ARGUMENT if that is more than 2^31-1; RPCRDMA_XDR_E_BOUND if a chunk has
 * no room for its octets, or the Call no such chunk: *error has a path that names it;
 * RPCRDMA_XDR_E_UNION if the Call is no RDMA_MSG and no RDMA_NOMSG.
 */
RPCRDMA_API ptrdiff_t rpcrdma1_reply_encode(void *buf, size_t length,
                                            const struct rpcrdma1_header *call, uint32_t credit,
                                            const struct rpcrdma1_returned *returned,
                                            struct rpcrdma_xdr_error *error);

/* The octets that it writes, at most: all that the Call took, but for its Read list. */
static inline ptrdiff_t rpcrdma1_reply_size(const struct rpcrdma1_header *call)
{
    struct rpcrdma1_header reply = *call;
    if (rpcrdma1_chunks(call) == NULL)
        return RPCRDMA_XDR_E_UNION;
    reply.rdma_body.rdma_msg.rdma_reads.count = 0;
    reply.rdma_body.rdma_msg.rdma_reads.octets = 0;
    return rpcrdma1_header_size(&reply, NULL);
}

/*
 * Chunk lists as the caller keeps them. Each function gives the next and is called until it returns
 * false, in this order; `arg` is the caller's. One that is NULL gives nothing, but for
 * next_segment, which a source with a Write list or a Reply chunk has.
 */
struct rpcrdma1_source {
    bool (*next_read)(void *arg, struct rpcrdma1_read_segment *read);
    bool (*next_write)(void *arg);  /* begin the next Write chunk: its segments follow */
    bool (*begin_reply)(void *arg); /* begin the Reply chunk, if there is one; asked once */
    bool (*next_segment)(void *arg, struct rpcrdma1_segment *segment); /* of what was begun */
};

/*
 * Encode a header with chunk lists, of a Call or another RDMA_MSG or RDMA_NOMSG, as a source gives
 * them. Returns what rpcrdma1_reply_encode() does, RPCRDMA_XDR_E_UNION for other procedures.
 * Where there is no room it ends, so that no source goes on for ever. `source` is asked once for
 * each header; how many octets it takes is not known before.
 */
RPCRDMA_API ptrdiff_t rpcrdma1_call_encode(void *buf, size_t length,
                                           const struct rpcrdma_prefix *prefix,
                                           const struct rpcrdma1_source *source, void *arg,
                                           struct rpcrdma_xdr_error *error);

#ifdef __cplusplus
}
#endif
#endif
