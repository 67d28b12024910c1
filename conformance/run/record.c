// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/run/record.h"

#include "conformance/base/alloc.h"
#include "conformance/base/output.h"
#include "conformance/base/status.h"
#include "conformance/describe/json.h"
#include "conformance/decode/place.h"
#include "conformance/input/vector_words.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A connection that may have further events. What is said of it is in the recorder's `said`. */
struct record_test {
    struct record_test *next; /* in its bucket */
    uint64_t connection_id;
    const char *file; /* the tests of another file are others, though their numbers be the same */
    size_t number;    /* its place in `begins` */
    uint64_t last;    /* its last piece */
    bool incomplete;
    unsigned events;
};

#define FIRST_BUCKETS 64
#define NOT_WHOLE 0 /* in `begins` */

/* ---- connections ---- */

static bool is_of(const struct record_test *test, const char *file, uint64_t connection_id)
{
    return test->connection_id == connection_id && test->file == file;
}

/* Ids count up from 0 in each file. */
static struct record_test **bucket(struct record_test **buckets, size_t size, const char *file,
                                   uint64_t connection_id)
{
    return &buckets[(connection_id + ((uintptr_t)file >> 4) * 0x9e3779b1u) & (size - 1)];
}

static void grow(struct recorder *recorder)
{
    size_t size = recorder->bucket_count > 0 ? recorder->bucket_count * 2 : FIRST_BUCKETS;
    struct record_test **buckets = alloc_zeroed(size, sizeof(struct record_test *));
    for (size_t i = 0; i < recorder->bucket_count; i++)
        while (recorder->open[i]) {
            struct record_test *moved = recorder->open[i];
            struct record_test **place = bucket(buckets, size, moved->file, moved->connection_id);
            recorder->open[i] = moved->next;
            moved->next = *place;
            *place = moved;
        }
    free(recorder->open);
    recorder->open = buckets;
    recorder->bucket_count = size;
}

/* Where it is, or would be. */
static struct record_test **find(const struct recorder *recorder, const char *file,
                                 uint64_t connection_id)
{
    struct record_test **place =
        bucket(recorder->open, recorder->bucket_count, file, connection_id);
    while (*place && !is_of(*place, file, connection_id))
        place = &(*place)->next;
    return place;
}

static struct record_test *begin_test(struct recorder *recorder, const char *file,
                                      uint64_t connection_id)
{
    if (recorder->open_count >= recorder->bucket_count)
        grow(recorder);
    recorder->begins =
        alloc_room(recorder->begins, recorder->count, &recorder->room, sizeof *recorder->begins);
    struct record_test *made = alloc_zeroed(1, sizeof *made);
    made->connection_id = connection_id;
    made->file = file;
    made->number = recorder->count++;
    recorder->begins[made->number] = NOT_WHOLE;
    struct record_test **place =
        bucket(recorder->open, recorder->bucket_count, file, connection_id);
    made->next = *place;
    *place = made;
    recorder->open_count++;
    return made;
}

static struct record_test *get(struct recorder *recorder, const char *file, uint64_t connection_id)
{
    if (recorder->recent == NULL || !is_of(recorder->recent, file, connection_id)) {
        recorder->recent = recorder->open_count > 0 ? *find(recorder, file, connection_id) : NULL;
        if (recorder->recent == NULL)
            recorder->recent = begin_test(recorder, file, connection_id);
    }
    return recorder->recent;
}

void record_closed(struct recorder *recorder, const char *file, uint64_t connection_id)
{
    struct record_test **place =
        recorder->open_count > 0 ? find(recorder, file, connection_id) : NULL;
    if (place == NULL || *place == NULL)
        return;
    struct record_test *closed = *place;
    *place = closed->next;
    recorder->open_count--;
    recorder->recent = NULL;
    free(closed);
}

/* ---- events ---- */

/* Octets that were moved and not seen: a capture has none of an atomic operation. Those of a
 * refused operation never moved, nor do those that are registered. */
static bool is_unseen(const struct rpcrdma_event *event)
{
    return event->missing > 0 ||
           (event->data == NULL && event->length > 0 && event->type != RPCRDMA_EVENT_REFUSED &&
            event->type != RPCRDMA_EVENT_REGISTERED);
}

/* A vector has no word for what is registered and cannot be used, nor for 4 GiB of it. */
static bool is_unsaid(const struct rpcrdma_event *event)
{
    return event->type == RPCRDMA_EVENT_REGISTERED &&
           (event->length == 0 || event->length > UINT32_MAX || event->access == 0);
}

/* Memory that no octets go to or from, and what of it. */
static void write_memory(struct json *json, const char *key, const struct rpcrdma_event *event,
                         const char *what, const char *word)
{
    char offset[24];
    snprintf(offset, sizeof offset, "0x%" PRIx64, event->offset);
    json_open(json, key, '{');
    json_text(json, what, word);
    json_unsigned(json, "handle", event->handle);
    json_text(json, "offset", offset);
    json_unsigned(json, "length", event->length);
    json_close(json, '}');
}

static void write_what(struct json *json, const struct rpcrdma_event *event, const char *gap)
{
    char offset[24];
    const char *key = vector_event_key(event->type);
    switch (event->type) {
    case RPCRDMA_EVENT_SEND:
        json_hex(json, key, event->data, event->length);
        if (event->invalidate)
            json_unsigned(json, "invalidate", event->handle);
        break;
    case RPCRDMA_EVENT_PRIVATE_DATA:
        json_hex(json, key, event->data, event->length);
        break;
    case RPCRDMA_EVENT_DISCONNECT:
        json_truth(json, key, true);
        break;
    case RPCRDMA_EVENT_NOT_READY:
        json_unsigned(json, key, event->received);
        break;
    case RPCRDMA_EVENT_REFUSED:
        write_memory(json, key, event, "operation", event->is_read ? "read" : "write");
        break;
    case RPCRDMA_EVENT_RDMA_READ:
    case RPCRDMA_EVENT_RDMA_WRITE:
    case RPCRDMA_EVENT_ATOMIC:
        json_open(json, key, '{');
        json_unsigned(json, "handle", event->handle);
        snprintf(offset, sizeof offset, "0x%" PRIx64, event->offset);
        json_text(json, "offset", offset);
        json_hex(json, "data", event->data, event->length);
        json_close(json, '}');
        break;
    case RPCRDMA_EVENT_REGISTERED:
        write_memory(json, key, event, "access", access_name(event->access));
        break;
    case RPCRDMA_EVENT_INVALIDATED:
        json_unsigned(json, key, event->handle);
        break;
    case RPCRDMA_EVENT_COMPLETED:
        json_unsigned(json, key, event->xid);
        break;
    case RPCRDMA_EVENT_GAP:
        json_text(json, key, gap);
        break;
    }
}

/* As of a vector, which begins and ends with what it says: nothing in it is missing. */
static enum rpcrdma_severity confirmed(const struct rpcrdma_finding *finding)
{
    int severity = rpcrdma_requirements[finding->rule].severity;
    return finding->unconfirmed ? (enum rpcrdma_severity)severity : finding->severity;
}

static void write_findings(struct json *json, const struct rpcrdma_judgement *judgement)
{
    json_open(json, "findings", '[');
    for (unsigned i = 0; i < judgement->count; i++) {
        const struct rpcrdma_finding *finding = &judgement->findings[i];
        json_open(json, NULL, '{');
        json_text(json, "rule", rpcrdma_requirements[finding->rule].id);
        json_text(json, "severity", rpcrdma_severity_name(confirmed(finding)));
        if (finding->offset != RPCRDMA_NO_OFFSET)
            json_signed(json, "offset", finding->offset);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void write_expected(struct json *json, const struct rpcrdma_event *event,
                           const struct rpcrdma_judgement *judgement)
{
    json_open(json, "expect", '{');
    write_findings(json, judgement);
    if (event->type == RPCRDMA_EVENT_SEND && judgement->header_length >= 0)
        json_signed(json, "headerLength", judgement->header_length);
    if (event->type == RPCRDMA_EVENT_SEND && judgement->reactions != 0) {
        json_open(json, "reaction", '[');
        for (unsigned i = 0; i < RPCRDMA_REACTIONS; i++)
            if (judgement->reactions >> i & 1)
                json_text(json, NULL, rpcrdma_reaction_name((enum rpcrdma_reaction)(1u << i)));
        json_close(json, ']');
    }
    json_close(json, '}');
}

static void write_settings(FILE *out, const struct rpcrdma_check_config *config)
{
    struct json json = {.out = out};
    fputs("      ", out);
    json_open(&json, "settings", '{');
    if (config->inline_threshold[RPCRDMA_CLIENT])
        json_unsigned(&json, "clientToServerInline", config->inline_threshold[RPCRDMA_CLIENT]);
    if (config->inline_threshold[RPCRDMA_SERVER])
        json_unsigned(&json, "serverToClientInline", config->inline_threshold[RPCRDMA_SERVER]);
    if (config->bindings)
        json_text(&json, "ulb", "nfs");
    if (config->max_read_chunk)
        json_unsigned(&json, "maxReadChunk", config->max_read_chunk);
    if (config->reverse_direction)
        json_truth(&json, "reverseDirection", true);
    if (config->mid_stream)
        json_truth(&json, "midStream", true);
    if (config->seen_between)
        json_truth(&json, "captured", true);
    if (config->operations_seen)
        json_truth(&json, "operations", true);
    unsigned sides = config->registrations_seen[0] | (unsigned)config->registrations_seen[1] << 1;
    if (sides > 0)
        json_text(&json, "registrations", (const char *const[]){VECTOR_SIDES}[sides - 1]);
    json_close(&json, '}');
    fputs(",\n", out);
}

/* What a test says before its events, but for its id, which counts those that are whole. */
static void write_head(FILE *out, const struct source_event *source)
{
    struct json json = {.out = out};
    json_text(&json, "comment", source->connection);
    fputs(",\n", out);
    write_settings(out, source->config);
    fputs("      \"events\": [\n", out);
}

static void write_event(FILE *out, const struct rpcrdma_event *event,
                        const struct rpcrdma_judgement *judgement, const char *gap)
{
    struct json json = {.out = out};
    fputs("        ", out);
    json_open(&json, NULL, '{');
    json_text(&json, "from", endpoint_name(event->from));
    write_what(&json, event, gap);
    if (event->type != RPCRDMA_EVENT_DISCONNECT && event->type != RPCRDMA_EVENT_GAP)
        write_expected(&json, event, judgement);
    json_close(&json, '}');
}

bool record_event(struct recorder *recorder, const struct source_event *source,
                  const struct rpcrdma_judgement *judgement)
{
    const struct rpcrdma_event *event = &source->event;
    struct record_test *test = get(recorder, source->file, source->connection_id);
    /* A vector of version 2 says its draft, and so what is offered and what is spoken. An
     * RDMA_ERROR that refuses what was offered is of any. */
    bool is_error = judgement->has_procedure && judgement->procedure == RPCRDMA1_ERROR;
    bool is_unnamed = source->config->draft == RPCRDMA_PROTOCOL_AUTO && !is_error &&
                      judgement->protocol != RPCRDMA_PROTOCOL_1 && event->from == RPCRDMA_SERVER;
    recorder->draft = source->config->draft;
    recorder->has_unnamed = recorder->has_unnamed || is_unnamed;
    bool is_gap = event->type == RPCRDMA_EVENT_GAP && recorder->gap == NULL;
    if (is_gap || is_unseen(event) || is_unsaid(event) || is_unnamed ||
        judgement->count > RPCRDMA_FINDINGS)
        test->incomplete = true;
    if (test->incomplete) {
        recorder->begins[test->number] = NOT_WHOLE;
        return true;
    }
    struct alloc_stream text;
    alloc_begin(&text);
    if (test->events++ == 0)
        write_head(text.out, source);
    else
        fputs(",\n", text.out);
    write_event(text.out, event, judgement, recorder->gap);
    char *said = alloc_end(&text);
    bool good = spill_add(&recorder->said, &test->last, said, text.length);
    free(said);
    test->incomplete = !good;
    if (!good)
        recorder->begins[test->number] = NOT_WHOLE;
    else if (test->events == 1)
        recorder->begins[test->number] = test->last;
    return good;
}

/* ---- the file ---- */

/* The id's words out of the file's name: letters and digits, everything else one hyphen. */
static void make_id(char *id, size_t size, const char *file)
{
    const char *name = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    size_t length = strlen(name), at = 0;
    if (length > 5 && strcmp(name + length - 5, ".json") == 0)
        length -= 5;
    for (size_t i = 0; i < length && at + 2 < size; i++) {
        char c = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] + 32) : name[i];
        bool good = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (good)
            id[at++] = c;
        else if (at > 0 && id[at - 1] != '-')
            id[at++] = '-';
    }
    while (at > 0 && id[at - 1] == '-')
        at--;
    id[at] = '\0';
    if (at == 0)
        snprintf(id, size, "recorded");
}

/* Returns whether all was there to be read. */
static bool write_tests(FILE *out, const struct recorder *recorder, const char *id)
{
    unsigned number = 0;
    bool good = true;
    for (size_t i = 0; good && i < recorder->count; i++) {
        if (recorder->begins[i] == NOT_WHOLE)
            continue;
        fputs(number > 0 ? ",\n" : "", out);
        fprintf(out, "    {\n      \"id\": \"%s-%u\",\n      ", id, ++number);
        good = spill_copy(&recorder->said, recorder->begins[i], out);
        fputs("\n      ]\n    }", out);
    }
    return good;
}

bool record_write(const struct recorder *recorder, const char *file, const char *reference)
{
    static const char *const protocols[] = {[RPCRDMA_PROTOCOL_AUTO] = VECTOR_VERSION_1,
                                            [RPCRDMA_PROTOCOL_2_04] = VECTOR_VERSION_2_04,
                                            [RPCRDMA_PROTOCOL_2_07] = VECTOR_VERSION_2_07};
    size_t whole = 0;
    char id[64];
    for (size_t i = 0; i < recorder->count; i++)
        whole += recorder->begins[i] != NOT_WHOLE;
    if (whole == 0)
        return file_error(file, recorder->has_unnamed
                                    ? "version 2 is recorded with --draft alone"
                                    : "no connection was seen whole: nothing is recorded"),
               false;
    struct output output;
    if (!output_begin(&output, file))
        return false;
    FILE *out = output.stream;
    struct json json = {.out = out};
    make_id(id, sizeof id, file);
    fprintf(out, "{\n  \"schema\": \"" VECTOR_SCHEMA "\",\n  \"protocol\": \"%s\",\n  ",
            protocols[recorder->draft]);
    json_text(&json, "title", "Recorded traffic");
    json = (struct json){.out = out};
    fputs(",\n  ", out);
    json_open(&json, "source", '{');
    json_text(&json, "origin", "recorded");
    json_text(&json, "reference", reference);
    json_close(&json, '}');
    fputs(",\n  \"tests\": [\n", out);
    if (!write_tests(out, recorder, id)) {
        file_error(file, strerror(errno));
        output_drop(&output);
        return false;
    }
    fputs("\n  ]\n}\n", out);
    return output_end(&output);
}

void record_free(struct recorder *recorder)
{
    for (size_t i = 0; i < recorder->bucket_count; i++)
        while (recorder->open[i]) {
            struct record_test *test = recorder->open[i];
            recorder->open[i] = test->next;
            free(test);
        }
    free(recorder->open);
    free(recorder->begins);
    spill_free(&recorder->said);
    *recorder = (struct recorder){0};
}
