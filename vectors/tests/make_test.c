// SPDX-License-Identifier: BSD-3-Clause
/* What make_vectors writes is JSON, whatever stands in a row; a row that cannot be written ends it.
 */
#include "vectors/make/vectors.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <jansson.h>
#include <stdlib.h>

/* The first vector of a group that holds this one; the file is JSON. */
static json_t *written(const struct vector *vector)
{
    const struct vector_group group = {.file = "planted.json",
                                       .title = "A \"title\"\n\\",
                                       .origin = "own",
                                       .reference = "none",
                                       .vectors = vector,
                                       .count = 1,
                                       .notes = shared_notes,
                                       .note_count = 1};
    char *text;
    size_t length;
    json_error_t error;
    FILE *out = open_memstream(&text, &length);
    write_group(out, &group);
    fclose(out);
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(root != NULL, "%d: %s\n%s", error.line, error.text, text);
    json_t *test = json_incref(json_array_get(json_object_get(root, "tests"), 0));
    json_decref(root);
    free(text);
    return test;
}

static const struct vector plain = {
    .id = "planted", .comment = "A \"comment\"\t\\", .events = {{"> msg | call", NULL}}};

static void written_with(const char *settings, const char *expected)
{
    struct vector vector = plain;
    vector.settings = settings;
    vector.events[0].expected = expected;
    json_decref(written(&vector));
}

START_TEST(numbers_as_in_c)
{
    static const char *const settings[] = {"pull:4194304", "pull:0x400000", "nfs pull:020000000"};
    for (size_t i = 0; i < COUNT(settings); i++) {
        struct vector vector = plain;
        vector.settings = settings[i];
        json_t *test = written(&vector);
        json_t *pull = json_object_get(json_object_get(test, "settings"), "maxReadChunk");
        ck_assert_msg(json_integer_value(pull) == 4194304, "%s", settings[i]);
        ck_assert_str_eq(json_string_value(json_object_get(test, "comment")), plain.comment);
        json_decref(test);
    }
}
END_TEST

START_TEST(all_settings)
{
    written_with("c2s:1 s2c:0x2 continued:3 nfs reverse mid captured credits:off "
                 "counts:1:2:3:0x4 told:client:rbsiz:0x10 told:server:rbsiz:1",
                 "V:3.3.1/x\"y@0x10 length:- err-chunk");
}
END_TEST

static const struct {
    const char *settings, *expected;
} bad[] = {
    {"pull:4M", NULL},
    {"pull:", NULL},
    {"pull:-1", NULL},
    {"pull:4294967296", NULL},
    {"pull:1:2", NULL},
    {"c2s:true", NULL},
    {"s2c:\"", NULL},
    {"continued:1,2", NULL},
    {"counts:1:2:3", NULL},
    {"counts:1:2:3:4:5", NULL},
    {"counts:1:2:3:x", NULL},
    {"told:client:rbsiz:many", NULL},
    {"told:client:rbsiz", NULL},
    {"told:nobody:rbsiz:1", NULL},
    {"credits:some", NULL},
    {NULL, "V:3.3.1/x@ err-chunk"},
    {NULL, "V:3.3.1/x@16, err-chunk"},
    {NULL, "X:3.3.1/x@16 err-chunk"},
    {NULL, "length:long"},
    {NULL, "err-chnk"},
};

START_TEST(bad_rows_end_it)
{
    written_with(bad[_i].settings, bad[_i].expected);
    fprintf(stderr, "taken: %s, %s\n", bad[_i].settings, bad[_i].expected);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("json");
    tcase_add_test(tcase, numbers_as_in_c);
    tcase_add_test(tcase, all_settings);
    tcase_add_loop_exit_test(tcase, bad_rows_end_it, 1, 0, COUNT(bad));
    return run_tests("make_vectors", tcase);
}
