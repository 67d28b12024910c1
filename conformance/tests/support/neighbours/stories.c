// SPDX-License-Identifier: BSD-3-Clause
/* Vectors as stories. */
#include "conformance/tests/support/neighbours/stories.h"

#include "conformance/input/source.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct story story;
static visit_stories *visitor;

static void finish(void)
{
    if (story.count > 0)
        visitor(&story, NULL);
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

void stories_of_vectors(visit_stories *visit)
{
    visitor = visit;
    add_folder("vectors");
    add_folder("vectors/v2-04");
    add_folder("vectors/v2-07");
}
