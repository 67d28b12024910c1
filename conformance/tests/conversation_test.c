// SPDX-License-Identifier: BSD-3-Clause
/*
 * Random conversations that keep all rules make no finding above a note; each way to break one rule
 * makes that finding and no other. The environment can set CONVERSATION_EVENTS, CONVERSATION_CALLS
 * and CONVERSATION_SEED.
 */
#include "conformance/tests/support/conversation.h"

#include <malloc.h>

#define EVENTS 300000
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define CALLS 100000
#endif
#endif
#if !defined(CALLS) && defined(__SANITIZE_ADDRESS__)
#define CALLS 100000
#elif !defined(CALLS)
#define CALLS 1000000
#endif
#define LENGTH 4000 /* steps of one conversation */

static max_align_t memory[64 * 1024];

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

START_TEST(conforming)
{
    static struct talk talk;
    uint64_t events = setting("CONVERSATION_EVENTS", EVENTS), done = 0, notes = 0;
    for (uint64_t seed = setting("CONVERSATION_SEED", 1); done < events; seed++) {
        talk_start(&talk, seed, memory, sizeof memory);
        for (unsigned i = 0; i < LENGTH; i++)
            talk_step(&talk);
        done += talk.events;
        notes += talk.notes;
    }
    ck_assert_uint_gt(notes, 0);
}
END_TEST

/* What a capture cuts off or loses is held against nobody. */
START_TEST(incomplete)
{
    static struct talk talk;
    static const size_t snaps[] = {0, 8, 15, 16, 20, 28, 35, 36, 40, 60, 64, 96, 128};
    for (uint64_t seed = 1; seed <= 200; seed++) {
        talk_start(&talk, seed, memory, sizeof memory);
        if (seed % 2)
            talk.snap = snaps[seed / 2 % 13];
        for (unsigned i = 0; i < 1000; i++) {
            talk_step(&talk);
            if (seed % 2 == 0 && chance(&talk, 1)) {
                talk.out.event = (struct rpcrdma_event){.type = RPCRDMA_EVENT_GAP};
                talk_judge(&talk);
            }
        }
    }
}
END_TEST

/* A million Calls through one checker, and not an octet of memory more. */
START_TEST(constant_memory)
{
    static struct talk talk;
    uint64_t calls = 1;
    for (uint64_t seed = 1; calls != 0; seed++) { /* one that sees all */
        talk_start(&talk, seed, memory, sizeof memory);
        calls = talk.config.mid_stream;
    }
    uint32_t first = talk.next_xid[0];
    struct mallinfo2 before = mallinfo2();
    while (talk.next_xid[0] - first < setting("CONVERSATION_CALLS", CALLS))
        talk_step(&talk);
    struct mallinfo2 after = mallinfo2();
    ck_assert_uint_eq(before.uordblks, after.uordblks);
    ck_assert_uint_eq(before.hblkhd, after.hblkhd);
}
END_TEST

/* ---- one rule broken ---- */

static uint32_t procedure(const struct talk *talk)
{
    return talk->out.header.rdma_body.proc;
}

static bool is_send(const struct talk *talk)
{
    return talk->out.event.type == RPCRDMA_EVENT_SEND;
}

static bool is_call(const struct talk *talk, const struct talk_call *call)
{
    return is_send(talk) && talk->out.event.from == call->from && call->copies == 1;
}

static bool is_reply(const struct talk *talk, const struct talk_call *call)
{
    return is_send(talk) && talk->out.event.from != call->from && procedure(talk) != RPCRDMA1_ERROR;
}

static struct rpcrdma1_chunk_lists *lists(struct talk *talk)
{
    return &talk->out.header.rdma_body.rdma_msg;
}

static bool set_word(struct talk *talk, size_t at, uint32_t word)
{
    rpcrdma_xdr_store32(talk->out.octets + at, word);
    return true;
}

static bool other_version(struct talk *talk, struct talk_call *call)
{
    return is_call(talk, call) && set_word(talk, 4, 2 + pick(talk, 9));
}

static bool msgp(struct talk *talk, struct talk_call *call)
{
    return is_call(talk, call) && set_word(talk, 12, RPCRDMA1_MSGP);
}

static bool done(struct talk *talk, struct talk_call *call)
{
    return is_call(talk, call) && set_word(talk, 12, RPCRDMA1_DONE);
}

static bool undefined_procedure(struct talk *talk, struct talk_call *call)
{
    return is_call(talk, call) && set_word(talk, 12, 5 + pick(talk, 99));
}

static bool bad_presence(struct talk *talk, struct talk_call *call)
{
    return is_call(talk, call) && set_word(talk, 16, 2 + pick(talk, 99));
}

static bool bad_count(struct talk *talk, struct talk_call *call)
{
    return is_call(talk, call) && call->reads == 0 && call->writes > 0 &&
           set_word(talk, 24, 0x10000000u << pick(talk, 4));
}

static bool runt(struct talk *talk, struct talk_call *call)
{
    if (!is_call(talk, call))
        return false;
    talk->out.event.length = 16 + pick(talk, 12);
    return true;
}

static bool rpc_xid(struct talk *talk, struct talk_call *call)
{
    return is_send(talk) && talk->out.payload_words > 0 &&
           set_word(talk, talk->out.header_length, ~call->xid);
}

static bool message_type(struct talk *talk, struct talk_call *call)
{
    return is_call(talk, call) && talk->out.payload_words > 0 &&
           set_word(talk, talk->out.header_length + 4, 2);
}

static bool rpc_version(struct talk *talk, struct talk_call *call)
{
    return is_call(talk, call) && talk->out.payload_words > 0 &&
           set_word(talk, talk->out.header_length + 8, 3);
}

static bool part_of_a_word(struct talk *talk, struct talk_call *call)
{
    if ((!is_call(talk, call) && !is_reply(talk, call)) || talk->out.payload_words == 0)
        return false;
    talk->out.event.length++;
    return true;
}

static bool behind_nomsg(struct talk *talk, struct talk_call *call)
{
    if (!is_send(talk) || procedure(talk) != RPCRDMA1_NOMSG)
        return false;
    talk->out.event.length += call ? 4 : 0;
    return true;
}

static bool position(struct talk *talk, struct talk_call *call)
{
    if (!is_call(talk, call) || call->reads != 1 || call->is_long)
        return false;
    return set_word(talk, 20, call->read[0].position + 1 + pick(talk, 3));
}

static bool position_beyond(struct talk *talk, struct talk_call *call)
{
    if (!is_call(talk, call) || call->reads != 1 || call->is_long)
        return false;
    return set_word(talk, 20, 4 * talk->out.payload_words + 4);
}

static bool position_in_header(struct talk *talk, struct talk_call *call)
{
    if (!is_call(talk, call) || call->reads != 1 || call->is_long || call->service)
        return false;
    return set_word(talk, 20, 4 + 4 * pick(talk, 9));
}

static bool read_list_in_reply(struct talk *talk, struct talk_call *call)
{
    static const struct rpcrdma1_read_segment segment = {40, {1, 4, 0}};
    if (!is_reply(talk, call) || call->long_reply)
        return false;
    lists(talk)->rdma_reads.items = &segment;
    lists(talk)->rdma_reads.count = 1;
    return true;
}

static bool no_grant(struct talk *talk, struct talk_call *call)
{
    return is_reply(talk, call) && set_word(talk, 8, 0);
}

static bool unknown_xid(struct talk *talk, struct talk_call *call)
{
    if (!is_reply(talk, call) || talk->config.mid_stream)
        return false;
    if (talk->out.payload_words > 0)
        set_word(talk, talk->out.header_length, ~call->xid);
    return set_word(talk, 0, ~call->xid);
}

static bool write_list_lost(struct talk *talk, struct talk_call *call)
{
    if (!is_reply(talk, call) || call->writes == 0)
        return false;
    lists(talk)->rdma_writes.count--;
    return true;
}

static bool other_handle(struct talk *talk, struct talk_call *call)
{
    if (!is_reply(talk, call) || call->writes == 0 || call->write[0].count == 0 ||
        call->write[0].returned_empty)
        return false;
    call->write[0].returned[0].handle ^= 1;
    return true;
}

static bool too_much_returned(struct talk *talk, struct talk_call *call)
{
    if (!is_reply(talk, call) || call->writes == 0 || call->write[0].count != 1 ||
        call->write[0].returned_empty || talk->rdma_seen)
        return false;
    call->write[0].returned[0].length = call->write[0].segment[0].length + 1;
    return true;
}

static bool reply_chunk_lost(struct talk *talk, struct talk_call *call)
{
    if (!is_reply(talk, call) || !call->has_reply || call->long_reply)
        return false;
    lists(talk)->rdma_reply.present = false;
    return true;
}

static bool reply_chunk_invented(struct talk *talk, struct talk_call *call)
{
    if (!is_reply(talk, call) || call->has_reply)
        return false;
    lists(talk)->rdma_reply.present = true;
    return true;
}

static bool reply_chunk_used(struct talk *talk, struct talk_call *call)
{
    if (!is_reply(talk, call) || !call->has_reply || call->long_reply ||
        call->reply.segment[0].length == 0)
        return false;
    call->reply.returned[0].length = 1;
    return true;
}

static bool foreign_invalidated(struct talk *talk, struct talk_call *call)
{
    if (!is_reply(talk, call) || !talk->invalidates)
        return false;
    talk->out.event.invalidate = true;
    talk->out.event.handle = 0x666;
    return true;
}

static bool error_code(struct talk *talk, struct talk_call *call)
{
    return is_send(talk) && procedure(talk) == RPCRDMA1_ERROR && call && set_word(talk, 16, 3);
}

static bool behind_error(struct talk *talk, struct talk_call *call)
{
    if (!is_send(talk) || procedure(talk) != RPCRDMA1_ERROR)
        return false;
    talk->out.event.length += call ? 4 : 0;
    return true;
}

static bool foreign_memory(struct talk *talk, struct talk_call *call)
{
    if (is_send(talk) || talk->config.mid_stream)
        return false;
    talk->out.event.handle = 0x666;
    return call != NULL;
}

static bool beyond_memory(struct talk *talk, struct talk_call *call)
{
    if (is_send(talk) || talk->config.mid_stream || talk->one_handle)
        return false;
    talk->out.event.length += 100000;
    talk->out.event.data = NULL;
    return call != NULL;
}

/* A Reply, and after it what belongs before it. */
static bool write_too_late(struct talk *talk, struct talk_call *call)
{
    if (!is_reply(talk, call) || call->writes == 0 || call->write[0].count == 0 ||
        call->write[0].segment[0].length == 0 || call->copies > 1)
        return false;
    const char *expected = talk->expected;
    talk->expected = NULL;
    talk_judge(talk);
    talk->expected = expected;
    enum rpcrdma_endpoint from = talk->out.event.from;
    talk->out.event = (struct rpcrdma_event){.type = RPCRDMA_EVENT_RDMA_WRITE,
                                             .from = from,
                                             .handle = call->write[0].segment[0].handle,
                                             .offset = call->write[0].segment[0].offset,
                                             .length = 1};
    return true;
}

static bool reply_twice(struct talk *talk, struct talk_call *call)
{
    if (!is_reply(talk, call) || call->copies > 1 || talk->config.mid_stream)
        return false;
    const char *expected = talk->expected;
    talk->expected = NULL;
    talk_judge(talk);
    talk->expected = expected;
    return true;
}

static bool too_many_calls(struct talk *talk, struct talk_call *call)
{
    if (!is_reply(talk, call) || talk->config.mid_stream || talk->config.captured)
        return false;
    uint32_t waiting = in_flight(talk, call->from) - !call->answered;
    if (waiting < 2 || call->copies > 1)
        return false;
    set_word(talk, 8, waiting); /* the grant, all of which is used */
    const char *expected = talk->expected;
    talk->expected = NULL;
    talk_judge(talk);
    talk->replied[call->from] = true;
    talk->before = talk->after = NULL;
    make_call(talk, call, call->from);
    call->is_long = call->has_reply = false;
    call->reads = call->writes = 0;
    talk->expected = NULL;
    talk_begin(talk, RPCRDMA_EVENT_SEND, call->from);
    uint8_t *octets = talk->out.octets;
    static const uint8_t header[28] = {[7] = 1, [11] = 64};
    memcpy(octets, header, sizeof header);
    rpcrdma_xdr_store32(octets, call->xid);
    push_call(talk, call);
    for (uint32_t i = 0; i < talk->out.payload_words; i++)
        rpcrdma_xdr_store32(octets + 28 + 4 * i, talk->out.payload[i]);
    talk->out.event.length = 28 + 4 * talk->out.payload_words;
    talk->expected = expected;
    return true;
}

static const struct {
    const char *rule;
    bool (*before)(struct talk *talk, struct talk_call *call);
    bool (*after)(struct talk *talk, struct talk_call *call);
} breaks[] = {
    {"rfc8166/4.2.2/version-one", NULL, other_version},
    {"rfc8166/4.6.1/msgp-not-sent", NULL, msgp},
    {"rfc8166/4.6.2/done-not-sent", NULL, done},
    {"rfc8166/4.5.2/procedure-defined", NULL, undefined_procedure},
    {"rfc8166/4/xdr-encoded", NULL, bad_presence},
    {"rfc8166/4/xdr-encoded", NULL, bad_count},
    {"rfc8166/4.5/minimal-header", NULL, runt},
    {"rfc8166/4.2.1/xid-equal", NULL, rpc_xid},
    {"rfc8166/2.2.2/message-type", NULL, message_type},
    {"rfc8166/4/rpc-layout", NULL, rpc_version},
    {"rfc8166/3.4.4.4/payload-whole-words", NULL, part_of_a_word},
    {"rfc8166/4.2.4/nomsg-ends-with-lists", NULL, behind_nomsg},
    {"rfc8166/3.4.5/position-multiple-of-four", NULL, position},
    {"rfc8166/3.4.5/position-in-bounds", NULL, position_beyond},
    {"rfc8166/3.4.2/position-in-rpc-header", NULL, position_in_header},
    {"rfc8166/4.3.1/reply-read-list-empty", read_list_in_reply, NULL},
    {"rfc8166/3.3.1/grant-not-zero", NULL, no_grant},
    {"rfc8166/2.2.2/reply-matches-call", NULL, unknown_xid},
    {"rfc8166/2.2.2/reply-matches-call", NULL, reply_twice},
    {"rfc8166/3.4.6/segment-count-copied", write_list_lost, NULL},
    {"rfc8166/3.4.6/segment-count-copied", other_handle, NULL},
    {"rfc8166/3.4.6/returned-length-within-offer", too_much_returned, NULL},
    {"rfc8166/4.3.3/reply-chunk-copied", reply_chunk_lost, NULL},
    {"rfc8166/3.4.3/memory-from-requester", reply_chunk_invented, NULL},
    {"rfc8166/4.3.3/short-reply-leaves-chunk-unused", reply_chunk_used, NULL},
    {"rfc8797/4.1/invalidate-own-transaction", foreign_invalidated, NULL},
    {"rfc8166/4.5/error-code-defined", NULL, error_code},
    {"rfc8166/4.2.4/error-ends-with-code", NULL, behind_error},
    {"rfc8166/4.5.3/within-offered-memory", foreign_memory, NULL},
    {"rfc8166/4.5.3/within-offered-memory", beyond_memory, NULL},
    {"rfc8166/3.5.2/writes-before-reply", NULL, write_too_late},
    {"rfc8166/3.3.1/calls-within-grant", NULL, too_many_calls},
};
#define BREAKS (sizeof breaks / sizeof breaks[0])

START_TEST(broken)
{
    static struct talk talk;
    unsigned found = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        talk_start(&talk, seed, memory, sizeof memory);
        unsigned quiet = pick(&talk, 500);
        for (unsigned i = 0; i < 2000 && !talk.broken; i++) {
            if (i == quiet) {
                talk.before = breaks[_i].before;
                talk.after = breaks[_i].after;
                talk.expected = breaks[_i].rule;
            }
            talk_step(&talk);
        }
        found += talk.broken;
    }
    ck_assert_uint_gt(found, 50);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("conversations");
    TCase *tests = tcase_create("conversations");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, conforming);
    tcase_add_test(tests, incomplete);
    tcase_add_test(tests, constant_memory);
    tcase_add_loop_test(tests, broken, 0, BREAKS);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
