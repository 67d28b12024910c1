// SPDX-License-Identifier: BSD-3-Clause
/* Two queue pairs without socket, thread or clock: a test says which packets get lost and what time
 * it is, and compares what went with what has to (InfiniBand specification, volume 1, chapter 9).
 */
#ifndef HARNESS_PAIRS_STAGE_H
#define HARNESS_PAIRS_STAGE_H

#include "rxe-harness/transport/roce/queue_pair.h"

#define MTU 256
#define FIRST_PSN 0xfffffeu /* so that the numbers wrap */
#define HANDLE 7
#define RETRY ((int64_t)RETRY_TIME * 1000)

enum side { ASKS, SERVES };

struct passing {
    enum side to;
    struct frame frame;
    struct packet packet;
    bool asks;
};

extern struct queue_pair pairs[2];
extern struct passing pairs_wire[]; /* what is under way */
extern unsigned pairs_wire_end;
extern const char *pairs_losses; /* of what goes, in this order */
extern char pairs_went[8192];
extern uint8_t pairs_from[20 * MTU], pairs_to[20 * MTU];
extern struct exposed pairs_memory; /* of the side that serves: pairs_from */
extern struct work pairs_work;

void pairs_set_up(void);
void pairs_tear_down(void);

/* This is asked, and all that follows happens. */
void pairs_begin(enum work_kind kind, size_t length, int64_t now);
/* It is that late. */
void pairs_run(int64_t now);
/* To its end, with these losses. */
void pairs_do_all(enum work_kind kind, size_t length, const char *losses);
/* The side that serves learns of one thing, and gives the Receive of a Send back. */
void pairs_expect_one(bool is_send, bool is_write, size_t length);

/* A letter and the number; "?": an acknowledgement is wanted; "/": messages complete so far. */
#define expect_wire(expected)                                                                      \
    do {                                                                                           \
        ck_assert_str_eq(pairs_went, expected);                                                    \
        ck_assert_str_eq(pairs_losses, "");                                                        \
        pairs_went[0] = '\0';                                                                      \
    } while (0)

#endif
