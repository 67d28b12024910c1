// SPDX-License-Identifier: BSD-3-Clause
/* xdrgen: compile an XDR specification (RFC 4506) into a C codec. */
#include "gen/back/emit.h"
#include "gen/front/diag.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define ROOTS_MAX 64
#define RENAMES_MAX 256

struct job {
    const char *header, *source, *tables, *include, *names;
    const char *roots[ROOTS_MAX];
    unsigned root_count;
    bool check_only, count;
    struct naming naming;
};
static struct job job = {.naming = {.prefix = "", .const_prefix = "", .banner = ""}};

static void fail(int status, const char *what, const char *why)
{
    fprintf(stderr, "xdrgen: %s: %s\n", what, why);
    exit(status);
}

static void add_rename(struct naming *naming, const char *file, unsigned line, char *words)
{
    char *from = strtok(words, " \t\n");
    char *to = from ? strtok(NULL, " \t\n") : NULL;
    if (from == NULL || from[0] == '#')
        return;
    if (to == NULL || strtok(NULL, " \t\n") != NULL) {
        fprintf(stderr, "%s:%u:1: error: expected two names\n", file, line);
        exit(1);
    }
    if (naming->rename_count == RENAMES_MAX)
        fail(3, file, "too many names");
    if (naming->renames == NULL)
        naming->renames = diag_alloc(RENAMES_MAX, sizeof *naming->renames);
    naming->renames[naming->rename_count++] =
        (struct rename){text("%s", from), text("%s", to), {file, line, 1}, false};
}

static void read_names(struct naming *naming, const char *file)
{
    char line[256];
    FILE *in = fopen(file, "r");
    if (in == NULL)
        fail(3, file, strerror(errno));
    for (unsigned number = 1; fgets(line, sizeof line, in); number++)
        add_rename(naming, file, number, line);
    fclose(in);
}

/* Generated code goes to memory first: a file is written whole or not at all. */
struct made_file {
    char *code;
    size_t size;
    FILE *stream;
};

static FILE *create(struct made_file *output)
{
    output->stream = open_memstream(&output->code, &output->size);
    if (output->stream == NULL)
        fail(3, "memory", strerror(errno));
    return output->stream;
}

static void finish(struct made_file *output, const char *file)
{
    bool lost = fclose(output->stream) != 0;
    if (lost)
        fail(3, "memory", strerror(errno));
    FILE *out = fopen(file, "w");
    if (out == NULL)
        fail(3, file, strerror(errno));
    pretty(out, output->code);
    free(output->code);
    bool bad = ferror(out);
    if (fclose(out) != 0 || bad)
        fail(3, file, strerror(errno));
}

static const char *guard_of(const char *include)
{
    char *guard = text("%s", include);
    for (char *c = guard; *c; c++)
        if (*c >= 'a' && *c <= 'z')
            *c = (char)(*c - 'a' + 'A');
        else if ((*c < 'A' || *c > 'Z') && (*c < '0' || *c > '9'))
            *c = '_';
    return guard;
}

static void count_definitions(const struct spec *spec)
{
    static const char *const kinds[] = {"const", "enum", "struct", "union", "typedef"};
    unsigned counts[5] = {0};
    for (const struct def *def = spec->defs; def; def = def->next)
        if (!def->is_inline)
            counts[def->kind]++;
    for (int i = 0; i < 5; i++)
        printf("%s %u\n", kinds[i], counts[i]);
}

/* ---- options ---- */

static void add_root(const char *root)
{
    if (job.root_count == ROOTS_MAX)
        fail(2, root, "too many roots");
    job.roots[job.root_count++] = root;
}

static void take_names(const char *file)
{
    read_names(&job.naming, file);
}

static void print_usage(const char *nothing);

/* Each sets a text or a flag, or is taken by a function. */
static const struct option_row {
    const char *name, *argument; /* NULL: it takes none */
    const char *help;            /* lines */
    const char **text;
    bool *flag;
    void (*take)(const char *argument);
} rows[] = {
    {"header", "FILE", "write the codec's public header", .text = &job.header},
    {"source", "FILE", "write the codec's source, which includes <rpcrdma/xdr_runtime.h>",
     .text = &job.source},
    {"tables", "FILE", "write tables that describe each type, for table-driven tools",
     .text = &job.tables},
    {"banner", "TEXT",
     "begin each file with TEXT; a copyright notice that FILE.x begins with\n"
     "follows it in any case",
     .text = &job.naming.banner},
    {"title", "TEXT",
     "what comments call the specification: RFC 8166; with the section that\n"
     "the nearest comment of FILE.x names",
     .text = &job.naming.title},
    {"include", "NAME", "how the source includes the header (default: as --header)",
     .text = &job.include},
    {"root", "TYPE",
     "make decode and encode calls for TYPE, and leave out types that no\n"
     "root contains; may be repeated (default: types only)",
     .take = add_root},
    {"prefix", "PREFIX", "put before the C names of types and functions",
     .text = &job.naming.prefix},
    {"const-prefix", "P", "put before the C names of constants and enumerators",
     .text = &job.naming.const_prefix},
    {"strip", "PREFIX", "take off the front of XDR type names first", .text = &job.naming.strip},
    {"const-strip", "P", "take off the front of names of constants and enumerators first",
     .text = &job.naming.const_strip},
    {"names", "FILE",
     "lines \"XDRNAME CNAME\" that replace single names before --prefix;\n"
     "# begins a comment; a line that applies to nothing is an error;\n"
     "structs of the same fields may have one name",
     .take = take_names},
    {"inline", NULL, "inline all of each decode call: faster, larger; for small FILE.x",
     .flag = &job.naming.inline_all},
    {"offsets", NULL, "say in the header, as constants, where words of fixed place are",
     .flag = &job.naming.offsets},
    {"reduced", NULL, "make calls that decode where items were taken out (RFC 8166)",
     .flag = &job.naming.reduced},
    {"acsl", NULL, "annotate with contracts, which Frama-C's WP proves", .flag = &job.naming.acsl},
    {"eva", NULL, "keep failed paths apart for Frama-C's Eva", .flag = &job.naming.eva},
    {"check-only", NULL, "only check FILE.x", .flag = &job.check_only},
    {"count", NULL, "print how many definitions FILE.x has, by kind", .flag = &job.count},
    {"help", NULL, "show this help and exit", .take = print_usage},
};
enum { ROWS = sizeof rows / sizeof rows[0], HELP = ROWS - 1, HELP_COLUMN = 27 };

static void print_row(const struct option_row *row)
{
    int column = printf("%s--%s%s%s", row == &rows[HELP] ? "  -h, " : "      ", row->name,
                        row->argument ? "=" : "", row->argument ? row->argument : "");
    printf("%*s", HELP_COLUMN - column, "");
    for (const char *c = row->help; *c; c++)
        if (*c == '\n')
            printf("\n%*s", HELP_COLUMN, "");
        else
            putchar(*c);
    putchar('\n');
}

static void print_usage(const char *nothing)
{
    (void)nothing;
    fputs("Usage: xdrgen [OPTION]... FILE.x\n"
          "Compile the XDR specification FILE.x (RFC 4506) into a C codec that decodes without "
          "copying,\n"
          "without heap and without recursion.\n\n",
          stdout);
    for (int i = 0; i < ROWS; i++)
        print_row(&rows[i]);
    fputs("\nExit status: 0 done; 1 the specification is wrong, which is said as FILE:LINE:COLUMN; "
          "2 wrong\nusage; 3 a file cannot be read or written.\n",
          stdout);
    exit(0);
}

static void parse_options(int argc, char **argv)
{
    enum { FIRST = 256 };
    struct option options[ROWS + 1] = {{NULL, 0, NULL, 0}};
    for (int i = 0; i < ROWS; i++)
        options[i] = (struct option){
            rows[i].name, rows[i].argument ? required_argument : no_argument, NULL, FIRST + i};
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        int i = option == 'h' ? HELP : option - FIRST;
        if (i < 0) {
            fputs("Try 'xdrgen --help'.\n", stderr);
            exit(2);
        }
        if (rows[i].text)
            *rows[i].text = optarg;
        else if (rows[i].flag)
            *rows[i].flag = true;
        else
            rows[i].take(optarg);
    }
}

int main(int argc, char **argv)
{
    parse_options(argc, argv);
    if (optind + 1 != argc)
        fail(2, "usage", "one FILE.x is expected; try 'xdrgen --help'");
    struct spec *spec = xdr_parse(argv[optind]);
    if (spec == NULL || !xdr_check(spec))
        return 1;
    if (job.count)
        count_definitions(spec);
    if (job.check_only || job.count)
        return 0;
    if (!back_prepare(spec, &job.naming, job.roots, job.root_count))
        return 1;
    if (job.include == NULL)
        job.include = job.header ? job.header : "codec.h";
    struct made_file output;
    if (job.header) {
        if (!emit_header(create(&output), spec, &job.naming, guard_of(job.include), job.roots,
                         job.root_count))
            return 1;
        finish(&output, job.header);
    }
    if (job.source) {
        emit_source(create(&output), spec, &job.naming, job.include, job.roots, job.root_count);
        finish(&output, job.source);
    }
    if (job.tables) {
        emit_tables(create(&output), spec, &job.naming, job.roots, job.root_count);
        finish(&output, job.tables);
    }
    return 0;
}
