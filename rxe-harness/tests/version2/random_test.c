// SPDX-License-Identifier: BSD-3-Clause
/*
 * Random conversations by version 2, of either draft: none fails with the sound reference
 * Responder; each fault that is planted in one is found, and the conversation cut down to a Call or
 * two.
 */
#include "rxe-harness/random/version2/random.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/transport/loopback.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>
#include <stdlib.h>
#include <string.h>

#define CONVERSATIONS 400
#define FEW 2 /* Calls that are left of a conversation */

static const enum rpcrdma_protocol drafts[] = {RPCRDMA_PROTOCOL_2_04, RPCRDMA_PROTOCOL_2_07};

enum fault {
    SOUND,
    SILENT_ON_ERRORS,
    WRONG_CODE, /* every error is the last one that there is */
    ERROR_XID,
    REPLY_XID,
    REPLY_TWICE,
    REPLY_LOST, /* one in five */
    TAILED,     /* errors have octets after them */
    CLOSES,     /* in place of an error */
    DATA_WRONG, /* one octet that is written is another */
    DATA_SHORT, /* the last octet is not written */
    DATA_READ_WRONG,
    RESULT_WRONG, /* one octet of a Reply's last word */
    NEVER_INVALID_TYPE,
    SEGMENT_LENGTH, /* of a Reply's lists: says one octet less */
    FAULTS
};

static enum fault fault;
static enum rpcrdma_protocol draft;
static const struct link_ops *own;
static struct link_ops faulty;
static unsigned replies;

/* ---- a Responder with a fault ---- */

static bool is_reply(const uint8_t *octets, size_t length, struct rpcrdma_message *message)
{
    return rpcrdma_message_decode(message, draft, octets, length, NULL) >= 0 &&
           message->kind == RPCRDMA_KIND_RPC && message->direction == RPCRDMA_REPLY;
}

static bool send_error(struct link *link, uint8_t *octets, size_t length)
{
    const uint32_t last =
        draft == RPCRDMA_PROTOCOL_2_07 ? RPCRDMA2_07_ERR_SYSTEM : RPCRDMA2_04_ERR_SYSTEM;
    switch (fault) {
    case SILENT_ON_ERRORS:
        return true;
    case WRONG_CODE:
        rpcrdma_xdr_store32(octets + 16, last);
        return own->send(link, octets, 20, NULL);
    case NEVER_INVALID_TYPE: /* has another number in each draft */
        if (rpcrdma_xdr_load32(octets + 16) == (draft == RPCRDMA_PROTOCOL_2_07
                                                    ? (uint32_t)RPCRDMA2_07_ERR_INVAL_HTYPE
                                                    : (uint32_t)RPCRDMA2_04_ERR_INVALID_PROC))
            return true;
        break;
    case ERROR_XID:
        rpcrdma_xdr_store32(octets, rpcrdma_xdr_load32(octets) ^ 0x100);
        break;
    case TAILED:
        return own->send(link, octets, length + 4, NULL);
    case CLOSES:
        return own->send(link, octets, 8192, NULL); /* longer than any Receive */
    default:
        break;
    }
    return own->send(link, octets, length, NULL);
}

static bool send_reply(struct link *link, uint8_t *octets, size_t length,
                       const struct rpcrdma_message *message, const uint32_t *handle)
{
    replies++;
    switch (fault) {
    case REPLY_XID:
        if (replies > 2) /* a connection begins with two NULLs */
            rpcrdma_xdr_store32(octets, rpcrdma_xdr_load32(octets) ^ 0x100);
        break;
    case REPLY_TWICE:
        own->send(link, octets, length, NULL);
        break;
    case REPLY_LOST:
        if (replies % 5 == 0)
            return true;
        break;
    case RESULT_WRONG:
        if (length > message->header + 24)
            octets[length - 4] ^= 0x20;
        break;
    case SEGMENT_LENGTH:
        if (message->chunks.rdma_writes.count > 0) { /* presence, count, handle, length */
            uint8_t *word = octets + (message->chunks.rdma_writes.wire - octets) + 12;
            uint32_t told = rpcrdma_xdr_load32(word);
            rpcrdma_xdr_store32(word, told > 0 ? told - 1 : 0);
        }
        break;
    default:
        break;
    }
    return own->send(link, octets, length, handle);
}

static bool send_faulty(struct link *link, const void *sent, size_t length, const uint32_t *handle)
{
    uint8_t octets[8192] = {0};
    struct rpcrdma_message message;
    memcpy(octets, sent, length);
    if (length >= 20 && rpcrdma_xdr_load32(octets + 12) == RPCRDMA2_07_ERROR)
        return send_error(link, octets, length);
    if (is_reply(octets, length, &message))
        return send_reply(link, octets, length, &message, handle);
    return own->send(link, sent, length, handle);
}

static bool write_faulty(struct link *link, uint32_t handle, uint64_t offset, const void *octets,
                         size_t length)
{
    if (fault == DATA_SHORT)
        return own->write(link, handle, offset, octets, length - 1);
    uint8_t *copy = malloc(length);
    memcpy(copy, octets, length);
    copy[length / 2] ^= fault == DATA_WRONG;
    bool good = own->write(link, handle, offset, copy, length);
    free(copy);
    return good;
}

static bool read_faulty(struct link *link, uint32_t handle, uint64_t offset, void *octets,
                        size_t length)
{
    bool good = own->read(link, handle, offset, octets, length);
    if (good && fault == DATA_READ_WRONG && length > 100)
        ((uint8_t *)octets)[length - 1] ^= 1;
    return good;
}

static void *begin(void *arg, struct link *link)
{
    (void)arg;
    own = link->ops;
    faulty = *own;
    faulty.send = send_faulty;
    faulty.write = write_faulty;
    faulty.read = read_faulty;
    if (fault != SOUND)
        link->ops = &faulty;
    replies = 0;
    struct responder *responder = responder_new(link);
    ck_assert(responder_speak_version2(responder, draft));
    return responder;
}

static bool step(void *peer)
{
    return responder_step(peer, 0);
}

static void end(void *peer)
{
    responder_free(peer);
}

/* ---- conversations ---- */

static struct probe probe;

/* What is known of the peer is found out while it is sound. */
static void meet(void)
{
    static const struct loopback_peer peer = {.begin = begin, .step = step, .end = end};
    struct loopback_peer described = peer;
    described.options = responder_options();
    fault = SOUND;
    probe = (struct probe){
        .options = {.timeout = 100, .draft = draft, .program = TEST_PROGRAM, .version = 1},
        .peer = {
            .transport = transport_loopback(&described), .invalidates = true, .forgets = true}};
    ck_assert_msg(probe_begin(&probe), "%s", probe.peer.transport->error);
    ck_assert(probe.peer.has_test_program);
}

static void leave(void)
{
    results_free(&probe.run.results);
    probe.peer.transport->ops->close(probe.peer.transport);
}

static bool hold(struct random_conversation *conversation, uint64_t seed,
                 struct random_failure *failure)
{
    uint64_t calls = 0;
    random_make(conversation, seed, true);
    conversation->announces = false;
    ck_assert(random2_play(&probe, conversation, failure, &calls));
    ck_assert_uint_gt(calls, 0);
    return failure->ending == ENDING_REQUIRED;
}

START_TEST(a_sound_responder_has_no_failure)
{
    struct random_conversation conversation;
    struct random_failure failure;
    draft = drafts[_i];
    meet();
    for (uint64_t seed = 0; seed < CONVERSATIONS; seed++)
        ck_assert_msg(hold(&conversation, seed, &failure), "seed %u, %s: %s", (unsigned)seed,
                      random_change_names[failure.change], failure.text);
    leave();
}
END_TEST

START_TEST(a_fault_is_found_and_shrunk)
{
    struct random_conversation conversation;
    struct random_failure failure;
    uint64_t seed = 0;
    draft = drafts[_i % 2];
    meet();
    fault = (enum fault)(SOUND + 1 + _i / 2);
    while (seed < CONVERSATIONS && hold(&conversation, seed, &failure))
        seed++;
    ck_assert_msg(failure.ending != ENDING_REQUIRED, "fault %d is not found", (int)fault);
    const struct random_failure before = failure;
    random_shrink(&probe, random2_play, &conversation, &failure);
    unsigned most = fault == REPLY_LOST ? 5 : FEW;
    ck_assert_msg(conversation.count <= most, "fault %d: %u Calls are left: %s", (int)fault,
                  conversation.count, failure.text);
    ck_assert_int_eq(before.ending, failure.ending);
    leave();
}
END_TEST

/* ---- one change ---- */

#define RPC_WORDS 12 /* of a Call with two words of arguments */
#define RPC_CALL 7, 0, 2, 0x20008166, 1, 1, 0, 0, 0, 0, 5, 6
#define WORDS_MAX (1024 / 4)

/* By either draft, in the order of `drafts`: how many words the header has, and an inline Call. */
static const struct plain_call {
    size_t header;
    uint32_t words[9 + RPC_WORDS];
} plain_calls[] = {
    {9, {7, 2, 30, RPCRDMA2_04_MSG, 0, 0, 0, 0, 0, RPC_CALL}},
    {8, {7, 2, 30, RPCRDMA2_07_CALL_INLINE, 0, 0, 0, 0, RPC_CALL}},
};

/* What the Call is after this change. Returns its length; a bit in `changed` for each word that is
 * another. */
static size_t change_one(int which, enum random_change change, uint32_t at, uint32_t value,
                         uint32_t words[WORDS_MAX], uint32_t *changed)
{
    const struct plain_call *call = &plain_calls[which];
    const struct random_step step = {.change = change, .at = at, .value = value};
    uint8_t octets[REQUESTER_INLINE];
    size_t count = call->header + RPC_WORDS;
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, call->words[i]);
    size_t length = random2_change_octets(&step, drafts[which], octets, 4 * count);
    ck_assert_uint_le(length, 4 * WORDS_MAX);
    *changed = 0;
    for (size_t i = 0; i < length / 4; i++) {
        words[i] = rpcrdma_xdr_load32(octets + 4 * i);
        *changed |= i < count && words[i] != call->words[i] ? 1u << i : 0;
    }
    return length;
}

START_TEST(a_change_is_what_it_says)
{
    size_t rpc = plain_calls[_i].header, whole = 4 * (rpc + RPC_WORDS);
    uint32_t words[WORDS_MAX], changed;
    /* -07: a total, which rises. */
    uint32_t least = drafts[_i] == RPCRDMA_PROTOCOL_2_07 ? 31 : 1;
    for (uint32_t value = 0; value < 100; value++) {
        ck_assert_uint_eq(change_one(_i, RANDOM_VERSION, 0, 99 + value, words, &changed), whole);
        ck_assert(changed == 1u << 1 && words[1] == 99 + value);
        ck_assert_uint_eq(change_one(_i, RANDOM_PROCEDURE, 0, 99 + value, words, &changed), whole);
        ck_assert(changed == 1u << 3 && words[3] == 99 + value);
        ck_assert_uint_eq(change_one(_i, RANDOM_CREDIT, 0, value, words, &changed), whole);
        ck_assert_uint_eq(changed & ~(1u << 2), 0);
        ck_assert(words[2] >= least && words[2] < least + 16);
        change_one(_i, RANDOM_WORD, value, 77, words, &changed);
        ck_assert_uint_eq(changed, 1u << (4 + value % (rpc - 4)));
        change_one(_i, RANDOM_XID, 0, value, words, &changed);
        ck_assert_uint_eq(changed, 1u << rpc);
        change_one(_i, RANDOM_TYPE, 0, value, words, &changed);
        ck_assert_uint_eq(changed, 1u << (rpc + 1));
        size_t length = change_one(_i, RANDOM_CUT, value, 0, words, &changed);
        ck_assert(length >= 15 && length < whole && changed == 0);
        ck_assert_uint_lt(change_one(_i, RANDOM_RUNT, value, 0, words, &changed), 16);
        length = change_one(_i, RANDOM_MORE, value, value, words, &changed);
        ck_assert(length > whole && length <= 1024 && length % 4 == 0 && changed == 0);
        for (size_t i = whole / 4; i < length / 4; i++)
            ck_assert_uint_eq(words[i], 0);
    }
    change_one(_i, RANDOM_ARGUMENT, 0, 0, words, &changed);
    ck_assert(changed == 1u << (rpc + 10) && words[rpc + 10] > 0x7fffffff - 16);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("random conversations of version 2");
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, a_sound_responder_has_no_failure, 0, 2);
    tcase_add_loop_test(cases, a_fault_is_found_and_shrunk, 0, 2 * (FAULTS - 1));
    tcase_add_loop_test(cases, a_change_is_what_it_says, 0, 2);
    return run_tests("random conversations of version 2", cases);
}
