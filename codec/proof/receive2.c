// SPDX-License-Identifier: BSD-3-Clause
/*
 * A receiver of version 2 in one call, by either draft: a Send of any octets to either role. What
 * decodes is proved by message.c and by the decoders; here it is whatever it may be, and so are the
 * items of lists. That the error to send is set, and encoded within its room, WP proves.
 *
 * proof: codec/xdr.c codec/names.c
 * reaches: 55
 * quick: no
 * options: -eva-slevel 60 -eva-split-return full
 * options: -eva-slevel-function fault_of_rpc:10,rpcrdma2_is_message:10
 * options: -eva-slevel-function fault_of_properties:100,has_form:100
 * fault: prefix of a runt: codec/receive2.c s/prefix, octets, length)/prefix, octets, length + 9)/
 * fault: direction beyond the end: codec/receive2.c s/AT_DIRECTION + XDR_UNIT)/AT_DIRECTION)/
 * fault: a property of an octet: codec/receive2.c s/>= XDR_UNIT \&/> 0 \&/
 */
#define PROOF_ENTRIES 1
#define PROOF_WORDS 6
#include "codec/proof/received.h"

#include "codec/receive.c"
#include "codec/receive2.c"

/* The last octets of the object, so that one more is outside. */
bool rpcrdma_property_array_next(struct rpcrdma_xdr_iter *iter, struct rpcrdma_property *property)
{
    if (iter->left == 0)
        return false;
    iter->left--;
    property->id = (uint32_t)any;
    property->value.length = (uint32_t)Frama_C_interval_split(0, XDR_UNIT);
    property->value.data = proof_octets + (PROOF_LENGTH - property->value.length);
    return true;
}

static void set_properties(struct rpcrdma_property_array *set)
{
    set->wire = proof_octets;
    set->count = some();
    set->octets = some();
}

ptrdiff_t rpcrdma_message_decode(struct rpcrdma_message *message, enum rpcrdma_protocol draft,
                                 const void *octets, size_t length, struct rpcrdma_xdr_error *error)
{
    if (!rpcrdma_protocol_is_draft(draft))
        return RPCRDMA_XDR_E_ARGUMENT;
    message->protocol = draft;
    message->kind = RPCRDMA_KIND_RPC;
    message->form = RPCRDMA_FORM_INLINE;
    message->direction = RPCRDMA_DIRECTION_UNKNOWN;
    message->call_chunk = (struct rpcrdma1_read_list){.count = 0};
    message->chunks = (struct rpcrdma1_chunk_lists){.rdma_reads = {.count = 0}};
    if (any || length > INT32_MAX || !rpcrdma_prefix_load(&message->prefix, octets, length))
        return fail(length, error);
    message->kind = (enum rpcrdma_kind)Frama_C_interval_split(0, RPCRDMA_KIND_OPTIONAL);
    if (message->kind == RPCRDMA_KIND_RPC) {
        message->form = (enum rpcrdma_form)Frama_C_interval(0, RPCRDMA_FORM_SPECIAL);
        message->direction = (enum rpcrdma_direction)Frama_C_interval(0, RPCRDMA_REPLY);
        set_reads(&message->call_chunk);
        set_lists(&message->chunks);
    } else if (message->kind == RPCRDMA_KIND_ERROR) {
        message->error.code = some();
    } else if (message->kind == RPCRDMA_KIND_PROPERTIES) {
        set_properties(&message->properties.set);
    }
    message->header = (size_t)Frama_C_interval(PREFIX, (int)length);
    return (ptrdiff_t)message->header;
}

int main(void)
{
    struct rpcrdma_message message;
    struct rpcrdma_xdr_error error;
    enum rpcrdma_protocol draft = (enum rpcrdma_protocol)Frama_C_interval_split(1, 3);
    size_t length = some_length();
    uint8_t *octets = some_octets(length);
    length += any && length == PROOF_LENGTH;
    Frama_C_make_unknown((char *)&message, sizeof message);
    return rpcrdma2_receive(&message, draft, octets, length, (enum rpcrdma_role)any,
                            any ? &error : NULL) < 0;
}
