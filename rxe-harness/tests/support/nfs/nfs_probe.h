// SPDX-License-Identifier: BSD-3-Clause
/* A probe of the small server of NFS, which has no test program. */
#ifndef HARNESS_TEST_NFS_PROBE_H
#define HARNESS_TEST_NFS_PROBE_H

#include "rxe-harness/probe/probe.h"
#include "rxe-harness/tests/support/nfs/nfs_server.h"

struct probe nfs_probe_of(enum nfs_fault *fault);
/* All its cases. */
void nfs_probe_run(struct probe *probe);
void nfs_probe_end(struct probe *probe);

#endif
