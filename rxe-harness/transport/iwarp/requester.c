// SPDX-License-Identifier: BSD-3-Clause
/* Our requests on their way (RFC 5040, 4 and 5; RFC 5041, 5). */
#include "rxe-harness/transport/iwarp/socket.h"

#include <string.h>

/* ---- headers ---- */

void iwarp_put_tagged(struct fpdu_out *out, enum rdmap_opcode opcode, bool last, uint32_t handle,
                      uint64_t offset, const uint8_t *payload, size_t length)
{
    fpdu_begin(out, TAGGED_SIZE + length);
    fpdu_put_number(out, 1, DDP_TAGGED | (last ? DDP_LAST : 0) | DDP_VERSION);
    fpdu_put_number(out, 1, RDMAP_VERSION | opcode);
    fpdu_put_number(out, 4, handle);
    fpdu_put_number(out, 8, offset);
    fpdu_put(out, payload, length);
    fpdu_end(out);
}

void iwarp_put_untagged(struct fpdu_out *out, enum rdmap_opcode opcode, bool last,
                        uint32_t invalidate, uint32_t queue, uint32_t number, size_t at,
                        const uint8_t *payload, size_t length)
{
    fpdu_begin(out, UNTAGGED_SIZE + length);
    fpdu_put_number(out, 1, (last ? DDP_LAST : 0) | DDP_VERSION);
    fpdu_put_number(out, 1, RDMAP_VERSION | opcode);
    fpdu_put_number(out, 4, invalidate);
    fpdu_put_number(out, 4, queue);
    fpdu_put_number(out, 4, number);
    fpdu_put_number(out, 4, at);
    fpdu_put(out, payload, length);
    fpdu_end(out);
}

/* ---- out ---- */

/* A part of what is sent, after a header of this size; false: no room. */
static bool next_part(struct iwarp_socket *own, size_t header, size_t *part, bool *last)
{
    size_t left = own->end.work->length - own->requester.sent, most = own->ulpdu_max - header;
    *part = left < most ? left : most;
    *last = *part == left;
    return fpdu_fits(&own->out, header + *part + TERMINATE_ROOM);
}

static bool put_send(struct iwarp_socket *own)
{
    struct iwarp_requester *requester = &own->requester;
    const struct work *work = own->end.work;
    size_t part;
    bool last;
    if (!next_part(own, UNTAGGED_SIZE, &part, &last))
        return false;
    iwarp_put_untagged(&own->out, work->invalidate ? OP_SEND_INVALIDATE : OP_SEND, last,
                       work->invalidate ? *work->invalidate : 0, QUEUE_SEND, requester->sends,
                       requester->sent, work->from + requester->sent, part);
    requester->sent += part;
    requester->sends += last;
    if (last)
        end_done(&own->end);
    return true;
}

static bool put_write(struct iwarp_socket *own)
{
    struct iwarp_requester *requester = &own->requester;
    const struct work *work = own->end.work;
    size_t part;
    bool last;
    if (!next_part(own, TAGGED_SIZE, &part, &last))
        return false;
    iwarp_put_tagged(&own->out, OP_WRITE, last, work->handle, work->offset + requester->sent,
                     work->from + requester->sent, part);
    requester->sent += part;
    if (last)
        end_done(&own->end);
    return true;
}

static void store(uint8_t *to, unsigned size, uint64_t number)
{
    while (size-- > 0) {
        to[size] = (uint8_t)number;
        number >>= 8;
    }
}

/* Where a part of an RDMA Read begins. */
static size_t part_at(unsigned number)
{
    return (size_t)number * READ_PART;
}

static size_t part_length(const struct work *work, unsigned number)
{
    size_t left = work->length - part_at(number);
    return left < READ_PART ? left : READ_PART;
}

/* A Read without octets has one part. */
static unsigned parts_of(const struct work *work)
{
    return work->length > 0 ? (unsigned)((work->length - 1) / READ_PART + 1) : 1;
}

/* A request for the next part, as many at once as the peer serves. */
static bool put_read(struct iwarp_socket *own)
{
    struct iwarp_requester *requester = &own->requester;
    const struct work *work = own->end.work;
    uint8_t request[READ_REQUEST_SIZE];
    size_t at = part_at(requester->asked);
    if (own->terms.reads == 0 || work->length > UINT32_MAX) {
        end_fail(&own->end, own->terms.reads > 0 ? "an RDMA Read is too long"
                                                 : "the peer serves no RDMA Reads");
        return false;
    }
    if (requester->asked == parts_of(work) ||
        requester->asked - requester->came == own->terms.reads ||
        !fpdu_fits(&own->out, UNTAGGED_SIZE + sizeof request + TERMINATE_ROOM))
        return false;
    if (requester->asked == 0)
        requester->sink = requester->sink * 1664525 + 1013904223;
    store(request, 4, requester->sink);
    store(request + 4, 8, at);
    store(request + 12, 4, part_length(work, requester->asked));
    store(request + 16, 4, work->handle);
    store(request + 20, 8, work->offset + at);
    iwarp_put_untagged(&own->out, OP_READ_REQUEST, true, 0, QUEUE_READ_REQUEST, requester->reads++,
                       0, request, sizeof request);
    requester->asked++;
    return true;
}

bool iwarp_requester_put(struct iwarp_socket *own)
{
    if (own->end.work == NULL || !(own->begun || own->terms.active))
        return false;
    switch (own->end.work->kind) {
    case WORK_SEND:
        return put_send(own);
    case WORK_WRITE:
        return put_write(own);
    case WORK_READ:
        return put_read(own);
    }
    return false;
}

/* ---- in ---- */

void iwarp_requester_take(struct iwarp_socket *own, const struct ddp_segment *segment,
                          const uint8_t *ulpdu, size_t length)
{
    struct iwarp_requester *requester = &own->requester;
    const struct work *work = own->end.work;
    bool expected = work && work->kind == WORK_READ && requester->came < requester->asked;
    if (!expected || (segment->handle != requester->sink && segment->length > 0)) {
        iwarp_socket_refuse(own, DDP_HANDLE, ulpdu, length);
        return;
    }
    size_t end = part_at(requester->came) + part_length(work, requester->came);
    if (segment->length > 0 &&
        (segment->offset != requester->filled || segment->length > end - requester->filled)) {
        iwarp_socket_refuse(own, DDP_BOUNDS, ulpdu, length);
        return;
    }
    if (segment->length > 0)
        memcpy(work->to + requester->filled, segment->payload, segment->length);
    requester->filled += segment->length;
    if (!segment->last)
        return;
    if (requester->filled < end)
        iwarp_socket_refuse(own, RDMAP_UNSPECIFIED, ulpdu, length);
    else if (++requester->came == parts_of(work))
        end_done(&own->end);
}
