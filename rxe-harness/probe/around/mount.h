// SPDX-License-Identifier: BSD-3-Clause
/* The file handle that cases of NFS version 3 begin with, by MOUNT version 3 (RFC 1813 appendix I).
 */
#ifndef HARNESS_AROUND_MOUNT_H
#define HARNESS_AROUND_MOUNT_H

#include "rxe-harness/probe/around/around.h"
#include "rxe-harness/probe/nfs_data.h"

/* Ask MOUNT over TCP for the folder of the file that was named, or for the folders that lead to it,
 * and go on from there by the connection at hand. `port`: where MOUNT is; 0: rpcbind says. False:
 * probe->peer.nfs3.why says why not. */
bool mount_enter(struct probe *probe, const struct around *around, uint16_t port);

#endif
