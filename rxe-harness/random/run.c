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

#define WAYS 64   /* to fail, that are reported */
#define REPEATS 2 /* of a conversation after which there was no connection */

/* A conversation, and what it comes from. */
struct random_held {
    struct random_conversation conversation;
    struct random_line line;
};

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

static void tell(struct running *running, const struct random_held *held,
                 const struct random_failure *failure)
{
    struct probe *probe = running->probe;
    struct alloc_stream text;
    alloc_begin(&text);
    random_print(text.out, &held->conversation);
    fputs(" [--random=", text.out);
    random_line_print(text.out, &held->line);
    fputc(']', text.out);
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
            held->conversation.count);
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

/* A peer that is there again has to die each time: that a connection did not come about may be
 * chance, on a busy machine twice in a row. */
static bool dies_again(struct running *running, const struct random_conversation *before)
{
    static const struct random_conversation none = {.count = 0};
    struct random_failure failure;
    uint64_t calls = 0;
    for (unsigned i = 0; i < REPEATS; i++) {
        if (i > 0 && probe_ready(running->probe) == NULL)
            return true;
        if (running->options->play(running->probe, before, &failure, &calls) &&
            running->options->play(running->probe, &none, &failure, &calls))
            return false;
    }
    return true;
}

/* No connection: it is the conversation before that killed the peer, or the other one. */
static bool survive(struct running *running, const struct random_held *held, bool by_other)
{
    const struct random_conversation *before = &held->conversation;
    struct probe *peer = by_other ? running->probe->against : running->probe;
    struct random_failure failure = {.ending = ENDING_CRASHED, .rule = -1, .by_other = by_other};
    bool lives = probe_ready(peer) != NULL;
    if (lives && !dies_again(running, before)) {
        progress_clear(&running->probe->run.progress);
        struct alloc_stream line;
        alloc_begin(&line);
        random_line_print(line.out, &held->line);
        char *text = alloc_end(&line);
        say("no connection after the conversation of seed %s, but there was one when it was "
            "repeated: not reported",
            text);
        free(text);
        return true;
    }
    if (running->options->guide)
        random_guide_forget(running->options->guide);
    snprintf(failure.text, sizeof failure.text,
             "then no connection, or no answer to NULL: the %s died", by_other ? "other" : "peer");
    for (unsigned i = 0; i < before->count; i++)
        if (before->steps[i].change != RANDOM_NONE) {
            failure.change = before->steps[i].change;
            failure.step = i;
        }
    if (before->count > 0 && is_new(running, &failure))
        tell(running, held, &failure);
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

/* How far it is: by the conversations, where they are counted, or by the time. */
static void show_progress(struct running *running)
{
    const struct random_options *options = running->options;
    struct progress *progress = &running->probe->run.progress;
    uint64_t of_all =
        options->conversations > 0 ? running->conversations * 100 / options->conversations : 0;
    int64_t left = running->probe->run.until - clock_milliseconds();
    uint64_t of_time =
        left > 0 && options->time > 0 ? 100 - (uint64_t)(left * 100 / options->time) : 100;
    if (interrupted())
        return; /* clocks run ahead */
    progress->file = "random";
    progress_show(progress, of_all > of_time ? of_all : of_time, 100);
}

/* As the peer is to be sent it. */
static void dress(struct running *running, struct random_conversation *conversation, bool by_nfs)
{
    struct probe *probe = running->probe;
    conversation->by_nfs = by_nfs;
    if (by_nfs && !chosen_has(&probe->options.hazards, "chunk-too-short"))
        give_room(conversation);
    conversation->announces = conversation->announces && running->options->announces;
}

static enum random_change change_of(const struct random_conversation *conversation)
{
    for (unsigned i = 0; i < conversation->count; i++)
        if (conversation->steps[i].change != RANDOM_NONE)
            return conversation->steps[i].change;
    return RANDOM_NONE;
}

/* Hold it, and report how it failed, if it did. False: there was no connection. */
static bool hold(struct running *running, struct random_held *held, struct random_failure *failure)
{
    struct random_guide *guide = running->options->guide;
    unsigned deaths = wire_deaths();
    if (guide)
        random_guide_clear(guide);
    bool played =
        running->options->play(running->probe, &held->conversation, failure, &running->calls);
    if (!played || interrupted())
        return played; /* in the middle of it: nothing was seen to fail */
    bool fine = failure->ending == ENDING_REQUIRED;
    if (guide)
        random_guide_look(guide, &held->line, held->conversation.count, fine);
    running->conversations++;
    running->held[change_of(&held->conversation)]++;
    show_progress(running);
    if (fine || wire_deaths() > deaths)
        return true; /* as required, or ended by the wire */
    running->failed[failure->change] = true;
    if (is_chance(running, &held->conversation, failure) || !is_new(running, failure))
        return true;
    struct random_held shortest = *held;
    random_shrink(running->probe, running->options->play, &shortest.conversation, failure);
    tell(running, &shortest, failure);
    record(running, &shortest.conversation);
    return true;
}

/* The conversations, one after the other. */
static void hold_all(struct running *running, bool offers, bool by_nfs, int64_t until)
{
    const struct random_options *options = running->options;
    struct random_held held = {.line = options->line}, before = {.conversation.count = 0};
    uint64_t first = options->line.words[0].seed, end = UINT64_MAX;
    if (options->line.count > 1)
        end = first + 1;
    else if (options->conversations > 0)
        end = first + options->conversations;
    uint64_t unheld = end; /* this one was not, and is begun once more */
    for (uint64_t seed = first; seed < end && clock_milliseconds() < until; seed++) {
        struct random_failure failure;
        struct alloc_stream name;
        if (options->line.count == 1)
            random_guide_next(options->guide, &held.line, seed);
        random_line_make(&held.conversation, &held.line, offers || by_nfs);
        dress(running, &held.conversation, by_nfs);
        alloc_begin(&name);
        random_line_print(name.out, &held.line);
        char *number = alloc_end(&name);
        name_case(running, number, alloc_text("The conversation of this seed."));
        free(number);
        bool played = hold(running, &held, &failure);
        if (interrupted() || random_guide_is_blind(options->guide))
            break;
        if (played)
            before = held;
        else if (!survive(running, &before, failure.by_other))
            break;
        else if (unheld != seed)
            unheld = seed--;
    }
}

void random_run(struct probe *probe, const struct random_options *options)
{
    struct running *running = alloc_zeroed(1, sizeof *running);
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
    struct alloc_stream line;
    alloc_begin(&line);
    random_line_print(line.out, &options->line);
    char *seed = alloc_end(&line);
    say("seed %s", seed);
    hold_all(running, offers, by_nfs, until);
    sum_up(running);
    progress_clear(&probe->run.progress);
    say("seed %s: %" PRIu64 " conversations of %" PRIu64 " Calls", seed, running->conversations,
        running->calls);
    if (options->guide)
        random_guide_tell(options->guide);
    free(seed);
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
