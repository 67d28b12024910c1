// SPDX-License-Identifier: BSD-3-Clause
/*
 * A Responder of version 2 that misreads one word: of a header type it looks at one octet alone, it
 * takes a presence word of 2 for 0, it multiplies a count beyond 32 bits; that refuses what it does
 * not know, or joins pieces of two messages. Each is named by what is sent for it, a vector or a
 * case, and by no other case that is not a vector.
 */
#include "rxe-harness/probe/version2/probe.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/transport/loopback.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define OCTETS 16384

/* In messages of this header type and length the word at this octet, where it is `from`, is taken
 * for `to`. */
static const struct misread {
    const char *found; /* by this case */
    uint32_t type;     /* or ANY */
    unsigned at;
    uint32_t from, to;
    enum {
        READS,
        SENDS,   /* not what it reads, but what it sends */
        REFUSES, /* it has no other word there, but answers by the error `to` */
        JOINS,   /* the last piece is that of the first before it, whatever its XID */
    } how;
    size_t length; /* 0: any */
} misreads[] = {
#define ANY UINT32_MAX
#define BAD_PROPVAL 3
#define BAD_XDR 2
    {"07-type-266", ANY, 12, 266, 10, READS, 0},
    {"07-type-65546", ANY, 12, 65546, 10, READS, 0},
    {"07-type-of-swapped-octets", ANY, 12, 0x0a000000, 10, READS, 0},
    {"07-type-with-highest-bit", ANY, 12, 0x8000000a, 10, READS, 0},
    {"07-version-258-after-an-exchange", ANY, 4, 258, 2, READS, 0},
    {"07-version-of-swapped-octets", ANY, 4, 0x02000000, 2, READS, 0},
    {"07-write-presence-2", 10, 24, 2, 0, READS, 0},
    {"07-reply-presence-2", 10, 28, 2, 0, READS, 72},
    {"07-second-presence-2", 10, 44, 2, 0, READS, 0},
    {"07-presence-word-of-all-bits", 10, 20, 0xffffffff, 0, READS, 0},
    {"07-call-chunk-presence-2", 8, 20, 2, 1, READS, 0},
    {"07-reply-chunk-of-many-segments", 10, 32, 0x10000000, 0, READS, 0},
    {"07-message-type-2", 10, 36, 2, 0, READS, 72},
    {"07-property-of-most-octets", 7, 24, 0xffffffff, 4, READS, 0},
    {"07-xid-zero", 13, 0, 0, 1, SENDS, 0},
    /* Positions that fall are those of one chunk. */
    {"07-positions-fall", 10, 24, 104, 40, READS, 0},
    {"07-unknown-property-first", 7, 20, 0x7ffffffe, BAD_PROPVAL, REFUSES, 0},
    {"v2-properties-all", 7, 80, 6, BAD_PROPVAL, REFUSES, 0},
    {"07-foreign-xid-that-fits", ANY, 0, 0, 0, JOINS, 0},
    /* A GRANT that comes first; the NULL after it is answered. */
    {"v2-first-grant-then-null", 5, 8, 64, BAD_XDR, REFUSES, 0},
    {"04-procedure-256", ANY, 12, 256, 0, READS, 0},
    {"04-procedure-65536", ANY, 12, 65536, 0, READS, 0},
    {"04-procedure-with-highest-bit", ANY, 12, 0x80000000, 0, READS, 0},
    {"04-version-258-after-an-exchange", ANY, 4, 258, 2, READS, 0},
    {"04-write-presence-2", 0, 28, 2, 0, READS, 0},
    {"04-reply-presence-2", 0, 32, 2, 0, READS, 76},
    {"04-second-presence-2", 0, 48, 2, 0, READS, 0},
    {"04-direction-of-all-bits", 0, 16, 0xffffffff, 0, READS, 0},
    {"04-reply-chunk-of-many-segments", 0, 36, 0x10000000, 0, READS, 0},
    {"04-xid-zero", 0, 0, 0, 1, SENDS, 0},
};

static const struct misread *planted;
static const struct link_ops *own_ops;
static struct link_ops faulty_ops;

static bool has_word(const uint8_t *octets, size_t length)
{
    bool is_type =
        planted->type == ANY || (length >= 16 && rpcrdma_xdr_load32(octets + 12) == planted->type);
    bool is_meant = is_type && (planted->length == 0 || planted->length == length);
    return is_meant && length >= planted->at + 4 &&
           rpcrdma_xdr_load32(octets + planted->at) == planted->from;
}

static void misread(uint8_t *octets, size_t length)
{
    if (has_word(octets, length))
        rpcrdma_xdr_store32(octets + planted->at, planted->to);
}

static void refuse(struct link *link, uint8_t *octets)
{
    rpcrdma_xdr_store32(octets + 12, 4); /* RDMA2_ERROR */
    rpcrdma_xdr_store32(octets + 16, planted->to);
    own_ops->send(link, octets, 20, NULL);
}

/* CALL_MIDDLE is 9, CALL_INLINE 10. */
static void join(uint8_t *octets)
{
    static uint32_t first;
    uint32_t type = rpcrdma_xdr_load32(octets + 12);
    if (type == 10 && first != 0)
        rpcrdma_xdr_store32(octets, first);
    first = type == 9 ? rpcrdma_xdr_load32(octets) : 0;
}

static void wait_faulty(struct link *link, unsigned timeout, struct link_event *event)
{
    static uint8_t octets[OCTETS];
    own_ops->wait(link, timeout, event);
    if (event->type != LINK_RECEIVED || planted->how == SENDS)
        return;
    memcpy(octets, event->octets, event->length);
    event->octets = octets;
    if (planted->how == JOINS && event->length >= 16) {
        join(octets);
    } else if (planted->how == REFUSES && has_word(octets, event->length)) {
        refuse(link, octets);
        event->type = LINK_NOTHING;
    } else {
        misread(octets, event->length);
    }
}

static bool send_faulty(struct link *link, const void *sent, size_t length, const uint32_t *handle)
{
    static uint8_t octets[OCTETS];
    memcpy(octets, sent, length);
    if (planted->how == SENDS)
        misread(octets, length);
    return own_ops->send(link, octets, length, handle);
}

static enum rpcrdma_protocol draft_of(const struct misread *fault)
{
    return strncmp(fault->found, "04-", 3) == 0 ? RPCRDMA_PROTOCOL_2_04 : RPCRDMA_PROTOCOL_2_07;
}

static void *begin(void *arg, struct link *link)
{
    (void)arg;
    own_ops = link->ops;
    faulty_ops = *own_ops;
    faulty_ops.send = send_faulty;
    faulty_ops.wait = wait_faulty;
    link->ops = &faulty_ops;
    struct responder *responder = responder_new(link);
    ck_assert(responder_speak_version2(responder, draft_of(planted)));
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

START_TEST(misread_is_named)
{
    planted = &misreads[_i];
    const struct loopback_peer peer = {
        .options = responder_options(), .begin = begin, .step = step, .end = end};
    struct probe probe = {
        .options = {.timeout = 50,
                    .program = TEST_PROGRAM,
                    .version = TEST_VERSION,
                    .draft = draft_of(planted),
                    .hazards.all = true},
        .peer = {.transport = transport_loopback(&peer), .invalidates = true, .forgets = true}};
    bool named = false;
    ck_assert(probe2_begin(&probe));
    probe2_run_cases(&probe);
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        if (!ending_is_failure(result->ending))
            continue;
        named = named || strcmp(result->test, planted->found) == 0;
        ck_assert_msg(strncmp(result->test, "v2-", 3) != 0 ||
                          strcmp(result->test, planted->found) == 0,
                      "%s: %s fails", planted->found, result->test);
    }
    ck_assert_msg(named, "%s does not fail", planted->found);
    results_free(&probe.run.results);
    probe_options_free(&probe.options);
    probe.peer.transport->ops->close(probe.peer.transport);
    free(probe.run.stopped);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("misread words");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, misread_is_named, 0, COUNT(misreads));
    return run_tests("a Responder of version 2 that misreads", cases);
}
