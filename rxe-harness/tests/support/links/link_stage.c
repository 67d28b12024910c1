// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/links/link_stage.h"

#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

const uint8_t hello[6] = "hello";
struct transport *listener, *caller;
struct link *client, *server;
link_stage_open *link_stage_opens;

void pattern(uint8_t *octets, size_t length, unsigned seed)
{
    for (size_t i = 0; i < length; i++)
        octets[i] = (uint8_t)(i * 7 + i / 251 + seed);
}

struct link_options link_stage_options(const uint8_t *private_data, size_t length)
{
    return (struct link_options){.receive_size = LINK_RECEIVE,
                                 .receives = LINK_RECEIVES,
                                 .private_data = private_data,
                                 .private_length = length,
                                 .timeout = 20000};
}

void *accept_one(void *arg)
{
    struct link_options answer = link_stage_options(hello + 1, 4);
    (void)arg;
    server = listener->ops->accept(listener, &answer, 10000);
    return NULL;
}

void open_transports(const char *address)
{
    char error[256] = "";
    listener = link_stage_opens(address, true, error, sizeof error);
    ck_assert_msg(listener != NULL, "%s", error);
    caller = link_stage_opens(address, false, error, sizeof error);
    ck_assert_msg(caller != NULL, "%s", error);
}

void open_links(const char *address)
{
    pthread_t thread;
    struct link_options ask = link_stage_options(hello, 5);
    open_transports(address);
    pthread_create(&thread, NULL, accept_one, NULL);
    client = caller->ops->connect(caller, &ask);
    pthread_join(thread, NULL);
    ck_assert_msg(client && server, "%s%s", caller->error, listener->error);
}

void close_all(void)
{
    if (client)
        client->ops->close(client);
    if (server)
        server->ops->close(server);
    caller->ops->close(caller);
    listener->ops->close(listener);
    client = server = NULL;
}

struct link_event next_event(struct link *link, unsigned timeout)
{
    struct link_event event;
    link->ops->wait(link, timeout, &event);
    return event;
}

/* A Send of this many octets comes as it went. */
void send_and_compare(size_t length)
{
    uint8_t *octets = malloc(length + 1);
    pattern(octets, length, (unsigned)length);
    ck_assert_msg(client->ops->send(client, octets, length, NULL), "%zu: %s", length, client->why);
    struct link_event event = next_event(server, 5000);
    ck_assert_int_eq(event.type, LINK_RECEIVED);
    ck_assert_uint_eq(event.length, length);
    ck_assert_mem_eq(event.octets, octets, length);
    ck_assert(!event.invalidated);
    free(octets);
}

/* ---- memory ---- */

struct link_seen link_seen;
unsigned link_stage_writes = 1;

static void observe(void *arg, bool is_write, uint32_t handle, uint64_t offset,
                    const uint8_t *octets, size_t length)
{
    const struct link_memory *memory = arg;
    link_seen.reads += !is_write;
    link_seen.writes += is_write;
    link_seen.octets += length;
    link_seen.same = handle == memory->handle && offset - memory->offset <= memory->length &&
                     memcmp(memory->octets + (offset - memory->offset), octets, length) == 0;
}

void move_and_compare(void)
{
    static uint8_t theirs[LINK_SIZE], ours[LINK_SIZE];
    struct link_memory memory = {.octets = theirs, .length = LINK_SIZE};
    link_seen = (struct link_seen){0};
    client->observe = observe;
    client->observe_arg = &memory;
    pattern(theirs, LINK_SIZE, 5);
    ck_assert(client->ops->expose(client, &memory, LINK_PEER_READS | LINK_PEER_WRITES));
    ck_assert_msg(server->ops->read(server, memory.handle, memory.offset, ours, LINK_SIZE), "%s",
                  server->why);
    ck_assert_mem_eq(ours, theirs, LINK_SIZE);
    pattern(ours, LINK_SIZE, 77);
    ck_assert_msg(server->ops->write(server, memory.handle, memory.offset + 1, ours, LINK_SIZE - 1),
                  "%s", server->why);
    ck_assert(server->ops->read(server, memory.handle, memory.offset, ours, 0));
    ck_assert(server->ops->send(server, "done", 4, NULL));
    ck_assert_int_eq(next_event(client, 5000).type, LINK_RECEIVED);
    ck_assert_mem_eq(theirs + 1, ours, LINK_SIZE - 1);
    ck_assert_uint_ge(link_seen.writes, 1);
    ck_assert_uint_le(link_seen.writes, link_stage_writes);
    ck_assert(link_seen.same);
    client->observe = NULL;
    client->ops->hide(client, &memory);
}

/* ---- ends ---- */

void disconnect_and_compare(void)
{
    client->ops->close(client);
    client = NULL;
    ck_assert_int_eq(next_event(server, 5000).type, LINK_CLOSED);
    ck_assert_str_eq(server->why, LINK_LEFT);
    ck_assert(!server->ops->send(server, "x", 1, NULL));
    close_all();
}

void invalidate_and_compare(const char *why)
{
    uint8_t octets[8] = {0};
    struct link_memory memory = {.octets = octets, .length = sizeof octets};
    ck_assert(client->ops->expose(client, &memory, LINK_PEER_READS));
    ck_assert(server->ops->send(server, "x", 1, &memory.handle));
    struct link_event event = next_event(client, 5000);
    ck_assert(event.invalidated);
    ck_assert_uint_eq(event.handle, memory.handle);
    ck_assert(!server->ops->read(server, memory.handle, memory.offset, octets, 1));
    ck_assert_str_eq(server->why, why);
    event = next_event(client, 5000);
    ck_assert_int_eq(event.type, LINK_CLOSED);
    ck_assert_str_eq(client->why, "local access violation");
    client->ops->hide(client, &memory);
    close_all();
}

void hide_and_compare(unsigned which, bool invalidates)
{
    enum { COUNT = 3, SIZE = 8 };
    uint8_t octets[COUNT][SIZE], got[SIZE];
    struct link_memory memory[COUNT];
    for (unsigned i = 0; i < COUNT; i++) {
        pattern(octets[i], SIZE, i);
        memory[i] = (struct link_memory){.octets = octets[i], .length = SIZE};
        ck_assert(client->ops->expose(client, &memory[i], LINK_PEER_READS));
    }
    if (invalidates) {
        ck_assert(server->ops->send(server, "x", 1, &memory[which].handle));
        ck_assert(next_event(client, 5000).invalidated);
    } else {
        client->ops->hide(client, &memory[which]);
    }
    for (unsigned i = 0; i < COUNT; i++) {
        if (i == which)
            continue;
        ck_assert(server->ops->read(server, memory[i].handle, memory[i].offset, got, SIZE));
        ck_assert_mem_eq(got, octets[i], SIZE);
    }
    ck_assert(!server->ops->read(server, memory[which].handle, memory[which].offset, got, SIZE));
    ck_assert_int_eq(next_event(client, 5000).type, LINK_CLOSED);
    for (unsigned i = 0; i < COUNT; i++)
        if (invalidates || i != which)
            client->ops->hide(client, &memory[i]);
    close_all();
}

static bool refuse(void *arg, const struct link *peer, struct link_options *answer)
{
    (void)answer;
    *(bool *)arg = memcmp(peer->private_data, "hello", 5) == 0;
    return false;
}

void reject_and_compare(const char *address, const char *error)
{
    pthread_t thread;
    struct link_options ask = link_stage_options(hello, 5);
    bool met = false;
    open_transports(address);
    listener->meet = refuse;
    listener->meet_arg = &met;
    pthread_create(&thread, NULL, accept_one, NULL);
    client = caller->ops->connect(caller, &ask);
    pthread_join(thread, NULL);
    ck_assert(met);
    ck_assert_ptr_null(client);
    ck_assert_ptr_null(server);
    ck_assert_str_eq(caller->error, error);
    close_all();
}

const struct link_access_case link_accesses[LINK_ACCESSES] = {
    {0, 8, LINK_PEER_READS, false, ACCESS_GOOD},
    {0, 9, LINK_PEER_READS, false, ACCESS_BEYOND},
    {-1, 1, LINK_PEER_READS, false, ACCESS_BEYOND},
    {8, 1, LINK_PEER_READS, false, ACCESS_BEYOND},
    {7, 1, LINK_PEER_READS, false, ACCESS_GOOD},
    {0, 8, LINK_PEER_WRITES, false, ACCESS_FORBIDDEN},
    {0, 8, LINK_PEER_WRITES, true, ACCESS_GOOD},
    {1, 8, LINK_PEER_WRITES, true, ACCESS_BEYOND},
    {0, 8, LINK_PEER_READS, true, ACCESS_FORBIDDEN},
    {INT64_MAX, 8, LINK_PEER_WRITES, true, ACCESS_BEYOND},
    {-4, 8, LINK_PEER_WRITES, true, ACCESS_BEYOND},
};

void access_and_compare(const struct link_access_case *access, bool done)
{
    uint8_t octets[24] = {0}, other[24];
    struct link_memory memory = {.octets = octets + 8, .length = 8};
    bool good = access->ending == ACCESS_GOOD;
    memset(other, 0xee, sizeof other);
    ck_assert(client->ops->expose(client, &memory, access->access));
    uint64_t at = memory.offset + (uint64_t)access->offset;
    bool said = access->write ? server->ops->write(server, memory.handle, at, other, access->length)
                              : server->ops->read(server, memory.handle, at, other, access->length);
    ck_assert_int_eq(said, good || (done && access->write));
    if (good) {
        ck_assert(server->ops->send(server, "x", 1, NULL));
        ck_assert_int_eq(next_event(client, 5000).type, LINK_RECEIVED);
    } else {
        ck_assert_int_eq(next_event(client, 5000).type, LINK_CLOSED);
        ck_assert_str_eq(client->why, "local access violation");
        ck_assert_int_eq(next_event(server, 5000).type, LINK_CLOSED);
    }
    for (int i = 0; i < 24; i++)
        ck_assert_uint_eq(octets[i], good && access->write && i >= 8 && i < 16 ? 0xee : 0);
    client->ops->hide(client, &memory);
}
