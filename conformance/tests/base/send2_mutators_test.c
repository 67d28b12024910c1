// SPDX-License-Identifier: BSD-3-Clause
/*
 * The mutators of a Send of version 2, and which mutator each target has: what they leave to that
 * of objects with a table, and to that of version 1, is noted.
 */
#include "fuzz/mutators/conversation.h"
#include "fuzz/mutators/version2/header.c"

#define LLVMFuzzerCustomMutator mutator_of_sends
size_t mutator_of_sends(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
#include "fuzz/mutators/mutator_send.c"
#undef LLVMFuzzerCustomMutator
#define LLVMFuzzerCustomMutator mutator_of_version2
size_t mutator_of_version2(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
#include "fuzz/mutators/mutator_version2.c"
#undef LLVMFuzzerCustomMutator
#define LLVMFuzzerCustomMutator mutator_of_rpc
size_t mutator_of_rpc(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
#include "fuzz/mutators/mutator_rpc.c"
#undef LLVMFuzzerCustomMutator

#include "codec/tests/support/octets.h"
#include "codec/tests/support/run_suite.h"
#include "conformance/base/count.h"

#include <check.h>

/* ---- the others ---- */

static unsigned plain;                      /* calls of libFuzzer's own mutation */
static const struct xdr_type *fields_of;    /* what was mutated by its table last, */
static size_t fields_size, fields_max_size; /* and in how much room */
static unsigned sends;                      /* calls of that of version 1 */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    ck_assert_uint_le(size, max_size);
    plain++;
    return size;
}

size_t mutate_fields(const struct xdr_type *type, uint8_t *data, size_t size, size_t max_size,
                     struct chance *chance)
{
    fields_of = type;
    fields_size = size;
    fields_max_size = max_size;
    return size;
}

size_t mutate_send(uint8_t *data, size_t size, size_t max_size, struct chance *chance)
{
    ck_assert_uint_lt(size, max_size);
    sends++;
    return size + 1;
}

enum { TRIES = 20000 };

#define READ(position, handle, length, offset) 1, position, handle, length, 0, offset
#define LISTS READ(4, 11, 24, 0x100), 0, 0

/* Of version 2: its type, its credits, and the lists between the two types of Calls. */
START_TEST(a_send_of_version_2)
{
    static const uint32_t send[] = {7, 2, 32, 10, 50, LISTS, 0, 99};
    static const uint32_t external[] = {7, 2, 32, 8, 50, LISTS, 0, 0};
    static const int32_t steps[] = {-65536, -16, -4, -2, -1, 1, 2, 4, 16, 65536};
    unsigned types[RPCRDMA2_07_REPLY_INLINE + 2] = {0}, credits[COUNT(steps)] = {0};
    unsigned rest[COUNT(steps)] = {0}, moved = 0, inlined = 0, fields = 0, whole = 0;
    uint8_t moved_to[80], inlined_to[80], octets[80];
    size_t length = store_words(moved_to, send, COUNT(send));
    memmove(moved_to + 24, moved_to + 20, length - 20);
    store_words(moved_to + 20, (const uint32_t[]){0}, 1);
    store_words(moved_to + 12, (const uint32_t[]){RPCRDMA2_07_CALL_EXTERNAL}, 1);
    store_words(inlined_to, external, COUNT(external));
    store_words(inlined_to + 12, (const uint32_t[]){RPCRDMA2_07_CALL_INLINE}, 1);
    struct chance chance = chance_from(41);
    plain = 0;
    for (unsigned i = 0; i < 4 * TRIES; i++) {
        uint32_t word[5];
        size_t size = store_words(octets, send, COUNT(send));
        fields_of = NULL;
        size = mutate_send2(octets, size, sizeof octets, &chance);
        if (fields_of) {
            bool is_whole = fields_of == rpcrdma_walk_rpcrdma2_04_header;
            ck_assert(is_whole || fields_of == rpcrdma_walk_rpcrdma2_07_hdr_call_inline);
            ck_assert_uint_eq(fields_size, is_whole ? length : length - PREFIX);
            ck_assert_uint_eq(fields_max_size, sizeof octets - (is_whole ? 0 : PREFIX));
            ck_assert_uint_eq(size, length);
            whole += is_whole;
            fields++;
        }
        for (unsigned k = 0; k < 5; k++)
            word[k] = rpcrdma_xdr_load32(octets + 4 * k);
        types[word[3]] += size == length && word[3] != 10;
        for (unsigned k = 0; k < COUNT(steps); k++) {
            credits[k] += word[2] == 32 + (uint32_t)steps[k];
            rest[k] += word[4] == 50 + (uint32_t)steps[k];
        }
        moved += size == length + 4 && memcmp(octets, moved_to, size) == 0;
        size = store_words(octets, external, COUNT(external));
        size = mutate_send2(octets, size, sizeof octets, &chance);
        inlined += memcmp(octets, inlined_to, size) == 0;
    }
    for (unsigned i = 0; i < COUNT(types); i++)
        ck_assert_msg(types[i] > TRIES / 2 / COUNT(types) / 2 || i == 10, "never of type %u", i);
    for (unsigned k = 0; k < COUNT(steps); k++) {
        is_about(credits[k], TRIES / 2 / COUNT(steps), "credits", k);
        is_about(rest[k], TRIES / 2 / COUNT(steps), "what remains", k);
    }
    is_about(moved, TRIES / 2, "moved", 0);
    is_about(inlined, TRIES / 2 + TRIES / 2 / COUNT(types), "inlined", 0);
    is_about(plain, TRIES, "octets", 0);
    is_about(fields, TRIES / 2 * 3, "fields", 0);
    is_about(whole, TRIES / 2 * 3 / 8, "fields of -04", 0);
}
END_TEST

START_TEST(bodies_of_version_2)
{
    static const struct xdr_type *const *const bodies[] = {
        [RPCRDMA2_07_ERROR] = &rpcrdma_walk_rpcrdma2_07_hdr_error,
        [RPCRDMA2_07_CONNPROP_MIDDLE] = &rpcrdma_walk_rpcrdma2_07_hdr_connprop,
        [RPCRDMA2_07_CONNPROP_FINAL] = &rpcrdma_walk_rpcrdma2_07_hdr_connprop,
        [RPCRDMA2_07_CALL_EXTERNAL] = &rpcrdma_walk_rpcrdma2_07_hdr_call_external,
        [RPCRDMA2_07_CALL_MIDDLE] = &rpcrdma_walk_rpcrdma2_07_hdr_call_middle,
        [RPCRDMA2_07_CALL_INLINE] = &rpcrdma_walk_rpcrdma2_07_hdr_call_inline,
        [RPCRDMA2_07_REPLY_EXTERNAL] = &rpcrdma_walk_rpcrdma2_07_hdr_reply_external,
        [RPCRDMA2_07_REPLY_MIDDLE] = &rpcrdma_walk_rpcrdma2_07_hdr_call_middle,
        [RPCRDMA2_07_REPLY_INLINE] = &rpcrdma_walk_rpcrdma2_07_hdr_reply_inline,
    };
    for (uint32_t type = 0; type < COUNT(bodies) + 2; type++)
        ck_assert_ptr_eq(body_of(type),
                         type < COUNT(bodies) && bodies[type] ? *bodies[type] : NULL);
    uint8_t octets[PREFIX + 8];
    store_words(octets, (const uint32_t[]){7, 2, 1, RPCRDMA2_07_CALL_INLINE, 0, 0}, 6);
    ck_assert(is_send2(octets, PREFIX) && !is_send2(octets, PREFIX - 1));
    ck_assert_uint_eq(move_lists(octets, sizeof octets, sizeof octets + 3), sizeof octets);
    ck_assert_uint_eq(rpcrdma_xdr_load32(octets + AT_TYPE), RPCRDMA2_07_CALL_INLINE);
    ck_assert_uint_eq(move_lists(octets, PREFIX + 3, sizeof octets), PREFIX + 3);
    store_words(octets + 4, (const uint32_t[]){1}, 1);
    ck_assert(!is_send2(octets, sizeof octets));
}
END_TEST

/* ---- targets ---- */

/* One that says version 2 is edited as such, half of the time; any other by the table of a type. */
START_TEST(of_version_2)
{
    enum { ROOTS = 9 };
    const struct xdr_type *const roots[ROOTS - 2] = {
        rpcrdma_walk_rpcrdma2_04_header,          rpcrdma_walk_rpcrdma2_07_hdr_error,
        rpcrdma_walk_rpcrdma2_07_hdr_connprop,    rpcrdma_walk_rpcrdma2_07_hdr_call_external,
        rpcrdma_walk_rpcrdma2_07_hdr_call_inline, rpcrdma_walk_rpcrdma2_07_hdr_reply_external,
        rpcrdma_walk_rpcrdma2_07_hdr_reply_inline};
    unsigned seen[ROOTS] = {0}, whole = 0;
    for (unsigned seed = 1; seed <= TRIES; seed++) {
        uint8_t octets[32] = {[7] = _i == 0 ? 1 : 2, [15] = RPCRDMA2_07_GRANT};
        fields_of = NULL;
        mutator_of_version2(octets, 20, sizeof octets, seed);
        whole += fields_of != NULL && fields_size == 20 && fields_max_size == sizeof octets;
        for (unsigned i = 0; i < COUNT(roots); i++)
            seen[i] += fields_of == roots[i];
    }
    ck_assert(_i == 0 ? whole == TRIES : whole < TRIES * 3 / 4 && whole > TRIES / 2);
    for (unsigned i = 1; i < COUNT(roots); i++)
        is_about(seen[i], TRIES / ROOTS / (_i == 0 ? 1 : 2), "root", i);
    ck_assert_uint_gt(seen[0], 2 * seen[1]);
}
END_TEST

START_TEST(of_version_1_and_of_rpc)
{
    unsigned messages = 0, credentials = 0;
    uint8_t octets[32] = {0};
    sends = 0;
    for (unsigned seed = 1; seed <= TRIES; seed++) {
        ck_assert_uint_eq(mutator_of_sends(octets, 20, sizeof octets, seed), 21);
        ck_assert_uint_eq(sends, seed);
        fields_of = NULL;
        ck_assert_uint_eq(mutator_of_rpc(octets, 20, sizeof octets, seed), 20);
        ck_assert(fields_size == 20 && fields_max_size == sizeof octets);
        messages += fields_of == rpcrdma_walk_rpcrdma_rpc_msg;
        credentials += fields_of == rpcrdma_walk_rpcrdma_gss_cred;
    }
    is_about(messages, TRIES / 4 * 3, "RPC message", 0);
    is_about(credentials, TRIES / 4, "credential of RPCSEC_GSS", 0);
}
END_TEST

/* ---- conversations as octets ---- */

static const uint8_t three[] = {'a', 'b', 'c'};
/* An event, and its octets as conversation.h has them. */
static const struct row {
    uint8_t octets[CONVERSATION_EVENT];
    struct rpcrdma_event event;
    bool carries;
} rows[] = {
    {{0, 5, 0, 3, 0, 0, 0, 7}, {.type = RPCRDMA_EVENT_SEND, .missing = 5, .handle = 7}, true},
    {{0x18, 127, 0, 3, [15] = 9},
     {.from = RPCRDMA_SERVER, .invalidate = true, .missing = 127, .offset = 9},
     true},
    {{0, 129, 0, 3}, {.type = RPCRDMA_EVENT_SEND, .missing = 128}, true},
    {{0, 130, 0, 3}, {.type = RPCRDMA_EVENT_SEND, .missing = 192}, true},
    {{0, 255, 0, 3}, {.type = RPCRDMA_EVENT_SEND, .missing = 8192}, true},
    {{1, 0, 0, 3, 1, 2, 3, 4, 0, 0, 0, 1, 0, 0, 0, 2},
     {.type = RPCRDMA_EVENT_RDMA_READ, .handle = 0x01020304, .offset = 0x100000002},
     true},
    {{0x2a, 0, 0x12, 0x34},
     {.type = RPCRDMA_EVENT_RDMA_WRITE, .from = RPCRDMA_SERVER, .length = 0x1234},
     false},
    {{0x21, 0, 0, 9}, {.type = RPCRDMA_EVENT_RDMA_READ, .length = 9}, false},
    {{3, 0, 0, 3}, {.type = RPCRDMA_EVENT_PRIVATE_DATA}, true},
    {{0x24}, {.type = RPCRDMA_EVENT_DISCONNECT}, false},
    {{0x2d}, {.type = RPCRDMA_EVENT_GAP, .from = RPCRDMA_SERVER}, false},
    {{6, 0, 0, 3}, {.type = RPCRDMA_EVENT_ATOMIC}, true},
    {{0x27, [15] = 6}, {.type = RPCRDMA_EVENT_NOT_READY, .received = 6}, false},
    {{0x70, 0, 0, 9, 0, 0, 0, 7},
     {.type = RPCRDMA_EVENT_REFUSED, .length = 9, .handle = 7, .is_read = true},
     false},
    {{0x61, 3, 0, 9}, {.type = RPCRDMA_EVENT_REGISTERED, .length = 9, .access = 3}, false},
    {{0x62, 0, 0, 0, 0, 0, 0, 7}, {.type = RPCRDMA_EVENT_INVALIDATED, .handle = 7}, false},
    {{0x63, 0, 0, 0, 0, 0, 0, 7}, {.type = RPCRDMA_EVENT_COMPLETED, .xid = 7}, false},
};

START_TEST(octets_of_an_event)
{
    const struct row *row = &rows[_i];
    struct rpcrdma_event event = row->event, read;
    uint8_t octets[64];
    size_t carried = row->carries ? sizeof three : 0, end = 4 + CONVERSATION_EVENT + carried;
    event.data = row->carries ? three : NULL;
    event.length = row->carries ? sizeof three : event.length;
    ck_assert_uint_eq(conversation_put(octets, 4, end - 1, &event), 4);
    ck_assert_uint_eq(conversation_put(octets, 4, end, &event), end);
    ck_assert_int_eq(memcmp(octets + 4, row->octets, CONVERSATION_EVENT), 0);
    ck_assert_int_eq(memcmp(octets + 4 + CONVERSATION_EVENT, three, carried), 0);
    const uint8_t *at = octets + 4;
    ck_assert(conversation_next(&at, octets + end, &read) && at == octets + end);
    ck_assert(read.type == event.type && read.from == event.from && read.length == event.length);
    ck_assert_uint_eq(read.missing, event.missing);
    ck_assert_ptr_eq(read.data, row->carries ? octets + 4 + CONVERSATION_EVENT : NULL);
    ck_assert(!event.invalidate || read.invalidate);
    ck_assert(!event.is_read || read.is_read);
    ck_assert(read.access == event.access || event.type != RPCRDMA_EVENT_REGISTERED);
    ck_assert_uint_eq(event.type == RPCRDMA_EVENT_COMPLETED ? read.xid : read.handle,
                      event.type == RPCRDMA_EVENT_COMPLETED ? event.xid : event.handle);
    ck_assert_uint_eq(event.type == RPCRDMA_EVENT_NOT_READY ? read.received : read.offset,
                      event.type == RPCRDMA_EVENT_NOT_READY ? event.received : event.offset);
    /* Where the octets end early, the event is shorter. */
    at = octets + 4;
    ck_assert(conversation_next(&at, octets + 4 + CONVERSATION_EVENT, &read));
    ck_assert(!row->carries || read.length == 0);
    at = octets + 4;
    ck_assert(!conversation_next(&at, octets + 3 + CONVERSATION_EVENT, &read));
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("version 2 and targets");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, a_send_of_version_2);
    tcase_add_test(tests, bodies_of_version_2);
    tcase_add_loop_test(tests, of_version_2, 0, 2);
    tcase_add_test(tests, of_version_1_and_of_rpc);
    tcase_add_loop_test(tests, octets_of_an_event, 0, COUNT(rows));
    return run_tests("mutators of version 2", tests);
}
