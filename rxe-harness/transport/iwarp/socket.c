// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/iwarp/socket.h"

#include "rxe-harness/transport/user/wait.h"

#include "conformance/base/clock.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define TAKEN_ROOM (1u << 16) /* octets taken in one go */
#define MEMORY_MAX (1u << 18) /* for an FPDU that comes in parts */
#define SEGMENT_DEFAULT 536   /* of TCP, where nobody says */
#define BURST 32              /* FPDUs sent in one go, before what comes has its turn */
#define PATIENCE 500          /* milliseconds for the peer to end the connection, too */
#define PAUSE INT64_C(10000)  /* microseconds, while the owner does not look */

/* ---- out ---- */

void iwarp_socket_refuse(struct iwarp_socket *own, enum reason reason, const uint8_t *ulpdu,
                         size_t length)
{
    if (!own->end.open)
        return;
    struct iwarp_refusal *refusal = &own->refusal;
    size_t recorded = length < sizeof refusal->culprit ? length : sizeof refusal->culprit;
    refusal->due = true;
    refusal->reason = reason;
    refusal->length = ulpdu ? length : 0;
    refusal->recorded = ulpdu ? recorded : 0;
    if (ulpdu)
        memcpy(refusal->culprit, ulpdu, recorded);
    end_fail(&own->end, reason_ours(reason));
}

/* Whether what waits takes its time. */
static bool is_on_its_way(struct iwarp_socket *own)
{
    if (own->out.to == 0)
        own->not_before = 0;
    else if (own->not_before == 0 && wire_delay() > 0)
        own->not_before = clock_microseconds() + wire_delay();
    return own->not_before > 0 && clock_microseconds() < own->not_before;
}

/* Half of what waits is sent, and nothing more: TCP resets the connection. */
static void die(struct iwarp_socket *own)
{
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    struct fpdu_out *out = &own->out;
    ssize_t sent = send(own->socket, out->octets + out->from, (out->to - out->from + 1) / 2,
                        MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0)
        seen_octets(&own->seen, SEEN_OURS, out->octets + out->from, (size_t)sent);
    setsockopt(own->socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    out->from = out->to = 0;
    own->ended = true;
    end_die(&own->end);
}

static void write_out(struct iwarp_socket *own)
{
    struct fpdu_out *out = &own->out;
    if (is_on_its_way(own))
        return;
    while (out->from < out->to) {
        ssize_t sent = send(own->socket, out->octets + out->from, out->to - out->from,
                            MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK) {
            end_fail(&own->end, "the connection was lost");
            out->from = out->to;
            own->ended = true;
        }
        if (sent < 0)
            break;
        seen_octets(&own->seen, SEEN_OURS, out->octets + out->from, (size_t)sent);
        out->from += (size_t)sent;
    }
    if (out->from == out->to) {
        out->from = out->to = 0;
        own->not_before = 0;
    }
}

/* Nothing more will be sent: say why if there is a reason, then that. */
static void shut_down(struct iwarp_socket *own)
{
    struct iwarp_refusal *refusal = &own->refusal;
    if (refusal->due)
        terminate_put(&own->out, refusal->reason, refusal->recorded > 0 ? refusal->culprit : NULL,
                      refusal->recorded, refusal->length);
    refusal->due = false;
    if (own->until == INT64_MAX)
        own->until = wait_until(PATIENCE);
    write_out(own);
    if (own->out.to == 0 && !own->shut) {
        shutdown(own->socket, SHUT_WR);
        seen_end(&own->seen, SEEN_OURS);
        own->shut = true;
    }
}

/* Responses and requests take turns. */
static bool put_one(struct iwarp_socket *own)
{
    bool response = iwarp_responder_put(own);
    bool request = iwarp_requester_put(own);
    return response || request;
}

void iwarp_socket_push(struct iwarp_socket *own)
{
    own->more = true;
    for (int i = 0; i < BURST && own->more; i++) {
        bool waited = own->out.to > 0;
        own->more = own->end.open && put_one(own);
        if (own->dies && own->out.to > 0)
            die(own);
        write_out(own);
        if (waited && own->out.to == 0) /* what found no room has it now */
            own->more = true;
    }
    if (!own->end.open && !own->dies)
        shut_down(own);
}

/* ---- in ---- */

static void take_ulpdu(void *arg, const uint8_t *octets, size_t recorded, size_t length,
                       uint64_t frame)
{
    struct iwarp_socket *own = arg;
    (void)frame;
    if (recorded < length)
        iwarp_socket_refuse(own, RDMAP_CATASTROPHE, NULL, 0);
    else if (own->end.open)
        iwarp_responder_take(own, octets, length);
}

static void take_loss(void *arg, enum mpa_loss loss, uint64_t frame)
{
    (void)frame;
    iwarp_socket_refuse(arg, loss == MPA_LOST_CRC ? LLP_CHECK_SUM : LLP_MARKER, NULL, 0);
}

static void take_nothing(void *arg, uint64_t frame)
{
    (void)arg;
    (void)frame;
}

static bool is_not_plausible(const uint8_t *octets, size_t recorded, size_t length)
{
    (void)octets;
    (void)recorded;
    (void)length;
    return false;
}

static const struct mpa_handler handler = {.ulpdu = take_ulpdu,
                                           .lost = take_loss,
                                           .unframed = take_nothing,
                                           .is_plausible = is_not_plausible};

static void no_eviction(void *arg, size_t octets)
{
    (void)arg;
    (void)octets;
}

static void take_in(struct iwarp_socket *own)
{
    ssize_t count = recv(own->socket, own->taken, TAKEN_ROOM, MSG_DONTWAIT);
    if (count > 0) {
        seen_octets(&own->seen, SEEN_PEERS, own->taken, (size_t)count);
        if (own->end.open)
            mpa_take(&own->stream, own->taken, (size_t)count, (size_t)count, 0);
    } else if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
        if (count == 0)
            seen_end(&own->seen, SEEN_PEERS);
        end_fail(&own->end, count == 0 ? LINK_LEFT : "the connection was lost");
        own->ended = true;
    }
}

/* ---- the thread ---- */

/* Wait for the socket, or to be woken; true: something has come. */
static bool wait_for_socket(struct iwarp_socket *own)
{
    bool held = own->end.open && own->end.waiting > WAITING_MAX;
    struct pollfd ready[2] = {{.fd = own->wake[0], .events = POLLIN},
                              {.fd = own->socket, .events = held ? 0 : POLLIN}};
    bool on_its_way = is_on_its_way(own);
    int64_t until = own->more ? 0 : held ? clock_microseconds() + PAUSE : own->until;
    if (on_its_way && own->not_before < until)
        until = own->not_before;
    if (own->out.to > 0 && !on_its_way)
        ready[1].events |= POLLOUT;
    pthread_mutex_unlock(&own->lock);
    poll(ready, ready[1].events != 0 ? 2 : 1, wait_poll_time(until));
    wake_clear(own->wake);
    pthread_mutex_lock(&own->lock);
    return !held && ready[1].revents & ~POLLOUT;
}

static bool is_over(const struct iwarp_socket *own)
{
    return own->ended || (own->until != INT64_MAX && clock_microseconds() >= own->until);
}

static void *serve(void *arg)
{
    struct iwarp_socket *own = arg;
    pthread_mutex_lock(&own->lock);
    for (;;) {
        iwarp_socket_push(own);
        pthread_cond_broadcast(&own->changed);
        if (is_over(own))
            break;
        if (wait_for_socket(own))
            take_in(own);
    }
    pthread_mutex_unlock(&own->lock);
    return NULL;
}

/* ---- beginning and end ---- */

static size_t segment_size(int socket)
{
    int octets = 0;
    socklen_t size = sizeof octets;
    if (getsockopt(socket, IPPROTO_TCP, TCP_MAXSEG, &octets, &size) != 0 || octets <= 0)
        return SEGMENT_DEFAULT;
    return wire_mtu() > 0 && wire_mtu() < (uint32_t)octets ? wire_mtu() : (size_t)octets;
}

static void release(struct iwarp_socket *own)
{
    end_free(&own->end);
    free(own->responder.building);
    free(own->taken);
    mpa_free(&own->stream);
    wake_close(own->wake);
    pthread_mutex_destroy(&own->lock);
    pthread_cond_destroy(&own->changed);
    free(own);
}

struct iwarp_socket *iwarp_socket_start(int socket, const struct iwarp_terms *terms,
                                        const struct iwarp_seen *seen, size_t receive_size,
                                        unsigned receives, uint32_t first)
{
    int yes = 1;
    struct iwarp_socket *own = calloc(1, sizeof *own);
    if (own == NULL || !wait_condition(&own->changed)) {
        free(own);
        return NULL;
    }
    pthread_mutex_init(&own->lock, NULL);
    wire_begin(&own->end.chance);
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    own->socket = socket;
    own->terms = *terms;
    own->seen = *seen;
    own->wake[0] = own->wake[1] = -1;
    own->until = INT64_MAX;
    own->requester.sink = first;
    own->requester.sends = own->requester.reads = own->responder.sends = own->responder.reads = 1;
    own->end.open = true;
    own->end.receive_size = receive_size;
    own->end.receives = receives;
    own->ulpdu_max = fpdu_ulpdu_max(segment_size(socket), terms->markers_out);
    own->out.markers = terms->markers_out;
    own->out.crc = terms->crc;
    own->memory = (struct memory){.max = MEMORY_MAX, .evict = no_eviction};
    own->stream = (struct mpa_stream){.memory = &own->memory, .handler = &handler, .arg = own};
    mpa_begin(&own->stream, terms->markers_in, terms->crc);
    if (terms->active && terms->greeting == GREETING_WRITE)
        iwarp_put_tagged(&own->out, OP_WRITE, true, 0, 0, (const uint8_t *)"", 0);
    own->taken = malloc(TAKEN_ROOM);
    if (own->taken && wake_open(own->wake) && thread_start(&own->thread, serve, own) == 0)
        return own;
    release(own);
    return NULL;
}

void iwarp_socket_close(struct iwarp_socket *own)
{
    pthread_mutex_lock(&own->lock);
    end_fail(&own->end, NULL);
    pthread_mutex_unlock(&own->lock);
    wake_up(own->wake);
    pthread_join(own->thread, NULL);
    close(own->socket);
    release(own);
}
