// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma vectors`: run vectors, against our checker or somebody else's parser, and report. */
#include "conformance/base/alloc.h"
#include "conformance/command/command.h"
#include "conformance/run/lint.h"
#include "conformance/base/options.h"
#include "conformance/run/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_TESTEE = OPTION_OWN,
    OPTION_TIMEOUT,
    OPTION_NAME,
    OPTION_LINT,
    OPTION_MERGE,
    OPTION_KNOWN,
    OPTION_WRITE_KNOWN,
    OPTION_TAP,
    OPTION_JUNIT,
    OPTION_JSON_FILE,
    OPTION_HTML
};

#define TIMEOUT_DEFAULT 2000

struct vectors {
    struct options options; /* of which only the colour is used */
    struct testee_options testee;
    bool lint, merge, tap;
    const char *name; /* of the testee in reports, or NULL */
    const char *known_file, *write_known;
    const char *junit, *json, *html; /* files to write, or NULL */
    struct known known;
    int status;
};

/* ---- reports ---- */

typedef void writer(FILE *out, const struct results *runs, size_t count);

static void write_junit(FILE *out, const struct results *runs, size_t count)
{
    (void)count;
    results_junit(out, runs);
}

static void write_json(FILE *out, const struct results *runs, size_t count)
{
    (void)count;
    results_json(out, runs);
}

static void write_report(struct vectors *vectors, const char *file, writer *write,
                         const struct results *runs, size_t count)
{
    if (file == NULL)
        return;
    FILE *out = fopen(file, "w");
    if (out == NULL) {
        vectors->status = file_error(file, strerror(errno));
        return;
    }
    write(out, runs, count);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed)
        vectors->status = file_error(file, strerror(errno));
}

static void report(struct vectors *vectors, const struct results *results)
{
    if (vectors->tap)
        results_tap(stdout, results);
    else
        results_text(stdout, terminal_style(vectors->options.color, stdout), terminal_width(stdout),
                     results);
    write_report(vectors, vectors->junit, write_junit, results, 1);
    write_report(vectors, vectors->json, write_json, results, 1);
    write_report(vectors, vectors->html, results_html, results, 1);
}

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
    if (vectors->name) {
        free(results.subject);
        results.subject = alloc_text(vectors->name);
    }
    results_apply_known(&results, &vectors->known);
    report(vectors, &results);
    fflush(stdout); /* complaints stand behind what was found */
    if (results_failed(&results) > 0 || known_missing(&vectors->known) > 0)
        violated(vectors);
    if (vectors->write_known && !known_write(&vectors->known, vectors->write_known))
        vectors->status = STATUS_UNREADABLE;
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
    if (vectors->status == STATUS_GOOD)
        write_report(vectors, vectors->html, results_html, runs, (size_t)count);
    for (int i = 0; i < count; i++)
        results_free(&runs[i]);
    free(runs);
}

/* ---- options ---- */

/* Seconds, with up to three decimals, from 0.01 to 3600. */
static bool set_timeout(struct vectors *vectors, const char *text)
{
    char *end;
    errno = 0;
    double seconds = text[0] >= '0' && text[0] <= '9' ? strtod(text, &end) : -1;
    bool good = seconds >= 0.01 && seconds <= 3600 && *end == '\0' && errno == 0;
    if (good)
        vectors->testee.timeout = (unsigned)(seconds * 1000);
    else
        usage_error("vectors", "option '--timeout' takes seconds, 0.01 to 3600, not '%s'", text);
    return good;
}

static bool set_option(struct vectors *vectors, int option)
{
    switch (option) {
    case OPTION_TESTEE:
        vectors->testee.command = optarg;
        return true;
    case OPTION_TIMEOUT:
        return set_timeout(vectors, optarg);
    case OPTION_NAME:
        vectors->name = optarg;
        return true;
    case OPTION_LINT:
        return vectors->lint = true;
    case OPTION_MERGE:
        return vectors->merge = true;
    case OPTION_KNOWN:
        vectors->known_file = optarg;
        return true;
    case OPTION_WRITE_KNOWN:
        vectors->write_known = optarg;
        return true;
    case OPTION_TAP:
        return vectors->tap = true;
    case OPTION_JUNIT:
        vectors->junit = optarg;
        return true;
    case OPTION_JSON_FILE:
        vectors->json = optarg;
        return true;
    case OPTION_HTML:
        vectors->html = optarg;
        return true;
    default:
        return false;
    }
}

/* Returns NULL, or what is wrong with the options together. */
static const char *conflict(const struct vectors *vectors)
{
    bool reports = vectors->tap || vectors->junit || vectors->json;
    bool known = vectors->known_file || vectors->write_known;
    if (vectors->lint &&
        (vectors->testee.command || vectors->merge || reports || vectors->html || known))
        return "option '--lint' stands alone";
    if (vectors->merge && (vectors->testee.command || reports || known))
        return "option '--merge' goes with '--html' only";
    if (vectors->merge && vectors->html == NULL)
        return "option '--merge' needs '--html'";
    return NULL;
}

/* Returns -1 to go on, or the status to exit with. */
static int parse_options(struct vectors *vectors, int argc, char **argv)
{
    static const struct option table[] = {
        {"help", no_argument, NULL, OPTION_HELP},
        {"color", required_argument, NULL, OPTION_COLOR},
        {"testee", required_argument, NULL, OPTION_TESTEE},
        {"timeout", required_argument, NULL, OPTION_TIMEOUT},
        {"name", required_argument, NULL, OPTION_NAME},
        {"lint", no_argument, NULL, OPTION_LINT},
        {"merge", no_argument, NULL, OPTION_MERGE},
        {"known", required_argument, NULL, OPTION_KNOWN},
        {"write-known", required_argument, NULL, OPTION_WRITE_KNOWN},
        {"tap", no_argument, NULL, OPTION_TAP},
        {"junit", required_argument, NULL, OPTION_JUNIT},
        {"json", required_argument, NULL, OPTION_JSON_FILE},
        {"html", required_argument, NULL, OPTION_HTML},
        {0}};
    int option;
    while ((option = options_next(argc, argv, table, &vectors->options)) != -1) {
        if (option == OPTION_HELP) {
            fputs(help_vectors, stdout);
            return close_output(STATUS_GOOD);
        }
        if (!set_option(vectors, option))
            return STATUS_USAGE;
    }
    const char *wrong = conflict(vectors);
    if (wrong)
        return usage_error(argv[0], "%s", wrong);
    if (optind == argc)
        return usage_error(argv[0], "no FILE given");
    bool good = vectors->known_file == NULL || known_read(&vectors->known, vectors->known_file);
    return good ? -1 : STATUS_UNREADABLE;
}

int cmd_vectors(int argc, char **argv)
{
    struct vectors vectors = {.options = OPTIONS_DEFAULT, .testee.timeout = TIMEOUT_DEFAULT};
    int status = parse_options(&vectors, argc, argv);
    if (status < 0) {
        if (vectors.merge)
            merge(&vectors, argv + optind, argc - optind);
        else
            run_or_lint(&vectors, argv + optind, argc - optind);
        status = close_output(vectors.status);
    }
    known_free(&vectors.known);
    return status;
}
