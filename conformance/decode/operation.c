// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/decode/operation.h"

#include "conformance/describe/json.h"
#include "conformance/decode/place.h"
#include "conformance/decode/decode_json.h"

#include <rpcrdma/private_data.h>

#include <inttypes.h>

enum { OCTETS_A_LINE = 32 };

static void print_memory(FILE *out, const char *what, const struct rpcrdma_event *event)
{
    fprintf(out, "%s of %zu octets, handle 0x%08" PRIx32 ", offset 0x%" PRIx64, what, event->length,
            event->handle, event->offset);
}

void operation_print(FILE *out, const struct rpcrdma_event *event)
{
    char text[160];
    switch (event->type) {
    case RPCRDMA_EVENT_RDMA_READ:
        print_memory(out, "RDMA Read", event);
        break;
    case RPCRDMA_EVENT_RDMA_WRITE:
        print_memory(out, "RDMA Write", event);
        break;
    case RPCRDMA_EVENT_REFUSED:
        print_memory(out, event->is_read ? "refused RDMA Read" : "refused RDMA Write", event);
        break;
    case RPCRDMA_EVENT_ATOMIC:
        fprintf(out, "atomic operation, handle 0x%08" PRIx32 ", offset 0x%" PRIx64, event->handle,
                event->offset);
        break;
    case RPCRDMA_EVENT_PRIVATE_DATA:
        private_data_text(event->data ? event->data : "", event->data ? event->length : 0, text,
                          sizeof text);
        fprintf(out, "private data of %zu octets: %s", event->length, text);
        break;
    case RPCRDMA_EVENT_NOT_READY:
        fputs("RNR NAK: no receive buffer for a Send", out);
        break;
    case RPCRDMA_EVENT_DISCONNECT:
        fputs("disconnect", out);
        break;
    case RPCRDMA_EVENT_REGISTERED:
        snprintf(text, sizeof text, "registration (%s)", access_name(event->access));
        print_memory(out, text, event);
        break;
    case RPCRDMA_EVENT_INVALIDATED:
        fprintf(out, "invalidation, handle 0x%08" PRIx32, event->handle);
        break;
    case RPCRDMA_EVENT_COMPLETED:
        fprintf(out, "completion, XID 0x%08" PRIx32, event->xid);
        break;
    case RPCRDMA_EVENT_GAP:
        fputs("shows that something before it was not seen, in either direction", out);
        break;
    case RPCRDMA_EVENT_SEND:
        break;
    }
}

void operation_octets(FILE *out, const struct rpcrdma_event *event, size_t most, const char *indent)
{
    const uint8_t *octets = event->data;
    size_t length = octets == NULL ? 0 : event->length < most ? event->length : most;
    for (size_t i = 0; i < length; i++) {
        const char *before = i % OCTETS_A_LINE == 0 ? indent : i % 4 == 0 ? " " : "";
        fprintf(out, "%s%s%02x", i > 0 && i % OCTETS_A_LINE == 0 ? "\n" : "", before,
                (unsigned)octets[i]);
    }
    if (length > 0)
        fputs(length < event->length ? " ...\n" : "\n", out);
}

static void put_private_data(struct json *json, const struct rpcrdma_event *event)
{
    struct rpcrdma_private_data data;
    const void *octets = event->data ? event->data : "";
    size_t length = event->data ? event->length : 0;
    json_hex(json, "octets", octets, length);
    if (rpcrdma_private_data_find(&data, octets, length) != 0) {
        json_none(json, "message");
        return;
    }
    json_open(json, "message", '{');
    json_unsigned(json, "offset", data.offset);
    json_unsigned(json, "version", data.version);
    json_truth(json, "remoteInvalidation", data.remote_invalidation);
    json_unsigned(json, "sendSize", data.send_size);
    json_unsigned(json, "receiveSize", data.receive_size);
    json_close(json, '}');
}

static void put_memory(struct json *json, const struct rpcrdma_event *event)
{
    char offset[24]; /* many readers of JSON hold numbers as doubles, which end at 2^53 */
    snprintf(offset, sizeof offset, "0x%" PRIx64, event->offset);
    json_unsigned(json, "handle", event->handle);
    if (event->type == RPCRDMA_EVENT_INVALIDATED)
        return;
    json_text(json, "offset", offset);
    if (event->type == RPCRDMA_EVENT_REGISTERED)
        json_text(json, "access", access_name(event->access));
    else if (event->type == RPCRDMA_EVENT_REFUSED)
        json_text(json, "operation", event->is_read ? "read" : "write");
    else if (event->type == RPCRDMA_EVENT_RDMA_WRITE && event->missing > 0)
        json_unsigned(json, "missing", event->missing);
}

void operation_json(FILE *out, const struct source_event *event)
{
    struct json json = {.out = out};
    enum rpcrdma_event_type type = event->event.type;
    json_open(&json, NULL, '{');
    origin_json(&json, event_type_name(type), event);
    if (type == RPCRDMA_EVENT_PRIVATE_DATA)
        put_private_data(&json, &event->event);
    else if (type == RPCRDMA_EVENT_COMPLETED)
        json_unsigned(&json, "xid", event->event.xid);
    else if (type != RPCRDMA_EVENT_DISCONNECT && type != RPCRDMA_EVENT_NOT_READY &&
             type != RPCRDMA_EVENT_GAP)
        put_memory(&json, &event->event);
    json_close(&json, '}');
    json_line(&json);
}
