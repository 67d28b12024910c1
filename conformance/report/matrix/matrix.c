// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/report/matrix/matrix.h"

#include "conformance/base/alloc.h"
#include "conformance/base/count.h"
#include "conformance/base/text.h"
#include "conformance/report/results/html.h"

#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

static const char *word(const char *text)
{
    return text ? text : "";
}

static int compare_peers(const struct results *a, const struct results *b)
{
    int order = strcmp(word(a->about.peer), word(b->about.peer));
    order = order != 0 ? order : strcmp(word(a->about.side), word(b->about.side));
    return order != 0 ? order : strcmp(word(a->about.transport), word(b->about.transport));
}

/* Dates of this form are in the order of their texts. */
static int compare_runs(const void *a, const void *b)
{
    const struct results *left = *(const struct results *const *)a;
    const struct results *right = *(const struct results *const *)b;
    int order = compare_peers(left, right);
    order = order != 0 ? order : strcmp(word(left->about.date), word(right->about.date));
    return order != 0 ? order : (left > right) - (left < right);
}

void matrix_make(struct matrix *matrix, const struct results *runs, size_t count)
{
    const struct results **order = alloc_zeroed(count, sizeof *order);
    for (size_t i = 0; i < count; i++)
        order[i] = &runs[i];
    qsort(order, count, sizeof *order, compare_runs);
    matrix->columns = alloc_zeroed(count, sizeof *matrix->columns);
    matrix->count = 0;
    for (size_t i = 0; i < count; i++) {
        bool again = i > 0 && compare_peers(order[i - 1], order[i]) == 0;
        struct matrix_column *column =
            &matrix->columns[again ? matrix->count - 1 : matrix->count++];
        column->before = again ? order[i - 1] : NULL;
        column->latest = order[i];
    }
    free(order);
}

void matrix_free(struct matrix *matrix)
{
    free(matrix->columns);
    free(matrix->kit);
}

/* ---- counts ---- */

bool matrix_counts(const struct result *result)
{
    return result->ending != ENDING_NOT_APPLICABLE && !result->unseen;
}

struct matrix_count matrix_sum(const struct results *run, enum result_level level)
{
    struct matrix_count sum = {.gravest = GRADE_GOOD};
    for (size_t i = 0; i < run->count; i++) {
        const struct result *result = &run->list[i];
        if (!matrix_counts(result) || (level != RESULT_LEVELS && result->level != level))
            continue;
        enum grade grade = grade_of(result->ending, result->level);
        sum.asked++;
        sum.good += !ending_is_failure(result->ending);
        sum.gravest = grade > sum.gravest ? grade : sum.gravest;
    }
    return sum;
}

/* ---- changes ---- */

/* A finding stands beside the result of its own test, and has its rule. */
static int compare_results(const void *a, const void *b)
{
    const struct result *left = *(const struct result *const *)a;
    const struct result *right = *(const struct result *const *)b;
    int order = strcmp(left->test, right->test);
    order = order != 0 ? order : (left->event > right->event) - (left->event < right->event);
    return order != 0 ? order : ending_is_failure(right->ending) - ending_is_failure(left->ending);
}

/* By name; of those of one name the one that failed, if any did. */
static const struct result **in_order(const struct results *run, size_t *count)
{
    const struct result **list = alloc_zeroed(run->count, sizeof *list);
    size_t kept = 0, used = 0;
    for (size_t i = 0; i < run->count; i++)
        if (matrix_counts(&run->list[i]))
            list[used++] = &run->list[i];
    qsort(list, used, sizeof *list, compare_results);
    for (size_t i = 0; i < used; i++)
        if (kept == 0 || strcmp(list[kept - 1]->test, list[i]->test) != 0 ||
            list[kept - 1]->event != list[i]->event)
            list[kept++] = list[i];
    *count = kept;
    return list;
}

bool matrix_is_better(const struct matrix_change *change)
{
    return ending_is_failure(change->before->ending);
}

size_t matrix_changes(const struct matrix_column *column, struct matrix_change **changes)
{
    *changes = NULL;
    if (column->before == NULL)
        return 0;
    size_t now_count, before_count, count = 0;
    const struct result **now = in_order(column->latest, &now_count);
    const struct result **before = in_order(column->before, &before_count);
    *changes = alloc_zeroed(now_count, sizeof **changes);
    for (size_t i = 0, j = 0; i < now_count && j < before_count;) {
        int order = strcmp(now[i]->test, before[j]->test);
        order = order != 0
                    ? order
                    : (now[i]->event > before[j]->event) - (now[i]->event < before[j]->event);
        if (order == 0 && ending_is_failure(now[i]->ending) != ending_is_failure(before[j]->ending))
            (*changes)[count++] = (struct matrix_change){now[i], before[j]};
        i += order <= 0;
        j += order >= 0;
    }
    free(now);
    free(before);
    return count;
}

/* ---- text ---- */

static void print_changes(FILE *out, const struct matrix_column *column)
{
    struct matrix_change *changes;
    size_t better = 0, count = matrix_changes(column, &changes);
    for (size_t i = 0; i < count; i++)
        better += matrix_is_better(&changes[i]);
    if (column->before)
        fprintf(out, "    since %s: %zu better, %zu worse\n", word(column->before->about.date),
                better, count - better);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "        %s: ", matrix_is_better(&changes[i]) ? "better" : "worse");
        result_print_name(out, changes[i].now);
        fprintf(out, ", %s, before %s\n", ending_titles[changes[i].now->ending],
                ending_titles[changes[i].before->ending]);
    }
    free(changes);
}

void matrix_text(FILE *out, const struct style *style, const struct matrix *matrix)
{
    static const enum result_level levels[] = {RESULT_MUST, RESULT_SHOULD, RESULT_ADVISORY};
    for (size_t i = 0; i < matrix->count; i++) {
        const struct results_about *about = &matrix->columns[i].latest->about;
        fputs(style->bold, out);
        text_put(out, word(about->peer));
        fputs(style->plain, out);
        const char *const parts[] = {about->side, about->release, about->transport, about->date};
        for (size_t j = 0; j < COUNT(parts); j++) {
            fputs(", ", out);
            text_put(out, word(parts[j]));
        }
        fputs("\n   ", out);
        for (size_t j = 0; j < COUNT(levels); j++) {
            struct matrix_count sum = matrix_sum(matrix->columns[i].latest, levels[j]);
            fprintf(out, " %s %zu of %zu%s", level_names[levels[j]], sum.good, sum.asked,
                    j + 1 < COUNT(levels) ? "," : "\n");
        }
        print_changes(out, &matrix->columns[i]);
    }
}

/* ---- the image ---- */

void matrix_badge(FILE *out, const struct results *run)
{
    static const char title[] = "RFC 8166";
    enum { CHARACTER = 7, EDGE = 6, HEIGHT = 20, BASE = 14 };
    struct matrix_count sum = matrix_sum(run, RESULT_MUST);
    char text[64];
    snprintf(text, sizeof text, "MUST %zu of %zu", sum.good, sum.asked);
    int left = (int)(sizeof title - 1) * CHARACTER + 2 * EDGE;
    int right = (int)strlen(text) * CHARACTER + 2 * EDGE;
    const char *color = sum.asked == 0 ? "#6b7482" : sum.good == sum.asked ? "#1a7f4b" : "#b3261e";
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" role=\"img\" "
            "aria-label=\"%s: %s\">\n<title>",
            left + right, HEIGHT, title, text);
    html_text(out, word(run->about.peer));
    fputs(", ", out);
    html_text(out, word(run->about.side));
    fputs(", ", out);
    html_text(out, word(run->about.date));
    fprintf(out,
            "</title>\n<rect width=\"%d\" height=\"%d\" rx=\"3\" fill=\"#3a4048\"/>\n"
            "<path d=\"M%d 0h%da3 3 0 0 1 3 3v%da3 3 0 0 1 -3 3h-%dz\" fill=\"%s\"/>\n"
            "<g fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\n"
            "<text x=\"%d\" y=\"%d\">%s</text>\n<text x=\"%d\" y=\"%d\">%s</text>\n</g>\n</svg>\n",
            left + right, HEIGHT, left, right - 3, HEIGHT - 6, right - 3, color, EDGE, BASE, title,
            left + EDGE, BASE, text);
}

/* ---- what is for the public ---- */

static bool is_date(const char *text)
{
    static const char form[] = "dddd-dd-dd";
    if (text == NULL || strlen(text) != sizeof form - 1)
        return false;
    for (size_t i = 0; form[i] != '\0'; i++)
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    int month = (text[5] - '0') * 10 + text[6] - '0', day = (text[8] - '0') * 10 + text[9] - '0';
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

static bool is_side(const char *text)
{
    return text && (strcmp(text, "server") == 0 || strcmp(text, "client") == 0 ||
                    strcmp(text, "codec") == 0);
}

/* A codec is given octets alone. */
static bool is_withheld(const struct results *run, const struct result *result,
                        bool (*is_hazardous)(const char *test))
{
    bool is_codec = run->about.side && strcmp(run->about.side, "codec") == 0;
    return ending_is_broken(result->ending) || (!is_codec && is_hazardous(result->test));
}

const char *matrix_refuses(const struct results *run, bool (*is_hazardous)(const char *test),
                           char text[256])
{
    const struct results_about *about = &run->about;
    const struct {
        const char *name;
        bool given;
    } members[] = {{"peer", about->peer && about->peer[0] != '\0'},
                   {"release", about->release && about->release[0] != '\0'},
                   {"side: server, client or codec", is_side(about->side)},
                   {"transport", about->transport && about->transport[0] != '\0'},
                   {"date: YYYY-MM-DD", is_date(about->date)},
                   {"kit", about->kit && about->kit[0] != '\0'}};
    size_t length = 0;
    for (size_t i = 0; i < COUNT(members); i++)
        if (!members[i].given)
            length += (size_t)snprintf(text + length, 256 - length, "%s no %s",
                                       length == 0 ? "it has" : ";", members[i].name);
    if (length > 0)
        return text;
    if (run->incomplete)
        return "the run was not complete";
    if (results_judged(run) == 0)
        return "nothing was judged";
    for (size_t i = 0; i < run->count; i++) {
        const struct result *result = &run->list[i];
        if (result->file && strcmp(result->file, "random") == 0)
            return "it has random conversations, which cannot be compared with those of other runs";
        if (result->rule && strncmp(result->rule, "rpcrdma2-", 9) == 0)
            return "it tests a draft of version 2, which is not a standard";
    }
    for (size_t i = 0; i < run->count; i++)
        if (is_withheld(run, &run->list[i], is_hazardous)) {
            snprintf(text, 256, "%.100s: %s is not for the public: tell it who maintains the peer",
                     run->list[i].test,
                     ending_is_broken(run->list[i].ending) ? "a peer that did not survive"
                                                           : "a hazardous case");
            return text;
        }
    return NULL;
}

size_t matrix_reduce(struct results *run, bool (*is_hazardous)(const char *test))
{
    size_t kept = 0, count = run->count;
    for (size_t i = 0; i < count; i++) {
        struct result *result = &run->list[i];
        if (is_withheld(run, result, is_hazardous))
            continue;
        struct result swapped = run->list[kept];
        run->list[kept++] = *result;
        *result = swapped;
    }
    while (run->count > kept)
        results_drop_last(run);
    return count - kept;
}
