// SPDX-License-Identifier: BSD-3-Clause
/* The memory of a connection: Calls and what they offer, in hash tables over the caller's octets.
 */
#include "conformance/check/core/state.h"

#include <rpcrdma/rpcrdma.h>

#include <string.h>

/* Most Calls offer a few segments, some many: this many for each Call, and at least for one. */
#define MEMORY_A_CALL 4

/* More than this is no connection, and sizes stay far from overflow. */
#define LIMIT_MAX (1u << 20)
#define CONTINUED_MAX (1u << 26)

/* What 0 in a configuration stands for. */
enum { DEFAULT_CALLS = 256, DEFAULT_SEGMENTS = 64, DEFAULT_CONTINUED = 4096 };

uint32_t rpcrdma_continued(const struct rpcrdma_check_config *config)
{
    return config->continued_octets ? config->continued_octets : DEFAULT_CONTINUED;
}

struct state_layout {
    uint32_t calls, memory, call_buckets, memory_buckets, registrations;
    size_t calls_at, leads_at, memory_at, call_buckets_at, memory_buckets_at, continued_at;
    size_t registrations_at, registration_buckets_at, size;
};

static uint32_t power_of_two(uint32_t least)
{
    uint32_t n = 16;
    while (n < least)
        n *= 2;
    return n;
}

static size_t align(size_t at)
{
    return (at + 15) & ~(size_t)15;
}

struct rpcrdma_check_config rpcrdma_check_config_default(void)
{
    return (struct rpcrdma_check_config){.max_calls = DEFAULT_CALLS,
                                         .max_segments = DEFAULT_SEGMENTS};
}

static bool lay_out(const struct rpcrdma_check_config *config, struct state_layout *l)
{
    uint32_t calls = config->max_calls ? config->max_calls : DEFAULT_CALLS;
    uint32_t segments = config->max_segments ? config->max_segments : DEFAULT_SEGMENTS;
    uint32_t continued = rpcrdma_continued(config);
    if (calls > LIMIT_MAX || segments > LIMIT_MAX || continued > CONTINUED_MAX)
        return false;
    if (config->draft != RPCRDMA_PROTOCOL_AUTO && !rpcrdma_protocol_is_draft(config->draft))
        return false;
    l->calls = 2 * calls; /* both directions */
    l->memory = l->calls * MEMORY_A_CALL;
    if (l->memory < segments)
        l->memory = segments;
    l->call_buckets = power_of_two(l->calls);
    l->memory_buckets = power_of_two(l->memory);
    l->calls_at = align(sizeof(struct rpcrdma_check));
    l->leads_at = align(l->calls_at + l->calls * sizeof(struct call));
    l->memory_at = align(l->leads_at + l->calls * LEAD_OCTETS);
    l->call_buckets_at = align(l->memory_at + l->memory * sizeof(struct offered_memory));
    l->memory_buckets_at = align(l->call_buckets_at + l->call_buckets * sizeof(uint32_t));
    l->continued_at = l->memory_buckets_at + l->memory_buckets * sizeof(uint32_t);
    l->size = l->continued_at + 2 * (size_t)continued; /* both sides */
    l->registrations = 0;
    l->registration_buckets_at = l->registrations_at = 0;
    if (!config->registrations_seen[0] && !config->registrations_seen[1])
        return true;
    l->registrations = l->memory;
    l->registrations_at = align(l->size);
    l->registration_buckets_at =
        align(l->registrations_at + l->registrations * sizeof(struct registration));
    l->size = l->registration_buckets_at + l->memory_buckets * sizeof(uint32_t);
    return true;
}

size_t rpcrdma_check_size(const struct rpcrdma_check_config *config)
{
    struct state_layout l;
    return lay_out(config, &l) ? l.size : 0;
}

/* What the configuration says of a connection that is seen from its middle on. */
static void state2_init(struct rpcrdma_check *check, uint8_t *continued)
{
    const struct rpcrdma_check_config *config = &check->config;
    check->two.protocol =
        config->draft != RPCRDMA_PROTOCOL_AUTO ? config->draft : RPCRDMA_PROTOCOL_2_07;
    for (int i = 0; i < 2; i++) {
        struct side2 *side = &check->two.side[i];
        side->pieces.octets = continued + (size_t)i * rpcrdma_continued(config);
        side->credits.limit = config->counts_known ? config->limit[i] : 1;
        side->credits.limited = config->counts_known;
        side->credits.sent_before = config->counts_known ? config->sent[i] : 0;
        side->credits.counts_known = config->counts_known || !config->mid_stream;
        side->properties.told = side->properties.known = config->properties_told[i];
        memcpy(side->properties.value, config->property[i], sizeof config->property[i]);
    }
}

struct rpcrdma_check *rpcrdma_state_init(void *memory, size_t size,
                                         const struct rpcrdma_check_config *config,
                                         const struct rpcrdma_binding *const *known_bindings)
{
    struct state_layout l;
    if (memory == NULL || !lay_out(config, &l) || size < l.size)
        return NULL;
    uint8_t *octets = memory;
    struct rpcrdma_check *check = memory;
    memset(check, 0, sizeof *check);
    check->config = *config;
    check->known_bindings = known_bindings;
    check->calls = (void *)(octets + l.calls_at);
    check->leads = (void *)(octets + l.leads_at);
    check->memory = (void *)(octets + l.memory_at);
    check->call_buckets = (void *)(octets + l.call_buckets_at);
    check->memory_buckets = (void *)(octets + l.memory_buckets_at);
    check->call_count = l.calls;
    check->memory_count = l.memory;
    check->bucket_mask = l.call_buckets - 1;
    check->memory_mask = l.memory_buckets - 1;
    memset(check->call_buckets, 0xff, l.call_buckets * sizeof(uint32_t));
    memset(check->memory_buckets, 0xff, l.memory_buckets * sizeof(uint32_t));
    check->free_call = check->free_memory = NONE;
    check->rows[ROW_WAITING] = check->rows[ROW_ANSWERED] = (struct call_row){NONE, NONE};
    rpcrdma_registrations_init(&check->registrations, (void *)(octets + l.registrations_at),
                               l.registrations, (void *)(octets + l.registration_buckets_at),
                               check->memory_mask);
    if (config->mid_stream)
        rpcrdma_state_gap(check);
    state2_init(check, octets + l.continued_at);
    return check;
}

/* Calls that are searched for an XID by which they are not hashed. */
#define SEARCH_MAX 4096

struct call *rpcrdma_state_find_rpc_xid(struct rpcrdma_check *check, enum rpcrdma_endpoint from,
                                        uint32_t xid)
{
    uint32_t i = check->rows[ROW_WAITING].newest;
    for (unsigned n = 0; n < SEARCH_MAX && i != NONE; n++, i = check->calls[i].older) {
        struct call *call = &check->calls[i];
        if (call->rpc_xid == xid && call->from == from && call->state == CALL_PENDING &&
            call->judged)
            return call;
    }
    return NULL;
}

bool rpcrdma_state_has_unread(const struct rpcrdma_check *check, enum rpcrdma_endpoint from)
{
    uint32_t i = check->rows[ROW_WAITING].newest;
    for (unsigned n = 0; i != NONE; n++, i = check->calls[i].older)
        if (n == SEARCH_MAX || (check->calls[i].from == from && !check->calls[i].offers.known &&
                                !check->calls[i].is_control))
            return true;
    return false;
}

/* ---- memory ---- */

static uint32_t *memory_bucket(struct rpcrdma_check *check, uint32_t handle)
{
    return &check->memory_buckets[rpcrdma_state_mix(handle) & check->memory_mask];
}

static uint32_t take_memory(struct rpcrdma_check *check)
{
    uint32_t i = check->free_memory;
    if (i != NONE)
        check->free_memory = check->memory[i].next;
    else if (check->memory_used < check->memory_count)
        i = check->memory_used++;
    return i;
}

static void unhash(struct rpcrdma_check *check, uint32_t i)
{
    struct offered_memory *memory = &check->memory[i];
    if (memory->kind == MEMORY_EMPTY_WRITE)
        return;
    if (memory->hash_prev != NONE)
        check->memory[memory->hash_prev].hash_next = memory->hash_next;
    else
        *memory_bucket(check, memory->handle) = memory->hash_next;
    if (memory->hash_next != NONE)
        check->memory[memory->hash_next].hash_prev = memory->hash_prev;
}

void rpcrdma_state_withdraw(struct rpcrdma_check *check, struct call *call)
{
    for (uint32_t i = call->first; i != NONE;) {
        uint32_t next = check->memory[i].next;
        unhash(check, i);
        check->memory[i].next = check->free_memory;
        check->free_memory = i;
        i = next;
    }
    call->first = call->last = NONE;
}

static struct offered_memory *of_handle(struct rpcrdma_check *check, uint32_t i, uint32_t handle)
{
    while (i != NONE && check->memory[i].handle != handle)
        i = check->memory[i].hash_next;
    return i == NONE ? NULL : &check->memory[i];
}

struct offered_memory *rpcrdma_state_memory(struct rpcrdma_check *check, uint32_t handle)
{
    return of_handle(check, *memory_bucket(check, handle), handle);
}

struct offered_memory *rpcrdma_state_memory_next(struct rpcrdma_check *check,
                                                 const struct offered_memory *memory)
{
    return of_handle(check, memory->hash_next, memory->handle);
}

/* ---- calls ---- */

static struct call_row *row_of(struct rpcrdma_check *check, const struct call *call)
{
    return &check->rows[call->state == CALL_ANSWERED ? ROW_ANSWERED : ROW_WAITING];
}

static void leave_row(struct rpcrdma_check *check, struct call *call)
{
    struct call_row *row = row_of(check, call);
    if (call->older != NONE)
        check->calls[call->older].newer = call->newer;
    else
        row->oldest = call->newer;
    if (call->newer != NONE)
        check->calls[call->newer].older = call->older;
    else
        row->newest = call->older;
}

static void enter_row(struct rpcrdma_check *check, struct call *call)
{
    struct call_row *row = row_of(check, call);
    uint32_t i = (uint32_t)(call - check->calls);
    call->older = row->newest;
    call->newer = NONE;
    if (row->newest != NONE)
        check->calls[row->newest].newer = i;
    else
        row->oldest = i;
    row->newest = i;
}

void rpcrdma_state_set(struct rpcrdma_check *check, struct call *call, enum call_state state)
{
    if (call->state == CALL_PENDING && state != CALL_PENDING && call->counted && !call->crossed) {
        check->traffic[call->from].in_flight--;
        check->traffic[call->from].freed++;
    }
    leave_row(check, call);
    call->state = (uint8_t)state;
    enter_row(check, call);
}

void rpcrdma_state_answer(struct rpcrdma_check *check, struct call *call)
{
    call->due--;
    rpcrdma_state_set(check, call, call->due == 0 ? CALL_ANSWERED : CALL_DOUBTFUL);
}

static uint32_t take_call(struct rpcrdma_check *check)
{
    uint32_t i = check->free_call;
    if (i != NONE)
        check->free_call = check->calls[i].newer;
    else if (check->calls_used < check->call_count)
        i = check->calls_used++;
    return i;
}

static void forget(struct traffic *traffic)
{
    traffic->forgot = traffic->forgot_memory = true;
}

static void remove_call(struct rpcrdma_check *check, struct call *call)
{
    uint32_t i = (uint32_t)(call - check->calls);
    uint32_t *link = rpcrdma_state_bucket(check, call->from, call->xid);
    while (*link != i)
        link = &check->calls[*link].hash_next;
    *link = call->hash_next;
    rpcrdma_state_withdraw(check, call);
    if (call->state != CALL_ANSWERED) /* nor are those in flight counted any more */
        forget(&check->traffic[call->from]);
    leave_row(check, call);
    call->state = CALL_FREE;
    call->newer = check->free_call;
    check->free_call = i;
}

/* Of what a side has told, or is in the middle of, nothing is known any more. */
static void forget_side(struct side2 *side)
{
    uint8_t *octets = side->pieces.octets;
    side->pieces = (struct pieces){.octets = octets, .unseen = true};
    side->properties = (struct properties){.forgot_request = true};
    side->credits.counts_known = false;
}

void rpcrdma_state_gap(struct rpcrdma_check *check)
{
    forget_side(&check->two.side[RPCRDMA_CLIENT]);
    forget_side(&check->two.side[RPCRDMA_SERVER]);
    for (int row = 0; row < ROWS; row++)
        while (check->rows[row].oldest != NONE)
            remove_call(check, &check->calls[check->rows[row].oldest]);
    forget(&check->traffic[RPCRDMA_CLIENT]);
    forget(&check->traffic[RPCRDMA_SERVER]);
    rpcrdma_registrations_gap(&check->registrations);
}

struct call *rpcrdma_state_add(struct rpcrdma_check *check, struct call *known,
                               enum rpcrdma_endpoint from, uint32_t xid, uint32_t version,
                               bool takes_over)
{
    uint32_t due = 1, first = NONE, last = NONE;
    bool mixed = false;
    if (takes_over) {
        first = known->first, last = known->last;
        known->first = known->last = NONE;
    }
    if (known != NULL) {
        if (is_waiting(known)) {
            due = known->due < UINT32_MAX ? known->due + 1 : known->due;
            mixed = known->mixed || known->version != version;
            uint64_t freed = check->traffic[from].freed;
            rpcrdma_state_set(check, known, CALL_ANSWERED); /* taken over, not forgotten */
            check->traffic[from].freed = freed;             /* and by no answer */
        }
        remove_call(check, known);
    }
    uint32_t i = take_call(check);
    if (i == NONE) {
        bool answered = check->rows[ROW_ANSWERED].oldest != NONE;
        int row = answered ? ROW_ANSWERED : ROW_WAITING;
        remove_call(check, &check->calls[check->rows[row].oldest]);
        i = take_call(check);
    }
    struct call *call = &check->calls[i];
    const size_t begin = offsetof(struct call, type), end = offsetof(struct call, identity);
    memset((uint8_t *)call + begin, 0, end - begin);
    call->state = CALL_PENDING;
    call->judged = false;
    call->first = first;
    call->last = last;
    for (; first != NONE; first = check->memory[first].next)
        check->memory[first].call = i;
    call->xid = call->rpc_xid = xid;
    call->version = version;
    call->posted = check->two.side[from].sends;
    call->due = due;
    call->mixed = mixed;
    call->from = (uint8_t)from;
    enter_row(check, call);
    uint32_t *bucket = rpcrdma_state_bucket(check, from, xid);
    call->hash_next = *bucket;
    *bucket = i;
    return call;
}

bool rpcrdma_state_offer(struct rpcrdma_check *check, struct call *call, enum memory_kind kind,
                         uint32_t chunk, const struct rpcrdma1_segment *segment,
                         uint32_t registration)
{
    uint32_t i;
    while ((i = take_memory(check)) == NONE && check->rows[ROW_ANSWERED].oldest != NONE)
        remove_call(check, &check->calls[check->rows[ROW_ANSWERED].oldest]);
    if (i == NONE)
        return false;
    struct offered_memory *memory = &check->memory[i];
    *memory = (struct offered_memory){.kind = (uint8_t)kind,
                                      .chunk = chunk,
                                      .call = (uint32_t)(call - check->calls),
                                      .next = NONE,
                                      .registration = registration,
                                      .hash_next = NONE,
                                      .hash_prev = NONE};
    if (segment) {
        memory->handle = segment->handle;
        memory->length = segment->length;
        memory->offset = segment->offset;
        uint32_t *bucket = memory_bucket(check, segment->handle);
        memory->hash_next = *bucket;
        if (*bucket != NONE)
            check->memory[*bucket].hash_prev = i;
        *bucket = i;
    }
    if (call->first == NONE)
        call->first = i;
    else
        check->memory[call->last].next = i;
    call->last = i;
    return true;
}

/* ---- inline thresholds ---- */

void rpcrdma_state_negotiate(struct rpcrdma_check *check)
{
    const struct side *client = &check->side[RPCRDMA_CLIENT];
    const struct side *server = &check->side[RPCRDMA_SERVER];
    if (client->private_data_good && server->private_data_good)
        rpcrdma_inline_thresholds(&client->private_data, &server->private_data, check->negotiated);
}
