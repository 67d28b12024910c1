// SPDX-License-Identifier: BSD-3-Clause
/* A ladder as lines for a terminal or a mail: 79 columns of ASCII. */
#include "conformance/report/ladder/ladder.h"

#include <inttypes.h>
#include <string.h>

enum { PLACE = 12, TIME = 10, LEFT = PLACE + TIME + 2, INNER = 52, WIDTH = LEFT + INNER + 2 };
enum { BAR = 24 };

static void repeat(FILE *out, char c, size_t count)
{
    while (count-- > 0)
        putc(c, out);
}

/* What joins the two sides: Sends -, memory of the other side =, what is no message '.'. */
static char line_of(enum rpcrdma_event_type type)
{
    switch (type) {
    case RPCRDMA_EVENT_RDMA_READ:
    case RPCRDMA_EVENT_RDMA_WRITE:
    case RPCRDMA_EVENT_ATOMIC:
        return '=';
    case RPCRDMA_EVENT_SEND:
        return '-';
    case RPCRDMA_EVENT_REGISTERED:
    case RPCRDMA_EVENT_INVALIDATED:
    case RPCRDMA_EVENT_COMPLETED:
        return ' ';
    default:
        return '.';
    }
}

static void put_arrow(FILE *out, const struct ladder_row *row)
{
    char line = line_of(row->type);
    bool to_right = row->from == RPCRDMA_CLIENT, crosses = ladder_crosses(row);
    size_t length = strlen(row->text), room = INNER - 5; /* a head, two blanks, two of the line */
    length = length < room ? length : room;
    putc('|', out);
    if (!to_right && crosses)
        putc('<', out);
    repeat(out, line, 2);
    fprintf(out, " %.*s ", (int)length, row->text);
    repeat(out, line, room - length + (crosses ? 0 : 1));
    if (to_right && crosses)
        putc('>', out);
    putc('|', out);
}

static void put_left_out(FILE *out, unsigned count)
{
    char text[48];
    if (count == 0)
        return;
    snprintf(text, sizeof text, "... %u other event%s", count, count == 1 ? "" : "s");
    fprintf(out, "%*s|   %-*s|\n", LEFT, "", INNER - 3, text);
}

static void put_rules(FILE *out, const struct style *style, const struct ladder_row *row)
{
    for (unsigned i = 0; i < row->count && i < LADDER_RULES; i++) {
        const char *severity = rpcrdma_severity_name(row->severity[i]);
        const char *rule = rpcrdma_requirements[row->rule[i]].id;
        size_t length = strlen("^ : ") + strlen(severity) + strlen(rule);
        size_t room =
            WIDTH - LEFT; /* else it ends where the ladder ends, or begins with the line */
        fprintf(out, "%*s%s^ %s: %s%s\n",
                length < room     ? LEFT
                : length >= WIDTH ? 0
                                  : (int)(WIDTH - length),
                "", severity_color(style, row->severity[i]), severity, rule, style->plain);
    }
    if (row->count > LADDER_RULES)
        fprintf(out, "%*sand %u more\n", LEFT, "", row->count - LADDER_RULES);
}

void ladder_text_head(FILE *out, const struct style *style)
{
    fprintf(out, "%s%*sclient%*sserver%s\n", style->dim, LEFT, "", INNER + 2 - 12, "",
            style->plain);
}

void ladder_text_row(FILE *out, const struct style *style, const struct ladder_row *row,
                     int64_t start)
{
    char place[LADDER_PLACE], time[LADDER_TIME];
    ladder_place(row, place);
    ladder_time(row, start, time);
    put_left_out(out, row->left_out);
    fprintf(out, "%c%s%-*.*s%s%*s  ", row->marked ? '*' : ' ', row->marked ? style->bold : "",
            PLACE - 1, PLACE - 1, place, row->marked ? style->plain : "", TIME, time);
    put_arrow(out, row);
    putc('\n', out);
    put_rules(out, style, row);
}

/* ---- the map ---- */

static void put_segment(FILE *out, const struct style *style, const struct ladder_map *map,
                        const struct ladder_segment *segment)
{
    static const char marks[] = {
        [LADDER_NOT] = '.', [LADDER_PARTLY] = ':', [LADDER_ONCE] = '#', [LADDER_TWICE] = '2'};
    char name[48], text[160];
    ladder_chunk_name(segment, name, sizeof name);
    ladder_chunk_text(map, segment, text, sizeof text);
    fprintf(out, "    %-16s 0x%08" PRIx32 " [", name, segment->handle);
    for (unsigned i = 0; i < BAR; i++)
        putc(marks[ladder_touched(map, segment, i, BAR)], out);
    fputs("]\n", out);
    fprintf(out, "    %s%s%s\n", style->dim, text, style->plain);
}

static void put_map(FILE *out, const struct style *style, const struct ladder_map *map)
{
    if (map->segments == 0)
        return;
    fprintf(out, "  chunks of Call 0x%08" PRIx32 "%s:\n", map->xid,
            map->partial ? ", as far as RDMA operations are known" : "");
    for (unsigned i = 0; i < map->segments; i++)
        put_segment(out, style, map, &map->segment[i]);
    if (map->left_out > 0)
        fprintf(out, "    and %u more\n", map->left_out);
}

void ladder_text(FILE *out, const struct style *style, const struct ladder *ladder)
{
    int64_t start = ladder_start(ladder);
    ladder_text_head(out, style);
    for (unsigned i = 0; i < ladder->count; i++)
        ladder_text_row(out, style, &ladder->row[i], start);
    put_map(out, style, &ladder->map);
}
