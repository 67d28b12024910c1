// SPDX-License-Identifier: BSD-3-Clause
/*
 * The checker on a connection of EVENTS events, each of any type from FIRST on, with up to LENGTH
 * octets of any value, seen by either side, in any order of Sends. EVENTS 0: rpcrdma_check_answer()
 * instead.
 */
#include <rpcrdma/check.h>

#include <__fc_builtin.h>

uint8_t octets[LENGTH];
volatile int any;

static struct rpcrdma_event any_event(void)
{
    struct rpcrdma_event event = {
        .from = (enum rpcrdma_endpoint)Frama_C_interval(0, 1),
        .data = any ? octets : NULL,
        .length = (size_t)Frama_C_interval(0, LENGTH),
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
    return event;
}

static int answer(void)
{
    uint8_t room[RPCRDMA_ANSWER_MAX];
    size_t n;
    enum rpcrdma_protocol protocol = (enum rpcrdma_protocol)Frama_C_interval(0, 3);
    return (int)rpcrdma_check_answer(protocol, octets, (size_t)Frama_C_interval(0, LENGTH),
                                     (uint32_t)any, room, &n);
}

static int events(void)
{
    static uint64_t memory[1 << 13];
    struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    struct rpcrdma_judgement judgement;
    config.max_calls = config.max_segments = 2;
    config.registrations_seen[RPCRDMA_CLIENT] = config.registrations_seen[RPCRDMA_SERVER] = true;
    struct rpcrdma_check *check = rpcrdma_check_init(memory, sizeof memory, &config);
    if (check == NULL)
        return 1;
    for (int i = 0; i < EVENTS; i++) {
        struct rpcrdma_event event = any_event();
        /* Here, because what is split does not stay so through a return. Private data ends where
         * the octets do, so that one too far is outside. */
        event.type =
            (enum rpcrdma_event_type)Frama_C_interval_split(FIRST, RPCRDMA_EVENT_TYPES - 1);
        if (event.type == RPCRDMA_EVENT_SEND) {
            event.data = octets;
        } else if (event.type == RPCRDMA_EVENT_PRIVATE_DATA) {
            event.length = (size_t)Frama_C_interval_split(0, LENGTH);
            event.data = octets + LENGTH - event.length;
        }
        Frama_C_make_unknown((char *)octets, LENGTH);
        rpcrdma_check_event(check, &event, &judgement);
    }
    return 0;
}

int main(void)
{
    Frama_C_make_unknown((char *)octets, LENGTH);
    return EVENTS > 0 ? events() : answer();
}
