// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/nfs/nfs_probe.h"

#include <check.h>

struct probe nfs_probe_of(enum nfs_fault *fault)
{
    struct probe probe = {.options = {.timeout = 1000,
                                      .program = NFS_PROGRAM,
                                      .version = NFS_VERSION,
                                      .nfs_file = "some/where/probe.data"}};
    probe.peer.transport = nfs_server(fault);
    return probe;
}

void nfs_probe_run(struct probe *probe)
{
    ck_assert(probe_begin(probe));
    ck_assert(probe->peer.has_nfs && !probe->peer.has_test_program);
    probe_run_cases(probe);
}

void nfs_probe_end(struct probe *probe)
{
    results_free(&probe->run.results);
    probe_options_free(&probe->options);
    probe->peer.transport->ops->close(probe->peer.transport);
}
