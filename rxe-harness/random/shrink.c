// SPDX-License-Identifier: BSD-3-Clause
/* Of a conversation that fails the shortest that fails in the same way. */
#include "rxe-harness/random/random.h"

#include "rxe-harness/responder/responder.h"

#include "conformance/base/interrupt.h"

#include <string.h>

#define ATTEMPTS 400

struct shrinking {
    struct probe *probe;
    random_player *play;
    struct random_conversation *best;
    struct random_failure *failure;
    unsigned attempts;
    bool is_gone; /* no connection came about any more */
};

bool random_is_same(const struct random_failure *a, const struct random_failure *b)
{
    return a->ending == b->ending && a->change == b->change && a->connecting == b->connecting &&
           a->by_peer == b->by_peer && (!a->by_peer || a->rule == b->rule) &&
           a->by_other == b->by_other && a->parted[0] == b->parted[0] &&
           a->parted[1] == b->parted[1];
}

/* Whether this one fails as well; then it is the best. */
static bool try(struct shrinking *shrinking, const struct random_conversation *candidate)
{
    struct random_failure failure;
    uint64_t calls = 0;
    if (shrinking->is_gone || shrinking->attempts++ >= ATTEMPTS || probe_is_over(shrinking->probe))
        return false;
    shrinking->is_gone = !shrinking->play(shrinking->probe, candidate, &failure, &calls);
    if (shrinking->is_gone || interrupted() || !random_is_same(&failure, shrinking->failure))
        return false;
    *shrinking->best = *candidate;
    *shrinking->failure = failure;
    return true;
}

/* Without `length` steps from this one on. */
static bool try_without(struct shrinking *shrinking, unsigned from, unsigned length)
{
    struct random_conversation candidate = *shrinking->best;
    unsigned rest = candidate.count - from - length;
    memmove(&candidate.steps[from], &candidate.steps[from + length],
            rest * sizeof candidate.steps[0]);
    candidate.count -= length;
    return candidate.count > 0 && try(shrinking, &candidate);
}

static void drop_steps(struct shrinking *shrinking)
{
    for (unsigned length = RANDOM_STEPS / 2; length > 0; length /= 2)
        for (unsigned from = 0; from + length <= shrinking->best->count;)
            if (!try_without(shrinking, from, length))
                from += length;
}

/* Each step as plain as it can be. */
static void simplify(struct shrinking *shrinking)
{
    for (unsigned i = 0; i < shrinking->best->count; i++)
        for (unsigned way = 0; way < 7; way++) {
            struct random_conversation candidate = *shrinking->best;
            struct random_step *step = &candidate.steps[i];
            switch (way) {
            case 0:
                *step = (struct random_step){.procedure = TEST_NULL};
                break;
            case 1:
                step->together = false;
                break;
            case 2:
                step->long_segments = 0;
                break;
            case 3:
                step->write_segments = 0;
                break;
            case 4:
                step->reply_segments = 0;
                break;
            case 5:
                step->read_segments = step->read_segments > 0 ? 1 : 0;
                break;
            default:
                step->size = step->size > 5 ? 5 : step->size;
                step->write_room = step->write_room > 8 ? 8 : step->write_room;
                break;
            }
            if (memcmp(&candidate, shrinking->best, sizeof candidate) != 0)
                try(shrinking, &candidate);
        }
}

void random_shrink(struct probe *probe, random_player *play,
                   struct random_conversation *conversation, struct random_failure *failure)
{
    struct shrinking shrinking = {
        .probe = probe, .play = play, .best = conversation, .failure = failure};
    struct random_conversation candidate = *conversation;
    candidate.announces = false;
    if (conversation->announces && !failure->connecting)
        try(&shrinking, &candidate);
    drop_steps(&shrinking);
    simplify(&shrinking);
    drop_steps(&shrinking);
}
