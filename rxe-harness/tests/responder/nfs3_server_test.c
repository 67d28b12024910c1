// SPDX-License-Identifier: BSD-3-Clause
/* The reference Responder's NFS version 3, called without a transport: arguments as words, results
 * word by word as RFC 1813 lays them out. */
#include "rxe-harness/responder/files.h"
#include "rxe-harness/responder/nfs3.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/xdr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GETATTR = 1,
    LOOKUP = 3,
    ACCESS = 4,
    READLINK = 5,
    READ = 6,
    WRITE = 7,
    SYMLINK = 10,
    REMOVE = 12,
    READDIR = 16,
    READDIRPLUS = 17,
    FSINFO = 19
};
#define BADHANDLE 10001
#define ROOM 256 /* words of arguments */

static struct files_store store;
static struct nfs3_results results;
static uint8_t args[4 * ROOM];
static size_t length;

static void setup(void)
{
    store = (struct files_store){.length = 0};
}

static void teardown(void)
{
    free(store.octets);
}

/* ---- arguments ---- */

static void word(uint32_t value)
{
    ck_assert_uint_le(length + 4, sizeof args);
    rpcrdma_xdr_store32(args + length, value);
    length += 4;
}

static void opaque(const void *octets, uint32_t count)
{
    word(count);
    memset(args + length, 0, (count + 3) & ~3u);
    memcpy(args + length, octets, count);
    length += (count + 3) & ~3u;
}

/* The file handle, which all arguments begin with: of 8 octets. */
static void handle(const char *file)
{
    uint8_t octets[8] = {0};
    memcpy(octets, file, strlen(file));
    length = 0;
    opaque(octets, 8);
}

/* The results lie where something was. */
static bool execute(uint32_t procedure)
{
    uint8_t *copy = malloc(length + 1);
    memcpy(copy, args, length);
    memset(&results, 0xee, sizeof results);
    bool known = responder_nfs3(&store, procedure, copy, length, &results);
    free(copy);
    return known;
}

/* ---- results ---- */

static void are(const uint32_t *words, size_t count)
{
    ck_assert_uint_eq(results.length, 4 * count);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(rpcrdma_xdr_load32(results.octets + 4 * i) == words[i],
                      "word %zu: 0x%x, not 0x%x", i, rpcrdma_xdr_load32(results.octets + 4 * i),
                      words[i]);
}
#define ARE(...)                                                                                   \
    are((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* fattr3: type, mode, links, owner and group, size, used, no device, fsid, fileid, three times. */
#define ATTRIBUTES(type, mode, links, size, id)                                                    \
    type, mode, links, 0, 0, 0, size, 0, size, 0, 0, 0, FILES_FSID, 0, id, 1, 0, 1, 0, 1, 0
#define ROOT_ATTRIBUTES ATTRIBUTES(2, 0555, 2, 4096, 2)
#define FILE_ATTRIBUTES ATTRIBUTES(1, 0444, 1, 65536, 3)
#define WRITTEN_ATTRIBUTES(size) ATTRIBUTES(1, 0644, 1, size, 4)
#define MANY_ATTRIBUTES ATTRIBUTES(2, 0555, 2, 4096, 5)

START_TEST(each_object_has_its_attributes)
{
    static const char *const others[] = {"", "other", "writteN", "the fil"};
    for (size_t i = 0; i < COUNT(others); i++) {
        handle(others[i]);
        ck_assert(execute(GETATTR));
        ARE(0, ROOT_ATTRIBUTES);
        ck_assert(!results.has_data);
    }
    handle("the file");
    ck_assert(execute(GETATTR));
    ARE(0, FILE_ATTRIBUTES);
    handle("written");
    ck_assert(execute(GETATTR));
    ARE(0, WRITTEN_ATTRIBUTES(0));
    handle("many");
    ck_assert(execute(GETATTR));
    ARE(0, MANY_ATTRIBUTES);
}
END_TEST

/* fhandle3 is of 64 octets at most (RFC 1813 section 2.4). */
START_TEST(handles_have_up_to_64_octets)
{
    static const uint8_t octets[68] = "many";
    static const uint32_t sizes[] = {0, 1, 4, 7, 9, 63, 64};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        length = 0;
        opaque(octets, sizes[i]);
        ck_assert(execute(GETATTR));
        ARE(0, ROOT_ATTRIBUTES);
    }
    length = 0;
    opaque(octets, 65);
    ck_assert(execute(GETATTR));
    ARE(BADHANDLE);
}
END_TEST

/* ---- arguments that end early ---- */

static const struct {
    uint32_t procedure;
    unsigned none; /* optional attributes of a failure: RFC 1813 section 3.3 */
    uint32_t rest; /* words after the handle that have to be there */
} procedures[] = {{GETATTR, 0, 0}, {LOOKUP, 1, 2},  {ACCESS, 1, 0},      {READ, 1, 3},
                  {WRITE, 2, 6},   {READDIR, 1, 5}, {READDIRPLUS, 1, 0}, {FSINFO, 1, 0}};

START_TEST(what_ends_early_is_answered)
{
    static const uint32_t failed[] = {BADHANDLE, 0, 0};
    const uint32_t procedure = procedures[_i].procedure;
    handle(procedure == WRITE ? "written" : procedure == READ ? "the file" : "many");
    if (procedure == LOOKUP)
        opaque("four", 4);
    for (uint32_t i = 0; procedure != LOOKUP && i < procedures[_i].rest; i++)
        word(i == 4 && procedure == WRITE ? 4 : 0); /* octets of data */
    const size_t whole = length;
    for (length = 0; length < whole; length++) {
        ck_assert(execute(procedure));
        are(failed, 1 + procedures[_i].none);
        ck_assert(!results.has_data);
    }
    ck_assert(execute(procedure));
    ck_assert_uint_eq(rpcrdma_xdr_load32(results.octets), 0);
    ck_assert_uint_gt(results.length, 4 * (1 + procedures[_i].none));
}
END_TEST

/* Of what is not padded the padding is missing. */
START_TEST(padding_has_to_be_there)
{
    for (uint32_t count = 1; count < 8; count++) {
        handle("");
        opaque("12345678", count);
        const size_t whole = length;
        ck_assert(execute(LOOKUP));
        ck_assert_uint_eq(rpcrdma_xdr_load32(results.octets), 0);
        for (length = whole - (4 - count % 4) % 4; length < whole; length++) {
            ck_assert(execute(LOOKUP));
            ARE(BADHANDLE, 0);
        }
    }
}
END_TEST

START_TEST(other_procedures_are_not_there)
{
    for (uint32_t procedure = 0; procedure < 32; procedure++) {
        bool known = procedure == READLINK || procedure == SYMLINK || procedure == REMOVE;
        for (size_t i = 0; i < COUNT(procedures); i++)
            known = known || procedures[i].procedure == procedure;
        handle("");
        ck_assert_int_eq(execute(procedure), known);
    }
}
END_TEST

/* ---- a link ---- */

static uint32_t make_link(const char *name, const char *target, uint32_t set_size)
{
    handle("");
    opaque(name, (uint32_t)strlen(name));
    for (unsigned i = 0; i < 6; i++) {
        word(i == 3 ? set_size : 0);
        for (unsigned j = 0; i == 3 && j < 2 * set_size; j++)
            word(7);
    }
    opaque(target, (uint32_t)strlen(target));
    ck_assert(execute(SYMLINK));
    return rpcrdma_xdr_load32(results.octets);
}

static uint32_t remove_link(const char *name)
{
    handle("");
    opaque(name, (uint32_t)strlen(name));
    ck_assert(execute(REMOVE));
    return rpcrdma_xdr_load32(results.octets);
}

#define LINK_ATTRIBUTES(size) ATTRIBUTES(5, 0777, 1, size, 6)
START_TEST(a_link_is_made_read_and_removed)
{
    static const char target[] = "where it leads";
    const uint32_t size = sizeof target - 1;
    ck_assert_uint_eq(remove_link("a link"), 2);
    ARE(2, 0, 1, ROOT_ATTRIBUTES);
    ck_assert_uint_eq(make_link("a link", target, 0), 0);
    ARE(0, 1, 8, 0x74686520, 0x6c696e6b, 1, LINK_ATTRIBUTES(size), 0, 1, ROOT_ATTRIBUTES);
    ck_assert_uint_eq(make_link("another", "", 0), 17);
    handle("");
    opaque("a link", 6);
    ck_assert(execute(LOOKUP));
    ck_assert_mem_eq(results.octets + 8, "the link", 8);
    handle("the link");
    ck_assert(execute(READLINK));
    ARE(0, 1, LINK_ATTRIBUTES(size));
    ck_assert(results.has_data);
    ck_assert_uint_eq(results.data_length, size);
    ck_assert_mem_eq(results.data, target, size);
    ck_assert_uint_eq(remove_link("a lin"), 2);
    ck_assert_uint_eq(remove_link("a link"), 0);
    handle("the link");
    ck_assert(execute(READLINK));
    ck_assert_uint_eq(rpcrdma_xdr_load32(results.octets), 22);
    ck_assert(!results.has_data);
    ck_assert_uint_eq(make_link("", "x", 0), 17);
    ck_assert_uint_eq(make_link("with a size", "", 1), 0);
    handle("the link");
    ck_assert(execute(READLINK));
    ARE(0, 1, LINK_ATTRIBUTES(0));
    ck_assert_uint_eq(results.data_length, 0);
}
END_TEST

START_TEST(links_have_limits)
{
    char text[258];
    memset(text, 'x', 257);
    text[257] = '\0';
    ck_assert_uint_eq(make_link(text, "", 0), 63);
    ck_assert_uint_eq(make_link("x", text, 0), 63);
    text[256] = '\0';
    ck_assert_uint_eq(make_link("x", text, 2), BADHANDLE); /* set_it is 0 or 1 */
    ck_assert_uint_eq(make_link("x", text, 1), 0);
    const size_t whole = length;
    for (length = 12; length < whole; length++) {
        ck_assert(execute(SYMLINK));
        ARE(BADHANDLE, 0, 0);
    }
    remove_link("x");
    for (const size_t end = length--; length >= 12 && length < end; length--) {
        ck_assert(execute(REMOVE));
        ARE(BADHANDLE, 0, 0);
    }
}
END_TEST

/* ---- looking ---- */

static const struct {
    const char *name, *handle;
    uint32_t attributes[21];
} names[] = {
    {"written", "written", {WRITTEN_ATTRIBUTES(0)}}, {"many", "many", {MANY_ATTRIBUTES}},
    {"file", "the file", {FILE_ATTRIBUTES}},         {"", "the file", {FILE_ATTRIBUTES}},
    {"writte", "the file", {FILE_ATTRIBUTES}},       {"writteN", "the file", {FILE_ATTRIBUTES}},
    {"written too", "the file", {FILE_ATTRIBUTES}},  {"Many", "the file", {FILE_ATTRIBUTES}},
};

START_TEST(names_are_looked_up)
{
    static const uint32_t root[] = {1, ROOT_ATTRIBUTES};
    uint8_t found[FILES_HANDLE] = {0};
    uint32_t words[1 + 3 + 22 + 22] = {0, FILES_HANDLE};
    memcpy(found, names[_i].handle, strlen(names[_i].handle));
    words[2] = rpcrdma_xdr_load32(found);
    words[3] = rpcrdma_xdr_load32(found + 4);
    words[4] = 1;
    memcpy(words + 5, names[_i].attributes, sizeof names[_i].attributes);
    memcpy(words + 26, root, sizeof root);
    handle("");
    opaque(names[_i].name, (uint32_t)strlen(names[_i].name));
    ck_assert(execute(LOOKUP));
    are(words, COUNT(words));
}
END_TEST

START_TEST(access_and_sizes_are_told)
{
    handle("");
    word(0x3f);
    ck_assert(execute(ACCESS));
    ARE(0, 1, ROOT_ATTRIBUTES, 3); /* to read and to look up */
    handle("written");
    word(0x3f);
    ck_assert(execute(ACCESS));
    ARE(0, 1, WRITTEN_ATTRIBUTES(0), 0xf); /* to modify and extend, too */
    handle("");
    ck_assert(execute(FSINFO));
    /* READ, WRITE: most, preferred, multiple; READDIR; the largest file; times to the second;
     * all objects are alike. */
    ARE(0, 1, ROOT_ATTRIBUTES, 4096, 4096, 4096, 4096, 4096, 4096, 4096, 0x7fffffff, 0xffffffff, 0,
        1, 8);
}
END_TEST

/* ---- READ ---- */

static void ask(const char *file, uint64_t offset, uint32_t count)
{
    handle(file);
    word((uint32_t)(offset >> 32));
    word((uint32_t)offset);
    word(count);
    ck_assert(execute(READ));
    ck_assert(results.has_data);
}

static const struct {
    uint64_t offset;
    uint32_t asked, count, eof;
} reads[] = {
    {0, 100, 100, 0},
    {0, 4096, 4096, 0},
    {0, 4097, 4096, 0},
    {0, UINT32_MAX, 4096, 0},
    {61440, 4096, 4096, 1},
    {61439, 4097, 4096, 0},
    {65435, 100, 100, 0},
    {65436, 100, 100, 1},
    {65437, 100, 99, 1},
    {65535, 1, 1, 1},
    {65536, 1, 0, 1},
    {65537, 1, 0, 1},
    {65536, 0, 0, 1},
    {1ull << 32, 100, 0, 1},
    {UINT64_MAX, UINT32_MAX, 0, 1},
    {0, 0, 0, 0},
    {(1ull << 32) - 1, 2, 0, 1},
};

START_TEST(the_file_is_read)
{
    static const char *const files[] = {"the file", "", "others"}; /* whatever handle it is */
    for (size_t i = 0; i < COUNT(files); i++) {
        ask(files[i], reads[_i].offset, reads[_i].asked);
        ARE(0, 1, FILE_ATTRIBUTES, reads[_i].count, reads[_i].eof);
        ck_assert_uint_eq(results.data_length, reads[_i].count);
        ck_assert_ptr_null(results.data);
    }
}
END_TEST

/* ---- WRITE, and READ of what was written ---- */

static void put(uint64_t offset, const char *data)
{
    handle("written");
    word((uint32_t)(offset >> 32));
    word((uint32_t)offset);
    word((uint32_t)strlen(data));
    word(0); /* UNSTABLE: it is stable all the same */
    opaque(data, (uint32_t)strlen(data));
    ck_assert(execute(WRITE));
    ck_assert(!results.has_data);
}

/* wcc_data without what was before; count, FILE_SYNC, the verifier. */
#define WRITTEN_RESULTS(size, count) 0, 0, 1, WRITTEN_ATTRIBUTES(size), count, 2, 0, 1

static void reads_back(uint64_t offset, uint32_t asked, const char *data, uint32_t count,
                       uint32_t eof)
{
    ask("written", offset, asked);
    ARE(0, 1, WRITTEN_ATTRIBUTES(store.length), count, eof);
    ck_assert_uint_eq(results.data_length, count);
    ck_assert_int_eq(results.data != NULL, count > 0);
    ck_assert(count == 0 || memcmp(results.data, data, count) == 0);
}

START_TEST(what_is_written_is_read)
{
    reads_back(0, 10, "", 0, 1);
    put(0, "");
    ARE(WRITTEN_RESULTS(0, 0));
    put(0, "hello");
    ARE(WRITTEN_RESULTS(5, 5));
    reads_back(0, 10, "hello", 5, 1);
    reads_back(0, 5, "hello", 5, 1);
    reads_back(0, 4, "hell", 4, 0);
    reads_back(1, 3, "ell", 3, 0);
    reads_back(4, 3, "o", 1, 1);
    reads_back(5, 3, "", 0, 1);
    reads_back(1ull << 32, 3, "", 0, 1);
    put(1, "a"); /* within */
    ARE(WRITTEN_RESULTS(5, 1));
    reads_back(0, 10, "hallo", 5, 1);
    put(8, "end"); /* beyond: zeros between */
    ARE(WRITTEN_RESULTS(11, 3));
    reads_back(0, 100, "hallo\0\0\0end", 11, 1);
    put(20, ""); /* nothing, but the file is longer */
    ARE(WRITTEN_RESULTS(20, 0));
    reads_back(11, 9, "\0\0\0\0\0\0\0\0", 9, 1);
}
END_TEST

/* The file that can be written is read in more than FILES_READ_SIZE octets. */
START_TEST(much_is_read_at_once)
{
    put(FILES_SIZE_MAX - 3, "end");
    ARE(WRITTEN_RESULTS(FILES_SIZE_MAX, 3));
    ask("written", 0, UINT32_MAX);
    ck_assert_uint_eq(results.data_length, FILES_SIZE_MAX);
    ck_assert_ptr_eq(results.data, store.octets);
    ask("written", FILES_SIZE_MAX - 3, 3);
    ck_assert_mem_eq(results.data, "end", 3);
}
END_TEST

/* NFS3ERR_FBIG, and nothing is changed. */
START_TEST(no_file_is_larger_than_the_most)
{
    static const struct {
        uint64_t offset;
        const char *data;
        bool fits;
    } rows[] = {{FILES_SIZE_MAX - 4, "four", true},  {FILES_SIZE_MAX, "", true},
                {FILES_SIZE_MAX - 3, "four", false}, {FILES_SIZE_MAX, "1", false},
                {FILES_SIZE_MAX + 1, "", false},     {1ull << 32, "four", false},
                {UINT64_MAX, "four", false},         {UINT64_MAX - 3, "four", false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        teardown();
        setup();
        put(rows[i].offset, rows[i].data);
        if (rows[i].fits) {
            ARE(WRITTEN_RESULTS(FILES_SIZE_MAX, (uint32_t)strlen(rows[i].data)));
        } else {
            ARE(27, 0, 0);
            ck_assert_uint_eq(store.length, 0);
        }
    }
}
END_TEST

START_TEST(only_one_file_can_be_written)
{
    static const char *const others[] = {"the file", "many", ""};
    for (size_t i = 0; i < COUNT(others); i++) {
        handle(others[i]);
        for (int j = 0; j < 4; j++)
            word(0);
        opaque("data", 4);
        ck_assert(execute(WRITE));
        ARE(BADHANDLE, 0, 0);
        ck_assert_uint_eq(store.length, 0);
    }
}
END_TEST

/* ---- READDIR ---- */

static void read_directory(const char *directory, uint32_t procedure, uint64_t cookie,
                           uint32_t count)
{
    handle(directory);
    word((uint32_t)(cookie >> 32));
    word((uint32_t)cookie);
    word(0); /* the verifier */
    word(0);
    word(count);
    ck_assert(execute(procedure));
}

START_TEST(a_directory_is_empty)
{
    read_directory("", READDIR, 0, 4096);
    ARE(0, 1, ROOT_ATTRIBUTES, 0, 0, 0, 1);
    read_directory("many", READDIRPLUS, 0, 4096);
    ARE(0, 1, MANY_ATTRIBUTES, 0, 0, 0, 1);
}
END_TEST

#define ENTRIES_AT (4 * (1 + 22 + 2)) /* after the attributes and the verifier */

/* Every entry after the cookie, in order. Octets up to what follows; `last`: where the last one
 * begins. Returns its number. */
static uint32_t check_entries(uint32_t cookie, size_t *end, size_t *last)
{
    const uint8_t *octets = results.octets;
    size_t at = ENTRIES_AT;
    *last = 0;
    for (; rpcrdma_xdr_load32(octets + at) == 1; cookie++) {
        char name[32] = {0};
        snprintf(name, sizeof name, "entry %u of many", cookie + 1);
        size_t padded = (strlen(name) + 3) & ~(size_t)3;
        *last = at;
        ck_assert_uint_eq(rpcrdma_xdr_load64(octets + at + 4), 100 + cookie + 1);
        ck_assert_uint_eq(rpcrdma_xdr_load32(octets + at + 12), strlen(name));
        ck_assert_mem_eq(octets + at + 16, name, padded); /* zeros after it */
        at += 16 + padded;
        ck_assert_uint_eq(rpcrdma_xdr_load64(octets + at), cookie + 1);
        at += 8;
    }
    ck_assert_uint_eq(rpcrdma_xdr_load32(octets + at), 0);
    ck_assert_uint_eq(results.length, at + 8);
    *end = at;
    return cookie;
}

/* Of results that may be so long: no more, and no entry less than there is room for, where 64
 * octets are an entry's. */
START_TEST(entries_fill_what_is_asked_for)
{
    size_t end, last;
    for (uint32_t count = 0; count < 600; count++) {
        read_directory("many", READDIR, 0, count);
        uint32_t entries = check_entries(0, &end, &last);
        ck_assert_uint_eq(rpcrdma_xdr_load32(results.octets + end + 4), 0);
        ck_assert(entries == 0 || last + 64 <= count);
        ck_assert_uint_gt(end + 64, count);
    }
    read_directory("many", READDIR, 0, UINT32_MAX);
    ck_assert_uint_eq(check_entries(0, &end, &last), 1000);
    ck_assert_uint_eq(rpcrdma_xdr_load32(results.octets + end + 4), 1);
}
END_TEST

static const struct {
    uint64_t cookie;
    uint32_t entries;
} cookies[] = {{0, 1000}, {1, 999},        {998, 2},        {999, 1},   {1000, 0},
               {1001, 0}, {UINT32_MAX, 0}, {1ull << 32, 0}, {500, 500}, {UINT64_MAX, 0}};

START_TEST(entries_come_after_the_cookie)
{
    size_t end, last;
    read_directory("many", READDIR, cookies[_i].cookie, 65536);
    uint32_t first = cookies[_i].entries > 0 ? (uint32_t)cookies[_i].cookie : 0;
    ck_assert_uint_eq(check_entries(first, &end, &last) - first, cookies[_i].entries);
    ck_assert_uint_eq(rpcrdma_xdr_load32(results.octets + end + 4), 1);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("NFS version 3");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, each_object_has_its_attributes);
    tcase_add_test(tests, handles_have_up_to_64_octets);
    tcase_add_loop_test(tests, what_ends_early_is_answered, 0, COUNT(procedures));
    tcase_add_test(tests, padding_has_to_be_there);
    tcase_add_test(tests, other_procedures_are_not_there);
    tcase_add_test(tests, a_link_is_made_read_and_removed);
    tcase_add_test(tests, links_have_limits);
    tcase_add_loop_test(tests, names_are_looked_up, 0, COUNT(names));
    tcase_add_test(tests, access_and_sizes_are_told);
    tcase_add_loop_test(tests, the_file_is_read, 0, COUNT(reads));
    tcase_add_test(tests, what_is_written_is_read);
    tcase_add_test(tests, much_is_read_at_once);
    tcase_add_test(tests, no_file_is_larger_than_the_most);
    tcase_add_test(tests, only_one_file_can_be_written);
    tcase_add_test(tests, a_directory_is_empty);
    tcase_add_test(tests, entries_fill_what_is_asked_for);
    tcase_add_loop_test(tests, entries_come_after_the_cookie, 0, COUNT(cookies));
    return run_tests("NFS version 3", tests);
}
