// SPDX-License-Identifier: BSD-3-Clause
/* The table of bindings: which versions of which programs, and the names of their procedures. */
#include "conformance/tests/support/play.h"
#include "conformance/base/count.h"

#include <rpcrdma/binding.h>
#include <rpcrdma/xdr.h>

static const char *const nfs2[] = {"NULL",     "GETATTR", "SETATTR",    "ROOT",    "LOOKUP",
                                   "READLINK", "READ",    "WRITECACHE", "WRITE",   "CREATE",
                                   "REMOVE",   "RENAME",  "LINK",       "SYMLINK", "MKDIR",
                                   "RMDIR",    "READDIR", "STATFS",     NULL};
static const char *const nfs3[] = {
    "NULL",    "GETATTR",     "SETATTR", "LOOKUP", "ACCESS",   "READLINK", "READ",   "WRITE",
    "CREATE",  "MKDIR",       "SYMLINK", "MKNOD",  "REMOVE",   "RMDIR",    "RENAME", "LINK",
    "READDIR", "READDIRPLUS", "FSSTAT",  "FSINFO", "PATHCONF", "COMMIT",   NULL};
static const char *const nfs4[] = {"NULL", "COMPOUND", NULL};
static const char *const no_names[] = {"NULL", NULL};

static const struct {
    const struct rpcrdma_binding *binding;
    const char *name;
    uint32_t program, low, high;
    const char *const *procedures;
} rows[] = {
    {&rpcrdma_binding_nfs2, "NFS", 100003, 2, 2, nfs2},
    {&rpcrdma_binding_nfs3, "NFS", 100003, 3, 3, nfs3},
    {&rpcrdma_binding_nfs4, "NFS", 100003, 4, 4, nfs4},
    {&rpcrdma_binding_nfsacl, "NFSACL", 100227, 1, 3, no_names},
    {&rpcrdma_binding_mount, "MOUNT", 100005, 1, 3, no_names},
    {&rpcrdma_binding_nlm, "NLM", 100021, 1, 4, no_names},
    {&rpcrdma_binding_nsm, "NSM", 100024, 1, 1, no_names},
};
#define ROWS COUNT(rows)

START_TEST(procedures)
{
    const struct rpcrdma_binding *binding = rows[_i].binding;
    uint32_t n = 0;
    ck_assert_str_eq(binding->name, rows[_i].name);
    for (; rows[_i].procedures[n]; n++) {
        const char *name = binding->procedure(rows[_i].low, n);
        ck_assert_ptr_nonnull(name);
        ck_assert_str_eq(name, rows[_i].procedures[n]);
    }
    ck_assert_ptr_null(binding->procedure(rows[_i].low, n));
    ck_assert_ptr_null(binding->procedure(rows[_i].low, UINT32_MAX));
}
END_TEST

/* Each is found by all its versions, and by no others. */
START_TEST(versions)
{
    unsigned found = 0;
    for (uint32_t version = 0; version < 8; version++) {
        bool serves = version >= rows[_i].low && version <= rows[_i].high;
        const struct rpcrdma_binding *binding =
            rpcrdma_binding_find(rpcrdma_bindings, rows[_i].program, version);
        ck_assert_int_eq(binding == rows[_i].binding, serves);
        ck_assert(binding == NULL || binding->program == rows[_i].program);
        ck_assert_ptr_null(rpcrdma_binding_find(rpcrdma_bindings, rows[_i].program - 1, version));
        ck_assert_ptr_null(rpcrdma_binding_find(NULL, rows[_i].program, version));
        found += serves;
    }
    ck_assert_uint_eq(found, rows[_i].high - rows[_i].low + 1);
}
END_TEST

static void ignore(void *arg, const struct rpcrdma_item *item)
{
    (void)arg, (void)item;
    ck_abort_msg("nothing is eligible");
}

static bool is_out(void *arg)
{
    (void)arg;
    ck_abort_msg("nothing is eligible");
    return true;
}

/* Of a procedure that NFS does not define nothing is known, not even where its arguments end; those
 * of a program in which nothing is eligible can be any. */
START_TEST(unknown_procedure)
{
    const struct rpcrdma_item_sink sink = {
        .argument = ignore, .expected = ignore, .result_is_out = is_out, .result = ignore};
    const uint8_t octets[8] = {0};
    struct rpcrdma_xdr_reduction reduction = {0};
    uint32_t n = 0;
    while (rows[_i].procedures[n])
        n++;
    bool is_nfs = rows[_i].program == 100003;
    for (int is_reply = 0; is_reply < 2; is_reply++)
        for (uint32_t procedure = 0; procedure <= n; procedure += n) {
            struct rpcrdma_content content = {.version = rows[_i].low,
                                              .procedure = procedure,
                                              .octets = octets,
                                              .length = sizeof octets,
                                              .read = sizeof octets,
                                              .reduction = &reduction};
            bool known = procedure == 0 || !is_nfs;
            enum rpcrdma_reading end =
                (is_reply ? rows[_i].binding->reply : rows[_i].binding->call)(&content, &sink);
            ck_assert_int_eq(end, known ? RPCRDMA_READ_ALL : RPCRDMA_READ_PART);
            ck_assert_uint_eq(content.read, known ? sizeof octets : 0);
        }
}
END_TEST

static void pass_over(void *arg, const struct rpcrdma_item *item)
{
    (void)arg, (void)item;
}

/* Arguments of READDIR, which are not those of another procedure: only READDIR says by them how
 * many octets of results can come, the status and whole words. */
START_TEST(octets_of_a_directory)
{
    const uint8_t octets[][40] = {
        {[38] = 4, [39] = 7},                              /* version 2: handle, cookie, 1031 */
        {[3] = 4, [26] = 8, [27] = 3, [30] = 4, [31] = 7}, /* 3: handle, cookie, verifier, counts */
    };
    const struct rpcrdma_item_sink sink = {.argument = pass_over, .expected = pass_over};
    for (uint32_t procedure = 0; rows[_i].procedures[procedure]; procedure++) {
        struct rpcrdma_xdr_reduction reduction = {0};
        struct rpcrdma_content content = {.version = rows[_i].low,
                                          .procedure = procedure,
                                          .octets = octets[_i],
                                          .length = _i == 0 ? 40 : 32,
                                          .read = 40,
                                          .reduction = &reduction};
        const char *name = rows[_i].procedures[procedure];
        uint64_t most = 0;
        if (strcmp(name, "READDIR") == 0)
            most = _i == 0 ? 4 + 1028 : 4 + 2048;
        else if (strcmp(name, "READDIRPLUS") == 0) /* the smaller one of its two counts */
            most = 4 + 1028;
        rows[_i].binding->call(&content, &sink);
        ck_assert_msg(content.other_results == most, "%s: %llu octets", name,
                      (unsigned long long)content.other_results);
    }
}
END_TEST

static bool is_in(void *arg)
{
    (void)arg;
    return false;
}

/* Octets that end early are never read to an end, nor beyond where they end. That there are none
 * says that nothing in a READ is eligible (binding.h). */
START_TEST(cut_short)
{
    static const struct {
        const struct rpcrdma_binding *binding;
        uint32_t procedure;
        bool is_reply;
        unsigned count;
        uint32_t words[20];
    } whole[] = {
        {&rpcrdma_binding_nfs2, 6, true, 20, {[13] = 4096, [18] = 4, [19] = 7}},
        {&rpcrdma_binding_nfs3, 6, false, 5, {4, 7, 0, 0, 8}},
        {&rpcrdma_binding_nfs3, 6, true, 6, {0, 0, 4, 1, 4, 7}},
        {&rpcrdma_binding_nfs4, 1, false, 7, {4, 7, 1, 2, 10, 22, 0}},
        {&rpcrdma_binding_nfs4, 1, true, 11, {0, 4, 7, 2, 22, 0, 10, 0, 4, 7, 0}},
    };
    const struct rpcrdma_item_sink sink = {
        .argument = pass_over, .expected = pass_over, .result_is_out = is_in, .result = pass_over};
    size_t most = whole[_i].count * 4 -
                  (whole[_i].binding == &rpcrdma_binding_nfs4 ? 4 : 0) * (size_t)whole[_i].is_reply;
    for (size_t length = 0; length <= most; length++) {
        struct rpcrdma_xdr_reduction reduction = {0};
        uint8_t octets[80], *exact = malloc(length + (length == 0));
        for (unsigned i = 0; i < whole[_i].count; i++)
            rpcrdma_xdr_store32(octets + 4 * i, whole[_i].words[i]);
        memcpy(exact, octets, length);
        struct rpcrdma_content content = {.version = whole[_i].binding->low_version,
                                          .procedure = whole[_i].procedure,
                                          .octets = exact,
                                          .length = length,
                                          .read = length,
                                          .reduction = &reduction};
        enum rpcrdma_reading end = (whole[_i].is_reply ? whole[_i].binding->reply
                                                       : whole[_i].binding->call)(&content, &sink);
        ck_assert_uint_le(content.read, length);
        bool none =
            length == 0 && whole[_i].binding == &rpcrdma_binding_nfs3 && !whole[_i].is_reply;
        ck_assert_msg((end == RPCRDMA_READ_ALL) == (length == most || none),
                      "%zu of %zu octets: %d", length, most, end);
        free(exact);
    }
}
END_TEST

/* ---- a binding of one's own ---- */

/* A word, and a counted item that is eligible: the argument, and the result. It says how far it
 * came only where that is not the end. */
static bool reads(struct rpcrdma_content *content, bool out, uint32_t *count)
{
    *count = content->length >= 8 ? rpcrdma_xdr_load32(content->octets + 4) : 0;
    uint64_t whole = 8 + (out ? 0 : ((uint64_t)*count + 3) / 4 * 4);
    if (content->length == whole)
        return true;
    content->read = content->length / 8 * 4;
    return false;
}

static enum rpcrdma_reading own_call(struct rpcrdma_content *content,
                                     const struct rpcrdma_item_sink *sink)
{
    struct rpcrdma_xdr_hole *hole = content->reduction->holes;
    struct rpcrdma_item item = {.position = content->position + 8};
    uint32_t count;
    item.out = content->reduction->hole_count > 0 && hole->position == item.position;
    bool good = reads(content, item.out, &count);
    item.length = count;
    if (item.out) {
        hole->taken = true;
        hole->count = count;
        content->reduction->removed += (count + 3) / 4 * 4;
    }
    if (good) {
        sink->argument(sink->arg, &item);
        sink->expected(sink->arg, &(struct rpcrdma_item){.length = RPCRDMA_ITEM_ANY});
    }
    return good ? RPCRDMA_READ_ALL : RPCRDMA_UNREADABLE;
}

static enum rpcrdma_reading own_reply(struct rpcrdma_content *content,
                                      const struct rpcrdma_item_sink *sink)
{
    struct rpcrdma_item item = {.out = sink->result_is_out(sink->arg)};
    uint32_t count;
    bool good = reads(content, item.out, &count);
    item.length = count;
    if (item.out)
        content->reduction->removed += (count + 3) / 4 * 4;
    if (good)
        sink->result(sink->arg, &item);
    return good ? RPCRDMA_READ_ALL : RPCRDMA_UNREADABLE;
}

static const struct rpcrdma_binding own = {.program = 536870913,
                                           .low_version = 1,
                                           .high_version = 1,
                                           .call = own_call,
                                           .reply = own_reply};
static const struct rpcrdma_binding *const own_bindings[] = {&own, NULL};

#define OWN                                                                                        \
    {                                                                                              \
        .bindings = own_bindings                                                                   \
    }
#define CALL "7 0 2 536870913 1 1 0 0 0 0 "
#define READS(position, length) "> 7 1 32 0 1 " position " 0xa " length " 0 0 0 0 0 " CALL
#define WRITES "> 7 1 32 0 0 1 1 0xa 64 0 0 0 0 " CALL "9 0"
#define REPLY(length) "< 7 1 32 0 0 1 1 0xa " length " 0 0 0 0 7 1 0 0 0 0 "

static const struct play_row own_rows[] = {
    {"V 3.4.5/position-of-item @20 -> err-chunk,garbage-args",
     {READS("44", "8") "9 8", "= the item is not at Position 44, but at 48"},
     {READS("48", "8") "9 8"},
     NULL,
     OWN},
    {"V 4.3.1/reduced-item-left-out @20 -> err-chunk,garbage-args",
     {READS("48", "8") "9 8 1 2"},
     {"> 7 1 32 0 none " CALL "9 8 1 2"},
     NULL,
     OWN},
    {"V 3.4.4.1/count-stays @20 -> err-chunk,garbage-args",
     {READS("44", "12") "9"},
     {READS("48", "8") "9 8"},
     NULL,
     OWN},
    {"V 4.3.2/pushed-item-left-out @20 -> terminate",
     {WRITES, REPLY("8") "9 8 1 2"},
     {WRITES, REPLY("8") "9 8"},
     NULL,
     OWN},
    {"V 3.4.4.1/count-stays @24 -> terminate",
     {WRITES, REPLY("12") "9"},
     {WRITES, REPLY("8") "9 8"},
     NULL,
     OWN},
    /* A payload of more than 4096 octets is not read again with a count word. */
    {"V 6.1/only-eligible-reduced @20 -> err-chunk,garbage-args",
     {READS("48", "8") "9 12 *1030"},
     {READS("48", "12") "9 12"},
     NULL,
     {.inline_threshold = {8192, 8192}, .bindings = own_bindings}},
};

START_TEST(of_ones_own)
{
    play_row(&own_rows[_i]);
}
END_TEST

/* ---- NFS version 4: Read chunks of many segments, several of them, and callbacks ---- */

#define ENTRY(position) "1 " position " 0xa 1 0 0 "
#define FOUR(position) ENTRY(position) ENTRY(position) ENTRY(position) ENTRY(position)
#define SIXTEEN(position) FOUR(position) FOUR(position) FOUR(position) FOUR(position)
#define COMPOUND(count) "0 0 0 7 0 2 100003 4 1 0 0 0 0 0 1 " count " "
#define WRITE(length) "38 *7 " length " "
#define NFS                                                                                        \
    {                                                                                              \
        .inline_threshold = {8192, 8192}, .bindings = rpcrdma_bindings                             \
    }
#define NAMES(program) "> 7 1 32 0 " COMPOUND("1") "43 0 0 1 2 0 *5 0 0 *5 0 " program " 0"
#define CALLBACK "?< 9 1 32 0 0 1 1 0xb 64 0 0 0 0 9 0 2 0x40000000 1 1 0 0 0 0"
#define REFUSABLE " -> process,err-chunk,garbage-args"

static const struct play_row nfs4_rows[] = {
    {"N rfc8267/6.4.2/sixteen-segments @20" REFUSABLE,
     {"> 7 1 32 0 " SIXTEEN("88") ENTRY("88") COMPOUND("1") WRITE("17"),
      "= a chunk has 17 segments; a server need not take more than 16"},
     {"> 7 1 32 0 " SIXTEEN("88") COMPOUND("1") WRITE("16")},
     NULL,
     NFS},
    /* Of each chunk by itself. */
    {"N rfc8267/6.4.2/one-read-chunk @404; N rfc8267/6.4.2/sixteen-segments @404" REFUSABLE,
     {"> 7 1 32 0 " SIXTEEN("88") SIXTEEN("140") FOUR("140") COMPOUND("2") WRITE("16") WRITE("20"),
      "= a chunk has 20 segments; a server need not take more than 16"},
     {"> 7 1 32 0 " SIXTEEN("88") SIXTEEN("140") COMPOUND("2") WRITE("16") WRITE("16")},
     "N rfc8267/6.4.2/one-read-chunk @404" REFUSABLE,
     NFS},
    {"N rfc8267/6.4.2/one-read-chunk @500; N rfc8267/6.4.2/sixteen-segments @20" REFUSABLE,
     {"> 7 1 32 0 " SIXTEEN("88") FOUR("88") SIXTEEN("144") COMPOUND("2") WRITE("20") WRITE("16")},
     {"> 7 1 32 0 " SIXTEEN("88") FOUR("140") COMPOUND("2") WRITE("16") WRITE("4")},
     "N rfc8267/6.4.2/one-read-chunk @404" REFUSABLE,
     NFS},
    /* The third of three items lost its count word. */
    {"N rfc8267/6.4.2/one-read-chunk @44; V 3.4.4.1/count-stays @68 -> err-chunk,garbage-args",
     {"> 7 1 32 0 1 88 0xa 5 0 0 1 132 0xb 4 0 0 1 168 0xc 8 0 0 " COMPOUND("3") WRITE("5")
          WRITE("4") "38 *7",
      "= the payload lacks the count word of the item in the Read chunk at Position 168"},
     {"> 7 1 32 0 1 88 0xa 5 0 0 1 132 0xb 4 0 0 1 172 0xc 4 0 0 " COMPOUND("3") WRITE("5")
          WRITE("4") WRITE("4")},
     "N rfc8267/6.4.2/one-read-chunk @44" REFUSABLE,
     NFS},
    /* A callback of the program that the client has named has no eligible result either. */
    {"V 6.1/only-eligible-reduced @20 -> terminate",
     {NAMES("0x40000000"), CALLBACK, "> 9 1 32 0 0 1 1 0xb 4 0 0 0 0 9 1 0 0 0 0 0 0"},
     {NAMES("0x40000001"), CALLBACK, "> 9 1 32 0 0 1 1 0xb 4 0 0 0 0 9 1 0 0 0 0 0 0"},
     NULL,
     NFS},
};

START_TEST(of_nfs4)
{
    play_row(&nfs4_rows[_i]);
}
END_TEST

PLAY_ROWS(nfs4_rows)
PLAY_ROWS(own_rows)

int main(void)
{
    TCase *tests = tcase_create("bindings");
    tcase_add_loop_test(tests, procedures, 0, ROWS);
    tcase_add_loop_test(tests, versions, 0, ROWS);
    tcase_add_loop_test(tests, unknown_procedure, 0, ROWS);
    tcase_add_loop_test(tests, octets_of_a_directory, 0, 2);
    tcase_add_loop_test(tests, cut_short, 0, 5);
    tcase_add_loop_test(tests, of_nfs4, 0, COUNT(nfs4_rows));
    tcase_add_loop_test(tests, of_ones_own, 0, COUNT(own_rows));
    return run_tests("bindings", tests);
}
