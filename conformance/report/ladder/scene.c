// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/report/ladder/scene.h"

#include "conformance/base/alloc.h"
#include "conformance/report/ladder/ladder.h"

#include <rpcrdma/xdr.h>

#include <stdlib.h>
#include <string.h>

#define NO_EVENT UINT64_MAX
_Static_assert((int)SCENE_AFTER == (int)LADDER_AFTER, "events after the marked one");

struct scene {
    const struct rpcrdma_check_config *config;
    struct history *history;
    uint64_t mark; /* the event that the result is about, or NO_EVENT: it follows from its octets */
    struct ladder_map map; /* of the latest Call that has chunks */
    struct ladder_window window;
};

/* ---- the events ---- */

struct scene *scene_begin(const struct rpcrdma_check_config *config)
{
    struct scene *scene = calloc(1, sizeof *scene);
    if (scene == NULL)
        return NULL;
    scene->config = config;
    scene->mark = NO_EVENT;
    scene->history = history_make();
    return scene;
}

void scene_end(struct scene *scene)
{
    if (scene)
        free(scene->history);
    free(scene);
}

static void judge(struct judged *judged, const struct rpcrdma_judgement *judgement)
{
    judged->judgement = judgement;
    judged->count = 0;
    for (unsigned i = 0; i < judgement->count && i < RPCRDMA_FINDINGS; i++)
        judged->findings[judged->count++] = &judgement->findings[i];
}

void scene_add(struct scene *scene, const struct rpcrdma_event *event,
               const struct rpcrdma_judgement *judgement, int64_t time)
{
    struct judged judged; /* large */
    struct ladder_map map;
    if (scene == NULL || scene->history == NULL)
        return;
    const struct source_event source = {.event = *event,
                                        .file = "",
                                        .test = "scene",
                                        .index = scene->window.added,
                                        .time = time,
                                        .config = scene->config};
    bool early = event->type == RPCRDMA_EVENT_PRIVATE_DATA;
    if (early)
        scene->history = history_add(scene->history, &source, judgement);
    judge(&judged, judgement);
    judged.source = &source;
    judged.history = scene->history;
    judged.window = &scene->window;
    ladder_add(&scene->window, &judged);
    ladder_map_make(&map, &scene->window, &judged);
    if (map.segments > 0)
        scene->map = map;
    if (!early)
        scene->history = history_add(scene->history, &source, judgement);
}

struct scene *scene_copy(const struct scene *scene)
{
    if (scene == NULL || scene->window.added == 0)
        return NULL;
    struct scene *copy = alloc_copy(scene, sizeof *scene);
    copy->history = NULL;
    copy->config = NULL;
    return copy;
}

void scene_mark_latest(struct scene *scene)
{
    if (scene)
        scene->mark = scene->window.added - 1;
}

/* ---- the ladder of a result ---- */

/* The latest Send of these octets, as far as a row tells. */
static uint64_t find_send(const struct ladder_window *window, enum rpcrdma_endpoint from,
                          const uint8_t *octets, size_t length)
{
    uint64_t first = window->added > LADDER_WINDOW ? window->added - LADDER_WINDOW : 0;
    for (uint64_t at = window->added; octets && at > first; at--) {
        const struct ladder_row *row = &window->row[(at - 1) % LADDER_WINDOW];
        if (row->type == RPCRDMA_EVENT_SEND && row->from == from && row->length == length &&
            (!row->has_xid || (length >= 4 && rpcrdma_xdr_load32(octets) == row->xid)))
            return at - 1;
    }
    return NO_EVENT;
}

static enum rpcrdma_endpoint author_of(const struct result *result)
{
    return result->from && strcmp(result->from, "server") == 0 ? RPCRDMA_SERVER : RPCRDMA_CLIENT;
}

static enum rpcrdma_endpoint peer_of(enum rpcrdma_endpoint endpoint)
{
    return endpoint == RPCRDMA_CLIENT ? RPCRDMA_SERVER : RPCRDMA_CLIENT;
}

/* Of a finding the Send itself is at fault, and not what is shown beside it. */
static uint64_t marked(const struct scene *scene, const struct result *result)
{
    enum rpcrdma_endpoint from = author_of(result);
    uint64_t mark = scene->mark;
    if (mark == NO_EVENT)
        mark = find_send(&scene->window, peer_of(from), result->answer, result->answer_length);
    if (mark == NO_EVENT && result->length > 0)
        mark = find_send(&scene->window, from, result->octets, result->length);
    return mark;
}

/* The two that the result holds itself. */
static struct scene *scene_of_octets(const struct result *result)
{
    static const struct rpcrdma_check_config config = {.mid_stream = true};
    struct scene *scene = scene_begin(&config);
    size_t size = rpcrdma_check_size(&config);
    void *memory = alloc_zeroed(size, 1);
    struct rpcrdma_check *check = rpcrdma_check_init(memory, size, &config);
    enum rpcrdma_endpoint from = author_of(result);
    const struct rpcrdma_event events[] = {
        {.type = RPCRDMA_EVENT_SEND,
         .from = from,
         .data = result->octets,
         .length = result->length},
        {.type = RPCRDMA_EVENT_SEND,
         .from = peer_of(from),
         .data = result->answer,
         .length = result->answer_length},
    };
    struct rpcrdma_judgement judgement;
    /* A finding stands first, and what it answers beside it. */
    bool turned = from == RPCRDMA_SERVER && result->answer;
    for (int i = 0; check && i < 2; i++) {
        const struct rpcrdma_event *event = &events[turned ? 1 - i : i];
        if (event->data == NULL)
            continue;
        rpcrdma_check_event(check, event, &judgement);
        scene_add(scene, event, &judgement, 0);
        if (turned && i == 1)
            scene_mark_latest(scene);
    }
    free(memory);
    return scene;
}

void scene_draw(FILE *out, const struct result *result, const struct scene *scene)
{
    struct ladder ladder;
    struct scene *made = NULL;
    bool is_send = result->type && strcmp(result->type, "send") == 0 && result->length > 0;
    if (scene == NULL && is_send)
        scene = made = scene_of_octets(result);
    if (scene && scene->window.added > 0) {
        ladder_choose(&ladder, &scene->window, &scene->map, marked(scene, result));
        ladder_svg(out, &ladder);
    }
    scene_end(made);
}

void scene_draw_own(FILE *out, const struct result *result, const void *arg)
{
    (void)arg;
    scene_draw(out, result, result->scene);
}
