// SPDX-License-Identifier: BSD-3-Clause
/* xdrgen: compile an XDR specification (RFC 4506) into a C codec. */
#include "gen/back/emit.h"
#include "gen/front/diag.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: xdrgen [OPTION]... FILE.x\n"
    "Compile the XDR specification FILE.x (RFC 4506) into a C codec that decodes without copying,\n"
    "without heap and without recursion.\n"
    "\n"
    "      --header=FILE        write the codec's public header\n"
    "      --source=FILE        write the codec's source, which includes <rpcrdma/xdr_runtime.h>\n"
    "      --tables=FILE        write tables that describe each type, for table-driven tools\n"
    "      --banner=TEXT        begin each file with TEXT; a copyright notice that FILE.x begins "
    "with\n"
    "                           follows it in any case\n"
    "      --title=TEXT         what comments call the specification: RFC 8166; with the section "
    "that\n"
    "                           the nearest comment of FILE.x names\n"
    "      --include=NAME       how the source includes the header (default: as --header)\n"
    "      --root=TYPE          make decode and encode calls for TYPE, and leave out types that "
    "no\n"
    "                           root contains; may be repeated (default: types only)\n"
    "      --prefix=PREFIX      put before the C names of types and functions\n"
    "      --const-prefix=P     put before the C names of constants and enumerators\n"
    "      --strip=PREFIX       take off the front of XDR type names first\n"
    "      --const-strip=P      take off the front of names of constants and enumerators first\n"
    "      --names=FILE         lines \"XDRNAME CNAME\" that replace single names before "
    "--prefix;\n"
    "                           # begins a comment; a line that applies to nothing is an error;\n"
    "                           structs of the same fields may have one name\n"
    "      --inline             inline all of each decode call: faster, larger; for small FILE.x\n"
    "      --offsets            say in the header, as constants, where words of fixed place are\n"
    "      --reduced            make calls that decode where items were taken out (RFC 8166)\n"
    "      --acsl               annotate with contracts, which Frama-C's WP proves\n"
    "      --eva                keep failed paths apart for Frama-C's Eva\n"
    "      --check-only         only check FILE.x\n"
    "      --count              print how many definitions FILE.x has, by kind\n"
    "  -h, --help               show this help and exit\n"
    "\n"
    "Exit status: 0 done; 1 the specification is wrong, which is said as FILE:LINE:COLUMN; 2 "
    "wrong\n"
    "usage; 3 a file cannot be read or written.\n";

enum option_id {
    OPT_HEADER = 256,
    OPT_SOURCE,
    OPT_TABLES,
    OPT_INCLUDE,
    OPT_ROOT,
    OPT_PREFIX,
    OPT_CONST_PREFIX,
    OPT_STRIP,
    OPT_CONST_STRIP,
    OPT_NAMES,
    OPT_ACSL,
    OPT_EVA,
    OPT_BANNER,
    OPT_TITLE,
    OPT_CHECK_ONLY,
    OPT_INLINE,
    OPT_OFFSETS,
    OPT_REDUCED,
    OPT_COUNT
};

static const struct option options[] = {
    {"header", required_argument, NULL, OPT_HEADER},
    {"source", required_argument, NULL, OPT_SOURCE},
    {"tables", required_argument, NULL, OPT_TABLES},
    {"include", required_argument, NULL, OPT_INCLUDE},
    {"root", required_argument, NULL, OPT_ROOT},
    {"prefix", required_argument, NULL, OPT_PREFIX},
    {"const-prefix", required_argument, NULL, OPT_CONST_PREFIX},
    {"strip", required_argument, NULL, OPT_STRIP},
    {"const-strip", required_argument, NULL, OPT_CONST_STRIP},
    {"names", required_argument, NULL, OPT_NAMES},
    {"inline", no_argument, NULL, OPT_INLINE},
    {"offsets", no_argument, NULL, OPT_OFFSETS},
    {"reduced", no_argument, NULL, OPT_REDUCED},
    {"acsl", no_argument, NULL, OPT_ACSL},
    {"eva", no_argument, NULL, OPT_EVA},
    {"title", required_argument, NULL, OPT_TITLE},
    {"banner", required_argument, NULL, OPT_BANNER},
    {"check-only", no_argument, NULL, OPT_CHECK_ONLY},
    {"count", no_argument, NULL, OPT_COUNT},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

#define ROOTS_MAX 64
#define RENAMES_MAX 256

struct job {
    const char *header, *source, *tables, *include, *names;
    const char *roots[ROOTS_MAX];
    unsigned root_count;
    bool check_only, count;
    struct naming naming;
};

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

static void parse_options(int argc, char **argv, struct job *job)
{
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        switch (option) {
        case OPT_HEADER:
            job->header = optarg;
            break;
        case OPT_SOURCE:
            job->source = optarg;
            break;
        case OPT_TABLES:
            job->tables = optarg;
            break;
        case OPT_INCLUDE:
            job->include = optarg;
            break;
        case OPT_ROOT:
            if (job->root_count == ROOTS_MAX)
                fail(2, optarg, "too many roots");
            job->roots[job->root_count++] = optarg;
            break;
        case OPT_PREFIX:
            job->naming.prefix = optarg;
            break;
        case OPT_CONST_PREFIX:
            job->naming.const_prefix = optarg;
            break;
        case OPT_STRIP:
            job->naming.strip = optarg;
            break;
        case OPT_CONST_STRIP:
            job->naming.const_strip = optarg;
            break;
        case OPT_NAMES:
            read_names(&job->naming, optarg);
            break;
        case OPT_ACSL:
            job->naming.acsl = true;
            break;
        case OPT_EVA:
            job->naming.eva = true;
            break;
        case OPT_TITLE:
            job->naming.title = optarg;
            break;
        case OPT_BANNER:
            job->naming.banner = optarg;
            break;
        case OPT_REDUCED:
            job->naming.reduced = true;
            break;
        case OPT_OFFSETS:
            job->naming.offsets = true;
            break;
        case OPT_INLINE:
            job->naming.inline_all = true;
            break;
        case OPT_CHECK_ONLY:
            job->check_only = true;
            break;
        case OPT_COUNT:
            job->count = true;
            break;
        case 'h':
            fputs(usage, stdout);
            exit(0);
        default:
            fputs("Try 'xdrgen --help'.\n", stderr);
            exit(2);
        }
    }
}

int main(int argc, char **argv)
{
    struct job job = {.naming = {.prefix = "", .const_prefix = "", .banner = ""}};
    parse_options(argc, argv, &job);
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
