// SPDX-License-Identifier: BSD-3-Clause
/* One file of vectors as JSON text: always the same octets for the same tables. */
#include "vectors/make/compose.h"

#include "conformance/input/vector_words.h"

#include <inttypes.h>
#include <register_words.h>
#include <string.h>

static void write_escaped(FILE *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ')
            fprintf(out, "\\u%04x", (unsigned)text[i]);
        else
            fprintf(out, text[i] == '"' || text[i] == '\\' ? "\\%c" : "%c", text[i]);
}

static void write_string(FILE *out, const char *text)
{
    putc('"', out);
    write_escaped(out, text, strlen(text));
    putc('"', out);
}

static void write_member(FILE *out, const char *key, const char *text)
{
    fprintf(out, "\"%s\": ", key);
    write_string(out, text);
}

/* Words of a text, one by one; the copy holds them. */
struct json_words {
    char copy[TEXT], *rest;
};

static struct json_words *begin_words(struct json_words *words, const char *text)
{
    snprintf(words->copy, sizeof words->copy, "%s", text ? text : "");
    words->rest = words->copy;
    return words;
}

static const char *next_word(struct json_words *words)
{
    return strtok_r(words->rest, " ", &words->rest);
}

/* An array of strings. */
static void write_words(FILE *out, const char *key, const char *text)
{
    struct json_words words;
    const char *word, *between = "";
    fprintf(out, "\"%s\": [", key);
    for (begin_words(&words, text); (word = next_word(&words)); between = ", ") {
        fputs(between, out);
        write_string(out, word);
    }
    putc(']', out);
}

/* Octets, a blank after each word of four. */
static void write_hex(FILE *out, const struct composed *event)
{
    putc('"', out);
    for (size_t i = 0; i < event->length; i++)
        fprintf(out, "%s%02x", i > 0 && i % 4 == 0 ? " " : "", event->octets[i]);
    putc('"', out);
}

/* The document of the group at work: tables leave its name away. */
static const char *own_document;

/* A rule's id. */
static void write_rule(FILE *out, const char *name, size_t length)
{
    bool is_whole = strncmp(name, "rfc", 3) == 0 || strncmp(name, "rpcrdma2", 8) == 0;
    fprintf(out, "\"%s%s", is_whole ? "" : own_document, is_whole ? "" : "/");
    write_escaped(out, name, length);
    putc('"', out);
}

/* ---- what is expected ---- */

static const char *verdict_name(char letter)
{
    return letter == 'V' ? "violation" : letter == 'W' ? "warning" : letter == 'N' ? "note" : NULL;
}

static bool is_finding(const char *word)
{
    return word[0] != '\0' && word[1] == ':';
}

static void write_finding(FILE *out, const char *word, const char *id)
{
    const char *at = strchr(word, '@');
    const char *judgement = verdict_name(word[0]);
    if (judgement == NULL)
        bad_row(id, "no judgement", word);
    fputs("{\"rule\": ", out);
    write_rule(out, word + 2, at ? (size_t)(at - word) - 2 : strlen(word + 2));
    fprintf(out, ", \"severity\": \"%s\"", judgement);
    if (at) {
        at++;
        fprintf(out, ", \"offset\": %" PRIu32, read_word(id, &at, '\0'));
    }
    putc('}', out);
}

static void write_findings(FILE *out, const char *expected, const char *id)
{
    struct json_words words;
    const char *word, *between = "\n              ";
    fputs("\"findings\": [", out);
    for (begin_words(&words, expected); (word = next_word(&words));) {
        if (!is_finding(word))
            continue;
        fputs(between, out);
        write_finding(out, word, id);
        between = ",\n              ";
    }
    putc(']', out);
}

static void write_header_length(FILE *out, const char *expected, const struct composed *event,
                                const char *id)
{
    const char *said = expected ? strstr(expected, "length:") : NULL;
    if (said == NULL)
        fprintf(out, ",\n            \"headerLength\": %zu", event->header_length);
    else if (*(said += strlen("length:")) != '-')
        fprintf(out, ",\n            \"headerLength\": %" PRIu32, read_word(id, &said, ' '));
}

static void write_reactions(FILE *out, const char *expected, const char *open, const char *id)
{
    static const char *const names[] = {REGISTER_REACTION_LIST};
    struct json_words words;
    const char *word, *between = "";
    fputs(",\n            \"reaction\": [", out);
    for (begin_words(&words, expected ? expected : open); (word = next_word(&words));) {
        size_t i = 0;
        if (is_finding(word) || strncmp(word, "length:", 7) == 0)
            continue;
        while (i < COUNT(names) && strcmp(word, names[i]) != 0)
            i++;
        if (i == COUNT(names))
            bad_row(id, "no reaction", word);
        fprintf(out, "%s\"%s\"", between, word);
        between = ", ";
    }
    fputs(*between == '\0' ? "\"process\"]" : "]", out);
}

static void write_expected(FILE *out, const char *expected, const struct composed *event,
                           const char *id)
{
    if (event->kind == COMPOSED_DISCONNECT)
        return;
    fputs(",\n          \"expect\": {\n            ", out);
    write_findings(out, expected, id);
    if (event->kind == COMPOSED_SEND) {
        write_header_length(out, expected, event, id);
        write_reactions(out, expected, event->reactions, id);
    }
    fputs("\n          }", out);
}

/* ---- events ---- */

static void write_event(FILE *out, const struct vector_event *row,
                        struct conversation *conversation)
{
    static struct composed event;
    compose(&event, row->what, conversation);
    fprintf(out, "        {\n          \"from\": \"%s\",\n          \"%s\": ", event.from,
            event.key);
    if (event.kind == COMPOSED_DISCONNECT) {
        fputs("true", out);
    } else if (event.kind == COMPOSED_TRANSFER) {
        fprintf(out,
                "{\"handle\": %" PRIu32 ", \"offset\": \"0x%" PRIx64 "\", \"data\": ", event.handle,
                event.offset);
        write_hex(out, &event);
        putc('}', out);
    } else if (event.kind == COMPOSED_MEMORY) {
        fprintf(out,
                "{\"%s\": \"%s\", \"handle\": %" PRIu32 ", \"offset\": \"0x%" PRIx64
                "\", \"length\": %" PRIu32 "}",
                event.what, event.word, event.handle, event.offset, event.number);
    } else if (event.kind == COMPOSED_NUMBER) {
        fprintf(out, "%" PRIu32, event.number);
    } else {
        write_hex(out, &event);
    }
    if (event.invalidate)
        fprintf(out, ",\n          \"invalidate\": %" PRIu32, event.handle);
    write_expected(out, row->expected, &event, conversation->id);
    fputs("\n        }", out);
}

/* ---- tests ---- */

static void write_near_miss(FILE *out, const char *text)
{
    struct json_words words;
    const char *word, *between = "";
    fputs("      \"nearMiss\": [", out);
    for (begin_words(&words, text); (word = next_word(&words)); between = ", ") {
        fputs(between, out);
        write_rule(out, word, strlen(word));
    }
    fputs("],\n", out);
}

/* "told:SIDE:NAME:VALUE" for each property. */
static void write_told(FILE *out, const struct vector *vector)
{
    static const char *const sides[] = {"client", "server"};
    struct json_words words;
    const char *word;
    fputs("\"told\": {", out);
    for (unsigned i = 0; i < 2; i++) {
        const char *between = "";
        fprintf(out, "%s\"%s\": {", i > 0 ? ", " : "", sides[i]);
        for (begin_words(&words, vector->settings); (word = next_word(&words));) {
            char side[8], name[16];
            const char *value;
            int length = 0;
            if (!has_name(word, "told", &value))
                continue;
            if (sscanf(value, "%7[a-z]:%15[a-z]:%n", side, name, &length) != 2 || length == 0 ||
                (strcmp(side, sides[0]) != 0 && strcmp(side, sides[1]) != 0))
                bad_row(vector->id, "no property", word);
            if (strcmp(side, sides[i]) != 0)
                continue;
            value += length;
            fprintf(out, "%s\"%s\": %" PRIu32, between, name, read_word(vector->id, &value, '\0'));
            between = ", ";
        }
        putc('}', out);
    }
    putc('}', out);
}

struct counts {
    uint32_t sent, limit;
};

/* "counts:SENT:LIMIT:SENT:LIMIT", of the client and of the server. */
static bool read_counts(const char *id, const char *word, struct counts counts[2])
{
    if (!has_name(word, "counts", &word))
        return false;
    for (unsigned i = 0; i < 2; i++) {
        counts[i].sent = read_word(id, &word, ':');
        counts[i].limit = read_word(id, &word, i == 0 ? ':' : '\0');
    }
    return true;
}

static void begin_counts(struct conversation *conversation, const char *settings)
{
    struct json_words words;
    struct counts counts[2];
    const char *word;
    for (begin_words(&words, settings); (word = next_word(&words));)
        if (read_counts(conversation->id, word, counts))
            for (unsigned i = 0; i < 2; i++)
                conversation->sends[i] = counts[i].sent;
}

static bool write_setting(FILE *out, const char *id, const char *word)
{
    static const struct {
        const char *word, *key;
    } numbers[] = {{"c2s", "clientToServerInline"},
                   {"s2c", "serverToClientInline"},
                   {"pull", "maxReadChunk"},
                   {"continued", "continued"}};
    static const struct {
        const char *word, *json;
    } plain[] = {{"nfs", "\"ulb\": \"nfs\""},
                 {"reverse", "\"reverseDirection\": true"},
                 {"mid", "\"midStream\": true"},
                 {"captured", "\"captured\": true"},
                 {"operations", "\"operations\": true"},
                 {"registrations", "\"registrations\": \"client\""},
                 {"registrations:both", "\"registrations\": \"both\""},
                 {"credits:halves", "\"credits\": \"halves\""},
                 {"credits:off", "\"credits\": \"off\""}};
    const char *number;
    struct counts counts[2];
    for (size_t i = 0; i < COUNT(numbers); i++)
        if (has_name(word, numbers[i].word, &number))
            return fprintf(out, "\"%s\": %" PRIu32, numbers[i].key, read_word(id, &number, '\0')) >
                   0;
    for (size_t i = 0; i < COUNT(plain); i++)
        if (strcmp(word, plain[i].word) == 0)
            return fputs(plain[i].json, out) >= 0;
    return read_counts(id, word, counts) &&
           fprintf(out,
                   "\"counts\": {\"client\": {\"sent\": %" PRIu32 ", \"limit\": %" PRIu32
                   "}, \"server\": {\"sent\": %" PRIu32 ", \"limit\": %" PRIu32 "}}",
                   counts[0].sent, counts[0].limit, counts[1].sent, counts[1].limit) > 0;
}

static void write_settings(FILE *out, const struct vector *vector)
{
    struct json_words words;
    const char *word, *between = "";
    bool told = false;
    fputs("      \"settings\": {", out);
    for (begin_words(&words, vector->settings); (word = next_word(&words));) {
        bool tells = strncmp(word, "told:", 5) == 0;
        if (tells && told)
            continue;
        fputs(between, out);
        between = ", ";
        told = told || tells;
        if (tells)
            write_told(out, vector);
        else if (!write_setting(out, vector->id, word))
            bad_row(vector->id, "no setting", word);
    }
    fputs("},\n", out);
}

static void write_vector(FILE *out, const struct vector *vector)
{
    fputs("    {\n      ", out);
    write_member(out, "id", vector->id);
    fputs(",\n      ", out);
    write_member(out, "comment", vector->comment);
    fputs(",\n", out);
    if (vector->flags) {
        fputs("      ", out);
        write_words(out, "flags", vector->flags);
        fputs(",\n", out);
    }
    if (vector->near_miss)
        write_near_miss(out, vector->near_miss);
    if (vector->settings)
        write_settings(out, vector);
    fputs("      \"events\": [\n", out);
    struct conversation conversation = {.id = vector->id};
    begin_counts(&conversation, vector->settings);
    for (size_t i = 0; i < VECTOR_EVENTS && vector->events[i].what; i++) {
        fputs(i > 0 ? ",\n" : "", out);
        write_event(out, &vector->events[i], &conversation);
    }
    fputs("\n      ]\n    }", out);
}

/* ---- notes ---- */

static bool has_word(const char *text, const char *wanted)
{
    struct json_words words;
    const char *word;
    for (begin_words(&words, text); (word = next_word(&words));)
        if (strcmp(word, wanted) == 0)
            return true;
    return false;
}

static bool is_used(const struct vector_group *group, const char *flag)
{
    for (size_t i = 0; i < group->count; i++)
        if (has_word(group->vectors[i].flags, flag))
            return true;
    return false;
}

static void write_note(FILE *out, const struct note *note, const char **between)
{
    fprintf(out, "%s    ", *between);
    write_string(out, note->flag);
    fputs(": {\n      ", out);
    write_member(out, "kind", note->kind);
    fputs(",\n      ", out);
    write_member(out, "description", note->description);
    if (note->links) {
        fputs(",\n      ", out);
        write_words(out, "links", note->links);
    }
    fputs("\n    }", out);
    *between = ",\n";
}

static void write_notes(FILE *out, const struct vector_group *group)
{
    const char *between = "";
    fputs("  \"notes\": {\n", out);
    for (const struct note *note = shared_notes; note->flag; note++)
        if (is_used(group, note->flag))
            write_note(out, note, &between);
    for (size_t i = 0; i < group->note_count; i++)
        write_note(out, &group->notes[i], &between);
    fputs("\n  },\n", out);
}

/* ---- the file ---- */

void write_group(FILE *out, const struct vector_group *group)
{
    const char *protocol = group->protocol ? group->protocol : VECTOR_VERSION_1;
    own_document = group->protocol ? group->protocol : "rfc8166";
    fprintf(out, "{\n  \"schema\": \"" VECTOR_SCHEMA "\",\n  \"protocol\": \"%s\",\n  ", protocol);
    write_member(out, "title", group->title);
    fputs(",\n  \"source\": {", out);
    write_member(out, "origin", group->origin);
    fputs(", ", out);
    write_member(out, "reference", group->reference);
    fputs("},\n", out);
    write_notes(out, group);
    fputs("  \"tests\": [\n", out);
    for (size_t i = 0; i < group->count; i++) {
        fputs(i > 0 ? ",\n" : "", out);
        write_vector(out, &group->vectors[i]);
    }
    fputs("\n  ]\n}\n", out);
}
