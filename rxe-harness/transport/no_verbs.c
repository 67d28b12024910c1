// SPDX-License-Identifier: BSD-3-Clause
/* In place of verbs.c where the command is built without rdma-core. */
#include "rxe-harness/transport/verbs.h"

#include <stdio.h>

struct transport *transport_verbs(const char *address, bool listen, char *error, size_t error_size)
{
    (void)address;
    (void)listen;
    snprintf(error, error_size,
             "built without librdmacm and libibverbs, so that only the loopback is there; install "
             "librdmacm-dev and libibverbs-dev, and build again");
    return NULL;
}

void verbs_on_meeting(struct transport *transport, verbs_meeting *meet, void *arg)
{
    (void)transport;
    (void)meet;
    (void)arg;
}
