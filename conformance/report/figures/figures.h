// SPDX-License-Identifier: BSD-3-Clause
/*
 * What a connection was used for, in figures: Calls and Replies by procedure, octets inline and by
 * chunk, chunks offered and used, RDMA operations, credits, and the time from Call to Reply.
 *
 * Of a Requester on the client's side; the Calls of a server (callbacks) are procedures of their
 * own, but are no part of the figures of credits.
 */
#ifndef CONFORMANCE_FIGURES_H
#define CONFORMANCE_FIGURES_H

#include "conformance/base/terminal.h"
#include "conformance/decode/items.h"
#include "conformance/report/figures/histogram.h"
#include "conformance/report/figures/timeline.h"

enum figure {
    /* Of each procedure, connection and the total: */
    FIGURE_CALLS,         /* without those sent again */
    FIGURE_REPLIES,       /* to them */
    FIGURE_ERRORS,        /* transport errors that answered one of them */
    FIGURE_UNANSWERED,    /* Calls whose answer was not seen */
    FIGURE_RETRANSMITTED, /* Calls sent again while they waited */
    FIGURE_CALL_OCTETS,   /* of the Sends of Calls, transport header included */
    FIGURE_REPLY_OCTETS,
    FIGURE_READ_SEGMENTS, /* offered in Read lists */
    FIGURE_READ_OFFERED,  /* octets of them */
    FIGURE_WRITE_CHUNKS,  /* offered in Write lists */
    FIGURE_WRITE_SEGMENTS,
    FIGURE_WRITE_OFFERED,
    FIGURE_WRITE_CHUNKS_USED, /* returned with octets in them */
    FIGURE_WRITE_RETURNED,
    FIGURE_REPLY_CHUNKS,
    FIGURE_REPLY_SEGMENTS,
    FIGURE_REPLY_OFFERED,
    FIGURE_REPLY_CHUNKS_USED,
    FIGURE_REPLY_RETURNED,
    FIGURE_RDMA_READS, /* RDMA operations on memory that a Call offered */
    FIGURE_RDMA_READ_OCTETS,
    FIGURE_RDMA_WRITES,
    FIGURE_RDMA_WRITE_OCTETS,
    FIGURE_INVALIDATIONS, /* Replies by Send With Invalidate */
    FIGURE_REGISTRATIONS, /* of the memory of a Call, before its Send, where a source reports them
                           */
    /* Of each connection and the total: */
    FIGURE_SENDS,
    FIGURE_STRAY_REPLIES, /* whose Call was not seen */
    FIGURE_STRAY_READS,   /* RDMA operations on memory of no Call that waits */
    FIGURE_STRAY_WRITES,
    FIGURE_NOT_READY,     /* a Send met no posted Receive */
    FIGURE_REFUSED,       /* RDMA operations */
    FIGURE_IN_FLIGHT,     /* Calls of the client, at most */
    FIGURE_GRANTED_LEAST, /* credits */
    FIGURE_GRANTED_MOST,
    FIGURE_AT_GRANT, /* Calls that used up the grant */
    FIGURE_COUNTED,
    /* Of the histogram: */
    FIGURE_TIME_MEAN = FIGURE_COUNTED,
    FIGURE_TIME_P50,
    FIGURE_TIME_P90,
    FIGURE_TIME_P99,
    FIGURE_TIME_MOST,
    FIGURES
};
#define FIGURES_OF_PROCEDURES FIGURE_SENDS /* the counts before it */

enum figure_unit { UNIT_COUNT, UNIT_OCTETS, UNIT_NANOSECONDS };

struct figures_row { /* begins as zeros */
    uint64_t count[FIGURE_COUNTED];
    struct histogram time; /* from Call to Reply, where both times are known */
};

#define FIGURES_NAME 288
struct figures_procedure {
    struct figures_procedure *next; /* in the order of appearance */
    char name[FIGURES_NAME];        /* "NFS 4 READ" */
    struct figures_row row;
};

struct figures_connection {
    struct figures_connection *next;
    char name[128];
    const char *file; /* lives as long as the command line */
    struct figures_row row;
    struct timeline timeline;
    /* While it is open: */
    uint32_t in_flight, granted; /* of the client's Calls; granted 0: not known */
    uint64_t registered[2];      /* by each side for its Call that comes next */
    struct waiting_call *calls;  /* that wait */
    bool is_extra;               /* it has no row of its own */
};

/* Procedures and connections that have a row each; what comes after goes to one row "others", and
 * to the total alone. */
enum { FIGURES_PROCEDURES = 512, FIGURES_CONNECTIONS = 1000 };

struct waiting_calls;
struct waiting_call;

struct figures { /* begins as zeros */
    struct figures_row total;
    struct figures_procedure *procedures, **procedures_end;
    struct figures_connection *connections, **connections_end;
    unsigned procedure_count, connection_count;
    struct figures_row rest;           /* of the connections that had no row */
    struct figures_connection *nobody; /* to whom their last Calls go */
    struct waiting_calls *waiting;
    struct items *items; /* of the file at work */
    int64_t first, last; /* times of events, or 0 */
    uint64_t events;
};

/* Without memory these exit as alloc.h says. */
void figures_begin_file(struct figures *figures);
/* A new connection of the file at work. */
struct figures_connection *figures_connect(struct figures *figures,
                                           const struct source_event *event);
/* Count an event of it, and what the checker says of that. */
void figures_add(struct figures *figures, struct figures_connection *connection,
                 const struct source_event *event, const struct rpcrdma_judgement *judgement);
/* The connection has ended: what waits on it can be sent again on another. */
void figures_close(struct figures *figures, struct figures_connection *connection);
/* No more of this file, whose connections have all been closed: what waits was not answered. */
void figures_end_file(struct figures *figures);
/* Make the total. */
void figures_sum(struct figures *figures);
void figures_free(struct figures *figures);

/* ---- what a figure is (names.c) ---- */

struct figure_name {
    const char *key;  /* "callOctets" */
    const char *text; /* "octets of Calls" */
    enum figure_unit unit;
    enum { FIGURE_ADDS, FIGURE_MOST, FIGURE_LEAST } how; /* those of several connections */
};
extern const struct figure_name figure_names[FIGURES];

/* False where it is not known: times where none are, credits where none were granted. */
bool figure_value(const struct figures_row *row, enum figure figure, uint64_t *value);

/* The figure of that key, or FIGURES. */
enum figure figure_find(const char *key, size_t length);

/* "1.2M", "350 us"; `scale` thousandths. */
#define FIGURE_TEXT 32
const char *figure_text(enum figure_unit unit, double value, char text[FIGURE_TEXT]);

/* ---- how it is shown ---- */

struct figures_view {
    const struct figures *figures;
    const struct missed *missed;
    char *const *files;
    int file_count, files_read; /* given; of which something was read, or all */
    const char *incomplete;     /* why not all was read, or NULL */
    const char *brief;          /* the same for text that stderr stands beside */
    const struct budget *budget;
};

void figures_print(FILE *out, const struct style *style, const struct figures_view *view);
void figures_json(FILE *out, const struct figures_view *view);
void figures_html(FILE *out, const struct figures_view *view);

/* Of the total and of each procedure, figures a Call where they add up. Times count as equal where
 * they lie in the same bar of their histograms. */
void figures_compare_print(FILE *out, const struct style *style, const struct figures *first,
                           const struct figures *second);
void figures_compare_json(FILE *out, const struct figures *first, const struct figures *second);

#endif
