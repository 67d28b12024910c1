// SPDX-License-Identifier: BSD-3-Clause
/* A server of one case of `serve`, as the peer of a loopback. */
#ifndef HARNESS_SERVE_STAGE_H
#define HARNESS_SERVE_STAGE_H

#include "rxe-harness/serve/serve.h"

struct serve_stage {
    struct serve serve;
    const struct serve_case *test_case;
    struct server *server;
};

/* The functions of a struct loopback_peer; `arg` is the stage. */
void *serve_stage_begin(void *arg, struct link *link);
bool serve_stage_step(void *peer);
void serve_stage_end(void *peer);

#endif
