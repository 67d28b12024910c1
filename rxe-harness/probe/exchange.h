// SPDX-License-Identifier: BSD-3-Clause
/* One COMPOUND of NFS version 4, and its results. */
#ifndef HARNESS_PROBE_EXCHANGE_H
#define HARNESS_PROBE_EXCHANGE_H

#include "rxe-harness/probe/probe.h"

struct probe_exchange {
    struct requester_pending pending;
    struct requester_reply reply;
    struct nfs_results results;
    uint8_t *args;
};

/* Call, and read the results, which end with this status. Returns what is wrong, or NULL; always
 * to be followed by exchange_end(). */
const char *exchange_call(struct probe *probe, const struct nfs_compound *compound,
                          struct requester_call shape, uint32_t status,
                          struct probe_exchange *exchange, char text[PROBE_TEXT]);
void exchange_end(struct probe *probe, struct probe_exchange *exchange);
/* The same, and it ends; `results` without items. A peer without version 4.1 makes the case not
 * applicable. */
const char *exchange_plain(struct probe *probe, const struct nfs_compound *compound,
                           const struct requester_call *shape, struct nfs_results *results,
                           char text[PROBE_TEXT]);

/* A Call of the server's that is not answered yet. */
struct probe_held {
    size_t length; /* 0: there is none */
    uint8_t octets[REQUESTER_INLINE];
};
/* The message that came last, if it is a Call of the server's: it is answered, or, if it is the
 * first one of a case that keeps it, kept. False: it is not one. */
bool exchange_take_call(struct probe *probe);

/* Begin a Call. A Send that fails says less than the end of the connection, which comes after it:
 * that is the reply then. False, and the case is not applicable: it does not fit. */
bool exchange_begin(struct probe *probe, const struct requester_call *call,
                    struct requester_pending *pending, struct requester_reply *reply);
#define EXCHANGE_UNSENT "the Call does not fit into a Send, or the Send failed"
/* What a status of NFS means where it is mostly the fault of who names the file: " (no such file)";
 * else "". */
const char *exchange_meaning(uint32_t status);
/* Whether a Call was executed: NULL, or in `text` what came in place of that. */
const char *exchange_judge(struct probe *probe, const struct requester_pending *pending,
                           const struct requester_reply *reply, char text[PROBE_TEXT]);

/* Where the peer has no version 4.0: put SEQUENCE before operations that are not of a session's
 * own, in the session of the case, which begins with the first of them. NULL, or what is wrong. */
const char *exchange_dress(struct probe *probe, struct nfs_compound *compound,
                           char text[PROBE_TEXT]);
/* End that session, if there is one; to be called after each case. */
void exchange_leave(struct probe *probe);

/* A session of one slot for the case at hand. */
const char *probe_begin_session(struct probe *probe, uint32_t flags, struct nfs_session *session,
                                char text[PROBE_TEXT]);
/* The same of another client than the case's own, whose name ends with `who`. */
const char *probe_begin_session_of(struct probe *probe, const char *who, uint32_t flags,
                                   struct nfs_session *session, char text[PROBE_TEXT]);
/* Another session of the same client. */
const char *probe_make_session(struct probe *probe, uint32_t flags, struct nfs_session *session,
                               char text[PROBE_TEXT]);
/* Nothing is left over, where the server lets us. */
void probe_end_session(struct probe *probe, const struct nfs_session *session);
/* Whether the root lets clients use RPCSEC_GSS, as SECINFO_NO_NAME in a session of version 4.1 says
 * (RFC 8881 section 18.45). */
bool probe_offers_gss(struct probe *probe);

/* A server's Calls in the reverse direction (nfs_back_channel.c). */
extern probe_runner probe_nfs_back_channel, probe_nfs_end_while_called;

#endif
