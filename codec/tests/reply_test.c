// SPDX-License-Identifier: BSD-3-Clause
/*
 * Headers made without arrays of values: Replies out of the views of their Calls, for all vectors
 * and with random lengths, beside what rpcgen's codec makes of the same octets; Calls out of lists
 * that a caller keeps.
 */
#include "codec/tests/support/octets.h"
#include "codec/tests/support/shape.h"
#include "conformance/tests/support/neighbours/stories.h"
#include "codec/tests/support/run_suite.h"

enum { ROOM = 1 << 15, CHUNKS = 64 };

static uint64_t seed = 0x8166;
static unsigned replies, calls, equal;

/* ---- the same by rpcgen ---- */

/* From the first segment on; what has no room is left. */
static uint64_t set_lengths(xdr_write_chunk *chunk, uint64_t octets, bool unused_is_empty)
{
    if (octets == 0 && unused_is_empty)
        chunk->target.target_len = 0;
    for (u_int i = 0; i < chunk->target.target_len; i++) {
        xdr_rdma_segment *segment = &chunk->target.target_val[i];
        segment->length = segment->length < octets ? segment->length : (uint32_t)octets;
        octets -= segment->length;
    }
    return octets;
}

/* The Reply to a Call, in octets; 0: a chunk has no room. */
static size_t reference(const uint8_t *call, size_t length, uint32_t credit,
                        const struct rpcrdma1_returned *returned, uint8_t *reply)
{
    XDR xdr;
    rdma_msg message;
    uint64_t left = 0;
    memset(&message, 0, sizeof message);
    xdrmem_create(&xdr, (char *)(uintptr_t)call, (u_int)length, XDR_DECODE);
    ck_assert(xdr_rdma_msg(&xdr, &message));
    rdma_body *body = &message.rdma_body;
    rpc_rdma_header *lists = &body->rdma_body_u.rdma_msg;
    xdr_read_list *reads = lists->rdma_reads;
    uint32_t i = 0;
    for (xdr_write_list *write = lists->rdma_writes; write; write = write->next, i++)
        left += set_lengths(&write->entry, i < returned->write_count ? returned->writes[i] : 0,
                            returned->unused_is_empty);
    for (; i < returned->write_count; i++)
        left += returned->writes[i];
    left += lists->rdma_reply ? set_lengths(lists->rdma_reply, returned->reply, false)
                              : returned->reply;
    message.rdma_credit = credit;
    body->proc = returned->reply > 0 ? RDMA_NOMSG : RDMA_MSG;
    lists->rdma_reads = NULL;
    xdrmem_create(&xdr, (char *)reply, ROOM, XDR_ENCODE);
    ck_assert(xdr_rdma_msg(&xdr, &message));
    lists->rdma_reads = reads;
    xdr_free((xdrproc_t)xdr_rdma_msg, &message);
    return left > 0 ? 0 : xdr_getpos(&xdr);
}

/* ---- Replies ---- */

static void check_reply(const uint8_t *call, size_t length, uint32_t credit,
                        const struct rpcrdma1_returned *returned, const char *id)
{
    static uint8_t wanted[ROOM], zeros[ROOM];
    struct rpcrdma1_header header;
    struct rpcrdma_xdr_error error;
    ck_assert_int_gt(rpcrdma1_header_decode(&header, call, length, NULL, NULL), 0);
    size_t n = reference(call, length, credit, returned, wanted);
    size_t size = (size_t)rpcrdma1_reply_size(&header);
    ck_assert_msg(n == 0 || n == size || (n < size && returned->unused_is_empty),
                  "%s: %zu octets, not %zu", id, size, n);
    uint8_t *room = exact(zeros, size);
    ptrdiff_t result = rpcrdma1_reply_encode(room, size, &header, credit, returned, &error);
    if (n > 0) {
        ck_assert_msg(result == (ptrdiff_t)n, "%s: %td, not %zu", id, result, n);
        ck_assert_msg(memcmp(room, wanted, n) == 0, "%s: other octets", id);
    } else {
        ck_assert_msg(result == RPCRDMA_XDR_E_BOUND, "%s: %td", id, result);
        ck_assert_int_eq(error.code, RPCRDMA_XDR_E_BOUND);
    }
    drop(room);
}

/* Octets for which the chunk has room; now and then one more, or none. */
static uint64_t some_octets(const struct rpcrdma1_segment_array *segments)
{
    uint64_t room = rpcrdma1_segments_length(segments), random = shape_random(&seed);
    return random % 16 == 0 ? room + 1 : random % 4 == 1 ? room : (random >> 8) % (room + 1);
}

static void check_call(const uint8_t *call, size_t length, const char *id)
{
    struct rpcrdma1_header header;
    const struct rpcrdma1_chunk_lists *lists;
    if (rpcrdma1_header_decode(&header, call, length, NULL, NULL) < 0 ||
        (lists = rpcrdma1_chunks(&header)) == NULL || header.rdma_vers != RPCRDMA_VERSION_1)
        return;
    for (unsigned round = 0; round < 20; round++) {
        uint64_t writes[CHUNKS];
        struct rpcrdma1_returned returned = {.writes = writes};
        struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&lists->rdma_writes);
        struct rpcrdma1_write_chunk chunk;
        while (returned.write_count < CHUNKS - 1 && rpcrdma1_write_list_next(&iter, &chunk))
            writes[returned.write_count++] = some_octets(&chunk.target);
        returned.unused_is_empty = round % 3 == 0;
        if (round % 4 == 1)
            writes[returned.write_count++] = round % 8 == 1;
        else if (round % 4 == 2 && returned.write_count > 0)
            returned.write_count--;
        if (lists->rdma_reply.present)
            returned.reply = some_octets(&lists->rdma_reply.value.target);
        else
            returned.reply = round == 19;
        check_reply(call, length, round, &returned, id);
    }
    calls++;
}

/* What a Reply returns, by itself. */
static struct rpcrdma1_returned returned_by(const struct rpcrdma1_chunk_lists *call,
                                            const struct rpcrdma1_chunk_lists *lists,
                                            uint64_t writes[CHUNKS])
{
    struct rpcrdma1_returned returned = {.writes = writes};
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&lists->rdma_writes);
    struct rpcrdma_xdr_iter offered = rpcrdma1_write_list_iter(&call->rdma_writes);
    struct rpcrdma1_write_chunk chunk, offer;
    while (returned.write_count < CHUNKS && rpcrdma1_write_list_next(&iter, &chunk)) {
        writes[returned.write_count++] = rpcrdma1_segments_length(&chunk.target);
        if (rpcrdma1_write_list_next(&offered, &offer) && offer.target.count > 0)
            returned.unused_is_empty |= chunk.target.count == 0;
    }
    if (lists->rdma_reply.present)
        returned.reply = rpcrdma1_segments_length(&lists->rdma_reply.value.target);
    return returned;
}

static void check_answer(const struct rpcrdma_event *call, const struct rpcrdma_event *reply,
                         bool is_clean, const char *id)
{
    static uint8_t octets[ROOM];
    uint64_t writes[CHUNKS];
    struct rpcrdma1_header asked, answered;
    ptrdiff_t n = rpcrdma1_header_decode(&answered, reply->data, reply->length, NULL, NULL);
    if (rpcrdma1_header_decode(&asked, call->data, call->length, NULL, NULL) < 0 || n < 0 ||
        rpcrdma1_chunks(&asked) == NULL || rpcrdma1_chunks(&answered) == NULL ||
        asked.rdma_vers != RPCRDMA_VERSION_1 || answered.rdma_vers != RPCRDMA_VERSION_1)
        return;
    struct rpcrdma1_returned returned =
        returned_by(rpcrdma1_chunks(&asked), rpcrdma1_chunks(&answered), writes);
    check_reply(call->data, call->length, answered.rdma_credit, &returned, id);
    replies++;
    bool is_equal = rpcrdma1_reply_encode(octets, sizeof octets, &asked, answered.rdma_credit,
                                          &returned, NULL) == n &&
                    memcmp(octets, reply->data, (size_t)n) == 0;
    ck_assert_msg(is_equal || !is_clean, "%s: is answered otherwise", id);
    equal += is_equal;
}

/* The last Call before a Reply that has its XID, from the other side. */
static const struct rpcrdma_event *call_of(const struct story *story, unsigned reply)
{
    const struct rpcrdma_event *answer = &story->events[reply];
    for (unsigned i = reply; i-- > 0;) {
        const struct rpcrdma_event *event = &story->events[i];
        if (event->type == RPCRDMA_EVENT_SEND && event->from != answer->from &&
            event->length >= 4 && answer->length >= 4 && memcmp(event->data, answer->data, 4) == 0)
            return event;
    }
    return NULL;
}

static void check_story(struct story *story, const char *last)
{
    static _Alignas(max_align_t) uint8_t memory[1 << 22];
    (void)last;
    struct rpcrdma_check *check = rpcrdma_check_init(memory, sizeof memory, &story->config);
    ck_assert_ptr_nonnull(check);
    for (unsigned i = 0; i < story->count; i++) {
        const struct rpcrdma_event *event = &story->events[i], *call;
        struct rpcrdma_judgement judgement;
        rpcrdma_check_event(check, event, &judgement);
        if (event->type != RPCRDMA_EVENT_SEND || event->data == NULL || event->missing > 0 ||
            event->length > ROOM)
            continue;
        if (judgement.direction != RPCRDMA_REPLY)
            check_call(event->data, event->length, story->id);
        else if ((call = call_of(story, i)) != NULL)
            check_answer(call, event, judgement.count == 0, story->id);
    }
}

START_TEST(replies_of_vectors)
{
    stories_of_vectors(check_story);
    ck_assert_uint_gt(calls, 1000);
    ck_assert_uint_gt(replies, 500);
    ck_assert_uint_gt(equal, 450);
}
END_TEST

/* ---- what has no Reply ---- */

#define FIXED(proc) 7, 1, 32, proc
#define SEGMENT(octets) 0xa1, octets, 0, 4096

/* A Call with a Write list of two chunks, one of them empty, and a Reply chunk of 2^32 octets. */
static struct octets offer(void)
{
    return WORDS(FIXED(0), 1, 40, SEGMENT(9), 0, 1, 2, SEGMENT(100), SEGMENT(8), 1, 0, 0, 1, 2,
                 SEGMENT(0x80000000), SEGMENT(0x80000000));
}

static const struct {
    uint64_t writes[3], reply;
    ptrdiff_t result;
    const char *path;
} hostile[] = {
    {{108, 0, 0}, 0, 112, NULL},
    {{108, 0, 0}, 1ull << 32, 112, NULL},
    {{109, 0, 0}, 0, RPCRDMA_XDR_E_BOUND, "rdma_writes[0]"},
    {{UINT64_MAX, 0, 0}, 0, RPCRDMA_XDR_E_BOUND, "rdma_writes[0]"},
    {{1ull << 32, 0, 0}, 0, RPCRDMA_XDR_E_BOUND, "rdma_writes[0]"},
    {{1, 1, 0}, 0, RPCRDMA_XDR_E_BOUND, "rdma_writes[1]"},
    {{1, 0, 1}, 0, RPCRDMA_XDR_E_BOUND, "rdma_writes[2]"},
    {{109, 1, 1}, UINT64_MAX, RPCRDMA_XDR_E_BOUND, "rdma_writes[0]"},
    {{0, 0, 0}, (1ull << 32) + 1, RPCRDMA_XDR_E_BOUND, "rdma_reply"},
    {{0, 0, 0}, UINT64_MAX, RPCRDMA_XDR_E_BOUND, "rdma_reply"},
};

START_TEST(hostile_lengths)
{
    struct octets call = offer();
    struct rpcrdma1_header header;
    struct rpcrdma_xdr_error error;
    uint8_t room[256];
    char path[64];
    const struct rpcrdma1_returned returned = {hostile[_i].writes, 3, false, hostile[_i].reply};
    ck_assert_int_gt(rpcrdma1_header_decode(&header, call.at, call.length, NULL, NULL), 0);
    ck_assert_int_eq(rpcrdma1_reply_encode(room, sizeof room, &header, 1, &returned, NULL),
                     hostile[_i].result);
    ck_assert_int_eq(rpcrdma1_reply_encode(room, sizeof room, &header, 1, &returned, &error),
                     hostile[_i].result);
    if (hostile[_i].path != NULL) {
        rpcrdma_xdr_error_path(&error, path, sizeof path);
        ck_assert_str_eq(path, hostile[_i].path);
    } else {
        check_reply(call.at, call.length, 1, &returned, "hostile");
    }
}
END_TEST

static void check_rooms(const struct octets *call, size_t length)
{
    static const uint8_t zeros[256];
    const struct rpcrdma1_returned none = {0};
    struct rpcrdma1_header header;
    rpcrdma1_header_decode(&header, call->at, call->length, NULL, NULL);
    for (size_t room = 0; room <= length; room++) {
        struct rpcrdma_xdr_error error = {0};
        uint8_t *octets = exact(zeros, room);
        ck_assert_int_eq(rpcrdma1_reply_encode(octets, room, &header, 1, &none, &error),
                         room == length ? (ptrdiff_t)length : RPCRDMA_XDR_E_SPACE);
        ck_assert_int_eq(error.code, room == length ? 0 : RPCRDMA_XDR_E_SPACE);
        drop(octets);
    }
}

START_TEST(no_room_no_chunk_no_call)
{
    const struct rpcrdma1_returned none = {0}, some = {.reply = 4};
    struct octets call = offer(), no_reply_chunk = WORDS(FIXED(0), 0, 1, 1, SEGMENT(9), 0, 0),
                  plain = WORDS(FIXED(0), 0, 0, 0), done = WORDS(FIXED(3));
    struct rpcrdma1_header header;
    struct rpcrdma_xdr_error error;
    char path[64];
    check_rooms(&call, 112);
    check_rooms(&no_reply_chunk, 28 + 8 + 16);
    uint8_t octets[256];
    rpcrdma1_header_decode(&header, call.at, call.length, NULL, NULL);
    ck_assert_int_eq(
        rpcrdma1_reply_encode(octets, (size_t)INT32_MAX + 1, &header, 1, &none, &error),
        RPCRDMA_XDR_E_ARGUMENT);
    rpcrdma1_header_decode(&header, plain.at, plain.length, NULL, NULL);
    ck_assert_int_eq(rpcrdma1_reply_encode(octets, sizeof octets, &header, 1, &some, &error),
                     RPCRDMA_XDR_E_BOUND);
    rpcrdma_xdr_error_path(&error, path, sizeof path);
    ck_assert_str_eq(path, "rdma_reply");
    rpcrdma1_header_decode(&header, done.at, done.length, NULL, NULL);
    ck_assert_int_eq(rpcrdma1_reply_encode(octets, sizeof octets, &header, 1, &none, &error),
                     RPCRDMA_XDR_E_UNION);
    ck_assert_int_eq(rpcrdma1_reply_size(&header), RPCRDMA_XDR_E_UNION);
}
END_TEST

/* ---- Calls ---- */

/* Lists as a caller keeps them. */
struct kept {
    const struct shape *shape;
    uint32_t read, write, segment;
    bool in_reply;
};

static bool next_read(void *arg, struct rpcrdma1_read_segment *read)
{
    struct kept *kept = arg;
    if (kept->read == kept->shape->read_count)
        return false;
    *read = kept->shape->reads[kept->read++];
    return true;
}

static bool next_write(void *arg)
{
    struct kept *kept = arg;
    kept->segment = 0;
    return kept->write++ < kept->shape->write_count;
}

static bool begin_reply(void *arg)
{
    struct kept *kept = arg;
    kept->segment = 0;
    return kept->in_reply = kept->shape->has_reply;
}

static bool next_segment(void *arg, struct rpcrdma1_segment *segment)
{
    struct kept *kept = arg;
    const struct rpcrdma1_segment_array_counted *chunk =
        kept->in_reply ? &kept->shape->reply : &kept->shape->writes[kept->write - 1];
    if (kept->segment == chunk->count)
        return false;
    *segment = chunk->segments[kept->segment++];
    return true;
}

static const struct rpcrdma1_source kept_source = {next_read, next_write, begin_reply,
                                                   next_segment};

static ptrdiff_t encode_kept(const struct shape *shape, uint8_t *octets, size_t room)
{
    struct kept kept = {.shape = shape};
    struct rpcrdma_prefix prefix = {shape->xid, shape->version, shape->credit, shape->procedure};
    return rpcrdma1_call_encode(octets, room, &prefix, &kept_source, &kept, NULL);
}

START_TEST(calls_of_kept_lists)
{
    static struct shape shape;
    static uint8_t wanted[ROOM], zeros[ROOM];
    static rdma_msg message;
    for (unsigned round = 0; round < 2000; round++) {
        XDR xdr;
        uint64_t random = shape_random(&seed);
        shape.xid = (uint32_t)random;
        shape.version = 1;
        shape.credit = (uint32_t)(random >> 32);
        shape.procedure = random >> 20 & 1;
        shape.read_count = (uint32_t)(random >> 21) % 6;
        shape.write_count = (uint32_t)(random >> 24) % 6;
        for (uint32_t i = 0; i < shape.write_count; i++)
            shape.writes[i].count = (uint32_t)(shape_random(&seed) >> 12) % 40;
        shape.has_reply = random >> 27 & 1;
        shape.reply.count = shape.has_reply ? (uint32_t)(random >> 28) % 5 : 0;
        shape_fill(&shape, &seed);
        shape_reference(&shape, &message);
        xdrmem_create(&xdr, (char *)wanted, sizeof wanted, XDR_ENCODE);
        ck_assert(xdr_rdma_msg(&xdr, &message));
        size_t n = xdr_getpos(&xdr);
        uint8_t *octets = exact(zeros, n);
        ck_assert_int_eq(encode_kept(&shape, octets, n), (ptrdiff_t)n);
        ck_assert_mem_eq(octets, wanted, n);
        drop(octets);
        size_t less = random % n;
        octets = exact(zeros, less);
        ck_assert_int_eq(encode_kept(&shape, octets, less), RPCRDMA_XDR_E_SPACE);
        drop(octets);
    }
}
END_TEST

static bool for_ever(void *arg)
{
    ++*(unsigned *)arg;
    return true;
}

static bool segments_for_ever(void *arg, struct rpcrdma1_segment *segment)
{
    *segment = (struct rpcrdma1_segment){1, 2, 3};
    return for_ever(arg);
}

static bool reads_for_ever(void *arg, struct rpcrdma1_read_segment *read)
{
    *read = (struct rpcrdma1_read_segment){4, {1, 2, 3}};
    return for_ever(arg);
}

static bool no_segments(void *arg, struct rpcrdma1_segment *segment)
{
    (void)arg, (void)segment;
    return false;
}

/* The room ends each of them; a source of nothing is a header without chunks. */
START_TEST(sources_without_end)
{
    static const struct rpcrdma1_source sources[] = {
        {.next_read = reads_for_ever},
        {.next_write = for_ever, .next_segment = segments_for_ever},
        {.next_write = for_ever, .next_segment = no_segments},
        {.begin_reply = for_ever, .next_segment = segments_for_ever},
    };
    static const struct rpcrdma1_source nothing;
    struct rpcrdma_prefix prefix = {7, 1, 32, RPCRDMA1_MSG};
    struct rpcrdma_xdr_error error;
    uint8_t octets[1024];
    unsigned asked = 0;
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
        ck_assert_int_eq(
            rpcrdma1_call_encode(octets, sizeof octets, &prefix, &sources[i], &asked, &error),
            RPCRDMA_XDR_E_SPACE);
    ck_assert_uint_lt(asked, 4 * sizeof octets / 8);
    ck_assert_int_eq(rpcrdma1_call_encode(octets, 28, &prefix, &nothing, NULL, NULL), 28);
    prefix.procedure = RPCRDMA1_MSGP;
    ck_assert_int_eq(rpcrdma1_call_encode(octets, 28, &prefix, &nothing, NULL, &error),
                     RPCRDMA_XDR_E_UNION);
}
END_TEST

/* A view of values, which was never decoded, is answered as its octets are. */
START_TEST(call_of_values)
{
    static struct shape shape = {.xid = 7,
                                 .version = 1,
                                 .write_count = 2,
                                 .writes = {{.count = 3}, {.count = 1}},
                                 .has_reply = true,
                                 .reply = {.count = 2}};
    struct rpcrdma1_header values, decoded;
    uint8_t octets[512], replies_to[2][512];
    const uint64_t writes[] = {5000, 1};
    const struct rpcrdma1_returned returned = {writes, 2, false, 20};
    shape_fill(&shape, &seed);
    for (uint32_t i = 0; i < 3; i++)
        shape.writes[0].segments[i].length = 4096;
    shape.writes[1].segments[0].length = shape.reply.segments[0].length = 64;
    shape_own(&shape, &values);
    ptrdiff_t n = rpcrdma1_header_encode(octets, sizeof octets, &values, NULL);
    ck_assert_int_eq(rpcrdma1_header_decode(&decoded, octets, (size_t)n, NULL, NULL), n);
    ck_assert_int_eq(rpcrdma1_reply_size(&values), n);
    ck_assert_int_eq(rpcrdma1_reply_encode(replies_to[0], 512, &values, 1, &returned, NULL), n);
    ck_assert_int_eq(rpcrdma1_reply_encode(replies_to[1], 512, &decoded, 1, &returned, NULL), n);
    ck_assert_mem_eq(replies_to[0], replies_to[1], (size_t)n);
    values.rdma_body.rdma_msg.rdma_reply.value.target.count = 1u << 28; /* 2^32 octets */
    ck_assert_int_eq(rpcrdma1_reply_encode(octets, sizeof octets, &values, 1, &returned, NULL),
                     RPCRDMA_XDR_E_SPACE);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("reply");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, replies_of_vectors);
    tcase_add_loop_test(tests, hostile_lengths, 0, (int)(sizeof hostile / sizeof hostile[0]));
    tcase_add_test(tests, no_room_no_chunk_no_call);
    tcase_add_test(tests, calls_of_kept_lists);
    tcase_add_test(tests, sources_without_end);
    tcase_add_test(tests, call_of_values);
    return run_tests("reply", tests);
}
