// SPDX-License-Identifier: BSD-3-Clause
// sanitized
/*
 * What the checker says of each vector, of each row of the tests of rules, and of their neighbours
 * (support/neighbours/sums.h). Vectors and rows say what is right; this holds what lies around
 * them, so that no limit, operand or text changes unseen.
 */
#include "conformance/tests/support/neighbours/sums.h"

#include "conformance/input/source.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct story story;

static void finish(void)
{
    if (story.count > 0)
        sums_add(&story, NULL);
    for (unsigned i = 0; i < story.count; i++)
        free((void *)story.events[i].data);
    story.count = 0;
}

static bool take(void *arg, const struct source_event *source)
{
    (void)arg;
    if (strcmp(source->test, story.id) != 0) {
        finish();
        snprintf(story.id, sizeof story.id, "%s", source->test);
        story.config = *source->config;
    }
    ck_assert_uint_lt(story.count, STORY_EVENTS - 2);
    struct rpcrdma_event *event = &story.events[story.count++];
    *event = source->event;
    if (event->data) {
        uint8_t *copy = malloc(event->length > 0 ? event->length : 1);
        ck_assert_ptr_nonnull(copy);
        event->data = event->length > 0 ? memcpy(copy, event->data, event->length) : copy;
    }
    return true;
}

static void closed(void *arg, uint64_t connection)
{
    (void)arg, (void)connection;
}

static int is_vectors(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');
    return end != NULL && strcmp(end, ".json") == 0 && strstr(entry->d_name, ".schema.") == NULL;
}

static void add_folder(const char *folder)
{
    const struct source_options options = {.format = SOURCE_VECTORS};
    const struct source_sink sink = {.event = take, .closed = closed};
    struct dirent **names;
    int files = scandir(folder, &names, is_vectors, alphasort);
    ck_assert_msg(files > 0, "%s has no vectors: run from the top of the tree", folder);
    for (int i = 0; i < files; i++) {
        char path[512], error[256];
        struct source_counts counts = {0};
        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        ck_assert_msg(source_read(path, &options, &sink, &counts, error, sizeof error), "%s: %s",
                      path, error);
        finish();
        free(names[i]);
    }
    free(names);
}

START_TEST(rules_are_reported_as_always)
{
    const char *path = "conformance/tests/data/sums.tsv";
    add_folder("vectors");
    add_folder("vectors/v2-04");
    add_folder("vectors/v2-07");
    sums_add_rows();
    ck_assert_uint_gt(sums_stories(), 2500);
    unsigned differ = sums_compare(path);
    ck_assert_msg(
        differ == 0,
        "%u rules are reported otherwise than %s says. SHOW=RULE %s prints each finding of one; "
        "where the change is meant, or a vector or a row is new: make accept",
        differ, path, "build/tests/conformance/tests/sums_test");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sums");
    TCase *tests = tcase_create("sums");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, rules_are_reported_as_always);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
