// SPDX-License-Identifier: BSD-3-Clause
/* A receiver of version 2 in one call: what it does with each Send, why, and where the reason is.
 */
#include <rpcrdma/message.h>
#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

#include "codec/tests/support/octets.h"
#include "codec/tests/support/run_suite.h"

#define XID 0x11223344
#define FIXED(type) XID, 2, 32, type
#define HLOO 0xa1, 0x1000, 0x1, 0x2
#define EMPTY 0xa1, 0, 0x1, 0x2
#define READ(position) 1, position, HLOO
#define NONE 0, 0, 0
#define RPC XID, 0

#define D04 RPCRDMA_PROTOCOL_2_04
#define D07 RPCRDMA_PROTOCOL_2_07
#define AT_CALL RPCRDMA_RESPONDER
#define AT_REPLY RPCRDMA_REQUESTER
#define NEITHER ((enum rpcrdma_role)2)
enum { DISCARD = RPCRDMA1_DISCARD };

/* Types, and the errors as they are returned. */
#define T04(name) RPCRDMA2_04_##name
#define T07(name) RPCRDMA2_07_##name
#define SEND04(name) (-1 - (int)RPCRDMA2_04_ERR_##name)
#define SEND07(name) (-1 - (int)RPCRDMA2_07_ERR_##name)

#define SEND(...) .words = {__VA_ARGS__}, .length = sizeof((uint32_t[]){__VA_ARGS__})

static const struct row {
    enum rpcrdma_protocol draft;
    enum rpcrdma_role receiver;
    ptrdiff_t result;
    int code;
    uint32_t offset;
    const char *path;
    size_t length; /* octets */
    uint32_t words[32];
} rows[] = {
    /* What is taken: of -07 in either role, for the message says its own. */
    {D07, AT_CALL, 32, SEND(FIXED(T07(CALL_INLINE)), 0, NONE, RPC)},
    {D07, AT_REPLY, 32, SEND(FIXED(T07(CALL_INLINE)), 0, NONE, RPC)},
    {D07, AT_CALL, 80, SEND(FIXED(T07(CALL_INLINE)), 0, READ(40), READ(40), NONE, RPC)},
    {D07, AT_CALL, 60, SEND(FIXED(T07(CALL_EXTERNAL)), 0, READ(0), 0, NONE)},
    {D07, AT_CALL, 108,
     SEND(FIXED(T07(CALL_EXTERNAL)), 0, 1, 0, EMPTY, READ(0), 0, READ(44), NONE)},
    {D07, AT_CALL, 20, SEND(FIXED(T07(CALL_MIDDLE)), 8, 7)},
    {D07, AT_REPLY, 20, SEND(FIXED(T07(REPLY_INLINE)), 0, XID, 1)},
    {D07, AT_CALL, 20, SEND(FIXED(T07(REPLY_MIDDLE)), 8, 7)},
    {D07, AT_REPLY, 44, SEND(FIXED(T07(REPLY_EXTERNAL)), 0, 1, 1, HLOO)},
    {D07, AT_CALL, 16, SEND(0, 2, 32, T07(GRANT))},
    {D07, AT_REPLY, 16, SEND(0, 2, 32, T07(GRANT))},
    {D07, AT_REPLY, 20, SEND(FIXED(T07(CONNPROP_FINAL)), 0)},
    {D07, AT_CALL, 32, SEND(FIXED(T07(CONNPROP_FINAL)), 1, 1, 4, 4096)},
    {D07, AT_REPLY, 28, SEND(FIXED(T07(ERROR)), 1, 1, 1)},
    {D07, AT_REPLY, 20, SEND(XID, 1, 32, T07(ERROR), T07(ERR_VERS_MISMATCH))},
    {D04, AT_CALL, 36, SEND(FIXED(T04(MSG)), 0, 0, NONE, RPC)},
    {D04, AT_CALL, 36, SEND(FIXED(T04(MSG)), 1, 0, NONE, XID, 1)},
    {D04, AT_CALL, 84, SEND(FIXED(T04(MSG)), 0, 0, READ(80), READ(40), NONE, RPC)},
    {D04, AT_CALL, 84, SEND(FIXED(T04(NOMSG)), 0, 0, READ(0), READ(40), NONE)},
    {D04, AT_REPLY, 56, SEND(FIXED(T04(NOMSG)), 1, 0, 0, 0, 1, 1, HLOO)},
    {D04, AT_REPLY, 24, SEND(FIXED(T04(ERROR)), T04(ERR_REPLY_RESOURCE), 9)},
    {D04, AT_REPLY, 28, SEND(FIXED(T04(RESPROP)), NONE)},
    {D04, AT_REPLY, 40,
     SEND(FIXED(T04(RESPROP)), 0, 0, 1, T04(PROPID_RBSIZ), 2, 0x10000000)}, /* it was asked for */

    /* Shorter than the prefix, whatever else is wrong. */
    {D07, AT_CALL, DISCARD, RPCRDMA1_E_RUNT, 12, "", SEND(XID, 3, 32)},
    {D04, AT_REPLY, DISCARD, RPCRDMA1_E_RUNT, 4, "", SEND(XID)},

    /* An error before the version, the version before all else. */
    {D07, AT_CALL, DISCARD, RPCRDMA1_E_ERROR, 12, "rdma_htype", SEND(XID, 3, 32, 4, 1, 1, 1)},
    {D04, NEITHER, DISCARD, RPCRDMA1_E_ERROR, 12, "rdma_htype", SEND(FIXED(4), 2)},
    {D07, AT_REPLY, DISCARD, RPCRDMA_XDR_E_UNION, 16, "rdma_err", SEND(FIXED(T07(ERROR)), 12)},
    {D04, AT_REPLY, DISCARD, RPCRDMA_XDR_E_ENUM, 16, "rdma_err", SEND(FIXED(T04(ERROR)), 11)},
    {D07, AT_REPLY, DISCARD, RPCRDMA_XDR_E_TRUNCATED, 16, "rdma_err", SEND(FIXED(T07(ERROR)))},
    {D07, AT_CALL, SEND07(VERS), RPCRDMA1_E_VERSION, 4, "rdma_vers", SEND(XID, 3, 32, 77, 1, 1, 1)},
    {D07, AT_REPLY, DISCARD, RPCRDMA1_E_VERSION, 4, "rdma_vers",
     SEND(XID, 3, 32, T07(CALL_INLINE), 0, NONE, RPC)}, /* its layout is not known */
    {D07, NEITHER, SEND07(VERS), RPCRDMA1_E_VERSION, 4, "rdma_vers",
     SEND(XID, 1, 32, T07(REPLY_INLINE), NONE, RPC)},
    {D04, AT_CALL, SEND04(VERS), RPCRDMA1_E_VERSION, 4, "rdma_vers", SEND(XID, 0, 32, 7, NONE)},
    {D07, AT_REPLY, DISCARD, RPCRDMA1_E_VERSION, 4, "rdma_vers",
     SEND(XID, 1, 32, T07(CONNPROP_FINAL), 0)},

    /* Types. */
    {D07, AT_CALL, SEND07(INVAL_HTYPE), RPCRDMA_XDR_E_UNION, 12, "rdma_htype",
     SEND(FIXED(3), NONE)},
    {D07, AT_CALL, SEND07(INVAL_HTYPE), RPCRDMA_XDR_E_UNION, 12, "rdma_htype",
     SEND(FIXED(14), NONE)},
    {D07, AT_REPLY, DISCARD, RPCRDMA_XDR_E_UNION, 12, "rdma_htype", SEND(FIXED(14), NONE)},
    {D04, AT_CALL, SEND04(INVALID_PROC), RPCRDMA_XDR_E_ENUM, 12, "rdma_proc", SEND(FIXED(2), NONE)},
    {D04, AT_CALL, SEND04(INVALID_PROC), RPCRDMA_XDR_E_ENUM, 12, "rdma_proc",
     SEND(FIXED(10), NONE)},
    {D04, AT_REPLY, DISCARD, RPCRDMA_XDR_E_ENUM, 12, "rdma_proc", SEND(FIXED(10), NONE)},

    /* The XDR: whose Call it is says the message. */
    {D07, AT_REPLY, SEND07(BAD_XDR), RPCRDMA_XDR_E_TRUNCATED, 32, "rdma_rpc_first_word",
     SEND(FIXED(T07(CALL_INLINE)), 0, NONE)},
    {D07, AT_CALL, DISCARD, RPCRDMA_XDR_E_TRUNCATED, 20, "rdma_rpc_first_word",
     SEND(FIXED(T07(REPLY_INLINE)), 0)},
    {D07, AT_REPLY, SEND07(BAD_XDR), RPCRDMA_XDR_E_TRUNCATED, 16, "rdma_props",
     SEND(FIXED(T07(CONNPROP_MIDDLE)))},
    {D04, AT_CALL, DISCARD, RPCRDMA_XDR_E_PRESENCE, 24, "rdma_reads[0]",
     SEND(FIXED(T04(MSG)), 1, 0, 2, 0, 0)},
    {D04, AT_REPLY, SEND04(BAD_XDR), RPCRDMA_XDR_E_PRESENCE, 24, "rdma_reads[0]",
     SEND(FIXED(T04(MSG)), 0, 0, 2, 0, 0)},
    {D04, AT_CALL, SEND04(BAD_XDR), RPCRDMA_XDR_E_ENUM, 16, "rdma_direction",
     SEND(FIXED(T04(MSG)), 2, 0, NONE)},
    {D04, AT_REPLY, DISCARD, RPCRDMA_XDR_E_TRUNCATED, 16, "rdma_direction",
     SEND(FIXED(T04(NOMSG)))},
    {D04, AT_REPLY, SEND04(BAD_XDR), RPCRDMA_XDR_E_TRUNCATED, 16, "rdma_want",
     SEND(FIXED(T04(REQPROP)))},
    {D04, AT_CALL, DISCARD, RPCRDMA_XDR_E_TRUNCATED, 16, "rdma_done", SEND(FIXED(T04(RESPROP)))},

    /* Values of properties, and options. */
    {D07, AT_CALL, SEND07(BAD_PROPVAL), RPCRDMA2_E_PROPERTY, 36, "rdma_props[1].rdma_data",
     SEND(FIXED(T07(CONNPROP_FINAL)), 2, 7, 1, 0, 5, 3, 0x10203000)},
    {D07, AT_REPLY, SEND07(BAD_PROPVAL), RPCRDMA2_E_PROPERTY, 24, "rdma_props[0].rdma_data",
     SEND(FIXED(T07(CONNPROP_MIDDLE)), 1, T07(PROPID_HOSTAUTH), 8, 5, 0)},
    {D07, AT_REPLY, 36,
     SEND(FIXED(T07(CONNPROP_MIDDLE)), 1, T07(PROPID_HOSTAUTH), 8, 3, 0x01020300)},
    {D07, AT_REPLY, SEND07(BAD_PROPVAL), RPCRDMA2_E_PROPERTY, 24, "rdma_props[0].rdma_data",
     SEND(FIXED(T07(CONNPROP_MIDDLE)), 1, T07(PROPID_HOSTAUTH), 7, 3, 0x01020300)}, /* no padding */
    {D07, AT_REPLY, SEND07(BAD_PROPVAL), RPCRDMA2_E_PROPERTY, 24, "rdma_props[0].rdma_data",
     SEND(FIXED(T07(CONNPROP_MIDDLE)), 1, T07(PROPID_HOSTAUTH), 1, 0)},
    {D07, AT_CALL, 44, SEND(FIXED(T07(CONNPROP_FINAL)), 2, 7, 1, 0, 0, 1, 0)},
    {D07, AT_CALL, 28, SEND(FIXED(T07(CONNPROP_FINAL)), 1, 1, 0)},
    {D04, AT_REPLY, SEND04(BAD_XDR), RPCRDMA2_E_PROPERTY, 24, "rdma_start[0].rdma_data",
     SEND(FIXED(T04(CONNPROP)), 1, T04(PROPID_BRS), 1, 0, 0)},
    {D04, AT_CALL, SEND04(BAD_XDR), RPCRDMA2_E_PROPERTY, 24, "rdma_want[0].rdma_data",
     SEND(FIXED(T04(REQPROP)), 1, T04(PROPID_RBSIZ), 1, 0)},
    {D04, AT_CALL, SEND04(BAD_XDR), RPCRDMA2_E_PROPERTY, 24, "rdma_now[0].rdma_data",
     SEND(FIXED(T04(UPDPROP)), 1, T04(PROPID_RBSIZ), 1, 0)},
    {D04, AT_CALL, 32, SEND(FIXED(T04(UPDPROP)), 1, 3, 1, 0)},
    {D04, AT_REPLY, SEND04(INVALID_OPTION), RPCRDMA2_E_OPTION, 20, "rdma_opttype",
     SEND(FIXED(T04(OPTIONAL)), 0, 5, 0)},
    {D04, AT_CALL, DISCARD, RPCRDMA2_E_OPTION, 20, "rdma_opttype",
     SEND(FIXED(T04(OPTIONAL)), 1, 5, 0)},

    /* No message to its receiver: -07, where a Call in a chunk has a list of its own. */
    {D07, AT_CALL, SEND07(BAD_XDR), RPCRDMA1_E_POSITION, 48, "rdma_reads[1].rdma_position",
     SEND(FIXED(T07(CALL_INLINE)), 0, READ(40), READ(42), NONE, RPC)},
    {D07, AT_CALL, SEND07(BAD_XDR), RPCRDMA2_E_POSITION_ORDER, 48, "rdma_reads[1].rdma_position",
     SEND(FIXED(T07(CALL_INLINE)), 0, READ(44), READ(40), NONE, RPC)},
    {D07, AT_CALL, SEND07(BAD_XDR), RPCRDMA1_E_POSITION_ZERO, 24, "rdma_reads[0].rdma_position",
     SEND(FIXED(T07(CALL_INLINE)), 0, READ(0), READ(0), NONE, RPC)},
    {D07, AT_CALL, SEND07(BAD_XDR), RPCRDMA1_E_POSITION_ZERO, 52, "rdma_reads[0].rdma_position",
     SEND(FIXED(T07(CALL_EXTERNAL)), 0, READ(0), 0, READ(0), NONE)},
    {D07, AT_CALL, SEND07(BAD_XDR), RPCRDMA2_E_POSITION_ORDER, 76, "rdma_reads[1].rdma_position",
     SEND(FIXED(T07(CALL_EXTERNAL)), 0, READ(0), 0, READ(44), READ(40), 0, 0, 0)},
    {D07, AT_CALL, SEND07(BAD_XDR), RPCRDMA2_E_CALL_POSITION, 48, "rdma_call[1].rdma_position",
     SEND(FIXED(T07(CALL_EXTERNAL)), 0, READ(0), READ(4), 0, NONE)},
    {D07, AT_CALL, SEND07(BAD_XDR), RPCRDMA1_E_NO_MESSAGE, 20, "rdma_call",
     SEND(FIXED(T07(CALL_EXTERNAL)), 0, 0, READ(40), NONE)},
    {D07, AT_REPLY, SEND07(BAD_XDR), RPCRDMA1_E_NO_MESSAGE, 20, "rdma_call",
     SEND(FIXED(T07(CALL_EXTERNAL)), 0, 1, 0, EMPTY, 0, NONE)},
    {D07, AT_REPLY, DISCARD, RPCRDMA1_E_NO_MESSAGE, 20, "rdma_reply",
     SEND(FIXED(T07(REPLY_EXTERNAL)), 0, 0)},
    {D07, AT_CALL, DISCARD, RPCRDMA1_E_NO_MESSAGE, 20, "rdma_reply",
     SEND(FIXED(T07(REPLY_EXTERNAL)), 0, 1, 2, EMPTY, EMPTY)},

    /* -04: as in version 1. */
    {D04, AT_CALL, SEND04(BAD_XDR), RPCRDMA1_E_POSITION, 28, "rdma_reads[0].rdma_position",
     SEND(FIXED(T04(NOMSG)), 0, 0, READ(2), NONE)},
    {D04, AT_CALL, SEND04(BAD_XDR), RPCRDMA1_E_POSITION_ZERO, 52, "rdma_reads[1].rdma_position",
     SEND(FIXED(T04(MSG)), 0, 0, READ(40), READ(0), NONE, RPC)},
    {D04, AT_CALL, SEND04(BAD_XDR), RPCRDMA1_E_NO_MESSAGE, 36, "",
     SEND(FIXED(T04(MSG)), 0, 0, NONE)},
    {D04, AT_CALL, SEND04(BAD_XDR), RPCRDMA1_E_NO_MESSAGE, 24, "rdma_reads",
     SEND(FIXED(T04(NOMSG)), 0, 0, READ(4), NONE)},
    {D04, AT_CALL, DISCARD, RPCRDMA1_E_READ_LIST, 24, "rdma_reads",
     SEND(FIXED(T04(MSG)), 1, 0, READ(4), NONE, RPC)},
    {D04, AT_REPLY, DISCARD, RPCRDMA1_E_REPLY_CHUNK, 60, "rdma_reply.rdma_target[1].rdma_length",
     SEND(FIXED(T04(MSG)), 1, 0, 0, 0, 1, 3, EMPTY, HLOO, EMPTY, RPC)},
    {D04, AT_REPLY, DISCARD, RPCRDMA1_E_NO_MESSAGE, 36, "", SEND(FIXED(T04(MSG)), 1, 0, NONE)},
    {D04, AT_REPLY, DISCARD, RPCRDMA1_E_NO_MESSAGE, 32, "rdma_reply",
     SEND(FIXED(T04(NOMSG)), 1, 0, 0, 0, 1, 1, EMPTY)},
};

static ptrdiff_t receive(const struct row *row, const uint8_t *octets,
                         struct rpcrdma_message *message, struct rpcrdma_xdr_error *error)
{
    memset(message, 0xa5, sizeof *message);
    return rpcrdma2_receive(message, row->draft, octets, row->length, row->receiver, error);
}

/* What is to be sent has the XID and version of the Send, and a Requester takes it. */
static void check_error(const struct row *row, struct rpcrdma_message *message)
{
    uint8_t answer[RPCRDMA2_ERROR_MAX];
    uint32_t code = (uint32_t)(-1 - row->result);
    message->prefix.credit = 7;
    ptrdiff_t size = rpcrdma_error_encode(answer, sizeof answer, message);
    ck_assert_int_eq(size, code == T07(ERR_VERS) ? 28 : 20);
    ck_assert_int_eq(rpcrdma_error_encode(answer, (size_t)size - 1, message), RPCRDMA_XDR_E_SPACE);
    memset(message, 0xa5, sizeof *message);
    ck_assert_int_eq(
        rpcrdma2_receive(message, row->draft, answer, (size_t)size, RPCRDMA_REQUESTER, NULL), size);
    ck_assert_int_eq(message->kind, RPCRDMA_KIND_ERROR);
    ck_assert_uint_eq(message->error.code, code);
    ck_assert_uint_eq(message->prefix.xid, row->words[0]);
    ck_assert_uint_eq(message->prefix.version, row->words[1]);
    ck_assert_uint_eq(message->prefix.credit, 7);
    if (code != T07(ERR_VERS))
        return;
    ck_assert(message->error.value[0] == 2 && message->error.value[1] == 2);
    message->error.value[1] = 3;
    ck_assert_int_eq(rpcrdma_error_encode(answer, sizeof answer, message), size);
    ck_assert_uint_eq(rpcrdma_xdr_load32(answer + size - 8), 2);
    ck_assert_uint_eq(rpcrdma_xdr_load32(answer + size - 4), 3);
}

START_TEST(each_row)
{
    const struct row *row = &rows[_i];
    uint8_t wire[sizeof row->words];
    struct rpcrdma_message message;
    struct rpcrdma_xdr_error error = {0};
    char path[64];
    for (size_t i = 0; i < sizeof wire / 4; i++)
        rpcrdma_xdr_store32(wire + 4 * i, row->words[i]);
    uint8_t *octets = exact(wire, row->length);
    ck_assert_int_eq(receive(row, octets, &message, NULL), row->result);
    ck_assert_int_eq(receive(row, octets, &message, &error), row->result);
    drop(octets);
    if (row->result >= 0) {
        ck_assert_uint_eq(message.header, (size_t)row->result);
        ck_assert_uint_eq(message.prefix.xid, row->words[0]);
        return;
    }
    ck_assert_str_eq(rpcrdma_xdr_error_name(error.code), rpcrdma_xdr_error_name(row->code));
    ck_assert_uint_eq(error.offset, row->offset);
    rpcrdma_xdr_error_path(&error, path, sizeof path);
    ck_assert_str_eq(path, row->path);
    if (row->result != DISCARD)
        check_error(row, &message);
}
END_TEST

START_TEST(arguments)
{
    struct rpcrdma_message message;
    struct rpcrdma_xdr_error error = {0};
    struct octets send = WORDS(FIXED(T07(CALL_INLINE)), 0, NONE, RPC);
    ck_assert_int_eq(rpcrdma2_receive(&message, D07, NULL, 0, AT_CALL, &error), DISCARD);
    ck_assert_int_eq(error.code, RPCRDMA1_E_RUNT);
    ck_assert_int_eq(
        rpcrdma2_receive(&message, D04, send.at, (size_t)INT32_MAX + 1, AT_CALL, &error), DISCARD);
    ck_assert_int_eq(error.code, RPCRDMA_XDR_E_ARGUMENT);
    for (int other = RPCRDMA_PROTOCOL_AUTO; other <= RPCRDMA_PROTOCOL_1; other++) {
        error.code = 0;
        ck_assert_int_eq(rpcrdma2_receive(&message, (enum rpcrdma_protocol)other, send.at,
                                          send.length, AT_CALL, &error),
                         DISCARD);
        ck_assert_int_eq(error.code, RPCRDMA_XDR_E_ARGUMENT);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("receive2");
    tcase_add_loop_test(tcase, each_row, 0, (int)(sizeof rows / sizeof rows[0]));
    tcase_add_test(tcase, arguments);
    return run_tests("receive2", tcase);
}
