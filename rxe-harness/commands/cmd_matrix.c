// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma matrix`: a page of who conforms, out of files of results; and such files. */
#include "rxe-harness/commands/commands.h"
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/probe/version2/probe.h"
#include "rxe-harness/serve/serve.h"
#include "rxe-harness/serve/version2/serve.h"

#include "conformance/base/alloc.h"
#include "conformance/base/count.h"
#include "conformance/base/interrupt.h"
#include "conformance/base/output.h"
#include "conformance/base/status.h"
#include "conformance/describe/json.h"
#include "conformance/options/options.h"
#include "conformance/report/ladder/scene.h"
#include "conformance/report/matrix/matrix.h"
#include "conformance/run/corpus.h"
#include "conformance/run/vector_index.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FILE_MAX_OCTETS (256 << 10) /* of a file that is taken among others */
static const char too_large[] = "it is larger than 256 KiB";

struct matrix_command {
    struct options options; /* only the colour is used */
    const char *html, *badge, *submit;
    const char *peer, *release, *side, *transport, *date;
    bool check;

    struct results *runs;
    size_t count, room;
    int status;
};

static const struct option_row options_matrix[] = {
    {"html", "FILE", "write a page that needs no other file",
     SETS(OUTPUT, struct matrix_command, html)},
    {"badge", "FILE", "write an image (SVG) of the one implementation, or of --peer",
     SETS(OUTPUT, struct matrix_command, badge)},
    {"check", NULL, "say which files cannot be taken among others, and why",
     SETS(FLAG, struct matrix_command, check),
     .more =
         "A file has to say whose results it has, and be of a run to the end, by version 1 and not "
         "of random conversations. It has no "
         "hazardous case, and none that the peer did not survive: such a fault is for those who "
         "maintain the peer, before it is public. It is of 256 KiB at most."},
    {"submit", "FILE",
     "write the results of --json, of one peer, as a file to be taken: small, without what has to "
     "be "
     "left out",
     SETS(OUTPUT, struct matrix_command, submit)},
    {"peer", "NAME", "the implementation, such as 'Linux 6.1'",
     SETS(TEXT, struct matrix_command, peer)},
    {"release", "TEXT", "its exact version; --submit needs it",
     SETS(TEXT, struct matrix_command, release)},
    {"side", "SIDE", "server, client or codec; --submit needs it",
     SETS(TEXT, struct matrix_command, side)},
    {"transport", "TEXT",
     "what it was reached by, such as 'soft-RoCE, by verbs', of a codec 'standard input'; --submit "
     "needs it",
     SETS(TEXT, struct matrix_command, transport)},
    {"date", "DATE", "of the run, YYYY-MM-DD (today)", SETS(TEXT, struct matrix_command, date)},
    OPTION_ROW_COLOR,
    OPTION_ROW_HELP,
    {0}};

const struct command command_matrix = {
    .name = "matrix",
    .run = cmd_matrix,
    .summary = "show who conforms, out of files of results",
    .operands = "[FOLDER|FILE]...",
    .other = "--check [FOLDER|FILE]...\n--submit FILE --peer NAME [OPTION]... RESULTS",
    .text = "Show implementations by sections and levels, the latest results of each and what "
            "changed since those before. FILEs are written by --submit, out of what vectors, probe "
            "and serve write with --json; every *.json below a FOLDER is one.",
    .groups = (const struct option_group[]){{NULL, NULL, options_matrix}, {0}},
    .status = "0 shown, or all can be taken, 1 a file cannot be taken, 2 wrong usage, 3 a file is "
              "unreadable or not what it claims to be, or cannot be written, 130 interrupted.",
};

/* ---- what the kit asks ---- */

static json_t *hazards; /* cases by their names */
static uint64_t kit_sum;

/* FNV-1a */
static void add_to_sum(const char *text)
{
    for (; *text != '\0'; text++)
        kit_sum = (kit_sum ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
    kit_sum = (kit_sum ^ '\n') * UINT64_C(0x100000001b3);
}

static void add_case(const char *id, bool is_hazardous)
{
    add_to_sum(id);
    if (is_hazardous)
        json_object_set_new(hazards, id, json_true());
}

/* As `probe --list` has them. */
static void add_probe_cases(enum rpcrdma_protocol draft)
{
    struct probe probe = {.options = {.draft = draft}};
    struct alloc_stream text;
    alloc_begin(&text);
    struct json json = {.out = text.out};
    probe.run.selection.mode = PROBE_LIST;
    probe.run.selection.listing = &json;
    if (rpcrdma_protocol_is_draft(draft)) {
        probe2_run_cases(&probe);
    } else {
        probe_run_cases(&probe);
        probe_run_table(&probe);
    }
    char *lines = alloc_end(&text), *rest = lines;
    for (char *line; (line = strtok_r(rest, "\n", &rest)) != NULL;) {
        json_t *object = json_loads(line, 0, NULL);
        const char *id = json_string_value(json_object_get(object, "id"));
        if (id)
            add_case(id, !json_is_null(json_object_get(object, "hazard")));
        json_decref(object);
    }
    free(lines);
}

static void know_the_kit(void)
{
    hazards = json_object();
    kit_sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < RPCRDMA_RULES; i++) {
        add_to_sum(rpcrdma_requirements[i].id);
        add_to_sum(rpcrdma_rule_level_name(rpcrdma_requirements[i].level));
    }
    for (const struct vector_index_row *row = vector_index; row->rule; row++)
        add_to_sum(row->id);
    add_probe_cases(RPCRDMA_PROTOCOL_AUTO);
    add_probe_cases(RPCRDMA_PROTOCOL_2_04);
    add_probe_cases(RPCRDMA_PROTOCOL_2_07);
    for (const struct serve_case *each = serve_cases; each->id; each++)
        add_case(each->id, each->hazardous);
}

static bool is_hazardous(const char *test)
{
    return json_object_get(hazards, test) != NULL;
}

static char *kit_text(void)
{
    char text[32];
    snprintf(text, sizeof text, "%016" PRIx64, kit_sum);
    return alloc_text(text);
}

/* ---- files ---- */

static bool is_small(const char *path)
{
    FILE *file = fopen(path, "rb");
    bool good = file && fseek(file, 0, SEEK_END) == 0 && ftell(file) <= FILE_MAX_OCTETS;
    if (file)
        fclose(file);
    return good;
}

static void refuse(struct matrix_command *command, const char *path, const char *why)
{
    file_error(path, why);
    if (command->status == STATUS_GOOD)
        command->status = STATUS_VIOLATED;
}

/* Of two of one day none is the later one. */
static bool is_again(const struct matrix_command *command, const struct results *run)
{
    const struct results_about *a = &run->about;
    for (size_t i = 0; i + 1 < command->count; i++) {
        const struct results_about *b = &command->runs[i].about;
        if (a->peer && b->peer && strcmp(a->peer, b->peer) == 0 && a->side && b->side &&
            strcmp(a->side, b->side) == 0 && a->transport && b->transport &&
            strcmp(a->transport, b->transport) == 0 && a->date && b->date &&
            strcmp(a->date, b->date) == 0)
            return true;
    }
    return false;
}

static bool take(void *arg, const char *path)
{
    struct matrix_command *command = arg;
    char text[256];
    command->runs =
        alloc_room(command->runs, command->count, &command->room, sizeof *command->runs);
    struct results *run = &command->runs[command->count++];
    *run = (struct results){.draw = scene_draw_own};
    if (!results_read(run, path)) {
        command->status = STATUS_UNREADABLE;
        return !interrupted();
    }
    if (command->submit)
        return !interrupted();
    const char *why = matrix_refuses(run, is_hazardous, text);
    if (why == NULL && !is_small(path))
        why = too_large;
    if (why == NULL && is_again(command, run))
        why = "another file has the results of this peer of the same date";
    if (why)
        refuse(command, path, why);
    return !interrupted();
}

/* ---- what is written ---- */

static void write_small(FILE *out, const struct results *runs, size_t count)
{
    (void)count;
    results_json_small(out, runs);
}

static void set(char **member, const char *text)
{
    free(*member);
    *member = text ? alloc_text(text) : NULL;
}

/* The side that the command of this run tests; NULL: any. */
static const char *tested_side(const struct results *run)
{
    const char *file = run->count > 0 ? run->list[0].file : NULL;
    if (file && strcmp(file, "probe") == 0)
        return "server";
    return file && strcmp(file, "serve") == 0 ? "client" : NULL;
}

static bool is_too_large(const struct results *run)
{
    struct alloc_stream stream;
    alloc_begin(&stream);
    write_small(stream.out, run, 1);
    free(alloc_end(&stream));
    return stream.length > FILE_MAX_OCTETS;
}

static bool has_octets(const struct result *result)
{
    return result->length > 0 || result->answer;
}

/* Whether an earlier failure of the same rule has its octets. */
static bool is_another(const struct results *run, size_t index)
{
    const char *rule = run->list[index].rule;
    for (size_t i = 0; i < index; i++)
        if (ending_is_failure(run->list[i].ending) && has_octets(&run->list[i]) && rule &&
            run->list[i].rule && strcmp(run->list[i].rule, rule) == 0)
            return true;
    return false;
}

/* What the peer and the probe sent is kept of the first failure of each rule alone, where the file
 * would be refused for its length. */
static void shorten(struct results *run)
{
    size_t count = 0;
    if (!is_too_large(run))
        return;
    for (size_t i = 0; i < run->count; i++) {
        struct result *result = &run->list[i];
        if (!ending_is_failure(result->ending) || !has_octets(result) || !is_another(run, i))
            continue;
        free(result->answer);
        result->answer = NULL;
        result->length = result->answer_length = 0;
        result->left_out = true;
        count++;
    }
    if (count > 0)
        say("left out: the octets of %zu failure%s: only the first of each rule has them, for the "
            "file would be larger than 256 KiB",
            count, count == 1 ? "" : "s");
}

static void submit(struct matrix_command *command)
{
    struct results *run = &command->runs[0];
    char text[256], today[16];
    time_t now = time(NULL);
    struct tm day;
    strftime(today, sizeof today, "%Y-%m-%d", gmtime_r(&now, &day));
    set(&run->about.peer, command->peer);
    set(&run->about.release, command->release);
    set(&run->about.side, command->side);
    set(&run->about.transport, command->transport);
    set(&run->about.date, command->date ? command->date : today);
    free(run->about.kit);
    run->about.kit = kit_text();
    size_t left_out = matrix_reduce(run, is_hazardous);
    if (left_out > 0)
        say("left out: %zu results, of hazardous cases or of what the peer did not survive",
            left_out);
    const char *why = matrix_refuses(run, is_hazardous, text), *side = tested_side(run);
    if (why == NULL && side && strcmp(side, command->side) != 0) {
        snprintf(text, sizeof text, "the run tests a %s, not a %s", side, command->side);
        why = text;
    }
    if (why == NULL) {
        shorten(run);
        why = is_too_large(run) ? too_large : NULL;
    }
    if (why)
        refuse(command, command->submit, why);
    else if (!reports_write_file(command->submit, write_small, run, 1))
        command->status = STATUS_UNREADABLE;
}

static bool write_page(const struct matrix_command *command, const struct matrix *matrix)
{
    struct output output;
    if (command->html == NULL)
        return true;
    if (!output_begin(&output, command->html))
        return false;
    matrix_html(output.stream, matrix);
    return output_end(&output);
}

static int write_badge(const struct matrix_command *command, const struct matrix *matrix)
{
    const struct results *found = NULL;
    struct output output;
    for (size_t i = 0; i < matrix->count; i++) {
        const struct results *run = matrix->columns[i].latest;
        if (command->peer && strcmp(run->about.peer, command->peer) != 0)
            continue;
        if (command->side && strcmp(run->about.side, command->side) != 0)
            continue;
        if (found)
            return usage_error("matrix",
                               "option '--badge' is about one implementation: --peer, --side");
        found = run;
    }
    if (found == NULL)
        return usage_error("matrix", "there is no such implementation");
    if (!output_begin(&output, command->badge))
        return STATUS_UNREADABLE;
    matrix_badge(output.stream, found);
    return output_end(&output) ? STATUS_GOOD : STATUS_UNREADABLE;
}

static void show(struct matrix_command *command)
{
    struct matrix matrix;
    matrix_make(&matrix, command->runs, command->count);
    matrix.kit = kit_text();
    matrix_text(stdout, terminal_style(command->options.color, stdout), &matrix);
    if (!write_page(command, &matrix))
        command->status = STATUS_UNREADABLE;
    else if (command->badge)
        command->status = write_badge(command, &matrix);
    matrix_free(&matrix);
}

/* ---- the command ---- */

static int parse_options(struct matrix_command *command, int argc, char **argv)
{
    int status = options_parse(&command_matrix, argc, argv, command, NULL);
    if (status >= 0)
        return status;
    bool writes = command->html || command->badge;
    if (optind == argc)
        return usage_error(argv[0], "no FILE given");
    if (command->submit && (writes || command->check))
        return usage_error(argv[0], "option '--submit' goes with none that shows or checks");
    if (command->submit && argc - optind != 1)
        return usage_error(argv[0], "option '--submit' takes the results of one run");
    if (command->check && writes)
        return usage_error(argv[0], "option '--check' writes nothing");
    return -1;
}

int cmd_matrix(int argc, char **argv)
{
    struct matrix_command command = {.options = OPTIONS_DEFAULT};
    int status = parse_options(&command, argc, argv);
    if (status >= 0)
        return status;
    know_the_kit();
    for (int i = optind; i < argc && !interrupted(); i++) {
        status = corpus_each(argv[i], take, &command);
        if (status != STATUS_GOOD)
            command.status = status;
    }
    if (interrupt_settle()) /* a part of the files would say who conforms of a part of them */
        say("%s: interrupted", argv[0]);
    else if (command.status == STATUS_GOOD && command.submit)
        submit(&command);
    else if (command.status == STATUS_GOOD && !command.check)
        show(&command);
    for (size_t i = 0; i < command.count; i++)
        results_free(&command.runs[i]);
    free(command.runs);
    json_decref(hazards);
    return close_output(command.status);
}
