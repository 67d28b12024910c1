// SPDX-License-Identifier: BSD-3-Clause
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
 * Whether a decoded header and the `after` octets that follow it are a message to its receiver,
 * beyond what the XDR says. A Requester takes an RDMA_ERROR. Otherwise the version is 1, and:
 *   - a Call has aligned Positions (3.4.5); an RDMA_MSG begins with its XID after the header and
 * has no Position zero, an RDMA_NOMSG has the Call there (3.5, 4.2.4);
 *   - a Reply has no Read list (4.3.1); an RDMA_MSG leaves the Reply chunk unused, an RDMA_NOMSG
 * has the Reply there (3.5, 4.3.3).
 */
static inline bool rpcrdma1_is_message(const struct rpcrdma1_header *header,
                                       enum rpcrdma_role receiver, size_t after)
{
    const struct rpcrdma1_chunk_lists *lists = rpcrdma1_chunks(header);
    bool is_nomsg = header->rdma_body.proc == RPCRDMA1_NOMSG, is_aligned;
    uint32_t segments;
    if (header->rdma_body.proc == RPCRDMA1_ERROR)
        return receiver == RPCRDMA_REQUESTER;
    if (lists == NULL || header->rdma_vers != RPCRDMA_VERSION_1)
        return false;
    if (receiver == RPCRDMA_REQUESTER) {
        bool used = lists->rdma_reply.present &&
                    rpcrdma1_segments_length(&lists->rdma_reply.value.target) > 0;
        return lists->rdma_reads.count == 0 && (is_nomsg ? used : after >= 4 && !used);
    }
    uint64_t octets = rpcrdma1_position_zero(&lists->rdma_reads, &segments, &is_aligned);
    return is_aligned && (is_nomsg ? octets > 0 : after >= 4 && segments == 0);
}

#ifdef __cplusplus
}
#endif
#endif
