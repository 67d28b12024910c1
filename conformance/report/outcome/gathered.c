// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/report/outcome/gathered.h"

#include "conformance/base/alloc.h"
#include "conformance/base/output.h"
#include "conformance/base/status.h"
#include "conformance/report/results/html.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define INDEX "index.html"

/* What the files are that commands name themselves. */
static const struct {
    const char *name, *what;
} known_files[] = {
    {"report.html", "the report, to be read"},
    {"junit.xml", "the results for a CI, as JUnit XML"},
    {"results.json", "the results, one JSON object a line"},
    {"findings.sarif", "the findings for code review, as SARIF"},
    {"recorded.json", "what was sent and received, as vectors"},
};

static const char *ending(int status)
{
    switch (status) {
    case STATUS_GOOD:
        return "nothing found";
    case STATUS_VIOLATED:
        return "violations found";
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

static void print_file(FILE *out, const char *name, long long size)
{
    const char *what = "";
    for (size_t i = 0; i < sizeof known_files / sizeof *known_files; i++)
        if (strcmp(known_files[i].name, name) == 0)
            what = known_files[i].what;
    fputs("<tr><td class=\"text\"><a href=\"./", out);
    for (const unsigned char *c = (const unsigned char *)name; *c; c++)
        fprintf(out, strchr("%?#\"&<>' ", *c) || *c < ' ' || *c > '~' ? "%%%02x" : "%c", *c);
    fputs("\">", out);
    html_text(out, name);
    fprintf(out, "</a></td><td class=\"count\">%lld</td><td>%s</td></tr>\n", size, what);
}

static int is_listed(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strcmp(entry->d_name, INDEX) != 0;
}

static void print_files(FILE *out, const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_listed, alphasort);
    for (int i = 0; i < count; i++) {
        char path[4096];
        struct stat status;
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
            print_file(out, entries[i]->d_name, (long long)status.st_size);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static void print_index(FILE *out, const char *folder, char *const *words, int status)
{
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
            "</code></p>\n<p>Exit status %d: %s. Version " RPCRDMA_KIT_VERSION ".</p>\n"
            "<div class=\"wide\"><table><thead><tr><th>File</th><th class=\"count\">Octets</th>"
            "<th></th></tr></thead>\n",
            status, ending(status));
    print_files(out, folder);
    fputs("</table></div>\n</html>\n", out);
}

int gathered_index(const char *folder, char *const *words, int status)
{
    size_t length = strlen(folder) + sizeof "/" INDEX;
    char *path = alloc_zeroed(length, 1);
    snprintf(path, length, "%s/%s", folder, INDEX);
    struct output output;
    bool good = output_begin(&output, path);
    if (good) {
        print_index(output.stream, folder, words, status);
        good = output_end(&output);
    }
    free(path);
    return good ? status : STATUS_UNREADABLE;
}
