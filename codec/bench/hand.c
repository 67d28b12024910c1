// SPDX-License-Identifier: BSD-3-Clause
/* A codec for the header of RFC 8166, written by hand. */
#include "codec/bench/hand.h"

enum { MSG, NOMSG, MSGP, DONE, ERROR };
enum { SEGMENT = 16, READ_ENTRY = 24 };

static uint32_t get32(const uint8_t *p)
{
    uint32_t word;
    __builtin_memcpy(&word, p, sizeof word);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap32(word) : word;
}

static uint64_t get64(const uint8_t *p)
{
    uint64_t word;
    __builtin_memcpy(&word, p, sizeof word);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap64(word) : word;
}

static void put32(uint8_t *p, uint32_t word)
{
    word = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap32(word) : word;
    __builtin_memcpy(p, &word, sizeof word);
}

static void put64(uint8_t *p, uint64_t word)
{
    word = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap64(word) : word;
    __builtin_memcpy(p, &word, sizeof word);
}

/* ---- decoding ---- */

/* Past a Read list, or NULL. */
static const uint8_t *skip_reads(struct hand_list *list, const uint8_t *p, const uint8_t *end)
{
    uint32_t count = 0;
    list->at = p;
    for (; end - p >= READ_ENTRY + 4 && get32(p) == 1; count++)
        p += READ_ENTRY;
    if (end - p < 4 || get32(p) != 0)
        return NULL;
    list->count = count;
    return p + 4;
}

static const uint8_t *skip_segments(const uint8_t *p, const uint8_t *end, uint32_t *count)
{
    if (end - p < 4)
        return NULL;
    *count = get32(p);
    p += 4;
    if (*count > (size_t)(end - p) / SEGMENT)
        return NULL;
    return p + (size_t)*count * SEGMENT;
}

static const uint8_t *skip_writes(struct hand_list *list, const uint8_t *p, const uint8_t *end)
{
    uint32_t count = 0, segments;
    list->at = p;
    for (; end - p >= 4 && get32(p) == 1; count++)
        if ((p = skip_segments(p + 4, end, &segments)) == NULL)
            return NULL;
    if (end - p < 4 || get32(p) != 0)
        return NULL;
    list->count = count;
    return p + 4;
}

static const uint8_t *skip_lists(struct hand_view *view, const uint8_t *p, const uint8_t *end)
{
    if ((p = skip_reads(&view->reads, p, end)) == NULL ||
        (p = skip_writes(&view->writes, p, end)) == NULL || end - p < 4)
        return NULL;
    uint32_t present = get32(p);
    p += 4;
    view->reply.at = present ? p + 4 : NULL;
    view->reply.count = 0;
    if (present == 0)
        return p;
    return present == 1 ? skip_segments(p, end, &view->reply.count) : NULL;
}

static const uint8_t *skip_error(struct hand_view *view, const uint8_t *p, const uint8_t *end)
{
    if (end - p < 4)
        return NULL;
    view->word[0] = get32(p);
    if (view->word[0] == RPCRDMA1_ERR_CHUNK)
        return p + 4;
    if (view->word[0] != RPCRDMA1_ERR_VERS || end - p < 12)
        return NULL;
    view->word[1] = get32(p + 4);
    view->word[2] = get32(p + 8);
    return p + 12;
}

static const uint8_t *skip_padded(struct hand_view *view, const uint8_t *p, const uint8_t *end)
{
    if (end - p < 8)
        return NULL;
    view->word[0] = get32(p);
    view->word[1] = get32(p + 4);
    return skip_lists(view, p + 8, end);
}

ptrdiff_t hand_decode(struct hand_view *view, const uint8_t *octets, size_t length)
{
    const uint8_t *end = octets + length, *p = octets + 16;
    if (length < 16)
        return -1;
    view->xid = get32(octets);
    view->version = get32(octets + 4);
    view->credit = get32(octets + 8);
    view->procedure = get32(octets + 12);
    if (view->procedure <= NOMSG)
        p = skip_lists(view, p, end);
    else if (view->procedure == MSGP)
        p = skip_padded(view, p, end);
    else if (view->procedure == ERROR)
        p = skip_error(view, p, end);
    else if (view->procedure != DONE)
        p = NULL;
    return p ? p - octets : -1;
}

/* ---- walking ---- */

static uint64_t sum_segments(const uint8_t *p, uint32_t count)
{
    uint64_t sum = 0;
    for (; count > 0; count--, p += SEGMENT)
        sum += get32(p) + (uint64_t)get32(p + 4) + get64(p + 8);
    return sum;
}

uint64_t hand_sum(const struct hand_view *view)
{
    uint64_t sum = 0;
    const uint8_t *p = view->reads.at;
    for (uint32_t i = 0; i < view->reads.count; i++, p += READ_ENTRY)
        sum += get32(p + 4) + (uint64_t)get32(p + 8) + get32(p + 12) + get64(p + 16);
    p = view->writes.at;
    for (uint32_t i = 0; i < view->writes.count; i++) {
        uint32_t count = get32(p + 4);
        sum += sum_segments(p + 8, count);
        p += 8 + (size_t)count * SEGMENT;
    }
    return sum + sum_segments(view->reply.at, view->reply.count);
}

/* ---- encoding ---- */

static uint8_t *put_segment(uint8_t *p, const struct rpcrdma1_segment *segment)
{
    put32(p, segment->handle);
    put32(p + 4, segment->length);
    put64(p + 8, segment->offset);
    return p + SEGMENT;
}

static uint8_t *put_chunk(uint8_t *p, const uint8_t *end, const struct rpcrdma1_write_chunk *chunk)
{
    uint32_t count = chunk->target.count;
    if (end - p < 8 || (size_t)(end - p) - 8 < (uint64_t)count * SEGMENT)
        return NULL;
    put32(p, 1);
    put32(p + 4, count);
    p += 8;
    for (uint32_t i = 0; i < count; i++)
        p = put_segment(p, &chunk->target.items[i]);
    return p;
}

static uint8_t *put_lists(uint8_t *p, const uint8_t *end, const struct rpcrdma1_chunk_lists *lists)
{
    uint32_t count = lists->rdma_reads.count;
    if (end - p < 12 || (size_t)(end - p) - 12 < (uint64_t)count * READ_ENTRY)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        const struct rpcrdma1_read_segment *read = &lists->rdma_reads.items[i];
        put32(p, 1);
        put32(p + 4, read->position);
        p = put_segment(p + 8, &read->target);
    }
    put32(p, 0);
    p += 4;
    for (uint32_t i = 0; i < lists->rdma_writes.count; i++)
        if ((p = put_chunk(p, end, &lists->rdma_writes.items[i])) == NULL)
            return NULL;
    if (end - p < 8)
        return NULL;
    put32(p, 0);
    p += 4;
    if (lists->rdma_reply.present)
        return put_chunk(p, end, &lists->rdma_reply.value);
    put32(p, 0);
    return p + 4;
}

static uint8_t *put_padded(uint8_t *p, const uint8_t *end,
                           const struct rpcrdma1_chunk_lists_padded *padded)
{
    const struct rpcrdma1_chunk_lists lists = {padded->rdma_reads, padded->rdma_writes,
                                               padded->rdma_reply};
    if (end - p < 8)
        return NULL;
    put32(p, padded->rdma_align);
    put32(p + 4, padded->rdma_thresh);
    return put_lists(p + 8, end, &lists);
}

static uint8_t *put_error(uint8_t *p, const uint8_t *end, const struct rpcrdma1_error *error)
{
    if (end - p < 4 || (error->err == RPCRDMA1_ERR_VERS && end - p < 12))
        return NULL;
    put32(p, error->err);
    if (error->err == RPCRDMA1_ERR_CHUNK)
        return p + 4;
    if (error->err != RPCRDMA1_ERR_VERS)
        return NULL;
    put32(p + 4, error->range.rdma_vers_low);
    put32(p + 8, error->range.rdma_vers_high);
    return p + 12;
}

ptrdiff_t hand_encode(uint8_t *octets, size_t length, const struct rpcrdma1_header *header)
{
    const uint8_t *end = octets + length;
    uint8_t *p = octets + 16;
    uint32_t procedure = header->rdma_body.proc;
    if (length < 16)
        return -1;
    put32(octets, header->rdma_xid);
    put32(octets + 4, header->rdma_vers);
    put32(octets + 8, header->rdma_credit);
    put32(octets + 12, procedure);
    if (procedure <= NOMSG)
        p = put_lists(p, end, &header->rdma_body.rdma_msg);
    else if (procedure == MSGP)
        p = put_padded(p, end, &header->rdma_body.rdma_msgp);
    else if (procedure == ERROR)
        p = put_error(p, end, &header->rdma_body.rdma_error);
    else if (procedure != DONE)
        p = NULL;
    return p ? p - octets : -1;
}
