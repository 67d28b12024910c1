// SPDX-License-Identifier: BSD-3-Clause
/* Links over librdmacm and libibverbs: any RDMA device. */
#include "rxe-harness/transport/address.h"
#include "rxe-harness/transport/transport.h"

#include "conformance/base/clock.h"

#include <rdma/rdma_cma.h>

#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEND_MAX 65536         /* octets of a Send */
#define TRANSFER_MAX (4 << 20) /* octets of one RDMA operation: soft-RoCE has a limit of 8 MiB */
#define READS_MAX 16           /* RDMA Reads under way, in either direction */
#define BACKLOG 16
#define EXPLAINED 1000 /* ms from the end of a queue to the event that says why */
#define RETRIES 6      /* not 7, which some take for "for ever", as it is of RNR */

struct verbs_link {
    struct link link; /* first */
    struct rdma_event_channel *channel;
    struct rdma_cm_id *id;
    struct ibv_pd *pd;
    struct ibv_comp_channel *arrivals, *completions;
    struct ibv_cq *receive_cq, *send_cq;
    uint8_t *receives, *out; /* memory of the Receives; of the Send */
    struct ibv_mr *receives_mr, *out_mr;
    size_t receive_size;
    unsigned count, timeout;
    uint64_t given; /* the Receive that the caller has */
    bool has_given, open;
};

struct verbs {
    struct transport transport; /* first */
    struct addrinfo *address;
    struct rdma_event_channel *channel; /* of the listener */
    struct rdma_cm_id *listener;
};

static struct verbs_link *verbs_of(struct link *link)
{
    return (struct verbs_link *)link;
}

/* poll(2) takes a negative time for ever. */
static int poll_time(int64_t time)
{
    return (int)(time < 0 ? 0 : time < INT_MAX ? time : INT_MAX);
}

static void ended(struct verbs_link *own, const char *why)
{
    if (own->open || own->link.why[0] == '\0')
        snprintf(own->link.why, sizeof own->link.why, "%s", why);
    own->open = false;
}

/* ---- the connection manager ---- */

/* The next event, which has to be acknowledged, or NULL when the time is over. */
static struct rdma_cm_event *next_cm_event(struct rdma_event_channel *channel, unsigned timeout)
{
    struct pollfd ready = {.fd = channel->fd, .events = POLLIN};
    struct rdma_cm_event *event;
    if (poll(&ready, 1, poll_time(timeout)) <= 0 || rdma_get_cm_event(channel, &event) != 0)
        return NULL;
    return event;
}

static void keep_private_data(struct link *link, const struct rdma_conn_param *param)
{
    size_t length = param->private_data ? param->private_data_len : 0;
    link->private_length = length < LINK_PRIVATE_DATA_MAX ? length : LINK_PRIVATE_DATA_MAX;
    if (link->private_length > 0)
        memcpy(link->private_data, param->private_data, link->private_length);
}

/* Wait for this event of our own connection; others end it. */
static bool await_cm(struct verbs_link *own, enum rdma_cm_event_type wanted, char *error,
                     size_t error_size)
{
    struct rdma_cm_event *event = next_cm_event(own->channel, own->timeout);
    if (event == NULL) {
        snprintf(error, error_size, "no answer while connecting");
        return false;
    }
    bool good = event->event == wanted && event->status == 0;
    if (!good)
        snprintf(error, error_size, "while connecting: %s, status %d", rdma_event_str(event->event),
                 event->status);
    else if (wanted == RDMA_CM_EVENT_ESTABLISHED && event->param.conn.private_data_len > 0 &&
             own->link.private_length == 0)
        keep_private_data(&own->link, &event->param.conn);
    rdma_ack_cm_event(event);
    return good;
}

/* Has the peer, or the device, ended the connection? Waits for the next event; none came: false. */
static bool look_at_cm(struct verbs_link *own, unsigned timeout)
{
    struct rdma_cm_event *event = next_cm_event(own->channel, timeout);
    if (event == NULL)
        return false;
    bool left = event->event == RDMA_CM_EVENT_DISCONNECTED;
    if (event->event != RDMA_CM_EVENT_ESTABLISHED)
        ended(own, left ? LINK_LEFT : rdma_event_str(event->event));
    own->link.unexplained |= left && own->id->verbs->device->transport_type == IBV_TRANSPORT_IWARP;
    rdma_ack_cm_event(event);
    return true;
}

/* Over iWARP what was posted ends before the connection manager says why. */
static void flushed(struct verbs_link *own, const char *why)
{
    int64_t until = clock_milliseconds() + EXPLAINED;
    while (own->open && look_at_cm(own, (unsigned)poll_time(until - clock_milliseconds()))) {
    }
    ended(own, why);
}

/* ---- work requests ---- */

static bool post_receive(struct verbs_link *own, uint64_t number)
{
    struct ibv_sge sge = {.addr = (uintptr_t)own->receives + number * own->receive_size,
                          .length = (uint32_t)own->receive_size,
                          .lkey = own->receives_mr->lkey};
    struct ibv_recv_wr work = {.wr_id = number, .sg_list = &sge, .num_sge = 1}, *bad;
    errno = ibv_post_recv(own->id->qp, &work, &bad);
    return errno == 0;
}

/* Sleep until a completion channel or the connection manager has something to say. */
static void sleep_until_ready(struct verbs_link *own, struct ibv_comp_channel *channel, int time)
{
    struct pollfd ready[2] = {{.fd = channel->fd, .events = POLLIN},
                              {.fd = own->channel->fd, .events = POLLIN}};
    if (poll(ready, 2, time) <= 0)
        return;
    struct ibv_cq *which;
    void *context;
    if ((ready[0].revents & POLLIN) && ibv_get_cq_event(channel, &which, &context) == 0)
        ibv_ack_cq_events(which, 1);
    if ((ready[0].revents | ready[1].revents) & (POLLERR | POLLHUP | POLLNVAL))
        ended(own, "the device is gone");
}

/* Take a completion off a queue, waiting until `until`, on a clock in milliseconds. */
static bool take(struct verbs_link *own, struct ibv_cq *cq, struct ibv_comp_channel *channel,
                 int64_t until, struct ibv_wc *wc)
{
    for (;;) {
        if (ibv_poll_cq(cq, 1, wc) > 0)
            return true;
        ibv_req_notify_cq(cq, 0);
        if (ibv_poll_cq(cq, 1, wc) > 0) /* it came before the request was made */
            return true;
        look_at_cm(own, 0);
        int64_t left = until - clock_milliseconds();
        if (!own->open || left <= 0)
            return ibv_poll_cq(cq, 1, wc) > 0;
        sleep_until_ready(own, channel, poll_time(left));
    }
}

/* Post, and wait for the end. What fails ends the connection: the disconnect puts the queue pair
 * into its error state, so that the device uses no memory of the operation any longer. */
static bool complete(struct verbs_link *own, struct ibv_send_wr *work)
{
    struct ibv_send_wr *bad;
    struct ibv_wc wc = {.status = IBV_WC_GENERAL_ERR};
    work->send_flags = IBV_SEND_SIGNALED;
    if (!own->open)
        return false;
    int status = ibv_post_send(own->id->qp, work, &bad);
    if (status != 0)
        flushed(own, strerror(status));
    else if (!take(own, own->send_cq, own->completions, clock_milliseconds() + own->timeout, &wc))
        ended(own, "an operation did not complete in time");
    else if (wc.status == IBV_WC_SUCCESS)
        return true;
    else if (wc.status == IBV_WC_WR_FLUSH_ERR)
        flushed(own, ibv_wc_status_str(wc.status));
    else
        own->link.starved = own->link.starved || wc.status == IBV_WC_RNR_RETRY_EXC_ERR;
    ended(own, ibv_wc_status_str(wc.status));
    rdma_disconnect(own->id);
    return false;
}

static bool send_message(struct link *link, const void *octets, size_t length,
                         const uint32_t *invalidate)
{
    struct verbs_link *own = verbs_of(link);
    if (length > SEND_MAX)
        return false;
    if (length > 0)
        memcpy(own->out, octets, length);
    struct ibv_sge sge = {
        .addr = (uintptr_t)own->out, .length = (uint32_t)length, .lkey = own->out_mr->lkey};
    struct ibv_send_wr work = {.sg_list = &sge,
                               .num_sge = length > 0,
                               .opcode = invalidate ? IBV_WR_SEND_WITH_INV : IBV_WR_SEND};
    if (invalidate) {
        work.invalidate_rkey = *invalidate;
        work.wr.rdma.rkey = *invalidate; /* where the library of siw looks for it */
    }
    return complete(own, &work);
}

/* An RDMA operation, in as many as its size takes. */
static bool transfer(struct verbs_link *own, enum ibv_wr_opcode opcode, uint32_t handle,
                     uint64_t offset, void *octets, size_t length)
{
    /* iWARP wants to write where an RDMA Read ends up. */
    int access = opcode == IBV_WR_RDMA_READ ? IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE : 0;
    struct ibv_mr *mr = length > 0 ? ibv_reg_mr(own->pd, octets, length, access) : NULL;
    bool good = mr || length == 0;
    size_t done = 0;
    if (!good)
        ended(own, "no resources for an operation");
    do {
        size_t part = length - done < TRANSFER_MAX ? length - done : TRANSFER_MAX;
        struct ibv_sge sge = {.addr = (uintptr_t)octets + done, .length = (uint32_t)part};
        struct ibv_send_wr work = {.sg_list = &sge, .num_sge = part > 0, .opcode = opcode};
        if (mr)
            sge.lkey = mr->lkey;
        work.wr.rdma.remote_addr = offset + done;
        work.wr.rdma.rkey = handle;
        good = good && complete(own, &work);
        done += part;
    } while (good && done < length);
    if (mr)
        ibv_dereg_mr(mr);
    return good;
}

static bool read_memory(struct link *link, uint32_t handle, uint64_t offset, void *octets,
                        size_t length)
{
    return transfer(verbs_of(link), IBV_WR_RDMA_READ, handle, offset, octets, length);
}

static bool write_memory(struct link *link, uint32_t handle, uint64_t offset, const void *octets,
                         size_t length)
{
    void *at = (void *)(uintptr_t)octets; /* only read: the verbs know no const */
    return transfer(verbs_of(link), IBV_WR_RDMA_WRITE, handle, offset, at, length);
}

static bool expose(struct link *link, struct link_memory *memory, unsigned access)
{
    int flags = access & LINK_PEER_READS ? IBV_ACCESS_REMOTE_READ : 0;
    if (access & LINK_PEER_WRITES)
        flags |= IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_LOCAL_WRITE;
    struct ibv_mr *mr = ibv_reg_mr(verbs_of(link)->pd, memory->octets, memory->length, flags);
    memory->own = mr;
    if (mr == NULL)
        return false;
    memory->handle = mr->rkey;
    memory->offset = (uintptr_t)memory->octets;
    return true;
}

static void hide(struct link *link, struct link_memory *memory)
{
    (void)link;
    if (memory->own)
        ibv_dereg_mr(memory->own);
    memory->own = NULL;
}

static void wait_event(struct link *link, unsigned timeout, struct link_event *event)
{
    struct verbs_link *own = verbs_of(link);
    struct ibv_wc wc;
    *event = (struct link_event){.type = LINK_NOTHING};
    if (own->has_given && own->open)
        post_receive(own, own->given);
    own->has_given = false;
    bool taken =
        take(own, own->receive_cq, own->arrivals, clock_milliseconds() + (int64_t)timeout, &wc);
    if (taken && wc.status == IBV_WC_SUCCESS) {
        own->has_given = true;
        own->given = wc.wr_id;
        *event =
            (struct link_event){.type = LINK_RECEIVED,
                                .octets = own->receives + wc.wr_id * own->receive_size,
                                .length = wc.byte_len,
                                .invalidated = (wc.wc_flags & IBV_WC_WITH_INV) != 0,
                                .handle = wc.wc_flags & IBV_WC_WITH_INV ? wc.invalidated_rkey : 0};
        return;
    }
    if (taken && wc.status == IBV_WC_WR_FLUSH_ERR)
        flushed(own, "the connection was lost");
    else if (taken)
        ended(own, ibv_wc_status_str(wc.status));
    if (!own->open)
        event->type = LINK_CLOSED;
}

/* ---- beginning and end ---- */

static void close_link(struct link *link)
{
    struct verbs_link *own = verbs_of(link);
    if (own->id && own->id->qp) {
        rdma_disconnect(own->id);
        rdma_destroy_qp(own->id);
    }
    if (own->receives_mr)
        ibv_dereg_mr(own->receives_mr);
    if (own->out_mr)
        ibv_dereg_mr(own->out_mr);
    if (own->receive_cq)
        ibv_destroy_cq(own->receive_cq);
    if (own->send_cq)
        ibv_destroy_cq(own->send_cq);
    if (own->arrivals)
        ibv_destroy_comp_channel(own->arrivals);
    if (own->completions)
        ibv_destroy_comp_channel(own->completions);
    if (own->pd)
        ibv_dealloc_pd(own->pd);
    if (own->id)
        rdma_destroy_id(own->id);
    if (own->channel)
        rdma_destroy_event_channel(own->channel);
    free(own->receives);
    free(own->out);
    free(own);
}

static const struct link_ops ops = {.send = send_message,
                                    .wait = wait_event,
                                    .expose = expose,
                                    .hide = hide,
                                    .read = read_memory,
                                    .write = write_memory,
                                    .close = close_link};

static bool make_queue_pair(struct verbs_link *own)
{
    struct ibv_context *device = own->id->verbs;
    own->pd = ibv_alloc_pd(device);
    own->arrivals = ibv_create_comp_channel(device);
    own->completions = ibv_create_comp_channel(device);
    if (!own->pd || !own->arrivals || !own->completions)
        return false;
    own->receive_cq = ibv_create_cq(device, (int)own->count + 1, NULL, own->arrivals, 0);
    own->send_cq = ibv_create_cq(device, 16, NULL, own->completions, 0);
    if (!own->receive_cq || !own->send_cq)
        return false;
    struct ibv_qp_init_attr attributes = {
        .send_cq = own->send_cq,
        .recv_cq = own->receive_cq,
        .qp_type = IBV_QPT_RC,
        .cap = {
            .max_send_wr = 8, .max_recv_wr = own->count + 1, .max_send_sge = 1, .max_recv_sge = 1}};
    return rdma_create_qp(own->id, own->pd, &attributes) == 0;
}

/* The queue pair, with its Receives posted: nothing the peer sends comes too early. */
static bool prepare(struct verbs_link *own, char *error, size_t error_size)
{
    own->receives = calloc(own->count, own->receive_size);
    own->out = calloc(1, SEND_MAX);
    bool good = own->receives && own->out && make_queue_pair(own);
    if (good) {
        own->receives_mr = ibv_reg_mr(own->pd, own->receives, own->count * own->receive_size,
                                      IBV_ACCESS_LOCAL_WRITE);
        own->out_mr = ibv_reg_mr(own->pd, own->out, SEND_MAX, 0);
        good = own->receives_mr && own->out_mr;
    }
    for (uint64_t i = 0; good && i < own->count; i++)
        good = post_receive(own, i);
    if (!good)
        snprintf(error, error_size, "no resources for a connection: %s", strerror(errno));
    return good;
}

static struct verbs_link *new_link(const struct link_options *options)
{
    struct verbs_link *own = calloc(1, sizeof *own);
    if (own == NULL)
        return NULL;
    own->link.ops = &ops;
    own->receive_size = options->receive_size;
    own->count = options->receives;
    own->timeout = options->timeout > 0 ? options->timeout : 5000;
    own->channel = rdma_create_event_channel();
    if (own->channel == NULL) {
        free(own);
        return NULL;
    }
    return own;
}

static uint8_t at_most(int number, uint8_t limit)
{
    return number < 0 ? 0 : number < limit ? (uint8_t)number : limit;
}

/* As many RDMA Reads as the device can have under way. `asked`: for how many the peer asks. */
static bool parameters(const struct verbs_link *own, const struct link_options *options,
                       const struct rdma_conn_param *asked, struct rdma_conn_param *param)
{
    struct ibv_device_attr device;
    if (options->private_length > UINT8_MAX) {
        errno = EMSGSIZE;
        return false;
    }
    errno = ibv_query_device(own->id->verbs, &device);
    if (errno != 0)
        return false;
    uint8_t in = at_most(device.max_qp_rd_atom, READS_MAX);
    uint8_t out = at_most(device.max_qp_init_rd_atom, READS_MAX);
    *param = (struct rdma_conn_param){
        .private_data = options->private_data,
        .private_data_len = (uint8_t)options->private_length,
        .responder_resources = asked ? at_most(asked->responder_resources, in) : in,
        .initiator_depth = asked ? at_most(asked->initiator_depth, out) : out,
        .retry_count = RETRIES,
        .rnr_retry_count = RETRIES};
    return true;
}

static bool begin_connecting(struct verbs_link *own, struct sockaddr *address,
                             const struct link_options *options, char *error, size_t size)
{
    struct rdma_conn_param param;
    return rdma_create_id(own->channel, &own->id, NULL, RDMA_PS_TCP) == 0 &&
           rdma_resolve_addr(own->id, NULL, address, (int)own->timeout) == 0 &&
           await_cm(own, RDMA_CM_EVENT_ADDR_RESOLVED, error, size) &&
           rdma_resolve_route(own->id, (int)own->timeout) == 0 &&
           await_cm(own, RDMA_CM_EVENT_ROUTE_RESOLVED, error, size) && prepare(own, error, size) &&
           parameters(own, options, NULL, &param) && rdma_connect(own->id, &param) == 0 &&
           await_cm(own, RDMA_CM_EVENT_ESTABLISHED, error, size);
}

static struct link *opened(struct verbs_link *own, bool good, const char *what, char *error,
                           size_t size)
{
    if (good) {
        own->open = true;
        return &own->link;
    }
    if (error[0] == '\0')
        snprintf(error, size, "%s: %s", what, strerror(errno));
    if (own)
        close_link(&own->link);
    return NULL;
}

/* The first of the host's addresses that answers. */
static struct link *connect_link(struct transport *transport, const struct link_options *options)
{
    const struct verbs *verbs = (const struct verbs *)transport;
    size_t size = sizeof transport->error;
    struct link *link = NULL;
    for (struct addrinfo *at = verbs->address; link == NULL && at; at = at->ai_next) {
        transport->error[0] = '\0';
        struct verbs_link *own = new_link(options);
        bool good = own && begin_connecting(own, at->ai_addr, options, transport->error, size);
        link = opened(own, good, "cannot connect", transport->error, size);
    }
    return link;
}

/* A peer's request to connect, with what it asks for; other events of the listener are ignored. */
static struct verbs_link *next_request(struct verbs *verbs, const struct link_options *options,
                                       unsigned timeout, struct rdma_conn_param *asked)
{
    int64_t until = clock_milliseconds() + (int64_t)timeout;
    struct rdma_cm_event *event;
    while ((event =
                next_cm_event(verbs->channel, (unsigned)poll_time(until - clock_milliseconds())))) {
        struct rdma_cm_id *id = event->event == RDMA_CM_EVENT_CONNECT_REQUEST ? event->id : NULL;
        struct verbs_link *own = id ? new_link(options) : NULL;
        if (own) {
            own->id = id;
            *asked = event->param.conn;
            keep_private_data(&own->link, &event->param.conn);
        }
        rdma_ack_cm_event(event); /* which ends the request's private data */
        if (own)
            return own;
        if (id) {
            snprintf(verbs->transport.error, sizeof verbs->transport.error, "not enough memory");
            rdma_destroy_id(id);
            return NULL;
        }
    }
    return NULL;
}

static struct link *accept_link(struct transport *transport, const struct link_options *options,
                                unsigned timeout)
{
    struct verbs *verbs = (struct verbs *)transport;
    struct rdma_conn_param asked, param;
    char *error = transport->error;
    size_t size = sizeof transport->error;
    error[0] = '\0';
    struct verbs_link *own = next_request(verbs, options, timeout, &asked);
    if (own == NULL)
        return NULL;
    struct link_options answer = *options;
    if (transport->meet && !transport->meet(transport->meet_arg, &own->link, &answer)) {
        rdma_reject(own->id, NULL, 0);
        close_link(&own->link);
        return NULL;
    }
    bool good = rdma_migrate_id(own->id, own->channel) == 0 && prepare(own, error, size) &&
                parameters(own, &answer, &asked, &param) && rdma_accept(own->id, &param) == 0 &&
                await_cm(own, RDMA_CM_EVENT_ESTABLISHED, error, size);
    return opened(own, good, "cannot accept", error, size);
}

static void close_transport(struct transport *transport)
{
    struct verbs *verbs = (struct verbs *)transport;
    if (verbs->listener)
        rdma_destroy_id(verbs->listener);
    if (verbs->channel)
        rdma_destroy_event_channel(verbs->channel);
    if (verbs->address)
        freeaddrinfo(verbs->address);
    free(verbs);
}

static const struct transport_ops transport_ops = {
    .connect = connect_link, .accept = accept_link, .close = close_transport};

/* ---- the transport ---- */

static bool begin_listening(struct verbs *verbs)
{
    verbs->channel = rdma_create_event_channel();
    return verbs->channel &&
           rdma_create_id(verbs->channel, &verbs->listener, NULL, RDMA_PS_TCP) == 0 &&
           rdma_bind_addr(verbs->listener, verbs->address->ai_addr) == 0 &&
           rdma_listen(verbs->listener, BACKLOG) == 0;
}

static bool has_device(void)
{
    int count = 0;
    struct ibv_device **devices = ibv_get_device_list(&count);
    if (devices)
        ibv_free_device_list(devices);
    return count > 0;
}

struct transport *transport_verbs(const char *address, bool listen, char *error, size_t error_size)
{
    char host[256];
    const char *port;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = listen ? AI_PASSIVE : 0};
    if (!address_split(address, host, sizeof host, &port)) {
        snprintf(error, error_size, "not an address: HOST, HOST:PORT or [HOST]:PORT");
        return NULL;
    }
    struct addrinfo *resolved = NULL;
    int status = getaddrinfo(host[0] != '\0' ? host : NULL, port, &hints, &resolved);
    if (status != 0) {
        snprintf(error, error_size, "%s", gai_strerror(status));
        return NULL;
    }
    if (!has_device()) {
        freeaddrinfo(resolved);
        snprintf(error, error_size,
                 "this machine has no RDMA device; roce://%s and iwarp://%s need none; for "
                 "soft-RoCE on a network interface, say eth0, run as root: modprobe rdma_rxe; "
                 "rdma link add rxe0 type rxe netdev eth0",
                 address, address);
        return NULL;
    }
    struct verbs *verbs = calloc(1, sizeof *verbs);
    if (verbs == NULL) {
        freeaddrinfo(resolved);
        snprintf(error, error_size, "not enough memory");
        return NULL;
    }
    verbs->transport.ops = &transport_ops;
    verbs->address = resolved;
    if (listen && !begin_listening(verbs))
        snprintf(error, error_size, "cannot listen: %s", strerror(errno));
    else
        return &verbs->transport;
    close_transport(&verbs->transport);
    return NULL;
}
