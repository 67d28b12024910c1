// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma check`: check traffic against the rules. */
#include "conformance/base/text.h"
#include "conformance/base/alloc.h"
#include "conformance/base/interrupt.h"
#include "conformance/base/register.h"
#include "conformance/command/check.h"
#include "conformance/command/commands.h"

#include <rpcrdma/binding.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_RULE = OPTION_OWN };

/* ---- The end ---- */

static void violated(struct check_command *check)
{
    if (check->status == STATUS_GOOD)
        check->status = STATUS_VIOLATED;
}

/* A filter that nothing fits is a slip of the user's: silence would look like a clean capture. */
static void end_filters(struct check_command *check)
{
    if (check->status == STATUS_UNREADABLE || interrupted())
        return; /* what it names may be in what was not read */
    if (check->connection && check->seen.total.events == 0) {
        char names[700];
        size_t length = 0;
        names[0] = '\0';
        for (unsigned i = 0; i < check->seen.others.count && length < sizeof names; i++)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                       i > 0 ? ", " : "; there are ", check->seen.others.name[i]);
        check->status = usage_error("check", "no connection is named '%s'%s%s", check->connection,
                                    names, check->seen.others.more ? ", and others" : "");
    } else if (check->side != SIDE_BOTH && !check->seen.side) {
        check->status = usage_error("check", "there is no event of the %s",
                                    check->side == SIDE_CLIENT ? "client" : "server");
    }
}

static void end_status(struct check_command *check)
{
    uint64_t failing = check->seen.total.severities[RPCRDMA_VIOLATION];
    known_settle(&check->known);
    known_complain(&check->known);
    if (check->fail_on >= FAIL_ON_WARNING)
        failing += check->seen.total.severities[RPCRDMA_WARNING];
    if (check->fail_on >= FAIL_ON_NOTE)
        failing += check->seen.total.severities[RPCRDMA_NOTE];
    if (failing > 0 || check->known.stale_count > 0 ||
        (check->strict && missed_count(&check->seen.missed) > 0))
        violated(check);
    end_filters(check);
    if (check->seen.total.events == 0 && check->status == STATUS_GOOD && !interrupted()) {
        say("nothing was checked");
        violated(check);
    }
}

static void print_end(struct check_command *check, int files)
{
    const struct findings_printer *printer = &check->printer;
    FILE *out = printer->out;
    if (check->seen.total.events == 0) {
        if (interrupted())
            fprintf(out, "%s\n", check->incomplete);
        return;
    }
    putc('\n', out);
    by_rule_print(out, printer->style, &check->seen.by_rule, files > 1, check->all);
    tally_print_table(out, printer->style, &check->seen.total);
    tally_print_drafts(out, &check->seen.total,
                       check->options.source.draft != RPCRDMA_PROTOCOL_AUTO);
    putc('\n', out);
    put_files(out, check->seen.files, files);
    fprintf(out, ", %" PRIu64 " connection%s, %" PRIu64 " event%s: ", check->seen.connections,
            check->seen.connections == 1 ? "" : "s", check->seen.total.events,
            check->seen.total.events == 1 ? "" : "s");
    tally_print_severities(out, printer->style, &check->seen.total);
    if (check->seen.known > 0) {
        fprintf(out, ", %" PRIu64 " expected by ", check->seen.known);
        text_put(out, check->known_file);
    }
    if (check->known.stale_count > 0)
        fprintf(out, "; %s%zu expected failure%s did not occur%s", printer->style->red,
                check->known.stale_count, check->known.stale_count == 1 ? "" : "s",
                printer->style->plain);
    if (missed_count(&check->seen.missed) > 0) {
        fputs("; not checked: ", out);
        missed_print_total(out, &check->seen.missed);
    }
    if (check->incomplete)
        fprintf(out, "; %s%s%s", printer->style->bold,
                interrupted() ? check->incomplete : unread_brief(&check->seen.unread),
                printer->style->plain);
    putc('\n', out);
}

/* What was not read may hold what the list expects. */
static bool write_known(const struct check_command *check)
{
    if (check->incomplete == NULL)
        return known_write(&check->known, check->write_known);
    output_not_written(check->write_known, check->incomplete);
    return interrupted();
}

static void end(struct check_command *check, int files, char **names)
{
    fflush(stdout);
    check->incomplete = interrupted() ? interrupt_text() : unread_text(&check->seen.unread);
    end_status(check);
    if (check->write_known && !write_known(check))
        check->status = STATUS_UNREADABLE;
    if (check->outputs.record &&
        !record_write(&check->recorder, check->outputs.record, check->outputs.reference))
        check->status = STATUS_UNREADABLE;
    record_free(&check->recorder);
    if (check->options.json)
        findings_json_summary(stdout, &check->seen.total, &check->seen.by_rule, &check->seen.missed,
                              &check->seen.unanswered, &check->known, check->seen.known,
                              check->incomplete);
    else if (!check->tap)
        print_end(check, files);
    outputs_end(check, files, names);
    missed_free(&check->seen.missed);
    unanswered_free(&check->seen.unanswered);
}

/* ---- Options ---- */

static const struct option_row options_findings[] = {
    {"level", "LEVEL",
     "must: only rules of that level; should: also those of level should and derived; advisory: "
     "all (the default)",
     .words = "must should advisory", SETS(WORD, struct check_command, level)},
    {"rule", "RULE",
     "only this rule, such as rfc8166/3.4.5/position-multiple-of-four, or those of a section",
     SETS(NAMES, struct check_command, rule_names)},
    {"connection", "NAME", "only this connection, named as in the report, or all of an address",
     SETS(TEXT, struct check_command, connection),
     .more =
         "In a capture the name is CLIENT:0xQPN-SERVER:0xQPN, over iWARP CLIENT:PORT-SERVER:PORT; "
         "in vectors it is the id of the test, in hex text \"line 4\"."},
    {"side", "SIDE", "client or server: only what this side did wrong; or both (the default)",
     .words = "both client server", SETS(WORD, struct check_command, side)},
    {"known", "FILE",
     "expected failures, a line each: RULE, client or server, the peer's address or *, # before a "
     "reason: not shown and not violations; one that does not occur is an error",
     SETS(INPUT, struct check_command, known_file),
     .more = "See EXPECTED FAILURES. The findings are counted at the end."},
    {"write-known", "FILE", "write such a list of what was found",
     SETS(OUTPUT, struct check_command, write_known), .updates = "known"},
    {"binding", "WHICH",
     "auto: apply the binding of the upper layer that the RPC header names, NFS (the default); "
     "none: check the transport alone",
     .words = "auto none", SETS(WORD, struct check_command, binding),
     .more = "Vectors name their binding themselves."},
    {"record", "FILE", "write what was checked as vectors, for 'rpcrdma vectors'",
     SETS(OUTPUT, struct check_command, outputs.record), .gathered = "recorded.json",
     .more = "Each connection becomes a test with its findings. Connections with packets "
             "missing are left out."},
    {"fail-on", "SEVERITY", "the lowest severity that makes the exit status 1: {words} (violation)",
     .words = "violation warning note", SETS(WORD, struct check_command, fail_on)},
    {"strict", NULL, "exit with status 1 also if part of a capture could not be checked",
     SETS(FLAG, struct check_command, strict),
     .more = "Messages with packets missing are counted as lost, those whose beginning alone was "
             "recorded as cut, frames that are not understood as unread."},
    {"all", NULL, "print every finding, not only the first three of each rule and side",
     SETS(FLAG, struct check_command, all)},
    {"explain", NULL, "print each Send that has findings field by field",
     SETS(FLAG, struct check_command, printer.explain),
     .more = "Of a Send of more than 512 octets the beginning and the surroundings of the faults "
             "are printed."},
    {"ladder", NULL, "print what the two sides did up to each finding, as a ladder",
     SETS(FLAG, struct check_command, ladder),
     .more = "The client is left, the server right; arrows begin at the side that did it: - a "
             "Send, = an RDMA Read or Write. Up to 12 events are shown: those of the same Call, "
             "and the latest others. Of its chunks a map says which octets were read or written: "
             "# all, 2 more than once, : a part, . none."},
    {0}};

static const struct option_row options_files[] = {
    {"tap", "[VERSION]",
     "Test Anything Protocol in place of the text: a test for each rule; version 14, or 13 for "
     "prove",
     .words = TAP_VERSIONS, .values = tap_versions, SETS(WORD, struct check_command, tap)},
    {"html", "FILE", "write a page that needs no other file",
     SETS(OUTPUT, struct check_command, outputs.html), .gathered = "report.html"},
    {"junit", "FILE", "write JUnit XML: a test case for each rule",
     SETS(OUTPUT, struct check_command, outputs.junit), .gathered = "junit.xml"},
    {"sarif", "FILE", "write SARIF 2.1.0, for code review",
     SETS(OUTPUT, struct check_command, outputs.sarif), .gathered = "findings.sarif",
     .more = "Up to 25,000 findings are written."},
    {"annotate", "FILE", "write the capture as pcapng with each finding as a comment on its packet",
     SETS(OUTPUT, struct check_command, outputs.annotate),
     .more = "Wireshark shows the comments, and lists them under Analyze, Expert Information. One "
             "capture can be annotated at a time."},
    OPTION_ROW_SITE,
    OPTION_ROW_FOLDER,
    {0}};

const struct command command_check = {
    .name = "check",
    .run = cmd_check,
    .summary = "check captures, vectors, hex or raw files",
    .operands = "FILE...",
    .text = "Check every Send, RDMA Read, RDMA Write and all CM private data in the files, "
            "connection by connection, against the rules of RFC 8166 and its companions.",
    .groups =
        (const struct option_group[]){
            OPTION_GROUP_INPUT,
            {"Findings (filtered findings are not counted or reported)", NULL, options_findings},
            {"Reports (in addition to the text)", NULL, options_files},
            OPTION_GROUP_OUTPUT,
            {0}},
    .status =
        "0 nothing violated, 1 violations found (see --fail-on and --strict), 2 wrong usage, "
        "also where a filter matches nothing, 3 a file is unreadable or not what it claims to "
        "be, whatever was found before, 130 interrupted, whatever was found before.",
    .ends = {"no failure found", "violations found, or a failure that was expected did not occur"},
};

/* Returns -1 to go on, or the status to exit with. */
static int parse_options(struct check_command *check, int argc, char **argv)
{
    int status = options_parse(&command_check, argc, argv, check, NULL);
    if (status >= 0)
        return status;
    if (!filter_rules(argv[0], &check->rule_names, &check->rules))
        return STATUS_USAGE;
    if (optind == argc)
        return usage_error(argv[0], "no FILE given");
    if (check->options.json && check->printer.explain)
        return usage_error(argv[0], "options '--json' and '--explain' exclude each other");
    if (check->options.json && check->ladder)
        return usage_error(argv[0], "options '--json' and '--ladder' exclude each other");
    if (check->options.json && check->tap)
        return usage_error(argv[0], "options '--json' and '--tap' exclude each other");
    check->outputs.reference = argv[optind];
    check->options.source.bindings = check->binding == BINDING_AUTO ? rpcrdma_bindings : NULL;
    check->known.partial = check->level != RESULT_ADVISORY || check->side != SIDE_BOTH ||
                           check->rules || check->connection || check->binding == BINDING_NONE;
    bool good = check->known_file == NULL || known_read(&check->known, check->known_file);
    if (!good)
        return STATUS_UNREADABLE;
    status = outputs_begin(check, argc - optind, argv + optind);
    return status == STATUS_GOOD ? -1 : status;
}

int cmd_check(int argc, char **argv)
{
    static struct check_command check; /* its counts by rule are large: most stay untouched */
    check.options = (struct options)OPTIONS_DEFAULT;
    check.level = RESULT_ADVISORY;
    check.known.kind = KNOWN_TRAFFIC;
    int status = parse_options(&check, argc, argv);
    if (status < 0) {
        check.printer.out = stdout;
        check.printer.style = terminal_style(check.options.color, stdout);
        check.printer.width = terminal_width(stdout);
        output_live(argc - optind, argv + optind);
        for (int i = optind; i < argc && !interrupted(); i++)
            check_file(&check, argv[i]);
        check.known.partial = interrupt_settle() || check.known.partial;
        end(&check, argc - optind, argv + optind);
        status = close_output(check.status);
    }
    free(check.rules);
    return status;
}
