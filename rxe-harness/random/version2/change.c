// SPDX-License-Identifier: BSD-3-Clause
/*
 * What is changed in a Send of version 2, and what a peer may do then: what the checker says of the
 * octets, and what follows from memory that is not there.
 */
#include "rxe-harness/random/version2/random.h"

#include "rxe-harness/probe/version2/probe.h"
#include "rxe-harness/responder/responder.h"

#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

#include <string.h>

enum { WORD = sizeof(uint32_t), PREFIX = RPCRDMA_PREFIX_LENGTH };
#define REPLY_MIN 24        /* octets of an accepted Reply without results */
#define INLINE_SURE 1024    /* octets of a Send that every peer takes */
#define GARBAGE 0x7ffffffcu /* a length that no message has */
#define CREDITS_MORE 16

/* ---- changing octets ---- */

static void change_word(const struct random_step *step, uint8_t *octets, size_t header)
{
    size_t words = (header - PREFIX) / WORD;
    rpcrdma_xdr_store32(octets + PREFIX + WORD * (step->at % words), step->value);
}

/* -07: more is granted than before. -04: another number of Calls, 1 at least. */
static void change_credit(const struct random_step *step, enum rpcrdma_protocol draft,
                          uint8_t *octets)
{
    uint32_t more = 1 + step->value % CREDITS_MORE;
    uint32_t old =
        draft == RPCRDMA_PROTOCOL_2_07 ? rpcrdma_xdr_load32(octets + RPCRDMA_AT_CREDIT) : 0;
    rpcrdma_xdr_store32(octets + RPCRDMA_AT_CREDIT, old + more);
}

static size_t put_more(const struct random_step *step, uint8_t *octets, size_t length)
{
    size_t room = length < INLINE_SURE ? INLINE_SURE - length : 0;
    size_t more = step->value % 2 == 0 ? room : WORD * (1 + step->at % 16);
    more = more < room ? more : room;
    memset(octets + length, 0, more);
    return length + more;
}

/* A word of the RPC message, as far as it is in this Send. */
static void change_rpc(const struct random_step *step, uint8_t *octets, size_t at, size_t length)
{
    if (length >= at + WORD)
        rpcrdma_xdr_store32(octets + at,
                            step->change == RANDOM_ARGUMENT
                                ? GARBAGE
                                : rpcrdma_xdr_load32(octets + at) + 1 + step->value % 3);
}

size_t random2_change_octets(const struct random_step *step, enum rpcrdma_protocol draft,
                             uint8_t octets[REQUESTER_INLINE], size_t length)
{
    struct rpcrdma_message message;
    if (rpcrdma_message_decode(&message, draft, octets, length, NULL) < 0)
        return length;
    switch (step->change) {
    case RANDOM_VERSION:
        rpcrdma_xdr_store32(octets + RPCRDMA_AT_VERSION, step->value);
        return length;
    case RANDOM_PROCEDURE:
        rpcrdma_xdr_store32(octets + RPCRDMA_AT_PROCEDURE, step->value);
        return length;
    case RANDOM_CREDIT:
        change_credit(step, draft, octets);
        return length;
    case RANDOM_WORD:
        change_word(step, octets, message.header);
        return length;
    case RANDOM_POSITION:
    case RANDOM_LENGTH:
    case RANDOM_HANDLE:
        random_change_segment(step, octets, &message);
        return length;
    case RANDOM_XID:
        change_rpc(step, octets, message.header, length);
        return length;
    case RANDOM_TYPE:
        change_rpc(step, octets, message.header + WORD, length);
        return length;
    case RANDOM_ARGUMENT:
        change_rpc(step, octets, message.header + REQUESTER_RPC, length);
        return length;
    case RANDOM_CUT:
        return length - 1 - step->at % (length - PREFIX + 1);
    case RANDOM_RUNT:
        return step->at % PREFIX;
    case RANDOM_MORE:
        return put_more(step, octets, length);
    default:
        return length;
    }
}

/* ---- what is open ---- */

/* Where the results go: a Write chunk that is too short is an error; so is, where nothing else
 * holds it, a Reply chunk. -07 has pieces for what no Send holds. */
static unsigned room_for(const struct random_step *step, enum rpcrdma_protocol draft)
{
    bool brings = step->procedure == TEST_FETCH || step->procedure == TEST_ECHO;
    size_t item = brings ? step->size : 0;
    size_t payload = REPLY_MIN + 8 + (step->write_segments == 0 ? item + 3 : 0);
    if (step->write_segments > 0 && item > 0 && step->write_room < item)
        return RPCRDMA_ERR_WRITE_RESOURCE;
    size_t header = 48 + 16 * (size_t)(step->write_segments + step->reply_segments);
    bool in_chunk = step->reply_segments > 0 && step->reply_room >= payload;
    if (in_chunk || payload + header <= INLINE_SURE)
        return RPCRDMA_PROCESS;
    if (draft == RPCRDMA_PROTOCOL_2_04 && payload > REQUESTER_INLINE)
        return RPCRDMA_ERR_REPLY_RESOURCE;
    return RPCRDMA_PROCESS | RPCRDMA_ERR_REPLY_RESOURCE;
}

/* FETCH is asked for more than any chunk holds; STORE and ECHO say that more octets come than do,
 * and a fault in what chunks bring may be answered by an error (7.2). */
static unsigned allowed_argument(const struct random_step *step)
{
    if (step->procedure == TEST_FETCH)
        return RPCRDMA_ERR_WRITE_CHUNKS | RPCRDMA_ERR_WRITE_RESOURCE | RPCRDMA_ERR_REPLY_RESOURCE |
               RPCRDMA_ERR_SYSTEM;
    bool has_item = step->procedure == TEST_STORE || step->procedure == TEST_ECHO;
    bool in_chunks = step->read_segments > 0 || step->long_segments > 0;
    return has_item && in_chunks ? RPCRDMA_ERR_BAD_XDR | RPCRDMA_ERR_READ_CHUNKS : 0;
}

/*
 * What the text leaves open, the checker says. Here is what follows from it for a peer that is seen
 * by its answers alone (silence), and what depends on results and memory, which no Send shows.
 */
unsigned random2_allowed(const struct random_step *step, enum rpcrdma_protocol draft,
                         const struct random2_sent *sent)
{
    enum random_change change = step->change;
    unsigned room = room_for(step, draft);
    if (change == RANDOM_NONE || change == RANDOM_CREDIT)
        return room;
    bool is_silent = (sent->open & RPCRDMA_PROCESS) &&
                     probe2_is_taken_in_silence(draft, sent->octets, sent->length);
    unsigned allowed = sent->open | (is_silent ? RPCRDMA_DISCARD : 0);
    if (allowed & RPCRDMA_PROCESS)
        allowed |= RPCRDMA_GARBAGE_ARGS | room;
    if (change == RANDOM_ARGUMENT && (allowed & RPCRDMA_PROCESS))
        allowed |= allowed_argument(step);
    if (random_changes_segments(change) && (allowed & RPCRDMA_PROCESS))
        allowed |= PROBE2_WITHOUT_MEMORY;
    return allowed;
}
