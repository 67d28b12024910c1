// SPDX-License-Identifier: BSD-3-Clause
/* What pages of results have in common. */
#include "conformance/report/results/results_pieces.h"

#include "conformance/base/alloc.h"
#include "conformance/report/results/html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void result_put_name(FILE *out, const struct result *result)
{
    struct alloc_stream name;
    alloc_begin(&name);
    result_print_name(name.out, result);
    char *text = alloc_end(&name);
    html_text(out, text);
    free(text);
}

size_t result_section_length(const char *id)
{
    const char *slash = strrchr(id, '/');
    return slash ? (size_t)(slash - id) : strlen(id);
}

void result_put_section(FILE *out, const char *id)
{
    const char *slash = strchr(id, '/');
    bool is_rfc = strncmp(id, "rfc", 3) == 0;
    fprintf(out, "%s%.*s", is_rfc ? "RFC " : "", (int)(slash - id) - 3 * is_rfc, id + 3 * is_rfc);
    fprintf(out, " section %.*s", (int)(result_section_length(id) - (size_t)(slash + 1 - id)),
            slash + 1);
}

void result_put_ending(FILE *out, const struct result *result)
{
    enum grade grade = grade_of(result->ending, result->level);
    fprintf(out, "<span class=\"grade %s\">%s</span>%s", grade_names[grade],
            ending_titles[result->ending], result->known ? " (expected)" : "");
}

void result_put_sends(FILE *out, const struct result *result)
{
    fputs("<p>", out);
    html_text(out, result->comment);
    fputs("</p>\n<p class=dim>", out);
    html_text(out, result->type);
    if (!result->left_out)
        fprintf(out, " of %zu octets", result->length);
    fputs(" from the ", out);
    html_text(out, result->from);
    if (result->role) {
        fputs(", received as a ", out);
        html_text(out, result->role);
    }
    if (result->offset >= 0) {
        fprintf(out, "; at fault: octet %" PRId64, result->offset);
        if (result->field) {
            fputs(", <code>", out);
            html_text(out, result->field);
            fputs("</code>", out);
        }
    }
    fputs(result->left_out ? "; its octets were left out</p>\n" : "</p>\n", out);
    if (result->left_out)
        return;
    html_octets(out, result->octets, result->length, result->offset);
    if (result->answer) {
        bool client = strcmp(result->from, "client") == 0;
        fprintf(out, "<p class=dim>send of %zu octets from the %s</p>\n", result->answer_length,
                client ? "server" : "client");
        html_octets(out, result->answer, result->answer_length, -1);
    }
}
