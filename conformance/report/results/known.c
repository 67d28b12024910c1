// SPDX-License-Identifier: BSD-3-Clause
/*
 * Lists of expected failures. Entries that were read and failures that were found share one array:
 * a failure that no test entry names gets an entry of its own, which --write-known writes.
 */
#include "conformance/report/results/known.h"

#include "conformance/base/alloc.h"
#include "conformance/base/output.h"
#include "conformance/base/nearest.h"
#include "conformance/base/register.h"
#include "conformance/base/status.h"
#include "conformance/base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LINE_OCTETS 65536 /* of a line, its reason included, that is kept */
#define FIELDS 3

struct known_entry {
    char *name;     /* of a test; or a rule's id or kit/FORM: these have a slash, the other none */
    char *way;      /* of a class: "XDR_E_COUNT"; or NULL */
    char *answer;   /* of a class of the kit: "err-chunk"; or NULL */
    char *reason;   /* to be written; or NULL */
    unsigned event; /* of a test */
    char *said;     /* of a test or class: the endings as in a list, "closed,wrong-answer:fail" */
    unsigned endings; /* the same as a set, 1 << enum ending; with ENDING_REQUIRED it may also not
                         fail */
    bool is_server;   /* traffic */
    char *peer;       /* traffic, or NULL */
    bool listed;
    char *before, *line; /* listed: lines without an entry before it, or NULL; its own, as read */
    bool covered;        /* found, and listed entries say it already */
    bool judged;         /* of a test: whatever came of it */
    bool elsewhere;      /* of what was not run */
    bool nowhere;        /* there is no such test */
    char *meant;         /* then: the one that is nearest, or NULL */
    uint64_t found;
};

static bool is_class(const struct known_entry *entry)
{
    return strchr(entry->name, '/') != NULL;
}

/* A form that no rule explains. */
static bool is_form(const char *name)
{
    return strncmp(name, "kit/", 4) == 0;
}

/* ---- reading ---- */

struct list_place {
    const char *file;
    unsigned line;
};

static bool bad_line(const struct list_place *place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool bad_line(const struct list_place *place, const char *format, ...)
{
    char text[400];
    va_list args;
    int length = snprintf(text, sizeof text, "line %u: ", place->line);
    va_start(args, format);
    vsnprintf(text + length, sizeof text - (size_t)length, format, args);
    va_end(args);
    file_error(place->file, text);
    return false;
}

static char *copy_of(const char *text)
{
    return text ? alloc_text(text) : NULL;
}

static struct known_entry *add_entry(struct known *known, const struct known_entry *entry)
{
    known->entries = alloc_room(known->entries, known->count, &known->room, sizeof *known->entries);
    struct known_entry *added = &known->entries[known->count++];
    *added = *entry;
    added->name = alloc_text(entry->name);
    added->way = copy_of(entry->way);
    added->answer = copy_of(entry->answer);
    added->said = copy_of(entry->said);
    added->reason = copy_of(entry->reason);
    added->peer = copy_of(entry->peer);
    return added;
}

static bool is_rule(const struct list_place *place, const char *id)
{
    if (register_find(id) >= 0)
        return true;
    char meant[NEAREST_TEXT];
    return bad_line(place, "there is no rule '%.80s'%s", id,
                    nearest_text(register_nearest(id), meant));
}

/* What follows the mark, if that is there; the text ends before it. */
static char *cut_at(char *text, char mark)
{
    char *at = strchr(text, mark);
    if (at == NULL)
        return NULL;
    *at = '\0';
    return at + 1;
}

/* A class of the kit may have an answer, and any class a way. */
static void split_class(struct known_entry *entry, enum known_kind kind)
{
    entry->answer = kind == KNOWN_KIT ? cut_at(entry->name, ':') : NULL;
    entry->way = cut_at(entry->name, '#');
}

static bool read_class(const struct list_place *place, enum known_kind kind,
                       struct known_entry *entry)
{
    split_class(entry, kind);
    if (entry->way && entry->way[0] == '\0')
        return bad_line(place, "there is no way after '#'");
    if (entry->answer && entry->answer[0] == '\0')
        return bad_line(place, "there is no answer after ':'");
    if (kind != KNOWN_KIT || !is_form(entry->name))
        return is_rule(place, entry->name);
    if (strncmp(entry->name, "kit/crashed", 11) == 0)
        return bad_line(place, "a crash can be expected of a test, not of a whole form");
    return true;
}

static bool read_event(const struct list_place *place, struct known_entry *entry)
{
    char *colon = strchr(entry->name, ':'), *end;
    if (colon == NULL)
        return true;
    *colon = '\0';
    errno = 0;
    unsigned long event = strtoul(colon + 1, &end, 10);
    if (colon[1] < '0' || colon[1] > '9' || *end != '\0' || errno != 0 || event > UINT32_MAX)
        return bad_line(place, "'%.40s' is not the number of an event", colon + 1);
    entry->event = (unsigned)event;
    return true;
}

static int find_ending(const char *name, size_t length)
{
    for (int i = 0; i < ENDINGS; i++)
        if (strlen(ending_names[i]) == length && strncmp(ending_names[i], name, length) == 0)
            return i;
    return -1;
}

/* After a comma. */
static const char *next_ending(const char *said)
{
    const char *comma = strchr(said, ',');
    return comma ? comma + 1 : NULL;
}

static bool read_endings(const struct list_place *place, enum known_kind kind,
                         struct known_entry *entry, char *text)
{
    bool class = is_class(entry);
    for (const char *name = text; name; name = next_ending(name)) {
        size_t length = strcspn(name, ":,"), answer = strcspn(name, ",") - length;
        int ending = find_ending(name, length);
        bool sometimes = ending == ENDING_REQUIRED && entry->endings != 0 && !class;
        if (!sometimes && (ending < 0 || !ending_is_failure((enum ending)ending)))
            return bad_line(place, "'%.*s' is not how a test fails", (int)length, name);
        if (class && ending_is_broken((enum ending)ending))
            return bad_line(place, "'%.*s' can be expected of a test, not of a whole rule",
                            (int)length, name);
        if (kind == KNOWN_KIT && ending != ENDING_WRONG)
            return bad_line(place, "'%.*s' is not an ending that the kit knows: it is wrong-answer",
                            (int)length, name);
        if (answer > 0 && (ending != ENDING_WRONG || kind == KNOWN_KIT))
            return bad_line(place, "'%.*s': %s", (int)(length + answer), name,
                            kind == KNOWN_KIT ? "the kit's answers are part of its names"
                                              : "only a wrong-answer has an answer");
        if (answer == 1)
            return bad_line(place, "there is no answer after ':'");
        entry->endings |= 1u << ending;
    }
    entry->said = text;
    return true;
}

static bool read_test(const struct list_place *place, enum known_kind kind,
                      struct known_entry *entry, char **fields, unsigned count)
{
    if (count != 2)
        return bad_line(place, "has to be a %s, and how it ended, such as '%.80s wrong-answer'",
                        kind == KNOWN_KIT ? "name of the kit's table" : "test or a rule",
                        fields[0]);
    if (kind == KNOWN_KIT && !is_class(entry))
        return bad_line(place, "'%.80s' is not a name of the kit's table", entry->name);
    bool named = is_class(entry) ? read_class(place, kind, entry) : read_event(place, entry);
    return named && read_endings(place, kind, entry, fields[1]);
}

static bool read_finding(const struct list_place *place, struct known_entry *entry, char **fields,
                         unsigned count)
{
    bool server = count == 3 && strcmp(fields[1], "server") == 0;
    if (count != 3 || (!server && strcmp(fields[1], "client") != 0))
        return bad_line(place, "expected: RULE client|server ADDRESS|*");
    entry->is_server = server;
    entry->peer = fields[2];
    return is_rule(place, entry->name);
}

/* A reason begins at the line's start or after a blank: "RULE#WAY" has none. */
static void cut_reason(char *line)
{
    for (char *p = strchr(line, '#'); p; p = strchr(p + 1, '#'))
        if (p == line || p[-1] == ' ' || p[-1] == '\t') {
            *p = '\0';
            return;
        }
}

/* What the list says beside its entries stays before the entry that follows. */
static void keep_remark(struct known *known, const char *line)
{
    struct alloc_stream lines;
    alloc_begin(&lines);
    fprintf(lines.out, "%s%s\n", known->remarks ? known->remarks : "", line);
    free(known->remarks);
    known->remarks = alloc_end(&lines);
}

static void keep_line(struct known *known, struct known_entry *entry, const char *line)
{
    entry->line = alloc_text(line);
    entry->before = known->remarks;
    known->remarks = NULL;
}

static bool read_line(struct known *known, const struct list_place *place, char *line)
{
    char *fields[FIELDS + 1] = {NULL}, *rest = line, *field;
    unsigned count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    char *copy = alloc_text(line);
    cut_reason(line);
    while (count <= FIELDS && (field = strtok_r(rest, " \t\r\n", &rest)))
        fields[count++] = field;
    if (count == 0) {
        keep_remark(known, copy);
        free(copy);
        return true;
    }
    struct known_entry entry = {.name = fields[0], .listed = true};
    bool good = known->kind == KNOWN_TRAFFIC ? read_finding(place, &entry, fields, count)
                                             : read_test(place, known->kind, &entry, fields, count);
    if (good)
        keep_line(known, add_entry(known, &entry), copy);
    free(copy);
    return good;
}

bool known_read(struct known *known, const char *file)
{
    char line[LINE_OCTETS];
    struct list_place place = {.file = file};
    known->file = file;
    FILE *in = fopen(file, "r");
    if (in == NULL) {
        file_error(file, strerror(errno));
        return false;
    }
    bool good = true;
    while (good && fgets(line, sizeof line, in)) {
        bool whole = strchr(line, '\n') != NULL;
        place.line++;
        good = read_line(known, &place, line);
        while (!whole && !feof(in) && !ferror(in)) /* reasons may be long */
            whole = getc(in) == '\n';
    }
    if (good && ferror(in)) {
        file_error(file, strerror(errno));
        good = false;
    }
    fclose(in);
    return good;
}

/* ---- what was found ---- */

static bool same_text(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* Of a wrong answer also which it was, where the entry says it. */
static bool covers_ending(const struct known_entry *entry, const struct known_failure *failure)
{
    for (const char *name = entry->said; name; name = next_ending(name)) {
        size_t length = strcspn(name, ":,"), answer = strcspn(name, ",") - length;
        if (find_ending(name, length) != (int)failure->ending)
            continue;
        if (answer == 0 || (failure->answer && strlen(failure->answer) == answer - 1 &&
                            strncmp(failure->answer, name + length + 1, answer - 1) == 0))
            return true;
    }
    return false;
}

static bool covers(const struct known_entry *entry, const struct known_failure *failure)
{
    if (!covers_ending(entry, failure))
        return false;
    if (!is_class(entry))
        return entry->event == failure->event && strcmp(entry->name, failure->test) == 0;
    return same_text(entry->name, failure->rule) &&
           (entry->way == NULL || same_text(entry->way, failure->way));
}

bool known_failure(struct known *known, const struct known_failure *failure)
{
    bool is_listed = false;
    for (size_t i = 0; i < known->count; i++)
        if (known->entries[i].listed && covers(&known->entries[i], failure)) {
            known->entries[i].found++;
            is_listed = true;
        }
    char said[64];
    bool has_answer = failure->ending == ENDING_WRONG && failure->answer;
    snprintf(said, sizeof said, "%s%s%s", ending_names[failure->ending], has_answer ? ":" : "",
             has_answer ? failure->answer : "");
    struct known_entry found = {.name = (char *)(uintptr_t)failure->test,
                                .event = failure->event,
                                .said = said,
                                .covered = is_listed};
    add_entry(known, &found)->found++;
    return is_listed;
}

void known_judged(struct known *known, const char *test, unsigned event)
{
    for (size_t i = 0; i < known->count && known->entries[i].listed; i++) {
        struct known_entry *entry = &known->entries[i];
        if (entry->event == event && strcmp(entry->name, test) == 0)
            entry->judged = true;
    }
}

/* ---- the kit ---- */

static void read_name(struct known_entry *entry, const char *name, enum ending ending)
{
    *entry = (struct known_entry){.name = alloc_text(name),
                                  .said = (char *)(uintptr_t)ending_names[ending],
                                  .endings = 1u << ending};
    split_class(entry, KNOWN_KIT);
}

bool known_has(const struct known *known, const char *name, enum ending ending)
{
    struct known_entry found;
    bool is_listed = false;
    if (known->count == 0)
        return false;
    read_name(&found, name, ending);
    for (size_t i = 0; i < known->count && !is_listed; i++) {
        const struct known_entry *entry = &known->entries[i];
        bool same_answer = entry->answer ? same_text(entry->answer, found.answer) : !found.answer;
        is_listed = (entry->endings & found.endings) && same_answer &&
                    strcmp(entry->name, found.name) == 0 &&
                    (entry->way == NULL || same_text(entry->way, found.way));
    }
    free(found.name);
    return is_listed;
}

void known_add(struct known *known, const char *name, enum ending ending, const char *reason)
{
    struct known_entry found;
    read_name(&found, name, ending);
    found.reason = (char *)(uintptr_t)reason;
    add_entry(known, &found)->found++;
    free(found.name);
}

/* ---- findings ---- */

static bool is_same_finding(const struct known_entry *entry, const struct known_entry *finding)
{
    return entry->is_server == finding->is_server && strcmp(entry->name, finding->name) == 0 &&
           (strcmp(entry->peer, finding->peer) == 0 ||
            (entry->listed && strcmp(entry->peer, "*") == 0));
}

bool known_finding(struct known *known, const char *rule, const char *side, const char *peer)
{
    struct known_entry finding = {.name = (char *)(uintptr_t)rule,
                                  .is_server = strcmp(side, "server") == 0,
                                  .peer = (char *)(uintptr_t)peer};
    bool is_listed = false, is_found = false;
    for (size_t i = 0; i < known->count; i++) {
        struct known_entry *entry = &known->entries[i];
        if (!is_same_finding(entry, &finding))
            continue;
        entry->found++;
        is_listed = is_listed || entry->listed;
        is_found = is_found || !entry->listed;
    }
    finding.covered = is_listed;
    if (!is_found)
        add_entry(known, &finding)->found++;
    return is_listed;
}

/* ---- telling ---- */

static void print_entry(FILE *out, const struct known_entry *entry)
{
    fputs(entry->name, out);
    if (entry->peer) {
        fprintf(out, " %s %s", entry->is_server ? "server" : "client", entry->peer);
        return;
    }
    if (entry->way)
        fprintf(out, "#%s", entry->way);
    if (entry->answer)
        fprintf(out, ":%s", entry->answer);
    if (entry->event > 0)
        fprintf(out, ":%u", entry->event);
    fprintf(out, " %s", entry->said);
}

static bool same_entry(const struct known_entry *a, const struct known_entry *b)
{
    return a->event == b->event && strcmp(a->said, b->said) == 0 && strcmp(a->name, b->name) == 0;
}

/* A peer may fail one test in several places: one line. */
static bool was_written(const struct known *known, size_t at)
{
    for (size_t i = at; known->kind == KNOWN_TESTS && i > 0; i--)
        if (!known->entries[i - 1].listed &&
            same_entry(&known->entries[i - 1], &known->entries[at]))
            return true;
    return false;
}

/* An entry that may be there for a reason: it occurred, or it need not have. */
static bool stays(const struct known *known, const struct known_entry *entry)
{
    bool is_left_out = (known->partial && !entry->nowhere) || entry->elsewhere;
    return entry->found > 0 || (is_left_out && !entry->judged) ||
           (entry->endings >> ENDING_REQUIRED & 1);
}

/* The list that was read, without what did not occur. */
static void write_old(FILE *out, const struct known *known)
{
    for (size_t i = 0; i < known->count; i++) {
        const struct known_entry *entry = &known->entries[i];
        if (entry->before)
            fputs(entry->before, out);
        if (entry->listed && stays(known, entry))
            fprintf(out, "%s\n", entry->line);
    }
    if (known->remarks)
        fputs(known->remarks, out);
}

bool known_write(const struct known *known, const char *file)
{
    static const char *const wording[] = {
        [KNOWN_TESTS] = "a test and how it ended, with the wrong answer",
        [KNOWN_TRAFFIC] = "a rule, client or server, the peer's address",
        [KNOWN_KIT] = "a name of the kit's table and how it ended"};
    struct output output;
    if (!output_begin(&output, file))
        return false;
    FILE *out = output.stream;
    if (known->file)
        write_old(out, known);
    else
        fprintf(out, "# Expected failures, one a line: %s. After # the reason.\n",
                wording[known->kind]);
    for (size_t i = 0; i < known->count; i++) {
        if (known->entries[i].listed || known->entries[i].covered || was_written(known, i))
            continue;
        print_entry(out, &known->entries[i]);
        fprintf(out, " # %s\n", known->entries[i].reason ? known->entries[i].reason : "reason: ");
    }
    return output_end(&output);
}

void known_elsewhere(struct known *known, bool (*is_elsewhere)(void *arg, const char *name),
                     void *arg)
{
    for (size_t i = 0; i < known->count; i++)
        known->entries[i].elsewhere = is_elsewhere(arg, known->entries[i].name);
}

void known_names(struct known *known, void (*each_name)(void *, struct nearest *), void *arg)
{
    for (size_t i = 0; i < known->count && known->kind == KNOWN_TESTS; i++) {
        struct known_entry *entry = &known->entries[i];
        struct nearest nearest = nearest_begin(entry->name), same = {entry->name, NULL, 1};
        if (is_class(entry) || nearest.least == 0)
            continue;          /* a rule, or too long to compare */
        each_name(arg, &same); /* first, for that takes no time */
        entry->nowhere = same.word == NULL;
        if (entry->nowhere)
            each_name(arg, &nearest);
        entry->meant = copy_of(nearest.word);
    }
}

static void drop_stale(struct known *known)
{
    for (size_t i = 0; i < known->stale_count; i++)
        free(known->stale[i]);
    free(known->stale);
    known->stale = NULL;
    known->stale_count = 0;
}

static bool is_stale(const struct known *known, const struct known_entry *entry)
{
    return entry->listed && !stays(known, entry);
}

static char *text_of(const struct known_entry *entry)
{
    struct alloc_stream text;
    alloc_begin(&text);
    print_entry(text.out, entry);
    return text_mask(alloc_end(&text));
}

size_t known_settle(struct known *known)
{
    size_t room = 0;
    drop_stale(known);
    for (size_t i = 0; i < known->count; i++) {
        if (!is_stale(known, &known->entries[i]))
            continue;
        known->stale = alloc_room(known->stale, known->stale_count, &room, sizeof known->stale[0]);
        known->stale[known->stale_count++] = text_of(&known->entries[i]);
    }
    return known->stale_count;
}

void known_complain(const struct known *known)
{
    char meant[NEAREST_TEXT];
    for (size_t i = 0; i < known->count; i++) {
        const struct known_entry *entry = &known->entries[i];
        char *text = is_stale(known, entry) ? text_of(entry) : NULL;
        if (text)
            say("%s: expected failure '%s' %s%s", known->file, text,
                entry->nowhere ? "names no test here" : "did not occur",
                nearest_text(entry->meant, meant));
        free(text);
    }
}

void known_json(struct json *json, const struct known *known)
{
    if (known->stale_count == 0)
        return;
    json_open(json, "stale", '[');
    for (size_t i = 0; i < known->stale_count; i++)
        json_text(json, NULL, known->stale[i]);
    json_close(json, ']');
}

void known_free(struct known *known)
{
    for (size_t i = 0; i < known->count; i++) {
        free(known->entries[i].name);
        free(known->entries[i].way);
        free(known->entries[i].answer);
        free(known->entries[i].said);
        free(known->entries[i].reason);
        free(known->entries[i].peer);
        free(known->entries[i].meant);
        free(known->entries[i].before);
        free(known->entries[i].line);
    }
    drop_stale(known);
    free(known->entries);
    free(known->remarks);
    known->remarks = NULL;
    known->entries = NULL;
    known->count = known->room = 0;
}
