// SPDX-License-Identifier: BSD-3-Clause
/* The loopback transport has RDMA's semantics: Receives, memory keys, rights, bounds, ends. */
#include "rxe-harness/transport/loopback.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define RECEIVES 3
#define RECEIVE_SIZE 64

static const uint8_t passive_data[] = {1, 2, 3}, active_data[] = {4, 5};
static const struct link_options passive_options = {.receive_size = RECEIVE_SIZE,
                                                    .receives = RECEIVES,
                                                    .private_data = passive_data,
                                                    .private_length = sizeof passive_data};
static const struct link_options active_options = {.receive_size = RECEIVE_SIZE,
                                                   .receives = RECEIVES,
                                                   .private_data = active_data,
                                                   .private_length = sizeof active_data};

static struct transport *transport;
static struct link *active, *passive;
static bool rejects;
static bool (*step)(void);
static unsigned ended;

static void *begin(void *arg, struct link *link)
{
    passive = link;
    return rejects ? NULL : arg;
}

static bool step_peer(void *peer)
{
    ck_assert_ptr_eq(peer, &passive);
    return step && step();
}

static void end(void *peer)
{
    ck_assert_ptr_eq(peer, &passive);
    ended++;
}

static void setup(void)
{
    const struct loopback_peer peer = {.options = &passive_options,
                                       .begin = begin,
                                       .step = step_peer,
                                       .end = end,
                                       .arg = &passive};
    rejects = false;
    step = NULL;
    ended = 0;
    transport = transport_loopback(&peer);
    ck_assert_ptr_nonnull(transport);
    active = transport->ops->connect(transport, &active_options);
    ck_assert_ptr_nonnull(active);
}

static void teardown(void)
{
    active->ops->close(active);
    ck_assert_uint_eq(ended, 1);
    transport->ops->close(transport);
}

static struct link_event next(struct link *link)
{
    struct link_event event;
    link->ops->wait(link, 0, &event);
    return event;
}

/* The connection is gone for both, for this reason. */
static void assert_broken(const char *why)
{
    ck_assert_ptr_nonnull(strstr(active->why, why));
    ck_assert_str_eq(active->why, passive->why);
    ck_assert_int_eq(next(active).type, LINK_CLOSED);
    ck_assert_int_eq(next(passive).type, LINK_CLOSED);
    ck_assert(!active->ops->send(active, "x", 1, NULL));
    ck_assert(!passive->ops->send(passive, "x", 1, NULL));
}

static struct link_memory expose(struct link *link, uint8_t *octets, size_t length, unsigned access)
{
    struct link_memory memory = {.octets = octets, .length = length};
    ck_assert(link->ops->expose(link, &memory, access));
    return memory;
}

START_TEST(private_data_crosses)
{
    ck_assert_uint_eq(active->private_length, sizeof passive_data);
    ck_assert_mem_eq(active->private_data, passive_data, sizeof passive_data);
    ck_assert_uint_eq(passive->private_length, sizeof active_data);
    ck_assert_mem_eq(passive->private_data, active_data, sizeof active_data);
}
END_TEST

START_TEST(a_connection_can_be_rejected)
{
    struct link *kept = passive;
    rejects = true;
    ck_assert_ptr_null(transport->ops->connect(transport, &active_options));
    ck_assert_str_ne(transport->error, "");
    passive = kept;
}
END_TEST

START_TEST(sends_arrive_in_order)
{
    ck_assert_int_eq(next(passive).type, LINK_NOTHING);
    ck_assert(active->ops->send(active, "one", 3, NULL));
    ck_assert(active->ops->send(active, "", 0, NULL));
    struct link_event event = next(passive);
    ck_assert_int_eq(event.type, LINK_RECEIVED);
    ck_assert_uint_eq(event.length, 3);
    ck_assert_mem_eq(event.octets, "one", 3);
    ck_assert(!event.invalidated);
    event = next(passive);
    ck_assert_int_eq(event.type, LINK_RECEIVED);
    ck_assert_uint_eq(event.length, 0);
    ck_assert_int_eq(next(passive).type, LINK_NOTHING);
}
END_TEST

static unsigned steps;
static bool answer_once(void)
{
    if (steps++ > 0)
        return false;
    ck_assert(passive->ops->send(passive, "two", 3, NULL));
    return true;
}

START_TEST(the_peer_is_driven_while_one_waits)
{
    steps = 0;
    step = answer_once;
    ck_assert_int_eq(next(active).type, LINK_RECEIVED);
    ck_assert_int_eq(next(active).type, LINK_NOTHING);
}
END_TEST

START_TEST(a_send_needs_a_receive)
{
    for (int i = 0; i < RECEIVES; i++)
        ck_assert(active->ops->send(active, "x", 1, NULL));
    ck_assert(!active->ops->send(active, "x", 1, NULL));
    ck_assert_ptr_nonnull(strstr(passive->why, "receiver not ready"));
    ck_assert(active->starved); /* the peer's Receives were used up */
    ck_assert(!passive->starved);
    /* What was received before stays. */
    for (int i = 0; i < RECEIVES; i++)
        ck_assert_int_eq(next(passive).type, LINK_RECEIVED);
    assert_broken("receiver not ready");
}
END_TEST

START_TEST(receives_are_posted_anew)
{
    for (int i = 0; i < 10 * RECEIVES; i++) {
        ck_assert(active->ops->send(active, "x", 1, NULL));
        ck_assert_int_eq(next(passive).type, LINK_RECEIVED);
    }
}
END_TEST

START_TEST(a_send_fits_its_receive)
{
    static const uint8_t octets[RECEIVE_SIZE + 1];
    ck_assert(active->ops->send(active, octets, RECEIVE_SIZE, NULL));
    ck_assert_uint_eq(next(passive).length, RECEIVE_SIZE);
    ck_assert(!active->ops->send(active, octets, RECEIVE_SIZE + 1, NULL));
    assert_broken("longer than its Receive");
}
END_TEST

START_TEST(memory_is_read_and_written)
{
    uint8_t octets[16] = "0123456789abcde", read[4];
    struct link_memory memory =
        expose(active, octets, sizeof octets, LINK_PEER_READS | LINK_PEER_WRITES);
    ck_assert(passive->ops->read(passive, memory.handle, memory.offset + 12, read, 4));
    ck_assert_mem_eq(read, "cde", 4);
    ck_assert(passive->ops->write(passive, memory.handle, memory.offset + 2, "xyz", 3));
    ck_assert_str_eq((char *)octets, "01xyz56789abcde");
    ck_assert(passive->ops->read(passive, memory.handle, memory.offset + 16, read, 0));
    active->ops->hide(active, &memory);
}
END_TEST

static const struct {
    unsigned access;
    bool is_write;
    int64_t handle, offset; /* added */
    size_t length;
    const char *why;
} refusals[] = {
    {LINK_PEER_READS, true, 0, 0, 4, "not registered for this"},
    {LINK_PEER_WRITES, false, 0, 0, 4, "not registered for this"},
    {LINK_PEER_READS, false, 1, 0, 4, "no memory has this handle"},
    {LINK_PEER_WRITES, true, 1, 0, 4, "no memory has this handle"},
    {LINK_PEER_READS, false, 0, 1, 16, "bounds"},
    {LINK_PEER_READS, false, 0, 17, 0, "bounds"},
    {LINK_PEER_READS, false, 0, -1, 4, "bounds"},
    {LINK_PEER_WRITES, true, 0, 13, 4, "bounds"},
    {LINK_PEER_WRITES, true, 0, INT64_MAX, 4, "bounds"},
};

START_TEST(memory_is_guarded)
{
    uint8_t octets[16] = {0}, moved[32] = {0};
    struct link_memory memory = expose(active, octets, sizeof octets, refusals[_i].access);
    uint32_t handle = memory.handle + (uint32_t)refusals[_i].handle;
    uint64_t offset = memory.offset + (uint64_t)refusals[_i].offset;
    bool done = refusals[_i].is_write
                    ? passive->ops->write(passive, handle, offset, moved, refusals[_i].length)
                    : passive->ops->read(passive, handle, offset, moved, refusals[_i].length);
    ck_assert(!done);
    assert_broken(refusals[_i].why);
}
END_TEST

START_TEST(hidden_memory_is_gone)
{
    uint8_t octets[4], read[4];
    struct link_memory memory = expose(active, octets, sizeof octets, LINK_PEER_READS);
    active->ops->hide(active, &memory);
    ck_assert(!passive->ops->read(passive, memory.handle, memory.offset, read, 4));
    assert_broken("no memory has this handle");
}
END_TEST

START_TEST(a_send_invalidates)
{
    uint8_t octets[4] = {0}, read[4];
    struct link_memory memory = expose(active, octets, sizeof octets, LINK_PEER_READS);
    ck_assert(passive->ops->send(passive, "x", 1, &memory.handle));
    struct link_event event = next(active);
    ck_assert(event.invalidated);
    ck_assert_uint_eq(event.handle, memory.handle);
    ck_assert(!passive->ops->read(passive, memory.handle, memory.offset, read, 4));
    assert_broken("not registered for this");
}
END_TEST

START_TEST(only_real_memory_is_invalidated)
{
    const uint32_t handle = 7;
    ck_assert(!passive->ops->send(passive, "x", 1, &handle));
    assert_broken("remote invalidation");
}
END_TEST

static unsigned observed;
static void observe(void *arg, bool is_write, uint32_t handle, uint64_t offset,
                    const uint8_t *octets, size_t length)
{
    const struct link_memory *memory = arg;
    ck_assert(is_write);
    ck_assert_uint_eq(handle, memory->handle);
    ck_assert_uint_eq(offset, memory->offset + 1);
    ck_assert_uint_eq(length, 2);
    ck_assert_mem_eq(octets, "ab", 2);
    observed++;
}

START_TEST(operations_are_observed)
{
    uint8_t octets[4];
    struct link_memory memory = expose(active, octets, sizeof octets, LINK_PEER_WRITES);
    observed = 0;
    active->observe = observe;
    active->observe_arg = &memory;
    ck_assert(passive->ops->write(passive, memory.handle, memory.offset + 1, "ab", 2));
    ck_assert(!passive->ops->write(passive, memory.handle, memory.offset + 3, "ab", 2));
    ck_assert_uint_eq(observed, 1);
}
END_TEST

START_TEST(the_peer_disconnects)
{
    ck_assert(passive->ops->send(passive, "last", 4, NULL));
    passive->ops->close(passive);
    ck_assert_int_eq(next(active).type, LINK_RECEIVED);
    ck_assert_int_eq(next(active).type, LINK_CLOSED);
    ck_assert_ptr_nonnull(strstr(active->why, "disconnected"));
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("loopback");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, private_data_crosses);
    tcase_add_test(tests, a_connection_can_be_rejected);
    tcase_add_test(tests, sends_arrive_in_order);
    tcase_add_test(tests, the_peer_is_driven_while_one_waits);
    tcase_add_test(tests, a_send_needs_a_receive);
    tcase_add_test(tests, receives_are_posted_anew);
    tcase_add_test(tests, a_send_fits_its_receive);
    tcase_add_test(tests, memory_is_read_and_written);
    tcase_add_loop_test(tests, memory_is_guarded, 0, COUNT(refusals));
    tcase_add_test(tests, hidden_memory_is_gone);
    tcase_add_test(tests, a_send_invalidates);
    tcase_add_test(tests, only_real_memory_is_invalidated);
    tcase_add_test(tests, operations_are_observed);
    tcase_add_test(tests, the_peer_disconnects);
    return run_tests("loopback", tests);
}
