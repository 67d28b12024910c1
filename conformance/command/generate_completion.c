// SPDX-License-Identifier: BSD-3-Clause
/*
 * Completions for bash, zsh and fish. Each shell has its own notation; what is completed is the
 * same: commands, options, the words that an option takes, files, ids of rules, cases and vectors.
 */
#include "conformance/command/generate.h"

#include "conformance/options/help.h"

#include <string.h>

#define RULE_IDS "rpcrdma rules --json 2>/dev/null | sed -n 's/.*\"id\":\"\\([^\"]*\\)\".*/\\1/p'"

/* Of the command that comes before it. */
#define CASE_IDS " --list 2>/dev/null | sed -n 's/^\\([a-z0-9][a-z0-9-]*\\).*/\\1/p'"
#define VECTOR_IDS                                                                                 \
    "rpcrdma rules --json 2>/dev/null | grep -o '[a-z0-9-]*\\.json:[a-z0-9-]*' | "                 \
    "sed 's/.*://' | sort -u"

static const char banner[] =
    "# SPDX-License-Identifier: BSD-3-Clause\n# Made by rpcrdma --generate: do not edit.\n";

static void command_name(void *out, const struct command *command)
{
    fprintf(out, "%s ", command->name);
}

/* ---- bash ---- */

static void bash_argument(void *out, const struct command *command, const struct option_row *row)
{
    static const char *const actions[] = {
        [COMPLETE_NOTHING] = "return",
        [COMPLETE_FILE] = "_rpcrdma_files; return",
        [COMPLETE_FOLDER] = "_rpcrdma_files -d; return",
        [COMPLETE_COMMAND] = "mapfile -t COMPREPLY < <(compgen -c -- \"$word\"); return",
        [COMPLETE_RULE] = "words=$(_rpcrdma_rules)",
        [COMPLETE_CASE] = "words=$(_rpcrdma_cases \"$command\")",
        [COMPLETE_VECTOR] = "words=$(_rpcrdma_vectors)",
    };
    if (row->argument == NULL || row->argument[0] == '[')
        return;
    fprintf(out, "    %s:--%s) ", command->name, row->name);
    if (row->kind == OPTION_NAMES)
        fputs("head=${word%\"${word##*,}\"} ", out);
    if (row->words)
        fprintf(out, "words='%s' ;;\n", row->words);
    else
        fprintf(out, "%s ;;\n", actions[generate_kind(row)]);
}

static void bash_arguments(void *out, const struct command *command)
{
    generate_rows(command, bash_argument, out);
}

static void bash_option(void *out, const struct command *command, const struct option_row *row)
{
    (void)command; /* its options are in one line */
    fprintf(out, "--%s ", row->name);
}

static void bash_options(void *out, const struct command *command)
{
    fprintf(out, "        %s:-*) words='", command->name);
    generate_rows(command, bash_option, out);
    fputs("' ;;\n", out);
    if (generate_operands(command) == COMPLETE_RULE)
        fprintf(out, "        %s:*) words=$(_rpcrdma_rules) ;;\n", command->name);
}

void generate_bash(FILE *out, command_lists lists)
{
    fputs(banner, out);
    fputs("# shellcheck shell=bash\n\n"
          "_rpcrdma_rules() {\n    " RULE_IDS "\n}\n\n"
          "_rpcrdma_cases() {\n    rpcrdma \"$1\"" CASE_IDS "\n}\n\n"
          "_rpcrdma_vectors() {\n    " VECTOR_IDS "\n}\n\n"
          "_rpcrdma_files() {\n"
          "    compopt -o filenames 2>/dev/null\n"
          "    mapfile -t COMPREPLY < <(compgen \"${1:--f}\" -- \"$word\")\n"
          "}\n\n"
          "_rpcrdma() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local command=${COMP_WORDS[1]} words='' head=''\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        mapfile -t COMPREPLY < <(compgen -W '",
          out);
    generate_commands(lists, command_name, out);
    fputs("help version --help --version' -- \"$word\")\n"
          "        return\n"
          "    fi\n"
          "    case $command:$before in\n",
          out);
    generate_commands(lists, bash_arguments, out);
    fputs("    *)\n"
          "        case $command:$word in\n",
          out);
    generate_commands(lists, bash_options, out);
    fputs("        help:*) words='", out);
    generate_commands(lists, command_name, out);
    fputs("' ;;\n"
          "        *) _rpcrdma_files; return ;;\n"
          "        esac\n"
          "        ;;\n"
          "    esac\n"
          "    mapfile -t COMPREPLY < <(compgen -P \"$head\" -W \"$words\" -- "
          "\"${word#\"$head\"}\")\n"
          "}\n\n"
          "complete -F _rpcrdma rpcrdma\n",
          out);
}

/* ---- zsh ---- */

/* Inside '...' and [...] of _arguments. */
static void zsh_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            fputs("'\\''", out);
            continue;
        }
        if (strchr("[]:\\", *text))
            putc('\\', out);
        putc(*text, out);
    }
}

/* Of several with commas each is completed in the same way. */
static void zsh_action(FILE *out, enum complete kind, const char *words, bool is_several)
{
    static const char *const actions[] = {
        [COMPLETE_NOTHING] = " ",
        [COMPLETE_FILE] = "_files",
        [COMPLETE_FOLDER] = "_files -/",
        [COMPLETE_COMMAND] = "_command_names -e",
        [COMPLETE_RULE] = "_rpcrdma_rules",
        [COMPLETE_CASE] = "_rpcrdma_cases",
        [COMPLETE_VECTOR] = "_rpcrdma_vectors",
    };
    if (is_several && kind != COMPLETE_NOTHING)
        fputs("_sequence ", out);
    if (is_several && words)
        fprintf(out, "compadd - %s", words);
    else if (words)
        fprintf(out, "(%s)", words);
    else
        fputs(actions[kind], out);
}

static void zsh_option(void *arg, const struct command *command, const struct option_row *row)
{
    FILE *out = arg;
    char text[HELP_TEXT];
    bool optional = row->argument && row->argument[0] == '[';
    bool is_several = row->kind == OPTION_NAMES;
    (void)command; /* its options are in one call */
    fprintf(out, " \\\n            '%s--%s%s[", is_several ? "*" : "", row->name,
            optional ? "=-" : "");
    zsh_text(out, help_text(row, text));
    putc(']', out);
    if (row->argument) {
        fputs(optional ? "::" : ":", out);
        zsh_text(out, row->argument);
        putc(':', out);
        zsh_action(out, generate_kind(row), row->words, is_several);
    }
    putc('\'', out);
}

static void zsh_command(void *arg, const struct command *command)
{
    FILE *out = arg;
    fprintf(out, "    %s)\n        _arguments", command->name);
    generate_rows(command, zsh_option, out);
    fputs(" \\\n            '*:operand:", out);
    zsh_action(out, generate_operands(command), NULL, false);
    fputs("'\n        ;;\n", out);
}

static void zsh_name(void *arg, const struct command *command)
{
    FILE *out = arg;
    fprintf(out, "            '%s:", command->name);
    zsh_text(out, command->summary);
    fputs("'\n", out);
}

void generate_zsh(FILE *out, command_lists lists)
{
    fprintf(out, "#compdef rpcrdma\n%s\n", banner);
    fputs("_rpcrdma_rules() {\n"
          "    local -a ids\n"
          "    ids=(${(f)\"$(" RULE_IDS ")\"})\n"
          "    compadd \"$@\" -a ids\n"
          "}\n\n"
          "_rpcrdma_cases() {\n"
          "    local -a ids\n"
          "    ids=(${(f)\"$(rpcrdma $command" CASE_IDS ")\"})\n"
          "    compadd \"$@\" -a ids\n"
          "}\n\n"
          "_rpcrdma_vectors() {\n"
          "    local -a ids\n"
          "    ids=(${(f)\"$(" VECTOR_IDS ")\"})\n"
          "    compadd \"$@\" -a ids\n"
          "}\n\n"
          "_rpcrdma() {\n"
          "    if (( CURRENT == 2 )); then\n"
          "        local -a commands\n"
          "        commands=(\n",
          out);
    generate_commands(lists, zsh_name, out);
    fputs("            'help:print the commands, or the help of one'\n"
          "            'version:print the version'\n"
          "            '--help:print the commands'\n"
          "            '--version:print the version'\n"
          "        )\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    local command=$words[2]\n"
          "    shift words\n"
          "    (( CURRENT-- ))\n"
          "    case $command in\n",
          out);
    generate_commands(lists, zsh_command, out);
    fputs("    help) compadd ", out);
    generate_commands(lists, command_name, out);
    fputs(";;\n"
          "    esac\n"
          "}\n\n"
          "_rpcrdma \"$@\"\n",
          out);
}

/* ---- fish ---- */

static void fish_text(FILE *out, const char *text)
{
    putc('\'', out);
    for (; *text != '\0'; text++) {
        if (*text == '\'' || *text == '\\')
            putc('\\', out);
        putc(*text, out);
    }
    putc('\'', out);
}

/* What makes the words, or NULL. */
static const char *fish_words(enum complete kind)
{
    static const char *const makers[COMPLETE_KINDS] = {
        [COMPLETE_FOLDER] = "__fish_complete_directories",
        [COMPLETE_COMMAND] = "__fish_complete_command",
        [COMPLETE_RULE] = "__rpcrdma_rules",
        [COMPLETE_CASE] = "__rpcrdma_cases",
        [COMPLETE_VECTOR] = "__rpcrdma_vectors",
    };
    return makers[kind];
}

static void fish_action(FILE *out, const char *command, const struct option_row *row)
{
    enum complete kind = generate_kind(row);
    /* The tab: a word has no description, else each has that of the option. */
    const char *maker = row->words ? "printf %s\\t\\n" : fish_words(kind);
    const char *of = row->words ? row->words : kind == COMPLETE_CASE ? command : NULL;
    bool is_several = row->kind == OPTION_NAMES;
    fputs(kind == COMPLETE_FILE ? " -r -F" : " -x", out);
    if (maker)
        fprintf(out, " -a '(%s%s%s%s%s)'", is_several ? "__fish_complete_list , \"" : "", maker,
                of ? " " : "", of ? of : "", is_several ? "\"" : "");
}

static void fish_option(void *arg, const struct command *command, const struct option_row *row)
{
    FILE *out = arg;
    char text[HELP_TEXT];
    fprintf(out, "complete -c rpcrdma -n '__fish_seen_subcommand_from %s' -l %s", command->name,
            row->name);
    if (row->argument && row->argument[0] != '[')
        fish_action(out, command->name, row);
    fputs(" -d ", out);
    fish_text(out, help_text(row, text));
    putc('\n', out);
}

static void fish_command(void *arg, const struct command *command)
{
    FILE *out = arg;
    fprintf(out, "complete -c rpcrdma -n __fish_use_subcommand -a %s -d ", command->name);
    fish_text(out, command->summary);
    putc('\n', out);
    generate_rows(command, fish_option, out);
    if (generate_operands(command) == COMPLETE_RULE)
        fprintf(out,
                "complete -c rpcrdma -n '__fish_seen_subcommand_from %s' -f -a "
                "'(__rpcrdma_rules)'\n",
                command->name);
}

void generate_fish(FILE *out, command_lists lists)
{
    fputs(banner, out);
    fputs(
        "\nfunction __rpcrdma_rules\n    " RULE_IDS "\nend\n"
        "\nfunction __rpcrdma_cases\n    rpcrdma $argv[1]" CASE_IDS "\nend\n"
        "\nfunction __rpcrdma_vectors\n    " VECTOR_IDS "\nend\n\n"
        "complete -c rpcrdma -n __fish_use_subcommand -f\n"
        "complete -c rpcrdma -n __fish_use_subcommand -a help -d 'Print the commands, or the help "
        "of one.'\n"
        "complete -c rpcrdma -n __fish_use_subcommand -a version -d 'Print the version.'\n"
        "complete -c rpcrdma -n __fish_use_subcommand -l help -d 'Print the commands.'\n"
        "complete -c rpcrdma -n __fish_use_subcommand -l version -d 'Print the version.'\n",
        out);
    generate_commands(lists, fish_command, out);
    fputs("complete -c rpcrdma -n '__fish_seen_subcommand_from help' -f -a '", out);
    generate_commands(lists, command_name, out);
    fputs("'\n", out);
}
