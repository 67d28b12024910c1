// SPDX-License-Identifier: BSD-3-Clause
/* What came: which version it is of, and by whose rules it is taken (-07 4.3, -04 7). */
#include "rxe-harness/session/state.h"

static const uint32_t versions[2] = {1, 2};

bool session_take_error(struct session *session, const struct link_event *came,
                        struct session_event *event)
{
    if (rpcrdma_message_decode(&event->message, session->options.protocol, came->octets,
                               came->length, NULL) < 0)
        return false;
    event->type = SESSION_ERROR;
    return true;
}

static bool take_version2(struct session *session, const struct link_event *came,
                          const struct rpcrdma_prefix *prefix, struct session_event *event)
{
    return session_is_04(session) ? session_take04(session, came, prefix, event)
                                  : session_take07(session, came, prefix, event);
}

static bool pass(const struct link_event *came, struct session_event *event)
{
    event->type = SESSION_VERSION1;
    event->payload = came->octets;
    event->length = came->length;
    return true;
}

/* The client's first message tells its version. After a refusal it is where it was before. */
static bool take_first(struct session *session, const struct link_event *came,
                       const struct rpcrdma_prefix *prefix, struct session_event *event)
{
    if (prefix->version == 1) {
        session->state = SESSION_PASSES;
        session_drop_queue(session);
        return pass(came, event);
    }
    if (prefix->version == 2) {
        session->state = SESSION_SETTLED;
        return take_version2(session, came, prefix, event);
    }
    if (prefix->procedure != RPCRDMA2_07_ERROR &&
        session_queue_error(session, prefix, RPCRDMA2_07_ERR_VERS, versions)) {
        session->state = SESSION_SETTLED;
        session_pump(session);
        session->state = SESSION_NEW;
        session->totals.sent = session->totals.received = 0;
        session->totals.limit = 1;
    }
    return false;
}

/* The answer to our own first message. An ERR_VERS may have either version word. */
static bool take_first_answer(struct session *session, const struct link_event *came,
                              const struct rpcrdma_prefix *prefix, struct session_event *event)
{
    if (prefix->procedure == RPCRDMA2_07_ERROR &&
        rpcrdma_message_decode(&event->message, session->options.protocol, came->octets,
                               came->length, NULL) >= 0 &&
        event->message.error.code == RPCRDMA2_07_ERR_VERS) {
        const uint32_t *range = event->message.error.value;
        session_drop_queue(session);
        session->state = range[0] <= 1 && range[1] >= 1 ? SESSION_PASSES : SESSION_OVER;
        event->type = SESSION_REFUSED;
        return true;
    }
    if (prefix->version != 2)
        return false;
    session->state = SESSION_SETTLED;
    return take_version2(session, came, prefix, event);
}

/* On a connection of version 2. -04 asks that a Reply has the version of its Call, whichever that
 * is (7.3). */
static bool take_other_version(struct session *session, const struct link_event *came,
                               const struct rpcrdma_prefix *prefix, struct session_event *event)
{
    if (prefix->procedure ==
        RPCRDMA2_07_ERROR) /* about a message of that version; grants nothing */
        return session_take_error(session, came, event);
    if (session_is_04(session) && session->options.active)
        return false;
    if (session_is_04(session) && prefix->version == 1)
        return pass(came, event);
    session_queue_error(session, prefix,
                        prefix->version == 1 ? RPCRDMA2_07_ERR_VERS_MISMATCH : RPCRDMA2_07_ERR_VERS,
                        versions);
    return false;
}

bool session_take(struct session *session, const struct link_event *came,
                  struct session_event *event)
{
    struct rpcrdma_prefix prefix;
    session->totals.received++;
    event->invalidated = came->invalidated;
    event->handle = came->handle;
    if (session->state == SESSION_PASSES)
        return pass(came, event);
    if (session->state == SESSION_OVER || !rpcrdma_prefix_load(&prefix, came->octets, came->length))
        return false;
    if (session->state == SESSION_NEW)
        return session->options.active ? take_first_answer(session, came, &prefix, event)
                                       : take_first(session, came, &prefix, event);
    return prefix.version == 2 ? take_version2(session, came, &prefix, event)
                               : take_other_version(session, came, &prefix, event);
}
