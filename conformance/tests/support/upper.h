// SPDX-License-Identifier: BSD-3-Clause
/*
 * NFS messages for tests of its binding: content by the generated codecs, items cut out of it as
 * Read and Write chunks take them, headers in front. An item is a run of octets of its own, so that
 * it is found without knowing where the codec puts it.
 */
#ifndef CONFORMANCE_TESTS_UPPER_H
#define CONFORMANCE_TESTS_UPPER_H

#include <check.h>
#include <nfs2.h>
#include <nfs3.h>
#include <nfs4.h>
#include <rpcrdma/binding.h>
#include <rpcrdma/check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEM_MAX 64
#define CHUNKS_MAX 4

struct octets {
    size_t length;
    uint8_t at[4096];
};

void put_word(struct octets *octets, uint32_t word);
void put_octets(struct octets *octets, const struct octets *more);

/* Encode a value after the octets. */
#define PUT(octets, type, value)                                                                   \
    do {                                                                                           \
        ptrdiff_t n_ = type##_encode((octets)->at + (octets)->length,                              \
                                     sizeof(octets)->at - (octets)->length, value, NULL);          \
        ck_assert_int_gt(n_, 0);                                                                   \
        (octets)->length += (size_t)n_;                                                            \
    } while (0)

/* The item of this number: octets that occur nowhere else. */
struct rpcrdma_xdr_opaque item(unsigned number, uint32_t length);

/* Take the item out, padding and all; returns the place at which it was. */
size_t cut_item(struct octets *octets, unsigned number, uint32_t length);

/* ---- COMPOUND ---- */

extern const struct rpcrdma_xdr_opaque handle;
extern const struct rpcrdma_xdr_opaque name;
extern const uint8_t zeros[32]; /* handles of version 2, state identifiers, verifiers */

void begin_compound(struct octets *content, uint32_t minor, uint32_t count);
void put_operation(struct octets *content, struct rpcrdma_nfs4_nfs_argop4 operation);
void begin_results(struct octets *content, uint32_t count);
void put_result(struct octets *content, struct rpcrdma_nfs4_nfs_resop4 operation);

/* ---- messages ---- */

enum protection { NO_GSS = 0, GSS_NONE = 1, GSS_INTEGRITY = 2, GSS_PRIVACY = 3 };

struct chunks {
    unsigned reads;
    struct {
        uint32_t position, length;
    } read[CHUNKS_MAX];
    unsigned writes;
    struct {
        bool empty;
        uint32_t length;
    } write[CHUNKS_MAX];
};

struct program {
    uint32_t number, version, procedure;
};

void put_header(struct octets *message, const struct chunks *chunks);

/* Returns the octets of the RPC header: where the arguments begin in the Payload stream. */
uint32_t put_rpc_call(struct octets *message, struct program program, enum protection protection);
void put_rpc_reply(struct octets *message);

/* ---- judging ---- */

struct rpcrdma_check *open_checker(void);

/* The findings as "V 6.1/only-eligible-reduced; …", of RFC 8166 without its name. `missing` octets
 * at the end were not recorded. */
const char *judge(struct rpcrdma_check *check, enum rpcrdma_endpoint from,
                  const struct octets *message, size_t missing);

#endif
