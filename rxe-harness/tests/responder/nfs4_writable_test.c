// SPDX-License-Identifier: BSD-3-Clause
/* The reference Responder's NFSv4 where its files can be changed, and the same by version 4.0. */
#include "rxe-harness/tests/support/nfs4_stage.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t zeros[NFS4_STATE_OTHER];
static const uint8_t state_of_nobody[NFS4_STATE_OTHER] = "eleven octet";

/* Both versions go through each test: 0, and 1 in a session. */
static uint32_t minor;

static void at_root(void)
{
    if (minor > 0)
        nfs_begin_in_session(&compound, &session, false);
    else
        nfs_begin(&compound);
}

static void at(const char *name)
{
    at_root();
    nfs_lookup(&compound, name, strlen(name));
}

static const struct nfs4_results *ends(enum nfs_nfsstat4 status)
{
    const struct nfs4_results *results = call();
    ck_assert_msg(reply.status == status, "status %u, not %u", reply.status, status);
    return results;
}

static void start(int number)
{
    minor = (uint32_t)number;
    if (minor > 0)
        begin(0);
}

static void write_text(uint64_t offset, const char *text)
{
    at(FILES_WRITTEN);
    nfs_write(&compound, offset, (const uint8_t *)text, (uint32_t)strlen(text));
    ends(NFS_NFS4_OK);
    const struct nfs_WRITE4resok *written = &reply.results[reply.count - 1].opwrite.resok4;
    ck_assert_uint_eq(written->count, strlen(text));
    ck_assert_uint_eq(written->committed, NFS_FILE_SYNC4);
}

/* What items hold, one after the other. */
static void holds(const struct nfs4_results *results, const char *text)
{
    char all[64] = "";
    for (unsigned i = 0; i < results->item_count; i++)
        if (results->items[i].length > 0)
            strncat(all, (const char *)results->items[i].octets, results->items[i].length);
    ck_assert_str_eq(all, text);
}

START_TEST(what_was_written_is_read)
{
    start(_i);
    write_text(0, "hello");
    write_text(5, ", you");
    at(FILES_WRITTEN);
    nfs_read(&compound, 7, 100);
    nfs_read(&compound, 0, 7);
    nfs_read(&compound, 10, 7);
    const struct nfs4_results *results = ends(NFS_NFS4_OK);
    holds(results, "youhello, ");
    for (unsigned i = 0; i < 3; i++)
        ck_assert_int_eq(reply.results[reply.count - 3 + i].opread.resok4.eof, i != 1);
}
END_TEST

/* An item points at what there is: nothing changes it before it is sent. */
START_TEST(nothing_is_changed_after_an_item)
{
    start(_i);
    write_text(0, "hello");
    at(FILES_WRITTEN);
    nfs_read(&compound, 0, 5);
    nfs_write(&compound, 0, (const uint8_t *)"other", 5);
    holds(ends(NFS_NFS4ERR_DELAY), "hello");
}
END_TEST

/* All items of a COMPOUND have to fit into the Reply. */
START_TEST(items_are_bounded)
{
    static const uint8_t octet = 'x';
    start(_i);
    at(FILES_WRITTEN);
    nfs_write(&compound, FILES_SIZE_MAX - 1, &octet, 1);
    ends(NFS_NFS4_OK);
    at(FILES_WRITTEN);
    nfs_write(&compound, FILES_SIZE_MAX, &octet, 1);
    ends(NFS_NFS4ERR_FBIG);
    at(FILES_WRITTEN);
    nfs_read(&compound, 0, UINT32_MAX);
    const struct nfs4_results *results = ends(NFS_NFS4_OK);
    ck_assert_uint_eq(results->items[0].length, FILES_SIZE_MAX);
    at(FILES_WRITTEN);
    nfs_read(&compound, 1, UINT32_MAX);
    nfs_read(&compound, 0, 1);
    nfs_read(&compound, 0, 1);
    ck_assert_uint_eq(ends(NFS_NFS4ERR_DELAY)->item_count, 2);
}
END_TEST

START_TEST(a_link_is_made_read_and_removed)
{
    start(_i);
    at_root();
    nfs_create_link(&compound, "a link", "somewhere");
    nfs_readlink(&compound); /* it is the current file then */
    holds(ends(NFS_NFS4_OK), "somewhere");
    at_root();
    nfs_create_link(&compound, "another", "somewhere"); /* one there is */
    ends(NFS_NFS4ERR_EXIST);
    at("a link");
    nfs_read(&compound, 0, 9);
    ends(NFS_NFS4ERR_SYMLINK);
    at(FILES_WRITTEN);
    nfs_readlink(&compound);
    ends(NFS_NFS4ERR_INVAL);
    at_root();
    nfs_remove(&compound, "another");
    ends(NFS_NFS4ERR_NOENT);
    at_root();
    nfs_remove(&compound, "a link");
    ends(NFS_NFS4_OK);
    at("a link");
    ends(NFS_NFS4ERR_NOENT);
    at_root();
    add(NFS_OP_PUTFH)->opputfh.object =
        (nfs_fh4){.data = nfs4_handle(NFS4_LINK), .length = FILES_HANDLE};
    ends(NFS_NFS4ERR_STALE);
}
END_TEST

START_TEST(some_things_cannot_be_changed)
{
    start(_i);
    at("file");
    nfs_write(&compound, 0, (const uint8_t *)"x", 1);
    ends(NFS_NFS4ERR_PERM);
    at_root();
    nfs_write(&compound, 0, (const uint8_t *)"x", 1);
    ends(NFS_NFS4ERR_ISDIR);
    at(FILES_WRITTEN);
    nfs_write(&compound, 0, (const uint8_t *)"x", 1);
    compound.operations[compound.count - 1].opwrite.stateid.other = state_of_nobody;
    ends(NFS_NFS4ERR_BAD_STATEID);
    at(FILES_WRITTEN);
    nfs_create_link(&compound, "a link", "somewhere");
    ends(NFS_NFS4ERR_NOTDIR);
    at(FILES_WRITTEN);
    nfs_remove(&compound, "a link");
    ends(NFS_NFS4ERR_NOTDIR);
    at_root();
    nfs_create_link(&compound, "file", "somewhere");
    ends(NFS_NFS4ERR_EXIST);
    at_root();
    nfs_create_link(&compound, "a folder", "");
    compound.operations[compound.count - 1].opcreate.objtype =
        (struct nfs_createtype4){.type = NFS_NF4DIR};
    ends(NFS_NFS4ERR_PERM);
    at("file");
    add(NFS_OP_SETATTR)->opsetattr.stateid.other = state_of_nobody;
    ends(NFS_NFS4ERR_PERM);
}
END_TEST

/* ---- the directory ---- */

static unsigned list(uint64_t cookie, uint32_t most, char names[64], bool *eof)
{
    struct nfs_entry4_entry entry;
    unsigned count = 0;
    at_root();
    nfs_readdir(&compound, most);
    compound.operations[compound.count - 1].opreaddir.cookie = cookie;
    ends(NFS_NFS4_OK);
    const struct nfs_dirlist4 *entries = &reply.results[reply.count - 1].opreaddir.resok4.reply;
    struct rpcrdma_xdr_iter iter = nfs_entry4_iter(&entries->entries);
    for (names[0] = '\0'; nfs_entry4_next(&iter, &entry); count++) {
        strncat(names, (const char *)entry.name.data, entry.name.length);
        strcat(names, ".");
        ck_assert_uint_eq(entry.cookie, cookie > 2 ? cookie + 1 + count : 3 + count);
    }
    *eof = entries->eof;
    return count;
}

START_TEST(entries_come_as_far_as_there_is_room)
{
    char names[64];
    bool eof;
    start(_i);
    ck_assert_uint_eq(list(0, 4096, names, &eof), 2);
    ck_assert_str_eq(names, "file.written.");
    at_root();
    nfs_create_link(&compound, "a link", "somewhere");
    ends(NFS_NFS4_OK);
    ck_assert_uint_eq(list(0, 4096, names, &eof), 3);
    ck_assert_str_eq(names, "file.written.a link.");
    ck_assert(eof);
    ck_assert_uint_eq(list(4, 4096, names, &eof), 1);
    ck_assert_str_eq(names, "a link.");
    unsigned before = 1;
    for (uint32_t most = 300; before < 3; most += 4) {
        unsigned count = list(0, most, names, &eof);
        ck_assert_uint_ge(count, before);
        ck_assert_uint_le(count, before + 1);
        ck_assert(eof == (count == 3));
        before = count;
    }
}
END_TEST

/* 64 times more than the results can hold. */
START_TEST(results_have_an_end)
{
    static uint32_t all[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    struct nfs_argop4 operations[NFS4_OPERATIONS] = {{.argop = NFS_OP_PUTROOTFH}};
    static uint8_t args[16384];
    const struct nfs_COMPOUND4args all_of_them = {
        .argarray = {.items = operations, .count = NFS4_OPERATIONS}};
    start(0);
    at_root();
    nfs_create_link(&compound, "a link", "somewhere");
    ends(NFS_NFS4_OK);
    for (int i = 1; i < NFS4_OPERATIONS; i++)
        operations[i] =
            (struct nfs_argop4){.argop = NFS_OP_READDIR,
                                .opreaddir = {.cookieverf = state_of_nobody,
                                              .maxcount = UINT32_MAX,
                                              .attr_request = {.items = all, .count = 3}}};
    ptrdiff_t length = nfs_COMPOUND4args_encode(args, sizeof args, &all_of_them, NULL);
    ck_assert_int_gt(length, 0);
    const struct nfs4_results *results = nfs4_compound(nfs4, args, (size_t)length);
    ck_assert_uint_eq(rpcrdma_xdr_load32(results->octets), NFS_NFS4ERR_REP_TOO_BIG);
    struct nfs_resop4 result;
    size_t offset = 12;
    unsigned count = 0;
    for (; offset < results->length; count++) {
        length = nfs_resop4_decode(&result, results->octets + offset, results->length - offset,
                                   NULL, NULL);
        ck_assert_int_gt(length, 0);
        offset += (size_t)length;
    }
    ck_assert_uint_gt(count, 10);
    ck_assert_uint_eq(count, rpcrdma_xdr_load32(results->octets + 8));
}
END_TEST

/* A READ, whose place is known, READDIRs, and a READ, behind a tag. */
static const struct nfs4_results *read_list_read(int lists, uint32_t tag)
{
    static uint32_t all[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    static uint8_t args[16384], letters[NFS4_OWNER];
    const struct nfs_argop4 root = {.argop = NFS_OP_PUTROOTFH},
                            lookup = {.argop = NFS_OP_LOOKUP,
                                      .oplookup.objname = {.data = (const uint8_t *)"file",
                                                           .length = 4}},
                            read = {.argop = NFS_OP_READ,
                                    .opread = {.stateid.other = zeros, .count = 4}},
                            list = {.argop = NFS_OP_READDIR,
                                    .opreaddir = {.cookieverf = zeros,
                                                  .maxcount = UINT32_MAX,
                                                  .attr_request = {.items = all, .count = 3}}};
    struct nfs_argop4 operations[NFS4_OPERATIONS] = {root, lookup, read, root};
    uint32_t count = 4;
    while (lists-- > 0)
        operations[count++] = list;
    operations[count++] = lookup;
    operations[count++] = read;
    const struct nfs_COMPOUND4args compound_args = {
        .tag = {.data = letters, .length = tag}, .argarray = {.items = operations, .count = count}};
    ptrdiff_t length = nfs_COMPOUND4args_encode(args, sizeof args, &compound_args, NULL);
    ck_assert_int_gt(length, 0);
    return nfs4_compound(nfs4, args, (size_t)length);
}

/* A READ for whose result there is no room brings no item. */
START_TEST(what_does_not_fit_brings_nothing)
{
    const struct nfs4_results *results;
    unsigned both = 0, one = 0;
    int lists = 1;
    start(0);
    while (rpcrdma_xdr_load32(read_list_read(lists, 0)->octets) == NFS_NFS4_OK)
        ck_assert_int_le(++lists, NFS4_OPERATIONS - 6);
    for (uint32_t tag = 0; tag < NFS4_OWNER; tag += 4) {
        results = read_list_read(lists - 1, tag);
        ck_assert_uint_ge(results->item_count, 1);
        bool whole = rpcrdma_xdr_load32(results->octets) == NFS_NFS4_OK;
        ck_assert_uint_eq(results->item_count, 1 + whole);
        ck_assert(!whole || results->items[1].at == results->length);
        both += whole;
        one += !whole;
    }
    ck_assert(both > 0 && one > 0);
}
END_TEST

/* ---- attributes ---- */

static uint32_t attribute(const char *name, uint32_t number)
{
    uint32_t asked[2] = {0};
    asked[number / 32] = 1u << number % 32;
    at(name);
    nfs_getattr(&compound);
    compound.operations[compound.count - 1].opgetattr.attr_request =
        (nfs_bitmap4){.items = asked, .count = 2};
    ends(NFS_NFS4_OK);
    const struct rpcrdma_xdr_opaque *values =
        &reply.results[reply.count - 1].opgetattr.resok4.obj_attributes.attr_vals;
    return rpcrdma_xdr_load32(values->data + values->length - 4);
}

START_TEST(attributes_follow)
{
    static const struct {
        const char *name;
        uint32_t type, size, mode, id;
    } rows[] = {{"file", NFS_NF4REG, FILES_SIZE, 0444, FILES_FILE_ID},
                {FILES_WRITTEN, NFS_NF4REG, 5, 0644, FILES_WRITTEN_ID},
                {"a link", NFS_NF4LNK, 9, 0777, FILES_LINK_ID}};
    start(_i);
    uint32_t before = attribute(FILES_WRITTEN, NFS_FATTR4_CHANGE);
    write_text(0, "hello");
    ck_assert_uint_gt(attribute(FILES_WRITTEN, NFS_FATTR4_CHANGE), before);
    at_root();
    nfs_create_link(&compound, "a link", "somewhere");
    ends(NFS_NFS4_OK);
    ck_assert_uint_gt(attribute("", NFS_FATTR4_CHANGE), before + 1);
    ck_assert_uint_eq(attribute("", NFS_FATTR4_SYMLINK_SUPPORT), 1);
    for (size_t i = 0; i < COUNT(rows); i++) {
        ck_assert_uint_eq(attribute(rows[i].name, NFS_FATTR4_TYPE), rows[i].type);
        ck_assert_uint_eq(attribute(rows[i].name, NFS_FATTR4_SIZE), rows[i].size);
        ck_assert_uint_eq(attribute(rows[i].name, NFS_FATTR4_MODE), rows[i].mode);
        ck_assert_uint_eq(attribute(rows[i].name, NFS_FATTR4_FILEID), rows[i].id);
    }
}
END_TEST

/* ---- what version 4.0 has not, and what sessions have ---- */

START_TEST(state_needs_a_session)
{
    static const enum nfs_opnum4 numbers[] = {NFS_OP_SEQUENCE,         NFS_OP_CLOSE,
                                              NFS_OP_DELEGRETURN,      NFS_OP_SECINFO_NO_NAME,
                                              NFS_OP_DESTROY_CLIENTID, NFS_OP_TEST_STATEID,
                                              NFS_OP_RECLAIM_COMPLETE};
    static const uint8_t id[NFS4_SESSION_ID];
    start(0);
    for (size_t i = 0; i < COUNT(numbers); i++) {
        at_root();
        struct nfs_argop4 *operation = add(numbers[i]);
        if (numbers[i] == NFS_OP_SEQUENCE)
            operation->opsequence.sa_sessionid = id;
        if (numbers[i] == NFS_OP_CLOSE)
            operation->opclose.open_stateid.other = id;
        if (numbers[i] == NFS_OP_DELEGRETURN)
            operation->opdelegreturn.deleg_stateid.other = id;
        ends(NFS_NFS4ERR_NOTSUPP);
    }
}
END_TEST

static void open_to_write(const char *name, enum nfs_nfsstat4 status)
{
    at_root();
    nfs_open(&compound, &session, name);
    compound.operations[compound.count - 1].opopen.share_access = NFS_OPEN4_SHARE_ACCESS_BOTH;
    ends(status);
}

START_TEST(the_written_file_is_opened)
{
    uint8_t other[NFS4_STATE_OTHER];
    start(1);
    open_to_write("file", NFS_NFS4ERR_ACCESS);
    open_to_write("a link", NFS_NFS4ERR_NOENT);
    open_to_write(FILES_WRITTEN, NFS_NFS4_OK);
    const struct nfs_OPEN4resok *opened = &reply.results[2].opopen.resok4;
    ck_assert_uint_eq(opened->delegation.delegation_type, NFS_OPEN_DELEGATE_NONE);
    memcpy(other, opened->stateid.other, sizeof other);
    at(FILES_WRITTEN);
    nfs_write(&compound, 0, (const uint8_t *)"x", 1);
    compound.operations[compound.count - 1].opwrite.stateid.other = other;
    ends(NFS_NFS4_OK);
}
END_TEST

static uint32_t state_of_session(void)
{
    nfs_begin_in_session(&compound, &session, false);
    ends(NFS_NFS4_OK);
    return reply.results[0].opsequence.sr_resok4.sr_status_flags;
}

START_TEST(a_back_channel_is_tried_once)
{
    struct nfs4_back_channel channel;
    begin(0);
    ck_assert(!nfs4_due(nfs4, &channel));
    ck_assert_uint_eq(state_of_session(), 0);
    session.client_sequence++;
    begin_session(NFS_CREATE_SESSION4_FLAG_CONN_BACK_CHAN);
    ck_assert_uint_eq(state_of_session(), NFS_SEQ4_STATUS_CB_PATH_DOWN_SESSION);
    ck_assert(nfs4_due(nfs4, &channel));
    ck_assert_uint_eq(channel.program, 0x40000000);
    ck_assert(!nfs4_due(nfs4, &channel));
    ck_assert_uint_eq(state_of_session(), NFS_SEQ4_STATUS_CB_PATH_DOWN_SESSION);
    nfs4_back_channel_works(nfs4);
    ck_assert_uint_eq(state_of_session(), 0);
    uint64_t other = nfs4_connect(nfs4);
    ck_assert(!nfs4_due(nfs4, &channel));
    nfs4_enter(nfs4, other);
    ck_assert_uint_eq(state_of_session(), 0); /* it is on the first one */
    nfs4_leave(nfs4);
    nfs4_disconnect(nfs4, 1);
    ck_assert_uint_eq(state_of_session(), NFS_SEQ4_STATUS_CB_PATH_DOWN_SESSION);
    compound = (struct nfs_compound){.minor = 1};
    add(NFS_OP_BIND_CONN_TO_SESSION)->opbind_conn_to_session =
        (struct nfs_BIND_CONN_TO_SESSION4args){.bctsa_sessid = session.id,
                                               .bctsa_dir = NFS_CDFC4_BACK_OR_BOTH};
    ends(NFS_NFS4_OK);
    ck_assert(nfs4_due(nfs4, &channel)); /* anew */
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("nfs4-writable");
    tcase_add_checked_fixture(tests, nfs4_stage_setup_writable, nfs4_stage_teardown);
    tcase_add_loop_test(tests, what_was_written_is_read, 0, 2);
    tcase_add_loop_test(tests, nothing_is_changed_after_an_item, 0, 2);
    tcase_add_loop_test(tests, items_are_bounded, 0, 2);
    tcase_add_loop_test(tests, a_link_is_made_read_and_removed, 0, 2);
    tcase_add_loop_test(tests, some_things_cannot_be_changed, 0, 2);
    tcase_add_loop_test(tests, entries_come_as_far_as_there_is_room, 0, 2);
    tcase_add_test(tests, results_have_an_end);
    tcase_add_test(tests, what_does_not_fit_brings_nothing);
    tcase_add_loop_test(tests, attributes_follow, 0, 2);
    tcase_add_test(tests, state_needs_a_session);
    tcase_add_test(tests, the_written_file_is_opened);
    tcase_add_test(tests, a_back_channel_is_tried_once);
    return run_tests("nfs4-writable", tests);
}
