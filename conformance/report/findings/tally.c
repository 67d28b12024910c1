// SPDX-License-Identifier: BSD-3-Clause
/* Counts of events and findings. */
#include "conformance/report/findings/tally.h"

#include "conformance/base/count.h"
#include "conformance/describe/send.h"

#include <rpcrdma/rpcrdma.h>

#include <inttypes.h>

/* Rows before OTHER are the procedures of version 1; then come the types of -04, from 0, and those
 * of -07, from 5: RDMA2_ERROR, 4, is the same in both. */
enum { OTHER = RPCRDMA1_ERROR + 1, TOO_SHORT, FIRST_04, TYPES_04 = 10, FIRST_07_TYPE = 5 };
enum { FIRST_07 = FIRST_04 + TYPES_04, TYPES_07 = 9 };
enum { UNKNOWN_DIRECTION = 2 };
_Static_assert(FIRST_07 + TYPES_07 == TALLY_PROCEDURES, "a row for each type");

static const char *row_name(unsigned row)
{
    const char *name =
        row < OTHER        ? rpcrdma_type_name(RPCRDMA_PROTOCOL_1, row)
        : row == TOO_SHORT ? "no procedure"
        : row == OTHER     ? "other"
        : row < FIRST_07   ? rpcrdma_type_name(RPCRDMA_PROTOCOL_2_04, row - FIRST_04)
                         : rpcrdma_type_name(RPCRDMA_PROTOCOL_2_07, row - FIRST_07 + FIRST_07_TYPE);
    return name != NULL ? name : "other";
}

static unsigned row_of(const struct rpcrdma_judgement *judgement)
{
    uint32_t type = judgement->procedure;
    if (!judgement->has_procedure)
        return TOO_SHORT;
    if (rpcrdma_type_name(judgement->protocol, type) == NULL)
        return OTHER;
    if (judgement->protocol == RPCRDMA_PROTOCOL_1)
        return type;
    return judgement->protocol == RPCRDMA_PROTOCOL_2_04 || type < FIRST_07_TYPE
               ? FIRST_04 + type
               : FIRST_07 + type - FIRST_07_TYPE;
}

void tally_event(struct tally *tally, const struct source_event *event,
                 const struct rpcrdma_judgement *judgement)
{
    tally->events++;
    tally->by_type[event->event.type]++;
    if (event->event.type != RPCRDMA_EVENT_SEND)
        return;
    unsigned row = row_of(judgement);
    if (judgement->protocol != RPCRDMA_PROTOCOL_1)
        tally->drafts[judgement->protocol == RPCRDMA_PROTOCOL_2_07][judgement->draft_is_sure]++;
    unsigned column = judgement->direction == RPCRDMA_CALL    ? 0
                      : judgement->direction == RPCRDMA_REPLY ? 1
                                                              : UNKNOWN_DIRECTION;
    tally->sends[row][column]++;
}

void tally_add(struct tally *tally, const struct tally *other)
{
    tally->events += other->events;
    for (size_t i = 0; i < TALLY_PROCEDURES; i++)
        for (size_t j = 0; j < TALLY_DIRECTIONS; j++)
            tally->sends[i][j] += other->sends[i][j];
    for (size_t i = 0; i < COUNT(tally->by_type); i++)
        tally->by_type[i] += other->by_type[i];
    for (size_t i = 0; i < COUNT(tally->severities); i++)
        tally->severities[i] += other->severities[i];
    for (size_t i = 0; i < COUNT(tally->drafts); i++)
        for (size_t j = 0; j < COUNT(tally->drafts[i]); j++)
            tally->drafts[i][j] += other->drafts[i][j];
}

/* The sum over a row or a column; -1 means all of them. */
static uint64_t sum(const struct tally *tally, int row, int column)
{
    uint64_t total = 0;
    for (int i = 0; i < TALLY_PROCEDURES; i++)
        for (int j = 0; j < TALLY_DIRECTIONS; j++)
            if ((row < 0 || i == row) && (column < 0 || j == column))
                total += tally->sends[i][j];
    return total;
}

static void print_count(FILE *out, uint64_t count, const char *one, const char *many)
{
    fprintf(out, "%" PRIu64 " %s", count, count == 1 ? one : many);
}

static void print_severity(FILE *out, const struct style *style, const char *color, uint64_t count,
                           const char *one, const char *many)
{
    bool lit = count > 0;
    fputs(lit ? color : "", out);
    print_count(out, count, one, many);
    fputs(lit ? style->plain : "", out);
}

void tally_print_severities(FILE *out, const struct style *style, const struct tally *tally)
{
    const uint64_t *severities = tally->severities;
    print_severity(out, style, style->red, severities[RPCRDMA_VIOLATION], "violation",
                   "violations");
    fputs(", ", out);
    print_severity(out, style, style->yellow, severities[RPCRDMA_WARNING], "warning", "warnings");
    fputs(", ", out);
    print_severity(out, style, style->cyan, severities[RPCRDMA_NOTE], "note", "notes");
}

void tally_print_line(FILE *out, const struct tally *tally)
{
    print_count(out, sum(tally, -1, -1), "Send", "Sends");
    fputs(": ", out);
    print_count(out, sum(tally, -1, 0), "call", "calls");
    fputs(", ", out);
    print_count(out, sum(tally, -1, 1), "reply", "replies");
    const char *between = "; ";
    for (int row = 0; row < TALLY_PROCEDURES; row++) {
        uint64_t count = sum(tally, row, -1);
        if (count > 0) {
            fprintf(out, "%s%s %" PRIu64, between, row_name((unsigned)row), count);
            between = ", ";
        }
    }
}

static bool has_version2(const struct tally *tally)
{
    return tally->drafts[0][0] + tally->drafts[0][1] + tally->drafts[1][0] + tally->drafts[1][1] >
           0;
}

/* Types of version 2 have longer names. */
static int name_width(const struct tally *tally)
{
    return has_version2(tally) ? 21 : 14;
}

void tally_print_drafts(FILE *out, const struct tally *tally, bool asked)
{
    static const char *const names[] = {"-04", "-07"};
    static const char *const reasons[] = {"; none shows which it is: see --draft",
                                          ", as they show"};
    for (int i = 0; i < 2; i++)
        for (int sure = 0; sure < 2; sure++)
            if (tally->drafts[i][sure] > 0)
                fprintf(out, "version 2: %" PRIu64 " Send%s judged by draft %s%s\n",
                        tally->drafts[i][sure], tally->drafts[i][sure] == 1 ? "" : "s", names[i],
                        asked ? ", as --draft asks" : reasons[sure]);
}

static void print_others(FILE *out, const struct tally *tally)
{
    static const struct {
        enum rpcrdma_event_type type;
        const char *name;
    } others[] = {
        {RPCRDMA_EVENT_RDMA_READ, "RDMA Reads"},
        {RPCRDMA_EVENT_RDMA_WRITE, "RDMA Writes"},
        {RPCRDMA_EVENT_PRIVATE_DATA, "private data"},
        {RPCRDMA_EVENT_DISCONNECT, "disconnects"},
        {RPCRDMA_EVENT_ATOMIC, "atomics"},
        {RPCRDMA_EVENT_NOT_READY, "RNR NAKs"},
        {RPCRDMA_EVENT_REFUSED, "refused RDMA"},
        {RPCRDMA_EVENT_REGISTERED, "registrations"},
        {RPCRDMA_EVENT_INVALIDATED, "invalidations"},
        {RPCRDMA_EVENT_COMPLETED, "completions"},
    };
    int width = name_width(tally);
    for (size_t i = 0; i < COUNT(others); i++)
        if (tally->by_type[others[i].type] > 0)
            fprintf(out, "%-*s %43" PRIu64 "\n", width, others[i].name,
                    tally->by_type[others[i].type]);
}

static void print_table_row(FILE *out, const char *name, const struct tally *tally, int row)
{
    fprintf(out, "%-*s %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 "\n",
            name_width(tally), name, sum(tally, row, 0), sum(tally, row, 1),
            sum(tally, row, UNKNOWN_DIRECTION), sum(tally, row, -1));
}

void tally_print_table(FILE *out, const struct style *style, const struct tally *tally)
{
    fprintf(out, "%s%-*s %10s %10s %10s %10s%s\n", style->dim, name_width(tally), "procedure",
            "calls", "replies", "not known", "all", style->plain);
    for (int row = 0; row < TALLY_PROCEDURES; row++)
        if (sum(tally, row, -1) > 0)
            print_table_row(out, row_name((unsigned)row), tally, row);
    print_table_row(out, "all Sends", tally, -1);
    print_others(out, tally);
}
