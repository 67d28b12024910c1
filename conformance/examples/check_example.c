// SPDX-License-Identifier: BSD-3-Clause
/*
 * How a stack uses librpcrdma-check: a checker for each connection, an event for each thing that
 * happens, and RDMA_ERROR for a Send that cannot be taken.
 *
 * cc -std=c11 check_example.c -lrpcrdma-check -lrpcrdma
 */
#include <rpcrdma/check.h>

#include <stdio.h>
#include <stdlib.h>

/* What the client sends: an NFS NULL Call with an XID of 0x1234. */
static const uint8_t good_call[] = {
    0, 0, 0x12, 0x34, 0, 0, 0,    1,    /* XID, version 1 */
    0, 0, 0,    32,   0, 0, 0,    0,    /* 32 credits, RDMA_MSG */
    0, 0, 0,    0,    0, 0, 0,    0,    /* no Read list, no Write list */
    0, 0, 0,    0,                      /* no Reply chunk */
    0, 0, 0x12, 0x34, 0, 0, 0,    0,    /* XID, Call */
    0, 0, 0,    2,    0, 1, 0x86, 0xa3, /* RPC version 2, NFS */
    0, 0, 0,    3,    0, 0, 0,    0,    /* version 3, NULL */
    0, 0, 0,    0,    0, 0, 0,    0,    /* no credential */
    0, 0, 0,    0,    0, 0, 0,    0,    /* no verifier */
};

/* And what it should not: a Write chunk of 0x10000000 segments in 28 octets. */
static const uint8_t bad_call[] = {
    0,    0, 0x12, 0x35, 0, 0, 0, 1, /* XID, version 1 */
    0,    0, 0,    32,   0, 0, 0, 0, /* 32 credits, RDMA_MSG */
    0,    0, 0,    0,    0, 0, 0, 1, /* no Read list, a Write chunk */
    0x10, 0, 0,    0,                /* of this many segments */
};

static void print_judgement(const struct rpcrdma_event *event,
                            const struct rpcrdma_judgement *judgement)
{
    char text[160], field[80];
    printf("%s sends XID 0x%x:", event->from == RPCRDMA_CLIENT ? "client" : "server",
           judgement->xid);
    for (unsigned i = 0; i < RPCRDMA_REACTIONS; i++)
        if (judgement->reactions & 1u << i)
            printf(" %s", rpcrdma_reaction_name((enum rpcrdma_reaction)(1u << i)));
    putchar('\n');
    for (unsigned i = 0; i < judgement->count; i++) {
        const struct rpcrdma_finding *finding = &judgement->findings[i];
        rpcrdma_finding_text(finding, text, sizeof text);
        printf("  %s %s", rpcrdma_severity_name(finding->severity),
               rpcrdma_requirements[finding->rule].id);
        if (rpcrdma_finding_field(finding, event, field, sizeof field))
            printf(", octet %d, %s", (int)finding->offset, field);
        printf(": %s\n", text);
    }
}

static void judge(struct rpcrdma_check *check, enum rpcrdma_endpoint from, const void *octets,
                  size_t length)
{
    struct rpcrdma_event event = {
        .type = RPCRDMA_EVENT_SEND, .from = from, .data = octets, .length = length};
    struct rpcrdma_judgement judgement;
    rpcrdma_check_event(check, &event, &judgement);
    print_judgement(&event, &judgement);
}

/* The server's receive handler. */
static void receive(struct rpcrdma_check *check, const void *octets, size_t length)
{
    uint8_t answer[RPCRDMA_ANSWER_MAX];
    size_t answer_length;
    judge(check, RPCRDMA_CLIENT, octets, length);
    switch (rpcrdma_check_answer(RPCRDMA_PROTOCOL_1, octets, length, 16, answer, &answer_length)) {
    case RPCRDMA_ERR_VERS:
    case RPCRDMA_ERR_CHUNK: /* here a stack posts the answer as a Send */
        judge(check, RPCRDMA_SERVER, answer, answer_length);
        break;
    case RPCRDMA_PROCESS: /* here it goes on to the RPC message */
    default:              /* here it posts the buffer again */
        break;
    }
}

int main(void)
{
    const struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    size_t size = rpcrdma_check_size(&config);
    void *memory = malloc(size);
    struct rpcrdma_check *check = rpcrdma_check_init(memory, size, &config);
    if (check == NULL) {
        fputs("no memory\n", stderr);
        return 1;
    }
    receive(check, good_call, sizeof good_call);
    receive(check, bad_call, sizeof bad_call);
    free(memory);
    return 0;
}
