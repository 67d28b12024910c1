// SPDX-License-Identifier: BSD-3-Clause
/*
 * Fuzz target: a session of version 2 (rxe-harness/session) against a peer that sends anything. The
 * first octet chooses the side and its options; then come Sends, each after two octets with its
 * length. Calls are answered, every third by one of its own. What the session sends has to decode,
 * fit the peer's Receives and stay within its credits; what it keeps stays within its options.
 */
#include "fuzz/fuzz.h"
#include "rxe-harness/session/session.h"

enum { WAITS = 0x8000, MESSAGE_MAX = 8192, QUEUE_MAX = 16384 };

struct peer {
    struct link link; /* first */
    const uint8_t *octets;
    size_t length;
    uint32_t limit, sent; /* what the session may send and has sent, by our words */
    uint32_t first_version;
    bool active, settled, over;
};

static bool take_send(struct link *link, const void *octets, size_t length,
                      const uint32_t *invalidate)
{
    struct peer *peer = (struct peer *)link;
    struct rpcrdma_message message;
    (void)invalidate;
    FUZZ_ASSERT(length <= (peer->active && peer->sent == 0 ? SESSION_FIRST : SESSION_INLINE));
    FUZZ_ASSERT(rpcrdma_message_decode(&message, RPCRDMA_PROTOCOL_2_07, octets, length, NULL) >= 0);
    FUZZ_ASSERT(message.kind == RPCRDMA_KIND_RPC || message.header == length);
    if (message.prefix.version != 2 && !peer->settled && !peer->active)
        return true; /* a refusal: the counts begin anew */
    peer->sent++;
    int32_t left = (int32_t)(peer->limit - peer->sent);
    FUZZ_ASSERT(left >= (message.kind == RPCRDMA_KIND_GRANT ? -1 : 0));
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

/* With so many segments in a Write chunk: 64 are more octets than the smallest Receive has. */
static void send_rpc(struct session *session, enum rpcrdma_direction direction, uint32_t xid,
                     size_t length, uint32_t count)
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
    session_send(session, &message);
}

static void take_event(struct session *session, const struct session_event *event, unsigned calls)
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
        send_rpc(session, RPCRDMA_REPLY, xid, calls % 4 == 0 ? 6000 : 40, calls % 2 == 0 ? 64 : 0);
    if (calls % 3 == 0)
        send_rpc(session, RPCRDMA_CALL, calls, 40, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t credits[] = {1, 2, 16, 64};
    if (size == 0 || size > FUZZ_SIZE_MAX)
        return 0;
    const struct session_options options = {.protocol = RPCRDMA_PROTOCOL_2_07,
                                            .active = data[0] & 1,
                                            .no_properties = data[0] & 2,
                                            .credits = credits[data[0] >> 2 & 3],
                                            .send_size = SESSION_INLINE,
                                            .receive_size = SESSION_INLINE,
                                            .segments = 16,
                                            .reverse = data[0] >> 4 & 3,
                                            .message_max = MESSAGE_MAX,
                                            .queue_max = QUEUE_MAX,
                                            .piece = data[0] >> 6 ? 100 : 0};
    struct peer peer = {.link.ops = &peer_ops,
                        .octets = data + 1,
                        .length = size - 1,
                        .limit = 1,
                        .active = options.active};
    struct session *session = session_new(&peer.link, &options);
    FUZZ_ASSERT(session != NULL);
    if (options.active)
        send_rpc(session, RPCRDMA_CALL, 1, 2000, 0);
    struct session_event event;
    for (unsigned calls = 0; !peer.over; calls++) {
        session_wait(session, 0, &event);
        take_event(session, &event, calls);
        FUZZ_ASSERT(session_waiting(session) <= QUEUE_MAX / 4);
        if (event.type == SESSION_CLOSED)
            break;
    }
    session_free(session);
    free(send_copy);
    send_copy = NULL;
    return 0;
}
