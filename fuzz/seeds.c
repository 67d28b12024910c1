// SPDX-License-Identifier: BSD-3-Clause
/*
 * Seeds out of vectors, captures and single Sends: `seeds OUT FILE...` writes into the folders
 * OUT/decode1, OUT/decode2, OUT/rpc, OUT/private_data, OUT/check and OUT/check2, which have to
 * exist, one file for each input of that target. Files are named by content, so that nothing is
 * written twice.
 */
#include "fuzz/mutators/conversation.h"
#include "fuzz/mutators/mutator.h"
#include "conformance/input/source.h"

#include <rpcrdma/rpcrdma1.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <rpcrdma/rpcrdma.h>

/* Long Sends and conversations teach a fuzzer no more than short ones. */
#define SEND_MAX 1024
#define CONVERSATION_MAX 4096
#define CONNECTIONS 1024
/* This many draws have every exchange in every way, XIDs aside. */
#define EXCHANGES 2000

struct seed_conversation {
    uint8_t octets[CONVERSATION_MAX];
    size_t length;
    bool is_version2;
};

struct maker {
    const char *out;
    struct seed_conversation *conversations; /* by connection */
    uint64_t written;
    bool failed;
};

static uint64_t digest(const uint8_t *octets, size_t length)
{
    uint64_t value = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++)
        value = (value ^ octets[i]) * 0x100000001b3u;
    return value;
}

static void write_seed(struct maker *maker, const char *target, const uint8_t *octets,
                       size_t length)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/%s/%016" PRIx64, maker->out, target,
                     digest(octets, length));
    FILE *file = n > 0 && (size_t)n < sizeof path ? fopen(path, "wb") : NULL;
    if (file == NULL || fwrite(octets, 1, length, file) != length) {
        fprintf(stderr, "seeds: %s cannot be written\n", path);
        maker->failed = true;
    }
    if (file && fclose(file) != 0)
        maker->failed = true;
    maker->written++;
}

static void write_send(struct maker *maker, const uint8_t *octets, size_t length)
{
    struct rpcrdma1_header header;
    size_t kept = length < SEND_MAX ? length : SEND_MAX;
    ptrdiff_t payload = rpcrdma1_header_decode(&header, octets, length, NULL, NULL);
    bool other = length >= 8 && rpcrdma_xdr_load32(octets + 4) == 2;
    write_seed(maker, other ? "decode2" : "decode1", octets, kept);
    if (payload >= 0 && header.rdma_body.proc == RPCRDMA1_MSG && (size_t)payload < kept)
        write_seed(maker, "rpc", octets + payload, kept - (size_t)payload);
}

/* A conversation that is full goes out, and its connection begins another. */
static void write_conversation(struct maker *maker, struct seed_conversation *conversation)
{
    if (conversation->length > CONVERSATION_SETTINGS)
        write_seed(maker, conversation->is_version2 ? "check2" : "check", conversation->octets,
                   conversation->length);
    conversation->length = 0;
}

static void add_event(struct maker *maker, const struct source_event *found)
{
    struct seed_conversation *conversation =
        &maker->conversations[found->connection_id % CONNECTIONS];
    struct rpcrdma_event event = found->event;
    if (found->index == 0)
        write_conversation(maker, conversation);
    if (conversation->length == 0) {
        conversation->octets[0] =
            (uint8_t)((found->config->reverse_direction ? CONVERSATION_REVERSE : 0) |
                      (found->config->mid_stream || found->index > 0 ? CONVERSATION_MID_STREAM
                                                                     : 0) |
                      (found->config->seen_between ? CONVERSATION_CAPTURED : 0) |
                      (found->config->registrations_seen[0] ? CONVERSATION_REGISTRATIONS : 0) |
                      CONVERSATION_NFS);
        memset(conversation->octets + 1, 0, 3);
        conversation->octets[1] = (uint8_t)(3 * (unsigned)found->config->credits +
                                            (found->config->draft == RPCRDMA_PROTOCOL_2_04   ? 1
                                             : found->config->draft == RPCRDMA_PROTOCOL_2_07 ? 2
                                                                                             : 0));
        conversation->is_version2 = rpcrdma_protocol_is_draft(found->config->draft);
        conversation->length = CONVERSATION_SETTINGS;
    }
    if (event.length > SEND_MAX) {
        event.missing += event.length - SEND_MAX;
        event.length = SEND_MAX;
    }
    size_t before = conversation->length;
    conversation->length = conversation_put(conversation->octets, before, CONVERSATION_MAX, &event);
    if (conversation->length == before)
        write_conversation(maker, conversation);
}

static bool take(void *arg, const struct source_event *found)
{
    struct maker *maker = arg;
    const struct rpcrdma_event *event = &found->event;
    add_event(maker, found);
    if (event->data && event->type == RPCRDMA_EVENT_SEND)
        write_send(maker, event->data, event->length);
    if (event->data && event->type == RPCRDMA_EVENT_PRIVATE_DATA)
        write_seed(maker, "private_data", event->data, event->length);
    return !maker->failed;
}

static void closed(void *arg, uint64_t connection)
{
    struct maker *maker = arg;
    write_conversation(maker, &maker->conversations[connection % CONNECTIONS]);
}

/* Exchanges of NFS, one a conversation, in all the ways that chunks allow. */
static void write_exchanges(struct maker *maker)
{
    for (unsigned seed = 1; seed <= EXCHANGES; seed++) {
        static struct seed_conversation conversation;
        uint8_t rooms[3][EXCHANGE_MAX];
        struct rpcrdma_event events[3];
        struct chance chance = chance_from(seed);
        unsigned count = make_exchange(events, rooms, &chance);
        memcpy(conversation.octets, (uint8_t[]){CONVERSATION_NFS, 0, 0, 0}, CONVERSATION_SETTINGS);
        conversation.length = CONVERSATION_SETTINGS;
        for (unsigned i = 0; i < count; i++)
            conversation.length = conversation_put(conversation.octets, conversation.length,
                                                   CONVERSATION_MAX, &events[i]);
        write_conversation(maker, &conversation);
    }
}

static bool read_file(struct maker *maker, const char *file)
{
    struct source_options options = {.port = RPCRDMA_NFS_PORT};
    struct source_sink sink = {.event = take, .closed = closed, .arg = maker};
    struct source_counts counts;
    char error[512];
    bool good = source_read(file, &options, &sink, &counts, error, sizeof error);
    for (unsigned i = 0; i < CONNECTIONS; i++)
        write_conversation(maker, &maker->conversations[i]);
    if (!good)
        fprintf(stderr, "seeds: %s: %s\n", file, error);
    return good;
}

int main(int argc, char **argv)
{
    struct maker maker = {.conversations = calloc(CONNECTIONS, sizeof(struct seed_conversation))};
    if (argc < 3 || maker.conversations == NULL) {
        fputs("usage: seeds OUT FILE...\n", stderr);
        return 2;
    }
    maker.out = argv[1];
    write_exchanges(&maker);
    for (int i = 2; i < argc && !maker.failed; i++)
        if (!read_file(&maker, argv[i]))
            maker.failed = true;
    printf("%" PRIu64 " seeds\n", maker.written);
    free(maker.conversations);
    return maker.failed ? 1 : 0;
}
