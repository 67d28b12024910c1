// SPDX-License-Identifier: BSD-3-Clause
/*
 * One event of any type from FIRST to LAST, of LENGTH octets of any value, seen by either side, on
 * a connection of which nothing was seen, or with CALLS 1 a Call of version 1.
 */
#include <rpcrdma/check.h>

#include <__fc_builtin.h>

static uint8_t octets[LENGTH];
static volatile int any;

/* NFS version 3, NULL, without chunks */
static const uint8_t call[] = {0, 0, 16, 0, 0, 0, 0, 1, 0,    0,    0, 8, 0, 0,  0, 0, 0,
                               0, 0, 0,  0, 0, 0, 0, 0, 0,    0,    0, 0, 0, 16, 0, 0, 0,
                               0, 0, 0,  0, 0, 2, 0, 1, 0x86, 0xa3, 0, 0, 0, 3,  0, 0, 0,
                               0, 0, 0,  0, 0, 0, 0, 0, 0,    0,    0, 0, 0, 0,  0, 0, 0};

int main(void)
{
    static uint64_t memory[1 << 13];
    struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    struct rpcrdma_judgement judgement;
    config.max_calls = config.max_segments = 2;
    struct rpcrdma_check *check = rpcrdma_check_init(memory, sizeof memory, &config);
    if (check == NULL)
        return 1;
    const struct rpcrdma_event before = {.data = call, .length = sizeof call};
    if (CALLS)
        rpcrdma_check_event(check, &before, &judgement);
    Frama_C_make_unknown((char *)octets, LENGTH);
    const struct rpcrdma_event event = {
        .from = (enum rpcrdma_endpoint)Frama_C_interval(0, 1),
        .type = (enum rpcrdma_event_type)Frama_C_interval(FIRST, LAST),
        .data = octets,
        .length = LENGTH,
        .missing = (size_t)(unsigned)any,
        .invalidate = any != 0,
        .handle = (uint32_t)any,
        .offset = (uint64_t)(unsigned)any,
        .is_read = any != 0,
        .has_order = any != 0,
        .sent = (uint64_t)(unsigned)any,
        .received = (uint64_t)(unsigned)any,
        .unconfirmed = any != 0,
        .reads_open = any != 0,
        .access = (unsigned)any,
        .xid = (uint32_t)any,
    };
    rpcrdma_check_event(check, &event, &judgement);
    return 0;
}
