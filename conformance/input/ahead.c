// SPDX-License-Identifier: BSD-3-Clause
/* A sink that keeps events back until their draft is known, and passes them on with it. */
#include "conformance/input/ahead.h"

#include <rpcrdma/message.h>

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* A connection that has Sends of version 2. */
struct talk {
    uint64_t id;
    enum rpcrdma_protocol draft;
    bool given_up;
    unsigned sends; /* of version 2, looked at so far */
};

enum kept_kind { KEPT_EVENT, KEPT_CLOSED, KEPT_MISSED };

struct read_ahead {
    struct read_ahead *next;
    enum kept_kind kind;
    struct source_event event;          /* KEPT_EVENT */
    struct rpcrdma_check_config config; /* what the event points to */
    struct source_miss miss;            /* KEPT_MISSED */
    uint64_t closed;                    /* KEPT_CLOSED */
    size_t octets;
    char text[]; /* name of the connection, then data */
};

struct ahead {
    const struct source_sink *sink;
    void *talks; /* of tsearch() */
    struct read_ahead *first, **end;
    size_t count, octets;
    bool stopped; /* the sink wants no more */
    bool failed;  /* not enough memory */
};

/* ---- connections of version 2 ---- */

static int compare(const void *a, const void *b)
{
    uint64_t left = ((const struct talk *)a)->id, right = ((const struct talk *)b)->id;
    return (left > right) - (left < right);
}

static struct talk *find_talk(const struct ahead *ahead, uint64_t id)
{
    struct talk wanted = {.id = id};
    struct talk **found = ahead->talks ? tfind(&wanted, &ahead->talks, compare) : NULL;
    return found ? *found : NULL;
}

static struct talk *get_talk(struct ahead *ahead, uint64_t id)
{
    struct talk *talk = find_talk(ahead, id);
    if (talk != NULL)
        return talk;
    talk = malloc(sizeof *talk);
    if (talk == NULL)
        return NULL;
    *talk = (struct talk){.id = id};
    if (tsearch(talk, &ahead->talks, compare) != NULL)
        return talk;
    free(talk);
    return NULL;
}

static void drop_talk(struct ahead *ahead, uint64_t id)
{
    struct talk *talk = find_talk(ahead, id);
    if (talk == NULL)
        return;
    tdelete(talk, &ahead->talks, compare);
    free(talk);
}

static void drop_talks(struct ahead *ahead)
{
    while (ahead->talks)
        drop_talk(ahead, (*(struct talk **)ahead->talks)->id);
}

/* ---- drafts ---- */

/* What no draft reads shows none. */
static bool decodes(const struct rpcrdma_event *send, enum rpcrdma_protocol protocol)
{
    struct rpcrdma_message message;
    return rpcrdma_message_decode(&message, protocol, send->data, send->length, NULL) >= 0;
}

/* What one Send says of its connection. One that was cut off can look like another. */
static void look(struct talk *talk, const struct source_event *event)
{
    const struct rpcrdma_event *send = &event->event;
    bool sure = false;
    bool first = talk->sends == 0 && !event->config->mid_stream;
    enum rpcrdma_protocol protocol =
        send->missing > 0 ? RPCRDMA_PROTOCOL_2_07
                          : rpcrdma_guess_draft(send->data, send->length, first, &sure);
    talk->sends++;
    if (sure && decodes(send, protocol))
        talk->draft = protocol;
    else if (talk->sends >= AHEAD_SENDS)
        talk->given_up = true;
}

static bool is_undecided(const struct talk *talk)
{
    return talk->draft == RPCRDMA_PROTOCOL_AUTO && !talk->given_up;
}

/* ---- what is kept back ---- */

/* Copy the event, and what it points to and does not live on. */
static struct read_ahead *copy_event(const struct source_event *event)
{
    bool has_data = event->event.data != NULL;
    size_t name = strlen(event->connection) + 1;
    size_t octets = sizeof(struct read_ahead) + name + (has_data ? event->event.length : 0);
    struct read_ahead *kept = malloc(octets);
    if (kept == NULL)
        return NULL;
    *kept = (struct read_ahead){
        .kind = KEPT_EVENT, .event = *event, .config = *event->config, .octets = octets};
    memcpy(kept->text, event->connection, name);
    kept->event.connection = kept->text;
    kept->event.config = &kept->config;
    if (has_data) {
        memcpy(kept->text + name, event->event.data, event->event.length);
        kept->event.event.data = kept->text + name;
    }
    return kept;
}

static struct read_ahead *copy_miss(const struct source_miss *miss)
{
    size_t name = miss->connection ? strlen(miss->connection) + 1 : 0;
    struct read_ahead *kept = malloc(sizeof *kept + name);
    if (kept == NULL)
        return NULL;
    *kept = (struct read_ahead){.kind = KEPT_MISSED, .miss = *miss, .octets = sizeof *kept + name};
    if (name > 0) {
        memcpy(kept->text, miss->connection, name);
        kept->miss.connection = kept->text;
    }
    return kept;
}

static struct read_ahead *copy_closed(uint64_t id)
{
    struct read_ahead *kept = malloc(sizeof *kept);
    if (kept != NULL)
        *kept = (struct read_ahead){.kind = KEPT_CLOSED, .closed = id, .octets = sizeof *kept};
    return kept;
}

/* Returns false where there is no memory for it. */
static bool keep(struct ahead *ahead, struct read_ahead *kept)
{
    if (kept == NULL)
        return !(ahead->failed = true);
    if (ahead->first == NULL)
        ahead->end = &ahead->first;
    *ahead->end = kept;
    ahead->end = &kept->next;
    ahead->count++;
    ahead->octets += kept->octets;
    return true;
}

static struct read_ahead *take(struct ahead *ahead)
{
    struct read_ahead *kept = ahead->first;
    ahead->first = kept->next;
    ahead->count--;
    ahead->octets -= kept->octets;
    return kept;
}

/* ---- passing on ---- */

static void pass_event(struct ahead *ahead, const struct source_event *event,
                       enum rpcrdma_protocol draft)
{
    struct source_event known;
    if (ahead->stopped)
        return;
    if (draft != RPCRDMA_PROTOCOL_AUTO) {
        known = *event;
        known.event.draft = draft;
        event = &known;
    }
    ahead->stopped = !ahead->sink->event(ahead->sink->arg, event);
}

static void pass_closed(struct ahead *ahead, uint64_t id)
{
    drop_talk(ahead, id);
    if (ahead->sink->closed)
        ahead->sink->closed(ahead->sink->arg, id);
}

static void pass_miss(const struct ahead *ahead, const struct source_miss *miss)
{
    if (ahead->sink->missed)
        ahead->sink->missed(ahead->sink->arg, miss);
}

static void pass(struct ahead *ahead, struct read_ahead *kept)
{
    const struct talk *talk =
        kept->kind == KEPT_EVENT ? find_talk(ahead, kept->event.connection_id) : NULL;
    switch (kept->kind) {
    case KEPT_EVENT:
        pass_event(ahead, &kept->event, talk ? talk->draft : RPCRDMA_PROTOCOL_AUTO);
        break;
    case KEPT_CLOSED:
        pass_closed(ahead, kept->closed);
        break;
    case KEPT_MISSED:
        pass_miss(ahead, &kept->miss);
        break;
    }
    free(kept);
}

/* The connection of the oldest event, if that is a Send of which later ones may still show the
 * draft; or NULL. */
static struct talk *awaited(const struct ahead *ahead)
{
    const struct read_ahead *kept = ahead->first;
    if (kept->kind != KEPT_EVENT || !source_is_version2(&kept->event.event))
        return NULL;
    struct talk *talk = find_talk(ahead, kept->event.connection_id);
    return talk && is_undecided(talk) ? talk : NULL;
}

static void pass_decided(struct ahead *ahead)
{
    while (ahead->first) {
        struct talk *talk = awaited(ahead);
        bool is_full = ahead->count > AHEAD_EVENTS || ahead->octets > AHEAD_OCTETS;
        if (talk && !is_full)
            return;
        if (talk)
            talk->given_up = true;
        pass(ahead, take(ahead));
    }
}

/* ---- the sink ---- */

static bool take_event(void *arg, const struct source_event *event)
{
    struct ahead *ahead = arg;
    struct talk *talk = NULL;
    if (source_is_version2(&event->event)) {
        talk = get_talk(ahead, event->connection_id);
        if (talk && is_undecided(talk))
            look(talk, event);
    } else if (ahead->talks) {
        talk = find_talk(ahead, event->connection_id);
    }
    if (ahead->first == NULL &&
        (talk == NULL || !is_undecided(talk) || !source_is_version2(&event->event)))
        pass_event(ahead, event, talk ? talk->draft : RPCRDMA_PROTOCOL_AUTO);
    else if (keep(ahead, copy_event(event)))
        pass_decided(ahead);
    return !ahead->stopped && !ahead->failed;
}

static void take_closed(void *arg, uint64_t id)
{
    struct ahead *ahead = arg;
    struct talk *talk = find_talk(ahead, id);
    if (talk)
        talk->given_up = true;
    if (ahead->first == NULL)
        pass_closed(ahead, id);
    else if (keep(ahead, copy_closed(id)))
        pass_decided(ahead);
}

static void take_miss(void *arg, const struct source_miss *miss)
{
    struct ahead *ahead = arg;
    if (ahead->first == NULL)
        pass_miss(ahead, miss);
    else if (keep(ahead, copy_miss(miss)))
        pass_decided(ahead);
}

static void pass_rest(struct ahead *ahead)
{
    while (ahead->first)
        pass(ahead, take(ahead));
    drop_talks(ahead);
}

bool ahead_read(struct source_reader *reader, bool (*read)(struct source_reader *reader))
{
    struct ahead ahead = {.sink = reader->sink};
    if (reader->options->draft != RPCRDMA_PROTOCOL_AUTO)
        return read(reader);
    struct source_sink sink = {
        .event = take_event, .closed = take_closed, .missed = take_miss, .arg = &ahead};
    reader->sink = &sink;
    bool good = read(reader);
    reader->sink = ahead.sink;
    pass_rest(&ahead);
    return ahead.failed ? source_fail(reader, "not enough memory") : good;
}
