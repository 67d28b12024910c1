// SPDX-License-Identifier: BSD-3-Clause
/* The reference Responder's NFSv4.1: the directory and its file, what is opened. */
#include "rxe-harness/tests/support/nfs4_stage.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* ---- files ---- */

START_TEST(operations_need_a_file)
{
    static const enum nfs_opnum4 operations[] = {NFS_OP_GETFH,  NFS_OP_SAVEFH,  NFS_OP_GETATTR,
                                                 NFS_OP_ACCESS, NFS_OP_READDIR, NFS_OP_READ};
    static const uint8_t zeros[16];
    begin(0);
    for (size_t i = 0; i < COUNT(operations); i++) {
        nfs_begin_in_session(&compound, &session, false);
        compound.count = 1;
        struct nfs_argop4 *operation = add(operations[i]);
        if (operations[i] == NFS_OP_READ)
            operation->opread.stateid.other = zeros;
        if (operations[i] == NFS_OP_READDIR)
            operation->opreaddir.cookieverf = zeros;
        call();
        ck_assert_msg(reply.status == NFS_NFS4ERR_NOFILEHANDLE, "operation %u: status %u",
                      operations[i], reply.status);
    }
    nfs_begin_in_session(&compound, &session, false);
    in_session(NFS_OP_RESTOREFH, NFS_NFS4ERR_NOFILEHANDLE);
    nfs_begin_in_session(&compound, &session, false);
    in_session(NFS_OP_LOOKUPP, NFS_NFS4ERR_NOENT);
    nfs_begin_in_session(&compound, &session, false);
    in_session(NFS_OP_DELEGPURGE, NFS_NFS4ERR_NOTSUPP);
    nfs_begin_in_session(&compound, &session, false);
    nfs_remove(&compound, "file");
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4ERR_ROFS);
    ck_assert_uint_eq(reply.count, 3);
}
END_TEST

static void look_up(const char *name, enum nfs_nfsstat4 status)
{
    nfs_begin_in_session(&compound, &session, false);
    nfs_lookup(&compound, name, strlen(name));
    add(NFS_OP_GETFH);
    call();
    ck_assert_uint_eq(reply.status, status);
}

START_TEST(handles_name_the_file_and_the_directory)
{
    begin(0);
    look_up("other", NFS_NFS4ERR_NOENT);
    look_up("file/file", NFS_NFS4ERR_NOTDIR);
    look_up("file", NFS_NFS4_OK);
    uint8_t file[FILES_HANDLE];
    nfs_fh4 handle = reply.results[3].opgetfh.resok4.object;
    ck_assert_uint_eq(handle.length, FILES_HANDLE);
    memcpy(file, handle.data, FILES_HANDLE);
    handle.data = file;
    nfs_begin_in_session(&compound, &session, false);
    add(NFS_OP_SAVEFH);
    add(NFS_OP_PUTFH)->opputfh.object = handle;
    add(NFS_OP_ACCESS)->opaccess.access = 0x3f;
    add(NFS_OP_RESTOREFH);
    add(NFS_OP_ACCESS)->opaccess.access = 0x3f;
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4_OK);
    ck_assert_uint_eq(reply.results[4].opaccess.resok4.access, NFS_ACCESS4_READ);
    ck_assert_uint_eq(reply.results[6].opaccess.resok4.access,
                      NFS_ACCESS4_READ | NFS_ACCESS4_LOOKUP);
    file[0] ^= 1;
    nfs_begin_in_session(&compound, &session, false);
    add(NFS_OP_PUTFH)->opputfh.object = handle;
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4ERR_BADHANDLE);
}
END_TEST

/* Every attribute that is said to be there is there, in its order, and none besides. */
START_TEST(attributes_are_as_asked)
{
    static const uint32_t all[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    const uint32_t some[3] = {1u << NFS_FATTR4_TYPE | 1u << NFS_FATTR4_SIZE, 0x00000002, 0};
    begin(0);
    nfs_begin_in_session(&compound, &session, false);
    nfs_lookup(&compound, "file", 4);
    add(NFS_OP_GETATTR)->opgetattr.attr_request = (nfs_bitmap4){.items = all, .count = 3};
    add(NFS_OP_GETATTR)->opgetattr.attr_request = (nfs_bitmap4){.items = some, .count = 3};
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4_OK);
    const struct nfs_fattr4 *fattr = &reply.results[3].opgetattr.resok4.obj_attributes;
    /* The first value is the bitmap of those that there are: the same as that of the values. */
    const uint8_t *values = fattr->attr_vals.data;
    ck_assert_uint_eq(rpcrdma_xdr_load32(values), 3);
    ck_assert_uint_eq(fattr->attrmask.count, 3);
    ck_assert_int_eq(memcmp(values + 4, fattr->attrmask.wire, 12), 0);
    ck_assert_uint_eq(rpcrdma_xdr_load32(values + 16), NFS_NF4REG);
    fattr = &reply.results[4].opgetattr.resok4.obj_attributes;
    ck_assert_uint_eq(fattr->attr_vals.length, 16);
    ck_assert_uint_eq(rpcrdma_xdr_load32(fattr->attr_vals.data), NFS_NF4REG);
    ck_assert_uint_eq(rpcrdma_xdr_load64(fattr->attr_vals.data + 4), FILES_SIZE);
    ck_assert_uint_eq(rpcrdma_xdr_load32(fattr->attr_vals.data + 12), 0444);
}
END_TEST

START_TEST(the_directory_has_one_entry)
{
    static const uint8_t verifier[8];
    static const struct {
        uint64_t cookie;
        uint32_t room, count;
        enum nfs_nfsstat4 status;
    } lists[] = {
        {0, 4096, 1, NFS_NFS4_OK}, {3, 4096, 0, NFS_NFS4_OK}, {0, 20, 0, NFS_NFS4ERR_TOOSMALL}};
    begin(0);
    for (size_t i = 0; i < COUNT(lists); i++) {
        nfs_begin_in_session(&compound, &session, false);
        nfs_readdir(&compound, lists[i].room);
        compound.operations[2].opreaddir.cookie = lists[i].cookie;
        compound.operations[2].opreaddir.cookieverf = verifier;
        call();
        ck_assert_uint_eq(reply.status, lists[i].status);
        if (reply.status != NFS_NFS4_OK)
            continue;
        const struct nfs_READDIR4resok *list = &reply.results[2].opreaddir.resok4;
        struct rpcrdma_xdr_iter iter = nfs_entry4_iter(&list->reply.entries);
        struct nfs_entry4_entry entry;
        uint32_t count = 0;
        while (nfs_entry4_next(&iter, &entry) && ++count > 0)
            ck_assert_int_eq(memcmp(entry.name.data, "file", 4), 0);
        ck_assert_uint_eq(count, lists[i].count);
        ck_assert(list->reply.eof);
    }
}
END_TEST

static const struct {
    uint64_t offset;
    uint32_t count, length;
    bool eof;
} reads[] = {{0, 100, 100, false},
             {0, 100000, FILES_READ_SIZE, false},
             {FILES_SIZE - 100, 100, 100, true},
             {FILES_SIZE - 100, 4096, 100, true},
             {FILES_SIZE, 100, 0, true},
             {UINT64_MAX, 100, 0, true}};

START_TEST(the_file_is_read)
{
    begin(0);
    nfs_begin_in_session(&compound, &session, false);
    nfs_lookup(&compound, "file", 4);
    nfs_read(&compound, reads[_i].offset, reads[_i].count);
    nfs_getattr(&compound);
    const struct nfs4_results *results = call();
    ck_assert_uint_eq(reply.status, NFS_NFS4_OK);
    ck_assert_uint_eq(results->items[0].length, reads[_i].length);
    ck_assert_int_eq(reply.results[3].opread.resok4.eof, reads[_i].eof);
    ck_assert_int_eq(reply.results[4].resop, NFS_OP_GETATTR);
}
END_TEST

/* ---- states ---- */

static struct nfs_OPEN4resok open_file(uint8_t other[12])
{
    nfs_begin_in_session(&compound, &session, false);
    nfs_open(&compound, &session, "file");
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4_OK);
    memcpy(other, reply.results[2].opopen.resok4.stateid.other, 12);
    return reply.results[2].opopen.resok4;
}

static void close_file(const uint8_t *other, enum nfs_nfsstat4 status)
{
    nfs_begin_in_session(&compound, &session, false);
    nfs_close(&compound, other);
    call();
    ck_assert_uint_eq(reply.status, status);
}

START_TEST(a_delegation_needs_a_back_channel)
{
    struct nfs4_delegation delegation;
    uint8_t other[12], second[12];
    begin(_i == 0 ? 0 : NFS_CREATE_SESSION4_FLAG_CONN_BACK_CHAN);
    struct nfs_OPEN4resok opened = open_file(other);
    ck_assert_int_eq(opened.delegation.delegation_type,
                     _i == 0 ? NFS_OPEN_DELEGATE_NONE : NFS_OPEN_DELEGATE_READ);
    ck_assert_int_eq(nfs4_delegation(nfs4, &delegation), _i == 1);
    opened = open_file(second);
    ck_assert_int_eq(opened.delegation.delegation_type, NFS_OPEN_DELEGATE_NONE);
    close_file(other, NFS_NFS4_OK);
    close_file(other, NFS_NFS4ERR_BAD_STATEID);
    close_file(second, NFS_NFS4_OK);
    if (_i == 0)
        return;
    ck_assert(nfs4_delegation(nfs4, &delegation));
    ck_assert(delegation.is_used);
    nfs_begin_in_session(&compound, &session, false);
    nfs_return_delegation(&compound, other);
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4ERR_BAD_STATEID);
    close_file(delegation.other, NFS_NFS4ERR_BAD_STATEID);
    nfs_begin_in_session(&compound, &session, false);
    nfs_return_delegation(&compound, delegation.other);
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4_OK);
    ck_assert(!nfs4_delegation(nfs4, &delegation));
}
END_TEST

static const struct {
    uint32_t access;
    enum nfs_opentype4 type;
    enum nfs_open_claim_type4 claim;
    const char *name;
    enum nfs_nfsstat4 status;
    bool delegated;
} opens[] = {
    {1, NFS_OPEN4_NOCREATE, NFS_CLAIM_NULL, "file", NFS_NFS4_OK, true},
    {1 | NFS_OPEN4_SHARE_ACCESS_WANT_READ_DELEG, NFS_OPEN4_NOCREATE, NFS_CLAIM_NULL, "file",
     NFS_NFS4_OK, true},
    {1 | NFS_OPEN4_SHARE_ACCESS_WANT_NO_DELEG, NFS_OPEN4_NOCREATE, NFS_CLAIM_NULL, "file",
     NFS_NFS4_OK, false},
    {1 | NFS_OPEN4_SHARE_ACCESS_WANT_CANCEL, NFS_OPEN4_NOCREATE, NFS_CLAIM_NULL, "file",
     NFS_NFS4_OK, false},
    {2, NFS_OPEN4_NOCREATE, NFS_CLAIM_NULL, "file", NFS_NFS4ERR_ROFS, false},
    {1, NFS_OPEN4_CREATE, NFS_CLAIM_NULL, "file", NFS_NFS4ERR_ROFS, false},
    {1, NFS_OPEN4_NOCREATE, NFS_CLAIM_NULL, "none", NFS_NFS4ERR_NOENT, false},
    {1, NFS_OPEN4_NOCREATE, NFS_CLAIM_FH, "", NFS_NFS4ERR_ISDIR, false},
    {1, NFS_OPEN4_NOCREATE, NFS_CLAIM_PREVIOUS, "", NFS_NFS4ERR_NO_GRACE, false},
};

START_TEST(the_file_is_opened_to_be_read)
{
    begin(NFS_CREATE_SESSION4_FLAG_CONN_BACK_CHAN);
    nfs_begin_in_session(&compound, &session, false);
    nfs_open(&compound, &session, opens[_i].name);
    struct nfs_OPEN4args *args = &compound.operations[2].opopen;
    args->share_access = opens[_i].access;
    args->openhow.opentype = opens[_i].type;
    if (opens[_i].type == NFS_OPEN4_CREATE)
        args->openhow.how = (struct nfs_createhow4){.mode = NFS_UNCHECKED4};
    if (opens[_i].claim != NFS_CLAIM_NULL)
        args->claim = (struct nfs_open_claim4){.claim = opens[_i].claim};
    call();
    ck_assert_uint_eq(reply.status, opens[_i].status);
    if (reply.status == NFS_NFS4_OK)
        ck_assert_int_eq(reply.results[2].opopen.resok4.delegation.delegation_type,
                         opens[_i].delegated ? NFS_OPEN_DELEGATE_READ : NFS_OPEN_DELEGATE_NONE);
}
END_TEST

START_TEST(states_are_tested_and_freed)
{
    uint8_t other[12], none[12] = {1};
    begin(0);
    open_file(other);
    const struct nfs_stateid4 stateids[] = {{.other = other}, {.other = none}};
    nfs_begin_in_session(&compound, &session, false);
    add(NFS_OP_TEST_STATEID)->optest_stateid.ts_stateids =
        (struct nfs_stateid4_array){.items = stateids, .count = 2};
    call();
    struct rpcrdma_xdr_iter iter =
        nfs_nfsstat4_array_iter(&reply.results[2].optest_stateid.tsr_resok4.tsr_status_codes);
    enum nfs_nfsstat4 first, second;
    ck_assert(nfs_nfsstat4_array_next(&iter, &first) && nfs_nfsstat4_array_next(&iter, &second));
    ck_assert_int_eq(first, NFS_NFS4_OK);
    ck_assert_int_eq(second, NFS_NFS4ERR_BAD_STATEID);
    nfs_begin_in_session(&compound, &session, false);
    nfs_lookup(&compound, "file", 4);
    nfs_read(&compound, 0, 10);
    compound.operations[3].opread.stateid.other = none;
    call();
    ck_assert_uint_eq(reply.status, NFS_NFS4ERR_BAD_STATEID);
    for (int i = 0; i < 2; i++) {
        nfs_begin_in_session(&compound, &session, false);
        add(NFS_OP_FREE_STATEID)->opfree_stateid.fsa_stateid = stateids[0];
        call();
        ck_assert_uint_eq(reply.status, i == 0 ? NFS_NFS4_OK : NFS_NFS4ERR_BAD_STATEID);
    }
}
END_TEST

/* Octets that are no COMPOUND, and every prefix of one. */
START_TEST(what_is_cut_off_is_no_compound)
{
    struct requester_call shape = {.procedure = 0};
    begin(0);
    nfs_begin_in_session(&compound, &session, false);
    nfs_open(&compound, &session, "file");
    nfs_readdir(&compound, 4096);
    uint8_t *args = nfs_encode(&compound, &shape);
    for (size_t length = 0; length < shape.args_length; length++) {
        uint8_t *copy = malloc(length + 1);
        memcpy(copy, args, length);
        ck_assert_ptr_null(nfs4_compound(nfs4, copy, length));
        free(copy);
    }
    free(args);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("nfs4");
    tcase_add_checked_fixture(tests, nfs4_stage_setup, nfs4_stage_teardown);
    tcase_add_test(tests, operations_need_a_file);
    tcase_add_test(tests, handles_name_the_file_and_the_directory);
    tcase_add_test(tests, attributes_are_as_asked);
    tcase_add_test(tests, the_directory_has_one_entry);
    tcase_add_loop_test(tests, the_file_is_read, 0, COUNT(reads));
    tcase_add_loop_test(tests, a_delegation_needs_a_back_channel, 0, 2);
    tcase_add_loop_test(tests, the_file_is_opened_to_be_read, 0, COUNT(opens));
    tcase_add_test(tests, states_are_tested_and_freed);
    tcase_add_test(tests, what_is_cut_off_is_no_compound);
    return run_tests("nfs4", tests);
}
