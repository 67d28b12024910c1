// SPDX-License-Identifier: BSD-3-Clause
/*
 * The version 1 codec against the one that rpcgen makes of the same XDR: random headers of every
 * shape give the same octets and the same values, in both directions.
 *
 * ORACLE_HEADERS (default 1,000,000) says how many, ORACLE_SEED where to begin.
 */
#include "codec/tests/support/shape.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM (1 << 16)

static uint64_t number_from(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

/* Mostly small counts, now and then up to 40. */
static uint32_t some(uint64_t *seed)
{
    uint64_t r = shape_random(seed);
    uint32_t most = r % 64 == 0 ? 41 : r % 8 == 0 ? 9 : 4;
    return (uint32_t)(r >> 32) % most;
}

static void make(struct shape *shape, uint64_t *seed)
{
    uint64_t r = shape_random(seed);
    shape->xid = (uint32_t)r;
    shape->version = r >> 40 & 7 ? 1 : (uint32_t)(r >> 32);
    shape->credit = (uint32_t)shape_random(seed);
    shape->procedure = (uint32_t)(shape_random(seed) >> 8) % 10;
    if (shape->procedure > 4)
        shape->procedure &= 1; /* the two that carry chunk lists are most of them */
    shape->align = (uint32_t)shape_random(seed);
    shape->thresh = (uint32_t)shape_random(seed);
    shape->error = 1 + (uint32_t)(shape_random(seed) >> 9) % 2;
    shape->low = (uint32_t)shape_random(seed);
    shape->high = (uint32_t)shape_random(seed);
    shape->read_count = some(seed);
    shape->write_count = some(seed);
    for (uint32_t i = 0; i < shape->write_count; i++)
        shape->writes[i].count = some(seed);
    shape->has_reply = shape_random(seed) >> 11 & 1;
    shape->reply.count = shape->has_reply ? some(seed) : 0;
    shape_fill(shape, seed);
}

/* Compared without Check's assertions: they are too slow for millions. */
#define SAME(a, b)                                                                                 \
    do {                                                                                           \
        if ((a) != (b))                                                                            \
            ck_abort_msg("seed 0x%" PRIx64 ": %s is not %s", begun, #a, #b);                       \
    } while (0)

static void compare_segments(uint64_t begun, const struct rpcrdma1_segment_array *own,
                             const struct rpcrdma1_segment *want, uint32_t count)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(own);
    struct rpcrdma1_segment segment;
    SAME(own->count, count);
    for (uint32_t i = 0; i < count; i++) {
        SAME(rpcrdma1_segment_array_next(&iter, &segment), true);
        SAME(segment.handle, want[i].handle);
        SAME(segment.length, want[i].length);
        SAME(segment.offset, want[i].offset);
    }
    SAME(rpcrdma1_segment_array_next(&iter, &segment), false);
}

static void compare_lists(uint64_t begun, const struct shape *shape,
                          const struct rpcrdma1_read_list *reads,
                          const struct rpcrdma1_write_list *writes,
                          const struct rpcrdma1_write_chunk_opt *reply)
{
    struct rpcrdma1_read_segment read;
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(reads);
    SAME(reads->count, shape->read_count);
    for (uint32_t i = 0; i < shape->read_count; i++) {
        SAME(rpcrdma1_read_list_next(&iter, &read), true);
        SAME(read.position, shape->reads[i].position);
        SAME(read.target.handle, shape->reads[i].target.handle);
        SAME(read.target.length, shape->reads[i].target.length);
        SAME(read.target.offset, shape->reads[i].target.offset);
    }
    SAME(rpcrdma1_read_list_next(&iter, &read), false);
    iter = rpcrdma1_write_list_iter(writes);
    SAME(writes->count, shape->write_count);
    for (uint32_t i = 0; i < shape->write_count; i++) {
        SAME(rpcrdma1_write_list_next(&iter, &chunk), true);
        compare_segments(begun, &chunk.target, shape->writes[i].segments, shape->writes[i].count);
    }
    SAME(rpcrdma1_write_list_next(&iter, &chunk), false);
    SAME(reply->present, shape->has_reply);
    if (reply->present)
        compare_segments(begun, &reply->value.target, shape->reply.segments, shape->reply.count);
}

static void compare(uint64_t begun, const struct shape *shape, const struct rpcrdma1_header *header)
{
    const struct rpcrdma1_body *body = &header->rdma_body;
    SAME(header->rdma_xid, shape->xid);
    SAME(header->rdma_vers, shape->version);
    SAME(header->rdma_credit, shape->credit);
    SAME((uint32_t)body->proc, shape->procedure);
    switch (body->proc) {
    case RPCRDMA1_MSG:
        compare_lists(begun, shape, &body->rdma_msg.rdma_reads, &body->rdma_msg.rdma_writes,
                      &body->rdma_msg.rdma_reply);
        break;
    case RPCRDMA1_NOMSG:
        compare_lists(begun, shape, &body->rdma_nomsg.rdma_reads, &body->rdma_nomsg.rdma_writes,
                      &body->rdma_nomsg.rdma_reply);
        break;
    case RPCRDMA1_MSGP:
        SAME(body->rdma_msgp.rdma_align, shape->align);
        SAME(body->rdma_msgp.rdma_thresh, shape->thresh);
        compare_lists(begun, shape, &body->rdma_msgp.rdma_reads, &body->rdma_msgp.rdma_writes,
                      &body->rdma_msgp.rdma_reply);
        break;
    case RPCRDMA1_DONE:
        break;
    case RPCRDMA1_ERROR:
        SAME((uint32_t)body->rdma_error.err, shape->error);
        if (body->rdma_error.err == RPCRDMA1_ERR_VERS) {
            SAME(body->rdma_error.range.rdma_vers_low, shape->low);
            SAME(body->rdma_error.range.rdma_vers_high, shape->high);
        }
        break;
    }
}

static void one(struct shape *shape, uint64_t begun, uint8_t *own, uint8_t *reference)
{
    struct rpcrdma1_header header, decoded;
    rdma_msg message;
    XDR xdr;
    size_t octets = shape_octets(shape);

    /* Ours and theirs write the same octets. */
    shape_own(shape, &header);
    shape_reference(shape, &message);
    SAME(rpcrdma1_header_size(&header, NULL), (ptrdiff_t)octets);
    SAME(rpcrdma1_header_encode(own, octets, &header, NULL), (ptrdiff_t)octets);
    xdrmem_create(&xdr, (char *)reference, ROOM, XDR_ENCODE);
    SAME(xdr_rdma_msg(&xdr, &message), TRUE);
    SAME(xdr_getpos(&xdr), octets);
    SAME(memcmp(own, reference, octets), 0);

    /* Ours reads theirs, with a payload after it, and writes it back. */
    SAME(rpcrdma1_header_decode(&decoded, reference, octets + 8, NULL, NULL), (ptrdiff_t)octets);
    compare(begun, shape, &decoded);
    memset(own, 0xee, octets);
    SAME(rpcrdma1_header_encode(own, octets, &decoded, NULL), (ptrdiff_t)octets);
    SAME(memcmp(own, reference, octets), 0);

    /* Theirs reads ours and means the same. */
    memset(&message, 0, sizeof message);
    xdrmem_create(&xdr, (char *)own, (u_int)octets, XDR_DECODE);
    SAME(xdr_rdma_msg(&xdr, &message), TRUE);
    SAME(xdr_getpos(&xdr), octets);
    xdrmem_create(&xdr, (char *)own, ROOM, XDR_ENCODE);
    SAME(xdr_rdma_msg(&xdr, &message), TRUE);
    SAME(memcmp(own, reference, octets), 0);
    xdr_free((xdrproc_t)xdr_rdma_msg, &message);
}

START_TEST(same_octets_and_values)
{
    static struct shape shape;
    static uint8_t own[ROOM], reference[ROOM];
    uint64_t seed = number_from("ORACLE_SEED", 0x8166);
    uint64_t count = number_from("ORACLE_HEADERS", 1000000);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t begun = seed;
        make(&shape, &seed);
        one(&shape, begun, own, reference);
    }
    printf("%" PRIu64 " headers\n", count);
}
END_TEST

/* Every combination of the corners, which chance may take long to find. */
START_TEST(every_corner)
{
    static struct shape shape;
    static uint8_t own[ROOM], reference[ROOM];
    static const uint32_t counts[] = {0, 1, 3, 4, 5, 40};
    uint64_t seed = 0x5666, begun = 0;
    for (uint32_t procedure = 0; procedure <= 4; procedure++)
        for (int r = 0; r < 6; r++)
            for (int w = 0; w < 6; w++)
                for (int s = 0; s < 6; s++)
                    for (int reply = -1; reply < 6; reply++) {
                        shape.version = 1;
                        shape.procedure = procedure;
                        shape.error = 1 + (uint32_t)r % 2;
                        shape.read_count = counts[r];
                        shape.write_count = counts[w];
                        for (uint32_t i = 0; i < counts[w]; i++)
                            shape.writes[i].count = counts[s];
                        shape.has_reply = reply >= 0;
                        shape.reply.count = reply >= 0 ? counts[reply] : 0;
                        shape_fill(&shape, &seed);
                        one(&shape, begun, own, reference);
                        begun++;
                    }
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("rpcgen");
    tcase_set_timeout(all, 600);
    tcase_add_test(all, same_octets_and_values);
    tcase_add_test(all, every_corner);
    return run_tests("oracle", all);
}
