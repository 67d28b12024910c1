// SPDX-License-Identifier: BSD-3-Clause
/*
 * RPC headers against libtirpc's own codec for them: random Calls and Replies give the same octets
 * and the same values, in both directions.
 *
 * ORACLE_MESSAGES (default 1,000,000) says how many, ORACLE_SEED where to begin.
 */
#include <rpcrdma/rpc_header.h>

#include "codec/tests/support/shape.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 1024

static uint64_t seed, begun;

/* Compared without Check's assertions: they are slow. */
#define SAME(a, b)                                                                                 \
    do {                                                                                           \
        if ((a) != (b))                                                                            \
            ck_abort_msg("seed 0x%" PRIx64 ": %s is not %s", begun, #a, #b);                       \
    } while (0)

/* A message as both codecs take it. */
struct message {
    struct rpcrdma_rpc_msg own;
    struct rpc_msg theirs;
    uint8_t cred[RPCRDMA_RPC_AUTH_BODY_MAX], verf[RPCRDMA_RPC_AUTH_BODY_MAX];
};

static uint32_t word(void)
{
    return (uint32_t)(shape_random(&seed) >> 16);
}

/* Results are the program's; here there are none. */
static bool_t no_results(XDR *xdr, ...)
{
    return TRUE;
}

static void make_auth(uint8_t *body, struct rpcrdma_rpc_opaque_auth *own,
                      struct opaque_auth *theirs)
{
    uint32_t kind = word() % 8;
    uint32_t length = kind == 0  ? RPCRDMA_RPC_AUTH_BODY_MAX - word() % 5
                      : kind < 3 ? 0
                                 : word() % 48;
    for (uint32_t i = 0; i < length; i++)
        body[i] = (uint8_t)word();
    uint32_t flavor = word() % 8;
    *own = (struct rpcrdma_rpc_opaque_auth){flavor, {body, length}};
    *theirs = (struct opaque_auth){(enum_t)flavor, (caddr_t)body, length};
}

static void make_call(struct message *m)
{
    struct rpcrdma_rpc_call_body *own = &m->own.body.cbody;
    struct call_body *theirs = &m->theirs.rm_call;
    own->rpcvers = RPCRDMA_RPC_VERS;
    own->prog = word();
    own->vers = word();
    own->proc = word();
    theirs->cb_rpcvers = own->rpcvers;
    theirs->cb_prog = own->prog;
    theirs->cb_vers = own->vers;
    theirs->cb_proc = own->proc;
    make_auth(m->cred, &own->cred, &theirs->cb_cred);
    make_auth(m->verf, &own->verf, &theirs->cb_verf);
}

static void make_accepted(struct message *m)
{
    struct rpcrdma_rpc_accepted_reply *own = &m->own.body.rbody.areply;
    struct accepted_reply *theirs = &m->theirs.acpted_rply;
    make_auth(m->verf, &own->verf, &theirs->ar_verf);
    own->reply_data.stat = (enum rpcrdma_rpc_accept_stat)(word() % 6);
    theirs->ar_stat = (enum accept_stat)own->reply_data.stat;
    if (own->reply_data.stat == RPCRDMA_RPC_PROG_MISMATCH) {
        own->reply_data.mismatch_info.low = word();
        own->reply_data.mismatch_info.high = word();
        theirs->ar_vers.low = own->reply_data.mismatch_info.low;
        theirs->ar_vers.high = own->reply_data.mismatch_info.high;
    } else {
        theirs->ar_results.proc = no_results;
    }
}

static void make_rejected(struct message *m)
{
    struct rpcrdma_rpc_rejected_reply *own = &m->own.body.rbody.rreply;
    struct rejected_reply *theirs = &m->theirs.rjcted_rply;
    own->stat = (enum rpcrdma_rpc_reject_stat)(word() % 2);
    theirs->rj_stat = (enum reject_stat)own->stat;
    if (own->stat == RPCRDMA_RPC_MISMATCH) {
        own->mismatch_info.low = word();
        own->mismatch_info.high = word();
        theirs->rj_vers.low = own->mismatch_info.low;
        theirs->rj_vers.high = own->mismatch_info.high;
    } else {
        own->why = (enum rpcrdma_rpc_auth_stat)(word() % 19);
        theirs->rj_why = (enum auth_stat)own->why;
    }
}

static void make(struct message *m)
{
    memset(m, 0, sizeof *m);
    m->own.xid = m->theirs.rm_xid = word();
    m->own.body.mtype = (enum rpcrdma_rpc_msg_type)(word() % 2);
    m->theirs.rm_direction = (enum msg_type)m->own.body.mtype;
    if (m->own.body.mtype == RPCRDMA_RPC_CALL) {
        make_call(m);
        return;
    }
    m->own.body.rbody.stat = (enum rpcrdma_rpc_reply_stat)(word() % 2);
    m->theirs.rm_reply.rp_stat = (enum reply_stat)m->own.body.rbody.stat;
    if (m->own.body.rbody.stat == RPCRDMA_RPC_MSG_ACCEPTED)
        make_accepted(m);
    else
        make_rejected(m);
}

static bool_t code(XDR *xdr, struct rpc_msg *theirs)
{
    return theirs->rm_direction == CALL ? xdr_callmsg(xdr, theirs) : xdr_replymsg(xdr, theirs);
}

/* Theirs reads the octets and writes them back as they were. */
static void read_by_theirs(const struct message *m, uint8_t *octets, size_t length)
{
    static uint8_t cred[MAX_AUTH_BYTES], verf[MAX_AUTH_BYTES], again[ROOM];
    struct rpc_msg read;
    XDR xdr;
    memset(&read, 0, sizeof read);
    read.rm_direction = m->theirs.rm_direction; /* says which arm; decoded all the same */
    if (read.rm_direction == CALL) {
        read.rm_call.cb_cred.oa_base = (caddr_t)cred;
        read.rm_call.cb_verf.oa_base = (caddr_t)verf;
    } else {
        read.acpted_rply.ar_verf.oa_base = (caddr_t)verf;
        read.acpted_rply.ar_results.proc = no_results;
    }
    xdrmem_create(&xdr, (char *)octets, (u_int)length, XDR_DECODE);
    SAME(code(&xdr, &read), TRUE);
    SAME(xdr_getpos(&xdr), length);
    memset(again, 0, sizeof again);
    xdrmem_create(&xdr, (char *)again, ROOM, XDR_ENCODE);
    SAME(code(&xdr, &read), TRUE);
    SAME(memcmp(again, octets, length), 0);
}

static void compare_flat(const struct message *m, const struct rpcrdma_rpc_header *flat)
{
    SAME(flat->xid, m->own.xid);
    SAME(flat->is_reply, m->theirs.rm_direction == REPLY);
    if (!flat->is_reply) {
        SAME(flat->rpcvers, m->theirs.rm_call.cb_rpcvers);
        SAME(flat->prog, m->theirs.rm_call.cb_prog);
        SAME(flat->vers, m->theirs.rm_call.cb_vers);
        SAME(flat->proc, m->theirs.rm_call.cb_proc);
        SAME(flat->cred_flavor, (uint32_t)m->theirs.rm_call.cb_cred.oa_flavor);
        SAME(flat->verf_flavor, (uint32_t)m->theirs.rm_call.cb_verf.oa_flavor);
        SAME(flat->has_gss + flat->gss_malformed, flat->cred_flavor == RPCRDMA_RPC_GSS);
        return;
    }
    SAME(flat->accepted, m->theirs.rm_reply.rp_stat == MSG_ACCEPTED);
    if (flat->accepted) {
        SAME(flat->verf_flavor, (uint32_t)m->theirs.acpted_rply.ar_verf.oa_flavor);
        SAME(flat->accept_stat, (uint32_t)m->theirs.acpted_rply.ar_stat);
    } else {
        SAME(flat->reject_stat, (uint32_t)m->theirs.rjcted_rply.rj_stat);
    }
}

static void one(struct message *m)
{
    static uint8_t own[ROOM], theirs[ROOM];
    struct rpcrdma_rpc_msg decoded;
    struct rpcrdma_rpc_header flat;
    XDR xdr;
    memset(theirs, 0, sizeof theirs); /* xdr_callmsg leaves the padding as it finds it */
    xdrmem_create(&xdr, (char *)theirs, ROOM, XDR_ENCODE);
    SAME(code(&xdr, &m->theirs), TRUE);
    ptrdiff_t length = (ptrdiff_t)xdr_getpos(&xdr);
    SAME(rpcrdma_rpc_msg_size(&m->own, NULL), length);
    SAME(rpcrdma_rpc_msg_encode(own, (size_t)length, &m->own, NULL), length);
    SAME(memcmp(own, theirs, (size_t)length), 0);

    SAME(rpcrdma_rpc_msg_decode(&decoded, theirs, (size_t)length + 4, NULL, NULL), length);
    memset(own, 0xee, (size_t)length);
    SAME(rpcrdma_rpc_msg_encode(own, (size_t)length, &decoded, NULL), length);
    SAME(memcmp(own, theirs, (size_t)length), 0);
    SAME(rpcrdma_rpc_header_decode(&flat, theirs, (size_t)length + 4, NULL), length);
    compare_flat(m, &flat);
    read_by_theirs(m, own, (size_t)length);
}

static uint64_t number_from(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

START_TEST(same_octets_and_values)
{
    static struct message m;
    uint64_t count = number_from("ORACLE_MESSAGES", 1000000);
    seed = number_from("ORACLE_SEED", 0x5531);
    for (uint64_t i = 0; i < count; i++) {
        begun = seed;
        make(&m);
        one(&m);
    }
    printf("%" PRIu64 " messages\n", count);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("libtirpc");
    tcase_set_timeout(all, 600);
    tcase_add_test(all, same_octets_and_values);
    return run_tests("rpc_oracle", all);
}
