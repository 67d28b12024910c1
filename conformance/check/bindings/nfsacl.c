// SPDX-License-Identifier: BSD-3-Clause
/* The binding of NFSACL (RFC 8267 section 5): nothing is eligible. */
#include <rpcrdma/binding.h>

#define NFSACL_PROGRAM 100227 /* no public XDR defines it */

static const char *procedure_nfsacl(uint32_t version, uint32_t procedure)
{
    (void)version;
    return procedure == 0 ? "NULL" : NULL; /* no public definition names the others */
}

static enum rpcrdma_reading nothing_eligible(struct rpcrdma_content *content,
                                             const struct rpcrdma_item_sink *sink)
{
    (void)content, (void)sink;
    return RPCRDMA_READ_ALL;
}

/* RFC 8267 section 5 speaks of version 1; peers have 2 and 3, as those of NFS that they serve. */
const struct rpcrdma_binding rpcrdma_binding_nfsacl = {
    .name = "NFSACL",
    .program = NFSACL_PROGRAM,
    .low_version = 1,
    .high_version = 3,
    .procedure = procedure_nfsacl,
    .call = nothing_eligible,
    .reply = nothing_eligible,
};
