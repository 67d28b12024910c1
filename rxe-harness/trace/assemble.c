// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/trace/traced.h"

#include "conformance/base/alloc.h"
#include "conformance/base/count.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOTAL_MAX ((size_t)1 << 20)       /* octets that a Send can have */
#define OPERATION_MAX ((uint64_t)1 << 28) /* and an RDMA operation */
#define SEND_MAX 8192u                    /* octets of a Send that are put together */
#define PRIVATE_MAX 255
#define LATE_MAX 16 /* connections that have ended, and for which a thread can still be at work */

/* Numbers of the kernel's interface to user space, which do not change: enum rdma_cm_event_type
 * (rdma_user_cm.h), enum ib_uverbs_wr_opcode (ib_user_verbs.h). */
enum { CM_CONNECT_REQUEST = 4, CM_ESTABLISHED = 9, CM_DISCONNECTED = 10 };
enum { WR_WRITE = 0, WR_SEND_INVALIDATE = 9, WR_READ = 4, WR_READ_INVALIDATE = 11 };
#define WC_WITH_INVALIDATE 4u /* enum ib_wc_flags (ib_verbs.h) */
/* Of rdma_rw (drivers/infiniband/core/rw.c). */
enum { RW_SINGLE = 0, RW_MULTIPLE = 1, RW_REGISTERED = 2 };
enum { RW_REQUESTS = 9, RW_REGISTRATIONS = 4, RW_PIECES = 288, RW_PIECE = 16, RW_LENGTH_AT = 8 };

/* ---- what a thread does next belongs to it ---- */

static void remember(struct sighting list[WAITING], unsigned *next, const struct sighting *sighting)
{
    unsigned at = (*next)++ % WAITING;
    for (unsigned i = 0; i < WAITING; i++)
        if (list[i].pid == sighting->pid)
            at = i;
    list[at] = *sighting;
}

static struct sighting *remembered(struct sighting list[WAITING], uint32_t pid)
{
    for (unsigned i = 0; i < WAITING; i++)
        if (list[i].pid == pid && list[i].part[0].format)
            return &list[i];
    return NULL;
}

/* ---- connections ---- */

struct traced *traced_find(struct assembler *assembler, uint64_t key, enum rpcrdma_endpoint side)
{
    for (size_t i = assembler->count; i-- > 0;) {
        struct traced *each = &assembler->connections[i];
        if (each->key == key && each->side == side)
            return each;
    }
    return NULL;
}

static bool passes(const struct assembler_filter *filter, const struct capture_side sides[2],
                   uint16_t port)
{
    bool is_peer = !filter->has_peer;
    for (int i = 0; i < 2 && !is_peer; i++)
        is_peer = sides[i].address && address_equal(sides[i].address, &filter->peer);
    return is_peer && (filter->port == 0 || port == filter->port);
}

/* `peer`: what the other side said when they met, or NULL where that was not seen. */
static struct traced *open_connection(struct assembler *assembler, uint64_t key,
                                      enum rpcrdma_endpoint side, const struct sighting *own,
                                      const struct sighting *peer)
{
    uint8_t said[2][PRIVATE_MAX];
    struct address address[2];
    uint16_t port[2] = {0, 0};
    struct traced *old = traced_find(assembler, key, side);
    if (old)
        old->ended = true; /* its end was not seen */
    struct capture_side sides[2] = {{.unseen = peer == NULL,
                                     .sends_only = assembler->sends_only || side == RPCRDMA_CLIENT,
                                     .within = assembler->registrations && side == RPCRDMA_CLIENT},
                                    {0}};
    enum rpcrdma_endpoint other = (enum rpcrdma_endpoint)(1 - (int)side);
    if (sighting_address(own, "from", &address[side], &port[side]) &&
        sighting_address(own, "to", &address[other], &port[other]))
        for (int i = 0; i < 2; i++)
            sides[i].address = &address[i];
    sides[RPCRDMA_SERVER].port = port[RPCRDMA_SERVER];
    for (int i = 0; i < 2 && peer; i++) {
        const struct sighting *speaker = i == (int)side ? own : peer;
        size_t length = (size_t)sighting_number(speaker, "length");
        sides[i].private_data = said[i];
        sides[i].private_length = sighting_octets(speaker, "octets", said[i],
                                                  length < PRIVATE_MAX ? length : PRIVATE_MAX);
    }
    assembler->connections = alloc_room(assembler->connections, assembler->count, &assembler->room,
                                        sizeof *assembler->connections);
    struct traced *traced = &assembler->connections[assembler->count++];
    *traced = (struct traced){.key = key, .side = side};
    traced->ignored = !passes(&assembler->filter, sides, port[RPCRDMA_SERVER]);
    if (!traced->ignored)
        capture_meet(&traced->flow, assembler->capture, ++assembler->counts.connections, sides);
    return traced;
}

static struct traced *connection_of(struct assembler *assembler, const struct sighting *sighting,
                                    enum rpcrdma_endpoint side)
{
    uint64_t key = sighting_number(sighting, "connection");
    struct traced *traced = traced_find(assembler, key, side);
    if (traced == NULL)
        traced = open_connection(assembler, key, side, sighting, NULL);
    uint64_t id = side == RPCRDMA_CLIENT ? key : sighting_number(sighting, "id");
    if (id != 0)
        traced->id = id;
    return traced;
}

static void tell(struct assembler *assembler, const struct sighting *sighting)
{
    struct told *told = &assembler->told[assembler->next_told++ % WAITING];
    told->id = sighting_number(sighting, "id");
    told->seen = *sighting;
}

static const struct sighting *told_of(struct assembler *assembler, uint64_t id)
{
    for (unsigned i = 0; i < WAITING; i++)
        if (assembler->told[i].id == id && id != 0) {
            assembler->told[i].id = 0;
            return &assembler->told[i].seen;
        }
    return NULL;
}

static void end(struct assembler *assembler, const struct sighting *sighting, bool by_peer)
{
    uint64_t id = sighting_number(sighting, "id");
    for (size_t i = 0; i < assembler->count; i++) {
        struct traced *traced = &assembler->connections[i];
        if (traced->id != id || traced->ended)
            continue;
        struct rpcrdma_event event = {
            .type = RPCRDMA_EVENT_DISCONNECT,
            .from = by_peer ? (enum rpcrdma_endpoint)(1 - (int)traced->side) : traced->side};
        traced->ended = true;
        if (!traced->ignored)
            capture_add(&traced->flow, &event);
    }
}

/* Take out those that have ended, but for the latest `late`. */
static void forget_ended(struct assembler *assembler, size_t late)
{
    size_t kept = 0, ended = 0;
    for (size_t i = 0; i < assembler->count; i++)
        ended += assembler->connections[i].ended;
    for (size_t i = 0; i < assembler->count; i++)
        if (!assembler->connections[i].ended || ended-- <= late)
            assembler->connections[kept++] = assembler->connections[i];
    assembler->count = kept;
}

static void take_request(struct assembler *assembler, const struct sighting *sighting)
{
    if (sighting_number(sighting, "kind") == CM_CONNECT_REQUEST)
        tell(assembler, sighting);
}

static void take_accept(struct assembler *assembler, const struct sighting *sighting)
{
    uint64_t id = sighting_number(sighting, "id");
    const struct sighting *asked = told_of(assembler, id);
    if (asked == NULL)
        return; /* of another service: only what NFS/RDMA's listener was asked is known */
    forget_ended(assembler, LATE_MAX);
    uint64_t key = sighting_number(sighting, "connection");
    open_connection(assembler, key, RPCRDMA_SERVER, sighting, asked)->id = id;
}

static void take_connect(struct assembler *assembler, const struct sighting *sighting)
{
    tell(assembler, sighting);
}

static void take_answer(struct assembler *assembler, const struct sighting *sighting)
{
    uint64_t id = sighting_number(sighting, "id"), kind = sighting_number(sighting, "kind");
    if (kind == CM_DISCONNECTED)
        end(assembler, sighting, true);
    if (kind != CM_ESTABLISHED)
        return;
    const struct sighting *own = told_of(assembler, id);
    if (own == NULL)
        return;
    forget_ended(assembler, LATE_MAX);
    open_connection(assembler, id, RPCRDMA_CLIENT, own, sighting)->id = id;
}

static void take_server_end(struct assembler *assembler, const struct sighting *sighting)
{
    if (sighting_number(sighting, "kind") == CM_DISCONNECTED)
        end(assembler, sighting, true);
}

static void take_disconnect(struct assembler *assembler, const struct sighting *sighting)
{
    end(assembler, sighting, false);
}

/* ---- Sends ---- */

/* Who posted it: of a completion no process can be said. */
static void set_comment(struct assembler *assembler, const struct sighting *sighting, bool posted)
{
    char path[40], name[24] = "", comment[80] = "";
    snprintf(path, sizeof path, "/proc/%u/comm", sighting->pid);
    FILE *file = posted ? fopen(path, "r") : NULL;
    if (file && fgets(name, sizeof name, file)) {
        name[strcspn(name, "\n")] = '\0';
        snprintf(comment, sizeof comment, "posted by %s (process %u)", name, sighting->pid);
    }
    if (file)
        fclose(file);
    capture_set(assembler->capture, sighting->time, comment);
}

void traced_gap(struct traced *traced)
{
    for (int side = 0; side < 2 && !traced->ended && !traced->ignored; side++) {
        struct rpcrdma_event event = {.type = RPCRDMA_EVENT_GAP,
                                      .from = (enum rpcrdma_endpoint)side};
        capture_add(&traced->flow, &event);
    }
}

static void add_send(struct assembler *assembler, struct traced *traced,
                     const struct sighting *sighting, struct rpcrdma_event *event, size_t total)
{
    if (traced->ignored)
        return;
    if (total > TOTAL_MAX) { /* not a Send's */
        assembler->counts.unplaced++;
        traced_gap(traced);
        return;
    }
    if (event->length > total)
        event->length = total;
    event->type = RPCRDMA_EVENT_SEND;
    event->missing = total - event->length;
    assembler->counts.sends++;
    assembler->counts.cut += event->missing > 0;
    set_comment(assembler, sighting, event->from == traced->side);
    capture_add(&traced->flow, event);
}

static void add_received(struct assembler *assembler, const struct sighting *sighting,
                         enum rpcrdma_endpoint side, bool invalidates)
{
    uint8_t octets[SEND_MAX];
    size_t length = (size_t)sighting_number(sighting, "length");
    struct rpcrdma_event event = {
        .from = (enum rpcrdma_endpoint)(1 - (int)side), .data = octets, .invalidate = invalidates};
    if (invalidates)
        event.handle = (uint32_t)sighting_number(sighting, "handle");
    event.length =
        sighting_octets(sighting, "octets", octets, length < SEND_MAX ? length : SEND_MAX);
    add_send(assembler, connection_of(assembler, sighting, side), sighting, &event, length);
}

static void take_server_receive(struct assembler *assembler, const struct sighting *sighting)
{
    if (sighting_number(sighting, "status") == 0)
        add_received(assembler, sighting, RPCRDMA_SERVER, false);
}

static void take_client_receive(struct assembler *assembler, const struct sighting *sighting)
{
    bool invalidates = (sighting_number(sighting, "flags") & WC_WITH_INVALIDATE) != 0;
    add_received(assembler, sighting, RPCRDMA_CLIENT, invalidates);
}

/* A Send that is put together of a header and of a payload's parts. */
struct composed_send {
    uint8_t octets[SEND_MAX];
    size_t length, total;
    bool cut; /* what follows is not known */
};

/* `skip` octets of the pieces are passed over. */
static void append(struct composed_send *send, const struct sighting *from, const char *name,
                   size_t skip, size_t length)
{
    uint8_t octets[SEND_MAX];
    size_t room = SEND_MAX - send->length;
    if (send->cut || length == 0)
        return;
    size_t want = length <= room ? length : room;
    size_t got = skip <= SEND_MAX - want ? sighting_octets(from, name, octets, skip + want) : 0;
    got = got > skip ? got - skip : 0;
    memcpy(send->octets + send->length, octets + (got > 0 ? skip : 0), got);
    send->length += got;
    send->cut = got < length;
}

/* The lengths of the pieces of memory that a Send is posted with, as many as the probe reads. */
static size_t add_lengths(const struct sighting *sighting, unsigned known, size_t lengths[4])
{
    static const char *const names[] = {"length0", "length1", "length2", "length3"};
    uint64_t pieces = sighting_number(sighting, "pieces");
    size_t total = 0;
    for (unsigned i = 0; i < 4; i++) {
        lengths[i] = i < known && i < pieces ? (size_t)sighting_number(sighting, names[i]) : 0;
        total += lengths[i];
    }
    return pieces <= known ? total : 0;
}

/* What follows the header: head and tail of the payload, unless pages lie between them. `piece` is
 * the length of the piece after the header: the head, unless something else was done with it. */
static void append_payload(struct composed_send *send, const struct sighting *payload, size_t piece)
{
    size_t head = (size_t)sighting_number(payload, "head_length");
    size_t tail = (size_t)sighting_number(payload, "tail_length");
    size_t pages = (size_t)sighting_number(payload, "page_length");
    size_t left = send->total - send->length;
    if (left < head || piece != head) {
        send->cut = true;
        return;
    }
    size_t behind = left - head;
    /* Where pages go by a chunk, so does what pads them. */
    bool whole = behind == tail || behind + (4 - pages % 4) % 4 == tail;
    append(send, payload, "head", 0, head);
    if (whole)
        append(send, payload, "tail", tail - behind, behind);
    else
        send->cut = true;
}

static void take_payload(struct assembler *assembler, const struct sighting *sighting)
{
    remember(assembler->payloads, &assembler->next_payload, sighting);
}

static size_t payload_length(const struct sighting *payload)
{
    return (size_t)(sighting_number(payload, "head_length") +
                    sighting_number(payload, "page_length") +
                    sighting_number(payload, "tail_length"));
}

static void take_server_send(struct assembler *assembler, const struct sighting *sighting)
{
    struct composed_send send = {0};
    size_t lengths[4], header = (size_t)sighting_number(sighting, "header");
    struct sighting *payload = remembered(assembler->payloads, sighting->pid);
    bool invalidates = sighting_number(sighting, "opcode") == WR_SEND_INVALIDATE;
    send.total = add_lengths(sighting, 4, lengths);
    if (send.total == 0)
        send.total = header + (payload ? payload_length(payload) : 0);
    bool copied = lengths[0] == send.total;
    append(&send, sighting, "octets", 0, copied ? send.total : header);
    if (!copied && payload)
        append_payload(&send, payload, lengths[1]);
    if (payload)
        payload->part[0].format = NULL;
    struct rpcrdma_event event = {.from = RPCRDMA_SERVER,
                                  .data = send.octets,
                                  .length = send.length,
                                  .invalidate = invalidates};
    if (invalidates)
        event.handle = (uint32_t)sighting_number(sighting, "handle");
    add_send(assembler, connection_of(assembler, sighting, RPCRDMA_SERVER), sighting, &event,
             send.total);
}

/* What the client copies follows the head in memory, and goes with it. */
static void take_client_send(struct assembler *assembler, const struct sighting *sighting)
{
    struct composed_send send = {0};
    size_t lengths[4], header = (size_t)sighting_number(sighting, "header");
    send.total = add_lengths(sighting, 3, lengths);
    if (send.total == 0)
        send.total = header + payload_length(sighting);
    append(&send, sighting, "octets", 0, header);
    if (header + lengths[1] == send.total)
        append(&send, sighting, "head", 0, lengths[1]);
    else if (header < send.total)
        append_payload(&send, sighting, lengths[1]);
    struct rpcrdma_event event = {
        .from = RPCRDMA_CLIENT, .data = send.octets, .length = send.length};
    struct traced *traced = connection_of(assembler, sighting, RPCRDMA_CLIENT);
    if (assembler->registrations && !traced->ended)
        traced_registers(assembler, traced, sighting);
    add_send(assembler, traced, sighting, &event, send.total);
}

/* ---- RDMA operations ---- */

static void add_operation(struct assembler *assembler, struct traced *traced, uint64_t opcode,
                          uint64_t handle, uint64_t offset, uint64_t length)
{
    bool is_read = opcode == WR_READ || opcode == WR_READ_INVALIDATE;
    struct rpcrdma_event event = {.type =
                                      is_read ? RPCRDMA_EVENT_RDMA_READ : RPCRDMA_EVENT_RDMA_WRITE,
                                  .from = RPCRDMA_SERVER,
                                  .missing = (size_t)length,
                                  .handle = (uint32_t)handle,
                                  .offset = offset};
    if (!is_read && opcode != WR_WRITE)
        return;
    if (length > OPERATION_MAX) {
        assembler->counts.unplaced++;
        traced_gap(traced);
        return;
    }
    assembler->counts.operations++;
    capture_add(&traced->flow, &event);
}

static uint64_t numbered(const struct sighting *sighting, const char *name, unsigned number)
{
    char text[40];
    snprintf(text, sizeof text, "%s%u", name, number);
    return sighting_number(sighting, text);
}

/* Requests, each with its pieces of memory, which follow those of the one before. Returns how many
 * are known. */
static uint64_t add_row(struct assembler *assembler, struct traced *traced,
                        const struct sighting *sighting, uint64_t requests)
{
    uint8_t memory[RW_PIECES * RW_PIECE];
    size_t pieces = sighting_octets(sighting, "memory", memory, sizeof memory) / RW_PIECE, at = 0;
    uint64_t opcode = sighting_number(sighting, "opcode");
    for (unsigned i = 0; i < requests && i < RW_REQUESTS; i++) {
        uint64_t length = 0, count = numbered(sighting, "pieces", i);
        if (count > pieces - at)
            return i;
        for (; count > 0; count--, at++) {
            uint32_t part;
            memcpy(&part, memory + at * RW_PIECE + RW_LENGTH_AT, sizeof part);
            length += part;
        }
        add_operation(assembler, traced, opcode, numbered(sighting, "handle", i),
                      numbered(sighting, "offset", i), length);
    }
    return requests < RW_REQUESTS ? requests : RW_REQUESTS;
}

static uint64_t add_registered(struct assembler *assembler, struct traced *traced,
                               const struct sighting *sighting, uint64_t requests)
{
    unsigned i = 0;
    for (; i < requests && i < RW_REGISTRATIONS; i++)
        add_operation(assembler, traced, sighting_number(sighting, "opcode"),
                      numbered(sighting, "handle", i), numbered(sighting, "offset", i),
                      numbered(sighting, "length", i));
    return i;
}

/* What follows, by the same thread, is the return of the function with the requests. */
static void take_operations(struct assembler *assembler, const struct sighting *sighting)
{
    remember(assembler->operations, &assembler->next_operations, sighting);
}

static void take_rows(struct assembler *assembler, const struct sighting *sighting)
{
    struct sighting *entry = remembered(assembler->operations, sighting->pid);
    if (entry == NULL)
        return; /* it was lost, and that was said */
    struct traced *traced =
        traced_find(assembler, sighting_number(entry, "connection"), RPCRDMA_SERVER);
    uint64_t requests = sighting_number(entry, "requests"), known = 0;
    uint64_t kind = sighting_number(entry, "kind");
    if (traced && !traced->ignored) { /* else of another service, or not seen from the beginning */
        set_comment(assembler, sighting, true);
        if (kind == RW_SINGLE || kind == RW_MULTIPLE)
            known = add_row(assembler, traced, sighting, requests);
        else if (kind == RW_REGISTERED)
            known = add_registered(assembler, traced, entry, requests);
        if (known < requests) {
            assembler->counts.unplaced++;
            traced_gap(traced);
        }
    }
    entry->part[0].format = NULL;
}

/* ---- what is called ---- */

struct assembler *assembler_create(struct capture_file *capture,
                                   const struct assembler_filter *filter,
                                   const struct trace_wish *wish)
{
    struct assembler *assembler = calloc(1, sizeof *assembler);
    if (assembler) {
        assembler->capture = capture;
        assembler->filter = *filter;
        assembler->sends_only = wish->sends_only;
        assembler->registrations = wish->registrations;
    }
    return assembler;
}

void assembler_free(struct assembler *assembler)
{
    if (assembler)
        free(assembler->connections);
    free(assembler);
}

void assembler_take(struct assembler *assembler, const char *name, const struct sighting *sighting)
{
    static const struct {
        const char *name;
        void (*take)(struct assembler *assembler, const struct sighting *sighting);
    } takes[] = {
        {"requests", take_request},
        {"accepts", take_accept},
        {"server_receives", take_server_receive},
        {"operations", take_operations},
        {"operation_rows", take_rows},
        {"server_replies", take_payload},
        {"server_calls", take_payload},
        {"server_sends", take_server_send},
        {"server_ends", take_server_end},
        {"connects", take_connect},
        {"answers", take_answer},
        {"client_sends", take_client_send},
        {"client_receives", take_client_receive},
        {"disconnects", take_disconnect},
        {"invalidations", traced_invalidation},
        {"invalidations_waking", traced_invalidation},
        {"invalidations_done", traced_invalidation},
        {"completions", traced_completion},
        {"releases", traced_release},
    };
    capture_set(assembler->capture, sighting->time, "");
    for (size_t i = 0; i < COUNT(takes); i++)
        if (strcmp(takes[i].name, name) == 0)
            takes[i].take(assembler, sighting);
}

/* The opening of another connection, at the place of one that has ended, may be what was lost. */
void assembler_gap(struct assembler *assembler)
{
    forget_ended(assembler, 0);
    for (size_t i = 0; i < assembler->count; i++)
        traced_gap(&assembler->connections[i]);
}

const struct assembler_counts *assembler_counts(const struct assembler *assembler)
{
    return &assembler->counts;
}
