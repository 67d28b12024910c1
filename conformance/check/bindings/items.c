// SPDX-License-Identifier: BSD-3-Clause
/* Eligible items, as the bindings of all NFS versions name them. */
#include "conformance/check/bindings/items.h"

enum rpcrdma_reading rpcrdma_nfs_know_nothing(struct rpcrdma_content *content)
{
    content->read = 0;
    return RPCRDMA_READ_PART;
}

static uint64_t hole_position(const struct rpcrdma_xdr_reduction *reduction, struct mark before,
                              enum which which)
{
    uint64_t position = 0;
    for (uint32_t i = before.hole; i < reduction->next; i++) {
        if (!reduction->holes[i].taken)
            continue;
        position = reduction->holes[i].position;
        if (which == FIRST_ITEM)
            break;
    }
    return position;
}

/* Of an item in the payload the place tells the Position: nothing eligible precedes it in its
 * operation. */
void rpcrdma_nfs_argument(const struct rpcrdma_content *content,
                          const struct rpcrdma_item_sink *sink, const char *name,
                          const struct rpcrdma_xdr_opaque *data, struct mark before,
                          enum which which)
{
    struct rpcrdma_item item = {.name = name, .length = data->length, .out = data->data == NULL};
    if (item.out)
        item.position = hole_position(content->reduction, before, which);
    else
        item.position =
            content->position + (uint64_t)(data->data - content->octets) + before.removed;
    sink->argument(sink->arg, &item);
}

void rpcrdma_nfs_expected(const struct rpcrdma_item_sink *sink, const char *name, uint64_t most,
                          uint32_t beside)
{
    struct rpcrdma_item item = {.name = name, .length = most, .beside = beside};
    sink->expected(sink->arg, &item);
}

void rpcrdma_nfs_result(const struct rpcrdma_item_sink *sink, const char *name,
                        const struct rpcrdma_xdr_opaque *data)
{
    struct rpcrdma_item item = {.name = name, .length = data->length, .out = data->data == NULL};
    sink->result(sink->arg, &item);
}

/* A count above the bound of its item, in front of a Read chunk: that is the item's all the same.
 */
static void on_count_above_bound(const struct rpcrdma_content *content,
                                 const struct rpcrdma_item_sink *sink, const char *name,
                                 const struct rpcrdma_xdr_error *error)
{
    const struct rpcrdma_xdr_reduction *reduction = content->reduction;
    struct rpcrdma_item item = {.name = name,
                                .position =
                                    content->position + error->offset + 4 + reduction->removed,
                                .out = true};
    if (error->code != RPCRDMA_XDR_E_BOUND || error->offset + 4 != content->length ||
        reduction->next >= reduction->hole_count ||
        reduction->holes[reduction->next].position != item.position)
        return;
    item.length = rpcrdma_xdr_load32(content->octets + error->offset);
    sink->argument(sink->arg, &item);
}

enum rpcrdma_reading rpcrdma_nfs_read_argument(struct rpcrdma_content *content,
                                               const struct rpcrdma_item_sink *sink,
                                               const char *name, read_item *read)
{
    struct rpcrdma_xdr_opaque item;
    struct rpcrdma_xdr_error error;
    struct rpcrdma_xdr_reduction *reduction = reduction_at(content, 0);
    struct mark before = mark_of(content);
    ptrdiff_t n = read(content, reduction, &item, &error);
    if (!is_read(content, 0, n, &error)) {
        on_count_above_bound(content, sink, name, &error);
        return RPCRDMA_UNREADABLE;
    }
    rpcrdma_nfs_argument(content, sink, name, &item, before, LAST_ITEM);
    return RPCRDMA_READ_ALL;
}

enum rpcrdma_reading rpcrdma_nfs_read_result(struct rpcrdma_content *content,
                                             const struct rpcrdma_item_sink *sink, const char *name,
                                             read_item *read)
{
    struct rpcrdma_xdr_opaque item;
    struct rpcrdma_xdr_error error;
    struct rpcrdma_xdr_reduction *reduction = reduction_at(content, 0);
    bool failed = content->length >= 4 && rpcrdma_xdr_load32(content->octets) != 0;
    reduction->next_item = !failed && sink->result_is_out(sink->arg);
    ptrdiff_t n = read(content, reduction, &item, &error);
    if (!is_read(content, 0, n, &error))
        return RPCRDMA_UNREADABLE;
    if (failed)
        sink->result(sink->arg, NULL);
    else
        rpcrdma_nfs_result(sink, name, &item);
    return RPCRDMA_READ_ALL;
}
