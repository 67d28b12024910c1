// SPDX-License-Identifier: BSD-3-Clause
/* The reference Responder's NFSv4.1: how much of each thing there is room for, and what a client
 * learns of itself, its sessions and its states (RFC 8881 section 18.16, 18.34 to 18.37, 18.46). */
#include "rxe-harness/tests/support/nfs4_stage.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t zeros[16];

static void expect(enum nfs_nfsstat4 status)
{
    call();
    ck_assert_uint_eq(reply.status, status);
}

/* Whether a session is there: by its next Call. */
static void is_there(struct nfs_session *which, bool there)
{
    nfs_begin_in_session(&compound, which, false);
    expect(there ? NFS_NFS4_OK : NFS_NFS4ERR_BADSESSION);
}

/* ---- COMPOUND ---- */

/* Its header as words, without any operation. */
static const struct nfs4_results *header(const char *tag, uint32_t length, uint32_t minor,
                                         uint32_t operations)
{
    static uint8_t octets[4096];
    size_t at = 4 + ((length + 3) & ~3u);
    memset(octets, 0, sizeof octets);
    rpcrdma_xdr_store32(octets, length);
    memcpy(octets + 4, tag, length);
    rpcrdma_xdr_store32(octets + at, minor);
    rpcrdma_xdr_store32(octets + at + 4, operations);
    for (uint32_t i = 0; i < operations; i++)
        rpcrdma_xdr_store32(octets + at + 8 + 4 * i, NFS_OP_PUTROOTFH);
    return nfs4_compound(nfs4, octets, at + 8 + 4 * operations);
}

START_TEST(the_tag_comes_back)
{
    static const char tag[NFS4_OWNER + 1] = "123456789";
    memset(nfs4->results.octets, 0xee, 64);
    for (uint32_t length = 0; length <= 9; length++) {
        const struct nfs4_results *results = header(tag, length, 1, 0);
        uint32_t padded = (length + 3) & ~3u;
        ck_assert_ptr_nonnull(results);
        ck_assert_uint_eq(results->length, 12 + padded);
        ck_assert_uint_eq(rpcrdma_xdr_load32(results->octets), NFS_NFS4_OK);
        ck_assert_uint_eq(rpcrdma_xdr_load32(results->octets + 4), length);
        ck_assert_mem_eq(results->octets + 8, tag, length);
        ck_assert_mem_eq(results->octets + 8 + length, zeros, padded - length);
        ck_assert_uint_eq(rpcrdma_xdr_load32(results->octets + 8 + padded), 0);
    }
    const struct nfs4_results *results = header(tag, NFS4_OWNER, 1, 0);
    ck_assert_ptr_nonnull(results);
    ck_assert_uint_eq(results->length, 12 + NFS4_OWNER);
    ck_assert_ptr_null(header(tag, NFS4_OWNER + 1, 1, 0));
}
END_TEST

START_TEST(a_compound_has_so_many_operations)
{
    const struct nfs4_results *results = header("", 0, 1, 64);
    ck_assert_uint_eq(rpcrdma_xdr_load32(results->octets), NFS_NFS4ERR_OP_NOT_IN_SESSION);
    ck_assert_uint_eq(rpcrdma_xdr_load32(results->octets + 8), 1);
    results = header("", 0, 1, 65);
    ck_assert_uint_eq(rpcrdma_xdr_load32(results->octets), NFS_NFS4ERR_TOO_MANY_OPS);
    ck_assert_uint_eq(rpcrdma_xdr_load32(results->octets + 8), 0);
    ck_assert_uint_eq(results->length, 12);
}
END_TEST

/* ---- clients ---- */

static void exchange(uint32_t length, uint32_t flags, enum nfs_state_protect_how4 how,
                     enum nfs_nfsstat4 status)
{
    static const uint8_t owner[NFS4_OWNER + 1];
    nfs_exchange_id(&compound, "", zeros);
    struct nfs_EXCHANGE_ID4args *args = &compound.operations[0].opexchange_id;
    args->eia_clientowner.co_ownerid = (struct rpcrdma_xdr_opaque){.data = owner, .length = length};
    args->eia_flags = flags;
    args->eia_state_protect.spa_how = how;
    expect(status);
}

START_TEST(a_client_is_told_who_it_is)
{
    exchange(0, 0, NFS_SP4_NONE, NFS_NFS4_OK);
    const struct nfs_EXCHANGE_ID4resok *told = &reply.results[0].opexchange_id.eir_resok4;
    uint64_t id = told->eir_clientid;
    ck_assert_uint_ne(id, 0);
    ck_assert_uint_eq(told->eir_sequenceid, 1);
    ck_assert_uint_eq(told->eir_flags, NFS_EXCHGID4_FLAG_USE_NON_PNFS);
    ck_assert_uint_eq(told->eir_server_owner.so_major_id.length, 13);
    ck_assert_mem_eq(told->eir_server_owner.so_major_id.data, "rpcrdma serve", 13);
    ck_assert_uint_eq(told->eir_server_scope.length, 13);
    exchange(1, 0, NFS_SP4_NONE, NFS_NFS4_OK); /* longer: another one */
    ck_assert_uint_ne(told->eir_clientid, id);
    exchange(NFS4_OWNER, 0, NFS_SP4_NONE, NFS_NFS4_OK);
    exchange(0, 0, NFS_SP4_NONE, NFS_NFS4_OK);
    ck_assert_uint_eq(told->eir_clientid, id);
    exchange(0, 0, NFS_SP4_MACH_CRED, NFS_NFS4ERR_INVAL);
    /* An update is of what is known. */
    exchange(0, NFS_EXCHGID4_FLAG_UPD_CONFIRMED_REC_A, NFS_SP4_NONE, NFS_NFS4_OK);
    exchange(2, NFS_EXCHGID4_FLAG_UPD_CONFIRMED_REC_A, NFS_SP4_NONE, NFS_NFS4ERR_NOENT);
    exchange(2, NFS_EXCHGID4_FLAG_SUPP_MOVED_REFER, NFS_SP4_NONE, NFS_NFS4_OK);
}
END_TEST

static void be_client(int number)
{
    const char owner[2] = {(char)('a' + number)};
    identify(owner, 1);
}

/* The first that came is forgotten for the ninth, with its session and what it has open. */
START_TEST(the_first_client_is_forgotten)
{
    struct nfs_session sessions[NFS4_CLIENTS];
    for (int i = 0; i < NFS4_CLIENTS; i++) {
        be_client(i);
        begin_session(0);
        nfs_begin_in_session(&compound, &session, false);
        nfs_open(&compound, &session, "file");
        expect(NFS_NFS4_OK);
        sessions[i] = session;
    }
    for (int i = 0; i < NFS4_CLIENTS; i++) {
        ck_assert_uint_eq(nfs4->states[i].client, sessions[i].client);
        is_there(&sessions[i], true);
    }
    be_client(NFS4_CLIENTS);
    is_there(&sessions[0], false);
    ck_assert_uint_eq(nfs4->states[0].client, 0);
    for (int i = 1; i < NFS4_CLIENTS; i++) {
        ck_assert_uint_eq(nfs4->states[i].client, sessions[i].client);
        is_there(&sessions[i], true);
    }
    be_client(NFS4_CLIENTS + 1);
    is_there(&sessions[1], false);
    is_there(&sessions[2], true);
    /* A client that leaves makes room. */
    nfs_destroy_session(&compound, &sessions[5]);
    expect(NFS_NFS4_OK);
    nfs_destroy_clientid(&compound, &sessions[5]);
    expect(NFS_NFS4_OK);
    be_client(NFS4_CLIENTS + 2);
    is_there(&sessions[2], true);
}
END_TEST

/* ---- sessions ---- */

START_TEST(the_first_session_is_forgotten)
{
    struct nfs_session sessions[NFS4_SESSIONS + 2];
    begin(0);
    for (int i = 0; i < NFS4_SESSIONS; i++, session.client_sequence++) {
        if (i > 0)
            begin_session(0);
        sessions[i] = session;
    }
    for (int i = 0; i < NFS4_SESSIONS; i++)
        is_there(&sessions[i], true);
    /* One that was ended makes room. */
    nfs_destroy_session(&compound, &sessions[3]);
    expect(NFS_NFS4_OK);
    begin_session(0);
    for (int i = 0; i < NFS4_SESSIONS; i++)
        is_there(&sessions[i], i != 3);
    session.client_sequence++;
    begin_session(0);
    for (int i = 0; i < NFS4_SESSIONS; i++)
        is_there(&sessions[i], i != 3 && i != 0);
}
END_TEST

static const struct nfs_channel_attrs4 *create(const struct nfs_channel_attrs4 *fore,
                                               const struct nfs_channel_attrs4 *back,
                                               enum nfs_nfsstat4 status)
{
    struct nfs_CREATE_SESSION4args *args = &compound.operations[0].opcreate_session;
    nfs_create_session(&compound, &session, 0, 1);
    args->csa_fore_chan_attrs = *fore;
    args->csa_back_chan_attrs = *back;
    expect(status);
    session.client_sequence += status == NFS_NFS4_OK;
    return &reply.results[0].opcreate_session.csr_resok4.csr_fore_chan_attrs;
}

START_TEST(channels_are_what_is_asked_or_less)
{
    static const struct nfs_channel_attrs4 little = {0, 1, 2, 3, 4, 5, {.count = 0}},
                                           much = {9,          UINT32_MAX, UINT32_MAX,  UINT32_MAX,
                                                   UINT32_MAX, UINT32_MAX, {.count = 0}},
                                           none = {0, 1, 2, 3, 4, 0, {.count = 0}};
    identify("one", 1);
    const struct nfs_channel_attrs4 *fore = create(&little, &much, NFS_NFS4_OK);
    const struct nfs_channel_attrs4 *back =
        &reply.results[0].opcreate_session.csr_resok4.csr_back_chan_attrs;
    ck_assert_uint_eq(fore->ca_headerpadsize, 0);
    ck_assert_uint_eq(fore->ca_maxrequestsize, 1);
    ck_assert_uint_eq(fore->ca_maxresponsesize, 2);
    ck_assert_uint_eq(fore->ca_maxresponsesize_cached, 3);
    ck_assert_uint_eq(fore->ca_maxoperations, 4);
    ck_assert_uint_eq(fore->ca_maxrequests, 5);
    ck_assert_uint_eq(back->ca_headerpadsize, 0);
    ck_assert_uint_eq(back->ca_maxrequestsize, 32768);
    ck_assert_uint_eq(back->ca_maxresponsesize, 32768);
    ck_assert_uint_eq(back->ca_maxresponsesize_cached, 2048);
    ck_assert_uint_eq(back->ca_maxoperations, NFS4_OPERATIONS);
    ck_assert_uint_eq(back->ca_maxrequests, 1);
    create(&much, &none, NFS_NFS4_OK);
    ck_assert_uint_eq(fore->ca_maxrequests, 8);
    ck_assert_uint_eq(back->ca_maxrequests, 0);
    create(&none, &little, NFS_NFS4ERR_INVAL);
}
END_TEST

/* Each slot is in order for itself. */
START_TEST(slots_are_apart)
{
    static const struct nfs_channel_attrs4 asked = {0, 4096, 4096, 4096, 3, 100, {.count = 0}};
    identify("one", 1);
    create(&asked, &asked, NFS_NFS4_OK);
    const struct nfs_CREATE_SESSION4resok *made = &reply.results[0].opcreate_session.csr_resok4;
    memcpy(session.id, made->csr_sessionid, 16);
    for (uint32_t sequence = 1; sequence < 4; sequence++) {
        for (uint32_t slot = 0; slot <= NFS4_SLOTS; slot++) {
            session.sequence = sequence - 1;
            nfs_begin_in_session(&compound, &session, false);
            compound.operations[0].opsequence.sa_slotid = slot;
            expect(slot < NFS4_SLOTS ? NFS_NFS4_OK : NFS_NFS4ERR_BADSLOT);
            if (slot == NFS4_SLOTS)
                continue;
            const struct nfs_SEQUENCE4resok *told = &reply.results[0].opsequence.sr_resok4;
            ck_assert_mem_eq(told->sr_sessionid, session.id, 16);
            ck_assert_uint_eq(told->sr_sequenceid, sequence);
            ck_assert_uint_eq(told->sr_slotid, slot);
            ck_assert_uint_eq(told->sr_highest_slotid, NFS4_SLOTS - 1);
            ck_assert_uint_eq(told->sr_target_highest_slotid, NFS4_SLOTS - 1);
            ck_assert_uint_eq(told->sr_status_flags, 0);
        }
    }
    /* Three operations were asked for. */
    nfs_begin_in_session(&compound, &session, false);
    add(NFS_OP_PUTROOTFH);
    expect(NFS_NFS4_OK);
    nfs_begin_in_session(&compound, &session, false);
    add(NFS_OP_PUTROOTFH);
    add(NFS_OP_PUTROOTFH);
    expect(NFS_NFS4ERR_TOO_MANY_OPS);
    ck_assert_uint_eq(reply.count, 1);
}
END_TEST

/* A Call that comes again: as long as its results were short enough, and until the next one. */
START_TEST(short_results_are_kept)
{
    static const uint32_t all[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    begin(0);
    for (unsigned count = 1; count < 8; count++) {
        nfs_begin_in_session(&compound, &session, true);
        for (unsigned i = 0; i < count; i++)
            add(NFS_OP_GETATTR)->opgetattr.attr_request = (nfs_bitmap4){.items = all, .count = 3};
        const struct nfs4_results *results = call();
        ck_assert_uint_eq(reply.status, NFS_NFS4_OK);
        bool kept = results->length <= NFS4_KEPT;
        size_t length = results->length;
        expect(kept ? NFS_NFS4_OK : NFS_NFS4ERR_RETRY_UNCACHED_REP);
        ck_assert_uint_eq(reply.count, kept ? 2 + count : 1);
        ck_assert(!kept || nfs4->results.length == length);
    }
    /* What failed is kept, too. */
    nfs_begin_in_session(&compound, &session, true);
    in_session(NFS_OP_LOOKUPP, NFS_NFS4ERR_NOENT);
    expect(NFS_NFS4ERR_NOENT);
    ck_assert_uint_eq(reply.count, 3);
    compound.operations[0].opsequence.sa_sequenceid--;
    expect(NFS_NFS4ERR_SEQ_MISORDERED);
}
END_TEST

START_TEST(results_of_just_so_many_octets_are_kept)
{
    static uint8_t tag[NFS4_OWNER];
    static const uint32_t all[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    begin(0);
    nfs_begin_in_session(&compound, &session, true);
    for (int i = 0; i < 5; i++)
        add(NFS_OP_GETATTR)->opgetattr.attr_request = (nfs_bitmap4){.items = all, .count = 3};
    size_t without = call()->length;
    ck_assert_uint_lt(without, NFS4_KEPT);
    ck_assert_uint_gt(without + NFS4_OWNER, NFS4_KEPT);
    for (int more = 0; more < 2; more++) {
        struct requester_call shape = {.procedure = 0};
        compound.operations[0].opsequence.sa_sequenceid++;
        uint8_t *args = nfs_encode(&compound, &shape), longer[4096];
        uint32_t length = (uint32_t)(NFS4_KEPT - without) + 4 * (uint32_t)more;
        rpcrdma_xdr_store32(longer, length);
        memcpy(longer + 4, tag, length);
        memcpy(longer + 4 + length, args + 4, shape.args_length - 4);
        free(args);
        const struct nfs4_results *results =
            nfs4_compound(nfs4, longer, shape.args_length + length);
        ck_assert_uint_eq(results->length, NFS4_KEPT + 4 * (size_t)more);
        ck_assert_uint_eq(rpcrdma_xdr_load32(results->octets), NFS_NFS4_OK);
        results = nfs4_compound(nfs4, longer, shape.args_length + length);
        ck_assert_uint_eq(rpcrdma_xdr_load32(results->octets),
                          more ? NFS_NFS4ERR_RETRY_UNCACHED_REP : NFS_NFS4_OK);
    }
}
END_TEST

/* ---- the back channel ---- */

static const struct {
    enum nfs_channel_dir_from_client4 asked;
    enum nfs_channel_dir_from_server4 told;
    bool bound;
} directions[] = {{NFS_CDFC4_FORE, NFS_CDFS4_FORE, false},
                  {NFS_CDFC4_BACK, NFS_CDFS4_BOTH, true},
                  {NFS_CDFC4_FORE_OR_BOTH, NFS_CDFS4_BOTH, true},
                  {NFS_CDFC4_BACK_OR_BOTH, NFS_CDFS4_BOTH, true}};

START_TEST(a_connection_is_bound)
{
    struct nfs4_back_channel channel;
    begin(0);
    for (int i = 0; i < 2; i++) { /* by a second time it is what it was, or both */
        compound = (struct nfs_compound){.minor = 1};
        add(NFS_OP_BIND_CONN_TO_SESSION)->opbind_conn_to_session =
            (struct nfs_BIND_CONN_TO_SESSION4args){.bctsa_sessid = session.id,
                                                   .bctsa_dir = i == 0 ? directions[_i].asked
                                                                       : NFS_CDFC4_FORE};
        expect(NFS_NFS4_OK);
        const struct nfs_BIND_CONN_TO_SESSION4resok *told =
            &reply.results[0].opbind_conn_to_session.bctsr_resok4;
        ck_assert_mem_eq(told->bctsr_sessid, session.id, 16);
        ck_assert_int_eq(told->bctsr_dir, i == 0 ? directions[_i].told : NFS_CDFS4_FORE);
        ck_assert(!told->bctsr_use_conn_in_rdma_mode);
        ck_assert_int_eq(nfs4_back_channel(nfs4, &channel), directions[_i].bound);
    }
    compound.operations[0].opbind_conn_to_session.bctsa_sessid = zeros;
    expect(NFS_NFS4ERR_BADSESSION);
}
END_TEST

/* Of two that are bound the later one's. */
START_TEST(the_last_back_channel_is_used)
{
    struct nfs4_back_channel channel;
    begin(NFS_CREATE_SESSION4_FLAG_CONN_BACK_CHAN);
    struct nfs_session first = session;
    identify("two", 1);
    begin_session(NFS_CREATE_SESSION4_FLAG_CONN_BACK_CHAN);
    ck_assert(nfs4_back_channel(nfs4, &channel));
    ck_assert_mem_eq(channel.session, session.id, 16);
    nfs4_back_channel_used(nfs4);
    ck_assert(nfs4_back_channel(nfs4, &channel));
    ck_assert_uint_eq(channel.sequence, 2);
    /* A delegation is for the client that can be called. */
    nfs_begin_in_session(&compound, &first, false);
    nfs_open(&compound, &first, "file");
    expect(NFS_NFS4_OK);
    ck_assert_int_eq(reply.results[2].opopen.resok4.delegation.delegation_type,
                     NFS_OPEN_DELEGATE_NONE);
    nfs_destroy_session(&compound, &session);
    expect(NFS_NFS4_OK);
    ck_assert(nfs4_back_channel(nfs4, &channel));
    ck_assert_mem_eq(channel.session, first.id, 16);
    ck_assert_uint_eq(channel.sequence, 1);
    nfs_destroy_session(&compound, &first);
    expect(NFS_NFS4_OK);
    ck_assert(!nfs4_back_channel(nfs4, &channel));
    nfs4_back_channel_used(nfs4); /* none is there */
}
END_TEST

/* ---- states ---- */

START_TEST(an_open_is_told)
{
    begin(NFS_CREATE_SESSION4_FLAG_CONN_BACK_CHAN);
    nfs_begin_in_session(&compound, &session, false);
    nfs_open(&compound, &session, "file");
    add(NFS_OP_GETFH);
    expect(NFS_NFS4_OK);
    const struct nfs_OPEN4resok *opened = &reply.results[2].opopen.resok4;
    ck_assert_uint_eq(opened->stateid.seqid, 1);
    ck_assert(opened->cinfo.atomic);
    ck_assert_uint_eq(opened->cinfo.before, opened->cinfo.after);
    ck_assert_uint_eq(opened->rflags, NFS_OPEN4_RESULT_LOCKTYPE_POSIX);
    ck_assert_uint_eq(opened->attrset.count, 0);
    const struct nfs_open_read_delegation4 *read = &opened->delegation.read;
    ck_assert_int_eq(opened->delegation.delegation_type, NFS_OPEN_DELEGATE_READ);
    ck_assert_uint_eq(read->stateid.seqid, 1);
    ck_assert_mem_ne(read->stateid.other, opened->stateid.other, 12);
    ck_assert(!read->recall);
    ck_assert_uint_eq(read->permissions.who.length, 9);
    ck_assert_mem_eq(read->permissions.who.data, "EVERYONE@", 9);
    ck_assert_mem_eq(reply.results[3].opgetfh.resok4.object.data, "the file", 8);
    /* The delegation is known of by now, for another operation came. */
    struct nfs4_delegation held;
    ck_assert(nfs4_delegation(nfs4, &held));
    ck_assert_mem_eq(held.other, read->stateid.other, 12);
    ck_assert_mem_eq(held.handle, "the file", 8);
    ck_assert(!held.is_used);
    uint8_t other[12];
    memcpy(other, opened->stateid.other, 12);
    nfs_begin_in_session(&compound, &session, false);
    nfs_lookup(&compound, "file", 4);
    nfs_read(&compound, 0, 1);
    expect(NFS_NFS4_OK);
    ck_assert(nfs4_delegation(nfs4, &held) && held.is_used);
    /* After CLOSE the state is gone: section 18.2.4. */
    nfs_begin_in_session(&compound, &session, false);
    nfs_close(&compound, other);
    expect(NFS_NFS4_OK);
    ck_assert_uint_eq(reply.results[2].opclose.open_stateid.seqid, UINT32_MAX);
    ck_assert_mem_eq(reply.results[2].opclose.open_stateid.other, zeros, 12);
}
END_TEST

/* By the name in the directory, or by the file itself. */
START_TEST(claims_are_of_a_file)
{
    static const struct {
        enum nfs_open_claim_type4 claim;
        bool by_name;
    } claims[] = {{NFS_CLAIM_NULL, true},
                  {NFS_CLAIM_DELEGATE_CUR, true},
                  {NFS_CLAIM_FH, false},
                  {NFS_CLAIM_DELEG_CUR_FH, false}};
    begin(0);
    for (size_t i = 0; i < COUNT(claims); i++) {
        for (int at_file = 0; at_file < 2; at_file++) {
            const nfs_component4 name = {.data = (const uint8_t *)"file", .length = 4};
            struct nfs_open_claim4 claim = {.claim = claims[i].claim};
            if (claims[i].claim == NFS_CLAIM_NULL)
                claim.file = name;
            else if (claims[i].claim == NFS_CLAIM_DELEGATE_CUR)
                claim.delegate_cur_info = (struct nfs_open_claim_delegate_cur4){
                    .delegate_stateid.other = zeros, .file = name};
            else
                claim.oc_delegate_stateid.other = zeros;
            nfs_begin_in_session(&compound, &session, false);
            if (at_file)
                nfs_lookup(&compound, "file", 4);
            nfs_open(&compound, &session, "file");
            compound.operations[compound.count - 1].opopen.claim = claim;
            expect(claims[i].by_name != (bool)at_file ? NFS_NFS4_OK
                   : at_file                          ? NFS_NFS4ERR_NOTDIR
                                                      : NFS_NFS4ERR_ISDIR);
        }
    }
}
END_TEST

/* Then there is none left: NFS4ERR_DELAY, until one is closed. */
START_TEST(so_many_states_are_held)
{
    uint8_t others[NFS4_STATES][12];
    struct nfs_stateid4 stateids[NFS4_STATES + 1];
    begin(0);
    for (int i = 0; i <= NFS4_STATES; i++) {
        nfs_begin_in_session(&compound, &session, false);
        nfs_open(&compound, &session, "file");
        expect(i < NFS4_STATES ? NFS_NFS4_OK : NFS_NFS4ERR_DELAY);
        if (i < NFS4_STATES)
            memcpy(others[i], reply.results[2].opopen.resok4.stateid.other, 12);
        stateids[i] = (struct nfs_stateid4){.other = others[i % NFS4_STATES]};
        for (int j = 0; j < i && i < NFS4_STATES; j++)
            ck_assert_mem_ne(others[i], others[j], 12);
    }
    for (uint32_t count = NFS4_STATES - 1; count <= NFS4_STATES + 1; count++) {
        nfs_begin_in_session(&compound, &session, false);
        add(NFS_OP_TEST_STATEID)->optest_stateid.ts_stateids =
            (struct nfs_stateid4_array){.items = stateids, .count = count};
        expect(count <= NFS4_STATES ? NFS_NFS4_OK : NFS_NFS4ERR_INVAL);
        if (count > NFS4_STATES)
            continue;
        struct rpcrdma_xdr_iter iter =
            nfs_nfsstat4_array_iter(&reply.results[2].optest_stateid.tsr_resok4.tsr_status_codes);
        enum nfs_nfsstat4 status;
        uint32_t good = 0;
        while (nfs_nfsstat4_array_next(&iter, &status))
            good += status == NFS_NFS4_OK;
        ck_assert_uint_eq(good, count);
    }
    /* Another client has no part in them. */
    struct nfs_session first = session;
    identify("two", 1);
    begin_session(0);
    nfs_begin_in_session(&compound, &session, false);
    nfs_close(&compound, others[0]);
    expect(NFS_NFS4ERR_BAD_STATEID);
    nfs_begin_in_session(&compound, &first, false);
    nfs_close(&compound, others[NFS4_STATES - 1]);
    expect(NFS_NFS4_OK);
    nfs_begin_in_session(&compound, &session, false);
    nfs_open(&compound, &session, "file");
    expect(NFS_NFS4_OK);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("nfs4-limits");
    tcase_add_checked_fixture(tests, nfs4_stage_setup, nfs4_stage_teardown);
    tcase_add_test(tests, the_tag_comes_back);
    tcase_add_test(tests, a_compound_has_so_many_operations);
    tcase_add_test(tests, a_client_is_told_who_it_is);
    tcase_add_test(tests, the_first_client_is_forgotten);
    tcase_add_test(tests, the_first_session_is_forgotten);
    tcase_add_test(tests, channels_are_what_is_asked_or_less);
    tcase_add_test(tests, slots_are_apart);
    tcase_add_test(tests, short_results_are_kept);
    tcase_add_test(tests, results_of_just_so_many_octets_are_kept);
    tcase_add_loop_test(tests, a_connection_is_bound, 0, COUNT(directions));
    tcase_add_test(tests, the_last_back_channel_is_used);
    tcase_add_test(tests, an_open_is_told);
    tcase_add_test(tests, claims_are_of_a_file);
    tcase_add_test(tests, so_many_states_are_held);
    return run_tests("nfs4-limits", tests);
}
