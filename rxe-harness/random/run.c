// SPDX-License-Identifier: BSD-3-Clause
/* `probe --random`: conversations until the time is over; each way to fail is reported once. */
#include "rxe-harness/random/random.h"

#include "rxe-harness/report/live.h"
#include "rxe-harness/transport/user/wire.h"

#include "conformance/base/status.h"
#include "conformance/base/interrupt.h"
#include "conformance/base/alloc.h"
#include "conformance/base/clock.h"
#include "conformance/run/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WAYS 64 /* to fail, that are reported */

struct running {
    struct probe *probe;
    const struct random_options *options;
    struct recorder *recorder; /* only what fails is recorded, as short as it is then */
    struct random_failure *ways[WAYS];
    unsigned way_count;
    uint64_t conversations, calls;
    uint64_t held[RANDOM_CHANGES];
    bool failed[RANDOM_CHANGES];
    char *id, *comment; /* of the case at hand */
};

/* Then it is one of those that were seen. */
static bool is_new(struct running *running, const struct random_failure *failure)
{
    for (unsigned i = 0; i < running->way_count; i++)
        if (random_is_same(running->ways[i], failure))
            return false;
    if (running->way_count == WAYS)
        return false;
    struct random_failure *way = alloc_zeroed(1, sizeof *way);
    *way = *failure;
    running->ways[running->way_count++] = way;
    return true;
}

/* Two peers that part have to do so twice: that one was slower than it is may be chance. */
static bool is_chance(struct running *running, const struct random_conversation *conversation,
                      const struct random_failure *failure)
{
    struct random_failure again;
    uint64_t calls = 0;
    if (running->probe->against == NULL)
        return false;
    return running->options->play(running->probe, conversation, &again, &calls) &&
           !random_is_same(&again, failure);
}

static void name_case(struct running *running, const char *what, char *comment)
{
    struct alloc_stream id;
    alloc_begin(&id);
    fprintf(id.out, "random-%s", what);
    char *text = alloc_end(&id);
    probe_name(running->probe, text, comment); /* which looks at the ones before */
    free(running->id);
    free(running->comment);
    running->id = text;
    running->comment = comment;
}

static void tell(struct running *running, const struct random_conversation *conversation,
                 const struct random_failure *failure, uint64_t seed)
{
    struct probe *probe = running->probe;
    struct alloc_stream text;
    alloc_begin(&text);
    random_print(text.out, conversation);
    fprintf(text.out, " [--random=%" PRIu64 "]", seed);
    name_case(running, failure->connecting ? "private-data" : random_change_names[failure->change],
              alloc_end(&text));
    const char *rule = failure->rule >= 0 ? rpcrdma_requirements[failure->rule].id : NULL;
    struct result *result = probe_result(probe, rule, true);
    alloc_begin(&text);
    if (failure->by_peer)
        fprintf(text.out, "no finding in what the %s does", failure->by_other ? "other" : "peer");
    else if (failure->connecting)
        fputs("a connection", text.out);
    else
        run_print_reactions(text.out, failure->allowed);
    result->expected = alloc_end(&text);
    alloc_begin(&text);
    fprintf(text.out, "%s, in Call %u of %u", failure->text, failure->step + 1,
            conversation->count);
    result->actual = alloc_end(&text);
    result->alike.got = alloc_text(failure->by_peer ? "a finding" : failure->text);
    result->ending = failure->ending;
    live_exchange(result, failure->sent, failure->sent_length,
                  failure->came_length > 0 ? failure->came : NULL, failure->came_length);
}

/* Once more, with somebody who takes it down. */
static void record(struct running *running, const struct random_conversation *conversation)
{
    struct random_failure failure;
    uint64_t calls = 0;
    running->probe->run.recording.recorder = running->recorder;
    if (running->recorder)
        running->options->play(running->probe, conversation, &failure, &calls);
    running->probe->run.recording.recorder = NULL;
}

/* A peer that is there again has to die twice: that one connection did not come about may be
 * chance. */
static bool dies_again(struct running *running, const struct random_conversation *before)
{
    static const struct random_conversation none = {.count = 0};
    struct random_failure failure;
    uint64_t calls = 0;
    return !running->options->play(running->probe, before, &failure, &calls) ||
           !running->options->play(running->probe, &none, &failure, &calls);
}

/* No connection: it is the conversation before that killed the peer, or the other one. */
static bool survive(struct running *running, const struct random_conversation *before,
                    uint64_t seed, bool by_other)
{
    struct probe *peer = by_other ? running->probe->against : running->probe;
    struct random_failure failure = {.ending = ENDING_CRASHED, .rule = -1, .by_other = by_other};
    bool lives = probe_ready(peer) != NULL;
    if (lives && !dies_again(running, before)) {
        say("no connection after the conversation of seed %" PRIu64
            ", but there was one when it was repeated: not reported",
            seed);
        return true;
    }
    snprintf(failure.text, sizeof failure.text,
             "then no connection, or no answer to NULL: the %s died", by_other ? "other" : "peer");
    for (unsigned i = 0; i < before->count; i++)
        if (before->steps[i].change != RANDOM_NONE) {
            failure.change = before->steps[i].change;
            failure.step = i;
        }
    if (before->count > 0 && is_new(running, &failure))
        tell(running, before, &failure, seed);
    running->failed[failure.change] = true;
    return lives && probe_ready(peer) != NULL;
}

static void sum_up(struct running *running)
{
    char comment[96];
    bool both = running->probe->against != NULL;
    for (int change = 0; change < RANDOM_CHANGES; change++) {
        if (running->held[change] == 0 || running->failed[change])
            continue;
        snprintf(comment, sizeof comment, "%" PRIu64 " conversations; changed in one Send: %s.",
                 running->held[change], random_change_names[change]);
        name_case(running, random_change_names[change], alloc_text(comment));
        struct result *result = probe_result(running->probe, NULL, false);
        result->ending = ENDING_REQUIRED;
        result->expected = alloc_text(both ? "the same of both" : "a reaction that is open");
        result->actual = alloc_text(both ? "the same" : "as required");
    }
}

/* A Write chunk that is too short for what is read is a hazard. */
static void give_room(struct random_conversation *conversation)
{
    for (unsigned i = 0; i < conversation->count; i++) {
        struct random_step *step = &conversation->steps[i];
        step->write_room = step->write_room < step->size ? step->size : step->write_room;
    }
}

void random_run(struct probe *probe, const struct random_options *options)
{
    struct running *running = alloc_zeroed(1, sizeof *running);
    struct random_conversation conversation = {.count = 0}, before = {.count = 0};
    int64_t until = clock_milliseconds() + options->time;
    probe->run.until = until;
    if (probe->against)
        probe->against->run.until = until;
    bool offers = probe->peer.has_test_program &&
                  (probe->against == NULL || probe->against->peer.has_test_program);
    bool by_nfs = !offers && random_nfs_begin(probe) &&
                  (probe->against == NULL || random_nfs_begin(probe->against));
    running->probe = probe;
    running->options = options;
    running->recorder = probe->run.recording.recorder;
    probe->run.recording.recorder = NULL;
    probe->run.file = "random";
    name_case(running, "nothing", alloc_text(""));
    say("seed %" PRIu64, (uint64_t)options->seed);
    uint64_t end = options->conversations > 0 ? options->seed + options->conversations : UINT64_MAX;
    uint64_t unheld = end; /* this one was not, and is begun once more */
    for (uint64_t seed = options->seed; seed < end && clock_milliseconds() < until; seed++) {
        struct random_failure failure;
        char number[24];
        random_make(&conversation, seed, offers || by_nfs);
        conversation.by_nfs = by_nfs;
        if (by_nfs && !chosen_has(&probe->options.hazards, "chunk-too-short"))
            give_room(&conversation);
        conversation.announces = conversation.announces && options->announces;
        snprintf(number, sizeof number, "%" PRIu64, seed);
        name_case(running, number, alloc_text("The conversation of this seed."));
        unsigned deaths = wire_deaths();
        bool played = options->play(probe, &conversation, &failure, &running->calls);
        if (interrupted())
            break; /* in the middle of it: nothing was seen to fail */
        if (!played) {
            if (!survive(running, &before, seed - 1, failure.by_other))
                break;
            if (unheld != seed)
                unheld = seed--;
            continue;
        }
        before = conversation;
        running->conversations++;
        running->held[seed % RANDOM_CHANGES]++;
        if (failure.ending == ENDING_REQUIRED || wire_deaths() > deaths)
            continue; /* as required, or ended by the wire */
        running->failed[failure.change] = true;
        if (is_chance(running, &conversation, &failure) || !is_new(running, &failure))
            continue;
        random_shrink(probe, options->play, &conversation, &failure);
        tell(running, &conversation, &failure, seed);
        record(running, &conversation);
    }
    sum_up(running);
    say("seed %" PRIu64 ": %" PRIu64 " conversations of %" PRIu64 " Calls", options->seed,
        running->conversations, running->calls);
    probe->run.recording.recorder = running->recorder;
    probe->run.until = 0;
    if (probe->against)
        probe->against->run.until = 0;
    probe_name(probe, NULL, NULL);
    free(running->id);
    free(running->comment);
    while (running->way_count > 0)
        free(running->ways[--running->way_count]);
    free(running);
}
