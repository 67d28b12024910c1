// SPDX-License-Identifier: BSD-3-Clause
/*
 * Vector files: JSON after the schema rpcrdma-vectors-v1. Each test is one connection; what a test
 * expects does not concern this reader.
 *
 * A file is data from strangers: its size, its depth (jansson's own limit) and the memory that it
 * takes once parsed are bounded, and whatever is wrong is named with the test and the event.
 */
#include "conformance/input/reader/json_input.h"
#include "conformance/base/stop.h"
#include "conformance/input/source.h"
#include "conformance/input/vector_words.h"
#include "conformance/base/count.h"

#include <rpcrdma/binding.h>

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct vector_reader {
    struct source_reader *source;

    size_t test; /* the one at work: its index, and its id once that is known */
    const char *id;
    size_t event; /* SIZE_MAX outside events */

    uint8_t *octets; /* of the event at work */
    size_t room;
    enum rpcrdma_protocol draft; /* of the file */
    struct rpcrdma_check_config config;
};

/* ---- Errors ---- */

static bool fail(struct vector_reader *reader, const char *format, ...)
{
    char where[160] = "";
    int length = 0;
    if (reader->id)
        length = snprintf(where, sizeof where, "test %.80s: ", reader->id);
    else if (reader->test != SIZE_MAX)
        length = snprintf(where, sizeof where, "tests[%zu]: ", reader->test);
    if (reader->event != SIZE_MAX)
        snprintf(where + length, sizeof where - (size_t)length, "event %zu: ", reader->event);
    char what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    source_fail(reader->source, "%s%s", where, what);
    /* It may quote the file: an error is one line. */
    for (char *p = reader->source->error; reader->source->error_size > 0 && *p != '\0'; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            *p = '?';
    return false;
}

/* ---- JSON, member by member ---- */

static bool is_known(const char *key, const char *const *known)
{
    for (; *known; known++)
        if (strcmp(key, *known) == 0)
            return true;
    return false;
}

/* Every member of `object` is one of the NULL-terminated list `known`. */
static bool only(struct vector_reader *reader, const char *what, json_t *object,
                 const char *const *known)
{
    if (!json_is_object(object))
        return fail(reader, "%s is not an object", what);
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        if (!is_known(key, known))
            return fail(reader, "%s has an unknown member \"%.40s\"", what, key);
    }
    return true;
}

/* A whole number in [low, high], or an error; true and *number untouched where it is absent. */
static bool number_member(struct vector_reader *reader, json_t *object, const char *key,
                          uint32_t low, uint32_t high, uint32_t *number)
{
    json_t *value = json_object_get(object, key);
    if (value == NULL)
        return true;
    json_int_t n = json_integer_value(value);
    if (!json_is_integer(value) || n < low || n > high)
        return fail(reader, "\"%s\" is not an integer from %" PRIu32 " to %" PRIu32, key, low,
                    high);
    *number = (uint32_t)n;
    return true;
}

static bool bool_member(struct vector_reader *reader, json_t *object, const char *key, bool *truth)
{
    json_t *value = json_object_get(object, key);
    if (value == NULL)
        return true;
    if (!json_is_boolean(value))
        return fail(reader, "\"%s\" is neither true nor false", key);
    *truth = json_is_true(value);
    return true;
}

/* One of the words up to a NULL; *choice tells which. Untouched where it is absent. */
static bool choice_member(struct vector_reader *reader, json_t *object, const char *key,
                          const char *const *words, unsigned *choice)
{
    json_t *value = json_object_get(object, key);
    if (value == NULL)
        return true;
    const char *word = json_string_value(value);
    char all[64] = "";
    for (unsigned i = 0; words[i]; i++) {
        if (word && strcmp(word, words[i]) == 0) {
            *choice = i;
            return true;
        }
        size_t length = strlen(all);
        snprintf(all + length, sizeof all - length, "%s\"%s\"", i ? ", " : "", words[i]);
    }
    return fail(reader, "\"%s\" is none of %s", key, all);
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Pairs of lower-case digits, each pair followed by at most one blank or newline. */
static bool hex_member(struct vector_reader *reader, json_t *object, const char *key,
                       size_t *length)
{
    json_t *value = json_object_get(object, key);
    const char *text = json_string_value(value);
    if (text == NULL)
        return fail(reader, "\"%s\" is not a string", key);
    size_t size = json_string_length(value), count = 0;
    if (size / 2 + 1 > reader->room) {
        uint8_t *octets = realloc(reader->octets, size / 2 + 1);
        if (octets == NULL)
            return fail(reader, "not enough memory");
        reader->octets = octets;
        reader->room = size / 2 + 1;
    }
    for (size_t i = 0; i < size;) {
        int high = hex_digit(text[i]), low = high < 0 ? -1 : hex_digit(text[i + 1]);
        if (low < 0)
            return fail(reader, "\"%s\" has no pair of lower-case hexadecimal digits at %zu", key,
                        i);
        reader->octets[count++] = (uint8_t)(high << 4 | low);
        i += 2;
        if (text[i] == ' ' || text[i] == '\n')
            i++;
    }
    *length = count;
    return true;
}

/* ---- Settings ---- */

static bool read_credits(struct vector_reader *reader, json_t *settings)
{
    static const char *const words[] = {"sum", "halves", "off", NULL};
    unsigned choice = reader->config.credits;
    bool good = choice_member(reader, settings, "credits", words, &choice);
    reader->config.credits = (enum rpcrdma_credits)choice;
    return good;
}

static const char *const side_names[] = {[RPCRDMA_CLIENT] = "client", [RPCRDMA_SERVER] = "server"};

static bool read_told_by(struct vector_reader *reader, json_t *told, enum rpcrdma_endpoint side)
{
    static const char *const known[] = {VECTOR_PROPERTIES, NULL};
    struct rpcrdma_check_config *config = &reader->config;
    json_t *properties = json_object_get(told, side_names[side]);
    if (properties == NULL)
        return true;
    if (!only(reader, "the set of properties", properties, known))
        return false;
    for (unsigned i = 0; i < RPCRDMA_LIMITING_PROPERTIES; i++) {
        if (json_object_get(properties, known[i]))
            config->properties_told[side] |= (uint8_t)(1 << i);
        if (!number_member(reader, properties, known[i], 0, UINT32_MAX, &config->property[side][i]))
            return false;
    }
    return true;
}

static bool read_told(struct vector_reader *reader, json_t *settings)
{
    static const char *const known[] = {"client", "server", NULL};
    json_t *told = json_object_get(settings, "told");
    return told == NULL ||
           (only(reader, "\"told\"", told, known) && read_told_by(reader, told, RPCRDMA_CLIENT) &&
            read_told_by(reader, told, RPCRDMA_SERVER));
}

static bool read_count_of(struct vector_reader *reader, json_t *counts, enum rpcrdma_endpoint side)
{
    static const char *const known[] = {"sent", "limit", NULL};
    json_t *count = json_object_get(counts, side_names[side]);
    for (unsigned i = 0; json_is_object(count) && known[i]; i++)
        if (json_object_get(count, known[i]) == NULL)
            return fail(reader, "the count has no \"%s\"", known[i]);
    return only(reader, "the count", count, known) &&
           number_member(reader, count, "sent", 0, UINT32_MAX, &reader->config.sent[side]) &&
           number_member(reader, count, "limit", 0, UINT32_MAX, &reader->config.limit[side]);
}

static bool read_counts(struct vector_reader *reader, json_t *settings)
{
    static const char *const known[] = {"client", "server", NULL};
    json_t *counts = json_object_get(settings, "counts");
    reader->config.counts_known = counts != NULL;
    return counts == NULL || (only(reader, "\"counts\"", counts, known) &&
                              read_count_of(reader, counts, RPCRDMA_CLIENT) &&
                              read_count_of(reader, counts, RPCRDMA_SERVER));
}

/* Whose registrations are events. */
static bool read_registrations(struct vector_reader *reader, json_t *settings)
{
    static const char *const words[] = {VECTOR_SIDES, NULL};
    unsigned choice = UINT_MAX; /* none */
    bool good = choice_member(reader, settings, "registrations", words, &choice);
    for (unsigned side = 0; side < 2; side++)
        reader->config.registrations_seen[side] = (choice + 1) >> side & 1;
    return good;
}

static bool read_version2(struct vector_reader *reader, json_t *settings)
{
    return read_credits(reader, settings) &&
           number_member(reader, settings, "continued", 1, UINT32_MAX,
                         &reader->config.continued_octets) &&
           read_told(reader, settings) && read_counts(reader, settings);
}

static bool read_settings(struct vector_reader *reader, json_t *settings)
{
    static const char *const known[] = {"clientToServerInline",
                                        "serverToClientInline",
                                        "ulb",
                                        "reverseDirection",
                                        "maxReadChunk",
                                        "midStream",
                                        "captured",
                                        "operations",
                                        "registrations",
                                        "credits",
                                        "continued",
                                        "told",
                                        "counts",
                                        NULL};
    reader->config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    reader->config.draft = reader->draft;
    if (settings == NULL)
        return true;
    static const char *const bindings[] = {"none", "nfs", NULL};
    unsigned nfs = 0;
    bool good =
        only(reader, "\"settings\"", settings, known) &&
        number_member(reader, settings, "clientToServerInline", 1024, UINT32_MAX,
                      &reader->config.inline_threshold[RPCRDMA_CLIENT]) &&
        number_member(reader, settings, "serverToClientInline", 1024, UINT32_MAX,
                      &reader->config.inline_threshold[RPCRDMA_SERVER]) &&
        number_member(reader, settings, "maxReadChunk", 1, UINT32_MAX,
                      &reader->config.max_read_chunk) &&
        choice_member(reader, settings, "ulb", bindings, &nfs) &&
        bool_member(reader, settings, "reverseDirection", &reader->config.reverse_direction) &&
        bool_member(reader, settings, "midStream", &reader->config.mid_stream) &&
        bool_member(reader, settings, "captured", &reader->config.seen_between) &&
        bool_member(reader, settings, "operations", &reader->config.operations_seen) &&
        read_registrations(reader, settings) && read_version2(reader, settings);
    if (nfs)
        reader->config.bindings = rpcrdma_bindings;
    return good;
}

/* ---- Events ---- */

static bool read_offset(struct vector_reader *reader, json_t *transfer, uint64_t *offset)
{
    const char *text = json_string_value(json_object_get(transfer, "offset"));
    size_t digits = text && strncmp(text, "0x", 2) == 0 ? strlen(text + 2) : 0;
    if (digits < 1 || digits > 16 || strspn(text + 2, "0123456789abcdef") != digits)
        return fail(reader, "\"offset\" is not \"0x\" with 1 to 16 lower-case digits");
    *offset = strtoull(text + 2, NULL, 16);
    return true;
}

static bool read_transfer(struct vector_reader *reader, const char *key, json_t *transfer,
                          struct rpcrdma_event *event)
{
    static const char *const known[] = {"handle", "offset", "data", NULL};
    char what[16];
    snprintf(what, sizeof what, "\"%s\"", key);
    if (!only(reader, what, transfer, known))
        return false;
    if (json_object_get(transfer, "handle") == NULL)
        return fail(reader, "%s has no \"handle\"", what);
    return number_member(reader, transfer, "handle", 0, UINT32_MAX, &event->handle) &&
           read_offset(reader, transfer, &event->offset) &&
           hex_member(reader, transfer, "data", &event->length);
}

/* Memory that no octets go to or from; one of the words beside it tells what of it. */
static bool read_memory(struct vector_reader *reader, const char *kind, json_t *memory,
                        const char *what, const char *const *words, unsigned *choice,
                        struct rpcrdma_event *event)
{
    const char *const known[] = {what, "handle", "offset", "length", NULL};
    char name[16];
    uint32_t length = 0;
    snprintf(name, sizeof name, "\"%s\"", kind);
    if (!only(reader, name, memory, known))
        return false;
    for (unsigned i = 0; known[i]; i++)
        if (json_object_get(memory, known[i]) == NULL)
            return fail(reader, "%s has no \"%s\"", name, known[i]);
    bool good = choice_member(reader, memory, what, words, choice) &&
                number_member(reader, memory, "handle", 0, UINT32_MAX, &event->handle) &&
                read_offset(reader, memory, &event->offset) &&
                number_member(reader, memory, "length", 1, UINT32_MAX, &length);
    event->length = length;
    return good;
}

/* What was asked for, and not done. */
static bool read_refused(struct vector_reader *reader, const char *kind, json_t *refused,
                         struct rpcrdma_event *event)
{
    static const char *const words[] = {"write", "read", NULL};
    unsigned operation = 0;
    bool good = read_memory(reader, kind, refused, "operation", words, &operation, event);
    event->is_read = operation == 1;
    return good;
}

static bool read_registered(struct vector_reader *reader, const char *kind, json_t *registered,
                            struct rpcrdma_event *event)
{
    static const char *const words[] = {VECTOR_ACCESS, NULL};
    unsigned access = 0;
    bool good = read_memory(reader, kind, registered, "access", words, &access, event);
    event->access = access + 1;
    return good;
}

/* The Sends of the other side that were received before the one that was not. */
static bool read_not_ready(struct vector_reader *reader, const char *kind, json_t *object,
                           struct rpcrdma_event *event)
{
    uint32_t received = 0;
    bool good = number_member(reader, object, kind, 0, UINT32_MAX, &received);
    event->received = received;
    return good;
}

/* The one of them that tells what the event is. */
static bool event_kind(struct vector_reader *reader, json_t *object, const char **kind,
                       enum rpcrdma_event_type *type)
{
#define KIND(type_, key_) {key_, type_},
    static const struct {
        const char *key;
        enum rpcrdma_event_type type;
    } kinds[] = {VECTOR_EVENT_KINDS(KIND)};
#undef KIND
    unsigned count = 0;
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (json_object_get(object, kinds[i].key)) {
            *kind = kinds[i].key;
            *type = kinds[i].type;
            count++;
        }
    return count == 1 ||
           fail(reader,
                "has %s of send, privateData, rdmaRead, rdmaWrite, disconnect, atomic, notReady, "
                "refused, gap, registered, invalidated, completed",
                count == 0 ? "none" : "more than one");
}

static bool read_event(struct vector_reader *reader, json_t *object, struct rpcrdma_event *event)
{
    static const char *const known[] = {"from", "invalidate", "expect",
                                        VECTOR_EVENT_KINDS(VECTOR_EVENT_KEY) NULL};
    static const char *const sides[] = {"client", "server", NULL};
    const char *kind = "";
    unsigned from = 0;
    *event = (struct rpcrdma_event){0};
    if (!only(reader, "the event", object, known) ||
        !choice_member(reader, object, "from", sides, &from))
        return false;
    if (json_object_get(object, "from") == NULL)
        return fail(reader, "has no \"from\"");
    if (!event_kind(reader, object, &kind, &event->type))
        return false;
    event->from = from == 1 ? RPCRDMA_SERVER : RPCRDMA_CLIENT;
    json_t *value = json_object_get(object, kind);
    bool good = true;
    switch (event->type) {
    case RPCRDMA_EVENT_RDMA_READ:
    case RPCRDMA_EVENT_RDMA_WRITE:
    case RPCRDMA_EVENT_ATOMIC:
        good = read_transfer(reader, kind, value, event);
        break;
    case RPCRDMA_EVENT_REFUSED:
        good = read_refused(reader, kind, value, event);
        break;
    case RPCRDMA_EVENT_NOT_READY:
        good = read_not_ready(reader, kind, object, event);
        break;
    case RPCRDMA_EVENT_REGISTERED:
        good = read_registered(reader, kind, value, event);
        break;
    case RPCRDMA_EVENT_INVALIDATED:
        good = number_member(reader, object, kind, 0, UINT32_MAX, &event->handle);
        break;
    case RPCRDMA_EVENT_COMPLETED:
        good = number_member(reader, object, kind, 0, UINT32_MAX, &event->xid);
        break;
    case RPCRDMA_EVENT_GAP:
        good = json_is_string(value) || fail(reader, "\"gap\" is not a text");
        break;
    case RPCRDMA_EVENT_DISCONNECT:
        good = json_is_true(value) || fail(reader, "\"disconnect\" is not true");
        break;
    case RPCRDMA_EVENT_SEND:
    case RPCRDMA_EVENT_PRIVATE_DATA:
        good = hex_member(reader, object, kind, &event->length);
        break;
    }
    event->invalidate = json_object_get(object, "invalidate") != NULL;
    if (good && event->invalidate && event->type != RPCRDMA_EVENT_SEND)
        return fail(reader, "\"invalidate\" without \"send\"");
    if (good && event->invalidate)
        good = number_member(reader, object, "invalidate", 0, UINT32_MAX, &event->handle);
    /* A Send of no octets is known to have none: data is not NULL. */
    bool moves = event->type <= RPCRDMA_EVENT_PRIVATE_DATA || event->type == RPCRDMA_EVENT_ATOMIC;
    event->data = moves ? reader->octets : NULL;
    return good;
}

/* ---- Tests ---- */

static bool is_id(const char *text)
{
    for (const char *p = text; *p != '\0'; p++) {
        bool plain = (*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9');
        bool hyphen = *p == '-' && p > text && p[-1] != '-' && p[1] != '\0';
        if (!plain && !hyphen)
            return false;
    }
    return *text != '\0';
}

/* Returns false after an error; *more becomes false where the sink wants no more. */
static bool read_events(struct vector_reader *reader, json_t *events, bool *more)
{
    size_t index;
    json_t *object;
    json_array_foreach(events, index, object)
    {
        struct source_event event = {
            .file = reader->source->file,
            .test = reader->id,
            .connection = reader->id,
            .connection_id = reader->test,
            .index = index,
            .config = &reader->config,
        };
        reader->event = index;
        if (!read_event(reader, object, &event.event))
            return false;
        event.event.draft = reader->config.draft;
        reader->source->counts->events++;
        *more = reader->source->sink->event(reader->source->sink->arg, &event);
        if (!*more)
            break;
    }
    reader->event = SIZE_MAX;
    return true;
}

static bool read_test(struct vector_reader *reader, json_t *test, json_t *seen, bool *more)
{
    static const char *const known[] = {"id",       "comment", "flags", "nearMiss",
                                        "settings", "events",  NULL};
    const char *id = json_string_value(json_object_get(test, "id"));
    if (id == NULL || !is_id(id))
        return fail(reader, "has no \"id\" of lower-case words and hyphens");
    reader->id = id;
    if (!only(reader, "the test", test, known))
        return false;
    if (json_object_get(seen, id))
        return fail(reader, "a second test of this id");
    if (json_object_set_new(seen, id, json_true()) != 0)
        return fail(reader, "not enough memory");
    if (!json_is_string(json_object_get(test, "comment")))
        return fail(reader, "has no \"comment\"");
    json_t *events = json_object_get(test, "events");
    if (json_array_size(events) == 0)
        return fail(reader, "has no \"events\"");
    if (!read_settings(reader, json_object_get(test, "settings")))
        return false;
    reader->source->counts->connections++;
    bool good = read_events(reader, events, more);
    if (reader->source->sink->closed)
        reader->source->sink->closed(reader->source->sink->arg, reader->test);
    reader->id = NULL;
    return good;
}

/* The Sends themselves tell their version; version 2 is that of a draft. */
static bool read_protocol(struct vector_reader *reader, json_t *root)
{
    static const struct {
        const char *word;
        enum rpcrdma_protocol draft;
    } protocols[] = {{VECTOR_VERSION_1, RPCRDMA_PROTOCOL_AUTO},
                     {VECTOR_VERSION_2_04, RPCRDMA_PROTOCOL_2_04},
                     {VECTOR_VERSION_2_07, RPCRDMA_PROTOCOL_2_07}};
    const char *word = json_string_value(json_object_get(root, "protocol"));
    if (json_object_get(root, "protocol") == NULL)
        return fail(reader, "has no \"protocol\"");
    for (unsigned i = 0; word && i < COUNT(protocols); i++)
        if (strcmp(word, protocols[i].word) == 0) {
            reader->draft = protocols[i].draft;
            return true;
        }
    return fail(reader, "\"protocol\" is not \"" VECTOR_VERSION_1 "\", \"" VECTOR_VERSION_2_04
                        "\" or \"" VECTOR_VERSION_2_07 "\"");
}

static bool read_tests(struct vector_reader *reader, json_t *root, json_t *seen)
{
    static const char *const known[] = {"schema", "protocol", "title", "source",
                                        "notes",  "tests",    NULL};
    const char *schema = json_string_value(json_object_get(root, "schema"));
    if (schema == NULL || strcmp(schema, VECTOR_SCHEMA) != 0)
        return fail(reader, "is not a vector file: \"schema\" is not \"" VECTOR_SCHEMA "\"");
    if (!only(reader, "the file", root, known) || !read_protocol(reader, root))
        return false;
    json_t *tests = json_object_get(root, "tests"), *test;
    if (json_array_size(tests) == 0)
        return fail(reader, "has no \"tests\"");
    size_t index;
    bool more = true;
    json_array_foreach(tests, index, test)
    {
        reader->test = index;
        if (!read_test(reader, test, seen, &more))
            return false;
        if (!more || source_stopped())
            break;
    }
    return true;
}

bool source_read_vectors(struct source_reader *source)
{
    struct vector_reader reader = {.source = source, .test = SIZE_MAX, .event = SIZE_MAX};
    size_t memory = JSON_INPUT_MEMORY;
    char error[256];
    json_t *root = json_input(source->stream, &memory, error, sizeof error);
    json_t *seen = json_object();
    bool good = root == NULL   ? fail(&reader, "%s", error)
                : seen == NULL ? fail(&reader, "not enough memory")
                               : read_tests(&reader, root, seen);
    json_decref(seen);
    json_decref(root);
    free(reader.octets);
    return good;
}
