// SPDX-License-Identifier: BSD-3-Clause
/*
 * How a protocol gets a binding of its own: what of it may be in chunks, in two functions that read
 * arguments and results by what xdrgen makes of blob.x. The checker then judges its messages.
 *
 * xdrgen --reduced --prefix=blob_ --root=put_args --root=get_args --root=get_res
 *     --include=blob.h --header=blob.h --source=blob.c blob.x
 * cc -std=c11 binding_example.c blob.c -lrpcrdma-check -lrpcrdma
 */
#include <rpcrdma/binding.h>
#include <rpcrdma/check.h>

#include <blob.h>

#include <stdio.h>
#include <stdlib.h>

enum { BLOB_PROGRAM = 536870913, BLOB_VERSION = 1 };
enum { BLOB_NULL, BLOB_PUT, BLOB_GET, BLOB_PROCEDURES };

/* ---- the binding ---- */

static const char *procedure(uint32_t version, uint32_t number)
{
    static const char *const names[BLOB_PROCEDURES] = {"NULL", "PUT", "GET"};
    (void)version;
    return number < BLOB_PROCEDURES ? names[number] : NULL;
}

/* The octets that a decoder took, or those before the fault that it met. */
static bool is_read(struct rpcrdma_content *content, ptrdiff_t octets,
                    const struct rpcrdma_xdr_error *error)
{
    content->read = octets < 0 ? error->offset : (size_t)octets;
    return octets >= 0;
}

static enum rpcrdma_reading call_put(struct rpcrdma_content *content,
                                     const struct rpcrdma_item_sink *sink)
{
    struct blob_put_args args;
    struct rpcrdma_xdr_error error;
    struct rpcrdma_xdr_reduction *out = content->reduction;
    if (!is_read(content,
                 blob_put_args_decode_reduced(&args, content->octets, content->length, out, &error),
                 &error))
        return RPCRDMA_UNREADABLE;
    struct rpcrdma_item item = {
        .name = "PUT data", .length = args.data.length, .out = args.data.data == NULL};
    /* The data come last: what was taken out last are they. */
    item.position = item.out ? out->holes[out->next - 1].position
                             : content->position + (uint64_t)(args.data.data - content->octets);
    sink->argument(sink->arg, &item);
    return RPCRDMA_READ_ALL;
}

static enum rpcrdma_reading call(struct rpcrdma_content *content,
                                 const struct rpcrdma_item_sink *sink)
{
    struct blob_get_args args;
    struct rpcrdma_xdr_error error;
    content->reduction->before = content->position;
    switch (content->procedure) {
    case BLOB_NULL:
        return RPCRDMA_READ_ALL;
    case BLOB_PUT:
        return call_put(content, sink);
    case BLOB_GET:
        if (!is_read(content,
                     blob_get_args_decode_reduced(&args, content->octets, content->length,
                                                  content->reduction, &error),
                     &error))
            return RPCRDMA_UNREADABLE;
        sink->expected(sink->arg, &(struct rpcrdma_item){.name = "GET data", .length = args.count});
        return RPCRDMA_READ_ALL;
    default:
        content->read = 0; /* a procedure of a later version: nothing is known */
        return RPCRDMA_READ_PART;
    }
}

static enum rpcrdma_reading reply(struct rpcrdma_content *content,
                                  const struct rpcrdma_item_sink *sink)
{
    struct blob_get_res res;
    struct rpcrdma_xdr_error error;
    if (content->procedure != BLOB_GET)
        return RPCRDMA_READ_ALL;
    bool failed = content->length < 4 || rpcrdma_xdr_load32(content->octets) != 0;
    content->reduction->before = content->position;
    content->reduction->next_item = !failed && sink->result_is_out(sink->arg);
    if (!is_read(content,
                 blob_get_res_decode_reduced(&res, content->octets, content->length,
                                             content->reduction, &error),
                 &error))
        return RPCRDMA_UNREADABLE;
    struct rpcrdma_item item = {.name = "GET data"};
    if (!failed) {
        item.length = res.data.length;
        item.out = res.data.data == NULL;
    }
    sink->result(sink->arg, failed ? NULL : &item);
    return RPCRDMA_READ_ALL;
}

static const struct rpcrdma_binding blob_binding = {
    .name = "BLOB",
    .program = BLOB_PROGRAM,
    .low_version = BLOB_VERSION,
    .high_version = BLOB_VERSION,
    .procedure = procedure,
    .call = call,
    .reply = reply,
};

/* ---- its use ---- */

#define RPC_CALL(procedure) 7, 0, 2, BLOB_PROGRAM, BLOB_VERSION, procedure, 0, 0, 0, 0
#define NAME 3, 0x61626300 /* "abc" */

static const struct {
    const char *what;
    enum rpcrdma_endpoint from;
    unsigned count;
    uint32_t words[40];
} messages[] = {
    {"PUT, data at Position 52 in a Read chunk",
     RPCRDMA_CLIENT,
     26,
     {7, 1, 32, 0, 1, 52, 0xa, 5, 0, 0, 0, 0, 0, RPC_CALL(BLOB_PUT), NAME, 5}},
    {"PUT, its name in a Read chunk",
     RPCRDMA_CLIENT,
     27,
     {7, 1, 32, 0, 1, 44, 0xa, 3, 0, 0, 0, 0, 0, RPC_CALL(BLOB_PUT), 3, 4, 0x01020304, 0}},
    {"GET of 8 octets, with a Write chunk",
     RPCRDMA_CLIENT,
     26,
     {7, 1, 32, 0, 0, 1, 1, 0xb, 8, 0, 0, 0, 0, RPC_CALL(BLOB_GET), NAME, 8}},
    {"the Reply, with 4 octets inline", RPCRDMA_SERVER, 22, {7, 1, 32, 0, 0, 1,         1, 0xb,
                                                             0, 0, 0,  0, 0, 7,         1, 0,
                                                             0, 0, 0,  0, 4, 0x01020304}},
};

static void print(const char *what, const struct rpcrdma_judgement *judgement)
{
    char text[160];
    printf("%s: %s\n", what, judgement->count == 0 ? "good" : "bad");
    for (unsigned i = 0; i < judgement->count; i++) {
        const struct rpcrdma_finding *finding = &judgement->findings[i];
        rpcrdma_finding_text(finding, text, sizeof text);
        printf("  %s %s: %s\n", rpcrdma_severity_name(finding->severity),
               rpcrdma_requirements[finding->rule].id, text);
    }
}

/* Each exchange on a connection of its own; a Call and its Reply share one. */
static struct rpcrdma_check *open_connection(void *memory, size_t size,
                                             const struct rpcrdma_check_config *config)
{
    struct rpcrdma_check *check = rpcrdma_check_init(memory, size, config);
    if (check == NULL)
        exit(EXIT_FAILURE);
    return check;
}

int main(void)
{
    static const struct rpcrdma_binding *const bindings[] = {&blob_binding, NULL};
    struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    config.bindings = bindings;
    size_t size = rpcrdma_check_size(&config);
    void *memory = malloc(size);
    struct rpcrdma_check *check = NULL;
    for (unsigned i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        uint8_t octets[sizeof messages[i].words];
        struct rpcrdma_judgement judgement;
        for (unsigned k = 0; k < messages[i].count; k++)
            rpcrdma_xdr_store32(octets + 4 * k, messages[i].words[k]);
        struct rpcrdma_event event = {.type = RPCRDMA_EVENT_SEND,
                                      .from = messages[i].from,
                                      .data = octets,
                                      .length = 4 * (size_t)messages[i].count};
        if (event.from == RPCRDMA_CLIENT)
            check = open_connection(memory, size, &config);
        rpcrdma_check_event(check, &event, &judgement);
        print(messages[i].what, &judgement);
    }
    free(memory);
    return EXIT_SUCCESS;
}
