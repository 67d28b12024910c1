// SPDX-License-Identifier: BSD-3-Clause
/* `probe --around`: what stands beside the endpoint: rpcbind, ports, NFS and its company over TCP.
 */
#ifndef HARNESS_AROUND_H
#define HARNESS_AROUND_H

#include "rxe-harness/probe/around/rpcbind.h"
#include "rxe-harness/probe/nfs_data.h"
#include "rxe-harness/probe/probe.h"

struct around {
    char scheme[16], host[256]; /* of the peer's address */
    uint16_t port;              /* where it was probed */
    uint16_t rpcbind_port;
    struct plain_address peer, other; /* other: of the other family; length 0: it has none */
    struct rpcbind rpcbind;           /* since the first case that asked it */
    bool asked;
};

/* Resolve the address. False after writing why into `error`. */
bool around_begin(struct around *around, const char *address, uint16_t rpcbind_port,
                  char error[128]);
void around_end(struct around *around);
/* Run the cases, or list or count them. */
void around_run(struct probe *probe);
/* Say what each of them found, on stderr. */
void around_tell(const struct probe *probe);

/* Ask MOUNT over TCP for the folder of the file that was named, or for the folders that lead to it,
 * and go on from there by the connection at hand. `port`: where MOUNT is; 0: rpcbind says. False:
 * probe->peer.nfs3.why says why not. */
bool mount_enter(struct probe *probe, const struct around *around, uint16_t port);

#endif
