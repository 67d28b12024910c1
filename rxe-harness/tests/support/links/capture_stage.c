// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/links/capture_stage.h"

#include "conformance/input/source.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is seen of registrations, the first event says. */
static void begin_check(struct captured *captured, const struct rpcrdma_check_config *seen)
{
    struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    config.seen_between = true;
    config.mid_stream = seen->mid_stream;
    memcpy(config.registrations_seen, seen->registrations_seen, sizeof config.registrations_seen);
    size_t size = rpcrdma_check_size(&config);
    free(captured->memory);
    captured->memory = malloc(size);
    captured->check = rpcrdma_check_init(captured->memory, size, &config);
    ck_assert_ptr_nonnull(captured->check);
}

static bool on_event(void *arg, const struct source_event *source)
{
    struct captured *captured = arg;
    const struct rpcrdma_event *event = &source->event;
    struct rpcrdma_judgement judgement;
    if (captured->check == NULL)
        begin_check(captured, source->config);
    captured->by_type[event->type]++;
    rpcrdma_check_event(captured->check, event, &judgement);
    for (unsigned i = 0; i < judgement.count; i++) {
        captured->findings += judgement.findings[i].severity != RPCRDMA_NOTE;
        captured->rule = judgement.findings[i].rule;
    }
    captured->operations_seen = source->config->operations_seen;
    captured->missing += event->missing;
    if (event->type == RPCRDMA_EVENT_SEND)
        captured->sends[event->from]++;
    if (event->type == RPCRDMA_EVENT_DISCONNECT)
        captured->disconnects[event->from]++;
    if (event->type == RPCRDMA_EVENT_SEND && event->invalidate)
        captured->invalidated = event->handle;
    if (event->type == RPCRDMA_EVENT_RDMA_READ || event->type == RPCRDMA_EVENT_RDMA_WRITE)
        captured->moved[event->type == RPCRDMA_EVENT_RDMA_WRITE] += event->length;
    return true;
}

void read_capture(const char *file, struct captured *captured)
{
    const struct source_options options = {.port = 20049, .memory = 16u << 20};
    const struct source_sink sink = {.event = on_event, .arg = captured};
    struct source_counts counts = {0};
    char error[256] = "";
    *captured = (struct captured){0};
    ck_assert_msg(source_read(file, &options, &sink, &counts, error, sizeof error), "%s", error);
    captured->lost = counts.missed[SOURCE_LOST];
    captured->unread = counts.missed[SOURCE_UNREAD];
    captured->connections = (unsigned)counts.connections;
    free(captured->memory);
    captured->memory = NULL;
}

bool has_tshark(void)
{
    static const char skip[] = "skip: no tshark\n0 passed, 0 failed, 1 skipped\n";
    if (system("command -v tshark >/dev/null") == 0)
        return true;
    ck_assert_int_eq(write(STDOUT_FILENO, skip, sizeof skip - 1), sizeof skip - 1);
    return false;
}

unsigned seen_by_tshark(const char *file, const char *filter)
{
    char command[512], line[256];
    snprintf(command, sizeof command, "tshark -r %s -Y '%s' -T fields -e frame.number 2>/dev/null",
             file, filter);
    FILE *out = popen(command, "r");
    ck_assert_ptr_nonnull(out);
    unsigned lines = 0;
    while (fgets(line, sizeof line, out))
        lines++;
    ck_assert_int_eq(pclose(out), 0);
    return lines;
}
