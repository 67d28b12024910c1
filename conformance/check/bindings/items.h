// SPDX-License-Identifier: BSD-3-Clause
/* What the bindings of all NFS versions do: name the eligible items of what a decoder has read. */
#ifndef CONFORMANCE_ITEMS_H
#define CONFORMANCE_ITEMS_H

#include "conformance/base/count.h"

#include <rpcrdma/binding.h>

/* The reduction for a reading that begins this far into the content. */
static inline struct rpcrdma_xdr_reduction *reduction_at(const struct rpcrdma_content *content,
                                                         size_t offset)
{
    content->reduction->before = content->position + offset;
    return content->reduction;
}

/* Note how far a decoding came that began at `offset`; false if it failed. */
static inline bool is_read(struct rpcrdma_content *content, size_t offset, ptrdiff_t octets,
                           const struct rpcrdma_xdr_error *error)
{
    content->read = offset + (octets < 0 ? error->offset : (size_t)octets);
    return octets >= 0;
}

/* Of this procedure nothing is known. */
enum rpcrdma_reading rpcrdma_nfs_know_nothing(struct rpcrdma_content *content);

/* Where a reading stood before an operation. */
struct mark {
    uint64_t removed;
    uint32_t hole;
};

static inline struct mark mark_of(const struct rpcrdma_content *content)
{
    return (struct mark){content->reduction->removed, content->reduction->next};
}

/* Which of an operation's items that are counted is the eligible one. */
enum which { FIRST_ITEM, LAST_ITEM };

/* Hand on an eligible argument, an eligible result that a Reply can bring, and one that it
 * brought. */
void rpcrdma_nfs_argument(const struct rpcrdma_content *content,
                          const struct rpcrdma_item_sink *sink, const char *name,
                          const struct rpcrdma_xdr_opaque *data, struct mark before,
                          enum which which);
void rpcrdma_nfs_expected(const struct rpcrdma_item_sink *sink, const char *name, uint64_t most,
                          uint32_t beside);
void rpcrdma_nfs_result(const struct rpcrdma_item_sink *sink, const char *name,
                        const struct rpcrdma_xdr_opaque *data);

/* Octets that results such as those of a READDIR can have if the Call bounds them by this many:
 * whole words, and the status before them. Names of all lengths fill them. */
static inline uint64_t rpcrdma_nfs_bounded(uint32_t most)
{
    return 4 + (most & ~UINT64_C(3));
}

/* Versions 2 and 3: a procedure has one eligible item at most. Decodes, and finds it. */
typedef ptrdiff_t read_item(const struct rpcrdma_content *content,
                            struct rpcrdma_xdr_reduction *reduction,
                            struct rpcrdma_xdr_opaque *item, struct rpcrdma_xdr_error *error);

/* Arguments whose last counted item is the eligible one. */
enum rpcrdma_reading rpcrdma_nfs_read_argument(struct rpcrdma_content *content,
                                               const struct rpcrdma_item_sink *sink,
                                               const char *name, read_item *read);

/* Results that begin with a status; without item if it is not 0. */
enum rpcrdma_reading rpcrdma_nfs_read_result(struct rpcrdma_content *content,
                                             const struct rpcrdma_item_sink *sink, const char *name,
                                             read_item *read);

#endif
