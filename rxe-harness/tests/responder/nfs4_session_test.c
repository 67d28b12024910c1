// SPDX-License-Identifier: BSD-3-Clause
/* The reference Responder's NFSv4.1: clients, sessions, slots, back channels. */
#include "rxe-harness/tests/support/nfs4_stage.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

START_TEST(a_slot_takes_the_next_call_only)
{
    static const struct {
        uint32_t sequence, slot;
        enum nfs_nfsstat4 status;
    } calls[] = {{1, 0, NFS_NFS4_OK},
                 {2, 0, NFS_NFS4_OK},
                 {4, 0, NFS_NFS4ERR_SEQ_MISORDERED},
                 {1, 0, NFS_NFS4ERR_SEQ_MISORDERED},
                 {3, 0, NFS_NFS4_OK},
                 {1, 7, NFS_NFS4ERR_BADSLOT}, /* one was asked for */
                 {4, 0, NFS_NFS4_OK}};
    begin(0);
    for (size_t i = 0; i < COUNT(calls); i++) {
        session.sequence = calls[i].sequence - 1;
        nfs_begin_in_session(&compound, &session, true);
        compound.operations[0].opsequence.sa_slotid = calls[i].slot;
        call();
        ck_assert_msg(reply.status == calls[i].status, "Call %zu: status %u", i, reply.status);
        ck_assert_uint_eq(reply.count, reply.status == NFS_NFS4_OK ? 2 : 1);
    }
}
END_TEST

START_TEST(the_same_call_again_has_the_same_results)
{
    begin(NFS_CREATE_SESSION4_FLAG_CONN_BACK_CHAN);
    nfs_begin_in_session(&compound, &session, true);
    nfs_open(&compound, &session, "file");
    const struct nfs4_results *results = call();
    uint8_t octets[NFS4_KEPT];
    size_t length = results->length;
    memcpy(octets, results->octets, length);
    results = call();
    ck_assert_uint_eq(results->length, length);
    ck_assert_int_eq(memcmp(results->octets, octets, length), 0);
    /* Nothing was opened twice. */
    unsigned held = 0;
    for (int i = 0; i < NFS4_STATES; i++)
        held += nfs4->states[i].client != 0;
    ck_assert_uint_eq(held, 2);
}
END_TEST

/* Data of a file are not kept. */
START_TEST(results_with_data_are_not_kept)
{
    begin(0);
    nfs_begin_in_session(&compound, &session, true);
    nfs_lookup(&compound, "file", 4);
    nfs_read(&compound, 0, 100);
    const struct nfs4_results *results = call();
    ck_assert_uint_eq(reply.status, NFS_NFS4_OK);
    ck_assert_uint_eq(results->item_count, 1);
    ck_assert_uint_eq(results->items[0].length, 100);
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4ERR_RETRY_UNCACHED_REP);
}
END_TEST

START_TEST(who_has_no_session_does_little)
{
    const uint8_t verifier[8] = {0};
    compound = (struct nfs_compound){.minor = 1};
    in_session(NFS_OP_PUTROOTFH, NFS_NFS4ERR_OP_NOT_IN_SESSION);
    nfs_exchange_id(&compound, "one", verifier);
    in_session(NFS_OP_PUTROOTFH, NFS_NFS4ERR_NOT_ONLY_OP);
    nfs_begin_in_session(&compound, &session, false);
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4ERR_BADSESSION);
    nfs_destroy_session(&compound, &session);
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4ERR_BADSESSION);
    nfs_destroy_clientid(&compound, &session);
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4ERR_STALE_CLIENTID);
    nfs_create_session(&compound, &session, 0, 1);
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4ERR_STALE_CLIENTID);
}
END_TEST

static const struct {
    uint32_t minor, status;
} minors[] = {{0, NFS_NFS4ERR_MINOR_VERS_MISMATCH},
              {1, NFS_NFS4_OK},
              {2, NFS_NFS4_OK},
              {3, NFS_NFS4ERR_MINOR_VERS_MISMATCH}};

START_TEST(minor_versions_with_sessions_are_taken)
{
    const uint8_t verifier[8] = {0};
    nfs_exchange_id(&compound, "one", verifier);
    compound.minor = minors[_i].minor;
    call();
    ck_assert_uint_eq(reply.status, minors[_i].status);
    ck_assert_uint_eq(reply.count, reply.status == NFS_NFS4_OK);
}
END_TEST

START_TEST(a_client_is_known_again)
{
    identify("one", 1);
    uint64_t first = session.client;
    identify("two", 1);
    ck_assert_uint_ne(session.client, first);
    identify("one", 1);
    ck_assert_uint_eq(session.client, first);
    ck_assert_uint_eq(
        reply.results[0].opexchange_id.eir_resok4.eir_flags & NFS_EXCHGID4_FLAG_CONFIRMED_R, 0);
    begin_session(0);
    identify("one", 1);
    ck_assert_uint_eq(session.client, first);
    ck_assert_uint_eq(session.client_sequence, 2);
    ck_assert(reply.results[0].opexchange_id.eir_resok4.eir_flags & NFS_EXCHGID4_FLAG_CONFIRMED_R);
    /* After a reboot its session is gone. */
    identify("one", 2);
    ck_assert_uint_ne(session.client, first);
    nfs_begin_in_session(&compound, &session, false);
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4ERR_BADSESSION);
}
END_TEST

/* Of more clients than there are places those that came first are forgotten. */
START_TEST(places_are_not_used_up)
{
    for (uint8_t i = 0; i < 3 * NFS4_CLIENTS; i++) {
        const char owner[2] = {(char)('a' + i)};
        identify(owner, 1);
        begin_session(0);
        nfs_begin_in_session(&compound, &session, false);
        call();
        ck_assert_uint_eq(reply.status, NFS_NFS4_OK);
    }
}
END_TEST

START_TEST(create_session_is_in_order)
{
    begin(0);
    struct nfs_session again = session;
    nfs_create_session(&compound, &again, 0, 1);
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4_OK); /* the same Call, the same session */
    ck_assert_int_eq(
        memcmp(reply.results[0].opcreate_session.csr_resok4.csr_sessionid, session.id, 16), 0);
    again.client_sequence += 2;
    nfs_create_session(&compound, &again, 0, 1);
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4ERR_SEQ_MISORDERED);
    again.client_sequence--;
    nfs_create_session(&compound, &again, 0, 1);
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4_OK);
    ck_assert_int_ne(
        memcmp(reply.results[0].opcreate_session.csr_resok4.csr_sessionid, session.id, 16), 0);
}
END_TEST

START_TEST(what_is_asked_is_bounded)
{
    identify("one", 1);
    nfs_create_session(&compound, &session, 0, 1);
    struct nfs_channel_attrs4 *fore = &compound.operations[0].opcreate_session.csa_fore_chan_attrs;
    fore->ca_maxrequests = 1000;
    fore->ca_maxoperations = 1000;
    fore->ca_maxresponsesize_cached = 1 << 20;
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4_OK);
    const struct nfs_CREATE_SESSION4resok *made = &reply.results[0].opcreate_session.csr_resok4;
    ck_assert_uint_eq(made->csr_fore_chan_attrs.ca_maxrequests, NFS4_SLOTS);
    ck_assert_uint_eq(made->csr_fore_chan_attrs.ca_maxoperations, NFS4_OPERATIONS);
    ck_assert_uint_eq(made->csr_fore_chan_attrs.ca_maxresponsesize_cached, NFS4_KEPT);
    ck_assert_uint_eq(made->csr_back_chan_attrs.ca_maxrequests, 1);
    session.client_sequence++;
    nfs_create_session(&compound, &session, 0, 1);
    fore->ca_maxoperations = 16;
    call();
    memcpy(session.id, made->csr_sessionid, 16);
    nfs_begin_in_session(&compound, &session, false);
    for (int i = 0; i < 15; i++)
        add(NFS_OP_PUTROOTFH);
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4ERR_TOO_MANY_OPS);
}
END_TEST

/* A back channel is a connection's: another one has to be bound first. */
START_TEST(a_back_channel_ends_with_its_connection)
{
    struct nfs4_back_channel channel;
    begin(0);
    ck_assert(!nfs4_back_channel(nfs4, &channel));
    session.client_sequence++;
    begin_session(NFS_CREATE_SESSION4_FLAG_CONN_BACK_CHAN);
    ck_assert(nfs4_back_channel(nfs4, &channel));
    ck_assert_uint_eq(channel.program, 0x40000000);
    ck_assert_uint_eq(channel.sequence, 1);
    ck_assert_int_eq(memcmp(channel.session, session.id, 16), 0);
    nfs4_back_channel_used(nfs4);
    nfs4_disconnect(nfs4, 1);
    ck_assert_uint_eq(nfs4_connect(nfs4), 2);
    ck_assert(!nfs4_back_channel(nfs4, &channel));
    nfs_begin_in_session(&compound, &session, false);
    call();
    ck_assert_uint_eq(reply.results[0].opsequence.sr_resok4.sr_status_flags,
                      NFS_SEQ4_STATUS_CB_PATH_DOWN_SESSION);
    compound = (struct nfs_compound){.minor = 1};
    add(NFS_OP_BIND_CONN_TO_SESSION)->opbind_conn_to_session =
        (struct nfs_BIND_CONN_TO_SESSION4args){.bctsa_sessid = session.id,
                                               .bctsa_dir = NFS_CDFC4_BACK_OR_BOTH};
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4_OK);
    ck_assert(nfs4_back_channel(nfs4, &channel));
    ck_assert_uint_eq(channel.sequence, 2);
    nfs_begin_in_session(&compound, &session, false);
    call();
    ck_assert_uint_eq(reply.results[0].opsequence.sr_resok4.sr_status_flags, 0);
}
END_TEST

/* What the client lists for Calls to it. */
static const struct {
    uint32_t name, groups; /* octets, groups; of AUTH_SYS */
    bool first;            /* AUTH_NONE comes after it */
    uint32_t flavor, length;
} credentials[] = {{5, 2, true, 1, 36}, {8, 0, false, 1, 28}, {255, 16, false, 1, 340}};

START_TEST(the_client_says_who_calls_it)
{
    static const uint32_t groups[16] = {7, 8};
    static const char name[400] = "host name";
    struct nfs_callback_sec_parms4 parms[2] = {{.cb_secflavor = 0}, {.cb_secflavor = 0}};
    struct nfs4_back_channel channel;
    parms[!credentials[_i].first] = (struct nfs_callback_sec_parms4){
        .cb_secflavor = 1,
        .cbsp_sys_cred = {
            .stamp = 3,
            .machinename = {.data = (const uint8_t *)name, .length = credentials[_i].name},
            .uid = 5,
            .gid = 6,
            .gids = {.items = groups, .count = credentials[_i].groups}}};
    identify("one", 1);
    nfs_create_session(&compound, &session, NFS_CREATE_SESSION4_FLAG_CONN_BACK_CHAN, 1);
    compound.operations[0].opcreate_session.csa_sec_parms =
        (struct nfs_callback_sec_parms4_array){.items = parms, .count = 2};
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4_OK);
    ck_assert(nfs4_back_channel(nfs4, &channel));
    ck_assert_uint_eq(channel.flavor, credentials[_i].flavor);
    ck_assert_uint_eq(channel.credential_length, credentials[_i].length);
    if (channel.flavor == 0)
        return;
    const uint8_t *at = channel.credential;
    ck_assert_uint_eq(rpcrdma_xdr_load32(at), 3);
    ck_assert_uint_eq(rpcrdma_xdr_load32(at + 4), credentials[_i].name);
    ck_assert_mem_eq(at + 8, name, credentials[_i].name);
    at += 8 + ((credentials[_i].name + 3) & ~3u);
    ck_assert_uint_eq(rpcrdma_xdr_load32(at), 5);
    ck_assert_uint_eq(rpcrdma_xdr_load32(at + 4), 6);
    ck_assert_uint_eq(rpcrdma_xdr_load32(at + 8), credentials[_i].groups);
    for (uint32_t i = 0; i < credentials[_i].groups; i++)
        ck_assert_uint_eq(rpcrdma_xdr_load32(at + 12 + 4 * i), groups[i]);
}
END_TEST

START_TEST(a_client_reclaims_once)
{
    begin(0);
    nfs_reclaim_complete(&compound, &session);
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4_OK);
    nfs_reclaim_complete(&compound, &session);
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4ERR_COMPLETE_ALREADY);
    nfs_destroy_clientid(&compound, &session);
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4ERR_CLIENTID_BUSY);
    nfs_destroy_session(&compound, &session);
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4_OK);
    nfs_destroy_clientid(&compound, &session);
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4_OK);
}
END_TEST

/* How a COMPOUND can end the session that it is of. */
static void destroy_own(void)
{
    add(NFS_OP_DESTROY_SESSION)->opdestroy_session.dsa_sessionid = session.id;
}

static void begin_anew(void)
{
    static const uint8_t verifier[8] = {2}, owner[3] = {'o', 'n', 'e'};
    add(NFS_OP_EXCHANGE_ID)->opexchange_id.eia_clientowner = (struct nfs_client_owner4){
        .co_verifier = verifier, .co_ownerid = {.data = owner, .length = sizeof owner}};
}

static void replace_own(void)
{
    struct nfs_session others = session;
    for (int i = 1; i < NFS4_SESSIONS; i++) {
        others.client_sequence++;
        nfs_create_session(&compound, &others, 0, 1);
        call();
    }
    others.client_sequence++;
    nfs_create_session(&compound, &others, 0, 1);
    const struct nfs_argop4 create = compound.operations[0];
    session.sequence = 0;
    nfs_begin_in_session(&compound, &session, true);
    *add(NFS_OP_CREATE_SESSION) = create;
}

static void (*const endings[])(void) = {destroy_own, begin_anew, replace_own};

START_TEST(what_follows_the_end_of_its_session_has_none)
{
    begin(0);
    nfs_begin_in_session(&compound, &session, true);
    endings[_i]();
    in_session(NFS_OP_RECLAIM_COMPLETE, NFS_NFS4ERR_OP_NOT_IN_SESSION);
    for (int i = 0; i < NFS4_SESSIONS; i++)
        ck_assert(nfs4->sessions[i].client == 0 || nfs4->sessions[i].slots[0].length == 0);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("nfs4-session");
    tcase_add_checked_fixture(tests, nfs4_stage_setup, nfs4_stage_teardown);
    tcase_add_test(tests, a_slot_takes_the_next_call_only);
    tcase_add_test(tests, the_same_call_again_has_the_same_results);
    tcase_add_test(tests, results_with_data_are_not_kept);
    tcase_add_test(tests, who_has_no_session_does_little);
    tcase_add_loop_test(tests, minor_versions_with_sessions_are_taken, 0, 4);
    tcase_add_test(tests, a_client_is_known_again);
    tcase_add_test(tests, places_are_not_used_up);
    tcase_add_test(tests, create_session_is_in_order);
    tcase_add_test(tests, what_is_asked_is_bounded);
    tcase_add_test(tests, a_back_channel_ends_with_its_connection);
    tcase_add_loop_test(tests, the_client_says_who_calls_it, 0, COUNT(credentials));
    tcase_add_test(tests, a_client_reclaims_once);
    tcase_add_loop_test(tests, what_follows_the_end_of_its_session_has_none, 0, 3);
    return run_tests("nfs4-session", tests);
}
