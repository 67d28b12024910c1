// SPDX-License-Identifier: BSD-3-Clause
/* Calls in the reverse direction (RFC 8167), as far as a small client of NFS version 4.1 gets them:
 * the server asks by NULL whether its back channel works, and recalls a delegation. */
#ifndef HARNESS_REVERSE_H
#define HARNESS_REVERSE_H

#include "rxe-harness/requester/requester.h"

struct session;
struct session_event;

#define REVERSE_PROGRAM 0x40000000u /* of the callbacks */
#define REVERSE_VERSION 1u
#define REVERSE_CREDITS 8 /* that the server is granted for its Calls */

/* Whether the message that came last is a Call of the server's. */
bool requester_is_called(const struct requester *requester);
/* The message that came last, if it is a Call of the server's: answer it. False: it is not one. A
 * recalled delegation is noted, and the caller's to give back. */
bool requester_answer_call(struct requester *requester);
/* Answer a Call that came by a session of version 2: NULL of that program, and no other. False: it
 * holds no Call, or the session does not take the answer. */
bool requester_answer_in_session(struct session *session, const struct session_event *event);

#endif
