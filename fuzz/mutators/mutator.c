// SPDX-License-Identifier: BSD-3-Clause
/*
 * Mutations of one Send. It is decoded by the generated codec into arrays, edited there, encoded
 * again, and sometimes damaged at a field that the walk by tables finds. What does not decode, or
 * is too large for the arrays, is mutated as plain octets.
 */
#include "fuzz/mutators/mutator.h"

#include "conformance/walk/walk.h"
#include "conformance/base/count.h"

#include <rpcrdma/rpcrdma.h>

#include <stdbool.h>
#include <string.h>

#define READS 48
#define WRITES 16
#define SEGMENTS 32

struct chunk {
    uint32_t count;
    struct rpcrdma1_segment segments[SEGMENTS];
};

/* A Send with chunk lists, taken apart. */
struct model {
    struct rpcrdma1_header header;
    uint32_t read_count, write_count;
    struct rpcrdma1_read_segment reads[READS];
    struct chunk writes[WRITES], reply;
    bool has_reply;
    struct rpcrdma1_write_chunk chunks[WRITES]; /* for the encoder: point into writes */
};

static const struct rpcrdma1_limits limits = {
    .read_list = READS, .write_chunk_target = SEGMENTS, .write_list = WRITES};

static bool one_in(struct chance *chance, uint32_t n)
{
    return chance_below(chance, n) == 0;
}

/* ---- words at the edges ---- */

static uint32_t some_word(struct chance *chance)
{
    static const uint32_t edges[] = {0,      1,          2,          3,          4,
                                     7,      20,         39,         40,         44,
                                     1023,   1024,       1025,       4096,       0x0fffffff,
                                     65536,  0x10000000, 0x10000001, 0x7fffffff, 0x80000000,
                                     100003, 0xfffffff8, 0xfffffffc, 0xfffffffe, 0xffffffff};
    if (one_in(chance, 4))
        return chance_below(chance, UINT32_MAX);
    return edges[chance_below(chance, COUNT(edges))];
}

static uint32_t near(struct chance *chance, uint32_t word)
{
    static const int32_t steps[] = {-4, -1, 1, 2, 3, 4, 24};
    if (one_in(chance, 2))
        return some_word(chance);
    return word + (uint32_t)steps[chance_below(chance, COUNT(steps))];
}

/* ---- taking apart and putting together ---- */

static void take_chunk(struct chunk *chunk, const struct rpcrdma1_segment_array *segments)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(segments);
    chunk->count = 0;
    while (chunk->count < SEGMENTS &&
           rpcrdma1_segment_array_next(&iter, &chunk->segments[chunk->count]))
        chunk->count++;
}

static void take_lists(struct model *model, const struct rpcrdma1_read_list *reads,
                       const struct rpcrdma1_write_list *writes,
                       const struct rpcrdma1_write_chunk_opt *reply)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(reads);
    struct rpcrdma1_write_chunk chunk;
    while (model->read_count < READS &&
           rpcrdma1_read_list_next(&iter, &model->reads[model->read_count]))
        model->read_count++;
    iter = rpcrdma1_write_list_iter(writes);
    while (model->write_count < WRITES && rpcrdma1_write_list_next(&iter, &chunk))
        take_chunk(&model->writes[model->write_count++], &chunk.target);
    model->has_reply = reply->present;
    if (reply->present)
        take_chunk(&model->reply, &reply->value.target);
}

/* Octets of the header, or a negative error. */
static ptrdiff_t take_apart(struct model *model, const uint8_t *data, size_t size)
{
    memset(model, 0, sizeof *model);
    const struct rpcrdma1_body *body = &model->header.rdma_body;
    ptrdiff_t length = rpcrdma1_header_decode(&model->header, data, size, &limits, NULL);
    if (length < 0)
        return length;
    if (body->proc == RPCRDMA1_MSGP)
        take_lists(model, &body->rdma_msgp.rdma_reads, &body->rdma_msgp.rdma_writes,
                   &body->rdma_msgp.rdma_reply);
    else if (body->proc <= RPCRDMA1_NOMSG)
        take_lists(model, &body->rdma_msg.rdma_reads, &body->rdma_msg.rdma_writes,
                   &body->rdma_msg.rdma_reply);
    return length;
}

static ptrdiff_t put_together(struct model *model, uint8_t *data, size_t max_size)
{
    struct rpcrdma1_body *body = &model->header.rdma_body;
    struct rpcrdma1_read_list reads = {.items = model->reads, .count = model->read_count};
    struct rpcrdma1_write_list writes = {.items = model->chunks, .count = model->write_count};
    struct rpcrdma1_write_chunk_opt reply = {
        .present = model->has_reply,
        .value.target = {.items = model->reply.segments, .count = model->reply.count}};
    for (uint32_t i = 0; i < model->write_count; i++)
        model->chunks[i].target = (struct rpcrdma1_segment_array){
            .items = model->writes[i].segments, .count = model->writes[i].count};
    if (body->proc == RPCRDMA1_MSGP)
        body->rdma_msgp = (struct rpcrdma1_chunk_lists_padded){
            body->rdma_msgp.rdma_align, body->rdma_msgp.rdma_thresh, reads, writes, reply};
    else if (body->proc <= RPCRDMA1_NOMSG)
        body->rdma_msg = (struct rpcrdma1_chunk_lists){reads, writes, reply};
    return rpcrdma1_header_encode(data, max_size, &model->header, NULL);
}

/* ---- edits of the lists ---- */

static void edit_segment(struct rpcrdma1_segment *segment, struct chance *chance)
{
    switch (chance_below(chance, 5)) {
    case 0:
        segment->handle = near(chance, segment->handle);
        break;
    case 1:
        segment->length = near(chance, segment->length);
        break;
    case 2:
        segment->offset += near(chance, 0);
        break;
    case 3: /* it ends where the address space does, or just after */
        segment->offset = UINT64_MAX - segment->length + chance_below(chance, 3);
        break;
    default: /* sums that wrap in 32 bits */
        segment->length = UINT32_MAX - chance_below(chance, 8);
        break;
    }
}

/* Room for an entry at `at` in an array; false if there is none. */
static bool open_gap(void *items, size_t item, uint32_t *count, uint32_t most, uint32_t at)
{
    uint8_t *first = items;
    if (*count >= most)
        return false;
    memmove(first + (at + 1) * item, first + at * item, (*count - at) * item);
    (*count)++;
    return true;
}

static void close_gap(void *items, size_t item, uint32_t *count, uint32_t at)
{
    uint8_t *first = items;
    (*count)--;
    memmove(first + at * item, first + (at + 1) * item, (*count - at) * item);
}

static void edit_reads(struct model *model, struct chance *chance)
{
    struct rpcrdma1_read_segment *reads = model->reads, swap;
    uint32_t *count = &model->read_count;
    uint32_t at = *count ? chance_below(chance, *count) : 0, half;
    uint32_t other = *count ? chance_below(chance, *count) : 0;
    uint32_t kind = *count ? chance_below(chance, 8) : 0;
    switch (kind) {
    case 0: /* add */
        if (open_gap(reads, sizeof *reads, count, READS, at))
            reads[at] = (struct rpcrdma1_read_segment){
                some_word(chance) & ~(uint32_t)3,
                {some_word(chance), some_word(chance), some_word(chance)}};
        break;
    case 1:
        close_gap(reads, sizeof *reads, count, at);
        break;
    case 2: /* twice */
        open_gap(reads, sizeof *reads, count, READS, at);
        break;
    case 3:
        swap = reads[at];
        reads[at] = reads[other];
        reads[other] = swap;
        break;
    case 4: /* split */
        half = reads[at].target.length / 2;
        if (open_gap(reads, sizeof *reads, count, READS, at)) {
            reads[at].target.length = half;
            reads[at + 1].target.length -= half;
            reads[at + 1].target.offset += half;
        }
        break;
    case 5:
        reads[at].position = near(chance, reads[at].position);
        break;
    case 6: /* into the chunk of another */
        reads[at].position = reads[other].position;
        break;
    default:
        edit_segment(&reads[at].target, chance);
        break;
    }
}

static void edit_chunk(struct chunk *chunk, struct chance *chance)
{
    struct rpcrdma1_segment *segments = chunk->segments, swap;
    uint32_t at = chunk->count ? chance_below(chance, chunk->count) : 0, half;
    uint32_t other = chunk->count ? chance_below(chance, chunk->count) : 0;
    switch (chunk->count ? chance_below(chance, 6) : 0) {
    case 0:
        if (open_gap(segments, sizeof *segments, &chunk->count, SEGMENTS, at))
            segments[at] =
                (struct rpcrdma1_segment){some_word(chance), some_word(chance), some_word(chance)};
        break;
    case 1:
        close_gap(segments, sizeof *segments, &chunk->count, at);
        break;
    case 2:
        open_gap(segments, sizeof *segments, &chunk->count, SEGMENTS, at);
        break;
    case 3:
        swap = segments[at];
        segments[at] = segments[other];
        segments[other] = swap;
        break;
    case 4:
        half = segments[at].length / 2;
        if (open_gap(segments, sizeof *segments, &chunk->count, SEGMENTS, at)) {
            segments[at].length = half;
            segments[at + 1].length -= half;
            segments[at + 1].offset += half;
        }
        break;
    default:
        edit_segment(&segments[at], chance);
        break;
    }
}

static void edit_writes(struct model *model, struct chance *chance)
{
    struct chunk *writes = model->writes, swap;
    uint32_t *count = &model->write_count;
    uint32_t at = *count ? chance_below(chance, *count) : 0;
    uint32_t other = *count ? chance_below(chance, *count) : 0;
    switch (*count ? chance_below(chance, 6) : 0) {
    case 0:
        if (open_gap(writes, sizeof *writes, count, WRITES, at)) {
            writes[at].count = 0;
            edit_chunk(&writes[at], chance);
        }
        break;
    case 1:
        close_gap(writes, sizeof *writes, count, at);
        break;
    case 2:
        open_gap(writes, sizeof *writes, count, WRITES, at);
        break;
    case 3:
        swap = writes[at];
        writes[at] = writes[other];
        writes[other] = swap;
        break;
    default:
        edit_chunk(&writes[at], chance);
        break;
    }
}

/* ---- edits of the fixed words ---- */

static void edit_fixed(struct model *model, struct chance *chance)
{
    static const uint32_t versions[] = {0, 1, 1, 1, 2, 7, 0xffffffff};
    struct rpcrdma1_header *header = &model->header;
    switch (chance_below(chance, 5)) {
    case 0:
        header->rdma_xid = near(chance, header->rdma_xid);
        break;
    case 1:
        header->rdma_vers = versions[chance_below(chance, COUNT(versions))];
        break;
    case 2:
        header->rdma_credit = near(chance, header->rdma_credit);
        break;
    case 3:
        header->rdma_body.rdma_error.err = (enum rpcrdma1_errcode)(1 + chance_below(chance, 2));
        header->rdma_body.rdma_error.range =
            (struct rpcrdma1_errvers){chance_below(chance, 4), chance_below(chance, 4)};
        header->rdma_body.proc = RPCRDMA1_ERROR;
        break;
    default:
        header->rdma_body.proc = (enum rpcrdma1_proc)chance_below(chance, 4);
        break;
    }
}

static void edit(struct model *model, struct chance *chance)
{
    switch (chance_below(chance, 8)) {
    case 0:
    case 1:
    case 2:
        edit_reads(model, chance);
        break;
    case 3:
    case 4:
        edit_writes(model, chance);
        break;
    case 5:
        model->has_reply = !one_in(chance, 3);
        edit_chunk(&model->reply, chance);
        break;
    default:
        edit_fixed(model, chance);
        break;
    }
}

/* ---- damage to the octets ---- */

struct choice {
    struct chance *chance;
    uint32_t seen;
    size_t offset;
    enum walk_kind kind;
    bool is_presence;
};

/* Each field with a word of its own is chosen with the same chance; those that tell a decoder how
 * to go on weigh more. */
static bool choose(void *arg, const struct walk_field *field)
{
    struct choice *choice = arg;
    uint32_t weight = field->is_presence || field->kind == WALK_COUNT ? 4 : 1;
    if (field->length < 4)
        return true;
    choice->seen += weight;
    if (chance_below(choice->chance, choice->seen) < weight) {
        choice->offset = field->offset;
        choice->kind = field->kind;
        choice->is_presence = field->is_presence;
    }
    return true;
}

size_t mutate_field(const struct xdr_type *type, uint8_t *data, size_t size, struct chance *chance)
{
    struct choice choice = {.chance = chance};
    rpcrdma_walk(type, data, size, choose, &choice, NULL);
    if (choice.seen == 0 || choice.offset + 4 > size)
        return size;
    uint8_t *at = data + choice.offset;
    uint32_t word = rpcrdma_xdr_load32(at);
    if (one_in(chance, 4)) {
        size_t cut = choice.offset + chance_below(chance, 5);
        return cut > 0 && cut <= size ? cut : size;
    }
    if (choice.is_presence)
        word = one_in(chance, 2) ? !word : one_in(chance, 2) ? 2 : some_word(chance);
    else if (choice.kind == WALK_COUNT && one_in(chance, 2))
        word |= 0x10000000; /* 16 times this is 0 in 32 bits */
    else
        word = near(chance, word);
    rpcrdma_xdr_store32(at, word);
    return size;
}

/* ---- what follows the header ---- */

/* The smallest Call and Reply. */
static const uint32_t rpc_call[] = {0, 0, 2, 100003, 3, 0, 0, 0, 0, 0};
static const uint32_t rpc_reply[] = {0, 1, 0, 0, 0, 0};

static size_t put_rpc(const struct model *model, uint8_t *data, size_t size, size_t max_size,
                      struct chance *chance)
{
    bool call = one_in(chance, 2);
    const uint32_t *words = call ? rpc_call : rpc_reply;
    size_t count = call ? sizeof rpc_call / 4 : sizeof rpc_reply / 4;
    if (max_size - size < 4 * count)
        return size;
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(data + size + 4 * i, i == 0 ? model->header.rdma_xid : words[i]);
    return size + 4 * count;
}

static size_t put_payload(const struct model *model, uint8_t *data, size_t size, size_t max_size,
                          const uint8_t *payload, size_t length, struct chance *chance)
{
    if (one_in(chance, 8))
        return put_rpc(model, data, size, max_size, chance);
    if (one_in(chance, 16))
        return size;
    if (length > max_size - size)
        length = max_size - size;
    if (length > 0)
        memcpy(data + size, payload, length);
    if (length >= 4 && one_in(chance, 4))
        rpcrdma_xdr_store32(data + size, model->header.rdma_xid);
    if (length > 0 && one_in(chance, 4))
        length = LLVMFuzzerMutate(data + size, length, max_size - size);
    return size + length;
}

size_t mutate_send(uint8_t *data, size_t size, size_t max_size, struct chance *chance)
{
    static struct model model;
    static uint8_t payload[65536];
    ptrdiff_t length = take_apart(&model, data, size);
    size_t rest = length < 0 ? 0 : size - (size_t)length;
    if (length < 0 || rest > sizeof payload || max_size < 16 || one_in(chance, 5))
        return LLVMFuzzerMutate(data, size, max_size);
    memcpy(payload, data + length, rest);
    for (uint32_t i = 1 + chance_below(chance, 3); i > 0; i--)
        edit(&model, chance);
    ptrdiff_t again = put_together(&model, data, max_size);
    if (again < 0) /* no room for it: nothing was written */
        return LLVMFuzzerMutate(data, size, max_size);
    size = put_payload(&model, data, (size_t)again, max_size, payload, rest, chance);
    return one_in(chance, 3) ? mutate_field(rpcrdma_walk_rpcrdma1_header, data, size, chance)
                             : size;
}
