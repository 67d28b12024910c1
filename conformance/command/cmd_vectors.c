// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma vectors`: run vectors, against our checker or somebody else's parser, and report. */
#include "conformance/base/alloc.h"
#include "conformance/command/commands.h"
#include "conformance/report/reports.h"
#include "conformance/run/lint.h"
#include "conformance/run/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TIMEOUT_DEFAULT 2000

struct vectors {
    struct reports reports;
    struct testee_options testee;
    bool lint, merge;
    int status;
};

/* ---- what is done ---- */

static void violated(struct vectors *vectors)
{
    if (vectors->status == STATUS_GOOD)
        vectors->status = STATUS_VIOLATED;
}

static void run(struct vectors *vectors, const struct corpus *corpus)
{
    struct results results = {0};
    struct progress progress;
    if (corpus->faults > 0)
        vectors->status = STATUS_UNREADABLE;
    if (vectors->testee.command == NULL)
        run_checker(corpus, &results);
    else if (!run_testee(corpus, &vectors->testee, &progress, &results))
        vectors->status = file_error(vectors->testee.command, strerror(errno));
    int status = reports_write(&vectors->reports, NULL, &results);
    if (status == STATUS_VIOLATED)
        violated(vectors);
    else if (status != STATUS_GOOD)
        vectors->status = status;
    results_free(&results);
}

static void run_or_lint(struct vectors *vectors, char **operands, int count)
{
    struct corpus corpus = {0};
    for (int i = 0; i < count; i++)
        corpus_add(&corpus, operands[i]);
    vectors->status = corpus.status;
    if (!vectors->lint)
        run(vectors, &corpus);
    else if (lint(&corpus) > 0 || corpus.faults > 0)
        violated(vectors);
    corpus_free(&corpus);
}

static void merge(struct vectors *vectors, char **files, int count)
{
    struct results *runs = alloc_zeroed((size_t)count, sizeof *runs);
    for (int i = 0; i < count; i++)
        if (!results_read(&runs[i], files[i]))
            vectors->status = STATUS_UNREADABLE;
    if (vectors->status == STATUS_GOOD &&
        !reports_write_file(vectors->reports.html, results_html, runs, (size_t)count))
        vectors->status = STATUS_UNREADABLE;
    for (int i = 0; i < count; i++)
        results_free(&runs[i]);
    free(runs);
}

/* ---- options ---- */

static const struct option_row options_vectors[] = {
    {"testee", "COMMAND",
     "test the parser that this command starts: it reads lines 'call HEX' (a Responder received "
     "this) and 'reply HEX' (a Requester did) and answers each with a line: 'accept N' (a "
     "transport header of N octets), 'error err-vers', 'error err-chunk', 'discard' or "
     "'unsupported'",
     SETS(TEXT, struct vectors, testee.command)},
    {"timeout", "SECONDS", "how long to wait for each answer (2)",
     SETS(SECONDS, struct vectors, testee.timeout)},
    {"lint", NULL,
     "check the vectors themselves: schema, ids, flags, rules, and that every rule has its vectors",
     SETS(FLAG, struct vectors, lint),
     .more = "Each rule needs a vector that breaks it and one that nearly does."},
    {"merge", NULL,
     "the FILEs are results of several peers, written by --json: compare them in one page (--html)",
     SETS(FLAG, struct vectors, merge)},
    {NULL}};

const struct command command_vectors = {
    .name = "vectors",
    .run = cmd_vectors,
    .summary = "run test vectors, against this checker or another parser",
    .operands = "FOLDER|FILE...",
    .other = "--lint FOLDER|FILE...\n--merge --html PAGE RESULTS...",
    .text = "Run test vectors (JSON; every *.json below a FOLDER) and report which do not end as "
            "they say. Without --testee this command's own checker is tested.",
    .groups =
        (const struct option_group[]){
            {NULL, NULL, options_vectors}, OPTION_GROUP_KNOWN, OPTION_GROUP_REPORTS, {0}},
    .status = "0 all as required, 1 something failed, 2 wrong usage, 3 a file is unreadable or not "
              "what it claims to be, or cannot be written.",
};

/* Returns NULL, or what is wrong with the options together. */
static const char *conflict(const struct vectors *vectors)
{
    const struct reports *asked = &vectors->reports;
    bool reports = asked->tap || asked->junit || asked->json;
    bool known = asked->known_file || asked->write_known;
    if (vectors->lint &&
        (vectors->testee.command || vectors->merge || reports || asked->html || known))
        return "option '--lint' cannot be combined with others";
    if (vectors->merge && (vectors->testee.command || reports || known))
        return "option '--merge' goes with '--html' only";
    if (vectors->merge && asked->html == NULL)
        return "option '--merge' needs '--html'";
    return NULL;
}

/* Returns -1 to go on, or the status to exit with. */
static int parse_options(struct vectors *vectors, int argc, char **argv)
{
    int status = options_parse(&command_vectors, argc, argv, vectors, NULL);
    if (status >= 0)
        return status;
    const char *wrong = conflict(vectors);
    if (wrong)
        return usage_error(argv[0], "%s", wrong);
    if (optind == argc)
        return usage_error(argv[0], "no FILE given");
    status = reports_prepare(&vectors->reports);
    return status == STATUS_GOOD ? -1 : status;
}

int cmd_vectors(int argc, char **argv)
{
    struct vectors vectors = {.reports.options = OPTIONS_DEFAULT,
                              .testee.timeout = TIMEOUT_DEFAULT};
    int status = parse_options(&vectors, argc, argv);
    if (status < 0) {
        if (vectors.merge)
            merge(&vectors, argv + optind, argc - optind);
        else
            run_or_lint(&vectors, argv + optind, argc - optind);
        status = close_output(vectors.status);
    }
    known_free(&vectors.reports.known);
    return status;
}
