// SPDX-License-Identifier: BSD-3-Clause
/*
 * What two sides did, as a ladder: the client left, the server right, a row for each event from the
 * side that did it to the other. Beside it a map of the chunks of one Call: what was offered, and
 * how much of it RDMA Reads and Writes touched.
 *
 * Rows are made here; ladder_text.c and ladder_svg.c draw them.
 */
#ifndef CONFORMANCE_LADDER_H
#define CONFORMANCE_LADDER_H

#include "conformance/report/findings/findings.h"

enum {
    LADDER_ROWS = 12, /* up to the event at fault */
    LADDER_AFTER = 3, /* of those that follow it */
    LADDER_RULES = 3, /* that a row names */
    LADDER_TEXT = 80,
    LADDER_WINDOW = 64, /* events of a connection that are remembered */
    LADDER_SEGMENTS = 16,
    LADDER_OPERATIONS = 32,
    LADDER_FOLLOWING = 8, /* ladders that wait for what follows */
};

struct ladder_row {
    enum rpcrdma_event_type type;
    enum rpcrdma_endpoint from;
    struct place place;
    char text[LADDER_TEXT]; /* "Call 0x316fb858, READ, 188 octets" */
    bool marked;            /* the event that the ladder is about */
    unsigned left_out;      /* events between the row before and this one */
    bool has_xid;
    uint32_t xid, handle; /* handle, offset: of an RDMA operation */
    uint64_t offset, length;
    unsigned count; /* of findings; the first of them: */
    enum rpcrdma_rule rule[LADDER_RULES];
    enum rpcrdma_severity severity[LADDER_RULES];
};

/* A segment of the Call, and what is known to have become of it. */
struct ladder_segment {
    enum { LADDER_READ, LADDER_WRITE, LADDER_REPLY } list;
    unsigned chunk; /* of the Write list, from 0; of the Read list, its Position */
    uint32_t handle, length;
    uint64_t offset;
    uint64_t moved;   /* octets of it that RDMA operations touched */
    uint64_t twice;   /* those touched more than once */
    uint64_t beyond;  /* touched with this handle, but outside of all its segments */
    bool is_returned; /* a Reply returned it with a length: */
    uint32_t returned;
};

struct ladder_operation {
    uint32_t handle;
    uint64_t offset, length;
};

struct ladder_map {
    uint32_t xid;
    bool offered; /* the event is the Call: nothing can have become of it */
    bool partial; /* not all events since the Call are remembered, or RDMA operations not seen */
    unsigned segments, left_out; /* segments that are shown, and others */
    unsigned operations;
    struct ladder_segment segment[LADDER_SEGMENTS];
    struct ladder_operation operation[LADDER_OPERATIONS];
};

struct ladder {
    unsigned count, after; /* rows; those of them that follow the event at fault */
    struct ladder_row row[LADDER_ROWS + LADDER_AFTER];
    struct ladder_map map; /* no segments: there is none */
};

/* The latest events of one connection; begins as zeros. */
struct ladder_window {
    uint64_t added;
    struct ladder_row row[LADDER_WINDOW];
    struct ladder *following[LADDER_FOLLOWING]; /* that take down what comes next, or NULL */
};

/* The row of an event: `judged` names the findings that it is marked with. */
void ladder_row_of(struct ladder_row *row, const struct judged *judged);

/* Add the event. A ladder that follows the connection gets it, too. */
void ladder_add(struct ladder_window *window, const struct judged *judged);

/* The events up to the one added last: those of its Call, those just before, and the map. */
void ladder_take(struct ladder *ladder, const struct ladder_window *window,
                 const struct judged *judged);

/* The events up to that one, and some that follow; `mark`, counted from 0 as ladder_add() got them:
 * one that the window still has, or beyond all, where none is marked. At least one was added. */
void ladder_choose(struct ladder *ladder, const struct ladder_window *window,
                   const struct ladder_map *map, uint64_t mark);

/* The next events of the connection are added to the ladder, which has to stay as long as the
 * window; not where too many others wait for theirs. */
void ladder_follow(struct ladder_window *window, struct ladder *ladder);

/* As lines of 79 columns: the rows, then the map. */
void ladder_text(FILE *out, const struct style *style, const struct ladder *ladder);
/* Its first line, and one row; `start`: the time that the row's is counted from. */
void ladder_text_head(FILE *out, const struct style *style);
void ladder_text_row(FILE *out, const struct style *style, const struct ladder_row *row,
                     int64_t start);

/* As an element svg, for a page with html_style. */
void ladder_svg(FILE *out, const struct ladder *ladder);

/* It goes from one side to the other. */
bool ladder_crosses(const struct ladder_row *row);

/* "frame 120", "event 2", "line 4"; "" of a gap in a capture. */
#define LADDER_PLACE 128
void ladder_place(const struct ladder_row *row, char text[LADDER_PLACE]);

/* The time of its first row that has one, which the others are counted from; 0 if none has. */
int64_t ladder_start(const struct ladder *ladder);

/* "+0.001234", seconds after `start`; "" where a time is not known. */
#define LADDER_TIME 24
void ladder_time(const struct ladder_row *row, int64_t start, char text[LADDER_TIME]);

/* The name of the segment's chunk: "Write chunk 0". */
void ladder_chunk_name(const struct ladder_segment *segment, char *text, size_t size);
/* What became of it: "8192 octets offered, 4096 written, 4096 not". */
void ladder_chunk_text(const struct ladder_map *map, const struct ladder_segment *segment,
                       char *text, size_t size);

/* What operations did to a part of the segment, of `parts` equal ones. */
enum ladder_touch { LADDER_NOT, LADDER_PARTLY, LADDER_ONCE, LADDER_TWICE };
enum ladder_touch ladder_touched(const struct ladder_map *map, const struct ladder_segment *segment,
                                 unsigned part, unsigned parts);

/* Fill the map with the chunks of the Call that the event belongs to. */
void ladder_map_make(struct ladder_map *map, const struct ladder_window *window,
                     const struct judged *judged);

#endif
