// SPDX-License-Identifier: BSD-3-Clause
/* The table of bindings: which versions of which programs, and the names of their procedures. */
#include <rpcrdma/binding.h>

#include <check.h>
#include <stdlib.h>

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
#define ROWS (sizeof rows / sizeof rows[0])

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

int main(void)
{
    Suite *suite = suite_create("bindings");
    TCase *tests = tcase_create("bindings");
    tcase_add_loop_test(tests, procedures, 0, ROWS);
    tcase_add_loop_test(tests, versions, 0, ROWS);
    tcase_add_loop_test(tests, unknown_procedure, 0, ROWS);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
