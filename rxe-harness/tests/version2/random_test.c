// SPDX-License-Identifier: BSD-3-Clause
/*
 * Random conversations by version 2, of either draft: none fails with the sound reference
 * Responder; each fault that is planted in one is found, and the conversation cut down to a Call or
 * two.
 */
#include "rxe-harness/random/version2/random.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/transport/loopback.h"

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

int main(void)
{
    Suite *suite = suite_create("random conversations of version 2");
    TCase *cases = tcase_create("random conversations of version 2");
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, a_sound_responder_has_no_failure, 0, 2);
    tcase_add_loop_test(cases, a_fault_is_found_and_shrunk, 0, 2 * (FAULTS - 1));
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
