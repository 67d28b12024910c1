// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/replay/response.h"

#include "rxe-harness/requester/nfs4_calls.h"
#include "rxe-harness/transport/segments.h"

#include <rpcrdma/rpcrdma.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

struct collecting {
    struct answer *answer;
    answer_fetch *fetch;
    void *arg;
    uint8_t *octets; /* of the Long Reply, ANSWER_LONG_MAX of them, or NULL */
    size_t length;
    bool known;
};

static bool collect(void *arg, uint8_t *segment, enum segment_list list)
{
    struct collecting *collecting = arg;
    struct answer *answer = collecting->answer;
    uint32_t length = rpcrdma_xdr_load32(segment + 4);
    if (list == SEGMENT_READ)
        return true;
    if (answer->segment_count < ANSWER_SEGMENTS)
        answer->segments[answer->segment_count] = length;
    answer->segment_count++;
    if (list != SEGMENT_REPLY || collecting->octets == NULL)
        return true;
    collecting->known = collecting->known && length <= ANSWER_LONG_MAX - collecting->length &&
                        collecting->fetch(collecting->arg, rpcrdma_xdr_load32(segment),
                                          rpcrdma_xdr_load64(segment + 8),
                                          collecting->octets + collecting->length, length);
    collecting->length += collecting->known ? length : 0;
    return true;
}

/* Every result of NFS, but NULL's and those of version 2 that do not exist, begins with a status.
 */
static bool has_status(const struct answer_call *call)
{
    return call->known && call->program == NFS_PROGRAM && call->procedure != 0;
}

static void take_reply(struct answer *answer, const struct requester_reply *reply,
                       const struct answer_call *call)
{
    answer->outcome = reply->outcome;
    answer->accepted = reply->accepted;
    answer->stat = reply->stat;
    answer->vers = reply->vers;
    answer->low = reply->low;
    answer->high = reply->high;
    answer->is_long = reply->is_long;
    answer->chunks = reply->chunks;
    answer->results = reply->results_length;
    memcpy(answer->chunk_lengths, reply->chunk_lengths, sizeof answer->chunk_lengths);
    for (unsigned i = 0; i < reply->chunks && i < REQUESTER_CHUNKS; i++)
        answer->results += ((uint64_t)reply->chunk_lengths[i] + 3) & ~(uint64_t)3;
    if (reply->outcome == RPCRDMA_PROCESS && reply->accepted && reply->stat == 0 &&
        reply->results_length >= 4 && has_status(call)) {
        answer->has_status = true;
        answer->status = rpcrdma_xdr_load32(reply->results);
        answer->names = names_read(reply, call->version, call->procedure);
    }
}

void answer_read(struct answer *answer, const struct link_event *event,
                 const struct answer_call *call, answer_fetch *fetch, void *arg)
{
    struct requester_pending pending = {.xid = 0};
    struct requester_reply reply;
    struct rpcrdma1_header header;
    *answer = (struct answer){.length = event->length};
    uint8_t *copy = malloc(event->length + 1);
    if (copy == NULL)
        return;
    if (event->length > 0)
        memcpy(copy, event->octets, event->length);
    ptrdiff_t end = rpcrdma1_header_decode(&header, copy, event->length, NULL, NULL);
    const struct rpcrdma1_chunk_lists *lists =
        rpcrdma_xdr_failed(end) ? NULL : rpcrdma1_chunks(&header);
    if (lists) {
        bool is_long = header.rdma_body.proc == RPCRDMA1_NOMSG && lists->rdma_reply.present;
        struct collecting collecting = {
            .answer = answer, .fetch = fetch, .arg = arg, .known = is_long};
        collecting.octets = is_long ? calloc(1, ANSWER_LONG_MAX) : NULL;
        segments_each(copy, lists, collect, &collecting);
        answer->has_reply_chunk = lists->rdma_reply.present;
        pending.reply = collecting.octets;
        pending.reply_room = collecting.known ? collecting.length : 0;
    }
    requester_read_reply(event, &pending, &reply);
    take_reply(answer, &reply, call);
    free(pending.reply);
    free(copy);
}

void answer_free(struct answer *answer)
{
    free(answer->names);
    answer->names = NULL;
}

/* ---- in words ---- */

static size_t print_reply(const struct answer *answer, char *text, size_t size)
{
    int at = snprintf(text, size, "a %sReply, %s %u", answer->is_long ? "Long " : "",
                      answer->accepted ? "accept_stat" : "reject_stat", answer->stat);
    size_t used = at < 0 ? 0 : (size_t)at;
    if (answer->has_status && used < size)
        used += (size_t)snprintf(text + used, size - used, ", NFS status %u", answer->status);
    if (used < size)
        used += (size_t)snprintf(text + used, size - used,
                                 ", %" PRIu64 " octets of results, Send of %zu", answer->results,
                                 answer->length);
    for (unsigned i = 0; i < answer->chunks && i < REQUESTER_CHUNKS && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, ", Write chunk %u of %zu", i + 1,
                                 answer->chunk_lengths[i]);
    if (answer->has_reply_chunk && !answer->is_long && used < size)
        used += (size_t)snprintf(text + used, size - used, ", Reply chunk unused");
    for (unsigned i = 0; i < answer->segment_count && i < ANSWER_SEGMENTS && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%u", i == 0 ? ", segments " : "+",
                                 answer->segments[i]);
    return used;
}

void answer_print(const struct answer *answer, char *text, size_t size)
{
    switch (answer->outcome) {
    case RPCRDMA_PROCESS:
    case RPCRDMA_GARBAGE_ARGS:
        print_reply(answer, text, size);
        break;
    case RPCRDMA_ERR_VERS:
        snprintf(text, size, "err-vers of version %u, for versions %u to %u", answer->vers,
                 answer->low, answer->high);
        break;
    case RPCRDMA_ERR_CHUNK:
        snprintf(text, size, "err-chunk");
        break;
    case RPCRDMA_DISCARD:
        snprintf(text, size, "silence");
        break;
    case RPCRDMA_CLOSE:
        snprintf(text, size, "the end of the connection");
        break;
    default:
        snprintf(text, size, "%zu octets that are no Reply", answer->length);
    }
}

/* ---- comparing ---- */

static bool is_reply(const struct answer *answer)
{
    return answer->outcome == RPCRDMA_PROCESS || answer->outcome == RPCRDMA_GARBAGE_ARGS;
}

static bool same_chunks(const struct answer *a, const struct answer *b)
{
    for (unsigned i = 0; i < REQUESTER_CHUNKS; i++)
        if (a->chunk_lengths[i] != b->chunk_lengths[i])
            return false;
    return true;
}

static bool same_segments(const struct answer *a, const struct answer *b)
{
    unsigned count = a->segment_count < ANSWER_SEGMENTS ? a->segment_count : ANSWER_SEGMENTS;
    return a->segment_count == b->segment_count && a->chunks == b->chunks &&
           a->has_reply_chunk == b->has_reply_chunk &&
           memcmp(a->segments, b->segments, count * sizeof a->segments[0]) == 0;
}

enum answer_layer answer_compare(const struct answer *a, const struct answer *b)
{
    if (is_reply(a) != is_reply(b))
        return ANSWER_REACTION;
    if (!is_reply(a)) {
        bool same = a->outcome == b->outcome && a->vers == b->vers && a->low == b->low &&
                    a->high == b->high;
        bool sized = a->outcome != 0 || a->length == b->length;
        return same && sized ? ANSWER_SAME : ANSWER_REACTION;
    }
    if (a->accepted != b->accepted || a->stat != b->stat)
        return ANSWER_RPC;
    if (a->has_status != b->has_status || a->status != b->status)
        return ANSWER_STATUS;
    if (a->results != b->results)
        return ANSWER_RESULTS;
    if (!same_chunks(a, b))
        return ANSWER_CHUNKS;
    if (a->is_long != b->is_long)
        return ANSWER_PLACE;
    if (!same_segments(a, b))
        return ANSWER_SEGMENTS_RETURNED;
    return a->length == b->length ? ANSWER_SAME : ANSWER_SEND;
}
