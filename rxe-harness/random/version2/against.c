// SPDX-License-Identifier: BSD-3-Clause
/*
 * One conversation with two peers, each on connections, memory and XIDs of its own. What both do is
 * said of neither, right or wrong; where they part, both reactions are said, and which are open.
 */
#include "rxe-harness/random/version2/random.h"

#include "conformance/base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* ---- where they part ---- */

/* The first Call that both got, and that they answered in different ways; or RANDOM_STEPS. */
static unsigned find_parting(const struct random_failure *one, const struct random_failure *other)
{
    for (unsigned i = 0; i < RANDOM_STEPS; i++) {
        const char *text = one->reactions[i].text, *text2 = other->reactions[i].text;
        if (text[0] != '\0' && text2[0] != '\0' && strcmp(text, text2) != 0)
            return i;
    }
    return RANDOM_STEPS;
}

static bool failed(const struct random_failure *failure)
{
    return failure->ending != ENDING_REQUIRED;
}

/* What was wrong with it, or how it answered that Call. */
static const char *words_of(const struct random_failure *failure, unsigned step)
{
    const char *text = failure->reactions[step].text;
    if (failed(failure))
        return failure->text;
    return text[0] != '\0' ? text : "nothing that is not open";
}

/* It is the failure of the one that failed, of the first one if both did; of none, where all that
 * they did is open. */
static void compare(const struct random_conversation *conversation,
                    const struct random_failure *one, const struct random_failure *other,
                    struct random_failure *failure)
{
    bool alike = random_is_same(one, other);
    unsigned parting = find_parting(one, other);
    *failure = failed(one) || !failed(other) ? *one : *other;
    failure->by_other = !failed(one) && failed(other);
    if (alike && failed(one))
        failure->ending = ENDING_REQUIRED; /* both do it */
    if (alike && (failed(one) || parting == RANDOM_STEPS))
        return;
    if (alike) {
        failure->ending = ENDING_TOLERATED;
        failure->step = parting;
        failure->change = conversation->steps[parting].change;
        failure->allowed = one->reactions[parting].allowed | other->reactions[parting].allowed;
    }
    failure->parted[0] = one->reactions[failure->step].outcome;
    failure->parted[1] = other->reactions[failure->step].outcome;
    snprintf(failure->text, sizeof failure->text, "the peer: %.100s; the other: %.100s",
             words_of(one, failure->step), words_of(other, failure->step));
}

static random_player *player_of(const struct probe *probe)
{
    return rpcrdma_protocol_is_draft(probe->options.draft) ? random2_play : random_play;
}

bool random_play_both(struct probe *probe, const struct random_conversation *conversation,
                      struct random_failure *failure, uint64_t *calls)
{
    random_player *play = player_of(probe);
    struct random_failure *one = alloc_zeroed(2, sizeof *one), *other = one + 1;
    bool good = play(probe, conversation, one, calls);
    bool good2 = good && play(probe->against, conversation, other, calls);
    if (good2)
        compare(conversation, one, other, failure);
    else
        *failure = (struct random_failure){.by_other = good};
    free(one);
    return good2;
}
