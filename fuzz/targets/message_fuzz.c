// SPDX-License-Identifier: BSD-3-Clause
/*
 * Fuzz target: rpcrdma_message_decode(), for each version, against the generated decoders of the
 * type at hand, and against the walk by tables; the guess of a draft, which changes nothing of what
 * is decoded under a given one; a receiver, whose errors are errors of its draft.
 */
#include "fuzz/fuzz.h"

#include "conformance/walk/header.h"

#include <rpcrdma/message.h>
#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

enum { PREFIX = RPCRDMA2_07_HDR_PREFIX_SIZE, FIRST_WORD = 4 };

/* ---- by the generated decoders ---- */

static bool has_first_word(uint32_t type)
{
    return type == RPCRDMA2_07_CALL_MIDDLE || type == RPCRDMA2_07_CALL_INLINE ||
           type == RPCRDMA2_07_REPLY_MIDDLE || type == RPCRDMA2_07_REPLY_INLINE;
}

#define BODY(type, name)                                                                           \
    case RPCRDMA2_07_##type: {                                                                     \
        struct rpcrdma2_07_hdr_##name view;                                                        \
        return rpcrdma2_07_hdr_##name##_decode(&view, octets, length, NULL, error);                \
    }

static ptrdiff_t body_07(uint32_t type, const uint8_t *octets, size_t length,
                         struct rpcrdma_xdr_error *error)
{
    switch (type) {
        BODY(ERROR, error)
        BODY(CONNPROP_MIDDLE, connprop)
        BODY(CONNPROP_FINAL, connprop)
        BODY(CALL_EXTERNAL, call_external)
        BODY(CALL_MIDDLE, call_middle)
        BODY(CALL_INLINE, call_inline)
        BODY(REPLY_EXTERNAL, reply_external)
        BODY(REPLY_MIDDLE, reply_middle)
        BODY(REPLY_INLINE, reply_inline)
    case RPCRDMA2_07_GRANT:
        return 0;
    default:
        return RPCRDMA_XDR_E_UNION;
    }
}

static ptrdiff_t expected_07(const uint8_t *octets, size_t length, struct rpcrdma_xdr_error *error)
{
    struct rpcrdma2_07_hdr_prefix prefix;
    ptrdiff_t n = rpcrdma2_07_hdr_prefix_decode(&prefix, octets, length, NULL, error);
    if (n < 0)
        return n;
    uint32_t type = prefix.rdma_start.rdma_htype;
    n = body_07(type, octets + PREFIX, length - PREFIX, error);
    if (n < 0) {
        error->offset = type < RPCRDMA2_07_ERROR || type > RPCRDMA2_07_REPLY_INLINE
                            ? RPCRDMA2_07_HDR_PREFIX_AT_RDMA_START_RDMA_HTYPE
                            : error->offset + PREFIX;
        return n;
    }
    return n + PREFIX - (has_first_word(type) ? FIRST_WORD : 0);
}

static ptrdiff_t expected(enum rpcrdma_protocol protocol, const uint8_t *octets, size_t length,
                          struct rpcrdma_xdr_error *error)
{
    struct rpcrdma1_header header1;
    struct rpcrdma2_04_header header2;
    switch (protocol) {
    case RPCRDMA_PROTOCOL_1:
        return rpcrdma1_header_decode(&header1, octets, length, NULL, error);
    case RPCRDMA_PROTOCOL_2_04:
        return rpcrdma2_04_header_decode(&header2, octets, length, NULL, error);
    default:
        return expected_07(octets, length, error);
    }
}

/* ---- what is in the message ---- */

static uint32_t count_segments(const struct rpcrdma1_segment_array *target)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(target);
    struct rpcrdma1_segment segment;
    uint32_t count = 0;
    while (rpcrdma1_segment_array_next(&iter, &segment))
        count++;
    FUZZ_ASSERT(count == target->count);
    return count;
}

static uint32_t count_reads(const struct rpcrdma1_read_list *list)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(list);
    struct rpcrdma1_read_segment segment;
    uint32_t count = 0;
    while (rpcrdma1_read_list_next(&iter, &segment))
        count++;
    FUZZ_ASSERT(count == list->count);
    return count;
}

/* All segments of a message lie in its header. */
static void check_chunks(const struct rpcrdma_message *message)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&message->chunks.rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    uint32_t segments =
        count_reads(&message->call_chunk) + count_reads(&message->chunks.rdma_reads);
    uint32_t writes = 0;
    for (; rpcrdma1_write_list_next(&iter, &chunk); writes++)
        segments += count_segments(&chunk.target);
    FUZZ_ASSERT(writes == message->chunks.rdma_writes.count);
    if (message->chunks.rdma_reply.present)
        segments += count_segments(&message->chunks.rdma_reply.value.target);
    FUZZ_ASSERT(segments <= message->header / 16);
    FUZZ_ASSERT(message->kind == RPCRDMA_KIND_RPC || segments + writes == 0);
}

static void check_set(const struct rpcrdma_property_array *set, const uint8_t *octets,
                      const struct rpcrdma_message *message)
{
    struct rpcrdma_xdr_iter iter = rpcrdma_property_array_iter(set);
    struct rpcrdma_property property;
    uint32_t count = 0;
    fuzz_input = (struct fuzz_input){octets, message->header};
    for (; rpcrdma_property_array_next(&iter, &property); count++)
        fuzz_check_inside(property.value.data, property.value.length);
    FUZZ_ASSERT(count == set->count);
}

static void check_message(const struct rpcrdma_message *message, const uint8_t *octets)
{
    struct rpcrdma_prefix prefix;
    FUZZ_ASSERT(rpcrdma_prefix_load(&prefix, octets, message->header));
    FUZZ_ASSERT(memcmp(&prefix, &message->prefix, sizeof prefix) == 0);
    FUZZ_ASSERT(rpcrdma_type_name(message->protocol, prefix.procedure) != NULL);
    check_chunks(message);
    if (message->kind == RPCRDMA_KIND_ERROR)
        FUZZ_ASSERT(message->error.values <= 2 &&
                    message->header == 20 + 4 * (size_t)message->error.values);
    if (message->kind == RPCRDMA_KIND_PROPERTIES) {
        check_set(&message->properties.set, octets, message);
        check_set(&message->properties.other, octets, message);
    }
    if (message->kind == RPCRDMA_KIND_RPC && message->form == RPCRDMA_FORM_PIECE)
        FUZZ_ASSERT(rpcrdma_xdr_load32(octets + 16) == message->rpc.remaining);
}

/* ---- the walk ---- */

static void check_walk(enum rpcrdma_protocol protocol, const uint8_t *octets, size_t length,
                       ptrdiff_t n, const struct rpcrdma_xdr_error *error)
{
    struct fuzz_walk seen = {0, length};
    struct walk_error fault;
    ptrdiff_t walked = rpcrdma_walk_header(protocol, octets, length, fuzz_visit, &seen, &fault);
    if (n >= 0) {
        FUZZ_ASSERT(walked == n && seen.at == (size_t)n);
        return;
    }
    FUZZ_ASSERT(walked == -1);
    /* A run of fixed fields that does not fit is truncated, whatever its first fields hold. */
    if (error->code == RPCRDMA_XDR_E_TRUNCATED && fault.offset < error->offset)
        return;
    FUZZ_ASSERT(fault.code == error->code && fault.offset == error->offset);
}

/* ---- the guess ---- */

static void check_guess(const uint8_t *octets, size_t length)
{
    struct rpcrdma_message message;
    for (int first = 0; first < 2; first++) {
        bool sure = false, again = true;
        enum rpcrdma_protocol guess = rpcrdma_guess_draft(octets, length, first, &sure);
        FUZZ_ASSERT(guess == RPCRDMA_PROTOCOL_2_04 || guess == RPCRDMA_PROTOCOL_2_07);
        FUZZ_ASSERT(rpcrdma_guess_draft(octets, length, first, &again) == guess && again == sure);
        if (length < PREFIX) {
            FUZZ_ASSERT(!sure);
            continue;
        }
        /* Types that both drafts have are sure only where they decode. */
        uint32_t type = rpcrdma_xdr_load32(octets + 12);
        if (sure && type >= RPCRDMA2_07_ERROR && type <= RPCRDMA2_04_UPDPROP)
            FUZZ_ASSERT(rpcrdma_message_decode(&message, guess, octets, length, NULL) >= 0);
    }
}

/* ---- the receiver ---- */

static void check_receive(enum rpcrdma_protocol draft, const uint8_t *octets, size_t length,
                          ptrdiff_t decoded, enum rpcrdma_role role)
{
    uint8_t answer[RPCRDMA2_ERROR_MAX];
    struct rpcrdma_message message;
    struct rpcrdma_xdr_error error = {0};
    memset(&message, 0xa5, sizeof message);
    ptrdiff_t n = rpcrdma2_receive(&message, draft, octets, length, role, &error);
    if (n >= 0) {
        FUZZ_ASSERT(n == decoded);
        return;
    }
    FUZZ_ASSERT(error.code < 0 && error.offset <= length);
    if (n == RPCRDMA1_DISCARD)
        return;
    ptrdiff_t size = rpcrdma_error_encode(answer, sizeof answer, &message);
    FUZZ_ASSERT(rpcrdma_message_decode(&message, draft, answer, (size_t)size, NULL) == size);
    FUZZ_ASSERT(message.error.code == (uint32_t)(-1 - n) && memcmp(answer, octets, 8) == 0);
    FUZZ_ASSERT(rpcrdma2_receive(&message, draft, answer, (size_t)size, RPCRDMA_REQUESTER, NULL) ==
                size);
}

static void check_protocol(enum rpcrdma_protocol protocol, const uint8_t *octets, size_t length)
{
    struct rpcrdma_message message;
    struct rpcrdma_xdr_error error = {0}, other = {0};
    memset(&message, 0xa5, sizeof message);
    ptrdiff_t n = rpcrdma_message_decode(&message, protocol, octets, length, &error);
    FUZZ_ASSERT(n == expected(protocol, octets, length, &other));
    check_walk(protocol, octets, length, n, &error);
    for (int role = 0; role < 2 && rpcrdma_protocol_is_draft(protocol); role++)
        check_receive(protocol, octets, length, n, (enum rpcrdma_role)role);
    if (n < 0) {
        fuzz_check_error(&error, n, length);
        FUZZ_ASSERT(error.offset == other.offset);
        FUZZ_ASSERT(message.call_chunk.count == 0 && message.chunks.rdma_reads.count == 0);
        return;
    }
    FUZZ_ASSERT(message.protocol == protocol && message.header == (size_t)n);
    check_message(&message, octets);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > FUZZ_SIZE_MAX)
        return 0;
    check_protocol(RPCRDMA_PROTOCOL_1, data, size);
    check_protocol(RPCRDMA_PROTOCOL_2_04, data, size);
    check_protocol(RPCRDMA_PROTOCOL_2_07, data, size);
    check_guess(data, size);
    return 0;
}
