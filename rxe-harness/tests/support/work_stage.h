// SPDX-License-Identifier: BSD-3-Clause
/* The reference Responder's work on one Call, without a connection: the peer's memory is an array.
 */
#ifndef HARNESS_WORK_STAGE_H
#define HARNESS_WORK_STAGE_H

#include "rxe-harness/responder/work.h"

#define WORK_XID 0x01020304u
#define WORK_MEMORY 4096  /* octets of the peer's */
#define WORK_BASE 0x1000u /* their offset, by any handle */
#define WORK_DENIED 99    /* a handle that is not there */

extern uint8_t work_memory[WORK_MEMORY];
extern unsigned work_writes; /* RDMA Writes so far */
extern struct responder responder;
extern struct served_call work;

void work_stage_setup(void);
void work_stage_teardown(void);

#endif
