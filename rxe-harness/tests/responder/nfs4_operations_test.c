// SPDX-License-Identifier: BSD-3-Clause
/* The reference Responder's NFSv4.1: what each operation brings, field by field, as RFC 8881
 * section 5.8 and 18 have it. */
#include "rxe-harness/tests/support/nfs4_stage.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t zeros[16];
static const uint8_t ones[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                               0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/* SEQUENCE, PUTROOTFH, and LOOKUP of the file: whose results are 0 to 2. */
static void at_the_file(void)
{
    nfs_begin_in_session(&compound, &session, false);
    nfs_lookup(&compound, "file", 4);
}

static void expect(enum nfs_nfsstat4 status)
{
    call();
    ck_assert_uint_eq(reply.status, status);
}

/* ---- attributes ---- */

/* By their numbers. Of the directory, and of the file where that is another value. */
static const struct {
    uint32_t number, count;
    uint32_t directory[4], file[4];
} attributes[] = {
    {0, 4, {0}, {0}},              /* supported_attrs: value_of() */
    {1, 1, {2}, {1}},              /* type */
    {2, 1, {0}, {0}},              /* fh_expire_type: never */
    {3, 2, {0, 1}, {0, 1}},        /* change */
    {4, 2, {0, 4096}, {0, 65536}}, /* size */
    {5, 1, {0}, {0}},              /* link_support */
    {6, 1, {0}, {0}},              /* symlink_support */
    {7, 1, {0}, {0}},              /* named_attr */
    {8, 4, {0, FILES_FSID, 0, 0}, {0, FILES_FSID, 0, 0}},
    {9, 1, {1}, {1}},                                                  /* unique_handles */
    {10, 1, {90}, {90}},                                               /* lease_time */
    {11, 1, {0}, {0}},                                                 /* rdattr_error */
    {13, 1, {0}, {0}},                                                 /* aclsupport */
    {15, 1, {1}, {1}},                                                 /* cansettime */
    {16, 1, {0}, {0}},                                                 /* case_insensitive */
    {17, 1, {1}, {1}},                                                 /* case_preserving */
    {18, 1, {1}, {1}},                                                 /* chown_restricted */
    {19, 3, {8, 0x74686520, 0x726f6f74}, {8, 0x74686520, 0x66696c65}}, /* "the root", "the file" */
    {20, 2, {0, 2}, {0, 3}},                                           /* fileid */
    {21, 2, {0, 0}, {0, 0}},                                           /* files_avail */
    {22, 2, {0, 0}, {0, 0}},                                           /* files_free */
    {23, 2, {0, 2}, {0, 2}},                                           /* files_total */
    {26, 1, {1}, {1}},                                                 /* homogeneous */
    {27, 2, {0x7fffffff, 0xffffffff}, {0x7fffffff, 0xffffffff}},       /* maxfilesize */
    {28, 1, {1}, {1}},                                                 /* maxlink */
    {29, 1, {255}, {255}},                                             /* maxname */
    {30, 2, {0, 4096}, {0, 4096}},                                     /* maxread */
    {31, 2, {0, 4096}, {0, 4096}},                                     /* maxwrite */
    {33, 1, {0555}, {0444}},                                           /* mode */
    {34, 1, {1}, {1}},                                                 /* no_trunc */
    {35, 1, {2}, {1}},                                                 /* numlinks */
    {36, 2, {1, 0x30000000}, {1, 0x30000000}},                         /* owner: "0" */
    {37, 2, {1, 0x30000000}, {1, 0x30000000}},                         /* owner_group */
    {41, 2, {0, 0}, {0, 0}},                                           /* rawdev */
    {42, 2, {0, 0}, {0, 0}},                                           /* space_avail */
    {43, 2, {0, 0}, {0, 0}},                                           /* space_free */
    {44, 2, {0, 65536}, {0, 65536}},                                   /* space_total */
    {45, 2, {0, 4096}, {0, 65536}},                                    /* space_used */
    {47, 3, {0, 1, 0}, {0, 1, 0}},                                     /* time_access */
    {51, 3, {0, 1, 0}, {0, 1, 0}},                                     /* time_delta */
    {52, 3, {0, 1, 0}, {0, 1, 0}},                                     /* time_metadata */
    {53, 3, {0, 1, 0}, {0, 1, 0}},                                     /* time_modify */
    {55, 2, {0, 2}, {0, 3}},                                           /* mounted_on_fileid */
    {75, 1, {0}, {0}}, /* suppattr_exclcreat: an empty bitmap */
};

/* The value of a row; that of the first says which there are. */
static uint32_t value_of(size_t row, bool is_file, uint32_t i)
{
    uint32_t word = 0;
    if (row > 0)
        return is_file ? attributes[row].file[i] : attributes[row].directory[i];
    for (size_t j = 0; i > 0 && j < COUNT(attributes); j++)
        if (attributes[j].number / 32 == i - 1)
            word |= 1u << attributes[j].number % 32;
    return i == 0 ? 3 : word;
}

static const struct nfs_fattr4 *ask(const uint32_t *bitmap, uint32_t words, bool is_file)
{
    nfs_begin_in_session(&compound, &session, false);
    if (is_file)
        nfs_lookup(&compound, "file", 4);
    add(NFS_OP_GETATTR)->opgetattr.attr_request = (nfs_bitmap4){.items = bitmap, .count = words};
    expect(NFS_NFS4_OK);
    return &reply.results[reply.count - 1].opgetattr.resok4.obj_attributes;
}

static void has_mask(const struct nfs_fattr4 *fattr, const uint32_t mask[3])
{
    ck_assert_uint_eq(fattr->attrmask.count, 3);
    for (size_t i = 0; i < 3; i++)
        ck_assert_uint_eq(rpcrdma_xdr_load32(fattr->attrmask.wire + 4 * i), mask[i]);
}

/* Each alone, each but one, and all. */
START_TEST(attributes_are_those_asked_for)
{
    bool is_file = _i % 2;
    begin(0);
    for (uint32_t number = 0; number < 96; number++) {
        uint32_t bitmap[3] = {0};
        size_t row = 0;
        bitmap[number / 32] = 1u << number % 32;
        const struct nfs_fattr4 *fattr = ask(bitmap, 3, is_file);
        while (row < COUNT(attributes) && attributes[row].number != number)
            row++;
        if (row == COUNT(attributes)) {
            has_mask(fattr, (const uint32_t[3]){0});
            ck_assert_uint_eq(fattr->attr_vals.length, 0);
            continue;
        }
        has_mask(fattr, bitmap);
        ck_assert_uint_eq(fattr->attr_vals.length, 4 * attributes[row].count);
        for (uint32_t i = 0; i < attributes[row].count; i++)
            ck_assert_msg(rpcrdma_xdr_load32(fattr->attr_vals.data + 4 * i) ==
                              value_of(row, is_file, i),
                          "attribute %u, word %u", number, i);
    }
}
END_TEST

START_TEST(all_attributes_are_in_order)
{
    static const uint32_t all[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    bool is_file = _i % 2;
    begin(0);
    /* Of bitmaps of fewer and of more words. */
    for (uint32_t words = 0; words <= 4; words++) {
        const struct nfs_fattr4 *fattr = ask(all, words, is_file);
        uint32_t mask[3] = {0};
        size_t at = 0;
        for (size_t row = 0; row < COUNT(attributes); row++) {
            uint32_t number = attributes[row].number;
            if (number / 32 >= words)
                continue;
            mask[number / 32] |= 1u << number % 32;
            for (uint32_t i = 0; i < attributes[row].count; i++, at += 4)
                ck_assert_uint_eq(rpcrdma_xdr_load32(fattr->attr_vals.data + at),
                                  value_of(row, is_file, i));
        }
        has_mask(fattr, mask);
        ck_assert_uint_eq(fattr->attr_vals.length, at);
    }
}
END_TEST

/* ---- the current file ---- */

START_TEST(handles_have_to_be_whole)
{
    static const uint8_t longer[9] = "the file";
    begin(0);
    for (uint32_t length = 0; length <= 9; length++) {
        nfs_begin_in_session(&compound, &session, false);
        add(NFS_OP_PUTFH)->opputfh.object = (nfs_fh4){.data = longer, .length = length};
        add(NFS_OP_GETFH);
        expect(length == FILES_HANDLE ? NFS_NFS4_OK : NFS_NFS4ERR_BADHANDLE);
        ck_assert_uint_eq(reply.count, length == FILES_HANDLE ? 4 : 3);
    }
    nfs_begin_in_session(&compound, &session, false);
    add(NFS_OP_GETFH);
    add(NFS_OP_PUTPUBFH);
    add(NFS_OP_GETFH);
    expect(NFS_NFS4_OK);
    for (unsigned i = 2; i < 5; i += 2)
        ck_assert_mem_eq(reply.results[i].opgetfh.resok4.object.data, "the root", 8);
}
END_TEST

START_TEST(a_saved_file_is_restored)
{
    begin(0);
    nfs_begin_in_session(&compound, &session, false);
    add(NFS_OP_SAVEFH);
    nfs_lookup(&compound, "file", 4);
    add(NFS_OP_GETFH);
    add(NFS_OP_RESTOREFH);
    add(NFS_OP_GETFH);
    expect(NFS_NFS4_OK);
    ck_assert_mem_eq(reply.results[4].opgetfh.resok4.object.data, "the file", 8);
    ck_assert_mem_eq(reply.results[6].opgetfh.resok4.object.data, "the root", 8);
}
END_TEST

START_TEST(names_are_in_the_directory)
{
    static const char *const others[] = {"fil", "filE", "files", "", "File"};
    begin(0);
    for (size_t i = 0; i < COUNT(others); i++) {
        nfs_begin_in_session(&compound, &session, false);
        add(NFS_OP_LOOKUP)->oplookup.objname = (nfs_component4){
            .data = (const uint8_t *)others[i], .length = (uint32_t)strlen(others[i])};
        expect(NFS_NFS4ERR_NOENT);
    }
    at_the_file();
    in_session(NFS_OP_LOOKUPP, NFS_NFS4ERR_NOTDIR);
    at_the_file();
    nfs_readdir(&compound, 4096);
    expect(NFS_NFS4ERR_NOTDIR);
}
END_TEST

/* Of the rights asked for: those that there are, and those that are granted. */
START_TEST(access_is_told)
{
    begin(0);
    for (uint32_t right = 1; right <= 0x80; right *= 2) {
        for (int is_file = 0; is_file < 2; is_file++) {
            uint32_t supported = is_file ? 0x3d : 0x3f, granted = is_file ? 1 : 3;
            nfs_begin_in_session(&compound, &session, false);
            if (is_file)
                nfs_lookup(&compound, "file", 4);
            add(NFS_OP_ACCESS)->opaccess.access = right;
            expect(NFS_NFS4_OK);
            const struct nfs_ACCESS4resok *told = &reply.results[reply.count - 1].opaccess.resok4;
            ck_assert_uint_eq(told->supported, right & supported);
            ck_assert_uint_eq(told->access, right & granted);
        }
    }
}
END_TEST

/* After it there is no file (RFC 8881 section 2.6.3.1.1.8). */
START_TEST(flavors_are_told)
{
    begin(0);
    for (int i = 0; i < 2; i++) {
        struct nfs_secinfo4 flavor;
        nfs_begin_in_session(&compound, &session, false);
        add(i == 0 ? NFS_OP_SECINFO : NFS_OP_SECINFO_NO_NAME);
        in_session(NFS_OP_GETFH, NFS_NFS4ERR_NOFILEHANDLE);
        struct rpcrdma_xdr_iter iter = nfs_secinfo4_array_iter(&reply.results[2].opsecinfo.resok4);
        ck_assert(nfs_secinfo4_array_next(&iter, &flavor));
        ck_assert_uint_eq(flavor.flavor, 1);
        ck_assert(nfs_secinfo4_array_next(&iter, &flavor));
        ck_assert_uint_eq(flavor.flavor, 0);
        ck_assert(!nfs_secinfo4_array_next(&iter, &flavor));
    }
}
END_TEST

/* ---- READDIR ---- */

static ptrdiff_t list(uint64_t cookie, uint32_t room, enum nfs_nfsstat4 status)
{
    nfs_begin_in_session(&compound, &session, false);
    nfs_readdir(&compound, room);
    compound.operations[2].opreaddir.cookie = cookie;
    expect(status);
    return nfs_resop4_size(&reply.results[2], NULL);
}

START_TEST(an_entry_needs_room)
{
    begin(0);
    ptrdiff_t size = list(0, 4096, NFS_NFS4_OK);
    list(0, (uint32_t)size, NFS_NFS4_OK);
    list(0, (uint32_t)size - 1, NFS_NFS4ERR_TOOSMALL);
    list(0, 0, NFS_NFS4ERR_TOOSMALL);
    for (uint64_t cookie = 0; cookie < 6; cookie++) {
        struct nfs_entry4_entry entry;
        list(cookie, 4096, NFS_NFS4_OK);
        const struct nfs_READDIR4resok *there = &reply.results[2].opreaddir.resok4;
        struct rpcrdma_xdr_iter iter = nfs_entry4_iter(&there->reply.entries);
        ck_assert(there->reply.eof);
        ck_assert_mem_eq(there->cookieverf, zeros, 8);
        ck_assert_int_eq(nfs_entry4_next(&iter, &entry), cookie < 3);
        if (cookie >= 3)
            continue;
        ck_assert_uint_eq(entry.cookie, 3); /* 0 to 2 mean something else (section 18.23.3) */
        ck_assert_uint_eq(entry.name.length, 4);
        ck_assert_mem_eq(entry.name.data, "file", 4);
        ck_assert(!nfs_entry4_next(&iter, &entry));
        /* The file's attributes, not the directory's: the type is the second. */
        const uint8_t *values = entry.attrs.attr_vals.data;
        ck_assert_uint_eq(rpcrdma_xdr_load32(values + 16), NFS_NF4REG);
    }
}
END_TEST

/* ---- what cannot be done ---- */

START_TEST(nothing_is_changed)
{
    static const enum nfs_opnum4 operations[] = {NFS_OP_WRITE,  NFS_OP_CREATE, NFS_OP_REMOVE,
                                                 NFS_OP_RENAME, NFS_OP_LINK,   NFS_OP_SETATTR};
    begin(0);
    for (size_t i = 0; i < COUNT(operations); i++) {
        for (int with_file = 0; with_file < 2; with_file++) {
            nfs_begin_in_session(&compound, &session, false);
            compound.count -= !with_file;
            struct nfs_argop4 *operation = add(operations[i]);
            if (operations[i] == NFS_OP_WRITE)
                operation->opwrite.stateid.other = zeros;
            if (operations[i] == NFS_OP_SETATTR)
                operation->opsetattr.stateid.other = zeros;
            if (operations[i] == NFS_OP_CREATE)
                operation->opcreate.objtype.type = NFS_NF4DIR;
            const struct nfs4_results *results = call();
            enum nfs_nfsstat4 status = with_file ? NFS_NFS4ERR_ROFS : NFS_NFS4ERR_NOFILEHANDLE;
            ck_assert_uint_eq(reply.status, status);
            /* The operation and its status; SETATTR says that it has set nothing. */
            size_t rest = operations[i] == NFS_OP_SETATTR ? 12 : 8;
            const uint8_t *last = results->octets + results->length - rest;
            ck_assert_uint_eq(rpcrdma_xdr_load32(last), operations[i]);
            ck_assert_uint_eq(rpcrdma_xdr_load32(last + 4), status);
            ck_assert(rest == 8 || rpcrdma_xdr_load32(last + 8) == 0);
        }
    }
}
END_TEST

START_TEST(operations_are_known_or_not)
{
    begin(0);
    nfs_begin_in_session(&compound, &session, false);
    in_session(NFS_OP_ILLEGAL, NFS_NFS4ERR_OP_ILLEGAL);
    nfs_begin_in_session(&compound, &session, false);
    in_session(NFS_OP_LOOKUPP, NFS_NFS4ERR_NOENT);
    nfs_begin_in_session(&compound, &session, false);
    in_session(NFS_OP_READLINK, NFS_NFS4ERR_INVAL);
    nfs_begin_in_session(&compound, &session, false);
    in_session(NFS_OP_DELEGPURGE, NFS_NFS4ERR_NOTSUPP);
    nfs_begin_in_session(&compound, &session, false);
    *add(NFS_OP_SEQUENCE) = compound.operations[0];
    expect(NFS_NFS4ERR_SEQUENCE_POS);
    ck_assert_uint_eq(reply.count, 3);
}
END_TEST

/* ---- READ ---- */

START_TEST(a_read_goes_by_a_state)
{
    const struct {
        const uint8_t *other;
        enum nfs_nfsstat4 status;
    } states[] = {{zeros, NFS_NFS4_OK},
                  {ones, NFS_NFS4_OK},
                  {(const uint8_t *)"eleven octet", NFS_NFS4ERR_BAD_STATEID},
                  {(const uint8_t *)"\0\0\0\0\0\0\0\0\0\0\0\1", NFS_NFS4ERR_BAD_STATEID}};
    begin(0);
    for (size_t i = 0; i < COUNT(states); i++) {
        at_the_file();
        nfs_read(&compound, 0, 10);
        compound.operations[3].opread.stateid.other = states[i].other;
        const struct nfs4_results *results = call();
        ck_assert_uint_eq(reply.status, states[i].status);
        ck_assert_uint_eq(results->item_count, states[i].status == NFS_NFS4_OK);
    }
    nfs_begin_in_session(&compound, &session, false);
    nfs_read(&compound, 0, 10); /* of the directory */
    expect(NFS_NFS4ERR_ISDIR);
}
END_TEST

/* They come before what follows, of a certain number of READs. */
START_TEST(the_reads_of_a_compound_have_data)
{
    begin(0);
    at_the_file();
    nfs_read(&compound, 65530, 10);
    add(NFS_OP_GETFH);
    nfs_read(&compound, 0, 10);
    const struct nfs4_results *results = call();
    ck_assert_uint_eq(reply.status, NFS_NFS4_OK);
    ck_assert_uint_eq(results->item_count, 2);
    ck_assert_uint_eq(results->items[0].length, 6);
    ck_assert_uint_eq(results->items[1].length, 10);
    /* GETFH: its number, status, and a handle of 8 octets; READ: number, status, no end. */
    ck_assert_uint_eq(results->items[1].at, results->length);
    ck_assert_uint_eq(results->items[0].at, results->length - 4 - 4 - 12 - 12);
    ck_assert_uint_eq(rpcrdma_xdr_load32(results->octets + results->items[0].at), NFS_OP_GETFH);
    at_the_file();
    for (unsigned i = 0; i <= NFS4_ITEMS; i++)
        nfs_read(&compound, 0, i);
    results = call();
    ck_assert_uint_eq(reply.status, NFS_NFS4ERR_DELAY);
    ck_assert_uint_eq(results->item_count, NFS4_ITEMS);
    ck_assert_uint_eq(results->items[NFS4_ITEMS - 1].length, NFS4_ITEMS - 1);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("nfs4-operations");
    tcase_add_checked_fixture(tests, nfs4_stage_setup, nfs4_stage_teardown);
    tcase_add_loop_test(tests, attributes_are_those_asked_for, 0, 2);
    tcase_add_loop_test(tests, all_attributes_are_in_order, 0, 2);
    tcase_add_test(tests, handles_have_to_be_whole);
    tcase_add_test(tests, a_saved_file_is_restored);
    tcase_add_test(tests, names_are_in_the_directory);
    tcase_add_test(tests, access_is_told);
    tcase_add_test(tests, flavors_are_told);
    tcase_add_test(tests, an_entry_needs_room);
    tcase_add_test(tests, nothing_is_changed);
    tcase_add_test(tests, operations_are_known_or_not);
    tcase_add_test(tests, a_read_goes_by_a_state);
    tcase_add_test(tests, the_reads_of_a_compound_have_data);
    return run_tests("nfs4-operations", tests);
}
