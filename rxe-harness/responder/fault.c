// SPDX-License-Identifier: BSD-3-Clause
/* What a Responder can do wrong with its RDMA operations, which no proxy can do for it. */
#include "rxe-harness/responder/work.h"

#include <stdlib.h>
#include <string.h>

/* A Write that comes after the Reply. */
struct late_write {
    struct late_write *next;
    uint32_t handle;
    uint64_t offset;
    size_t length;
    uint8_t octets[];
};

/* RFC 8166 2.3.2: RDMA Writes are not ordered among themselves. Zeros first, then the data. */
static bool write_twice(struct link *link, const struct rpcrdma1_segment *segment,
                        const uint8_t *octets, size_t length)
{
    uint8_t *zeros = calloc(length, 1);
    bool good = zeros && link->ops->write(link, segment->handle, segment->offset, zeros, length) &&
                link->ops->write(link, segment->handle, segment->offset, octets, length);
    free(zeros);
    return good;
}

static bool write_later(struct responder *responder, const struct rpcrdma1_segment *segment,
                        const uint8_t *octets, size_t length)
{
    struct late_write *late = malloc(sizeof *late + length);
    if (late == NULL)
        return false;
    *late = (struct late_write){.next = responder->late,
                                .handle = segment->handle,
                                .offset = segment->offset,
                                .length = length};
    memcpy(late->octets, octets, length);
    responder->late = late;
    return true;
}

bool responder_write(struct responder *responder, const struct rpcrdma1_segment *segment,
                     const uint8_t *octets, size_t length)
{
    struct link *link = responder->link;
    if (responder->fault == RESPONDER_RELIES_ON_WRITE_ORDER)
        return write_twice(link, segment, octets, length);
    if (responder->fault == RESPONDER_ANSWERS_BEFORE_WRITES)
        return write_later(responder, segment, octets, length);
    return link->ops->write(link, segment->handle, segment->offset, octets, length);
}

void responder_write_late(struct responder *responder)
{
    struct link *link = responder->link;
    for (struct late_write *next; responder->late; responder->late = next) {
        struct late_write *late = responder->late;
        next = late->next;
        if (link)
            link->ops->write(link, late->handle, late->offset, late->octets, late->length);
        free(late);
    }
}

/* ---- work requests that are lost ---- */

/*
 * Work requests of a device hold few segments, and a chunk of more takes another one. The
 * completion of that one is lost three times, of Calls that came in two such chunks: as the first
 * is read; then as the Reply to one is written into a third such chunk; then as one is refused by
 * an RDMA_ERROR. From then on what completes is taken for that of another Call.
 */
#define WORK_REQUEST 3 /* segments */

static bool loses(const struct served_call *work, unsigned lost)
{
    const struct responder *responder = work->responder;
    return responder->fault == RESPONDER_LOSES_WORK_REQUESTS && responder->lost == lost;
}

static unsigned segments_of(const struct served_call *work, bool at_zero)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&work->message.chunks.rdma_reads);
    struct rpcrdma1_read_segment segment;
    unsigned count = 0;
    while (rpcrdma1_read_list_next(&iter, &segment))
        count += (segment.position == 0) == at_zero;
    return count;
}

static bool comes_in_two(const struct served_call *work)
{
    return segments_of(work, true) > WORK_REQUEST && segments_of(work, false) > WORK_REQUEST;
}

void responder_lose_read(struct served_call *work)
{
    if (loses(work, 0) && comes_in_two(work))
        work->responder->lost = 1;
}

void responder_lose_write(struct served_call *work, const struct rpcrdma1_segment_array *filled)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(filled);
    struct rpcrdma1_segment segment;
    unsigned used = 0;
    while (rpcrdma1_segment_array_next(&iter, &segment))
        used += segment.length > 0;
    if (loses(work, 1) && used > WORK_REQUEST && comes_in_two(work))
        work->responder->lost = 2;
}

void responder_lose_error(struct served_call *work)
{
    if (loses(work, 2) && comes_in_two(work))
        work->responder->lost = 3;
}

void responder_mix_up(struct served_call *work)
{
    if (loses(work, 3))
        rpcrdma_xdr_store32(work->responder->reply, work->message.prefix.xid - 1);
}

void responder_commit(struct responder *responder, enum responder_fault fault)
{
    responder->fault = fault;
}
