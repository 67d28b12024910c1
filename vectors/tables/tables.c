// SPDX-License-Identifier: BSD-3-Clause
/*
 * vector_tables index|probe FILE...: print what the command keeps of the vectors as a C table.
 * vector_tables schema: print the schema of vector files.
 *
 *   index   which vectors break each rule, and which nearly do
 *   probe   the Sends that `probe` puts to a live Responder
 *   schema  vector.schema.json, from the table that the command checks vector files with
 *
 * A row of `probe` is what a client can send of a vector by itself (conformance/run/story.h): of
 * version 1 one Send, of the drafts of version 2 one or more. No two rows have the same octets:
 * first come the rows with a rule, then the other exchanges.
 */
#include "conformance/base/alloc.h"
#include "conformance/base/status.h"
#include "conformance/run/corpus.h"
#include "conformance/run/story.h"
#include "conformance/run/vector_schema.h"

#include <rpcrdma/rpcrdma.h>

#include <stdlib.h>
#include <string.h>

/* ---- what both print ---- */

/* The file's name, with the folder that its draft of version 2 has. */
static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *folder = slash;
    while (folder && folder > path && folder[-1] != '/')
        folder--;
    bool is_draft = folder && strncmp(folder, "v2-", 3) == 0;
    return is_draft ? folder : slash ? slash + 1 : path;
}

static void print_string(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++)
        printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    putchar('"');
}

static void each_test(const struct corpus *corpus,
                      void (*print)(const struct vector_file *, const struct vector_test *))
{
    for (size_t i = 0; i < corpus->count; i++)
        for (size_t j = 0; j < corpus->files[i].count; j++)
            print(&corpus->files[i], &corpus->files[i].tests[j]);
}

static void begin_table(const char *header, const char *declaration)
{
    printf("#include \"%s\"\n\n%s = {\n", header, declaration);
}

/* ---- index ---- */

static void print_index_row(const struct vector_file *file, const struct vector_test *test,
                            json_t *printed, const char *rule, bool near)
{
    if (rule == NULL || json_object_get(printed, rule))
        return;
    json_object_set_new(printed, rule, json_true());
    printf("    {\"%s\", \"%s\", \"%s\", %s},\n", rule, file_name(file->path), test->id,
           near ? "true" : "false");
}

/* What was recorded is an example of no rule. */
static bool is_recorded(const struct vector_file *file)
{
    return strstr(file->path, "/recorded/") != NULL;
}

static void print_index(const struct vector_file *file, const struct vector_test *test)
{
    json_t *broken = json_object(), *near = json_object(), *item;
    size_t index;
    json_t *nearly = is_recorded(file) ? NULL : json_object_get(test->json, "nearMiss");
    json_array_foreach(nearly, index, item)
        print_index_row(file, test, near, json_string_value(item), true);
    for (size_t i = 0; i < test->count && !is_recorded(file); i++)
        json_array_foreach(json_object_get(test->events[i].expect, "findings"), index, item)
            print_index_row(file, test, broken, vector_text(item, "rule"), false);
    if (json_object_size(broken) == 0 && json_object_size(near) == 0)
        print_index_row(file, test, near, "", false);
    json_decref(broken);
    json_decref(near);
}

/* ---- probe ---- */

static char *octets_of(const struct story *story)
{
    struct alloc_stream text;
    alloc_begin(&text);
    for (size_t i = 0; i < story->count; i++) {
        const struct rpcrdma_event *event = &story->sends[i]->event;
        fputs(i > 0 ? " " : "", text.out);
        for (size_t j = 0; j < event->length; j++)
            fprintf(text.out, "%02x", ((const uint8_t *)event->data)[j]);
    }
    return alloc_end(&text);
}

static bool is_new(const char *octets, enum rpcrdma_protocol protocol, bool first)
{
    static json_t *seen;
    char key[32];
    snprintf(key, sizeof key, "%d %d", protocol, first);
    seen = seen ? seen : json_object();
    json_t *alike = json_object_get(seen, key);
    if (alike == NULL)
        json_object_set_new(seen, key, alike = json_object());
    bool is_new = json_object_get(alike, octets) == NULL;
    json_object_set_new(alike, octets, json_true());
    return is_new;
}

static void print_reactions(const json_t *reactions)
{
    json_t *item;
    size_t index;
    json_array_foreach(reactions, index, item)
    {
        fputs(index > 0 ? " | RPCRDMA_" : "RPCRDMA_", stdout);
        for (const char *p = json_string_value(item); *p != '\0'; p++)
            putchar(*p == '-' ? '_' : *p - 'a' + 'A');
    }
}

static void print_octets(const char *octets)
{
    for (size_t i = 0; octets[i] != '\0'; i++)
        printf("%s%c", i == 0 ? "\n     \"" : i % 80 == 0 ? "\"\n     \"" : "", octets[i]);
    fputs(*octets == '\0' ? "\"\"" : "\"", stdout);
}

static void print_row(const struct vector_test *test, enum rpcrdma_protocol protocol,
                      const struct story *story, const char *octets)
{
    static const char *const protocols[] = {[RPCRDMA_PROTOCOL_1] = "1",
                                            [RPCRDMA_PROTOCOL_2_04] = "2_04",
                                            [RPCRDMA_PROTOCOL_2_07] = "2_07"};
    const struct vector_event *subject = story->sends[story->count - 1];
    printf("    {\"%s\", ", test->id);
    print_string(test->comment);
    fputs(", ", stdout);
    if (story->rule)
        print_string(story->rule);
    else
        fputs("NULL", stdout);
    printf(", %s, ", story->breaks ? "true" : "false");
    print_reactions(json_object_get(subject->expect, "reaction"));
    printf(", RPCRDMA_PROTOCOL_%s, %s,", protocols[protocol], story->first ? "true" : "false");
    print_octets(octets);
    fputs("},\n", stdout);
}

/* What a side does with its own memory is not sent. */
static bool is_from_within(const struct vector_test *test)
{
    return json_object_get(json_object_get(test->json, "settings"), "registrations") != NULL;
}

static void print_probe(const struct vector_file *file, const struct vector_test *test,
                        bool with_rule)
{
    struct story story;
    enum rpcrdma_protocol protocol =
        file->draft == RPCRDMA_PROTOCOL_AUTO ? RPCRDMA_PROTOCOL_1 : file->draft;
    if (is_from_within(test) || !story_of(test, protocol, &story) ||
        (story.rule != NULL) != with_rule)
        return;
    char *octets = octets_of(&story);
    if (is_new(octets, protocol, story.first))
        print_row(test, protocol, &story, octets);
    free(octets);
}

/* A vector of one exchange says best what its Call is: it goes before longer ones. */
static void print_short_ruled(const struct vector_file *file, const struct vector_test *test)
{
    if (test->count <= 2)
        print_probe(file, test, true);
}

static void print_ruled(const struct vector_file *file, const struct vector_test *test)
{
    print_probe(file, test, true);
}

static void print_short(const struct vector_file *file, const struct vector_test *test)
{
    if (test->count <= 2)
        print_probe(file, test, false);
}

static void print_others(const struct vector_file *file, const struct vector_test *test)
{
    print_probe(file, test, false);
}

/* ---- schema ---- */

static int print_schema(void)
{
    json_t *schema = vector_schema_json();
    bool good = json_dumpf(schema, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF &&
                fflush(stdout) == 0;
    json_decref(schema);
    return good ? STATUS_GOOD : STATUS_UNREADABLE;
}

/* ---- */

int main(int argc, char **argv)
{
    struct corpus corpus = {0};
    bool index = argc > 2 && strcmp(argv[1], "index") == 0;
    if (argc == 2 && strcmp(argv[1], "schema") == 0)
        return print_schema();
    if (argc < 3 || (!index && strcmp(argv[1], "probe") != 0)) {
        fputs("usage: vector_tables schema | index FILE... | probe FILE...\n", stderr);
        return STATUS_USAGE;
    }
    for (int i = 2; i < argc; i++)
        corpus_add(&corpus, argv[i]);
    if (index) {
        begin_table("conformance/run/vector_index.h",
                    "const struct vector_index_row vector_index[]");
        each_test(&corpus, print_index);
        puts("    {0, 0, 0, false},\n};");
    } else {
        begin_table("rxe-harness/probe/probe.h", "const struct probe_row probe_table[]");
        each_test(&corpus, print_short_ruled);
        each_test(&corpus, print_ruled);
        each_test(&corpus, print_short);
        each_test(&corpus, print_others);
        puts("    {NULL, NULL, NULL, false, 0, RPCRDMA_PROTOCOL_AUTO, false, NULL},\n};");
    }
    int status = corpus.faults > 0 ? STATUS_UNREADABLE : corpus.status;
    corpus_free(&corpus);
    return ferror(stdout) || fflush(stdout) != 0 ? STATUS_UNREADABLE : status;
}
