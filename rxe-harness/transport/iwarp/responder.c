// SPDX-License-Identifier: BSD-3-Clause
/* The peer's requests (RFC 5040, 5 and 7; RFC 5041, 5 to 7). */
#include "rxe-harness/transport/iwarp/socket.h"

#include "conformance/input/buffer/octets.h"

#include <stdlib.h>
#include <string.h>

/* A segment of the peer's, whole. */
struct iwarp_request {
    struct ddp_segment segment;
    const uint8_t *ulpdu;
    size_t length;
};

static bool refuse(struct iwarp_socket *own, const struct iwarp_request *request,
                   enum reason reason)
{
    iwarp_socket_refuse(own, reason, request->ulpdu, request->length);
    return false;
}

/* An access that is not allowed is DDP's to find for an RDMA Write, RDMAP's for a Read. */
static bool refuse_access(struct iwarp_socket *own, const struct iwarp_request *request,
                          enum fault fault)
{
    bool is_write = request->segment.tagged;
    if (fault == FAULT_ACCESS) /* DDP has no code for it */
        return refuse(own, request, RDMAP_ACCESS);
    if (fault == FAULT_BOUNDS)
        return refuse(own, request, is_write ? DDP_BOUNDS : RDMAP_BOUNDS);
    return refuse(own, request, is_write ? DDP_HANDLE : RDMAP_HANDLE);
}

/* ---- Send ---- */

static bool invalidates(uint8_t opcode)
{
    return opcode == OP_SEND_INVALIDATE || opcode == OP_SEND_SOLICITED_INVALIDATE;
}

static bool begin_send(struct iwarp_socket *own, const struct iwarp_request *request)
{
    struct iwarp_responder *responder = &own->responder;
    const struct ddp_segment *segment = &request->segment;
    if (segment->number != responder->sends)
        return refuse(own, request, DDP_NUMBER);
    if (own->end.taken >= own->end.receives)
        return refuse(own, request, DDP_NO_BUFFER);
    responder->building = happening_new(own->end.receive_size);
    if (responder->building == NULL)
        return refuse(own, request, RDMAP_CATASTROPHE);
    responder->building->is_send = true;
    responder->building_opcode = segment->opcode;
    return true;
}

static void end_send(struct iwarp_socket *own, const struct iwarp_request *request)
{
    struct happening *send = own->responder.building;
    end_place(&own->end);
    if (invalidates(request->segment.opcode)) {
        if (!end_invalidate(&own->end, request->segment.handle)) {
            refuse(own, request, RDMAP_INVALIDATE);
            return;
        }
        send->invalidated = true;
        send->handle = request->segment.handle;
    }
    own->responder.building = NULL;
    own->responder.sends++;
    own->end.taken++;
    end_tell(&own->end, send);
}

static void take_send(struct iwarp_socket *own, const struct iwarp_request *request)
{
    const struct iwarp_responder *responder = &own->responder;
    const struct ddp_segment *segment = &request->segment;
    if (responder->building == NULL && !begin_send(own, request))
        return;
    struct happening *send = responder->building;
    if (segment->number != responder->sends)
        refuse(own, request, DDP_NUMBER);
    else if (segment->opcode != responder->building_opcode)
        refuse(own, request, RDMAP_OPCODE);
    else if (segment->message_offset != send->length)
        refuse(own, request, DDP_PLACE);
    else if (segment->length > own->end.receive_size - send->length)
        refuse(own, request, DDP_TOO_LONG);
    else {
        memcpy(send->octets + send->length, segment->payload, segment->length);
        send->length += segment->length;
        if (segment->last)
            end_send(own, request);
    }
}

/* ---- RDMA Write ---- */

static void tell_write(struct iwarp_socket *own)
{
    struct iwarp_write *write = &own->responder.write;
    if (write->under_way && (own->end.written || write->length == 0))
        end_written(&own->end, own->end.written, write->handle, write->offset, write->length);
    write->under_way = false;
    own->end.written = NULL;
}

static void take_write(struct iwarp_socket *own, const struct iwarp_request *request)
{
    const struct ddp_segment *segment = &request->segment;
    struct iwarp_write *write = &own->responder.write;
    enum fault fault;
    struct exposed *memory = end_find(&own->end, segment->handle, segment->offset, segment->length,
                                      LINK_PEER_WRITES, &fault);
    if (memory == NULL && segment->length > 0) {
        refuse_access(own, request, fault);
        return;
    }
    if (write->under_way &&
        (segment->handle != write->handle || segment->offset != write->offset + write->length))
        tell_write(own);
    if (!write->under_way)
        *write = (struct iwarp_write){true, segment->handle, segment->offset, 0};
    if (segment->length > 0) {
        own->end.written = memory;
        end_write(&own->end, memory, segment->offset, segment->payload, segment->length);
        write->length += segment->length;
    }
    if (segment->last)
        tell_write(own);
}

/* ---- RDMA Read ---- */

static void take_read(struct iwarp_socket *own, const struct iwarp_request *request, bool silent)
{
    struct iwarp_responder *responder = &own->responder;
    const struct ddp_segment *segment = &request->segment;
    const uint8_t *p = segment->payload;
    if (segment->number != responder->reads) {
        refuse(own, request, DDP_NUMBER);
        return;
    }
    if (segment->message_offset != 0 || segment->length < READ_REQUEST_SIZE) {
        refuse(own, request, DDP_PLACE);
        return;
    }
    if (segment->length > READ_REQUEST_SIZE || !segment->last) {
        refuse(own, request, DDP_TOO_LONG);
        return;
    }
    if (responder->due_count == READS_SERVED) {
        refuse(own, request, DDP_NO_BUFFER);
        return;
    }
    const struct iwarp_read read = {.sink_handle = load_be32(p),
                                    .sink_offset = load_be64(p + 4),
                                    .length = load_be32(p + 12),
                                    .handle = load_be32(p + 16),
                                    .offset = load_be64(p + 20)};
    enum fault fault;
    const struct exposed *memory =
        end_find(&own->end, read.handle, read.offset, read.length, LINK_PEER_READS, &fault);
    if (memory == NULL && read.length > 0) {
        refuse_access(own, request, fault);
        return;
    }
    end_place(&own->end);
    responder->reads++;
    responder->due[(responder->due_first + responder->due_count++) % READS_SERVED] = read;
    if (silent)
        return;
    end_tell_access(&own->end, false, read.handle, read.offset,
                    memory ? memory->octets + (read.offset - memory->offset) : NULL, read.length);
}

bool iwarp_responder_put(struct iwarp_socket *own)
{
    struct iwarp_responder *responder = &own->responder;
    struct iwarp_read *read = &responder->due[responder->due_first];
    size_t left = responder->due_count > 0 ? read->length - read->sent : 0;
    size_t part = left < own->ulpdu_max - TAGGED_SIZE ? left : own->ulpdu_max - TAGGED_SIZE;
    enum fault fault;
    if (responder->due_count == 0 || !fpdu_fits(&own->out, TAGGED_SIZE + part + TERMINATE_ROOM))
        return false;
    const struct exposed *memory =
        end_find(&own->end, read->handle, read->offset + read->sent, part, LINK_PEER_READS, &fault);
    if (memory == NULL && part > 0) { /* hidden in the middle of it */
        iwarp_socket_refuse(own, RDMAP_HANDLE, NULL, 0);
        return false;
    }
    iwarp_put_tagged(&own->out, OP_READ_RESPONSE, part == left, read->sink_handle,
                     read->sink_offset + read->sent,
                     part > 0 ? memory->octets + (read->offset + read->sent - memory->offset)
                              : (const uint8_t *)"",
                     part);
    read->sent += (uint32_t)part;
    if (part == left) {
        responder->due_first = (responder->due_first + 1) % READS_SERVED;
        responder->due_count--;
    }
    return true;
}

/* ---- Terminate ---- */

static void take_terminate(struct iwarp_socket *own, const struct ddp_segment *segment)
{
    uint16_t reason = segment->length >= 2 ? (uint16_t)load_be16(segment->payload) : UINT16_MAX;
    own->end.starved = reason == DDP_NO_BUFFER;
    end_fail(&own->end, reason_theirs(reason));
}

/* ---- all ---- */

/* What is wrong with a header that ddp_parse() does not take. */
static enum reason wrong_header(const uint8_t *ulpdu, size_t length)
{
    bool tagged = length > 0 && ulpdu[0] & DDP_TAGGED;
    if (length < (tagged ? (size_t)TAGGED_SIZE : (size_t)UNTAGGED_SIZE))
        return RDMAP_OPCODE;
    if ((ulpdu[0] & DDP_VERSION_MASK) != DDP_VERSION)
        return tagged ? DDP_BAD_VERSION : DDP_UNTAGGED_VERSION;
    if ((ulpdu[1] & RDMAP_VERSION_MASK) != RDMAP_VERSION)
        return RDMAP_BAD_VERSION;
    return !tagged && load_be32(ulpdu + 6) > QUEUE_TERMINATE ? DDP_QUEUE : RDMAP_OPCODE;
}

/* What is no message of the upper layer's. An empty RDMA Read is one of those that are served. */
static bool is_greeting(const struct iwarp_socket *own, const struct ddp_segment *segment)
{
    static const int opcodes[] = {
        [GREETING_SEND] = OP_SEND, [GREETING_WRITE] = OP_WRITE, [GREETING_READ] = OP_READ_REQUEST};
    const uint8_t *p = segment->payload;
    bool is_read = segment->opcode == OP_READ_REQUEST && segment->length == READ_REQUEST_SIZE;
    return !own->begun && !own->terms.active && own->terms.greeting != GREETING_NONE &&
           segment->opcode == opcodes[own->terms.greeting] &&
           (is_read ? load_be32(p + 12) : segment->length) == 0;
}

void iwarp_responder_take(struct iwarp_socket *own, const uint8_t *ulpdu, size_t length)
{
    struct iwarp_request request = {.ulpdu = ulpdu, .length = length};
    if (!ddp_parse(ulpdu, length, length, &request.segment)) {
        refuse(own, &request, wrong_header(ulpdu, length));
        return;
    }
    bool greets = is_greeting(own, &request.segment);
    own->begun = true;
    if (greets && request.segment.opcode != OP_READ_REQUEST) {
        own->responder.sends += request.segment.opcode == OP_SEND;
        return;
    }
    switch (request.segment.opcode) {
    case OP_WRITE:
        take_write(own, &request);
        break;
    case OP_READ_REQUEST:
        take_read(own, &request, greets);
        break;
    case OP_READ_RESPONSE:
        iwarp_requester_take(own, &request.segment, ulpdu, length);
        break;
    case OP_TERMINATE:
        take_terminate(own, &request.segment);
        break;
    default:
        take_send(own, &request);
    }
}
