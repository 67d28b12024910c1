// SPDX-License-Identifier: BSD-3-Clause
/* What goes out to a Requester of version 2 under test, and where the case comes in. */
#include "rxe-harness/serve/version2/server.h"

#include <string.h>

#define NOBODYS 0x5a5a5a5au /* a handle that no Call has */
#define RANGE 20u           /* where the versions of an ERR_VERS are */
#define AFFECTED 2 /* the Reply that the case is about: the first one settles the version */

/* Through the session, which counts it; in place of a Send that was counted, without. */
static bool send_unexpected(struct server2 *server, uint8_t *octets, size_t length, bool instead)
{
    server->met = true;
    server->unexpected = true;
    memcpy(server->sent, octets, length);
    server->sent_length = length;
    server->watched.outgoing = NULL; /* it is not to be changed again */
    bool good = instead ? watched_send(&server->watched, octets, length, NULL)
                        : session_post(responder_session(server->responder), octets, length);
    server->wanted = server->open | server->test_case->open;
    return good;
}

static size_t make_words(const uint32_t *words, size_t count, uint32_t xid, const uint8_t *credit,
                         uint8_t octets[4 * SERVE2_WORDS])
{
    for (size_t i = 0; i < count; i++) {
        uint32_t word = words[i];
        if (word == SERVE2_XID || word == SERVE2_NO_XID)
            word = word - SERVE2_XID + xid;
        rpcrdma_xdr_store32(octets + WORD * i, word);
    }
    if (count > RPCRDMA_AT_CREDIT / WORD)
        memcpy(octets + RPCRDMA_AT_CREDIT, credit, WORD);
    return WORD * count;
}

/* One or two Sends, before a Reply. */
static bool send_words(struct server2 *server, const uint8_t *credit, uint32_t xid, bool instead)
{
    const struct serve2_case *test_case = server->test_case;
    uint8_t octets[4 * SERVE2_WORDS];
    size_t length = make_words(test_case->words, test_case->count, xid, credit, octets);
    if (!send_unexpected(server, octets, length, instead))
        return false;
    length = make_words(test_case->then, test_case->then_count, xid, credit, octets);
    return length == 0 || send_unexpected(server, octets, length, false);
}

/* The count of segments of the Reply chunk that came back, or 0. */
static size_t find_reply_chunk(const struct rpcrdma_message *message, const uint8_t *octets)
{
    const struct rpcrdma1_write_chunk_opt *reply = &message->chunks.rdma_reply;
    if (!reply->present || reply->value.target.count == 0)
        return 0;
    return (size_t)(reply->value.target.wire - octets) - WORD;
}

/* The count of the first Write chunk that came back, or 0. */
static size_t find_chunk(const struct rpcrdma_message *message, const uint8_t *octets,
                         size_t length)
{
    const uint8_t *wire = message->chunks.rdma_writes.wire;
    if (message->chunks.rdma_writes.count == 0 || wire < octets || wire > octets + length ||
        rpcrdma_xdr_load32(wire + WORD) == 0) /* it has no segments */
        return 0;
    return (size_t)(wire - octets) + WORD; /* after the word that says that there is one */
}

static bool send_changed(struct server2 *server, const uint8_t *octets, size_t length,
                         const uint32_t *handle, const struct rpcrdma_message *reply)
{
    const struct serve2_case *test_case = server->test_case;
    uint8_t changed[SESSION_INLINE];
    size_t at = test_case->of_reply_chunk ? find_reply_chunk(reply, octets)
                                          : find_chunk(reply, octets, length);
    if (at > 0) {
        memcpy(changed, octets, length);
        at += WORD * test_case->chunk_word;
        rpcrdma_xdr_store32(changed + at, rpcrdma_xdr_load32(changed + at) + test_case->change);
        if (!send_unexpected(server, changed, length, false))
            return false;
    }
    return watched_send(&server->watched, octets, length, handle);
}

/* Remote invalidation of another handle than was asked for: on some links the connection ends. */
static bool send_invalidating(struct server2 *server, const uint8_t *octets, size_t length,
                              uint32_t handle)
{
    server->met = true;
    server->unexpected = true;
    memcpy(server->sent, octets, length);
    server->sent_length = length;
    bool good = watched_send(&server->watched, octets, length, &handle);
    server->wanted = server->open | RPCRDMA_PROCESS | RPCRDMA_CLOSE | RPCRDMA_TERMINATE;
    return good;
}

/* The handle of the second segment of a Write chunk, if the Call named another one. */
static bool send_other(struct server2 *server, const uint8_t *octets, size_t length,
                       const uint32_t *handle, const struct rpcrdma_message *reply)
{
    enum { SECOND = 5 * WORD }; /* after the count, and a segment of 16 octets */
    size_t at = find_chunk(reply, octets, length);
    if (server->met || handle == NULL || at == 0 || rpcrdma_xdr_load32(octets + at) < 2 ||
        rpcrdma_xdr_load32(octets + at + SECOND) == *handle)
        return watched_send(&server->watched, octets, length, handle);
    return send_invalidating(server, octets, length, rpcrdma_xdr_load32(octets + at + SECOND));
}

static bool returns_empty_chunk(const struct rpcrdma1_write_list *writes)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(writes);
    struct rpcrdma1_write_chunk chunk;
    while (rpcrdma1_write_list_next(&iter, &chunk))
        if (chunk.target.count == 0)
            return true;
    return false;
}

/* Whether the setting that the case is about has changed a Reply; if that cannot be seen of it,
 * whether there was one that it could change. */
static bool shows_setting(const struct server2 *server, const struct rpcrdma_message *reply)
{
    const struct serve2_case *test_case = server->test_case;
    uint32_t limit = session_counts(responder_session(server->responder)).send_limit;
    if (test_case->long_replies)
        return reply->form == RPCRDMA_FORM_SPECIAL &&
               reply->header + rpcrdma1_segments_length(&reply->chunks.rdma_reply.value.target) <=
                   limit;
    if (test_case->empty_chunks)
        return returns_empty_chunk(&reply->chunks.rdma_writes);
    if (test_case->call_back > 0)
        return responder_calls(server->responder).made > 0;
    if (test_case->piece > 0)
        return server->pieces > 0;
    return server->replies >= AFFECTED;
}

static bool send_reply(struct server2 *server, const uint8_t *octets, size_t length,
                       const uint32_t *handle, const struct rpcrdma_message *reply)
{
    const struct serve2_case *test_case = server->test_case;
    uint8_t again[SESSION_INLINE];
    unsigned number = ++server->replies;
    server->waiting -= server->waiting > 0;
    if (test_case->how == SERVE2_CHANGED)
        return send_changed(server, octets, length, handle, reply);
    if (test_case->how == SERVE2_OTHER)
        return send_other(server, octets, length, handle, reply);
    if (test_case->how == SERVE2_PLAINLY || test_case->how == SERVE2_LATER)
        server->met = server->met || shows_setting(server, reply);
    if (number != AFFECTED)
        return watched_send(&server->watched, octets, length, handle);
    switch (test_case->how) {
    case SERVE2_BEFORE:
        return send_words(server, octets + RPCRDMA_AT_CREDIT, reply->prefix.xid, false) &&
               watched_send(&server->watched, octets, length, handle);
    case SERVE2_INSTEAD:
        return send_words(server, octets + RPCRDMA_AT_CREDIT, reply->prefix.xid, true);
    case SERVE2_UNASKED:
        return send_invalidating(server, octets, length, NOBODYS);
    case SERVE2_TWICE:
        memcpy(again, octets, length);
        return watched_send(&server->watched, octets, length, handle) &&
               send_unexpected(server, again, length, false);
    default:
        return watched_send(&server->watched, octets, length, handle);
    }
}

/* More pieces of the same Reply, or its last Send, follow what is sent here. */
static bool send_piece(struct server2 *server, const uint8_t *octets, size_t length, uint32_t xid)
{
    bool good = watched_send(&server->watched, octets, length, NULL);
    if (++server->pieces != AFFECTED || server->test_case->how != SERVE2_BETWEEN)
        return good;
    return good && send_words(server, octets + RPCRDMA_AT_CREDIT, xid, false);
}

/* The Responder of version 1 refuses the offer. */
static bool send_refusal(struct server2 *server, uint8_t *octets, size_t length)
{
    server->met = true;
    const struct serve2_case *test_case = server->test_case;
    if (test_case->error_version != 0)
        rpcrdma_xdr_store32(octets + RPCRDMA_AT_VERSION, test_case->error_version);
    if (test_case->error_low != 0 && length >= RANGE + 2 * WORD) {
        rpcrdma_xdr_store32(octets + RANGE, test_case->error_low);
        rpcrdma_xdr_store32(octets + RANGE + WORD, test_case->error_high);
    }
    return watched_send(&server->watched, octets, length, NULL);
}

static void change_credit(struct server2 *server, uint8_t *octets)
{
    const struct serve2_case *test_case = server->test_case;
    uint32_t grant = test_case->grant[server->replies % SERVE2_GRANTS];
    bool is_04 = server->serve->draft == RPCRDMA_PROTOCOL_2_04;
    if (test_case->grant[0] != 0 && is_04)
        rpcrdma_xdr_store32(octets + RPCRDMA_AT_CREDIT, grant);
    if (test_case->grant[0] != 0 && !is_04)
        rpcrdma_xdr_store32(octets + RPCRDMA_AT_CREDIT,
                            session_counts(responder_session(server->responder)).received + grant);
    if (test_case->how == SERVE2_LATER && !server->withheld) {
        rpcrdma_xdr_store32(octets + RPCRDMA_AT_CREDIT,
                            session_counts(responder_session(server->responder)).received);
        server->withheld = server->owes_grant = true;
    }
}

bool server2_send(void *arg, const void *sent, size_t length, const uint32_t *handle)
{
    struct server2 *server = arg;
    struct rpcrdma_message message;
    uint8_t octets[SESSION_INLINE];
    if (length > sizeof octets || length < RPCRDMA_AT_PROCEDURE + WORD)
        return watched_send(&server->watched, sent, length, handle);
    memcpy(octets, sent, length);
    if (server->test_case->how == SERVE2_REFUSED || server->returned)
        return rpcrdma_xdr_load32(octets + RPCRDMA_AT_PROCEDURE) == RPCRDMA2_07_ERROR
                   ? send_refusal(server, octets, length)
                   : watched_send(&server->watched, octets, length, handle);
    if (server->test_case->how == SERVE2_FIRST && !server->met)
        return send_words(server, octets + RPCRDMA_AT_CREDIT, rpcrdma_xdr_load32(octets), false) &&
               watched_send(&server->watched, octets, length, handle);
    bool is_reply =
        rpcrdma_message_decode(&message, server->serve->draft, octets, length, NULL) >= 0 &&
        message.kind == RPCRDMA_KIND_RPC && message.direction == RPCRDMA_REPLY;
    change_credit(server, octets);
    server->allowed = rpcrdma_xdr_load32(octets + RPCRDMA_AT_CREDIT);
    if (rpcrdma_xdr_load32(octets + RPCRDMA_AT_PROCEDURE) == RPCRDMA2_07_CONNPROP_FINAL)
        server->told_at = server->sends;
    if (is_reply && message.form == RPCRDMA_FORM_PIECE)
        return send_piece(server, octets, length, message.prefix.xid);
    return is_reply ? send_reply(server, octets, length, handle, &message)
                    : watched_send(&server->watched, octets, length, handle);
}
