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

static inline void put(struct octets *octets, uint32_t word)
{
    ck_assert_uint_le(octets->length + 4, sizeof octets->at);
    rpcrdma_xdr_store32(octets->at + octets->length, word);
    octets->length += 4;
}

static inline void put_octets(struct octets *octets, const struct octets *more)
{
    ck_assert_uint_le(octets->length + more->length, sizeof octets->at);
    memcpy(octets->at + octets->length, more->at, more->length);
    octets->length += more->length;
}

/* Encode a value behind the octets. */
#define PUT(octets, type, value)                                                                   \
    do {                                                                                           \
        ptrdiff_t n_ = type##_encode((octets)->at + (octets)->length,                              \
                                     sizeof(octets)->at - (octets)->length, value, NULL);          \
        ck_assert_int_gt(n_, 0);                                                                   \
        (octets)->length += (size_t)n_;                                                            \
    } while (0)

/* The item of this number: octets that occur nowhere else. */
static inline struct rpcrdma_xdr_opaque item(unsigned number, uint32_t length)
{
    static uint8_t content[CHUNKS_MAX][ITEM_MAX];
    ck_assert_uint_lt(number, CHUNKS_MAX);
    ck_assert_uint_le(length, ITEM_MAX);
    memset(content[number], (int)(0xc0 + number), ITEM_MAX);
    return (struct rpcrdma_xdr_opaque){content[number], length};
}

static inline size_t find_item(const struct octets *octets, unsigned number)
{
    for (size_t i = 0; i < octets->length; i++)
        if (octets->at[i] == 0xc0 + number)
            return i;
    ck_abort_msg("item %u is not there", number);
    return 0;
}

/* Take the item out, padding and all; returns the place at which it was. */
static inline size_t cut_item(struct octets *octets, unsigned number, uint32_t length)
{
    size_t at = find_item(octets, number), end = at + ((length + 3) & ~3u);
    memmove(octets->at + at, octets->at + end, octets->length - end);
    octets->length -= end - at;
    return at;
}

/* ---- COMPOUND ---- */

static const struct rpcrdma_xdr_opaque handle = {(const uint8_t *)"file", 4};
static const struct rpcrdma_xdr_opaque name = {(const uint8_t *)"name!", 5};
static const uint8_t zeros[32]; /* handles of version 2, state identifiers, verifiers */

static inline void begin_compound(struct octets *content, uint32_t minor, uint32_t count)
{
    content->length = 0;
    put(content, 0);
    put(content, minor);
    put(content, count);
}

static inline void put_operation(struct octets *content, struct nfs4_nfs_argop4 operation)
{
    PUT(content, nfs4_nfs_argop4, &operation);
}

static inline void begin_results(struct octets *content, uint32_t count)
{
    content->length = 0;
    put(content, 0);
    put(content, 0);
    put(content, count);
}

static inline void put_result(struct octets *content, struct nfs4_nfs_resop4 operation)
{
    PUT(content, nfs4_nfs_resop4, &operation);
}

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

static inline void put_header(struct octets *message, const struct chunks *chunks)
{
    message->length = 0;
    for (unsigned i = 0; i < 4; i++)
        put(message, (const uint32_t[]){7, 1, 32, 0}[i]);
    for (unsigned i = 0; i < chunks->reads; i++)
        for (unsigned k = 0; k < 6; k++)
            put(message, (const uint32_t[]){1, chunks->read[i].position, 100 + i,
                                            chunks->read[i].length, 0, 0}[k]);
    put(message, 0);
    for (unsigned i = 0; i < chunks->writes; i++) {
        put(message, 1);
        put(message, chunks->write[i].empty ? 0 : 1);
        for (unsigned k = 0; k < 4 && !chunks->write[i].empty; k++)
            put(message, (const uint32_t[]){200 + i, chunks->write[i].length, 0, 0}[k]);
    }
    put(message, 0);
    put(message, 0);
}

/* Returns the octets of the RPC header: where the arguments begin in the Payload stream. */
static inline uint32_t put_rpc_call(struct octets *message, struct program program,
                                    enum protection protection)
{
    size_t before = message->length;
    const uint32_t words[] = {7, 0, 2, program.number, program.version, program.procedure};
    for (unsigned i = 0; i < 6; i++)
        put(message, words[i]);
    const uint32_t gss[] = {6, 24, 1, 0, 9, (uint32_t)protection, 4, 0xabcd, 6, 4, 0x1234};
    for (unsigned i = 0; i < (protection == NO_GSS ? 4u : 11u); i++)
        put(message, protection == NO_GSS ? 0 : gss[i]);
    return (uint32_t)(message->length - before);
}

static inline void put_rpc_reply(struct octets *message)
{
    for (unsigned i = 0; i < 6; i++)
        put(message, (const uint32_t[]){7, 1, 0, 0, 0, 0}[i]);
}

/* ---- judging ---- */

static inline struct rpcrdma_check *open_checker(void)
{
    struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    config.bindings = rpcrdma_bindings;
    config.reverse_direction = true;
    config.inline_threshold[0] = config.inline_threshold[1] = 4096;
    size_t size = rpcrdma_check_size(&config);
    void *memory = malloc(size);
    struct rpcrdma_check *check = rpcrdma_check_init(memory, size, &config);
    ck_assert_ptr_nonnull(check);
    return check;
}

/* The findings as "V 6.1/only-eligible-reduced; …", of RFC 8166 without its name. `missing` octets
 * at the end were not recorded. */
static inline const char *judge(struct rpcrdma_check *check, enum rpcrdma_endpoint from,
                                const struct octets *message, size_t missing)
{
    static char text[512];
    size_t length = message->length - missing, at = 0;
    struct rpcrdma_judgement verdict;
    /* A block of its own, so that the sanitizer sees a read beyond it. */
    uint8_t *copy = malloc(length + (length == 0));
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, message->at, length);
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_SEND,
                                  .from = from,
                                  .data = copy,
                                  .length = length,
                                  .missing = missing};
    rpcrdma_check_event(check, &event, &verdict);
    text[0] = '\0';
    for (unsigned i = 0; i < verdict.count && at < sizeof text; i++) {
        const char *id = rpcrdma_requirements[verdict.findings[i].rule].id;
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%c %s", i ? "; " : "",
                               "NWV"[verdict.findings[i].severity],
                               strncmp(id, "rfc8166/", 8) == 0 ? id + 8 : id);
    }
    free(copy);
    return text;
}

#endif
