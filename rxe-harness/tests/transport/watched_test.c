// SPDX-License-Identifier: BSD-3-Clause
/* A watched link, over one that writes down what is done with it: each event is reported once, of
 * the right side, in its turn. */
#include "rxe-harness/transport/watched.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char told[512]; /* a word for each thing that happened */
static bool fails;     /* RDMA operations do */
static enum link_event_type comes;
static struct link link;
static struct watched watched;

static void tell(const char *word)
{
    ck_assert_uint_lt(strlen(told) + strlen(word) + 1, sizeof told);
    strcat(told, word);
}

static bool send_raw(struct link *of, const void *octets, size_t length, const uint32_t *handle)
{
    (void)of;
    (void)octets;
    (void)length;
    tell(handle ? "sends-with-invalidate " : "sends ");
    return true;
}

static void wait_raw(struct link *of, unsigned timeout, struct link_event *event)
{
    static const uint8_t octets[4] = {1, 2, 3, 4};
    (void)of;
    (void)timeout;
    tell("waits ");
    *event = (struct link_event){.type = comes};
    if (comes == LINK_RECEIVED)
        *event = (struct link_event){
            .type = comes, .octets = octets, .length = 4, .invalidated = true, .handle = 77};
}

static bool read_raw(struct link *of, uint32_t handle, uint64_t offset, void *octets, size_t length)
{
    (void)of;
    (void)handle;
    (void)offset;
    memset(octets, 5, length);
    tell("reads ");
    return !fails;
}

static bool write_raw(struct link *of, uint32_t handle, uint64_t offset, const void *octets,
                      size_t length)
{
    (void)of;
    (void)handle;
    (void)offset;
    (void)octets;
    (void)length;
    tell("writes ");
    return !fails;
}

static const struct link_ops raw = {
    .send = send_raw, .wait = wait_raw, .read = read_raw, .write = write_raw};

static void on_event(void *arg, const struct rpcrdma_event *event,
                     const struct rpcrdma_judgement *judgement)
{
    char word[64];
    ck_assert_ptr_eq(arg, &watched);
    ck_assert_ptr_eq(judgement, &watched.judgement);
    if (event->type == RPCRDMA_EVENT_SEND) /* it is judged before it is reported */
        ck_assert(judgement->has_xid && judgement->xid == 0x01020304);
    snprintf(word, sizeof word, "%s:%s:%u:%zu ",
             event->from == RPCRDMA_CLIENT ? "client" : "server",
             event->type == RPCRDMA_EVENT_SEND           ? "send"
             : event->type == RPCRDMA_EVENT_RDMA_READ    ? "read"
             : event->type == RPCRDMA_EVENT_RDMA_WRITE   ? "write"
             : event->type == RPCRDMA_EVENT_PRIVATE_DATA ? "private"
                                                         : "end",
             (unsigned)event->handle, event->length);
    tell(word);
}

static void setup(enum rpcrdma_endpoint side)
{
    const struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    told[0] = '\0';
    fails = false;
    comes = LINK_RECEIVED;
    link = (struct link){.ops = &raw};
    watched = (struct watched){.side = side, .on_event = on_event, .arg = &watched};
    ck_assert(watched_init(&watched, &config));
    watched_begin(&watched, &link);
}

static void expect(const char *words)
{
    ck_assert_str_eq(told, words);
    told[0] = '\0';
}

static const uint8_t message[4] = {1, 2, 3, 4};

START_TEST(a_send_is_judged_before_it_goes)
{
    const uint32_t handle = 9;
    setup(_i ? RPCRDMA_SERVER : RPCRDMA_CLIENT);
    ck_assert(link.ops->send(&link, message, sizeof message, &handle));
    expect(_i ? "server:send:9:4 sends-with-invalidate "
              : "client:send:9:4 sends-with-invalidate ");
    ck_assert(link.ops->send(&link, message, sizeof message, NULL));
    expect(_i ? "server:send:0:4 sends " : "client:send:0:4 sends ");
    watched_free(&watched);
}
END_TEST

START_TEST(what_comes_is_judged_before_its_user_has_it)
{
    struct link_event event;
    setup(_i ? RPCRDMA_SERVER : RPCRDMA_CLIENT);
    link.ops->wait(&link, 1, &event);
    expect(_i ? "waits client:send:77:4 " : "waits server:send:77:4 ");
    comes = LINK_NOTHING;
    link.ops->wait(&link, 1, &event);
    expect("waits ");
    ck_assert(!watched.gone);
    comes = LINK_CLOSED;
    link.ops->wait(&link, 1, &event);
    expect(_i ? "waits client:end:0:0 " : "waits server:end:0:0 ");
    link.ops->wait(&link, 1, &event);
    watched_end(&watched, RPCRDMA_CLIENT);
    expect("waits "); /* it ends once */
    ck_assert(watched.gone);
    watched_free(&watched);
}
END_TEST

START_TEST(no_rdma_operation_is_lost)
{
    uint8_t octets[8] = {0};
    setup(RPCRDMA_SERVER);
    ck_assert(link.ops->read(&link, 3, 0, octets, 8));
    expect("reads server:read:3:8 ");
    ck_assert(link.ops->write(&link, 4, 0, octets, 7));
    expect("writes server:write:4:7 ");
    fails = true;
    ck_assert(!link.ops->read(&link, 3, 0, octets, 8));
    ck_assert(!link.ops->write(&link, 4, 0, octets, 7));
    expect("reads writes ");
    link.observe(link.observe_arg, false, 5, 0, octets, 6); /* the peer's */
    link.observe(link.observe_arg, true, 6, 0, octets, 5);
    expect("client:read:5:6 client:write:6:5 ");
    watched_free(&watched);
}
END_TEST

static bool twice(void *arg, const void *octets, size_t length, const uint32_t *handle)
{
    (void)arg;
    return watched_send(&watched, octets, length, handle) &&
           watched_send(&watched, octets, length, NULL);
}

static void later(void *arg, unsigned timeout, struct link_event *event)
{
    ck_assert_ptr_eq(arg, &watched);
    watched_take(&watched, timeout, event);
    tell("between ");
    watched_came(&watched, event);
}

START_TEST(hooks_take_the_place_of_sending_and_waiting)
{
    struct link_event event;
    setup(RPCRDMA_CLIENT);
    watched.outgoing = twice;
    watched.incoming = later;
    ck_assert(link.ops->send(&link, message, sizeof message, NULL));
    expect("client:send:0:4 sends client:send:0:4 sends ");
    link.ops->wait(&link, 1, &event);
    expect("waits between server:send:77:4 ");
    watched_leave(&watched);
    ck_assert_ptr_eq(link.ops, &raw);
    watched_free(&watched);
}
END_TEST

START_TEST(private_data_is_told_if_there_is_any)
{
    setup(RPCRDMA_CLIENT);
    watched_private(&watched, RPCRDMA_SERVER, message, sizeof message);
    watched_private(&watched, RPCRDMA_CLIENT, message, 0);
    expect("server:private:0:4 ");
    watched_free(&watched);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("watched");
    tcase_add_loop_test(tests, a_send_is_judged_before_it_goes, 0, 2);
    tcase_add_loop_test(tests, what_comes_is_judged_before_its_user_has_it, 0, 2);
    tcase_add_test(tests, no_rdma_operation_is_lost);
    tcase_add_test(tests, hooks_take_the_place_of_sending_and_waiting);
    tcase_add_test(tests, private_data_is_told_if_there_is_any);
    return run_tests("watched", tests);
}
