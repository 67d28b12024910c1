// SPDX-License-Identifier: BSD-3-Clause
/*
 * vector_tables index|probe FILE...: print what the command keeps of the vectors as a C table.
 * vector_tables schema: print the schema of vector files.
 *
 *   index   which vectors break each rule, and which nearly do
 *   probe   the Sends that `probe` puts to a live Responder
 *   schema  vector.schema.json, from the table that the command checks vector files with
 *
 * A row of `probe` is one Send after an exchange of NULL: the last of the client's Sends that break
 * a rule, or, where none does, the client's last Send. A vector has a row only if the checker
 * judges this Send alone as the vector expects it after other events. A row names a rule only if
 * this Send breaks it, or if the vector comes near to breaking it and the rule binds a Requester's
 * Call. No two rows have the same octets: first come the rows with a rule, then the other
 * exchanges.
 */
#include "conformance/base/alloc.h"
#include "conformance/base/register.h"
#include "conformance/base/status.h"
#include "conformance/run/corpus.h"
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

static void print_index(const struct vector_file *file, const struct vector_test *test)
{
    json_t *broken = json_object(), *near = json_object(), *item;
    size_t index;
    json_array_foreach(json_object_get(test->json, "nearMiss"), index, item)
        print_index_row(file, test, near, json_string_value(item), true);
    for (size_t i = 0; i < test->count; i++)
        json_array_foreach(json_object_get(test->events[i].expect, "findings"), index, item)
            print_index_row(file, test, broken, vector_text(item, "rule"), false);
    json_decref(broken);
    json_decref(near);
}

/* ---- probe ---- */

static bool is_client_send(const struct rpcrdma_event *event)
{
    return event->type == RPCRDMA_EVENT_SEND && event->from == RPCRDMA_CLIENT;
}

/* The Send that the row puts to the peer, or NULL. */
static const struct vector_event *subject_of(const struct vector_test *test)
{
    const struct vector_event *last = NULL, *broken = NULL;
    for (size_t i = 0; i < test->count; i++) {
        if (!is_client_send(&test->events[i].event))
            continue;
        last = &test->events[i];
        if (json_array_size(json_object_get(last->expect, "findings")) > 0)
            broken = last;
    }
    return broken ? broken : last;
}

static bool is_among(const json_t *findings, const struct rpcrdma_finding *finding)
{
    json_t *item;
    size_t index;
    json_array_foreach(findings, index, item)
    {
        if (strcmp(vector_text(item, "rule"), rpcrdma_requirements[finding->rule].id) == 0)
            return true;
    }
    return false;
}

static bool has_reaction(const json_t *reactions, const char *name)
{
    json_t *item;
    size_t index;
    json_array_foreach(reactions, index, item)
    {
        if (strcmp(json_string_value(item), name) == 0)
            return true;
    }
    return false;
}

/* As `probe` begins: a NULL Call of a program without a binding, and its Reply. */
static void play_exchange(struct rpcrdma_check *check)
{
    static const uint8_t call[68] = {
        [3] = 1, [7] = 1, [11] = 32, [31] = 1, [39] = 2, [40] = 0x20, [47] = 1};
    static const uint8_t reply[52] = {[3] = 1, [7] = 1, [11] = 32, [31] = 1, [35] = 1};
    struct rpcrdma_judgement judgement;
    struct rpcrdma_event event = {.from = RPCRDMA_CLIENT, .data = call, .length = sizeof call};
    rpcrdma_check_event(check, &event, &judgement);
    event = (struct rpcrdma_event){.from = RPCRDMA_SERVER, .data = reply, .length = sizeof reply};
    rpcrdma_check_event(check, &event, &judgement);
}

/* Whether the checker says of the Send what the vector expects of it after other events. */
static bool judged_alone(const struct vector_test *test, const struct vector_event *subject)
{
    size_t size = rpcrdma_check_size(&test->config);
    void *memory = alloc_zeroed(size, 1);
    struct rpcrdma_check *check = rpcrdma_check_init(memory, size, &test->config);
    struct rpcrdma_judgement judgement;
    play_exchange(check);
    rpcrdma_check_event(check, &subject->event, &judgement);
    free(memory);
    const json_t *findings = json_object_get(subject->expect, "findings");
    const json_t *reactions = json_object_get(subject->expect, "reaction");
    bool same = json_array_size(findings) == judgement.count;
    for (unsigned i = 0; i < judgement.count; i++)
        same = same && is_among(findings, &judgement.findings[i]);
    for (unsigned i = 0; i < RPCRDMA_REACTIONS; i++)
        same = same &&
               has_reaction(reactions, rpcrdma_reaction_name((enum rpcrdma_reaction)(1u << i))) ==
                   (judgement.reactions >> i & 1);
    return same;
}

/* A live peer has settings of its own. */
static bool has_settings(const struct vector_test *test)
{
    const struct rpcrdma_check_config *config = &test->config;
    return config->inline_threshold[RPCRDMA_CLIENT] || config->inline_threshold[RPCRDMA_SERVER] ||
           config->reverse_direction || config->bindings || config->mid_stream ||
           config->seen_between;
}

static bool is_new(const struct rpcrdma_event *event)
{
    static json_t *seen;
    struct alloc_stream octets;
    alloc_begin(&octets);
    for (size_t i = 0; i < event->length; i++)
        fprintf(octets.out, "%02x", ((const uint8_t *)event->data)[i]);
    char *text = alloc_end(&octets);
    seen = seen ? seen : json_object();
    bool is_new = json_object_get(seen, text) == NULL;
    json_object_set_new(seen, text, json_true());
    free(text);
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

static void print_octets(const struct rpcrdma_event *event)
{
    const uint8_t *octets = event->data;
    for (size_t i = 0; i < event->length; i++)
        printf("%s%02x", i == 0 ? "\n     \"" : i % 40 == 0 ? "\"\n     \"" : "", octets[i]);
    fputs(event->length == 0 ? "\"\"" : "\"", stdout);
}

static bool is_nomsg(const struct rpcrdma_event *event)
{
    struct rpcrdma_prefix prefix;
    return rpcrdma_prefix_load(&prefix, event->data, event->length) &&
           prefix.procedure == RPCRDMA1_NOMSG;
}

/* Whether this Call alone can break the rule. What is in the chunks of a Long Call is the probe's,
 * not the vector's: it comes near to no rule of RPC messages. */
static bool binds_call(const char *id, const struct rpcrdma_event *event)
{
    int row = register_find(id);
    const struct rpcrdma_requirement *rule = row < 0 ? NULL : &rpcrdma_requirements[row];
    return rule && (rule->role == RPCRDMA_ROLE_REQUESTER || rule->role == RPCRDMA_ROLE_SENDER) &&
           (rule->message == RPCRDMA_MESSAGE_CALL || rule->message == RPCRDMA_MESSAGE_ANY) &&
           (is_nomsg(event) || strstr(id, "nomsg") == NULL) &&
           (rule->scope == RPCRDMA_SCOPE_HEADER ||
            (!is_nomsg(event) &&
             (rule->scope == RPCRDMA_SCOPE_MESSAGE || rule->scope == RPCRDMA_SCOPE_BINDING)));
}

/* Of the rules that the Send breaks, the first; else the first of those that it nearly breaks. */
static const char *rule_of(const struct vector_test *test, const struct vector_event *subject,
                           bool *breaks)
{
    json_t *item;
    size_t index;
    const json_t *findings = json_object_get(subject->expect, "findings");
    *breaks = json_array_size(findings) > 0;
    if (*breaks)
        return vector_text(json_array_get(findings, 0), "rule");
    json_array_foreach(json_object_get(test->json, "nearMiss"), index, item)
    {
        if (binds_call(json_string_value(item), &subject->event))
            return json_string_value(item);
    }
    return NULL;
}

static void print_row(const struct vector_test *test, const struct vector_event *subject,
                      const char *rule, bool breaks)
{
    printf("    {\"%s\", ", test->id);
    print_string(test->comment);
    fputs(", ", stdout);
    if (rule)
        print_string(rule);
    else
        fputs("NULL", stdout);
    printf(", %s, ", breaks ? "true" : "false");
    print_reactions(json_object_get(subject->expect, "reaction"));
    putchar(',');
    print_octets(&subject->event);
    fputs("},\n", stdout);
}

static void print_probe(const struct vector_file *file, const struct vector_test *test,
                        bool with_rule)
{
    const struct vector_event *subject = subject_of(test);
    bool breaks;
    if (file->draft != RPCRDMA_PROTOCOL_AUTO || has_settings(test) || subject == NULL ||
        subject->event.invalidate ||
        json_array_size(json_object_get(subject->expect, "reaction")) == 0)
        return;
    const char *rule = rule_of(test, subject, &breaks);
    if ((rule != NULL) == with_rule && judged_alone(test, subject) && is_new(&subject->event))
        print_row(test, subject, rule, breaks);
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
        puts("    {NULL, NULL, NULL, false, 0, NULL},\n};");
    }
    int status = corpus.faults > 0 ? STATUS_UNREADABLE : corpus.status;
    corpus_free(&corpus);
    return ferror(stdout) || fflush(stdout) != 0 ? STATUS_UNREADABLE : status;
}
