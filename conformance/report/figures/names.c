// SPDX-License-Identifier: BSD-3-Clause
/* What the figures are called, and how their values are written. */
#include "conformance/base/count.h"
#include "conformance/report/figures/figures.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct figure_name figure_names[FIGURES] = {
    [FIGURE_CALLS] = {"calls", "Calls", .unit = UNIT_COUNT},
    [FIGURE_REPLIES] = {"replies", "Replies", .unit = UNIT_COUNT},
    [FIGURE_ERRORS] = {"errors", "transport errors as answers", .unit = UNIT_COUNT},
    [FIGURE_UNANSWERED] = {"unanswered", "Calls without an answer", .unit = UNIT_COUNT},
    [FIGURE_RETRANSMITTED] = {"retransmitted", "Calls sent again", .unit = UNIT_COUNT},
    [FIGURE_CALL_OCTETS] = {"callOctets", "octets inline in Calls", .unit = UNIT_OCTETS},
    [FIGURE_REPLY_OCTETS] = {"replyOctets", "octets inline in Replies", .unit = UNIT_OCTETS},
    [FIGURE_READ_SEGMENTS] = {"readSegments", "Read segments offered", .unit = UNIT_COUNT},
    [FIGURE_READ_OFFERED] = {"readOffered", "octets offered in Read lists", .unit = UNIT_OCTETS},
    [FIGURE_WRITE_CHUNKS] = {"writeChunks", "Write chunks offered", .unit = UNIT_COUNT},
    [FIGURE_WRITE_SEGMENTS] = {"writeSegments", "Write segments offered", .unit = UNIT_COUNT},
    [FIGURE_WRITE_OFFERED] = {"writeOffered", "octets offered in Write lists", .unit = UNIT_OCTETS},
    [FIGURE_WRITE_CHUNKS_USED] = {"writeChunksUsed", "Write chunks used", .unit = UNIT_COUNT},
    [FIGURE_WRITE_RETURNED] = {"writeReturned", "octets returned in Write lists",
                               .unit = UNIT_OCTETS},
    [FIGURE_REPLY_CHUNKS] = {"replyChunks", "Reply chunks offered", .unit = UNIT_COUNT},
    [FIGURE_REPLY_SEGMENTS] = {"replySegments", "segments of Reply chunks offered",
                               .unit = UNIT_COUNT},
    [FIGURE_REPLY_OFFERED] = {"replyOffered", "octets offered in Reply chunks",
                              .unit = UNIT_OCTETS},
    [FIGURE_REPLY_CHUNKS_USED] = {"replyChunksUsed", "Reply chunks used", .unit = UNIT_COUNT},
    [FIGURE_REPLY_RETURNED] = {"replyReturned", "octets returned in Reply chunks",
                               .unit = UNIT_OCTETS},
    [FIGURE_RDMA_READS] = {"rdmaReads", "RDMA Reads", .unit = UNIT_COUNT},
    [FIGURE_RDMA_READ_OCTETS] = {"rdmaReadOctets", "octets by RDMA Read", .unit = UNIT_OCTETS},
    [FIGURE_RDMA_WRITES] = {"rdmaWrites", "RDMA Writes", .unit = UNIT_COUNT},
    [FIGURE_RDMA_WRITE_OCTETS] = {"rdmaWriteOctets", "octets by RDMA Write", .unit = UNIT_OCTETS},
    [FIGURE_INVALIDATIONS] = {"invalidations", "Replies that invalidate", .unit = UNIT_COUNT},
    [FIGURE_REGISTRATIONS] = {"registrations", "memory registered", .unit = UNIT_COUNT},
    [FIGURE_SENDS] = {"sends", "Sends", .unit = UNIT_COUNT},
    [FIGURE_STRAY_REPLIES] = {"strayReplies", "Replies to no Call that waits", .unit = UNIT_COUNT},
    [FIGURE_STRAY_READS] = {"strayReads", "RDMA Reads for no Call that waits", .unit = UNIT_COUNT},
    [FIGURE_STRAY_WRITES] = {"strayWrites", "RDMA Writes for no Call that waits",
                             .unit = UNIT_COUNT},
    [FIGURE_NOT_READY] = {"notReady", "Sends without a posted Receive", .unit = UNIT_COUNT},
    [FIGURE_REFUSED] = {"refused", "RDMA operations refused", .unit = UNIT_COUNT},
    [FIGURE_IN_FLIGHT] = {"inFlight", "Calls in flight, at most", .unit = UNIT_COUNT,
                          .how = FIGURE_MOST},
    [FIGURE_GRANTED_LEAST] = {"grantedLeast", "credits granted, at least", .unit = UNIT_COUNT,
                              .how = FIGURE_LEAST},
    [FIGURE_GRANTED_MOST] = {"grantedMost", "credits granted, at most", .unit = UNIT_COUNT,
                             .how = FIGURE_MOST},
    [FIGURE_AT_GRANT] = {"atGrant", "Calls that used up the grant", .unit = UNIT_COUNT},
    [FIGURE_TIME_MEAN] = {"timeMean", "mean time", .unit = UNIT_NANOSECONDS},
    [FIGURE_TIME_P50] = {"timeP50", "median time", .unit = UNIT_NANOSECONDS},
    [FIGURE_TIME_P90] = {"timeP90", "time of 90 %", .unit = UNIT_NANOSECONDS},
    [FIGURE_TIME_P99] = {"timeP99", "time of 99 %", .unit = UNIT_NANOSECONDS},
    [FIGURE_TIME_MOST] = {"timeMost", "longest time", .unit = UNIT_NANOSECONDS},
};

static uint64_t time_of(const struct histogram *time, enum figure figure)
{
    switch (figure) {
    case FIGURE_TIME_MEAN:
        return histogram_mean(time);
    case FIGURE_TIME_P50:
        return histogram_percentile(time, 50);
    case FIGURE_TIME_P90:
        return histogram_percentile(time, 90);
    case FIGURE_TIME_P99:
        return histogram_percentile(time, 99);
    default:
        return time->most;
    }
}

bool figure_value(const struct figures_row *row, enum figure figure, uint64_t *value)
{
    if (figure >= FIGURE_COUNTED) {
        *value = time_of(&row->time, figure);
        return row->time.count > 0;
    }
    *value = row->count[figure];
    bool of_grant = figure == FIGURE_GRANTED_LEAST || figure == FIGURE_GRANTED_MOST ||
                    figure == FIGURE_AT_GRANT;
    return !of_grant || row->count[FIGURE_GRANTED_MOST] > 0;
}

enum figure figure_find(const char *key, size_t length)
{
    unsigned i = 0;
    while (i < FIGURES && (strlen(figure_names[i].key) != length ||
                           strncmp(figure_names[i].key, key, length) != 0))
        i++;
    return (enum figure)i;
}

/* Three digits at least, where it is not whole. */
const char *figure_text(enum figure_unit unit, double value, char text[FIGURE_TEXT])
{
    static const struct scale {
        double from;
        const char *suffix;
    } times[] = {{1e9, " s"}, {1e6, " ms"}, {1e3, " us"}, {1, " ns"}},
      counts[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e4, "k"}, {1, ""}};
    const struct scale *scale = unit == UNIT_NANOSECONDS ? times : counts;
    size_t last = (unit == UNIT_NANOSECONDS ? COUNT(times) : COUNT(counts)) - 1, i = 0;
    while (i < last && value < scale[i].from)
        i++;
    double unit_of = scale[i].from == 1e4 ? 1e3 : scale[i].from;
    double shown = value / unit_of;
    bool whole = shown >= 100 || shown == (double)(uint64_t)shown;
    snprintf(text, FIGURE_TEXT, "%.*f%s", whole ? 0 : shown >= 10 ? 1 : 2, shown, scale[i].suffix);
    return text;
}
