// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/upper.h"

void put_word(struct octets *octets, uint32_t word)
{
    ck_assert_uint_le(octets->length + 4, sizeof octets->at);
    rpcrdma_xdr_store32(octets->at + octets->length, word);
    octets->length += 4;
}

void put_octets(struct octets *octets, const struct octets *more)
{
    ck_assert_uint_le(octets->length + more->length, sizeof octets->at);
    memcpy(octets->at + octets->length, more->at, more->length);
    octets->length += more->length;
}

struct rpcrdma_xdr_opaque item(unsigned number, uint32_t length)
{
    static uint8_t content[CHUNKS_MAX][ITEM_MAX];
    ck_assert_uint_lt(number, CHUNKS_MAX);
    ck_assert_uint_le(length, ITEM_MAX);
    memset(content[number], (int)(0xc0 + number), ITEM_MAX);
    return (struct rpcrdma_xdr_opaque){content[number], length};
}

static size_t find_item(const struct octets *octets, unsigned number)
{
    for (size_t i = 0; i < octets->length; i++)
        if (octets->at[i] == 0xc0 + number)
            return i;
    ck_abort_msg("item %u is not there", number);
    return 0;
}

size_t cut_item(struct octets *octets, unsigned number, uint32_t length)
{
    size_t at = find_item(octets, number), end = at + ((length + 3) & ~3u);
    memmove(octets->at + at, octets->at + end, octets->length - end);
    octets->length -= end - at;
    return at;
}

const struct rpcrdma_xdr_opaque handle = {(const uint8_t *)"file", 4};
const struct rpcrdma_xdr_opaque name = {(const uint8_t *)"name!", 5};
const uint8_t zeros[32]; /* handles of version 2, state identifiers, verifiers */

void begin_compound(struct octets *content, uint32_t minor, uint32_t count)
{
    content->length = 0;
    put_word(content, 0);
    put_word(content, minor);
    put_word(content, count);
}

void put_operation(struct octets *content, struct rpcrdma_nfs4_nfs_argop4 operation)
{
    PUT(content, rpcrdma_nfs4_nfs_argop4, &operation);
}

void begin_results(struct octets *content, uint32_t count)
{
    content->length = 0;
    put_word(content, 0);
    put_word(content, 0);
    put_word(content, count);
}

void put_result(struct octets *content, struct rpcrdma_nfs4_nfs_resop4 operation)
{
    PUT(content, rpcrdma_nfs4_nfs_resop4, &operation);
}

void put_header(struct octets *message, const struct chunks *chunks)
{
    message->length = 0;
    for (unsigned i = 0; i < 4; i++)
        put_word(message, (const uint32_t[]){7, 1, 32, 0}[i]);
    for (unsigned i = 0; i < chunks->reads; i++)
        for (unsigned k = 0; k < 6; k++)
            put_word(message, (const uint32_t[]){1, chunks->read[i].position, 100 + i,
                                                 chunks->read[i].length, 0, 0}[k]);
    put_word(message, 0);
    for (unsigned i = 0; i < chunks->writes; i++) {
        put_word(message, 1);
        put_word(message, chunks->write[i].empty ? 0 : 1);
        for (unsigned k = 0; k < 4 && !chunks->write[i].empty; k++)
            put_word(message, (const uint32_t[]){200 + i, chunks->write[i].length, 0, 0}[k]);
    }
    put_word(message, 0);
    put_word(message, 0);
}

uint32_t put_rpc_call(struct octets *message, struct program program, enum protection protection)
{
    size_t before = message->length;
    const uint32_t words[] = {7, 0, 2, program.number, program.version, program.procedure};
    for (unsigned i = 0; i < 6; i++)
        put_word(message, words[i]);
    const uint32_t gss[] = {6, 24, 1, 0, 9, (uint32_t)protection, 4, 0xabcd, 6, 4, 0x1234};
    for (unsigned i = 0; i < (protection == NO_GSS ? 4u : 11u); i++)
        put_word(message, protection == NO_GSS ? 0 : gss[i]);
    return (uint32_t)(message->length - before);
}

void put_rpc_reply(struct octets *message)
{
    for (unsigned i = 0; i < 6; i++)
        put_word(message, (const uint32_t[]){7, 1, 0, 0, 0, 0}[i]);
}

struct rpcrdma_check *open_checker(void)
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

const char *judge(struct rpcrdma_check *check, enum rpcrdma_endpoint from,
                  const struct octets *message, size_t missing)
{
    static char text[512];
    size_t length = message->length - missing, at = 0;
    struct rpcrdma_judgement judgement;
    /* A block of its own, so that the sanitizer sees a read beyond it. */
    uint8_t *copy = malloc(length + (length == 0));
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, message->at, length);
    struct rpcrdma_event event = {.type = RPCRDMA_EVENT_SEND,
                                  .from = from,
                                  .data = copy,
                                  .length = length,
                                  .missing = missing};
    rpcrdma_check_event(check, &event, &judgement);
    text[0] = '\0';
    for (unsigned i = 0; i < judgement.count && at < sizeof text; i++) {
        const char *id = rpcrdma_requirements[judgement.findings[i].rule].id;
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%c %s", i ? "; " : "",
                               "NWV"[judgement.findings[i].severity],
                               strncmp(id, "rfc8166/", 8) == 0 ? id + 8 : id);
    }
    free(copy);
    return text;
}
