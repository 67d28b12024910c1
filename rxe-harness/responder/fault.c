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

void responder_commit(struct responder *responder, enum responder_fault fault)
{
    responder->fault = fault;
}
