// SPDX-License-Identifier: BSD-3-Clause
/* What the client does with its memory, as probes see it, reaches the checker. */
#include "rxe-harness/tests/support/links/sighting_stage.h"
#include "codec/tests/support/run_suite.h"

#include <arpa/inet.h>
#include <check.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { HANDLE = 0xabcd, FIRST = 0x9000, SECOND = 0xa000, HEAD = 0xb000 };

/* A Call that offers 100 octets to be read, and the memory that is registered with it: a list of
 * which `count` are read. */
static void offer(unsigned count, uint64_t last)
{
    static const uint64_t list[] = {FIRST, SECOND, FIRST, SECOND};
    static const uint8_t octets[] = {
        0,    0,    0, 9, 0, 0,   0, 1, 0, 0, 0, 1, 0,    0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 40, 0, 0,
        0xab, 0xcd, 0, 0, 0, 100, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0, 0};
    static const uint8_t rpc[40] = {0, 0, 0, 9, [11] = 2, [13] = 1, 0x86, 0xa3, [19] = 3};
    char name[16];
    stage_record();
    stage_number("connection", ID + stage.client);
    stage_number("header", sizeof octets);
    stage_number("pieces", 2);
    stage_number("length0", sizeof octets);
    stage_number("length1", sizeof rpc);
    stage_number("head_length", sizeof rpc);
    stage_put("octets0", octets, sizeof octets);
    stage_put("head0", rpc, sizeof rpc);
    stage_number("last", last);
    for (unsigned i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "memory%u", i);
        stage_number(name, count == 0 ? HEAD : i < count ? list[i] : HEAD);
    }
    stage_number("handle0", HANDLE);
    stage_number("offset0", 0x1000);
    stage_number("size0", 100);
    stage_number("access0", 4); /* remote read */
    stage_take("client_sends");
}

static void memory_event(const char *name, const char *member, uint64_t value, uint64_t status)
{
    stage_record();
    stage_number("connection", ID + stage.client);
    stage_number(member, value);
    stage_number("status", status);
    stage_take(name);
}

static void end_connection(bool by_peer)
{
    stage_record();
    stage_number("id", ID);
    stage_number("kind", 10);
    stage_take(by_peer ? "answers" : "disconnects");
}

/* In order: r registers, o offers without, A answer, I answer that invalidates, i invalidation, f
 * one that failed, c completion, s release of the slot, d end, D end by the peer, n connects anew;
 * and what it breaks. */
static const struct {
    const char *life;
    enum rpcrdma_rule rule; /* RPCRDMA_RULES: none */
    unsigned registered, invalidated, completed;
} lives[] = {
    {"rAics", RPCRDMA_RULES, 1, 1, 1},
    {"rIcs", RPCRDMA_RULES, 1, 0, 1},
    {"rAcs", RPCRDMA_RFC8166_4_4_1_MEMORY_FENCED, 1, 0, 1},
    {"rAcis", RPCRDMA_RFC8166_4_4_1_MEMORY_FENCED, 1, 1, 1},
    {"rAfcs", RPCRDMA_RFC8166_4_4_1_MEMORY_FENCED, 1, 0, 1},
    {"rs", RPCRDMA_RFC8166_4_4_1_CANCELLED_CALLS_TOO, 1, 0, 1},
    {"ris", RPCRDMA_RULES, 1, 1, 1},
    {"oAcs", RPCRDMA_RFC8166_3_4_5_MEMORY_REGISTERED, 0, 0, 1},
    {"rAicsrs", RPCRDMA_RFC8166_4_4_1_CANCELLED_CALLS_TOO, 2, 1, 2}, /* the same XID, later */
    {"rdnrAics", RPCRDMA_RULES, 2, 1, 1}, /* in the place of the one that has ended */
    {"rDis", RPCRDMA_RULES, 1, 0, 0},
    {"rdis", RPCRDMA_RULES, 1, 0, 0}, /* afterwards memory is its owner's alone */
};

START_TEST(memory_of_the_client)
{
    struct captured captured;
    stage.wish.registrations = true;
    stage_begin();
    stage_connect_client();
    for (const char *at = lives[_i].life; *at; at++)
        if (*at == 'r' || *at == 'o')
            offer(*at == 'r', *at == 'r' ? FIRST : HEAD);
        else if (*at == 'A' || *at == 'I')
            stage_answer(*at == 'I' ? 4 : 0);
        else if (*at == 'i' || *at == 'f')
            memory_event(*at == 'i' ? "invalidations_done" : "invalidations", "handle", HANDLE,
                         *at == 'f' ? 5 : 0);
        else if (*at == 'd' || *at == 'D')
            end_connection(*at == 'D');
        else if (*at == 'n')
            stage_connect_client();
        else
            memory_event(*at == 'c' ? "completions" : "releases", "xid", htonl(9), 0);
    stage_end(&captured);
    ck_assert_uint_eq(captured.by_type[RPCRDMA_EVENT_REGISTERED], lives[_i].registered);
    ck_assert_uint_eq(captured.by_type[RPCRDMA_EVENT_INVALIDATED], lives[_i].invalidated);
    ck_assert_uint_eq(captured.by_type[RPCRDMA_EVENT_COMPLETED], lives[_i].completed);
    ck_assert_uint_eq(captured.findings, lives[_i].rule != RPCRDMA_RULES);
    if (captured.findings)
        ck_assert_str_eq(rpcrdma_requirements[captured.rule].id,
                         rpcrdma_requirements[lives[_i].rule].id);
    ck_assert_uint_eq(captured.lost + captured.unread, 0);
    ck_assert(!captured.operations_seen);
}
END_TEST

/* XIDs are each connection's own: what is completed on one is not over on another. */
START_TEST(an_rpc_is_over_on_its_connection)
{
    struct captured captured;
    stage.wish.registrations = true;
    stage_begin();
    for (stage.client = 0; stage.client < 2; stage.client++) {
        stage_connect_client();
        offer(1, FIRST);
    }
    stage.client = 0;
    memory_event("completions", "xid", htonl(9), 0);
    stage.client = 1;
    memory_event("releases", "xid", htonl(9), 0);
    stage.client = 0;
    memory_event("releases", "xid", htonl(9), 0);
    stage_end(&captured);
    ck_assert_uint_eq(captured.by_type[RPCRDMA_EVENT_COMPLETED], 2);
}
END_TEST

/* A list that goes on behind what the probe reads, or of which no end was read. */
START_TEST(more_memory_than_was_read_is_a_gap)
{
    stage.wish.registrations = true;
    stage_begin();
    stage_connect_client();
    offer(_i == 0 ? 4 : 1, _i == 0 ? HEAD : 0);
    ck_assert_uint_eq(assembler_counts(stage.assembler)->registrations, _i == 0 ? 4 : 0);
    ck_assert_uint_eq(assembler_counts(stage.assembler)->unplaced, 1);
    stage_end(NULL);
}
END_TEST

/* No interface says that these frames are what they look like. */
START_TEST(frames_of_another_source_are_none)
{
    static char octets[8192];
    struct captured captured;
    stage.wish.registrations = true;
    stage_begin();
    stage_connect_client();
    offer(1, FIRST);
    memory_event("completions", "xid", htonl(9), 0);
    fflush(stage.stream);
    FILE *written = fopen(stage.file, "r+b");
    size_t length = fread(octets, 1, sizeof octets, written), at = 0;
    while (at < length && memcmp(octets + at, "within", 6) != 0)
        at++;
    ck_assert_uint_lt(at, length);
    ck_assert_int_eq(fseek(written, (long)at, SEEK_SET), 0);
    fputs("Within", written);
    fclose(written);
    stage_end(&captured);
    ck_assert_uint_eq(captured.sends[RPCRDMA_CLIENT], 1);
    ck_assert_uint_eq(captured.by_type[RPCRDMA_EVENT_REGISTERED], 0);
    ck_assert_uint_eq(captured.by_type[RPCRDMA_EVENT_COMPLETED], 0);
    ck_assert_uint_eq(captured.findings + captured.unread, 0);
}
END_TEST

/* Of IPv6 as well, with its port; where the record ends in it, or it is of another family, it is
 * not known. */
START_TEST(peers_have_addresses)
{
    uint8_t octets[32] = {[2] = 20049 >> 8, [3] = 20049 & 255, [8] = 0xfe, [9] = 0x80, [23] = 7};
    static const uint16_t families[] = {AF_INET6, AF_INET6, AF_UNIX};
    struct address address;
    uint16_t port = 0;
    memcpy(octets, &families[_i], sizeof families[_i]);
    stage_record();
    stage_put("from", octets, sizeof octets);
    stage.sighting.part[0].length -= _i == 1;
    ck_assert_int_eq(sighting_address(&stage.sighting, "from", &address, &port), _i == 0);
    ck_assert(!sighting_address(&stage.sighting, "to", &address, &port));
    if (_i > 0)
        return;
    ck_assert_mem_eq(address.octets, octets + 8, sizeof address.octets);
    ck_assert_uint_eq(port, 20049);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("memory");
    tcase_set_timeout(tests, 60); /* tshark takes its time */
    tcase_add_loop_test(tests, memory_of_the_client, 0, (int)(sizeof lives / sizeof *lives));
    tcase_add_test(tests, an_rpc_is_over_on_its_connection);
    tcase_add_loop_test(tests, more_memory_than_was_read_is_a_gap, 0, 2);
    tcase_add_test(tests, frames_of_another_source_are_none);
    tcase_add_loop_test(tests, peers_have_addresses, 0, 3);
    return run_tests("the client's memory", tests);
}
