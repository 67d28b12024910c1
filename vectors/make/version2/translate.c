// SPDX-License-Identifier: BSD-3-Clause
/* Groups of translated vectors, and what is expected of them. */
#include "vectors/make/version2/translate.h"

#include <stdlib.h>
#include <string.h>

struct rule {
    const char *id; /* NULL: it does not hold */
    char judgement;
    const char *reactions;
};

/* As in version 1, in -04, in -07. */
static const struct rule rules[][1 + DRAFTS] = {
#include <shared_vectors.h>
};

/* What a vector of this draft breaks or nearly breaks already. */
static bool broken[DRAFTS][COUNT(rules)], nearly[DRAFTS][COUNT(rules)];

/* ---- rules ---- */

/* "SECTION/SLUG" and whatever comes before or after it in a word. */
static int find_rule(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT(rules); i++) {
        const char *id = rules[i][0].id;
        if (strncmp(name, "rfc", 3) != 0)
            id += strlen("rfc8166/");
        if (strlen(id) == length && strncmp(id, name, length) == 0)
            return (int)i;
    }
    return -1;
}

static bool has_reaction(const char *list, const char *word, size_t length)
{
    for (const char *at = list; *at != '\0';) {
        size_t each = strcspn(at, " ");
        if (each == length && strncmp(at, word, length) == 0)
            return true;
        at += each + (at[each] == ' ');
    }
    return false;
}

static const char *name_in_version_2(const char *word)
{
    return strcmp(word, "err-chunk") == 0 ? "err-bad-xdr" : word;
}

/* ---- what is expected of one event ---- */

struct expectation {
    char text[512];
    bool good, is_reply;
    int row;                           /* of the rule that is broken, or -1 */
    const struct rule *before, *after; /* it in both versions */
};

static void add(struct expectation *expected, const char *word)
{
    size_t at = strlen(expected->text);
    snprintf(expected->text + at, sizeof expected->text - at, "%s%s", at > 0 ? " " : "", word);
}

/* A finding in the draft's words. */
static void take_finding(struct expectation *expected, const struct translated_event *event,
                         enum draft draft, const char *word)
{
    size_t length = strcspn(word + 2, "@");
    int row = find_rule(word + 2, length);
    const struct rule *after = row >= 0 ? &rules[row][1 + draft] : NULL;
    char text[256], place[32] = "";
    if (after == NULL || after->id == NULL || expected->row >= 0) {
        expected->good = false;
        return;
    }
    if (word[2 + length] == '@') {
        long offset = translate_offset(event, draft, strtoul(word + 3 + length, NULL, 10));
        expected->good = expected->good && offset >= 0;
        snprintf(place, sizeof place, "@%ld", offset);
    }
    /* These have other bounds in version 2. */
    expected->good = expected->good && strstr(after->id, "/minimal-header") == NULL &&
                     !(draft == DRAFT_IS_04 && strstr(after->id, "/peer-prepared"));
    /* A finding that is milder than its row stays so. */
    bool milder = word[0] != rules[row][0].judgement;
    snprintf(text, sizeof text, "%c:%s%s", milder ? word[0] : after->judgement, after->id, place);
    add(expected, text);
    expected->row = row;
    expected->before = &rules[row][0];
    expected->after = after;
    /* RDMA2_REPLY_INLINE has no Reply chunk. */
    if (draft == DRAFT_IS_07 && strcmp(event->form, "reply-inline") == 0 &&
        strncmp(word + 2, "4.3.3/", 6) == 0)
        expected->good = false;
}

/* Reactions that the draft's row leaves open and that of version 1 does not. */
static void add_wider(struct expectation *expected)
{
    char copy[256], *rest = copy, *word;
    snprintf(copy, sizeof copy, "%s", expected->after->reactions);
    while ((word = strtok_r(rest, " ", &rest))) {
        const char *old = strcmp(word, "err-bad-xdr") == 0 ? "err-chunk" : word;
        bool of_requester = strcmp(word, "terminate") == 0;
        bool of_responder = strncmp(word, "err-", 4) == 0 || strcmp(word, "garbage-args") == 0;
        bool fits = expected->is_reply ? !of_responder : !of_requester;
        /* Of that rule only in cases that version 1 has not: pieces, padding. */
        fits = fits && (strstr(expected->after->id, "/xdr-encoded") == NULL || of_requester);
        /* And of this, where there are chunks. */
        fits = fits && (strstr(expected->after->id, "/peer-prepared") == NULL ||
                        strcmp(word, "err-system") == 0 || strcmp(word, "err-inval-htype") == 0);
        if (fits && !has_reaction(expected->before->reactions, old, strlen(old)) &&
            !has_reaction(expected->before->reactions, word, strlen(word)))
            add(expected, word);
    }
}

static void take_reaction(struct expectation *expected, const char *word)
{
    const char *name = name_in_version_2(word);
    if (expected->after == NULL || has_reaction(expected->after->reactions, name, strlen(name)))
        add(expected, name);
}

static struct expectation translate_expected(const struct translated_event *event,
                                             const char *expected, enum draft draft)
{
    struct expectation result = {.good = true, .is_reply = event->is_reply, .row = -1};
    char copy[512], *rest = copy, *word;
    bool reacts = false;
    snprintf(copy, sizeof copy, "%s", expected);
    while ((word = strtok_r(rest, " ", &rest))) {
        if (word[1] == ':') {
            take_finding(&result, event, draft, word);
        } else if (strncmp(word, "length:", 7) == 0) {
            char length[32];
            long end = translate_offset(event, draft, strtoul(word + 7, NULL, 10));
            snprintf(length, sizeof length, "length:%ld", end);
            add(&result, word[7] == '-' ? word : length);
        } else {
            reacts = true;
            take_reaction(&result, word);
        }
    }
    if (result.after && reacts)
        add_wider(&result);
    return result;
}

/* ---- vectors ---- */

/* Texts of vectors, the last one first. */
static struct kept {
    struct kept *before;
    char text[];
} * last_kept;

static char *keep(const char *text)
{
    struct kept *kept = malloc(sizeof *kept + strlen(text) + 1);
    if (kept == NULL)
        bad_row(text, "not enough memory", "");
    kept->before = last_kept;
    last_kept = kept;
    return strcpy(kept->text, text);
}

/* What was kept after this one: of a vector that is not taken. */
static void drop_after(const struct kept *mark)
{
    while (last_kept != mark) {
        struct kept *before = last_kept->before;
        free(last_kept);
        last_kept = before;
    }
}

/* Near misses in the draft's words, those that are covered left out. */
static void translate_near_misses(char *text, size_t size, const char *near, enum draft draft,
                                  bool *news)
{
    char copy[512], *rest = copy, *word;
    text[0] = '\0';
    snprintf(copy, sizeof copy, "%s", near ? near : "");
    while ((word = strtok_r(rest, " ", &rest))) {
        int row = find_rule(word, strlen(word));
        if (row < 0 || rules[row][1 + draft].id == NULL || nearly[draft][row])
            continue;
        size_t at = strlen(text);
        snprintf(text + at, size - at, "%s%s", at > 0 ? " " : "", rules[row][1 + draft].id);
        *news = true;
    }
}

static void cover(const char *near, enum draft draft)
{
    char copy[512], *rest = copy, *word;
    snprintf(copy, sizeof copy, "%s", near ? near : "");
    while ((word = strtok_r(rest, " ", &rest))) {
        int row = find_rule(word, strlen(word));
        if (row >= 0)
            nearly[draft][row] = true;
    }
}

static bool translate_settings(const char *settings)
{
    return settings == NULL ||
           (strstr(settings, "c2s:") == NULL && strstr(settings, "s2c:") == NULL);
}

/* The upper layer has agreed to the Calls of the server, unless that is what they lack. */
static const char *agree(const char *settings, const struct vector *made)
{
    bool calls = false, refused = false;
    char text[128];
    for (size_t i = 0; i < VECTOR_EVENTS && made->events[i].what; i++) {
        const char *expected = made->events[i].expected;
        calls = calls || strncmp(made->events[i].what, "< call-", 7) == 0;
        refused = refused || (expected && strstr(expected, "/peer-prepared"));
    }
    if (!calls || refused || (settings && strstr(settings, "reverse")))
        return settings;
    snprintf(text, sizeof text, "%s reverse", settings ? settings : "");
    return keep(text);
}

/* Flags that other files explain as well. */
static char *translate_flags(const char *flags, bool near)
{
    char copy[256], text[256] = "", *rest = copy, *word;
    snprintf(copy, sizeof copy, "%s", flags ? flags : "");
    while ((word = strtok_r(rest, " ", &rest)))
        for (const struct note *note = shared_notes; note->flag; note++)
            if (strcmp(note->flag, word) == 0 && (near || strcmp(word, "near-miss") != 0))
                snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s",
                         text[0] != '\0' ? " " : "", word);
    return text[0] != '\0' ? keep(text) : NULL;
}

/* The events, after an exchange that settles the version. */
static bool translate_events(struct vector *made, const struct vector *vector, enum draft draft,
                             bool *news)
{
    static const struct vector_event exchange[DRAFTS][2] = {{EXCHANGE_04}, {EXCHANGE_07}};
    size_t count = 0;
    made->events[count++] = exchange[draft][0];
    made->events[count++] = exchange[draft][1];
    for (size_t i = 0; i < VECTOR_EVENTS && vector->events[i].what; i++) {
        static struct translated_event event;
        const char *expected = vector->events[i].expected;
        if (count == VECTOR_EVENTS || !translate_event(&event, vector->events[i].what, draft))
            return false;
        struct expectation wanted = translate_expected(&event, expected ? expected : "", draft);
        if (!wanted.good)
            return false;
        *news = *news || (wanted.row >= 0 && !broken[draft][wanted.row]);
        made->events[count].what = keep(event.what);
        made->events[count++].expected = expected ? keep(wanted.text) : NULL;
    }
    return true;
}

static void cover_broken(const struct vector *vector, enum draft draft)
{
    for (size_t i = 0; i < VECTOR_EVENTS && vector->events[i].what; i++) {
        char copy[512], *rest = copy, *word;
        snprintf(copy, sizeof copy, "%s",
                 vector->events[i].expected ? vector->events[i].expected : "");
        while ((word = strtok_r(rest, " ", &rest))) {
            int row = word[1] == ':' ? find_rule(word + 2, strcspn(word + 2, "@")) : -1;
            if (row >= 0)
                broken[draft][row] = true;
        }
    }
}

/* Returns false if the draft has no such vector, or none is needed. */
static bool translate_vector(struct vector *made, const struct vector *vector, enum draft draft)
{
    char text[1024], near[1024];
    bool news = false;
    const struct kept *mark = last_kept;
    *made = (struct vector){.settings = vector->settings};
    bool good =
        translate_settings(vector->settings) && translate_events(made, vector, draft, &news);
    if (good)
        translate_near_misses(near, sizeof near, vector->near_miss, draft, &news);
    if (!good || !news) {
        drop_after(mark);
        return false;
    }
    if (draft == DRAFT_IS_07)
        made->settings = agree(vector->settings, made);
    cover(vector->near_miss, draft);
    cover_broken(vector, draft);
    snprintf(text, sizeof text, "%s-%s", draft == DRAFT_IS_04 ? "04" : "07", vector->id);
    made->id = keep(text);
    snprintf(text, sizeof text, "As %s of version 1: %s", vector->id, vector->comment);
    made->comment = keep(text);
    made->near_miss = near[0] != '\0' ? keep(near) : NULL;
    made->flags = translate_flags(vector->flags, made->near_miss != NULL);
    return true;
}

const struct vector_group *translate_groups(const struct vector_group *const *groups,
                                            enum draft draft, const char *file, const char *title)
{
    size_t room = 0, count = 0;
    for (size_t i = 0; groups[i]; i++)
        room += groups[i]->count;
    struct vector *vectors = calloc(room, sizeof *vectors);
    struct vector_group *group = calloc(1, sizeof *group);
    if (vectors == NULL || group == NULL)
        bad_row(file, "not enough memory", "");
    for (size_t i = 0; groups[i]; i++)
        for (size_t j = 0; j < groups[i]->count; j++)
            count += translate_vector(&vectors[count], &groups[i]->vectors[j], draft);
    *group = (struct vector_group){
        .file = file,
        .title = title,
        .origin = "made",
        .reference = "spec/requirements/shared.tsv",
        .protocol = draft == DRAFT_IS_04 ? "rpcrdma2-04" : "rpcrdma2-07",
        .vectors = vectors,
        .count = count,
    };
    return group;
}
