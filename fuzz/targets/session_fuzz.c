// SPDX-License-Identifier: BSD-3-Clause
/*
 * Fuzz target: a session of version 2 (rxe-harness/session), of either draft, against a peer that
 * sends anything. The first octet chooses the side, its options and the draft; then come Sends,
 * each after two octets with its length. Calls are answered, every third by one of its own. What
 * the session sends has to decode, fit the peer's Receives and stay within its credits; what it
 * keeps stays within its options.
 */
#include "fuzz/fuzz.h"
#include "rxe-harness/session/session.h"

enum { WAITS = 0x8000, MESSAGE_MAX = 8192, QUEUE_MAX = 16384, CREDITS_MAX = 64 };

struct peer {
    struct link link; /* first */
    const uint8_t *octets;
    size_t length;
    uint32_t sends;
    uint32_t limit, sent; /* -07: what the session may send and has sent, by our words */
    bool active, settled, over;
    enum rpcrdma_protocol draft;
    /* -04: Calls of the session's that no Send of ours may have answered, the most that any word of
     * ours grants, and what the session asks for. */
    uint32_t flying[CREDITS_MAX], in_flight, granted, asked;
    /* Calls of the session's that it took from us, that came to their last Send, and of which it
     * said that they did not go. */
    size_t queued, called, unsent;
    bool left; /* version 2: the queue is dropped */
};

/* An answer may be one that the session drops: then fewer Calls are counted here than it counts. */
static void land(struct peer *peer, uint32_t xid)
{
    for (uint32_t i = 0; i < peer->in_flight; i++)
        if (peer->flying[i] == xid) {
            peer->flying[i] = peer->flying[--peer->in_flight];
            return;
        }
}

static void check_call04(struct peer *peer, const struct rpcrdma_message *message)
{
    if (message->kind != RPCRDMA_KIND_RPC || message->direction != RPCRDMA_CALL)
        return;
    FUZZ_ASSERT(peer->in_flight < peer->asked && peer->in_flight < peer->granted);
    peer->flying[peer->in_flight++] = message->prefix.xid;
}

static void check_credits07(struct peer *peer, const struct rpcrdma_message *message)
{
    if (message->prefix.version != 2 && !peer->settled && !peer->active)
        return; /* a refusal: the counts begin anew */
    int32_t left = (int32_t)(peer->limit - (peer->sent + 1));
    FUZZ_ASSERT(left >= (message->kind == RPCRDMA_KIND_GRANT ? -1 : 0));
    peer->sent++;
}

static bool take_send(struct link *link, const void *octets, size_t length,
                      const uint32_t *invalidate)
{
    struct peer *peer = (struct peer *)link;
    struct rpcrdma_message message;
    (void)invalidate;
    FUZZ_ASSERT(length <= (peer->active && peer->sends == 0 ? SESSION_FIRST : SESSION_INLINE));
    FUZZ_ASSERT(rpcrdma_message_decode(&message, peer->draft, octets, length, NULL) >= 0);
    FUZZ_ASSERT(message.kind == RPCRDMA_KIND_RPC || message.header == length);
    peer->sends++;
    peer->called += message.kind == RPCRDMA_KIND_RPC && message.direction == RPCRDMA_CALL &&
                    message.form != RPCRDMA_FORM_PIECE;
    if (peer->draft == RPCRDMA_PROTOCOL_2_04)
        check_call04(peer, &message);
    else
        check_credits07(peer, &message);
    return true;
}

/* The octets of a Send that has to have its own memory, so that reading beyond it is seen. */
static uint8_t *send_copy;

static void note_words(struct peer *peer, const uint8_t *octets, size_t length)
{
    struct rpcrdma_prefix prefix;
    if (!rpcrdma_prefix_load(&prefix, octets, length))
        return;
    if (prefix.version == 2)
        peer->settled = true;
    if (prefix.version == 2)
        peer->limit = prefix.credit;
    if (prefix.credit > peer->granted)
        peer->granted = prefix.credit;
    land(peer, prefix.xid);
}

static void give(struct link *link, unsigned timeout, struct link_event *event)
{
    struct peer *peer = (struct peer *)link;
    (void)timeout;
    free(send_copy);
    send_copy = NULL;
    *event = (struct link_event){.type = LINK_CLOSED};
    if (peer->over || peer->length < 2) {
        peer->over = true;
        return;
    }
    size_t length = (size_t)(peer->octets[0] << 8 | peer->octets[1]);
    peer->octets += 2;
    peer->length -= 2;
    event->type = LINK_NOTHING;
    if (length >= WAITS)
        return;
    if (length > peer->length)
        length = peer->length;
    send_copy = malloc(length > 0 ? length : 1);
    memcpy(send_copy, peer->octets, length);
    *event = (struct link_event){LINK_RECEIVED, send_copy, length, false, 0};
    note_words(peer, send_copy, length);
    peer->octets += length;
    peer->length -= length;
}

static const struct link_ops peer_ops = {.send = take_send, .wait = give};

/* With this many segments in a Write chunk: 64 are more octets than the smallest Receive has. */
static void send_rpc(struct peer *peer, struct session *session, enum rpcrdma_direction direction,
                     uint32_t xid, size_t length, uint32_t count)
{
    static uint8_t rpc[6000];
    static struct rpcrdma1_segment segments[64];
    const struct rpcrdma1_write_chunk chunk = {.target = {.items = segments, .count = count}};
    rpcrdma_xdr_store32(rpc, xid);
    const struct session_message message = {.direction = direction,
                                            .xid = xid,
                                            .rpc = rpc,
                                            .length = length,
                                            .writes = {.items = &chunk, .count = count > 0}};
    if (session_send(session, &message))
        peer->queued += direction == RPCRDMA_CALL;
}

/* Each Call was sent, or waits, or was reported as unsent, as long as both speak version 2. */
static void count_calls(struct peer *peer, const struct session *session,
                        const struct session_event *event)
{
    peer->left |= event->type == SESSION_REFUSED || event->type == SESSION_CLOSED ||
                  session_counts(session).version == 1;
    peer->unsent += event->type == SESSION_UNSENT;
    FUZZ_ASSERT(peer->left ||
                peer->queued <= peer->called + peer->unsent + session_waiting(session));
}

static void take_event(struct peer *peer, struct session *session,
                       const struct session_event *event, unsigned calls)
{
    uint32_t xid = event->message.prefix.xid;
    if (event->type != SESSION_CALL && event->type != SESSION_REPLY)
        return;
    FUZZ_ASSERT(event->length <= MESSAGE_MAX || event->message.form != RPCRDMA_FORM_PIECE);
    if (event->length > 0) { /* all of it can be read */
        uint8_t *copy = malloc(event->length);
        memcpy(copy, event->payload, event->length);
        free(copy);
    }
    if (event->type == SESSION_CALL)
        send_rpc(peer, session, RPCRDMA_REPLY, xid, calls % 4 == 0 ? 6000 : 40,
                 calls % 2 == 0 ? 64 : 0);
    if (calls % 3 == 0)
        send_rpc(peer, session, RPCRDMA_CALL, calls, 40, calls % 2 == 0 ? 64 : 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t credits[] = {1, 2, 16, CREDITS_MAX};
    if (size == 0 || size > FUZZ_SIZE_MAX)
        return 0;
    const struct session_options options = {.protocol = data[0] & 0x80 ? RPCRDMA_PROTOCOL_2_04
                                                                       : RPCRDMA_PROTOCOL_2_07,
                                            .active = data[0] & 1,
                                            .no_properties = data[0] & 2,
                                            .credits = credits[data[0] >> 2 & 3],
                                            .send_size = SESSION_INLINE,
                                            .receive_size = SESSION_INLINE,
                                            .segments = 16,
                                            .reverse = data[0] >> 4 & 3,
                                            .message_max = MESSAGE_MAX,
                                            .queue_max = QUEUE_MAX,
                                            .piece = data[0] & 0x40 ? 100 : 0};
    struct peer peer = {.link.ops = &peer_ops,
                        .octets = data + 1,
                        .length = size - 1,
                        .limit = 1,
                        .granted = 1,
                        .asked = options.credits,
                        .draft = options.protocol,
                        .active = options.active};
    struct session *session = session_new(&peer.link, &options);
    FUZZ_ASSERT(session != NULL);
    if (options.active)
        send_rpc(&peer, session, RPCRDMA_CALL, 1,
                 options.protocol == RPCRDMA_PROTOCOL_2_04 ? 900 : 2000, 0);
    struct session_event event;
    for (unsigned calls = 0; !peer.over; calls++) {
        session_wait(session, 0, &event);
        count_calls(&peer, session, &event);
        take_event(&peer, session, &event, calls);
        FUZZ_ASSERT(session_waiting(session) <= QUEUE_MAX / 4);
        if (event.type == SESSION_CLOSED)
            break;
    }
    session_free(session);
    free(send_copy);
    send_copy = NULL;
    return 0;
}
