// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/report/outcome/gathered.h"

#include "conformance/base/count.h"
#include "conformance/base/output.h"
#include "conformance/base/status.h"
#include "conformance/report/results/html.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The files that commands name themselves, and what they are. */
static const struct {
    const char *name, *what;
} known_files[] = {
    {"report.html", "the report, to be read"},
    {"junit.xml", "the results for a CI, as JUnit XML"},
    {"results.json", "the results, one JSON object a line"},
    {"findings.sarif", "the findings for code review, as SARIF"},
    {"recorded.json", "what was sent and received, as vectors"},
};

static const char *ending(const struct command *command, int status)
{
    switch (status) {
    case STATUS_GOOD:
        return command->ends[0] ? command->ends[0] : "all as required";
    case STATUS_VIOLATED:
        return command->ends[1] ? command->ends[1]
                                : "something failed, or a failure that was expected did not occur";
    case STATUS_USAGE:
        return "wrong usage";
    case STATUS_UNREADABLE:
        return "an input could not be read, or an output not written";
    case STATUS_INTERRUPTED:
        return "interrupted";
    default:
        return "no peer could be reached";
    }
}

static bool is_among(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

static void print_files(FILE *out, const char *folder, const char *const *names)
{
    for (size_t i = 0; i < COUNT(known_files); i++) {
        const char *name = known_files[i].name;
        char path[4096];
        struct stat status;
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (is_among(names, name) && stat(path, &status) == 0 && S_ISREG(status.st_mode))
            fprintf(out,
                    "<tr><td class=\"text\"><a href=\"./%s\">%s</a></td>"
                    "<td class=\"count\">%lld</td><td>%s</td></tr>\n",
                    name, name, (long long)status.st_size, known_files[i].what);
    }
}

/* The way from a folder to a file, both without links; "" ends in no slash. */
static void print_way(FILE *out, const char *folder, const char *file, void (*print)(FILE *, char))
{
    size_t same = 0, i = 0; /* what both have, with its last slash */
    for (; folder[i] != '\0' && folder[i] == file[i]; i++)
        if (file[i] == '/')
            same = i + 1;
    const char *rest = folder + same;
    if (folder[i] == '\0' && file[i] == '/') {
        same = i + 1;
        rest = "";
    }
    fputs(*rest != '\0' ? "" : "./", out);
    for (; *rest != '\0'; rest = strchr(rest, '/') ? strchr(rest, '/') + 1 : "")
        fputs("../", out);
    for (; file[same] != '\0'; same++)
        print(out, file[same]);
}

static void put_text(FILE *out, char c)
{
    html_text(out, (char[]){c, '\0'});
}

static void put_address(FILE *out, char c)
{
    fprintf(out, isalnum((unsigned char)c) || strchr("/-._~", c) ? "%c" : "%%%02X",
            (unsigned char)c);
}

static void print_link(FILE *out, const char *folder, const char *path)
{
    struct stat status;
    char *from = realpath(folder, NULL), *to = realpath(path, NULL);
    if (from && to && stat(to, &status) == 0 && S_ISREG(status.st_mode)) {
        fputs("<a href=\"", out);
        print_way(out, from, to, put_address);
        fputs("\">", out);
        print_way(out, from, to, put_text);
        fprintf(out, "</a></td><td class=\"count\">%lld</td>", (long long)status.st_size);
    } else {
        html_text(out, path);
        fputs("</td><td></td>", out);
    }
    free(from);
    free(to);
}

/* Those that an option of their own puts elsewhere. */
static void print_others(FILE *out, const char *folder, const char *const *names)
{
    for (; *names; names++) {
        if (strchr(*names, '/') == NULL)
            continue;
        fputs("<tr><td class=\"text\">", out);
        print_link(out, folder, *names);
        fputs("<td>where its option says</td></tr>\n", out);
    }
}

static void print_index(FILE *out, const struct gathered *gathered, const char *end, int status)
{
    char *const *words = gathered->words;
    fprintf(out,
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>rpcrdma %s</title>\n<style>%s</style>\n<h1>rpcrdma %s</h1>\n<p><code>",
            words[1], html_style, words[1]);
    for (int i = 0; words[i]; i++) {
        fputs(i > 0 ? " " : "", out);
        html_text(out, words[i]);
    }
    fprintf(out,
            "</code></p>\n<p>Exit status %d: %s. Version " RPCRDMA_KIT_VERSION ".%s</p>\n"
            "<div class=\"wide\"><table><thead><tr><th>File</th><th class=\"count\">Octets</th>"
            "<th></th></tr></thead>\n",
            status, end,
            *gathered->names
                ? ""
                : " No report was written: what else is in this folder is of an earlier run.");
    print_files(out, gathered->folder, gathered->names);
    print_others(out, gathered->folder, gathered->names);
    fputs("</table></div>\n</html>\n", out);
}

int gathered_index(const struct gathered *gathered, const struct command *command, int status)
{
    struct output output;
    bool good = output_begin(&output, gathered->index);
    if (good) {
        print_index(output.stream, gathered, ending(command, status), status);
        good = output_end(&output);
    }
    return good ? status : STATUS_UNREADABLE;
}
