// SPDX-License-Identifier: BSD-3-Clause
/* File handles in results of NFS, and what a replay puts in their place. */
#include "rxe-harness/replay/nfs_ids.h"
#include "rxe-harness/requester/nfs4_calls.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <nfs3_handles.h>
#include <stdlib.h>
#include <string.h>

#define HANDLE 16

enum { LOOKUP = 3, READ = 6, CREATE = 8, MKDIR = 9, SYMLINK = 10, MKNOD = 11, READDIRPLUS = 17 };

static uint8_t octets[8192];

/* The handle of a file as one server or the other has it. */
static struct rpcrdma_xdr_opaque handle_of(char file, char server)
{
    static uint8_t handles[8][HANDLE];
    static unsigned next;
    uint8_t *handle = handles[next++ % 8];
    memset(handle, server, HANDLE);
    handle[5] = (uint8_t)file;
    return (struct rpcrdma_xdr_opaque){.data = handle, .length = HANDLE};
}

static struct names_given *read_results(ptrdiff_t length, uint32_t version, uint32_t procedure)
{
    ck_assert_int_gt(length, 0);
    const struct requester_reply reply = {.results = octets, .results_length = (size_t)length};
    return names_read(&reply, version, procedure);
}

static void is_given(const struct names_given *given, unsigned at, char file, char server)
{
    const struct rpcrdma_xdr_opaque handle = handle_of(file, server);
    ck_assert_ptr_nonnull(given);
    ck_assert_uint_gt(given->count, at);
    ck_assert_int_eq(given->list[at].kind, NAME_FILE);
    ck_assert_uint_eq(given->list[at].length, HANDLE);
    ck_assert_mem_eq(given->list[at].octets, handle.data, HANDLE);
}

/* ---- version 3 ---- */

static struct names_given *look_up(enum handles_nfsstat3 status, char server)
{
    struct handles_LOOKUP3res results = {.status = status};
    if (status == HANDLES_NFS3_OK)
        results.resok.object.data = handle_of('a', server);
    return read_results(handles_LOOKUP3res_encode(octets, sizeof octets, &results, NULL), 3,
                        LOOKUP);
}

static struct names_given *create(uint32_t procedure, bool has_handle)
{
    struct handles_CREATE3res results = {.status = HANDLES_NFS3_OK};
    results.resok.obj.handle_follows = has_handle;
    if (has_handle)
        results.resok.obj.handle.data = handle_of('a', 'x');
    return read_results(handles_CREATE3res_encode(octets, sizeof octets, &results, NULL), 3,
                        procedure);
}

/* Entries in this order. */
static struct names_given *list(const char *files, char server)
{
    static const uint8_t verifier[8];
    struct handles_entryplus3_entry entries[8] = {{.fileid = 0}};
    size_t count = strlen(files);
    for (size_t i = 0; i < count; i++) {
        entries[i].name =
            (struct rpcrdma_xdr_opaque){.data = (const uint8_t *)files + i, .length = 1};
        entries[i].name_handle.handle_follows = files[i] != '.';
        if (files[i] != '.')
            entries[i].name_handle.handle.data = handle_of(files[i], server);
    }
    const struct handles_READDIRPLUS3res results = {
        .resok = {.cookieverf = verifier,
                  .reply.entries = {.items = entries, .count = (uint32_t)count}}};
    return read_results(handles_READDIRPLUS3res_encode(octets, sizeof octets, &results, NULL), 3,
                        READDIRPLUS);
}

START_TEST(version_3_gives_handles)
{
    static const uint32_t procedures[] = {CREATE, MKDIR, SYMLINK, MKNOD};
    struct names_given *given = look_up(HANDLES_NFS3_OK, 'x');
    is_given(given, 0, 'a', 'x');
    free(given);
    ck_assert_ptr_null(look_up(HANDLES_NFS3ERR_NOENT, 'x'));
    for (size_t i = 0; i < 4; i++) {
        given = create(procedures[i], true);
        is_given(given, 0, 'a', 'x');
        ck_assert_uint_eq(given->count, 1);
        free(given);
        ck_assert_ptr_null(create(procedures[i], false));
    }
    ck_assert_ptr_null(create(READ, true)); /* these results are something else */
    given = list("a.b", 'x');
    is_given(given, 0, 'a', 'x');
    is_given(given, 1, 'b', 'x');
    ck_assert_uint_eq(given->count, 2);
    free(given);
}
END_TEST

/* What ends early gives none. */
START_TEST(cut_off_results_give_nothing)
{
    struct names_given *given = list("ab", 'x');
    uint8_t all[sizeof octets];
    memcpy(all, octets, sizeof all);
    for (size_t length = 1; length < 100; length++) {
        uint8_t *copy = malloc(length);
        memcpy(copy, all, length);
        const struct requester_reply reply = {.results = copy, .results_length = length};
        ck_assert_ptr_null(names_read(&reply, 3, READDIRPLUS));
        ck_assert_ptr_null(names_read(&reply, 3, LOOKUP));
        ck_assert_ptr_null(names_read(&reply, 3, CREATE));
        free(copy);
    }
    free(given);
}
END_TEST

/* In a directory what is called the same is the same file, in whatever order it comes. */
START_TEST(entries_are_known_by_name)
{
    struct replay_names names = {.count = 0};
    struct names_given *old = list("abc", 'x'), *fresh = list("cda", 'y');
    names_learn(&names, old, fresh);
    ck_assert_uint_eq(names.count, 2); /* b is not there any more */
    for (const char *file = "abc"; *file; file++) {
        uint8_t call[4 + HANDLE];
        const struct rpcrdma_xdr_opaque was = handle_of(*file, 'x'),
                                        is = handle_of(*file, *file == 'b' ? 'x' : 'y');
        rpcrdma_xdr_store32(call, HANDLE);
        memcpy(call + 4, was.data, HANDLE);
        ck_assert_uint_eq(names_apply(&names, call, sizeof call, sizeof call, NULL), sizeof call);
        ck_assert_mem_eq(call + 4, is.data, HANDLE);
    }
    names_free(&names);
    free(old);
    free(fresh);
}
END_TEST

/* No more than there is room for; and what is known is still learned anew. */
START_TEST(names_have_a_limit)
{
    struct replay_names names = {.count = 0};
    uint8_t call[4 + HANDLE];
    struct names_given *old = calloc(1, sizeof *old + sizeof old->list[0]),
                       *fresh = calloc(1, sizeof *fresh + sizeof fresh->list[0]);
    ck_assert(old && fresh);
    old->count = fresh->count = 1;
    old->list[0].kind = fresh->list[0].kind = NAME_FILE;
    old->list[0].length = fresh->list[0].length = HANDLE;
    memset(fresh->list[0].octets, 'y', HANDLE);
    for (uint32_t i = 0; i < NAMES_MAX + 2; i++) {
        rpcrdma_xdr_store32(old->list[0].octets, i);
        names_learn(&names, old, fresh);
        ck_assert_uint_eq(names.count, i < NAMES_MAX ? i + 1 : NAMES_MAX);
    }
    rpcrdma_xdr_store32(old->list[0].octets, 7);
    memset(fresh->list[0].octets, 'z', HANDLE);
    names_learn(&names, old, fresh);
    ck_assert_uint_eq(names.count, NAMES_MAX);
    rpcrdma_xdr_store32(call, HANDLE);
    memcpy(call + 4, old->list[0].octets, HANDLE);
    ck_assert_uint_eq(names_apply(&names, call, sizeof call, sizeof call, NULL), sizeof call);
    ck_assert_mem_eq(call + 4, fresh->list[0].octets, HANDLE);
    names_free(&names);
    free(old);
    free(fresh);
}
END_TEST

/* ---- version 4 ---- */

/* Values as XDR words, those of the handle last. */
static const struct {
    uint32_t bitmap;
    unsigned count;
    uint32_t words[20];
    bool found;
} values[] = {
    {1u << 19, 0, {0}, true},
    {1u << 19 | 1u << 1, 1, {1}, true},
    {1u << 19 | 1u << 1 | 1u << 3 | 1u << 8 | 1u << 18, 8, {1, 2, 2, 3, 3, 3, 3, 4}, true},
    {1u << 19 | 1u << 0, 4, {3, 7, 7, 7}, true},
    /* An ACL of two, for who has 5 and 4 octets; and another attribute after it. */
    {1u << 19 | 1u << 12 | 1u << 13, 13, {2, 0, 0, 0, 5, 6, 6, 0, 0, 0, 4, 6, 9}, true},
    {1u << 19 | 1u << 12, 1, {0xffffffff}, false}, /* too many */
    {1u << 19 | 1u << 0, 1, {0x40000001}, false},
    {1u << 18 | 1u << 1, 2, {1, 4}, false}, /* no handle */
    {0, 0, {0}, false},
};

static struct nfs_fattr4 attributes_of(int row, uint32_t bitmap[1], uint8_t room[128], char server)
{
    const struct rpcrdma_xdr_opaque handle = handle_of('a', server);
    size_t at = 0;
    bitmap[0] = values[row].bitmap;
    for (unsigned i = 0; i < values[row].count; i++, at += 4)
        rpcrdma_xdr_store32(room + at, values[row].words[i]);
    if (bitmap[0] >> 19 & 1) {
        rpcrdma_xdr_store32(room + at, HANDLE);
        memcpy(room + at + 4, handle.data, HANDLE);
        at += 4 + HANDLE;
    }
    return (struct nfs_fattr4){.attrmask = {.items = bitmap, .count = 1},
                               .attr_vals = {.data = room, .length = (uint32_t)at}};
}

static struct names_given *compound(const struct nfs_resop4 *result)
{
    const uint32_t begin[] = {0, 0, 1};
    for (size_t i = 0; i < 3; i++)
        rpcrdma_xdr_store32(octets + 4 * i, begin[i]);
    ptrdiff_t length = nfs_resop4_encode(octets + 12, sizeof octets - 12, result, NULL);
    ck_assert_int_gt(length, 0);
    return read_results(12 + length, NFS_VERSION, NFS_COMPOUND);
}

START_TEST(attributes_give_handles)
{
    uint32_t bitmap[1];
    uint8_t room[128];
    static const uint8_t verifier[8];
    struct nfs_resop4 result = {.resop = NFS_OP_GETATTR};
    result.opgetattr.resok4.obj_attributes = attributes_of(_i, bitmap, room, 'x');
    struct names_given *given = compound(&result);
    ck_assert_int_eq(given != NULL, values[_i].found);
    if (given)
        is_given(given, 0, 'a', 'x');
    free(given);
    struct nfs_entry4_entry entry = {.name = {.data = (const uint8_t *)"a", .length = 1},
                                     .attrs = result.opgetattr.resok4.obj_attributes};
    result = (struct nfs_resop4){.resop = NFS_OP_READDIR};
    result.opreaddir.resok4 = (struct nfs_READDIR4resok){
        .cookieverf = verifier, .reply.entries = {.items = &entry, .count = 1}};
    given = compound(&result);
    ck_assert_int_eq(given != NULL, values[_i].found);
    if (given)
        is_given(given, 0, 'a', 'x');
    ck_assert(given == NULL || given->list[0].entry != 0);
    free(given);
}
END_TEST

/* Values that end inside one of them, or before the handle does. */
START_TEST(cut_off_attributes_give_nothing)
{
    for (int row = 0; row < 5; row++) {
        uint32_t bitmap[1];
        uint8_t room[128];
        const struct nfs_fattr4 whole = attributes_of(row, bitmap, room, 'x');
        for (uint32_t length = 0; length < whole.attr_vals.length; length += 4) {
            struct nfs_resop4 result = {.resop = NFS_OP_GETATTR};
            result.opgetattr.resok4.obj_attributes = whole;
            result.opgetattr.resok4.obj_attributes.attr_vals.length = length;
            ck_assert_ptr_null(compound(&result));
        }
    }
}
END_TEST

/* More than is kept: what comes first is. */
START_TEST(the_first_entries_are_kept)
{
    static struct handles_entryplus3_entry entries[NAMES_GIVEN + 8];
    static uint8_t names[NAMES_GIVEN + 8][4], large[(NAMES_GIVEN + 8) * 64 + 64];
    static const uint8_t verifier[8];
    const struct rpcrdma_xdr_opaque handle = handle_of('a', 'x');
    for (uint32_t i = 0; i < NAMES_GIVEN + 8; i++) {
        rpcrdma_xdr_store32(names[i], i);
        entries[i].name = (struct rpcrdma_xdr_opaque){.data = names[i], .length = 4};
        entries[i].name_handle.handle_follows = true;
        entries[i].name_handle.handle.data = handle;
    }
    const struct handles_READDIRPLUS3res results = {
        .resok = {.cookieverf = verifier,
                  .reply.entries = {.items = entries, .count = NAMES_GIVEN + 8}}};
    ptrdiff_t length = handles_READDIRPLUS3res_encode(large, sizeof large, &results, NULL);
    ck_assert_int_gt(length, 0);
    const struct requester_reply reply = {.results = large, .results_length = (size_t)length};
    struct names_given *given = names_read(&reply, 3, READDIRPLUS);
    ck_assert_uint_eq(given->count, NAMES_GIVEN);
    ck_assert_uint_ne(given->list[0].entry, given->list[NAMES_GIVEN - 1].entry);
    free(given);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("names");
    tcase_add_test(tests, version_3_gives_handles);
    tcase_add_test(tests, cut_off_results_give_nothing);
    tcase_add_test(tests, entries_are_known_by_name);
    tcase_add_test(tests, names_have_a_limit);
    tcase_add_loop_test(tests, attributes_give_handles, 0, COUNT(values));
    tcase_add_test(tests, cut_off_attributes_give_nothing);
    tcase_add_test(tests, the_first_entries_are_kept);
    return run_tests("names", tests);
}
