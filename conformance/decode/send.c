// SPDX-License-Identifier: BSD-3-Clause
/* The parts of a Send. */
#include "conformance/decode/send.h"

#include "conformance/base/count.h"

#include <rpcrdma/xdr.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What RFC 8166 fixes for all versions: four words, and the values of some procedures. */
enum { VERSION_AT = 4, PROCEDURE_AT = 12, FIXED_SIZE = 16 };
enum { PROCEDURE_MSG = 0, PROCEDURE_ERROR = 4 };

struct send send_of(const struct rpcrdma_event *event)
{
    return (struct send){
        .data = event->data ? event->data : (const void *)"",
        .length = event->data ? event->length : 0,
        .missing = event->missing,
    };
}

bool field_is_leaf(const struct walk_field *field)
{
    return field->kind != WALK_BEGIN && field->kind != WALK_END;
}

const char *procedure_name(uint32_t procedure)
{
    static const char *const names[] = {"RDMA_MSG", "RDMA_NOMSG", "RDMA_MSGP", "RDMA_DONE",
                                        "RDMA_ERROR"};
    return procedure < COUNT(names) ? names[procedure] : NULL;
}

static void set_fault(struct send *send, size_t offset, const char *field, const char *text)
{
    struct send_fault *fault = &send->fault;
    fault->found = true;
    fault->offset = offset;
    snprintf(fault->field, sizeof fault->field, "%s", field);
    snprintf(fault->text, sizeof fault->text, "%s", text);
}

static void set_walk_fault(struct send *send, size_t base, const struct walk_error *error)
{
    char text[160];
    if (error->code == RPCRDMA_XDR_E_TRUNCATED && send->missing > 0)
        snprintf(text, sizeof text, "the capture lacks the Send's last %zu octets", send->missing);
    else
        snprintf(text, sizeof text, "%s", rpcrdma_xdr_error_text(error->code));
    set_fault(send, base + error->offset, error->path, text);
}

/* Passes on what lies within the fixed words, and moves offsets to where the Send begins. */
struct relay {
    walk_visitor *visit;
    void *arg;
    size_t base, end;
    bool stopped; /* at `end` */
};

static bool relay(void *arg, const struct walk_field *field)
{
    struct relay *to = arg;
    if (field->offset >= to->end) {
        to->stopped = true;
        return false;
    }
    struct walk_field moved = *field;
    moved.offset += to->base;
    return to->visit(to->arg, &moved);
}

static ptrdiff_t walk_unknown_version(struct send *send, uint32_t version, walk_visitor *visit,
                                      void *arg)
{
    struct relay to = {.visit = visit, .arg = arg, .end = FIXED_SIZE};
    struct walk_error error = {0};
    rpcrdma_walk(rpcrdma_walk_rpcrdma1_header, send->data, send->length, relay, &to, &error);
    char text[128];
    snprintf(text, sizeof text,
             "version %" PRIu32 " is not known: no more than the first four words can be read",
             version);
    set_fault(send, VERSION_AT, "rdma_vers", text);
    return -1;
}

ptrdiff_t send_walk_header(struct send *send, walk_visitor *visit, void *arg)
{
    const struct xdr_type *type = rpcrdma_walk_rpcrdma1_header;
    if (send->length >= FIXED_SIZE) {
        uint32_t version = rpcrdma_xdr_load32(send->data + VERSION_AT);
        /* An RDMA_ERROR repeats the version that it rejects, and has the same form in all. */
        bool is_error = rpcrdma_xdr_load32(send->data + PROCEDURE_AT) == PROCEDURE_ERROR;
        if (version == 2)
            type = rpcrdma_walk_rpcrdma2_04_header;
        else if (version != 1 && !is_error)
            return walk_unknown_version(send, version, visit, arg);
    }
    struct walk_error error = {0};
    ptrdiff_t length = rpcrdma_walk(type, send->data, send->length, visit, arg, &error);
    if (length < 0 && error.code != 0)
        set_walk_fault(send, 0, &error);
    return length;
}

bool send_has_rpc(const struct send *send, ptrdiff_t header_length)
{
    return header_length >= FIXED_SIZE &&
           rpcrdma_xdr_load32(send->data + PROCEDURE_AT) == PROCEDURE_MSG;
}

ptrdiff_t send_walk_rpc(struct send *send, size_t offset, walk_visitor *visit, void *arg)
{
    struct relay to = {.visit = visit, .arg = arg, .base = offset, .end = SIZE_MAX};
    struct walk_error error = {0};
    ptrdiff_t length = rpcrdma_walk(rpcrdma_walk_rpcrdma_rpc_msg, send->data + offset,
                                    send->length - offset, relay, &to, &error);
    if (length < 0 && error.code != 0)
        set_walk_fault(send, offset, &error);
    return length;
}
