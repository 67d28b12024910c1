// SPDX-License-Identifier: BSD-3-Clause
/*
 * What guides random conversations: counters of the peer's code (counters.c). Conversations that
 * reached what none had reached before are kept, and half of those to come are made of them.
 */
#include "rxe-harness/random/random.h"

#include "conformance/base/alloc.h"
#include "conformance/base/status.h"

#include <inttypes.h>
#include <stdlib.h>

#define KEPT 1024 /* conversations at most */
#define NONE KEPT

struct random_kept {
    struct random_line line;
    unsigned steps;
    unsigned counters; /* that it is the best for; 0: this place is free */
};

struct random_guide {
    const char *path;
    struct random_counters *counters;
    size_t size;
    const bool *moved; /* the counters that did in the last conversation */
    uint32_t *reached; /* by this many conversations; one more each time it was chosen */
    uint16_t *best;    /* of those as required that reached it the shortest, or NONE */
    unsigned *trail;   /* counters, in the order in which they were reached by one as required */
    bool *on_trail;
    bool *before; /* reached as the run began: it is counted, and guides nobody */
    unsigned trail_length;
    struct random_kept kept[KEPT];
    uint64_t kept_ever;
    unsigned last; /* the conversation that was looked at last, or NONE */
    bool blind;
};

struct random_guide *random_guide_open(const char *path)
{
    struct random_counters *counters = random_counters_open(path);
    if (counters == NULL)
        return NULL;
    struct random_guide *guide = alloc_zeroed(1, sizeof *guide);
    guide->path = path;
    guide->counters = counters;
    guide->size = random_counters_size(counters);
    guide->reached = alloc_zeroed(guide->size, sizeof *guide->reached);
    guide->best = alloc_zeroed(guide->size, sizeof *guide->best);
    guide->trail = alloc_zeroed(guide->size, sizeof *guide->trail);
    guide->on_trail = alloc_zeroed(guide->size, sizeof *guide->on_trail);
    guide->before = alloc_zeroed(guide->size, sizeof *guide->before);
    guide->last = NONE;
    guide->moved = random_counters_look(counters);
    for (size_t i = 0; i < guide->size; i++) {
        guide->best[i] = NONE;
        guide->before[i] = guide->moved[i];
    }
    return guide;
}

void random_guide_close(struct random_guide *guide)
{
    if (guide == NULL)
        return;
    random_counters_close(guide->counters);
    free(guide->reached);
    free(guide->best);
    free(guide->trail);
    free(guide->on_trail);
    free(guide->before);
    free(guide);
}

/* ---- choosing ---- */

/* What was reached by the fewest, of the last one that was found. */
static unsigned rarest(const struct random_guide *guide)
{
    unsigned best = guide->trail[0];
    for (unsigned i = 1; i < guide->trail_length; i++) {
        unsigned at = guide->trail[i];
        if (guide->best[at] != NONE &&
            (guide->best[best] == NONE || guide->reached[at] <= guide->reached[best]))
            best = at;
    }
    return best;
}

/* What was found late: it took long, and may lead on. */
static unsigned late(const struct random_guide *guide, struct random_source *source)
{
    unsigned at = guide->trail_length - 1;
    while (at > 0 && random_below(source, 8) != 0)
        at--;
    return guide->trail[at];
}

/* The best for one or the other, or NULL. It counts as if it had reached it: what was reached once
 * by chance is not tried for ever. */
static const struct random_kept *choose(struct random_guide *guide, struct random_source *source)
{
    if (guide->trail_length == 0)
        return NULL;
    unsigned at = random_below(source, 2) == 0 ? rarest(guide) : late(guide, source);
    guide->reached[at]++;
    return guide->best[at] == NONE ? NULL : &guide->kept[guide->best[at]];
}

void random_guide_next(struct random_guide *guide, struct random_line *line, uint64_t seed)
{
    struct random_source source = random_begin(seed ^ 0x5555555555555555u);
    *line = (struct random_line)RANDOM_SEED(seed);
    if (guide == NULL || random_below(&source, 2) == 0)
        return;
    const struct random_kept *one = choose(guide, &source);
    const struct random_kept *other = random_below(&source, 4) == 0 ? choose(guide, &source) : NULL;
    if (one == NULL)
        return;
    struct random_line child = one->line;
    if ((other && random_line_add(&child, &other->line, RANDOM_SPLICED, seed)) ||
        random_line_add(&child, NULL, RANDOM_MUTATED, seed))
        *line = child; /* else it would be too long */
}

/* ---- looking ---- */

void random_guide_clear(struct random_guide *guide)
{
    guide->blind = guide->blind || !random_counters_clear(guide->counters);
}

static void give_up(struct random_guide *guide, unsigned which)
{
    for (unsigned i = 0; i < guide->trail_length; i++)
        if (guide->best[guide->trail[i]] == which)
            guide->best[guide->trail[i]] = NONE;
    guide->kept[which].counters = 0;
}

/* A free place, or that of the one that is the best for the fewest. */
static unsigned find_place(struct random_guide *guide)
{
    unsigned least = 0;
    for (unsigned i = 1; i < KEPT; i++)
        if (guide->kept[i].counters < guide->kept[least].counters)
            least = i;
    if (guide->kept[least].counters > 0)
        give_up(guide, least);
    return least;
}

/* The conversation is the best for this counter, if none is shorter. The last one of several is as
 * good, and another way to go on. */
static void take(struct random_guide *guide, unsigned at, const struct random_kept *found)
{
    struct random_kept *before = guide->best[at] == NONE ? NULL : &guide->kept[guide->best[at]];
    if (before && (before->steps < found->steps || found->line.count > RANDOM_LINE / 2))
        return;
    if (guide->last == NONE) {
        guide->last = find_place(guide);
        guide->kept[guide->last] = *found;
    }
    if (before && before->counters > 0)
        before->counters--;
    guide->kept[guide->last].counters++;
    guide->best[at] = (uint16_t)guide->last;
    if (!guide->on_trail[at])
        guide->trail[guide->trail_length++] = at;
    guide->on_trail[at] = true;
}

void random_guide_look(struct random_guide *guide, const struct random_line *line, unsigned steps,
                       bool fine)
{
    const struct random_kept found = {.line = *line, .steps = steps};
    unsigned before = guide->trail_length;
    bool any = false;
    guide->last = NONE;
    guide->moved = random_counters_look(guide->counters);
    for (unsigned i = 0; i < guide->size; i++) {
        if (!guide->moved[i])
            continue;
        any = true;
        guide->reached[i]++;
        if (fine)
            take(guide, i, &found);
    }
    guide->kept_ever += guide->trail_length > before;
    if (!any && !guide->blind) {
        say("%s: no counter moved in a conversation: the peer does not count there", guide->path);
        guide->blind = true;
    }
}

void random_guide_forget(struct random_guide *guide)
{
    if (guide->last != NONE)
        give_up(guide, guide->last);
    guide->last = NONE;
}

bool random_guide_is_blind(const struct random_guide *guide)
{
    return guide != NULL && guide->blind;
}

void random_guide_tell(const struct random_guide *guide)
{
    unsigned count = 0;
    for (size_t i = 0; i < guide->size; i++)
        count += guide->before[i] || guide->reached[i] > 0;
    say("coverage: %u counters reached, %" PRIu64 " conversations kept", count, guide->kept_ever);
}
