// SPDX-License-Identifier: BSD-3-Clause
/*
 * The codec of version 2 draft -04 against the one that rpcgen makes of the same XDR: random
 * headers of every type give the same octets and values, and octets changed at random are accepted
 * by ours only if theirs takes them.
 *
 * ORACLE_HEADERS (default 100,000) says how many, ORACLE_SEED where to begin.
 */
#include <rpcrdma/rpcrdma2_04.h>

/* The draft's msg_type is also one of libtirpc's RPC headers: take only its XDR. */
#include <rpc/types.h>
#include <rpc/xdr.h>
#define _TIRPC_RPC_H
#define CLIENT void
#define SVCXPRT void
#include "rpcrdma2_04.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 8192
#define MANY 6

static uint64_t seed, begun;

/* Compared without Check's assertions: they are slow. */
#define SAME(a, b)                                                                                 \
    do {                                                                                           \
        if ((a) != (b))                                                                            \
            ck_abort_msg("seed 0x%" PRIx64 ": %s is not %s", begun, #a, #b);                       \
    } while (0)

/* ---- random headers ---- */

struct store {
    struct rpcrdma2_04_read_segment reads[MANY];
    struct rpcrdma2_04_segment segments[MANY + 1][MANY];
    struct rpcrdma2_04_write_chunk writes[MANY];
    struct rpcrdma2_04_propval properties[MANY];
    uint32_t subset[2][MANY];
    uint8_t info[64];
};

static uint64_t number(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * 0x9e3779b97f4a7c15;
}

static uint32_t below(uint32_t bound)
{
    return (uint32_t)(number() >> 33) % bound;
}

static uint32_t some(void)
{
    return below(MANY + 1);
}

static struct rpcrdma2_04_segment some_segment(void)
{
    return (struct rpcrdma2_04_segment){(uint32_t)number(), (uint32_t)number(), number()};
}

static struct rpcrdma_xdr_opaque some_info(const struct store *s)
{
    return (struct rpcrdma_xdr_opaque){s->info + below(8), below(50)};
}

static void fill(struct store *s)
{
    for (size_t i = 0; i < sizeof s->info; i++)
        s->info[i] = (uint8_t)number();
    for (int i = 0; i <= MANY; i++)
        for (int j = 0; j < MANY; j++)
            s->segments[i][j] = some_segment();
    for (int i = 0; i < MANY; i++) {
        s->reads[i] = (struct rpcrdma2_04_read_segment){(uint32_t)number(), some_segment()};
        s->writes[i].rdma_target =
            (struct rpcrdma2_04_segment_array){.items = s->segments[i], .count = some()};
        s->properties[i] = (struct rpcrdma2_04_propval){(uint32_t)number(), some_info(s)};
        s->subset[0][i] = (uint32_t)number();
        s->subset[1][i] = (uint32_t)number();
    }
}

static void make_lists(struct rpcrdma2_04_chunk_lists *lists, const struct store *s)
{
    lists->rdma_direction = (enum rpcrdma2_04_msg_type)below(2);
    lists->rdma_inv_handle = (uint32_t)number();
    lists->rdma_reads = (struct rpcrdma2_04_read_list){.items = s->reads, .count = some()};
    lists->rdma_writes = (struct rpcrdma2_04_write_list){.items = s->writes, .count = some()};
    lists->rdma_reply.present = below(2);
    lists->rdma_reply.value.rdma_target =
        (struct rpcrdma2_04_segment_array){.items = s->segments[MANY], .count = some()};
}

static void make_error(struct rpcrdma2_04_error *error)
{
    error->rdma_err = (enum rpcrdma2_04_errcode)(1 + below(10));
    switch (error->rdma_err) {
    case RPCRDMA2_04_ERR_VERS:
        error->rdma_vrange = (struct rpcrdma2_04_err_vers){(uint32_t)number(), (uint32_t)number()};
        break;
    case RPCRDMA2_04_ERR_WRITE_RESOURCE:
        error->rdma_writers =
            (struct rpcrdma2_04_err_write){(uint32_t)number(), (uint32_t)number()};
        break;
    case RPCRDMA2_04_ERR_READ_CHUNKS:
    case RPCRDMA2_04_ERR_WRITE_CHUNKS:
        error->rdma_max_chunks = (uint32_t)number();
        break;
    case RPCRDMA2_04_ERR_SEGMENTS:
        error->rdma_max_segments = (uint32_t)number();
        break;
    case RPCRDMA2_04_ERR_REPLY_RESOURCE:
        error->rdma_length_needed = (uint32_t)number();
        break;
    default:
        break;
    }
}

static void make(struct rpcrdma2_04_header *header, struct store *s)
{
    static const enum rpcrdma2_04_proc procs[] = {
        RPCRDMA2_04_MSG,      RPCRDMA2_04_NOMSG,   RPCRDMA2_04_ERROR,   RPCRDMA2_04_OPTIONAL,
        RPCRDMA2_04_CONNPROP, RPCRDMA2_04_REQPROP, RPCRDMA2_04_RESPROP, RPCRDMA2_04_UPDPROP};
    fill(s);
    const rpcrdma2_04_propset properties = {.items = s->properties, .count = some()};
    const rpcrdma2_04_propsubset subset = {.items = s->subset[0], .count = some()},
                                 other = {.items = s->subset[1], .count = some()};
    *header = (struct rpcrdma2_04_header){.rdma_xid = (uint32_t)number(),
                                          .rdma_vers = (uint32_t)number(),
                                          .rdma_credit = (uint32_t)number()};
    struct rpcrdma2_04_body *body = &header->rdma_body;
    body->rdma_proc = procs[below(8)];
    switch (body->rdma_proc) {
    case RPCRDMA2_04_MSG:
    case RPCRDMA2_04_NOMSG:
        make_lists(&body->rdma_chunks, s);
        break;
    case RPCRDMA2_04_ERROR:
        make_error(&body->rdma_error);
        break;
    case RPCRDMA2_04_OPTIONAL:
        body->rdma_optional = (struct rpcrdma2_04_optional){(enum rpcrdma2_04_msg_type)below(2),
                                                            (uint32_t)number(), some_info(s)};
        break;
    case RPCRDMA2_04_CONNPROP:
        body->rdma_connprop = (struct rpcrdma2_04_connprop){properties, subset};
        break;
    case RPCRDMA2_04_REQPROP:
        body->rdma_reqprop = (struct rpcrdma2_04_reqprop){properties};
        break;
    case RPCRDMA2_04_RESPROP:
        body->rdma_resprop = (struct rpcrdma2_04_resprop){subset, other, properties};
        break;
    case RPCRDMA2_04_UPDPROP:
        body->rdma_updprop = (struct rpcrdma2_04_updprop){properties};
        break;
    }
}

/* ---- field by field ---- */

static void same_segment(const struct rpcrdma2_04_segment *own, const rpcrdma2_segment *theirs)
{
    SAME(own->rdma_handle, theirs->rdma_handle);
    SAME(own->rdma_length, theirs->rdma_length);
    SAME(own->rdma_offset, theirs->rdma_offset);
}

static void same_chunk(const struct rpcrdma2_04_write_chunk *own,
                       const rpcrdma2_write_chunk *theirs)
{
    struct rpcrdma_xdr_iter iter = rpcrdma2_04_segment_array_iter(&own->rdma_target);
    struct rpcrdma2_04_segment segment;
    u_int n = 0;
    for (; rpcrdma2_04_segment_array_next(&iter, &segment); n++) {
        SAME(n < theirs->rdma_target.rdma_target_len, true);
        same_segment(&segment, &theirs->rdma_target.rdma_target_val[n]);
    }
    SAME(n, theirs->rdma_target.rdma_target_len);
}

static void same_lists(const struct rpcrdma2_04_chunk_lists *own,
                       const rpcrdma2_chunk_lists *theirs)
{
    SAME((int)own->rdma_direction, (int)theirs->rdma_direction);
    SAME(own->rdma_inv_handle, theirs->rdma_inv_handle);
    const rpcrdma2_read_list *their_read = theirs->rdma_reads;
    struct rpcrdma_xdr_iter iter = rpcrdma2_04_read_list_iter(&own->rdma_reads);
    struct rpcrdma2_04_read_segment read;
    for (; rpcrdma2_04_read_list_next(&iter, &read); their_read = their_read->rdma_next) {
        SAME(their_read != NULL, true);
        SAME(read.rdma_position, their_read->rdma_entry.rdma_position);
        same_segment(&read.rdma_target, &their_read->rdma_entry.rdma_target);
    }
    SAME(their_read == NULL, true);
    const rpcrdma2_write_list *their_write = theirs->rdma_writes;
    iter = rpcrdma2_04_write_list_iter(&own->rdma_writes);
    struct rpcrdma2_04_write_chunk chunk;
    for (; rpcrdma2_04_write_list_next(&iter, &chunk); their_write = their_write->rdma_next) {
        SAME(their_write != NULL, true);
        same_chunk(&chunk, &their_write->rdma_entry);
    }
    SAME(their_write == NULL, true);
    SAME(own->rdma_reply.present, theirs->rdma_reply != NULL);
    if (own->rdma_reply.present)
        same_chunk(&own->rdma_reply.value, theirs->rdma_reply);
}

static void same_properties(const rpcrdma2_04_propset *own, const rpcrdma2_propset *theirs)
{
    struct rpcrdma_xdr_iter iter = rpcrdma2_04_propval_array_iter(own);
    struct rpcrdma2_04_propval property;
    u_int n = 0;
    for (; rpcrdma2_04_propval_array_next(&iter, &property); n++) {
        SAME(n < theirs->rpcrdma2_propset_len, true);
        const rpcrdma2_propval *want = &theirs->rpcrdma2_propset_val[n];
        SAME(property.rdma_which, want->rdma_which);
        SAME(property.rdma_data.length, want->rdma_data.rdma_data_len);
        SAME(property.rdma_data.length > 0 &&
                 memcmp(property.rdma_data.data, want->rdma_data.rdma_data_val,
                        property.rdma_data.length) != 0,
             false);
    }
    SAME(n, theirs->rpcrdma2_propset_len);
}

static void same_values(const struct rpcrdma2_04_header *own, const rpcrdma2_xprt_hdr *theirs)
{
    const struct rpcrdma2_04_body *body = &own->rdma_body;
    SAME(own->rdma_xid, theirs->rdma_xid);
    SAME(own->rdma_vers, theirs->rdma_vers);
    SAME(own->rdma_credit, theirs->rdma_credit);
    SAME((int)body->rdma_proc, (int)theirs->rdma_body.rdma_proc);
    switch (body->rdma_proc) {
    case RPCRDMA2_04_MSG:
    case RPCRDMA2_04_NOMSG:
        same_lists(&body->rdma_chunks, &theirs->rdma_body.rpcrdma2_body_u.rdma_chunks);
        break;
    case RPCRDMA2_04_ERROR:
        SAME((int)body->rdma_error.rdma_err,
             (int)theirs->rdma_body.rpcrdma2_body_u.rdma_error.rdma_err);
        break;
    case RPCRDMA2_04_CONNPROP:
        same_properties(&body->rdma_connprop.rdma_start,
                        &theirs->rdma_body.rpcrdma2_body_u.rdma_connprop.rdma_start);
        break;
    case RPCRDMA2_04_RESPROP:
        same_properties(&body->rdma_resprop.rdma_other,
                        &theirs->rdma_body.rpcrdma2_body_u.rdma_resprop.rdma_other);
        break;
    default:
        break; /* no field that equal octets leave in doubt */
    }
}

/* ---- the tests ---- */

/* True if ours takes it; then theirs does and means the same, and both write it again. */
static bool taken(const uint8_t *octets, size_t length)
{
    static uint8_t again[ROOM];
    struct rpcrdma2_04_header header;
    rpcrdma2_xprt_hdr theirs;
    struct rpcrdma_xdr_error error;
    XDR xdr;
    uint8_t *memory = malloc(length + 1), *copy = memory + 1; /* ends where its memory ends */
    ck_assert_ptr_nonnull(memory);
    memcpy(copy, octets, length);
    ptrdiff_t n = rpcrdma2_04_header_decode(&header, copy, length, NULL, &error);
    if (n < 0) {
        SAME(error.offset <= length && error.code == n && n <= -200 && n > -300, true);
        free(memory);
        return false;
    }
    SAME(rpcrdma2_04_header_encode(again, ROOM, &header, NULL), n);
    SAME(memcmp(again, octets, (size_t)n), 0);
    memset(&theirs, 0, sizeof theirs);
    xdrmem_create(&xdr, (char *)copy, (u_int)length, XDR_DECODE);
    SAME(xdr_rpcrdma2_xprt_hdr(&xdr, &theirs), TRUE);
    SAME(xdr_getpos(&xdr), n);
    same_values(&header, &theirs);
    xdrmem_create(&xdr, (char *)again, ROOM, XDR_ENCODE);
    SAME(xdr_rpcrdma2_xprt_hdr(&xdr, &theirs), TRUE);
    SAME(xdr_getpos(&xdr), n);
    SAME(memcmp(again, octets, (size_t)n), 0);
    xdr_free((xdrproc_t)xdr_rpcrdma2_xprt_hdr, &theirs);
    free(memory);
    return true;
}

static uint64_t number_from(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

START_TEST(same_octets_and_values)
{
    static struct store store;
    static uint8_t octets[ROOM];
    struct rpcrdma2_04_header header;
    uint64_t count = number_from("ORACLE_HEADERS", 100000), good = 0;
    seed = number_from("ORACLE_SEED", 0x2004);
    for (uint64_t i = 0; i < count; i++) {
        begun = seed;
        make(&header, &store);
        ptrdiff_t n = rpcrdma2_04_header_size(&header, NULL);
        SAME(n >= 20 && n < ROOM - 8, true);
        SAME(rpcrdma2_04_header_encode(octets, (size_t)n - 1, &header, NULL), RPCRDMA_XDR_E_SPACE);
        SAME(rpcrdma2_04_header_encode(octets, (size_t)n, &header, NULL), n);
        SAME(taken(octets, (size_t)n), true);
        SAME(taken(octets, (size_t)n + 8), true); /* a payload after it */
        SAME(taken(octets, below((uint32_t)n)), false);
        uint8_t *at = octets + below((uint32_t)n);
        *at ^= (uint8_t)(1 << below(8));
        good += taken(octets, (size_t)n);
    }
    ck_assert_uint_gt(good, count / 4);
    ck_assert_uint_lt(good, count);
    printf("%" PRIu64 " headers, %" PRIu64 " of them still one when changed\n", count, good);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("rpcgen");
    tcase_set_timeout(all, 600);
    tcase_add_test(all, same_octets_and_values);
    return run_tests("rpcrdma2_oracle", all);
}
