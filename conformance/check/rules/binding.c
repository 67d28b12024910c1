// SPDX-License-Identifier: BSD-3-Clause
/*
 * Binding scope: which items are in chunks, beside what their protocol's binding allows (RFC 8166
 * sections 3.4, 4.3 and 6.1).
 *
 * Bindings read arguments and results and name the eligible items; what the rules are is known here
 * alone, so that a new protocol needs no new rule. A message that does not decode is read again
 * under the assumption of one mistake (an item left in, a Position that is wrong). If that makes it
 * decode to its last octet the mistake is reported; if not, nothing is.
 */
#include "conformance/check/rules/binding.h"
#include "conformance/base/count.h"

#include <rpcrdma/rpc.h>

#define REFUSE_ARGUMENT RESPONDER_MAY(RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS)
/* ---- Calls ---- */

struct call_items {
    struct rpcrdma_send *send;
    struct rpcrdma_xdr_reduction *reduction;
    uint64_t eligible;  /* the items that were found in Read chunks: a bit for each */
    uint32_t expected;  /* eligible results, so far */
    uint32_t arguments; /* eligible arguments */
    uint64_t most;      /* octets of results that can come back inline, at least */
    uint32_t beside;    /* of these, what comes with the eligible one */
    struct rpcrdma_xdr_iter writes;
};

_Static_assert(READ_CHUNKS <= 64, "not a bit for each Read chunk");

static bool is_eligible(const struct call_items *items, uint32_t number)
{
    return items->eligible >> number & 1;
}

static int64_t place_of_hole(const struct rpcrdma_send *send, const struct rpcrdma_xdr_hole *hole)
{
    for (uint32_t i = 0; i < send->reads.count && i < READ_CHUNKS; i++)
        if (send->reads.chunk[i].position == hole->position)
            return send->reads.chunk[i].at;
    return RPCRDMA_NO_OFFSET;
}

/* The length of a Read chunk against its item's count word. */
static void check_length(struct rpcrdma_send *send, const struct rpcrdma_xdr_hole *hole,
                         uint64_t count)
{
    int64_t at = place_of_hole(send, hole) + ENTRY_AT_LENGTH;
    if (hole->length == count)
        return;
    if (hole->length == rpcrdma_xdr_round(count)) {
        break_rule(&send->review, RPCRDMA_RFC8166_3_4_5_2_PADDING_IN_READ_CHUNK, at,
                   RESPONDER_MAY(is_07(send) ? ALSO | RPCRDMA_GARBAGE_ARGS : 0),
                   "the Read chunk of %u octets holds the padding of an item of %u", hole->length,
                   count);
        return;
    }
    if (hole->length > count)
        break_rule(&send->review, RPCRDMA_RFC8166_3_4_5_2_PADDED_CHUNK_LENGTH, at, REFUSE_ARGUMENT,
                   "the Read chunk has %u octets, its item %u", hole->length, count);
    else
        break_rule(&send->review, RPCRDMA_RFC8166_3_4_5_2_UNPADDED_CHUNK_LENGTH, at,
                   REFUSE_ARGUMENT, "the Read chunk has only %u octets of an item of %u",
                   hole->length, count);
}

/* The Read chunk that holds this item, or NULL; it is accounted for then. */
static const struct rpcrdma_xdr_hole *account(struct call_items *items,
                                              const struct rpcrdma_item *item)
{
    const struct rpcrdma_xdr_reduction *reduction = items->reduction;
    for (uint32_t i = 0; item->out && i < reduction->hole_count; i++) {
        if (reduction->holes[i].position == item->position) {
            items->eligible |= UINT64_C(1) << i;
            return &reduction->holes[i];
        }
    }
    return NULL;
}

static void on_argument(void *arg, const struct rpcrdma_item *item)
{
    struct call_items *items = arg;
    const struct rpcrdma_xdr_hole *hole = account(items, item);
    items->arguments++;
    if (hole != NULL)
        check_length(items->send, hole, item->length);
}

/* The Write chunk that serves the next eligible result. */
static void on_expected(void *arg, const struct rpcrdma_item *item)
{
    struct call_items *items = arg;
    struct rpcrdma1_write_chunk chunk;
    items->expected++;
    if (!rpcrdma1_write_list_next(&items->writes, &chunk) || chunk.target.count == 0) {
        if (item->length != RPCRDMA_ITEM_ANY) {
            items->most += rpcrdma_xdr_round(item->length) + item->beside;
            items->beside = item->beside;
        }
        return;
    }
    uint64_t room = rpcrdma1_segments_length(&chunk.target);
    int64_t at = place(items->send, chunk.target.wire) + SEGMENT_AT_LENGTH;
    if (item->length == RPCRDMA_ITEM_ANY)
        return;
    if (room < item->length) {
        break_rule(&items->send->review, RPCRDMA_RFC8166_3_4_6_ROOM_FOR_LARGEST_RESULT, at,
                   RESPONDER_MAY(ALSO | RPCRDMA_ERR_CHUNK),
                   "the Write chunk has room for %u octets of a result of up to %u", room,
                   item->length);
    } else if (item->length % 4 != 0 && room >= rpcrdma_xdr_round(item->length) &&
               room - item->length <= 4) { /* more is a larger buffer */
        break_rule(
            &items->send->review, RPCRDMA_RFC8166_3_4_6_2_ROOM_FOR_PADDING, at, NO_REACTION,
            "the Write chunk has room for %u octets, padding included; the result has up to %u",
            room, item->length);
    }
}

/* What the binding shows of a Call's Read chunks when it reads the arguments. */
struct call_reading {
    const struct rpcrdma_binding *binding;
    struct rpcrdma_content content;
    enum rpcrdma_reading end;
};

static void take_reduction(const struct rpcrdma_send *send, struct rpcrdma_xdr_hole *holes,
                           struct rpcrdma_xdr_reduction *reduction)
{
    *reduction = (struct rpcrdma_xdr_reduction){.holes = holes};
    for (uint32_t i = 0; i < send->reads.count && i < READ_CHUNKS; i++)
        holes[reduction->hole_count++] = (struct rpcrdma_xdr_hole){
            .position = send->reads.chunk[i].position, .length = send->reads.chunk[i].length};
}

static void ignore_item(void *arg, const struct rpcrdma_item *item)
{
    (void)arg, (void)item;
}

static void only_account(void *arg, const struct rpcrdma_item *item)
{
    account(arg, item);
}

/* The arguments decode to their last octet as if the Read chunk of this number were not there, or,
 * if it is ALL, as if none were. */
static bool reads_without(const struct rpcrdma_send *send, const struct call_reading *reading,
                          uint32_t number)
{
    static const struct rpcrdma_item_sink sink = {.argument = ignore_item, .expected = ignore_item};
    struct rpcrdma_xdr_hole holes[READ_CHUNKS];
    struct rpcrdma_xdr_reduction reduction;
    struct rpcrdma_content content = reading->content;
    take_reduction(send, holes, &reduction);
    reduction.hole_count = number == ALL ? 0 : reduction.hole_count - 1;
    for (uint32_t i = number; i < reduction.hole_count; i++)
        holes[i] = holes[i + 1];
    content.reduction = &reduction;
    content.read = content.length;
    return is_whole(reading->binding->call(&content, &sink), &content);
}

/* They do if the Read chunk of this number stands at another Position, where an eligible item is.
 */
static bool reads_moved(struct rpcrdma_send *send, const struct call_reading *reading,
                        uint32_t number, uint64_t position)
{
    struct rpcrdma_xdr_hole holes[READ_CHUNKS];
    struct rpcrdma_xdr_reduction reduction;
    take_reduction(send, holes, &reduction);
    struct call_items items = {.send = send, .reduction = &reduction};
    const struct rpcrdma_item_sink sink = {
        .argument = only_account, .expected = ignore_item, .arg = &items};
    struct rpcrdma_content content = reading->content;
    if (number + 1 < reduction.hole_count && holes[number + 1].position <= position)
        return false; /* the next one would not be looked at */
    holes[number].position = position;
    content.reduction = &reduction;
    content.read = content.length;
    return is_whole(reading->binding->call(&content, &sink), &content) &&
           is_eligible(&items, number);
}

/* Where it would have to be, behind a word before it that can be the count of its item: one that
 * its padding, if it is in the chunk, brings up to the chunk's length. Or 0. */
static uint64_t position_by_count(struct rpcrdma_send *send, const struct call_reading *reading,
                                  const struct rpcrdma_xdr_hole *hole, uint32_t number)
{
    const struct rpcrdma_content *content = &reading->content;
    unsigned guesses = 0;
    for (size_t at = 0; number == 0 && at + COUNT_WORD <= content->length && guesses < GUESSES;
         at += 4) {
        uint64_t position = content->position + at + COUNT_WORD;
        uint32_t word = rpcrdma_xdr_load32(content->octets + at);
        if (position >= hole->position)
            break;
        if (word == 0 || (word != hole->length && rpcrdma_xdr_round(word) != hole->length))
            continue;
        guesses++;
        if (reads_moved(send, reading, number, position))
            return position;
    }
    return 0;
}

/* Where a Read chunk of this number would have to be for the arguments to decode; or 0. Looked for
 * are the place at which decoding failed, the words that are nearest to its Position, and of the
 * first chunk those before it that can be the count of its item. */
static uint64_t true_position(struct rpcrdma_send *send, const struct call_items *items,
                              const struct call_reading *reading, uint32_t number)
{
    static const int64_t steps[] = {4, -4, 8, -8};
    const struct rpcrdma_xdr_hole *hole = &items->reduction->holes[number];
    uint64_t failed =
        reading->content.position + reading->content.read + items->reduction->removed + COUNT_WORD;
    if (reading->end != RPCRDMA_UNREADABLE)
        return 0;
    if (!hole->taken && reads_moved(send, reading, number, failed))
        return failed;
    for (unsigned i = 0; i < COUNT(steps); i++)
        if (reads_moved(send, reading, number, hole->position + (uint64_t)steps[i]))
            return hole->position + (uint64_t)steps[i];
    return position_by_count(send, reading, hole, number);
}

/* The arguments decode to their last octet, with an eligible item at each Read chunk from this
 * number on, if the payload has the count words of these. `moved` octets of each chunk are its
 * count word.
 */
static bool reads_counted(struct rpcrdma_send *send, const struct call_items *items,
                          const struct call_reading *reading, uint32_t number, uint32_t moved)
{
    struct restored restored;
    struct rpcrdma_xdr_hole holes[READ_CHUNKS];
    struct rpcrdma_xdr_reduction reduction;
    struct rpcrdma_content content = reading->content;
    uint64_t removed = 0;
    restored.length = restored.taken = 0;
    take_reduction(send, holes, &reduction);
    for (uint32_t i = 0; i < number; i++) {
        if (!is_eligible(items, i))
            return false;
        removed += rpcrdma_xdr_round(items->reduction->holes[i].count);
    }
    for (uint32_t i = number; i < reduction.hole_count; i++) {
        struct rpcrdma_xdr_hole *hole = &holes[i];
        uint64_t before = content.position + removed + restored.length + COUNT_WORD;
        if (hole->length < moved || hole->position + moved < before ||
            !restore_octets(&restored, &content, hole->position + moved - before) ||
            !restore_word(&restored, hole->length - moved))
            return false;
        hole->position += moved;
        hole->length -= moved;
        removed += rpcrdma_xdr_round(hole->length);
    }
    struct call_items found = {.send = send, .reduction = &reduction};
    const struct rpcrdma_item_sink sink = {
        .argument = only_account, .expected = ignore_item, .arg = &found};
    content.reduction = &reduction;
    if (!restore_rest(&restored, &content))
        return false;
    content.read = content.length;
    if (!is_whole(reading->binding->call(&content, &sink), &content))
        return false;
    for (uint32_t i = number; i < reduction.hole_count; i++)
        if (!is_eligible(&found, i))
            return false;
    return true;
}

static void report_count(struct rpcrdma_send *send, const struct rpcrdma_xdr_hole *hole)
{
    break_rule(&send->review, RPCRDMA_RFC8166_3_4_4_1_COUNT_STAYS,
               place_of_hole(send, hole) + ENTRY_AT_POSITION, REFUSE_ARGUMENT,
               "the payload lacks the count word of the item in the Read chunk at Position %u",
               hole->position);
}

/* A Read chunk at which no eligible item was found. After what could not be read nothing is known.
 */
static bool check_hole(struct rpcrdma_send *send, const struct call_items *items,
                       const struct call_reading *reading, uint32_t number)
{
    const struct rpcrdma_xdr_hole *hole = &items->reduction->holes[number];
    uint64_t known = reading->content.position + reading->content.read + items->reduction->removed;
    uint64_t right = true_position(send, items, reading, number);
    int64_t at = place_of_hole(send, hole) + ENTRY_AT_POSITION;
    if (right != 0)
        break_rule(&send->review, RPCRDMA_RFC8166_3_4_5_POSITION_OF_ITEM, at, REFUSE_ARGUMENT,
                   "the item is not at Position %u, but at %u", hole->position, right);
    else if (is_misread(reading->end, &reading->content) &&
             (reads_counted(send, items, reading, number, COUNT_WORD) ||
              reads_counted(send, items, reading, number, 0)))
        report_count(send, hole);
    else if (!hole->taken && reading->end != RPCRDMA_READ_ALL && hole->position >= known)
        return false;
    else if (hole->taken || items->arguments == 0)
        break_rule(&send->review, RPCRDMA_RFC8166_6_1_ONLY_ELIGIBLE_REDUCED, at, REFUSE_ARGUMENT,
                   "no item at Position %u is eligible", hole->position);
    else
        break_rule(&send->review, RPCRDMA_RFC8166_3_4_5_POSITION_OF_ITEM, at, REFUSE_ARGUMENT,
                   "no eligible item begins at Position %u", hole->position);
    return true;
}

static void check_holes(struct rpcrdma_send *send, const struct call_items *items,
                        const struct call_reading *reading)
{
    for (uint32_t i = 0; i < items->reduction->hole_count; i++)
        if (!is_eligible(items, i) && check_hole(send, items, reading, i))
            return;
}

/* The first Read chunk whose item lost its count word: what comes after it was taken for it. */
static const struct rpcrdma_xdr_hole *uncounted(struct rpcrdma_send *send,
                                                const struct call_items *items,
                                                const struct call_reading *reading)
{
    uint32_t wrong = 0;
    if (!is_misread(reading->end, &reading->content))
        return NULL;
    for (uint32_t i = 0; i < items->reduction->hole_count && wrong < GUESSES; i++) {
        const struct rpcrdma_xdr_hole *hole = &items->reduction->holes[i];
        if (!hole->taken || hole->count == hole->length)
            continue;
        wrong++;
        if (reads_counted(send, items, reading, i, 0))
            return hole;
    }
    return NULL;
}

/* Whether an item is in the payload as well as in its Read chunk: what comes after it is then
 * out of place. */
static bool is_left_in(const struct rpcrdma_send *send, const struct call_items *items,
                       const struct call_reading *reading)
{
    uint32_t taken = 0;
    if (!is_misread(reading->end, &reading->content))
        return false;
    for (uint32_t i = 0; i < items->reduction->hole_count; i++) {
        if (!items->reduction->holes[i].taken || send->reads.chunk[i].length == 0)
            continue;
        if (++taken <= GUESSES && reads_without(send, reading, i))
            return true;
    }
    return taken > 0 && reads_without(send, reading, ALL);
}

/* `expected` results of the Call are eligible. */
static void check_write_chunks(struct rpcrdma_send *send, uint32_t expected)
{
    const struct rpcrdma1_write_list *writes = &send->chunks->rdma_writes;
    struct rpcrdma1_write_chunk chunk;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(writes);
    if (writes->count == 0)
        return;
    if (expected == 0)
        break_rule(&send->review, RPCRDMA_RFC8166_4_3_2_WRITE_LIST_NOT_NEEDED,
                   place(send, writes->wire), NO_REACTION,
                   "a Write list, though no result of this Call is eligible");
    else if (expected == 1 && writes->count > 1)
        break_rule(&send->review, RPCRDMA_RFC8166_4_3_2_1_SINGLE_WRITE_CHUNK,
                   place(send, writes->wire), NO_REACTION,
                   "%u Write chunks for the only eligible result", writes->count);
    else if (expected == 1 && rpcrdma1_write_list_next(&iter, &chunk) && chunk.target.count == 0)
        break_rule(&send->review, RPCRDMA_RFC8166_4_3_2_3_NO_LIST_FOR_SOLE_RESULT,
                   place(send, writes->wire), NO_REACTION,
                   "an empty Write chunk for the only eligible result");
}

/* The least that a Reply has beside its results: both headers, without chunks. */
enum { REPLY_LEAST = RPCRDMA1_MSG_SIZE_MIN + RPCRDMA_RPC_MSG_ACCEPTED_SIZE_MIN };

/* Octets that results of this procedure can have beside its eligible one, or 0: not known. */
static uint32_t most_beside(const struct rpcrdma_binding *binding, uint32_t version,
                            uint32_t procedure)
{
    return binding->most_beside ? binding->most_beside(version, procedure) : 0;
}

static void check_reply_room(struct rpcrdma_send *send, const struct call_items *items,
                             const struct call_reading *reading)
{
    uint32_t limit = known_threshold(send->review.check, other(send->review.event->from));
    uint32_t beside = most_beside(reading->binding, send->rpc.vers, send->rpc.proc);
    if (limit == 0 || send->chunks->rdma_reply.present || items->most == 0)
        return;
    if (REPLY_LEAST + items->most > limit)
        break_rule(&send->review,
                   reading->content.bounded ? RPCRDMA_RFC8267_6_2_2_REPLY_WITHIN_SESSION
                                            : RPCRDMA_RFC8166_4_3_3_REPLY_CHUNK_NEEDED,
                   place_of_reply(send), RESPONDER_MAY(ALSO | RPCRDMA_ERR_CHUNK),
                   "the Reply can bring %u octets of results inline, above the threshold of %u",
                   items->most, limit);
    else if (beside > 0 && REPLY_LEAST + items->most - items->beside + beside > limit)
        break_rule(&send->review, RPCRDMA_RFC8166_4_3_3_REPLY_CHUNK_ADVISED, place_of_reply(send),
                   RESPONDER_MAY(ALSO | RPCRDMA_ERR_CHUNK),
                   "the Reply can bring up to %u octets of results inline, above the threshold of "
                   "%u",
                   items->most - items->beside + beside, limit);
}

static void check_call_items(struct rpcrdma_send *send, const struct rpcrdma_binding *binding)
{
    struct rpcrdma_xdr_hole holes[READ_CHUNKS];
    struct rpcrdma_xdr_reduction reduction;
    take_reduction(send, holes, &reduction);
    struct call_items items = {.send = send,
                               .reduction = &reduction,
                               .writes = rpcrdma1_write_list_iter(&send->chunks->rdma_writes)};
    const struct rpcrdma_item_sink sink = {
        .argument = on_argument, .expected = on_expected, .arg = &items};
    struct call_reading reading = {binding, content_of(send), RPCRDMA_READ_ALL};
    unsigned found = send->review.judgement->count;
    reading.content.version = send->rpc.vers;
    reading.content.procedure = send->rpc.proc;
    reading.content.reduction = &reduction;
    reading.end = binding->call(&reading.content, &sink);
    if (is_left_in(send, &items, &reading)) {
        send->review.judgement->count = found; /* what it said was of octets out of place */
        break_rule(&send->review, RPCRDMA_RFC8166_4_3_1_REDUCED_ITEM_LEFT_OUT,
                   send->reads.chunk[0].at + ENTRY_AT_POSITION, REFUSE_ARGUMENT,
                   "an item is in the payload and in a Read chunk as well");
        return;
    }
    const struct rpcrdma_xdr_hole *hole = uncounted(send, &items, &reading);
    if (hole != NULL) {
        send->review.judgement->count = found;
        report_count(send, hole);
        return;
    }
    check_holes(send, &items, &reading);
    if (reading.end != RPCRDMA_READ_ALL)
        return;
    if (reading.content.callback_program != 0)
        send->review.check->callback_program = reading.content.callback_program;
    send->has_results = true;
    send->results = items.expected;
    items.most += reading.content.other_results;
    check_write_chunks(send, items.expected);
    check_reply_room(send, &items, &reading);
}

/* ---- which messages ---- */

static bool is_violated(const struct rpcrdma_judgement *judgement)
{
    for (unsigned i = 0; i < judgement->count; i++)
        if (judgement->findings[i].severity == RPCRDMA_VIOLATION)
            return true;
    return false;
}

const struct rpcrdma_binding *rpcrdma_binding_find(const struct rpcrdma_binding *const *bindings,
                                                   uint32_t program, uint32_t version)
{
    for (; bindings && *bindings; bindings++)
        if ((*bindings)->program == program && version >= (*bindings)->low_version &&
            version <= (*bindings)->high_version)
            return *bindings;
    return NULL;
}

void rpcrdma_take_program(struct call *call, const struct rpcrdma_rpc_header *rpc,
                          const struct rpcrdma_binding *applied)
{
    call->rpc.known = true;
    call->rpc.shows_arguments = rpcrdma_shows_arguments(rpc);
    call->rpc.is_gss_control = !rpcrdma_is_data(rpc);
    call->rpc.program = rpc->prog;
    call->rpc.version = rpc->vers;
    call->rpc.procedure = rpc->proc;
    call->rpc.binding = applied;
}

static void count_item(void *arg, const struct rpcrdma_item *item)
{
    (void)item;
    ++*(unsigned *)arg;
}

/* A binding that is content with no octets at all does not look at the arguments. */
bool rpcrdma_takes_nothing(const struct called *called)
{
    unsigned arguments = 0;
    const struct rpcrdma_item_sink sink = {
        .argument = count_item, .expected = ignore_item, .arg = &arguments};
    struct rpcrdma_xdr_reduction nothing = {0};
    struct rpcrdma_content content = {.octets = (const uint8_t *)"",
                                      .version = called->version,
                                      .procedure = called->procedure,
                                      .reduction = &nothing};
    return called->binding != NULL && called->binding->call(&content, &sink) == RPCRDMA_READ_ALL &&
           arguments == 0;
}

bool rpcrdma_may_return_empty(const struct rpcrdma_check *check, const struct call *call)
{
    const struct rpcrdma_binding *binding = call->rpc.binding;
    if (!call->rpc.known)
        return true;
    if (binding == NULL)
        binding = rpcrdma_binding_find(check->known_bindings, call->rpc.program, call->rpc.version);
    return binding != NULL && binding->may_return_empty;
}

/* A callback, of the program that the client has named: nothing in it is eligible. */
static void check_callback(struct rpcrdma_send *send)
{
    if (!rpcrdma_shows_arguments(&send->rpc) || is_violated(send->review.judgement))
        return;
    send->has_results = true;
    if (send->reads.count > 0)
        break_rule(&send->review, RPCRDMA_RFC8267_6_5_2_NOTHING_ELIGIBLE,
                   send->reads.chunk[0].at + ENTRY_AT_POSITION, REFUSE_ARGUMENT,
                   "a callback has a Read chunk at Position %u", send->reads.chunk[0].position);
    check_write_chunks(send, 0);
}

/* Calls of servers are callbacks: other programs, whatever their numbers are. */
static void check_call_binding(struct rpcrdma_send *send)
{
    struct rpcrdma_check *check = send->review.check;
    const struct rpcrdma_binding *binding =
        rpcrdma_binding_find(check->config.bindings, send->rpc.prog, send->rpc.vers);
    send->binding = binding;
    if (send->review.event->from == RPCRDMA_SERVER && check->callback_program != 0 &&
        send->rpc.prog == check->callback_program)
        check_callback(send);
    if (binding == NULL || send->review.event->from != RPCRDMA_CLIENT)
        return;
    if (binding->lists)
        binding->lists(send);
    if (binding->long_callback)
        check->calls_back = binding;
    if (rpcrdma_shows_arguments(&send->rpc) && !is_violated(send->review.judgement) &&
        !send->reads.overlap && !send->has_position_zero && send->reads.count <= READ_CHUNKS &&
        send->review.event->missing == 0)
        check_call_items(send, binding);
}

static void check_reply_binding(struct rpcrdma_send *send)
{
    const struct call *call = send->answers;
    if (call && call->judged && call->rpc.binding && call->rpc.shows_arguments &&
        call->from == RPCRDMA_CLIENT && send->rpc.accepted && send->rpc.accept_stat == 0 &&
        send->review.event->missing == 0 && !is_violated(send->review.judgement))
        rpcrdma_judge_results(send, call->rpc.binding);
}

/* What is longer than all but the result can be has the result in it. */
static void check_long_reply_binding(struct rpcrdma_send *send)
{
    enum { HEADER_MOST = RPCRDMA_RPC_MSG_ACCEPTED_SIZE_MIN + RPCRDMA_RPC_AUTH_BODY_MAX };
    const struct call *call = send->answers;
    uint32_t beside = most_beside(call->rpc.binding, call->rpc.version, call->rpc.procedure);
    if (beside > 0 && call->judged && call->rpc.shows_arguments && call->from == RPCRDMA_CLIENT &&
        call->offers.write_chunks == 1 && !is_violated(send->review.judgement))
        rpcrdma_judge_long_result(send, HEADER_MOST + beside);
}

static void judge_by_bindings(struct rpcrdma_send *send)
{
    const struct rpcrdma_check *check = send->review.check;
    if (is_special(send)) {
        if (is_call(send) && send->review.event->from == RPCRDMA_SERVER && check->calls_back)
            check->calls_back->long_callback(send);
        else if (is_reply(send) && send->answers && send->answers->rpc.binding)
            check_long_reply_binding(send);
    } else if (!rpcrdma_xdr_failed(send->rpc_length)) {
        if (send->rpc.is_reply)
            check_reply_binding(send);
        else
            check_call_binding(send);
    }
}

void rpcrdma_judge_binding(struct rpcrdma_send *send)
{
    if (send->review.check->config.bindings != NULL)
        judge_by_bindings(send);
}
