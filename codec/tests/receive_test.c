// SPDX-License-Identifier: BSD-3-Clause
/* A receiver in one call: what it does with each Send, why, and where the reason is. */
#include <rpcrdma/rpcrdma.h>

#include "codec/tests/support/octets.h"
#include "codec/tests/support/run_suite.h"

#define FIXED(proc) 0x11223344, 1, 32, proc
#define NONE 0, 0, 0
#define XID 0x11223344
#define HLOO 0xa1, 0x1000, 0x1, 0x2
#define EMPTY 0xa1, 0, 0x1, 0x2
#define READ(position) 1, position, HLOO

#define CALL RPCRDMA_RESPONDER
#define REPLY RPCRDMA_REQUESTER
#define NEITHER ((enum rpcrdma_role)2)
enum { DISCARD = RPCRDMA1_DISCARD, VERS = RPCRDMA1_SEND_ERR_VERS, CHUNK = RPCRDMA1_SEND_ERR_CHUNK };
enum {
    RUNT = RPCRDMA1_E_RUNT,
    VERSION = RPCRDMA1_E_VERSION,
    IS_ERROR = RPCRDMA1_E_ERROR,
    PROCEDURE = RPCRDMA1_E_PROCEDURE,
    POSITION = RPCRDMA1_E_POSITION,
    ZERO = RPCRDMA1_E_POSITION_ZERO,
    READ_LIST = RPCRDMA1_E_READ_LIST,
    REPLY_CHUNK = RPCRDMA1_E_REPLY_CHUNK,
    NO_MESSAGE = RPCRDMA1_E_NO_MESSAGE,
};

#define SEND(...) .words = {__VA_ARGS__}, .length = sizeof((uint32_t[]){__VA_ARGS__})

static const struct row {
    enum rpcrdma_role receiver;
    ptrdiff_t result;
    int code;
    uint32_t offset;
    const char *path;
    size_t length; /* octets */
    uint32_t words[32];
} rows[] = {
    /* What is taken. */
    {CALL, 28, SEND(FIXED(0), NONE, XID)},
    {REPLY, 28, SEND(FIXED(0), NONE, XID)},
    {CALL, 52, SEND(FIXED(0), READ(40), 0, 0, 0, XID)},
    {CALL, 52, SEND(FIXED(1), READ(0), 0, 0, 0)},
    {CALL, 76, SEND(FIXED(1), 1, 0, EMPTY, READ(0), 0, 0, 0)},
    {REPLY, 48, SEND(FIXED(1), 0, 0, 1, 1, HLOO)},
    {REPLY, 48, SEND(FIXED(0), 0, 0, 1, 1, EMPTY, XID)},
    {REPLY, 20, SEND(FIXED(4), 2)},
    {REPLY, 28, SEND(FIXED(4), 1, 1, 1)},
    {REPLY, 28, SEND(XID, 3, 32, 4, 1, 2, 2)}, /* it echoes the version of a Call */

    /* Shorter than 28 octets, whatever else is wrong. */
    {CALL, DISCARD, RUNT, 24, "", SEND(FIXED(0), 0, 0)},
    {CALL, DISCARD, RUNT, 24, "", SEND(XID, 2, 32, 0, 0, 0)},
    {CALL, DISCARD, RUNT, 20, "", SEND(FIXED(4), 2)},
    {CALL, DISCARD, RUNT, 4, "", SEND(XID)},
    {REPLY, DISCARD, RUNT, 24, "", SEND(FIXED(0), 0, 0)},
    {REPLY, DISCARD, RUNT, 12, "", SEND(XID, 1, 32)},
    {REPLY, DISCARD, RPCRDMA_XDR_E_TRUNCATED, 16, "err", SEND(FIXED(4))},
    {REPLY, DISCARD, RPCRDMA_XDR_E_TRUNCATED, 24, "rdma_vers_high", SEND(FIXED(4), 1, 1)},

    /* An RDMA_ERROR before the version, the version before all else. */
    {CALL, DISCARD, IS_ERROR, 12, "proc", SEND(XID, 2, 32, 4, 1, 1, 1)},
    {CALL, DISCARD, IS_ERROR, 12, "proc", SEND(FIXED(4), 2, 0, 0)},
    {CALL, VERS, VERSION, 4, "rdma_vers", SEND(XID, 2, 32, 0, NONE, XID)},
    {CALL, VERS, VERSION, 4, "rdma_vers", SEND(XID, 0, 32, 9, 7, 7, 7)},
    {CALL, VERS, VERSION, 4, "rdma_vers", SEND(XID, 2, 32, 3, NONE)},
    {REPLY, DISCARD, VERSION, 4, "rdma_vers", SEND(XID, 2, 32, 0, NONE, XID)},

    /* Who is neither receives as a Responder. */
    {NEITHER, DISCARD, IS_ERROR, 12, "proc", SEND(FIXED(4), 1, 1, 1)},
    {NEITHER, CHUNK, NO_MESSAGE, 16, "rdma_reads", SEND(FIXED(1), NONE)},
    {NEITHER, 28, SEND(FIXED(0), NONE, XID)},

    /* Procedures. */
    {CALL, DISCARD, PROCEDURE, 12, "proc", SEND(FIXED(3), NONE)},
    {CALL, CHUNK, PROCEDURE, 12, "proc", SEND(FIXED(2), 0, 0, NONE, XID)},
    {CALL, CHUNK, PROCEDURE, 12, "proc", SEND(FIXED(2), 0, 0, 7)},
    {CALL, CHUNK, RPCRDMA_XDR_E_ENUM, 12, "proc", SEND(FIXED(5), NONE)},
    {REPLY, DISCARD, PROCEDURE, 12, "proc", SEND(FIXED(3), NONE)},
    {REPLY, DISCARD, PROCEDURE, 12, "proc", SEND(FIXED(2), 0, 0, NONE, XID)},

    /* The XDR. */
    {CALL, CHUNK, RPCRDMA_XDR_E_PRESENCE, 20, "rdma_writes[0]", SEND(FIXED(0), 0, 2, 0, XID)},
    {REPLY, DISCARD, RPCRDMA_XDR_E_PRESENCE, 20, "rdma_writes[0]", SEND(FIXED(0), 0, 2, 0, XID)},

    /* No message to its receiver. */
    {CALL, CHUNK, POSITION, 44, "rdma_reads[1].position",
     SEND(FIXED(0), READ(40), READ(41), 0, 0, 0, XID)},
    {CALL, CHUNK, POSITION, 20, "rdma_reads[0].position", SEND(FIXED(1), READ(2), 0, 0, 0)},
    {CALL, CHUNK, ZERO, 44, "rdma_reads[1].position",
     SEND(FIXED(0), READ(40), READ(0), 0, 0, 0, XID)},
    {CALL, CHUNK, ZERO, 20, "rdma_reads[0].position",
     SEND(FIXED(0), READ(0), READ(0), 0, 0, 0, XID)},
    {CALL, CHUNK, NO_MESSAGE, 28, "", SEND(FIXED(0), NONE)},
    {CALL, CHUNK, NO_MESSAGE, 52, "", SEND(FIXED(0), READ(40), 0, 0, 0)},
    {CALL, CHUNK, NO_MESSAGE, 16, "rdma_reads", SEND(FIXED(1), NONE)},
    {CALL, CHUNK, NO_MESSAGE, 16, "rdma_reads", SEND(FIXED(1), READ(4), 0, 0, 0)},
    {CALL, CHUNK, NO_MESSAGE, 16, "rdma_reads", SEND(FIXED(1), 1, 0, EMPTY, 0, 0, 0)},
    {REPLY, DISCARD, READ_LIST, 16, "rdma_reads", SEND(FIXED(0), READ(40), 0, 0, 0, XID)},
    {REPLY, DISCARD, READ_LIST, 16, "rdma_reads", SEND(FIXED(1), READ(0), 0, 0, 1, 1, HLOO)},
    {REPLY, DISCARD, REPLY_CHUNK, 36, "rdma_reply.target[0].length",
     SEND(FIXED(0), 0, 0, 1, 1, HLOO, XID)},
    {REPLY, DISCARD, REPLY_CHUNK, 52, "rdma_reply.target[1].length",
     SEND(FIXED(0), 0, 0, 1, 3, EMPTY, HLOO, EMPTY, XID)},
    {REPLY, DISCARD, NO_MESSAGE, 28, "", SEND(FIXED(0), NONE)},
    {REPLY, DISCARD, NO_MESSAGE, 24, "rdma_reply", SEND(FIXED(1), NONE)},
    {REPLY, DISCARD, NO_MESSAGE, 24, "rdma_reply", SEND(FIXED(1), 0, 0, 1, 0)},
    {REPLY, DISCARD, NO_MESSAGE, 24, "rdma_reply", SEND(FIXED(1), 0, 0, 1, 1, EMPTY)},
};

static ptrdiff_t receive(const struct row *row, const uint8_t *octets,
                         struct rpcrdma1_header *header, struct rpcrdma_xdr_error *error)
{
    memset(header, 0xa5, sizeof *header);
    return rpcrdma1_receive(header, octets, row->length, row->receiver, NULL, error);
}

START_TEST(each_row)
{
    const struct row *row = &rows[_i];
    uint8_t wire[sizeof row->words];
    struct rpcrdma1_header header;
    struct rpcrdma_xdr_error error = {0};
    char path[64];
    for (size_t i = 0; i < sizeof wire / 4; i++)
        rpcrdma_xdr_store32(wire + 4 * i, row->words[i]);
    uint8_t *octets = exact(wire, row->length);
    ck_assert_int_eq(receive(row, octets, &header, NULL), row->result);
    ck_assert_int_eq(receive(row, octets, &header, &error), row->result);
    if (row->result < 0) {
        ck_assert_str_eq(rpcrdma_xdr_error_name(error.code), rpcrdma_xdr_error_name(row->code));
        ck_assert_uint_eq(error.offset, row->offset);
        rpcrdma_xdr_error_path(&error, path, sizeof path);
        ck_assert_str_eq(path, row->path);
    }
    drop(octets);
}
END_TEST

/* What is to be sent is in the header: its octets are those of an RDMA_ERROR of section 4.5. */
START_TEST(errors_to_send)
{
    static const struct {
        uint32_t version, words[7];
        size_t length;
    } errors[] = {{2, {XID, 2, 7, 4, 1, 1, 1}, 28}, {1, {XID, 1, 7, 4, 2}, 20}};
    struct octets send = WORDS(XID, errors[_i].version, 32, 0, 2, 0, 0);
    struct rpcrdma1_header header;
    uint8_t answer[28], wanted[28];
    ck_assert_int_lt(rpcrdma1_receive(&header, send.at, send.length, RPCRDMA_RESPONDER, NULL, NULL),
                     RPCRDMA1_DISCARD);
    header.rdma_credit = 7;
    ck_assert_int_eq(rpcrdma1_header_encode(answer, sizeof answer, &header, NULL),
                     (ptrdiff_t)errors[_i].length);
    for (size_t i = 0; i < errors[_i].length / 4; i++)
        rpcrdma_xdr_store32(wanted + 4 * i, errors[_i].words[i]);
    ck_assert_mem_eq(answer, wanted, errors[_i].length);
    ck_assert_int_eq(
        rpcrdma1_receive(&header, answer, errors[_i].length, RPCRDMA_REQUESTER, NULL, NULL),
        (ptrdiff_t)errors[_i].length);
}
END_TEST

START_TEST(limits_and_arguments)
{
    struct rpcrdma1_header header;
    struct rpcrdma_xdr_error error;
    struct rpcrdma1_limits limits = {.read_list = 1};
    struct octets send = WORDS(FIXED(0), READ(40), READ(44), 0, 0, 0, XID);
    ck_assert_int_eq(
        rpcrdma1_receive(&header, send.at, send.length, RPCRDMA_RESPONDER, &limits, &error), CHUNK);
    ck_assert_int_eq(error.code, RPCRDMA_XDR_E_LIMIT);
    limits.read_list = 2;
    ck_assert_int_eq(
        rpcrdma1_receive(&header, send.at, send.length, RPCRDMA_RESPONDER, &limits, &error), 76);
    ck_assert_int_eq(
        rpcrdma1_receive(&header, send.at, (size_t)INT32_MAX + 1, RPCRDMA_RESPONDER, NULL, &error),
        DISCARD);
    ck_assert_int_eq(error.code, RPCRDMA_XDR_E_ARGUMENT);
    ck_assert_int_eq(rpcrdma1_receive(&header, NULL, 0, RPCRDMA_RESPONDER, NULL, &error), DISCARD);
    ck_assert_int_eq(error.code, RUNT);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("receive");
    tcase_add_loop_test(tcase, each_row, 0, (int)(sizeof rows / sizeof rows[0]));
    tcase_add_loop_test(tcase, errors_to_send, 0, 2);
    tcase_add_test(tcase, limits_and_arguments);
    return run_tests("receive", tcase);
}
