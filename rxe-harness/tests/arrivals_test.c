// SPDX-License-Identifier: BSD-3-Clause
/* Clients that take their time to connect do not hold up those who are relayed. */
#include "rxe-harness/proxy/arrivals.h"
#include "rxe-harness/responder/responder.h"

#include "conformance/base/clock.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <poll.h>
#include <stdlib.h>

#define SLOW 600 /* milliseconds that a client takes */

static struct arrivals arrivals;
static unsigned accepted, closed;
static bool rejected;
static int slow;
static struct link *came[ARRIVALS_MAX + 1]; /* in this order */

static void close_stub(struct link *link)
{
    closed++;
    free(link);
}

static const struct link_ops stub_ops = {.close = close_stub};

static struct link *accept_slowly(struct transport *transport, const struct link_options *options,
                                  unsigned timeout)
{
    struct link *link = calloc(1, sizeof *link);
    struct link_options answer = *options;
    (void)transport, (void)timeout;
    link->ops = &stub_ops;
    poll(NULL, 0, slow);
    if (accepted < COUNT(came))
        came[accepted] = link;
    accepted++;
    if (!rejected && arrivals_meet(&arrivals, link, &answer))
        return link;
    close_stub(link);
    return NULL;
}

static void close_listener(struct transport *transport)
{
    (void)transport;
}

static const struct transport_ops listener_ops = {.accept = accept_slowly, .close = close_listener};

/* Look for a client for so long; returns how many came. */
static unsigned take_for(int64_t time, bool keep)
{
    struct link *client, *server;
    unsigned count = 0;
    int64_t until = clock_milliseconds() + time;
    while (clock_milliseconds() < until) {
        int64_t before = clock_milliseconds();
        if (!keep && arrivals_take(&arrivals, &client, &server)) {
            client->ops->close(client);
            server->ops->close(server);
            count++;
        }
        ck_assert_int_lt(clock_milliseconds() - before, SLOW - 50);
        poll(NULL, 0, 5);
    }
    return count;
}

static void begin(struct proxy *proxy, struct transport *listener, unsigned limit)
{
    *proxy = (struct proxy){.target = responder_loopback(), .timeout = 1000};
    *listener = (struct transport){.ops = &listener_ops};
    accepted = closed = 0;
    slow = SLOW;
    rejected = false;
    ck_assert(arrivals_begin(&arrivals, proxy, listener, limit));
}

static void end(struct proxy *proxy)
{
    arrivals_end(&arrivals);
    proxy->target->ops->close(proxy->target);
}

START_TEST(nobody_waits_for_a_slow_client)
{
    struct proxy proxy;
    struct transport listener;
    begin(&proxy, &listener, 2);
    ck_assert_uint_eq(take_for(SLOW / 3, false), 0);
    ck_assert_uint_eq(take_for(5 * SLOW, false), 2); /* as many as were asked for */
    end(&proxy);
    ck_assert_uint_eq(accepted, 2);
    ck_assert_uint_eq(closed, 2);
}
END_TEST

START_TEST(whoever_is_not_taken_is_closed)
{
    struct proxy proxy;
    struct transport listener;
    begin(&proxy, &listener, 1);
    take_for(3 * SLOW, true);
    end(&proxy);
    ck_assert_uint_eq(accepted, 1);
    ck_assert_uint_eq(closed, 1);
}
END_TEST

START_TEST(none_is_accepted_on_hold)
{
    struct proxy proxy;
    struct transport listener;
    begin(&proxy, &listener, 0);
    arrivals_hold(&arrivals, true);
    take_for(3 * SLOW, true);
    ck_assert_uint_le(accepted, 1); /* who was on the way already */
    arrivals_hold(&arrivals, false);
    ck_assert_uint_ge(take_for(4 * SLOW, false), 1);
    end(&proxy);
}
END_TEST

START_TEST(who_is_rejected_does_not_count)
{
    struct proxy proxy;
    struct transport listener;
    begin(&proxy, &listener, 1);
    rejected = true;
    ck_assert_uint_eq(take_for(3 * SLOW, false), 0);
    rejected = false;
    ck_assert_uint_eq(take_for(5 * SLOW, false), 1);
    end(&proxy);
}
END_TEST

/* As many as there is room for; who came first is taken first, and makes room for another one. */
START_TEST(arrivals_wait_in_order)
{
    struct proxy proxy;
    struct transport listener;
    struct link *client, *server, *servers[ARRIVALS_MAX];
    begin(&proxy, &listener, 0);
    slow = 1;
    take_for(2 * SLOW, true);
    ck_assert_uint_eq(accepted, ARRIVALS_MAX);
    for (unsigned i = 0; i < ARRIVALS_MAX; i++)
        servers[i] = arrivals.servers[i];
    arrivals_hold(&arrivals, true);
    for (unsigned i = 0; i < ARRIVALS_MAX; i++) {
        ck_assert(arrivals_take(&arrivals, &client, &server));
        ck_assert_ptr_eq(client, came[i]);
        ck_assert_ptr_eq(server, servers[i]);
        client->ops->close(client);
        server->ops->close(server);
    }
    ck_assert(!arrivals_take(&arrivals, &client, &server));
    arrivals_hold(&arrivals, false);
    take_for(SLOW / 2, true);
    ck_assert_uint_gt(accepted, ARRIVALS_MAX);
    end(&proxy);
    ck_assert_uint_eq(closed, accepted);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("arrivals");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, nobody_waits_for_a_slow_client);
    tcase_add_test(tests, whoever_is_not_taken_is_closed);
    tcase_add_test(tests, none_is_accepted_on_hold);
    tcase_add_test(tests, who_is_rejected_does_not_count);
    tcase_add_test(tests, arrivals_wait_in_order);
    return run_tests("arrivals", tests);
}
