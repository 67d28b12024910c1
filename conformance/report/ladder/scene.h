// SPDX-License-Identifier: BSD-3-Clause
/*
 * The latest events of a connection that no file holds, or of a test, for the ladder of a result:
 * what came before the event that it is about, that event, and what follows.
 */
#ifndef CONFORMANCE_SCENE_H
#define CONFORMANCE_SCENE_H

#include "conformance/report/results/results.h"

#include <rpcrdma/check.h>

enum { SCENE_AFTER = 3 }; /* events after the marked one that are drawn at most */

struct scene;

/* Without memory NULL; the other functions take NULL for a connection without events. */
struct scene *scene_begin(const struct rpcrdma_check_config *config);

/* `time`: nanoseconds, or 0. */
void scene_add(struct scene *scene, const struct rpcrdma_event *event,
               const struct rpcrdma_judgement *judgement, int64_t time);
void scene_end(struct scene *scene);

/* As it is now, for free(): nothing can be added. NULL where it has no events. */
struct scene *scene_copy(const struct scene *scene);

/* The result is about the latest event, whatever its octets are. */
void scene_mark_latest(struct scene *scene);

/*
 * The ladder of a result, in which what came back is marked, or else what it is about. A result
 * without a scene has these two alone. Nothing where it is about no Send.
 */
void scene_draw(FILE *out, const struct result *result, const struct scene *scene);
/* The same with the result's own: for struct results. */
void scene_draw_own(FILE *out, const struct result *result, const void *arg);

#endif
