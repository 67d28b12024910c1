// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/nfs4_stage.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

struct nfs4 *nfs4;
struct nfs_session session;
struct nfs_compound compound;

struct nfs4_reply reply;

static void begin_stage(bool is_writable)
{
    nfs4 = nfs4_new(is_writable);
    session = (struct nfs_session){.client = 0};
}

void nfs4_stage_setup(void)
{
    begin_stage(false);
}

void nfs4_stage_setup_writable(void)
{
    begin_stage(true);
}

void nfs4_stage_teardown(void)
{
    nfs4_free(nfs4);
}

/* The results without the items, whose count words are missing then. */
static void read_results(const struct nfs4_results *results)
{
    static uint8_t octets[NFS4_RESULTS + 4 * NFS4_ITEMS];
    size_t at = 12, length = results->length;
    memcpy(octets, results->octets, length);
    for (unsigned i = results->item_count; i > 0; i--) {
        uint8_t *item = octets + results->items[i - 1].at;
        memmove(item + 4, item, length - results->items[i - 1].at);
        memset(item, 0, 4);
        length += 4;
    }
    reply.status = rpcrdma_xdr_load32(octets);
    ck_assert_uint_eq(rpcrdma_xdr_load32(octets + 4), 0); /* the tag */
    reply.count = rpcrdma_xdr_load32(octets + 8);
    ck_assert_uint_le(reply.count, REPLY_RESULTS);
    for (unsigned i = 0; i < reply.count; i++) {
        ptrdiff_t end = nfs_resop4_decode(&reply.results[i], octets + at, length - at, NULL, NULL);
        ck_assert_int_gt(end, 0);
        at += (size_t)end;
    }
    ck_assert_uint_eq(at, length);
}

const struct nfs4_results *call(void)
{
    struct requester_call shape = {.procedure = 0};
    uint8_t *args = nfs_encode(&compound, &shape);
    ck_assert_ptr_nonnull(args);
    const struct nfs4_results *results = nfs4_compound(nfs4, args, shape.args_length);
    ck_assert_ptr_nonnull(results);
    free(args);
    read_results(results);
    return results;
}

struct nfs_argop4 *add(enum nfs_opnum4 operation)
{
    struct nfs_argop4 *place = &compound.operations[compound.count++];
    *place = (struct nfs_argop4){.argop = operation};
    return place;
}

void identify(const char *owner, uint8_t boot)
{
    const uint8_t verifier[8] = {boot};
    nfs_exchange_id(&compound, owner, verifier);
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4_OK);
    session.client = reply.results[0].opexchange_id.eir_resok4.eir_clientid;
    session.client_sequence = reply.results[0].opexchange_id.eir_resok4.eir_sequenceid;
}

void begin_session(uint32_t flags)
{
    nfs_create_session(&compound, &session, flags, 0x40000000);
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4_OK);
    const struct nfs_CREATE_SESSION4resok *made = &reply.results[0].opcreate_session.csr_resok4;
    memcpy(session.id, made->csr_sessionid, sizeof session.id);
    session.flags = made->csr_flags;
    session.sequence = 0;
}

void begin(uint32_t flags)
{
    identify("one", 1);
    begin_session(flags);
}

/* SEQUENCE and PUTROOTFH, one operation, and its status. */
void in_session(enum nfs_opnum4 operation, enum nfs_nfsstat4 status)
{
    add(operation);
    call();
    ck_assert_msg(reply.status == status, "operation %u: status %u", operation, reply.status);
}
