// SPDX-License-Identifier: BSD-3-Clause
/* Making conversations: shapes of Calls, and what is changed in their Sends. */
#include "rxe-harness/random/random.h"

#include "conformance/base/count.h"

#include "rxe-harness/responder/responder.h"
#include "rxe-harness/transport/segments.h"

#include <limits.h>

#include <string.h>

const char *const random_change_names[RANDOM_CHANGES] = {
    "nothing", "version", "procedure", "credits", "word", "position", "length",
    "handle",  "xid",     "type",      "cut",     "runt", "more",     "argument",
};

/* xorshift64*, of Marsaglia and Vigna */
uint32_t random_below(struct random_source *source, uint32_t limit)
{
    source->state ^= source->state >> 12;
    source->state ^= source->state << 25;
    source->state ^= source->state >> 27;
    return (uint32_t)((source->state * 0x2545f4914f6cdd1dull >> 32) % limit);
}

static bool one_in(struct random_source *source, uint32_t limit)
{
    return random_below(source, limit) == 0;
}

/* Sizes around what is remarkable: nothing, padding, thresholds, pages. */
static uint32_t size(struct random_source *source)
{
    static const uint32_t around[] = {0, 4, 100, 400, 900, 1024, 4000, 4096, 8192, 20000, 65536};
    uint32_t base = around[random_below(source, COUNT(around))];
    return base + random_below(source, 8);
}

#define INLINE_MAX 400 /* octets of an item that fits into every Send */

static void shape_arguments(struct random_source *source, struct random_step *step)
{
    if (step->procedure == TEST_NULL || step->procedure == TEST_FETCH) {
        step->long_segments = one_in(source, 5) ? 1 + random_below(source, 3) : 0;
        return;
    }
    if (step->size <= INLINE_MAX && one_in(source, 3))
        return;
    if (step->size > 0 && !one_in(source, 3))
        step->read_segments = 1 + random_below(source, 5);
    if (step->read_segments == 0 || one_in(source, 4))
        step->long_segments = 1 + random_below(source, 4);
}

static void shape_results(struct random_source *source, struct random_step *step)
{
    bool brings = step->procedure == TEST_FETCH || step->procedure == TEST_ECHO;
    uint32_t item = brings ? step->size : 0;
    if (one_in(source, 2)) {
        step->write_segments = 1 + random_below(source, 5);
        step->write_room = one_in(source, 8) ? item / 2 : item + random_below(source, 3) * 1000;
        step->write_room = step->write_room == 0 ? 64 : step->write_room;
    }
    if (one_in(source, 2) || (item > INLINE_MAX && step->write_segments == 0)) {
        step->reply_segments = 1 + random_below(source, 4);
        step->reply_room = one_in(source, 8) ? item / 8 * 4 : (item + 200) & ~3u;
        step->reply_room = step->reply_room < 16 ? 64 : step->reply_room;
    }
}

static uint32_t remarkable(struct random_source *source)
{
    static const uint32_t words[] = {0,  1,     2,          3,          4,          5,  7,
                                     77, 0x100, 0x10000001, 0x7fffffff, 0x80000000, 16, 8};
    uint32_t at = random_below(source, 2 + COUNT(words));
    return at < COUNT(words) ? words[at] : UINT32_MAX - random_below(source, 4);
}

/* Other chunks for its arguments, its results, or both. */
static void shape_anew(struct random_source *source, struct random_step *step, bool arguments,
                       bool results)
{
    if (arguments) {
        step->read_segments = step->long_segments = 0;
        shape_arguments(source, step);
    }
    if (results) {
        step->write_segments = step->write_room = step->reply_segments = step->reply_room = 0;
        shape_results(source, step);
    }
}

void random_make_step(struct random_source *source, struct random_step *step, bool offers)
{
    static const uint32_t procedures[] = {TEST_NULL, TEST_FETCH, TEST_STORE, TEST_ECHO};
    *step = (struct random_step){.procedure = offers ? procedures[random_below(source, 4)]
                                                     : (uint32_t)TEST_NULL};
    step->size = step->procedure == TEST_NULL ? 0 : size(source);
    shape_arguments(source, step);
    shape_results(source, step);
    step->together = one_in(source, 4);
    step->at = random_below(source, 0x10000);
    step->value = remarkable(source);
}

/* The same chunks of another procedure, as far as it can have them. */
static void call_other(struct random_source *source, struct random_step *step)
{
    static const uint32_t procedures[] = {TEST_FETCH, TEST_STORE, TEST_ECHO};
    if (step->procedure == TEST_NULL)
        return;
    step->procedure = procedures[random_below(source, 3)];
    bool is_inline = step->size <= INLINE_MAX;
    if (step->procedure == TEST_FETCH)
        step->read_segments = 0;
    else if (!is_inline && step->read_segments + step->long_segments == 0)
        shape_anew(source, step, true, false);
    if (step->procedure != TEST_STORE && !is_inline &&
        step->write_segments + step->reply_segments == 0)
        shape_anew(source, step, false, true);
}

/* One chunk is in other segments, where it is there or may be. */
static void split_anew(struct random_source *source, struct random_step *step)
{
    bool takes = step->procedure == TEST_STORE || step->procedure == TEST_ECHO;
    unsigned which = random_below(source, 4);
    if (which == 0)
        step->long_segments = 1 + random_below(source, 4);
    if (which == 1 && takes && step->size > 0)
        step->read_segments = 1 + random_below(source, 5);
    if (which == 2 && step->write_segments > 0)
        step->write_segments = 1 + random_below(source, 5);
    if (which == 3 && step->reply_segments > 0)
        step->reply_segments = 1 + random_below(source, 4);
}

void random_reshape(struct random_source *source, struct random_step *step)
{
    switch (random_below(source, 9)) {
    case 0:
        step->size = step->procedure == TEST_NULL ? 0 : size(source);
        shape_anew(source, step, true, true);
        break;
    case 1:
        shape_anew(source, step, true, false);
        break;
    case 2:
        shape_anew(source, step, false, true);
        break;
    case 3:
        step->together = !step->together;
        break;
    case 4:
        step->at = random_below(source, 0x10000);
        step->value = remarkable(source);
        break;
    case 5:
        call_other(source, step);
        break;
    default:
        split_anew(source, step);
        break;
    }
}

struct random_source random_begin(uint64_t seed)
{
    struct random_source source = {.state = (seed + 1) * 0x9e3779b97f4a7c15ull};
    for (int i = 0; i < 8; i++)
        random_below(&source, 2);
    return source;
}

void random_make(struct random_conversation *conversation, uint64_t seed, bool offers)
{
    /* No more than our Receives take. */
    static const uint32_t sizes[] = {1024, 2048, 4096};
    struct random_source source = random_begin(seed);
    *conversation = (struct random_conversation){.count = 1 + random_below(&source, RANDOM_STEPS)};
    if (one_in(&source, 4)) {
        conversation->announces = true;
        conversation->announced = (struct announcement){
            .before = one_in(&source, 3) ? "others" : NULL,
            .version = (uint8_t)random_below(&source, 3),
            .flags = one_in(&source, 2) ? 0 : (uint8_t)(random_below(&source, 256) & 0xfe),
            .size = sizes[random_below(&source, 3)],
            .cut = one_in(&source, 4) ? 1 + random_below(&source, 4) : 0};
    }
    for (unsigned i = 0; i < conversation->count; i++)
        random_make_step(&source, &conversation->steps[i], offers);
    /* Many at once: as far as the grant goes. */
    if (one_in(&source, 6))
        for (unsigned i = 0; i < conversation->count; i++)
            conversation->steps[i].together = true;
    /* One Send of the conversation is changed, each change in its turn. */
    unsigned change = (unsigned)(seed % RANDOM_CHANGES);
    if (change != RANDOM_NONE)
        conversation->steps[random_below(&source, conversation->count)].change =
            (enum random_change)change;
}

/* ---- changing octets ---- */

struct segment_place {
    unsigned wanted, seen;
    bool reads_only;
    uint8_t *segment;
};

static bool find_segment(void *arg, uint8_t *segment, enum segment_list list)
{
    struct segment_place *place = arg;
    if (place->reads_only && list != SEGMENT_READ)
        return true;
    if (place->seen++ == place->wanted)
        place->segment = segment;
    return true;
}

void random_change_segment(const struct random_step *step, uint8_t *octets,
                           const struct rpcrdma_message *message)
{
    struct segment_place place = {.wanted = UINT_MAX,
                                  .reads_only = step->change == RANDOM_POSITION};
    segments_each_of(octets, message, find_segment, &place);
    if (place.seen == 0)
        return;
    place = (struct segment_place){.wanted = step->at % place.seen, .reads_only = place.reads_only};
    segments_each_of(octets, message, find_segment, &place);
    uint8_t *segment = place.segment;
    if (step->change == RANDOM_POSITION)
        rpcrdma_xdr_store32(segment - 4, rpcrdma_xdr_load32(segment - 4) + 1 + step->value % 64);
    else if (step->change == RANDOM_LENGTH)
        rpcrdma_xdr_store32(segment + RPCRDMA1_SEGMENT_AT_LENGTH, step->value);
    else
        rpcrdma_xdr_store32(segment + RPCRDMA1_SEGMENT_AT_HANDLE,
                            rpcrdma_xdr_load32(segment + RPCRDMA1_SEGMENT_AT_HANDLE) ^ 0x5a5a0000);
}

bool random_changes_segments(enum random_change change)
{
    return change == RANDOM_WORD || change == RANDOM_POSITION || change == RANDOM_LENGTH ||
           change == RANDOM_HANDLE;
}

/* What is between the fixed words and the RPC message. */
static void change_word(const struct random_step *step, uint8_t *octets, size_t header)
{
    size_t words = (header - RPCRDMA1_MSG_AT_RDMA_READS) / 4;
    rpcrdma_xdr_store32(octets + RPCRDMA1_MSG_AT_RDMA_READS + 4 * (step->at % words), step->value);
}

static void change_rpc(const struct random_step *step, uint8_t *octets, size_t header,
                       size_t length)
{
    size_t at = header + (step->change == RANDOM_TYPE ? 4 : 0);
    if (length >= at + 4)
        rpcrdma_xdr_store32(octets + at, rpcrdma_xdr_load32(octets + at) + 1 + step->value % 3);
}

/* Some octets, or as many as every peer takes. */
static size_t put_more(const struct random_step *step, uint8_t *octets, size_t length)
{
    size_t room = length < RPCRDMA_DEFAULT_INLINE ? RPCRDMA_DEFAULT_INLINE - length : 0;
    size_t more = step->value % 2 == 0 ? room : 1 + step->at % 64;
    more = more < room ? more : room;
    memset(octets + length, 0, more);
    return more;
}

#define ARGUMENT REQUESTER_RPC /* after the RPC header: a length, of the item or the tag */
#define AT_CREDENTIALS 28      /* their length, which comes on top of that */
#define GARBAGE 0x7ffffffcu    /* which no message has */

size_t random_change_octets(const struct random_step *step, uint8_t octets[REQUESTER_INLINE],
                            size_t length)
{
    struct rpcrdma_message message;
    size_t end = (size_t)rpcrdma_message_decode(&message, RPCRDMA_PROTOCOL_1, octets, length, NULL);
    switch (step->change) {
    case RANDOM_VERSION:
        rpcrdma_xdr_store32(octets + RPCRDMA1_AT_RDMA_VERS, step->value);
        return length;
    case RANDOM_PROCEDURE:
        rpcrdma_xdr_store32(octets + RPCRDMA1_AT_PROC, step->value);
        return length;
    case RANDOM_CREDIT:
        rpcrdma_xdr_store32(octets + RPCRDMA1_AT_RDMA_CREDIT, step->value);
        return length;
    case RANDOM_WORD:
        change_word(step, octets, end);
        return length;
    case RANDOM_POSITION:
    case RANDOM_LENGTH:
    case RANDOM_HANDLE:
        random_change_segment(step, octets, &message);
        return length;
    case RANDOM_XID:
    case RANDOM_TYPE:
        change_rpc(step, octets, end, length);
        return length;
    case RANDOM_CUT:
        return length - 1 - step->at % (length - RPCRDMA1_HEADER_MIN + 1);
    case RANDOM_RUNT:
        return step->at % RPCRDMA1_HEADER_MIN;
    case RANDOM_MORE:
        return length + put_more(step, octets, length);
    case RANDOM_ARGUMENT:
        if (length >= end + ARGUMENT + 4)
            end += rpcrdma_xdr_load32(octets + end + AT_CREDENTIALS);
        if (length >= end + ARGUMENT + 4)
            rpcrdma_xdr_store32(octets + end + ARGUMENT, GARBAGE);
        return length;
    default:
        return length;
    }
}

/* ---- in words ---- */

static void print_step(FILE *out, const struct random_step *step, bool by_nfs)
{
    static const char *const names[] = {"NULL", "STORE", "FETCH", "ECHO"};
    static const char *const nfs[] = {"NULL", "WRITE", "READ", "WRITE and READ"};
    fprintf(out, "%s", (by_nfs ? nfs : names)[step->procedure % 4]);
    if (step->procedure != TEST_NULL)
        fprintf(out, " %u", step->size);
    if (step->long_segments > 0)
        fprintf(out, ", a Long Call in %u", step->long_segments);
    if (step->read_segments > 0)
        fprintf(out, ", Read chunk in %u", step->read_segments);
    if (step->write_segments > 0)
        fprintf(out, ", Write chunk of %u in %u", step->write_room, step->write_segments);
    if (step->reply_segments > 0)
        fprintf(out, ", Reply chunk of %u in %u", step->reply_room, step->reply_segments);
    if (step->change != RANDOM_NONE)
        fprintf(out, ", changed: %s (%u, 0x%x)", random_change_names[step->change], step->at,
                step->value);
}

void random_print(FILE *out, const struct random_conversation *conversation)
{
    const struct announcement *announced = &conversation->announced;
    if (conversation->announces)
        fprintf(out, "private data of version %u, flags 0x%02x, sizes of %u%s%s; ",
                announced->version, announced->flags, announced->size,
                announced->before ? ", after others" : "", announced->cut > 0 ? ", cut off" : "");
    for (unsigned i = 0; i < conversation->count; i++) {
        fputs(i > 0 ? (conversation->steps[i - 1].together ? " & " : "; ") : "", out);
        print_step(out, &conversation->steps[i], conversation->by_nfs);
    }
}
