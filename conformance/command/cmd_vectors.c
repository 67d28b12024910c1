// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma vectors`: run vectors, against our checker or somebody else's parser, and report. */
#include "conformance/base/alloc.h"
#include "conformance/base/interrupt.h"
#include "conformance/base/nearest.h"
#include "conformance/base/output.h"
#include "conformance/base/register.h"
#include "conformance/command/commands.h"
#include "conformance/options/gather.h"
#include "conformance/report/ladder/scene.h"
#include "conformance/report/results/reports.h"
#include "conformance/run/vector_index.h"
#include "conformance/run/corpus.h"
#include "conformance/run/run.h"
#include "conformance/run/testee/opening.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIMEOUT_DEFAULT 2000

struct vectors {
    struct reports reports;
    struct testee_settings testee;
    size_t max_read;
    char *folder; /* of the vectors that came with the command, where none are named */
    bool list, lint, merge, print_lines;
    struct run_filter filter;
    struct chosen versions, offers;
    int status;
};

/* ---- what is done ---- */

static void violated(struct vectors *vectors)
{
    if (vectors->status == STATUS_GOOD)
        vectors->status = STATUS_VIOLATED;
}

static void run(struct vectors *vectors, struct corpus *corpus)
{
    struct results results = {0};
    struct progress progress;
    char error[256];
    if (corpus->faults > 0)
        vectors->status = STATUS_UNREADABLE;
    if (vectors->testee.process.command == NULL) {
        run_checker(corpus, &results);
    } else if (!run_testee(corpus, &vectors->testee, &progress, &results, error, sizeof error)) {
        vectors->status = file_error(vectors->testee.process.command, error);
        results_free(&results);
        return;
    }
    results.draw = run_draw;
    results.draw_arg = corpus;
    if (vectors->status == STATUS_UNREADABLE) {
        vectors->reports.incomplete = unread_text(&corpus->unread);
        results.brief = unread_brief(&corpus->unread);
    }
    int status = reports_write(&vectors->reports, NULL, &results);
    if (status == STATUS_VIOLATED)
        violated(vectors);
    else if (status != STATUS_GOOD)
        vectors->status = status;
    results_free(&results);
}

/* A vector of ours that is in none of the files, or a rule that only such vectors are about. */
static bool is_elsewhere(void *arg, const char *name)
{
    bool exists = false;
    for (const struct vector_index_row *row = vector_index; row->rule && !exists; row++)
        exists = strcmp(row->id, name) == 0 || strcmp(row->rule, name) == 0;
    return exists && !run_has(arg, name);
}

static bool has_vectors(const char *rule)
{
    for (const struct vector_index_row *row = vector_index; row->rule; row++)
        if (strcmp(row->rule, rule) == 0)
            return true;
    return false;
}

/* What may have been meant: a vector of ours, or a rule or section that has vectors. */
static const char *meant_by(const struct vectors *vectors, const char *missing,
                            char meant[NEAREST_TEXT])
{
    struct nearest nearest = nearest_begin(missing);
    if (chosen_missing(&vectors->filter.cases) == NULL)
        return register_meant(missing, has_vectors, meant);
    for (const struct vector_index_row *row = vector_index; row->rule; row++)
        nearest_try(&nearest, row->id);
    return nearest_text(nearest.word, meant);
}

/* Of ours, and of the files. */
static void each_name(void *arg, struct nearest *nearest)
{
    const struct corpus *corpus = arg;
    nearest_try(nearest, OPENING_TEST);
    nearest_try(nearest, OPENING_TEST "-04");
    nearest_try(nearest, OPENING_TEST "-07");
    for (const struct vector_index_row *row = vector_index; row->rule; row++)
        nearest_try(nearest, row->id);
    for (size_t i = 0; i < corpus->count; i++)
        for (size_t k = 0; k < corpus->files[i].count; k++)
            nearest_try(nearest, corpus->files[i].tests[k].id);
}

static void list(struct vectors *vectors, const struct corpus *corpus)
{
    struct output output = {.stream = NULL};
    bool good = vectors->reports.json == NULL || output_begin(&output, vectors->reports.json);
    struct json json = {.out = output.stream};
    if (good)
        run_list(corpus, json.out ? &json : NULL);
    if (!good || (json.out && !output_end(&output)) || corpus->faults > 0)
        vectors->status = STATUS_UNREADABLE;
}

static void select_and_run(struct vectors *vectors, struct corpus *corpus)
{
    bool is_whole = vectors->status == STATUS_GOOD && corpus->faults == 0 && !interrupted();
    if (is_whole) /* else a file that was not read may have the name */
        known_names(&vectors->reports.known, each_name, corpus);
    const char *missing = run_select(corpus, &vectors->filter);
    vectors->reports.known.partial =
        vectors->filter.cases.count > 0 || vectors->filter.rules.count > 0;
    known_elsewhere(&vectors->reports.known, is_elsewhere, corpus);
    char meant[NEAREST_TEXT];
    if (missing)
        vectors->status = usage_error("vectors", "no test is, or is about, '%s'%s", missing,
                                      meant_by(vectors, missing, meant));
    else if (vectors->list)
        list(vectors, corpus);
    else if (vectors->print_lines)
        run_print_lines(corpus, &vectors->testee, stdout);
    else
        run(vectors, corpus);
}

static void run_or_lint(struct vectors *vectors, char **operands, int count)
{
    struct corpus corpus = {0};
    for (int i = 0; i < count; i++)
        corpus_add(&corpus, operands[i]);
    if (count == 0)
        corpus_add(&corpus, vectors->folder);
    vectors->status = corpus.status;
    if (!vectors->lint)
        select_and_run(vectors, &corpus);
    else if (lint(&corpus) > 0 || corpus.faults > 0)
        violated(vectors);
    corpus_free(&corpus);
}

static void merge(struct vectors *vectors, char **files, int count)
{
    struct results *runs = alloc_zeroed((size_t)count, sizeof *runs);
    for (int i = 0; i < count; i++) {
        runs[i].draw = scene_draw_own;
        if (!results_read(&runs[i], files[i]))
            vectors->status = STATUS_UNREADABLE;
    }
    if (vectors->status == STATUS_GOOD &&
        !reports_write_file(vectors->reports.html, results_html, runs, (size_t)count))
        vectors->status = STATUS_UNREADABLE;
    if (vectors->status == STATUS_GOOD && vectors->reports.tap)
        results_tap(stdout, runs, (size_t)count, vectors->reports.tap);
    for (int i = 0; i < count; i++)
        results_free(&runs[i]);
    free(runs);
}

/* ---- options ---- */

static bool set_versions(struct vectors *vectors)
{
    uint64_t *versions = &vectors->testee.tolerance.versions;
    for (size_t i = 0; i < vectors->versions.count; i++) {
        const char *text = vectors->versions.list[i].text;
        char *end = NULL;
        unsigned long version = *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : 64;
        if (version > 63 || *end != '\0')
            return usage_error("vectors",
                               "option '--versions' takes numbers below 64, such as 1,2"),
                   false;
        *versions = (i > 0 ? *versions : 0) | UINT64_C(1) << version;
    }
    return true;
}

#define OFFERS "write-chunks write-and-reply" /* in the order of the bits of `offers` */

static void set_offers(struct vectors *vectors)
{
    for (size_t i = 0; i < vectors->offers.count; i++)
        vectors->testee.tolerance.offers |= 1u << word_index(vectors->offers.list[i].text, OFFERS);
}

static const struct option_row options_vectors[] = {
    {"testee", "COMMAND",
     "test the parser that this command starts: it reads lines 'call HEX' (a Responder received "
     "this) and 'reply HEX' (a Requester did) and answers each with a line: 'accept N' (a "
     "transport header of N octets), 'error err-chunk', 'discard' and the like (man 7 "
     "rpcrdma-testee)",
     SETS(TEXT, struct vectors, testee.process.command)},
    {"timeout", "SECONDS",
     "how long to wait for each answer (2); ten times that for the first, as it starts",
     SETS(SECONDS, struct vectors, testee.process.timeout)},
    {"decode", NULL, "ask 'decode HEX' in place of both: strict XDR and nothing else",
     SETS(FLAG, struct vectors, testee.decode),
     .more = "For codecs and dissectors, which have no role."},
    {"context", NULL, "add the direction, and to a Reply its Call, to the question",
     SETS(FLAG, struct vectors, testee.context)},
    {"seed", "NUMBER", "of the opening vector (8166)", SETS(NUMBER, struct vectors, testee.seed)},
    {"case", "ID", "run this test; NAME* for all whose id begins so",
     SETS(NAMES, struct vectors, filter.cases)},
    {"rule", "RULE", "run the tests about this rule, or about a section (rfc8166/4.5)",
     SETS(NAMES, struct vectors, filter.rules)},
    {"list", NULL, "list the tests by file and run none; with --json FILE, into FILE",
     SETS(FLAG, struct vectors, list)},
    {"print-lines", NULL, "print the lines that a testee would be asked, and run nothing",
     SETS(FLAG, struct vectors, print_lines)},
    {"lint", NULL,
     "check the vectors themselves: schema, ids, flags and rules; of a FOLDER, that every "
     "rule has its vectors, too",
     SETS(FLAG, struct vectors, lint),
     .more =
         "Each rule needs a vector that breaks it and one that nearly does. A FILE may have any."},
    {"merge", NULL,
     "the FILEs are results of several peers, written by --json: compare them in one page "
     "(--html), or list them one after the other (--tap)",
     SETS(FLAG, struct vectors, merge)},
    {"max-read", "SIZE",
     "a limit of the testee: octets of Read chunks in a Call that it fetches (1M)",
     SETS(SIZE, struct vectors, max_read)},
    {"max-segments", "NUMBER", "a limit: segments in a header that it takes (any)",
     SETS(NUMBER, struct vectors, testee.tolerance.max_segments)},
    {"max-chunk-segments", "NUMBER", "a limit: segments in a chunk that it takes (any)",
     SETS(NUMBER, struct vectors, testee.tolerance.max_chunk_segments)},
    {"max-read-chunks", "NUMBER", "a limit: Read chunks in a header that it takes (any)",
     SETS(NUMBER, struct vectors, testee.tolerance.max_read_chunks)},
    {"max-write-chunks", "NUMBER", "a limit: Write chunks in a header that it takes (any)",
     SETS(NUMBER, struct vectors, testee.tolerance.max_write_chunks)},
    {"versions", "NUMBER", "protocol versions that the testee speaks (1)",
     SETS(NAMES, struct vectors, versions)},
    {"offers", "WHAT",
     "what the testee's Calls offer besides one Write chunk or a Reply chunk: write-chunks "
     "(several), "
     "write-and-reply (both at once)",
     .words = OFFERS, SETS(NAMES, struct vectors, offers),
     .more = "Replies to Calls that it never makes may be discarded."},
    {0}};

const struct command command_vectors = {
    .name = "vectors",
    .run = cmd_vectors,
    .summary = "run test vectors, against this checker or another parser",
    .operands = "[FOLDER|FILE]...",
    .other = "--lint [FOLDER|FILE]...\n--merge [--html PAGE] [--tap] RESULTS...",
    .text = "Run test vectors (JSON; every *.json below a FOLDER) and report which do not end as "
            "they say. Without an operand those are taken that came with the command. Without "
            "--testee this command's own checker is tested.",
    .groups =
        (const struct option_group[]){
            {NULL, NULL, options_vectors}, OPTION_GROUP_KNOWN, OPTION_GROUP_REPORTS, {0}},
    .status = "0 all as required, 1 something failed, 2 wrong usage, 3 a file is unreadable or not "
              "what it claims to be, or cannot be written, 130 interrupted.",
};

/* Whether an option was given that says how a testee is asked, or judged. */
static bool is_about_testee(const struct vectors *vectors)
{
    const struct testee_settings *testee = &vectors->testee;
    const struct tolerance *limits = &testee->tolerance, none = TOLERANCE_DEFAULT;
    return testee->process.command || testee->process.timeout != TIMEOUT_DEFAULT ||
           testee->decode || testee->context || testee->seed != OPENING_SEED ||
           limits->max_read != none.max_read || limits->max_segments > 0 ||
           limits->max_chunk_segments > 0 || limits->max_read_chunks > 0 ||
           limits->max_write_chunks > 0 || vectors->offers.count > 0 || vectors->versions.count > 0;
}

/* Returns NULL, or what is wrong with the options together. */
static const char *conflict(const struct vectors *vectors)
{
    const struct reports *asked = &vectors->reports;
    bool reports = asked->tap || asked->junit || asked->json;
    bool known = asked->known_file || asked->write_known;
    bool selected = vectors->filter.cases.count > 0 || vectors->filter.rules.count > 0;
    const char *command = vectors->testee.process.command;
    if (command && command[strspn(command, " \t\n")] == '\0')
        return "option '--testee' takes the command that starts the parser, not ''";
    if (vectors->list && (is_about_testee(vectors) || vectors->print_lines || asked->tap ||
                          asked->junit || asked->html || known || asked->name || asked->all ||
                          vectors->lint || vectors->merge || gather_folder()))
        return "option '--list' runs no test: it goes with '--case', '--rule' and '--json' alone";
    if (vectors->print_lines &&
        (vectors->testee.process.command || reports || asked->html || known))
        return "option '--print-lines' runs nothing: it has no testee and no reports";
    if ((vectors->lint || vectors->merge) && (selected || vectors->print_lines))
        return "'--case', '--rule' and '--print-lines' do not go with '--lint' and '--merge'";
    if (vectors->lint &&
        (vectors->testee.process.command || vectors->merge || reports || asked->html || known))
        return "option '--lint' cannot be combined with others";
    if (vectors->merge && (vectors->testee.process.command || asked->junit || asked->json || known))
        return "option '--merge' goes with '--html' and '--tap' only";
    if (vectors->merge && asked->html == NULL && asked->tap == 0)
        return "option '--merge' needs '--html' or '--tap'";
    return NULL;
}

/* Returns -1 to go on, or the status to exit with. */
static int parse_options(struct vectors *vectors, int argc, char **argv)
{
    int status = options_parse(&command_vectors, argc, argv, vectors, NULL);
    if (status >= 0)
        return status;
    if (!set_versions(vectors))
        return STATUS_USAGE;
    set_offers(vectors);
    vectors->testee.tolerance.max_read = vectors->max_read;
    const char *wrong = conflict(vectors);
    if (wrong)
        return usage_error(argv[0], "%s", wrong);
    if (optind == argc && !vectors->merge)
        vectors->folder = corpus_folder();
    if (optind == argc && vectors->folder == NULL)
        return usage_error(argv[0], vectors->merge ? "no FILE given"
                                                   : "no FILE given, and no vectors installed");
    if (vectors->folder)
        status = options_check_files(&command_vectors, 1, &vectors->folder, vectors);
    if (status >= 0)
        return status;
    status = reports_prepare(&vectors->reports);
    return status == STATUS_GOOD ? -1 : status;
}

int cmd_vectors(int argc, char **argv)
{
    struct vectors vectors = {.reports.options = OPTIONS_DEFAULT,
                              .testee = {.process.timeout = TIMEOUT_DEFAULT,
                                         .tolerance = TOLERANCE_DEFAULT,
                                         .seed = OPENING_SEED}};
    vectors.max_read = (size_t)vectors.testee.tolerance.max_read;
    int status = parse_options(&vectors, argc, argv);
    if (status < 0) {
        if (vectors.merge)
            merge(&vectors, argv + optind, argc - optind);
        else
            run_or_lint(&vectors, argv + optind, argc - optind);
        status = close_output(vectors.status);
    }
    known_free(&vectors.reports.known);
    chosen_free(&vectors.filter.cases);
    chosen_free(&vectors.filter.rules);
    chosen_free(&vectors.versions);
    chosen_free(&vectors.offers);
    free(vectors.folder);
    return status;
}
