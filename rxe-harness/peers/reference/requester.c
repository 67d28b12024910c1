// SPDX-License-Identifier: BSD-3-Clause
/*
 * Our Requester of version 2 as a program of its own, over verbs: it moves data of NFS version 3 to
 * and from the reference Responder in all ways there are, and compares octet by octet. With --calls
 * it makes Calls of the test program instead, by version 1 where the peer has no other, and waits
 * so long for each Reply: what `rpcrdma serve --draft` wants of a Requester.
 *
 *   requester --draft 04|07 [--longest OCTETS | --calls MILLISECONDS] [--times NUMBER] ADDRESS
 *
 * Its status is 0 where all was as it should be, 1 where something differed, 4 where the peer was
 * not reached.
 */
#include "rxe-harness/requester/nfs3_calls.h"
#include "rxe-harness/requester/requester.h"
#include "rxe-harness/transport/test_program.h"

#include <rpcrdma/rpcrdma2_07.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 1048576u
#define TIMEOUT 60000u /* milliseconds; 1 MiB is 258 Sends, one after another */

struct task {
    enum rpcrdma_protocol draft; /* RPCRDMA_PROTOCOL_AUTO: none was named */
    uint32_t longest;
    unsigned calls; /* the time for a Reply; 0: NFS */
    unsigned long times;
    const char *address;
};

static bool parse(struct task *task, int argc, char **argv)
{
    int next = 1;
    for (; next + 1 < argc && strncmp(argv[next], "--", 2) == 0; next += 2) {
        const char *option = argv[next], *value = argv[next + 1];
        if (strcmp(option, "--draft") == 0 && strcmp(value, "04") == 0)
            task->draft = RPCRDMA_PROTOCOL_2_04;
        else if (strcmp(option, "--draft") == 0 && strcmp(value, "07") == 0)
            task->draft = RPCRDMA_PROTOCOL_2_07;
        else if (strcmp(option, "--longest") == 0)
            task->longest = (uint32_t)strtoul(value, NULL, 0);
        else if (strcmp(option, "--calls") == 0)
            task->calls = (unsigned)strtoul(value, NULL, 0);
        else if (strcmp(option, "--times") == 0)
            task->times = strtoul(value, NULL, 0);
        else
            return false;
    }
    task->address = argv[next];
    return next + 1 == argc && rpcrdma_protocol_is_draft(task->draft);
}

/* Returns the status. */
static int call_test_program(const struct task *task, struct transport *transport)
{
    const struct requester_options options = {.timeout = task->calls,
                                              .draft = task->draft,
                                              .program = TEST_PROGRAM,
                                              .version = TEST_VERSION};
    char text[256];
    struct requester *requester = requester_connect(transport, &options);
    if (requester == NULL) {
        fprintf(stderr, "requester: %s: %s\n", task->address, transport->error);
        return 4;
    }
    const char *wrong = requester_call_test(requester, false, task->calls, text);
    printf("%s\n", wrong ? wrong : "all Calls were answered");
    requester_close(requester);
    return wrong ? 1 : 0;
}

/* Returns the status. */
static int exercise(const struct task *task, struct transport *transport)
{
    const struct session_options options = {.protocol = task->draft,
                                            .active = true,
                                            .credits = 16,
                                            .send_size = SESSION_INLINE,
                                            .receive_size = SESSION_INLINE,
                                            .segments = 64,
                                            .reverse = SESSION_REVERSE_ALL,
                                            .message_max = 4 * LONGEST,
                                            .queue_max = 4 * LONGEST};
    const struct link_options receives = {
        .receive_size = SESSION_INLINE, .receives = session_receives(&options), .timeout = TIMEOUT};
    struct link *link = transport->ops->connect(transport, &receives);
    if (link == NULL) {
        fprintf(stderr, "requester: %s: %s\n", task->address, transport->error);
        return 4;
    }
    /* Memory of user space cannot be invalidated: no Call names a handle. */
    struct nfs3_client client = {.link = link,
                                 .session = session_new(link, &options),
                                 .protocol = task->draft,
                                 .timeout = TIMEOUT};
    bool good = client.session && nfs3_exercise(&client, task->longest);
    struct session_counts counts = {.sent = 0};
    if (client.session)
        counts = session_counts(client.session);
    printf("%s: %" PRIu32 " Sends, %" PRIu32 " came, %" PRIu32 " pieces, %u reverse Calls%s%s\n",
           good ? "equal" : "failed", counts.sent, counts.received, counts.pieces_sent,
           client.answered, good ? "" : ": ", client.error);
    session_free(client.session);
    link->ops->close(link);
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct task task = {.longest = LONGEST, .times = 1};
    char error[256] = "";
    if (!parse(&task, argc, argv)) {
        fputs("usage: requester --draft 04|07 [--longest OCTETS | --calls MILLISECONDS] "
              "[--times NUMBER] ADDRESS\n",
              stderr);
        return 2;
    }
    struct transport *transport = transport_open(task.address, false, error, sizeof error);
    if (transport == NULL) {
        fprintf(stderr, "requester: %s: %s\n", task.address, error);
        return 4;
    }
    int status = 0;
    for (unsigned long i = 0; i < task.times && status == 0; i++)
        status = task.calls > 0 ? call_test_program(&task, transport) : exercise(&task, transport);
    transport->ops->close(transport);
    return status;
}
