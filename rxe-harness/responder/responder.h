// SPDX-License-Identifier: BSD-3-Clause
/*
 * The reference Responder: strict, small, on any transport. It answers NULL of every program, the
 * procedures of spec/testprog.x, a little of NFSv3 (nfs3.h) and, if asked, of NFSv4.1 (nfs4.h), and
 * all others by PROG_UNAVAIL or PROC_UNAVAIL.
 */
#ifndef HARNESS_RESPONDER_H
#define HARNESS_RESPONDER_H

#include "rxe-harness/session/session.h"
#include "rxe-harness/transport/test_program.h"
#include "rxe-harness/transport/transport.h"

#include <rpcrdma/message.h>

#define RESPONDER_CREDITS 32
#define RESPONDER_INLINE 4096u        /* octets of its Sends and Receives */
#define RESPONDER_SEGMENTS 64         /* version 2: in one header */
#define RESPONDER_MESSAGE_MAX 4194304 /* octets of an RPC message, unreduced: it refuses more */

struct responder;

/* What it asks of a transport: enough Receives for its grant, its private data. */
const struct link_options *responder_options(void);

/* The link is closed with the Responder. NULL: no memory. */
struct responder *responder_new(struct link *link);

/* Take version 2 by this draft (RPCRDMA_PROTOCOL_2_04 or _2_07) as well as version 1: the first
 * Send of a connection settles it. False: no memory. Without this call version 2 is refused by
 * ERR_VERS, as a peer of version 1 does. */
bool responder_speak_version2(struct responder *responder, enum rpcrdma_protocol draft);
/* The same by other options than the Responder's own, which responder_session_options() gives. */
struct session_options responder_session_options(enum rpcrdma_protocol draft);
bool responder_speak(struct responder *responder, const struct session_options *options);
/* Where version 2 is spoken, or NULL: for tests of a Requester, which send what no Responder would.
 */
struct session *responder_session(struct responder *responder);
/* After each this many Calls of version 2, call NULL of the client's own program (reverse.h), if it
 * takes such Calls; 0, as it begins: never. */
void responder_call_back(struct responder *responder, unsigned every);
/* By version 2, Replies that one Send would hold go into a Reply chunk that holds them, too. */
void responder_prefer_reply_chunk(struct responder *responder, bool prefer);
/* A Write chunk that nothing goes into comes back without segments: -07 allows that (6.3.8). */
void responder_empty_unused(struct responder *responder, bool empty);
/* Reverse Calls that were made, of these answered, and of those executed: a client may have other
 * programs, or none. */
struct responder_calls {
    unsigned made, answered, executed;
};
struct responder_calls responder_calls(const struct responder *responder);

/* Speak NFSv4.1 as well, with what clients hold there; it stays the caller's. This connection is a
 * new one for them. */
struct nfs4;
void responder_speak_nfs4(struct responder *responder, struct nfs4 *nfs4);

/* From now on names are looked up in this edition of the files of NFSv3 (nfs3.h). */
void responder_edit(struct responder *responder, uint32_t edition);

/* A fault to commit from now on, so that what tests it has something to find. */
enum responder_fault {
    RESPONDER_FAULTLESS,
    RESPONDER_RELIES_ON_WRITE_ORDER,  /* each Write but the last to a place is to be overwritten */
    RESPONDER_POSTS_TOO_FEW_RECEIVES, /* than it grants: its link has to be opened so */
    RESPONDER_ANSWERS_BEFORE_WRITES,  /* the Reply goes before what it says is written */
    RESPONDER_LOSES_WORK_REQUESTS,    /* of chunks in many segments: see fault.c */
};
void responder_commit(struct responder *responder, enum responder_fault fault);

/* The peer was sent other private data than that of responder_options: go by what it says. */
void responder_announced(struct responder *responder, const uint8_t *octets, size_t length);

/* Take the next event, if one comes within `timeout` milliseconds, and answer it. False: none came,
 * or the connection is gone. */
bool responder_step(struct responder *responder, unsigned timeout);

bool responder_gone(const struct responder *responder);

void responder_free(struct responder *responder);

/* One that is stepped while the other side of a loopback waits. */
struct transport *responder_loopback(void);
struct transport *responder_loopback_version2(enum rpcrdma_protocol draft);

#endif
