// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/serve_stage.h"

void *serve_stage_begin(void *arg, struct link *link)
{
    struct serve_stage *stage = arg;
    stage->server = server_new(&stage->serve, stage->test_case, link);
    return stage;
}

bool serve_stage_step(void *peer)
{
    return server_step(((struct serve_stage *)peer)->server, 0);
}

void serve_stage_end(void *peer)
{
    struct serve_stage *stage = peer;
    while (server_step(stage->server, 0))
        continue;
    server_finish(stage->server, NULL);
}
