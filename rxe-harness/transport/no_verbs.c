// SPDX-License-Identifier: BSD-3-Clause
/* In place of verbs.c where the command is built without rdma-core. */
#include "rxe-harness/transport/transport.h"

#include <stdio.h>

struct transport *transport_verbs(const char *address, bool listen, char *error, size_t error_size)
{
    (void)listen;
    snprintf(error, error_size,
             "built without librdmacm and libibverbs: use roce://%s, which needs no device, or "
             "install librdmacm-dev and libibverbs-dev, and build again",
             address);
    return NULL;
}
