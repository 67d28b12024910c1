// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/captures/sources.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct got got;
struct source_options got_options;
struct source_counts got_counts;
char got_error[512];

bool get_event(void *arg, const struct source_event *event)
{
    struct got *to = arg;
    ck_assert_uint_lt(to->events, GOT_MAX);
    unsigned i = to->events++;
    to->event[i].event = event->event;
    to->event[i].config = *event->config;
    ck_assert_uint_le(event->event.length, sizeof to->event[i].data);
    if (event->event.data)
        memcpy(to->event[i].data, event->event.data, event->event.length);
    snprintf(to->event[i].test, sizeof to->event[i].test, "%s", event->test ? event->test : "");
    snprintf(to->event[i].connection, sizeof to->event[i].connection, "%s", event->connection);
    to->event[i].connection_id = event->connection_id;
    to->event[i].index = event->index;
    to->event[i].frame = event->frame;
    to->event[i].line = event->line;
    return to->events != to->stop_after;
}

void get_closed(void *arg, uint64_t connection_id)
{
    struct got *to = arg;
    ck_assert_uint_eq(connection_id, to->closed);
    to->closed++;
}

void begin_reading(void)
{
    memset(&got, 0, sizeof got);
    got_options = (struct source_options){.port = 20049};
    got_error[0] = '\0';
}

bool read_octets(const void *octets, size_t length)
{
    char name[] = "/tmp/source_test.XXXXXX";
    int fd = mkstemp(name);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, octets, length), (ssize_t)length);
    close(fd);
    struct source_sink sink = {.event = get_event, .closed = get_closed, .arg = &got};
    bool good = source_read(name, &got_options, &sink, &got_counts, got_error, sizeof got_error);
    unlink(name);
    ck_assert_ptr_null(strchr(got_error, '\n'));
    return good;
}

bool read_text(const char *text)
{
    return read_octets(text, strlen(text));
}

void assert_send(unsigned i, const void *octets, size_t length)
{
    ck_assert_uint_lt(i, got.events);
    ck_assert_int_eq(got.event[i].event.type, RPCRDMA_EVENT_SEND);
    ck_assert_uint_eq(got.event[i].event.length, length);
    ck_assert_mem_eq(got.event[i].data, octets, length);
}
