// SPDX-License-Identifier: BSD-3-Clause
/* The reference Responder's NFSv4.1, called without a transport. */
#ifndef HARNESS_NFS4_STAGE_H
#define HARNESS_NFS4_STAGE_H

#include "rxe-harness/requester/nfs4_calls.h"
#include "rxe-harness/responder/nfs4_state.h"

#define REPLY_RESULTS 20

struct nfs4_reply {
    uint32_t status;
    unsigned count;
    struct nfs_resop4 results[REPLY_RESULTS];
};

extern struct nfs4 *nfs4;
extern struct nfs_session session;
extern struct nfs_compound compound; /* the next Call */
extern struct nfs4_reply reply;      /* to the last one */

void nfs4_stage_setup(void);
void nfs4_stage_setup_writable(void);
void nfs4_stage_teardown(void);

/* Make the Call; READ's results are read as if it had brought nothing. */
const struct nfs4_results *call(void);
struct nfs_argop4 *add(enum nfs_opnum4 operation);

void identify(const char *owner, uint8_t boot);
void begin_session(uint32_t flags);
void begin(uint32_t flags);
/* One operation more, and the status of all. */
void in_session(enum nfs_opnum4 operation, enum nfs_nfsstat4 status);

#endif
