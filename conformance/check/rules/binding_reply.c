// SPDX-License-Identifier: BSD-3-Clause
/*
 * Binding scope, Replies: each eligible result is in the Write chunk that serves it, or inline
 * where there is none (RFC 8166 sections 3.4.6, 4.3.2 and 6.1). Which results there are the Call
 * has said; a Reply that does not decode is read again as if one result were elsewhere.
 */
#include "conformance/check/rules/binding.h"

#define END_CALL REQUESTER_MAY(RPCRDMA_TERMINATE)

struct reply_items {
    struct rpcrdma_send *send;
    struct rpcrdma_xdr_iter returned;  /* Write chunks */
    struct rpcrdma1_write_chunk chunk; /* that serves the result at hand */
    bool has_chunk;
    bool is_read; /* that result */
    const struct rpcrdma_binding *binding;
    uint64_t length; /* octets that it returns */
    uint32_t number; /* of the chunk that serves the next result */
    uint32_t used;   /* chunks with octets, of all */
    uint32_t served;
    const struct rpcrdma_content *content;
    /* The first chunk that is used and whose result was not read, or has another length: where its
     * count word would be. */
    struct {
        bool is_set;
        size_t at;
        uint64_t length;
        uint32_t number;
        int64_t place;
    } suspect;
};

/* Room that the Call offered in its Write chunk of this number. */
static uint64_t room_offered(const struct rpcrdma_send *send, uint32_t number)
{
    const struct offered_memory *all = send->review.check->memory;
    uint64_t room = 0;
    for (uint32_t i = send->answers->first; i != NONE; i = all[i].next)
        if (all[i].kind == MEMORY_WRITE && all[i].chunk == number)
            room += all[i].length;
    return room;
}

/* Where the word before has the chunk's length it is the count word: another word is missing. */
static void suspect(struct reply_items *items, size_t at)
{
    if (items->suspect.is_set || !items->has_chunk || items->length < COUNT_WORD ||
        (at >= COUNT_WORD &&
         rpcrdma_xdr_load32(items->content->octets + at - COUNT_WORD) == items->length))
        return;
    items->suspect.is_set = true;
    items->suspect.at = at;
    items->suspect.length = items->length;
    items->suspect.number = items->number - 1;
    items->suspect.place = place_of_count(items->send, &items->chunk.target);
}

static bool on_result_is_out(void *arg)
{
    struct reply_items *items = arg;
    items->has_chunk = rpcrdma1_write_list_next(&items->returned, &items->chunk);
    items->length = items->has_chunk ? rpcrdma1_segments_length(&items->chunk.target) : 0;
    items->number++;
    items->is_read = false;
    return items->length > 0;
}

/* An operation failed whose result would have been in a Write chunk. */
static void on_no_result(const struct reply_items *items)
{
    struct rpcrdma_xdr_iter iter = items->returned;
    struct rpcrdma1_write_chunk chunk;
    if (items->binding->no_result && rpcrdma1_write_list_next(&iter, &chunk) &&
        room_offered(items->send, items->number) > 0)
        items->binding->no_result(items->send, &chunk.target, items->number);
}

static void on_result(void *arg, const struct rpcrdma_item *item)
{
    struct reply_items *items = arg;
    struct rpcrdma_send *send = items->send;
    if (item == NULL) {
        on_no_result(items);
        return;
    }
    items->is_read = true;
    if (!items->has_chunk)
        return;
    uint32_t number = items->number - 1;
    int64_t at = place_of_count(send, &items->chunk.target);
    if (items->length > 0) {
        items->served++;
        if (item->length == items->length)
            return;
        if (items->content->read >= COUNT_WORD) /* it ends an operation's results */
            suspect(items, items->content->read - COUNT_WORD);
        break_rule(&send->review, RPCRDMA_RFC8166_3_4_6_2_RETURNED_LENGTH_IS_ITEM_LENGTH, at,
                   END_CALL, "rdma_writes[%u] returns %u octets of a result of %u", number,
                   items->length, item->length);
    } else if (item->length > 0 && room_offered(send, number) > 0) {
        break_rule(&send->review, RPCRDMA_RFC8166_4_3_2_ELIGIBLE_RESULT_PUSHED, at, END_CALL,
                   "a result of %u octets is inline, though rdma_writes[%u] has room", item->length,
                   number);
    }
}

static void ignore_item(void *arg, const struct rpcrdma_item *item)
{
    (void)arg, (void)item;
}

/* A guess at what is out: as the Write chunks say, but for the result of this number among those
 * that are, or ALL; and the one of this number among all results besides, though its chunk is not
 * used. */
struct guess {
    struct rpcrdma_xdr_iter returned;
    uint32_t inside, outside;
    uint32_t used, number; /* so far */
};

static bool guess_is_out(void *arg)
{
    struct guess *guess = arg;
    struct rpcrdma1_write_chunk chunk;
    bool used = rpcrdma1_write_list_next(&guess->returned, &chunk) &&
                rpcrdma1_segments_length(&chunk.target) > 0;
    if (guess->number++ == guess->outside)
        return true;
    return used && guess->used++ != guess->inside && guess->inside != ALL;
}

/* The results decode to their last octet with one of them in the payload and another, which they
 * do have, outside; and with what `reduction` says besides, or NULL. */
static bool holds_results(const struct rpcrdma_binding *binding, struct rpcrdma_content content,
                          const struct rpcrdma1_write_list *writes,
                          struct rpcrdma_xdr_reduction *reduction, uint32_t inside,
                          uint32_t outside)
{
    struct guess guess = {
        .returned = rpcrdma1_write_list_iter(writes), .inside = inside, .outside = outside};
    const struct rpcrdma_item_sink sink = {
        .result_is_out = guess_is_out, .result = ignore_item, .arg = &guess};
    struct rpcrdma_xdr_reduction nothing = {0};
    content.reduction = reduction ? reduction : &nothing;
    content.read = content.length;
    return is_whole(binding->reply(&content, &sink), &content) &&
           (outside == NO_RESULT || guess.number > outside);
}

/* Whether a result is in the payload as well as in its Write chunk. */
static bool is_result_left_in(const struct rpcrdma_binding *binding,
                              const struct rpcrdma_content *content,
                              const struct rpcrdma1_write_list *writes, uint32_t used)
{
    for (uint32_t i = 0; i < used && i < GUESSES; i++)
        if (holds_results(binding, *content, writes, NULL, i, NO_RESULT))
            return true;
    return used > 1 && holds_results(binding, *content, writes, NULL, ALL, NO_RESULT);
}

/* Whether the item at which decoding failed is out as well: one that is not eligible. */
static bool lacks_another(const struct rpcrdma_binding *binding,
                          const struct rpcrdma_content *content,
                          const struct rpcrdma1_write_list *writes)
{
    struct rpcrdma_xdr_hole hole = {.position = content->position + content->read +
                                                content->reduction->removed + COUNT_WORD};
    struct rpcrdma_xdr_reduction reduction = {.holes = &hole, .hole_count = 1};
    return holds_results(binding, *content, writes, &reduction, NO_RESULT, NO_RESULT) && hole.taken;
}

/* Whether the result that this Write chunk serves would be in the payload if it were not misplaced:
 * behind the last chunk, for an empty one, and for one that comes back without octets. */
static bool is_misplaced(struct rpcrdma_send *send, const struct reply_items *items,
                         const struct rpcrdma_content *content,
                         const struct rpcrdma1_segment_array *returned, uint32_t number,
                         uint32_t inside)
{
    bool asked_inline = returned == NULL || room_offered(send, number) == 0;
    bool is_moved = inside != NO_RESULT; /* into the chunk of another */
    if ((returned != NULL && asked_inline && returned->count > 0) ||
        (returned == NULL && items->binding->surplus_result == NULL) ||
        !holds_results(items->binding, *content, &send->chunks->rdma_writes, NULL, inside, number))
        return false;
    if (returned == NULL)
        items->binding->surplus_result(send, number);
    else if (asked_inline)
        break_rule(&send->review, RPCRDMA_RFC8166_4_3_2_3_INLINE_FOR_EMPTY_CHUNK,
                   place_of_count(send, returned), END_CALL,
                   is_moved ? "rdma_writes[%u] is empty, and yet its result is in another chunk"
                            : "rdma_writes[%u] is empty, and yet its result is not inline",
                   number);
    else if (is_moved)
        break_rule(&send->review, RPCRDMA_RFC8166_4_3_2_ELIGIBLE_RESULT_PUSHED,
                   place_of_count(send, returned), END_CALL,
                   "rdma_writes[%u] has room, and yet its result is in another chunk", number);
    else
        break_rule(&send->review, RPCRDMA_RFC8166_3_4_6_2_RETURNED_LENGTH_IS_ITEM_LENGTH,
                   place_of_count(send, returned), END_CALL,
                   "rdma_writes[%u] returns no octets of a result that is not inline either",
                   number);
    return true;
}

/* A result is not in the payload, though the Write chunks do not say that it is out: it is nowhere
 * or, where `moved`, in the chunk of another, whose result is in the payload. */
static bool check_missing_result(struct rpcrdma_send *send, const struct reply_items *items,
                                 const struct rpcrdma_content *content, bool moved)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&send->chunks->rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    for (uint32_t n = 0; n < GUESSES; n++) {
        bool is_there = rpcrdma1_write_list_next(&iter, &chunk);
        const struct rpcrdma1_segment_array *returned = is_there ? &chunk.target : NULL;
        if (is_there && rpcrdma1_segments_length(returned) > 0)
            continue;
        if (!moved && is_misplaced(send, items, content, returned, n, NO_RESULT))
            return true;
        for (uint32_t k = 0; moved && k < items->used && k < GUESSES; k++)
            if (is_misplaced(send, items, content, returned, n, k))
                return true;
    }
    return false;
}

/* The results decode if the payload has the count word that it seems to lack: it went into the
 * Write chunk as well. */
static bool lacks_count(const struct rpcrdma_send *send, struct reply_items *items,
                        const struct rpcrdma_content *read)
{
    struct restored restored;
    struct rpcrdma_content content = *read;
    restored.length = restored.taken = 0;
    if (items->number > 0 && !items->is_read)
        suspect(items, content.read);
    return items->suspect.is_set && restore_octets(&restored, &content, items->suspect.at) &&
           restore_word(&restored, items->suspect.length - COUNT_WORD) &&
           restore_rest(&restored, &content) &&
           holds_results(items->binding, content, &send->chunks->rdma_writes, NULL, NO_RESULT,
                         NO_RESULT);
}

static uint32_t used_chunks(const struct rpcrdma1_write_list *writes)
{
    uint32_t used = 0;
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(writes);
    while (rpcrdma1_write_list_next(&iter, &chunk))
        used += rpcrdma1_segments_length(&chunk.target) > 0;
    return used;
}

void rpcrdma_judge_results(struct rpcrdma_send *send, const struct rpcrdma_binding *binding)
{
    const struct call *call = send->answers;
    const struct rpcrdma1_write_list *writes = &send->chunks->rdma_writes;
    struct rpcrdma_xdr_reduction reduction = {0};
    struct reply_items items = {.send = send,
                                .returned = rpcrdma1_write_list_iter(writes),
                                .binding = binding,
                                .used = used_chunks(writes)};
    const struct rpcrdma_item_sink sink = {
        .result_is_out = on_result_is_out, .result = on_result, .arg = &items};
    struct rpcrdma_content content = content_of(send);
    unsigned found = send->review.judgement->count;
    items.content = &content;
    content.version = call->rpc.version;
    content.procedure = call->rpc.procedure;
    content.reduction = &reduction;
    enum rpcrdma_reading end = binding->reply(&content, &sink);
    if (is_misread(end, &content) && (check_missing_result(send, &items, &content, false) ||
                                      check_missing_result(send, &items, &content, true)))
        return;
    if (reduction.removed > 0 && is_misread(end, &content) &&
        is_result_left_in(binding, &content, writes, items.used)) {
        send->review.judgement->count = found;
        break_rule(&send->review, RPCRDMA_RFC8166_4_3_2_PUSHED_ITEM_LEFT_OUT,
                   place(send, writes->wire), END_CALL,
                   "a result is in its Write chunk and in the payload as well");
    } else if (is_misread(end, &content) && lacks_count(send, &items, &content)) {
        send->review.judgement->count = found;
        break_rule(&send->review, RPCRDMA_RFC8166_3_4_4_1_COUNT_STAYS, items.suspect.place,
                   END_CALL, "the payload lacks the count word of the result in rdma_writes[%u]",
                   items.suspect.number);
    } else if (items.used > items.served &&
               (end == RPCRDMA_READ_ALL ||
                (end == RPCRDMA_UNREADABLE && lacks_another(binding, &content, writes)))) {
        break_rule(&send->review, RPCRDMA_RFC8166_6_1_ONLY_ELIGIBLE_REDUCED,
                   place(send, writes->wire), END_CALL,
                   "%u Write chunks return octets, but %u results are eligible", items.used,
                   items.served);
    }
}

void rpcrdma_judge_long_result(struct rpcrdma_send *send, uint64_t most)
{
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&send->chunks->rdma_writes);
    uint64_t length = send->chunks->rdma_reply.present
                          ? rpcrdma1_segments_length(&send->chunks->rdma_reply.value.target)
                          : 0;
    if (length <= most || !rpcrdma1_write_list_next(&iter, &chunk) ||
        rpcrdma1_segments_length(&chunk.target) > 0 || room_offered(send, 0) == 0)
        return;
    break_rule(
        &send->review, RPCRDMA_RFC8166_4_3_2_ELIGIBLE_RESULT_PUSHED,
        place_of_count(send, &chunk.target), END_CALL,
        "the Reply chunk has %u octets, %u at most beside the result, and rdma_writes[0] has "
        "room",
        length, most);
}
