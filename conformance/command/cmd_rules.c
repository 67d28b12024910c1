// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma rules`: the register of requirements. */
#include "conformance/base/interrupt.h"
#include "conformance/base/alloc.h"
#include "conformance/command/commands.h"
#include "conformance/describe/json.h"
#include "conformance/options/options.h"
#include "conformance/base/register.h"
#include "conformance/report/findings/findings.h"
#include "conformance/run/vector_index.h"
#include "conformance/base/count.h"
#include "conformance/base/status.h"

#include <register_words.h>

#include <stdlib.h>
#include <string.h>

struct rules {
    struct options options;
    const char *section, *scope, *role, *level; /* NULL: any */
    const char *protocol;                       /* "1", "2-04", "2-07", or NULL: any */
    char **wanted;                              /* ids, documents and sections */
    int wanted_count;                           /* 0: all */
};

/* ---- --rule of other commands ---- */

bool filter_rules(const char *command, struct chosen *names, bool **rules)
{
    if (names->count == 0)
        return true;
    *rules = alloc_zeroed(RPCRDMA_RULES, sizeof **rules);
    for (size_t i = 0; i < RPCRDMA_RULES; i++)
        (*rules)[i] = chosen_has_rule(names, rpcrdma_requirements[i].id);
    const char *missing = chosen_missing(names);
    char meant[NEAREST_TEXT];
    if (missing)
        usage_error(command, "no rule '%s'%s", missing, register_meant(missing, NULL, meant));
    chosen_free(names);
    return missing == NULL;
}

/* ---- the register ---- */

/* The drafts of version 2, each with a register of its own; version 1 is in RFCs. */
static const struct draft {
    const char *protocol, *document;
    enum rpcrdma_protocol draft;
} drafts[] = {{"2-04", "rpcrdma2-04", RPCRDMA_PROTOCOL_2_04},
              {"2-07", "rpcrdma2-07", RPCRDMA_PROTOCOL_2_07}};
#define DRAFTS COUNT(drafts)

static bool is_of_version_1(const char *id)
{
    return strncmp(id, "rpcrdma2-", 9) != 0;
}

/* A passive rule of version 1: under which id the draft has it, or RPCRDMA_RULES. */
static enum rpcrdma_rule rule_in(const struct draft *draft, const struct rpcrdma_requirement *row)
{
    enum rpcrdma_rule rule = (enum rpcrdma_rule)(row - rpcrdma_requirements);
    return row->severity < 0 ? RPCRDMA_RULES : rpcrdma_check_rule_in(draft->draft, rule);
}

/* A draft has rules of its own, and some of version 1. */
static bool is_of_protocol(const struct rpcrdma_requirement *row, const char *protocol)
{
    const struct draft *draft = drafts;
    if (strcmp(protocol, "1") == 0)
        return is_of_version_1(row->id);
    while (strcmp(draft->protocol, protocol) != 0)
        draft++;
    return register_under(row->id, draft->document) ||
           (is_of_version_1(row->id) && rule_in(draft, row) < RPCRDMA_RULES &&
            &rpcrdma_requirements[rule_in(draft, row)] == row);
}

static bool is_wanted(const struct rules *rules, const struct rpcrdma_requirement *row)
{
    if ((rules->protocol && !is_of_protocol(row, rules->protocol)) ||
        (rules->section && !register_in_section(row->id, rules->section)) ||
        (rules->scope && strcmp(rpcrdma_rule_scope_name(row->scope), rules->scope) != 0) ||
        (rules->role && strcmp(rpcrdma_rule_role_name(row->role), rules->role) != 0) ||
        (rules->level && strcmp(rpcrdma_rule_level_name(row->level), rules->level) != 0))
        return false;
    for (int i = 0; i < rules->wanted_count; i++)
        if (register_means(row->id, rules->wanted[i]))
            return true;
    return rules->wanted_count == 0;
}

/* Vectors that break the rule, or that nearly do: how many are on one line depends on the width. */
static void print_vectors(const char *title, const char *id, bool near_miss, unsigned width)
{
    struct alloc_stream list;
    unsigned count = 0;
    alloc_begin(&list);
    for (const struct vector_index_row *row = vector_index; row->rule; row++)
        if (row->near_miss == near_miss && strcmp(row->rule, id) == 0)
            fprintf(list.out, "%s%s", count++ > 0 ? ", " : "", row->id);
    char *text = alloc_end(&list);
    if (count > 0) {
        printf("    %-9s ", title);
        terminal_wrap(stdout, text, 14, 14, width);
    }
    free(text);
}

static void print_live(const char *id, unsigned width)
{
    for (const struct live_index_row *row = live_index; row->rule; row++) {
        if (strcmp(row->rule, id) != 0)
            continue;
        printf("    %-9s ", row->command);
        terminal_wrap(stdout, row->cases, 14, 14, width);
    }
}

/* With blanks, where lines can be cut. */
static void print_list(const char *title, const char *words, unsigned width)
{
    struct alloc_stream list;
    alloc_begin(&list);
    for (const char *p = words; *p != '\0'; p++)
        fprintf(list.out, *p == ',' && p[1] != ' ' ? ", " : "%c", *p);
    char *text = alloc_end(&list);
    printf("    %-9s ", title);
    terminal_wrap(stdout, text, 14, 14, width);
    free(text);
}

/* Where version 2 says the same as a rule of version 1. */
static void print_drafts(const struct rpcrdma_requirement *row, unsigned width)
{
    for (size_t i = 0; i < DRAFTS && is_of_version_1(row->id) && row->severity >= 0; i++) {
        enum rpcrdma_rule rule = rule_in(&drafts[i], row);
        printf("    in %-6s ", drafts[i].protocol);
        terminal_wrap(stdout,
                      rule == RPCRDMA_RULES                ? "does not hold"
                      : &rpcrdma_requirements[rule] == row ? "holds"
                                                           : rpcrdma_requirements[rule].id,
                      14, 14, width);
    }
}

static void print_text(const struct rpcrdma_requirement *row, const struct style *style,
                       unsigned width)
{
    printf("%s%s%s\n    ", style->bold, row->id, style->plain);
    terminal_wrap(stdout, row->text, 4, 4, width);
    printf("    %-9s %s (level %s)\n", "keyword", row->keyword,
           rpcrdma_rule_level_name(row->level));
    printf("    %-9s %s; message: %s\n", "binds", rpcrdma_rule_role_name(row->role),
           rpcrdma_rule_message_name(row->message));
    printf("    %-9s %s\n", "scope", rpcrdma_rule_scope_name(row->scope));
    if (row->severity >= 0)
        printf("    %-9s %s%s%s\n", "severity", severity_color(style, row->severity),
               rpcrdma_severity_name(row->severity), style->plain);
    char words[REGISTER_SET];
    if (row->reactions != 0)
        print_list("receiver", register_reactions(row, words), width);
    print_list("tested", register_tests(row, words), width);
    print_drafts(row, width);
    print_vectors("broken by", row->id, false, width);
    print_vectors("nearly by", row->id, true, width);
    print_live(row->id, width);
    putchar('\n');
}

static void json_vectors(struct json *json, const char *key, const char *id, bool near_miss)
{
    char name[256];
    json_open(json, key, '[');
    for (const struct vector_index_row *row = vector_index; row->rule; row++)
        if (row->near_miss == near_miss && strcmp(row->rule, id) == 0) {
            snprintf(name, sizeof name, "%s:%s", row->file, row->id);
            json_text(json, NULL, name);
        }
    json_close(json, ']');
}

static void json_live(struct json *json, const char *id)
{
    json_open(json, "live", '{');
    for (const struct live_index_row *row = live_index; row->rule; row++)
        if (strcmp(row->rule, id) == 0)
            json_text(json, row->command, row->cases);
    json_close(json, '}');
}

static void json_drafts(struct json *json, const struct rpcrdma_requirement *row)
{
    json_open(json, "drafts", '{');
    for (size_t i = 0; i < DRAFTS && is_of_version_1(row->id); i++) {
        enum rpcrdma_rule rule = rule_in(&drafts[i], row);
        if (rule < RPCRDMA_RULES)
            json_text(json, drafts[i].protocol, rpcrdma_requirements[rule].id);
    }
    json_close(json, '}');
}

static void print_json(const struct rpcrdma_requirement *row)
{
    char words[REGISTER_SET];
    char address[REGISTER_ADDRESS];
    struct json json = {.out = stdout};
    json_open(&json, NULL, '{');
    json_text(&json, "kind", "requirement");
    json_text(&json, "id", row->id);
    json_text(&json, "keyword", row->keyword);
    json_text(&json, "level", rpcrdma_rule_level_name(row->level));
    json_text(&json, "role", rpcrdma_rule_role_name(row->role));
    json_text(&json, "message", rpcrdma_rule_message_name(row->message));
    json_text(&json, "scope", rpcrdma_rule_scope_name(row->scope));
    json_text(&json, "severity", row->severity < 0 ? NULL : rpcrdma_severity_name(row->severity));
    json_text(&json, "reaction", row->reactions == 0 ? NULL : register_reactions(row, words));
    json_text(&json, "test", register_tests(row, words));
    json_text(&json, "text", row->text);
    json_text(&json, "address", register_address(row->id, address) ? address : NULL);
    json_drafts(&json, row);
    json_vectors(&json, "vectors", row->id, false);
    json_vectors(&json, "nearMisses", row->id, true);
    json_live(&json, row->id);
    json_close(&json, '}');
    json_line(&json);
}

static int print_rules(const struct rules *rules)
{
    const struct style *style = terminal_style(rules->options.color, stdout);
    unsigned width = terminal_width(stdout), count = 0;
    for (unsigned i = 0; i < RPCRDMA_RULES && !interrupted(); i++) {
        const struct rpcrdma_requirement *row = &rpcrdma_requirements[i];
        if (!is_wanted(rules, row))
            continue;
        count++;
        if (rules->options.json)
            print_json(row);
        else
            print_text(row, style, width);
    }
    if (!rules->options.json)
        printf("%u requirement%s\n", count, count == 1 ? "" : "s");
    return close_output(STATUS_GOOD);
}

/* What names nothing in the register is a slip of the user's, not an empty answer. */
static bool check_wanted(const struct rules *rules)
{
    for (int i = 0; i < rules->wanted_count; i++) {
        unsigned row = 0;
        while (row < RPCRDMA_RULES &&
               !register_means(rpcrdma_requirements[row].id, rules->wanted[i]))
            row++;
        if (row < RPCRDMA_RULES)
            continue;
        char meant[NEAREST_TEXT];
        usage_error("rules", "no requirement '%s'%s", rules->wanted[i],
                    register_meant(rules->wanted[i], NULL, meant));
        return false;
    }
    for (unsigned row = 0; rules->section && row < RPCRDMA_RULES; row++)
        if (register_in_section(rpcrdma_requirements[row].id, rules->section))
            return true;
    if (rules->section)
        usage_error("rules", "no requirement of a section '%s'", rules->section);
    return rules->section == NULL;
}

static const struct option_row options_filters[] = {
    {"protocol", "PROTOCOL",
     "{words}: version 1, or a draft of version 2, with the rules of version 1 that hold there",
     .words = "1 2-04 2-07", SETS(TEXT, struct rules, protocol)},
    {"section", "SECTION", "such as 3.4.5; 3.4 includes 3.4.5", SETS(TEXT, struct rules, section)},
    {"scope", "SCOPE", "what has to be seen: {words}", .words = REGISTER_SCOPES,
     SETS(TEXT, struct rules, scope)},
    {"role", "ROLE", "who is bound: {words}; ulb is the upper-layer binding",
     .words = REGISTER_ROLES, SETS(TEXT, struct rules, role)},
    {"level", "LEVEL", "{words}", .words = REGISTER_LEVELS, SETS(TEXT, struct rules, level)},
    {0}};

const struct command command_rules = {
    .name = "rules",
    .run = cmd_rules,
    .summary = "print the register of requirements",
    .operands = "[RULE|DOCUMENT|SECTION|WORD]...",
    .text =
        "Print the register: what is required, of whom, and how it is tested. A WORD stands for "
        "all rules in whose name it is: msgp. A SECTION may have its document before it: "
        "rfc8166/3.4.",
    .groups = (const struct option_group[]){{"Selection (a requirement has to match every filter)",
                                             NULL, options_filters},
                                            OPTION_GROUP_OUTPUT,
                                            {0}},
    .status = "0, or 2 for wrong usage, such as an id that is not in the register.",
};

int cmd_rules(int argc, char **argv)
{
    struct rules rules = {.options = OPTIONS_DEFAULT};
    int status = options_parse(&command_rules, argc, argv, &rules, NULL);
    if (status >= 0)
        return status;
    rules.wanted = argv + optind;
    rules.wanted_count = argc - optind;
    return check_wanted(&rules) ? print_rules(&rules) : STATUS_USAGE;
}
