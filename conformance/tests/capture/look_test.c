// SPDX-License-Identifier: BSD-3-Clause
/* What a Send looks like, by its octets alone. */
#include "conformance/input/frame/look.h"
#include "conformance/tests/support/captures/guarded.h"
#include "conformance/tests/support/captures/seen.h"

#define WORDS 40

static uint8_t sent[4 * WORDS];
static size_t sent_length;

static void put_words(const uint32_t *words, size_t count)
{
    sent_length = 4 * count;
    for (size_t i = 0; i < count; i++)
        put32(sent + 4 * i, words[i]);
}
#define PUT(...)                                                                                   \
    put_words((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static enum look look(size_t recorded)
{
    return look_at(guarded(sent, recorded), recorded, sent_length);
}

/* A header of version 1 without chunks, and the first words of an RPC message. */
enum { HEADER = 28, XID = 0xa };
#define PUT_RPC(xid, type, word2, word3)                                                           \
    PUT(XID, 1, 32, 0, 0, 0, 0, xid, type, word2, word3, 0, 0, 0, 0, 0, 0)

/* Cut anywhere: the header and the first two words of the message are needed; that a Call is one
 * back to the client shows in its fourth. */
START_TEST(cut)
{
    static const enum look expected[] = {LOOKS_CALL, LOOKS_REPLY, LOOKS_CALLBACK};
    PUT_RPC(XID, _i == 1, 2, _i == 2 ? 0x40000000 : 100003);
    for (size_t kept = 0; kept <= sent_length; kept++) {
        enum look here = kept < HEADER + 8               ? LOOKS_OTHER
                         : _i == 2 && kept < HEADER + 16 ? LOOKS_CALL
                                                         : expected[_i];
        ck_assert_msg(look(kept) == here, "%zu", kept);
    }
}
END_TEST

/* RFC 5531, 8.3: of the numbers of programs, 0x40000000 to 0x5fffffff are transient. In a Reply the
 * word there has another meaning. */
START_TEST(transient_programs)
{
    for (uint32_t top = 0; top < 16; top++)
        for (uint32_t last = 0; last < 2; last++) {
            uint32_t program = (top << 28) + last * 0x0fffffff;
            PUT_RPC(XID, 0, 2, program);
            ck_assert_int_eq(look(sent_length), top == 4 || top == 5 ? LOOKS_CALLBACK : LOOKS_CALL);
            PUT_RPC(XID, 1, 0, program);
            ck_assert_int_eq(look(sent_length), LOOKS_REPLY);
            PUT_RPC(XID, 2, 0, program);
            ck_assert_int_eq(look(sent_length), LOOKS_OTHER);
        }
}
END_TEST

/* Both XIDs are the same, in each of their bits. */
START_TEST(xids)
{
    for (unsigned bit = 0; bit < 32; bit++) {
        PUT_RPC(XID ^ 1u << bit, _i, 2, 100003);
        ck_assert_int_eq(look(sent_length), LOOKS_OTHER);
    }
}
END_TEST

/* No other version, and no header that does not decode. */
START_TEST(versions)
{
    for (uint32_t version = 0; version < 10; version++) {
        PUT(XID, version, 32, 0, 0, 0, 0, XID, 0, 2, 100003);
        struct rpcrdma_message message;
        ck_assert(look_decode(&message, sent, sent_length) == (version == 1));
        ck_assert_int_eq(look(sent_length), version == 1 ? LOOKS_CALL : LOOKS_OTHER);
    }
    PUT(XID, 1, 32, 0, 2, 0, 0, XID, 0, 2, 100003); /* a list that is neither there nor not */
    ck_assert_int_eq(look(sent_length), LOOKS_OTHER);
    PUT(XID, 1, 32, 4, 2, 1, 1); /* RDMA_ERROR */
    ck_assert_int_eq(look(sent_length), LOOKS_OTHER);
}
END_TEST

#define READ_ENTRY(position) 1, position, 0x77, 100, 0, 0x1000
#define REPLY_CHUNK 1, 1, 0x88, 100, 0, 0x2000

/* RDMA_NOMSG: a Read list is that of a Long Call, a Reply chunk alone that of a Long Reply; nothing
 * may follow the header. */
START_TEST(without_message)
{
    PUT(XID, 1, 32, 1, READ_ENTRY(0), 0, 0, 0);
    ck_assert_int_eq(look(sent_length), LOOKS_LONG_CALL);
    PUT(XID, 1, 32, 1, READ_ENTRY(0), 0, 0, REPLY_CHUNK);
    ck_assert_int_eq(look(sent_length), LOOKS_LONG_CALL);
    PUT(XID, 1, 32, 1, READ_ENTRY(100), 0, 0, 0);
    ck_assert_int_eq(look(sent_length), LOOKS_LONG_CALL);
    PUT(XID, 1, 32, 1, 0, 0, REPLY_CHUNK);
    ck_assert_int_eq(look(sent_length), LOOKS_REPLY);
    for (size_t kept = 0; kept < sent_length; kept++)
        ck_assert_int_eq(look(kept), LOOKS_OTHER);
    PUT(XID, 1, 32, 1, 0, 0, 0);
    ck_assert_int_eq(look(sent_length), LOOKS_OTHER);
    PUT(XID, 1, 32, 1, 0, 0, REPLY_CHUNK, 0);
    ck_assert_int_eq(look(sent_length), LOOKS_OTHER);
    ck_assert_int_eq(look(sent_length - 4), LOOKS_OTHER);
}
END_TEST

/* -04: a header says which direction it has, and the lists need not be asked. */
START_TEST(directions)
{
    enum { REPLIES = 1 };
    for (uint32_t flags = 0; flags < 2; flags++) {
        PUT(XID, 2, 32, 1, flags, 0, READ_ENTRY(0), 0, 0, 0);
        ck_assert_int_eq(look(sent_length), flags & REPLIES ? LOOKS_OTHER : LOOKS_LONG_CALL);
        PUT(XID, 2, 32, 1, flags, 0, 0, 0, REPLY_CHUNK);
        ck_assert_int_eq(look(sent_length), flags & REPLIES ? LOOKS_REPLY : LOOKS_OTHER);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("looks");
    tcase_add_loop_test(tests, cut, 0, 3);
    tcase_add_test(tests, transient_programs);
    tcase_add_loop_test(tests, xids, 0, 2);
    tcase_add_test(tests, versions);
    tcase_add_test(tests, without_message);
    tcase_add_test(tests, directions);
    return run_tests("looks of a Send", tests);
}
