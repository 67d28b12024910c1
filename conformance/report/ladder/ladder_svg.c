// SPDX-License-Identifier: BSD-3-Clause
/* A ladder as a drawing for a page: no script, no colours but those of the page's style sheet. */
#include "conformance/report/ladder/ladder.h"
#include "conformance/report/results/html.h"

#include <inttypes.h>

enum {
    WIDTH = 592,
    LEFT = 128, /* of the client's line */
    RIGHT = 584,
    HEAD = 24,
    ROW = 34,
    RULE = 16, /* a line of text below its row */
    BAR = 14,
    SEGMENT = 40,
    PARTS = 114, /* of a bar */
    PART = (RIGHT - LEFT) / PARTS,
};

static const char *class_of(enum rpcrdma_severity severity)
{
    return severity == RPCRDMA_VIOLATION ? "bad"
           : severity == RPCRDMA_WARNING ? "warning"
                                         : "remark";
}

static unsigned rules_of(const struct ladder_row *row)
{
    return row->count < LADDER_RULES ? row->count : LADDER_RULES;
}

static unsigned height_of(const struct ladder_row *row)
{
    return ROW + RULE * (rules_of(row) + (row->left_out > 0));
}

static void put_text(FILE *out, unsigned x, unsigned y, const char *attributes, const char *text)
{
    fprintf(out, "<text x=%u y=%u%s>", x, y, attributes);
    html_text(out, text);
    fputs("</text>\n", out);
}

static void put_arrow(FILE *out, const struct ladder_row *row, unsigned y)
{
    bool to_right = row->from == RPCRDMA_CLIENT;
    unsigned tip = to_right ? RIGHT : LEFT, back = to_right ? RIGHT - 9 : LEFT + 9;
    const char *kind = row->type == RPCRDMA_EVENT_SEND ? "send"
                       : row->type == RPCRDMA_EVENT_RDMA_READ ||
                               row->type == RPCRDMA_EVENT_RDMA_WRITE ||
                               row->type == RPCRDMA_EVENT_ATOMIC
                           ? "memory"
                           : "other";
    if (ladder_crosses(row) || row->type == RPCRDMA_EVENT_GAP)
        fprintf(out, "<path class=%s d=\"M%u %uH%u\"/>\n", kind, LEFT, y, RIGHT);
    if (ladder_crosses(row))
        fprintf(out, "<path class=tip d=\"M%u %uL%u %uL%u %uZ\"/>\n", tip, y, back, y - 5, back,
                y + 5);
}

/* Returns where the next row begins. */
static unsigned put_row(FILE *out, const struct ladder_row *row, int64_t start, unsigned y)
{
    char text[160], time[LADDER_TIME];
    if (row->left_out > 0) {
        snprintf(text, sizeof text, "%u other event%s", row->left_out,
                 row->left_out == 1 ? "" : "s");
        put_text(out, LEFT + 12, y + RULE - 4, " class=dim", text);
        y += RULE;
    }
    if (row->count > 0)
        fprintf(out, "<g class=\"%s\">\n", class_of(row->severity[0]));
    if (row->marked)
        fprintf(out, "<rect class=marked x=0 y=%u width=%u height=%u rx=4 />\n", y + 2, WIDTH,
                ROW + RULE * rules_of(row) - 2);
    ladder_place(row, text);
    put_text(out, 6, y + ROW - 18, "", text);
    ladder_time(row, start, time);
    if (time[0] != '\0')
        put_text(out, 6, y + ROW - 4, " class=dim", time);
    put_text(out, (LEFT + RIGHT) / 2, y + ROW - 15, " text-anchor=middle", row->text);
    put_arrow(out, row, y + ROW - 8);
    y += ROW;
    for (unsigned i = 0; i < rules_of(row); i++, y += RULE) {
        snprintf(text, sizeof text, "%s: %s", rpcrdma_severity_name(row->severity[i]),
                 rpcrdma_requirements[row->rule[i]].id);
        put_text(out, RIGHT - 12, y + RULE - 6, " text-anchor=end class=rule", text);
    }
    if (row->count > 0)
        fputs("</g>\n", out);
    return y;
}

static void put_segment(FILE *out, const struct ladder_map *map,
                        const struct ladder_segment *segment, unsigned y)
{
    static const char *const classes[] = {
        [LADDER_PARTLY] = "partly", [LADDER_ONCE] = "moved", [LADDER_TWICE] = "twice"};
    char name[48], text[160];
    ladder_chunk_name(segment, name, sizeof name);
    put_text(out, 6, y + 12, "", name);
    snprintf(text, sizeof text, "0x%08" PRIx32, segment->handle);
    put_text(out, 6, y + 27, " class=dim", text);
    fprintf(out, "<rect class=offered x=%u y=%u width=%u height=%u />\n", LEFT, y + 2, PART * PARTS,
            BAR);
    for (unsigned from = 0, to; from < PARTS; from = to) {
        enum ladder_touch touched = ladder_touched(map, segment, from, PARTS);
        for (to = from + 1; to < PARTS && ladder_touched(map, segment, to, PARTS) == touched; to++)
            continue;
        if (touched != LADDER_NOT)
            fprintf(out, "<rect class=%s x=%u y=%u width=%u height=%u />\n", classes[touched],
                    LEFT + PART * from, y + 2, PART * (to - from), BAR);
    }
    ladder_chunk_text(map, segment, text, sizeof text);
    put_text(out, LEFT, y + BAR + 15, " class=dim", text);
}

static void put_map(FILE *out, const struct ladder_map *map, unsigned y)
{
    char text[96];
    if (map->segments == 0)
        return;
    snprintf(text, sizeof text, "Chunks of Call 0x%08" PRIx32 "%s", map->xid,
             map->partial ? ", as far as RDMA operations are known" : "");
    put_text(out, 6, y + 16, "", text);
    y += HEAD;
    for (unsigned i = 0; i < map->segments; i++, y += SEGMENT)
        put_segment(out, map, &map->segment[i], y);
    if (map->left_out > 0) {
        snprintf(text, sizeof text, "and %u more", map->left_out);
        put_text(out, 6, y + 12, " class=dim", text);
    }
}

void ladder_svg(FILE *out, const struct ladder *ladder)
{
    const struct ladder_map *map = &ladder->map;
    unsigned rows = HEAD, y = HEAD;
    for (unsigned i = 0; i < ladder->count; i++)
        rows += height_of(&ladder->row[i]);
    unsigned below =
        map->segments > 0 ? HEAD + SEGMENT * map->segments + (map->left_out > 0 ? RULE : 0) : 0;
    fprintf(out,
            "<div class=wide><svg class=ladder viewBox=\"0 0 %u %u\" role=img "
            "aria-label=\"What the two sides did\">\n",
            WIDTH, rows + 8 + below);
    put_text(out, LEFT, 16, " text-anchor=middle", "client");
    put_text(out, RIGHT, 16, " text-anchor=end", "server");
    int64_t start = ladder_start(ladder);
    for (unsigned i = 0; i < ladder->count; i++)
        y = put_row(out, &ladder->row[i], start, y);
    fprintf(out, "<path class=side d=\"M%u %uV%uM%u %uV%u\"/>\n", LEFT, HEAD, rows, RIGHT, HEAD,
            rows);
    put_map(out, map, y + 8);
    fputs("</svg></div>\n", out);
}
