// SPDX-License-Identifier: BSD-3-Clause
/* Vectors, sent to a live peer: of a recording all of a conversation, of others what it begins
 * with. */
#include "rxe-harness/probe/probe.h"

#include "conformance/run/run.h"

#include <string.h>

/* The first event, if it is a Send of the client that a fresh connection allows. */
static void run_test(struct probe *probe, const struct vector_test *test)
{
    if (test->count == 0 || test->config.reverse_direction)
        return;
    const struct vector_event *first = &test->events[0];
    const struct rpcrdma_event *event = &first->event;
    if (event->type != RPCRDMA_EVENT_SEND || event->from != RPCRDMA_CLIENT || event->invalidate)
        return;
    const json_t *finding = json_array_get(json_object_get(first->expect, "findings"), 0);
    const char *near =
        json_string_value(json_array_get(json_object_get(test->json, "nearMiss"), 0));
    struct rpcrdma_judgement judgement = {.reactions = RPCRDMA_PROCESS};
    struct run_event judged = {.event = first, .judgement = &judgement};
    const struct probe_send send = {.subject = probe->run.file,
                                    .id = test->id,
                                    .comment = test->comment,
                                    .rule = finding ? vector_text(finding, "rule") : near,
                                    .breaks = finding != NULL,
                                    .reactions = run_reactions(&judged),
                                    .octets = event->data,
                                    .length = event->length,
                                    .needs_nfs = test->config.bindings != NULL};
    probe_run_send(probe, &send);
}

/* What a real peer answered can be compared with; what was made up is there to be judged. */
static bool is_recorded(const struct vector_file *file)
{
    const char *origin = vector_text(json_object_get(file->root, "source"), "origin");
    return origin != NULL && strcmp(origin, "recorded") == 0;
}

void probe_run_corpus(struct probe *probe, const struct corpus *corpus)
{
    for (size_t i = 0; i < corpus->count; i++) {
        const struct vector_file *file = &corpus->files[i];
        bool recorded = is_recorded(file);
        probe->run.file = file->path;
        for (size_t j = 0; file->draft == RPCRDMA_PROTOCOL_AUTO && j < file->count; j++)
            if (recorded)
                probe_run_replay(probe, &file->tests[j]);
            else
                run_test(probe, &file->tests[j]);
    }
}
