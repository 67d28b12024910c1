// SPDX-License-Identifier: BSD-3-Clause
/* All bindings that the checker knows. A new one is entered here. */
#include <rpcrdma/binding.h>

const struct rpcrdma_binding *const rpcrdma_bindings[] = {
    &rpcrdma_binding_nfs2,  &rpcrdma_binding_nfs3, &rpcrdma_binding_nfs4, &rpcrdma_binding_nfsacl,
    &rpcrdma_binding_mount, &rpcrdma_binding_nlm,  &rpcrdma_binding_nsm,  NULL,
};
