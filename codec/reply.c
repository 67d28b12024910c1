// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
/*
 * Headers without arrays of values: a Call's chunk lists are stored as a source gives them, segment
 * by segment; those of a Reply are copied from the view of its Call and get other lengths.
 */
#include <rpcrdma/rpcrdma.h>
#include <rpcrdma/xdr_runtime.h>

/* Inlined, so that places stay in registers. */
#define INLINE static inline __attribute__((always_inline))

enum { WORD_SIZE = 4 };

static RPCRDMA_XDR_COLD int fail(struct rpcrdma_xdr_error *error, int code, const char *name,
                                 int64_t index)
{
    if (error != NULL) {
        rpcrdma_xdr_note(error, code, 0, "");
        rpcrdma_xdr_note_step(error, name, index);
    }
    return code;
}

static RPCRDMA_XDR_COLD int fail_space(struct rpcrdma_xdr_error *error, size_t length)
{
    return fail(error, length > INT32_MAX ? RPCRDMA_XDR_E_ARGUMENT : RPCRDMA_XDR_E_SPACE, "", -1);
}

/* ---- storing ---- */

struct put {
    uint8_t *p;
    const uint8_t *end;
};

/* Whether there is room for `octets` more and for the `after` that follow them in any case. */
INLINE bool has_room(const struct put *put, uint64_t octets, size_t after)
{
    return RPCRDMA_XDR_LIKELY((size_t)(put->end - put->p) >= octets + after);
}

INLINE void put_word(struct put *put, uint32_t word)
{
    rpcrdma_xdr_store32(put->p, word);
    put->p += WORD_SIZE;
}

INLINE void put_segment(struct put *put, const struct rpcrdma1_segment *segment)
{
    put_word(put, segment->handle);
    put_word(put, segment->length);
    rpcrdma_xdr_store64(put->p, segment->offset);
    put->p += 8;
}

/* Then there is room for a header without chunks. */
INLINE bool put_prefix(struct put *put, size_t length, const struct rpcrdma_prefix *prefix)
{
    if (length < RPCRDMA1_HEADER_MIN || length > INT32_MAX)
        return false;
    put_word(put, prefix->xid);
    put_word(put, prefix->version);
    put_word(put, prefix->credit);
    put_word(put, prefix->procedure);
    return true;
}

/* A presence word of 1, a count, as many segments. The source says how many when it has no more. */
INLINE bool put_chunk(struct put *put, const struct rpcrdma1_source *source, void *arg,
                      size_t after)
{
    struct rpcrdma1_segment segment;
    uint32_t count = 0;
    if (!has_room(put, RPCRDMA1_WRITE_LIST_ENTRY_SIZE_MIN, after))
        return false;
    put_word(put, 1);
    uint8_t *at_count = put->p;
    for (put->p += WORD_SIZE; source->next_segment(arg, &segment); count++) {
        if (!has_room(put, RPCRDMA1_SEGMENT_SIZE, after))
            return false;
        put_segment(put, &segment);
    }
    rpcrdma_xdr_store32(at_count, count);
    return true;
}

/* The least that follows each list: the ends of the others. */
INLINE bool put_reads(struct put *put, const struct rpcrdma1_source *source, void *arg)
{
    struct rpcrdma1_read_segment read;
    while (source->next_read != NULL && source->next_read(arg, &read)) {
        if (!has_room(put, RPCRDMA1_READ_LIST_ENTRY_SIZE, 3 * WORD_SIZE))
            return false;
        put_word(put, 1);
        put_word(put, read.position);
        put_segment(put, &read.target);
    }
    put_word(put, 0);
    return true;
}

INLINE bool put_lists(struct put *put, const struct rpcrdma1_source *source, void *arg)
{
    if (!put_reads(put, source, arg))
        return false;
    while (source->next_write != NULL && source->next_write(arg))
        if (!put_chunk(put, source, arg, 2 * WORD_SIZE))
            return false;
    put_word(put, 0);
    if (source->begin_reply != NULL && source->begin_reply(arg))
        return put_chunk(put, source, arg, 0);
    put_word(put, 0);
    return true;
}

/* ---- a Call ---- */

ptrdiff_t rpcrdma1_call_encode(void *buf, size_t length, const struct rpcrdma_prefix *prefix,
                               const struct rpcrdma1_source *source, void *arg,
                               struct rpcrdma_xdr_error *error)
{
    struct put put = {(uint8_t *)buf, (const uint8_t *)buf + length};
    if (prefix->procedure > RPCRDMA1_NOMSG)
        return fail(error, RPCRDMA_XDR_E_UNION, "proc", -1);
    if (!put_prefix(&put, length, prefix) || !put_lists(&put, source, arg))
        return fail_space(error, length);
    return put.p - (uint8_t *)buf;
}

/* ---- a Reply ---- */

/* The octets of a chunk in its segments, which are stored, in their order (3.4.6): after one that
 * is not full all are empty. Returns those for which there is no room. */
INLINE uint64_t set_lengths(uint8_t *segments, uint32_t count, uint64_t octets)
{
    uint8_t *p = segments + RPCRDMA1_SEGMENT_AT_LENGTH;
    for (; count > 0 && octets > 0; count--, p += RPCRDMA1_SEGMENT_SIZE) {
        uint32_t offered = rpcrdma_xdr_load32(p),
                 length = octets < offered ? (uint32_t)octets : offered;
        rpcrdma_xdr_store32(p, length);
        octets -= length;
    }
    for (; count > 0; count--, p += RPCRDMA1_SEGMENT_SIZE)
        rpcrdma_xdr_store32(p, 0);
    return octets;
}

/* A chunk of the Call, with `octets` in it; *left is what has no room. */
INLINE bool put_returned(struct put *put, const struct rpcrdma1_segment_array *segments,
                         uint64_t octets, size_t after, uint64_t *left)
{
    const uint64_t size = (uint64_t)segments->count * RPCRDMA1_SEGMENT_SIZE;
    if (!has_room(put, size, RPCRDMA1_WRITE_LIST_ENTRY_SIZE_MIN + after))
        return false;
    put_word(put, 1);
    put_word(put, segments->count);
    uint8_t *begin = put->p;
    uint32_t i;
    if (segments->octets != 0) {
        rpcrdma_xdr_copy(begin, segments->wire, (size_t)size);
        put->p += size;
    } else {
        for (i = 0; i < segments->count; i++)
            put_segment(put, &segments->items[i]);
    }
    *left = set_lengths(begin, segments->count, octets);
    return true;
}

/* Which chunk has no room for its octets, if only because the Call has none. */
struct full {
    const char *list; /* NULL: none */
    int64_t index;
};

static void note_full(struct full *full, const char *list, int64_t index, uint64_t left)
{
    if (left > 0 && full->list == NULL)
        *full = (struct full){list, index};
}

INLINE bool put_answers(struct put *put, const struct rpcrdma1_chunk_lists *call,
                        const struct rpcrdma1_returned *returned, struct full *full)
{
    static const struct rpcrdma1_segment_array empty;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&call->rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    uint32_t i = 0;
    uint64_t left;
    put_word(put, 0);
    for (; rpcrdma1_write_list_next(&iter, &chunk); i++) {
        uint64_t octets = i < returned->write_count ? returned->writes[i] : 0;
        if (!put_returned(put, octets == 0 && returned->unused_is_empty ? &empty : &chunk.target,
                          octets, 2 * WORD_SIZE, &left))
            return false;
        note_full(full, "rdma_writes", i, left);
    }
    for (; i < returned->write_count; i++)
        note_full(full, "rdma_writes", i, returned->writes[i]);
    put_word(put, 0);
    left = returned->reply;
    if (!call->rdma_reply.present)
        put_word(put, 0);
    else if (!put_returned(put, &call->rdma_reply.value.target, left, 0, &left))
        return false;
    note_full(full, "rdma_reply", -1, left);
    return true;
}

ptrdiff_t rpcrdma1_reply_encode(void *buf, size_t length, const struct rpcrdma1_header *call,
                                uint32_t credit, const struct rpcrdma1_returned *returned,
                                struct rpcrdma_xdr_error *error)
{
    const struct rpcrdma_prefix prefix = {call->rdma_xid, call->rdma_vers, credit,
                                          returned->reply > 0 ? RPCRDMA1_NOMSG : RPCRDMA1_MSG};
    const struct rpcrdma1_chunk_lists *lists = rpcrdma1_chunks(call);
    struct put put = {(uint8_t *)buf, (const uint8_t *)buf + length};
    struct full full = {NULL, -1};
    if (lists == NULL)
        return fail(error, RPCRDMA_XDR_E_UNION, "proc", -1);
    if (!put_prefix(&put, length, &prefix) || !put_answers(&put, lists, returned, &full))
        return fail_space(error, length);
    if (full.list != NULL)
        return fail(error, RPCRDMA_XDR_E_BOUND, full.list, full.index);
    return put.p - (uint8_t *)buf;
}
