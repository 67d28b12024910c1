// SPDX-License-Identifier: BSD-3-Clause
/*
 * Conversations made of others: some steps changed, more or less of them, or two put together. A
 * seed says how, so what one comes from is a line of seeds, and that line makes it again. At most
 * one Send of it is changed, as in those that are new.
 */
#include "rxe-harness/random/random.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 4 /* changes at most that one seed makes */
#define DEPTH 4  /* conversations that a line has at hand at once */

/* ---- changing one ---- */

static void insert(struct random_conversation *conversation, unsigned at,
                   const struct random_step *step)
{
    struct random_step *place = &conversation->steps[at];
    if (conversation->count == RANDOM_STEPS) { /* then it replaces one */
        conversation->steps[at < RANDOM_STEPS ? at : RANDOM_STEPS - 1] = *step;
        return;
    }
    memmove(place + 1, place, (conversation->count - at) * sizeof *place);
    *place = *step;
    conversation->count++;
}

static void drop(struct random_conversation *conversation, unsigned at, unsigned length)
{
    struct random_step *place = &conversation->steps[at];
    unsigned rest = conversation->count - at;
    length = length < rest ? length : rest;
    if (length == conversation->count)
        return;
    memmove(place, place + length, (rest - length) * sizeof *place);
    conversation->count -= length;
}

/* New steps in place of all from this one on. */
static void renew(struct random_source *source, struct random_conversation *conversation,
                  unsigned from, bool offers)
{
    conversation->count = from + 1 + random_below(source, RANDOM_STEPS - from);
    for (unsigned i = from; i < conversation->count; i++)
        random_make_step(source, &conversation->steps[i], offers);
}

/* Only the Send of this step is changed, if of any. */
static void change_only(struct random_conversation *conversation, unsigned at,
                        enum random_change change)
{
    for (unsigned i = 0; i < conversation->count; i++)
        conversation->steps[i].change = RANDOM_NONE;
    conversation->steps[at].change = change;
}

/* One of several Sends that are changed stays so. */
static void keep_one_change(struct random_source *source, struct random_conversation *conversation)
{
    unsigned seen = 0, kept = 0;
    for (unsigned i = 0; i < conversation->count; i++)
        if (conversation->steps[i].change != RANDOM_NONE && random_below(source, ++seen) == 0)
            kept = i;
    if (seen > 1)
        change_only(conversation, kept, conversation->steps[kept].change);
}

static void mutate_once(struct random_source *source, struct random_conversation *conversation,
                        bool offers)
{
    unsigned at = random_below(source, conversation->count);
    struct random_step step;
    switch (random_below(source, 10)) {
    case 0:
        random_make_step(source, &conversation->steps[at], offers);
        break;
    case 1:
        random_make_step(source, &step, offers);
        insert(conversation, random_below(source, conversation->count + 1), &step);
        break;
    case 2:
    case 3:
        renew(source, conversation, at + 1 < RANDOM_STEPS ? at + 1 : at, offers);
        break;
    case 4:
        drop(conversation, at, 1 + random_below(source, conversation->count));
        break;
    case 5:
        step = conversation->steps[at];
        insert(conversation, random_below(source, conversation->count + 1), &step);
        break;
    case 6:
        change_only(conversation, at, (enum random_change)random_below(source, RANDOM_CHANGES));
        break;
    default:
        random_reshape(source, &conversation->steps[at]);
        break;
    }
}

static void mutate(struct random_conversation *conversation, uint64_t seed, bool offers)
{
    struct random_source source = random_begin(~seed); /* not the numbers of a new one */
    for (unsigned rounds = 1 + random_below(&source, ROUNDS); rounds > 0; rounds--)
        mutate_once(&source, conversation, offers);
    keep_one_change(&source, conversation);
}

/* The first steps of the one, and the last ones of the other. */
static void splice(struct random_conversation *conversation,
                   const struct random_conversation *other, uint64_t seed)
{
    struct random_source source = random_begin(~seed);
    unsigned first = 1 + random_below(&source, conversation->count);
    unsigned from = random_below(&source, other->count), rest = other->count - from;
    rest = rest < RANDOM_STEPS - first ? rest : RANDOM_STEPS - first;
    memcpy(&conversation->steps[first], &other->steps[from], rest * sizeof other->steps[0]);
    conversation->count = first + rest;
    keep_one_change(&source, conversation);
}

/* ---- lines of seeds ---- */

/* How many conversations it has at hand at most; 0: it is no line. */
static unsigned depth_of(const struct random_line *line)
{
    unsigned depth = 0, most = 0;
    for (unsigned i = 0; i < line->count; i++) {
        char how = line->words[i].how;
        if (depth < (how == RANDOM_NEW ? 0 : how == RANDOM_MUTATED ? 1 : 2))
            return 0;
        depth += how == RANDOM_NEW;
        depth -= how == RANDOM_SPLICED;
        most = depth > most ? depth : most;
    }
    return depth == 1 && most <= DEPTH ? most : 0;
}

bool random_line_add(struct random_line *line, const struct random_line *other, char how,
                     uint64_t seed)
{
    struct random_line longer = *line;
    unsigned more = other ? other->count : 0;
    if (longer.count + more + 1 > RANDOM_LINE)
        return false;
    if (other)
        memcpy(&longer.words[longer.count], other->words, more * sizeof other->words[0]);
    longer.count += more + 1;
    longer.words[longer.count - 1].how = how;
    longer.words[longer.count - 1].seed = seed;
    if (depth_of(&longer) == 0)
        return false;
    *line = longer;
    return true;
}

bool random_line_read(struct random_line *line, const char *text)
{
    *line = (struct random_line){.count = 0};
    char how = RANDOM_NEW;
    do {
        char *end;
        uint64_t seed = strtoull(text, &end, 10);
        if (text[0] < '0' || text[0] > '9' || line->count == RANDOM_LINE)
            return false;
        line->words[line->count].how = how;
        line->words[line->count++].seed = seed;
        how = *end;
        text = end + 1;
    } while (how == RANDOM_NEW || how == RANDOM_MUTATED || how == RANDOM_SPLICED);
    return how == '\0' && depth_of(line) > 0;
}

void random_line_print(FILE *out, const struct random_line *line)
{
    for (unsigned i = 0; i < line->count; i++) {
        if (i > 0)
            fputc(line->words[i].how, out);
        fprintf(out, "%" PRIu64, line->words[i].seed);
    }
}

void random_line_make(struct random_conversation *conversation, const struct random_line *line,
                      bool offers)
{
    struct random_conversation stack[DEPTH + 1] = {0};
    struct random_conversation *top = stack; /* and nothing is in the first one */
    for (unsigned i = 0; i < line->count; i++) {
        uint64_t seed = line->words[i].seed;
        if (line->words[i].how == RANDOM_NEW)
            random_make(++top, seed, offers);
        else if (line->words[i].how == RANDOM_MUTATED)
            mutate(top, seed, offers);
        else
            top--, splice(top, top + 1, seed);
    }
    *conversation = *top;
}
