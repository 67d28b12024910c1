// SPDX-License-Identifier: BSD-3-Clause
// sanitized
/*
 * Headers in pieces: every Send of every vector, cut at every octet. What is asked for suffices, is
 * no more than the header and what follows it needs, and no look goes beyond what is there.
 */
#include "conformance/tests/support/neighbours/stories.h"

#include "codec/tests/support/octets.h"
#include "codec/tests/support/run_suite.h"

#include <rpcrdma/message.h>

#define PAYLOAD 4

static const enum rpcrdma_protocol protocols[] = {RPCRDMA_PROTOCOL_1, RPCRDMA_PROTOCOL_2_04,
                                                  RPCRDMA_PROTOCOL_2_07};
static unsigned sends;

/* ---- what decoding says, of a Send or of its first octets ---- */

struct outcome {
    ptrdiff_t result;
    struct rpcrdma_xdr_error error;
};

typedef ptrdiff_t decoding(const uint8_t *octets, size_t length, struct rpcrdma_xdr_error *error);

static ptrdiff_t decodes(const uint8_t *octets, size_t length, struct rpcrdma_xdr_error *error)
{
    struct rpcrdma1_header header;
    return rpcrdma1_header_decode(&header, octets, length, NULL, error);
}

static ptrdiff_t at_responder(const uint8_t *octets, size_t length, struct rpcrdma_xdr_error *error)
{
    struct rpcrdma1_header header;
    return rpcrdma1_receive(&header, octets, length, RPCRDMA_RESPONDER, NULL, error);
}

static ptrdiff_t at_requester(const uint8_t *octets, size_t length, struct rpcrdma_xdr_error *error)
{
    struct rpcrdma1_header header;
    return rpcrdma1_receive(&header, octets, length, RPCRDMA_REQUESTER, NULL, error);
}

static ptrdiff_t decodes_04(const uint8_t *octets, size_t length, struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_message message;
    return rpcrdma_message_decode(&message, RPCRDMA_PROTOCOL_2_04, octets, length, error);
}

static ptrdiff_t decodes_07(const uint8_t *octets, size_t length, struct rpcrdma_xdr_error *error)
{
    struct rpcrdma_message message;
    return rpcrdma_message_decode(&message, RPCRDMA_PROTOCOL_2_07, octets, length, error);
}

static decoding *const decodings[][3] = {
    [RPCRDMA_PROTOCOL_1] = {decodes, at_responder, at_requester},
    [RPCRDMA_PROTOCOL_2_04] = {decodes_04},
    [RPCRDMA_PROTOCOL_2_07] = {decodes_07},
};

/* The same number or code, at the same octet for the same field. */
static void check_same(decoding *decode, const uint8_t *octets, size_t first, size_t length,
                       const char *id)
{
    struct outcome cut = {0}, whole = {0};
    char text[2][128];
    cut.result = decode(octets, first, &cut.error);
    whole.result = decode(octets, length, &whole.error);
    rpcrdma_xdr_error_path(&cut.error, text[0], sizeof text[0]);
    rpcrdma_xdr_error_path(&whole.error, text[1], sizeof text[1]);
    ck_assert_msg(cut.result == whole.result && cut.error.code == whole.error.code &&
                      cut.error.offset == whole.error.offset && strcmp(text[0], text[1]) == 0,
                  "%s: %zu of %zu octets: %td, %s at %u %s, not %td, %s at %u %s", id, first,
                  length, cut.result, rpcrdma_xdr_error_name(cut.error.code), cut.error.offset,
                  text[0], whole.result, rpcrdma_xdr_error_name(whole.error.code),
                  whole.error.offset, text[1]);
}

/* ---- each cut ---- */

static void check_cuts(enum rpcrdma_protocol protocol, const uint8_t *octets, size_t length,
                       const char *id)
{
    ptrdiff_t header = decodings[protocol][0](octets, length, NULL);
    for (size_t have = 0; have <= length; have++) {
        uint8_t *first = exact(octets, have);
        size_t needs = rpcrdma_message_needs(protocol, first, have, length);
        drop(first);
        ck_assert_msg(needs <= length, "%s: of %zu octets %zu", id, length, needs);
        ck_assert_msg(protocol == RPCRDMA_PROTOCOL_1 || needs <= have || needs == length ||
                          needs >= 2 * have,
                      "%s: %zu octets, and no more than %zu", id, have, needs);
        if (protocol == RPCRDMA_PROTOCOL_1 && header > 0)
            ck_assert_msg(needs <= (size_t)header + PAYLOAD || needs <= RPCRDMA1_HEADER_MIN ||
                              (have >= 256 && needs <= 4 * have),
                          "%s: %zu for a header of %td", id, needs, header);
        for (size_t i = 0; needs <= have && i < 3 && decodings[protocol][i] != NULL; i++) {
            check_same(decodings[protocol][i], octets, needs, length, id);
            check_same(decodings[protocol][i], octets, have, length, id);
        }
    }
}

static void check_story(struct story *story, const char *last)
{
    (void)last;
    for (unsigned i = 0; i < story->count; i++) {
        const struct rpcrdma_event *event = &story->events[i];
        if (event->type != RPCRDMA_EVENT_SEND || event->data == NULL)
            continue;
        for (size_t p = 0; p < sizeof protocols / sizeof protocols[0]; p++)
            check_cuts(protocols[p], event->data, event->length < 2048 ? event->length : 2048,
                       story->id);
        sends++;
    }
}

START_TEST(vectors_at_every_cut)
{
    stories_of_vectors(check_story);
    ck_assert_uint_gt(sends, 2500);
}
END_TEST

/* ---- long and hostile ones ---- */

enum { LONG = 1 << 20 };
static uint8_t send[LONG];

#define PUT(...)                                                                                   \
    put_words((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static void put_words(const uint32_t *word, size_t count)
{
    memset(send, 0, sizeof send);
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(send + 4 * i, word[i]);
}

/* How often it asks where it is given just what it asked for. */
static unsigned rounds(enum rpcrdma_protocol protocol)
{
    unsigned count = 0;
    size_t have = 0, needs;
    for (; (needs = rpcrdma_message_needs(protocol, send, have, LONG)) > have; count++)
        have = needs;
    return count;
}

static void put_reads(size_t at)
{
    for (; at + 24 <= LONG; at += 24)
        rpcrdma_xdr_store32(send + at, 1);
}

/* A list that fills the Send is asked for in few steps, and so is one of a draft. */
START_TEST(long_lists)
{
    PUT(7, 1, 32, 0);
    put_reads(16);
    ck_assert_uint_le(rounds(RPCRDMA_PROTOCOL_1), 18); /* 11 within the first 256 octets */
    PUT(7, 2, 32, 0, 0, 0);
    put_reads(24);
    ck_assert_uint_le(rounds(RPCRDMA_PROTOCOL_2_04), 16);
}
END_TEST

/* A count that the Send cannot hold asks for nothing; the largest that it can, for all of it. */
START_TEST(counts)
{
    static const struct {
        uint32_t count;
        size_t needs;
    } rows[] = {{UINT32_MAX, 32},    {1u << 28, 32},        {(1u << 28) + 1, 32},
                {LONG / 16 - 1, 32}, {LONG / 16 - 2, LONG}, {2, 32 + 32 + PAYLOAD}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        PUT(7, 1, 32, 1, 0, 0, 1, rows[i].count);
        ck_assert_uint_eq(rpcrdma1_header_needs(send, 36, LONG, NULL), rows[i].needs);
        PUT(7, 1, 32, 1, 0, 1, rows[i].count); /* in the Write list */
        ck_assert_uint_eq(rpcrdma1_header_needs(send, 40, LONG, NULL),
                          rows[i].needs == 32   ? 28
                          : rows[i].needs < 100 ? 28 + 32 + 4 + 4 + PAYLOAD
                                                : LONG);
    }
}
END_TEST

/* What no header within all three limits exceeds, which one reaches; beyond them nothing more is
 * asked for. */
START_TEST(within_limits)
{
    const struct rpcrdma1_limits limits = {
        .read_list = 1, .write_list = 1, .write_chunk_target = 1};
    const size_t most = 36 + 24 + 2 * (8 + 16);
#define SEGMENT 0xa1, 64, 0, 4096
#define READ 1, 40, SEGMENT
    PUT(7, 1, 32, 2, 0, 0, READ, 0, 1, 1, SEGMENT, 0, 1, 1, SEGMENT);
    ck_assert_uint_eq(rpcrdma1_header_needs(send, most, LONG, &limits), most);
    ck_assert_uint_eq(rpcrdma1_header_needs(send, most - 1, LONG, &limits), most);
    PUT(7, 1, 32, 0, READ, READ, 0, 0, 0);
    ck_assert_uint_eq(rpcrdma1_header_needs(send, 56, LONG, &limits), 44);
    ck_assert_uint_eq(rpcrdma1_header_needs(send, 56, LONG, NULL), 80);
    PUT(7, 1, 32, 0, 0, 1, 0, 1, 0, 0, 0);
    ck_assert_uint_eq(rpcrdma1_header_needs(send, 48, LONG, &limits), 32);
    PUT(7, 1, 32, 0, 0, 1, 2, SEGMENT, SEGMENT, 0, 0);
    ck_assert_uint_eq(rpcrdma1_header_needs(send, 48, LONG, &limits), 28);
    PUT(7, 1, 32, 0, 0, 0, 1, 2, SEGMENT, SEGMENT);
    ck_assert_uint_eq(rpcrdma1_header_needs(send, 48, LONG, &limits), 32);
}
END_TEST

/* Each question is for the least header that can begin so. */
START_TEST(least)
{
    PUT(7, 1, 32, 0, 0, 1);
    ck_assert_uint_eq(rpcrdma1_header_needs(send, 32, LONG, NULL), 36 + PAYLOAD);
    PUT(7, 1, 32, 0, 0, 0, 1);
    ck_assert_uint_eq(rpcrdma1_header_needs(send, 28, LONG, NULL), 32);
    ck_assert_uint_eq(rpcrdma1_header_needs(send, 31, LONG, NULL), 32);
    PUT(7, 1, 32, 0, 2);
    ck_assert_uint_eq(rpcrdma1_header_needs(send, 32, LONG, NULL), RPCRDMA1_HEADER_MIN);
}
END_TEST

/* What has no lists. */
START_TEST(other_procedures)
{
    for (uint32_t procedure = 3; procedure < 7; procedure++) {
        PUT(7, 1, 32, procedure, 1, 1, 1, 1, 1);
        ck_assert_uint_eq(rpcrdma1_header_needs(send, 40, LONG, NULL), RPCRDMA1_HEADER_MIN);
    }
    ck_assert_uint_eq(rpcrdma1_header_needs(NULL, 0, LONG, NULL), RPCRDMA1_HEADER_MIN);
    ck_assert_uint_eq(rpcrdma1_header_needs(NULL, 0, 20, NULL), 20);
    ck_assert_uint_eq(rpcrdma1_header_needs(send, 80, 20, NULL), 20);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("pieces");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, vectors_at_every_cut);
    tcase_add_test(tests, long_lists);
    tcase_add_test(tests, counts);
    tcase_add_test(tests, within_limits);
    tcase_add_test(tests, least);
    tcase_add_test(tests, other_procedures);
    return run_tests("pieces", tests);
}
